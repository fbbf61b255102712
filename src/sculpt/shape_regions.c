// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Regions of a face from its shapes, after P. Joshi, W. C. Tien, M. Desbrun, F. Pighin, "Learning controls for blend
// shape based realistic facial animation" (2003). The measure of a displacement d is the length of mu Lap(d), the part
// of the force of a linear elastic sheet that asks nothing of its thickness; each shape counts alike, whatever its
// size.
//
// What is connected above a threshold are seeds; the number of them that lasts over the widest range of thresholds is
// what the face is made of. Each seed grows over what is nearest to it along the surface. Small regions join, one by
// one, the neighbour that they share the longest border with. Weights are the regions' indicators after steps of
// diffusion, which keeps their sum.

#include "gertie/shape_regions.h"

#include "gertie/accessor.h"
#include "gertie/surface.h"

#include "base/fail.h"
#include "geometry/laplacian.h"
#include "sculpt/shape_mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    THRESHOLDS = 64, // that are tried, evenly over the points
    SMOOTHING = 6,   // steps over the measure: meshes are uneven
    MOST_DIFFUSION = 400,
    MOST_LOOSE = 256, // pieces that are looked at; the rest go with the first region
    too_small = -2
};

// Of what a region has at least, what a basin has to have when it meets another one.
static const double seed_share = 0.2;
static const double slack = 1e-5;

typedef struct Ranked {
    float distance;
    int32_t point;
} Ranked;

typedef struct Finder {
    const GtContext* context;
    const GtShapeRegionsDef* def;
    GtArena scratch;
    GtiShapeMesh surface;
    int32_t* points;   // [vertex_count] the point of each vertex
    int32_t* vertices; // [point_count] the first vertex of each point
    int32_t point_count;
    GtiTrimesh mesh;
    GtiLaplacian laplacian;
    float* measure;   // [point_count]
    float* moves;     // [point_count] the longest way in any shape
    int32_t* regions; // [point_count] or GT_NONE
    int32_t* queue;   // [point_count]
    double* areas;    // [GT_SHAPE_MAX_REGIONS + point_count] of regions
    int32_t region_count;
    bool* loose; // [point_count] of a piece that is too small for regions of its own
    float threshold;
    GtError* error;
} Finder;

GtShapeRegionsDef gt_default_shape_regions_def(void)
{
    return (GtShapeRegionsDef){ .min_share = 0.02f, .border = 0.04f, .max_count = 12 };
}

// One topology for vertices that seams split; triangles without area are left out.
static GtResult weld(Finder* f)
{
    size_t count = (size_t)f->surface.vertex_count;
    f->points = gt_arena_push_array(&f->scratch, count, sizeof *f->points);
    f->vertices = gt_arena_push_array(&f->scratch, count, sizeof *f->vertices);
    if (!f->points || !f->vertices) {
        return gti_out_of_memory(f->error);
    }
    GtResult result = gt_weld_vertices(f->context, f->surface.positions, f->surface.vertex_count, 0.0f, f->points,
                                       f->vertices, &f->point_count, f->error);
    if (result != GT_OK) {
        return result;
    }
    size_t point_count = (size_t)f->point_count;
    f->mesh.positions = gt_arena_push_array(&f->scratch, point_count, sizeof *f->mesh.positions);
    f->mesh.triangles = gt_arena_push_array(&f->scratch, (size_t)f->surface.index_count / 3, sizeof *f->mesh.triangles);
    if (!f->mesh.positions || !f->mesh.triangles) {
        return gti_out_of_memory(f->error);
    }
    f->mesh.vertex_count = f->point_count;
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->mesh.positions[i] = f->surface.positions[f->vertices[i]];
    }
    for (int32_t t = 0; t + 2 < f->surface.index_count; t += 3) {
        int32_t a = f->points[f->surface.indices[t]];
        int32_t b = f->points[f->surface.indices[t + 1]];
        int32_t c = f->points[f->surface.indices[t + 2]];
        if (a != b && b != c && c != a) {
            int32_t* to = f->mesh.triangles[f->mesh.triangle_count++];
            to[0] = a;
            to[1] = b;
            to[2] = c;
        }
    }
    return gti_laplacian_make(&f->mesh, slack, &f->scratch, &f->laplacian) ? GT_OK : gti_out_of_memory(f->error);
}

