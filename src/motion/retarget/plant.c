// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Planting the feet of frames that have been carried over: when they stand is seen in the source, where in the frames.

#include "motion/retarget/plant.h"

#include "motion/contact/contact.h"
#include "motion/take/cycle.h"

#include <math.h>
#include <string.h>

static const float ASTRAY_M = 0.0003f;    // that a sole that stands may be from where it was put
static const float OFF_FLOOR_M = 0.0025f; // or from the floor
static const float HEEL_SHARE = 0.35f;    // of the way from ankle to ball, that the heel is behind the ankle

static const double STAY_S = 0.25; // around a contact, in which a foot that is lifted goes over

struct GtiPlanter {
    const GtContext* context;
    const GtRetarget* r;
    GtiCarried motion; // without poses
    GtError* error;
    GtArena arena; // of everything, this struct too
    GtFigure figure;
    GtiTread sole;
    int32_t* columns;   // [nodes]
    uint8_t* bits;      // [frame_count] contacts
    uint8_t* sure;      // [frame_count] of which there is no doubt
    float* levels;      // [GTI_SIDE_COUNT * frame_count] of what is under the feet, above the floor
    bool climbs;        // these are other than 0
    bool closes;        // into a cycle, of which windows are planted
    float floor_m;      // or NAN where it is yet to be found
    GtiWarpMeans means; // of windows; found in the first frames that are looked at
};

// Frames to be planted, with what is known of them.
typedef struct Stretch {
    GtiPlantFrames frames;
    const uint8_t* bits;
    const uint8_t* sure;
    const float* levels[GTI_SIDE_COUNT]; // or NULL
} Stretch;

static GtResult open_sole(GtiPlanter* p)
{
    const GtRetarget* r = p->r;
    GtResult result = gti_figure_share(p->context, r->target.figure, &p->figure, p->error);
    if (result == GT_OK) {
        gti_figure_stand(&p->figure, &r->target.retarget_pose);
        result = gti_tread_open(p->context, &p->arena, &p->figure, &p->sole, p->error);
    }
    return result == GT_OK ? gti_tread_thin(p->context, &p->arena, &p->sole, p->error) : result;
}

static GtResult find_columns(GtiPlanter* p)
{
    size_t node_count = (size_t)p->figure.def->node_count;
    p->columns = gt_arena_push_array(&p->arena, node_count, sizeof *p->columns);
    p->bits = gt_arena_push_array(&p->arena, (size_t)p->motion.frame_count, sizeof *p->bits);
    p->sure = gt_arena_push_array(&p->arena, (size_t)p->motion.frame_count, sizeof *p->sure);
    p->levels = gt_arena_push_array(&p->arena, GTI_SIDE_COUNT * (size_t)p->motion.frame_count, sizeof *p->levels);
    if (!p->columns || !p->bits || !p->sure || !p->levels) {
        return gti_out_of_memory(p->error);
    }
    for (size_t i = 0; i < node_count; ++i) {
        p->columns[i] = GT_NONE;
    }
    for (int32_t n = 0; n < p->motion.node_count; ++n) {
        p->columns[gt_character_node_from_source(p->figure.character, p->motion.nodes[n])] = n;
    }
    return GT_OK;
}

static void set_bits(const GtiPlanter* p, const GtContacts* contacts, uint8_t* bits)
{
    int32_t count = p->motion.frame_count;
    gti_contacts_of_frames(p->context, contacts, p->motion.times, count, bits);
    for (int32_t f = 0; f < count && p->r->def.mirror; ++f) {
        bits[f] = (uint8_t)(bits[f] >> 2 | (bits[f] & 3u) << 2);
    }
}

// What the source climbs, in the size of the target.
static void set_levels(GtiPlanter* p, const GtContacts* contacts)
{
    int32_t count = p->motion.frame_count;
    p->climbs = gti_contacts_levels(contacts, p->motion.times, count, p->levels);
    for (int32_t f = 0; f < count; ++f) {
        float left = p->levels[f] * p->r->path_scale, right = p->levels[count + f] * p->r->path_scale;
        p->levels[f] = p->r->def.mirror ? right : left;
        p->levels[count + f] = p->r->def.mirror ? left : right;
    }
}

