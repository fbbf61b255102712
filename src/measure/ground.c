// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The formula is fixed and blind to how the motion was made: a solver that calls a sliding foot "not in contact" does
// not get away with it, because the source says when the foot stands. Skate is the way of the lowest point of the part
// that stands, added up as a vector over the contact: a heel that rolls has a new lowest point at every moment, each of
// which rests while it is the lowest; a sole that lies flat turns about one of many.

#include "measure/ground.h"

#include "base/sort.h"
#include "motion/contact/level.h"

#include "gertie/contact.h"

#include <math.h>

// Frames it takes to last for GT_CONTACT_TIME_S.
static int32_t least_run(const GtiPath* path)
{
    return path->step_s > 0.0 ? (int32_t)ceil(GT_CONTACT_TIME_S / path->step_s - 1e-6) : 1;
}

// The lowest that a part usually is.
static float usual_low(const GtiPath* path, int part, float* room)
{
    for (int32_t f = 0; f < path->frame_count; ++f) {
        room[f] = path->marks[part][f].y;
    }
    return gti_percentile(room, path->frame_count, GT_CONTACT_PERCENTILE);
}

static double speed_at(const GtiPath* path, int part, int32_t frame)
{
    int32_t before = frame > 0 ? frame - 1 : 0;
    int32_t after = frame + 1 < path->frame_count ? frame + 1 : frame;
    if (after == before) {
        return 0.0;
    }
    GtVec3 way = gt_vec3_sub(path->marks[part][after], path->marks[part][before]);
    return (double)gt_vec3_length(way) / ((after - before) * path->step_s);
}

static void keep_runs(const GtiPath* path, int part, const bool* stands, uint8_t* bits)
{
    int32_t least = least_run(path);
    int32_t run = 0;
    for (int32_t f = 0; f <= path->frame_count; ++f) {
        if (f < path->frame_count && stands[f]) {
            ++run;
            continue;
        }
        for (int32_t k = f - run; run >= least && k < f; ++k) {
            bits[k] |= (uint8_t)(1u << part);
        }
        run = 0;
    }
}

GtResult gti_find_contacts(GtArena* scratch, const GtiPath* path, uint8_t* bits, float* levels, GtError* error)
{
    size_t count = (size_t)path->frame_count;
    float* room = gt_arena_push_array(scratch, count, sizeof *room);
    float* heights = gt_arena_push_array(scratch, GTI_SOLE_PART_COUNT * count, sizeof *heights);
    bool* all_stands = gt_arena_push_array(scratch, GTI_SOLE_PART_COUNT * count, sizeof *all_stands);
    if (!room || !heights || !all_stands) {
        return gti_out_of_memory(error);
    }
    GtContactsDef def = gt_default_contacts_def();
    double level_m = GTI_LEAST_LEVEL * def.height_m;
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        float low = usual_low(path, p, room), other = usual_low(path, p ^ 2, room);
        low = low - other > (float)(level_m * path->size) ? other : low; // it is never on the floor
        for (size_t f = 0; f < count; ++f) {
            heights[(size_t)p * count + f] = path->marks[p][f].y - low;
        }
    }
    GtiTreading treading = { path->frame_count, path->step_s,  path->size,    path->marks[0],
                             heights,           path->centers, def.speed_mps, level_m };
    bool any = false;
    GtResult result = gti_levels_find(&treading, scratch, levels, &any, error);
    if (result != GT_OK) {
        return result;
    }
    bool* stands[GTI_SOLE_PART_COUNT];
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        stands[p] = all_stands + (size_t)p * count;
        for (int32_t f = 0; f < path->frame_count; ++f) {
            size_t at = (size_t)p * count + (size_t)f;
            stands[p][f] = heights[at] - levels[(size_t)(p / 2) * count + (size_t)f] < (float)GT_CONTACT_HEIGHT_M &&
                           speed_at(path, p, f) < GT_CONTACT_SPEED_MPS;
        }
    }
    gti_lift_tilted(&treading, GT_CONTACT_TILT_M, stands, room);
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        keep_runs(path, p, stands[p], bits);
    }
    return GT_OK;
}

