// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A logistic curve over how well the person fits and how much of its bones is inside the body, fitted by ridge
// regression to 81 bodies with known joints (docs/methods/bodies.md). With other looks added, bodies that were left out
// one at a time were predicted no better. What the judge refuses stays refused, so that what is no figure is not
// believed because a person happens to lie on it.

#include "rig/judge/trust.h"

#include <math.h>

static const float of_fit = 5.79f;
static const float of_inside = 20.76f;
static const float of_nothing = -23.97f;
static const float plausible = 0.5f;   // what the judge must say, at least, for the curve to hold
static const float medial_most = 0.4f; // of 8 that the judge had believed none was right: at most a third, by Wilson

float gti_rig_trust(const GtiTrustDef* def)
{
    const GtiVerdict* verdict = def->verdict;
    if (def->way != GT_RIG_WAY_PERSON) {
        return medial_most * verdict->confidence;
    }
    float exponent = of_fit * def->fit + of_inside * verdict->inside_share + of_nothing;
    return fminf(verdict->confidence / plausible, 1.0f) / (1.0f + expf(-exponent));
}
