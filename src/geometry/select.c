// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hoare's selection, with the middle of three as pivot.

#include "geometry/select.h"

#include <math.h>

void gti_select_middle(const GtVec3* points, int32_t* order, int32_t first, int32_t end, int32_t middle, int axis)
{
    int32_t low = first;
    int32_t high = end - 1;
    while (low < high) {
        float a = gti_coordinate(points[order[low]], axis);
        float b = gti_coordinate(points[order[low + (high - low) / 2]], axis);
        float c = gti_coordinate(points[order[high]], axis);
        float pivot = fmaxf(fminf(a, b), fminf(fmaxf(a, b), c));
        int32_t i = low;
        int32_t j = high;
        while (i <= j) {
            while (gti_coordinate(points[order[i]], axis) < pivot) {
                ++i;
            }
            while (gti_coordinate(points[order[j]], axis) > pivot) {
                --j;
            }
            if (i <= j) {
                int32_t held = order[i];
                order[i++] = order[j];
                order[j--] = held;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}
