// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernels.h"

static const GtiKernels scalar = {
    .skin_linear = gti_skin_linear_scalar,
    .skin_dual_quat = gti_skin_dual_quat_scalar,
    .rigid = gti_rigid_scalar,
    .morph = gti_morph_scalar,
};

static const GtiKernels* const tables[GT_SIMD_LEVEL_COUNT] = {
    [GT_SIMD_SCALAR] = &scalar,
};

const GtiKernels* gti_kernels_at(GtSimdLevel level)
{
    int i = (int)level;
    while (!tables[i]) {
        --i;
    }
    return tables[i];
}

const GtiKernels* gti_kernels(void)
{
    return gti_kernels_at(gt_simd_level());
}
