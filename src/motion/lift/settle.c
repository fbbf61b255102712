// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Seats, backs and knees that are on the ground in the motion, brought down to it where the character's are thinner:
// the figure sinks until the lowest of them is there. What else that takes into the ground makes it rise again.

#include "motion/contact/support.h"
#include "motion/lift/work.h"

#include <math.h>

// The part of a body in a mirror.
static int mirrored(int part)
{
    const int sides = GT_SUPPORT_RIGHT_ELBOW - GT_SUPPORT_LEFT_ELBOW;
    return part < GT_SUPPORT_LEFT_ELBOW ? part : part < GT_SUPPORT_RIGHT_ELBOW ? part + sides : part - sides;
}

static bool carries(int part)
{
    return part == GT_SUPPORT_TRUNK || part == GT_SUPPORT_HIPS || part == GT_SUPPORT_LEFT_KNEE ||
           part == GT_SUPPORT_LEFT_SHANK || part == GT_SUPPORT_RIGHT_KNEE || part == GT_SUPPORT_RIGHT_SHANK;
}

// How high the lowest part is, in each frame, of those that are on the ground.
static void find_heights(const GtiLifter* l, const GtContacts* contacts, float* out)
{
    const float same_s = 1e-5f; // times of a frame and of a contact are rounded, each in its own way
    for (int32_t f = 0; f < gti_lift_frame_count(l); ++f) {
        float depth = -INFINITY;
        for (int32_t i = 0; i < contacts->body_count; ++i) {
            const GtBodyContact* c = &contacts->body[i];
            int part = l->r->def.mirror ? mirrored((int)c->part) : (int)c->part;
            double time_s = (double)l->carried.times[f];
            if (carries(part) && c->start_s - (double)same_s <= time_s && time_s <= c->end_s + (double)same_s) {
                depth = fmaxf(depth, l->depths[part][f]);
            }
        }
        out[f] = isfinite(depth) && depth < 0.0f ? -depth : 0.0f;
    }
}

static GtResult find_contacts(GtiLifter* l, GtArena* scratch, GtContacts* out)
{
    GtiTouchActor* actor = gt_arena_push_array(scratch, 1, sizeof *actor);
    if (!actor) {
        return gti_out_of_memory(l->error);
    }
    const GtContext* context = l->target.context;
    GtResult result =
        gti_touch_actor_open(context, scratch, l->r->source.figure, l->r->def.source_pose, false, actor, l->error);
    GtiTouchSource source = { context, actor, l->carried.frame_count, l->carried.times, NULL };
    return result == GT_OK ? gti_supports_find(&source, out, l->error) : result;
}

GtResult gti_lift_settle(GtiLifter* l)
{
    const GtContacts* given = l->r->def.contacts;
    GtArena scratch = gt_arena_create(l->target.context->allocator);
    GtContacts found = { .arena = gt_arena_create(l->target.context->allocator) };
    bool is_given = given && (given->has_body || given->has_touches);
    GtResult result = is_given ? GT_OK : find_contacts(l, &scratch, &found);
    if (result == GT_OK) {
        find_heights(l, is_given ? given : &found, l->needs);
        gti_lift_rise_over(l, l->needs, l->drops);
    }
    for (int32_t f = 0; result == GT_OK && f < gti_lift_frame_count(l); ++f) {
        l->is_near[f] = l->is_near[f] || l->drops[f] > 0.0f;
        for (int part = 0; part < GTI_OUTER_PART_COUNT; ++part) {
            l->depths[part][f] += l->drops[f];
        }
    }
    gt_arena_destroy(&found.arena);
    gt_arena_destroy(&scratch);
    return result;
}
