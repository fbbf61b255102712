// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// glTF does not look at the transform of a node whose mesh is skinned, so vertices go into the space of the joints.
// What is there already, as in most files, keeps its accessors to the bit. Skinned meshes belong at the root of a
// stage.

#include "rig/attach.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "scene/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SET_SIZE = 4, // influences in a pair of attributes
    NAME_SIZE = 24
};

static const float identity_slack = 1e-6f;

typedef struct Attacher {
    const GtContext* context;
    GtScene* scene;
    const GtiRigAttachment* a;
    GtMat34* world_from_node; // [node_count as the body saw it]
    GtMesh* meshes;           // [mesh_count likewise] as they were
    bool* is_replaced;        // [mesh_count likewise]
    int32_t skin;
    GtArena arena; // of one primitive
    GtError* error;
} Attacher;

static bool is_identity(const GtMat34* m)
{
    float columns[16];
    gt_mat34_to_columns(m, columns);
    for (int i = 0; i < 16; ++i) {
        if (!(fabsf(columns[i] - (i % 5 == 0 ? 1.0f : 0.0f)) <= identity_slack)) {
            return false;
        }
    }
    return true;
}

static GtVec3 joint_place(const GtiRigAttachment* a, int32_t joint)
{
    return gt_mat34_point(&a->rigged_from_body, a->skeleton->joints[joint].position);
}

static GtQuat joint_turn(const GtiRigAttachment* a, int32_t joint)
{
    return a->rotations ? a->rotations[joint] : gt_quat_identity();
}

static GtTransform joint_local(const GtiRigAttachment* a, int32_t joint)
{
    int32_t parent = a->skeleton->joints[joint].parent;
    GtVec3 place = joint_place(a, joint);
    GtQuat turn = joint_turn(a, joint);
    const GtVec3 one = { 1.0f, 1.0f, 1.0f };
    if (parent == GT_NONE) {
        return gt_transform(place, turn, one);
    }
    GtQuat back = gt_quat_conjugate(joint_turn(a, parent));
    return gt_transform(gt_quat_rotate(back, gt_vec3_sub(place, joint_place(a, parent))),
                        gt_quat_normalize(gt_quat_mul(back, turn)), one);
}

// Joints come behind the nodes that are there; those without a parent go to the roots of the stage.
static GtResult add_joints(Attacher* attacher, int32_t* nodes)
{
    const GtiRigSkeleton* skeleton = attacher->a->skeleton;
    GtResult result = GT_OK;
    for (int32_t j = 0; j < skeleton->joint_count && result == GT_OK; ++j) {
        int32_t parent = skeleton->joints[j].parent;
        GtNode node = gt_default_node();
        node.name = gt_scene_push_text(attacher->scene, attacher->a->names[j], strlen(attacher->a->names[j]));
        node.local = joint_local(attacher->a, j);
        node.parent = parent == GT_NONE ? GT_NONE : nodes[parent];
        result = node.name ? gt_scene_add_node(attacher->scene, &node, &nodes[j], attacher->error)
                           : gti_out_of_memory(attacher->error);
    }
    return result;
}

static GtResult add_skin(Attacher* attacher, const int32_t* nodes)
{
    const GtiRigAttachment* a = attacher->a;
    int32_t count = a->skeleton->joint_count;
    float(*inverse_bind)[16] = gt_arena_push_array(&attacher->arena, (size_t)count, sizeof *inverse_bind);
    if (!inverse_bind) {
        return gti_out_of_memory(attacher->error);
    }
    for (int32_t j = 0; j < count; ++j) {
        bool ok;
        GtMat34 rigged_from_joint =
            gt_mat34_from_transform(gt_transform(joint_place(a, j), joint_turn(a, j), (GtVec3){ 1.0f, 1.0f, 1.0f }));
        GtMat34 joint_from_rigged = gt_mat34_inverse(&rigged_from_joint, &ok);
        gt_mat34_to_columns(&joint_from_rigged, inverse_bind[j]);
    }
    GtSkin skin = { .name = "Rig", .joints = nodes, .joint_count = count, .skeleton = GT_NONE };
    GtResult result = gt_scene_add_data(attacher->scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, inverse_bind,
                                        (uint64_t)count, &skin.inverse_bind, attacher->error);
    return result == GT_OK ? gt_scene_add_skin(attacher->scene, &skin, &attacher->skin, attacher->error) : result;
}

