// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Dual quaternion skinning in AVX-512, sixteen vertices at a time.

#include "runtime/lanes/vertex_avx512.h"

#include "runtime/skin/dual_quat_lanes.h"

void gti_skin_dual_quat_avx512(const GtiDualQuatSkinJob* job, int32_t first, int32_t end)
{
    skin_dual_quat(job, first, end);
}
