// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/plant/plant.h"

#include "base/direction.h"
#include "motion/take/take.h"

#include <math.h>

static const float MAX_TILT_RADPS = 4.0f; // that tilting turns a foot by
static const float MAX_HEIGHT = 0.4f;     // of the leg, that a sole may be from the ground to be put there
static const float JUMP_SHARE = 0.15f;    // of the leg, in one frame, and
static const float JUMP_SPEED = 15.0f;    // legs a second

void gti_plant_apart(const GtiPlant* plant, float* out)
{
    const GtiPlantFrames* frames = plant->frames;
    for (int32_t f = 1; f < frames->count; ++f) {
        out[f] = fminf(out[f], out[f - 1] + (frames->times[f] - frames->times[f - 1]));
    }
    for (int32_t f = frames->count - 2; f >= 0; --f) {
        out[f] = fminf(out[f], out[f + 1] + (frames->times[f + 1] - frames->times[f]));
    }
}

// Time from each frame to the nearest in which `mask` has bits, or has none.
static void measure_apart(const GtiPlant* plant, unsigned mask, bool any, float* out)
{
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        out[f] = ((plant->contacts[f] & mask) != 0) == any ? 0.0f : INFINITY;
    }
    gti_plant_apart(plant, out);
}

void gti_plant_near(const GtiPlant* plant, unsigned mask, double span_s, float* out)
{
    measure_apart(plant, mask, true, out);
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        out[f] = gti_smooth_step(1.0 - (double)out[f] / span_s);
    }
}

void gti_plant_inside(const GtiPlant* plant, unsigned mask, double span_s, float* out)
{
    measure_apart(plant, mask, false, out);
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        out[f] = gti_smooth_step((double)out[f] / span_s);
    }
}

void gti_plant_most_near(const GtiPlant* plant, double span_s, const float* from, float* to)
{
    const float* times = plant->frames->times;
    int32_t count = plant->frames->count;
    int32_t first = 0;
    for (int32_t f = 0; f < count; ++f) {
        while ((double)(times[f] - times[first]) > span_s) {
            ++first;
        }
        to[f] = 0.0f;
        for (int32_t k = first; k < count && (double)(times[k] - times[f]) <= span_s; ++k) {
            to[f] = fmaxf(to[f], from[k]);
        }
    }
}

static void set_tilts(int32_t first, int32_t end, const GtVec3 ends[2], GtVec3* out)
{
    for (int32_t f = first; f < end; ++f) {
        float share = gti_smooth_step((double)(f - first + 1) / (double)(end - first + 1));
        out[f] = gt_vec3_lerp(ends[0], ends[1], share);
    }
}

void gti_plant_tilt(GtiPlant* plant, int side, const GtiTilting* how, float* room, GtVec3* tilts)
{
    int32_t count = plant->frames->count;
    int32_t done = 0;
    GtVec3 before = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t f = 0; f < count; ++f) {
        if (!how->holds(plant, side, f)) {
            continue;
        }
        int32_t last = f;
        while (last + 1 < count && how->holds(plant, side, last + 1)) {
            ++last;
        }
        GtVec3 tilt = how->tilt(plant, side, f, last, room);
        set_tilts(done, f, (const GtVec3[2]){ done > 0 ? before : tilt, tilt }, tilts);
        set_tilts(f, last + 1, (const GtVec3[2]){ tilt, tilt }, tilts);
        before = tilt;
        done = last + 1;
        f = last;
    }
    set_tilts(done, count, (const GtVec3[2]){ before, before }, tilts);
    gti_plant_slow_down(plant, MAX_TILT_RADPS, tilts, tilts + count);
    for (int32_t f = 0; f < count; ++f) {
        how->turn(plant, side, f, gti_quat_from_vector(tilts[count + f]));
    }
}

float gti_plant_ground(const GtiPlant* plant, float x, float z)
{
    float height = plant->floor_m;
    if (plant->ground) {
        gt_ground_at(plant->ground, x, z, &height);
    }
    return height;
}

float gti_plant_rise(const GtiPlant* plant, int side, int32_t frame, GtVec3 ankle)
{
    if (!plant->ground) {
        return gti_plant_floor(plant, side, frame) - plant->feet[side][frame].low;
    }
    const GtVec3* points = gti_plant_points(plant, frame);
    float most = -INFINITY;
    for (int32_t i = plant->sole->first[side]; i < plant->sole->end[side]; ++i) {
        if (gti_plant_is_on(plant, i, side)) {
            most = fmaxf(most, gti_plant_ground(plant, ankle.x + points[i].x, ankle.z + points[i].z) - points[i].y);
        }
    }
    return most;
}

