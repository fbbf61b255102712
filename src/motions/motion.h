// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What one motion is: a plan made once, and a pose at any time.

#ifndef GERTIE_MOTIONS_MOTION_H
#define GERTIE_MOTIONS_MOTION_H

#include "gertie/motions.h"

#include "motion/mass.h"
#include "motions/gait.h"

typedef struct GtiMotion GtiMotion;

// A motion at a moment.
typedef struct GtiMoment {
    GtiPose pose;
    int planted[2]; // GTI_HEEL_PLANTED...
} GtiMoment;

// One of the built-in motions.
typedef struct GtiMotionTable {
    const char* name;
    bool loops;
    double natural_s; // of one repetition, at a tempo of 1
    // Check what the def says of this motion, and set what depends on it, natural_s where the table has 0. May be NULL.
    GtResult (*plan)(GtiMotion* motion, GtError* error);
    // The duration has been fitted to the frame rate: prepare what poses need. May be NULL.
    GtResult (*prepare)(GtiMotion* motion, GtArena* scratch, GtError* error);
    // The pose at a time of one repetition, 0 to period_s.
    void (*pose)(const GtiMotion* motion, double time_s, GtiMoment* out);
} GtiMotionTable;

struct GtiMotion {
    const GtMotionDef* def;
    const GtiMotionTable* table;
    GtiStand stand;
    double natural_s; // of one repetition, before it was fitted
    double period_s;  // of one repetition
    double travel_m;  // ahead, of one repetition
    double turn_deg;  // to the left, of one repetition
    GtiGait gait;     // walk and run
    void* state;      // of the kind, in the scratch arena
};

// Time as keys were written in.
static inline double gti_natural_time(const GtiMotion* motion, double time_s)
{
    return time_s * motion->natural_s / motion->period_s * motion->def->tempo;
}

extern const GtiMotionTable gti_motion_walk;
extern const GtiMotionTable gti_motion_run;
extern const GtiMotionTable gti_motion_turn;
extern const GtiMotionTable gti_motion_idle;
extern const GtiMotionTable gti_motion_wave;
extern const GtiMotionTable gti_motion_boxing;
extern const GtiMotionTable gti_motion_kick;
extern const GtiMotionTable gti_motion_squat;
extern const GtiMotionTable gti_motion_jump;
extern const GtiMotionTable gti_motion_sit;
extern const GtiMotionTable gti_motion_flex;
extern const GtiMotionTable gti_motion_drop;
extern const GtiMotionTable gti_motion_twist;
extern const GtiMotionTable gti_motion_fingers;
extern const GtiMotionTable gti_motion_range;
extern const GtiMotionTable gti_motion_breathe;
extern const GtiMotionTable gti_motion_look;
extern const GtiMotionTable gti_motion_nod;
extern const GtiMotionTable gti_motion_shake;
extern const GtiMotionTable gti_motion_shrug;
extern const GtiMotionTable gti_motion_point;
extern const GtiMotionTable gti_motion_clap;

// Measure the baked frames.
// @param poses  [frame_count * GT_HUMANOID_JOINT_COUNT]
// @param planted  [frame_count] soles of both feet: left in the low 3 bits, right above
void gti_motion_measure(const GtiMotion* motion, int32_t frame_count, const GtTransform* poses, const uint8_t* planted,
                        GtMotionReport* report);

#endif
