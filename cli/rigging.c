// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Rigging as the verbs do it, and what is said of it.

#include "rigging.h"

#include "fail.h"

#include <math.h>

static const char* const ways[] = { "person", "medial" };

static const char* axis_name(GtRigAxis axis, char room[32])
{
    return axis == GT_RIG_AXIS_AUTO ? "unknown" : choice_name(gt_rig_def_fields(), "up", &axis, room);
}

static double hundredths(double value)
{
    return round(100.0 * value) / 100.0;
}

static void report_joints(GtJsonWriter* json, const GtRigReport* report)
{
    gt_json_member_object(json, "joints_m");
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtVec3 p = report->joints[j];
        if (!isnan(p.x)) {
            gt_json_key(json, gt_humanoid_name((GtHumanoidJoint)j));
            gt_json_next_is_row(json);
            gt_json_begin_array(json);
            gt_json_float(json, p.x);
            gt_json_float(json, p.y);
            gt_json_float(json, p.z);
            gt_json_end_array(json);
        }
    }
    gt_json_end_object(json);
}

static const char* const sides[] = { "left", "right" };

static void report_hands(GtJsonWriter* json, const GtRigReport* report)
{
    gt_json_member_object(json, "hands");
    for (int side = 0; side < 2; ++side) {
        gt_json_member_object(json, sides[side]);
        gt_json_member_integer(json, "fingers", report->hand_fingers[side]);
        gt_json_member_string(json, "no_fingers", report->no_fingers[side]);
        gt_json_end_object(json);
    }
    gt_json_end_object(json);
}

void rig_say_hands(Session* session, const GtRigReport* report)
{
    for (int side = 0; side < 2; ++side) {
        if (report->no_fingers[side][0]) {
            session_say(session, "the %s hand is one part without fingers: %s", sides[side], report->no_fingers[side]);
        }
    }
}

void rig_say_stand(Session* session, const GtRigReport* report)
{
    char text[GT_REST_ANGLES_TEXT_SIZE];
    if (gt_rest_angles_describe(&report->rest_angles, text)[0]) {
        session_say(session, "in its rest pose, %s; motions start from the straight figure", text);
    }
}

void rig_report(GtJsonWriter* json, const GtRigReport* report)
{
    char room[32];
    gt_json_member_string(json, "up", axis_name(report->up, room));
    gt_json_member_number(json, "up_confidence", hundredths((double)report->up_confidence));
    gt_json_member_string(json, "front", axis_name(report->front, room));
    gt_json_member_number(json, "front_confidence", hundredths((double)report->front_confidence));
    gt_json_member_number(json, "symmetry", hundredths((double)report->symmetry));
    gt_json_member_number(json, "height_m", report->height_m);
    gt_json_member_integer(json, "triangles", report->triangle_count);
    gt_json_member_integer(json, "helper_triangles", report->helper_triangle_count);
    gt_json_member_integer(json, "pieces", report->piece_count);
    gt_json_member_integer(json, "islands", report->island_count);
    gt_json_member_string(json, "way", ways[report->way]);
    gt_json_member_number(json, "confidence", hundredths((double)report->confidence));
    gt_json_member_string(json, "why", report->why);
    gt_json_member_integer(json, "joints", report->joint_count);
    gt_json_member_integer(json, "fingers", report->finger_count);
    report_hands(json, report);
    gt_json_member_string(json, "weights", choice_name(gt_rig_def_fields(), "weights", &report->weights, room));
    gt_json_member_number(json, "pruned_weight", report->pruned_weight);
    gt_json_member_number(json, "pruned_m", report->pruned_m);
    gt_json_member_object(json, "rest_angles");
    gt_json_members(json, gt_rest_angles_fields(), &report->rest_angles);
    gt_json_end_object(json);
    report_joints(json, report);
}

void rig_report_bare(Session* session, const char* file, const GtRigReport* report)
{
    gt_json_member_object(&session->report, "rig");
    rig_report(&session->report, report);
    gt_json_end_object(&session->report);
    session_say(session, "rigged %s: %d joints, confidence %.2f", file, (int)report->joint_count,
                (double)report->confidence);
    rig_say_hands(session, report);
    rig_say_stand(session, report);
}

bool rig_scene(Session* session, const char* file, const GtScene* scene, const GtRigDef* def, GtScene** out,
               GtRigReport* report)
{
    GtError error = { 0 };
    session->subject = file;
    GtResult result = gt_rig(&session->context, scene, def, out, report, &error);
    session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, file);
        return session_fail(session, &error);
    }
    return true;
}
