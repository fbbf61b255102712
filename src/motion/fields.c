// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions and reports of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/retarget.h"

static const GtField contacts_rows[] = {
    { GT_FIELD(GtContactsDef, speed_mps), .unit = GT_UNIT_METRES_PER_SECOND, .min = 0.001, .max = 10,
      .help = "a heel or ball of the foot stands while it is slower than this" },
    { GT_FIELD(GtContactsDef, release_mps), .unit = GT_UNIT_METRES_PER_SECOND, .min = 0.001, .max = 12,
      .help = "and goes on to stand until it is faster than this" },
    { GT_FIELD(GtContactsDef, body_share), .max = 1,
      .help = "share of the body's speed over the ground that is added to the speed limit" },
    { GT_FIELD(GtContactsDef, height_m), .unit = GT_UNIT_METRES, .min = 0.001, .max = 10,
      .help = "and while it is less than this above its usual lowest height" },
    { GT_FIELD(GtContactsDef, release_height_m), .unit = GT_UNIT_METRES, .min = 0.001, .max = 12,
      .help = "it goes on to stand until it is higher than this" },
    { GT_FIELD(GtContactsDef, tilt_m), .unit = GT_UNIT_METRES, .max = 1,
      .help = "where heel and ball differ by more in height, only the lower one stands" },
    { GT_FIELD(GtContactsDef, least_s), .unit = GT_UNIT_SECONDS, .max = 10,
      .help = "shortest contact; anything shorter is dropped" },
    { GT_FIELD(GtContactsDef, longest_gap_s), .unit = GT_UNIT_SECONDS, .max = 10,
      .help = "longest gap in a contact that is closed" },
    { GT_FIELD(GtContactsDef, hands), .help = "also find what the hands touch: the body, each other or the ground" },
    { GT_FIELD(GtContactsDef, body),
      .help = "also find when knees, hips, trunk, elbows, forearms, shanks and head are on the ground" },
};
GTI_DEF_FIELDS(gt_contacts_def_fields, GtContactsDef, contacts_rows, gt_default_contacts_def())

static const GtField plant_rows[] = {
    { GT_FIELD(GtPlantDef, floor_m), .unit = GT_UNIT_METRES, .min = -1e6, .max = 1e6,
      .default_text = "0, or the height of the feet where that is far off", .help = "height of the ground" },
};
GTI_DEF_FIELDS(gt_plant_def_fields, GtPlantDef, plant_rows, gt_default_plant_def())

static const GtField plant_report_rows[] = {
    { GT_FIELD_NAMED("contacts", GtPlantReport, contact_count), .help = "times that a foot was planted" },
    { GT_FIELD(GtPlantReport, foot_shift_m), .unit = GT_UNIT_METRES, .help = "farthest that an ankle was moved" },
    { GT_FIELD(GtPlantReport, hips_shift_m), .unit = GT_UNIT_METRES, .help = "farthest that the hips were moved" },
    { GT_FIELD_NAMED("foot_miss_m", GtPlantReport, miss_m), .unit = GT_UNIT_METRES,
      .help = "farthest that a planted ankle stays from where it should be" },
    { GT_FIELD(GtPlantReport, short_frames), .help = "frames in which a leg could not reach as far as it should" },
};
GTI_REPORT_FIELDS(gt_plant_report_fields, GtPlantReport, plant_report_rows)

static const GtChoice root_motions[] = {
    { "hips", GT_ROOT_MOTION_HIPS, "the hips" },
    { "joint", GT_ROOT_MOTION_JOINT, "the topmost joint above the hips, with the heading: root motion for games" },
    { "none", GT_ROOT_MOTION_NONE, "no joint: the character moves on the spot" },
    { NULL, 0, NULL },
};

static const GtChoice feet[] = {
    { "plant", GT_FEET_PLANT, "feet stay where the motion's feet stand" },
    { "warp", GT_FEET_WARP, "feet follow the paths of the motion's feet, scaled" },
    { "off", GT_FEET_OFF, "feet go where the legs take them" },
    { NULL, 0, NULL },
};