GtResult gti_shape_read(const GtScene* scene, const GtiShapeMesh* surface, int32_t target, const char* name,
                        GtVec3* out)
{
    memset(out, 0, (size_t)surface->vertex_count * sizeof *out);
    bool any = false;
    for (int32_t p = 0; p < surface->mesh->primitive_count; ++p) {
        int32_t accessor = gt_morph_target_find(&surface->mesh->primitives[p].targets[target], name);
        uint64_t count = (uint64_t)(surface->firsts[p + 1] - surface->firsts[p]);
        if (accessor != GT_NONE && count > 0) {
            gt_accessor_read_floats(scene, accessor, 0, count, (float*)(out + surface->firsts[p]));
            any = true;
        }
    }
    return any ? GT_OK : GT_ERROR_NOT_FOUND;
}

// Add what one shape asks of each point, by its own largest displacement.
static void add_measure(Finder* f, const GtVec3* shape)
{
    const GtiLaplacian* l = &f->laplacian;
    float longest = 0.0f;
    for (int32_t i = 0; i < f->point_count; ++i) {
        float length = gt_vec3_length(shape[f->vertices[i]]);
        longest = fmaxf(longest, length);
        f->moves[i] = fmaxf(f->moves[i], length);
    }
    for (int32_t i = 0; i < f->point_count && longest > 0.0f; ++i) {
        GtVec3 own = shape[f->vertices[i]];
        double sum[3] = { 0.0, 0.0, 0.0 };
        for (int32_t n = l->starts[i]; n < l->starts[i + 1]; ++n) {
            GtVec3 other = shape[f->vertices[l->neighbours[n]]];
            double w = fmax(l->weights[n], 0.0);
            sum[0] += w * (double)(other.x - own.x);
            sum[1] += w * (double)(other.y - own.y);
            sum[2] += w * (double)(other.z - own.z);
        }
        double force = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        f->measure[i] += l->areas[i] > 0.0 ? (float)(force / l->areas[i]) / longest : 0.0f;
    }
}

// values <- the mean of each point and its neighbours, half and half
static void smooth(const Finder* f, float* values, float* room)
{
    const GtiLaplacian* l = &f->laplacian;
    for (int32_t i = 0; i < f->point_count; ++i) {
        int32_t count = l->starts[i + 1] - l->starts[i];
        float sum = 0.0f;
        for (int32_t n = l->starts[i]; n < l->starts[i + 1]; ++n) {
            sum += values[l->neighbours[n]];
        }
        room[i] = count > 0 ? 0.5f * (values[i] + sum / (float)count) : values[i];
    }
    memcpy(values, room, (size_t)f->point_count * sizeof *values);
}

static GtResult measure(Finder* f, const GtScene* scene)
{
    size_t count = (size_t)f->point_count;
    GtVec3* shape = gt_arena_push_array(&f->scratch, (size_t)f->surface.vertex_count, sizeof *shape);
    float* room = gt_arena_push_array(&f->scratch, count, sizeof *room);
    f->measure = gt_arena_push_array(&f->scratch, count, sizeof *f->measure);
    f->moves = gt_arena_push_array(&f->scratch, count, sizeof *f->moves);
    if (!shape || !room || !f->measure || !f->moves) {
        return gti_out_of_memory(f->error);
    }
    for (int32_t t = 0; t < f->surface.mesh->target_count; ++t) {
        if (gti_shape_read(scene, &f->surface, t, "POSITION", shape) == GT_OK) {
            add_measure(f, shape);
        }
    }
    for (int s = 0; s < SMOOTHING; ++s) {
        smooth(f, f->measure, room);
    }
    float largest = 0.0f;
    for (size_t i = 0; i < count; ++i) {
        largest = fmaxf(largest, f->measure[i]);
    }
    for (size_t i = 0; i < count && largest > 0.0f; ++i) {
        f->measure[i] /= largest;
    }
    return largest > 0.0f ? GT_OK
                          : gti_fail(f->error, GT_ERROR_NOT_FOUND, "the mesh has no shapes that bend its surface");
}

static int compare_floats(const void* a, const void* b)
{
    float x = *(const float*)a;
    float y = *(const float*)b;
    return (x > y) - (x < y);
}

