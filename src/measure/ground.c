// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Contacts are those that motion/contact finds, less the moments of doubt in which a foot is about to leave: it looks
// at the source alone, so that a solver that calls a sliding foot "not in contact" does not get away with it. Skate is
// the way of the lowest point of the part that stands, added up as a vector over the contact: a heel that rolls has a
// new lowest point at every moment, each of which rests while it is the lowest; a sole that lies flat turns about one
// of many.

#include "measure/ground.h"

#include "motion/contact/contact.h"

#include <math.h>

GtResult gti_find_contacts(const GtContext* context, GtArena* scratch, const GtiPath* path, uint8_t* bits,
                           float* levels, GtError* error)
{
    size_t count = (size_t)path->frame_count;
    GtContactsDef def = gt_default_contacts_def();
    GtContacts *found = NULL, *sure = NULL;
    float* times = gt_arena_push_array(scratch, count, sizeof *times);
    uint8_t* sure_bits = gt_arena_push_array(scratch, count, sizeof *sure_bits);
    if (!times || !sure_bits) {
        return gti_out_of_memory(error);
    }
    for (size_t f = 0; f < count; ++f) {
        times[f] = (float)((double)f * path->step_s);
    }
    GtResult result = gti_footprints_stand(context, &def, &path->prints, &found, &sure, error);
    if (result == GT_OK) {
        gti_contacts_of_frames(context, found, times, path->frame_count, bits);
        gti_contacts_of_frames(context, sure, times, path->frame_count, sure_bits);
        gti_contacts_levels(found, times, path->frame_count, levels);
    }
    for (size_t f = 0; result == GT_OK && f < count; ++f) {
        bits[f] &= sure_bits[f];
    }
    gt_contacts_destroy(found);
    gt_contacts_destroy(sure);
    return result;
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
