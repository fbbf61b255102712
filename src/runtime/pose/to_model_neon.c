// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms to model matrices in NEON: four matrices at a time, and a row of a product in one vector. Empty on
// other processors.

#include "runtime/lanes/vertex_neon.h"

// Entries of a's rows times b's rows, summed in the order of gt_mat34_mul(). Where nothing is to be moved, -0 is added,
// which changes nothing.
INLINE void multiply_matrices(const float* a, float* b)
{
    Lane rows[3] = { lane_load(b), lane_load(b + 4), lane_load(b + 8) };
    for (int i = 0; i < 3; ++i) {
        Lane entries = lane_load(a + 4 * i);
        Lane sum = lane_add(vmulq_laneq_f32(rows[0], entries, 0), vmulq_laneq_f32(rows[1], entries, 1));
        sum = lane_add(sum, vmulq_laneq_f32(rows[2], entries, 2));
        lane_store(b + 4 * i, lane_add(sum, vcopyq_laneq_f32(lane_set(-0.0f), 3, entries, 3)));
    }
}

#include "runtime/pose/to_model_lanes.h"

void gti_to_model_neon(const GtiToModelJob* job)
{
    to_model(job);
}
