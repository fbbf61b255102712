// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet before they get their paths: how those that stand are turned. They calm down, soles that stand on heel and ball
// are laid flat, toes lie on the ground.

#include "motion/plant/plant.h"
#include "motion/take/take.h"

#include "base/direction.h"
#include "base/sort.h"

#include <math.h>

static const double CALM_S = 0.03;         // standard deviation
static const double CALM_SPAN_S = 0.05;    // before and after standing, in which feet calm down
static const float SLOWEST_CALM = 0.3f;    // radians a second, up to which a foot calms down,
static const float FASTEST_CALM = 1.0f;    // and from which on it does not
static const double FAULT_SPAN_S = 0.3;    // before and after standing, in which it also does where its capture fails:
static const float POSSIBLE_RADPS = 12.0f; // where it turns to and fro faster than this
static const float NO_ACCORD = 0.85f;      // of the rotations around a moment, at which they have no mean
static const double TOE_SPAN_S = 0.16;     // before and after standing, in which toes are laid down
static const double PITCH_SPAN_S = 0.12;   // before and after standing, in which a foot is pitched by its length
static const float MIN_PITCH_SHARE = 0.4f;
static const float LIKE_HEEL = 0.7f;
static const float UPSIDE_DOWN_RAD = 2.6f;
static const float MAX_FIX_RAD = 0.7f;
static const float MAX_HEEL_RAD = 0.03f;  // that a heel may be up and still be meant to stand
static const float TOE_FADE_RAD = 1.4f;   // before that, over which toes are laid down less and less
static const double SHARE_S = 0.04;       // standard deviation
static const float MAX_TOE_RADPS = 15.0f; // that laying toes down turns them by
static const float LEAST_RAD = 1e-5f;

static bool is_flat(const GtiPlant* plant, int side, int32_t frame)
{
    unsigned both = 3u << 2 * side;
    return (plant->contacts[frame] & both) == both;
}

static GtQuat turn_of(const GtiFootFrame* foot, bool toes)
{
    return toes ? foot->toe_turn : foot->turn;
}

// How much of a trembling is a fault of the capture: no foot turns to and fro so fast.
static float share_of_fault(const GtiFootFrame* feet, bool toes, const float* times, int32_t first, int32_t last)
{
    float way_rad = 0.0f;
    for (int32_t k = first; k < last; ++k) {
        way_rad += gt_quat_angle_rad(turn_of(&feet[k], toes), turn_of(&feet[k + 1], toes));
    }
    float ahead_rad = gt_quat_angle_rad(turn_of(&feet[first], toes), turn_of(&feet[last], toes));
    float speed = (way_rad - 2.0f * ahead_rad) / fmaxf(times[last] - times[first], 1e-6f);
    return gti_smooth_step((double)((speed - POSSIBLE_RADPS) / POSSIBLE_RADPS));
}

// How much a foot calms down in a frame, given the frames around it: one that rolls does not tremble.
static float share_of_calm(const GtiFootFrame* feet, const float* times, int32_t first, int32_t last)
{
    float speed = gt_quat_angle_rad(feet[first].turn, feet[last].turn) / fmaxf(times[last] - times[first], 1e-6f);
    return gti_smooth_step((double)((FASTEST_CALM - speed) / (FASTEST_CALM - SLOWEST_CALM)));
}

// A foot that stands does not tremble as captured ones do: the Gaussian mean of its rotations, within contacts; and
// around them where the capture of it, or of its toes, has failed.
static void calm_feet(GtiPlant* plant, int side, bool toes, const float* inside, const float* near, GtQuat* calm)
{
    const float* times = plant->frames->times;
    const GtiFootFrame* feet = plant->feet[side];
    int32_t count = plant->frames->count;
    int32_t first = 0;
    for (int32_t f = 0; f < count; ++f) {
        while ((double)(times[f] - times[first]) > 3.0 * CALM_S) {
            ++first;
        }
        calm[f] = gt_quat_identity();
        if (!(near[f] > 0.0f)) {
            continue;
        }
        GtQuat here = turn_of(&feet[f], toes);
        GtQuat sum = gt_quat(0.0f, 0.0f, 0.0f, 0.0f);
        float weights = 0.0f;
        int32_t last = f;
        for (int32_t k = first; k < count && (double)(times[k] - times[f]) <= 3.0 * CALM_S; ++k) {
            GtQuat turn = turn_of(&feet[k], toes);
            float u = (times[k] - times[f]) / (float)CALM_S;
            float weight = copysignf(expf(-0.5f * u * u), gt_quat_dot(turn, here));
            last = k;
            weights += fabsf(weight);
            sum = gt_quat(sum.x + weight * turn.x, sum.y + weight * turn.y, sum.z + weight * turn.z,
                          sum.w + weight * turn.w);
        }
        float accord = sqrtf(gt_quat_dot(sum, sum)) / weights; // what points everywhere has no mean
        float share = near[f] * share_of_fault(feet, toes, times, first, last);
        share *= gti_smooth_step((double)((accord - NO_ACCORD) / (1.0f - NO_ACCORD)) * 2.0);
        share = toes ? share : fmaxf(share, inside[f] * share_of_calm(feet, times, first, last));
        GtQuat turn = gt_quat_mul(gt_quat_normalize(sum), gt_quat_conjugate(here));
        calm[f] = gt_quat_slerp(gt_quat_identity(), turn, share);
    }
    for (int32_t f = 0; f < count; ++f) {
        (toes ? gti_plant_turn_toes : gti_plant_turn)(plant, side, f, calm[f]);
    }
}

