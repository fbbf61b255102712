// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which kernels run. The choice is made at the first question and kept; GERTIE_SIMD can only lower it.

#include "gertie/simd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

enum {
    UNDECIDED = -1
};

static _Atomic int chosen = UNDECIDED;

GtSimdLevel gt_simd_level_supported(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    __builtin_cpu_init();
    bool half_floats = __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
    if (!half_floats || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        return GT_SIMD_SCALAR;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return GT_SIMD_AVX512;
    }
    return GT_SIMD_AVX2;
#elif defined(__aarch64__)
    return GT_SIMD_NEON;
#else
    return GT_SIMD_SCALAR;
#endif
}

const char* gt_simd_level_name(GtSimdLevel level)
{
    static const char* const names[GT_SIMD_LEVEL_COUNT] = { "scalar", "avx2", "avx512", "neon" };
    return (unsigned)level < GT_SIMD_LEVEL_COUNT ? names[level] : "unknown";
}

static GtSimdLevel cut(int level)
{
#if defined(__aarch64__)
    const int first_wide = GT_SIMD_NEON;
#else
    const int first_wide = GT_SIMD_AVX2;
#endif
    int supported = (int)gt_simd_level_supported();
    int most = level < supported ? level : supported;
    return most < first_wide ? GT_SIMD_SCALAR : (GtSimdLevel)most;
}

static GtSimdLevel level_at_start(void)
{
    const char* wanted = getenv("GERTIE_SIMD");
    for (int level = 0; wanted && level < GT_SIMD_LEVEL_COUNT; ++level) {
        if (strcmp(wanted, gt_simd_level_name((GtSimdLevel)level)) == 0) {
            return cut(level);
        }
    }
    return gt_simd_level_supported();
}

GtSimdLevel gt_simd_level(void)
{
    int level = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (level == UNDECIDED) {
        int start = (int)level_at_start();
        // Another thread may have set a level meanwhile: then that one counts, and `level` receives it.
        if (atomic_compare_exchange_strong_explicit(&chosen, &level, start, memory_order_relaxed,
                                                    memory_order_relaxed)) {
            level = start;
        }
    }
    return (GtSimdLevel)level;
}

void gt_simd_level_set(GtSimdLevel level)
{
    atomic_store_explicit(&chosen, (int)cut((int)level), memory_order_relaxed);
}
