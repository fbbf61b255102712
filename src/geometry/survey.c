// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The topology of a triangle soup in linear time. Half-edges (3 * triangle + side) are sorted by the larger and then by
// the smaller of their vertices with counting sorts, so that all of an edge lie together. Union-find over triangles
// gives the components, over corners the fans around vertices, over vertices the chains of boundary edges.

#include "gertie/surface.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "base/memory.h"
#include "base/quat_double.h"
#include "base/union_find.h"

#include <math.h>

typedef struct Survey {
    const GtSurface* surface;
    GtSurfaceReport* out;
    int64_t half_count;
    int32_t* halves;    // [half_count] sorted by edges
    int32_t* triangles; // [triangle_count] disjoint sets
    int32_t* corners;   // [half_count] disjoint sets
    int32_t* vertices;  // [vertex_count] disjoint sets of the ends of boundary edges
    uint8_t* marks;     // [vertex_count]
} Survey;

enum {
    MARK_USED = 1,
    MARK_FAN = 2,     // a fan has been seen
    MARK_PINCHED = 4, // a second one, too
    MARK_HOLE = 8     // a root of a chain that has been counted
};

static int32_t next_half(int32_t half)
{
    return half % 3 == 2 ? half - 2 : half + 1;
}

static uint32_t low_end(const Survey* survey, int32_t half)
{
    uint32_t a = survey->surface->indices[half];
    uint32_t b = survey->surface->indices[next_half(half)];
    return a < b ? a : b;
}

static uint32_t high_end(const Survey* survey, int32_t half)
{
    uint32_t a = survey->surface->indices[half];
    uint32_t b = survey->surface->indices[next_half(half)];
    return a > b ? a : b;
}

static void sort(const Survey* survey, const int32_t* in, int32_t* out, int64_t count, int32_t* starts,
                 uint32_t (*key)(const Survey*, int32_t))
{
    int32_t vertex_count = survey->surface->vertex_count;
    for (int32_t i = 0; i < vertex_count; ++i) {
        starts[i] = 0;
    }
    for (int64_t i = 0; i < count; ++i) {
        ++starts[key(survey, in[i])];
    }
    for (int32_t i = 0, sum = 0; i < vertex_count; ++i) {
        int32_t here = starts[i];
        starts[i] = sum;
        sum += here;
    }
    for (int64_t i = 0; i < count; ++i) {
        out[starts[key(survey, in[i])]++] = in[i];
    }
}

static bool is_degenerate(const uint32_t* t)
{
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

// List the half-edges of all triangles that have three, and sort them by edges; `spare` is scratch.
static void sort_halves(Survey* survey, int32_t* spare)
{
    const GtSurface* s = survey->surface;
    int64_t count = 0;
    for (int64_t t = 0; t < s->triangle_count; ++t) {
        if (is_degenerate(s->indices + 3 * t)) {
            ++survey->out->degenerate_count;
            continue;
        }
        for (int32_t k = 0; k < 3; ++k) {
            survey->halves[count++] = (int32_t)(3 * t) + k;
        }
    }
    survey->half_count = count;
    sort(survey, survey->halves, spare, count, survey->vertices, high_end);
    sort(survey, spare, survey->halves, count, survey->vertices, low_end);
}

static void join_halves(Survey* survey, int32_t a, int32_t b)
{
    const uint32_t* indices = survey->surface->indices;
    gti_sets_join(survey->triangles, a / 3, b / 3);
    bool same_way = indices[a] == indices[b];
    gti_sets_join(survey->corners, a, same_way ? b : next_half(b));
    gti_sets_join(survey->corners, next_half(a), same_way ? next_half(b) : b);
}

// Look at the half-edges [first, end) of one edge.
static void look_at_edge(Survey* survey, int64_t first, int64_t end)
{
    GtSurfaceReport* out = survey->out;
    const uint32_t* indices = survey->surface->indices;
    const int32_t* halves = survey->halves;
    ++out->edge_count;
    if (end - first == 1) {
        ++out->boundary_edge_count;
        gti_sets_join(survey->vertices, (int32_t)indices[halves[first]], (int32_t)indices[next_half(halves[first])]);
    }
    out->crowded_edge_count += end - first > 2;
    out->flipped_edge_count += end - first == 2 && indices[halves[first]] == indices[halves[first + 1]];
    for (int64_t i = first + 1; i < end; ++i) {
        join_halves(survey, halves[first], halves[i]);
    }
}

static void look_at_edges(Survey* survey)
{
    gti_sets_start(survey->vertices, survey->surface->vertex_count);
    for (int64_t first = 0, end = 0; first < survey->half_count; first = end) {
        int32_t half = survey->halves[first];
        for (end = first + 1; end < survey->half_count; ++end) {
            int32_t other = survey->halves[end];
            if (low_end(survey, other) != low_end(survey, half) || high_end(survey, other) != high_end(survey, half)) {
                break;
            }
        }
        look_at_edge(survey, first, end);
    }
}

static void count_roots(Survey* survey)
{
    const GtSurface* s = survey->surface;
    GtSurfaceReport* out = survey->out;
    for (int64_t i = 0; i < survey->half_count; ++i) {
        int32_t half = survey->halves[i];
        uint8_t* mark = &survey->marks[s->indices[half]];
        *mark |= MARK_USED;
        out->component_count += half % 3 == 0 && gti_sets_root(survey->triangles, half / 3) == half / 3;
        if (gti_sets_root(survey->corners, half) == half) {
            *mark |= *mark & MARK_FAN ? MARK_PINCHED : MARK_FAN;
        }
    }
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        int32_t root = gti_sets_root(survey->vertices, i);
        if (root != i && !(survey->marks[root] & MARK_HOLE)) {
            survey->marks[root] |= MARK_HOLE;
            ++out->hole_count;
        }
    }
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        out->unused_vertex_count += !(survey->marks[i] & MARK_USED);
        out->pinched_vertex_count += (survey->marks[i] & MARK_PINCHED) != 0;
    }
}

