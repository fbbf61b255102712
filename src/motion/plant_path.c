// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Paths of the feet (after Feng, Huang, Xu and Shapiro 2012, whose warped path p' = s p + c has one c for the whole
// motion). Here the path is the one that the joints give, plus an offset. While a foot stands, the offset is whatever
// keeps the lowest point of the sole in its place: from frame to frame the ankle goes back by as much as that point
// went ahead of it, so the sole rolls over the ground without sliding, from the heel to the ball and off the tip, and
// the whole contact is put where it is nearest to where the joints had it. Between contacts the offset goes over from
// one to the next, for the hips to follow; where feet in the air go is seen to when the hips are known.

#include "motion/percentile.h"
#include "motion/plant.h"
#include "motion/take.h"

#include <math.h>

static const double STAND_SPAN_S = 0.15;   // before and after standing, in which the hips begin to heed a foot
static const double CALM_S = 0.03;         // standard deviation
static const double CALM_SPAN_S = 0.05;    // before and after standing, in which feet calm down
static const double SOFTEN_S = 0.012;      // standard deviation
static const double MERGE_S = 0.10;        // and
static const float MERGE_M = 0.03f;        // between two contacts at which they are one
static const double TOE_SPAN_S = 0.08;     // before and after standing, in which toes are laid down
static const float NEAR_LOWEST_M = 0.003f; // a point of contact may be above the lowest
static const float FAULTLESS_M = 0.003f;   // that a foot may stray as it stands, if some point of it stays
static const double PITCH_SPAN_S = 0.12;   // before and after standing, in which a foot is pitched by its length
static const float MIN_PITCH_SHARE = 0.4f;
static const float MAX_PITCH_SHARE = 1.2f;
static const float MAX_HEIGHT = 0.2f; // of the leg, that a sole may be from the ground to be put there
static const float MAX_FIX_RAD = 0.7f;
static const float MAX_HEEL_RAD = 0.03f; // that a heel may be up and still be meant to stand
static const float MAX_TOE_RAD = 1.0f;

static double time_of(const GtiPlant* plant, int32_t frame)
{
    return (double)plant->frames->times[frame];
}

static const GtVec3* points_of(const GtiPlant* plant, int32_t frame)
{
    return plant->points + (size_t)frame * (size_t)plant->sole->point_count;
}

static bool is_flat(const GtiPlant* plant, int side, int32_t frame)
{
    unsigned both = 3u << 2 * side;
    return (plant->contacts[frame] & both) == both;
}

// A foot that stands does not tremble as captured ones do: the Gaussian mean of its rotations, within contacts.
static void calm_feet(GtiPlant* plant, int side, const float* inside, GtQuat* calm)
{
    const float* times = plant->frames->times;
    const GtiFootFrame* feet = plant->feet[side];
    int32_t count = plant->frames->count;
    int32_t first = 0;
    for (int32_t f = 0; f < count; ++f) {
        while ((double)(times[f] - times[first]) > 3.0 * CALM_S) {
            ++first;
        }
        if (!(inside[f] > 0.0f)) {
            continue;
        }
        GtQuat sum = gt_quat(0.0f, 0.0f, 0.0f, 0.0f);
        for (int32_t k = first; k < count && (double)(times[k] - times[f]) <= 3.0 * CALM_S; ++k) {
            float u = (times[k] - times[f]) / (float)CALM_S;
            float weight = copysignf(expf(-0.5f * u * u), gt_quat_dot(feet[k].turn, feet[f].turn));
            sum = gt_quat(sum.x + weight * feet[k].turn.x, sum.y + weight * feet[k].turn.y,
                          sum.z + weight * feet[k].turn.z, sum.w + weight * feet[k].turn.w);
        }
        GtQuat turn = gt_quat_mul(gt_quat_normalize(sum), gt_quat_conjugate(feet[f].turn));
        calm[f] = gt_quat_slerp(gt_quat_identity(), turn, inside[f]);
    }
    for (int32_t f = 0; f < count; ++f) {
        if (inside[f] > 0.0f) {
            gti_plant_turn(plant, side, f, calm[f]);
        }
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

static GtVec3 limit(GtVec3 tilt, float most)
{
    float angle = gt_vec3_length(tilt);
    return angle > 1e-6f ? gt_vec3_scale(tilt, most * tanhf(angle / most) / angle) : tilt;
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
    GtVec3 across = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), gti_subject_forward(plant->figure));
    GtVec3 usual = gt_vec3(tilt[0], tilt[1], tilt[2]);
    float heel_up = gt_vec3_dot(usual, across); // feet can stand with their heels up, but not with their toes up
    if (heel_up > 0.0f) {
        usual = gt_vec3_sub(usual, gt_vec3_scale(across, heel_up - MAX_HEEL_RAD * tanhf(heel_up / MAX_HEEL_RAD)));
    }
    return limit(usual, MAX_FIX_RAD);
}

