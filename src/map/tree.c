// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "map/tree.h"

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/instance.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "build/clip_build.h"

#include <string.h>

// What a node is to the mapper.
typedef enum NodeRole {
    ROLE_NONE,
    ROLE_JOINT,
    ROLE_PASSED, // between joints, to hold part of a transform
} NodeRole;

// Converters put nodes between joints that no skin knows: they have no name, or one that says so, such as Assimp's
// "LeftArm_$AssimpFbx$_PreRotation".
static bool is_part_of_transform(const char* name)
{
    return !name || !name[0] || strstr(name, "$AssimpFbx$");
}

// Nodes that may be joints: those of the skins, what is above and below them; without a skin, all that show no mesh.
static void mark_joints(const GtScene* scene, const GtCharacterDef* def, uint8_t* roles)
{
    bool has_skin = false;
    memset(roles, ROLE_NONE, (size_t)scene->node_count * sizeof *roles);
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        for (int32_t j = 0; j < scene->skins[s].joint_count; ++j) {
            int32_t node = scene->skins[s].joints[j];
            has_skin = true;
            roles[node] = ROLE_JOINT;
        }
    }
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        for (int32_t j = 0; j < scene->skins[s].joint_count; ++j) {
            int32_t above = scene->nodes[scene->skins[s].joints[j]].parent;
            for (; above != GT_NONE && roles[above] == ROLE_NONE; above = scene->nodes[above].parent) {
                roles[above] = is_part_of_transform(scene->nodes[above].name) ? ROLE_PASSED : ROLE_JOINT;
            }
        }
    }
    for (int32_t i = 0; i < def->node_count; ++i) { // parents first
        int32_t node = def->source_nodes[i];
        int32_t parent = scene->nodes[node].parent;
        bool shows = scene->nodes[node].mesh != GT_NONE || scene->nodes[node].camera != GT_NONE;
        bool is_below = parent != GT_NONE && roles[parent] != ROLE_NONE;
        if (roles[node] == ROLE_PASSED && !is_below) {
            roles[node] = ROLE_JOINT; // on top of all joints, where a nameless node may be the hips
        } else if (roles[node] == ROLE_NONE && !shows && (!has_skin || is_below)) {
            roles[node] = ROLE_JOINT;
        }
    }
}

// Which nodes move a vertex; false where none does.
static bool mark_used(const GtScene* scene, bool* is_used)
{
    enum {
        CHUNK = 256
    };
    float joints[CHUNK * 4];
    float weights[CHUNK * 4];
    bool any = false;
    for (int32_t n = 0; n < scene->node_count; ++n) {
        const GtNode* node = &scene->nodes[n];
        for (int32_t p = 0;
             node->mesh != GT_NONE && node->skin != GT_NONE && p < scene->meshes[node->mesh].primitive_count; ++p) {
            const GtPrimitive* primitive = &scene->meshes[node->mesh].primitives[p];
            const GtSkin* skin = &scene->skins[node->skin];
            int32_t j = gt_primitive_find(primitive, "JOINTS_0");
            int32_t w = gt_primitive_find(primitive, "WEIGHTS_0");
            uint64_t count = j == GT_NONE || w == GT_NONE ? 0 : scene->accessors[j].count;
            for (uint64_t i = 0; i < count; i += CHUNK) {
                uint64_t here = count - i < CHUNK ? count - i : CHUNK;
                gt_accessor_read_floats(scene, j, i, here, joints);
                gt_accessor_read_floats(scene, w, i, here, weights);
                for (uint64_t k = 0; k < 4 * here; ++k) {
                    if (weights[k] > 0.0f && joints[k] >= 0.0f && joints[k] < (float)skin->joint_count) {
                        is_used[skin->joints[(int32_t)joints[k]]] = true;
                        any = true;
                    }
                }
            }
        }
    }
    return any;
}

// Matrices by node where the skins were bound; false where no skin says.
static bool bind_matrices(const GtScene* scene, GtMat34* mesh_from_node, bool* known)
{
    bool any = false;
    memset(known, 0, (size_t)scene->node_count * sizeof *known);
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        const GtSkin* skin = &scene->skins[s];
        for (int32_t j = 0; skin->inverse_bind != GT_NONE && j < skin->joint_count; ++j) {
            float columns[16];
            bool ok = false;
            gt_accessor_read_floats(scene, skin->inverse_bind, (uint64_t)j, 1, columns);
            GtMat34 joint_from_mesh = gt_mat34_from_columns(columns);
            GtMat34 mesh_from_joint = gt_mat34_inverse(&joint_from_mesh, &ok);
            if (ok && !known[skin->joints[j]]) {
                mesh_from_node[skin->joints[j]] = mesh_from_joint;
                known[skin->joints[j]] = true;
                any = true;
            }
        }
    }
    return any;
}

typedef struct Poser {
    const GtContext* context;
    const GtScene* scene;
    bool use_names;
    GtCharacter* character;
    const GtCharacterDef* def;
    GtMat34* model_from_node; // [node_count of the scene]
} Poser;

