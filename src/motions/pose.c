// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motions/pose.h"

#include "base/quat_double.h"
#include "motion/mass.h"
#include "motions/curve.h"

GtHumanoidJoint gti_side_joint(GtHumanoidJoint left, int side)
{
    return side == GTI_LEFT ? left : gt_humanoid_mirror(left);
}

GtQuat gti_turn(double x_deg, double y_deg, double z_deg)
{
    GtQuat x = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), (float)(x_deg * GTI_DEGREE));
    GtQuat y = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), (float)(y_deg * GTI_DEGREE));
    GtQuat z = gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), (float)(z_deg * GTI_DEGREE));
    return gt_quat_mul(y, gt_quat_mul(x, z));
}

GtVec3 gti_offset(const GtiSkeleton* skeleton, GtHumanoidJoint joint)
{
    int32_t parent = gt_humanoid_parent(joint);
    GtVec3 point = skeleton->joints[joint];
    return parent == GT_NONE ? point : gt_vec3_sub(point, skeleton->joints[parent]);
}

GtiPose gti_pose_rest(const GtiSkeleton* skeleton)
{
    GtiPose pose = { .hips = skeleton->joints[GT_HUMANOID_HIPS] };
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        pose.turns[j] = gt_quat_identity();
    }
    return pose;
}

void gti_pose_places(const GtiSkeleton* skeleton, const GtiPose* pose, GtiPlaces* out)
{
    out->points[GT_HUMANOID_HIPS] = pose->hips;
    out->turns[GT_HUMANOID_HIPS] = pose->turns[GT_HUMANOID_HIPS];
    for (int j = GT_HUMANOID_HIPS + 1; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        GtVec3 offset = gti_offset(skeleton, (GtHumanoidJoint)j);
        out->points[j] = gt_vec3_add(out->points[parent], gt_quat_rotate(out->turns[parent], offset));
        out->turns[j] = gt_quat_normalize(gt_quat_mul(out->turns[parent], pose->turns[j]));
    }
}

GtVec3 gti_place_of(const GtiSkeleton* skeleton, const GtiPlaces* places, GtHumanoidJoint joint, GtVec3 rest_point)
{
    GtVec3 offset = gt_vec3_sub(rest_point, skeleton->joints[joint]);
    return gt_vec3_add(places->points[joint], gt_quat_rotate(places->turns[joint], offset));
}

GtVec3 gti_center_of_mass(const GtiSkeleton* skeleton, const GtiPlaces* places)
{
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < GTI_MASS_SEGMENT_COUNT; ++i) {
        const GtiMassSegment* segment = &gti_mass_segments[i];
        GtVec3 end = segment->end == segment->joint ? skeleton->tips[segment->joint] : skeleton->joints[segment->end];
        GtVec3 rest = gt_vec3_lerp(skeleton->joints[segment->joint], end, (float)segment->along);
        GtVec3 point = gti_place_of(skeleton, places, segment->joint, rest);
        sum = gti_vec_add_scaled(sum, gti_vec_from(point), segment->mass);
    }
    return gti_vec_to_float(sum);
}
