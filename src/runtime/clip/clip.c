// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keyed tracks (glTF 2.0, appendix C). The key before a time is found by bisection as the last one that is not later,
// so that the next key is strictly later and no interval of zero length is ever divided by; of keys at one time the
// last one wins. Times outside the keys, and NaN, hold the nearest end.

#include "runtime/clip/clip.h"

#include "base/fail.h"

#include <math.h>
#include <stdio.h>

enum {
    CHECKED_TIMES = 1,
    CHECKED_VALUES,
};

// Where a time falls among a track's keys.
typedef struct Cursor {
    const float* times_s; // keys it was found in
    int32_t key;          // last key not later, or 0
    int32_t next;         // key after it, or the same where a key holds
    double interval_s;    // between the two
    double t;             // 0 at key, 1 at next
} Cursor;

GtTrackDef gt_default_track_def(void)
{
    return (GtTrackDef){ .kind = GT_TRACK_TRANSLATION, .component_count = 3, .interpolation = GT_INTERPOLATION_LINEAR };
}

GtClipDef gt_default_clip_def(void)
{
    return (GtClipDef){ .name = NULL };
}

static GtResult check_times(const GtTrackDef* track, const char* where, GtError* error)
{
    for (int32_t i = 0; i < track->key_count; ++i) {
        if (!isfinite(track->times_s[i])) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "time of key %d is not a finite number", i);
        }
        if (i && track->times_s[i] < track->times_s[i - 1]) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where,
                               "time of key %d, %g s, is before that of the key before, %g s", i,
                               (double)track->times_s[i], (double)track->times_s[i - 1]);
        }
    }
    return GT_OK;
}

static GtResult check_values(const GtTrackDef* track, size_t count, const char* where, GtError* error)
{
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(track->values[i])) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "value %zu is not a finite number", i);
        }
    }
    return GT_OK;
}

static size_t value_count(const GtTrackDef* track)
{
    size_t parts = track->interpolation == GT_INTERPOLATION_CUBICSPLINE ? 3 : 1;
    return (size_t)track->key_count * (size_t)track->component_count * parts;
}

static GtResult check_shape(const GtClipDef* def, const GtTrackDef* track, const char* where, GtError* error)
{
    bool weights = track->kind == GT_TRACK_WEIGHTS;
    int32_t wanted = track->kind == GT_TRACK_ROTATION ? 4 : 3;
    int64_t end = (int64_t)track->target + (weights ? (int64_t)track->component_count : 1);
    int32_t limit = weights ? def->weight_count : def->node_count;
    if ((unsigned)track->kind > GT_TRACK_WEIGHTS || (unsigned)track->interpolation > GT_INTERPOLATION_CUBICSPLINE) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "kind %d with interpolation %d does not exist",
                           (int)track->kind, (int)track->interpolation);
    }
    if (weights ? track->component_count < 1 : track->component_count != wanted) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "has %d components", track->component_count);
    }
    if (track->target < 0 || end > (int64_t)limit) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "drives %s %d, of which the character has %d",
                           weights ? "weight" : "node", (int)(track->target < 0 ? track->target : end - 1), limit);
    }
    if (track->key_count < 1 || !track->times_s || !track->values) {
        return gti_fail_at(error, GT_ERROR_BAD_VALUE, where, "has no keys");
    }
    return GT_OK;
}

static GtResult check_track(const GtClipDef* def, int32_t index, GtiBlock* block, GtError* error)
{
    const GtTrackDef* track = &def->tracks[index];
    char where[32];
    snprintf(where, sizeof where, "track %d", (int)index);
    GtResult result = check_shape(def, track, where, error);
    if (result != GT_OK) {
        return result;
    }
    GtiKept* times = gti_block_keep(block, track->times_s, (size_t)track->key_count, sizeof(float));
    if (!times) {
        return gti_out_of_memory(error);
    }
    if (times->checked_as != CHECKED_TIMES) {
        result = check_times(track, where, error);
        times->checked_as = CHECKED_TIMES;
    }
    if (result != GT_OK) {
        return result;
    }
    GtiKept* values = gti_block_keep(block, track->values, value_count(track), sizeof(float));
    if (!values) {
        return gti_out_of_memory(error);
    }
    if (values->checked_as == 0) {
        result = check_values(track, value_count(track), where, error);
        values->checked_as = CHECKED_VALUES;
    }
    return result;
}

