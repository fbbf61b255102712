// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Batches in AVX2 and FMA.

#include "runtime/lanes/lane_avx2.h"

#include "runtime/harmonic/batch.h"

const GtiHarmonicKernels gti_harmonic_batch_avx2 = BATCH_KERNELS;
