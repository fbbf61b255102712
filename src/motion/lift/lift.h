// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies that were carried over and planted, kept above the ground: hips, trunk, head and knees by the height of the
// whole figure, hands by their arms.

#ifndef GERTIE_MOTION_LIFT_LIFT_H
#define GERTIE_MOTION_LIFT_LIFT_H

#include "motion/retarget/plant.h"

// What lifts the target of a motion between two humanoids.
typedef struct GtiLifter GtiLifter;

// planter: that plants the same motion; must outlive the lifter
GtResult gti_lifter_open(const GtContext* context, const GtRetarget* retarget, GtiPlanter* planter, GtiLifter** out,
                         GtError* error);

void gti_lifter_close(GtiLifter* lifter);

// Lift the figure where its body is in the ground; feet that stand stay where they are. Where no foot stands it is
// lifted for its hands, too: who stands on them keeps arms that are straight. The report is added to.
GtResult gti_lifter_lift_body(GtiLifter* lifter, const GtiCarried* carried, GtLiftReport* report);

// Lift hands and elbows that still are in the ground, after gti_lifter_lift_body() of the same frames. The report is
// added to.
// touched: hands have been brought to what they touch in between
GtResult gti_lifter_lift_hands(GtiLifter* lifter, bool touched, GtLiftReport* report);

#endif
