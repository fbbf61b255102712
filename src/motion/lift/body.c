// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Rotations that are copied onto longer arms or broader hips put hands and seats into the ground. The whole figure
// rises for its body; feet that stand stay. Nothing else changes: frames without a part near the ground stay as they
// are, to the bit.

#include "motion/lift/work.h"

#include "motion/take/take.h"

#include <math.h>
#include <string.h>

static const float CLEAR_M = 0.15f;   // as high as a body has to be to be lifted for its hands in full
static const double FREE_S = 0.25;    // from a foot that stands, until the figure is free to be lifted for its hands
static const float HIGH_SHARE = 0.1f; // of stature, from which on feet tell of no floor: they are held up
static const float PERSON_M = 1.75f;

static bool is_of_arm(int part)
{
    return part == GT_SUPPORT_LEFT_ELBOW || part == GT_SUPPORT_LEFT_FOREARM || part == GT_SUPPORT_RIGHT_ELBOW ||
           part == GT_SUPPORT_RIGHT_FOREARM;
}

// How free the figure is to be lifted for its hands: no foot stands, and nothing else is on the ground.
static float freedom_at(const GtiLifter* l, int32_t frame, float since_s)
{
    float nearest = -INFINITY;
    for (int part = 0; part < GT_SUPPORT_COUNT; ++part) {
        nearest = is_of_arm(part) ? nearest : fmaxf(nearest, l->depths[part][frame]);
    }
    double clear = (double)(-nearest / (CLEAR_M * l->keeper.scale.size));
    return gti_smooth_step((double)since_s / FREE_S) * gti_smooth_step(clear);
}

// Time to the nearest frame in which a foot stands.
static void find_apart(const GtiLifter* l, float* out)
{
    const GtiCarried* c = &l->carried;
    const uint8_t* bits = gti_planter_contacts(l->planter);
    for (int32_t f = 0; f < c->frame_count; ++f) {
        out[f] = bits[c->frames ? c->frames[f] : f] ? 0.0f : INFINITY;
    }
    for (int32_t f = 1; f < c->frame_count; ++f) {
        out[f] = fminf(out[f], out[f - 1] + (c->times[f] - c->times[f - 1]));
    }
    for (int32_t f = c->frame_count - 2; f >= 0; --f) {
        out[f] = fminf(out[f], out[f + 1] + (c->times[f + 1] - c->times[f]));
    }
}

// How much the figure has to rise for its body.
static void find_body_rises(GtiLifter* l)
{
    for (int32_t f = 0; f < gti_lift_frame_count(l); ++f) {
        l->needs[f] = 0.0f;
        for (int part = 0; part < GT_SUPPORT_COUNT; ++part) {
            l->needs[f] = is_of_arm(part) ? l->needs[f] : fmaxf(l->needs[f], gti_lift_need(l, part, f));
        }
    }
    gti_lift_rise_over(l, l->needs, l->rises);
}

// How much more it rises for its hands, where it is free to.
static void add_hand_rises(GtiLifter* l)
{
    float* rises = l->ways[GTI_LEFT_SIDE]; // neither is in use
    float* apart = l->ways[GTI_RIGHT_SIDE];
    find_apart(l, apart);
    for (int32_t f = 0; f < gti_lift_frame_count(l); ++f) {
        float left = gti_lift_need(l, GTI_OUTER_LEFT_HAND, f), right = gti_lift_need(l, GTI_OUTER_RIGHT_HAND, f);
        apart[f] = freedom_at(l, f, apart[f]);
        l->needs[f] = apart[f] > 0.0f ? fmaxf(left, right) : 0.0f;
    }
    gti_lift_rise_over(l, l->needs, rises);
    for (int32_t f = 0; f < gti_lift_frame_count(l); ++f) {
        l->rises[f] = fmaxf(l->rises[f], apart[f] * rises[f]);
    }
}

