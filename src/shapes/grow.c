// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Seeds grow over what is nearest to them along the surface, by Dijkstra's way over its edges. Small regions join, one
// by one, the neighbour that they share the longest border with.

#include "shapes/regions.h"

#include "base/heap.h"

#include <math.h>
#include <string.h>

enum {
    MOST_LOOSE = 256 // pieces that are looked at; the rest go with the first region
};

// Every point goes to the region that is nearest along the edges.
GtResult gti_regions_grow(GtiRegionFinder* f)
{
    const GtiLaplacian* l = &f->laplacian;
    GtiHeap heap;
    float* distances = gt_arena_push_array(&f->scratch, (size_t)f->point_count, sizeof *distances);
    if (!gti_heap_make(&f->scratch, f->point_count + l->starts[f->point_count], false, &heap) || !distances) {
        return gti_out_of_memory(f->error);
    }
    for (int32_t i = 0; i < f->point_count; ++i) {
        distances[i] = f->regions[i] == GT_NONE ? INFINITY : 0.0f;
        if (f->regions[i] != GT_NONE) {
            gti_heap_push(&heap, (GtiHeapEntry){ .key = 0.0, .item = i });
        }
    }
    while (heap.count > 0) {
        GtiHeapEntry top = gti_heap_pop(&heap);
        int32_t at = top.item;
        float from = (float)top.key;
        for (int32_t n = l->starts[at]; n < l->starts[at + 1] && from <= distances[at]; ++n) {
            int32_t next = l->neighbours[n];
            GtVec3 way = gt_vec3_sub(f->mesh.positions[next], f->mesh.positions[at]);
            float distance = from + gt_vec3_length(way);
            if (distance < distances[next]) {
                distances[next] = distance;
                f->regions[next] = f->regions[at];
                gti_heap_push(&heap, (GtiHeapEntry){ .key = (double)distance, .item = next });
            }
        }
    }
    return GT_OK;
}

// Loose pieces that hold no seed, such as eyeballs and teeth, go with the region that is nearest to their first point.
static void adopt(GtiRegionFinder* f)
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

static void count_areas(GtiRegionFinder* f)
{
    memset(f->areas, 0, (size_t)f->region_count * sizeof *f->areas);
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->areas[f->regions[i]] += f->moves[i] > 0.0f ? f->laplacian.areas[i] : 0.0;
    }
}

// The region that `region` has the most edges with, or GT_NONE where it stands alone.
static int32_t find_neighbour(const GtiRegionFinder* f, int32_t region, int32_t* edges)
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
static void merge(GtiRegionFinder* f)
{
    count_areas(f);
    double least = (double)f->def->min_share * gti_regions_area(f);
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
static void number(GtiRegionFinder* f, const GtMat34* world)
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

void gti_regions_settle(GtiRegionFinder* f, const GtMat34* world)
{
    adopt(f);
    merge(f);
    number(f, world);
}
