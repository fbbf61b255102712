// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips as animation stacks of one layer. FBX interpolates each Euler angle by itself, which is not what glTF does with
// quaternions: where the two would differ by more than a hundredth of a degree an interval is halved until they do
// not. Splines are resampled in the same way. Angles never jump by a turn from key to key.

#include "io/fbx/write.h"

#include "base/fail.h"
#include "base/scalar.h"
#include "gertie/accessor.h"
#include "io/bvh/curve.h"
#include "io/fbx/transform.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_HALVINGS = 10,
    FLAG_CONSTANT = 0x2, // of FbxAnimCurveDef::EInterpolationType
    FLAG_LINEAR = 0x4
};

// Readers that go on with quaternions may mix them in straight lines: 0.003 degrees off between keys this far apart.
static const double longest_rotation_deg = 10.0;
static const double rotation_tolerance_deg = 0.004; // errors of a chain of joints add up

// A key of up to three curves.
typedef struct GtiFbxOutKey {
    int64_t ticks;
    double values[3];
} GtiFbxOutKey;

// One channel of a clip while its keys are found.
typedef struct GtiFbxOutTrack {
    GtiFbxWriter* writer;
    uint8_t* animated; // [node_count] bits of GtAnimationPath: what any clip moves; NULL with one clip
    uint8_t* written;  // [node_count] what this clip has moved
    GtiBvhCurve curve;
    GtAnimationPath path;
    double rate_hz;
    double tolerance;
    GtiBytes keys; // of GtiFbxOutKey
} GtiFbxOutTrack;

int64_t gti_fbx_ticks(double time_s, double rate_hz)
{
    double frame = round(time_s * rate_hz);
    bool is_frame = rate_hz > 0.0 && fabs(time_s * rate_hz - frame) < 2e-3;
    double ticks = is_frame ? frame / rate_hz * GTI_FBX_TICKS_PER_S : time_s * GTI_FBX_TICKS_PER_S;
    return (int64_t)llround(gti_clamp(ticks, -9e18, 9e18));
}

static bool is_grid(const float* times, uint64_t count, double rate_hz)
{
    for (uint64_t i = 0; i < count; ++i) {
        double frame = (double)times[i] * rate_hz;
        if (!(fabs(frame - round(frame)) < 2e-3 + 2e-7 * fabs(frame))) {
            return false;
        }
    }
    return true;
}

// The usual rate on whose frames all keys of the longest track lie, else the one that its keys have on average.
static double rate_of(const float* times, uint64_t count)
{
    static const double rates[] = { 24.0,  25.0,  30.0,  50.0,  60.0, 30000.0 / 1001.0, 24000.0 / 1001.0,
                                    100.0, 120.0, 240.0, 1000.0 };
    if (count < 2) {
        return 0.0;
    }
    double average = (double)(count - 1) / ((double)times[count - 1] - (double)times[0]);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        if (fabs(rates[i] - average) < 1e-4 * average && is_grid(times, count, rates[i])) {
            return rates[i];
        }
    }
    if (average >= 10.0 && average <= 1000.0 && is_grid(times, count, average)) {
        return average;
    }
    for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
        if (is_grid(times, count, rates[i])) {
            return rates[i];
        }
    }
    return 0.0;
}

void gti_fbx_clip_times(GtiFbxWriter* writer, const GtAnimation* animation, double* rate_hz, double span_s[2])
{
    const GtScene* scene = writer->scene;
    int32_t longest = GT_NONE;
    span_s[0] = span_s[1] = 0.0;
    for (int32_t i = 0; i < animation->sampler_count; ++i) {
        int32_t input = animation->samplers[i].input;
        uint64_t count = scene->accessors[input].count;
        float ends[2];
        if (count == 0) {
            continue;
        }
        gt_accessor_read_floats(scene, input, 0, 1, &ends[0]);
        gt_accessor_read_floats(scene, input, count - 1, 1, &ends[1]);
        span_s[0] = longest == GT_NONE ? (double)ends[0] : fmin(span_s[0], (double)ends[0]);
        span_s[1] = longest == GT_NONE ? (double)ends[1] : fmax(span_s[1], (double)ends[1]);
        longest = longest == GT_NONE || count > scene->accessors[longest].count ? input : longest;
    }
    *rate_hz = 0.0;
    if (longest != GT_NONE) {
        GtArenaMark mark = gt_arena_mark(&writer->arena);
        uint64_t count = scene->accessors[longest].count;
        float* times = gt_arena_push_array(&writer->arena, count, sizeof *times);
        if (times) { // else the rate is not known; the next allocation will say so
            gt_accessor_read_floats(scene, longest, 0, count, times);
            *rate_hz = rate_of(times, count);
        }
        gt_arena_reset(&writer->arena, mark);
    }
}