// How what is turned since the reference pose is tilted away from level, as a rotation vector in the axes of that pose.
static GtVec3 tilt_of(GtQuat turn)
{
    GtVec3 up = gt_quat_rotate(gt_quat_conjugate(turn), gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 axis = gt_vec3_cross(up, gt_vec3(0.0f, 1.0f, 0.0f));
    float sine = gt_vec3_length(axis);
    return sine > 1e-9f ? gt_vec3_scale(axis, atan2f(sine, up.y) / sine) : gt_vec3(0.0f, 0.0f, 0.0f);
}

// Up to about `most`; and nothing of what is all but upside down, since which way that would be is not told.
static GtVec3 limit(GtVec3 tilt, float most)
{
    float angle = gt_vec3_length(tilt);
    float told = gti_smooth_step((double)((UPSIDE_DOWN_RAD - angle) / 0.8f));
    return angle > 1e-6f ? gt_vec3_scale(tilt, told * most * tanhf(angle / most) / angle) : tilt;
}

// The median tilt while heel and ball stand: what a standing sole is off by. That the heel begins to rise before the
// contact ends is part of the motion.
static GtVec3 usual_tilt(const GtiPlant* plant, int side, int32_t first, int32_t last, float* room)
{
    float tilt[3];
    for (int axis = 0; axis < 3; ++axis) {
        for (int32_t f = first; f <= last; ++f) {
            GtVec3 now = tilt_of(plant->feet[side][f].turn);
            room[f - first] = axis == 0 ? now.x : axis == 1 ? now.y : now.z;
        }
        tilt[axis] = gti_percentile(room, last - first + 1, 0.5);
    }
    GtVec3 across = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), gti_figure_forward(plant->figure));
    GtVec3 usual = gt_vec3(tilt[0], tilt[1], tilt[2]);
    float heel_up = gt_vec3_dot(usual, across); // feet can stand with their heels up, but not with their toes up
    if (heel_up > 0.0f) {
        usual = gt_vec3_sub(usual, gt_vec3_scale(across, heel_up - MAX_HEEL_RAD * tanhf(heel_up / MAX_HEEL_RAD)));
    }
    return limit(usual, MAX_FIX_RAD);
}

static void take_off(GtiPlant* plant, int side, int32_t frame, GtQuat tilt)
{
    GtQuat turn = plant->feet[side][frame].turn;
    gti_plant_turn(plant, side, frame,
                   gt_quat_mul(gt_quat_mul(turn, gt_quat_conjugate(tilt)), gt_quat_conjugate(turn)));
}

// Soles that stand on heel and ball are laid flat.
static const GtiTilting flattening = { is_flat, usual_tilt, take_off };

// How far the mark of a part is from the ankle over the ground, in the reference pose.
static float length_of(const GtiPlant* plant, int side, int part)
{
    GtVec3 mark = gt_vec3_sub(plant->sole->points[plant->sole->marks[2 * side + part]],
                              gti_figure_reference(plant->figure, gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)));
    return fabsf(gt_vec3_dot(mark, gti_figure_forward(plant->figure)));
}

// A heel that is only a little longer than a guess of the motion's is as long as it.
static float share_of(float theirs, float own)
{
    return theirs > 0.0f && own > 0.0f ? fminf(fmaxf(theirs / (LIKE_HEEL * own), MIN_PITCH_SHARE), 1.0f) : 1.0f;
}

// A longer heel than the motion's lifts the ankle more when it strikes the ground. With toes so much less up, it leaves
// ankle and knee as they are.
static void scale_pitches(GtiPlant* plant, int side, const float* near)
{
    const float by_heel = share_of(plant->heel_m, length_of(plant, side, 0));
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        if (!(near[f] > 0.0f)) {
            continue;
        }
        GtVec3 ahead = gt_quat_rotate(plant->feet[side][f].turn, gti_figure_forward(plant->figure));
        float down_rad = atan2f(-ahead.y, hypotf(ahead.x, ahead.z));
        float more_rad = fminf(down_rad, 0.0f) * (by_heel - 1.0f);
        GtVec3 axis = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), gti_plant_ahead(plant, side, f));
        gti_plant_turn(plant, side, f, gt_quat_from_axis_angle(axis, near[f] * more_rad));
    }
}