// How the point of contact moves from a frame to the next.
static GtiSlip contact_slip(const GtiPath* path, const uint8_t* bits, int side, int32_t frame)
{
    unsigned both = 3u << 2 * side;
    unsigned here = bits[frame] & both;
    unsigned parts = here & bits[frame + 1] ? here & bits[frame + 1] : here | (bits[frame + 1] & both);
    const GtiSlip* heel = &path->slips[2 * side][frame];
    const GtiSlip* ball = &path->slips[2 * side + 1][frame];
    if (parts == both && fabsf(heel->height - ball->height) <= (float)GT_CONTACT_FLAT_M) {
        return hypotf(heel->x, heel->z) < hypotf(ball->x, ball->z) ? *heel : *ball;
    }
    if (parts == both) {
        return heel->height < ball->height ? *heel : *ball;
    }
    return parts >> 2 * side & 1u ? *heel : *ball;
}

static void measure_skate(const GtiPath* path, const uint8_t* bits, int side, double start_s, float* slips_mps,
                          GtFootMeasure* out)
{
    unsigned both = 3u << 2 * side;
    double way_m = 0.0;
    double skate_sum_m = 0.0;
    for (int32_t f = 0; f < path->frame_count; ++f) {
        if (!(bits[f] & both)) {
            continue;
        }
        double x = 0.0;
        double z = 0.0;
        double farthest_m = 0.0;
        ++out->contact_count;
        for (; f + 1 < path->frame_count && bits[f + 1] & both; ++f) {
            GtiSlip slip = contact_slip(path, bits, side, f);
            double length_m = hypot((double)slip.x, (double)slip.z);
            x += (double)slip.x;
            z += (double)slip.z;
            way_m += length_m;
            out->contact_s += path->step_s;
            slips_mps[f] = (float)(length_m / path->step_s);
            farthest_m = fmax(farthest_m, hypot(x, z));
            if (farthest_m > out->skate_m) {
                out->skate_m = farthest_m;
                out->skate_time_s = start_s + (f + 1) * path->step_s;
            }
        }
        skate_sum_m += farthest_m;
    }
    out->skate_mean_m = out->contact_count ? skate_sum_m / out->contact_count : NAN;
    out->slip_mps = out->contact_s > 0.0 ? way_m / out->contact_s : NAN;
    out->skate_m = out->contact_count ? out->skate_m : NAN;
}

void gti_measure_foot(const GtiPath* path, const uint8_t* bits, int side, double floor_m, const float* levels,
                      double start_s, float* slips_mps, GtFootMeasure* out)
{
    *out = (GtFootMeasure){ .skate_time_s = start_s, .penetration_time_s = start_s, .float_time_s = start_s };
    measure_skate(path, bits, side, start_s, slips_mps, out);
    int32_t contact_frames = 0;
    double below_sum = 0.0;
    double above_sum = 0.0;
    for (int32_t f = 0; f < path->frame_count; ++f) {
        double height_m = (double)path->soles[side][f] - floor_m - (double)levels[f];
        below_sum += fmax(-height_m, 0.0);
        if (-height_m > out->penetration_m) {
            out->penetration_m = -height_m;
            out->penetration_time_s = start_s + f * path->step_s;
        }
        if (bits[f] >> 2 * side & 3u) {
            ++contact_frames;
            above_sum += fmax(height_m, 0.0);
            if (height_m > out->float_m) {
                out->float_m = height_m;
                out->float_time_s = start_s + f * path->step_s;
            }
        }
    }
    out->penetration_mean_m = below_sum / path->frame_count;
    out->float_mean_m = contact_frames ? above_sum / contact_frames : NAN;
    out->float_m = contact_frames ? out->float_m : NAN;
}
