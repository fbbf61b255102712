// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A triangle mesh that can be changed: edges split, collapse and flip, and it stays a manifold all the time.
//
// Corner c = 3 * triangle + i stands for vertex i of the triangle and for the edge from there to the next vertex.
// Triangles carry a label; an edge is a *crease* when it has one triangle only or two of different labels. Vertices on
// creases stay on them. No edge other than one of the boundary joins two vertices of the boundary, so that the mesh can
// be glued to its mirror image there.

#ifndef GERTIE_GEOMETRY_LIVE_MESH_H
#define GERTIE_GEOMETRY_LIVE_MESH_H

#include "geometry/trimesh.h"

enum {
    GTI_MAX_RING = 48 // triangles around a vertex; an operation that needs more is refused
};

typedef struct GtiLiveMesh {
    GtVec3* positions;
    float* sizes;     // wanted length of edges at each vertex
    int32_t* corners; // [vertex] one of its corners, or -1 once removed
    int32_t vertex_count, vertex_capacity;
    int32_t (*triangles)[3]; // {-1, -1, -1} once removed
    int32_t (*opposites)[3]; // the same edge in the other triangle, as a corner, or -1
    uint8_t* labels;
    int32_t triangle_count, triangle_capacity;
    int32_t live_count; // triangles not removed
} GtiLiveMesh;

// Corners around a vertex, in turn; -1 when there are too many.
typedef struct GtiRing {
    int32_t corners[GTI_MAX_RING];
    int count;
    bool boundary;
    int crease_count; // edges at the vertex that are creases
} GtiRing;

static inline int32_t gti_next_corner(int32_t c)
{
    return c % 3 == 2 ? c - 2 : c + 1;
}

static inline int32_t gti_prev_corner(int32_t c)
{
    return c % 3 == 0 ? c + 2 : c - 1;
}

static inline int32_t gti_corner_vertex(const GtiLiveMesh* s, int32_t c)
{
    return s->triangles[c / 3][c % 3];
}

static inline int32_t gti_corner_opposite(const GtiLiveMesh* s, int32_t c)
{
    return s->opposites[c / 3][c % 3];
}

static inline bool gti_corner_live(const GtiLiveMesh* s, int32_t c)
{
    return s->triangles[c / 3][0] >= 0;
}

static inline bool gti_corner_crease(const GtiLiveMesh* s, int32_t c)
{
    int32_t opposite = gti_corner_opposite(s, c);
    return opposite < 0 || s->labels[c / 3] != s->labels[opposite / 3];
}

// Take over a manifold mesh, with room to grow to the given number of triangles. Labels are 0.
// false when memory ran out.
bool gti_live_mesh_create(const GtiTrimesh* mesh, int32_t triangle_capacity, GtArena* arena, GtiLiveMesh* out);

// Give back the triangles that are left, with vertices numbered in the order of their first use. `labels` may be NULL.
bool gti_live_mesh_extract(const GtiLiveMesh* s, GtArena* arena, GtiTrimesh* mesh, uint8_t** labels);

// false when the vertex has too many triangles.
bool gti_live_mesh_ring(const GtiLiveMesh* s, int32_t vertex, GtiRing* out);

// 1 for an equilateral triangle, 0 for one without area.
float gti_triangle_quality(GtVec3 a, GtVec3 b, GtVec3 c);

// Put a vertex on the edge of a corner; its index, or -1 when there is no room.
int32_t gti_live_mesh_split(GtiLiveMesh* s, int32_t corner, GtVec3 position, float size);

// Pull the vertex at the start of the edge (`forward`) or at its end into the other one, which moves to `position`.
// false, with nothing changed, when the mesh would not stay what it is, a triangle would turn over, lose much of its
// shape, or an edge would become longer than `max_ratio` of the wanted length.
// `rings` are those of the two vertices as they are.
bool gti_live_mesh_collapse(GtiLiveMesh* s, int32_t corner, bool forward, const GtiRing rings[2], GtVec3 position,
                            float max_ratio);

// Turn an edge to the other diagonal where that makes the worse of the two triangles better. Whether it was done.
bool gti_live_mesh_flip(GtiLiveMesh* s, int32_t corner);

#endif
