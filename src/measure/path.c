// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "measure/path.h"

#include "base/direction.h"
#include "base/quat_double.h"

#include <math.h>
#include <string.h>

// Where a skeleton lacks a joint of the trunk, the next one down stands in for it.
static int32_t mapped(const GtFigure* f, GtHumanoidJoint joint)
{
    int32_t at = (int32_t)joint;
    while (at != GT_NONE && f->joints[at] == GT_NONE) {
        at = gt_humanoid_parent((GtHumanoidJoint)at);
    }
    return at == GT_NONE ? GT_HUMANOID_HIPS : at;
}

static GtVec3 direction_of(const GtFigure* f, GtHumanoidJoint from, GtHumanoidJoint to, GtVec3 fallback)
{
    if (f->joints[from] == GT_NONE || f->joints[to] == GT_NONE) {
        return fallback;
    }
    return gt_vec3_normalize_or(gt_vec3_sub(gti_figure_reference(f, to), gti_figure_reference(f, from)), fallback);
}

// The tip of a bone that ends a chain, with lengths as fractions of the height (Winter, after Drillis and Contini).
static GtVec3 tip_of(const GtFigure* f, GtHumanoidJoint joint)
{
    GtVec3 up = gt_vec3(0.0f, 1.0f, 0.0f);
    GtHumanoidJoint parent = (GtHumanoidJoint)gt_humanoid_parent(joint);
    GtVec3 start = gti_figure_reference(f, joint);
    float height = (float)f->height_m;
    switch (joint) {
    case GT_HUMANOID_LEFT_HAND:
    case GT_HUMANOID_RIGHT_HAND:
        return gt_vec3_add(start,
                           gt_vec3_scale(direction_of(f, parent, joint, gt_vec3(0.0f, -1.0f, 0.0f)), 0.108f * height));
    case GT_HUMANOID_LEFT_FOOT:
    case GT_HUMANOID_RIGHT_FOOT: {
        GtHumanoidJoint toes = joint == GT_HUMANOID_LEFT_FOOT ? GT_HUMANOID_LEFT_TOES : GT_HUMANOID_RIGHT_TOES;
        return f->joints[toes] == GT_NONE ? start : gt_vec3_lerp(start, gti_figure_reference(f, toes), 1.3f);
    }
    default:
        return gt_vec3_add(start, gt_vec3_scale(up, 0.13f * height));
    }
}

static void place_masses(GtiPathMaker* m)
{
    const GtFigure* f = m->figure;
    for (int i = 0; i < GTI_MASS_SEGMENT_COUNT; ++i) {
        const GtiMassSegment* segment = &gti_mass_segments[i];
        GtHumanoidJoint joint = (GtHumanoidJoint)mapped(f, segment->joint);
        GtHumanoidJoint end = (GtHumanoidJoint)mapped(f, segment->end);
        GtVec3 start = gti_figure_reference(f, joint);
        bool is_tip = segment->end == segment->joint && joint == segment->joint;
        GtVec3 stop = is_tip ? tip_of(f, joint) : gti_figure_reference(f, end);
        m->mass_nodes[i] = f->joints[joint];
        m->mass_offsets[i] = gti_figure_attach(f, f->joints[joint], gt_vec3_lerp(start, stop, (float)segment->along));
    }
}

static bool push_path(GtArena* arena, GtiPath* path)
{
    size_t count = (size_t)path->frame_count;
    GtVec3* marks = gt_arena_push_array(arena, GTI_SOLE_PART_COUNT * count, sizeof *marks);
    bool ok = marks != NULL;
    for (int p = 0; p < GTI_SOLE_PART_COUNT && ok; ++p) {
        path->marks[p] = marks + (size_t)p * count;
        path->slips[p] = gt_arena_push_array(arena, count, sizeof *path->slips[p]);
        ok = path->slips[p] != NULL;
    }
    for (int side = 0; side < GTI_SIDE_COUNT && ok; ++side) {
        path->soles[side] = gt_arena_push_array(arena, count, sizeof *path->soles[side]);
        path->knees[side] = gt_arena_push_array(arena, count, sizeof *path->knees[side]);
        ok = path->soles[side] && path->knees[side];
    }
    path->centers = gt_arena_push_array(arena, count, sizeof *path->centers);
    return ok && path->centers;
}

GtResult gti_path_begin(const GtContext* context, GtArena* arena, const GtFigure* figure, int32_t frame_count,
                        double step_s, GtiPathMaker* out, GtError* error)
{
    *out = (GtiPathMaker){ .figure = figure, .path = { .frame_count = frame_count, .step_s = step_s } };
    GtResult result = gti_tread_open(context, arena, figure, &out->sole, error);
    result = result == GT_OK ? gti_tread_trim(context, arena, &out->sole, error) : result;
    if (result != GT_OK) {
        return result;
    }
    out->before = gt_arena_push_array(arena, (size_t)out->sole.point_count, sizeof *out->before);
    out->midways = gt_arena_push_array(arena, (size_t)out->sole.point_count, sizeof *out->midways);
    if (!out->before || !out->midways || !push_path(arena, &out->path) ||
        !gti_footprints_begin(arena, &out->sole, frame_count, 0.0, step_s, &out->path.prints)) {
        return gti_out_of_memory(error);
    }
    out->path.size = gti_figure_size(figure);
    place_masses(out);
    return GT_OK;
}

