// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin in a pose of the layers. Vertices of a fixed mesh are carried along by their joints and then brought onto
// the skin of the layers as they are in that pose: that is what Shen and Thalmann's sections do, with the mesh's own
// vertices for rays. Where the layers fold, a vertex goes no farther than a part of its way to its neighbours.

#include "sample/person.h"

static GtVec3 carried(const GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT], GtVec3 p, const uint16_t* joints,
                      const float* weights)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < GTI_INFLUENCES; ++i) {
        GtVec3 q = gt_mat34_point(&pose_from_t[joints[i]], p);
        sum = gt_vec3_add(sum, gt_vec3_scale(q, weights[i]));
    }
    return sum;
}

GtVec3 gti_person_follow(const GtiLayers* posed, const GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT], GtVec3 p,
                         const uint16_t joints[GTI_INFLUENCES], const float weights[GTI_INFLUENCES], float reach)
{
    GtiField field = gti_layers_field(posed);
    GtVec3 gradient;
    return gti_field_project(&field, carried(pose_from_t, p, joints, weights), 0.01f * reach, reach, &gradient);
}

void gti_person_pose_from_t(const GtiSkeleton* t_pose, const GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT],
                            GtMat34 pose_from_t[GT_HUMANOID_JOINT_COUNT])
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtMat34 joint_from_model = gt_mat34_identity();
        joint_from_model.m[0][3] = -t_pose->joints[j].x;
        joint_from_model.m[1][3] = -t_pose->joints[j].y;
        joint_from_model.m[2][3] = -t_pose->joints[j].z;
        pose_from_t[j] = gt_mat34_mul(model_from_joint[j], joint_from_model);
    }
}
