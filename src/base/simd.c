// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/simd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int chosen = -1;

GtSimdLevel gt_simd_level_supported(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return GT_SIMD_SCALAR;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return GT_SIMD_AVX512;
    }
    return GT_SIMD_AVX2;
#else
    return GT_SIMD_SCALAR;
#endif
}

const char* gt_simd_level_name(GtSimdLevel level)
{
    static const char* const names[GT_SIMD_LEVEL_COUNT] = { "scalar", "avx2", "avx512" };
    return (unsigned)level < GT_SIMD_LEVEL_COUNT ? names[level] : "unknown";
}

static GtSimdLevel level_at_start(void)
{
    GtSimdLevel supported = gt_simd_level_supported();
    const char* wanted = getenv("GERTIE_SIMD");
    for (int level = 0; wanted && level < (int)supported; ++level) {
        if (strcmp(wanted, gt_simd_level_name((GtSimdLevel)level)) == 0) {
            return (GtSimdLevel)level;
        }
    }
    return supported;
}

GtSimdLevel gt_simd_level(void)
{
    int level = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (level < 0) { // two threads may both get here: they find the same answer
        level = (int)level_at_start();
        atomic_store_explicit(&chosen, level, memory_order_relaxed);
    }
    return (GtSimdLevel)level;
}

void gt_simd_level_set(GtSimdLevel level)
{
    GtSimdLevel supported = gt_simd_level_supported();
    atomic_store_explicit(&chosen, (int)(level < supported ? level : supported), memory_order_relaxed);
}
