// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms to model matrices in AVX-512: sixteen matrices at a time, and a product in one vector.

#include "runtime/lanes/vertex_avx512.h"

// Two loads and two stores, as the parent's were: one store is seen by a later load only where it holds all of it.
INLINE Lane load_matrix(const float* from)
{
    return _mm512_insertf32x4(_mm512_castps256_ps512(_mm256_loadu_ps(from)), _mm_load_ps(from + 8), 2);
}

INLINE void store_matrix(float* to, Lane a)
{
    _mm256_storeu_ps(to, _mm512_castps512_ps256(a));
    _mm_store_ps(to + 8, _mm512_extractf32x4_ps(a, 2));
}

// Entries of a's rows times b's rows, summed in the order of gt_mat34_mul(). Where nothing is to be moved, -0 is added,
// which changes nothing.
INLINE void multiply_matrices(const float* a, float* b)
{
    const Lane nothing = lane_set(-0.0f);
    Lane rows = load_matrix(a);
    Lane sum = lane_add(lane_mul(_mm512_permute_ps(rows, 0x00), _mm512_broadcast_f32x4(_mm_load_ps(b))),
                        lane_mul(_mm512_permute_ps(rows, 0x55), _mm512_broadcast_f32x4(_mm_load_ps(b + 4))));
    sum = lane_add(sum, lane_mul(_mm512_permute_ps(rows, 0xAA), _mm512_broadcast_f32x4(_mm_load_ps(b + 8))));
    store_matrix(b, lane_add(sum, _mm512_mask_blend_ps(0x0888, nothing, rows)));
}

#include "runtime/pose/to_model_lanes.h"

void gti_to_model_avx512(const GtiToModelJob* job)
{
    to_model(job);
}
