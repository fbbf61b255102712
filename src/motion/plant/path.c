// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Paths of the feet (after Feng, Huang, Xu and Shapiro 2012, whose warped path p' = s p + c has one c for the whole
// motion). Here the path is the one that the joints give, plus an offset. While a foot stands, the offset is whatever
// keeps the lowest point of the sole in its place: from frame to frame the ankle goes back by as much as that point
// went ahead of it, so the sole rolls over the ground without sliding, from the heel to the ball and off the tip, and
// the whole contact is put where it is nearest to where the joints had it. Between contacts the offset goes over from
// one to the next, for the hips to follow; where feet in the air go is seen to when the hips are known.

#include "motion/plant/plant.h"
#include "motion/take/take.h"

#include <math.h>

static const double STAND_SPAN_S = 0.15;   // before and after standing, in which the hips begin to heed a foot
static const double SOFTEN_S = 0.012;      // standard deviation
static const double MERGE_S = 0.10;        // and
static const float MERGE_M = 0.03f;        // between two contacts at which they are one
static const float NEAR_LOWEST_M = 0.003f; // a point of contact may be above the lowest
static const float MAX_SLIDE_M = 0.0025f;  // that the lowest point may slide where another one stays
static const float END_SLIDE_M = 0.008f;   // that a foot may slide where it is in doubt whether it stands
static const double LAND_S = 0.12;         // in which a foot is set down, or leaves,
static const float MAX_AIR_M = 0.003f;     // and may be over the ground
static const float FAULTLESS_M = 0.003f;   // that a foot may stray as it stands, if some point of it stays