// Contacts of the source, for the frames that are carried over. Those that the caller gives may be doubtful, too.
static GtResult find_contacts(GtiPlanter* p)
{
    const GtRetarget* r = p->r;
    GtContactsDef def = gt_default_contacts_def();
    GtContacts* found = NULL;
    GtContacts* sure = NULL;
    GtResult result = gti_contacts_find(p->context, r->source.figure, &def, &found, &sure, p->error);
    if (result == GT_OK) {
        set_bits(p, r->def.contacts ? r->def.contacts : found, p->bits);
        set_bits(p, sure, p->sure);
        set_levels(p, r->def.contacts ? r->def.contacts : found);
    }
    for (int32_t f = 0; result == GT_OK && f < p->motion.frame_count; ++f) {
        p->sure[f] &= p->bits[f];
    }
    gt_contacts_destroy(found);
    gt_contacts_destroy(sure);
    return result;
}

// Feet of the source in the size of the target. Where there is no mesh to show it, a heel is as far behind the ankle as
// it is in people.
static void measure_source_feet(const GtiPlanter* p, GtiPlant* job)
{
    const GtiAlignedFigure* s = &p->r->source;
    int32_t ankle = s->joints[GT_HUMANOID_LEFT_FOOT];
    int32_t toes = s->joints[GT_HUMANOID_LEFT_TOES];
    if (ankle != GT_NONE && toes != GT_NONE && !s->has_sole) {
        GtVec3 foot = gt_vec3_sub(s->aligned.places[toes], s->aligned.places[ankle]);
        job->heel_m = HEEL_SHARE * hypotf(foot.x, foot.z) * p->r->path_scale;
    }
}

// How far the lowest point of a sole is from where planting meant to put it.
static float astray(const GtiPlant* meant, const GtiPlant* now, int side, int32_t frame)
{
    const GtVec3* points = gti_plant_points(meant, frame);
    int32_t lowest = GT_NONE;
    for (int32_t i = 0; i < meant->sole->point_count; ++i) {
        if (gti_plant_is_on(meant, i, side) && (lowest == GT_NONE || points[i].y < points[lowest].y)) {
            lowest = i;
        }
    }
    if (lowest == GT_NONE) {
        return 0.0f;
    }
    GtVec3 there = gt_vec3_add(meant->feet[side][frame].goal, points[lowest]);
    GtVec3 here = gt_vec3_add(now->feet[side][frame].ankle, gti_plant_points(now, frame)[lowest]);
    return gt_vec3_length(gt_vec3_sub(here, there));
}

// Whether soles that surely stand are where they were put, and on the floor.
static bool is_done(const GtiPlant* meant, const GtiPlant* now)
{
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < now->frames->count; ++f) {
            const GtiFootFrame* foot = &now->feet[side][f];
            if (now->sure[f] >> 2 * side & 3u && gti_plant_stands(now, side, f) &&
                !(astray(meant, now, side, f) < ASTRAY_M &&
                  fabsf(foot->ankle.y + foot->low - gti_plant_floor(now, side, f)) < OFF_FLOOR_M)) {
                return false;
            }
        }
    }
    return true;
}

// Soles whose skin also hangs on the shanks move as those are turned. Where that shows, it is done once more with the
// legs as they are now; of a motion that is planted in windows, in all of them, because it moves feet by a millimetre.
static GtResult plant_again(GtiPlant* job, bool is_window)
{
    GtiPlant meant = *job;
    GtResult result = gti_plant_trace(job);
    if (result != GT_OK || (!is_window && is_done(&meant, job))) {
        return result;
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < job->frames->count; ++f) {
            job->feet[side][f].unplanted_hip = meant.feet[side][f].unplanted_hip;
            job->feet[side][f].unplanted_ankle = meant.feet[side][f].unplanted_ankle;
        }
    }
    job->is_again = true;
    job->heel_m = 0.0f;
    job->report = (GtPlantReport){ 0 };
    result = gti_plant_frames(job);
    job->report.contact_count = meant.report.contact_count;
    return result;
}

