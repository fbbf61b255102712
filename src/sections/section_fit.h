// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A box around a limb, for the section that a joint carries.

#ifndef GERTIE_SECTIONS_SECTION_FIT_H
#define GERTIE_SECTIONS_SECTION_FIT_H

#include "sections/body.h"

// Fit a box to what joints, and what hangs on them up to other joints of a humanoid, move by skin weights. Its first
// axis goes along the bone of nodes[0], from the joint to the next; its third to where the body looks (up, where the
// bone does so itself: feet), its second completes a right-handed frame: of a left arm held out it is up, of a right
// arm down, of a leg that stands it is the body's left. It is so much larger than the limb that the limb is inside its
// borders all around. nodes:          [count] joints of the scene; the box is in the space of the first border: share
// of the box along each axis over which it fades, 0 to 0.5 space_from_box: receives it GT_ERROR_NOT_FOUND where they
// move nothing.
GtResult gti_section_fit(const GtiSculptBody* body, const int32_t* nodes, int32_t count, const float border[3],
                         GtMat34* space_from_box, GtError* error);

#endif
