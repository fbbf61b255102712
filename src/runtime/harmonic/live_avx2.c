// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One frame in AVX2 and FMA.

#include "runtime/lanes/lane_fma.h"

#include "runtime/harmonic/live.h"

const GtiHarmonicKernels gti_harmonic_live_avx2 = LIVE_KERNELS;
