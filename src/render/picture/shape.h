// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles that are made here and not by a scene: bones, axes, lights, trails.

#ifndef GERTIE_RENDER_PICTURE_SHAPE_H
#define GERTIE_RENDER_PICTURE_SHAPE_H

#include "gertie/memory.h"
#include "gertie/vec.h"

typedef struct GtiPaintedShape {
    int32_t vertex_count;
    int32_t index_count;
    GtVec3* positions;
    GtVec3* normals;
    uint8_t* colors; // [vertex_count * 4] linear
    uint32_t* indices;
} GtiPaintedShape;

// Room for a shape, all zero; false when memory ran out.
bool gti_shape_create(GtArena* arena, size_t vertex_count, size_t index_count, GtiPaintedShape* out);

// Triangles between rings of `sides` vertices that follow each other from `first` on.
// Returns where the next indices go.
uint32_t* gti_shape_add_rings(uint32_t* indices, uint32_t first, int rings, int sides);

// One ring around a frame: `along` its axis, its normals leaning towards the axis by the sine `lean`.
typedef struct GtiFrame {
    GtVec3 origin, u, v, axis;
} GtiFrame;

GtiFrame gti_frame(GtVec3 origin, GtVec3 axis);
void gti_shape_put_ring(const GtiFrame* frame, float along, float radius, float lean, int sides, GtVec3* positions,
                        GtVec3* normals);

#endif
