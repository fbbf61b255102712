// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A mesh of a scene as one surface: the vertices of all its primitives, one after the other.

#ifndef GERTIE_SHAPES_MESH_H
#define GERTIE_SHAPES_MESH_H

#include "gertie/mat34.h"
#include "gertie/shapes.h"

// Arrays are someone's arena's.
typedef struct GtiShapeMesh {
    const GtScene* scene;
    const GtMesh* mesh;
    int32_t vertex_count;
    int32_t index_count;
    int32_t* firsts;   // [primitive_count + 1] first vertex of each primitive
    GtVec3* positions; // [vertex_count]
    GtVec3* normals;   // [vertex_count] 0 where a primitive has none, or NULL where none has
    float* tangents;   // [vertex_count * 4] likewise
    uint32_t* indices; // [index_count] of triangles
    float size_m;      // diagonal of the box around it
} GtiShapeMesh;

// Read a mesh of a validated scene. GT_ERROR_NOT_FOUND where there is none of that number.
GtResult gti_shape_mesh_read(const GtContext* context, const GtScene* scene, int32_t mesh, GtArena* arena,
                             GtiShapeMesh* out, GtError* error);

// Where a mesh stands at rest: as the first node that shows it does, or, with a skin, as it was modelled.
GtResult gti_shape_world(const GtScene* scene, int32_t mesh, GtArena* arena, GtMat34* out, GtError* error);

// How the normal of each vertex turns when vertices move from `mesh` to `moved`.
// moved: [vertex_count]; normals, tangents: [vertex_count] receive displacements of the mesh's own, may be NULL
GtResult gti_shape_normals(const GtContext* context, const GtiShapeMesh* mesh, const GtVec3* moved, GtVec3* normals,
                           GtVec3* tangents, GtError* error);

// Where the vertices of `mesh` are among those of `source`; see gt_shapes_add_from().
// vertices: [mesh->vertex_count] receives vertices of the source
GtResult gti_shape_match(const GtContext* context, const GtiShapeMesh* mesh, const GtiShapeMesh* source,
                         uint32_t* vertices, GtError* error);

// A shape from another mesh, as gt_shapes_add_from() adds it; its arrays go into the arena.
GtResult gti_shape_take(const GtContext* context, const GtScene* scene, int32_t mesh, const char* name,
                        const GtShapeSource* source, GtArena* arena, GtShapeDef* out, GtError* error);

// Displacements of an attribute of a morph target, over all vertices, 0 where a primitive has none of that width;
// GT_ERROR_NOT_FOUND where none has.
// out: [vertex_count * width]
GtResult gti_shape_read(const GtScene* scene, const GtiShapeMesh* surface, int32_t target, const char* name,
                        int32_t width, float* out);

// Read a file that holds a shape, in the units of `scene` where it does not say its own and `load` is NULL.
GtResult gti_shape_source_load(const GtContext* context, const GtScene* scene, const char* path, const GtLoadDef* load,
                               GtScene** out, GtError* error);

#endif
