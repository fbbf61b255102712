// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The main job from its parts: rig what is bare, find both humanoids, retarget the clip into a copy of the body, apply
// keys that are set by hand, and let the surface follow.

#include "animate/job.h"

#include "shapes/face_clip.h"

GtAnimateDef gt_default_animate_def(void)
{
    return (GtAnimateDef){ .retarget = gt_default_retarget_def(),
                           .method = GT_ANIMATE_AUTO,
                           .rig = gt_default_rig_def(),
                           .markers = gt_default_markers_def(),
                           .harmonic = gt_default_harmonic_clip_def(),
                           .bake = gt_default_harmonic_bake_def() };
}

static bool is_bare(const GtScene* scene, const GtMapReport* report)
{
    return scene->mesh_count > 0 && scene->skin_count == 0 && scene->animation_count == 0 &&
           report->verdict == GT_MAP_NOT_HUMANOID;
}

bool gt_scene_is_bare(const GtContext* context, const GtScene* scene)
{
    GtHumanoidMap map;
    GtMapReport report;
    GtMapDef def = gt_default_map_def();
    return scene->mesh_count > 0 && scene->skin_count == 0 && scene->animation_count == 0 &&
           gt_map_humanoid(context, scene, &def, &map, &report, NULL) == GT_OK && is_bare(scene, &report);
}

static const GtScene* character_of(const GtiAnimateJob* job)
{
    return job->character ? job->character : job->body;
}

static void replace_character(GtiAnimateJob* job, GtScene* by)
{
    gt_scene_destroy(job->character);
    job->character = by;
}

// Markers that a clip of the body was baked from serve its next clip too. Where the old clips go, what they were baked
// into goes with them.
static GtResult restore_markers(GtiAnimateJob* job)
{
    const GtScene* body = job->body;
    GtResult result = GT_OK;
    for (int32_t a = 0; a < body->animation_count && !job->kept && result == GT_OK; ++a) {
        if (body->animations[a].harmonic) {
            result = gt_markers_restore(job->context, body, a, &job->kept, job->error);
        }
        if (result == GT_ERROR_BAD_VALUE) {
            gti_warn(job->context, body->source.file, NULL, "%s; they are left out", job->error->message);
            *job->error = (GtError){ 0 };
            result = GT_OK;
        }
    }
    if (result == GT_OK && job->kept && !job->def->keep_animations) {
        result = gt_harmonic_strip(job->context, body, &job->character, job->error);
    }
    return result;
}

static GtResult open_target(GtiAnimateJob* job)
{
    GtFigureDef def = gti_figure_playing(GT_NONE, job->def->character_map);
    def.silent_map = true;
    return gt_figure_open(job->context, character_of(job), &def, &job->target, job->error);
}

static GtResult rig_if_bare(GtiAnimateJob* job)
{
    GtResult result = open_target(job);
    if (result != GT_OK) {
        return result;
    }
    if (!is_bare(job->target.scene, job->target.map_report)) {
        if (job->def->rig.body_height_m > 0.0 && !job->def->rigged_by) {
            gti_warn(job->context, job->body->source.file, NULL,
                     "it has a skeleton, so it keeps its size: a height scales bare meshes alone");
        }
        return GT_OK;
    }
    GtScene* rigged = NULL;
    gt_figure_close(&job->target);
    result = gt_rig(job->context, character_of(job), &job->def->rig, &rigged, &job->report.rig, job->error);
    if (result != GT_OK) {
        gti_error_set_file(job->error, job->body->source.file);
        return result;
    }
    job->report.was_bare = true;
    replace_character(job, rigged);
    return open_target(job);
}

void gti_animate_warn_of_map(const GtiAnimateJob* job, const GtFigure* figure, const char* whose)
{
    const GtMapReport* report = figure->map_report;
    if (report->verdict == GT_MAP_AMBIGUOUS || report->verdict == GT_MAP_INCOMPLETE || report->sides_against_names ||
        report->sides_are_doubtful) {
        gti_warn(job->context, figure->scene->source.file, NULL, "the %s is %s", whose, report->summary);
    }
}

static GtResult open_source(GtiAnimateJob* job)
{
    GtFigureDef def = gti_figure_playing(job->def->animation, job->def->motion_map);
    def.silent_map = true;
    def.keep_tpose = job->def->retarget.keep_tpose;
    return gt_figure_open(job->context, job->motion, &def, &job->source, job->error);
}

static void note_left_out_clips(const GtContext* context, const GtScene* scene)
{
    if (scene->animation_count == 1) {
        gti_note(context, scene->source.file, NULL, "the character's own clip is left out");
    } else {
        gti_note(context, scene->source.file, NULL, "the character's own %d clips are left out",
                 (int)scene->animation_count);
    }
}

