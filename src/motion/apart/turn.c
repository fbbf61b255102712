// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Both bones of a limb turn with the plane that it bends in, so that elbows and knees stay hinges.

#include "motion/apart/apart.h"
#include "motion/retarget/posture.h"

#include <math.h>

static const float UNCLEAR_BEND = 0.05f; // sine of a bend about as small as this says little about its plane

// Axes of a bone, with the hinge across it.
static GtQuat axes_of(GtVec3 bone, GtVec3 hinge)
{
    GtVec3 x = gt_vec3_normalize_or(bone, gt_vec3(1.0f, 0.0f, 0.0f));
    GtVec3 y = gt_vec3_sub(hinge, gt_vec3_scale(x, gt_vec3_dot(hinge, x)));
    y = gt_vec3_normalize_or(y,
                             gt_vec3_normalize_or(gt_vec3_cross(x, gt_vec3(x.z, x.x, x.y)), gt_vec3(0.0f, 1.0f, 0.0f)));
    return gti_quat_from_axes(x, y, gt_vec3_cross(x, y));
}

// What the limb bends about: across both bones where it is bent, else as it bends in the common pose.
static GtVec3 hinge_of(const GtVec3* at, GtVec3 usual)
{
    GtVec3 upper = gt_vec3_normalize_or(gt_vec3_sub(at[1], at[0]), gt_vec3(0.0f, 0.0f, 0.0f));
    GtVec3 fore = gt_vec3_normalize_or(gt_vec3_sub(at[2], at[1]), gt_vec3(0.0f, 0.0f, 0.0f));
    return gt_vec3_add(gt_vec3_cross(upper, fore), gt_vec3_scale(usual, UNCLEAR_BEND));
}

// Give a node a rotation in the model; what is above it has turned by `above`.
static void set_rotation(const GtiLimbBody* body, int32_t node, GtQuat rotation, GtQuat above, const GtQuat* rotations,
                         GtTransform* pose)
{
    GtQuat holder = gt_quat_mul(above, gti_parent_rotation(body->figure->def, rotations, node));
    pose[node].rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(holder), rotation));
}

void gti_limb_turn(const GtiLimbBody* body, int limb, const GtiLimbShift* shift, const GtMat34* model,
                   const GtQuat* rotations, GtTransform* pose)
{
    const GtiAlignedFigure* figure = body->figure;
    const int32_t* nodes = body->nodes[limb];
    GtiLimbPoints was = { 0 };
    for (int s = 0; s < GTI_LIMB_SEGMENTS; ++s) {
        was.at[s] = gt_mat34_translation(&model[nodes[s]]);
    }
    was.at[3] = was.at[2];
    GtiLimbPoints now = gti_limb_shifted(&was, shift);
    GtVec3 axis = limb >= GTI_LIMB_LEFT_LEG   ? gt_vec3(1.0f, 0.0f, 0.0f)
                  : limb == GTI_LIMB_LEFT_ARM ? gt_vec3(0.0f, -1.0f, 0.0f)
                                              : gt_vec3(0.0f, 1.0f, 0.0f);
    GtQuat turn = gt_quat_mul(rotations[nodes[0]], gt_quat_conjugate(figure->aligned.rotations[nodes[0]]));
    GtVec3 upper_was = gt_vec3_sub(was.at[1], was.at[0]), upper = gt_vec3_sub(now.at[1], now.at[0]);
    GtVec3 fore_was = gt_vec3_sub(was.at[2], was.at[1]), fore = gt_vec3_sub(now.at[2], now.at[1]);
    GtVec3 usual = gt_quat_rotate(turn, axis);
    GtVec3 hinge_was = hinge_of(was.at, usual);
    GtVec3 hinge = hinge_of(now.at, gt_quat_rotate(gt_quat_between(upper_was, upper), usual));
    GtQuat turn_upper = gt_quat_mul(axes_of(upper, hinge), gt_quat_conjugate(axes_of(upper_was, hinge_was)));
    GtQuat turn_fore = gt_quat_mul(axes_of(fore, hinge), gt_quat_conjugate(axes_of(fore_was, hinge_was)));
    set_rotation(body, nodes[0], gt_quat_mul(turn_upper, rotations[nodes[0]]), gt_quat_identity(), rotations, pose);
    set_rotation(body, nodes[1], gt_quat_mul(turn_fore, rotations[nodes[1]]), turn_upper, rotations, pose);
    set_rotation(body, nodes[2], rotations[nodes[2]], turn_fore, rotations, pose);
}
