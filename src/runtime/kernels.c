// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/kernels.h"

#include "runtime/harmonic/harmonic.h"

static const GtiKernels scalar = {
    .skin_linear = gti_skin_linear_scalar,
    .skin_dual_quat = gti_skin_dual_quat_scalar,
    .rigid = gti_rigid_scalar,
    .morph = gti_morph_scalar,
    .to_model = gti_to_model_scalar,
    .unpack = gti_unpack_scalar,
    .section = gti_section_scalar,
    .free_section = gti_free_section_scalar,
    .blend = gti_blend_scalar,
    .blend_add = gti_add_scalar,
    .harmonic_batch = &gti_harmonic_batch_scalar,
    .harmonic_live = &gti_harmonic_live_scalar,
};

#if defined(__x86_64__)
static const GtiKernels avx2 = {
    .skin_linear = gti_skin_linear_avx2,
    .skin_dual_quat = gti_skin_dual_quat_avx2,
    .rigid = gti_rigid_scalar,
    .morph = gti_morph_avx2,
    .to_model = gti_to_model_avx2,
    .unpack = gti_unpack_avx2,
    .section = gti_section_avx2,
    .free_section = gti_free_section_avx2,
    .blend = gti_blend_avx2,
    .blend_add = gti_add_avx2,
    .harmonic_batch = &gti_harmonic_batch_avx2,
    .harmonic_live = &gti_harmonic_live_avx2,
};

static const GtiKernels avx512 = {
    .skin_linear = gti_skin_linear_avx512,
    .skin_dual_quat = gti_skin_dual_quat_avx512,
    .rigid = gti_rigid_scalar,
    .morph = gti_morph_avx2,
    .to_model = gti_to_model_avx512,
    .unpack = gti_unpack_avx2,
    .section = gti_section_avx2,
    .free_section = gti_free_section_avx2,
    .blend = gti_blend_avx512,
    .blend_add = gti_add_avx2,
    .harmonic_batch = &gti_harmonic_batch_avx512,
    .harmonic_live = &gti_harmonic_live_avx2,
};
#elif defined(__aarch64__)
static const GtiKernels neon = {
    .skin_linear = gti_skin_linear_neon,
    .skin_dual_quat = gti_skin_dual_quat_neon,
    .rigid = gti_rigid_scalar,
    .morph = gti_morph_scalar,
    .to_model = gti_to_model_neon,
    .unpack = gti_unpack_scalar,
    .section = gti_section_scalar,
    .free_section = gti_free_section_scalar,
    .blend = gti_blend_scalar,
    .blend_add = gti_add_scalar,
    .harmonic_batch = &gti_harmonic_batch_scalar,
    .harmonic_live = &gti_harmonic_live_scalar,
};
#endif

static const GtiKernels* const tables[GT_SIMD_LEVEL_COUNT] = {
    [GT_SIMD_SCALAR] = &scalar,
#if defined(__x86_64__)
    [GT_SIMD_AVX2] = &avx2,
    [GT_SIMD_AVX512] = &avx512,
#elif defined(__aarch64__)
    [GT_SIMD_NEON] = &neon,
#endif
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
