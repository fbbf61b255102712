// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Decoding of AnimationCurves. KeyAttrFlags and KeyAttrDataFloat hold attributes for runs of keys, as long as
// KeyAttrRefCount says: how to interpolate up to the next key, the slope on the right of this key and on the left of
// the next, and the weights of both. Automatic tangents are not in the file; the slopes that the FBX SDK computes for
// them follow from the neighbouring keys, and what is stored for them in place of a slope is a bias.

#include "io/fbx/curve.h"

#include "base/fail.h"
#include "gertie/scene.h"

#include <math.h>

#define DEFAULT_WEIGHT (1.0 / 3.0)

// KeyAttrFlags.
enum {
    KEY_CONSTANT = 0x2,
    KEY_CUBIC = 0x8,
    KEY_CONSTANT_NEXT = 0x100,
    KEY_TCB = 0x200,
    KEY_USER = 0x400,
    KEY_CLAMP = 0x1000,
    KEY_TIME_INDEPENDENT = 0x2000,
    KEY_CLAMP_PROGRESSIVE = 0x4000,
    KEY_WEIGHTED_RIGHT = 0x1000000,
    KEY_WEIGHTED_NEXT_LEFT = 0x2000000
};

// What is in the file for one curve.
typedef struct CurveSource {
    int64_t* times; // [key_count]
    float* values;  // [key_count]
    int32_t* flags; // [run_count]
    float* data;    // [run_count * 4]
    int32_t* runs;  // [run_count] keys of each
    uint32_t key_count;
    uint32_t run_count;
} CurveSource;

// Slopes and weights on both sides of a key while tangents are made.
typedef struct Tangents {
    double left_slope, right_slope;
    double left_weight, right_weight;
} Tangents;

uint32_t gti_fbx_curve_key_count(const GtiFbxTree* tree, const GtiFbxNode* node)
{
    const GtiFbxNode* times = gti_fbx_find(node, "KeyTime");
    return times ? gti_fbx_array_count(tree, times) : 0;
}

static GtResult read_array(const GtiFbxTree* tree, const GtiFbxNode* node, char type, size_t size, GtArena* arena,
                           void** out, GtError* error)
{
    *out = gt_arena_push_array(arena, gti_fbx_array_count(tree, node), size);
    return *out ? gti_fbx_decode(tree, node, type, *out, error) : gti_out_of_memory(error);
}

// KeyAttrDataFloat. Text files from version 7200 on write the bits of the floats as integers, because some of them are
// packed integers.
static GtResult read_data(const GtiFbxTree* tree, const GtiFbxNode* node, GtArena* arena, float** out, GtError* error)
{
    void* data = NULL;
    if (!tree->is_text || tree->version < 7200) {
        GtResult result = read_array(tree, node, 'f', sizeof(float), arena, &data, error);
        *out = data;
        return result;
    }
    GtResult result = read_array(tree, node, 'd', sizeof(double), arena, &data, error);
    const double* numbers = data;
    uint32_t count = gti_fbx_array_count(tree, node);
    *out = result == GT_OK ? gt_arena_push_array(arena, count, sizeof **out) : NULL;
    for (uint32_t i = 0; *out && i < count; ++i) {
        double number = numbers[i];
        (*out)[i] = (float)number;
        if (number >= INT32_MIN && number <= UINT32_MAX && number == floor(number)) {
            uint32_t bits = (uint32_t)(int64_t)number;
            memcpy(&(*out)[i], &bits, sizeof bits);
        }
    }
    return result != GT_OK || *out ? result : gti_out_of_memory(error);
}

// Whether the runs cover all keys and every run has its attributes.
static bool runs_fit(const CurveSource* source, uint32_t flag_count, uint32_t data_count)
{
    int64_t covered = 0;
    for (uint32_t i = 0; i < source->run_count; ++i) {
        if (source->runs[i] < 0) {
            return false;
        }
        covered += source->runs[i];
    }
    return covered >= source->key_count && flag_count >= source->run_count && data_count / 4 >= source->run_count;
}

