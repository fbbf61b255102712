// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning in AVX2 and FMA, eight vertices at a time.
// CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/lanes/vertex_avx2.h"

#include "runtime/skin/linear_lanes.h"

void gti_skin_linear_avx2(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    skin_linear(job, first, end);
}

#else
typedef int gti_no_skin_linear_avx2; // a file must hold something
#endif
