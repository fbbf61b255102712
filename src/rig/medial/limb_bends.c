// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A limb bends at its joints, and where it is straight, proportions tell. A rod, such as robots have, also shows where
// it begins and ends: that is where its bone does.

#include "rig/medial/refine_parts.h"

#include <float.h>
#include <math.h>

#define FLESH_CONTRAST    5.0f // of trunk and limb, up to which nothing shows where the limb begins
#define ROD_CONTRAST      9.0f // from which on it begins where it leaves the trunk
#define ROD_BEND          1.0f // of where a rod ends in something thicker, in where the first bone does
#define BEND_TURNS        3
#define BEND_SAMPLES      6
#define BEND_STEPS        40
#define BEND_RATIO_WEIGHT 3.5e-4f // of proportions against bends, in cube heights
#define BEND_ANGLE_WEIGHT 1e-4f   // of bends that are sharp, likewise
#define BEND_REACH        0.04f   // in heights, to either side of them

float gti_rest_to_end(const GtiMedialTree* tree, const GtiMedialKnot* knot, int32_t i)
{
    float length = 0.0f;
    for (; i < knot->chain_count; ++i) {
        GtVec3 next = i + 1 < knot->chain_count ? gti_chain_rest(tree, knot, i + 1) : knot->position;
        length += gt_vec3_length(gt_vec3_sub(next, gti_chain_rest(tree, knot, i)));
    }
    return length;
}

float gti_rod_share(const GtiMedialWay* way)
{
    float share = (way->contrast - FLESH_CONTRAST) / (ROD_CONTRAST - FLESH_CONTRAST);
    return fminf(fmaxf(share, 0.0f), 1.0f);
}

// How far the way is from a straight bone between two places on it: mean square.
static float bend_between(const GtiMedialWay* way, float from, float to)
{
    GtVec3 a = gti_medial_way_from_end(way, from);
    GtVec3 along = gt_vec3_sub(gti_medial_way_from_end(way, to), a);
    float square = fmaxf(gt_vec3_dot(along, along), 1e-8f);
    float sum = 0.0f;
    for (int32_t i = 1; i < BEND_SAMPLES; ++i) {
        GtVec3 off = gt_vec3_sub(gti_medial_way_from_end(way, from + (to - from) * (float)i / BEND_SAMPLES), a);
        GtVec3 aside = gt_vec3_sub(off, gt_vec3_scale(along, gt_vec3_dot(off, along) / square));
        sum += gt_vec3_dot(aside, aside);
    }
    return sum / (BEND_SAMPLES - 1);
}

static float bone_cost(const GtiMedialWay* way, float from, float to, float wanted)
{
    float off = logf(fmaxf(from - to, 1e-4f) / fmaxf(wanted, 1e-4f));
    return (from - to) * bend_between(way, from, to) + BEND_RATIO_WEIGHT * off * off;
}

// How straight the way is at a place: 1 where it goes on, 0 at a right angle.
static float straightness_at(const GtiMedialWay* way, float at)
{
    GtVec3 here = gti_medial_way_from_end(way, at);
    GtVec3 before = gt_vec3_sub(here, gti_medial_way_from_end(way, at + BEND_REACH));
    GtVec3 after = gt_vec3_sub(gti_medial_way_from_end(way, fmaxf(at - BEND_REACH, 0.0f)), here);
    float lengths = gt_vec3_length(before) * gt_vec3_length(after);
    return lengths > 0.0f ? gt_vec3_dot(before, after) / lengths : 1.0f;
}

// What it costs to have a joint of the chain `at` that far before the end of its limb.
static float joint_cost(const GtiRefiner* r, int32_t k, int32_t i, float at)
{
    const GtiMedialKnot* knot = &r->tree->knots[k];
    const GtiRefinedLimb* limb = &r->limbs[k];
    bool is_last = i + 1 == knot->chain_count;
    float rest = gti_rest_to_end(r->tree, knot, i);
    float wanted_before = limb->scale * (gti_rest_to_end(r->tree, knot, i - 1) - rest);
    float wanted_after = limb->scale * (rest - (is_last ? 0.0f : gti_rest_to_end(r->tree, knot, i + 1)));
    float rod = i == limb->girdle + 1 && limb->way.thick > 0.0f ? ROD_BEND * gti_rod_share(&limb->way) : 0.0f;
    float off = at - limb->way.thick;
    return bone_cost(&limb->way, limb->to_ends[i - 1], at, wanted_before) +
           bone_cost(&limb->way, at, is_last ? 0.0f : limb->to_ends[i + 1], wanted_after) + rod * off * off +
           BEND_ANGLE_WEIGHT * straightness_at(&limb->way, at);
}

// Joints slide along the middle of a limb to where it bends, as far as their bones' proportions let them; those of a
// pair of equal limbs together.
static void find_bends(const GtiRefiner* r, int32_t k, int32_t twin)
{
    const GtiMedialKnot* knot = &r->tree->knots[k];
    const GtiRefinedLimb* limb = &r->limbs[k];
    for (int32_t turn = 0; turn < BEND_TURNS; ++turn) {
        for (int32_t i = limb->girdle + 1; i < knot->chain_count; ++i) {
            float before = limb->to_ends[i - 1];
            float after = i + 1 < knot->chain_count ? limb->to_ends[i + 1] : 0.0f;
            float best = FLT_MAX;
            float best_at = limb->to_ends[i];
            for (int32_t step = 1; step < BEND_STEPS; ++step) {
                float at = after + (before - after) * (float)step / BEND_STEPS;
                float cost = joint_cost(r, k, i, at) + (twin == GT_NONE ? 0.0f : joint_cost(r, twin, i, at));
                if (cost < best) {
                    best = cost;
                    best_at = at;
                }
            }
            limb->to_ends[i] = best_at;
            if (twin != GT_NONE) {
                r->limbs[twin].to_ends[i] = best_at;
            }
        }
    }
}

// The limb on the other side, where it is as large and has the same joints.
static int32_t equal_limb(const GtiRefiner* r, int32_t k)
{
    int32_t twin = r->tree->knots[k].mirror;
    bool is_equal = twin != GT_NONE && twin != k && r->limbs[twin].girdle == r->limbs[k].girdle &&
                    r->tree->knots[twin].chain_count == r->tree->knots[k].chain_count &&
                    r->limbs[twin].scale == r->limbs[k].scale;
    return is_equal && gti_rod_share(&r->limbs[k].way) > 0.5f ? twin : GT_NONE;
}

bool gti_limbs_measure(GtiRefiner* r, GtArena* scratch)
{
    for (int32_t k = 1; k < r->tree->knot_count; ++k) {
        const GtiMedialKnot* knot = &r->tree->knots[k];
        GtiRefinedLimb* limb = &r->limbs[k];
        if (limb->girdle == GT_NONE) {
            continue;
        }
        limb->to_ends = gt_arena_push_array(scratch, (size_t)knot->chain_count, sizeof *limb->to_ends);
        if (!limb->to_ends) {
            return false;
        }
        for (int32_t i = limb->girdle; i < knot->chain_count; ++i) {
            limb->to_ends[i] = limb->scale * gti_rest_to_end(r->tree, knot, i);
        }
        int32_t twin = equal_limb(r, k);
        if (twin == GT_NONE || twin < k) { // else when that has been measured
            find_bends(r, k, twin);
        }
    }
    return true;
}