static const GtiRigPart* find_part(const GtiRigBody* body, int32_t node, int32_t primitive)
{
    for (int32_t i = 0; i < body->part_count; ++i) {
        if (body->parts[i].node == node && body->parts[i].primitive == primitive) {
            return &body->parts[i];
        }
    }
    return NULL;
}

// Primitives may share their vertices; then each part knows the points of the vertices that it uses.
static int32_t point_of(const Attacher* attacher, const GtPrimitive* primitives, int32_t node, int32_t primitive,
                        int32_t vertex)
{
    const GtiRigBody* body = attacher->a->body;
    int32_t positions = gt_primitive_find(&primitives[primitive], "POSITION");
    for (int32_t i = 0; i < body->part_count; ++i) {
        const GtiRigPart* part = &body->parts[i];
        if (part->node == node && gt_primitive_find(&primitives[part->primitive], "POSITION") == positions &&
            part->points[vertex] != GT_NONE) {
            return part->points[vertex];
        }
    }
    return GT_NONE;
}

// JOINTS_n and WEIGHTS_n of one primitive. A vertex of no triangle follows the first joint.
static GtResult add_weights(Attacher* attacher, const GtPrimitive* primitives, const GtiRigPart* part, int32_t set,
                            GtAttribute out[2])
{
    const GtiWeights* w = attacher->a->weights;
    size_t size = (size_t)part->vertex_count * SET_SIZE;
    uint16_t* joints = gt_arena_push_array(&attacher->arena, size, sizeof *joints);
    float* weights = gt_arena_push_array(&attacher->arena, size, sizeof *weights);
    char* names = gt_scene_push(attacher->scene, 2, NAME_SIZE);
    if (!joints || !weights || !names) {
        return gti_out_of_memory(attacher->error);
    }
    for (int32_t v = 0; v < part->vertex_count; ++v) {
        int32_t point = part->points[v] != GT_NONE ? part->points[v]
                                                   : point_of(attacher, primitives, part->node, part->primitive, v);
        for (int32_t i = 0; i < SET_SIZE; ++i) {
            int32_t place = set * SET_SIZE + i;
            bool has = point != GT_NONE && place < w->influences;
            float weight = has ? w->weights[(size_t)point * (size_t)w->influences + (size_t)place] : 0.0f;
            weights[v * SET_SIZE + i] = point == GT_NONE && place == 0 ? 1.0f : weight;
            joints[v * SET_SIZE + i] =
                weight > 0.0f ? w->joints[(size_t)point * (size_t)w->influences + (size_t)place] : 0;
        }
    }
    snprintf(names, NAME_SIZE, "JOINTS_%d", (int)set);
    snprintf(names + NAME_SIZE, NAME_SIZE, "WEIGHTS_%d", (int)set);
    out[0].name = names;
    out[1].name = names + NAME_SIZE;
    GtResult result = gt_scene_add_data(attacher->scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_UINT16, joints,
                                        (uint64_t)part->vertex_count, &out[0].accessor, attacher->error);
    return result == GT_OK ? gt_scene_add_data(attacher->scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT,
                                               weights, (uint64_t)part->vertex_count, &out[1].accessor, attacher->error)
                           : result;
}

// How an attribute's vectors turn, if they do.
typedef enum Turning {
    TURN_NONE,
    TURN_POINT,
    TURN_VECTOR, // and the displacements of morph targets
    TURN_NORMAL,
} Turning;

static Turning turning_of(const char* attribute, bool is_morph)
{
    Turning position = is_morph ? TURN_VECTOR : TURN_POINT;
    return strcmp(attribute, "POSITION") == 0  ? position
           : strcmp(attribute, "NORMAL") == 0  ? TURN_NORMAL
           : strcmp(attribute, "TANGENT") == 0 ? TURN_VECTOR
                                               : TURN_NONE;
}

