// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Displacements spread over the tree of bones as heat does over wires: a short bone takes on what its neighbour does,
// and every joint is held a little where it was found. The sum over bones of |d_i - d_j|^2 / length and over joints of
// hold * |d_i|^2 is least where each d_i is a weighted mean of its neighbours', which sweeps up and down the tree find.

#include "rig/embed/fixed.h"

#include "base/fail.h"
#include "base/near.h"

#include <math.h>
#include <string.h>

enum {
    SWEEPS = 400
};

static const float hold = 6.0f;           // a displacement halves over about a tenth of the height
static const float least_length = 0.002f; // of a bone, in heights

static int32_t find_named(const char* const* names, int32_t count, const char* name)
{
    for (int32_t j = 0; j < count; ++j) {
        if (strcmp(names[j], name) == 0) {
            return j;
        }
    }
    return GT_NONE;
}

GtResult gti_fixed_find(const GtRigDef* def, const char* const* names, GtiRigSkeleton* skeleton, GtError* error)
{
    for (int32_t i = 0; i < def->joint_count; ++i) {
        int32_t joint = find_named(names, skeleton->joint_count, def->joints[i].name);
        if (joint == GT_NONE) {
            char text[128];
            GtiNear near = gti_near(def->joints[i].name);
            for (int32_t j = 0; j < skeleton->joint_count; ++j) {
                gti_near_offer(&near, names[j]);
            }
            return gti_fail(error, GT_ERROR_NOT_FOUND, "the skeleton has no joint '%.64s'%s", def->joints[i].name,
                            gti_near_print(&near, text, sizeof text));
        }
        skeleton->joints[joint].fixed = true;
    }
    return GT_OK;
}

static float stiffness(const GtiRigSkeleton* skeleton, int32_t joint)
{
    const GtiRigJoint* joints = skeleton->joints;
    GtVec3 bone = gt_vec3_sub(joints[joint].position, joints[joints[joint].parent].position);
    return 1.0f / fmaxf(gt_vec3_length(bone), least_length);
}

// One sweep: parents' parts are gathered first, so that it takes one pass over the bones.
static void sweep(const GtiRigSkeleton* skeleton, GtVec3* moves, GtVec3* sums)
{
    const GtiRigJoint* joints = skeleton->joints;
    memset(sums, 0, (size_t)skeleton->joint_count * sizeof *sums);
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        int32_t parent = joints[j].parent;
        if (parent != GT_NONE) {
            float k = stiffness(skeleton, j);
            sums[j] = gt_vec3_add(sums[j], gt_vec3_scale(moves[parent], k));
            sums[parent] = gt_vec3_add(sums[parent], gt_vec3_scale(moves[j], k));
        }
    }
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        float weight = joints[j].parent == GT_NONE ? hold : hold / stiffness(skeleton, j);
        for (int32_t k = 0; k < skeleton->joint_count; ++k) {
            bool is_bone = (k == j && joints[j].parent != GT_NONE) || (k > j && joints[k].parent == j);
            weight += is_bone ? stiffness(skeleton, k) : 0.0f;
        }
        if (!joints[j].fixed) {
            moves[j] = gt_vec3_scale(sums[j], 1.0f / weight);
        }
    }
}

void gti_fixed_move(const GtRigDef* def, const char* const* names, const GtMat34* body_from_rigged,
                    GtiRigSkeleton* skeleton, GtVec3* scratch)
{
    GtiRigJoint* joints = skeleton->joints;
    GtVec3* moves = scratch;
    memset(moves, 0, (size_t)skeleton->joint_count * sizeof *moves);
    for (int32_t i = 0; i < def->joint_count; ++i) {
        int32_t joint = find_named(names, skeleton->joint_count, def->joints[i].name);
        if (joint != GT_NONE) {
            GtVec3 place = gt_mat34_point(body_from_rigged, def->joints[i].position);
            moves[joint] = gt_vec3_sub(place, joints[joint].position);
        }
    }
    for (int i = 0; i < SWEEPS; ++i) {
        sweep(skeleton, moves, scratch + skeleton->joint_count);
    }
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        joints[j].tip = gt_vec3_add(joints[j].tip, moves[j]);
        joints[j].position = gt_vec3_add(joints[j].position, moves[j]);
    }
}