static GtResult announce(const GtClipDef* def, GtiBlock* block, GtError* error)
{
    if (def->track_count < 0 || (def->track_count && !def->tracks)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "%d tracks, but no array of them", def->track_count);
    }
    if ((def->name && !gti_block_keep_text(block, def->name)) ||
        (def->track_count && !gti_block_keep(block, def->tracks, (size_t)def->track_count, sizeof(GtTrackDef)))) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->track_count; ++i) {
        GtResult result = check_track(def, i, block, error);
        if (result != GT_OK) {
            return result;
        }
    }
    return gti_block_allocate(block) ? GT_OK : gti_out_of_memory(error);
}

static GtClip* lay_out(const GtClipDef* def, const GtiBlock* block)
{
    GtClip* clip = (GtClip*)block->base;
    GtTrackDef* tracks = gti_block_at(block, def->tracks, (size_t)def->track_count, sizeof(GtTrackDef));
    *clip = (GtClip){
        .allocator = block->allocator,
        .name = gti_block_text_at(block, def->name),
        .tracks = tracks,
        .track_count = def->track_count,
        .node_count = def->node_count,
        .weight_count = def->weight_count,
    };
    for (int32_t i = 0; i < def->track_count; ++i) {
        const GtTrackDef* track = &def->tracks[i];
        double first = (double)track->times_s[0];
        double last = (double)track->times_s[track->key_count - 1];
        clip->start_s = i && clip->start_s <= first ? clip->start_s : first;
        clip->end_s = i && clip->end_s >= last ? clip->end_s : last;
        tracks[i].times_s = gti_block_at(block, track->times_s, (size_t)track->key_count, sizeof(float));
        tracks[i].values = gti_block_at(block, track->values, value_count(track), sizeof(float));
    }
    return clip;
}

GtResult gti_clip_create_over(GtAllocator allocator, const GtClipDef* def, const GtiLasting* lasting, int32_t count,
                              GtClip** out, GtError* error)
{
    *out = NULL;
    GtiBlock block = gti_block_create(allocator, sizeof(GtClip));
    gti_block_leave_in_place(&block, lasting, count);
    GtResult result = announce(def, &block, error);
    if (result == GT_OK) {
        *out = lay_out(def, &block);
    }
    gti_block_destroy(&block);
    return result;
}

GtResult gt_clip_create(GtAllocator allocator, const GtClipDef* def, GtClip** out, GtError* error)
{
    def = def ? def : (GtClipDef[]){ gt_default_clip_def() };
    return gti_clip_create_over(allocator, def, NULL, 0, out, error);
}

// A clip with its name and, where they are to be copied, its bytes behind it.
static GtResult create_packed(GtAllocator allocator, const GtiPackedHead* bytes, bool copy, const char* name,
                              GtClip** out, GtError* error)
{
    *out = NULL;
    GtiBlock block = gti_block_create(allocator, sizeof(GtClip));
    bool kept =
        (!name || gti_block_keep_text(&block, name)) && (!copy || gti_block_keep(&block, bytes, bytes->size, 1));
    if (kept && gti_block_allocate(&block)) {
        GtClip* clip = (GtClip*)block.base;
        *clip = (GtClip){
            .allocator = allocator,
            .name = gti_block_text_at(&block, name),
            .node_count = (int32_t)bytes->node_count,
            .weight_count = (int32_t)bytes->weight_count,
            .start_s = bytes->start_s,
            .end_s = bytes->start_s + (double)bytes->last_frame / bytes->rate_hz,
            .packed = copy ? gti_block_at(&block, bytes, bytes->size, 1) : bytes,
        };
        *out = clip;
    }
    gti_block_destroy(&block);
    return *out ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_clip_of_bytes(GtAllocator allocator, const GtiPackedHead* bytes, const char* name, GtClip** out,
                           GtError* error)
{
    return create_packed(allocator, bytes, false, name, out, error);
}

GtResult gt_clip_from_bytes(GtAllocator allocator, const void* bytes, size_t size, const char* name, GtClip** out,
                            GtError* error)
{
    *out = NULL;
    if ((uintptr_t)bytes % 16 != 0) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "the bytes of a packed clip must be aligned to 16");
    }
    GtResult result = gti_packed_check(bytes, size, error);
    return result == GT_OK ? create_packed(allocator, bytes, true, name, out, error) : result;
}

const void* gt_clip_bytes(const GtClip* clip, size_t* size)
{
    *size = clip->packed ? clip->packed->size : 0;
    return clip->packed;
}

void gt_clip_destroy(GtClip* clip)
{
    if (clip) {
        clip->allocator.release(clip->allocator.user, clip);
    }
}

const char* gt_clip_name(const GtClip* clip)
{
    return clip->name;
}

