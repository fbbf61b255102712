// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a scene shows at rest, part by part, for formats that have neither nodes nor skins: vertices where they are in
// the file's own units and axes, triangles that face outwards.

#ifndef GERTIE_IO_MESH_WALK_H
#define GERTIE_IO_MESH_WALK_H

#include "gertie/file.h"

// A primitive at a node.
typedef struct GtiShown {
    int32_t node;
    const GtPrimitive* primitive;
    uint32_t vertex_count;
    uint64_t triangle_count;
    bool mirrored; // by its matrix: triangles wind the other way
    double file_from_mesh[3][4];
} GtiShown;

typedef struct GtiMeshWalk {
    const GtContext* context;
    const GtScene* scene;
    GtArena arena;
    GtiShown* shown; // ordered by nodes
    int32_t shown_count;
    uint64_t vertex_count;
    uint64_t triangle_count;
    bool has_normals, has_texcoords, has_colors; // any of them
} GtiMeshWalk;

// Triangles of a list, a strip or a fan; 0 of points and lines.
uint64_t gti_primitive_triangle_count(const GtScene* scene, const GtPrimitive* primitive, uint64_t vertex_count);

// Find all that is shown. Vertices of skins are those of the mesh, before the skin moves them: gt_scene_freeze() first.
// Free with gti_mesh_walk_destroy(), after a failure too.
GtResult gti_mesh_walk_create(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtiMeshWalk* out,
                              GtError* error);
void gti_mesh_walk_destroy(GtiMeshWalk* walk);

// Read vertices [first, first + count) of a part: positions and unit normals in the file's space, texture coordinates
// with the origin below, colours in sRGB bytes. What a part lacks is 0, or white.
void gti_shown_positions(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, GtVec3* out);
void gti_shown_normals(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, GtVec3* out);
void gti_shown_texcoords(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, float* out);
void gti_shown_colors(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, uint8_t* out);

// Read the corners of triangle `triangle`, of lists, strips and fans alike.
void gti_shown_triangle(const GtiMeshWalk* walk, const GtiShown* shown, uint64_t triangle, uint32_t out[3]);

#endif
