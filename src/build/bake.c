// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "build/baking.h"

#include "base/fail.h"
#include "base/memory.h"
#include "scene/storage.h"

#include <string.h>

// One path of one node.
typedef struct GtiBakedTrack {
    int32_t node; // index into the def's nodes
    GtAnimationPath path;
    size_t offset; // of its values in a GtTransform, in bytes
    int32_t components;
    GtBlob* blob;
    float* values; // [frame_count * components] of the blob
} GtiBakedTrack;

GtBakeDef gt_default_bake_def(void)
{
    return (GtBakeDef){ .name = NULL };
}

static GtResult add_track(GtiBaking* b, const GtiBakedTrack* kind, int32_t node, GtError* error)
{
    GtiBakedTrack* track = &b->tracks[b->track_count];
    size_t size = 0;
    *track = *kind;
    track->node = node;
    uint8_t* bytes = NULL;
    if (gti_size_mul((size_t)b->def->frame_count, (size_t)kind->components * sizeof(float), &size)) {
        track->blob = gt_blob_create(gti_scene_allocator(b->scene), size, &bytes);
    }
    track->values = (float*)bytes;
    b->track_count += track->blob != NULL;
    return track->blob ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_baking_begin(const GtContext* context, GtScene* scene, const GtBakeDef* def, GtiBaking* out,
                          GtError* error)
{
    static const struct {
        GtBakePath bit;
        GtiBakedTrack track;
    } kinds[] = {
        { GT_BAKE_TRANSLATION,
          { .path = GT_PATH_TRANSLATION, .offset = offsetof(GtTransform, translation), .components = 3 } },
        { GT_BAKE_ROTATION, { .path = GT_PATH_ROTATION, .offset = offsetof(GtTransform, rotation), .components = 4 } },
        { GT_BAKE_SCALE, { .path = GT_PATH_SCALE, .offset = offsetof(GtTransform, scale), .components = 3 } },
    };
    *out = (GtiBaking){ .scene = scene, .def = def, .arena = gt_arena_create(context->allocator) };
    if (def->frame_count < 1) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a clip needs at least one frame");
    }
    out->tracks = gt_arena_push_array(&out->arena, (size_t)def->node_count * 3, sizeof *out->tracks);
    GtResult result = out->tracks ? GT_OK : gti_out_of_memory(error);
    for (int32_t n = 0; n < def->node_count && result == GT_OK; ++n) {
        for (int k = 0; k < 3 && result == GT_OK; ++k) {
            result = def->paths[n] & kinds[k].bit ? add_track(out, &kinds[k].track, n, error) : GT_OK;
        }
    }
    return result;
}

void gti_baking_discard(GtiBaking* baking)
{
    for (int32_t i = 0; i < baking->track_count; ++i) {
        gt_blob_release(baking->tracks[i].blob);
    }
    baking->track_count = 0;
    gt_arena_destroy(&baking->arena);
}

static float* key_of(const GtiBakedTrack* track, int32_t frame)
{
    return track->values + (size_t)frame * (size_t)track->components;
}

void gti_baking_put(const GtiBaking* baking, int32_t frame, const GtTransform* pose)
{
    for (int32_t i = 0; i < baking->track_count; ++i) {
        const GtiBakedTrack* track = &baking->tracks[i];
        memcpy(key_of(track, frame), (const char*)&pose[track->node] + track->offset,
               (size_t)track->components * sizeof(float));
    }
}

