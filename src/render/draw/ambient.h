// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Ambient occlusion of a posed figure, vertex by vertex: how much of the sky each one sees.

#ifndef GERTIE_RENDER_DRAW_AMBIENT_H
#define GERTIE_RENDER_DRAW_AMBIENT_H

#include "gertie/memory.h"
#include "gertie/render.h"

// One mesh of the figure.
typedef struct GtiAmbientMesh {
    int32_t vertex_count;
    int32_t index_count;
    const GtVec3* positions;
    const GtVec3* normals; // or NULL
    GtVec3* own_normals;   // [vertex_count] room to work in where there are none
    const uint32_t* indices;
    uint8_t* open; // [2 * vertex_count] every other receives 0 for none of the sky to 255 for all of it
} GtiAmbientMesh;

// Room to work in.
typedef struct GtiAmbient GtiAmbient;

// NULL when memory ran out.
GtiAmbient* gti_ambient_create(GtArena* arena);

// The sky that every vertex of the meshes sees.
// @param box      around all vertices
// @param floor_y  height of a floor that closes the lower half of it, or -INFINITY
void gti_ambient_compute(GtiAmbient* ambient, const GtiAmbientMesh* meshes, int32_t mesh_count, const GtBounds* box,
                         float floor_y);

#endif