static double total_area(const Finder* f)
{
    double sum = 0.0;
    for (int32_t i = 0; i < f->point_count; ++i) {
        sum += f->moves[i] > 0.0f ? f->laplacian.areas[i] : 0.0;
    }
    return sum;
}

// Which connected piece each point is in; the area that moves of each in f->areas.
static int32_t find_pieces(Finder* f, int32_t* pieces)
{
    const GtiLaplacian* l = &f->laplacian;
    int32_t count = 0;
    for (int32_t i = 0; i < f->point_count; ++i) {
        pieces[i] = GT_NONE;
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        if (pieces[i] != GT_NONE) {
            continue;
        }
        int32_t size = 0;
        f->areas[count] = 0.0;
        f->queue[size++] = i;
        pieces[i] = count;
        for (int32_t q = 0; q < size; ++q) {
            int32_t at = f->queue[q];
            f->areas[count] += f->moves[at] > 0.0f ? l->areas[at] : 0.0;
            for (int32_t n = l->starts[at]; n < l->starts[at + 1]; ++n) {
                if (pieces[l->neighbours[n]] == GT_NONE) {
                    pieces[l->neighbours[n]] = count;
                    f->queue[size++] = l->neighbours[n];
                }
            }
        }
        ++count;
    }
    return count;
}

// Points of the largest piece and of those of at least half its size are looked at; others are adopted later.
static GtResult open_regions(Finder* f)
{
    size_t count = (size_t)f->point_count;
    f->regions = gt_arena_push_array(&f->scratch, count, sizeof *f->regions);
    f->queue = gt_arena_push_array(&f->scratch, count, sizeof *f->queue);
    f->areas = gt_arena_push_array(&f->scratch, count, sizeof *f->areas);
    f->loose = gt_arena_push_array(&f->scratch, count, sizeof *f->loose);
    if (!f->regions || !f->queue || !f->areas || !f->loose) {
        return gti_out_of_memory(f->error);
    }
    double largest = 0.0;
    int32_t piece_count = find_pieces(f, f->regions);
    for (int32_t p = 0; p < piece_count; ++p) {
        largest = fmax(largest, f->areas[p]);
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->loose[i] = f->areas[f->regions[i]] < 0.5 * largest;
    }
    return GT_OK;
}

static bool is_seed(const Finder* f, int32_t point, float threshold)
{
    return f->measure[point] > threshold && !f->loose[point];
}

// Number what is connected above a threshold and has at least some area; the rest has no region.
static int32_t find_seeds(Finder* f, float threshold, double least)
{
    const GtiLaplacian* l = &f->laplacian;
    int32_t count = 0;
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->regions[i] = GT_NONE;
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        if (f->regions[i] != GT_NONE || !is_seed(f, i, threshold)) {
            continue;
        }
        int32_t size = 0;
        double area = 0.0;
        f->queue[size++] = i;
        f->regions[i] = count;
        for (int32_t q = 0; q < size; ++q) {
            int32_t at = f->queue[q];
            area += l->areas[at];
            for (int32_t n = l->starts[at]; n < l->starts[at + 1]; ++n) {
                int32_t next = l->neighbours[n];
                if (f->regions[next] == GT_NONE && is_seed(f, next, threshold)) {
                    f->regions[next] = count;
                    f->queue[size++] = next;
                }
            }
        }
        count += area >= least;
        for (int32_t q = 0; q < size && area < least; ++q) {
            f->regions[f->queue[q]] = too_small;
        }
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->regions[i] = f->regions[i] == too_small ? GT_NONE : f->regions[i];
    }
    return count;
}

// Which of the thresholds, evenly over the points, to take: the middle of the longest row of those that give the same
// number of seeds, two or more.
static size_t find_plateau(Finder* f, const float* sorted, double least)
{
    size_t best = 0;
    size_t longest = 0;
    size_t start = 0;
    int32_t last = 0;
    for (size_t t = 0; t <= THRESHOLDS; ++t) {
        size_t at = t * (size_t)f->point_count / THRESHOLDS;
        int32_t found = t < THRESHOLDS ? find_seeds(f, sorted[at], least) : 0;
        if (found != last && last > 1 && t - start > longest) {
            longest = t - start;
            best = (start + t - 1) / 2;
        }
        start = found != last ? t : start;
        last = found;
    }
    return best * (size_t)f->point_count / THRESHOLDS;
}

