// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton is right when nothing speaks against it: confidence is the product of all looks. Bounds of each look are
// set so that true skeletons of persons, robots and an armadillo pass with room to spare and such as are moved by a
// twelfth of the height, have limbs exchanged, or stand in a teapot do not.

#include "rig/judge/judge.h"

#include "base/direction.h"
#include "base/fail.h"
#include "rig/judge/parts.h"

#include <stdio.h>
#include <string.h>

static bool is_fine(int32_t humanoid)
{
    return humanoid >= GT_HUMANOID_LEFT_THUMB_METACARPAL || humanoid == GT_HUMANOID_LEFT_EYE ||
           humanoid == GT_HUMANOID_RIGHT_EYE || humanoid == GT_HUMANOID_JAW;
}

// The first joint that is of the body: roots with one child each, such as one between the feet, only lead there.
static int32_t first_of_body(const GtiRigSkeleton* s, const int32_t* child_counts)
{
    int32_t first = 0;
    while (first + 1 < s->joint_count && child_counts[first] == 1 && s->joints[first + 1].parent == first &&
           s->joints[first].humanoid == GT_NONE) {
        ++first;
    }
    return child_counts[first] > 1 || s->joints[first].humanoid != GT_NONE ? first : 0; // one without forks is a body
}

static void list_bones(GtiJudge* judge, int32_t* child_counts)
{
    const GtiRigSkeleton* s = judge->skeleton;
    for (int32_t i = 0; i < s->joint_count; ++i) {
        if (s->joints[i].parent != GT_NONE) {
            ++child_counts[s->joints[i].parent];
        }
    }
    int32_t first = s->joint_count > 0 ? first_of_body(s, child_counts) : 0;
    for (int32_t i = first; i < s->joint_count; ++i) {
        const GtiRigJoint* joint = &s->joints[i];
        bool fine = is_fine(joint->humanoid);
        if (gti_square_between(joint->position, joint->tip) > 1e-8f && joint->humanoid != GT_HUMANOID_LEFT_EYE &&
            joint->humanoid != GT_HUMANOID_RIGHT_EYE) {
            judge->bones[judge->bone_count++] =
                (GtiJudgedBone){ joint->position, joint->tip, i, false, child_counts[i] == 0, fine };
        }
        if (joint->parent == GT_NONE || i == first) {
            continue;
        }
        const GtiRigJoint* parent = &s->joints[joint->parent];
        if (gti_square_between(parent->tip, joint->position) > 1e-8f) {
            judge->bones[judge->bone_count++] =
                (GtiJudgedBone){ parent->position, joint->position, i, true, false, fine };
        }
    }
}

static void sum_up(const GtiJudgeLook looks[6], GtiVerdict* out)
{
    out->inside = looks[0].value;
    out->inside_share = looks[0].detail;
    out->centred = looks[1].value;
    out->covered = looks[2].value;
    out->limbs = looks[3].value;
    out->symmetric = looks[4].value;
    out->proportioned = looks[5].value;
    out->confidence = 1.0f;
    int worst = 0;
    for (int i = 0; i < 6; ++i) {
        out->confidence *= looks[i].value;
        out->score += looks[i].detail / 6.0f;
        worst = looks[i].value < looks[worst].value ? i : worst;
    }
    out->score = 0.5f * (out->score + out->confidence);
    if (looks[worst].value < 0.95f) {
        memcpy(out->why, looks[worst].why, sizeof out->why);
    }
}

GtResult gti_rig_judge(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                       const GtiRigSkeleton* skeleton, GtiVerdict* out, GtError* error)
{
    *out = (GtiVerdict){ 0 };
    GtArena scratch = gt_arena_create(context->allocator);
    GtiJudge judge = { .body = body, .solid = solid, .skeleton = skeleton };
    judge.bones = gt_arena_push(&scratch, 2 * (size_t)skeleton->joint_count * sizeof *judge.bones);
    int32_t* child_counts = gt_arena_push_array(&scratch, (size_t)skeleton->joint_count, sizeof *child_counts);
    GtResult result = judge.bones && child_counts ? GT_OK : gti_out_of_memory(error);
    if (result == GT_OK) {
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            judge.joints[j] = GT_NONE;
        }
        for (int32_t i = 0; i < skeleton->joint_count; ++i) {
            int32_t humanoid = skeleton->joints[i].humanoid;
            if (humanoid >= 0 && humanoid < GT_HUMANOID_JOINT_COUNT) {
                judge.joints[humanoid] = i;
            }
        }
        list_bones(&judge, child_counts);
        const GtiJudgeLook looks[6] = { gti_judge_inside(&judge),    gti_judge_centred(&judge),
                                        gti_judge_covered(&judge),   gti_judge_limbs(&judge),
                                        gti_judge_symmetric(&judge), gti_judge_proportions(&judge) };
        sum_up(looks, out);
    }
    gt_arena_destroy(&scratch);
    return result;
}
