// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Order among numbers.

#ifndef GERTIE_BASE_SORT_H
#define GERTIE_BASE_SORT_H

#include <stdint.h>

// Sort numbers, smallest first.
void gti_sort_floats(float* values, int32_t count);

// The value below which a share of the numbers lies; their order changes.
float gti_percentile(float* values, int32_t count, double share);

#endif