static GtResult begin(GtiLifter* l, const GtiCarried* carried)
{
    size_t count = (size_t)carried->frame_count;
    GtArena* scratch = &l->keeper.scratch;
    gti_lift_end(l);
    l->carried = *carried;
    l->none = (GtiTouches){ .frame_count = carried->frame_count, .times = carried->times };
    l->floor_m = gti_planter_floor(l->planter);
    l->floor_m = l->floor_m < HIGH_SHARE * l->body.stature_m ? l->floor_m : 0.0f;
    l->keeper = (GtiTouchKeeper){ .target = &l->target,
                                  .scale = { .size = l->body.stature_m / PERSON_M },
                                  .scratch = gt_arena_create(l->target.context->allocator) };
    l->is_near = gt_arena_push_array(scratch, count, sizeof *l->is_near);
    l->needs = gt_arena_push_array(scratch, count, sizeof *l->needs);
    l->rises = gt_arena_push_array(scratch, count, sizeof *l->rises);
    l->room = gt_arena_push_array(scratch, count, sizeof *l->room);
    l->drops = gt_arena_push_array(scratch, count, sizeof *l->drops);
    bool ok = l->is_near && l->needs && l->rises && l->room && l->drops;
    for (int part = 0; part < GTI_OUTER_PART_COUNT && ok; ++part) {
        l->depths[part] = gt_arena_push_array(scratch, count, sizeof *l->depths[part]);
        ok = l->depths[part] != NULL;
    }
    for (int side = 0; side < GTI_SIDE_COUNT && ok; ++side) {
        l->ways[side] = gt_arena_push_array(scratch, count, sizeof *l->ways[side]);
        ok = l->ways[side] != NULL;
    }
    return ok ? gti_touch_open(&l->keeper, l->error) : gti_out_of_memory(l->error);
}

void gti_lift_end(GtiLifter* l)
{
    gt_arena_destroy(&l->keeper.scratch);
    l->keeper = (GtiTouchKeeper){ 0 };
}

GtResult gti_lifter_lift_body(GtiLifter* l, const GtiCarried* carried, GtLiftReport* report)
{
    GtResult result = begin(l, carried);
    l->any_near = result == GT_OK && gti_lift_look(l);
    if (!l->any_near) {
        return result;
    }
    result = gti_lift_measure(l);
    if (result == GT_OK && (l->r->def.keep_contacts || (l->r->def.contacts && l->r->def.contacts->has_body))) {
        result = gti_lift_settle(l);
    }
    if (result == GT_OK) {
        find_body_rises(l);
    }
    if (result == GT_OK && gti_lift_flatten(l)) {
        result = gti_lift_measure(l);
    }
    if (result == GT_OK) {
        add_hand_rises(l);
    }
    bool any = false;
    for (int32_t f = 0; result == GT_OK && f < carried->frame_count; ++f) {
        l->rises[f] -= l->drops[f];
        l->drops[f] = 0.0f;
        any = any || l->rises[f] != 0.0f;
        report->body_lift_m = fmax(report->body_lift_m, fabs((double)l->rises[f]));
    }
    return any ? gti_planter_lift(l->planter, carried, l->rises) : result;
}

GtResult gti_lifter_open(const GtContext* context, const GtRetarget* retarget, GtiPlanter* planter, GtiLifter** out,
                         GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiLifter* l = gt_arena_push_array(&arena, 1, sizeof *l);
    *out = l;
    if (!l) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    *l = (GtiLifter){ .r = retarget, .planter = planter, .error = error, .arena = arena };
    l->target = (GtiTouchTarget){ .context = context,
                                  .figure = &retarget->target,
                                  .ground = retarget->def.ground,
                                  .body = &l->body,
                                  .carried = &l->carried,
                                  .touches = &l->none };
    GtResult result = gti_body_outline(&l->arena, &retarget->target, false, &l->outline, error);
    if (result != GT_OK) {
        gti_lifter_close(l);
        *out = NULL;
        return result;
    }
    l->body = l->outline;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        l->body.hands[side].point_count = 0;
    }
    return GT_OK;
}

void gti_lifter_close(GtiLifter* l)
{
    if (l) {
        gti_lift_end(l);
        GtArena arena = l->arena;
        gt_arena_destroy(&arena);
    }
}