static void add_key(GtiFbxOutTrack* track, double time_s, GtiVec value)
{
    GtiFbxOutKey key = { gti_fbx_ticks(time_s, track->rate_hz), { value.x, value.y, value.z } };
    if (track->keys.size) {
        GtiFbxOutKey last;
        memcpy(&last, track->keys.data + track->keys.size - sizeof last, sizeof last);
        if (key.ticks <= last.ticks) { // of keys at one time the last counts
            key.ticks = last.ticks;
            track->keys.size -= sizeof last;
        }
    }
    gti_bytes_add(&track->keys, &key, sizeof key);
}

// The channel at a time, in units of the file; rotations as the angles that are nearest to `near`.
static GtiVec play(GtiFbxOutTrack* track, double time_s, GtiVec near, GtiQuat* rotation)
{
    double v[4];
    gti_bvh_play_curve(&track->curve, time_s, v);
    switch (track->path) {
    case GT_PATH_TRANSLATION:
        return gti_vec(GTI_FBX_CM_PER_M * v[0], GTI_FBX_CM_PER_M * v[1], GTI_FBX_CM_PER_M * v[2]);
    case GT_PATH_ROTATION:
        *rotation = (GtiQuat){ v[0], v[1], v[2], v[3] };
        return gti_fbx_euler_near(*rotation, near);
    case GT_PATH_WEIGHTS:
        return gti_vec(100.0 * v[0], 0.0, 0.0);
    default:
        return gti_vec(v[0], v[1], v[2]);
    }
}

// How far straight lines between two keys are from the channel, over the tolerance.
static double error_between(GtiFbxOutTrack* track, double a_s, GtiVec a, double b_s, GtiVec b)
{
    double worst = 0.0;
    if (track->path == GT_PATH_ROTATION) {
        GtiQuat from = gti_fbx_rotation(a, GTI_FBX_XYZ);
        GtiQuat to = gti_fbx_rotation(b, GTI_FBX_XYZ);
        double angle_rad = gti_vec_length(gti_quat_log(gti_quat_mul(gti_quat_conjugate(from), to)));
        worst = angle_rad > longest_rotation_deg * GTI_DEGREE ? 2.0 * track->tolerance : 0.0;
    }
    for (int i = 1; i <= 3; ++i) {
        double t = 0.25 * i;
        GtiQuat rotation = gti_quat_identity();
        GtiVec middle = gti_vec_add(gti_vec_scale(a, 1.0 - t), gti_vec_scale(b, t));
        GtiVec value = play(track, gti_mix(a_s, b_s, t), middle, &rotation);
        double error = gti_vec_length(gti_vec_sub(value, middle));
        if (track->path == GT_PATH_ROTATION) {
            GtiQuat other = gti_fbx_rotation(middle, GTI_FBX_XYZ);
            error = gti_vec_length(gti_quat_log(gti_quat_mul(gti_quat_conjugate(rotation), other))) / GTI_DEGREE;
        }
        worst = fmax(worst, error);
    }
    return worst / track->tolerance;
}

// Keys up to the end of an interval whose start is there already.
static GtiVec add_interval(GtiFbxOutTrack* track, double start_s, GtiVec value, double end_s)
{
    double ends[MAX_HALVINGS + 1] = { end_s };
    int count = 1;
    GtiQuat rotation;
    while (count > 0 && !track->keys.failed) {
        double next_s = ends[count - 1];
        GtiVec next = play(track, next_s, value, &rotation);
        if (count <= MAX_HALVINGS && error_between(track, start_s, value, next_s, next) > 1.0) {
            ends[count++] = 0.5 * (start_s + next_s);
            continue;
        }
        add_key(track, next_s, next);
        value = next;
        start_s = next_s;
        --count;
    }
    return value;
}

