// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: the built-in motions.
///
/// The built-in motions: clips made by formulas for a person of any proportions. Feet that stand do not slide. Those
/// that go round loop; the others start and end at ease, so that they can follow each other.
///
/// **Threads.** Any number of calls may run at once: what is const may be shared, and each call has results of its own.

#ifndef GERTIE_MOTIONS_H
#define GERTIE_MOTIONS_H

#include "gertie/field.h"
#include "gertie/person.h"

GT_EXTERN_C_BEGIN

/// What is done.
typedef enum GtMotionKind {
    GT_MOTION_WALK,    ///< at a speed, after Boulic, Magnenat-Thalmann and Thalmann (1990); loops
    GT_MOTION_RUN,     ///< at a speed, with a flight phase in which the centre of mass follows a parabola; loops
    GT_MOTION_TURN,    ///< on the spot, step by step
    GT_MOTION_IDLE,    ///< stands, breathes, shifts the weight; loops
    GT_MOTION_WAVE,    ///< greets with the right hand
    GT_MOTION_BOXING,  ///< jab, cross and hook from the guard; loops
    GT_MOTION_KICK,    ///< a step, and a kick with the right foot; moves a step ahead
    GT_MOTION_SQUAT,   ///< down and up
    GT_MOTION_JUMP,    ///< straight up; the centre of mass follows a parabola in the air
    GT_MOTION_SIT,     ///< down on a seat as high as the knees, and up again
    GT_MOTION_FLEX,    ///< shows both biceps, with a look at either
    GT_MOTION_DROP,    ///< down on a seat that breaks, to the floor, and up again
    GT_MOTION_TWIST,   ///< arms level, both forearms turn about themselves: a test of skins
    GT_MOTION_FINGERS, ///< each finger bends, spreads, makes a fist: a test of hands
    GT_MOTION_RANGE,   ///< every joint through its range, one after the other
    GT_MOTION_BREATHE, ///< stands and breathes, the weight on both feet; loops
    GT_MOTION_LOOK,    ///< stands and looks around; loops
    GT_MOTION_NOD,     ///< nods twice
    GT_MOTION_SHAKE,   ///< shakes the head
    GT_MOTION_SHRUG,   ///< shrugs, palms up
    GT_MOTION_POINT,   ///< points ahead with the right hand
    GT_MOTION_CLAP,    ///< claps four times
    GT_MOTION_COUNT
} GtMotionKind;

/// A motion. Start from gt_default_motion_def(); fields that a kind has no use for are not looked at.
typedef struct GtMotionDef {
    GtMotionKind kind;
    GtPersonDef person;   ///< whose skeleton moves; of the skin only the build has a say, for arms to make way
    double speed_mps;     ///< walk: up to 2.3 leg lengths a second; run: 1.8 to 7.5
    double angle_rad;     ///< turn: to the left; twist: of the hand, to either side; squat: bend of the knees
    double rise_m;        ///< jump: of the centre of mass after take-off
    double tempo;         ///< all but walk, run and jump: times as fast as comes naturally, 0.25 to 4
    int32_t repeat_count; ///< cycles of a motion that loops, repetitions of another; 1 to 10000
    double frame_rate_hz; ///< 1 to 1000
    bool in_place;        ///< walk, run, kick: the ground moves instead of the person
} GtMotionDef;

/// What a motion is, measured on the frames as they are played, between frames too.
typedef struct GtMotionReport {
    int32_t frame_count;
    double duration_s;
    double leg_m;               ///< hip joint to the ground, standing
    double cycle_s;             ///< walk, run: two steps
    double step_m;              ///< walk, run: from heel to heel
    double support;             ///< walk, run: share of the cycle in which a foot is on the ground
    double double_support;      ///< walk: share of the cycle in which both are
    double flight;              ///< share of the motion in which none is
    double mean_hip_height_m;   ///< of the hip joints above the ground
    double max_foot_drift_m;    ///< of a point of a sole while it is planted
    double max_parabola_miss_m; ///< of the centre of mass in the air, against free fall; 0 where there is no flight
    double max_knee_rate_radps; ///< fastest bending of a knee: what pops is fast
} GtMotionReport;

/// "walk", "run"...; "" for a value that is no motion.
GT_API const char* gt_motion_name(GtMotionKind kind);

/// Whether the last frame runs on into the first, up to the way covered.
GT_API bool gt_motion_loops(GtMotionKind kind);

/// The default person at a natural speed, 60 frames a second, or 120 where feet hit the ground hard (run, jump); 4
/// cycles of a walk or run.
GT_API GtMotionDef gt_default_motion_def(GtMotionKind kind);

/// Its fields, for options, panels and manuals; defaults are those of the walk.
GT_API const GtFieldTable* gt_motion_def_fields(void);

/// Make the motion: the joints of the person and one clip named for the motion. First and last frame are the same pose,
/// up to the way covered; the duration is the nearest that the frame rate allows, at the speed asked for.
/// @param report  may be NULL
GT_API GtResult gt_sample_motion(const GtContext* context, const GtMotionDef* def, GtScene** out,
                                 GtMotionReport* report, GtError* error);

GT_EXTERN_C_END

#endif
