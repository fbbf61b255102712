// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Touches of frames that have been carried over: when and where is seen in the source, how far in the target's skin.

#include "motion/retarget/touch.h"

#include "base/fail.h"
#include "motion/touch/touch.h"

#include <math.h>

// What the target lacks cannot be touched.
static void forget_what_is_missing(GtiTouchBody* source, const GtiTouchBody* target)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        source->hands[side].exists = source->hands[side].exists && target->hands[side].exists;
    }
    for (int p = 0; p < GTI_PART_COUNT; ++p) {
        source->parts[p].exists = source->parts[p].exists && target->parts[p].exists;
    }
}

static bool add_events(const GtiTouches* touches, GtiClipEvents* events)
{
    bool ok = true;
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        for (int32_t i = 0; i < track->touch_count && ok; ++i) {
            const GtiTouch* touch = &track->touches[i];
            ok = gti_events_add_touch(events, touches->frame_count, track->side, gt_touched_name(track->part),
                                      touch->first, touch->last);
        }
    }
    return ok;
}

static void tell_holds(const GtiTouches* touches, float* const holds[GTI_SIDE_COUNT])
{
    for (int32_t t = 0; t < touches->track_count; ++t) {
        const GtiTouchTrack* track = &touches->tracks[t];
        for (int32_t f = 0; f < touches->frame_count; ++f) {
            float weight = track->samples[f].weight;
            holds[track->side][f] = fmaxf(holds[track->side][f], weight);
            if (track->part == GT_TOUCHED_RIGHT_HAND) { // it is a touch of the left one
                holds[GTI_RIGHT_SIDE][f] = fmaxf(holds[GTI_RIGHT_SIDE][f], weight);
            }
        }
    }
}

static GtResult keep(const GtContext* context, GtArena* scratch, const GtRetarget* r, const GtiCarried* carried,
                     GtiTouchActor* actor, GtiClipEvents* events, float* const holds[GTI_SIDE_COUNT],
                     GtTouchReport* report, GtError* error)
{
    GtiTouches touches;
    GtiTouchBody* body = gt_arena_push_array(scratch, 1, sizeof *body);
    GtResult result =
        body ? gti_touch_actor_open(context, scratch, r->source.figure, r->def.source_pose, r->def.mirror, actor, error)
             : gti_out_of_memory(error);
    if (result == GT_OK) {
        result = gti_body_make(context, scratch, &r->target, false, body, error);
    }
    if (result == GT_OK) {
        const GtContacts* wanted = r->def.contacts && r->def.contacts->has_touches ? r->def.contacts : NULL;
        forget_what_is_missing(&actor->body, body);
        GtiTouchSource source = { context, actor, carried->frame_count, carried->times, wanted };
        result = gti_touches_find(&source, scratch, &touches, error);
    }
    if (result == GT_OK && !add_events(&touches, events)) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        GtiTouchTarget target = { context,      &r->target, r->path_scale, r->def.ground,
                                  &actor->body, body,       carried,       &touches };
        result = gti_touches_keep(&target, report, error);
    }
    if (result == GT_OK) {
        tell_holds(&touches, holds);
    }
    return result;
}

GtResult gti_retarget_touch(const GtContext* context, const GtRetarget* retarget, const GtiCarried* carried,
                            GtiClipEvents* events, float* const holds[GTI_SIDE_COUNT], GtTouchReport* report,
                            GtError* error)
{
    GtArena scratch = gt_arena_create(context->allocator);
    GtiTouchActor* actor = gt_arena_push_array(&scratch, 1, sizeof *actor);
    GtResult result = actor ? keep(context, &scratch, retarget, carried, actor, events, holds, report, error)
                            : gti_out_of_memory(error);
    gt_arena_destroy(&scratch);
    return result;
}
