// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A bare mesh as rigging looks at it: one welded surface of all that is skin, upright and of height 1.

#ifndef GERTIE_RIG_BODY_BODY_H
#define GERTIE_RIG_BODY_BODY_H

#include "gertie/mat34.h"
#include "gertie/rig.h"

#include "geometry/trimesh.h"

// Vertices of one primitive at one node, and the points they are.
typedef struct GtiRigPart {
    int32_t node;      // of the scene
    int32_t primitive; // of the node's mesh
    int32_t vertex_count;
    int32_t* points; // [vertex_count] of the body; GT_NONE where the vertex is of no triangle or of helper geometry
} GtiRigPart;

// What a component of the surface is taken for.
typedef enum GtiPieceKind {
    GTI_PIECE_SKIN,   // the body, or a large part of it
    GTI_PIECE_ISLAND, // eyes, teeth, buttons, glasses: rides along, and is not what a skeleton is looked for in
} GtiPieceKind;

// Body space: Y up, the figure faces +Z, its left is +X, the lowest point of the skin at y = 0, the middle plane x = 0,
// lengths in heights of the skin.
typedef struct GtiRigBody {
    GtMat34 body_from_scene; // a similarity
    GtVec3* points;
    GtVec3* normals;         // of the points, unit or zero
    int32_t (*triangles)[3]; // those of the skin first; wound alike, outwards, where the surface allows it; none uses a
                             // point twice
    int32_t* pieces;         // [point_count] component of each point
    GtiPieceKind* kinds;     // [piece_count]
    GtiRigPart* parts;
    int64_t helper_triangle_count; // that were left out
    int32_t point_count;
    int32_t triangle_count;
    int32_t skin_triangle_count;
    int32_t piece_count;
    int32_t island_count;
    int32_t part_count;
    int32_t turned_count; // triangles that were turned round
    GtRigAxis up, front;  // of the scene's space, nearest to what was found; as told where told
    float up_confidence, front_confidence;
    float symmetry; // 0 to 1: how well the plane x = 0 mirrors the skin
} GtiRigBody;

// Gather the triangles of the scene's mesh nodes at rest in world space, leave out helper geometry, weld, find pieces,
// up, front and the middle plane. Arrays are the arena's. Refuses what has no surface, no size or no thickness.
GtResult gti_body_gather(const GtContext* context, const GtScene* scene, const GtRigDef* def, GtArena* arena,
                         GtiRigBody* out, GtError* error);

// The skin as a mesh, for gti_solid_make(): shares the body's arrays.
static inline GtiTrimesh gti_body_skin(const GtiRigBody* body)
{
    return (GtiTrimesh){ body->points, body->point_count, body->triangles, body->skin_triangle_count };
}

#endif
