// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "transfer.h"

#include "fail.h"

#include <math.h>

void transfer_set_defaults(TransferOptions* options)
{
    *options = (TransferOptions){ .animate = gt_default_animate_def(),
                                  .load = gt_default_load_def(),
                                  .save = gt_default_save_def() };
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
