// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From a take back to keys. Transforms are baked as all poses are; morph weights get channels of their own.

#include "motion/take/take.h"

#include "gertie/accessor.h"
#include "gertie/bake.h"

#include <string.h>

typedef struct Baker {
    const GtContext* context;
    GtScene* scene;
    const GtTake* take;
    GtError* error;
    GtArena scratch;
    float* times;   // [frame_count]
    int32_t* nodes; // [node_count] that move
    uint8_t* paths; // likewise
    int32_t node_count;
    GtTransform* poses; // [frame_count * node_count]
} Baker;

static GtResult gather(Baker* b)
{
    const GtTake* take = b->take;
    size_t frames = (size_t)take->frame_count;
    b->times = gt_arena_push_array(&b->scratch, frames, sizeof *b->times);
    b->nodes = gt_arena_push_array(&b->scratch, (size_t)take->node_count, sizeof *b->nodes);
    b->paths = gt_arena_push_array(&b->scratch, (size_t)take->node_count, sizeof *b->paths);
    if (!b->times || !b->nodes || !b->paths) {
        return gti_out_of_memory(b->error);
    }
    for (int32_t i = 0; i < take->node_count; ++i) {
        if (take->paths[i]) {
            b->nodes[b->node_count] = i;
            b->paths[b->node_count++] = take->paths[i];
        }
    }
    b->poses = gt_arena_push_array(&b->scratch, frames * (size_t)b->node_count, sizeof *b->poses);
    if (!b->poses) {
        return gti_out_of_memory(b->error);
    }
    for (int32_t f = 0; f < take->frame_count; ++f) {
        b->times[f] = take->rate_hz > 0.0 ? (float)(f / take->rate_hz) : 0.0f;
        for (int32_t n = 0; n < b->node_count; ++n) {
            b->poses[(size_t)f * (size_t)b->node_count + (size_t)n] = gti_take_pose(take, f)[b->nodes[n]];
        }
    }
    return GT_OK;
}

static int32_t weight_count_of(const Baker* b, int32_t node)
{
    int32_t mesh = b->scene->nodes[node].mesh;
    return mesh == GT_NONE || b->take->first_weights[node] == GT_NONE ? 0 : b->scene->meshes[mesh].target_count;
}

// The weights of one node as a channel.
static GtResult bake_weights(Baker* b, int32_t node, int32_t times, GtAnimationSampler* sampler)
{
    const GtTake* take = b->take;
    size_t count = (size_t)weight_count_of(b, node);
    float* values = gt_arena_push_array(&b->scratch, (size_t)take->frame_count * count, sizeof *values);
    if (!values) {
        return gti_out_of_memory(b->error);
    }
    for (int32_t f = 0; f < take->frame_count; ++f) {
        memcpy(values + (size_t)f * count, gti_take_weights(take, f) + take->first_weights[node],
               count * sizeof *values);
    }
    *sampler = (GtAnimationSampler){ .input = times, .interpolation = GT_INTERPOLATION_LINEAR };
    return gt_scene_add_data(b->scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, values,
                             (uint64_t)take->frame_count * count, &sampler->output, b->error);
}

static GtResult add_weights(Baker* b, int32_t animation)
{
    int32_t count = 0;
    for (int32_t i = 0; i < b->take->node_count; ++i) {
        count += weight_count_of(b, i) > 0;
    }
    const GtAnimation* before = &b->scene->animations[animation];
    GtAnimationSampler* samplers = gt_scene_push(b->scene, (size_t)(before->sampler_count + count), sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(b->scene, (size_t)(before->channel_count + count), sizeof *channels);
    if (!samplers || !channels) {
        return gti_out_of_memory(b->error);
    }
    GtAnimation after = *before;
    after.samplers = samplers;
    after.channels = channels;
    if (before->sampler_count) {
        memcpy(samplers, before->samplers, (size_t)before->sampler_count * sizeof *samplers);
        memcpy(channels, before->channels, (size_t)before->channel_count * sizeof *channels);
    }
    int32_t times = GT_NONE;
    GtResult result = gt_scene_add_data(b->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, b->times,
                                        (uint64_t)b->take->frame_count, &times, b->error);
    for (int32_t i = 0; i < b->take->node_count && result == GT_OK; ++i) {
        if (weight_count_of(b, i) > 0) {
            result = bake_weights(b, i, times, &samplers[after.sampler_count]);
            channels[after.channel_count++] =
                (GtAnimationChannel){ .sampler = after.sampler_count++, .node = i, .path = GT_PATH_WEIGHTS };
        }
    }
    if (result == GT_OK) {
        b->scene->animations[animation] = after;
    }
    return result;
}

GtResult gt_take_bake(const GtContext* context, GtScene* scene, const GtTake* take, const char* name,
                      int32_t* animation, GtError* error)
{
    if (take->node_count != scene->node_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the take has %d nodes, the scene %d: they do not belong together",
                        (int)take->node_count, (int)scene->node_count);
    }
    Baker b = { .context = context, .scene = scene, .take = take, .error = error };
    b.scratch = gt_arena_create(context->allocator);
    int32_t index = GT_NONE;
    GtResult result = gather(&b);
    if (result == GT_OK) {
        GtBakeDef bake = {
            .name = name ? name : take->name,
            .frame_count = take->frame_count,
            .times_s = b.times,
            .node_count = b.node_count,
            .nodes = b.nodes,
            .paths = b.paths,
            .poses = b.poses,
        };
        result = gt_scene_bake(context, scene, &bake, &index, error);
    }
    if (result == GT_OK && take->weight_count) {
        result = add_weights(&b, index);
    }
    gt_arena_destroy(&b.scratch);
    if (result == GT_OK && animation) {
        *animation = index;
    }
    return result;
}
