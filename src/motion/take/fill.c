// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Gaps of captures come in three kinds: frames that are no numbers, frames that hold the value before, as most programs
// write lost markers, and frames of zeros, which others write: what jumps to zeros and back is no pose.
// A gap is bridged by a cubic that leaves and arrives at the speed of the frames on either side; of rotations, by one
// of rotation vectors log(q0^-1 q) about the frame before the gap. A speed that would carry the bridge more than three
// times past its ends is held back, as monotone cubics do.

#include "motion/take/take.h"

#include "base/direction.h"

#include "gertie/bake.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    LEAST_STILL = 3 // frames alike to the bit; captures never do that by themselves
};

static const float least_jump = 1e-3f; // metres or radians: less is rounding
static const float least_drop = 0.05f; // likewise, to and from a frame of zeros

// One property of one node.
typedef struct Curve {
    GtTake* take;
    int32_t node;
    GtBakePath path;
} Curve;

static float* value_at(const Curve* c, int32_t frame)
{
    size_t offset = c->path == GT_BAKE_TRANSLATION ? offsetof(GtTransform, translation)
                    : c->path == GT_BAKE_ROTATION  ? offsetof(GtTransform, rotation)
                                                   : offsetof(GtTransform, scale);
    char* transform = (char*)&gti_take_pose(c->take, frame)[c->node];
    return (float*)(void*)(transform + offset);
}

static size_t value_size(const Curve* c)
{
    return (c->path == GT_BAKE_ROTATION ? 4u : 3u) * sizeof(float);
}

static bool is_number(const Curve* c, int32_t frame)
{
    const float* value = value_at(c, frame);
    for (size_t i = 0; i < value_size(c) / sizeof *value; ++i) {
        if (!isfinite(value[i])) {
            return false;
        }
    }
    return true;
}

static bool is_same(const Curve* c, int32_t a, int32_t b)
{
    return memcmp(value_at(c, a), value_at(c, b), value_size(c)) == 0;
}

// From frame `a` to frame `b` as a vector.
static GtVec3 difference(const Curve* c, int32_t a, int32_t b)
{
    const float* x = value_at(c, a);
    const float* y = value_at(c, b);
    if (c->path == GT_BAKE_ROTATION) {
        GtQuat from = gt_quat(x[0], x[1], x[2], x[3]);
        GtQuat to = gt_quat(y[0], y[1], y[2], y[3]);
        return gti_vector_from_quat(gt_quat_mul(gt_quat_conjugate(from), to));
    }
    return gt_vec3(y[0] - x[0], y[1] - x[1], y[2] - x[2]);
}

static void put(const Curve* c, int32_t start, GtVec3 moved, int32_t frame)
{
    const float* x = value_at(c, start);
    float* out = value_at(c, frame);
    if (c->path == GT_BAKE_ROTATION) {
        GtQuat q = gt_quat_normalize(gt_quat_mul(gt_quat(x[0], x[1], x[2], x[3]), gti_quat_from_vector(moved)));
        memcpy(out, &q, sizeof q);
    } else {
        GtVec3 v = gt_vec3_add(gt_vec3(x[0], x[1], x[2]), moved);
        memcpy(out, &v, sizeof v);
    }
}

static GtVec3 held_back(GtVec3 slope, GtVec3 whole)
{
    float most = 3.0f * gt_vec3_length(whole);
    float length = gt_vec3_length(slope);
    return length > most ? gt_vec3_scale(slope, length > 0.0f ? most / length : 0.0f) : slope;
}

// Bridge the frames between `a` and `b`, which are there.
static void bridge(const Curve* c, int32_t a, int32_t b)
{
    int32_t last = c->take->frame_count - 1;
    float length = (float)(b - a);
    GtVec3 whole = difference(c, a, b);
    GtVec3 zero = { 0.0f, 0.0f, 0.0f };
    bool leaves = a > 0 && is_number(c, a - 1);
    bool arrives = b < last && is_number(c, b + 1);
    GtVec3 leave = leaves ? held_back(gt_vec3_scale(difference(c, a - 1, a), length), whole) : zero;
    GtVec3 arrive = arrives ? held_back(gt_vec3_scale(difference(c, b, b + 1), length), whole) : zero;
    for (int32_t f = a + 1; f < b; ++f) {
        float t = (float)(f - a) / length;
        float h10 = t * (1.0f - t) * (1.0f - t);
        float h01 = t * t * (3.0f - 2.0f * t);
        float h11 = t * t * (t - 1.0f);
        GtVec3 moved =
            gt_vec3_add(gt_vec3_scale(whole, h01), gt_vec3_add(gt_vec3_scale(leave, h10), gt_vec3_scale(arrive, h11)));
        put(c, a, moved, f);
    }
}

