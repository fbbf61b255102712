// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A logistic curve over how much of the person's skin lies on the body, of the limb or trunk where that is the least,
// and how much of its bones is inside, fitted by ridge regression to 77 bodies with known joints, each maker of bodies
// counting the same (docs/methods/bodies.md). With the fit of the whole added, bodies that were left out one at a time
// were predicted no better: hair and hats are not where joints are. What the judge refuses stays refused, so that what
// is no figure is not believed because a person happens to lie on it.

#include "rig/judge/trust.h"

#include <math.h>

static const float of_least_part = 10.10f;
static const float of_inside = 25.42f;
static const float of_nothing = -33.72f;
static const float plausible = 0.5f; // what the judge must say, at least, for the curve to hold

float gti_rig_trust(const GtiTrustDef* def)
{
    const GtiVerdict* verdict = def->verdict;
    if (def->way != GT_RIG_WAY_PERSON) {
        return GTI_RIG_MEDIAL_MOST * verdict->confidence;
    }
    float exponent = of_least_part * def->least_part + of_inside * verdict->inside_share + of_nothing;
    return fminf(verdict->confidence / plausible, 1.0f) / (1.0f + expf(-exponent));
}
