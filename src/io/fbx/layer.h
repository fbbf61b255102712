// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The polygons of a Geometry and its layer elements: normals, texture coordinates, colours and materials, each with a
// mapping (what has a value: a corner, a control point, a polygon, all) and values that are direct or by index.

#ifndef GERTIE_IO_FBX_LAYER_H
#define GERTIE_IO_FBX_LAYER_H

#include "io/fbx/reader.h"

enum {
    GTI_FBX_MAX_UV_SETS = 8
};

typedef enum GtiFbxMapping {
    GTI_FBX_BY_CORNER,
    GTI_FBX_BY_POINT,
    GTI_FBX_BY_POLYGON,
    GTI_FBX_ALL_SAME
} GtiFbxMapping;

// A layer element. An index beyond the values stands for none.
typedef struct GtiFbxLayer {
    GtArena arena;       // of its arrays
    const float* values; // [value_count * width], or NULL where there is no such element
    uint32_t value_count;
    uint32_t width;
    const int32_t* indices; // [index_count], or NULL for direct values
    uint32_t index_count;
    GtiFbxMapping mapping;
} GtiFbxLayer;

// A corner of a polygon.
typedef struct GtiFbxCorner {
    uint32_t corner; // number among all
    uint32_t polygon;
    uint32_t point;
} GtiFbxCorner;

// The value of a corner, or NULL.
static inline const float* gti_fbx_layer_at(const GtiFbxLayer* layer, GtiFbxCorner at)
{
    uint32_t index = layer->mapping == GTI_FBX_BY_CORNER    ? at.corner
                     : layer->mapping == GTI_FBX_BY_POINT   ? at.point
                     : layer->mapping == GTI_FBX_BY_POLYGON ? at.polygon
                                                            : 0;
    if (layer->indices) {
        if (index >= layer->index_count) {
            return NULL;
        }
        index = (uint32_t)layer->indices[index]; // a negative one is beyond all
    }
    return index < layer->value_count ? layer->values + (size_t)index * layer->width : NULL;
}

// All that the vertices of a Geometry are made of, in the reader's arena but for the layers.
typedef struct GtiFbxPolygons {
    float* positions; // [3 * point_count] in metres
    uint32_t point_count;
    uint32_t* corners; // [corner_count] control points
    uint32_t corner_count;
    uint32_t* starts; // [polygon_count + 1] first corner of each
    uint32_t polygon_count;
    GtiFbxLayer normals;
    GtiFbxLayer tangents;
    GtiFbxLayer binormals;
    GtiFbxLayer colors;
    GtiFbxLayer uvs[GTI_FBX_MAX_UV_SETS];
    int32_t uv_count;
    const int32_t* materials; // [material_count] of polygons, or of all where there is one
    uint32_t material_count;
} GtiFbxPolygons;

// Read a Geometry. What is damaged is left out, with a warning. Release the layers, also after a failure.
GtResult gti_fbx_read_polygons(GtiFbxReader* reader, int32_t object, GtiFbxPolygons* out);

// Release what a layer has read, or all layers that are still there.
void gti_fbx_layer_release(GtiFbxLayer* layer);
void gti_fbx_layers_release(GtiFbxPolygons* polygons);

// The floats, or integers, of a child such as "Vertices"; NULL with *count 0 where there is none. What cannot be
// decoded is left out with a warning, so that *result only says whether memory ran out.
float* gti_fbx_read_floats(GtiFbxReader* reader, const GtiFbxNode* parent, const char* name, uint32_t* count,
                           GtResult* result);
int32_t* gti_fbx_read_integers(GtiFbxReader* reader, const GtiFbxNode* parent, const char* name, uint32_t* count,
                               GtResult* result);

#endif
