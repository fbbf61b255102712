// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin of the layers in a pose. Each vertex has a place on the chains that its weights name, and the mean of these
// places is where it goes; so limbs bend by sections, and skin between limbs goes over from one to the other.

#include "gertie/person.h"

#include "base/fail.h"
#include "person/person.h"
#include "person/section.h"

#include <string.h>

// A vertex on a chain, or on a joint that is in none.
typedef struct Share {
    int16_t chain; // or GT_NONE
    int16_t joint; // where there is no chain
    float weight;  // 0 behind the last one
    union {
        GtiSectionPoint at;
        GtVec3 from_joint; // in the T-pose
    } place;
} Share;

struct GtPersonLayers {
    GtPersonDef def;
    GtArena arena;
    GtiPerson person;
    GtiSections rest;
    int32_t vertex_count;
    Share (*shares)[GTI_INFLUENCES];
    int32_t* twins; // [vertex_count] the first vertex of those in the same place
    int32_t index_count;
    uint32_t* indices;
};

typedef struct ShareJob {
    GtPersonLayers* layers;
    const GtiPersonBody* body;
    const GtVec3* t_positions; // of the skin
    const int32_t* sources;
} ShareJob;

static void share_vertices(void* data, int32_t first, int32_t end)
{
    const ShareJob* job = data;
    const GtiSkeleton* skeleton = &job->layers->person.skeleton;
    for (int32_t v = first; v < end; ++v) {
        Share* shares = job->layers->shares[v];
        GtVec3 p = job->t_positions[job->sources[v]];
        int count = 0;
        for (int k = 0; k < GTI_INFLUENCES; ++k) {
            GtHumanoidJoint joint = (GtHumanoidJoint)job->body->joints[v][k];
            float weight = job->body->weights[v][k];
            int32_t chain = gti_section_chain(joint);
            int at = 0;
            while (at < count && (chain == GT_NONE || shares[at].chain != chain)) {
                ++at;
            }
            if (at < count) {
                shares[at].weight += weight;
            } else if (weight > 0.0f) {
                shares[count] = (Share){ .chain = (int16_t)chain, .joint = (int16_t)joint, .weight = weight };
                if (chain == GT_NONE) {
                    shares[count].place.from_joint = gt_vec3_sub(p, skeleton->joints[joint]);
                } else {
                    shares[count].place.at = gti_section_locate(skeleton, chain, p);
                }
                ++count;
            }
        }
    }
}

static bool keep_mesh(GtPersonLayers* layers, const GtiPersonBody* body, const int32_t* sources, int32_t source_count,
                      GtArena* scratch)
{
    size_t vertices = (size_t)body->vertex_count;
    size_t corners = (size_t)body->index_count;
    layers->vertex_count = body->vertex_count;
    layers->index_count = body->index_count;
    layers->shares = gt_arena_push_array(&layers->arena, vertices, sizeof *layers->shares);
    layers->twins = gt_arena_push(&layers->arena, vertices * sizeof *layers->twins);
    layers->indices = gt_arena_push(&layers->arena, corners * sizeof *layers->indices);
    int32_t* firsts = gt_arena_push(scratch, (size_t)source_count * sizeof *firsts);
    if (!layers->shares || !layers->twins || !layers->indices || !firsts) {
        return false;
    }
    memcpy(layers->indices, body->indices, corners * sizeof *layers->indices);
    memset(firsts, 0xFF, (size_t)source_count * sizeof *firsts);
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        int32_t* first = &firsts[sources[v]];
        *first = *first < 0 ? v : *first;
        layers->twins[v] = *first;
    }
    return true;
}

static bool fill(const GtContext* context, GtPersonLayers* layers, GtArena* scratch)
{
    GtiPersonSkin skin;
    GtiPersonBody body;
    int32_t* sources;
    GtiPerson* person = &layers->person;
    if (!gti_person_prepare(&layers->def, &layers->arena, person) ||
        !gti_person_skin(person, &context->executor, scratch, &skin) ||
        !gti_person_dress(context, person, &skin, scratch, &body, &sources)) {
        return false;
    }
    if (!keep_mesh(layers, &body, sources, skin.mesh.vertex_count, scratch)) {
        return false;
    }
    const GtVec3* t_positions = layers->def.pose == GT_PERSON_POSE_T ? skin.mesh.positions : skin.t_positions;
    ShareJob job = { layers, &body, t_positions, sources };
    gt_executor_run(&context->executor, body.vertex_count, 512, share_vertices, &job);
    gti_sections_rest(&person->skeleton, &person->layers, &context->executor, &layers->rest);
    return true;
}

GtResult gt_person_layers_create(const GtContext* context, const GtPersonDef* def, GtPersonLayers** out, GtError* error)
{
    def = def ? def : (GtPersonDef[]){ gt_default_person_def() };
    *out = NULL;
    GtResult result = gti_person_check(def, error);
    if (result == GT_OK && def->scan.bare) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "a bare mesh has no layers; ask for a person");
    }
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtPersonLayers* layers = gt_arena_push_array(&arena, 1, sizeof *layers);
    if (!layers) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    layers->arena = arena;
    layers->def = *def;
    GtArena scratch = gt_arena_create(context->allocator);
    bool ok = fill(context, layers, &scratch);
    gt_arena_destroy(&scratch);
    if (!ok) {
        gt_person_layers_destroy(layers);
        return gti_out_of_memory(error);
    }
    *out = layers;
    return GT_OK;
}