static GtVec3 turned(const GtMat34* m, Turning turning, GtVec3 v, bool is_unit)
{
    if (turning == TURN_POINT) {
        return gt_mat34_point(m, v);
    }
    GtVec3 out = turning == TURN_NORMAL ? gt_mat34_normal(m, v) : gt_mat34_vector(m, v);
    if (turning == TURN_NORMAL && !is_unit) { // a difference of normals, which have length 1 before and after
        float squared_scale = gt_vec3_length(gt_mat34_normal(m, gt_vec3(0.0f, 1.0f, 0.0f)));
        return squared_scale > 0.0f ? gt_vec3_scale(out, 1.0f / squared_scale) : v;
    }
    return is_unit ? gt_vec3_normalize_or(out, v) : out;
}

// A copy of an accessor of vectors, brought into the rigged scene's space.
static GtResult turn_attribute(Attacher* attacher, const GtMat34* m, bool is_morph, GtAttribute* attribute)
{
    GtScene* scene = attacher->scene;
    Turning turning = turning_of(attribute->name, is_morph);
    if (turning == TURN_NONE) {
        return GT_OK;
    }
    GtElementType element = scene->accessors[attribute->accessor].element_type;
    uint64_t count = scene->accessors[attribute->accessor].count;
    int32_t width = gt_element_components(element);
    float* values = gt_arena_push_array(&attacher->arena, (size_t)count * (size_t)width, sizeof *values);
    if (!values) {
        return gti_out_of_memory(attacher->error);
    }
    gt_accessor_read_floats(scene, attribute->accessor, 0, count, values);
    bool is_unit = !is_morph && turning != TURN_POINT;
    for (uint64_t i = 0; i < count; ++i) {
        float* at = &values[i * (uint64_t)width];
        GtVec3 v = turned(m, turning, gt_vec3(at[0], at[1], at[2]), is_unit);
        at[0] = v.x;
        at[1] = v.y;
        at[2] = v.z;
    }
    return gt_scene_add_data(scene, GT_USE_VERTEX, element, GT_COMPONENT_FLOAT, values, count, &attribute->accessor,
                             attacher->error);
}

static GtResult turn_targets(Attacher* attacher, const GtMat34* m, int32_t target_count, GtPrimitive* primitive)
{
    GtMorphTarget* targets = gt_scene_push(attacher->scene, (size_t)target_count, sizeof *targets);
    GtResult result = targets ? GT_OK : gti_out_of_memory(attacher->error);
    for (int32_t t = 0; t < target_count && result == GT_OK; ++t) {
        const GtMorphTarget* old = &primitive->targets[t];
        GtAttribute* attributes = gt_scene_push(attacher->scene, (size_t)old->attribute_count, sizeof *attributes);
        result = attributes || old->attribute_count == 0 ? GT_OK : gti_out_of_memory(attacher->error);
        for (int32_t i = 0; i < old->attribute_count && result == GT_OK; ++i) {
            attributes[i] = old->attributes[i];
            result = turn_attribute(attacher, m, true, &attributes[i]);
        }
        targets[t] = (GtMorphTarget){ attributes, old->attribute_count };
    }
    if (result == GT_OK) {
        primitive->targets = targets;
    }
    return result;
}

// Scans often have no normals, and then are drawn with a facet a triangle: those of the body's points are smooth.
static GtResult add_normals(Attacher* attacher, const GtPrimitive* primitives, const GtiRigPart* part, GtAttribute* out)
{
    const GtiRigAttachment* a = attacher->a;
    GtVec3* normals = gt_arena_push_array(&attacher->arena, (size_t)part->vertex_count, sizeof *normals);
    if (!normals) {
        return gti_out_of_memory(attacher->error);
    }
    for (int32_t v = 0; v < part->vertex_count; ++v) {
        int32_t point = part->points[v] != GT_NONE ? part->points[v]
                                                   : point_of(attacher, primitives, part->node, part->primitive, v);
        GtVec3 normal = point == GT_NONE ? gt_vec3(0.0f, 0.0f, 0.0f) : a->body->normals[point];
        normals[v] = gt_vec3_normalize_or(gt_mat34_vector(&a->rigged_from_body, normal), gt_vec3(0.0f, 1.0f, 0.0f));
    }
    out->name = "NORMAL";
    return gt_scene_add_data(attacher->scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, normals,
                             (uint64_t)part->vertex_count, &out->accessor, attacher->error);
}

static bool is_weight_attribute(const char* name)
{
    return strncmp(name, "JOINTS_", 7) == 0 || strncmp(name, "WEIGHTS_", 8) == 0;
}