static double tolerance_of(const GtiFbxOutTrack* track)
{
    double largest = 0.0;
    int64_t count = track->curve.key_count * track->curve.width;
    if (track->path == GT_PATH_ROTATION) {
        return rotation_tolerance_deg;
    }
    for (int64_t i = 0; i < count && track->curve.interpolation != GT_INTERPOLATION_CUBICSPLINE; ++i) {
        largest = fmax(largest, fabs((double)track->curve.values[i]));
    }
    double units = track->path == GT_PATH_SCALE ? 1.0 : 100.0;
    return fmax(1e-5 * units * largest, 1e-4);
}

static void find_keys(GtiFbxOutTrack* track)
{
    GtiBvhCurve* curve = &track->curve;
    GtiQuat rotation;
    bool is_exact = curve->interpolation == GT_INTERPOLATION_STEP ||
                    (curve->interpolation == GT_INTERPOLATION_LINEAR && track->path != GT_PATH_ROTATION);
    GtiVec value = play(track, (double)curve->times[0], gti_vec(0.0, 0.0, 0.0), &rotation);
    track->keys.size = 0;
    track->tolerance = tolerance_of(track);
    add_key(track, (double)curve->times[0], value);
    for (int64_t i = 1; i < curve->key_count && !track->keys.failed; ++i) {
        if (is_exact) {
            value = play(track, (double)curve->times[i], value, &rotation);
            add_key(track, (double)curve->times[i], value);
        } else {
            value = add_interval(track, (double)curve->times[i - 1], value, (double)curve->times[i]);
        }
    }
}

static GtiFbxOutKey key_at(const GtiFbxOutTrack* track, size_t index)
{
    GtiFbxOutKey key;
    memcpy(&key, track->keys.data + index * sizeof key, sizeof key);
    return key;
}

