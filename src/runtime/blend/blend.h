// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The loops over joints of a blend, one a processor level, and those that add differences. The scalar ones are the
// specification. Kernels work on joints [first, end); those of a blend never look at additive layers.

#ifndef GERTIE_RUNTIME_BLEND_BLEND_H
#define GERTIE_RUNTIME_BLEND_BLEND_H

#include "gertie/blend.h"
#include "gertie/simd.h"

#include <math.h>

void gti_blend_scalar(const GtBlendJob* job, int32_t first, int32_t end);
void gti_blend_avx2(const GtBlendJob* job, int32_t first, int32_t end);
void gti_blend_avx512(const GtBlendJob* job, int32_t first, int32_t end);

// A layer that takes part, or rest.
typedef struct GtiBlendPart {
    const GtTransform* pose;
    const float* mask; // or NULL
    float weight;
} GtiBlendPart;

#define GTI_MAX_BLEND_PARTS 64

// What is the same for all joints. Without masks the heaviest layer is the first part, weights sum to 1, and rest is
// one of the parts where it has to fill up.
typedef struct GtiBlendPlan {
    GtiBlendPart parts[GTI_MAX_BLEND_PARTS];
    int32_t count;
    bool masked;     // one of them at least
    float threshold; // up to which rest fills, with masks
    const GtTransform* rest;
} GtiBlendPlan;

// False where no layer takes part and rest does not fill up, or where there are too many.
bool gti_blend_plan(const GtBlendJob* job, GtiBlendPlan* out);

// Sums of quaternions whose squared length is not above this share of their squared weight have no direction.
#define GTI_BLEND_CANCELLED 1e-12f

// Add differences, one layer's.
void gti_add_scalar(const GtBlendLayer* layer, int32_t first, int32_t end, GtTransform* out);
void gti_add_avx2(const GtBlendLayer* layer, int32_t first, int32_t end, GtTransform* out);

static inline bool gti_blend_takes_part(const GtBlendLayer* layer)
{
    return layer->weight > 0.0f && layer->weight <= 1e18f;
}

#endif
