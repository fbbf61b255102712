// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning in AVX2 and FMA, eight vertices at a time.

#include "runtime/lanes/vertex_avx2.h"

#include "runtime/skin/linear_lanes.h"

void gti_skin_linear_avx2(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    skin_linear(job, first, end);
}
