// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Eyes, jaw and fingers are left out: what they are in is too small to be found by the middle of its limbs.

#include "rig/medial/template.h"

#include "gertie/person.h"

#include "person/skeleton.h"

static bool is_large(int32_t joint)
{
    return joint < GT_HUMANOID_LEFT_THUMB_METACARPAL && joint != GT_HUMANOID_LEFT_EYE &&
           joint != GT_HUMANOID_RIGHT_EYE && joint != GT_HUMANOID_JAW;
}

bool gti_rig_template(GtArena* arena, GtiRigSkeleton* out)
{
    GtPersonDef def = gt_default_person_def();
    def.height_m = 1.0;
    GtiSkeleton person;
    gti_person_skeleton(&def, &person);
    int32_t at[GT_HUMANOID_JOINT_COUNT];
    *out = (GtiRigSkeleton){ .joints = gt_arena_push_array(arena, GT_HUMANOID_JOINT_COUNT, sizeof *out->joints) };
    if (!out->joints) {
        return false;
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        at[j] = is_large(j) ? out->joint_count++ : GT_NONE;
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (at[j] != GT_NONE) {
            int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
            out->joints[at[j]] = (GtiRigJoint){ .parent = parent == GT_NONE ? GT_NONE : at[parent],
                                                .humanoid = j,
                                                .mirror = at[gt_humanoid_mirror((GtHumanoidJoint)j)],
                                                .position = person.joints[j],
                                                .tip = person.tips[j] };
        }
    }
    return true;
}
