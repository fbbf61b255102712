// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A part of a foot stands while it is slow and low, over a floor that may slope a little. It is as slow as its slowest
// of two points: the one that stands for it, and its lowest, on which it rolls. Two pairs of limits keep a contact from
// breaking up where marks tremble: it takes the narrow ones to begin and the wide ones to end. The faster a body goes,
// the more of its speed leaks into feet that stand, so limits grow with it; but not where the other part of the foot is
// at rest, because then this one shows how the foot rolls. Of a foot that is tilted only the lower part stands, however
// still the other one is held. Short gaps are closed and short contacts dropped. Heights are above whatever a foot is
// on, be it a step.

#include "motion/contact/contact.h"
#include "motion/contact/level.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

static const double LOW_SHARE = 0.05;    // of the frames, in which a part is lower than "the lowest it usually is"
static const double MOST_SLOPE = 0.04;   // of a floor that is meant to be level
static const double FAR_HEIGHTS = 2.5;   // times the height of a contact, up to which slow parts tell of the floor
static const double LEVEL_M = 0.5;       // of way, that feet have to come around before a floor is taken to slope
static const double CLIMB_LEVEL_M = 2.0; // likewise, of a motion that also stands on something else
static const double RISE_MPS = 0.05;     // what leaves the ground faster does not go on to stand
static const double ROLL_SHARE = 0.2;    // of what limits grow by, where the other part of the foot is at rest
static const double BODY_SPAN_S = 0.25;  // before and after a moment, over which the speed of the body is taken

typedef struct Finder {
    const GtContactsDef* def;
    const GtiFootprints* prints;
    GtError* error;
    float* room;                         // [frame_count]
    uint8_t* states;                     // [frame_count] of the part at hand
    float* body_mps;                     // [frame_count] over the ground
    float* speeds;                       // [GT_CONTACT_PART_COUNT * frame_count]
    float* heights;                      // likewise
    float* levels;                       // [GTI_SIDE_COUNT * frame_count] of what is under a foot, above the floor
    bool* stands[GT_CONTACT_PART_COUNT]; // [frame_count]
    GtContacts* out;
    int32_t capacity; // of the spans
} Finder;

GtContactsDef gt_default_contacts_def(void)
{
    return (GtContactsDef){
        .speed_mps = 0.15,
        .release_mps = 0.18,
        .body_share = 0.1,
        .height_m = 0.06,
        .release_height_m = 0.07,
        .tilt_m = 0.02,
        .least_s = 0.08,
        .longest_gap_s = 0.035,
    };
}

static size_t place_of(const Finder* d, int part, int32_t frame)
{
    return (size_t)part * (size_t)d->prints->frame_count + (size_t)frame;
}

static float level_at(const Finder* d, int part, int32_t frame)
{
    return d->levels[(size_t)(part / 2) * (size_t)d->prints->frame_count + (size_t)frame];
}

static double mark_speed(const GtiFootprints* prints, const GtVec3* path, int32_t frame)
{
    int32_t before = frame > 0 ? frame - 1 : 0;
    int32_t after = frame + 1 < prints->frame_count ? frame + 1 : frame;
    double way_m = (double)gt_vec3_length(gt_vec3_sub(path[after], path[before]));
    return after > before ? way_m / ((after - before) * prints->step_s) : 0.0;
}

static double rise_of_floor(const Finder* d, size_t at, const double slope[2])
{
    GtVec3 place = d->prints->marks[at];
    return slope[0] * (double)place.x + slope[1] * (double)place.z;
}

static void follow_body(Finder* d)
{
    const GtiFootprints* prints = d->prints;
    int32_t last = prints->frame_count - 1;
    double reach = prints->step_s > 0.0 ? BODY_SPAN_S / prints->step_s : 0.0;
    int32_t span = reach < last ? (int32_t)ceil(reach) : last;
    for (int32_t f = 0; f <= last; ++f) {
        int32_t before = f > span ? f - span : 0;
        int32_t after = f < last - span ? f + span : last;
        GtVec3 way = gt_vec3_sub(prints->hips[after], prints->hips[before]);
        d->body_mps[f] =
            after > before ? (float)(hypot((double)way.x, (double)way.z) / ((after - before) * prints->step_s)) : 0.0f;
    }
}