// What the motion does with a face, onto the character's.
static GtResult carry_face(GtiAnimateJob* job)
{
    GtiFaceClipReport face;
    const char* file = job->motion->source.file;
    GtResult result = gti_face_carry(job->context, &job->source, &job->target, job->def->retarget.speed, job->animated,
                                     job->animated->animation_count - 1, &face, job->error);
    if (result != GT_OK || face.signal_count == 0) {
        return result;
    }
    job->report.face_signal_count = face.signal_count;
    job->report.face_carried_count = face.carried_count;
    if (face.carried_count == 0) {
        gti_note(job->context, file, NULL,
                 "the motion moves a face by %d expression%s, for which the character has none", (int)face.signal_count,
                 face.signal_count == 1 ? "" : "s");
    } else if (face.carried_count < face.signal_count) {
        gti_note(job->context, file, NULL,
                 "of %d expressions of the motion's face %d are carried over; the character has none for %s%s",
                 (int)face.signal_count, (int)face.carried_count, face.lost, face.lost_more ? ", ..." : "");
    }
    return GT_OK;
}

// The clip onto a copy of the character, whose own clips go unless they are to be kept.
static GtResult carry_clip(GtiAnimateJob* job)
{
    const GtScene* character = character_of(job);
    GtRetarget* retarget = NULL;
    GtResult result =
        gt_retarget_create(job->context, &job->source, &job->target, &job->def->retarget, &retarget, job->error);
    if (result == GT_OK) {
        result = gt_scene_copy(job->context, character, &job->animated, job->error);
    }
    if (result == GT_OK && !job->def->keep_animations && job->animated->animation_count) {
        note_left_out_clips(job->context, job->animated);
        job->animated->animation_count = 0;
        result = gt_scene_prune(job->animated, character, job->error);
    }
    if (result == GT_OK) {
        result = gt_retarget_clip(job->context, retarget, job->animated, NULL, &job->report.retarget, job->error);
    }
    gt_retarget_destroy(retarget);
    return result == GT_OK ? carry_face(job) : result;
}

static GtResult follow_joints(GtiAnimateJob* job)
{
    GtResult (*const steps[])(GtiAnimateJob*) = { restore_markers, rig_if_bare, open_source };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == GT_OK; ++i) {
        result = steps[i](job);
    }
    if (result != GT_OK) {
        return result;
    }
    gti_animate_warn_of_map(job, &job->target, "character");
    gti_animate_warn_of_map(job, &job->source, "motion");
    result = carry_clip(job);
    if (result == GT_OK && job->def->keys_path) {
        result = gti_animate_apply_keys(job);
    }
    if (result != GT_OK) {
        return result;
    }
    gti_animate_choose_method(job);
    if (job->report.method == GT_ANIMATE_HARMONIC) {
        return gti_animate_by_harmonic(job);
    }
    for (int32_t i = 0; job->keys && i < job->keys->turn_count; ++i) {
        if (job->keys->turns[i].marker != GT_NONE) {
            gti_fail(job->error, GT_ERROR_BAD_VALUE, "markers are turned, which needs the harmonic method");
            gti_error_set_file(job->error, job->keys->file);
            return GT_ERROR_BAD_VALUE;
        }
    }
    return GT_OK;
}

static GtResult run_job(GtiAnimateJob* job)
{
    if (job->motion->animation_count == 0) {
        return gti_fail(job->error, GT_ERROR_NOT_FOUND, "the motion has no clip");
    }
    if (!gti_animate_has_template(job)) {
        return follow_joints(job);
    }
    if (job->def->keys_path) {
        return gti_fail(job->error, GT_ERROR_BAD_VALUE,
                        "keys rotate joints, and a body that follows another mesh has none");
    }
    return gti_animate_by_template(job);
}

// clip: receives the frames instead of baking them, or NULL
static GtResult animate(const GtContext* context, const GtScene* body, const GtScene* motion, const GtAnimateDef* def,
                        GtScene** out, GtHarmonicClip** clip, GtAnimateReport* report, GtError* error)
{
    GtError unseen = { 0 };
    GtiAnimateJob job = { .context = context,
                          .def = def ? def : (GtAnimateDef[]){ gt_default_animate_def() },
                          .body = body,
                          .motion = motion,
                          .bakes = !clip,
                          .error = error ? error : &unseen };
    GtResult result = run_job(&job);
    gt_figure_close(&job.target);
    gt_figure_close(&job.source);
    gt_hand_keys_destroy(job.keys);
    gt_markers_destroy(job.kept);
    gt_scene_destroy(job.character);
    if (result != GT_OK) {
        gti_error_set_file(error, motion->source.file);
        gt_scene_destroy(job.animated);
        gt_harmonic_clip_destroy(job.clip);
        job.animated = NULL;
        job.clip = NULL;
    }
    *out = job.animated;
    if (clip) {
        *clip = job.clip;
    } else {
        gt_harmonic_clip_destroy(job.clip);
    }
    if (report) {
        *report = job.report;
    }
    return result;
}

GtResult gt_animate(const GtContext* context, const GtScene* body, const GtScene* motion, const GtAnimateDef* def,
                    GtScene** out, GtAnimateReport* report, GtError* error)
{
    return animate(context, body, motion, def, out, NULL, report, error);
}

GtResult gt_animate_frames(const GtContext* context, const GtScene* body, const GtScene* motion,
                           const GtAnimateDef* def, GtScene** out, GtHarmonicClip** clip, GtAnimateReport* report,
                           GtError* error)
{
    *clip = NULL;
    return animate(context, body, motion, def, out, clip, report, error);
}
