// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Reaching without a snap where a limb becomes straight.

#ifndef GERTIE_RUNTIME_IK_SOFT_REACH_H
#define GERTIE_RUNTIME_IK_SOFT_REACH_H

#include <math.h>

// How far a limb of `length` reaches towards something `distance` off: all the way up to soft * length, then ever less.
static inline double gti_ik_soft_reach(double distance, double length, double soft)
{
    double from = soft * length;
    double zone = length - from;
    if (!(distance > from)) {
        return distance;
    }
    return zone > 0.0 ? from - zone * expm1(-(distance - from) / zone) : length;
}

#endif
