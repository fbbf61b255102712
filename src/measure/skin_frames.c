// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames are measured in batches, one a lane, each lane with an instance and room of its own; batches are added up in
// the order of the frames, so that the result does not depend on how many lanes there are.

#include "measure/skin_frames.h"

#include "gertie/sculpt.h"

#include "measure/self.h"
#include "measure/sink.h"

#include <math.h>

enum {
    LEAST_TRIANGLES = 8, // of a zone that is listed
    MAX_LANES = 16
};

static const double stretch_share = 0.01; // of the area that goes beyond what is told

// Room for one frame at a time.
typedef struct Lane {
    GtInstance* instance;
    GtVec3* positions; // [vertex_count + lid_count of self]
    GtVec3* normals;   // [vertex_count]
    double* lids;
    GtBounds* boxes; // of the trees for self-penetration
    double time_s;
    GtiZoneFrame* zones; // [zone_count] results
    GtiSelfFrame self;
    GtiSinkFrame sink;
} Lane;

// What is added up of a zone over the frames.
typedef struct ZoneSum {
    double high[GTI_STRETCH_BINS];
    double low[GTI_STRETCH_BINS];
    double most, least;  // singular values
    double worst_volume; // ratio farthest from 1
} ZoneSum;

typedef struct Job {
    GtFigure* figure;
    GtiMeasuredSkin skin;
    GtiSelf self;
    GtiSinks sinks;
    Lane lanes[MAX_LANES];
    int32_t lane_count;
    GtZoneMeasure* zones; // [zone_count]
    ZoneSum* sums;        // [zone_count]
    GtMeasure* measure;
} Job;

static void run_lanes(void* data, int32_t first, int32_t end)
{
    Job* job = data;
    const GtiMeasuredSkin* skin = &job->skin;
    for (int32_t i = first; i < end; ++i) {
        Lane* lane = &job->lanes[i];
        gt_figure_pose(job->figure, lane->time_s, lane->instance);
        for (int32_t m = 0; m < job->figure->def->mesh_count; ++m) {
            int32_t at = skin->first_vertex[m];
            gt_instance_deform(lane->instance, m, lane->positions + at, lane->normals + at, NULL);
        }
        for (int32_t z = 0; z < skin->zone_count; ++z) {
            gti_zone_measure(skin, &skin->zones[z], lane->instance->model_from_node, lane->positions, lane->normals,
                             lane->lids, &lane->zones[z]);
        }
        gti_self_measure(&job->self, lane->positions, lane->boxes, &lane->self);
        gti_sinks_measure(&job->sinks, lane->positions, &lane->sink);
    }
}

static GtResult open_lanes(const GtContext* context, GtArena* scratch, Job* job, GtError* error)
{
    const GtiMeasuredSkin* skin = &job->skin;
    size_t vertices = (size_t)skin->vertex_count;
    size_t zones = (size_t)skin->zone_count, lids = (size_t)job->self.lid_count;
    for (int32_t i = 0; i < job->lane_count; ++i) {
        Lane* lane = &job->lanes[i];
        GtResult result = gt_instance_create(context->allocator, job->figure->character, &lane->instance, error);
        if (result != GT_OK) {
            return result;
        }
        lane->positions = gt_arena_push_array(scratch, vertices + lids, sizeof *lane->positions);
        lane->boxes = gt_arena_push_array(scratch, (size_t)job->self.box_count, sizeof *lane->boxes);
        lane->normals = gt_arena_push_array(scratch, vertices, sizeof *lane->normals);
        lane->lids = gt_arena_push_array(scratch, (size_t)skin->lid_count * 4, sizeof *lane->lids);
        lane->zones = gt_arena_push_array(scratch, zones, sizeof *lane->zones);
        if (!lane->positions || !lane->normals || !lane->lids || !lane->zones || !lane->boxes) {
            return gti_out_of_memory(error);
        }
    }
    job->zones = gt_arena_push_array(&job->measure->arena, zones, sizeof *job->zones);
    job->sums = gt_arena_push_array(scratch, zones, sizeof *job->sums);
    return job->zones && job->sums ? GT_OK : gti_out_of_memory(error);
}

static int32_t humanoid_joint(const GtFigure* f, int32_t node)
{
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (f->joints[j] == node) {
            return j;
        }
    }
    return GT_NONE;
}

