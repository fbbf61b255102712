// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/motions.h"

static const GtChoice kinds[] = {
    { "walk", GT_MOTION_WALK, "walks at a speed; loops" },
    { "run", GT_MOTION_RUN, "runs at a speed; loops" },
    { "turn", GT_MOTION_TURN, "turns on the spot, step by step" },
    { "idle", GT_MOTION_IDLE, "stands, breathes and shifts the weight; loops" },
    { "wave", GT_MOTION_WAVE, "waves with the right hand" },
    { "boxing", GT_MOTION_BOXING, "jab, cross and hook; loops" },
    { "kick", GT_MOTION_KICK, "a step, and a kick with the right foot" },
    { "squat", GT_MOTION_SQUAT, "down and up" },
    { "jump", GT_MOTION_JUMP, "straight up" },
    { "sit", GT_MOTION_SIT, "down on a seat as high as the knees, and up again" },
    { "flex", GT_MOTION_FLEX, "shows both biceps" },
    { "drop", GT_MOTION_DROP, "down on a seat that breaks, to the floor, and up again" },
    { "twist", GT_MOTION_TWIST, "twists both forearms, to test skins" },
    { "fingers", GT_MOTION_FINGERS, "moves every finger, to test hands" },
    { "range", GT_MOTION_RANGE, "moves every joint through its range, to test rigs" },
    { "breathe", GT_MOTION_BREATHE, "stands and breathes; loops" },
    { "look", GT_MOTION_LOOK, "stands and looks around; loops" },
    { "nod", GT_MOTION_NOD, "nods twice" },
    { "shake", GT_MOTION_SHAKE, "shakes the head" },
    { "shrug", GT_MOTION_SHRUG, "shrugs, palms up" },
    { "point", GT_MOTION_POINT, "points ahead with the right hand" },
    { "clap", GT_MOTION_CLAP, "claps four times" },
    { NULL, 0, NULL },
};

static const GtField motion_rows[] = {
    { GT_FIELD(GtMotionDef, kind), .choices = kinds, .help = "which motion" },
    { GT_FIELD_STRUCT(GtMotionDef, person, gt_person_def_fields), .help = "whose skeleton moves" },
    { GT_FIELD(GtMotionDef, speed_mps), .unit = GT_UNIT_METRES_PER_SECOND, .max = 1000, .default_text = "1.4, run 3.3",
      .help = "speed of walk and run" },
    { GT_FIELD(GtMotionDef, angle_rad), .unit = GT_UNIT_DEGREES, .min = -3600, .max = 3600,
      .default_text = "90, twist 270, squat 115",
      .help = "angle of turn (to the left), twist (of the hand) and squat (of the knees)" },
    { GT_FIELD(GtMotionDef, rise_m), .unit = GT_UNIT_METRES, .max = 100, .help = "height of the jump" },
    { GT_FIELD(GtMotionDef, tempo), .min = 0.25, .max = 4,
      .help = "speed relative to the natural one, of all motions but walk, run and jump" },
    { GT_FIELD(GtMotionDef, repeat_count), .min = 1, .max = 10000, .default_text = "1, walk and run 4",
      .help = "how often the motion is repeated; of walk and run, cycles of two steps" },
    { GT_FIELD(GtMotionDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 1, .max = 1000,
      .default_text = "60; run, jump and drop 120", .help = "frame rate" },
    { GT_FIELD(GtMotionDef, in_place), .help = "walk, run and kick on the spot" },
};
GTI_DEF_FIELDS(gt_motion_def_fields, GtMotionDef, motion_rows, gt_default_motion_def(GT_MOTION_WALK))
