// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sparse symmetric systems, factored once and solved for many right sides.

#ifndef GERTIE_SOLVE_SPARSE_H
#define GERTIE_SOLVE_SPARSE_H

#include "gertie/context.h"

// A symmetric matrix: its lower triangle by columns. Rows ascend within a column, each once, the diagonal first.
typedef struct GtiSparse {
    int32_t size;
    int32_t* starts; // [size + 1] where each column begins
    int32_t* rows;   // [starts[size]]
    double* values;  // likewise
} GtiSparse;

// Room for a matrix of `entry_count` entries, all zero; false when memory ran out.
bool gti_sparse_push(GtArena* arena, int32_t size, int64_t entry_count, GtiSparse* out);

// What the order of elimination is to be good for.
typedef enum GtiOrdering {
    GTI_ORDERING_BUSHY, // nested dissection: the smallest factor of large systems, and a tree that threads can share
    GTI_ORDERING_QUICK, // minimum degree: found in a tenth of the time, and no worse for small systems on one thread
} GtiOrdering;

// L L' = P A P', with P an order that keeps L sparse. Immutable, so any thread may read it.
typedef struct GtiFactor {
    int32_t size;
    int32_t* order;  // [size] row of A that is row i of L
    int32_t* starts; // [size + 1] where each column of L begins
    int32_t* rows;   // [starts[size]] the diagonal first
    double* values;  // likewise; on the diagonal the inverse
} GtiFactor;

// Factor a positive definite matrix; the factor's arrays are the arena's.
// fails: GT_ERROR_BAD_VALUE where the matrix is not positive definite, naming the row; GT_ERROR_LIMIT where the factor
//        would have more than 2^31 entries
GtResult gti_factor_make(const GtContext* context, const GtiSparse* matrix, GtArena* arena, GtiFactor* out,
                         GtError* error);

// Solve A x = b for `column_count` right sides at once, in place: values [size * column_count] hold b and receive x,
// the columns of one row side by side. Does not depend on the number of threads.
GtResult gti_factor_solve(const GtContext* context, const GtiFactor* factor, int32_t column_count, double* values,
                          GtError* error);

#endif
