// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A way over spheres zigzags between their centers. It is cut into even steps, and then in turns smoothed and moved
// across its direction to where the distance to the surface grows, which ends on the medial surface.

#include "rig/medial/way.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

#define STEP           0.01f // in heights, between points
#define ROUND_COUNT    12
#define POINT_MOST     512
#define END_MOST       0.15f // in heights, beyond the last sphere
#define END_LEAST      0.05f
#define END_WIDTH      0.05f // in heights: how far from the line of the last bone its end may be
#define END_ASIDE      0.5f  // how much farther a point must be for being that much beside the line
#define END_POINT_MOST 60000 // of the body's points that are looked at for an end
#define BONE_LEAST     0.04f // in heights, to tell a direction from
#define LIMB_POINTS    12    // of the way that tell the direction and the radius of a limb
#define AROUND         5     // points, likewise, of one place
#define KNOB_POINTS    8     // of the way, by which a limb begins later than the trunk ends
#define LIMB_RADIUS    1.2f  // times that, at which the trunk begins
#define TRUNK_RADIUS   2.0f  // times where a way starts, at which it is in the trunk only later
#define THICK_RADIUS   1.5f  // times that, at which a limb is no longer thin
#define CENTER_STEP    0.5f  // in cells, a round

static GtVec3 across(GtVec3 v, GtVec3 direction)
{
    return gt_vec3_sub(v, gt_vec3_scale(direction, gt_vec3_dot(v, direction)));
}

// Towards the middle of the limb, across its direction.
static GtVec3 centered(const GtiSolid* solid, GtVec3 p, GtVec3 direction)
{
    GtVec3 inwards = gt_vec3_scale(across(gti_solid_gradient(solid, p), direction), -1.0f);
    GtVec3 moved = gt_vec3_add(p, gt_vec3_scale(inwards, CENTER_STEP * solid->cell));
    return gti_solid_distance(solid, moved) < gti_solid_distance(solid, p) ? moved : p;
}

static int32_t collect(const GtiSphereGraph* graph, int32_t from, int32_t to, GtVec3* out)
{
    const int16_t* befores = &graph->befores[(size_t)from * (size_t)graph->count];
    int32_t count = 0;
    for (int32_t i = to; i >= 0 && count < POINT_MOST; i = befores[i]) {
        out[count++] = graph->spheres[i].center;
    }
    for (int32_t i = 0; i < count / 2; ++i) {
        GtVec3 swap = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = swap;
    }
    return count;
}

static float measure(const GtVec3* points, int32_t count)
{
    float length = 0.0f;
    for (int32_t i = 1; i < count; ++i) {
        length += gt_vec3_length(gt_vec3_sub(points[i], points[i - 1]));
    }
    return length;
}

static void cut_evenly(const GtVec3* points, int32_t count, GtVec3* out, int32_t out_count)
{
    float step = measure(points, count) / (float)(out_count - 1);
    float passed = 0.0f;
    int32_t filled = 0;
    for (int32_t i = 1; i < count; ++i) {
        float length = gt_vec3_length(gt_vec3_sub(points[i], points[i - 1]));
        for (; filled < out_count - 1 && (float)filled * step < passed + length; ++filled) {
            out[filled] = gt_vec3_lerp(points[i - 1], points[i], ((float)filled * step - passed) / length);
        }
        passed += length;
    }
    for (; filled < out_count; ++filled) {
        out[filled] = points[count - 1];
    }
}

static void draw_to_middle(const GtiSolid* solid, GtVec3* points, int32_t count)
{
    for (int32_t round = 0; round < ROUND_COUNT; ++round) {
        GtVec3 before = points[0];
        for (int32_t i = 1; i + 1 < count; ++i) {
            GtVec3 p = points[i];
            GtVec3 direction = gt_vec3_normalize_or(gt_vec3_sub(points[i + 1], before), gt_vec3(0.0f, 0.0f, 0.0f));
            GtVec3 smooth = gt_vec3_lerp(p, gt_vec3_lerp(before, points[i + 1], 0.5f), 0.5f);
            before = p;
            points[i] = centered(solid, smooth, direction);
        }
    }
}

