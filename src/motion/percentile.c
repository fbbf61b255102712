// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/percentile.h"

#include <stdlib.h>

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a;
    float y = *(const float*)b;
    return (x > y) - (x < y);
}

void gti_sort_floats(float* values, int32_t count)
{
    qsort(values, (size_t)count, sizeof *values, compare_floats);
}

float gti_percentile(float* values, int32_t count, double share)
{
    gti_sort_floats(values, count);
    return values[(int32_t)(share * (count - 1))];
}
