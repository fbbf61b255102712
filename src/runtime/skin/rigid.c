// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A mesh without a skin moves with its node: positions by the matrix, normals by its cofactors, tangents by its linear
// part.

#include "runtime/kernels.h"

void gti_rigid_scalar(const GtiRigidJob* job, int32_t first, int32_t end)
{
    const GtMat34* matrix = &job->model_from_mesh;
    for (int32_t i = first; i < end; ++i) {
        job->out.positions[i] = gt_mat34_point(matrix, job->in.positions[i]);
    }
    for (int32_t i = first; job->out.normals && i < end; ++i) {
        job->out.normals[i] = gti_unit(gt_mat34_normal(matrix, job->in.normals[i]));
    }
    for (int32_t i = first; job->out.tangents && i < end; ++i) {
        GtVec3 tangent = gt_mat34_vector(matrix, gti_tangent_get(job->in.tangents, i));
        gti_tangent_put(job->out.tangents, job->in.tangents, i, tangent);
    }
}

static void apply(const GtiDeformStep* step)
{
    GtiRigidJob job = {
        .in = step->in,
        .out = step->out,
        .model_from_mesh = step->model_from_node[step->mesh->node],
    };
    gti_kernels()->rigid(&job, 0, step->mesh->vertex_count);
}

static void slopes(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out)
{
    (void)vertices;
    for (int32_t i = 0; i < count; ++i) {
        out[i] = step->model_from_node[step->mesh->node];
    }
}

const GtiDeformer gti_rigid = {
    .name = "rigid",
    .kind = GT_DEFORMER_KIND_COUNT,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_MODEL,
    .reads = GTI_READS_NODE,
    .unit_normals = true,
    .apply = apply,
    .slopes = slopes,
};
