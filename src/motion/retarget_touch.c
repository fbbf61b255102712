// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Touches of frames that have been carried over: when and where is seen in the source, how far in the target's skin.

#include "motion/retarget_touch.h"

#include "motion/touch.h"

// What the target lacks cannot be touched.
static void forget_what_is_missing(GtiBody* source, const GtiBody* target)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        source->hands[side].exists = source->hands[side].exists && target->hands[side].exists;
    }
    for (int p = 0; p < GTI_PART_COUNT; ++p) {
        source->parts[p].exists = source->parts[p].exists && target->parts[p].exists;
    }
}

static GtResult keep(const GtContext* context, GtArena* scratch, const GtRetarget* r, const GtiCarried* carried,
                     GtTouchReport* report, GtError* error)
{
    GtiTouches touches;
    GtiBody* bodies = gt_arena_push_array(scratch, 2, sizeof *bodies);
    if (!bodies) {
        return gti_out_of_memory(error);
    }
    GtResult result = gti_body_make(context, scratch, &r->source, r->def.mirror, &bodies[0], error);
    if (result == GT_OK) {
        result = gti_body_make(context, scratch, &r->target, false, &bodies[1], error);
    }
    if (result == GT_OK) {
        forget_what_is_missing(&bodies[0], &bodies[1]);
        GtiTouchSource source = { context, r, &bodies[0], carried->frame_count, carried->times };
        result = gti_touches_find(&source, scratch, &touches, error);
    }
    if (result == GT_OK) {
        GtiTouchTarget target = { context, r, &bodies[0], &bodies[1], carried, &touches };
        result = gti_touches_keep(&target, report, error);
    }
    return result;
}

GtResult gti_retarget_touch(const GtContext* context, const GtRetarget* retarget, const GtiCarried* carried,
                            GtTouchReport* report, GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtResult result = keep(context, &scratch, retarget, carried, report, error);
    gt_arena_destroy(&scratch);
    return result;
}
