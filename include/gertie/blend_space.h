// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: blend spaces.
///
/// Blend spaces: motions at points of a line, a plane or a space, such as speed and turn, and weights for any point
/// between them. Which motions are neighbours is computed (Delaunay), not listed by hand.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_BLEND_SPACE_H
#define GERTIE_BLEND_SPACE_H

#include "gertie/error.h"
#include "gertie/memory.h"

GT_EXTERN_C_BEGIN

/// Most points of a blend space, and most that take part in one place.
#define GT_BLEND_SPACE_MAX_POINTS  256
#define GT_BLEND_SPACE_MAX_CORNERS 4

/// Points and how they are joined. Immutable, one block of memory; any thread may read it.
typedef struct GtBlendSpace GtBlendSpace;

/// Start from gt_default_blend_space_def().
typedef struct GtBlendSpaceDef {
    int32_t dimension;   ///< 1, 2 or 3
    int32_t point_count; ///< 1 to GT_BLEND_SPACE_MAX_POINTS
    const float* points; ///< [point_count * dimension] any units: each axis is measured in what its points span
} GtBlendSpaceDef;

/// Two dimensions; no points yet.
GT_API GtBlendSpaceDef gt_default_blend_space_def(void);

/// Join the points. Points in one line, or in one plane of three dimensions, are joined within it. GT_ERROR_BAD_VALUE
/// for a point that is not finite and for two that are the same within 3e-5 of what all span.
/// @param out    receives the space, or NULL on failure; free with gt_blend_space_destroy()
/// @param error  may be NULL; names the points at fault
GT_API GtResult gt_blend_space_create(GtAllocator allocator, const GtBlendSpaceDef* def, GtBlendSpace** out,
                                      GtError* error);

/// Free a space; `space` may be NULL.
GT_API void gt_blend_space_destroy(GtBlendSpace* space);

/// Which points take part in a place, and how much.
typedef struct GtBlendWeights {
    int32_t count;                              ///< 1 to GT_BLEND_SPACE_MAX_CORNERS
    int32_t points[GT_BLEND_SPACE_MAX_CORNERS]; ///< [count]
    float weights[GT_BLEND_SPACE_MAX_CORNERS];  ///< [count] above 0; they sum to 1
} GtBlendWeights;

/// Weights at a place: linear between the points that surround it, and continuous everywhere, within 1e-5. Outside them
/// all, the place nearest to it counts. Never allocates. A coordinate that is NaN counts as the lowest of its axis.
/// @param at  [dimension]
GT_API void gt_blend_space_eval(const GtBlendSpace* space, const float* at, GtBlendWeights* out);

/// How many lines, triangles or tetrahedra the points form, to draw them; 0 for a single point.
GT_API int32_t gt_blend_space_simplex_count(const GtBlendSpace* space);

/// Corners of one of them.
/// @param corners  receives up to 4 points
/// @return how many corners it has: 2, 3 or 4
GT_API int32_t gt_blend_space_simplex(const GtBlendSpace* space, int32_t index,
                                      int32_t corners[GT_BLEND_SPACE_MAX_CORNERS]);

GT_EXTERN_C_END

#endif
