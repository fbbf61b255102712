// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A frame as a morph shape under a linear skin: what the skin will do to a vertex is an affine map S, so the shape
// takes the vertex to S^-1 of where the frame has it. Between frames the joints turn and the shapes blend, which is far
// nearer to the motion than a blend of positions, and the file remains a rigged character.
//
// Normals turn as the surface under them does: vertices of one place whose normals agree share the mean normal of their
// triangles, and each normal is turned as that one is from the bind pose to the frame. A shape's normal is S^T of it,
// as skinning applies S^-T.

#include "gertie/accessor.h"
#include "gertie/build.h"
#include "gertie/harmonic_clip.h"
#include "gertie/instance.h"

#include "deform/shell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float agree = 0.999f;            // cosine of normals that are one
static const float least_determinant = 1e-3f; // of a skin's matrix that can be undone, for columns of length 1

typedef struct Baker {
    const GtContext* context;
    const GtScene* source;
    GtScene* scene;
    const GtHarmonicClip* clip;
    GtArena scratch;
    GtiShell shell;
    int32_t* groups;           // [vertex_count] vertices that share a normal, by the first of them
    GtVec3* rest_normals;      // [vertex_count] of the groups, in the bind pose
    GtVec3* normals;           // [vertex_count] likewise, in a frame
    GtVec3* positions;         // [GT_HARMONIC_BATCH * vertex_count]
    GtVec3** deltas;           // [mesh_count] of a frame
    GtVec3** normal_deltas;    // [mesh_count] or NULL where it has no normals
    int32_t* accessors;        // [frame_count * mesh_count * 2] positions, normals
    GtMat34** model_from_mesh; // [skin_count][joint_count] of a frame
    float* weights;            // [frame_count * weight_count] of the clip as it was
    GtHarmonicBakeReport report;
    GtError* error;
} Baker;

static GtResult open_baker(Baker* k)
{
    GtResult result = gti_shell_open(k->context, &k->scratch, k->source, k->clip->animation, NULL, &k->shell, k->error);
    if (result != GT_OK) {
        return result;
    }
    const GtCharacterDef* def = k->shell.figure.def;
    size_t vertex_count = (size_t)k->shell.vertex_count;
    size_t mesh_count = (size_t)def->mesh_count;
    size_t frame_count = (size_t)k->clip->frame_count;
    int64_t size = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        size += (int64_t)def->meshes[m].vertex_count * (def->meshes[m].normals ? 24 : 12) * k->clip->frame_count;
    }
    if (size > GT_HARMONIC_MAX_BAKE_SIZE) {
        return gti_fail(k->error, GT_ERROR_LIMIT,
                        "%d frames of %d vertices are %.1f GB of shapes, and %.1f are the most: take fewer frames a "
                        "second or a part of the clip",
                        (int)k->clip->frame_count, (int)vertex_count, 1e-9 * (double)size,
                        1e-9 * (double)GT_HARMONIC_MAX_BAKE_SIZE);
    }
    k->report.byte_size = size;
    k->report.shape_count = k->clip->frame_count;
    k->groups = gt_arena_push_array(&k->scratch, vertex_count, sizeof *k->groups);
    k->rest_normals = gt_arena_push_array(&k->scratch, vertex_count, sizeof *k->rest_normals);
    k->normals = gt_arena_push_array(&k->scratch, vertex_count, sizeof *k->normals);
    k->positions = gt_arena_push_array(&k->scratch, GT_HARMONIC_BATCH * vertex_count, sizeof *k->positions);
    k->deltas = gt_arena_push_array(&k->scratch, mesh_count, sizeof *k->deltas);
    k->normal_deltas = gt_arena_push_array(&k->scratch, mesh_count, sizeof *k->normal_deltas);
    k->accessors = gt_arena_push_array(&k->scratch, frame_count * mesh_count * 2, sizeof *k->accessors);
    k->weights = gt_arena_push_array(&k->scratch, frame_count * (size_t)def->weight_count, sizeof *k->weights);
    k->model_from_mesh = gt_arena_push_array(&k->scratch, (size_t)def->skin_count, sizeof *k->model_from_mesh);
    bool ok = k->groups && k->rest_normals && k->normals && k->positions && k->deltas && k->normal_deltas &&
              k->accessors && k->weights && k->model_from_mesh;
    for (int32_t s = 0; s < def->skin_count && ok; ++s) {
        k->model_from_mesh[s] =
            gt_arena_push_array(&k->scratch, (size_t)def->skins[s].joint_count, sizeof **k->model_from_mesh);
        ok = k->model_from_mesh[s] != NULL;
    }
    for (int32_t m = 0; m < def->mesh_count && ok; ++m) {
        size_t count = (size_t)def->meshes[m].vertex_count;
        k->deltas[m] = gt_arena_push_array(&k->scratch, count, sizeof **k->deltas);
        ok = k->deltas[m] != NULL;
        if (ok && def->meshes[m].normals) {
            k->normal_deltas[m] = gt_arena_push_array(&k->scratch, count, sizeof **k->normal_deltas);
            ok = k->normal_deltas[m] != NULL;
        }
    }
    return ok ? GT_OK : gti_out_of_memory(k->error);
}