static GtResult read_attributes(const GtiFbxTree* tree, const GtiFbxNode* node, GtArena* arena, CurveSource* source,
                                const char** flaw, GtError* error)
{
    const GtiFbxNode* flags = gti_fbx_find(node, "KeyAttrFlags");
    const GtiFbxNode* data = gti_fbx_find(node, "KeyAttrDataFloat");
    const GtiFbxNode* runs = gti_fbx_find(node, "KeyAttrRefCount");
    void* array = NULL;
    GtResult result = GT_ERROR_BAD_VALUE;
    if (flags && data && runs) {
        result = read_array(tree, flags, 'i', sizeof(int32_t), arena, &array, error);
        source->flags = array;
    }
    if (result == GT_OK) {
        result = read_array(tree, runs, 'i', sizeof(int32_t), arena, &array, error);
        source->runs = array;
    }
    if (result == GT_OK) {
        result = read_data(tree, data, arena, &source->data, error);
    }
    if (result == GT_OK) {
        source->run_count = gti_fbx_array_count(tree, runs);
        if (runs_fit(source, gti_fbx_array_count(tree, flags), gti_fbx_array_count(tree, data))) {
            return GT_OK;
        }
    }
    source->run_count = 0;
    *flaw = "its key attributes do not fit its keys, which are taken as linear";
    return result == GT_ERROR_OUT_OF_MEMORY ? result : GT_OK;
}

static GtResult read_keys(const GtiFbxTree* tree, const GtiFbxNode* node, GtArena* arena, CurveSource* source,
                          const char** flaw, GtError* error)
{
    const GtiFbxNode* times = gti_fbx_find(node, "KeyTime");
    const GtiFbxNode* values = gti_fbx_find(node, "KeyValueFloat");
    void* array = NULL;
    GtResult result = GT_ERROR_BAD_VALUE;
    if (times && values) {
        result = read_array(tree, times, 'l', sizeof(int64_t), arena, &array, error);
        source->times = array;
    }
    if (result == GT_OK) {
        result = read_array(tree, values, 'f', sizeof(float), arena, &array, error);
        source->values = array;
    }
    if (result != GT_OK) {
        *flaw = "its keys cannot be read, so that it is left out";
        return result == GT_ERROR_OUT_OF_MEMORY ? result : GT_OK;
    }
    uint32_t time_count = gti_fbx_array_count(tree, times);
    uint32_t value_count = gti_fbx_array_count(tree, values);
    source->key_count = time_count < value_count ? time_count : value_count;
    if (time_count != value_count) {
        *flaw = "it has another number of times than of values, and what is too many is left out";
    }
    return source->key_count ? read_attributes(tree, node, arena, source, flaw, error) : GT_OK;
}

static GtiFbxOutside read_extrapolation(const GtiFbxTree* tree, const GtiFbxNode* node, const char* name)
{
    GtiFbxOutside outside = { GTI_FBX_HOLD, -1 };
    const GtiFbxNode* extrapolation = gti_fbx_find(node, name);
    const GtiFbxNode* type = gti_fbx_find(extrapolation, "Type");
    const GtiFbxNode* repetition = gti_fbx_find(extrapolation, "Repetition");
    const GtiFbxValue* value = type ? gti_fbx_value(tree, type, 0) : NULL;
    int64_t letter = 'C';
    GtiSlice word = { 0 };
    if (!gti_fbx_integer(value, &letter) && gti_fbx_string(value, &word) && word.length) {
        letter = word.text[0];
    }
    outside.mode = letter == 'K'   ? GTI_FBX_SLOPE
                   : letter == 'R' ? GTI_FBX_REPEAT
                   : letter == 'M' ? GTI_FBX_MIRROR
                   : letter == 'A' ? GTI_FBX_REPEAT_RELATIVE
                                   : GTI_FBX_HOLD;
    if (repetition && gti_fbx_integer(gti_fbx_value(tree, repetition, 0), &outside.repeat_count) &&
        outside.repeat_count < 0) {
        outside.repeat_count = -1;
    }
    return outside;
}

// A bias of more than 500 % adds a slope of its own.
static double extra_slope(double bias, double towards)
{
    double excess = fabs(bias) / 100.0 - 5.0;
    return excess > 0.0 ? (towards > 0.0 ? 40.0 : -40.0) * excess * excess : 0.0;
}

// The slope of an automatic tangent at the first or last key, along its only segment.
static double end_slope(double rise, double seconds, double bias, uint32_t flags)
{
    if ((flags & KEY_CLAMP_PROGRESSIVE) || ((flags & KEY_CLAMP) && rise == 0.0)) {
        return 0.0;
    }
    return rise / seconds + (flags & KEY_TIME_INDEPENDENT ? 0.0 : extra_slope(bias, bias));
}

// The largest slope, in the direction of `sign`, with which a control point stays between its keys.
static double slope_limit(double rise, double reach_s, double sign)
{
    double limit = reach_s > 0.0 ? sign * rise / reach_s : 0.0;
    return limit > 0.0 ? limit : 0.0;
}

