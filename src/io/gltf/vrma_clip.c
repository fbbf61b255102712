// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The clip of a VRM animation. The joints of the file rest without rotation, so a joint's local rotation q becomes
// parent_rest * q * own_rest^-1, both in model space: a product with constants, which is exact for every kind of key
// and for tangents. Where nodes between two humanoid joints, or above the hips, are animated too, their product is
// sampled at all their keys, and in between so that no step is longer than a thirtieth of a second.

#include "base/fail.h"
#include "gertie/accessor.h"
#include "io/bvh/curve.h"
#include "io/gltf/vrma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_STEPS = 8, // that one interval between keys is divided into
};

typedef struct VrmaClip {
    GtiVrma* vrma;
    const GtAnimation* clip;
    int32_t* samplers[2]; // [node_count] of translation and rotation by node of the scene, or GT_NONE
    int32_t* times;       // [accessor_count] where times are already in `out`, or GT_NONE
    GtAnimationSampler* out_samplers;
    GtAnimationChannel* out_channels;
    int32_t count;
} VrmaClip;

static GtResult add_channel(VrmaClip* c, int32_t node, GtAnimationPath path, GtInterpolation interpolation,
                            int32_t input, const float* values, uint64_t value_count)
{
    int32_t output = GT_NONE;
    GtElementType type = path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3;
    GtResult result = gt_scene_add_data(c->vrma->out, GT_USE_DATA, type, GT_COMPONENT_FLOAT, values, value_count,
                                        &output, c->vrma->error);
    if (result == GT_OK) {
        c->out_samplers[c->count] = (GtAnimationSampler){ input, output, interpolation, { 0 } };
        c->out_channels[c->count] = (GtAnimationChannel){ .sampler = c->count, .node = node, .path = path };
        ++c->count;
    }
    return result;
}

static GtResult add_times(VrmaClip* c, const float* times, uint64_t count, int32_t* out)
{
    return gt_scene_add_data(c->vrma->out, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, count, out,
                             c->vrma->error);
}

// Copy the times of a sampler once, however many channels share them.
static GtResult copy_times(VrmaClip* c, const GtAnimationSampler* sampler, int32_t* out)
{
    GtiVrma* v = c->vrma;
    if (c->times[sampler->input] == GT_NONE) {
        uint64_t count = v->scene->accessors[sampler->input].count;
        float* times = gt_arena_push_array(v->scratch, count, sizeof *times);
        if (!times) {
            return gti_out_of_memory(v->error);
        }
        gt_accessor_read_floats(v->scene, sampler->input, 0, count, times);
        GtResult result = add_times(c, times, count, &c->times[sampler->input]);
        if (result != GT_OK) {
            return result;
        }
    }
    *out = c->times[sampler->input];
    return GT_OK;
}

// Change of frame for keys: rotations become left * q * right, translations are moved by `matrix`.
typedef struct KeyChange {
    GtQuat left, right;
    GtMat34 matrix;
} KeyChange;

// Copy keys of a sampler, changed where `change` is not NULL.
static GtResult copy_keys(VrmaClip* c, int32_t sampler_index, int32_t node, GtAnimationPath path,
                          const KeyChange* change)
{
    GtiVrma* v = c->vrma;
    const GtAnimationSampler* sampler = &c->clip->samplers[sampler_index];
    uint64_t count = v->scene->accessors[sampler->output].count;
    uint64_t width = path == GT_PATH_ROTATION ? 4 : 3;
    GtArenaMark mark = gt_arena_mark(v->scratch);
    float* values = gt_arena_push_array(v->scratch, count * width, sizeof *values);
    int32_t input = GT_NONE;
    if (!values) {
        return gti_out_of_memory(v->error);
    }
    gt_accessor_read_floats(v->scene, sampler->output, 0, count, values);
    for (uint64_t i = 0; i < count && change; ++i) {
        float* value = values + i * width;
        bool is_tangent = sampler->interpolation == GT_INTERPOLATION_CUBICSPLINE && i % 3 != 1;
        if (path == GT_PATH_ROTATION) {
            GtQuat q =
                gt_quat_mul(gt_quat_mul(change->left, gt_quat(value[0], value[1], value[2], value[3])), change->right);
            q = is_tangent ? q : gt_quat_normalize(q);
            memcpy(value, &q, 4 * sizeof *value);
        } else {
            GtVec3 p = gt_vec3(value[0], value[1], value[2]);
            p = is_tangent ? gt_mat34_vector(&change->matrix, p) : gt_mat34_point(&change->matrix, p);
            memcpy(value, &p, 3 * sizeof *value);
        }
    }
    GtResult result = copy_times(c, sampler, &input);
    if (result == GT_OK) {
        result = add_channel(c, node, path, sampler->interpolation, input, values, count);
    }
    gt_arena_reset(v->scratch, mark);
    return result;
}

