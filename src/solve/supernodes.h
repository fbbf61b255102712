// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Factors whose columns come in groups with the same rows below them, for kernels that solve frame after frame.

#ifndef GERTIE_SOLVE_SUPERNODES_H
#define GERTIE_SOLVE_SUPERNODES_H

#include "solve/sparse.h"

// What P A P' = M D M' looks like for every matrix A of one pattern: D is block diagonal, M has identities on its
// diagonal blocks. A group s has `width` columns, columns[s] to columns[s + 1], and `height` rows below its block,
// row_starts[s] to row_starts[s + 1] of `rows`, ascending. Groups are in postorder: those that a group depends on are
// right before it, and its parent is the group of its first row.
typedef struct GtiSupernodes {
    int32_t size;
    int32_t count;
    int32_t* order;        // [size] row of A that is row i of M
    int32_t* columns;      // [count + 1]
    int64_t* row_starts;   // [count + 1]
    int32_t* rows;         // [row_starts[count]]
    int64_t* value_starts; // [count + 1]
} GtiSupernodes;

// Factor `count` positive definite matrices that share their starts and rows, by one analysis.
// out_values: [count] each an array of the arena's, [value_starts[count]]: for each group the inverse of its block of
// D,
//             width * width, and its part of M, height * width, both row by row
// fails: as gti_factor_make() does
GtResult gti_supernodes_make(const GtContext* context, const GtiSparse* matrices, int32_t count, GtiOrdering ordering,
                             GtArena* arena, GtiSupernodes* out, double** out_values, GtError* error);

#endif