static GtResult attach_primitive(Attacher* attacher, const GtMesh* mesh, const GtiRigPart* part, GtPrimitive* out)
{
    const GtPrimitive* old = &mesh->primitives[part->primitive];
    int32_t set_count = (attacher->a->weights->influences + SET_SIZE - 1) / SET_SIZE;
    GtMat34 m = gt_mat34_mul(attacher->a->rigged_from_scene, attacher->world_from_node[part->node]);
    GtAttribute* attributes =
        gt_scene_push(attacher->scene, (size_t)(old->attribute_count + 1 + 2 * set_count), sizeof *attributes);
    GtResult result = attributes ? GT_OK : gti_out_of_memory(attacher->error);
    *out = *old;
    out->attributes = attributes;
    out->attribute_count = 0;
    bool stays = is_identity(&m);
    for (int32_t i = 0; i < old->attribute_count && result == GT_OK; ++i) {
        GtAttribute* attribute = &attributes[out->attribute_count];
        if (!is_weight_attribute(old->attributes[i].name)) {
            *attribute = old->attributes[i];
            ++out->attribute_count;
            result = stays ? GT_OK : turn_attribute(attacher, &m, false, attribute);
        }
    }
    if (result == GT_OK && !stays && mesh->target_count > 0) {
        result = turn_targets(attacher, &m, mesh->target_count, out);
    }
    if (result == GT_OK && gt_primitive_find(old, "NORMAL") == GT_NONE) {
        result = add_normals(attacher, mesh->primitives, part, &attributes[out->attribute_count++]);
    }
    for (int32_t set = 0; set < set_count && result == GT_OK; ++set) {
        result = add_weights(attacher, mesh->primitives, part, set, &attributes[out->attribute_count]);
        out->attribute_count += 2;
    }
    return result;
}

// The mesh of a node with weights, or GT_NONE when the body has no part of it. It takes the old one's place, but where
// several nodes show that: each has weights of its own.
static GtResult attach_mesh(Attacher* attacher, int32_t node, int32_t* index)
{
    int32_t source = attacher->scene->nodes[node].mesh;
    const GtMesh old = attacher->meshes[source];
    GtMesh mesh = old;
    GtPrimitive* primitives = gt_scene_push(attacher->scene, (size_t)old.primitive_count, sizeof *primitives);
    GtResult result = primitives || old.primitive_count == 0 ? GT_OK : gti_out_of_memory(attacher->error);
    mesh.primitives = primitives;
    mesh.primitive_count = 0;
    for (int32_t p = 0; p < old.primitive_count && result == GT_OK; ++p) {
        const GtiRigPart* part = find_part(attacher->a->body, node, p);
        GtArenaMark mark = gt_arena_mark(&attacher->arena);
        if (part) {
            result = attach_primitive(attacher, &old, part, &primitives[mesh.primitive_count++]);
        }
        gt_arena_reset(&attacher->arena, mark);
    }
    *index = GT_NONE;
    if (result != GT_OK || mesh.primitive_count == 0) {
        return result;
    }
    if (attacher->is_replaced[source]) {
        return gt_scene_add_mesh(attacher->scene, &mesh, index, attacher->error);
    }
    attacher->is_replaced[source] = true;
    attacher->scene->meshes[source] = mesh;
    *index = source;
    return GT_OK;
}

// A root keeps its mesh; of a node further down it goes to a new root.
static GtResult attach_node(Attacher* attacher, int32_t node, int32_t* root)
{
    GtScene* scene = attacher->scene;
    int32_t mesh;
    GtResult result = attach_mesh(attacher, node, &mesh);
    *root = GT_NONE;
    if (result != GT_OK) {
        return result;
    }
    bool is_root = scene->nodes[node].parent == GT_NONE;
    scene->nodes[node].mesh = is_root ? mesh : GT_NONE;
    scene->nodes[node].skin = is_root && mesh != GT_NONE ? attacher->skin : GT_NONE;
    if (mesh == GT_NONE || is_root) {
        return GT_OK;
    }
    GtNode moved = gt_default_node();
    moved.name = scene->nodes[node].name;
    moved.weights = scene->nodes[node].weights;
    moved.weight_count = scene->nodes[node].weight_count;
    moved.mesh = mesh;
    moved.skin = attacher->skin;
    return gt_scene_add_node(scene, &moved, root, attacher->error);
}

