// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The loops over joints of a blend, one a processor level. The scalar one is the specification. Kernels work on joints
// [first, end) and never look at additive layers.

#ifndef GERTIE_RUNTIME_BLEND_H
#define GERTIE_RUNTIME_BLEND_H

#include "gertie/blend.h"
#include "gertie/simd.h"

#include <math.h>

typedef void (*GtiBlendKernel)(const GtBlendJob* job, int32_t first, int32_t end);

// Of that level, or of the highest below it that has a kernel of its own.
GtiBlendKernel gti_blend_kernel_at(GtSimdLevel level);

void gti_blend_scalar(const GtBlendJob* job, int32_t first, int32_t end);
void gti_blend_avx2(const GtBlendJob* job, int32_t first, int32_t end);

// One joint, as the specification has it.
GtTransform gti_blend_joint(const GtBlendJob* job, int32_t joint);

// Sums of quaternions whose squared length is not above this share of their squared weight have no direction.
#define GTI_BLEND_CANCELLED 1e-12f

static inline bool gti_blend_takes_part(const GtBlendLayer* layer)
{
    return layer->weight > 0.0f && layer->weight <= 1e18f;
}

#endif
