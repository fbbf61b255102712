// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Regions in the making: seeds (shape_seeds.c) that grow over a surface (shape_grow.c).

#ifndef GERTIE_SHAPES_REGIONS_H
#define GERTIE_SHAPES_REGIONS_H

#include "gertie/shape_regions.h"

#include "base/fail.h"
#include "geometry/laplacian.h"
#include "shapes/mesh.h"

typedef struct GtiRegionFinder {
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
    double* areas;    // [point_count] of pieces, then of regions
    int32_t region_count;
    bool* loose; // [point_count] of a piece that is too small for regions of its own
    float threshold;
    GtError* error;
} GtiRegionFinder;

// The area of all points that move.
double gti_regions_area(const GtiRegionFinder* f);

// Room for regions, and which pieces of the surface are too small for their own.
GtResult gti_regions_open(GtiRegionFinder* f);

// Number what is connected above a threshold, which is chosen where none is asked for.
GtResult gti_regions_seed(GtiRegionFinder* f);

// Let seeds grow over what is nearest along the surface.
GtResult gti_regions_grow(GtiRegionFinder* f);

// Loose pieces go with what is nearest in space, small regions join a neighbour, and all are numbered from the top
// down.
void gti_regions_settle(GtiRegionFinder* f, const GtMat34* world);

#endif