// How much the toes of a foot near a contact are laid down: less and less as they get upside down, since whoever kneels
// means it. It changes slowly, so that toes that tremble do not tremble more.
static void share_toes(const GtiPlant* plant, int side, const float* near, GtVec3* shares, GtVec3* room)
{
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        float angle = near[f] > 0.0f ? gt_vec3_length(tilt_of(plant->feet[side][f].toe_turn)) : 0.0f;
        float told = gti_smooth_step((double)((UPSIDE_DOWN_RAD - angle) / TOE_FADE_RAD));
        room[f] = gt_vec3(told * near[f], 0.0f, 0.0f);
    }
    gti_plant_smooth(plant, SHARE_S, room, shares);
}

// Where the toes of a frame are wanted. Those that stand lie on the ground, whatever the foot above them does; those of
// a foot that stands on its heel do not go into it.
static GtQuat lay_toes(const GtiPlant* plant, GtQuat turn, float share, float ball_share)
{
    GtVec3 across = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), gti_figure_forward(plant->figure));
    GtVec3 tilt = tilt_of(turn);
    GtVec3 down = gt_vec3_scale(across, fmaxf(gt_vec3_dot(tilt, across), 0.0f));
    GtVec3 off = gt_vec3_add(gt_vec3_scale(tilt, ball_share), gt_vec3_scale(down, share - ball_share));
    return gt_quat_normalize(gt_quat_mul(turn, gti_quat_from_vector(gt_vec3_scale(off, -1.0f))));
}

// From one rotation toward another, by so much at most.
static GtQuat turn_toward(GtQuat here, GtQuat there, float most)
{
    float angle = gt_quat_angle_rad(here, there);
    return angle > most ? gt_quat_slerp(here, there, most / angle) : there;
}

// Toes do not turn faster than they did by more than `most_ps`: halfway between what follows those that are wanted and
// what leads up to them.
static void slow_toes(const GtiPlant* plant, int side, float most_ps, const GtQuat* wanted, GtQuat* out)
{
    const GtiFootFrame* feet = plant->feet[side];
    const float* times = plant->frames->times;
    int32_t count = plant->frames->count;
    out[0] = wanted[0];
    for (int32_t f = 1; f < count; ++f) {
        float most = most_ps * (times[f] - times[f - 1]) + gt_quat_angle_rad(feet[f - 1].toe_turn, feet[f].toe_turn);
        out[f] = turn_toward(out[f - 1], wanted[f], most);
    }
    GtQuat back = wanted[count - 1];
    for (int32_t f = count - 2; f >= 0; --f) {
        float most = most_ps * (times[f + 1] - times[f]) + gt_quat_angle_rad(feet[f + 1].toe_turn, feet[f].toe_turn);
        back = turn_toward(back, wanted[f], most);
        out[f] = gt_quat_slerp(out[f], back, 0.5f);
    }
}

static void flatten_toes(GtiPlant* plant, int side, float* near, GtQuat* turns, GtVec3* room)
{
    int32_t count = plant->frames->count;
    GtVec3* shares = room + count;
    GtVec3* ball_shares = room + 2 * count;
    gti_plant_near(plant, 3u << 2 * side, TOE_SPAN_S, near);
    share_toes(plant, side, near, shares, room);
    gti_plant_near(plant, 2u << 2 * side, TOE_SPAN_S, near);
    share_toes(plant, side, near, ball_shares, room);
    for (int32_t f = 0; f < count; ++f) {
        GtQuat turn = plant->feet[side][f].toe_turn;
        turns[f] = shares[f].x > 0.0f ? lay_toes(plant, turn, shares[f].x, ball_shares[f].x) : turn;
    }
    slow_toes(plant, side, MAX_TOE_RADPS, turns, turns + count);
    for (int32_t f = 0; f < count; ++f) {
        GtQuat turn = gt_quat_mul(turns[count + f], gt_quat_conjugate(plant->feet[side][f].toe_turn));
        if (gt_quat_angle_rad(turn, gt_quat_identity()) > LEAST_RAD) {
            gti_plant_turn_toes(plant, side, f, turn);
        }
    }
}

GtResult gti_plant_soles(GtiPlant* plant)
{
    size_t count = (size_t)plant->frames->count;
    float* room = gt_arena_push_array(plant->scratch, 2 * count, sizeof *room);
    GtQuat* turns = gt_arena_push_array(plant->scratch, 2 * count, sizeof *turns);
    GtVec3* tilts = gt_arena_push_array(plant->scratch, 3 * count, sizeof *tilts);
    if (!room || !turns || !tilts) {
        return gti_out_of_memory(plant->error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        gti_plant_inside(plant, 3u << 2 * side, CALM_SPAN_S, room);
        gti_plant_near(plant, 3u << 2 * side, FAULT_SPAN_S, room + count);
        calm_feet(plant, side, false, room, room + count, turns);
        if (plant->has_toes[side]) {
            calm_feet(plant, side, true, room, room + count, turns);
        }
        gti_plant_tilt(plant, side, &flattening, room, tilts);
        gti_plant_near(plant, 3u << 2 * side, PITCH_SPAN_S, room);
        scale_pitches(plant, side, room);
        if (plant->has_toes[side]) {
            flatten_toes(plant, side, room, turns, tilts);
        }
        if (plant->ground) {
            gti_plant_lay_on_slopes(plant, side, room, tilts);
        }
    }
    return GT_OK;
}
