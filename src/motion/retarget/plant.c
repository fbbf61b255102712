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

typedef struct Planter {
    const GtContext* context;
    const GtRetarget* r;
    const GtiCarried* carried;
    GtError* error;
    GtArena scratch;
    GtFigure figure;
    GtiTread sole;
    int32_t* columns; // [nodes]
    uint8_t* bits;    // [frame_count] contacts
    uint8_t* sure;    // [frame_count] of which there is no doubt
    float* levels;    // [GTI_SIDE_COUNT * frame_count] of what is under the feet, above the floor
    bool climbs;      // these are other than 0
} Planter;

static GtResult open_sole(Planter* p)
{
    const GtRetarget* r = p->r;
    GtResult result = gti_figure_share(p->context, r->target.figure, &p->figure, p->error);
    if (result == GT_OK) {
        gti_figure_stand(&p->figure, &r->target.retarget_pose);
        result = gti_tread_open(p->context, &p->scratch, &p->figure, &p->sole, p->error);
    }
    return result == GT_OK ? gti_tread_thin(p->context, &p->scratch, &p->sole, p->error) : result;
}

static GtResult find_columns(Planter* p)
{
    size_t node_count = (size_t)p->figure.def->node_count;
    p->columns = gt_arena_push_array(&p->scratch, node_count, sizeof *p->columns);
    p->bits = gt_arena_push_array(&p->scratch, (size_t)p->carried->frame_count, sizeof *p->bits);
    p->sure = gt_arena_push_array(&p->scratch, (size_t)p->carried->frame_count, sizeof *p->sure);
    p->levels = gt_arena_push_array(&p->scratch, GTI_SIDE_COUNT * (size_t)p->carried->frame_count, sizeof *p->levels);
    if (!p->columns || !p->bits || !p->sure || !p->levels) {
        return gti_out_of_memory(p->error);
    }
    for (size_t i = 0; i < node_count; ++i) {
        p->columns[i] = GT_NONE;
    }
    for (int32_t n = 0; n < p->carried->node_count; ++n) {
        p->columns[gt_character_node_from_source(p->figure.character, p->carried->nodes[n])] = n;
    }
    return GT_OK;
}

static void set_bits(const Planter* p, const GtContacts* contacts, uint8_t* bits)
{
    int32_t count = p->carried->frame_count;
    gti_contacts_of_frames(p->context, contacts, p->carried->times, count, bits);
    for (int32_t f = 0; f < count && p->r->def.mirror; ++f) {
        bits[f] = (uint8_t)(bits[f] >> 2 | (bits[f] & 3u) << 2);
    }
}

// What the source climbs, in the size of the target.
static void set_levels(Planter* p, const GtContacts* contacts)
{
    int32_t count = p->carried->frame_count;
    p->climbs = gti_contacts_levels(contacts, p->carried->times, count, p->levels);
    for (int32_t f = 0; f < count; ++f) {
        float left = p->levels[f] * p->r->path_scale, right = p->levels[count + f] * p->r->path_scale;
        p->levels[f] = p->r->def.mirror ? right : left;
        p->levels[count + f] = p->r->def.mirror ? left : right;
    }
}

// Contacts of the source, for the frames that are carried over. Those that the caller gives may be doubtful, too.
static GtResult find_contacts(Planter* p)
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
    for (int32_t f = 0; result == GT_OK && f < p->carried->frame_count; ++f) {
        p->sure[f] &= p->bits[f];
    }
    gt_contacts_destroy(found);
    gt_contacts_destroy(sure);
    return result;
}

// Feet of the source in the size of the target. Where there is no mesh to show it, a heel is as far behind the ankle as
// it is in people.
static void measure_source_feet(const Planter* p, GtiPlant* job)
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
// legs as they are now.
static GtResult plant_again(GtiPlant* job)
{
    GtiPlant meant = *job;
    GtResult result = gti_plant_trace(job);
    if (result != GT_OK || is_done(&meant, job)) {
        return result;
    }
    job->is_again = true;
    job->heel_m = 0.0f;
    job->report = (GtPlantReport){ 0 };
    result = gti_plant_frames(job);
    job->report.contact_count = meant.report.contact_count;
    job->report.foot_shift_m = fmax(job->report.foot_shift_m, meant.report.foot_shift_m);
    job->report.hips_shift_m = fmax(job->report.hips_shift_m, meant.report.hips_shift_m);
    return result;
}

static GtiPlant job_of(Planter* p, const GtiPlantFrames* frames, const uint8_t* bits, const uint8_t* sure)
{
    return (GtiPlant){ .context = p->context,
                       .error = p->error,
                       .scratch = &p->scratch,
                       .figure = &p->figure,
                       .sole = &p->sole,
                       .frames = frames,
                       .contacts = bits,
                       .sure = sure,
                       .levels = { p->climbs ? p->levels : NULL, p->climbs ? p->levels + frames->count : NULL },
                       .ground = p->r->def.ground,
                       .floor_m = NAN };
}

