// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a posed surface says of its markers: how far it stretches, and whether it turns as they ask.

#ifndef GERTIE_HARMONIC_CLIP_STRAIN_H
#define GERTIE_HARMONIC_CLIP_STRAIN_H

#include "gertie/harmonic.h"
#include "gertie/markers.h"

#include "figure/shell.h"

// A triangle at rest, laid into a plane with its first edge along x.
typedef struct GtiFlatTriangle {
    float per_length; // 1 over that of its first edge
    float along;      // how far along it the third corner is
    float per_height; // 1 over how far from it
    float area;       // twice, or 0 for one that is not measured
} GtiFlatTriangle;

typedef struct GtiClipStrain {
    const GtiShell* shell;
    const int32_t* holders; // [point_count] markers
    int32_t marker_count;
    GtiFlatTriangle* flats; // [triangle_count]
    double* residuals;      // [marker_count] sums of radians times area
    double* areas;          // [marker_count] that they are sums over
    bool* is_wide;          // [marker_count] not a band so narrow that it holds no triangle as a whole
    double stretch_max, stretch_min;
    double stretch_time_s;
} GtiClipStrain;

// markers: those of `harmonic`. False when memory ran out.
bool gti_clip_strain_open(const GtiShell* shell, const GtHarmonic* harmonic, const GtMarkers* markers, GtArena* arena,
                          GtiClipStrain* out);

// positions: [point_count], rotations: [marker_count]
void gti_clip_strain_add(GtiClipStrain* strain, const GtVec3* positions, const GtQuat* rotations, double time_s);

#endif
