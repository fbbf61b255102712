// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The retarget pose of a scene by itself, for saving and editing: the one that a transfer would find.

#include "motion/contact/stance.h"

#include "base/fail.h"

#include "gertie/retarget.h"

static GtResult align_by_motion(const GtContext* context, GtArena* arena, GtiAlignedFigure* figure, GtError* error)
{
    size_t count = (size_t)figure->def->node_count;
    GtTransform* pose = gt_arena_push_array(arena, count, sizeof *pose);
    GtMat34* model_from_node = gt_arena_push_array(arena, count, sizeof *model_from_node);
    if (!pose || !model_from_node) {
        return gti_out_of_memory(error);
    }
    return gti_stance_align(context, figure, pose, model_from_node, error);
}

GtResult gt_retarget_pose_find(const GtContext* context, const GtFigure* of, GtRetargetPose* out,
                               GtRetargetPoseReport* report, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiAlignedFigure figure = { 0 };
    GtResult result = gti_aligned_open(&arena, of, &figure, error);
    figure.given = NULL; // also where the scene brings one
    if (result == GT_OK && figure.is_humanoid && figure.clip && !of->scene->mesh_count) {
        result = align_by_motion(context, &arena, &figure, error);
    } else if (result == GT_OK && figure.is_humanoid) {
        result = gti_aligned_find(context, &figure, NULL, error);
    }
    if (result == GT_OK && !figure.is_humanoid) {
        result =
            gti_fail(error, GT_ERROR_BAD_VALUE, "the map lacks joints that a humanoid must have, or they have no size");
        gti_error_set_file(error, of->scene->source.file);
    }
    *out = result == GT_OK ? figure.retarget_pose : gt_retarget_pose_identity();
    if (report) {
        *report =
            (GtRetargetPoseReport){ figure.rest_pose, figure.used_bind_pose, figure.max_limb_turn_rad, figure.angles };
    }
    gt_arena_destroy(&arena);
    return result;
}