// A node between two joints, or the joint itself, with the curves that move it.
typedef struct ChainNode {
    GtTransform rest;
    GtiBvhCurve curves[2]; // of translation and rotation; without keys where there is none
} ChainNode;

static int compare_times(const void* left, const void* right)
{
    float a = *(const float*)left;
    float b = *(const float*)right;
    return (a > b) - (a < b);
}

// All key times of the chain in order, each once, long intervals divided.
static float* gather_times(VrmaClip* c, const ChainNode* chain, size_t length, size_t* out_count)
{
    size_t count = 0;
    for (size_t i = 0; i < 2 * length; ++i) {
        count += (size_t)chain[i / 2].curves[i % 2].key_count;
    }
    float* keys = gt_arena_push_array(c->vrma->scratch, count, sizeof *keys);
    float* times = gt_arena_push_array(c->vrma->scratch, count * MOST_STEPS, sizeof *times);
    if (!keys || !times) {
        return NULL;
    }
    size_t filled = 0;
    for (size_t i = 0; i < 2 * length; ++i) {
        const GtiBvhCurve* curve = &chain[i / 2].curves[i % 2];
        for (int64_t k = 0; k < curve->key_count; ++k) {
            keys[filled++] = curve->times[k];
        }
    }
    qsort(keys, filled, sizeof *keys, compare_times);
    *out_count = 0;
    for (size_t i = 0; i < filled; ++i) {
        float last = *out_count ? times[*out_count - 1] : 0.0f;
        double steps = *out_count ? ceil(((double)keys[i] - (double)last) * 30.0 - 1e-3) : 1.0;
        int step_count = steps < MOST_STEPS ? (int)steps : MOST_STEPS;
        for (int s = 1; s < step_count; ++s) {
            float time = last + (keys[i] - last) * (float)s / (float)step_count;
            if (time > times[*out_count - 1] && time < keys[i]) {
                times[(*out_count)++] = time;
            }
        }
        if (!*out_count || keys[i] > times[*out_count - 1]) {
            times[(*out_count)++] = keys[i];
        }
    }
    return times;
}

static GtTransform pose_at(ChainNode* node, double time)
{
    GtTransform local = node->rest;
    double value[4];
    if (node->curves[0].key_count) {
        gti_bvh_play_curve(&node->curves[0], time, value);
        local.translation = gt_vec3((float)value[0], (float)value[1], (float)value[2]);
    }
    if (node->curves[1].key_count) {
        gti_bvh_play_curve(&node->curves[1], time, value);
        local.rotation = gt_quat((float)value[0], (float)value[1], (float)value[2], (float)value[3]);
    }
    return local;
}

