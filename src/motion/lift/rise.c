// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How deep a body is in the ground, frame by frame, and smooth functions of time that bring it out: each begins before
// it is needed and ends after, the longer the higher it goes.

#include "motion/lift/work.h"

#include "motion/take/take.h"

#include <math.h>
#include <string.h>

static const float LOOK_S = 0.033f;   // from a frame that is looked at to the next
static const float NEAR_M = 0.35f;    // joints of a person that are lower may have skin in the ground
static const float KNEE_M = 0.18f;    // likewise, knees
static const float SEEN_M = 0.15f;    // parts that are higher are not looked at
static const float BESIDE_M = 0.03f;  // and frames whose parts all are higher are left alone
static const float MOST_M = 0.6f;     // what is deeper is meant to be, as in water or in a pit
static const float ENOUGH_M = 0.001f; // that a part may be in the ground
static const float SMOOTH_S = 0.02f;  // standard deviation

static float ground_under(const GtiLifter* l, GtVec3 place)
{
    float height = l->floor_m;
    if (l->target.ground) {
        gt_ground_at(l->target.ground, place.x, place.z, &height);
    }
    return height;
}

// One frame of each stretch of time, in which nothing gets far.
static bool is_looked_at(const GtiLifter* l, int32_t frame)
{
    const float* times = l->carried.times;
    return frame == 0 || frame == gti_lift_frame_count(l) - 1 ||
           floorf(times[frame] / LOOK_S) != floorf(times[frame - 1] / LOOK_S);
}

// Whether a joint other than those of the feet is low enough to tell.
static void look_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    static const GtHumanoidJoint joints[] = { GT_HUMANOID_HIPS,           GT_HUMANOID_HEAD,
                                              GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG,
                                              GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM,
                                              GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
                                              GT_HUMANOID_LEFT_HAND,      GT_HUMANOID_RIGHT_HAND };
    const GtiLifter* l = gti_lifter_of(k);
    GtiBodyPose pose;
    l->is_near[frame] = false;
    if (!is_looked_at(l, frame)) {
        return;
    }
    gti_touch_load(k, room, frame, &pose);
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; ++i) {
        GtVec3 place = pose.places[joints[i]];
        bool is_knee = joints[i] == GT_HUMANOID_LEFT_LOWER_LEG || joints[i] == GT_HUMANOID_RIGHT_LOWER_LEG;
        float near = (is_knee ? KNEE_M : NEAR_M) * k->scale.size;
        l->is_near[frame] =
            l->is_near[frame] || (k->target->body->has_joint[joints[i]] && place.y - ground_under(l, place) < near);
    }
}

bool gti_lift_look(GtiLifter* l)
{
    bool any = false, is_near = false;
    gti_touch_pass(&l->keeper, look_frame);
    for (int32_t f = 0; f < gti_lift_frame_count(l); ++f) { // up to the next that is not
        is_near = is_looked_at(l, f) ? l->is_near[f] : is_near;
        l->ways[0][f] = is_near ? 1.0f : 0.0f;
        any = any || is_near;
    }
    for (int32_t f = gti_lift_frame_count(l) - 1; f >= 0; --f) { // and from the one before
        is_near = is_looked_at(l, f) ? l->is_near[f] : is_near;
        l->is_near[f] = is_near || l->ways[0][f] > 0.0f;
    }
    return any;
}

static void measure_frame(const GtiTouchKeeper* k, GtiTouchFrameScratch* room, int32_t frame)
{
    const GtiLifter* l = gti_lifter_of(k);
    GtiOuterLows lows;
    if (l->is_near[frame]) {
        GtiBodyPose pose;
        gti_touch_load(k, room, frame, &pose);
        gti_outer_points_lows(&l->hull, &pose, k->target->ground, l->floor_m, SEEN_M * k->scale.size, &lows);
    }
    for (int part = 0; part < GTI_OUTER_PART_COUNT; ++part) {
        l->depths[part][frame] = l->is_near[frame] ? l->drops[frame] - lows.heights[part] : -INFINITY;
    }
}