static GtQuat quat_from_vector(GtVec3 v)
{
    float angle = gt_vec3_length(v);
    return angle > 1e-9f ? gt_quat_from_axis_angle(gt_vec3_scale(v, 1.0f / angle), angle) : gt_quat_identity();
}

// Take a tilt off some frames, from one to the other.
static void take_off(GtiPlant* plant, int side, int32_t first, int32_t end, GtVec3 from, GtVec3 to)
{
    for (int32_t f = first; f < end; ++f) {
        GtQuat turn = plant->feet[side][f].turn;
        float share = gti_smooth_step((double)(f - first + 1) / (double)(end - first + 1));
        GtQuat tilt = quat_from_vector(gt_vec3_lerp(from, to, share));
        gti_plant_turn(plant, side, f,
                       gt_quat_mul(gt_quat_mul(turn, gt_quat_conjugate(tilt)), gt_quat_conjugate(turn)));
    }
}

// Lay soles flat that stand on heel and ball; in between, what is taken off goes over from one to the next.
static void flatten_soles(GtiPlant* plant, int side, float* room)
{
    int32_t count = plant->frames->count;
    int32_t done = 0;
    GtVec3 before = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int32_t f = 0; f < count; ++f) {
        if (!is_flat(plant, side, f)) {
            continue;
        }
        int32_t last = f;
        while (last + 1 < count && is_flat(plant, side, last + 1)) {
            ++last;
        }
        GtVec3 tilt = usual_tilt(plant, side, f, last, room);
        take_off(plant, side, done, f, done > 0 ? before : tilt, tilt);
        take_off(plant, side, f, last + 1, tilt, tilt);
        before = tilt;
        done = last + 1;
        f = last;
    }
    take_off(plant, side, done, count, before, before);
}

// How far the mark of a part is from the ankle over the ground, in the reference pose.
static float length_of(const GtiPlant* plant, int side, int part)
{
    GtVec3 mark = gt_vec3_sub(plant->sole->points[plant->sole->marks[2 * side + part]],
                              gti_subject_reference(plant->figure, gti_joint_on(GT_HUMANOID_LEFT_FOOT, side)));
    return fabsf(gt_vec3_dot(mark, gti_subject_forward(plant->figure)));
}

static float share_of(float theirs, float own)
{
    return theirs > 0.0f && own > 0.0f ? fminf(fmaxf(theirs / own, MIN_PITCH_SHARE), MAX_PITCH_SHARE) : 1.0f;
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
        GtVec3 ahead = gt_quat_rotate(plant->feet[side][f].turn, gti_subject_forward(plant->figure));
        float down_rad = atan2f(-ahead.y, hypotf(ahead.x, ahead.z));
        float more_rad = fminf(down_rad, 0.0f) * (by_heel - 1.0f);
        GtVec3 axis = gt_vec3_cross(gt_vec3(0.0f, 1.0f, 0.0f), gti_plant_ahead(plant, side, f));
        gti_plant_turn(plant, side, f, gt_quat_from_axis_angle(axis, near[f] * more_rad));
    }
}

static unsigned common_parts(const uint8_t* bits, int side, int32_t frame)
{
    unsigned now = bits[frame] & 3u << 2 * side;
    unsigned next = bits[frame + 1] & 3u << 2 * side;
    return now & next ? now & next : now | next;
}

// The parts that a foot stands on from this frame to the next.
static unsigned parts_at(const GtiPlant* plant, int side, int32_t frame)
{
    unsigned sure = common_parts(plant->sure, side, frame);
    return sure ? sure : common_parts(plant->contacts, side, frame);
}