// Vertices of one point and one normal become a group, through lists of the groups at each point.
static GtResult group_vertices(Baker* k)
{
    const GtiShell* shell = &k->shell;
    const GtCharacterDef* def = shell->figure.def;
    int32_t* firsts = gt_arena_push_array(&k->scratch, (size_t)shell->point_count, sizeof *firsts);
    int32_t* nexts = gt_arena_push_array(&k->scratch, (size_t)shell->vertex_count, sizeof *nexts);
    if (!firsts || !nexts) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t p = 0; p < shell->point_count; ++p) {
        firsts[p] = GT_NONE;
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        const GtVec3* normals = def->meshes[m].normals;
        for (int32_t i = 0; i < def->meshes[m].vertex_count; ++i) {
            int32_t v = shell->first_vertex[m] + i;
            k->normals[v] = normals ? normals[i] : gt_vec3(0.0f, 0.0f, 0.0f);
            int32_t group = firsts[shell->points[v]];
            while (group != GT_NONE && gt_vec3_dot(k->normals[group], k->normals[v]) < agree) {
                group = nexts[group];
            }
            if (group == GT_NONE) {
                group = v;
                nexts[v] = firsts[shell->points[v]];
                firsts[shell->points[v]] = v;
            }
            k->groups[v] = group;
        }
    }
    return GT_OK;
}

// Mean normals of the groups, weighted by area.
// positions: [vertex_count]
static void find_normals(const Baker* k, const GtVec3* positions, GtVec3* out)
{
    const GtCharacterDef* def = k->shell.figure.def;
    memset(out, 0, (size_t)k->shell.vertex_count * sizeof *out);
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        int32_t first = k->shell.first_vertex[m];
        for (int32_t i = 0; i + 2 < def->meshes[m].index_count; i += 3) {
            const uint32_t* c = &def->meshes[m].indices[i];
            int32_t v[3] = { first + (int32_t)c[0], first + (int32_t)c[1], first + (int32_t)c[2] };
            GtVec3 normal = gt_vec3_cross(gt_vec3_sub(positions[v[1]], positions[v[0]]),
                                          gt_vec3_sub(positions[v[2]], positions[v[0]]));
            for (int j = 0; j < 3; ++j) {
                out[k->groups[v[j]]] = gt_vec3_add(out[k->groups[v[j]]], normal);
            }
        }
    }
}

static GtResult find_rest_normals(Baker* k)
{
    GtResult result = group_vertices(k);
    if (result == GT_OK) {
        for (int32_t v = 0; v < k->shell.vertex_count; ++v) {
            k->positions[v] = k->shell.positions[k->shell.points[v]];
        }
        find_normals(k, k->positions, k->rest_normals);
    }
    return result;
}

// What the joints of all skins do in this frame.
static void pose_joints(const Baker* k)
{
    const GtCharacterDef* def = k->shell.figure.def;
    const GtMat34* model_from_node = k->shell.figure.instance->model_from_node;
    for (int32_t s = 0; s < def->skin_count; ++s) {
        for (int32_t j = 0; j < def->skins[s].joint_count; ++j) {
            k->model_from_mesh[s][j] =
                gt_mat34_mul(model_from_node[def->skins[s].joints[j]], def->skins[s].joint_from_mesh[j]);
        }
    }
}