GtVec3 gti_plant_ahead(const GtiPlant* plant, int side, int32_t frame)
{
    GtVec3 ahead = gt_quat_rotate(plant->feet[side][frame].turn, gti_figure_forward(plant->figure));
    ahead.y = 0.0f;
    return gt_vec3_normalize_or(ahead, gt_vec3(0.0f, 0.0f, 1.0f));
}

static GtVec3 combine(const GtVec3 axes[3], GtVec3 v)
{
    return gt_vec3(axes[0].x * v.x + axes[1].x * v.y + axes[2].x * v.z,
                   axes[0].y * v.x + axes[1].y * v.y + axes[2].y * v.z,
                   axes[0].z * v.x + axes[1].z * v.y + axes[2].z * v.z);
}

static void find_axes(GtQuat turn, GtVec3 axes[3])
{
    axes[0] = gt_quat_rotate(turn, gt_vec3(1.0f, 0.0f, 0.0f));
    axes[1] = gt_quat_rotate(turn, gt_vec3(0.0f, 1.0f, 0.0f));
    axes[2] = gt_quat_rotate(turn, gt_vec3(0.0f, 0.0f, 1.0f));
}

static bool turns_nothing(GtQuat turn)
{
    return turn.x == 0.0f && turn.y == 0.0f && turn.z == 0.0f;
}

// Turn the points of a foot about its ankle; or about its toes, each by as much as it is of them.
static void turn_points(GtiPlant* plant, int side, int32_t frame, GtQuat turn, bool about_toes)
{
    GtiFootFrame* foot = &plant->feet[side][frame];
    GtVec3* points = gti_plant_points(plant, frame);
    GtVec3 axes[3];
    find_axes(turn, axes);
    foot->low = INFINITY;
    for (int32_t i = plant->sole->first[side]; i < plant->sole->end[side]; ++i) {
        if (!gti_plant_is_on(plant, i, side)) {
            continue;
        }
        if (about_toes) {
            GtVec3 turned = gt_vec3_add(foot->toes, combine(axes, gt_vec3_sub(points[i], foot->toes)));
            points[i] = gt_vec3_lerp(points[i], turned, plant->sole->toe_shares[i]);
        } else {
            points[i] = combine(axes, points[i]);
        }
        foot->low = points[i].y < foot->low ? points[i].y : foot->low;
    }
}

void gti_plant_turn(GtiPlant* plant, int side, int32_t frame, GtQuat turn)
{
    if (turns_nothing(turn)) {
        return;
    }
    GtiFootFrame* foot = &plant->feet[side][frame];
    foot->turn = gt_quat_normalize(gt_quat_mul(turn, foot->turn));
    foot->toe_turn = gt_quat_normalize(gt_quat_mul(turn, foot->toe_turn));
    foot->fix = gt_quat_normalize(gt_quat_mul(turn, foot->fix));
    foot->toes = gt_quat_rotate(turn, foot->toes);
    turn_points(plant, side, frame, turn, false);
}

void gti_plant_turn_toes(GtiPlant* plant, int side, int32_t frame, GtQuat turn)
{
    if (turns_nothing(turn)) {
        return;
    }
    GtiFootFrame* foot = &plant->feet[side][frame];
    foot->toe_turn = gt_quat_normalize(gt_quat_mul(turn, foot->toe_turn));
    foot->toe_fix = gt_quat_normalize(gt_quat_mul(turn, foot->toe_fix));
    turn_points(plant, side, frame, turn, true);
}

void gti_plant_smooth(const GtiPlant* plant, double deviation_s, const GtVec3* from, GtVec3* to)
{
    const float* times = plant->frames->times;
    int32_t count = plant->frames->count;
    int32_t first = 0;
    for (int32_t f = 0; f < count; ++f) {
        double sum[4] = { 0.0, 0.0, 0.0, 0.0 };
        while ((double)(times[f] - times[first]) > 3.0 * deviation_s) {
            ++first;
        }
        for (int32_t k = first; k < count && (double)(times[k] - times[f]) <= 3.0 * deviation_s; ++k) {
            float u = (times[k] - times[f]) / (float)deviation_s;
            double weight = (double)expf(-0.5f * u * u);
            sum[0] += weight * (double)from[k].x;
            sum[1] += weight * (double)from[k].y;
            sum[2] += weight * (double)from[k].z;
            sum[3] += weight;
        }
        to[f] = gt_vec3((float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]), (float)(sum[2] / sum[3]));
    }
}

static GtVec3 step_toward(GtVec3 here, GtVec3 there, float most)
{
    GtVec3 way = gt_vec3_sub(there, here);
    float length = gt_vec3_length(way);
    return length > most ? gt_vec3_add(here, gt_vec3_scale(way, most / length)) : there;
}

