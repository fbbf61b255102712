// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Dual quaternion skinning (Kavan, Collins, Zara, O'Sullivan 2008) in two phases, so that scales survive: every
// skinning matrix is taken apart into rotation, stretch and translation; stretches are blended as matrices and act in
// rest space, then rotation and translation are blended as one dual quaternion, divided by its length. q and -q are the
// same motion: each is taken with the sign that has it on the side of the vertex's heaviest influence, so that the sum
// has at least that influence's length and never vanishes. A mirror stays in the stretch. Most joints only turn and
// move: such matrices are taken as they are, and where all are of that kind stretches are left out.

#include "base/rotation.h"
#include "runtime/kernels.h"

#include <math.h>
#include <string.h>

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

static GtDualQuat blend(const GtiJointMotion* motions, const uint16_t* joints, const float* weights, int32_t count)
{
    GtDualQuat sum = { { 0.0f, 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 0.0f } };
    GtQuat pivot = motions[joints[heaviest(weights, count)]].motion.real;
    for (int32_t k = 0; k < count; ++k) {
        const GtiJointMotion* joint = &motions[joints[k]];
        float sign = gt_quat_dot(joint->motion.real, pivot) < 0.0f ? -1.0f : 1.0f;
        add_scaled(&sum.real, joint->motion.real, sign * weights[k]);
        add_scaled(&sum.dual, joint->motion.dual, sign * weights[k]);
    }
    return gt_dual_quat_normalize(sum);
}

static GtMat34 blend_stretches(const GtiJointMotion* motions, const uint16_t* joints, const float* weights,
                               int32_t count)
{
    GtMat34 stretch = { { { 0.0f } } };
    for (int32_t k = 0; k < count; ++k) {
        for (int i = 0; i < 9; ++i) {
            stretch.m[i / 3][i % 3] += weights[k] * motions[joints[k]].stretch[i];
        }
    }
    return stretch;
}

// From the nearest point of a segment to `p`.
static GtVec3 from_segment(GtVec3 origin, GtVec3 axis, float inverse, GtVec3 p)
{
    GtVec3 d = gt_vec3_sub(p, origin);
    float t = gt_vec3_dot(d, axis) * inverse;
    return gt_vec3_sub(d, gt_vec3_scale(axis, t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t));
}

// See skin_bulge_free.c.
static GtVec3 pull_in(const GtiPosedBone* bones, const uint16_t* joints, const float* weights, int32_t count,
                      GtVec3 rest, GtVec3 posed)
{
    float total = 0.0f;
    float excess = 0.0f;
    GtVec3 outward = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t k = 0; k < count; ++k) {
        const GtiPosedBone* bone = &bones[joints[k]];
        GtVec3 before = from_segment(bone->rest_origin, bone->rest_axis, bone->rest_inverse, rest);
        GtVec3 after = from_segment(bone->origin, bone->axis, bone->inverse, posed);
        float distance = gt_vec3_length(after);
        float weight = weights[k] * weights[k];
        total += weight;
        excess += weight * (distance - gt_vec3_length(before));
        outward = gt_vec3_add(outward, gt_vec3_scale(after, distance > 1e-15f ? weight / distance : 0.0f));
    }
    return excess > 0.0f ? gt_vec3_sub(posed, gt_vec3_scale(outward, excess / (total * total))) : posed;
}

void gti_skin_dual_quat_scalar(const GtiDualQuatSkinJob* job, int32_t first, int32_t end)
{
    size_t count = (size_t)job->influence_count;
    for (int32_t i = first; i < end; ++i) {
        size_t at = (size_t)i * count;
        const uint16_t* joints = &job->joints[at];
        const float* weights = &job->weights[at];
        GtDualQuat motion = blend(job->motions, joints, weights, job->influence_count);
        GtMat34 stretch =
            job->rigid ? gt_mat34_identity() : blend_stretches(job->motions, joints, weights, job->influence_count);
        GtVec3 rest = gt_mat34_vector(&stretch, job->in.positions[i]);
        GtVec3 posed = gt_dual_quat_point(motion, rest);
        job->out.positions[i] =
            job->bones ? pull_in(job->bones, joints, weights, job->influence_count, rest, posed) : posed;
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

// True where a matrix turns and moves and does nothing else: its columns are unit vectors across each other, within
// what rounding leaves of a long chain of joints.
static bool is_rigid(double r[3][3])
{
    double worst = 0.0;
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double product = r[0][i] * r[0][j] + r[1][i] * r[1][j] + r[2][i] * r[2][j];
            worst = fmax(worst, fabs(product - (i == j ? 1.0 : 0.0)));
        }
    }
    return worst <= 4e-6 && gti_determinant3(r) > 0.0; // NaN fails the second
}

bool gti_joint_motion(const GtMat34* model_from_mesh, GtiJointMotion* out)
{
    static const float identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    double r[3][3];
    gti_mat34_linear(model_from_mesh, r);
    bool rigid = is_rigid(r);
    GtQuat rotation;
    if (rigid) {
        rotation = gt_quat_normalize(gti_quat_from_rotation(r));
        memcpy(out->stretch, identity, sizeof identity);
    } else {
        rotation = gt_mat34_polar(model_from_mesh, out->stretch);
    }
    out->motion = gt_dual_quat(rotation, gt_mat34_translation(model_from_mesh));
    memset(out->pad, 0, sizeof out->pad); // wide kernels blend it too
    return rigid;
}

void gti_skin_dual_quat_run(const GtiDeformStep* step, GtiJointMotion* motions, GtiPosedBone* bones)
{
    const GtMeshDef* mesh = step->mesh;
    const GtSkinDef* skin = &step->character->skins[mesh->skin];
    bool rigid = true;
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        GtMat34 model_from_mesh = gt_mat34_mul(step->model_from_node[skin->joints[j]], skin->joint_from_mesh[j]);
        rigid &= gti_joint_motion(&model_from_mesh, &motions[j]);
        if (bones) {
            bones[j] = gti_bone_pose(&step->bones[j], &model_from_mesh, &motions[j]);
        }
    }
    GtiDualQuatSkinJob job = {
        .in = step->in,
        .out = step->out,
        .influence_count = mesh->influence_count,
        .joints = mesh->joints,
        .weights = mesh->weights,
        .motions = motions,
        .bones = bones,
        .rigid = rigid,
    };
    gti_kernels()->skin_dual_quat(&job, 0, mesh->vertex_count);
}

void gti_skin_dual_quat_slopes(const GtiDeformStep* step, const uint32_t* vertices, int32_t count, GtMat34* out)
{
    const GtMeshDef* mesh = step->mesh;
    const GtiJointMotion* motions = step->mover_scratch;
    for (int32_t i = 0; i < count; ++i) {
        size_t at = (size_t)vertices[i] * (size_t)mesh->influence_count;
        const uint16_t* joints = &mesh->joints[at];
        const float* weights = &mesh->weights[at];
        GtQuat turn = blend(motions, joints, weights, mesh->influence_count).real;
        GtMat34 stretch = blend_stretches(motions, joints, weights, mesh->influence_count);
        GtTransform rotation = gt_transform_identity();
        rotation.rotation = turn;
        out[i] = gt_mat34_mul(gt_mat34_from_transform(rotation), stretch);
    }
}

static void apply(const GtiDeformStep* step)
{
    gti_skin_dual_quat_run(step, step->scratch, NULL);
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
    .slopes = gti_skin_dual_quat_slopes,
};
