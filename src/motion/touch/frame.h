// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames of a target whose hands are brought to what they touch: what all passes over them share.

#ifndef GERTIE_MOTION_TOUCH_FRAME_H
#define GERTIE_MOTION_TOUCH_FRAME_H

#include "motion/touch/goal.h"
#include "motion/touch/lean.h"

enum {
    GTI_TOUCH_PIECE = 64 // frames that a room is for
};

static const float GTI_TOUCH_WHOLE = 1e-3f; // a weight this near to 1 outdoes all that are not

typedef struct GtiTouchFrameScratch {
    GtTransform* base;              // [nodes] as carried over
    GtTransform* pose;              // [nodes]
    GtMat34* model;                 // [nodes]
    GtQuat* rotations;              // [nodes]
    GtVec3* points[GTI_SIDE_COUNT]; // of hands, against their wrists
    GtVec3* before[GTI_SIDE_COUNT]; // likewise, in the frame before
    float hand_shift_m;
    float lean_rad;
} GtiTouchFrameScratch;

// A hand in a frame: where it is, where it shall go, and how much it is held there.
typedef struct GtiTouchWrist {
    GtVec3 was;
    GtVec3 shift; // to the body or the ground
    GtVec3 clap;  // from there to the other hand
    float weight;
} GtiTouchWrist;

typedef struct GtiTouchKeeper {
    const GtiTouchTarget* target;
    GtArena scratch;
    int32_t* columns; // [nodes]
    GtiTouchScale scale;
    GtiTouchFrameScratch* rooms;           // [pieces]
    GtiTouchWrist* wrists[GTI_SIDE_COUNT]; // [frame_count] as planned
    GtiTouchWrist* smooth[GTI_SIDE_COUNT]; // [frame_count]
    GtVec3* leans;                         // [frame_count] turns of the trunk
    int spine_count;
    int32_t spine[GTI_SPINE_JOINTS]; // nodes that have keys, the lowest first
} GtiTouchKeeper;

// Make room. Memory is of the keeper's scratch arena.
GtResult gti_touch_open(GtiTouchKeeper* k, GtError* error);

// Load a frame as it is now, and store one as the room's pose has it.
void gti_touch_load(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame, GtiBodyPose* pose);
void gti_touch_store(const GtiTouchKeeper* k, const GtiTouchFrameScratch* room, int32_t frame);

// Do something to every frame, on all threads.
void gti_touch_pass(const GtiTouchKeeper* k, void (*each)(const GtiTouchKeeper*, GtiTouchFrameScratch*, int32_t));

static inline GtVec3 gti_touch_shoulder(const GtiBodyPose* pose, int side)
{
    return pose->places[gti_joint_on(GT_HUMANOID_LEFT_UPPER_ARM, side)];
}

// How far from the shoulder a wrist gets with shares of the arm's length and the clavicle's.
float gti_touch_reach_m(const GtiTouchBody* body, const GtiBodyPose* pose, int side, float arm_share,
                        float clavicle_share);

// How much nearer a goal should be to the shoulder that is this far away, from nothing on ever more.
float gti_touch_lack_m(const GtiTouchKeeper* k, const GtiBodyPose* base, int side, float far);

// Where the wrist shall be in a frame for a touch; a place on a leg that is too far is exchanged for one nearer to
// the shoulder, along the part.
// base: as carried over, which tells how hands are turned; now: where the parts are
GtVec3 gti_touch_goal(const GtiTouchKeeper* k, const GtiTouchTrack* track, int32_t frame, const GtiBodyPose* base,
                      const GtiBodyPose* now, const GtiTouchFrameScratch* room);

// How long to ease into a way and out of it: what has a long way to go takes its time.
float gti_touch_ease_s(const GtiTouchKeeper* k, float way_m);

// Frames that count where one is smoothed.
typedef struct GtiTouchWindow {
    int32_t first, end;
} GtiTouchWindow;

GtiTouchWindow gti_touch_window(const GtiTouchKeeper* k, int32_t frame, float deviation_s);

// How much another frame counts.
float gti_touch_share(const GtiTouchKeeper* k, int32_t frame, int32_t other, float deviation_s);

// Lean the trunk where arms alone are too short.
void gti_touch_bend(GtiTouchKeeper* k);

#endif
