// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Seeds of regions: what is connected above a threshold. The number of them that lasts over the widest range of
// thresholds is what a face is made of.

#include "shapes/regions.h"

#include "base/sort.h"

#include <math.h>
#include <string.h>

enum {
    THRESHOLDS = 64, // that are tried, evenly over the points
    too_small = -2
};

// Of what a region has at least, what a basin has to have when it meets another one.
static const double seed_share = 0.2;

double gti_regions_area(const GtiRegionFinder* f)
{
    double sum = 0.0;
    for (int32_t i = 0; i < f->point_count; ++i) {
        sum += f->moves[i] > 0.0f ? f->laplacian.areas[i] : 0.0;
    }
    return sum;
}

// Which connected piece each point is in; the area that moves of each in f->areas.
static int32_t find_pieces(GtiRegionFinder* f, int32_t* pieces)
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
GtResult gti_regions_open(GtiRegionFinder* f)
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

static bool is_seed(const GtiRegionFinder* f, int32_t point, float threshold)
{
    return f->measure[point] > threshold && !f->loose[point];
}

// Number what is connected above a threshold and has at least some area; the rest has no region.
static int32_t find_seeds(GtiRegionFinder* f, float threshold, double least)
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
static size_t find_plateau(GtiRegionFinder* f, const float* sorted, double least)
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

GtResult gti_regions_seed(GtiRegionFinder* f)
{
    size_t count = (size_t)f->point_count;
    float* sorted = gt_arena_push_array(&f->scratch, count, sizeof *sorted);
    if (!sorted) {
        return gti_out_of_memory(f->error);
    }
    memcpy(sorted, f->measure, count * sizeof *sorted);
    gti_sort_floats(sorted, (int32_t)count);
    double least = seed_share * (double)f->def->min_share * gti_regions_area(f);
    f->threshold = f->def->threshold > 0.0f ? f->def->threshold : sorted[find_plateau(f, sorted, least)];
    f->region_count = find_seeds(f, f->threshold, least);
    f->region_count = f->region_count > 0 ? f->region_count : find_seeds(f, 0.0f, 0.0);
    return f->region_count > 0
               ? GT_OK
               : gti_fail(f->error, GT_ERROR_NOT_FOUND, "no shape bends the surface above the threshold");
}