// What the skin does to a vertex.
static GtMat34 skin_of(const Baker* k, const GtMeshDef* mesh, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return k->shell.figure.instance->model_from_node[mesh->node];
    }
    const GtMat34* model_from_mesh = k->model_from_mesh[mesh->skin];
    GtMat34 sum = { { { 0.0f } } };
    for (int32_t i = 0; i < mesh->influence_count; ++i) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)i;
        float weight = mesh->weights[at];
        const GtMat34* joint = &model_from_mesh[mesh->joints[at]];
        for (int e = 0; e < 12 && weight > 0.0f; ++e) {
            sum.m[e / 4][e % 4] += weight * joint->m[e / 4][e % 4];
        }
    }
    return sum;
}

// The point that `a` takes to `p`, by cofactors; false where `a` leaves no way to tell.
static bool find_origin(const GtMat34* a, GtVec3 p, GtVec3* out)
{
    GtVec3 x = gt_vec3(a->m[0][0], a->m[1][0], a->m[2][0]);
    GtVec3 y = gt_vec3(a->m[0][1], a->m[1][1], a->m[2][1]);
    GtVec3 z = gt_vec3(a->m[0][2], a->m[1][2], a->m[2][2]);
    GtVec3 yz = gt_vec3_cross(y, z);
    GtVec3 q = gt_vec3_sub(p, gt_mat34_translation(a));
    float determinant = gt_vec3_dot(x, yz);
    float size = gt_vec3_length(x) * gt_vec3_length(y) * gt_vec3_length(z);
    if (!(fabsf(determinant) > least_determinant * size)) {
        return false;
    }
    *out = gt_vec3_scale(
        gt_vec3(gt_vec3_dot(yz, q), gt_vec3_dot(gt_vec3_cross(z, x), q), gt_vec3_dot(gt_vec3_cross(x, y), q)),
        1.0f / determinant);
    return true;
}

static GtVec3 transposed(const GtMat34* a, GtVec3 v)
{
    return gt_vec3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                   a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                   a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

// Where the mesh has a vertex before it is skinned: with the morphs that it rests with.
static void take_shape(const Baker* k, int32_t m, GtVec3* out)
{
    const GtCharacterDef* def = k->shell.figure.def;
    const GtMeshDef* mesh = &def->meshes[m];
    memcpy(out, mesh->positions, (size_t)mesh->vertex_count * sizeof *out);
    for (int32_t i = 0; i < mesh->morph_count; ++i) {
        float weight = def->rest_weights[mesh->first_weight + i];
        for (int32_t e = 0; e < mesh->morphs[i].entry_count && weight != 0.0f; ++e) {
            GtVec3* p = &out[mesh->morphs[i].vertices[e]];
            *p = gt_vec3_add(*p, gt_vec3_scale(mesh->morphs[i].positions[e], weight));
        }
    }
}

// The normal of a vertex in a frame, from its normal in the mesh.
static GtVec3 turn_normal(const Baker* k, const GtMat34* bind, int32_t v, GtVec3 normal)
{
    int32_t group = k->groups[v];
    GtVec3 up = gt_vec3(0.0f, 1.0f, 0.0f);
    GtVec3 before = gt_vec3_normalize_or(k->rest_normals[group], up);
    GtVec3 after = gt_vec3_normalize_or(k->normals[group], before);
    GtVec3 bound = gt_vec3_normalize_or(gt_mat34_normal(bind, normal), before);
    return gt_quat_rotate(gt_quat_between(before, after), bound);
}

static void unskin(Baker* k, int32_t m, const GtMat34* bind, const GtVec3* wanted)
{
    const GtMeshDef* mesh = &k->shell.figure.def->meshes[m];
    GtVec3* deltas = k->deltas[m];
    GtVec3* normal_deltas = k->normal_deltas[m];
    take_shape(k, m, deltas);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        int32_t v = k->shell.first_vertex[m] + i;
        GtMat34 skin = skin_of(k, mesh, i);
        GtVec3 before = deltas[i];
        GtVec3 origin = before;
        bool ok = find_origin(&skin, wanted[v], &origin);
        deltas[i] = gt_vec3_sub(origin, before);
        if (!ok) {
            GtVec3 off = gt_vec3_sub(gt_mat34_point(&skin, before), wanted[v]);
            k->report.error_max_m = fmax(k->report.error_max_m, (double)gt_vec3_length(off));
        }
        if (normal_deltas) {
            GtVec3 turned = transposed(&skin, turn_normal(k, bind, v, mesh->normals[i]));
            normal_deltas[i] = gt_vec3_sub(gt_vec3_normalize_or(turned, mesh->normals[i]), mesh->normals[i]);
        }
    }
}

