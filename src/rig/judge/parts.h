// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the judge looks at, each a number and, where it is bad, a sentence.

#ifndef GERTIE_RIG_JUDGE_PARTS_H
#define GERTIE_RIG_JUDGE_PARTS_H

#include "base/scalar.h"
#include "rig/judge/judge.h"

// A bone, or what leads from a joint to one that its own bone does not lead to.
typedef struct GtiJudgedBone {
    GtVec3 from, to;
    int32_t joint;
    bool link; // not a bone of its own
    bool last; // ends at the surface
    bool fine; // of a finger or the face
} GtiJudgedBone;

typedef struct GtiJudge {
    const GtiRigBody* body;
    const GtiSolid* solid;
    const GtiRigSkeleton* skeleton;
    GtiJudgedBone* bones;
    int32_t bone_count;
    int32_t joints[GT_HUMANOID_JOINT_COUNT]; // of the skeleton, or GT_NONE
} GtiJudge;

// One look: how good, 0 to 1; the same before it was cut off, to compare skeletons by; and what is wrong.
typedef struct GtiJudgeLook {
    float value;
    float detail;
    char why[GT_RIG_TEXT_SIZE];
} GtiJudgeLook;

GtiJudgeLook gti_judge_inside(const GtiJudge* judge);
GtiJudgeLook gti_judge_centred(const GtiJudge* judge);
GtiJudgeLook gti_judge_covered(const GtiJudge* judge);
GtiJudgeLook gti_judge_limbs(const GtiJudge* judge);
GtiJudgeLook gti_judge_symmetric(const GtiJudge* judge);
GtiJudgeLook gti_judge_proportions(const GtiJudge* judge);

// Whether the skeleton has a joint, and where it is.
static inline bool gti_judge_at(const GtiJudge* judge, GtHumanoidJoint joint, GtVec3* out)
{
    if (judge->joints[joint] == GT_NONE) {
        return false;
    }
    *out = judge->skeleton->joints[judge->joints[joint]].position;
    return true;
}

// Depth of the deepest place near `p` in the plane across `along`, by going there; `p` may be outside.
float gti_judge_widest(const GtiSolid* solid, GtVec3 p, GtVec3 along);

static inline float gti_judge_ramp(float x, float none, float full)
{
    return gti_clampf((x - none) / (full - none), 0.0f, 1.0f);
}

#endif
