// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: blend shapes on plain arrays.
///
/// Blend shapes on plain arrays: vertices, control points of curves and patches, cages, lattices, texture coordinates,
/// colours; whatever has some numbers a point. For meshes of a character, which are sparse, the runtime does it itself
/// (gertie/instance.h); gertie/shapes.h makes their shapes.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_SHAPE_BLEND_H
#define GERTIE_SHAPE_BLEND_H

#include "gertie/api.h"

GT_EXTERN_C_BEGIN

/// What the numbers of a shape are.
typedef enum GtShapeKind {
    GT_SHAPE_DELTA,    ///< displacements from the base
    GT_SHAPE_ABSOLUTE, ///< the shape itself
    GT_SHAPE_KIND_COUNT
} GtShapeKind;

/// Shapes, weights and where the result goes. All arrays are the caller's.
typedef struct GtShapesBlend {
    GtShapeKind kind;           ///< of all shapes
    int32_t point_count;        ///< 0 or more
    int32_t component_count;    ///< numbers a point, 1 or more
    const float* base;          ///< [point_count * component_count]
    int32_t shape_count;        ///< 0 or more
    const float* const* shapes; ///< [shape_count] each [point_count * component_count]
    const float* weights;       ///< [shape_count]; what is not finite counts as 0
    float* out;                 ///< [point_count * component_count]; may be `base`, no shape
} GtShapesBlend;

/// Blend. Deltas are summed: out = base + sum weight * shape, with weights of any sign and size.
///
/// Absolute shapes are combined convexly: out = (1 - sum w) base + sum w shape. Weights below 0 count as 0, and weights
/// that sum to more than 1 are divided by their sum; so the result never leaves the convex hull of base and shapes,
/// whatever the weights. A shape of weight 0 is not read. Allocates nothing.
GT_API void gt_shapes_blend(const GtShapesBlend* blend);

GT_EXTERN_C_END

#endif
