// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One frame, by projecting positions (Müller and others, "Position Based Dynamics", 2007): what is too deep pushes the
// joints at its ends, then the bones get their lengths back. Shoulders, hips, hands and feet only follow. Wrists and
// ankles give way less than elbows and knees, so that what a swivel can mend is mended by it.

#include "motion/apart/apart.h"

#include <math.h>

enum {
    ITERATIONS = 6,
    FIRST = 2 // in which ends give way least
};

static const float RELAXATION = 0.8f;
static const float RELUCTANCE = 0.25f; // of ends, in the first iterations
static const float MOST_LEVER = 1.6f;  // that a joint moves for a point nearer to the trunk
static const float ALONG = 0.5f;       // of an elbow's or a knee's way, that the end goes along
static const float FAR_M = 0.03f;      // what is farther from each other is looked at no more
static const float STRAIGHT = 0.985f;  // of a limb's length, that a shifted end is away at most: elbows must not snap

static GtVec3 across(GtVec3 way, GtVec3 axis)
{
    return gt_vec3_sub(way, gt_vec3_scale(axis, gt_vec3_dot(way, axis)));
}

GtiLimbPoints gti_limb_shifted(const GtiLimbPoints* limb, const GtiLimbShift* shift)
{
    GtiLimbPoints out = *limb;
    const GtVec3* at = limb->at;
    float upper = gt_vec3_length(gt_vec3_sub(at[1], at[0])), fore = gt_vec3_length(gt_vec3_sub(at[2], at[1]));
    GtVec3 was = gt_vec3_sub(at[2], at[0]), way = gt_vec3_add(was, shift->end);
    GtVec3 axis = gt_vec3_normalize_or(way, gt_vec3_normalize_or(was, gt_vec3(0.0f, -1.0f, 0.0f)));
    float was_far = gt_vec3_length(was), far = gt_vec3_length(way), slack = STRAIGHT * (upper + fore) - was_far;
    if (far > was_far) { // a limb straightens ever less
        far = was_far + (slack > 1e-4f * upper ? slack * (1.0f - expf((was_far - far) / slack)) : 0.0f);
    } else {
        float least = fmaxf(fabsf(upper - fore), 0.05f * (upper + fore));
        far = fmaxf(far, fminf(least, was_far));
    }
    float along = far > 0.0f ? (upper * upper - fore * fore + far * far) / (2.0f * far) : 0.0f;
    float out_m = sqrtf(fmaxf(upper * upper - along * along, 0.0f));
    GtVec3 bend = across(gt_vec3_add(gt_vec3_sub(at[1], at[0]), shift->middle), axis);
    GtVec3 usual = across(gt_vec3_sub(at[1], at[0]), axis);
    bend = gt_vec3_normalize_or(bend, gt_vec3_normalize_or(usual, gt_vec3(0.0f, 0.0f, 0.0f)));
    out.at[2] = gt_vec3_add(at[0], gt_vec3_scale(axis, far));
    out.at[1] = gt_vec3_add(at[0], gt_vec3_add(gt_vec3_scale(axis, along), gt_vec3_scale(bend, out_m)));
    out.at[3] = gt_vec3_add(out.at[2], gt_vec3_sub(at[3], at[2]));
    return out;
}

typedef struct Solver {
    const GtiLimbBody* body;
    const GtiLimbDepths* allowed;
    uint64_t near; // which pairs of arms and obstacles are looked at
    GtiLimbFrame now;
    GtiLimbShift pushes[GTI_LIMB_COUNT]; // of this iteration
    bool is_pushed[GTI_LIMB_COUNT];
    float ends[GTI_LIMB_COUNT];  // how much ends give way to what pushes the bone above them
    float hands[GTI_LIMB_COUNT]; // and to what pushes the hand or the foot itself
} Solver;

// Push the ends of a segment: they are joints, or a place on the upper bone, or the tip of a hand.
static void push(Solver* s, int limb, int segment, GtVec3 a, GtVec3 b)
{
    GtiLimbShift* sum = &s->pushes[limb];
    s->is_pushed[limb] = true;
    if (segment == 0) {
        GtVec3 lever = gt_vec3_scale(a, MOST_LEVER);
        GtVec3 more = gt_vec3_length(lever) > gt_vec3_length(b) ? lever : b;
        sum->middle = gt_vec3_add(sum->middle, more);
        sum->end = gt_vec3_add(sum->end, gt_vec3_scale(more, ALONG * s->ends[limb]));
    } else if (segment == 1) {
        sum->middle = gt_vec3_add(sum->middle, a);
        sum->end = gt_vec3_add(sum->end, gt_vec3_scale(b, s->ends[limb]));
    } else {
        GtVec3 more = gt_vec3_length(a) > gt_vec3_length(b) ? a : b;
        sum->end = gt_vec3_add(sum->end, gt_vec3_scale(more, s->hands[limb]));
    }
}