// Sample the product of a chain, which starts at the joint and goes up.
static GtResult sample_chain(VrmaClip* c, ChainNode* chain, size_t length, int32_t joint, GtAnimationPath path)
{
    GtiVrma* v = c->vrma;
    size_t count = 0;
    const float* times = gather_times(c, chain, length, &count);
    size_t width = path == GT_PATH_ROTATION ? 4 : 3;
    float* values = gt_arena_push_array(v->scratch, count * width, sizeof *values);
    if (!times || !values) {
        return gti_out_of_memory(v->error);
    }
    int32_t parent = v->parents[joint];
    GtQuat left = parent == GT_NONE ? v->base.rotation : v->rotations[v->scene->humanoid->nodes[parent]];
    GtQuat right = gt_quat_conjugate(v->rotations[v->scene->humanoid->nodes[joint]]);
    GtQuat before = gt_quat_identity();
    for (size_t t = 0; t < count; ++t) {
        GtQuat q = left;
        GtMat34 m = gt_mat34_from_transform(v->base);
        for (size_t i = length; i-- > 0;) {
            GtTransform local = pose_at(&chain[i], (double)times[t]);
            q = gt_quat_mul(q, local.rotation);
            m = gt_mat34_mul(m, gt_mat34_from_transform(local));
        }
        q = gt_quat_normalize(gt_quat_mul(q, right));
        q = gt_quat_dot(q, before) < 0.0f ? gt_quat(-q.x, -q.y, -q.z, -q.w) : q;
        before = q;
        GtVec3 p = gt_mat34_translation(&m);
        memcpy(values + t * width, path == GT_PATH_ROTATION ? &q.x : &p.x, width * sizeof *values);
    }
    int32_t input = GT_NONE;
    GtResult result = add_times(c, times, count, &input);
    return result == GT_OK ? add_channel(c, v->nodes[joint], path, GT_INTERPOLATION_LINEAR, input, values, count)
                           : result;
}

// A joint that no curve moves keeps the scene's rest pose, which need not be the T-pose.
static GtResult hold_rest(VrmaClip* c, int32_t joint, GtQuat left, GtQuat right)
{
    GtQuat local = c->vrma->scene->nodes[c->vrma->scene->humanoid->nodes[joint]].local.rotation;
    GtQuat q = gt_quat_normalize(gt_quat_mul(gt_quat_mul(left, local), right));
    int32_t input = GT_NONE;
    if (gt_quat_angle_rad(q, gt_quat_identity()) < 1e-5f) {
        return GT_OK;
    }
    GtResult result = add_times(c, (float[]){ 0.0f }, 1, &input);
    return result == GT_OK
               ? add_channel(c, c->vrma->nodes[joint], GT_PATH_ROTATION, GT_INTERPOLATION_LINEAR, input, &q.x, 1)
               : result;
}

static GtResult open_chain(VrmaClip* c, int32_t joint, ChainNode** out, size_t* length, bool* is_moved)
{
    GtiVrma* v = c->vrma;
    const int32_t* joints = v->scene->humanoid->nodes;
    int32_t end = v->parents[joint] == GT_NONE ? GT_NONE : joints[v->parents[joint]];
    *length = 0;
    for (int32_t n = joints[joint]; n != end; n = v->scene->nodes[n].parent) {
        ++*length;
    }
    ChainNode* chain = gt_arena_push_array(v->scratch, *length, sizeof *chain);
    if (!chain) {
        return gti_out_of_memory(v->error);
    }
    size_t i = 0;
    *is_moved = false;
    GtResult result = GT_OK;
    for (int32_t n = joints[joint]; n != end; n = v->scene->nodes[n].parent, ++i) {
        chain[i] = (ChainNode){ .rest = v->scene->nodes[n].local };
        for (int k = 0; k < 2 && result == GT_OK; ++k) {
            if (c->samplers[k][n] != GT_NONE) {
                *is_moved |= i > 0 && (k == 1 || v->parents[joint] == GT_NONE);
                result = gti_bvh_open_curve(v->scratch, v->scene, &c->clip->samplers[c->samplers[k][n]],
                                            k ? GT_PATH_ROTATION : GT_PATH_TRANSLATION, &chain[i].curves[k], v->error);
            }
        }
    }
    *out = chain;
    return result;
}

