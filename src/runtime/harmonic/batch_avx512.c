// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Batches in AVX-512.
// CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX512F__)

#include "runtime/lanes/lane_avx512.h"

#include "runtime/harmonic/batch.h"

const GtiHarmonicKernels gti_harmonic_batch_avx512 = BATCH_KERNELS;

#else
typedef int gti_no_batch_avx512; // a file must hold something
#endif
