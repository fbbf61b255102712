// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "transfer.h"

#include "fail.h"
#include "scenes.h"

#include <math.h>

const char* const method_names[] = { "skin", "harmonic", "auto", NULL };

const char* const root_names[] = { "hips", "joint", "none", NULL };

const char* const feet_names[] = { "off", "warp", "plant", NULL };

GtRetargetDef transfer_def(const TransferOptions* options)
{
    GtRetargetDef def = gt_default_retarget_def();
    def.frame_rate_hz = options->fps->given ? options->fps->number : def.frame_rate_hz;
    def.speed = options->speed->given ? options->speed->number : def.speed;
    def.root_motion = options->root->given ? (GtRootMotion)options->root->choice : def.root_motion;
    def.feet = options->feet->given ? (GtFeet)options->feet->choice : def.feet;
    def.keep_contacts = options->keep_contacts->given;
    def.mirror = options->mirror->given;
    def.loop = options->loop->given;
    def.keep_tpose = options->keep_tpose->given;
    return def;
}

bool transfer_read_ground(Session* session, const char* path, GtGround** out)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef load = ground_load_def();
    *out = NULL;
    if (!path) {
        return true;
    }
    if (!scene_read(session, path, &load, &scene)) {
        return false;
    }
    GtResult result = gt_ground_create(&session->context, scene, out, &error);
    gt_scene_destroy(scene);
    if (result != GT_OK) {
        error_set_file(&error, path);
        return session_fail(session, &error);
    }
    return true;
}

bool transfer_read_map(Session* session, const GtScene* scene, const char* path, KnownFigure* out)
{
    GtError error = { 0 };
    out->given = path != NULL;
    if (path && gt_map_load(&session->context, scene, path, &out->map, &out->pose, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    return true;
}

bool transfer_read_contacts(Session* session, const char* path, GtFeet feet, GtContacts** out)
{
    GtError error = { 0 };
    *out = NULL;
    if (path && gt_contacts_load(&session->context, path, out, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    if (*out && feet != GT_FEET_PLANT && !(*out)->has_touches) {
        return session_misuse(session, "--contacts without touches of hands is of use with --feet plant only");
    }
    return true;
}

void transfer_use_maps(GtAnimateDef* def, const KnownFigure* character, const KnownFigure* motion)
{
    def->character_map = character->given ? &character->map : NULL;
    def->motion_map = motion->given ? &motion->map : NULL;
    def->retarget.target_pose = character->given ? &character->pose : NULL;
    def->retarget.source_pose = motion->given ? &motion->pose : NULL;
}

void transfer_speed_default(OptionValue* speed)
{
    *speed = (OptionValue){ .has_default = true, .number = gt_default_retarget_def().speed };
}

void transfer_report(GtJsonWriter* json, const GtRetargetReport* did)
{
    gt_json_members(json, gt_retarget_report_fields(), did);
}

void transfer_add_summary(GtText* text, const GtRetargetReport* did)
{
    gt_text_addf(text, "%d frame%s, %.2f s, %d joint%s matched", (int)did->frame_count,
                 did->frame_count == 1 ? "" : "s", did->duration_s, (int)did->matched_joint_count,
                 did->matched_joint_count == 1 ? "" : "s");
    if (did->unmatched_joint_count) {
        gt_text_addf(text, ", %d not", (int)did->unmatched_joint_count);
    }
    if (fabs(did->path_scale - 1.0) >= 0.005) {
        gt_text_addf(text, ", path scaled by %.3g", did->path_scale);
    }
}
