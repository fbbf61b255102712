// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin of a figure cut into zones: each vertex belongs to the joint that moves it most, of a humanoid to the one of
// the vocabulary that this joint hangs on, each triangle to the zone of most of its corners. What a zone is in the bind
// pose, and what its measures need, is found once; a frame then costs a pass over the triangles.

#ifndef GERTIE_MEASURE_SKIN_H
#define GERTIE_MEASURE_SKIN_H

#include "figure/figure.h"

#include "gertie/measure.h"

enum {
    GTI_SECTION_COUNT = 5,
    GTI_STRETCH_BINS = 128, // of the logarithm of a singular value, from 1/16 to 16
    GTI_MAX_ZONES = 4096
};

// An edge where a zone is cut off, and the lid over it.
typedef struct GtiSkinRim {
    int32_t from, to; // vertices
    int32_t lid;      // of the zone
} GtiSkinRim;

// A piece of a loop of skin across a bone: from a place on one edge of the mesh to one on another.
typedef struct GtiCut {
    int32_t a0, a1, b0, b1; // vertices
    float a, b;             // places on the edges, 0 to 1
} GtiCut;

typedef struct GtiSection {
    const GtiCut* cuts; // [cut_count], or NULL where no loop goes round the bone
    int32_t cut_count;
    double area_m2; // in the bind pose
} GtiSection;

typedef struct GtiZone {
    int32_t node;                           // runtime
    int32_t first_triangle, triangle_count; // in the skin's triangles, sorted by zone
    int32_t first_vertex, vertex_count;     // in the skin's sorted vertices
    const GtiSkinRim* rims;                 // [rim_count]
    int32_t rim_count;
    int32_t lid_count;
    GtiSection sections[GTI_SECTION_COUNT];
    bool has_axis;
    GtVec3 axis_end;  // of the bone, in the joint's space
    double volume_m3; // in the bind pose
    double axis_m;    // mean distance to the bone
} GtiZone;

typedef struct GtiMeasuredSkin {
    const GtFigure* figure;
    int32_t vertex_count;  // of all meshes
    int32_t* first_vertex; // [mesh_count] of each mesh
    GtVec3* rest;          // [vertex_count] in the bind pose
    int32_t* points;       // [vertex_count] that lie in one place are one point
    int32_t point_count;
    int32_t* zone_of;  // [vertex_count]
    uint32_t* corners; // [3 * triangle_count] sorted by zone
    float* unstretch;  // [3 * triangle_count] inverse of each triangle's own upper triangular edge matrix
    float* areas;      // [triangle_count] in the bind pose; 0 for one that has none
    int8_t* facings;   // [triangle_count] 1 where it faces as its normals do in the bind pose, -1 against; 0 without
    int32_t triangle_count;
    int32_t* vertices; // [vertex_count] sorted by zone
    GtiZone* zones;    // [zone_count] parents first
    int32_t zone_count;
    int32_t lid_count;   // most of any zone
    GtMat34* bind;       // [node_count] of the joints in the bind pose
    int32_t* node_zones; // [node_count] or GT_NONE
    double size_m;       // of the whole, in the bind pose
} GtiMeasuredSkin;

// Cut the skin into zones. A figure without triangles gets none.
GtResult gti_skin_open(const GtContext* context, GtArena* arena, GtFigure* figure, GtiMeasuredSkin* out,
                       GtError* error);

// Find loops of skin across the bones; of the zones' neighbours, too, since a loop near a joint belongs to both.
GtResult gti_skin_find_sections(GtArena* arena, GtArena* scratch, GtiMeasuredSkin* skin, GtError* error);

// What a zone is at one frame.
typedef struct GtiZoneFrame {
    double volume_m3;
    double section_min, section_max; // ratios; NAN without sections
    double axis_m;
    int32_t flipped_count;
    float most, least;            // singular values of all its triangles
    float high[GTI_STRETCH_BINS]; // area by larger singular value
    float low[GTI_STRETCH_BINS];  // likewise by smaller
} GtiZoneFrame;

// Measure a zone.
// @param positions  [vertex_count] now
// @param normals    [vertex_count] as the deformers carry them along, zero where there are none
// @param lids       [lid_count * 4] scratch
void gti_zone_measure(const GtiMeasuredSkin* skin, const GtiZone* zone, const GtMat34* model_from_node,
                      const GtVec3* positions, const GtVec3* normals, double* lids, GtiZoneFrame* out);

// Signed volume of a zone closed with flat lids, and mean distance of its vertices to its bone.
double gti_zone_volume(const GtiMeasuredSkin* skin, const GtiZone* zone, const GtVec3* positions, double* lids);
double gti_zone_axis(const GtiMeasuredSkin* skin, const GtiZone* zone, const GtMat34* joint, const GtVec3* positions);
double gti_section_area(const GtiSection* section, const GtVec3* positions);

// Singular value that a bin stands for at its lower end.
double gti_stretch_of_bin(double bin);

#endif