// The linear part that takes a mesh into the bind pose, by the first joint of its skin.
static GtMat34 bind_of(const Baker* k, const GtMeshDef* mesh)
{
    if (mesh->skin == GT_NONE) {
        return k->shell.bind[mesh->node];
    }
    const GtSkinDef* skin = &k->shell.figure.def->skins[mesh->skin];
    return gt_mat34_mul(k->shell.bind[skin->joints[0]], skin->joint_from_mesh[0]);
}

static GtResult add_shape(Baker* k, int32_t frame, int32_t m)
{
    int32_t* accessors = &k->accessors[2 * ((size_t)frame * (size_t)k->shell.figure.def->mesh_count + (size_t)m)];
    uint64_t count = (uint64_t)k->shell.figure.def->meshes[m].vertex_count;
    GtResult result = gt_scene_add_data(k->scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, k->deltas[m],
                                        count, &accessors[0], k->error);
    accessors[1] = GT_NONE;
    if (result == GT_OK && k->normal_deltas[m]) {
        result = gt_scene_add_data(k->scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, k->normal_deltas[m],
                                   count, &accessors[1], k->error);
    }
    return result;
}

static GtResult bake_shapes(Baker* k)
{
    const GtHarmonicClip* clip = k->clip;
    const GtiSubject* figure = &k->shell.figure;
    size_t vertex_count = (size_t)k->shell.vertex_count;
    GtResult result = GT_OK;
    for (int32_t f = 0; f < clip->frame_count && result == GT_OK; ++f) {
        int32_t in_batch = f % GT_HARMONIC_BATCH;
        if (in_batch == 0) {
            int32_t left = clip->frame_count - f;
            result = gt_harmonic_clip_pose(k->context, clip, f, left < GT_HARMONIC_BATCH ? left : GT_HARMONIC_BATCH,
                                           k->positions, k->error);
        }
        if (result == GT_OK) {
            result = gti_progress(k->context, k->error, "baking", (double)f / (double)clip->frame_count);
        }
        const GtVec3* wanted = k->positions + (size_t)in_batch * vertex_count;
        gti_subject_pose(figure, figure->instance, clip->start_s + (f > 0 ? (double)f / clip->rate_hz : 0.0));
        memcpy(k->weights + (size_t)f * (size_t)figure->def->weight_count, figure->instance->weights,
               (size_t)figure->def->weight_count * sizeof *k->weights);
        pose_joints(k);
        find_normals(k, wanted, k->normals);
        for (int32_t m = 0; m < figure->def->mesh_count && result == GT_OK; ++m) {
            GtMat34 bind = bind_of(k, &figure->def->meshes[m]);
            unskin(k, m, &bind, wanted);
            result = add_shape(k, f, m);
        }
    }
    return result;
}

static GtMorphTarget target_of(Baker* k, const int32_t* accessors, GtResult* result)
{
    GtAttribute* attributes = gt_scene_push(k->scene, 2, sizeof *attributes);
    if (!attributes) {
        *result = gti_out_of_memory(k->error);
        return (GtMorphTarget){ 0 };
    }
    attributes[0] = (GtAttribute){ "POSITION", accessors[0] };
    attributes[1] = (GtAttribute){ "NORMAL", accessors[1] };
    return (GtMorphTarget){ attributes, accessors[1] == GT_NONE ? 1 : 2 };
}

// A primitive without triangles has shapes that do nothing.
static GtResult add_still(Baker* k, const GtPrimitive* primitive, int32_t accessors[2])
{
    int32_t positions = gt_primitive_find(primitive, "POSITION");
    GtAccessor still = { .view = GT_NONE,
                         .component_type = GT_COMPONENT_FLOAT,
                         .element_type = GT_ELEMENT_VEC3,
                         .count = k->scene->accessors[positions].count };
    accessors[1] = GT_NONE;
    return gt_scene_add_accessor(k->scene, &still, &accessors[0], k->error);
}