static bool store(const GtiSolid* solid, const GtVec3* rough, int32_t rough_count, GtArena* arena, GtiMedialWay* out)
{
    out->count = (int32_t)fminf(measure(rough, rough_count) / STEP + 2.0f, POINT_MOST);
    out->points = gt_arena_push_array(arena, (size_t)out->count, sizeof *out->points);
    out->radii = gt_arena_push_array(arena, (size_t)out->count, sizeof *out->radii);
    if (!out->points || !out->radii) {
        return false;
    }
    cut_evenly(rough, rough_count, out->points, out->count);
    draw_to_middle(solid, out->points, out->count);
    out->length = measure(out->points, out->count);
    for (int32_t i = 0; i < out->count; ++i) {
        out->radii[i] = fmaxf(-gti_solid_distance(solid, out->points[i]), 0.0f);
    }
    return true;
}

bool gti_medial_way_make(const GtiSolid* solid, const GtiSphereGraph* graph, int32_t from, int32_t to, GtArena* arena,
                         GtiMedialWay* out)
{
    GtVec3 rough[POINT_MOST];
    int32_t count = collect(graph, from, to, rough);
    out->tip = rough[count - 1];
    return store(solid, rough, count, arena, out);
}

bool gti_medial_way_reach(const GtiSolid* solid, const GtVec3* points, int32_t point_count, float bone, GtArena* arena,
                          GtiMedialWay* way)
{
    GtVec3 rough[POINT_MOST + 1];
    GtVec3 end = way->points[way->count - 1];
    GtVec3 before = gti_medial_way_from_end(way, fminf(fmaxf(bone, BONE_LEAST), way->length));
    GtVec3 direction = gt_vec3_normalize_or(gt_vec3_sub(end, before), gt_vec3(0.0f, 1.0f, 0.0f));
    float width = fmaxf(way->radii[way->count - 1] * 1.5f, END_WIDTH);
    float end_most = fminf(fmaxf(1.2f * bone, END_LEAST), END_MOST); // what is farther is another limb's
    float best = 0.0f;
    float reach = 0.0f;
    way->tip = end;
    int32_t stride = 1 + point_count / END_POINT_MOST;
    for (int32_t i = 0; i < point_count; i += stride) {
        GtVec3 off = gt_vec3_sub(points[i], end);
        float along = gt_vec3_dot(off, direction);
        float aside = gt_vec3_length(across(off, direction));
        if (!(along < end_most && aside < width)) {
            continue;
        }
        reach = fmaxf(reach, along);
        if (along - END_ASIDE * aside > best) {
            best = along - END_ASIDE * aside;
            way->tip = points[i];
        }
    }
    for (int32_t i = 0; i < way->count; ++i) {
        rough[i] = way->points[i];
    }
    rough[way->count] = gt_vec3_add(end, gt_vec3_scale(direction, reach));
    return store(solid, rough, way->count + 1, arena, way);
}

static float median_radius(const GtiMedialWay* way, int32_t from, int32_t count)
{
    float radii[LIMB_POINTS];
    int32_t used = 0;
    for (int32_t i = from < 0 ? 0 : from; i < way->count && used < count; ++i) {
        radii[used++] = way->radii[i];
    }
    gti_sort_floats(radii, used);
    return radii[used / 2];
}

// Without the pinches and knobs of single points.
static float radius_around(const GtiMedialWay* way, int32_t i)
{
    return median_radius(way, i - AROUND / 2, AROUND);
}

