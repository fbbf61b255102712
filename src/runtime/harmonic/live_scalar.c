// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One frame in plain C.
#include "runtime/lanes/lane_plain.h"

#include "runtime/harmonic/live.h"

const GtiHarmonicKernels gti_harmonic_live_scalar = LIVE_KERNELS;
