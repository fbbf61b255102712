// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys that are set by hand. A second motion is put on the character just as the first was, blended in, and dropped.

#include "animate/job.h"

// Give the animated scene the second motion as its last clip.
static GtResult add_second(GtiAnimateJob* job)
{
    const GtScene* motion = job->def->second;
    GtFigureDef def = gti_figure_playing(0, NULL);
    def.silent_map = true;
    GtFigure source;
    GtResult result = gt_figure_open(job->context, motion, &def, &source, job->error);
    GtRetarget* retarget = NULL;
    if (result == GT_OK) {
        GtRetargetDef retarget_def = job->def->retarget;
        retarget_def.source_pose = NULL;
        retarget_def.contacts = NULL;
        retarget_def.name = NULL;
        gti_animate_warn_of_map(job, &source, "second motion");
        result = gt_retarget_create(job->context, &source, &job->target, &retarget_def, &retarget, job->error);
    }
    if (result == GT_OK) {
        result = gt_retarget_clip(job->context, retarget, job->animated, NULL, NULL, job->error);
    }
    gt_retarget_destroy(retarget);
    gt_figure_close(&source);
    if (result != GT_OK) {
        gti_error_set_file(job->error, motion->source.file);
    }
    return result;
}

GtResult gti_animate_apply_keys(GtiAnimateJob* job)
{
    const char* path = job->def->keys_path;
    GtResult result = gt_hand_keys_load(job->context, job->animated, path, &job->keys, job->error);
    if (result != GT_OK) {
        return result;
    }
    bool blends = job->keys->blend != NULL;
    if (blends != (job->def->second != NULL)) {
        gti_fail(job->error, GT_ERROR_BAD_VALUE,
                 blends ? "\"blend\" needs a second motion to blend in"
                        : "there is no \"blend\" for the second motion");
        gti_error_set_file(job->error, path);
        return GT_ERROR_BAD_VALUE;
    }
    int32_t animation = job->animated->animation_count - 1;
    if (blends) {
        result = add_second(job);
    }
    if (result == GT_OK) {
        result = gt_hand_keys_apply(job->context, job->animated, job->keys, animation, blends ? animation + 1 : GT_NONE,
                                    job->error);
    }
    if (result == GT_OK) {
        job->animated->animation_count = animation + 1;
    }
    return result;
}
