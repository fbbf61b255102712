// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What places markers: those that it has so far, and what it knows of the surface.

#ifndef GERTIE_HARMONIC_MARKERS_FIND_H
#define GERTIE_HARMONIC_MARKERS_FIND_H

#include "harmonic/markers/bands.h"
#include "harmonic/markers/bone_tree.h"
#include "harmonic/markers/markers.h"

// Where a marker is: a disc around a place, or a band as far from a center.
typedef struct GtiMarkerSpot {
    int32_t bone;
    GtVec3 place;
    GtVec3 center;
    float girth_m; // from the center to the band; 0 for a disc
} GtiMarkerSpot;

typedef struct GtiPlacer {
    const GtContext* context;
    GtArena scratch;
    const GtiShell* shell;
    GtiTrimesh mesh; // the shell's
    GtiFans fans;
    uint8_t* marks; // [triangle_count] all 0
    GtiBoneTree bones;
    const GtMarkersDef* def;
    GtMarkers* markers;
    int32_t capacity;
    GtiMarkerSpot* spots; // [capacity] of the markers
    bool* is_known;       // [bone_count] has markers that were given
    int32_t* borders;     // [border_count] points at which triangles of two bones meet
    int32_t border_count;
    GtMarkersReport report;
    GtError* error;
} GtiPlacer;

// Of the limb's radius is a marker's, unless stated.
#define GTI_RADIUS_SHARE 0.3f

// A disc: `radius_m`, but at least two edges of the mesh, and of that at most `most_m`.
void gti_placer_add(GtiPlacer* k, int32_t bone, int32_t triangle, float radius_m, float most_m, float twist);

// Distance of a point from a marker, without its radius.
float gti_placer_distance(const GtiPlacer* k, int32_t marker, GtVec3 p);

// Make radii so small that there is room to bend and twist between markers, and drop markers that hold nothing then.
void gti_placer_make_room(GtiPlacer* k);

// Hips turn as a girdle, above the joints of the legs. False where there are no such joints.
bool gti_place_girdle(GtiPlacer* k, int32_t hips);

// Where an arm leaves the trunk: markers of the trunk around it, so that the arm's turn ends there. `radius_m` is the
// arm's.
void gti_place_collar(GtiPlacer* k, int32_t arm, float radius_m);

// The radius of a limb at a share of its bone.
float gti_placer_girth(const GtiPlacer* k, int32_t bone, float share);

#endif
