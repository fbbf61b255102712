// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning in NEON, four vertices at a time. Empty on other processors.

#if defined(__aarch64__)

#include "runtime/lanes/vertex_neon.h"

#include "runtime/skin/linear_lanes.h"

void gti_skin_linear_neon(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    skin_linear(job, first, end);
}

#else
typedef int gti_no_skin_linear_neon; // a file must hold something
#endif
