// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Dual quaternion skinning (Kavan, Collins, Zara, O'Sullivan 2008) in two phases, so that scales survive: every
// skinning matrix is taken apart into rotation, stretch and translation; stretches are blended as matrices and act in
// rest space, then rotation and translation are blended as one dual quaternion, divided by its length. q and -q are the
// same motion: each is taken with the sign that has it on the side of the vertex's heaviest influence, so that the sum
// has at least that influence's length and never vanishes. A mirror stays in the stretch.

#include "runtime/kernels.h"

static int32_t heaviest(const float* weights, int32_t count)
{
    int32_t best = 0;
    for (int32_t k = 1; k < count; ++k) {
        best = weights[k] > weights[best] ? k : best;
    }
    return best;
}

static void add_scaled(GtQuat* sum, GtQuat q, float scale)
{
    sum->x += scale * q.x;
    sum->y += scale * q.y;
    sum->z += scale * q.z;
    sum->w += scale * q.w;
}

static GtDualQuat blend(const GtiJointMotion* motions, const uint16_t* joints, const float* weights, int32_t count,
                        GtMat34* rest_from_mesh)
{
    GtDualQuat sum = { { 0.0f, 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 0.0f } };
    GtMat34 stretch = { { { 0.0f } } };
    GtQuat pivot = motions[joints[heaviest(weights, count)]].motion.real;
    for (int32_t k = 0; k < count; ++k) {
        const GtiJointMotion* joint = &motions[joints[k]];
        float sign = gt_quat_dot(joint->motion.real, pivot) < 0.0f ? -1.0f : 1.0f;
        add_scaled(&sum.real, joint->motion.real, sign * weights[k]);
        add_scaled(&sum.dual, joint->motion.dual, sign * weights[k]);
        for (int i = 0; i < 9; ++i) {
            stretch.m[i / 3][i % 3] += weights[k] * joint->stretch[i];
        }
    }
    *rest_from_mesh = stretch;
    return gt_dual_quat_normalize(sum);
}

void gti_skin_dual_quat_scalar(const GtiDualQuatSkinJob* job, int32_t first, int32_t end)
{
    size_t count = (size_t)job->influence_count;
    for (int32_t i = first; i < end; ++i) {
        size_t at = (size_t)i * count;
        GtMat34 stretch;
        GtDualQuat motion = blend(job->motions, &job->joints[at], &job->weights[at], job->influence_count, &stretch);
        job->out.positions[i] = gt_dual_quat_point(motion, gt_mat34_vector(&stretch, job->in.positions[i]));
        if (job->out.normals) {
            GtVec3 normal = gt_mat34_normal(&stretch, job->in.normals[i]);
            job->out.normals[i] = gti_unit(gt_quat_rotate(motion.real, normal));
        }
        if (job->out.tangents) {
            GtVec3 tangent = gt_mat34_vector(&stretch, gti_tangent_get(job->in.tangents, i));
            gti_tangent_put(job->out.tangents, job->in.tangents, i, gt_quat_rotate(motion.real, tangent));
        }
    }
}

static size_t scratch_size(const GtCharacterDef* character, const GtMeshDef* mesh)
{
    return (size_t)character->skins[mesh->skin].joint_count * sizeof(GtiJointMotion);
}

static void apply(const GtiDeformStep* step)
{
    const GtMeshDef* mesh = step->mesh;
    const GtSkinDef* skin = &step->character->skins[mesh->skin];
    GtiJointMotion* motions = step->scratch;
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        GtMat34 model_from_mesh = gt_mat34_mul(step->model_from_node[skin->joints[j]], skin->joint_from_mesh[j]);
        GtQuat rotation = gt_mat34_polar(&model_from_mesh, motions[j].stretch);
        motions[j].motion = gt_dual_quat(rotation, gt_mat34_translation(&model_from_mesh));
    }
    GtiDualQuatSkinJob job = {
        .in = step->in,
        .out = step->out,
        .influence_count = mesh->influence_count,
        .joints = mesh->joints,
        .weights = mesh->weights,
        .motions = motions,
    };
    gti_kernels()->skin_dual_quat(&job, 0, mesh->vertex_count);
}

const GtiDeformer gti_skin_dual_quat = {
    .name = "dual quaternion skin",
    .kind = GT_DEFORMER_SKIN,
    .skin_method = GT_SKIN_DUAL_QUATERNION,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_MODEL,
    .reads = GTI_READS_JOINTS,
    .unit_normals = true,
    .scratch_size = scratch_size,
    .apply = apply,
};
