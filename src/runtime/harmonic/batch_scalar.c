// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Batches in plain C.
#include "runtime/lanes/lane_plain.h"

#include "runtime/harmonic/batch.h"

const GtiHarmonicKernels gti_harmonic_batch_scalar = BATCH_KERNELS;
