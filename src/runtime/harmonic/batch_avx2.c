// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Batches in AVX2 and FMA.
// CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/lanes/lane_avx2.h"

#include "runtime/harmonic/batch.h"

const GtiHarmonicKernels gti_harmonic_batch_avx2 = BATCH_KERNELS;

#else
typedef int gti_no_batch_avx2; // a file must hold something
#endif
