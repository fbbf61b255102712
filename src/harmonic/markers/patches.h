// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which vertices the markers hold, and which markers are neighbours, by distances along the surface.

#ifndef GERTIE_HARMONIC_MARKERS_PATCHES_H
#define GERTIE_HARMONIC_MARKERS_PATCHES_H

#include "base/quat_double.h"
#include "geometry/trimesh.h"
#include "gertie/harmonic.h"

// A marker brought onto the surface.
typedef struct GtiPatchSource {
    int32_t triangle;
    GtiVec place;
    double radius;
    GtiVec band; // unit normal of the plane of a band
    bool is_band;
} GtiPatchSource;

// Each vertex belongs to the marker whose patch it is deepest in or nearest to.
typedef struct GtiPatches {
    int32_t* owners; // [vertex_count] marker, or GT_NONE where no marker is on the component
    double* depths;  // [vertex_count] distance from the owner less its radius: held where not above 0
} GtiPatches;

// Diagonal of the box around all vertices.
double gti_surface_extent(const GtiTrimesh* mesh);

// Bring a marker onto the surface; one whose point is further away than a tenth of the mesh's `extent` is refused.
// `name` is for errors, such as "marker 3".
GtResult gti_source_find(const GtiTrimesh* mesh, double extent, const GtHarmonicMarker* marker, const char* name,
                         GtiPatchSource* out, GtError* error);

// Distances from all sources at once, within 1 % where the surface unfolds into a plane. The corners
// of a disc's triangle are held whatever its radius, and of each triangle that a band goes through the one nearest to
// it; of markers equally deep the first counts. False when memory ran out.
bool gti_patches_make(const GtiTrimesh* mesh, const GtiPatchSource* sources, int32_t source_count, GtArena* arena,
                      GtiPatches* out);

#endif