static GtResult choose_seeds(Finder* f)
{
    size_t count = (size_t)f->point_count;
    float* sorted = gt_arena_push_array(&f->scratch, count, sizeof *sorted);
    if (!sorted) {
        return gti_out_of_memory(f->error);
    }
    memcpy(sorted, f->measure, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_floats);
    double least = seed_share * (double)f->def->min_share * total_area(f);
    f->threshold = f->def->threshold > 0.0f ? f->def->threshold : sorted[find_plateau(f, sorted, least)];
    f->region_count = find_seeds(f, f->threshold, least);
    f->region_count = f->region_count > 0 ? f->region_count : find_seeds(f, 0.0f, 0.0);
    return f->region_count > 0 ? GT_OK
                               : gti_fail(f->error, GT_ERROR_NOT_FOUND, "no surface is strained above the threshold");
}

// A heap with the nearest point on top.
static void heap_push(Ranked* heap, int32_t* size, Ranked item)
{
    int32_t at = (*size)++;
    while (at > 0 && heap[(at - 1) / 2].distance > item.distance) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static Ranked heap_pop(Ranked* heap, int32_t* size)
{
    Ranked top = heap[0];
    Ranked last = heap[--*size];
    int32_t at = 0;
    for (int32_t child = 1; child < *size; child = 2 * at + 1) {
        child += child + 1 < *size && heap[child + 1].distance < heap[child].distance;
        if (heap[child].distance >= last.distance) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

// Every point goes to the region that is nearest along the edges.
static GtResult grow(Finder* f)
{
    const GtiLaplacian* l = &f->laplacian;
    int32_t size = 0;
    size_t room = (size_t)f->point_count + (size_t)l->starts[f->point_count];
    Ranked* heap = gt_arena_push_array(&f->scratch, room, sizeof *heap);
    float* distances = gt_arena_push_array(&f->scratch, (size_t)f->point_count, sizeof *distances);
    if (!heap || !distances) {
        return gti_out_of_memory(f->error);
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        distances[i] = f->regions[i] == GT_NONE ? INFINITY : 0.0f;
        if (f->regions[i] != GT_NONE) {
            heap_push(heap, &size, (Ranked){ 0.0f, i });
        }
    }
    while (size > 0) {
        Ranked at = heap_pop(heap, &size);
        for (int32_t n = l->starts[at.point]; n < l->starts[at.point + 1] && at.distance <= distances[at.point]; ++n) {
            int32_t next = l->neighbours[n];
            GtVec3 way = gt_vec3_sub(f->mesh.positions[next], f->mesh.positions[at.point]);
            float distance = at.distance + gt_vec3_length(way);
            if (distance < distances[next]) {
                distances[next] = distance;
                f->regions[next] = f->regions[at.point];
                heap_push(heap, &size, (Ranked){ distance, next });
            }
        }
    }
    return GT_OK;
}

// Loose pieces that hold no seed, such as eyeballs and teeth, go with the region that is nearest to their first point.
static void adopt(Finder* f)
{
    const GtiLaplacian* l = &f->laplacian;
    for (int32_t i = 0, looks = 0; i < f->point_count; ++i) {
        if (f->regions[i] != GT_NONE) {
            continue;
        }
        float nearest = INFINITY;
        int32_t region = 0;
        for (int32_t j = 0; j < f->point_count && looks < MOST_LOOSE; ++j) {
            GtVec3 way = gt_vec3_sub(f->mesh.positions[i], f->mesh.positions[j]);
            float distance = gt_vec3_dot(way, way);
            if (f->regions[j] != GT_NONE && distance < nearest) {
                nearest = distance;
                region = f->regions[j];
            }
        }
        ++looks;
        int32_t size = 0;
        f->queue[size++] = i;
        f->regions[i] = region;
        for (int32_t q = 0; q < size; ++q) {
            for (int32_t n = l->starts[f->queue[q]]; n < l->starts[f->queue[q] + 1]; ++n) {
                int32_t next = l->neighbours[n];
                if (f->regions[next] == GT_NONE) {
                    f->regions[next] = region;
                    f->queue[size++] = next;
                }
            }
        }
    }
}

static void count_areas(Finder* f)
{
    memset(f->areas, 0, (size_t)f->region_count * sizeof *f->areas);
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->areas[f->regions[i]] += f->moves[i] > 0.0f ? f->laplacian.areas[i] : 0.0;
    }
}

// The region that `region` has the most edges with, or GT_NONE where it stands alone.
static int32_t find_neighbour(const Finder* f, int32_t region, int32_t* edges)
{
    const GtiLaplacian* l = &f->laplacian;
    int32_t best = GT_NONE;
    memset(edges, 0, (size_t)f->region_count * sizeof *edges);
    for (int32_t i = 0; i < f->point_count; ++i) {
        for (int32_t n = l->starts[i]; f->regions[i] == region && n < l->starts[i + 1]; ++n) {
            edges[f->regions[l->neighbours[n]]] += 1;
        }
    }
    for (int32_t r = 0; r < f->region_count; ++r) {
        if (r != region && edges[r] > 0 && (best == GT_NONE || edges[r] > edges[best])) {
            best = r;
        }
    }
    return best;
}

// Slowly: the smallest first, one at a time, as what it joins may be large enough then.
static void merge(Finder* f)
{
    count_areas(f);
    double least = (double)f->def->min_share * total_area(f);
    while (f->region_count > 1) {
        int32_t smallest = 0;
        for (int32_t r = 1; r < f->region_count; ++r) {
            smallest = f->areas[r] < f->areas[smallest] ? r : smallest;
        }
        if (f->areas[smallest] >= least && f->region_count <= f->def->max_count) {
            return;
        }
        int32_t into = find_neighbour(f, smallest, f->queue);
        into = into != GT_NONE ? into : smallest == 0 ? 1 : 0;
        int32_t last = --f->region_count;
        for (int32_t i = 0; i < f->point_count; ++i) {
            f->regions[i] = f->regions[i] == smallest ? into : f->regions[i];
            f->regions[i] = f->regions[i] == last ? smallest : f->regions[i];
        }
        f->areas[into] += f->areas[smallest];
        f->areas[smallest] = f->areas[last];
    }
}

// From the top down, by the middle of what moves.
static void number(Finder* f, const GtMat34* world)
{
    double heights[GT_SHAPE_MAX_REGIONS] = { 0 };
    int32_t ranks[GT_SHAPE_MAX_REGIONS] = { 0 };
    for (int32_t i = 0; i < f->point_count; ++i) {
        double area = f->moves[i] > 0.0f ? f->laplacian.areas[i] : 0.0;
        heights[f->regions[i]] +=
            area * (double)gt_mat34_point(world, f->mesh.positions[i]).y / fmax(f->areas[f->regions[i]], 1e-30);
    }
    for (int32_t r = 0; r < f->region_count; ++r) {
        for (int32_t s = 0; s < f->region_count; ++s) {
            ranks[r] += heights[s] > heights[r] || (heights[s] == heights[r] && s < r);
        }
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->regions[i] = ranks[f->regions[i]];
    }
    count_areas(f);
}

static float mean_edge(const Finder* f)
{
    const GtiLaplacian* l = &f->laplacian;
    double sum = 0.0;
    for (int32_t i = 0; i < f->point_count; ++i) {
        for (int32_t n = l->starts[i]; n < l->starts[i + 1]; ++n) {
            sum += (double)gt_vec3_length(gt_vec3_sub(f->mesh.positions[i], f->mesh.positions[l->neighbours[n]]));
        }
    }
    int32_t count = l->starts[f->point_count];
    return count > 0 ? (float)(sum / (double)count) : 1.0f;
}

// A step spreads by half the square of an edge; a border of some width needs as many as make up its square.
static GtResult fill(Finder* f, GtShapeRegions* out)
{
    size_t vertex_count = (size_t)f->surface.vertex_count;
    size_t count = (size_t)f->region_count;
    int32_t* regions = gt_arena_push_array(&out->arena, vertex_count, sizeof *regions);
    float* weights = gt_arena_push_array(&out->arena, count * vertex_count, sizeof *weights);
    float* own_measure = gt_arena_push_array(&out->arena, vertex_count, sizeof *own_measure);
    float* shares = gt_arena_push_array(&out->arena, count, sizeof *shares);
    float* values = gt_arena_push_array(&f->scratch, (size_t)f->point_count, sizeof *values);
    float* room = gt_arena_push_array(&f->scratch, (size_t)f->point_count, sizeof *room);
    if (!regions || !weights || !own_measure || !shares || !values || !room) {
        return gti_out_of_memory(f->error);
    }
    float ratio = 0.5f * f->def->border * f->surface.size_m / mean_edge(f);
    float steps = fminf(2.0f * ratio * ratio, (float)MOST_DIFFUSION);
    GtResult result = GT_OK;
    for (size_t r = 0; r < count && result == GT_OK; ++r) {
        result = gti_progress(f->context, f->error, "regions", (double)r / (double)count);
        for (int32_t i = 0; i < f->point_count; ++i) {
            values[i] = f->regions[i] == (int32_t)r ? 1.0f : 0.0f;
        }
        for (int32_t s = 0; s < (int32_t)lroundf(steps); ++s) {
            smooth(f, values, room);
        }
        for (size_t v = 0; v < vertex_count; ++v) {
            weights[r * vertex_count + v] = values[f->points[v]];
        }
        shares[r] = (float)(f->areas[r] / fmax(total_area(f), 1e-30));
    }
    for (size_t v = 0; v < vertex_count; ++v) {
        regions[v] = f->regions[f->points[v]];
        own_measure[v] = f->measure[f->points[v]];
    }
    out->vertex_count = f->surface.vertex_count;
    out->count = f->region_count;
    out->threshold = f->threshold;
    out->regions = regions;
    out->weights = weights;
    out->measure = own_measure;
    out->shares = shares;
    return result;
}

static GtResult find(Finder* f, const GtScene* scene, int32_t mesh, GtShapeRegions* out)
{
    const GtShapeRegionsDef* def = f->def;
    if (!(def->threshold >= 0.0f && def->threshold < 1.0f) || !(def->min_share >= 0.0f && def->min_share <= 1.0f) ||
        !(def->border >= 0.0f && def->border <= 1.0f) || def->max_count < 1 || def->max_count > GT_SHAPE_MAX_REGIONS) {
        return gti_fail(f->error, GT_ERROR_BAD_VALUE, "threshold, share and border are from 0 to 1, regions 1 to %d",
                        GT_SHAPE_MAX_REGIONS);
    }
    GtResult result = gti_shape_mesh_read(f->context, scene, mesh, &f->scratch, &f->surface, f->error);
    if (result == GT_OK) {
        result = weld(f);
    }
    if (result == GT_OK) {
        result = measure(f, scene);
    }
    if (result == GT_OK) {
        result = open_regions(f);
    }
    if (result == GT_OK) {
        result = choose_seeds(f);
    }
    if (result == GT_OK) {
        result = grow(f);
    }
    GtMat34 world = gt_mat34_identity();
    if (result == GT_OK) {
        result = gti_shape_world(scene, mesh, &f->scratch, &world, f->error);
    }
    if (result != GT_OK) {
        return result;
    }
    adopt(f);
    merge(f);
    number(f, &world);
    return fill(f, out);
}

GtResult gt_shape_regions_find(const GtContext* context, const GtScene* scene, int32_t mesh,
                               const GtShapeRegionsDef* def, GtShapeRegions** out, GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtShapeRegions* regions = gt_arena_push_array(&arena, 1, sizeof *regions);
    if (!regions) {
        return gti_out_of_memory(error);
    }
    regions->arena = arena;
    Finder f = { .context = context, .def = def, .scratch = gt_arena_create(context->allocator), .error = error };
    GtResult result = find(&f, scene, mesh, regions);
    gt_arena_destroy(&f.scratch);
    if (result != GT_OK) {
        gt_shape_regions_destroy(regions);
        return result;
    }
    *out = regions;
    return GT_OK;
}

void gt_shape_regions_destroy(GtShapeRegions* regions)
{
    if (regions) {
        GtArena arena = regions->arena; // which holds the regions themselves
        gt_arena_destroy(&arena);
    }
}
