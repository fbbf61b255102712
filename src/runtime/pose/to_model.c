// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms to model matrices: one pass, parents first.

#include "runtime/kernels.h"

void gti_to_model_scalar(const GtiToModelJob* job)
{
    for (int32_t i = 0; i < job->node_count; ++i) {
        GtMat34 parent_from_node = gt_mat34_from_transform(job->pose[i]);
        int32_t parent = job->parents[i];
        job->model_from_node[i] =
            parent == GT_NONE ? parent_from_node : gt_mat34_mul(job->model_from_node[parent], parent_from_node);
    }
}
