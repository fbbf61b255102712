// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How likely a humanoid's skeleton is right, from all that is known of it.

#ifndef GERTIE_RIG_JUDGE_TRUST_H
#define GERTIE_RIG_JUDGE_TRUST_H

#include "rig/judge/judge.h"

typedef struct GtiTrustDef {
    const GtiVerdict* verdict;
    GtRigWay way;
    float fit; // how well the skins of person and body cover each other, where that is the way
} GtiTrustDef;

// 0 to 1: the share of such skeletons that have all main joints within 6 % of the height of where they should be, and
// within 3 % in the mean.
float gti_rig_trust(const GtiTrustDef* def);

#endif
