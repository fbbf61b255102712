// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips of a pack. Those with keys keep them, unless they drive a part of a mesh's morphs. Others are sampled, packed
// ones at the frames that they were packed at, so that every verb can read them; of a very long one every second,
// third... frame is taken.

#include "base/fail.h"
#include "gertie/bake.h"
#include "io/gtp/reader.h"
#include "runtime/clip/clip.h"

#include <math.h>
#include <string.h>

enum {
    NUMBERS_PER_NODE = 12 // of a GtTransform
};

// Numbers that the frames of all packed clips may take together: 1 GB.
static const int64_t most_numbers = 1 << 28;

// Of clips with keys that must be sampled.
static const double key_rate_hz = 60.0;

static GtAnimationPath path_of(GtTrackKind kind)
{
    switch (kind) {
    case GT_TRACK_TRANSLATION:
        return GT_PATH_TRANSLATION;
    case GT_TRACK_ROTATION:
        return GT_PATH_ROTATION;
    case GT_TRACK_SCALE:
        return GT_PATH_SCALE;
    case GT_TRACK_WEIGHTS:
        break;
    }
    return GT_PATH_WEIGHTS;
}

// The node that a track drives, or GT_NONE for weights that are not those of one whole mesh.
static int32_t find_node(const GtiGtpReading* r, const GtTrackDef* track)
{
    if (track->kind != GT_TRACK_WEIGHTS) {
        return track->target;
    }
    int32_t node = r->weight_nodes[track->target];
    return node != GT_NONE && r->scene->nodes[node].weight_count == track->component_count ? node : GT_NONE;
}

static GtResult read_track(GtiGtpReading* r, const GtTrackDef* track, GtAnimationSampler* out)
{
    static const GtElementType elements[] = { [GT_TRACK_TRANSLATION] = GT_ELEMENT_VEC3,
                                              [GT_TRACK_ROTATION] = GT_ELEMENT_VEC4,
                                              [GT_TRACK_SCALE] = GT_ELEMENT_VEC3,
                                              [GT_TRACK_WEIGHTS] = GT_ELEMENT_SCALAR };
    uint64_t count = (uint64_t)track->key_count * (track->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1);
    count *= track->kind == GT_TRACK_WEIGHTS ? (uint64_t)track->component_count : 1;
    *out = (GtAnimationSampler){ .interpolation = track->interpolation };
    GtResult result =
        gti_gtp_data(r, GT_USE_TIMES, GT_ELEMENT_SCALAR, track->times_s, (uint64_t)track->key_count, &out->input);
    return result == GT_OK ? gti_gtp_data(r, GT_USE_DATA, elements[track->kind], track->values, count, &out->output)
                           : result;
}

