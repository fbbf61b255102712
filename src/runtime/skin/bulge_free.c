// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Dual quaternion skinning without its bulge, after Kim and Han 2014. Blended rigid motions turn a vertex about the
// joint, so that one beside the joint keeps its distance from the joint where it should keep that from the bone. Here
// it goes back: with distances a_k from the bones of its joints at rest and b_k when posed, outward directions u_k and
// squared weights s_k that sum to 1, a vertex moves by -max(0, sum s_k (b_k - a_k)) sum s_k u_k. Nothing is pushed out,
// so inner sides of bends stay; a vertex that follows one joint has b = a. Bones are found once a character.

#include "runtime/kernels.h"

enum {
    MAX_HELPERS = 8 // nodes between two joints that are no joints themselves
};

static float inverse_square(GtVec3 axis)
{
    float square = gt_vec3_dot(axis, axis);
    return square > 1e-30f ? 1.0f / square : 0.0f;
}

GtiPosedBone gti_bone_pose(const GtiSkinBone* bone, const GtMat34* model_from_mesh, const GtiJointMotion* motion)
{
    GtMat34 stretch = gt_mat34_identity();
    for (int i = 0; i < 9; ++i) {
        stretch.m[i / 3][i % 3] = motion->stretch[i];
    }
    GtiPosedBone posed = {
        .rest_origin = gt_mat34_vector(&stretch, bone->origin),
        .rest_axis = gt_mat34_vector(&stretch, bone->axis),
        .origin = gt_mat34_point(model_from_mesh, bone->origin),
        .axis = gt_mat34_vector(model_from_mesh, bone->axis),
    };
    posed.rest_inverse = inverse_square(posed.rest_axis);
    posed.inverse = inverse_square(posed.axis);
    return posed;
}

// The joint that joint `j` hangs at, or GT_NONE.
static int32_t joint_above(const GtCharacterDef* character, const GtSkinDef* skin, const int32_t* joint_of, int32_t j)
{
    int32_t node = character->parents[skin->joints[j]];
    for (int step = 0; step < MAX_HELPERS && node != GT_NONE && joint_of[node] == GT_NONE; ++step) {
        node = character->parents[node];
    }
    return node == GT_NONE ? GT_NONE : joint_of[node];
}

void gti_bones_find(const GtCharacterDef* character, const GtSkinDef* skin, int32_t* joint_of, GtiSkinBone* out)
{
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        GtMat34 mesh_from_joint = gt_mat34_inverse(&skin->joint_from_mesh[j], NULL);
        out[j].origin = gt_mat34_translation(&mesh_from_joint);
        out[j].axis = gt_vec3(0.0f, 0.0f, 0.0f);
        out[j].child_count = 0;
        joint_of[skin->joints[j]] = j;
    }
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        int32_t above = joint_above(character, skin, joint_of, j);
        if (above != GT_NONE) {
            out[above].axis = gt_vec3_add(out[above].axis, gt_vec3_sub(out[j].origin, out[above].origin));
            ++out[above].child_count;
        }
    }
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        int32_t above = joint_above(character, skin, joint_of, j);
        if (out[j].child_count > 0) {
            out[j].axis = gt_vec3_scale(out[j].axis, 1.0f / (float)out[j].child_count);
        } else if (above != GT_NONE) {
            out[j].axis = gt_vec3_sub(out[j].origin, out[above].origin);
        }
    }
    for (int32_t j = 0; j < skin->joint_count; ++j) {
        joint_of[skin->joints[j]] = GT_NONE;
    }
}

static size_t scratch_size(const GtCharacterDef* character, const GtMeshDef* mesh)
{
    return (size_t)character->skins[mesh->skin].joint_count * (sizeof(GtiJointMotion) + sizeof(GtiPosedBone));
}

static void apply(const GtiDeformStep* step)
{
    GtiJointMotion* motions = step->scratch;
    gti_skin_dual_quat_run(step, motions,
                           (GtiPosedBone*)(motions + step->character->skins[step->mesh->skin].joint_count));
}

const GtiDeformer gti_skin_bulge_free = {
    .name = "bulge-free skin",
    .kind = GT_DEFORMER_SKIN,
    .skin_method = GT_SKIN_BULGE_FREE,
    .input = GTI_SPACE_REST,
    .output = GTI_SPACE_MODEL,
    .reads = GTI_READS_JOINTS,
    .unit_normals = true,
    .scratch_size = scratch_size,
    .apply = apply,
    .slopes = gti_skin_dual_quat_slopes,
};
