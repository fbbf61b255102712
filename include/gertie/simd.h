// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: processor levels: which instruction sets the kernels may use.
///
/// **Threads.** Any thread may ask. gt_simd_level_set() is for the start of a program and for tests, while nobody else
/// works.

#ifndef GERTIE_SIMD_H
#define GERTIE_SIMD_H

#include "gertie/api.h"

GT_EXTERN_C_BEGIN

/// Instruction sets, weakest first. A level includes those before it on the same kind of processor.
typedef enum GtSimdLevel {
    GT_SIMD_SCALAR = 0, ///< plain C: the specification of every kernel
    GT_SIMD_AVX2,       ///< x86-64 with AVX2, FMA and F16C
    GT_SIMD_AVX512,     ///< and AVX-512 F, BW, DQ, VL
    GT_SIMD_NEON,       ///< 64-bit ARM
    GT_SIMD_LEVEL_COUNT
} GtSimdLevel;

/// Highest level this processor and operating system can run.
GT_API GtSimdLevel gt_simd_level_supported(void);

/// Level in use: the supported one, unless lowered by gt_simd_level_set() or by GERTIE_SIMD, a name.
GT_API GtSimdLevel gt_simd_level(void);

/// Use at most `level` from now on; a level above the supported one is cut to it, and a lower one of another kind of
/// processor to GT_SIMD_SCALAR. For tests and benchmarks.
GT_API void gt_simd_level_set(GtSimdLevel level);

/// "scalar", "avx2", "avx512" or "neon".
GT_API const char* gt_simd_level_name(GtSimdLevel level);

GT_EXTERN_C_END

#endif
