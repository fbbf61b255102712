// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Each component is tied to the nearest of those larger than it, so that ties make a tree whose root is the largest.
// Nearest vertices are found in a tree of boxes over all vertices that also knows, for each box, the largest component
// in it: boxes without a larger one are passed over.

#include "harmonic/markers/islands.h"

#include "base/quat_double.h"
#include "geometry/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAF = 8,
    MAX_DEPTH = 64
};

// Number components in order of their first vertices; the number of them.
static int32_t label(const GtiLaplacian* graph, int32_t* labels, int32_t* stack)
{
    int32_t count = 0;
    for (int32_t v = 0; v < graph->vertex_count; ++v) {
        labels[v] = -1;
    }
    for (int32_t seed = 0; seed < graph->vertex_count; ++seed) {
        if (labels[seed] >= 0) {
            continue;
        }
        int32_t depth = 0;
        stack[depth++] = seed;
        labels[seed] = count;
        while (depth > 0) {
            int32_t v = stack[--depth];
            for (int32_t i = graph->starts[v]; i < graph->starts[v + 1]; ++i) {
                int32_t to = graph->neighbours[i];
                if (labels[to] < 0) {
                    labels[to] = count;
                    stack[depth++] = to;
                }
            }
        }
        ++count;
    }
    return count;
}

typedef struct Extent {
    double area;
    int32_t label;
} Extent;

static int compare_extents(const void* a, const void* b)
{
    const Extent* x = a;
    const Extent* y = b;
    if (x->area != y->area) {
        return x->area > y->area ? -1 : 1;
    }
    return (x->label > y->label) - (x->label < y->label);
}

static double triangle_area(const GtiTrimesh* mesh, int32_t t)
{
    const int32_t* c = mesh->triangles[t];
    GtVec3 u = gt_vec3_sub(mesh->positions[c[1]], mesh->positions[c[0]]);
    GtVec3 v = gt_vec3_sub(mesh->positions[c[2]], mesh->positions[c[0]]);
    GtVec3 n = gt_vec3_cross(u, v);
    return 0.5 * sqrt((double)n.x * (double)n.x + (double)n.y * (double)n.y + (double)n.z * (double)n.z);
}

// Labels become ranks by area.
static bool rank(const GtiTrimesh* mesh, int32_t count, int32_t* labels, GtArena* scratch)
{
    Extent* extents = gt_arena_push_array(scratch, (size_t)count, sizeof *extents);
    int32_t* ranks = gt_arena_push_array(scratch, (size_t)count, sizeof *ranks);
    if (!extents || !ranks) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        extents[i].label = i;
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        extents[labels[mesh->triangles[t][0]]].area += triangle_area(mesh, t);
    }
    qsort(extents, (size_t)count, sizeof *extents, compare_extents);
    for (int32_t i = 0; i < count; ++i) {
        ranks[extents[i].label] = i;
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        labels[v] = ranks[labels[v]];
    }
    return true;
}

// Vertices sorted so that each range is cut in its middle: a node is a range, known by its first vertex and its end.
typedef struct Grove {
    const GtVec3* positions;
    const int32_t* ranks;
    int32_t* vertices; // [count]
    int32_t* lowest;   // [count] at the middle of a range, the lowest rank in it
    uint8_t* axes;     // [count] at the middle of a range, how it is cut
    int32_t count;
} Grove;

typedef struct Range {
    int32_t first, end;
} Range;

static float coordinate(const Grove* grove, int32_t at, int axis)
{
    return gti_coordinate(grove->positions[grove->vertices[at]], axis);
}

static int widest_axis(const Grove* grove, Range range)
{
    int best = 0;
    float widest = -1.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float low = INFINITY;
        float high = -INFINITY;
        for (int32_t i = range.first; i < range.end; ++i) {
            low = fminf(low, coordinate(grove, i, axis));
            high = fmaxf(high, coordinate(grove, i, axis));
        }
        if (high - low > widest) {
            widest = high - low;
            best = axis;
        }
    }
    return best;
}

