// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where the warmth of each vertex comes from: the bones in sight, or the nearest through the inside of the body.

#ifndef GERTIE_RIG_WEIGH_SOURCE_H
#define GERTIE_RIG_WEIGH_SOURCE_H

#include "rig/weigh/bones.h"
#include "rig/weigh/proxy.h"

enum {
    GTI_SOURCE_JOINTS = 4
};

typedef struct GtiHeatSource {
    uint16_t joints[GTI_SOURCE_JOINTS];
    float shares[GTI_SOURCE_JOINTS]; // sum 1, then 0
    float pull;                      // H of the heat equation: how strongly the vertex is held to its shares, per area
    GtiBeside beside;                // the first of the bones
    bool seen;
} GtiHeatSource;

enum {
    GTI_SIGHT_BONES = 8
};

// The bones that a point of the skin sees, best rank first: the segment to a bone stays in the body and goes inwards.
// Of the best bones only; returns how many it sees.
int32_t gti_bones_in_sight(const GtiWeighBones* bones, const GtiSolid* solid, GtVec3 p, GtVec3 normal,
                           GtiBeside out[GTI_SIGHT_BONES]);

// H = c / d^2 for flesh of girth d.
float gti_source_pull(float girth);

// Sources of all vertices by bones in sight, inwards from the surface.
void gti_sources_in_sight(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                          const GtiSolid* solid, GtiHeatSource* sources);

// Sources of the vertices of some pieces by all bones in sight, and, where there are none, by geodesic distance in the
// solid's cells. `sources` come from gti_sources_in_sight().
// pieces: [piece_count] whether to
GtResult gti_sources_in_voxels(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                               const GtiSolid* solid, const bool* pieces, GtiHeatSource* sources, GtError* error);

// Patches of the skin that see no bone and reach far from all of them follow one joint: the one whose bones warm the
// skin around the patch the most, or, where both sides of the body do, the joint between them. False when memory ran
// out.
bool gti_sources_beyond(const GtiProxy* proxy, const GtiWeighBones* bones, GtAllocator allocator,
                        GtiHeatSource* sources);

#endif