static void hold(const Curve* c, int32_t from, int32_t first, int32_t end)
{
    for (int32_t f = first; f < end; ++f) {
        memcpy(value_at(c, f), value_at(c, from), value_size(c));
    }
}

// Runs of frames that are no numbers. Returns how many were bridged.
static int32_t fill_missing(const Curve* c, int32_t most)
{
    int32_t count = c->take->frame_count;
    int32_t filled = 0;
    for (int32_t f = 0; f < count; ++f) {
        if (is_number(c, f)) {
            continue;
        }
        int32_t end = f;
        while (end < count && !is_number(c, end)) {
            ++end;
        }
        if (f == 0 && end == count) { // never seen: as if it were not turned or moved
            static const float still[] = { 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f };
            memcpy(value_at(c, 0), c->path == GT_BAKE_SCALE ? still + 3 : still, value_size(c));
            hold(c, 0, 1, count);
        } else if (f == 0 || end == count || end - f > most) {
            hold(c, f == 0 ? end : f - 1, f, end);
        } else {
            bridge(c, f - 1, end);
        }
        ++filled;
        f = end;
    }
    return filled;
}

static float step_length(const Curve* c, int32_t frame)
{
    return frame + 1 < c->take->frame_count ? gt_vec3_length(difference(c, frame, frame + 1)) : 0.0f;
}

// Runs of frames alike to the bit between others that move, after which it jumps: who rests does not.
static int32_t fill_still(const Curve* c, int32_t most)
{
    int32_t count = c->take->frame_count;
    int32_t filled = 0;
    for (int32_t f = 1, end; f < count; f = end) {
        end = f + 1;
        while (end < count && is_same(c, f, end)) {
            ++end;
        }
        int32_t still = end - f;
        float around = fmaxf(step_length(c, f - 1), step_length(c, end));
        if (still >= LEAST_STILL && still - 1 <= most && end < count &&
            step_length(c, end - 1) > 2.0f * around + least_jump) {
            bridge(c, f, end);
            ++filled;
        }
    }
    return filled;
}

static bool is_zero(const Curve* c, int32_t frame)
{
    const float* value = value_at(c, frame);
    bool is_still = value[0] == 0.0f && value[1] == 0.0f && value[2] == 0.0f;
    return is_still && (c->path != GT_BAKE_ROTATION || fabsf(value[3]) == 1.0f);
}

// Runs of zeros between frames that are far from them and near to each other.
static int32_t fill_dropped(const Curve* c, int32_t most)
{
    int32_t count = c->take->frame_count;
    int32_t filled = 0;
    for (int32_t f = 1, end; f < count && c->path != GT_BAKE_SCALE; f = end) {
        end = f + 1;
        if (!is_zero(c, f) || is_zero(c, f - 1)) {
            continue;
        }
        while (end < count && is_zero(c, end)) {
            ++end;
        }
        if (end == count || end - f > most) {
            continue;
        }
        float way = gt_vec3_length(difference(c, f - 1, end));
        float around = fmaxf(f > 1 ? step_length(c, f - 2) : 0.0f, step_length(c, end));
        float drop = fminf(step_length(c, f - 1), step_length(c, end - 1));
        if (drop > least_drop + 4.0f * around && drop > 2.0f * way) {
            bridge(c, f - 1, end);
            ++filled;
        }
    }
    return filled;
}

GtResult gt_take_fill(const GtContext* context, const GtTake* take, double max_gap_s, GtTake** out,
                      int32_t* filled_count, GtError* error)
{
    static const GtBakePath paths[] = { GT_BAKE_TRANSLATION, GT_BAKE_ROTATION, GT_BAKE_SCALE };
    *out = NULL;
    if (!(max_gap_s >= 0.0)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a largest gap of %g s is out of range", max_gap_s);
    }
    GtResult result = gti_take_make(context, take, take->frame_count, out, error);
    if (result != GT_OK) {
        return result;
    }
    for (int32_t f = 0; f < take->frame_count; ++f) {
        gti_take_copy_frame(take, f, *out, f);
    }
    int32_t most = (int32_t)fmin(max_gap_s * take->rate_hz + 1e-6, take->frame_count);
    int32_t filled = 0;
    for (int32_t i = 0; i < take->node_count; ++i) {
        for (size_t p = 0; p < sizeof paths / sizeof paths[0]; ++p) {
            Curve curve = { *out, i, paths[p] };
            filled += fill_missing(&curve, most);
            if (take->paths[i] & paths[p]) {
                filled += fill_dropped(&curve, most) + fill_still(&curve, most);
            }
        }
    }
    if (filled_count) {
        *filled_count = filled;
    }
    return GT_OK;
}
