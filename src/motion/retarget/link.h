// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which joints of the source each joint of the target follows, and how.

#ifndef GERTIE_MOTION_RETARGET_LINK_H
#define GERTIE_MOTION_RETARGET_LINK_H

#include "motion/retarget/aligned_figure.h"

// How far a joint of the target has turned in model space since the common pose, told by joints of the source:
// on the way from the turn of `from` to that of `to`; and then about `axis` by a share of the twist that `to` has
// against `from`.
typedef struct GtiRetargetLink {
    int32_t from, to; // runtime nodes of the source; GT_NONE, GT_NONE for a joint that follows none
    float blend;      // 0 for `from`, 1 for `to`
    int32_t bottom;   // of the curve that they are part of, where two are blended without twist
    int32_t top;      // likewise
    float arc;        // between those
    float twist;      // share, 0 where there is none
    GtVec3 axis;      // in model space, in the common pose
    bool is_wrist;    // of two joints in one place: as `to`, as long as it is sound against `from`
} GtiRetargetLink;

typedef struct GtiLinks {
    GtiRetargetLink* of; // [nodes of the target]
    int32_t count;
    int32_t twist_count;
} GtiLinks;

// Link the joints of two humanoids: joints by joints, spine and neck by arc where one has more joints than the other,
// fingers that the source lacks to their neighbours, and twist joints to the limbs that they are part of.
// mirror: the left of the source moves the right of the target.
void gti_link_humanoids(const GtiAlignedFigure* source, const GtiAlignedFigure* target, bool mirror, GtiLinks* links);

// Link twist joints of the target that nothing else has linked.
void gti_link_twist(const GtiAlignedFigure* source, const GtiAlignedFigure* target, bool mirror, GtiLinks* links);

#endif