static void begin_zones(Job* job)
{
    for (int32_t z = 0; z < job->skin.zone_count; ++z) {
        const GtiZone* zone = &job->skin.zones[z];
        job->zones[z] = (GtZoneMeasure){
            .node = job->figure->def->source_nodes[zone->node],
            .joint = humanoid_joint(job->figure, zone->node),
            .triangle_count = zone->triangle_count,
            .volume_m3 = zone->volume_m3,
            .volume_min = INFINITY,
            .volume_max = -INFINITY,
            .section_m2 =
                zone->sections[GTI_SECTION_COUNT / 2].cuts ? zone->sections[GTI_SECTION_COUNT / 2].area_m2 : NAN,
            .section_min = NAN,
            .section_max = NAN,
            .axis_m = zone->axis_m,
            .axis_min = NAN,
            .axis_max = NAN,
            .section_time_s = job->measure->start_s,
            .flipped_time_s = job->measure->start_s,
            .volume_time_s = job->measure->start_s,
        };
        job->sums[z].worst_volume = 1.0;
        job->sums[z].least = INFINITY;
    }
}

static void add_zone(const GtiZone* zone, const GtiZoneFrame* frame, double time_s, ZoneSum* sum, GtZoneMeasure* out)
{
    double volume = frame->volume_m3 / zone->volume_m3;
    double axis = frame->axis_m / zone->axis_m;
    out->volume_min = fmin(out->volume_min, volume);
    out->volume_max = fmax(out->volume_max, volume);
    if (fabs(volume - 1.0) > fabs(sum->worst_volume - 1.0)) {
        sum->worst_volume = volume;
        out->volume_time_s = time_s;
    }
    if (!(frame->section_min >= out->section_min)) {
        out->section_min = frame->section_min;
        out->section_time_s = time_s;
    }
    out->section_max = fmax(out->section_max, frame->section_max); // fmax and fmin pass over NAN
    out->axis_min = fmin(out->axis_min, axis);
    out->axis_max = fmax(out->axis_max, axis);
    if (frame->flipped_count > out->flipped_count) {
        out->flipped_count = frame->flipped_count;
        out->flipped_time_s = time_s;
    }
    sum->most = fmax(sum->most, (double)frame->most);
    sum->least = fmin(sum->least, (double)frame->least);
    for (int b = 0; b < GTI_STRETCH_BINS; ++b) {
        sum->high[b] += (double)frame->high[b];
        sum->low[b] += (double)frame->low[b];
    }
}

static void add_lane(Job* job, const Lane* lane)
{
    GtSelfMeasure* self = &job->measure->self;
    for (int32_t z = 0; z < job->skin.zone_count; ++z) {
        add_zone(&job->skin.zones[z], &lane->zones[z], lane->time_s, &job->sums[z], &job->zones[z]);
    }
    gti_sinks_add(&job->sinks, &lane->sink, lane->time_s);
    self->frame_share += lane->self.inside_count > 0;
    self->clash_m = fmax(self->clash_m, (double)lane->self.clash_m);
    self->deep_share += (double)lane->self.clash_m > GT_SELF_DEEP_M;
    self->vertex_share += (double)lane->self.inside_count / job->self.count;
    if ((double)lane->self.depth_m > self->depth_m) {
        const GtiMeasuredSkin* skin = &job->skin;
        const int32_t* source = job->figure->def->source_nodes;
        self->depth_m = (double)lane->self.depth_m;
        self->time_s = lane->time_s;
        self->node = source[skin->zones[skin->zone_of[lane->self.vertex]].node];
        self->other_node = source[skin->zones[skin->zone_of[lane->self.other]].node];
    }
}

// The bin, with a fraction, below which a share of the area lies.
static double bin_at(const double* bins, double share)
{
    double total = 0.0;
    for (int b = 0; b < GTI_STRETCH_BINS; ++b) {
        total += bins[b];
    }
    double left = share * total;
    int b = 0;
    while (b + 1 < GTI_STRETCH_BINS && left > bins[b]) {
        left -= bins[b++];
    }
    return bins[b] > 0.0 ? b + left / bins[b] : NAN;
}