static GtResult set_roots(Attacher* attacher, const int32_t* added, int32_t added_count)
{
    GtScene* scene = attacher->scene;
    int32_t stage = scene->default_stage != GT_NONE ? scene->default_stage : 0;
    if (scene->stage_count == 0) {
        GtStage none = { .name = "Scene" };
        GtResult result = gt_scene_add_stage(scene, &none, &scene->default_stage, attacher->error);
        if (result != GT_OK) {
            return result;
        }
    }
    const GtStage old = scene->stages[stage];
    int32_t* roots = gt_scene_push(scene, (size_t)(old.node_count + added_count), sizeof *roots);
    if (!roots) {
        return gti_out_of_memory(attacher->error);
    }
    memcpy(roots, added, (size_t)added_count * sizeof *roots);
    if (old.node_count > 0) {
        memcpy(roots + added_count, old.nodes, (size_t)old.node_count * sizeof *roots);
    }
    scene->stages[stage].nodes = roots;
    scene->stages[stage].node_count = old.node_count + added_count;
    return GT_OK;
}

static GtResult set_humanoid(Attacher* attacher, const int32_t* nodes)
{
    const GtiRigSkeleton* skeleton = attacher->a->skeleton;
    GtHumanoidMap* map = gt_scene_push(attacher->scene, 1, sizeof *map);
    if (!map) {
        return gti_out_of_memory(attacher->error);
    }
    *map = gt_humanoid_map_empty();
    bool any = false;
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        if (skeleton->joints[j].humanoid != GT_NONE) {
            map->nodes[skeleton->joints[j].humanoid] = nodes[j];
            any = true;
        }
    }
    attacher->scene->humanoid = any ? map : NULL;
    attacher->scene->retarget_pose = NULL;
    return GT_OK;
}

static GtResult attach(Attacher* attacher, GtArena* arena)
{
    GtScene* scene = attacher->scene;
    const GtiRigSkeleton* skeleton = attacher->a->skeleton;
    int32_t node_count = scene->node_count;
    int32_t* nodes = gt_scene_push(scene, (size_t)skeleton->joint_count, sizeof *nodes);
    int32_t* roots = gt_arena_push_array(arena, (size_t)(skeleton->joint_count + node_count), sizeof *roots);
    attacher->meshes = gt_arena_push_array(arena, (size_t)scene->mesh_count, sizeof *attacher->meshes);
    attacher->is_replaced = gt_arena_push_array(arena, (size_t)scene->mesh_count, sizeof *attacher->is_replaced);
    if (!nodes || !roots || !attacher->meshes || !attacher->is_replaced) {
        return gti_out_of_memory(attacher->error);
    }
    memcpy(attacher->meshes, scene->meshes, (size_t)scene->mesh_count * sizeof *attacher->meshes);
    int32_t root_count = 0;
    GtResult result = gti_scene_worlds(scene, arena, &attacher->world_from_node, attacher->error);
    result = result == GT_OK ? add_joints(attacher, nodes) : result;
    for (int32_t j = 0; j < skeleton->joint_count && result == GT_OK; ++j) {
        if (skeleton->joints[j].parent == GT_NONE) {
            roots[root_count++] = nodes[j];
        }
    }
    result = result == GT_OK ? add_skin(attacher, nodes) : result;
    for (int32_t i = 0; i < node_count && result == GT_OK; ++i) {
        if (scene->nodes[i].mesh != GT_NONE) {
            result = attach_node(attacher, i, &roots[root_count]);
            root_count += result == GT_OK && roots[root_count] != GT_NONE;
        }
    }
    result = result == GT_OK ? set_roots(attacher, roots, root_count) : result;
    return result == GT_OK ? set_humanoid(attacher, nodes) : result;
}

GtResult gti_rig_attach(const GtContext* context, GtScene* scene, const GtiRigAttachment* attachment, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    Attacher attacher = { .context = context,
                          .scene = scene,
                          .a = attachment,
                          .arena = gt_arena_create(context->allocator),
                          .error = error };
    GtResult result = attach(&attacher, &arena);
    gt_arena_destroy(&attacher.arena);
    gt_arena_destroy(&arena);
    return result;
}
