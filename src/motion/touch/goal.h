// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where wrists of the target are to be for hands to touch. Hands already are turned as the source's are, against the
// world and all that they touch, so only wrists have to move: the point of the hand that was nearest comes over the
// same place of the part, and the hand then goes in or out until what is nearest lies on the skin. On the ground the
// path of a hand is the source's, scaled, and as far off as it is on average.

#ifndef GERTIE_MOTION_TOUCH_GOAL_H
#define GERTIE_MOTION_TOUCH_GOAL_H

#include "motion/touch/touch.h"

// From one body to the other.
typedef struct GtiTouchScale {
    const GtiTouchBody* source;
    const GtiTouchBody* target;
    float ways;             // of heights over the skin, and of ways over the ground
    float size;             // times as large as a person
    const GtGround* ground; // or NULL for a level floor at 0
} GtiTouchScale;

// How far the hand shall be from the skin: not at all while it touches, and as far as the source's before and after.
float gti_wanted_clearance(const GtiTouchScale* scale, const GtiTouchSample* sample);

// A hand that is brought to the skin of a part, and what it must not go into on the way.
typedef struct GtiPress {
    const GtiTouchScale* scale;
    int side;
    const GtVec3* points; // of the hand, against its wrist
    int32_t point_count;
    int part_count;
    const GtiTouchPart* parts[1 + GTI_MOST_NEIGHBOURS]; // the first is to be touched
    GtiPartPlace places[1 + GTI_MOST_NEIGHBOURS];
    const GtVec3* other_points; // of a hand that is to be touched, against its own wrist, or NULL
    GtVec3 other_wrist;
    GtQuat turn; // of the hand
} GtiPress;

// points: of both hands, against their wrists; hand_pose: how the hand is turned; now: where the parts are
GtiPress gti_press(const GtiTouchScale* scale, const GtiTouchTrack* track, int32_t frame,
                   GtVec3* const points[GTI_SIDE_COUNT], const GtiBodyPose* hand_pose, const GtiBodyPose* now);

// How far the hand is from the skin with its wrist in some place; negative inside.
float gti_press_clearance(const GtiPress* press, GtVec3 wrist);

// Where the wrist is to be for the hand to touch a part, or the ground.
GtVec3 gti_press_goal(const GtiPress* press, const GtiTouchSample* sample);
GtVec3 gti_ground_goal(const GtiTouchScale* scale, const GtiTouchTrack* track, int32_t frame, const GtVec3* points,
                       const GtiBodyPose* pose);

#endif
