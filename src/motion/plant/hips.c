// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The hips follow the feet that stand. Moved by the same offset as its foot, a hip joint keeps the leg as it was; with
// two feet on the ground that is not to be had for both, and what matters is that each leg stays as long as it was,
// because a knee that is nearly straight turns a lot for a little length. So of every frame the shift r minimises
//   sum over feet of w (l . (r - c))^2 + e (w + d) |r - c|^2
// with l the leg's direction, c the foot's offset and w how much it stands. Then it is smoothed over time, and where a
// standing leg still could not reach, the hips are lowered around that time.

#include "motion/plant/plant.h"

#include "base/matrix3.h"

#include <math.h>

static const double EVERY_WAY = 0.3;    // e
static const double IN_THE_AIR = 0.02;  // d
static const double SMOOTH_S = 0.012;   // standard deviation
static const double DROP_SPAN_S = 0.12; // before and after a leg could not reach
static const float STRAIGHT = 0.985f;   // share of its length to which a leg may always be stretched
static const float STRAIGHTEST = 0.999f;

static GtVec3 best_shift(const GtiPlant* plant, int32_t frame)
{
    double a[3][3] = { { 0.0 } };
    GtiVec b = gti_vec(0.0, 0.0, 0.0);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        const GtiFootFrame* foot = &plant->feet[side][frame];
        GtVec3 leg = gt_vec3_normalize_or(gt_vec3_sub(foot->ankle, foot->hip), gt_vec3(0.0f, -1.0f, 0.0f));
        GtVec3 off = gt_vec3_sub(foot->goal, foot->ankle);
        const double l[3] = { (double)leg.x, (double)leg.y, (double)leg.z };
        GtiVec c = gti_vec_from(off);
        double weight = (double)foot->weight;
        double loose = EVERY_WAY * (weight + IN_THE_AIR);
        double along = gti_vec_dot(gti_vec_from(leg), c);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                a[i][j] += weight * l[i] * l[j];
            }
            a[i][i] += loose;
        }
        GtiVec pull = gti_vec_scale(gti_vec_scale(gti_vec_from(leg), weight), along);
        b = gti_vec_add(b, gti_vec_add_scaled(pull, c, loose));
    }
    return gti_vec_to_float(gti_solve3_positive(a, b));
}

// How far the hips have to go down for a leg to reach.
static float drop_for(const GtiFootFrame* foot, GtVec3 shift)
{
    float length = gti_leg_m(foot);
    float was = gt_vec3_length(gt_vec3_sub(foot->ankle, foot->hip));
    float most = fmaxf(STRAIGHT * length, fminf(was, STRAIGHTEST * length));
    GtVec3 leg = gt_vec3_sub(foot->goal, gt_vec3_add(foot->hip, shift));
    float aside = sqrtf(leg.x * leg.x + leg.z * leg.z);
    if (gt_vec3_length(leg) <= most) {
        return 0.0f;
    }
    return aside < most ? fmaxf(-leg.y - sqrtf(most * most - aside * aside), 0.0f) : fmaxf(-leg.y, 0.0f);
}

GtResult gti_plant_hips(GtiPlant* plant)
{
    size_t count = (size_t)plant->frames->count;
    GtVec3* room = gt_arena_push_array(plant->scratch, count, sizeof *room);
    float* drops = gt_arena_push_array(plant->scratch, 2 * count, sizeof *drops);
    plant->shifts = gt_arena_push_array(plant->scratch, count, sizeof *plant->shifts);
    if (!room || !drops || !plant->shifts) {
        return gti_out_of_memory(plant->error);
    }
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        room[f] = best_shift(plant, f);
    }
    gti_plant_smooth(plant, SMOOTH_S, room, plant->shifts);
    bool lowers = false;
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        drops[f] = 0.0f;
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            const GtiFootFrame* foot = &plant->feet[side][f];
            drops[f] = fmaxf(drops[f], foot->weight * drop_for(foot, plant->shifts[f]));
        }
        lowers = lowers || drops[f] > 0.0f;
    }
    if (lowers) {
        const float* most = drops + count; // so that hips begin to go down early enough
        gti_plant_most_near(plant, DROP_SPAN_S, drops, drops + count);
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            room[f] = gt_vec3_sub(plant->shifts[f], gt_vec3(0.0f, most[f], 0.0f));
        }
        gti_plant_smooth(plant, SMOOTH_S, room, plant->shifts);
    }
    return GT_OK;
}