static GtiPlant job_of(GtiPlanter* p, const Stretch* stretch, GtArena* scratch)
{
    return (GtiPlant){ .context = p->context,
                       .error = p->error,
                       .scratch = scratch,
                       .figure = &p->figure,
                       .sole = &p->sole,
                       .frames = &stretch->frames,
                       .contacts = stretch->bits,
                       .sure = stretch->sure,
                       .levels = { stretch->levels[0], stretch->levels[1] },
                       .ground = p->r->def.ground,
                       .floor_m = p->floor_m };
}

static GtResult plant_frames(GtiPlanter* p, const Stretch* stretch, bool is_window, GtArena* scratch,
                             GtPlantReport* report)
{
    GtiPlant job = job_of(p, stretch, scratch);
    measure_source_feet(p, &job);
    GtResult result = gti_plant_trace(&job);
    if (result == GT_OK) {
        result = gti_plant_find_floor(&job);
    }
    if (result == GT_OK) {
        p->floor_m = job.floor_m;
        result = gti_plant_frames(&job);
    }
    if (result == GT_OK && !p->r->def.ground) {
        result = plant_again(&job, is_window);
    }
    *report = job.report;
    return result;
}

// The node that carries the way hangs from nothing that moves.
static GtiCycle cycle_of(const GtiPlanter* p, int32_t count, const float* times, const GtTransform* poses)
{
    const GtRetarget* r = p->r;
    const GtCharacterDef* def = r->target.def;
    int32_t carrier = r->root != GT_NONE ? r->root : r->target_hips;
    GtiCycle cycle = { count, times, poses, p->motion.node_count, 0, gt_mat34_identity() };
    while (p->motion.nodes[cycle.carrier] != def->source_nodes[carrier]) {
        ++cycle.carrier;
    }
    for (int32_t i = def->parents[carrier]; i != GT_NONE; i = def->parents[i]) {
        cycle.model_from_parent = gt_mat34_mul(gt_mat34_from_transform(def->rest[i]), cycle.model_from_parent);
    }
    return cycle;
}

// Ground differs from lap to lap.
static bool may_close(const GtiPlanter* p)
{
    return p->r->def.feet == GT_FEET_PLANT && !p->r->def.ground && !p->climbs && p->motion.frame_count >= 3;
}

bool gti_planter_find_cycle(GtiPlanter* p, const GtTransform* ends, GtiCycle* out)
{
    *out = cycle_of(p, 2, NULL, ends);
    p->closes = may_close(p) && gti_cycle_closes(out);
    return p->closes;
}

// Contacts that begin in these frames of the motion.
static int32_t count_contacts(const GtiPlanter* p, int32_t first, int32_t end)
{
    int32_t count = 0;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        unsigned mask = 3u << 2 * side;
        for (int32_t f = first; f < end; ++f) {
            count += (p->bits[f] & mask) && !(f > 0 && p->bits[f - 1] & mask);
        }
    }
    return count;
}

// Feet of a cycle are planted with those of the cycles before and after it in view, so that the seam stays closed.
static GtResult plant_cycle(GtiPlanter* p, const GtiCycle* cycle, const GtiCarried* c, GtArena* scratch,
                            GtPlantReport* report)
{
    GtiContinued more;
    if (!gti_cycle_continue(cycle, scratch, &more)) {
        return gti_out_of_memory(p->error);
    }
    uint8_t* bits = gt_arena_push_array(scratch, (size_t)more.count, sizeof *bits);
    uint8_t* sure = gt_arena_push_array(scratch, (size_t)more.count, sizeof *sure);
    if (!bits || !sure) {
        return gti_out_of_memory(p->error);
    }
    gti_cycle_continue_bits(cycle->count, &more, p->bits, bits);
    gti_cycle_continue_bits(cycle->count, &more, p->sure, sure);
    int32_t after = more.count - more.before - c->frame_count;
    Stretch stretch = { { more.count, more.times, more.poses, c->node_count, p->columns, more.before, after, true },
                        bits,
                        sure,
                        { NULL } };
    GtResult result = plant_frames(p, &stretch, false, scratch, report);
    report->contact_count = count_contacts(p, 0, c->frame_count); // not those of the other cycles
    memcpy(c->poses, more.poses + (size_t)more.before * (size_t)c->node_count,
           (size_t)c->frame_count * (size_t)c->node_count * sizeof *c->poses);
    return result;
}