static void write_curve(GtiFbxOutTrack* track, int component, bool is_still, int64_t id)
{
    GtiFbxWriter* writer = track->writer;
    GtiFbxOut* out = &writer->out;
    size_t key_count = track->keys.size / sizeof(GtiFbxOutKey);
    size_t count = is_still && key_count > 2 ? 2 : key_count;
    bool is_step = track->curve.interpolation == GT_INTERPOLATION_STEP;
    const float tangents[4] = { 0.0f, 0.0f, 0.0f, 0.0f };
    gti_fbx_begin_object(writer, GTI_FBX_CURVE, id, "", "");
    gti_fbx_double_node(out, "Default", key_at(track, 0).values[component]);
    gti_fbx_int_node(out, "KeyVer", 4008);
    gti_fbx_begin(out, "KeyTime");
    uint8_t* times = gti_fbx_begin_array(out, 'l', count);
    for (size_t i = 0; i < count && times; ++i) {
        GtiFbxOutKey key = key_at(track, i + 1 < count ? i : key_count - 1);
        memcpy(times + i * sizeof key.ticks, &key.ticks, sizeof key.ticks);
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
    gti_fbx_begin(out, "KeyValueFloat");
    uint8_t* values = gti_fbx_begin_array(out, 'f', count);
    for (size_t i = 0; i < count && values; ++i) {
        float value = (float)key_at(track, i + 1 < count ? i : key_count - 1).values[component] + 0.0f;
        memcpy(values + i * sizeof value, &value, sizeof value);
    }
    gti_fbx_end_array(out);
    gti_fbx_end(out);
    gti_fbx_array_node(out, "KeyAttrFlags", 'i', &(int32_t){ is_step ? FLAG_CONSTANT : FLAG_LINEAR }, 1);
    gti_fbx_array_node(out, "KeyAttrDataFloat", 'f', tangents, 4);
    gti_fbx_array_node(out, "KeyAttrRefCount", 'i', &(int32_t){ (int32_t)count }, 1);
    gti_fbx_end(out);
}

// A curve node with its curves, for a property of an object.
static void write_track(GtiFbxOutTrack* track, int64_t layer, int64_t object)
{
    static const char* const names[] = { "T", "R", "S", "DeformPercent" };
    static const char* const properties[] = { "Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent" };
    static const char* const axes[] = { "d|X", "d|Y", "d|Z" };
    GtiFbxWriter* writer = track->writer;
    if (track->keys.failed) {
        return;
    }
    size_t key_count = track->keys.size / sizeof(GtiFbxOutKey);
    int count = track->path == GT_PATH_WEIGHTS ? 1 : 3;
    GtiFbxOutKey first = key_at(track, 0);
    bool is_still = true;
    for (size_t i = 1; i < key_count && is_still; ++i) {
        GtiFbxOutKey key = key_at(track, i);
        is_still = memcmp(key.values, first.values, sizeof key.values) == 0;
    }
    int64_t id = gti_fbx_new_id(writer);
    gti_fbx_begin_object(writer, GTI_FBX_CURVE_NODE, id, names[track->path], "");
    gti_fbx_begin(&writer->out, "Properties70");
    for (int i = 0; i < count; ++i) {
        gti_fbx_number_property(&writer->out, count == 1 ? "d|DeformPercent" : axes[i], first.values[i]);
    }
    gti_fbx_end(&writer->out);
    gti_fbx_end(&writer->out);
    gti_fbx_link(writer, id, layer, NULL);
    gti_fbx_link(writer, id, object, properties[track->path]);
    for (int i = 0; i < count; ++i) {
        int64_t curve = gti_fbx_new_id(writer);
        write_curve(track, i, is_still, curve);
        gti_fbx_link(writer, curve, id, count == 1 ? "d|DeformPercent" : axes[i]);
    }
}

// Weights of one target, without those of the others.
static bool take_component(GtiFbxOutTrack* track, const GtiBvhCurve* all, int32_t component)
{
    int64_t count = all->key_count * (all->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1);
    float* values = gt_arena_push_array(&track->writer->arena, (size_t)count, sizeof *values);
    for (int64_t i = 0; i < count && values; ++i) {
        values[i] = all->values[(size_t)i * (size_t)all->width + (size_t)component];
    }
    track->curve = *all;
    track->curve.values = values;
    track->curve.width = 1;
    return values;
}

static GtResult write_channel(GtiFbxOutTrack* track, const GtAnimation* animation, const GtAnimationChannel* channel,
                              int64_t layer)
{
    GtiFbxWriter* writer = track->writer;
    const GtAnimationSampler* sampler = &animation->samplers[channel->sampler];
    if (channel->node == GT_NONE || channel->path == GT_PATH_OTHER ||
        writer->scene->accessors[sampler->input].count == 0) {
        return GT_OK;
    }
    track->path = channel->path;
    GtResult result =
        gti_bvh_open_curve(&writer->arena, writer->scene, sampler, channel->path, &track->curve, writer->error);
    if (result != GT_OK) {
        return result;
    }
    if (channel->path != GT_PATH_WEIGHTS) {
        if (!writer->models[channel->node].is_left_out) {
            if (track->written) {
                track->written[channel->node] |= (uint8_t)(1 << channel->path);
            }
            find_keys(track);
            write_track(track, layer, gti_fbx_model_id(channel->node));
        }
        return GT_OK;
    }
    int32_t shower = writer->models[channel->node].shown_by;
    int64_t first = shower == GT_NONE ? 0 : writer->models[shower].first_channel;
    GtiBvhCurve all = track->curve;
    for (int32_t i = 0; first && i < all.width; ++i) {
        GtArenaMark mark = gt_arena_mark(&writer->arena);
        if (!take_component(track, &all, i)) {
            return gti_out_of_memory(writer->error);
        }
        find_keys(track);
        write_track(track, layer, first + i);
        gt_arena_reset(&writer->arena, mark);
    }
    return GT_OK;
}

// A key at rest for what other clips move and this one leaves at rest: where a program changes from clip to clip, as
// Blender does from action to action, it would stay as the last one left it.
static void write_rest(GtiFbxOutTrack* track, double time_s, int64_t layer)
{
    GtiFbxWriter* writer = track->writer;
    float time = (float)time_s;
    for (int32_t n = 0; track->animated && n < writer->scene->node_count; ++n) {
        const GtTransform* rest = &writer->scene->nodes[n].local;
        for (int path = GT_PATH_TRANSLATION; path <= GT_PATH_SCALE; ++path) {
            if (!(track->animated[n] & ~track->written[n] & (1 << path)) || writer->models[n].is_left_out) {
                continue;
            }
            bool is_rotation = path == GT_PATH_ROTATION;
            float values[4] = { rest->rotation.x, rest->rotation.y, rest->rotation.z, rest->rotation.w };
            if (!is_rotation) {
                GtVec3 v = path == GT_PATH_SCALE ? rest->scale : rest->translation;
                memcpy(values, (float[]){ v.x, v.y, v.z }, 3 * sizeof *values);
            }
            track->path = (GtAnimationPath)path;
            track->curve = (GtiBvhCurve){ .times = &time,
                                          .values = values,
                                          .key_count = 1,
                                          .width = is_rotation ? 4 : 3,
                                          .is_rotation = is_rotation,
                                          .interpolation = GT_INTERPOLATION_LINEAR };
            find_keys(track);
            write_track(track, layer, gti_fbx_model_id(n));
        }
    }
}

static GtResult write_clip(GtiFbxWriter* writer, GtiFbxOutTrack* track, const GtAnimation* animation, const char* name)
{
    GtiFbxOut* out = &writer->out;
    double span_s[2];
    gti_fbx_clip_times(writer, animation, &track->rate_hz, span_s);
    int64_t start = gti_fbx_ticks(span_s[0], track->rate_hz);
    int64_t stop = gti_fbx_ticks(span_s[1], track->rate_hz);
    int64_t stack = gti_fbx_new_id(writer);
    int64_t layer = gti_fbx_new_id(writer);
    gti_fbx_begin_object(writer, GTI_FBX_STACK, stack, name, "");
    gti_fbx_begin(out, "Properties70");
    gti_fbx_time_property(out, "LocalStart", start);
    gti_fbx_time_property(out, "LocalStop", stop);
    gti_fbx_time_property(out, "ReferenceStart", start);
    gti_fbx_time_property(out, "ReferenceStop", stop);
    gti_fbx_end(out);
    gti_fbx_end(out);
    gti_fbx_begin_object(writer, GTI_FBX_LAYER, layer, "BaseLayer", "");
    gti_fbx_begin(out, "Properties70");
    gti_fbx_end(out);
    gti_fbx_end(out);
    gti_fbx_link(writer, layer, stack, NULL);
    if (track->written) {
        memset(track->written, 0, (size_t)writer->scene->node_count);
    }
    for (int32_t i = 0; i < animation->channel_count; ++i) {
        GtArenaMark mark = gt_arena_mark(&writer->arena);
        GtResult result = write_channel(track, animation, &animation->channels[i], layer);
        gt_arena_reset(&writer->arena, mark);
        if (result != GT_OK || track->keys.failed) {
            return result != GT_OK ? result : gti_out_of_memory(writer->error);
        }
    }
    write_rest(track, span_s[0], layer);
    return track->keys.failed ? gti_out_of_memory(writer->error) : GT_OK;
}

// What any clip moves, where there are several.
static bool find_animated(GtiFbxOutTrack* track)
{
    const GtScene* scene = track->writer->scene;
    if (scene->animation_count < 2) {
        return true;
    }
    track->animated = gt_arena_push_array(&track->writer->arena, (size_t)scene->node_count, 1);
    track->written = gt_arena_push_array(&track->writer->arena, (size_t)scene->node_count, 1);
    for (int32_t i = 0; i < scene->animation_count && track->animated && track->written; ++i) {
        for (int32_t k = 0; k < scene->animations[i].channel_count; ++k) {
            const GtAnimationChannel* channel = &scene->animations[i].channels[k];
            if (channel->node != GT_NONE && channel->path <= GT_PATH_SCALE) {
                track->animated[channel->node] |= (uint8_t)(1 << channel->path);
            }
        }
    }
    return track->animated && track->written;
}

GtResult gti_fbx_write_clips(GtiFbxWriter* writer)
{
    const GtScene* scene = writer->scene;
    GtiFbxOutTrack track = { .writer = writer, .keys = { .allocator = writer->context->allocator } };
    GtResult result = find_animated(&track) ? GT_OK : gti_out_of_memory(writer->error);
    for (int32_t i = 0; i < scene->animation_count && result == GT_OK; ++i) {
        result = gti_progress(writer->context, writer->error, "writing clips", (double)i / scene->animation_count);
        if (result == GT_OK) {
            result = write_clip(writer, &track, &scene->animations[i], writer->clip_names[i]);
        }
    }
    gti_bytes_release(&track.keys);
    return result;
}