static void plant(Grove* grove)
{
    Range stack[MAX_DEPTH];
    int depth = 0;
    stack[depth++] = (Range){ 0, grove->count };
    while (depth > 0) {
        Range range = stack[--depth];
        if (range.end - range.first <= 0) {
            continue;
        }
        int32_t middle = range.first + (range.end - range.first) / 2;
        if (range.end - range.first > LEAF) {
            int axis = widest_axis(grove, range);
            gti_select_middle(grove->positions, grove->vertices, range.first, range.end, middle, axis);
            grove->axes[middle] = (uint8_t)axis;
            stack[depth++] = (Range){ range.first, middle };
            stack[depth++] = (Range){ middle + 1, range.end };
        }
        int32_t lowest = INT32_MAX;
        for (int32_t i = range.first; i < range.end; ++i) {
            int32_t r = grove->ranks[grove->vertices[i]];
            lowest = r < lowest ? r : lowest;
        }
        grove->lowest[middle] = lowest;
    }
}

static void try_vertex(const Grove* grove, int32_t vertex, int32_t at, GtiTie* tie)
{
    int32_t to = grove->vertices[at];
    if (grove->ranks[to] < grove->ranks[vertex]) {
        double d = gti_distance(grove->positions[vertex], grove->positions[to]);
        if (d < tie->length || (d == tie->length && tie->island == vertex && to < tie->shore)) {
            *tie = (GtiTie){ vertex, to, d };
        }
    }
}

// Shorten the tie of the vertex's component by the nearest vertex of a larger one.
static void shorten(const Grove* grove, int32_t vertex, GtiTie* tie)
{
    struct {
        Range range;
        double beyond; // the range is at least this far away
    } stack[MAX_DEPTH];
    int depth = 0;
    GtVec3 p = grove->positions[vertex];
    stack[depth].range = (Range){ 0, grove->count };
    stack[depth++].beyond = 0.0;
    while (depth > 0) {
        Range range = stack[--depth].range;
        double beyond = stack[depth].beyond;
        int32_t middle = range.first + (range.end - range.first) / 2;
        if (range.first >= range.end || beyond > tie->length || grove->lowest[middle] >= grove->ranks[vertex]) {
            continue;
        }
        if (range.end - range.first <= LEAF) {
            for (int32_t i = range.first; i < range.end; ++i) {
                try_vertex(grove, vertex, i, tie);
            }
            continue;
        }
        int axis = grove->axes[middle];
        double side = (double)gti_coordinate(p, axis) - (double)coordinate(grove, middle, axis);
        try_vertex(grove, vertex, middle, tie);
        Range below = { range.first, middle };
        Range above = { middle + 1, range.end };
        stack[depth].range = side < 0.0 ? above : below;
        stack[depth++].beyond = fmax(beyond, fabs(side));
        stack[depth].range = side < 0.0 ? below : above;
        stack[depth++].beyond = beyond;
    }
}

static bool find_ties(const GtiTrimesh* mesh, GtiIslands* islands, GtArena* scratch)
{
    size_t count = (size_t)mesh->vertex_count;
    Grove grove = {
        .positions = mesh->positions,
        .ranks = islands->components,
        .vertices = gt_arena_push(scratch, count * sizeof *grove.vertices),
        .lowest = gt_arena_push(scratch, count * sizeof *grove.lowest),
        .axes = gt_arena_push_array(scratch, count, 1),
        .count = mesh->vertex_count,
    };
    if (!grove.vertices || !grove.lowest || !grove.axes) {
        return false;
    }
    for (int32_t v = 0; v < grove.count; ++v) {
        grove.vertices[v] = v;
    }
    plant(&grove);
    for (int32_t i = 0; i + 1 < islands->component_count; ++i) {
        islands->ties[i] = (GtiTie){ GT_NONE, GT_NONE, INFINITY };
    }
    for (int32_t v = 0; v < grove.count; ++v) {
        if (islands->components[v] > 0) {
            shorten(&grove, v, &islands->ties[islands->components[v] - 1]);
        }
    }
    return true;
}

bool gti_islands_make(const GtiTrimesh* mesh, const GtiLaplacian* laplacian, GtArena* arena, GtiIslands* out)
{
    size_t count = (size_t)mesh->vertex_count;
    *out = (GtiIslands){ .components = gt_arena_push(arena, count * sizeof *out->components) };
    GtArena scratch = gt_arena_create(arena->allocator);
    int32_t* stack = gt_arena_push(&scratch, count * sizeof *stack);
    bool made = out->components && stack;
    if (made) {
        out->component_count = label(laplacian, out->components, stack);
        out->ties = gt_arena_push_array(arena, (size_t)out->component_count, sizeof *out->ties);
        made = out->ties && rank(mesh, out->component_count, out->components, &scratch) &&
               (out->component_count == 1 || find_ties(mesh, out, &scratch));
    }
    gt_arena_destroy(&scratch);
    return made;
}