static GtResult warp(GtiPlanter* p, const Stretch* stretch, GtArena* scratch, GtPlantReport* report)
{
    GtiPlant job = job_of(p, stretch, scratch);
    GtResult result = gti_plant_trace(&job);
    if (result == GT_OK) {
        result = gti_retarget_warp(p->r, stretch->frames.times, &p->means, &job);
    }
    *report = job.report;
    return result;
}

// What is known of the frames of a window. Where a cycle ends it begins: both frames have the contacts of both.
static GtResult take_stretch(const GtiPlanter* p, const GtiCarried* c, GtArena* scratch, Stretch* out)
{
    int32_t last = p->motion.frame_count - 1;
    size_t count = (size_t)c->frame_count;
    const float* levels = p->climbs ? p->levels : NULL;
    *out = (Stretch){ { c->frame_count, c->times, c->poses, c->node_count, p->columns, c->before, c->after, false },
                      p->bits,
                      p->sure,
                      { levels, levels ? levels + count : NULL } };
    if (!c->frames) {
        return GT_OK;
    }
    uint8_t* bits = gt_arena_push_array(scratch, count, sizeof *bits);
    uint8_t* sure = gt_arena_push_array(scratch, count, sizeof *sure);
    float* own = gt_arena_push_array(scratch, GTI_SIDE_COUNT * count, sizeof *own);
    if (!bits || !sure || !own) {
        return gti_out_of_memory(p->error);
    }
    for (size_t i = 0; i < count; ++i) {
        int32_t f = c->frames[i];
        bool is_end = p->closes && (f == 0 || f == last);
        bits[i] = is_end ? (uint8_t)(p->bits[0] | p->bits[last]) : p->bits[f];
        sure[i] = is_end ? (uint8_t)(p->sure[0] | p->sure[last]) : p->sure[f];
        own[i] = levels ? levels[f] : 0.0f;
        own[count + i] = levels ? levels[p->motion.frame_count + f] : 0.0f;
    }
    out->bits = bits;
    out->sure = sure;
    out->levels[0] = levels ? own : NULL;
    out->levels[1] = levels ? own + count : NULL;
    return GT_OK;
}

static void add_report(const GtPlantReport* part, GtPlantReport* report)
{
    report->contact_count += part->contact_count;
    report->short_frames += part->short_frames;
    report->foot_shift_m = fmax(report->foot_shift_m, part->foot_shift_m);
    report->hips_shift_m = fmax(report->hips_shift_m, part->hips_shift_m);
    report->miss_m = fmax(report->miss_m, part->miss_m);
}

static GtResult plant(GtiPlanter* p, const GtiCarried* carried, GtArena* scratch, GtPlantReport* report)
{
    Stretch stretch;
    GtResult result = take_stretch(p, carried, scratch, &stretch);
    if (result != GT_OK) {
        return result;
    }
    if (p->r->def.feet == GT_FEET_WARP) {
        return warp(p, &stretch, scratch, report);
    }
    GtiCycle cycle = cycle_of(p, carried->frame_count, carried->times, carried->poses);
    if (!carried->frames && may_close(p) && gti_cycle_closes(&cycle)) {
        return plant_cycle(p, &cycle, carried, scratch, report);
    }
    GtResult planted = plant_frames(p, &stretch, carried->frames != NULL, scratch, report);
    if (p->closes) {
        int32_t first = carried->frames[carried->before];
        report->contact_count =
            count_contacts(p, first, first + carried->frame_count - carried->before - carried->after);
    }
    return planted;
}