static const GtChoice hand_poses[] = {
    { "motion", GT_HAND_POSE_MOTION, "as in the motion, and as they rest where it has none" },
    { "relaxed", GT_HAND_POSE_RELAXED, "bent a little, more towards the little finger" },
    { "fist", GT_HAND_POSE_FIST, "closed, the thumb over the fingers" },
    { "flat", GT_HAND_POSE_FLAT, "straight" },
    { NULL, 0, NULL },
};

static const GtChoice collides[] = {
    { "on", GT_COLLIDE_ON, "arms are brought out of head, trunk and legs, and legs out of each other" },
    { "off", GT_COLLIDE_OFF, "they stay as the motion has them" },
    { NULL, 0, NULL },
};

static const GtField retarget_rows[] = {
    { GT_FIELD(GtRetargetDef, root_motion), .choices = root_motions,
      .help = "which joint carries the path over the ground" },
    { GT_FIELD(GtRetargetDef, mirror), .help = "swap left and right" },
    { GT_FIELD(GtRetargetDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .default_text = "the motion's own key times", .help = "key rate" },
    { GT_FIELD(GtRetargetDef, speed), .min = 0.001, .max = 1000, .help = "playback speed relative to the motion" },
    { GT_FIELD(GtRetargetDef, loop),
      .help = "spread the difference between the last pose and the first over the clip, so that it repeats smoothly" },
    { GT_FIELD(GtRetargetDef, keep_tpose),
      .help = "keep frames at the ends that are not part of the motion, such as a T-pose" },
    { GT_FIELD(GtRetargetDef, feet), .choices = feet, .help = "what the feet do" },
    { GT_FIELD(GtRetargetDef, keep_contacts), .help = "hands that touch the body, each other or the ground in the "
                                                      "motion do so on the character, and what sits, lies or "
                                                      "kneels is on the ground" },
    { GT_FIELD(GtRetargetDef, collide), .choices = collides, .help = "limbs that would go through the body" },
    { GT_FIELD(GtRetargetDef, name), .default_text = "the motion's own", .help = "name of the new clip" },
    { GT_FIELD(GtRetargetDef, hand_pose), .choices = hand_poses,
      .help = "what fingers do that the motion does not have, or keeps straight and still" },
};
GTI_DEF_FIELDS(gt_retarget_def_fields, GtRetargetDef, retarget_rows, gt_default_retarget_def())

static const GtField touch_report_rows[] = {
    { GT_FIELD_NAMED("touches", GtTouchReport, touch_count), .help = "times that a hand touches something" },
    { GT_FIELD_NAMED("missed_touches", GtTouchReport, missed_count),
      .help = "touches in which the hand does not stay within 5 mm: the arms are too short" },
    { GT_FIELD(GtTouchReport, hand_shift_m), .unit = GT_UNIT_METRES, .help = "farthest that an arm moved its wrist" },
    { GT_FIELD_NAMED("hand_miss_m", GtTouchReport, miss_m), .unit = GT_UNIT_METRES,
      .help = "farthest that a touching hand stays from where it should be" },
    { GT_FIELD(GtTouchReport, lean_rad), .unit = GT_UNIT_DEGREES,
      .help = "largest rotation of the trunk where arms alone are too short" },
};
GTI_REPORT_FIELDS(gt_touch_report_fields, GtTouchReport, touch_report_rows)

static const GtField lift_report_rows[] = {
    { GT_FIELD(GtLiftReport, body_lift_m), .unit = GT_UNIT_METRES,
      .help = "farthest that the figure was lifted, or lowered, for its body to be on the ground and not in it" },
    { GT_FIELD(GtLiftReport, hand_lift_m), .unit = GT_UNIT_METRES,
      .help = "farthest that a hand was lifted beyond that" },
};
GTI_REPORT_FIELDS(gt_lift_report_fields, GtLiftReport, lift_report_rows)

static const GtField collide_report_rows[] = {
    { GT_FIELD_NAMED("collide_frames", GtCollideReport, frame_count),
      .help = "frames in which limbs were brought out of the body" },
    { GT_FIELD_NAMED("collide_depth_m", GtCollideReport, depth_m), .unit = GT_UNIT_METRES,
      .help = "deepest that a limb was in the body" },
    { GT_FIELD_NAMED("collide_left_m", GtCollideReport, left_m), .unit = GT_UNIT_METRES,
      .help = "deepest that a limb still is" },
    { GT_FIELD_NAMED("collide_hand_shift_m", GtCollideReport, hand_shift_m), .unit = GT_UNIT_METRES,
      .help = "farthest that a wrist was moved for that" },
};
GTI_REPORT_FIELDS(gt_collide_report_fields, GtCollideReport, collide_report_rows)

static const GtChoice rest_poses[] = {
    { "other", GT_REST_OTHER, "none of these" },
    { "T", GT_REST_T, "arms out, level" },
    { "A", GT_REST_A, "arms out, sloping" },
    { "I", GT_REST_I, "arms hanging" },
    { NULL, 0, NULL },
};

static const GtField rest_angles_rows[] = {
    { GT_FIELD(GtRestAngles, head_yaw_rad), .unit = GT_UNIT_DEGREES,
      .help = "how far the head is turned to its left, where its mesh shows it clearly" },
    { GT_FIELD(GtRestAngles, head_tilt_rad), .unit = GT_UNIT_DEGREES,
      .help = "how far the head is tilted to its left shoulder, where its mesh shows it clearly" },
    { GT_FIELD(GtRestAngles, left_arm_raise_rad), .unit = GT_UNIT_DEGREES, .help = "left upper arm over level" },
    { GT_FIELD(GtRestAngles, right_arm_raise_rad), .unit = GT_UNIT_DEGREES, .help = "right upper arm over level" },
    { GT_FIELD(GtRestAngles, left_elbow_bend_rad), .unit = GT_UNIT_DEGREES, .help = "bend of the left elbow" },
    { GT_FIELD(GtRestAngles, right_elbow_bend_rad), .unit = GT_UNIT_DEGREES, .help = "bend of the right elbow" },
    { GT_FIELD(GtRestAngles, left_thigh_forward_rad), .unit = GT_UNIT_DEGREES,
      .help = "left thigh forwards, from straight down" },
    { GT_FIELD(GtRestAngles, right_thigh_forward_rad), .unit = GT_UNIT_DEGREES,
      .help = "right thigh forwards, from straight down" },
    { GT_FIELD(GtRestAngles, left_thigh_out_rad), .unit = GT_UNIT_DEGREES,
      .help = "left thigh away from the other leg, from straight down" },
    { GT_FIELD(GtRestAngles, right_thigh_out_rad), .unit = GT_UNIT_DEGREES,
      .help = "right thigh away from the other leg, from straight down" },
    { GT_FIELD(GtRestAngles, left_knee_bend_rad), .unit = GT_UNIT_DEGREES, .help = "bend of the left knee" },
    { GT_FIELD(GtRestAngles, right_knee_bend_rad), .unit = GT_UNIT_DEGREES, .help = "bend of the right knee" },
    { GT_FIELD(GtRestAngles, legs_cross), .help = "one ankle is on the other leg's side of it" },
};
GTI_REPORT_FIELDS(gt_rest_angles_fields, GtRestAngles, rest_angles_rows)

static const GtField retarget_report_rows[] = {
    { GT_FIELD_NAMED("matched_joints", GtRetargetReport, matched_joint_count),
      .help = "joints of the character that follow the motion" },
    { GT_FIELD_NAMED("unmatched_joints", GtRetargetReport, unmatched_joint_count),
      .help = "moving joints of the motion that nothing follows" },
    { GT_FIELD_NAMED("twist_joints", GtRetargetReport, twist_joint_count),
      .help = "joints that take a share of a limb's twist" },
    { GT_FIELD_NAMED("frames", GtRetargetReport, frame_count), .help = "frames of the clip" },
    { GT_FIELD(GtRetargetReport, duration_s), .unit = GT_UNIT_SECONDS, .help = "length of the clip" },
    { GT_FIELD(GtRetargetReport, path_scale), .help = "leg length of the character over that of the motion" },
    { GT_FIELD(GtRetargetReport, height_scale), .help = "hip height of the character over that of the motion" },
    { GT_FIELD_NAMED("motion_rest_pose", GtRetargetReport, source_rest_pose), .choices = rest_poses,
      .help = "rest pose of the motion" },
    { GT_FIELD_NAMED("character_rest_pose", GtRetargetReport, target_rest_pose), .choices = rest_poses,
      .help = "rest pose of the character" },
    { GT_FIELD(GtRetargetReport, mean_direction_error_rad), .unit = GT_UNIT_DEGREES,
      .help = "mean angle between limbs of the character and those of the motion, before feet are planted" },
    { GT_FIELD(GtRetargetReport, max_direction_error_rad), .unit = GT_UNIT_DEGREES, .help = "the largest such angle" },
    { GT_FIELD_NAMED("max_extra_rotation_rad", GtRetargetReport, max_extra_turn_rad), .unit = GT_UNIT_DEGREES,
      .help = "largest rotation of a joint from frame to frame beyond its source's, before feet are planted" },
    { GT_FIELD_STRUCT(GtRetargetReport, plant, gt_plant_report_fields), .help = "feet that were planted" },
    { GT_FIELD_STRUCT(GtRetargetReport, touch, gt_touch_report_fields), .help = "hands that touch something" },
    { GT_FIELD_NAMED("posed_hands", GtRetargetReport, posed_hand_count),
      .help = "hands whose fingers the motion does not move, held in the hand pose" },
    { GT_FIELD_NAMED("events", GtRetargetReport, event_count),
      .help = "feet and hands that come down, touch or let go, as the clip's extras say" },
    { GT_FIELD_STRUCT(GtRetargetReport, lift, gt_lift_report_fields), .help = "a body that was kept above the ground" },
    { GT_FIELD_STRUCT(GtRetargetReport, collide, gt_collide_report_fields),
      .help = "limbs that were brought out of the body" },
};
GTI_REPORT_FIELDS(gt_retarget_report_fields, GtRetargetReport, retarget_report_rows)

static const GtField take_rows[] = {
    { GT_FIELD(GtTakeDef, animation), .max = INT32_MAX, .help = "index of the clip, counted from 0" },
    { GT_FIELD(GtTakeDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .default_text = "that of the clip's keys", .help = "frame rate" },
    { GT_FIELD(GtTakeDef, keep_tpose),
      .help = "keep frames at the ends that are not part of the motion, such as a T-pose" },
};
GTI_DEF_FIELDS(gt_take_def_fields, GtTakeDef, take_rows, gt_default_take_def())

static const GtField join_rows[] = {
    { GT_FIELD(GtJoinDef, fade_s), .unit = GT_UNIT_SECONDS, .max = 1e4, .help = "length of a cross-fade" },
    { GT_FIELD(GtJoinDef, in_place),
      .help = "leave joined clips where they are, instead of moving each to where the one before ends" },
};
GTI_DEF_FIELDS(gt_join_def_fields, GtJoinDef, join_rows, gt_default_join_def())

static const GtField loop_rows[] = {
    { GT_FIELD(GtLoopDef, min_s), .unit = GT_UNIT_SECONDS, .max = 1e4, .help = "shortest cycle" },
    { GT_FIELD(GtLoopDef, max_s), .unit = GT_UNIT_SECONDS, .max = 1e4, .default_text = "any length",
      .help = "longest cycle" },
    { GT_FIELD(GtLoopDef, fade_s), .unit = GT_UNIT_SECONDS, .max = 1e4,
      .help = "time before the end of the cycle in which it is blended into the start" },
    { GT_FIELD(GtLoopDef, whole), .help = "take the whole clip as one cycle" },
};
GTI_DEF_FIELDS(gt_loop_def_fields, GtLoopDef, loop_rows, gt_default_loop_def())

static const GtField loop_report_rows[] = {
    { GT_FIELD(GtLoopReport, start_s), .unit = GT_UNIT_SECONDS, .help = "start of the cycle" },
    { GT_FIELD(GtLoopReport, end_s), .unit = GT_UNIT_SECONDS, .help = "end of the cycle" },
    { GT_FIELD(GtLoopReport, gap_m), .unit = GT_UNIT_METRES,
      .help = "largest distance of a joint between the ends, before they were blended" },
    { GT_FIELD(GtLoopReport, way_m), .unit = GT_UNIT_METRES, .help = "distance covered in one cycle" },
};
GTI_REPORT_FIELDS(gt_loop_report_fields, GtLoopReport, loop_report_rows)