static float limit_of(const Solver* s, float allowed)
{
    return fmaxf(allowed, 0.0f) + GTI_LIMB_LEAVE_M * s->body->size;
}

static void push_arms(Solver* s)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int k = 0; s->body->has_limb[side] && k < GTI_LIMB_SEGMENTS * GTI_OBSTACLES; ++k) {
            int segment = k / GTI_OBSTACLES, obstacle = k % GTI_OBSTACLES;
            if (!(s->near >> gti_limb_pair(side, segment, obstacle) & 1u)) {
                continue;
            }
            GtiLimbTouch touch = gti_limb_on_obstacle(s->body, &s->now, side, segment, obstacle);
            float limit = limit_of(s, s->allowed->arms[side][segment][obstacle]);
            if (touch.depth.depth_m < -FAR_M * s->body->size) {
                s->near &= ~((uint64_t)1 << gti_limb_pair(side, segment, obstacle));
            }
            if (!(touch.depth.depth_m > limit)) {
                continue;
            }
            touch.depth_b = segment == 2 ? touch.depth.depth_m : touch.depth_b; // fingers may be deepest
            float a = fmaxf(touch.depth_a - limit, 0.0f), b = fmaxf(touch.depth_b - limit, 0.0f);
            push(s, side, segment, gt_vec3_scale(touch.depth.way, a), gt_vec3_scale(touch.depth.way, b));
        }
    }
}

static void push_legs(Solver* s)
{
    if (!s->body->has_limb[GTI_LIMB_LEFT_LEG] || !s->body->has_limb[GTI_LIMB_RIGHT_LEG]) {
        return;
    }
    for (int k = 0; k < GTI_LIMB_SEGMENTS * GTI_LIMB_SEGMENTS; ++k) {
        int left = k / GTI_LIMB_SEGMENTS, right = k % GTI_LIMB_SEGMENTS;
        float at[2];
        GtiDepth depth = gti_limb_on_leg(s->body, &s->now, left, right, &at[0], &at[1]);
        float limit = limit_of(s, s->allowed->legs[left][right]);
        for (int side = 0; side < GTI_SIDE_COUNT && depth.depth_m > limit; ++side) {
            float half = (side == GTI_LEFT_SIDE ? 0.5f : -0.5f) * (depth.depth_m - limit);
            float u = 1.0f - at[side], v = at[side];
            GtVec3 way = gt_vec3_scale(depth.way, half / (u * u + v * v));
            push(s, GTI_LIMB_LEFT_LEG + side, side == GTI_LEFT_SIDE ? left : right, gt_vec3_scale(way, u),
                 gt_vec3_scale(way, v));
        }
    }
}

bool gti_limbs_solve(const GtiLimbBody* body, const GtiLimbFrame* frame, const GtiLimbDepths* allowed, uint64_t near,
                     const float* holds, GtiLimbShift out[GTI_LIMB_COUNT])
{
    Solver s = { .body = body, .allowed = allowed, .near = near, .now = *frame };
    for (int i = 0; i < ITERATIONS; ++i) {
        bool any = false;
        for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
            s.pushes[limb] = (GtiLimbShift){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
            s.is_pushed[limb] = false;
            s.hands[limb] = 1.0f - holds[limb];
            s.ends[limb] = (1.0f - holds[limb]) * (i < FIRST ? RELUCTANCE : 1.0f);
        }
        push_legs(&s);
        push_arms(&s);
        for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
            if (s.is_pushed[limb]) {
                any = true;
                s.pushes[limb].middle = gt_vec3_scale(s.pushes[limb].middle, RELAXATION);
                s.pushes[limb].end = gt_vec3_scale(s.pushes[limb].end, RELAXATION);
                GtiLimbPoints shifted = gti_limb_shifted(&s.now.limbs[limb], &s.pushes[limb]);
                gti_limb_place(body, &s.now, limb, &shifted);
            }
        }
        if (!any && i == 0) {
            return false;
        }
        if (!any) {
            break;
        }
    }
    for (int limb = 0; limb < GTI_LIMB_COUNT; ++limb) {
        const GtVec3 *was = frame->limbs[limb].at, *now = s.now.limbs[limb].at;
        out[limb] = (GtiLimbShift){ gt_vec3_sub(now[1], was[1]), gt_vec3_sub(now[2], was[2]) };
    }
    return true;
}