static GtResult shape_primitive(Baker* k, const GtMesh* mesh, int32_t node, int32_t p, GtPrimitive* out)
{
    const GtCharacterDef* def = k->shell.figure.def;
    int32_t m = 0;
    while (m < def->mesh_count && (def->meshes[m].node != node || def->meshes[m].source_primitive != p)) {
        ++m;
    }
    int32_t frame_count = k->clip->frame_count;
    GtMorphTarget* targets = gt_scene_push(k->scene, (size_t)mesh->target_count + (size_t)frame_count, sizeof *targets);
    int32_t still[2] = { GT_NONE, GT_NONE };
    GtResult result = targets ? GT_OK : gti_out_of_memory(k->error);
    if (result == GT_OK && m == def->mesh_count) {
        result = add_still(k, &mesh->primitives[p], still);
    }
    for (int32_t t = 0; t < mesh->target_count && result == GT_OK; ++t) {
        targets[t] = mesh->primitives[p].targets[t];
    }
    for (int32_t f = 0; f < frame_count && result == GT_OK; ++f) {
        size_t at = 2 * ((size_t)f * (size_t)def->mesh_count + (size_t)m);
        targets[mesh->target_count + f] = target_of(k, m == def->mesh_count ? still : &k->accessors[at], &result);
    }
    *out = mesh->primitives[p];
    out->targets = targets;
    return result;
}

static GtResult name_shapes(Baker* k, GtMesh* mesh, int32_t old_count)
{
    const char** names = gt_scene_push(k->scene, (size_t)mesh->target_count, sizeof *names);
    if (!names) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t t = 0; t < mesh->target_count; ++t) {
        char name[32];
        int length = snprintf(name, sizeof name, t < old_count ? "shape %d" : "frame %d",
                              (int)(t < old_count ? t : t - old_count + 1));
        names[t] = t < old_count && mesh->target_names ? mesh->target_names[t]
                                                       : gt_scene_push_text(k->scene, name, (size_t)length);
        if (!names[t]) {
            return gti_out_of_memory(k->error);
        }
    }
    mesh->target_names = names;
    return GT_OK;
}

// Give the mesh of a node its shapes, in a mesh of its own.
static GtResult shape_mesh(Baker* k, int32_t node)
{
    const GtCharacterDef* def = k->shell.figure.def;
    GtNode* shown = &k->scene->nodes[def->source_nodes ? def->source_nodes[node] : node];
    GtMesh mesh = k->scene->meshes[shown->mesh];
    int32_t old_count = mesh.target_count;
    int32_t all = old_count + k->clip->frame_count;
    GtPrimitive* primitives = gt_scene_push(k->scene, (size_t)mesh.primitive_count, sizeof *primitives);
    float* weights = gt_scene_push(k->scene, (size_t)all, sizeof *weights);
    GtResult result = primitives && weights ? GT_OK : gti_out_of_memory(k->error);
    for (int32_t p = 0; p < mesh.primitive_count && result == GT_OK; ++p) {
        result = shape_primitive(k, &mesh, node, p, &primitives[p]);
    }
    for (int32_t t = 0; t < old_count && mesh.weight_count && result == GT_OK; ++t) {
        weights[t] = mesh.weights[t];
    }
    mesh.primitives = primitives;
    mesh.target_count = mesh.weight_count = all;
    mesh.weights = weights;
    if (result == GT_OK) {
        result = name_shapes(k, &mesh, old_count);
    }
    int32_t added = GT_NONE;
    if (result == GT_OK) {
        result = gt_scene_add_mesh(k->scene, &mesh, &added, k->error);
    }
    if (result == GT_OK) {
        shown->mesh = added;
        shown->weights = NULL;
        shown->weight_count = 0;
        shown->deformers = NULL;
        shown->deformer_count = 0;
    }
    return result;
}

// One shape after the other at full weight; others as the clip had them.
static GtResult key_weights(Baker* k, int32_t node, int32_t old_count, int32_t first_weight, int32_t times,
                            GtAnimationSampler* sampler, GtAnimationChannel* channel)
{
    const GtCharacterDef* def = k->shell.figure.def;
    size_t frame_count = (size_t)k->clip->frame_count;
    size_t all = (size_t)old_count + frame_count;
    GtArenaMark mark = gt_arena_mark(&k->scratch);
    float* values = gt_arena_push_array(&k->scratch, frame_count * all, sizeof *values);
    if (!values) {
        return gti_out_of_memory(k->error);
    }
    for (size_t f = 0; f < frame_count; ++f) {
        memcpy(values + f * all, k->weights + f * (size_t)def->weight_count + (size_t)first_weight,
               (size_t)old_count * sizeof *values);
        values[f * all + (size_t)old_count + f] = 1.0f;
    }
    *sampler = (GtAnimationSampler){ .input = times };
    *channel =
        (GtAnimationChannel){ .node = def->source_nodes ? def->source_nodes[node] : node, .path = GT_PATH_WEIGHTS };
    GtResult result = gt_scene_add_data(k->scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, values,
                                        (uint64_t)(frame_count * all), &sampler->output, k->error);
    gt_arena_reset(&k->scratch, mark);
    return result;
}