void gti_baking_get(const GtiBaking* baking, int32_t frame, GtTransform* pose)
{
    for (int32_t i = 0; i < baking->track_count; ++i) {
        const GtiBakedTrack* track = &baking->tracks[i];
        memcpy((char*)&pose[track->node] + track->offset, key_of(track, frame),
               (size_t)track->components * sizeof(float));
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

// Give quaternions the sign nearest to the one before. Whether all keys are the same.
static bool smooth_keys(const GtiBaking* b, const GtiBakedTrack* track)
{
    bool constant = true;
    for (int32_t f = 1; f < b->def->frame_count; ++f) {
        float* key = key_of(track, f);
        if (track->path == GT_PATH_ROTATION) {
            keep_sign(key_of(track, f - 1), key);
        }
        constant = constant && memcmp(key, track->values, (size_t)track->components * sizeof *key) == 0;
    }
    return constant;
}

// What never changes gets one key, at the first time.
static GtResult finish_track(const GtiBaking* b, GtiBakedTrack* track, int32_t times, int32_t* first_time,
                             GtAnimationSampler* sampler, GtError* error)
{
    GtElementType element = track->components == 4 ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3;
    GtBlob* blob = track->blob;
    *sampler = (GtAnimationSampler){ .input = times };
    GtResult result = GT_OK;
    if (!smooth_keys(b, track) || b->def->frame_count == 1) {
        track->blob = NULL;
        return gti_scene_add_blob(
            b->scene, &(GtiBlobData){ GT_USE_DATA, element, GT_COMPONENT_FLOAT, (uint64_t)b->def->frame_count, blob },
            &sampler->output, error);
    }
    if (*first_time == GT_NONE) {
        result = gt_scene_add_data(b->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, b->def->times_s, 1,
                                   first_time, error);
    }
    sampler->input = *first_time;
    if (result == GT_OK) {
        result = gt_scene_add_data(b->scene, GT_USE_DATA, element, GT_COMPONENT_FLOAT, track->values, 1,
                                   &sampler->output, error);
    }
    gt_blob_release(blob);
    track->blob = NULL;
    return result;
}

static GtResult finish_tracks(GtiBaking* b, GtAnimation* animation, GtError* error)
{
    size_t count = (size_t)b->track_count;
    GtAnimationSampler* samplers = gt_scene_push(b->scene, count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(b->scene, count, sizeof *channels);
    int32_t times = GT_NONE;
    int32_t first_time = GT_NONE;
    if (!samplers || !channels) {
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_add_data(b->scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, b->def->times_s,
                                        (uint64_t)b->def->frame_count, &times, error);
    for (int32_t i = 0; i < b->track_count && result == GT_OK; ++i) {
        GtiBakedTrack* track = &b->tracks[i];
        int32_t node = b->def->nodes[track->node];
        result = finish_track(b, track, times, &first_time, &samplers[i], error);
        channels[i] = (GtAnimationChannel){ .sampler = i, .node = node, .path = track->path };
        b->scene->nodes[node].matrix = NULL;
    }
    animation->samplers = samplers;
    animation->sampler_count = b->track_count;
    animation->channels = channels;
    animation->channel_count = b->track_count;
    return result;
}

GtResult gti_baking_finish(GtiBaking* baking, int32_t* animation, GtError* error)
{
    GtAnimation clip = { 0 };
    GtScene* scene = baking->scene;
    const char* name = baking->def->name;
    GtResult result = GT_OK;
    if (name) {
        clip.name = gt_scene_push_text(scene, name, strlen(name));
        result = clip.name ? GT_OK : gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        result = finish_tracks(baking, &clip, error);
    }
    gti_baking_discard(baking);
    return result == GT_OK ? gt_scene_add_animation(scene, &clip, animation, error) : result;
}

GtResult gt_scene_bake(const GtContext* context, GtScene* scene, const GtBakeDef* def, int32_t* animation,
                       GtError* error)
{
    def = def ? def : (GtBakeDef[]){ gt_default_bake_def() };
    GtiBaking baking;
    GtResult result = gti_baking_begin(context, scene, def, &baking, error);
    if (result != GT_OK) {
        gti_baking_discard(&baking);
        return result;
    }
    for (int32_t f = 0; f < def->frame_count; ++f) {
        gti_baking_put(&baking, f, def->poses + (size_t)f * (size_t)def->node_count);
    }
    return gti_baking_finish(&baking, animation, error);
}
