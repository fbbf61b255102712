// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms to model matrices in AVX2: eight matrices at a time, and two rows of a product in one vector.

#include "runtime/lanes/vertex_avx2.h"

// A row of a * b in each half: entries of a's rows times b's rows, summed in the order of gt_mat34_mul(). Where nothing
// is to be moved, -0 is added, which changes nothing.
INLINE Lane multiply_rows(Lane a, const Lane b[3])
{
    const Lane nothing = lane_set(-0.0f);
    Lane sum = lane_add(lane_mul(_mm256_permute_ps(a, 0x00), b[0]), lane_mul(_mm256_permute_ps(a, 0x55), b[1]));
    sum = lane_add(sum, lane_mul(_mm256_permute_ps(a, 0xAA), b[2]));
    return lane_add(sum, _mm256_blend_ps(nothing, a, 0x88));
}

// b becomes a * b.
INLINE void multiply_matrices(const float* a, float* b)
{
    Lane rows[3];
    for (int i = 0; i < 3; ++i) {
        rows[i] = _mm256_broadcast_ps((const __m128*)(b + 4 * i));
    }
    Lane upper = multiply_rows(lane_load(a), rows);
    Lane lower = multiply_rows(_mm256_castps128_ps256(_mm_load_ps(a + 8)), rows);
    lane_store(b, upper);
    _mm_store_ps(b + 8, _mm256_castps256_ps128(lower));
}

#include "runtime/pose/to_model_lanes.h"

void gti_to_model_avx2(const GtiToModelJob* job)
{
    to_model(job);
}