// Means out of sums; zones that are too small to say anything are left out.
static void end_zones(Job* job, int32_t frame_count)
{
    GtMeasure* measure = job->measure;
    for (int32_t z = 0; z < job->skin.zone_count; ++z) {
        GtZoneMeasure zone = job->zones[z];
        if (zone.triangle_count < LEAST_TRIANGLES) {
            continue;
        }
        double least_volume = 1e-12 * job->skin.size_m * job->skin.size_m * job->skin.size_m;
        if (!(fabs(zone.volume_m3) > least_volume)) {
            zone.volume_min = NAN;
            zone.volume_max = NAN;
        }
        zone.volume_m3 = fabs(zone.volume_m3);
        const ZoneSum* sum = &job->sums[z]; // a bin is 4 % wide: its ends may lie beyond all that is in it
        zone.stretch_max = fmin(gti_stretch_of_bin(bin_at(sum->high, 1.0 - stretch_share)), sum->most);
        zone.stretch_min = fmax(gti_stretch_of_bin(bin_at(sum->low, stretch_share)), sum->least);
        job->zones[measure->zone_count++] = zone;
    }
    measure->zones = job->zones;
    measure->mesh_frame_count = frame_count;
    measure->self.frame_share /= frame_count;
    measure->self.deep_share /= frame_count;
    measure->self.vertex_share /= frame_count;
}

static GtResult run_frames(const GtContext* context, Job* job, int32_t frame_count, GtError* error)
{
    const GtMeasure* measure = job->measure;
    double step_s = measure->rate_hz > 0.0 ? 1.0 / measure->rate_hz : 0.0;
    for (int32_t first = 0; first < frame_count; first += job->lane_count) {
        int32_t count = frame_count - first < job->lane_count ? frame_count - first : job->lane_count;
        GtResult result = gti_progress(context, error, "measuring the skin", (double)first / frame_count);
        if (result != GT_OK) {
            return result;
        }
        for (int32_t i = 0; i < count; ++i) {
            int64_t frame = frame_count > 1 ? (int64_t)(first + i) * (measure->frame_count - 1) / (frame_count - 1) : 0;
            job->lanes[i].time_s = measure->start_s + (double)frame * step_s;
        }
        gt_executor_run(&context->executor, count, 1, run_lanes, job);
        for (int32_t i = 0; i < count; ++i) {
            add_lane(job, &job->lanes[i]);
        }
    }
    return GT_OK;
}

GtResult gti_measure_skin(const GtContext* context, GtArena* scratch, GtFigure* figure, const GtGround* ground,
                          int32_t frame_count, GtMeasure* measure, GtError* error)
{
    Job* job = gt_arena_push_array(scratch, 1, sizeof *job);
    if (!job) {
        return gti_out_of_memory(error);
    }
    job->figure = figure;
    job->measure = measure;
    measure->self = (GtSelfMeasure){ .depth_m = NAN, .node = GT_NONE, .other_node = GT_NONE };
    for (int32_t m = 0; m < figure->def->mesh_count; ++m) {
        measure->has_mesh = measure->has_mesh || figure->def->meshes[m].index_count >= 3;
    }
    if (frame_count == 0) {
        return GT_OK;
    }
    GtResult result = gti_skin_open(context, scratch, figure, &job->skin, error);
    if (result != GT_OK || job->skin.zone_count == 0) {
        return result;
    }
    result = gti_self_open(scratch, &job->skin, &job->self, error);
    measure->self.depth_m = 0.0;
    measure->self.time_s = measure->start_s;
    frame_count = frame_count < measure->frame_count ? frame_count : measure->frame_count;
    job->lane_count = context->executor.thread_count < MAX_LANES ? context->executor.thread_count : MAX_LANES;
    job->lane_count = job->lane_count < frame_count ? job->lane_count : frame_count;
    result = result == GT_OK ? gti_sinks_open(&job->skin, ground, measure, &job->sinks, error) : result;
    result = result == GT_OK ? open_lanes(context, scratch, job, error) : result;
    if (result == GT_OK) {
        begin_zones(job);
        result = run_frames(context, job, frame_count, error);
    }
    if (result == GT_OK) {
        end_zones(job, frame_count);
        gti_sinks_end(&job->sinks, frame_count, measure);
    }
    for (int32_t i = 0; i < job->lane_count; ++i) {
        if (job->lanes[i].instance) {
            gt_instance_destroy(job->lanes[i].instance);
        }
    }
    return result;
}
