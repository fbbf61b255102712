// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures in which touches are looked for: brought into the common pose by what they have, or what their clip shows.

#include "motion/touch/touch.h"

#include "motion/contact/stance.h"

#include <string.h>

static GtResult stand(const GtContext* context, GtArena* scratch, GtiTouchActor* out, GtError* error)
{
    GtiAlignedFigure* figure = &out->figure;
    size_t count = (size_t)figure->def->node_count;
    GtTransform* pose = gt_arena_push_array(scratch, count, sizeof *pose);
    GtMat34* model = gt_arena_push_array(scratch, count, sizeof *model);
    if (!pose || !model) {
        return gti_out_of_memory(error);
    }
    GtResult result = gti_stance_align(context, figure, pose, model, error);
    if (result == GT_OK && figure->is_humanoid) {
        float sole_m;
        out->floor_m = gti_stance_floor(figure, figure->clip, pose, model, &sole_m);
    }
    return result;
}

GtResult gti_touch_actor_open(const GtContext* context, GtArena* arena, const GtFigure* figure,
                              const GtRetargetPose* pose, bool mirror, GtiTouchActor* out, GtError* error)
{
    memset(out, 0, sizeof *out);
    GtResult result = gti_aligned_open(arena, figure, &out->figure, error);
    if (result != GT_OK) {
        return result;
    }
    out->figure.given = pose ? pose : out->figure.given;
    GtArena scratch = gt_arena_create(context->allocator);
    result = stand(context, &scratch, out, error);
    gt_arena_destroy(&scratch);
    return result == GT_OK && out->figure.is_humanoid
               ? gti_body_make(context, arena, &out->figure, mirror, &out->body, error)
               : result;
}