void gti_path_end(GtiPathMaker* maker)
{
    gti_tread_close(&maker->sole);
}

static float knee_bend(const GtFigure* f, int side)
{
    GtVec3 hip = gti_figure_place(f, gti_joint_on(GT_HUMANOID_LEFT_UPPER_LEG, side));
    GtVec3 knee = gti_figure_place(f, gti_joint_on(GT_HUMANOID_LEFT_LOWER_LEG, side));
    GtVec3 ankle = gti_figure_place(f, gti_joint_on(GT_HUMANOID_LEFT_FOOT, side));
    GtVec3 thigh = gt_vec3_sub(knee, hip);
    GtVec3 shank = gt_vec3_sub(ankle, knee);
    return gti_angle_between(thigh, shank);
}

static GtVec3 center_of_mass(const GtiPathMaker* m)
{
    GtiVec sum = gti_vec(0.0, 0.0, 0.0);
    for (int i = 0; i < GTI_MASS_SEGMENT_COUNT; ++i) {
        GtVec3 point = gt_mat34_point(&m->figure->instance->model_from_node[m->mass_nodes[i]], m->mass_offsets[i]);
        sum = gti_vec_add_scaled(sum, gti_vec_from(point), gti_mass_segments[i].mass);
    }
    return gti_vec_to_float(sum);
}

static float ground_under(const GtiPathMaker* m, GtVec3 point)
{
    float height = 0.0f;
    if (m->ground) {
        gt_ground_at(m->ground, point.x, point.z, &height);
    }
    return height;
}

// The lowest point of each foot; and of each part the height of the one that is lowest midway between this frame and
// the one before.
static void find_lowest(GtiPathMaker* m, float lows[GTI_SIDE_COUNT], GtiSlip slips[GTI_SOLE_PART_COUNT])
{
    const GtiTread* sole = &m->sole;
    for (int32_t i = 0; i < sole->point_count; ++i) {
        int part = sole->parts[i];
        if (part == GT_NONE) {
            continue;
        }
        GtVec3 now = sole->points[i], before = m->before[i];
        float ground = ground_under(m, now), height = now.y - ground, midway = 0.5f * (before.y + now.y) - ground;
        float* low = &lows[part / 2];
        *low = height < *low ? height : *low; // fminf() is a call
        m->midways[i] = midway;
        slips[part].height = midway < slips[part].height ? midway : slips[part].height;
    }
}

// How far the point of contact went. Of a sole that lies flat, all points are as low as each other but for the grain of
// its skin; where it turns, it turns about the one that moves least.
static void follow_lowest(const GtiPathMaker* m, GtiSlip slips[GTI_SOLE_PART_COUNT])
{
    const GtiTread* sole = &m->sole;
    float least[GTI_SOLE_PART_COUNT] = { INFINITY, INFINITY, INFINITY, INFINITY };
    for (int32_t i = 0; i < sole->point_count; ++i) {
        int part = sole->parts[i];
        if (part != GT_NONE && m->midways[i] <= slips[part].height + (float)GT_CONTACT_FLAT_M) {
            float x = sole->points[i].x - m->before[i].x, z = sole->points[i].z - m->before[i].z;
            if (x * x + z * z < least[part]) {
                least[part] = x * x + z * z;
                slips[part].x = x;
                slips[part].z = z;
            }
        }
    }
}

void gti_path_add(GtiPathMaker* m, int32_t frame)
{
    GtiTread* sole = &m->sole;
    GtiPath* path = &m->path;
    float lows[GTI_SIDE_COUNT] = { INFINITY, INFINITY };
    GtiSlip slips[GTI_SOLE_PART_COUNT];
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        slips[p] = (GtiSlip){ 0.0f, 0.0f, INFINITY };
    }
    memcpy(m->before, sole->points, (size_t)sole->point_count * sizeof *m->before);
    gti_tread_update(sole, sole->points);
    find_lowest(m, lows, slips);
    follow_lowest(m, slips);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        path->soles[side][frame] = lows[side];
        path->knees[side][frame] = knee_bend(m->figure, side);
    }
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        path->marks[p][frame] = sole->points[sole->marks[p]];
        if (frame > 0) {
            path->slips[p][frame - 1] = slips[p];
        }
    }
    path->centers[frame] = center_of_mass(m);
    gti_footprints_add(&path->prints, sole->points,
                       gt_vec3_lerp(gti_figure_place(m->figure, GT_HUMANOID_LEFT_UPPER_LEG),
                                    gti_figure_place(m->figure, GT_HUMANOID_RIGHT_UPPER_LEG), 0.5f));
}
