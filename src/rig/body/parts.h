// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Steps of gti_body_gather().

#ifndef GERTIE_RIG_BODY_PARTS_H
#define GERTIE_RIG_BODY_PARTS_H

#include "geometry/solid.h"
#include "rig/body/body.h"

// Fill in parts, points and triangles, welded, in a space whose unit is the size of all and whose origin is near it:
// body_from_scene leads there. No triangle uses a point twice; every point is of a triangle.
GtResult gti_body_join(const GtContext* context, const GtScene* scene, GtArena* arena, GtiRigBody* body,
                       GtError* error);

// Find pieces and kinds, put triangles of skin first. Triangles are wound outwards already.
GtResult gti_body_find_pieces(const GtContext* context, GtArena* arena, GtiRigBody* body, GtError* error);

// A plane that mirrors a solid.
typedef struct GtiMirror {
    GtVec3 normal; // unit
    float offset;  // of its points along the normal
    float score;   // 0 to 1: how much of the solid its mirror image covers
} GtiMirror;

enum {
    GTI_MIRROR_LIMIT = 6
};

// Cells inside a solid, their middle and their spread.
typedef struct GtiBulk {
    const GtiSolid* solid;
    GtVec3* cells;
    int32_t cell_count;
    GtVec3 middle;
    GtVec3 axes[3]; // unit, of the spread, widest first
    float spreads[3];
} GtiBulk;

// false when memory ran out.
bool gti_bulk_make(const GtiSolid* solid, GtArena* arena, GtiBulk* out);

float gti_mirror_score(const GtiBulk* bulk, GtVec3 normal, float offset);

// The best planes, best first; at least one where the bulk is not empty. Where `across` is not zero, normals are at
// right angles to it.
int32_t gti_mirrors_find(const GtiBulk* bulk, GtVec3 across, GtiMirror out[GTI_MIRROR_LIMIT]);

// Which way a skin stands.
typedef struct GtiUpright {
    GtVec3 left, up, front; // unit, right-handed
    float middle;           // of the plane that mirrors it, along `left`
    float symmetry;         // 0 to 1
    float up_confidence;    // 0 to 1
    float front_confidence; // 0 to 1
} GtiUpright;

// `up`, `front`: of the space that the body is in.
GtResult gti_body_find_upright(const GtContext* context, const GtiRigBody* body, GtRigAxis up, GtRigAxis front,
                               GtiUpright* out, GtError* error);

#endif