static GtResult plant_frames(Planter* p, const GtiPlantFrames* frames, const uint8_t* bits, const uint8_t* sure,
                             GtPlantReport* report)
{
    GtiPlant job = job_of(p, frames, bits, sure);
    measure_source_feet(p, &job);
    GtResult result = gti_plant_trace(&job);
    if (result == GT_OK) {
        result = gti_plant_find_floor(&job);
    }
    if (result == GT_OK) {
        result = gti_plant_frames(&job);
    }
    if (result == GT_OK && !p->r->def.ground) {
        result = plant_again(&job);
    }
    *report = job.report;
    return result;
}

// The node that carries the way hangs from nothing that moves.
static GtiCycle cycle_of(const Planter* p)
{
    const GtRetarget* r = p->r;
    const GtCharacterDef* def = r->target.def;
    const GtiCarried* c = p->carried;
    int32_t carrier = r->root != GT_NONE ? r->root : r->target_hips;
    GtiCycle cycle = { c->frame_count, c->times, c->poses, c->node_count, 0, gt_mat34_identity() };
    while (c->nodes[cycle.carrier] != def->source_nodes[carrier]) {
        ++cycle.carrier;
    }
    for (int32_t i = def->parents[carrier]; i != GT_NONE; i = def->parents[i]) {
        cycle.model_from_parent = gt_mat34_mul(gt_mat34_from_transform(def->rest[i]), cycle.model_from_parent);
    }
    return cycle;
}

static int32_t count_contacts(const uint8_t* bits, int32_t frame_count)
{
    int32_t count = 0;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        unsigned mask = 3u << 2 * side;
        for (int32_t f = 0; f < frame_count; ++f) {
            count += (bits[f] & mask) && !(f > 0 && bits[f - 1] & mask);
        }
    }
    return count;
}

// Feet of a cycle are planted with those of the cycles before and after it in view, so that the seam stays closed.
static GtResult plant_cycle(Planter* p, const GtiCycle* cycle, GtPlantReport* report)
{
    const GtiCarried* c = p->carried;
    GtiContinued more;
    if (!gti_cycle_continue(cycle, &p->scratch, &more)) {
        return gti_out_of_memory(p->error);
    }
    uint8_t* bits = gt_arena_push_array(&p->scratch, (size_t)more.count, sizeof *bits);
    uint8_t* sure = gt_arena_push_array(&p->scratch, (size_t)more.count, sizeof *sure);
    if (!bits || !sure) {
        return gti_out_of_memory(p->error);
    }
    gti_cycle_continue_bits(cycle->count, &more, p->bits, bits);
    gti_cycle_continue_bits(cycle->count, &more, p->sure, sure);
    GtiPlantFrames frames = { more.count, more.times, more.poses, c->node_count, p->columns };
    GtResult result = plant_frames(p, &frames, bits, sure, report);
    report->contact_count = count_contacts(p->bits, c->frame_count); // not those of the other cycles
    memcpy(c->poses, more.poses + (size_t)more.before * (size_t)c->node_count,
           (size_t)c->frame_count * (size_t)c->node_count * sizeof *c->poses);
    return result;
}

static GtResult warp(Planter* p, GtPlantReport* report)
{
    const GtiCarried* c = p->carried;
    GtiPlantFrames frames = { c->frame_count, c->times, c->poses, c->node_count, p->columns };
    GtiPlant job = job_of(p, &frames, p->bits, p->sure);
    GtResult result = gti_plant_trace(&job);
    if (result == GT_OK) {
        result = gti_retarget_warp(p->r, c->times, &job);
    }
    *report = job.report;
    return result;
}

static GtResult plant(Planter* p, GtPlantReport* report)
{
    GtResult result = open_sole(p);
    if (result == GT_OK) {
        result = find_columns(p);
    }
    if (result == GT_OK && p->r->def.feet == GT_FEET_WARP) {
        return warp(p, report);
    }
    if (result == GT_OK) {
        result = find_contacts(p);
    }
    if (result != GT_OK) {
        return result;
    }
    const GtiCarried* c = p->carried;
    GtiCycle cycle = cycle_of(p);
    if (!p->r->def.ground && !p->climbs && gti_cycle_closes(&cycle)) { // ground differs from lap to lap
        return plant_cycle(p, &cycle, report);
    }
    GtiPlantFrames frames = { c->frame_count, c->times, c->poses, c->node_count, p->columns };
    return plant_frames(p, &frames, p->bits, p->sure, report);
}

GtResult gti_retarget_plant(const GtContext* context, const GtRetarget* retarget, const GtiCarried* carried,
                            GtPlantReport* report, GtError* error)
{
    Planter p = { .context = context, .r = retarget, .carried = carried, .error = error };
    p.scratch = gt_arena_create(context->allocator);
    GtResult result = plant(&p, report);
    gti_tread_close(&p.sole);
    gt_figure_close(&p.figure);
    gt_arena_destroy(&p.scratch);
    return result;
}
