// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/bake.h"

#include "gertie/accessor.h"

#include "base/fail.h"

#include <string.h>

// One path of one node.
typedef struct Track {
    int32_t node;   // index into the def's nodes
    GtBakePath bit; // one of them
    GtAnimationPath path;
    int32_t components;
} Track;

typedef struct Baker {
    GtScene* scene;
    const GtBakeDef* def;
    GtError* error;
    float* values;      // [frame_count * 4] scratch
    int32_t times;      // accessor of all times
    int32_t first_time; // accessor of the first time alone, for what never changes; GT_NONE until needed
} Baker;

static void read_key(const Baker* b, const Track* track, int32_t frame, float* out)
{
    const GtTransform* t = &b->def->poses[(size_t)frame * (size_t)b->def->node_count + (size_t)track->node];
    switch (track->bit) {
    case GT_BAKE_TRANSLATION:
        memcpy(out, &t->translation, 3 * sizeof *out);
        break;
    case GT_BAKE_ROTATION:
        memcpy(out, &t->rotation, 4 * sizeof *out);
        break;
    case GT_BAKE_SCALE:
        memcpy(out, &t->scale, 3 * sizeof *out);
        break;
    }
}

static void keep_sign(const float* before, float* q)
{
    if (before[0] * q[0] + before[1] * q[1] + before[2] * q[2] + before[3] * q[3] < 0.0f) {
        for (int i = 0; i < 4; ++i) {
            q[i] = -q[i];
        }
    }
}

// Fill the scratch; 1 when all keys are the same, else their number.
static int32_t gather_keys(const Baker* b, const Track* track)
{
    bool constant = true;
    size_t size = (size_t)track->components;
    for (int32_t f = 0; f < b->def->frame_count; ++f) {
        float* key = b->values + (size_t)f * size;
        read_key(b, track, f, key);
        if (f > 0 && track->bit == GT_BAKE_ROTATION) {
            keep_sign(key - size, key);
        }
        constant = constant && memcmp(key, b->values, size * sizeof *key) == 0;
    }
    return constant ? 1 : b->def->frame_count;
}

static GtResult bake_track(Baker* b, const Track* track, GtAnimationSampler* sampler)
{
    int32_t key_count = gather_keys(b, track);
    GtResult result = GT_OK;
    *sampler = (GtAnimationSampler){ .input = b->times };
    if (key_count < b->def->frame_count) {
        if (b->first_time == GT_NONE) {
            result = gt_scene_add_data(b->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, b->def->times_s,
                                       1, &b->first_time, b->error);
        }
        sampler->input = b->first_time;
    }
    if (result == GT_OK) {
        result = gt_scene_add_data(b->scene, GT_USE_DATA, track->components == 4 ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3,
                                   GT_COMPONENT_FLOAT, b->values, (uint64_t)key_count, &sampler->output, b->error);
    }
    return result;
}

static GtResult bake_tracks(Baker* b, GtAnimation* animation)
{
    static const Track kinds[] = {
        { 0, GT_BAKE_TRANSLATION, GT_PATH_TRANSLATION, 3 },
        { 0, GT_BAKE_ROTATION, GT_PATH_ROTATION, 4 },
        { 0, GT_BAKE_SCALE, GT_PATH_SCALE, 3 },
    };
    size_t room = (size_t)b->def->node_count * 3;
    GtAnimationSampler* samplers = gt_scene_push(b->scene, room, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(b->scene, room, sizeof *channels);
    if (!samplers || !channels) {
        return gti_out_of_memory(b->error);
    }
    int32_t count = 0;
    for (int32_t n = 0; n < b->def->node_count; ++n) {
        for (int k = 0; k < 3; ++k) {
            Track track = kinds[k];
            track.node = n;
            if (!(b->def->paths[n] & track.bit)) {
                continue;
            }
            GtResult result = bake_track(b, &track, &samplers[count]);
            if (result != GT_OK) {
                return result;
            }
            channels[count] = (GtAnimationChannel){ .sampler = count, .node = b->def->nodes[n], .path = track.path };
            b->scene->nodes[b->def->nodes[n]].matrix = NULL;
            ++count;
        }
    }
    animation->samplers = samplers;
    animation->sampler_count = count;
    animation->channels = channels;
    animation->channel_count = count;
    return GT_OK;
}

GtBakeDef gt_default_bake_def(void)
{
    return (GtBakeDef){ .name = NULL };
}

GtResult gt_scene_bake(const GtContext* context, GtScene* scene, const GtBakeDef* def, int32_t* animation,
                       GtError* error)
{
    def = def ? def : (GtBakeDef[]){ gt_default_bake_def() };
    if (def->frame_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a clip needs at least one frame");
    }
    Baker baker = { .scene = scene, .def = def, .error = error, .first_time = GT_NONE };
    GtAnimation clip = { 0 };
    if (def->name) {
        clip.name = gt_scene_push_text(scene, def->name, strlen(def->name));
        if (!clip.name) {
            return gti_out_of_memory(error);
        }
    }
    GtAllocator allocator = context->allocator;
    baker.values = allocator.allocate(allocator.user, (size_t)def->frame_count * 4 * sizeof(float));
    if (!baker.values) {
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, def->times_s,
                                        (uint64_t)def->frame_count, &baker.times, error);
    if (result == GT_OK) {
        result = bake_tracks(&baker, &clip);
    }
    allocator.release(allocator.user, baker.values);
    return result == GT_OK ? gt_scene_add_animation(scene, &clip, animation, error) : result;
}
