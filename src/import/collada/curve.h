// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A <sampler> as a function of time.

#ifndef GERTIE_IMPORT_COLLADA_CURVE_H
#define GERTIE_IMPORT_COLLADA_CURVE_H

#include "import/collada/geometry.h"

typedef enum GtiDaeKeyKind {
    GTI_DAE_KEY_LINEAR,
    GTI_DAE_KEY_STEP,
    GTI_DAE_KEY_BEZIER,
    GTI_DAE_KEY_HERMITE
} GtiDaeKeyKind;

typedef struct GtiDaeCurve {
    const float* times; // [count] increasing
    size_t count;
    size_t width; // numbers a key
    const float* values;
    const float* in_tangents; // or NULL
    const float* out_tangents;
    size_t tangent_width;  // numbers a key
    const uint8_t* kinds;  // [count] GtiDaeKeyKind from this key to the next
    bool smooth;           // some are BEZIER or HERMITE
    bool steps, all_steps; // some, or all, are STEP
} GtiDaeCurve;

// Read a <sampler>; a curve that cannot be used has no keys, and a repair says so.
GtResult gti_dae_read_curve(GtiDae* d, int32_t sampler, GtiDaeCurve* out);

// The value of one of its numbers; before and after the keys the first and last hold.
double gti_dae_curve_at(const GtiDaeCurve* curve, size_t component, double time);

// The first `count` of its numbers.
void gti_dae_curve_values(const GtiDaeCurve* curve, size_t count, double time, double* out);

#endif
