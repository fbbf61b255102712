// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One AnimationCurve: a number over time. Times are in ticks of the file's clock. Between keys a curve is constant,
// linear or a cubic Bezier segment; before and after them it goes on as its extrapolations say.

#ifndef GERTIE_IO_FBX_CURVE_H
#define GERTIE_IO_FBX_CURVE_H

#include "gertie/memory.h"
#include "io/fbx/tree.h"

#define GTI_FBX_TICKS_PER_S     46186158000.0
#define GTI_FBX_NEW_TICKS_PER_S 141120000.0        // of files that opt in to it
#define GTI_FBX_MAX_TICK        ((int64_t)1 << 60) // sums of a few times fit; as double exact up to 54 hours

typedef enum GtiFbxInterpolation {
    GTI_FBX_CONSTANT,      // the value of this key
    GTI_FBX_CONSTANT_NEXT, // the value of the next key, from just after this one
    GTI_FBX_LINEAR,
    GTI_FBX_CUBIC,         // control points at a third of the segment
    GTI_FBX_CUBIC_WEIGHTED // control points where the weights say
} GtiFbxInterpolation;

typedef struct GtiFbxKey {
    double time; // ticks; does not decrease. Of keys at one time the last counts
    double value;
    float left_slope, right_slope;   // value a second, of the cubic segments on either side
    float left_weight, right_weight; // where the control point is, as a part of the segment
    uint32_t interpolation;          // GtiFbxInterpolation up to the next key
} GtiFbxKey;

typedef enum GtiFbxExtrapolation {
    GTI_FBX_HOLD,
    GTI_FBX_SLOPE,           // straight on
    GTI_FBX_REPEAT,          // from the start again
    GTI_FBX_MIRROR,          // back and forth
    GTI_FBX_REPEAT_RELATIVE, // from the start again, moved so that it is continuous
} GtiFbxExtrapolation;

typedef struct GtiFbxOutside {
    GtiFbxExtrapolation mode;
    int64_t repeat_count; // or -1 without end
} GtiFbxOutside;

typedef struct GtiFbxCurve {
    GtiFbxKey* keys; // [key_count]
    int32_t key_count;
    int32_t cursor; // key where the last evaluation was
    double ticks_per_s;
    GtiFbxOutside before, after;
    const char* flaw; // what had to be repaired, or NULL
} GtiFbxCurve;

// How many keys the curve of an AnimationCurve may have.
uint32_t gti_fbx_curve_key_count(const GtiFbxTree* tree, const GtiFbxNode* node);

// Decode an AnimationCurve into memory of the arena. Keys that go back in time or are not finite are left out; without
// attributes that fit, keys are linear. Arrays that cannot be decoded leave no keys; `flaw` says so.
// @return GT_OK or GT_ERROR_OUT_OF_MEMORY
GtResult gti_fbx_read_curve(const GtiFbxTree* tree, const GtiFbxNode* node, double ticks_per_s, GtArena* arena,
                            GtiFbxCurve* out, GtError* error);

// The value at a time; `otherwise` for a curve without keys. Cheap where the time is near that of the last call.
double gti_fbx_evaluate(GtiFbxCurve* curve, double time, double otherwise);

// The same at `count` growing times.
void gti_fbx_evaluate_times(GtiFbxCurve* curve, const double* times, int32_t count, double otherwise, double* out);

// Bounds of a curve between two times.
typedef struct GtiFbxBend {
    double off_line; // most distance from the straight line between its values there
    double change;   // most distance between any two of its values
} GtiFbxBend;

// Infinite where a key lies in between, or the curve is of a kind that has no simple bound.
GtiFbxBend gti_fbx_curve_bend(GtiFbxCurve* curve, double begin, double end);

// The times where a curve may bend or jump inside (begin, end), growing: those of keys, also of repetitions, and a tick
// before or after a jump.
// @param out       [capacity], or NULL to count alone
// @return how many there are, at most `capacity`
size_t gti_fbx_curve_times(const GtiFbxCurve* curve, int64_t begin, int64_t end, size_t capacity, int64_t* out);

#endif