// The lowest that a part usually is, by its mark or its lowest point, over a floor that need not be level.
static double usual_low(const Finder* d, int part, bool mark, const double slope[2])
{
    for (int32_t f = 0; f < d->prints->frame_count; ++f) {
        size_t at = place_of(d, part, f);
        double height = mark ? (double)d->prints->marks[at].y : (double)d->prints->lows[at];
        d->room[f] = (float)(height - rise_of_floor(d, at, slope));
    }
    return (double)gti_percentile(d->room, d->prints->frame_count, LOW_SHARE);
}

// The sums of a least-squares fit of heights by places.
typedef struct Fit {
    double count, x, z, y, xx, xz, zz, xy, zy;
} Fit;

static void fit_add(Fit* fit, GtVec3 p)
{
    double x = (double)p.x, y = (double)p.y, z = (double)p.z;
    fit->count += 1.0;
    fit->x += x;
    fit->z += z;
    fit->y += y;
    fit->xx += x * x;
    fit->xz += x * z;
    fit->zz += z * z;
    fit->xy += x * y;
    fit->zy += z * y;
}

// Slopes along x and z. Where feet come nowhere, floors are level.
static void fit_slope(const Fit* fit, double level_m, double slope[2])
{
    double n = fit->count;
    double xx = fit->xx / n - fit->x * fit->x / (n * n) + level_m * level_m;
    double zz = fit->zz / n - fit->z * fit->z / (n * n) + level_m * level_m;
    double xz = fit->xz / n - fit->x * fit->z / (n * n);
    double xy = fit->xy / n - fit->x * fit->y / (n * n);
    double zy = fit->zy / n - fit->z * fit->y / (n * n);
    double determinant = xx * zz - xz * xz; // positive
    double along_x = (zz * xy - xz * zy) / determinant;
    double along_z = (xx * zy - xz * xy) / determinant;
    double steepness = hypot(along_x, along_z);
    double share = steepness > MOST_SLOPE ? MOST_SLOPE / steepness : 1.0;
    slope[0] = share * along_x;
    slope[1] = share * along_z;
}

// Floors of captures slope by a few centimetres over the room. Parts that are slow and not far above the lowest tell.
static void find_slope(const Finder* d, double level_m, double slope[2])
{
    const GtiFootprints* prints = d->prints;
    const double level[2] = { 0.0, 0.0 };
    Fit fit = { 0 };
    slope[0] = slope[1] = 0.0;
    for (int part = 0; part < GT_CONTACT_PART_COUNT; ++part) {
        const GtVec3* marks = prints->marks + place_of(d, part, 0);
        double low_m = usual_low(d, part, true, level);
        for (int32_t f = 0; f < prints->frame_count; ++f) {
            double height = (double)marks[f].y - low_m;
            double most_mps = d->def->speed_mps * prints->size + d->def->body_share * (double)d->body_mps[f];
            if (mark_speed(prints, marks, f) < most_mps && level_at(d, part, f) == 0.0f &&
                height < FAR_HEIGHTS * d->def->height_m * prints->size) {
                GtVec3 point = marks[f];
                point.y = (float)height;
                fit_add(&fit, point);
            }
        }
    }
    if (fit.count > 0.0) {
        fit_slope(&fit, level_m * prints->size, slope);
    }
}

// A foot that is never on the floor that the other one stands on, is as much higher as its lowest.
static double rise_over_other(const Finder* d, int part)
{
    static const double level[2] = { 0.0, 0.0 };
    double rise = usual_low(d, part, true, level) - usual_low(d, part ^ 2, true, level);
    return rise > GTI_LEAST_LEVEL * d->def->height_m * d->prints->size ? rise : 0.0;
}

// How fast and how high above the lowest that it usually is a part is.
static void follow_part(Finder* d, int part, const double slope[2])
{
    static const double level[2] = { 0.0, 0.0 };
    const GtiFootprints* prints = d->prints;
    const GtVec3* marks = prints->marks + place_of(d, part, 0);
    double low_m = usual_low(d, part, false, level);
    double low_mark_m = usual_low(d, part, true, level);
    double sloping_m = usual_low(d, part, false, slope);
    double rise_m = rise_over_other(d, part);
    for (int32_t f = 0; f < prints->frame_count; ++f) {
        size_t at = place_of(d, part, f);
        double height = fmin((double)prints->lows[at] - low_m, (double)marks[f].y - low_mark_m);
        height = fmin(height, (double)prints->lows[at] - rise_of_floor(d, at, slope) - sloping_m);
        d->speeds[at] = (float)fmin(mark_speed(prints, marks, f), (double)prints->slips_mps[at]);
        d->heights[at] = (float)(height + rise_m - (double)level_at(d, part, f));
    }
}