void gti_plant_slow_down(const GtiPlant* plant, float most_ps, const GtVec3* from, GtVec3* to)
{
    const float* times = plant->frames->times;
    int32_t count = plant->frames->count;
    to[0] = from[0];
    for (int32_t f = 1; f < count; ++f) {
        to[f] = step_toward(to[f - 1], from[f], most_ps * (times[f] - times[f - 1]));
    }
    GtVec3 back = from[count - 1];
    for (int32_t f = count - 1; f >= 0; --f) {
        back = f == count - 1 ? back : step_toward(back, from[f], most_ps * (times[f + 1] - times[f]));
        to[f] = gt_vec3_lerp(to[f], back, 0.5f);
    }
}

// A foot far from the ground does not stand on it, whatever is said.
bool gti_plant_stands(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    float leg = gti_leg_m(foot);
    float height = foot->ankle.y + foot->low - gti_plant_floor(plant, side, frame);
    return (plant->contacts[frame] >> 2 * side & 3u) && fabsf(height) < MAX_HEIGHT * leg;
}

GtResult gti_plant_reach(GtiPlant* plant)
{
    GtResult result = gti_plant_hips(plant);
    return result == GT_OK ? gti_plant_legs(plant) : result;
}

// A figure that is in the ground up to its knees in all frames is raised onto it: captures can begin with some in which
// nothing was seen, and whose hips are at 0.
static void raise_sunken(GtiPlant* plant)
{
    float least = INFINITY;
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        const GtiFootFrame* left = &plant->feet[GTI_LEFT_SIDE][f];
        const GtiFootFrame* right = &plant->feet[GTI_RIGHT_SIDE][f];
        float height = fmaxf(left->ankle.y + left->low, right->ankle.y + right->low) - plant->floor_m;
        if (!(height < -MAX_HEIGHT * gti_leg_m(left))) {
            return;
        }
        least = fminf(least, -height);
    }
    plant->raise_m = least;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            GtiFootFrame* foot = &plant->feet[side][f];
            foot->hip.y += least;
            foot->knee.y += least;
            foot->ankle.y += least;
        }
    }
}

// is_whole: it goes on at neither end
static GtResult plant_segment(GtiPlant* plant, bool is_whole)
{
    if (!plant->ground && is_whole) {
        raise_sunken(plant);
    }
    GtResult result = plant->is_again ? GT_OK : gti_plant_soles(plant);
    if (result == GT_OK) {
        result = gti_plant_paths(plant);
    }
    if (result == GT_OK) {
        result = gti_plant_clear(plant);
    }
    if (result == GT_OK) {
        result = gti_plant_hips(plant);
    }
    if (result == GT_OK) {
        gti_plant_swings(plant);
        result = gti_plant_clear(plant);
    }
    return result == GT_OK ? gti_plant_legs(plant) : result;
}

// Whether a capture goes on somewhere else from a frame to the next, as some do after their first.
static bool jumps(const GtiPlant* plant, int32_t frame)
{
    const GtiFootFrame* here = &plant->feet[GTI_LEFT_SIDE][frame];
    const GtiFootFrame* there = here + 1;
    float leg = gti_leg_m(here);
    float step_s = plant->frames->times[frame + 1] - plant->frames->times[frame];
    float way = gt_vec3_length(gt_vec3_sub(there->hip, here->hip));
    return way > JUMP_SHARE * leg && way > JUMP_SPEED * leg * step_s;
}

GtResult gti_plant_frames(GtiPlant* plant)
{
    const GtiPlantFrames* whole = plant->frames;
    GtResult result = GT_OK;
    for (int32_t first = 0; first < whole->count && result == GT_OK;) {
        int32_t end = first + 1;
        while (end < whole->count && !jumps(plant, end - 1)) {
            ++end;
        }
        GtiPlantFrames frames = *whole;
        int32_t behind = whole->count - end;
        frames.before = whole->before > first ? whole->before - first : 0;
        frames.after = whole->after > behind ? whole->after - behind : 0;
        frames.count = end - first;
        frames.times += first;
        frames.poses += (size_t)first * (size_t)whole->stride;
        GtiPlant part = *plant;
        part.frames = &frames;
        part.contacts += first;
        part.sure += first;
        part.points += (size_t)first * (size_t)plant->sole->point_count;
        for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
            part.feet[side] += first;
            part.levels[side] = plant->levels[side] ? plant->levels[side] + first : NULL;
        }
        bool goes_on = (whole->before && first == 0) || (whole->after && behind == 0);
        result = plant_segment(&part, whole->is_cycle || !goes_on);
        plant->report = part.report;
        first = end;
    }
    return result;
}