static void measure(const GtSurface* s, const uint8_t* marks, GtSurfaceReport* out)
{
    GtVec3 base = { 0.0f, 0.0f, 0.0f };
    GtBounds bounds = gti_bounds_empty();
    bool any = false;
    for (int32_t i = 0; i < s->vertex_count; ++i) {
        GtVec3 p = s->positions[i];
        if (!(marks[i] & MARK_USED)) {
            continue;
        }
        base = any ? base : p;
        any = true;
        gti_bounds_add(&bounds, p);
    }
    if (any) {
        out->min = bounds.low;
        out->max = bounds.high;
    }
    for (int64_t t = 0; t < s->triangle_count; ++t) {
        GtiVec c[3];
        for (int i = 0; i < 3; ++i) { // near 0, where the sum loses least
            c[i] = gti_vec_between(base, s->positions[s->indices[3 * t + i]]);
        }
        GtiVec n = gti_vec_cross(gti_vec_sub(c[1], c[0]), gti_vec_sub(c[2], c[0]));
        out->area += 0.5 * gti_vec_length(n);
        out->volume += gti_vec_dot(c[0], n) / 6.0;
    }
}

GtResult gt_surface_survey(const GtContext* context, const GtSurface* surface, GtSurfaceReport* out, GtError* error)
{
    *out = (GtSurfaceReport){ 0 };
    if (surface->triangle_count > INT32_MAX / 3) {
        return gti_fail(error, GT_ERROR_LIMIT, "%lld triangles; the limit is %d", (long long)surface->triangle_count,
                        INT32_MAX / 3);
    }
    GtArena arena = gt_arena_create(context->allocator);
    size_t half_count = 3 * (size_t)surface->triangle_count;
    Survey survey = { .surface = surface, .out = out };
    survey.halves = gt_arena_push(&arena, (half_count + 1) * sizeof *survey.halves);
    survey.corners = gt_arena_push(&arena, (half_count + 1) * sizeof *survey.corners);
    survey.triangles = gt_arena_push(&arena, ((size_t)surface->triangle_count + 1) * sizeof *survey.triangles);
    survey.vertices = gt_arena_push(&arena, ((size_t)surface->vertex_count + 1) * sizeof *survey.vertices);
    survey.marks = gt_arena_push_array(&arena, (size_t)surface->vertex_count + 1, 1);
    GtResult result = gti_progress(context, error, "looking at the surface", 0.0);
    if (!survey.halves || !survey.corners || !survey.triangles || !survey.vertices || !survey.marks) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        sort_halves(&survey, survey.corners);
        gti_sets_start(survey.corners, (int32_t)half_count);
        gti_sets_start(survey.triangles, (int32_t)surface->triangle_count);
        look_at_edges(&survey);
        count_roots(&survey);
        measure(surface, survey.marks, out);
        out->is_closed = out->edge_count > 0 && out->boundary_edge_count == 0;
        out->is_manifold = out->crowded_edge_count == 0 && out->pinched_vertex_count == 0;
        out->is_oriented = out->flipped_edge_count == 0;
    }
    gt_arena_destroy(&arena);
    return result;
}