// Places of nodes where the skins were bound; false where no skin says. Nodes that no skin names go with what is
// below them; tips below a bound joint are as far from it as at rest, in its own space: the mesh's may have other units
// and axes than the scene. What neither reaches stays at rest.
static bool bind_nodes(const Poser* p, const GtTransform* rest, GtMat34* mesh_from_node, bool* known)
{
    const GtScene* scene = p->scene;
    if (!bind_matrices(scene, mesh_from_node, known)) {
        return false;
    }
    for (int32_t i = 0; i < p->def->node_count; ++i) { // parents first
        int32_t node = p->def->source_nodes[i];
        int32_t parent = scene->nodes[node].parent;
        if (!known[node] && parent != GT_NONE && known[parent]) {
            mesh_from_node[node] = gt_mat34_mul(mesh_from_node[parent], gt_mat34_from_transform(rest[i]));
            known[node] = true;
        }
        if (known[node]) {
            p->model_from_node[node] = mesh_from_node[node];
        }
    }
    for (int32_t i = p->def->node_count; i-- > 0;) {
        int32_t node = p->def->source_nodes[i];
        int32_t parent = scene->nodes[node].parent;
        if (known[node] && parent != GT_NONE && !known[parent]) {
            p->model_from_node[parent] = p->model_from_node[node];
            known[parent] = true;
        }
    }
    return true;
}

// A body that a negative scale mirrors has its left elsewhere than the mesh that it was bound to.
static void mirror_bind_pose(const Poser* p, const GtMat34* model_from_node_at_rest, const bool* known)
{
    const GtTransform mirror = { .rotation = gt_quat_identity(), .scale = gt_vec3(-1.0f, 1.0f, 1.0f) };
    GtMat34 mirrored_from_mesh = gt_mat34_from_transform(mirror);
    int32_t votes = 0;
    for (int32_t i = 0; i < p->def->node_count; ++i) {
        int32_t node = p->def->source_nodes[i];
        bool is_mirrored = gt_mat34_determinant(&model_from_node_at_rest[i]) < 0.0f;
        bool was_mirrored = gt_mat34_determinant(&p->model_from_node[node]) < 0.0f;
        votes += !known[node] ? 0 : is_mirrored != was_mirrored ? 1 : -1;
    }
    for (int32_t node = 0; node < p->scene->node_count && votes > 0; ++node) {
        if (known[node]) {
            p->model_from_node[node] = gt_mat34_mul(mirrored_from_mesh, p->model_from_node[node]);
        }
    }
}

static GtResult pose_nodes(const GtContext* context, GtArena* scratch, Poser* p, GtiMapPose pose, bool* has_pose,
                           GtError* error)
{
    size_t count = (size_t)p->def->node_count;
    GtTransform* local = gt_arena_push_array(scratch, count, sizeof *local);
    GtMat34* model = gt_arena_push_array(scratch, count, sizeof *model);
    bool* known = gt_arena_push_array(scratch, (size_t)p->scene->node_count, sizeof *known);
    GtMat34* mesh_from_node = gt_arena_push_array(scratch, (size_t)p->scene->node_count, sizeof *mesh_from_node);
    if (!local || !model || !known || !mesh_from_node) {
        return gti_out_of_memory(error);
    }
    if (count > 0) {
        memcpy(local, p->def->rest, count * sizeof *local);
    }
    *has_pose = true;
    if (pose == GTI_MAP_FIRST) {
        *has_pose = p->scene->animation_count > 0;
        GtClip* clip = NULL;
        GtiClipSource source = { p->scene, 0, p->character };
        GtResult result = *has_pose ? gti_clip_build_in_place(context, &source, &clip, error) : GT_OK;
        if (clip) {
            gt_clip_sample(clip, gt_clip_start_s(clip), local, NULL);
        }
        gt_clip_destroy(clip);
        if (result != GT_OK) {
            return result;
        }
    }
    gt_character_to_model(p->character, local, model);
    for (size_t i = 0; i < count; ++i) {
        p->model_from_node[p->def->source_nodes[i]] = model[i];
    }
    if (pose == GTI_MAP_BIND) {
        *has_pose = bind_nodes(p, p->def->rest, mesh_from_node, known);
        mirror_bind_pose(p, model, known);
    }
    return GT_OK;
}

static void link_children(GtiMapTree* tree)
{
    for (int32_t i = tree->count; i-- > 0;) { // backwards, so that lists are in order
        GtiMapJoint* joint = &tree->joints[i];
        if (joint->parent != GT_NONE) {
            GtiMapJoint* parent = &tree->joints[joint->parent];
            joint->next_sibling = parent->first_child;
            parent->first_child = i;
            ++parent->child_count;
        }
    }
}

