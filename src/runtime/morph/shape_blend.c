// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Weighted sums of dense shapes. Points go in blocks that stay in cache while all shapes are added to them. Both kinds
// are one sum: an absolute shape's displacement is what it differs from the base.

#include "gertie/shape_blend.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    BLOCK = 2048 // numbers
};

static float own_weight(const GtShapesBlend* blend, int32_t shape)
{
    float weight = blend->weights[shape];
    if (!isfinite(weight)) {
        return 0.0f;
    }
    return blend->kind == GT_SHAPE_ABSOLUTE ? fmaxf(weight, 0.0f) : weight;
}

// What all weights are multiplied by.
static float find_scale(const GtShapesBlend* blend)
{
    double sum = 0.0;
    for (int32_t s = 0; s < blend->shape_count && blend->kind == GT_SHAPE_ABSOLUTE; ++s) {
        sum += (double)own_weight(blend, s);
    }
    return sum > 1.0 ? (float)(1.0 / sum) : 1.0f;
}

void gt_shapes_blend(const GtShapesBlend* blend)
{
    GT_ASSERT(blend->kind >= 0 && blend->kind < GT_SHAPE_KIND_COUNT && blend->component_count > 0);
    size_t size = (size_t)blend->point_count * (size_t)blend->component_count;
    float scale = find_scale(blend);
    for (size_t first = 0; first < size; first += BLOCK) {
        size_t count = size - first < BLOCK ? size - first : BLOCK;
        float base[BLOCK];
        float* out = blend->out + first;
        memcpy(base, blend->base + first, count * sizeof *base);
        memmove(out, base, count * sizeof *out);
        for (int32_t s = 0; s < blend->shape_count; ++s) {
            float weight = scale * own_weight(blend, s);
            const float* shape = weight != 0.0f ? blend->shapes[s] + first : NULL;
            for (size_t i = 0; i < count && shape; ++i) {
                out[i] += weight * (blend->kind == GT_SHAPE_ABSOLUTE ? shape[i] - base[i] : shape[i]);
            }
        }
    }
}