double gt_clip_start_s(const GtClip* clip)
{
    return clip->start_s;
}

double gt_clip_end_s(const GtClip* clip)
{
    return clip->end_s;
}

static Cursor find_keys(const float* times_s, int32_t key_count, double time_s)
{
    Cursor cursor = { .times_s = times_s };
    if (!(time_s >= (double)times_s[0])) { // NaN too
        return cursor;
    }
    int32_t low = 0; // times[low] <= time < times[high]
    int32_t high = key_count;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if ((double)times_s[middle] <= time_s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    cursor.key = low;
    cursor.next = low;
    if (high < key_count) {
        double start_s = (double)times_s[low];
        cursor.next = high;
        cursor.interval_s = (double)times_s[high] - start_s;
        cursor.t = (time_s - start_s) / cursor.interval_s;
        cursor.next = cursor.t > 0.0 ? cursor.next : cursor.key; // on a key, as those who play frames mostly are
    }
    return cursor;
}

// Any number of components of one track at a cursor; rotations come out unnormalised.
static void interpolate(const GtTrackDef* track, const Cursor* cursor, float* out)
{
    int32_t count = track->component_count;
    bool cubic = track->interpolation == GT_INTERPOLATION_CUBICSPLINE;
    size_t stride = (size_t)count * (cubic ? 3 : 1);
    const float* a = track->values + (size_t)cursor->key * stride + (cubic ? count : 0);
    const float* b = track->values + (size_t)cursor->next * stride + (cubic ? count : 0);
    double t = cursor->t;
    if (cursor->key == cursor->next || track->interpolation == GT_INTERPOLATION_STEP) {
        for (int32_t i = 0; i < count; ++i) {
            out[i] = a[i];
        }
    } else if (cubic) {
        const float* a_out = a + count;
        const float* b_in = b - count;
        double t2 = t * t; // in double: tangents may be steep, and what overflows must not meet its opposite
        double t3 = t2 * t;
        double wa = 2.0 * t3 - 3.0 * t2 + 1.0;
        double wb = -2.0 * t3 + 3.0 * t2;
        double wa_out = cursor->interval_s * (t3 - 2.0 * t2 + t);
        double wb_in = cursor->interval_s * (t3 - t2);
        for (int32_t i = 0; i < count; ++i) {
            out[i] =
                (float)(wa * (double)a[i] + wa_out * (double)a_out[i] + wb * (double)b[i] + wb_in * (double)b_in[i]);
        }
    } else {
        for (int32_t i = 0; i < count; ++i) {
            out[i] = (float)((1.0 - t) * (double)a[i] + t * (double)b[i]);
        }
    }
}

static GtQuat sample_rotation(const GtTrackDef* track, const Cursor* cursor)
{
    if (track->interpolation == GT_INTERPOLATION_LINEAR && cursor->key != cursor->next) {
        const float* a = track->values + (size_t)cursor->key * 4;
        const float* b = track->values + (size_t)cursor->next * 4;
        return gt_quat_slerp(gt_quat_normalize(gt_quat(a[0], a[1], a[2], a[3])),
                             gt_quat_normalize(gt_quat(b[0], b[1], b[2], b[3])), (float)cursor->t);
    }
    float q[4];
    interpolate(track, cursor, q);
    return gt_quat_normalize(gt_quat(q[0], q[1], q[2], q[3]));
}

void gt_clip_sample(const GtClip* clip, double time_s, GtTransform* pose, float* weights)
{
    if (clip->packed) {
        gti_packed_sample(clip->packed, time_s, pose, weights);
        return;
    }
    Cursor cursor = { .times_s = NULL };
    for (int32_t i = 0; i < clip->track_count; ++i) {
        const GtTrackDef* track = &clip->tracks[i];
        if (track->times_s != cursor.times_s) { // kept once for all tracks that share them, all of them
            cursor = find_keys(track->times_s, track->key_count, time_s);
        }
        float v[3];
        switch (track->kind) {
        case GT_TRACK_TRANSLATION:
            interpolate(track, &cursor, v);
            pose[track->target].translation = gt_vec3(v[0], v[1], v[2]);
            break;
        case GT_TRACK_ROTATION:
            pose[track->target].rotation = sample_rotation(track, &cursor);
            break;
        case GT_TRACK_SCALE:
            interpolate(track, &cursor, v);
            pose[track->target].scale = gt_vec3(v[0], v[1], v[2]);
            break;
        case GT_TRACK_WEIGHTS:
            if (weights) {
                interpolate(track, &cursor, weights + track->target);
            }
            break;
        }
    }
}
