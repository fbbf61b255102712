// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the steps of lifting a body share.

#ifndef GERTIE_MOTION_LIFT_WORK_H
#define GERTIE_MOTION_LIFT_WORK_H

#include "motion/lift/lift.h"
#include "motion/touch/frame.h"
#include "motion/touch/outer.h"

struct GtiLifter {
    GtiTouchKeeper keeper; // comes first, because passes over frames are given this; its scratch is of the frames
    const GtRetarget* r;
    GtiPlanter* planter;
    GtError* error;
    GtArena arena;        // of everything that stays, this struct too
    GtiTouchBody outline; // of the target
    GtiTouchBody body;    // the same without points of hands, which the hull has
    bool has_hull;
    GtiOuterPoints hull;

    // Frames at work.
    GtiCarried carried;
    GtiTouches none;
    GtiTouchTarget target;
    float floor_m;
    bool any_near;
    bool* is_near;                       // [frame_count] something may be in the ground
    float* depths[GTI_OUTER_PART_COUNT]; // [frame_count] in the ground; negative above it, -INFINITY far above
    float* needs;                        // [frame_count]
    float* rises;                        // [frame_count] of the figure
    float* drops;                        // [frame_count] by which it sinks before it rises
    float* room;                         // [frame_count]
    float* ways[GTI_SIDE_COUNT];         // [frame_count] up, of something on either side
};

static inline const GtiLifter* gti_lifter_of(const GtiTouchKeeper* keeper)
{
    return (const GtiLifter*)keeper;
}

static inline int32_t gti_lift_frame_count(const GtiLifter* lifter)
{
    return lifter->carried.frame_count;
}

// Let go of the frames at work.
void gti_lift_end(GtiLifter* lifter);

// See which frames have a part of the body near the ground; and how deep parts are in those. Returns whether any has.
bool gti_lift_look(GtiLifter* lifter);
GtResult gti_lift_measure(GtiLifter* lifter);

// How deep a part is in the ground, 0 where that is next to nothing.
float gti_lift_need(const GtiLifter* lifter, int part, int32_t frame);

// A smooth function of time that is nowhere below `needs`, which is used up. Returns its largest value.
float gti_lift_rise_over(const GtiLifter* lifter, float* needs, float* out);

// Such ways up for two parts of each limb into `ways`. Returns the farthest.
float gti_lift_find_ways(GtiLifter* lifter, const int parts[GTI_SIDE_COUNT], const int others[GTI_SIDE_COUNT]);

// Let the figure sink to what is on the ground in the motion. Depths are those after that.
GtResult gti_lift_settle(GtiLifter* lifter);

// Lay hands flat that point into the ground, but for how much the figure rises. Returns whether any was.
bool gti_lift_flatten(GtiLifter* lifter);

#endif