// Where the way is in the thick of the trunk: at its start, unless it comes by a much thicker place in its first half,
// as from a neck.
static int32_t thickest(const GtiMedialWay* way)
{
    int32_t best = 0;
    for (int32_t i = 1; i < way->count / 2; ++i) {
        best = way->radii[i] > way->radii[best] ? i : best;
    }
    return way->radii[best] > TRUNK_RADIUS * way->radii[0] ? best : 0;
}

// The thin part that a limb begins with, `first` or a little later: there may be a knob.
static void find_rod(GtiMedialWay* way, int32_t first, float trunk)
{
    int32_t thinnest = first;
    float radius = median_radius(way, first, LIMB_POINTS);
    for (int32_t i = first + 1; i <= first + KNOB_POINTS && i + LIMB_POINTS < way->count; ++i) {
        if (median_radius(way, i, LIMB_POINTS) < radius) {
            thinnest = i;
            radius = median_radius(way, i, LIMB_POINTS);
        }
    }
    int32_t start = thinnest;
    while (start > 0 && radius_around(way, start - 1) < THICK_RADIUS * radius) {
        --start;
    }
    int32_t end = thinnest;
    while (end < way->count && radius_around(way, end) < THICK_RADIUS * radius) {
        ++end;
    }
    way->contrast = trunk / fmaxf(radius, 1e-6f);
    way->outside = measure(&way->points[start], way->count - start);
    way->thick = end < way->count ? measure(&way->points[end], way->count - end) : 0.0f;
}

void gti_medial_way_straighten(GtiMedialWay* way)
{
    int32_t trunk = thickest(way);
    float radius = way->radii[trunk];
    int32_t first = trunk;
    while (first < way->count && gt_vec3_length(gt_vec3_sub(way->points[first], way->points[trunk])) < 0.8f * radius) {
        ++first;
    }
    while (first < way->count && radius_around(way, first) > LIMB_RADIUS * median_radius(way, first, LIMB_POINTS)) {
        ++first;
    }
    if (first + LIMB_POINTS >= way->count) {
        return;
    }
    GtVec3 start = way->points[first];
    GtVec3 step = gt_vec3_scale(gt_vec3_sub(way->points[first + LIMB_POINTS - 1], start), 1.0f / (LIMB_POINTS - 1));
    for (int32_t i = 0; i < first; ++i) {
        way->points[i] = gt_vec3_sub(start, gt_vec3_scale(step, (float)(first - i)));
    }
    way->length = measure(way->points, way->count);
    find_rod(way, first, radius);
}

bool gti_medial_way_lengthen(float by, GtArena* arena, GtiMedialWay* way)
{
    size_t count = (size_t)way->count;
    GtVec3* points = gt_arena_push_array(arena, count + 1, sizeof *points);
    float* radii = gt_arena_push_array(arena, count + 1, sizeof *radii);
    if (!points || !radii) {
        return false;
    }
    memcpy(points, way->points, count * sizeof *points);
    memcpy(radii, way->radii, count * sizeof *radii);
    GtVec3 end = points[count - 1];
    GtVec3 along = gt_vec3_sub(end, gti_medial_way_from_end(way, BONE_LEAST));
    points[count] = gt_vec3_add(end, gt_vec3_scale(gt_vec3_normalize_or(along, gt_vec3(0.0f, 0.0f, 0.0f)), by));
    way->points = points;
    way->radii = radii;
    ++way->count;
    way->length += by;
    way->outside += by;
    way->thick += way->thick > 0.0f ? by : 0.0f;
    return true;
}

GtVec3 gti_medial_way_from_end(const GtiMedialWay* way, float length)
{
    float passed = 0.0f;
    for (int32_t i = way->count - 1; i > 0; --i) {
        GtVec3 step = gt_vec3_sub(way->points[i - 1], way->points[i]);
        float step_length = gt_vec3_length(step);
        if (step_length > 0.0f && (length < passed + step_length || i == 1)) {
            return gt_vec3_add(way->points[i], gt_vec3_scale(step, (length - passed) / step_length));
        }
        passed += step_length;
    }
    return way->points[0];
}
