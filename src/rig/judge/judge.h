// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How good a skeleton is that was put into a body, and how sure one can be of it.

#ifndef GERTIE_RIG_JUDGE_JUDGE_H
#define GERTIE_RIG_JUDGE_JUDGE_H

#include "geometry/solid.h"
#include "rig/body/body.h"
#include "rig/skeleton.h"

typedef struct GtiVerdict {
    float score;        // to compare skeletons in the same body: higher is better
    float confidence;   // 0 to 1: the product of all looks; below 0.5 something is wrong
    float inside;       // 0 to 1 each: bones inside the body
    float inside_share; // of the bones' length
    float centred;      // in the middle of its limbs
    float symmetric;    // left as right
    float covered;      // all of the surface near a bone, limbs to their tips
    float limbs;        // arms and legs in something that is long and apart
    float proportioned; // as figures are made, standing upright
    char
        why[GT_RIG_TEXT_SIZE]; // what speaks against it the most, a sentence without a full stop; "" where nothing does
} GtiVerdict;

// Joints without a humanoid name count as bones inside and near the surface only.
GtResult gti_rig_judge(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                       const GtiRigSkeleton* skeleton, GtiVerdict* out, GtError* error);

#endif
