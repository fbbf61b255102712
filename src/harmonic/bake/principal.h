// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The directions in which rows of numbers vary most.

#ifndef GERTIE_HARMONIC_BAKE_PRINCIPAL_H
#define GERTIE_HARMONIC_BAKE_PRINCIPAL_H

#include "gertie/memory.h"

#include <stdbool.h>
#include <stddef.h>

// Eigenvalues and eigenvectors of X X', for few rows X that may be long: the square of X that each vector accounts for,
// largest first. false without memory.
// rows:    [row_count * width]
// values:  [row_count]
// vectors: [row_count * row_count] the i-th component of the k-th at i * row_count + k; of unit length
bool gti_principal(const float* rows, int32_t row_count, size_t width, GtArena* arena, double* values, double* vectors);

// Solve A x = b for many b at once, of a symmetric matrix that is positive; where it is not, to rounding, what it says
// nothing of becomes 0.
// a:     [count * count] is overwritten
// right: [count * width] rows of b; receives rows of x
void gti_solve_rows(double* a, int32_t count, float* right, size_t width);

#endif
