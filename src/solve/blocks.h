// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The numbers of a factor whose columns come in groups.

#ifndef GERTIE_SOLVE_BLOCKS_H
#define GERTIE_SOLVE_BLOCKS_H

#include "solve/elimination.h"
#include "solve/supernodes.h"

// Factor one matrix of the pattern that `shape` and `nodes` describe. group_of: [size] the group of each column.
// out: [value_starts[count]] as gti_supernodes_make() gives it
// fails: GT_ERROR_BAD_VALUE where the matrix is not positive definite, naming the row
GtResult gti_blocks_factor(const GtiElimination* shape, const GtiSupernodes* nodes, const int32_t* group_of,
                           const GtiSparse* matrix, GtAllocator allocator, double* out, GtError* error);

#endif