GtResult gti_planter_plant(GtiPlanter* p, const GtiCarried* carried, GtPlantReport* report)
{
    GtArena scratch = gt_arena_create(p->context->allocator);
    GtPlantReport part = { 0 };
    GtResult result = plant(p, carried, &scratch, &part);
    add_report(&part, report);
    gt_arena_destroy(&scratch);
    return result;
}

GtResult gti_planter_look_around(GtiPlanter* p, const GtiCarried* some)
{
    GtArena scratch = gt_arena_create(p->context->allocator);
    Stretch stretch;
    GtResult result = take_stretch(p, some, &scratch, &stretch);
    GtiPlant job = job_of(p, &stretch, &scratch);
    if (result == GT_OK) {
        result = gti_plant_trace(&job);
    }
    if (result == GT_OK && p->r->def.feet == GT_FEET_WARP) {
        result = gti_retarget_warp(p->r, some->times, &p->means, &job);
    } else if (result == GT_OK) {
        result = gti_plant_find_floor(&job);
        p->floor_m = job.floor_m;
    }
    gt_arena_destroy(&scratch);
    return result;
}

// Near the times in which it stands, a foot stays; else it goes where the hips go.
static void carry_feet(GtiPlant* job, const float* rises, float* stays)
{
    for (int32_t f = 0; f < job->frames->count; ++f) {
        job->shifts[f] = gt_vec3(0.0f, rises[f], 0.0f);
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        gti_plant_near(job, 3u << 2 * side, STAY_S, stays);
        for (int32_t f = 0; f < job->frames->count; ++f) {
            GtiFootFrame* foot = &job->feet[side][f];
            foot->goal = foot->ankle;
            foot->goal.y += rises[f] * (1.0f - stays[f]);
            foot->weight = stays[f];
        }
    }
}

static GtResult lift(GtiPlanter* p, const GtiCarried* carried, const float* rises, GtArena* scratch)
{
    Stretch stretch;
    GtResult result = take_stretch(p, carried, scratch, &stretch);
    if (result != GT_OK) {
        return result;
    }
    GtiPlant job = job_of(p, &stretch, scratch);
    size_t count = (size_t)carried->frame_count;
    float* stays = gt_arena_push_array(scratch, count, sizeof *stays);
    job.shifts = gt_arena_push_array(scratch, count, sizeof *job.shifts);
    result = stays && job.shifts ? gti_plant_trace(&job) : gti_out_of_memory(p->error);
    if (result == GT_OK) {
        carry_feet(&job, rises, stays);
        result = gti_plant_legs(&job);
    }
    return result;
}

GtResult gti_planter_lift(GtiPlanter* planter, const GtiCarried* carried, const float* rises)
{
    GtArena scratch = gt_arena_create(planter->context->allocator);
    GtResult result = lift(planter, carried, rises, &scratch);
    gt_arena_destroy(&scratch);
    return result;
}

float gti_planter_floor(const GtiPlanter* planter)
{
    return planter->floor_m;
}

const uint8_t* gti_planter_contacts(const GtiPlanter* planter)
{
    return planter->bits;
}

void gti_planter_close(GtiPlanter* planter)
{
    if (planter) {
        gti_tread_close(&planter->sole);
        gt_figure_close(&planter->figure);
        gt_arena_destroy(&planter->arena);
    }
}

GtResult gti_planter_open(const GtContext* context, const GtRetarget* retarget, const GtiCarried* motion,
                          GtiPlanter** out, GtError* error)
{
    GtArena arena = gt_arena_create(context->allocator);
    GtiPlanter* p = gt_arena_push_array(&arena, 1, sizeof *p);
    *out = p;
    if (!p) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    *p = (GtiPlanter){
        .context = context, .r = retarget, .motion = *motion, .error = error, .arena = arena, .floor_m = NAN
    };
    GtResult result = open_sole(p);
    if (result == GT_OK) {
        result = find_columns(p);
    }
    if (result == GT_OK && retarget->def.feet == GT_FEET_PLANT) {
        result = find_contacts(p);
    }
    if (result != GT_OK) {
        gti_planter_close(p);
        *out = NULL;
    }
    return result;
}
