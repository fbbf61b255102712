// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Batches in AVX-512.

#include "runtime/lanes/lane_avx512.h"

#include "runtime/harmonic/batch.h"

const GtiHarmonicKernels gti_harmonic_batch_avx512 = BATCH_KERNELS;