GtResult gti_lift_measure(GtiLifter* l)
{
    GtResult result = GT_OK;
    if (!l->has_hull) {
        result = gti_outer_points_find(l->target.context, &l->arena, &l->outline, &l->hull, l->error);
        l->has_hull = result == GT_OK;
    }
    if (result == GT_OK) {
        gti_touch_pass(&l->keeper, measure_frame);
    }
    for (int32_t f = 0; result == GT_OK && f < gti_lift_frame_count(l); ++f) {
        bool any = false;
        for (int part = 0; part < GTI_OUTER_PART_COUNT; ++part) {
            any = any || l->depths[part][f] > -BESIDE_M * l->keeper.scale.size;
        }
        l->is_near[f] = any;
    }
    return result;
}

float gti_lift_need(const GtiLifter* l, int part, int32_t frame)
{
    float depth = l->depths[part][frame];
    return depth > ENOUGH_M * l->keeper.scale.size ? depth : 0.0f;
}

// Add the envelope of smooth bumps that are as high as what is needed, each the longer the higher it is.
static void add_bumps(const GtiLifter* l, const float* needs, float* out)
{
    const float* times = l->carried.times;
    int32_t count = gti_lift_frame_count(l);
    memset(l->room, 0, (size_t)count * sizeof *l->room);
    for (int32_t f = 0; f < count; ++f) {
        if (!(needs[f] > 0.0f)) {
            continue;
        }
        float span_s = gti_touch_ease_s(&l->keeper, needs[f]);
        for (int32_t k = f; k >= 0 && times[f] - times[k] < span_s; --k) {
            l->room[k] = fmaxf(l->room[k], needs[f] * gti_smooth_step(1.0 - (double)((times[f] - times[k]) / span_s)));
        }
        for (int32_t k = f + 1; k < count && times[k] - times[f] < span_s; ++k) {
            l->room[k] = fmaxf(l->room[k], needs[f] * gti_smooth_step(1.0 - (double)((times[k] - times[f]) / span_s)));
        }
    }
    for (int32_t f = 0; f < count; ++f) {
        GtiTouchWindow window = gti_touch_window(&l->keeper, f, SMOOTH_S);
        float sum = 0.0f, total = 1e-30f;
        bool any = false;
        for (int32_t k = window.first; k < window.end; ++k) {
            any = any || l->room[k] > 0.0f;
        }
        for (int32_t k = window.first; any && k < window.end; ++k) {
            float share = gti_touch_share(&l->keeper, f, k, SMOOTH_S);
            sum += share * l->room[k];
            total += share;
        }
        out[f] += sum / total;
    }
}

// What is deep for as long as it is in the ground at all is meant to be there.
static void leave_deep(const GtiLifter* l, float* needs)
{
    int32_t count = gti_lift_frame_count(l);
    for (int32_t f = 0, end; f < count; f = end + 1) {
        float most = 0.0f;
        for (end = f; end < count && needs[end] > 0.0f; ++end) {
            most = fmaxf(most, needs[end]);
        }
        for (int32_t k = f; k < end && most > MOST_M * l->keeper.scale.size; ++k) {
            needs[k] = 0.0f;
        }
    }
}

// A smooth function of time that is nowhere below `needs`, which is used up. Returns its largest value.
float gti_lift_rise_over(const GtiLifter* l, float* needs, float* out)
{
    int32_t count = gti_lift_frame_count(l);
    float most = 0.0f;
    memset(out, 0, (size_t)count * sizeof *out);
    leave_deep(l, needs);
    add_bumps(l, needs, out);
    for (int32_t f = 0; f < count; ++f) { // peaks that smoothing has cut
        needs[f] = fmaxf(needs[f] - out[f], 0.0f);
        most = fmaxf(most, out[f]);
    }
    if (most > 0.0f) {
        add_bumps(l, needs, out);
    }
    return most;
}

// Smooth ways up for two parts of each limb. Returns the farthest.
float gti_lift_find_ways(GtiLifter* l, const int parts[GTI_SIDE_COUNT], const int others[GTI_SIDE_COUNT])
{
    float most = 0.0f;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < gti_lift_frame_count(l); ++f) {
            l->needs[f] = fmaxf(gti_lift_need(l, parts[side], f), gti_lift_need(l, others[side], f));
        }
        most = fmaxf(most, gti_lift_rise_over(l, l->needs, l->ways[side]));
    }
    return most;
}
