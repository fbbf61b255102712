// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A matrix as CHOLMOD sees it.

#ifndef GERTIE_SOLVE_VIEW_H
#define GERTIE_SOLVE_VIEW_H

#include "solve/sparse.h"

#include <suitesparse/cholmod.h>

static inline cholmod_sparse gti_cholmod_view(const GtiSparse* matrix)
{
    return (cholmod_sparse){
        .nrow = (size_t)matrix->size,
        .ncol = (size_t)matrix->size,
        .nzmax = (size_t)matrix->starts[matrix->size],
        .p = matrix->starts,
        .i = matrix->rows,
        .x = matrix->values,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_REAL,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = true,
        .packed = true,
    };
}

#endif
