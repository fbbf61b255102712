// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The retarget pose of a scene by itself, for saving and editing.

#include "motion/figure.h"

#include "base/fail.h"

#include "gertie/retarget.h"

GtResult gt_retarget_pose_find(const GtContext* context, const GtScene* scene, const GtHumanoidMap* map,
                               GtRetargetPose* out, GtRetargetPoseReport* report, GtError* error)
{
    GtScene bare = *scene; // without the pose that may be stored in it
    bare.retarget_pose = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtiFigure figure = { 0 };
    GtResult result = gti_figure_open(context, &arena, &bare, map, &figure, error);
    if (result == GT_OK && figure.is_humanoid) {
        result = gti_figure_align(context, &figure, NULL, error);
    }
    if (result == GT_OK && !figure.is_humanoid) {
        result =
            gti_fail(error, GT_ERROR_BAD_VALUE, "the map lacks joints that a humanoid must have, or they have no size");
    }
    *out = result == GT_OK ? figure.retarget_pose : gt_retarget_pose_identity();
    if (report) {
        *report = (GtRetargetPoseReport){ figure.rest_pose, figure.used_bind_pose, figure.max_limb_turn_rad };
    }
    gti_figure_close(&figure);
    gt_arena_destroy(&arena);
    return result;
}
