// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the factor of a matrix looks like, from the matrix's pattern and an order of elimination.

#ifndef GERTIE_SOLVE_ELIMINATION_H
#define GERTIE_SOLVE_ELIMINATION_H

#include "solve/graph.h"

// P A P' above its diagonal, and the shape of its factor L. Row and column k stand for row order[k] of A. The order is
// a postorder of the elimination tree: the columns that column k depends on are right before it.
typedef struct GtiElimination {
    int32_t size;
    int32_t* order;   // [size]
    int32_t* starts;  // [size + 1] where each column of P A P' begins
    int32_t* rows;    // [starts[size]] above the diagonal, in no order
    int32_t* sources; // [starts[size]] which of A's values each is
    int32_t* parents; // [size] the first row of L below the diagonal in each column, or GT_NONE
    int32_t* counts;  // [size] entries of each column of L, the diagonal included
    int64_t total;    // of counts
} GtiElimination;

// Order and analyse a matrix; the arrays are the arena's.
// fails: GT_ERROR_LIMIT where the factor would have more than 2^31 entries
GtResult gti_eliminate(const GtiSparse* matrix, GtiOrdering ordering, GtArena* arena, GtiElimination* out,
                       GtError* error);

#endif
