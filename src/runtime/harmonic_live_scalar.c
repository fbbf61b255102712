// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One frame in plain C.
#include "runtime/lane_plain.h"

#include "runtime/harmonic_live.h"

const GtiHarmonicKernels gti_harmonic_live_scalar = LIVE_KERNELS;