static GtResult add_times(Baker* k, int32_t* out)
{
    size_t count = (size_t)k->clip->frame_count;
    float* times = gt_arena_push_array(&k->scratch, count, sizeof *times);
    if (!times) {
        return gti_out_of_memory(k->error);
    }
    for (size_t f = 0; f < count; ++f) {
        times[f] = (float)(k->clip->start_s + (f > 0 ? (double)f / k->clip->rate_hz : 0.0));
    }
    return gt_scene_add_data(k->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, (uint64_t)count, out,
                             k->error);
}

static bool keys_shapes(const Baker* k, const GtAnimationChannel* channel)
{
    if (channel->path != GT_PATH_WEIGHTS || channel->node == GT_NONE) {
        return false;
    }
    return k->scene->nodes[channel->node].mesh != k->source->nodes[channel->node].mesh;
}

// The clip gets a channel for each node with a mesh, in place of what keyed its morphs before.
static GtResult key_shapes(Baker* k)
{
    const GtCharacterDef* def = k->shell.figure.def;
    GtAnimation* animation = &k->scene->animations[k->clip->animation];
    size_t sampler_count = (size_t)animation->sampler_count + (size_t)def->mesh_count;
    size_t channel_count = (size_t)animation->channel_count + (size_t)def->mesh_count;
    GtAnimationSampler* samplers = gt_scene_push(k->scene, sampler_count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(k->scene, channel_count, sizeof *channels);
    if (!samplers || !channels) {
        return gti_out_of_memory(k->error);
    }
    int32_t times = GT_NONE;
    GtResult result = add_times(k, &times);
    if (result != GT_OK) {
        return result;
    }
    if (animation->sampler_count > 0) {
        memcpy(samplers, animation->samplers, (size_t)animation->sampler_count * sizeof *samplers);
    }
    int32_t kept = 0;
    for (int32_t c = 0; c < animation->channel_count; ++c) {
        if (!keys_shapes(k, &animation->channels[c])) {
            channels[kept++] = animation->channels[c];
        }
    }
    int32_t added = animation->sampler_count;
    for (int32_t m = 0; m < def->mesh_count && result == GT_OK; ++m) {
        if (m == 0 || def->meshes[m].node != def->meshes[m - 1].node) {
            result = key_weights(k, def->meshes[m].node, def->meshes[m].morph_count, def->meshes[m].first_weight, times,
                                 &samplers[added], &channels[kept]);
            channels[kept++].sampler = added++;
        }
    }
    animation->samplers = samplers;
    animation->sampler_count = added;
    animation->channels = channels;
    animation->channel_count = kept;
    return result;
}

static GtResult bake(Baker* k)
{
    GtResult result = open_baker(k);
    if (result == GT_OK) {
        result = find_rest_normals(k);
    }
    if (result == GT_OK) {
        result = bake_shapes(k);
    }
    const GtCharacterDef* def = k->shell.figure.def;
    for (int32_t m = 0; result == GT_OK && m < def->mesh_count; ++m) {
        if (m == 0 || def->meshes[m].node != def->meshes[m - 1].node) {
            result = shape_mesh(k, def->meshes[m].node);
        }
    }
    return result == GT_OK ? key_shapes(k) : result;
}

GtResult gt_harmonic_clip_bake_frames(const GtContext* context, const GtScene* scene, const GtHarmonicClip* clip,
                                      GtScene** out, GtHarmonicBakeReport* report, GtError* error)
{
    Baker k = { .context = context,
                .source = scene,
                .clip = clip,
                .scratch = gt_arena_create(context->allocator),
                .error = error };
    GtResult result = gt_scene_copy(context, scene, out, error);
    k.scene = *out;
    if (result == GT_OK) {
        result = bake(&k);
    }
    gti_shell_close(&k.shell);
    gt_arena_destroy(&k.scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
        return result;
    }
    if (report) {
        *report = k.report;
    }
    return GT_OK;
}