// The slope of an automatic tangent between two segments that rise in some seconds.
static double auto_slope(double left_rise, double left_s, double right_rise, double right_s, const Tangents* tangents,
                         double bias, uint32_t flags)
{
    if ((flags & KEY_CLAMP) && (left_rise == 0.0 || right_rise == 0.0)) {
        return 0.0;
    }
    double slope = (left_rise + right_rise) / (left_s + right_s);
    if (!(flags & KEY_TIME_INDEPENDENT)) {
        double left = left_rise / left_s;
        double right = right_rise / right_s;
        double part = left_s / (left_s + right_s);
        slope = 0.5 * (slope + left * (1.0 - part) + right * part);
        double weight = fabs(bias) / 100.0;
        if (weight > 1e-4) {
            double target = bias > 0.0 ? right : left;
            double change = target - slope;
            slope += change * weight;
            slope += extra_slope(bias, fabs(change) > 1e-5 ? change : bias);
        }
    }
    if (flags & KEY_CLAMP_PROGRESSIVE) {
        double sign = slope >= 0.0 ? 1.0 : -1.0;
        double most = fmin(slope_limit(left_rise, tangents->left_weight * left_s, sign),
                           slope_limit(right_rise, tangents->right_weight * right_s, sign));
        slope = sign * fmin(sign * slope, most);
    }
    return slope;
}

// Kochanek and Bartels: tension, continuity and bias.
static void tcb_slopes(const float tcb[3], double left, double right, bool at_end, Tangents* tangents)
{
    double factor = (at_end ? 1.0 : 0.5) * (1.0 - (double)tcb[0]);
    double c = (double)tcb[1];
    double b = (double)tcb[2];
    tangents->left_slope = factor * ((1.0 + b) * (1.0 - c) * left + (1.0 - b) * (1.0 + c) * right);
    tangents->right_slope = factor * ((1.0 + b) * (1.0 + c) * left + (1.0 - b) * (1.0 - c) * right);
}

// Keys with finite values at times that do not go back.
static void keep_keys(const CurveSource* source, GtiFbxCurve* curve, uint32_t* run_of_key)
{
    uint32_t run = 0;
    int64_t run_left = source->run_count ? source->runs[0] : 0;
    for (uint32_t i = 0; i < source->key_count; ++i) {
        while (run_left == 0 && run + 1 < source->run_count) {
            run_left = source->runs[++run];
        }
        --run_left;
        int64_t time = source->times[i];
        bool fits = time >= -GTI_FBX_MAX_TICK && time <= GTI_FBX_MAX_TICK && isfinite(source->values[i]) &&
                    (curve->key_count == 0 || (double)time >= curve->keys[curve->key_count - 1].time);
        if (!fits) {
            curve->flaw = "it has keys that go back in time or are not finite, which are left out";
            continue;
        }
        curve->keys[curve->key_count].time = (double)time;
        curve->keys[curve->key_count].value = (double)source->values[i];
        run_of_key[curve->key_count++] = run;
    }
}

// The slopes at a cubic key whose tangents the file does not give as they are.
static void solve_tangents(const GtiFbxCurve* curve, int32_t index, uint32_t flags, const float data[4], Tangents* t)
{
    const GtiFbxKey* key = &curve->keys[index];
    double left_s = index > 0 ? (key->time - key[-1].time) / curve->ticks_per_s : 0.0;
    double right_s = index + 1 < curve->key_count ? (key[1].time - key->time) / curve->ticks_per_s : 0.0;
    double left_rise = left_s > 0.0 ? key->value - key[-1].value : 0.0;
    double right_rise = right_s > 0.0 ? key[1].value - key->value : 0.0;
    double left_bias = -t->left_slope;
    double right_bias = t->right_slope;
    if (flags & KEY_TCB) {
        tcb_slopes(data, left_s > 0.0 ? left_rise / left_s : 0.0, right_s > 0.0 ? right_rise / right_s : 0.0,
                   !(left_s > 0.0 && right_s > 0.0), t);
    } else if (left_s > 0.0 && right_s > 0.0) {
        t->right_slope = auto_slope(left_rise, left_s, right_rise, right_s, t, right_bias, flags);
        t->left_slope = fabs(right_bias - left_bias) <= 1e-4
                            ? t->right_slope
                            : auto_slope(left_rise, left_s, right_rise, right_s, t, left_bias, flags);
    } else if (left_s > 0.0) {
        t->left_slope = t->right_slope = end_slope(left_rise, left_s, left_bias, flags);
    } else if (right_s > 0.0) {
        t->left_slope = t->right_slope = end_slope(right_rise, right_s, right_bias, flags);
    } else {
        t->left_slope = t->right_slope = 0.0;
    }
}

// Two weights of four decimals are packed into the bits of one float.
static double unpack_weight(float packed, bool upper)
{
    uint32_t bits = 0;
    memcpy(&bits, &packed, sizeof bits);
    return (double)(upper ? bits >> 16 : bits & 0xFFFF) * 1e-4;
}