static GtResult add_joint(VrmaClip* c, int32_t joint)
{
    GtiVrma* v = c->vrma;
    ChainNode* chain = NULL;
    size_t length = 0;
    bool is_moved = false;
    int32_t node = v->scene->humanoid->nodes[joint];
    int32_t above = v->scene->nodes[node].parent;
    GtResult result = open_chain(c, joint, &chain, &length, &is_moved);
    KeyChange change = { above == GT_NONE ? v->base.rotation : v->rotations[above],
                         gt_quat_conjugate(v->rotations[node]),
                         above == GT_NONE ? gt_mat34_from_transform(v->base) : v->model_from_node[above] };
    if (result == GT_OK && is_moved) {
        result = sample_chain(c, chain, length, joint, GT_PATH_ROTATION);
    } else if (result == GT_OK && c->samplers[1][node] != GT_NONE) {
        result = copy_keys(c, c->samplers[1][node], v->nodes[joint], GT_PATH_ROTATION, &change);
    } else if (result == GT_OK) {
        result = hold_rest(c, joint, change.left, change.right);
    }
    if (result == GT_OK && joint == GT_HUMANOID_HIPS && is_moved) {
        result = sample_chain(c, chain, length, joint, GT_PATH_TRANSLATION);
    } else if (result == GT_OK && joint == GT_HUMANOID_HIPS && c->samplers[0][node] != GT_NONE) {
        result = copy_keys(c, c->samplers[0][node], v->nodes[joint], GT_PATH_TRANSLATION, &change);
    }
    return result;
}

static GtResult open_clip(VrmaClip* c, int32_t extra_count)
{
    GtiVrma* v = c->vrma;
    size_t node_count = (size_t)v->scene->node_count + 1;
    size_t accessor_count = (size_t)v->scene->accessor_count + 1;
    size_t most = 2 * ((size_t)GT_HUMANOID_JOINT_COUNT + (size_t)extra_count);
    c->samplers[0] = gt_arena_push_array(v->scratch, node_count, sizeof *c->samplers[0]);
    c->samplers[1] = gt_arena_push_array(v->scratch, node_count, sizeof *c->samplers[1]);
    c->times = gt_arena_push_array(v->scratch, accessor_count, sizeof *c->times);
    c->out_samplers = gt_scene_push(v->out, most, sizeof *c->out_samplers);
    c->out_channels = gt_scene_push(v->out, most, sizeof *c->out_channels);
    if (!c->samplers[0] || !c->samplers[1] || !c->times || !c->out_samplers || !c->out_channels) {
        return gti_out_of_memory(v->error);
    }
    for (size_t i = 0; i < node_count; ++i) {
        c->samplers[0][i] = c->samplers[1][i] = GT_NONE;
    }
    for (size_t i = 0; i < accessor_count; ++i) {
        c->times[i] = GT_NONE;
    }
    for (int32_t i = 0; i < c->clip->channel_count; ++i) {
        const GtAnimationChannel* channel = &c->clip->channels[i];
        if (channel->node != GT_NONE && channel->path <= GT_PATH_ROTATION) {
            c->samplers[channel->path == GT_PATH_ROTATION][channel->node] = channel->sampler;
        }
    }
    return GT_OK;
}

GtResult gti_vrma_add_clip(GtiVrma* vrma, const GtAnimation* clip, const int32_t (*extra)[2], int32_t extra_count)
{
    VrmaClip c = { .vrma = vrma, .clip = clip };
    GtResult result = open_clip(&c, extra_count);
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT && result == GT_OK; ++j) {
        // The gaze is the business of lookAt: the specification forbids keys for the eyes.
        if (vrma->nodes[j] != GT_NONE && j != GT_HUMANOID_LEFT_EYE && j != GT_HUMANOID_RIGHT_EYE) {
            result = add_joint(&c, j);
        }
    }
    for (int32_t i = 0; i < 2 * extra_count && result == GT_OK; ++i) {
        int32_t sampler = c.samplers[i % 2][extra[i / 2][0]];
        if (sampler != GT_NONE) {
            result = copy_keys(&c, sampler, extra[i / 2][1], i % 2 ? GT_PATH_ROTATION : GT_PATH_TRANSLATION, NULL);
        }
    }
    if (result == GT_OK && c.count > 0) {
        const char* name = clip->name ? gt_scene_push_text(vrma->out, clip->name, strlen(clip->name)) : NULL;
        GtAnimation animation = { .name = name,
                                  .samplers = c.out_samplers,
                                  .sampler_count = c.count,
                                  .channels = c.out_channels,
                                  .channel_count = c.count };
        result = clip->name && !name ? gti_out_of_memory(vrma->error)
                                     : gt_scene_add_animation(vrma->out, &animation, NULL, vrma->error);
    }
    return result;
}
