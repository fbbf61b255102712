// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Small dense systems, row by row: symmetric and positive, or half so.

#ifndef GERTIE_RUNTIME_IK_DENSE_H
#define GERTIE_RUNTIME_IK_DENSE_H

#include "gertie/api.h"

// Factor A + shift I = L L^T, `a` [n * n] symmetric and positive semidefinite, shift above 0; L into the lower half of
// `factor`.
void gti_dense_cholesky(const double* a, int32_t n, double shift, double* factor);

// Solve with such a factor, in place.
void gti_dense_solve(const double* factor, int32_t n, double* x);

// Factor a semidefinite A, the largest pivot that is left first, until that is rounding; the rank. `order` [n] receives
// the pivots, `factor` [n * n] the rows of L in that order.
int32_t gti_dense_pivoted_cholesky(const double* a, int32_t n, double* factor, int32_t* order);

// A solution of A x = x, in place, for a right side that A can give: zero off the pivots. `scratch` [rank].
void gti_dense_solve_pivoted(const double* factor, int32_t n, int32_t rank, const int32_t* order, double* x,
                             double* scratch);

#endif