static void follow_parts(Finder* d, const double slope[2])
{
    for (int p = 0; p < GT_CONTACT_PART_COUNT; ++p) {
        follow_part(d, p, slope);
    }
}

static GtiTreading treading_of(const Finder* d)
{
    const GtiFootprints* prints = d->prints;
    return (GtiTreading){ .frame_count = prints->frame_count,
                          .step_s = prints->step_s,
                          .size = prints->size,
                          .marks = prints->marks,
                          .heights = d->heights,
                          .hips = prints->hips,
                          .speed_mps = d->def->speed_mps,
                          .height_m = GTI_LEAST_LEVEL * d->def->height_m };
}

// Where feet are on something higher than the floor, that tells nothing of how the floor slopes; and how it slopes
// tells how high that is. Twice is enough.
static GtResult follow_feet(Finder* d, GtArena* scratch)
{
    size_t count = GTI_SIDE_COUNT * (size_t)d->prints->frame_count;
    GtiTreading treading = treading_of(d);
    bool any = true;
    GtResult result = GT_OK;
    double slope[2];
    for (int pass = 0; pass < 2 && any && result == GT_OK; ++pass) {
        find_slope(d, pass == 0 ? LEVEL_M : CLIMB_LEVEL_M, slope);
        memset(d->levels, 0, count * sizeof *d->levels);
        follow_parts(d, slope);
        result = gti_levels_find(&treading, scratch, d->levels, &any, d->error);
    }
    if (result == GT_OK && any) {
        follow_parts(d, slope);
    }
    return result;
}

static double rise_at(const Finder* d, int part, int32_t frame)
{
    const GtiFootprints* prints = d->prints;
    int32_t before = frame > 0 ? frame - 1 : 0;
    int32_t after = frame + 1 < prints->frame_count ? frame + 1 : frame;
    float way = prints->lows[place_of(d, part, after)] - prints->lows[place_of(d, part, before)];
    return after > before ? fabs((double)way) / ((after - before) * prints->step_s) : 0.0;
}

static bool rests(const Finder* d, int part, int32_t frame)
{
    size_t at = place_of(d, part, frame);
    return (double)d->speeds[at] < d->def->speed_mps * d->prints->size &&
           (double)d->heights[at] < d->def->height_m * d->prints->size;
}

static void mark_standing(const Finder* d, int part)
{
    const GtContactsDef* def = d->def;
    double size = d->prints->size;
    for (int32_t f = 0; f < d->prints->frame_count; ++f) {
        size_t at = place_of(d, part, f);
        double speed = (double)d->speeds[at];
        double height = (double)d->heights[at];
        double more_mps = (rests(d, part ^ 1, f) ? ROLL_SHARE : 1.0) * def->body_share * (double)d->body_mps[f];
        double rise = rise_at(d, part, f);
        bool begins = speed < def->speed_mps * size + more_mps && height < def->height_m * size;
        bool goes_on = speed < def->release_mps * size + 1.5 * more_mps && height < def->release_height_m * size &&
                       rise < RISE_MPS * size + more_mps;
        d->states[f] = begins ? GTI_CONTACT_BEGINS : goes_on ? GTI_CONTACT_GOES_ON : GTI_CONTACT_NONE;
    }
    gti_contact_mark(d->states, d->prints->frame_count, d->stands[part]);
}

static GtResult add_span(Finder* d, int32_t part, int32_t first, int32_t last)
{
    GtContacts* out = d->out;
    const GtiFootprints* prints = d->prints;
    if (out->count == d->capacity) {
        GtContact* grown = gti_arena_grow(&out->arena, out->spans, &d->capacity, 16, sizeof *grown);
        if (!grown) {
            return gti_out_of_memory(d->error);
        }
        out->spans = grown;
    }
    out->spans[out->count++] =
        (GtContact){ part, prints->start_s + first * prints->step_s, prints->start_s + last * prints->step_s,
                     level_at(d, part, first + (last - first) / 2) };
    return GT_OK;
}

