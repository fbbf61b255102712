// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning in NEON, four vertices at a time.

#include "runtime/lanes/vertex_neon.h"

#include "runtime/skin/linear_lanes.h"

void gti_skin_linear_neon(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    skin_linear(job, first, end);
}
