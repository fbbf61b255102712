// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning (Magnenat-Thalmann, Laperriere, Thalmann 1988), as glTF 2.0 section 3.7.3.3 asks:
// v' = sum_j w_j M_j v with M_j = model_from_joint * joint_from_mesh. A normal follows the cofactors of the blended
// matrix, which is right under uneven scale where the blended matrix itself is not, and stays on its side under
// mirrors.

#include "runtime/kernels.h"

static GtMat34 blend(const GtMat34* matrices, const uint16_t* joints, const float* weights, int32_t count)
{
    GtMat34 sum = { { { 0.0f } } };
    for (int32_t k = 0; k < count; ++k) {
        const GtMat34* matrix = &matrices[joints[k]];
        float weight = weights[k];
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 4; ++column) {
                sum.m[row][column] += weight * matrix->m[row][column];
            }
        }
    }
    return sum;
}

void gti_skin_linear_scalar(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    size_t count = (size_t)job->influence_count;
    for (int32_t i = first; i < end; ++i) {
        size_t at = (size_t)i * count;
        GtMat34 matrix = blend(job->model_from_mesh, &job->joints[at], &job->weights[at], job->influence_count);
        job->out.positions[i] = gt_mat34_point(&matrix, job->in.positions[i]);
        if (job->out.normals) {
            job->out.normals[i] = gti_unit(gt_mat34_normal(&matrix, job->in.normals[i]));
        }
        if (job->out.tangents) {
            GtVec3 tangent = gt_mat34_vector(&matrix, gti_tangent_get(job->in.tangents, i));
            gti_tangent_put(job->out.tangents, job->in.tangents, i, tangent);
        }
    }
}

static size_t scratch_size(const GtCharacterDef* character, const GtMeshDef* mesh)
{
    return (size_t)character->skins[mesh->skin].joint_count * sizeof(GtMat34);
}

static void begin(const GtiDeformStep* step)
{
    const GtSkinDef* skin = &step->character->skins[step->mesh->skin];
    GtMat34* model_from_mesh = step->scratch;
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        model_from_mesh[j] = gt_mat34_mul(step->model_from_node[skin->joints[j]], skin->joint_from_mesh[j]);
    }
}

static void run(const GtiDeformStep* step, int32_t first, int32_t end)
{
    const GtMeshDef* mesh = step->mesh;
    GtiLinearSkinJob job = {
        .in = step->rest,
        .out = step->out,
        .influence_count = mesh->influence_count,
        .joints = mesh->joints,
        .weights = mesh->weights,
        .model_from_mesh = step->mover_scratch,
    };
    gti_kernels()->skin_linear(&job, first, end);
}

static void apply(const GtiDeformStep* step)
{
    begin(step);
    run(step, 0, step->mesh->vertex_count);
}

static void slopes(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out)
{
    const GtMeshDef* mesh = step->mesh;
    for (int32_t i = 0; i < count; ++i) {
        size_t at = (size_t)vertices[i] * (size_t)mesh->influence_count;
        out[i] = blend(step->mover_scratch, &mesh->joints[at], &mesh->weights[at], mesh->influence_count);
    }
}

const GtiDeformer gti_skin_linear = {
    .name = "linear skin",
    .kind = GT_DEFORMER_SKIN,
    .skin_method = GT_SKIN_LINEAR,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_MODEL,
    .reads = GTI_READS_JOINTS,
    .unit_normals = true,
    .scratch_size = scratch_size,
    .apply = apply,
    .slopes = slopes,
    .begin = begin,
    .run = run,
};
