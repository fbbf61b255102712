// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How likely a humanoid's skeleton is right, from all that is known of it.

#ifndef GERTIE_RIG_JUDGE_TRUST_H
#define GERTIE_RIG_JUDGE_TRUST_H

#include "rig/judge/judge.h"

// Most that is believed of the medial way: of eight results that the judge had believed none was right, at most a third
// by Wilson's interval.
#define GTI_RIG_MEDIAL_MOST 0.4f

typedef struct GtiTrustDef {
    const GtiVerdict* verdict;
    GtRigWay way;
    float least_part; // GtiPersonGoodness, where the person is the way
} GtiTrustDef;

// 0 to 1: the share of such skeletons that have all main joints within 6 % of the height of where they should be, and
// within 3 % in the mean.
float gti_rig_trust(const GtiTrustDef* def);

#endif
