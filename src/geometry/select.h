// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Parting points at their middle, as trees over points need it.

#ifndef GERTIE_GEOMETRY_SELECT_H
#define GERTIE_GEOMETRY_SELECT_H

#include "gertie/vec.h"

static inline float gti_coordinate(GtVec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// Order [first, end) of `order`, which are numbers of `points`, so that none before `middle` lies above it along the
// axis, and none behind it below.
void gti_select_middle(const GtVec3* points, int32_t* order, int32_t first, int32_t end, int32_t middle, int axis);

#endif
