// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Boxes along the axes around points. Coordinates that are NaN do not count.

#ifndef GERTIE_BASE_BOUNDS_H
#define GERTIE_BASE_BOUNDS_H

#include "gertie/vec.h"

// Bounds of nothing: low is above high, and their size is -infinity.
static inline GtBounds gti_bounds_empty(void)
{
    return (GtBounds){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static inline void gti_bounds_add(GtBounds* bounds, GtVec3 p)
{
    bounds->low = gt_vec3_min(bounds->low, p);
    bounds->high = gt_vec3_max(bounds->high, p);
}

static inline void gti_bounds_unite(GtBounds* bounds, const GtBounds* other)
{
    bounds->low = gt_vec3_min(bounds->low, other->low);
    bounds->high = gt_vec3_max(bounds->high, other->high);
}

static inline GtBounds gti_bounds_of(const GtVec3* points, int32_t count)
{
    GtBounds bounds = gti_bounds_empty();
    for (int32_t i = 0; i < count; ++i) {
        gti_bounds_add(&bounds, points[i]);
    }
    return bounds;
}

// Length of the box along each axis.
static inline GtVec3 gti_bounds_size(GtBounds bounds)
{
    return gt_vec3_sub(bounds.high, bounds.low);
}

static inline float gti_bounds_diagonal(GtBounds bounds)
{
    return gt_vec3_length(gti_bounds_size(bounds));
}

// Length of the box along the axis on which it is longest.
static inline float gti_bounds_longest(GtBounds bounds)
{
    GtVec3 size = gti_bounds_size(bounds);
    return fmaxf(fmaxf(size.x, size.y), size.z);
}

#endif