static double time_of(const GtiPlant* plant, int32_t frame)
{
    return (double)plant->frames->times[frame];
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

// How high a point is midway to the next frame, against the ankle; over uneven ground, above that.
static float height_of(const GtiPlant* plant, int side, int32_t frame, int32_t point)
{
    GtVec3 here = gti_plant_points(plant, frame)[point];
    float height = 0.5f * (here.y + gti_plant_points(plant, frame + 1)[point].y);
    const GtVec3* ankle = &plant->feet[side][frame].ankle;
    return plant->ground ? height - gti_plant_ground(plant, ankle->x + here.x, ankle->z + here.z) : height;
}

// How far the point of contact goes against the ankle from a frame to the next.
typedef struct Roll {
    GtVec3 near;   // of the points that are all but the lowest midway, of the one that the motion itself moves least
    GtVec3 strict; // of the lowest
} Roll;

static Roll roll_of(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiTread* sole = plant->sole;
    const GtVec3* here = gti_plant_points(plant, frame);
    const GtVec3* there = gti_plant_points(plant, frame + 1);
    unsigned parts = parts_at(plant, side, frame);
    float lowest = INFINITY;
    for (int32_t i = sole->first[side]; i < sole->end[side]; ++i) {
        if (sole->parts[i] >= 0 && parts >> sole->parts[i] & 1u) {
            float height = height_of(plant, side, frame, i);
            lowest = height < lowest ? height : lowest;
        }
    }
    GtVec3 way = gt_vec3_sub(plant->feet[side][frame + 1].ankle, plant->feet[side][frame].ankle);
    Roll best = { gt_vec3(0.0f, 0.0f, 0.0f), gt_vec3(0.0f, 0.0f, 0.0f) };
    float near_slip = INFINITY, strict_slip = INFINITY;
    for (int32_t i = sole->first[side]; i < sole->end[side]; ++i) {
        if (!(sole->parts[i] >= 0 && parts >> sole->parts[i] & 1u)) {
            continue;
        }
        float height = height_of(plant, side, frame, i);
        if (height <= lowest + NEAR_LOWEST_M) {
            GtVec3 roll = gt_vec3_sub(there[i], here[i]);
            float slip = hypotf(way.x + roll.x, way.z + roll.z);
            best.near = slip < near_slip ? roll : best.near;
            near_slip = slip < near_slip ? slip : near_slip;
            if (height <= lowest && slip < strict_slip) {
                best.strict = roll;
                strict_slip = slip;
            }
        }
    }
    return best;
}

// The last frame of a contact that begins at `first`, over gaps in which the foot all but stays.
static int32_t end_of_contact(const GtiPlant* plant, int side, int32_t first)
{
    const GtiFootFrame* feet = plant->feet[side];
    int32_t last = first;
    for (int32_t f = first + 1; f < plant->frames->count; ++f) {
        bool stays = gt_vec3_length(gt_vec3_sub(feet[f].ankle, feet[last].ankle)) < MERGE_M;
        if (gti_plant_stands(plant, side, f) && stays) {
            last = f;
        } else if (gti_plant_stands(plant, side, f) && f == last + 1) {
            break; // a capture that jumps
        } else if (time_of(plant, f) - time_of(plant, last) > MERGE_S) {
            break;
        }
    }
    return last;
}

// The frames of a contact of which there is no doubt that its foot stands, from the first such to the last: one that is
// being set down, or begins to leave, does so at the ends. Where all of a contact is in doubt, its middle half is not.
static void find_sure(const GtiPlant* plant, int side, int32_t first, int32_t last, int32_t sure[2])
{
    sure[0] = first;
    sure[1] = last;
    while (!plant->ground && sure[0] <= last && !(plant->sure[sure[0]] >> 2 * side & 3u)) {
        ++sure[0];
    }
    while (!plant->ground && sure[1] >= sure[0] && !(plant->sure[sure[1]] >> 2 * side & 3u)) {
        --sure[1];
    }
    if (sure[0] > sure[1]) {
        sure[0] = first + (last - first + 1) / 4;
        sure[1] = last - (last - first + 1) / 4;
    }
}

// A foot may slide a little as it is set down or begins to leave: by how much of what it does in these frames.
static float share_of_slide(const GtiPlant* plant, int side, int32_t first, int32_t last, const GtVec3* rolls)
{
    const GtiFootFrame* feet = plant->feet[side];
    float x = 0.0f, z = 0.0f;
    for (int32_t f = first; f < last; ++f) {
        x += feet[f + 1].ankle.x - feet[f].ankle.x + rolls[f].x;
        z += feet[f + 1].ankle.z - feet[f].ankle.z + rolls[f].z;
    }
    return fminf(1.0f, END_SLIDE_M / fmaxf(hypotf(x, z), 1e-6f));
}

// Where the ankle goes over the ground as the foot rolls through a contact, put where it is nearest to the path it had.
// Returns how far it strays from that.
static float roll_through(const GtiPlant* plant, int side, int32_t first, int32_t last, const GtVec3* rolls,
                          GtVec3* out)
{
    const GtiFootFrame* feet = plant->feet[side];
    int32_t sure[2];
    find_sure(plant, side, first, last, sure);
    float slides[2] = { share_of_slide(plant, side, first, sure[0], rolls),
                        share_of_slide(plant, side, sure[1], last, rolls) };
    double at_x = 0.0, at_z = 0.0, off_x = 0.0, off_z = 0.0;
    for (int32_t f = first; f <= last; ++f) {
        out[f] = gt_vec3((float)at_x, 0.0f, (float)at_z);
        off_x += (double)feet[f].ankle.x - at_x;
        off_z += (double)feet[f].ankle.z - at_z;
        if (f < last) {
            GtVec3 way = gt_vec3_sub(feet[f + 1].ankle, feet[f].ankle);
            way = gt_vec3_lerp(gt_vec3_scale(rolls[f], -1.0f), way,
                               f < sure[0]    ? slides[0]
                               : f >= sure[1] ? slides[1]
                                              : 0.0f);
            at_x += (double)way.x;
            at_z += (double)way.z;
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

static float height_over_floor(const GtiPlant* plant, int side, int32_t frame)
{
    const GtiFootFrame* foot = &plant->feet[side][frame];
    return foot->ankle.y + foot->low - gti_plant_floor(plant, side, frame);
}

// How high a sole usually is over the ground in the middle of a contact.
static float usual_height(const GtiPlant* plant, int side, int32_t first, int32_t last)
{
    int32_t quarter = (last - first) / 4;
    double sum = 0.0;
    for (int32_t f = first + quarter; f <= last - quarter; ++f) {
        sum += (double)height_over_floor(plant, side, f);
    }
    return (float)(sum / (last - first - 2 * quarter + 1));
}

// The ankles of a contact are as high as the sole on the ground has them, as far as there is no doubt that it stands: a
// foot that is being set down already keeps its place but is not yet pressed down, but for one frame. What of it
// is still a little higher than it will be, next to the ends, may stay so.
static void put_down(GtiPlant* plant, int side, int32_t first, int32_t last)
{
    GtiFootFrame* feet = plant->feet[side];
    int32_t sure[2];
    find_sure(plant, side, first, last, sure);
    float usual = usual_height(plant, side, sure[0], sure[1]);
    int32_t from = sure[0] > first ? sure[0] - 1 : first;
    int32_t to = sure[1] < last ? sure[1] + 1 : last;
    for (int32_t f = from; f <= to; ++f) {
        feet[f].is_down = true;
        if (!plant->ground) {
            double inside_s = fmin(time_of(plant, f) - time_of(plant, from), time_of(plant, to) - time_of(plant, f));
            float more = fmaxf(height_over_floor(plant, side, f) - usual, 0.0f);
            float stays = (1.0f - gti_smooth_step(inside_s / LAND_S)) * MAX_AIR_M * tanhf(more / MAX_AIR_M);
            feet[f].goal.y = gti_plant_floor(plant, side, f) - feet[f].low + stays;
        }
    }
}

// How far two ways through a contact part from each other.
static float parting(const GtVec3* a, const GtVec3* b, int32_t first, int32_t last)
{
    float farthest = 0.0f;
    GtVec3 start = gt_vec3_sub(a[first], b[first]);
    for (int32_t f = first; f <= last; ++f) {
        farthest = fmaxf(farthest, gt_vec3_length(gt_vec3_sub(gt_vec3_sub(a[f], b[f]), start)));
    }
    return farthest;
}

// Which of the points that are all but the lowest a foot stands on cannot be told, and need not: where one of them
// stays in its place as it is, the motion is right, as far as the very lowest does not slide by more than is seen. Only
// where all of them slide does it matter which is the lowest.
static void pin_contact(GtiPlant* plant, int side, int32_t first, int32_t last, GtVec3* room)
{
    GtiFootFrame* feet = plant->feet[side];
    GtVec3* strict = room + plant->frames->count;
    GtVec3* near_rolls = strict + plant->frames->count;
    GtVec3* strict_rolls = near_rolls + plant->frames->count;
    for (int32_t f = first; f < last; ++f) {
        Roll roll = roll_of(plant, side, f);
        near_rolls[f] = roll.near;
        strict_rolls[f] = roll.strict;
    }
    float strays = roll_through(plant, side, first, last, near_rolls, room);
    roll_through(plant, side, first, last, strict_rolls, strict);
    float slides = parting(room, strict, first, last);
    float share = plant->is_again ? 1.0f : gti_smooth_step((double)(strays - FAULTLESS_M) / (double)FAULTLESS_M);
    share = slides > MAX_SLIDE_M ? fmaxf(share, 1.0f - MAX_SLIDE_M / slides) : share;
    for (int32_t f = first; f <= last; ++f) {
        feet[f].is_pinned = true;
        feet[f].goal = gt_vec3_lerp(room[f], strict[f], share);
    }
    if (plant->ground) {
        gti_plant_find_foothold(plant, side, first, last);
        gti_plant_raise(plant, side, first, last);
    }
    put_down(plant, side, first, last);
    int32_t end = plant->frames->count - plant->frames->after;
    bool reaches_in = plant->frames->is_cycle && first < end && last >= plant->frames->before; // over the seam
    plant->report.contact_count += reaches_in || gti_plant_counts(plant, first);
}

// Between contacts, or away from the only one, the offset goes over from one to the next.
static void ease_swing(GtiPlant* plant, int side, int32_t first, int32_t end, bool in_height)
{
    GtiFootFrame* feet = plant->feet[side];
    const GtVec3 none = gt_vec3(0.0f, 0.0f, 0.0f);
    bool between = first > 0 && end < plant->frames->count;
    GtVec3 after = end < plant->frames->count ? gt_vec3_sub(feet[end].goal, feet[end].ankle) : none;
    GtVec3 before = first > 0 ? gt_vec3_sub(feet[first - 1].goal, feet[first - 1].ankle) : after;
    after = end < plant->frames->count ? after : before;
    for (int32_t f = first; f < end; ++f) {
        double share = between ? (time_of(plant, f) - time_of(plant, first - 1)) /
                                     (time_of(plant, end) - time_of(plant, first - 1))
                               : 0.0;
        GtVec3 goal = gt_vec3_add(feet[f].ankle, gt_vec3_lerp(before, after, gti_smooth_step(share)));
        feet[f].goal = gti_plant_mix(feet[f].goal, goal, in_height);
    }
}

static void ease_swings(GtiPlant* plant, int side, bool in_height)
{
    int32_t first = 0;
    for (int32_t f = 0; f <= plant->frames->count; ++f) {
        if (f == plant->frames->count || gti_plant_is_held(&plant->feet[side][f], in_height)) {
            ease_swing(plant, side, first, f, in_height);
            first = f + 1;
        }
    }
}

static void make_path(GtiPlant* plant, int side, GtVec3* room)
{
    for (int32_t f = 0; f < plant->frames->count; ++f) {
        if (gti_plant_stands(plant, side, f)) {
            int32_t last = end_of_contact(plant, side, f);
            pin_contact(plant, side, f, last, room);
            f = last;
        }
    }
    ease_swings(plant, side, false);
    ease_swings(plant, side, true);
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
    GtVec3* offsets = gt_arena_push_array(plant->scratch, 4 * count, sizeof *offsets);
    if (!room || !offsets) {
        return gti_out_of_memory(plant->error);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        gti_plant_near(plant, 3u << 2 * side, STAND_SPAN_S, room);
        for (int32_t f = 0; f < plant->frames->count; ++f) {
            plant->feet[side][f].weight = room[f];
        }
        make_path(plant, side, offsets);
        soften(plant, side, offsets, offsets + count);
    }
    return GT_OK;
}