// How far the point of contact goes against the ankle from this frame to the next. Of the points of the parts that
// stand, that are within `near_m` of the lowest midway, it is the one that the motion itself moves least.
static GtVec3 roll_of(const GtiPlant* plant, int side, int32_t frame, float near_m)
{
    const GtiTread* sole = plant->sole;
    const GtVec3* here = points_of(plant, frame);
    const GtVec3* there = points_of(plant, frame + 1);
    unsigned parts = parts_at(plant, side, frame);
    float lowest = INFINITY;
    for (int32_t i = 0; i < sole->point_count; ++i) {
        if (sole->parts[i] >= 0 && parts >> sole->parts[i] & 1u) {
            lowest = fminf(lowest, 0.5f * (here[i].y + there[i].y));
        }
    }
    GtVec3 way = gt_vec3_sub(plant->feet[side][frame + 1].ankle, plant->feet[side][frame].ankle);
    GtVec3 best = gt_vec3(0.0f, 0.0f, 0.0f);
    float least = INFINITY;
    for (int32_t i = 0; i < sole->point_count; ++i) {
        if (sole->parts[i] >= 0 && parts >> sole->parts[i] & 1u && 0.5f * (here[i].y + there[i].y) <= lowest + near_m) {
            GtVec3 roll = gt_vec3_sub(there[i], here[i]);
            float slip = hypotf(way.x + roll.x, way.z + roll.z);
            best = slip < least ? roll : best;
            least = fminf(least, slip);
        }
    }
    return best;
}

// Toes that stand lie on the ground, whatever the foot above them does.
static void flatten_toes(GtiPlant* plant, int side, const float* near)
{
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        GtQuat turn = plant->feet[side][f].toe_turn;
        if (near[f] > 0.0f && plant->has_toes[side]) {
            GtQuat tilt = quat_from_vector(gt_vec3_scale(limit(tilt_of(turn), MAX_TOE_RAD), near[f]));
            gti_plant_turn_toes(plant, side, f,
                                gt_quat_mul(gt_quat_mul(turn, gt_quat_conjugate(tilt)), gt_quat_conjugate(turn)));
        }
    }
}

// A foot far from the ground does not stand on it, whatever is said.
static bool stands(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    float leg = gti_leg_m(foot);
    float height = foot->ankle.y + foot->low - plant->floor_m;
    return (plant->contacts[frame] >> 2 * side & 3u) && fabsf(height) < MAX_HEIGHT * leg;
}

// The last frame of a contact that begins at `first`, over gaps in which the foot all but stays.
static int32_t end_of_contact(const GtiPlant* plant, int side, int32_t first)
{
    const GtiFootFrame* feet = plant->feet[side];
    int32_t last = first;
    for (int32_t f = first + 1; f < plant->frames->count; ++f) {
        bool stays = gt_vec3_length(gt_vec3_sub(feet[f].ankle, feet[last].ankle)) < MERGE_M;
        if (stands(plant, side, f) && stays) {
            last = f;
        } else if (stands(plant, side, f) && f == last + 1) {
            break; // a capture that jumps
        } else if (time_of(plant, f) - time_of(plant, last) > MERGE_S) {
            break;
        }
    }
    return last;
}

// Where the ankle goes over the ground as the foot rolls through a contact, put where it is nearest to the path it had.
// Returns how far it strays from that.
static float roll_through(const GtiPlant* plant, int side, int32_t first, int32_t last, float near_m, GtVec3* out)
{
    const GtiFootFrame* feet = plant->feet[side];
    double at_x = 0.0, at_z = 0.0, off_x = 0.0, off_z = 0.0;
    for (int32_t f = first; f <= last; ++f) {
        out[f] = gt_vec3((float)at_x, 0.0f, (float)at_z);
        off_x += (double)feet[f].ankle.x - at_x;
        off_z += (double)feet[f].ankle.z - at_z;
        if (f < last) {
            GtVec3 roll = roll_of(plant, side, f, near_m);
            at_x -= (double)roll.x;
            at_z -= (double)roll.z;
        }
    }
    int32_t count = last - first + 1;
    float farthest = 0.0f;
    for (int32_t f = first; f <= last; ++f) {
        out[f].x += (float)(off_x / count);
        out[f].z += (float)(off_z / count);
        farthest = fmaxf(farthest, hypotf(out[f].x - feet[f].ankle.x, out[f].z - feet[f].ankle.z));
    }
    return farthest;
}