static GtResult find_spans(Finder* d, int32_t part)
{
    const GtiFootprints* prints = d->prints;
    const bool* stands = d->stands[part];
    GtResult result = GT_OK;
    double least_s = d->def->least_s - 1.5 * prints->step_s; // a frame stands for the time around it
    for (int32_t f = 0; f < prints->frame_count && result == GT_OK; ++f) {
        if (!stands[f]) {
            continue;
        }
        int32_t last = f;
        double gap_s = d->def->longest_gap_s + prints->step_s;
        for (int32_t k = f + 1; k < prints->frame_count && (k - last) * prints->step_s <= gap_s; ++k) {
            last = stands[k] ? k : last;
        }
        int32_t first = f;
        f = last;
        bool is_cut = first == 0 || last == prints->frame_count - 1; // and may be twice as long
        if ((last - first) * prints->step_s >= (is_cut ? 0.5 : 1.0) * least_s) {
            result = add_span(d, part, first, last);
        }
    }
    return result;
}

static GtResult find(const GtContext* context, const GtContactsDef* def, const GtiFootprints* prints, GtContacts** out,
                     GtError* error)
{
    *out = NULL;
    Finder d = { .def = def, .prints = prints, .error = error };
    GtResult result = gti_contacts_make(context, &d.out, error);
    if (result != GT_OK) {
        return result;
    }
    size_t count = (size_t)prints->frame_count;
    GtArena scratch = gt_arena_create(context->allocator);
    d.room = gt_arena_push_array(&scratch, count, sizeof *d.room);
    d.states = gt_arena_push_array(&scratch, count, sizeof *d.states);
    d.body_mps = gt_arena_push_array(&scratch, count, sizeof *d.body_mps);
    d.speeds = gt_arena_push_array(&scratch, GT_CONTACT_PART_COUNT * count, sizeof *d.speeds);
    d.heights = gt_arena_push_array(&scratch, GT_CONTACT_PART_COUNT * count, sizeof *d.heights);
    d.levels = gt_arena_push_array(&scratch, GTI_SIDE_COUNT * count, sizeof *d.levels);
    bool ok = d.room && d.states && d.body_mps && d.speeds && d.heights && d.levels;
    for (int p = 0; p < GT_CONTACT_PART_COUNT && ok; ++p) {
        d.stands[p] = gt_arena_push_array(&scratch, count, sizeof *d.stands[p]);
        ok = d.stands[p] != NULL;
    }
    result = ok ? GT_OK : gti_out_of_memory(error);
    if (ok) {
        follow_body(&d);
        result = follow_feet(&d, &scratch);
    }
    if (result == GT_OK) {
        for (int p = 0; p < GT_CONTACT_PART_COUNT; ++p) {
            mark_standing(&d, p);
        }
        GtiTreading treading = treading_of(&d);
        gti_lift_tilted(&treading, def->tilt_m, d.stands, d.room);
    }
    for (int32_t p = 0; p < GT_CONTACT_PART_COUNT && result == GT_OK; ++p) {
        result = find_spans(&d, p);
    }
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_contacts_destroy(d.out);
        return result;
    }
    gti_contacts_sort(d.out);
    d.out->start_s = prints->start_s;
    d.out->end_s = prints->start_s + (prints->frame_count - 1) * prints->step_s;
    *out = d.out;
    return GT_OK;
}

GtResult gti_footprints_stand(const GtContext* context, const GtContactsDef* def, const GtiFootprints* prints,
                              GtContacts** out, GtContacts** sure, GtError* error)
{
    GtContactsDef strict = *def;
    strict.release_mps = def->speed_mps;
    strict.release_height_m = def->height_m;
    strict.body_share = 0.0;
    strict.longest_gap_s = 0.0;
    strict.tilt_m = INFINITY; // still is still: what it turns about, a tilted foot may have at its upper end
    GtResult result = find(context, def, prints, out, error);
    if (result == GT_OK && sure) {
        result = find(context, &strict, prints, sure, error);
        if (result != GT_OK) {
            gt_contacts_destroy(*out);
            *out = NULL;
        }
    }
    return result;
}
