// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One frame in AVX2 and FMA.
// CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/lanes/lane_fma.h"

#include "runtime/harmonic/live.h"

const GtiHarmonicKernels gti_harmonic_live_avx2 = LIVE_KERNELS;

#else
typedef int gti_no_live_avx2; // a file must hold something
#endif