static float finite_float(double value)
{
    return isfinite((float)value) ? (float)value : 0.0f;
}

// Slopes and weights of a key. `t` has those on its left, as the key before gives them, and then those of the next.
static void make_tangents(GtiFbxCurve* curve, int32_t index, uint32_t flags, const float data[4], Tangents* t)
{
    GtiFbxKey* key = &curve->keys[index];
    double next_slope = (double)data[1];
    double next_weight = DEFAULT_WEIGHT;
    t->right_slope = (double)data[0];
    t->right_weight = DEFAULT_WEIGHT;
    if (flags & KEY_CONSTANT) {
        key->interpolation = flags & KEY_CONSTANT_NEXT ? GTI_FBX_CONSTANT_NEXT : GTI_FBX_CONSTANT;
        t->right_slope = next_slope = 0.0;
    } else if (flags & KEY_CUBIC) {
        key->interpolation = GTI_FBX_CUBIC;
        t->right_weight = flags & KEY_WEIGHTED_RIGHT ? unpack_weight(data[2], false) : DEFAULT_WEIGHT;
        next_weight = flags & KEY_WEIGHTED_NEXT_LEFT ? unpack_weight(data[2], true) : DEFAULT_WEIGHT;
        if (flags & KEY_TCB) {
            next_slope = 0.0;
            next_weight = DEFAULT_WEIGHT;
        }
        if ((flags & KEY_TCB) || !(flags & KEY_USER)) {
            solve_tangents(curve, index, flags, data, t);
        }
    } else {
        key->interpolation = GTI_FBX_LINEAR;
        bool rises = index + 1 < curve->key_count && key[1].time > key->time;
        t->right_slope = rises ? (key[1].value - key->value) * curve->ticks_per_s / (key[1].time - key->time) : 0.0;
        next_slope = t->right_slope;
    }
    key->left_slope = finite_float(t->left_slope);
    key->right_slope = finite_float(t->right_slope);
    key->left_weight = (float)fmin(t->left_weight, 1.0);
    key->right_weight = (float)fmin(t->right_weight, 1.0);
    t->left_slope = next_slope;
    t->left_weight = next_weight;
}

// Cubic segments with control points that are not at a third.
static void mark_weighted(GtiFbxCurve* curve)
{
    const float third = (float)DEFAULT_WEIGHT;
    for (int32_t i = 0; i + 1 < curve->key_count; ++i) {
        GtiFbxKey* key = &curve->keys[i];
        if (key->interpolation == GTI_FBX_CUBIC &&
            (fabsf(key->right_weight - third) > 1e-6f || fabsf(key[1].left_weight - third) > 1e-6f)) {
            key->interpolation = GTI_FBX_CUBIC_WEIGHTED;
        }
    }
}

GtResult gti_fbx_read_curve(const GtiFbxTree* tree, const GtiFbxNode* node, double ticks_per_s, GtArena* arena,
                            GtiFbxCurve* out, GtError* error)
{
    static const float no_data[4] = { 0.0f };
    CurveSource source = { 0 };
    *out = (GtiFbxCurve){ .ticks_per_s = ticks_per_s,
                          .before = read_extrapolation(tree, node, "Pre-Extrapolation"),
                          .after = read_extrapolation(tree, node, "Post-Extrapolation") };
    uint32_t bound = gti_fbx_curve_key_count(tree, node);
    if (bound > INT32_MAX) {
        out->flaw = "it has too many keys, so that it is left out";
        return GT_OK;
    }
    out->keys = gt_arena_push_array(arena, bound, sizeof *out->keys);
    if (!out->keys) {
        return gti_out_of_memory(error);
    }
    GtArenaMark mark = gt_arena_mark(arena);
    GtResult result = read_keys(tree, node, arena, &source, &out->flaw, error);
    uint32_t* run_of_key = result == GT_OK ? gt_arena_push_array(arena, source.key_count, sizeof *run_of_key) : NULL;
    if (!run_of_key) {
        gt_arena_reset(arena, mark);
        return result == GT_OK ? gti_out_of_memory(error) : result;
    }
    keep_keys(&source, out, run_of_key);
    Tangents tangents = { .left_weight = DEFAULT_WEIGHT };
    for (int32_t i = 0; i < out->key_count; ++i) {
        uint32_t run = run_of_key[i];
        make_tangents(out, i, source.run_count ? (uint32_t)source.flags[run] : 0,
                      source.run_count ? source.data + 4 * (size_t)run : no_data, &tangents);
    }
    mark_weighted(out);
    gt_arena_reset(arena, mark);
    return GT_OK;
}