static GtResult read_keys(GtiGtpReading* r, const GtClip* clip)
{
    size_t count = (size_t)clip->track_count;
    GtAnimationSampler* samplers = gt_scene_push(r->scene, count, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(r->scene, count, sizeof *channels);
    GtAnimation animation = { .samplers = samplers, .channels = channels };
    if (!samplers || !channels || !gti_gtp_text(r, clip->name, &animation.name)) {
        return gti_out_of_memory(r->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < clip->track_count && result == GT_OK; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        int32_t node = find_node(r, track);
        channels[i] = (GtAnimationChannel){ .sampler = i, .node = node, .path = path_of(track->kind) };
        result = read_track(r, track, &samplers[i]);
    }
    animation.sampler_count = animation.channel_count = clip->track_count;
    return result == GT_OK ? gt_scene_add_animation(r->scene, &animation, NULL, r->error) : result;
}

// Whether channels of a scene can say what tracks do.
static bool has_whole_tracks(const GtiGtpReading* r, const GtClip* clip)
{
    bool whole = true;
    for (int32_t i = 0; whole && i < clip->track_count; ++i) {
        whole = find_node(r, &clip->tracks[i]) != GT_NONE;
    }
    return whole;
}

static double count_steps(const GtClip* clip)
{
    return fmin(ceil((clip->end_s - clip->start_s) * key_rate_hz), (double)most_numbers);
}

// A clip at its frames.
typedef struct Frames {
    int32_t count;
    float* times_s;     // [count]
    GtTransform* poses; // [count * node_count]
    float* weights;     // [count * weight_count]
} Frames;

static GtResult sample_frames(GtiGtpReading* r, const GtClip* clip, Frames* out)
{
    const GtCharacterDef* def = r->def;
    size_t node_count = (size_t)def->node_count;
    size_t weight_count = (size_t)def->weight_count;
    int64_t row = NUMBERS_PER_NODE * (int64_t)def->node_count + def->weight_count + 1;
    int64_t most = most_numbers / row / gt_pack_clip_count(r->pack);
    double rate_hz = clip->packed ? clip->packed->rate_hz : key_rate_hz;
    int64_t last = clip->packed ? (int64_t)clip->packed->last_frame : (int64_t)count_steps(clip);
    if (most < 2) {
        return gti_fail(r->error, GT_ERROR_LIMIT, "%d clips of %d nodes are too many to be unpacked",
                        (int)gt_pack_clip_count(r->pack), (int)def->node_count);
    }
    int64_t step = last / most + 1;
    out->count = (int32_t)((last + step - 1) / step + 1);
    out->times_s = gt_arena_push_array(&r->arena, (size_t)out->count, sizeof *out->times_s);
    out->poses = gt_arena_push_array(&r->arena, (size_t)out->count * node_count, sizeof *out->poses);
    out->weights = gt_arena_push_array(&r->arena, (size_t)out->count * weight_count, sizeof *out->weights);
    if (!out->times_s || !out->poses || !out->weights) {
        return gti_out_of_memory(r->error);
    }
    for (int32_t f = 0; f < out->count; ++f) {
        int64_t frame = f + 1 < out->count ? f * step : last;
        double time_s = fmin(clip->start_s + (double)frame / rate_hz, clip->end_s);
        GtTransform* pose = out->poses + (size_t)f * node_count;
        float* weights = out->weights + (size_t)f * weight_count;
        memcpy(pose, def->rest, node_count * sizeof *pose);
        if (weight_count > 0) {
            memcpy(weights, def->rest_weights, weight_count * sizeof *weights);
        }
        gt_clip_sample(clip, time_s, pose, weights);
        out->times_s[f] = (float)time_s;
    }
    return GT_OK;
}

// Which parts of a node's transform are not as at rest, in some frame.
static uint8_t find_paths(const GtiGtpReading* r, const Frames* frames, int32_t node)
{
    const GtTransform* rest = &r->def->rest[node];
    uint8_t paths = 0;
    for (int32_t f = 0; f < frames->count; ++f) {
        const GtTransform* t = &frames->poses[(size_t)f * (size_t)r->def->node_count + (size_t)node];
        paths |= memcmp(&t->translation, &rest->translation, sizeof rest->translation) ? GT_BAKE_TRANSLATION : 0;
        paths |= memcmp(&t->rotation, &rest->rotation, sizeof rest->rotation) ? GT_BAKE_ROTATION : 0;
        paths |= memcmp(&t->scale, &rest->scale, sizeof rest->scale) ? GT_BAKE_SCALE : 0;
    }
    return paths;
}

static GtResult bake_poses(GtiGtpReading* r, const GtClip* clip, const Frames* frames, int32_t* animation)
{
    int32_t* nodes = gt_arena_push_array(&r->arena, (size_t)r->def->node_count, sizeof *nodes);
    uint8_t* paths = gt_arena_push_array(&r->arena, (size_t)r->def->node_count, sizeof *paths);
    if (!nodes || !paths) {
        return gti_out_of_memory(r->error);
    }
    for (int32_t i = 0; i < r->def->node_count; ++i) {
        nodes[i] = i;
        paths[i] = find_paths(r, frames, i);
    }
    GtBakeDef def = gt_default_bake_def();
    def.name = clip->name;
    def.frame_count = frames->count;
    def.times_s = frames->times_s;
    def.node_count = r->def->node_count;
    def.nodes = nodes;
    def.paths = paths;
    def.poses = frames->poses;
    return gt_scene_bake(r->context, r->scene, &def, animation, r->error);
}

// The weights of a mesh that are not as at rest in some frame, as one more sampler of an animation.
static GtResult bake_weights(GtiGtpReading* r, const Frames* frames, int32_t node, int32_t first,
                             GtAnimationSampler* samplers, GtAnimationChannel* channels, GtAnimation* animation)
{
    size_t count = (size_t)r->scene->nodes[node].weight_count;
    size_t stride = (size_t)r->def->weight_count;
    float* values = gt_arena_push_array(&r->arena, (size_t)frames->count * count, sizeof *values);
    bool moves = false;
    if (!values) {
        return gti_out_of_memory(r->error);
    }
    for (size_t f = 0; f < (size_t)frames->count; ++f) {
        memcpy(values + f * count, frames->weights + f * stride + first, count * sizeof *values);
        moves = moves || memcmp(values + f * count, r->def->rest_weights + first, count * sizeof *values) != 0;
    }
    if (!moves) {
        return GT_OK;
    }
    int32_t at = animation->channel_count++;
    animation->sampler_count = animation->channel_count;
    channels[at] = (GtAnimationChannel){ .sampler = at, .node = node, .path = GT_PATH_WEIGHTS };
    GtResult result =
        gti_gtp_data(r, GT_USE_TIMES, GT_ELEMENT_SCALAR, frames->times_s, (uint64_t)frames->count, &samplers[at].input);
    return result == GT_OK ? gti_gtp_data(r, GT_USE_DATA, GT_ELEMENT_SCALAR, values,
                                          (uint64_t)frames->count * (uint64_t)count, &samplers[at].output)
                           : result;
}

static GtResult bake_all_weights(GtiGtpReading* r, const Frames* frames, GtAnimation* animation)
{
    size_t room = (size_t)animation->channel_count + (size_t)r->def->mesh_count;
    GtAnimationSampler* samplers = gt_scene_push(r->scene, room, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(r->scene, room, sizeof *channels);
    GtResult result = samplers && channels ? GT_OK : gti_out_of_memory(r->error);
    if (result == GT_OK && animation->channel_count > 0) {
        memcpy(samplers, animation->samplers, (size_t)animation->channel_count * sizeof *samplers);
        memcpy(channels, animation->channels, (size_t)animation->channel_count * sizeof *channels);
    }
    for (int32_t w = 0; w < r->def->weight_count && result == GT_OK; ++w) {
        if (r->weight_nodes[w] != GT_NONE) {
            GtArenaMark mark = gt_arena_mark(&r->arena);
            result = bake_weights(r, frames, r->weight_nodes[w], w, samplers, channels, animation);
            gt_arena_reset(&r->arena, mark);
        }
    }
    animation->samplers = samplers;
    animation->channels = channels;
    return result;
}

static GtResult read_frames(GtiGtpReading* r, const GtClip* clip)
{
    GtArenaMark mark = gt_arena_mark(&r->arena);
    Frames frames = { 0 };
    int32_t animation = GT_NONE;
    GtResult result = sample_frames(r, clip, &frames);
    result = result == GT_OK ? bake_poses(r, clip, &frames, &animation) : result;
    if (result == GT_OK && r->def->weight_count > 0) {
        result = bake_all_weights(r, &frames, &r->scene->animations[animation]);
    }
    gt_arena_reset(&r->arena, mark);
    return result;
}

GtResult gti_gtp_read_clips(GtiGtpReading* r)
{
    GtResult result = GT_OK;
    for (int32_t i = 0; i < gt_pack_clip_count(r->pack) && result == GT_OK; ++i) {
        const GtClip* clip = gt_pack_clip(r->pack, i);
        result = clip->packed || !has_whole_tracks(r, clip) ? read_frames(r, clip) : read_keys(r, clip);
    }
    return result;
}