void gt_person_layers_destroy(GtPersonLayers* layers)
{
    if (layers) {
        gt_arena_destroy(&layers->arena);
    }
}

int32_t gt_person_layers_vertex_count(const GtPersonLayers* layers)
{
    return layers->vertex_count;
}

typedef struct PoseJob {
    const GtPersonLayers* layers;
    GtVec3 points[GT_HUMANOID_JOINT_COUNT];
    GtQuat turns[GT_HUMANOID_JOINT_COUNT];
    GtiLayers posed;
    GtiSections longer;
    GtVec3* positions;
} PoseJob;

static void place_vertices(void* data, int32_t first, int32_t end)
{
    const PoseJob* job = data;
    const GtiSkeleton* skeleton = &job->layers->person.skeleton;
    for (int32_t v = first; v < end; ++v) {
        const Share* shares = job->layers->shares[v];
        GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < GTI_INFLUENCES && shares[k].weight > 0.0f; ++k) {
            int joint = shares[k].joint;
            GtVec3 p =
                shares[k].chain == GT_NONE
                    ? gt_vec3_add(job->points[joint], gt_quat_rotate(job->turns[joint], shares[k].place.from_joint))
                    : gti_section_place(skeleton, shares[k].chain, job->points, job->turns, &job->longer,
                                        shares[k].place.at);
            sum = gt_vec3_add(sum, gt_vec3_scale(p, shares[k].weight));
        }
        job->positions[v] = sum;
    }
}

static void find_normals(const GtPersonLayers* layers, const GtVec3* positions, GtVec3* normals)
{
    memset(normals, 0, (size_t)layers->vertex_count * sizeof *normals);
    for (int32_t c = 0; c < layers->index_count; c += 3) {
        const uint32_t* v = &layers->indices[c];
        GtVec3 a = positions[v[0]];
        GtVec3 normal = gt_vec3_cross(gt_vec3_sub(positions[v[1]], a), gt_vec3_sub(positions[v[2]], a));
        for (int i = 0; i < 3; ++i) {
            int32_t twin = layers->twins[v[i]];
            normals[twin] = gt_vec3_add(normals[twin], normal);
        }
    }
    for (int32_t v = 0; v < layers->vertex_count; ++v) { // the first of twins comes first
        normals[v] = gt_vec3_normalize_or(normals[layers->twins[v]], gt_vec3(0.0f, 1.0f, 0.0f));
    }
}

// Joints of the pose, and the layers on them. Bones keep their lengths: only the hips go along with a translation.
static bool pose_layers(const GtPersonLayers* layers, const GtTransform* parent_from_joint, GtArena* scratch,
                        PoseJob* job)
{
    const GtiSkeleton* skeleton = &layers->person.skeleton;
    GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT];
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        GtQuat turn = gt_quat_normalize(parent_from_joint[j].rotation);
        if (parent == GT_NONE) {
            job->turns[j] = turn;
            job->points[j] = parent_from_joint[j].translation;
        } else {
            GtVec3 offset = gt_vec3_sub(skeleton->joints[j], skeleton->joints[parent]);
            job->turns[j] = gt_quat_normalize(gt_quat_mul(job->turns[parent], turn));
            job->points[j] = gt_vec3_add(job->points[parent], gt_quat_rotate(job->turns[parent], offset));
        }
        GtTransform model = gt_transform_identity();
        model.rotation = job->turns[j];
        model.translation = job->points[j];
        model_from_joint[j] = gt_mat34_from_transform(model);
    }
    job->posed = layers->person.layers;
    gti_layers_pose(&job->posed, model_from_joint);
    return gti_layers_index(&job->posed, GTI_INDEX_CELLS, scratch);
}

static GtResult check_pose(const GtTransform* parent_from_joint, GtError* error)
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        const GtTransform* t = &parent_from_joint[j];
        float length = gt_quat_length(t->rotation);
        float away = gt_vec3_length(t->translation);
        if (!(length > 1e-6f && length < 1e6f && away < 1e6f)) {
            return gti_fail(error, GT_ERROR_BAD_VALUE, "joint '%s': a rotation of length %g, %g m away, is no pose",
                            gt_humanoid_name((GtHumanoidJoint)j), (double)length, (double)away);
        }
    }
    return GT_OK;
}

GtResult gt_person_layers_pose(const GtContext* context, const GtPersonLayers* layers,
                               const GtTransform* parent_from_joint, GtVec3* positions, GtVec3* normals, GtError* error)
{
    GtResult result = check_pose(parent_from_joint, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    PoseJob* job = gt_arena_push(&scratch, sizeof *job);
    bool ok = job && pose_layers(layers, parent_from_joint, &scratch, job);
    if (ok) {
        job->layers = layers;
        job->positions = positions;
        gti_sections_pose(&layers->person.skeleton, &job->posed, job->points, job->turns, &layers->rest,
                          &context->executor, &job->longer);
        gt_executor_run(&context->executor, layers->vertex_count, 512, place_vertices, job);
        if (normals) {
            find_normals(layers, positions, normals);
        }
    }
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}