// Which of the points that are all but the lowest a foot stands on cannot be told, and need not: where one of them
// stays in its place as it is, the motion is right. Only where all of them slide does it matter which is the lowest.
static void pin_contact(GtiPlant* plant, int side, int32_t first, int32_t last, GtVec3* room)
{
    GtiFootFrame* feet = plant->feet[side];
    GtVec3* strict = room + plant->frames->count;
    float strays = roll_through(plant, side, first, last, NEAR_LOWEST_M, room);
    roll_through(plant, side, first, last, 0.0f, strict);
    float share = gti_smooth_step((double)(strays - FAULTLESS_M) / (double)FAULTLESS_M);
    for (int32_t f = first; f <= last; ++f) {
        feet[f].is_pinned = true;
        feet[f].goal = gt_vec3_lerp(room[f], strict[f], share);
        feet[f].goal.y = plant->floor_m - feet[f].low;
    }
    ++plant->report.contact_count;
}

// Between contacts, or away from the only one, the offset goes over from one to the next.
static void ease_swing(GtiPlant* plant, int side, int32_t first, int32_t end)
{
    GtiFootFrame* feet = plant->feet[side];
    const GtVec3 none = gt_vec3(0.0f, 0.0f, 0.0f);
    GtVec3 after = end < plant->frames->count ? gt_vec3_sub(feet[end].goal, feet[end].ankle) : none;
    GtVec3 before = first > 0 ? gt_vec3_sub(feet[first - 1].goal, feet[first - 1].ankle) : after;
    after = end < plant->frames->count ? after : before;
    for (int32_t f = first; f < end; ++f) {
        double share = first > 0 && end < plant->frames->count ? (time_of(plant, f) - time_of(plant, first - 1)) /
                                                                     (time_of(plant, end) - time_of(plant, first - 1))
                                                               : 0.0;
        feet[f].goal = gt_vec3_add(feet[f].ankle, gt_vec3_lerp(before, after, gti_smooth_step(share)));
    }
}

static void make_path(GtiPlant* plant, int side, GtVec3* room)
{
    int32_t swing = 0; // its first frame
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        if (stands(plant, side, f)) {
            int32_t last = end_of_contact(plant, side, f);
            pin_contact(plant, side, f, last, room);
            ease_swing(plant, side, swing, f);
            swing = last + 1;
            f = last;
        }
    }
    ease_swing(plant, side, swing, plant->frames->count);
}

// A contact begins and ends at a frame; a leg does not. What this costs is a millimetre or two at the ends.
static void soften(GtiPlant* plant, int side, GtVec3* offsets, GtVec3* room)
{
    GtiFootFrame* feet = plant->feet[side];
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        room[f] = gt_vec3_sub(feet[f].goal, feet[f].ankle);
    }
    gti_plant_smooth(plant, SOFTEN_S, room, offsets);
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        feet[f].goal = gt_vec3_add(feet[f].ankle, offsets[f]);
    }
}

GtResult gti_plant_paths(GtiPlant* plant)
{
    size_t count = (size_t)plant->frames->count;
    float* room = gt_arena_push_array(plant->scratch, count, sizeof *room);
    GtVec3* offsets = gt_arena_push_array(plant->scratch, 2 * count, sizeof *offsets);
    GtQuat* turns = gt_arena_push_array(plant->scratch, count, sizeof *turns);
    if (!room || !offsets || !turns) {
        return gti_out_of_memory(plant->error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        gti_plant_inside(plant, 3u << 2 * side, CALM_SPAN_S, room);
        calm_feet(plant, side, room, turns);
        flatten_soles(plant, side, room);
        gti_plant_near(plant, 3u << 2 * side, PITCH_SPAN_S, room);
        scale_pitches(plant, side, room);
        gti_plant_near(plant, 2u << 2 * side, TOE_SPAN_S, room);
        flatten_toes(plant, side, room);
        gti_plant_near(plant, 3u << 2 * side, STAND_SPAN_S, room);
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            plant->feet[side][f].weight = room[f];
        }
        make_path(plant, side, offsets);
        soften(plant, side, offsets, offsets + count);
    }
    return GT_OK;
}
