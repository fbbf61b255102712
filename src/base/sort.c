// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "base/sort.h"

#include <stdlib.h>

enum {
    MOST_ROUNDS = 64
};

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a;
    float y = *(const float*)b;
    return (x > y) - (x < y);
}

void gti_sort_floats(float* values, int32_t count)
{
    if (count > 1) {
        qsort(values, (size_t)count, sizeof *values, compare_floats);
    }
}

// Hoare's selection: what belongs before a place goes before it, what belongs after it after. What is made to take long
// is sorted.
float gti_percentile(float* values, int32_t count, double share)
{
    int32_t place = (int32_t)(share * (count - 1));
    int32_t low = 0, high = count - 1;
    for (int round = 0; low < high; ++round) {
        if (round == MOST_ROUNDS) {
            gti_sort_floats(values + low, high - low + 1);
            break;
        }
        float pivot = values[place];
        int32_t i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) {
                ++i;
            }
            while (pivot < values[j]) {
                --j;
            }
            if (i <= j) {
                float value = values[i];
                values[i++] = values[j];
                values[j--] = value;
            }
        }
        low = j < place ? i : low;
        high = place < i ? j : high;
    }
    return values[place];
}