// Whether nothing is below a joint but an end site in its own place, which writers of BVH put below every leaf.
static bool is_leaf(const GtScene* scene, const GtiMapTree* tree, const GtiMapJoint* joint)
{
    if (joint->child_count != 1) {
        return joint->child_count == 0;
    }
    const GtiMapJoint* child = &tree->joints[joint->first_child];
    const GtNode* node = &scene->nodes[child->node];
    return child->child_count == 0 && node->bvh && node->bvh->end_site &&
           gt_vec3_length(node->local.translation) == 0.0f;
}

// Lengths of chains, and which joints are tips: what has nothing below it, and the file or the name says so or no
// vertex follows it. `is_used` may be NULL.
static void measure_chains(const GtScene* scene, const bool* is_used, GtiMapTree* tree)
{
    GtBounds bounds = gti_bounds_empty();
    for (int32_t i = tree->count; i-- > 0;) {
        GtiMapJoint* joint = &tree->joints[i];
        const GtNode* node = &scene->nodes[joint->node];
        joint->is_end = is_leaf(scene, tree, joint) && (joint->hint.is_end || (node->bvh && node->bvh->end_site) ||
                                                        (is_used && !is_used[joint->node]));
        if (joint->parent != GT_NONE) {
            GtiMapJoint* parent = &tree->joints[joint->parent];
            float reach = joint->reach_m + gt_vec3_length(gt_vec3_sub(joint->position, parent->position));
            if (parent->farthest == GT_NONE || reach > parent->reach_m) {
                parent->reach_m = reach;
                parent->farthest = i;
            }
        }
        gti_bounds_add(&bounds, joint->position);
    }
    tree->size_m = tree->count > 0 ? gti_bounds_diagonal(bounds) : 0.0f;
}

static GtResult fill_tree(Poser* p, GtiMapPose pose, GtArena* arena, GtArena* scratch, GtiMapTree* out, GtError* error)
{
    const GtScene* scene = p->scene;
    size_t nodes = (size_t)scene->node_count;
    uint8_t* roles = gt_arena_push_array(scratch, nodes, sizeof *roles);
    bool* is_used = gt_arena_push_array(scratch, nodes, sizeof *is_used);
    int32_t* index_of = gt_arena_push_array(scratch, nodes, sizeof *index_of);
    p->model_from_node = gt_arena_push_array(scratch, nodes, sizeof *p->model_from_node);
    if (!roles || !is_used || !index_of || !p->model_from_node) {
        return gti_out_of_memory(error);
    }
    bool has_pose = false;
    GtResult result = pose_nodes(p->context, scratch, p, pose, &has_pose, error);
    if (result != GT_OK || !has_pose) {
        return result;
    }
    mark_joints(scene, p->def, roles);
    size_t joint_count = 0;
    for (size_t i = 0; i < nodes; ++i) {
        joint_count += roles[i] == ROLE_JOINT;
    }
    out->joints = gt_arena_push_array(arena, joint_count, sizeof *out->joints);
    if (!out->joints) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < p->def->node_count; ++i) {
        int32_t node = p->def->source_nodes[i];
        int32_t above = scene->nodes[node].parent;
        int32_t parent = above != GT_NONE && roles[above] != ROLE_NONE ? index_of[above] : GT_NONE;
        index_of[node] = roles[node] == ROLE_JOINT ? out->count : parent;
        if (roles[node] != ROLE_JOINT) {
            continue;
        }
        out->joints[out->count++] = (GtiMapJoint){
            .node = node,
            .parent = parent,
            .first_child = GT_NONE,
            .next_sibling = GT_NONE,
            .farthest = GT_NONE,
            .position = gt_mat34_translation(&p->model_from_node[node]),
            .model_from_joint = p->model_from_node[node],
            .hint = gti_name_hint(p->use_names ? scene->nodes[node].name : NULL),
        };
    }
    link_children(out);
    measure_chains(scene, mark_used(scene, is_used) ? is_used : NULL, out);
    return GT_OK;
}

GtResult gti_map_trees(const GtContext* context, GtArena* arena, const GtScene* scene, bool use_names,
                       GtiMapTree out[GTI_MAP_POSE_COUNT], GtError* error)
{
    memset(out, 0, GTI_MAP_POSE_COUNT * sizeof *out);
    Poser poser = { .context = context, .scene = scene, .use_names = use_names };
    GtBuildDef build = gt_default_build_def();
    build.joints_only = true;
    GtResult result = gt_character_build(context, scene, &build, &poser.character, NULL, error);
    for (int pose = 0; pose < GTI_MAP_POSE_COUNT && result == GT_OK; ++pose) {
        GtArena scratch = gt_arena_create(context->allocator);
        poser.def = gt_character_def(poser.character);
        result = fill_tree(&poser, (GtiMapPose)pose, arena, &scratch, &out[pose], error);
        gt_arena_destroy(&scratch);
    }
    gt_character_destroy(poser.character);
    return result;
}

bool gti_map_is_below(const GtiMapTree* tree, int32_t joint, int32_t ancestor)
{
    while (joint != GT_NONE && joint > ancestor) {
        joint = tree->joints[joint].parent;
    }
    return joint == ancestor;
}
