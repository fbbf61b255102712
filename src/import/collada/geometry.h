// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// <geometry>: sources, faces and corners become vertices and triangles as glTF has them, in the file's units and axes.

#ifndef GERTIE_IMPORT_COLLADA_GEOMETRY_H
#define GERTIE_IMPORT_COLLADA_GEOMETRY_H

#include "import/collada/document.h"

enum {
    GTI_DAE_MAX_SETS = 8,   // of texture coordinates; colours have one
    GTI_DAE_MAX_INPUTS = 32 // of a primitive, those of <vertices> included
};

// A <source> of floats through its accessor.
typedef struct GtiDaeSource {
    const float* data; // NULL where there is none
    size_t count;      // elements
    size_t stride;
    int32_t components;
} GtiDaeSource;

// What of an input is used.
typedef struct GtiDaeInput {
    GtiDaeSource source;
    size_t offset; // of its index in a corner
    int32_t set;
} GtiDaeInput;

// The corners of the faces of one <triangles>, <polylist> or their kin.
typedef struct GtiDaeFaces {
    int32_t element;
    const int32_t* indices; // [corner_count * stride]
    size_t corner_count;
    size_t stride;
    uint32_t* triangles; // [index_count] corners
    size_t index_count;
    GtiDaeInput position, normal, color; // with source.data NULL where there is none
    GtiDaeInput texcoords[GTI_DAE_MAX_SETS];
    int32_t set_count;
} GtiDaeFaces;

// Vertices and triangles with one material.
typedef struct GtiDaePart {
    GtiDaeFaces faces;
    uint32_t vertex_count;
    uint32_t* corners; // [vertex_count] the first corner of each vertex
    uint32_t* indices; // [faces.index_count] vertices
} GtiDaePart;

typedef struct GtiDaeGeometry {
    int32_t element; // <geometry>
    GtiDaePart* parts;
    int32_t part_count;
    size_t position_count; // of the source that all parts share
} GtiDaeGeometry;

// The floats of a <source>, which may be GT_NONE: then, and where it is broken, *out has none.
GtResult gti_dae_source(GtiDae* d, int32_t source, GtiDaeSource* out);

// The <source> that an <input> names, through <vertices> where it names those.
GtResult gti_dae_input_source(GtiDae* d, int32_t input, GtiDaeSource* out);

// Read a <geometry>, which has no parts where it holds no faces.
GtResult gti_dae_read_geometry(GtiDae* d, int32_t element, GtiDaeGeometry* out);

// Cut the faces of a primitive into triangles of corners: indices, corner_count, triangles and index_count are set, the
// inputs are there.
GtResult gti_dae_read_faces(GtiDae* d, GtiDaeFaces* faces);

// An element of an input at a corner, and its index.
static inline size_t gti_dae_index_at(const GtiDaeFaces* faces, const GtiDaeInput* input, size_t corner)
{
    return (size_t)faces->indices[corner * faces->stride + input->offset];
}

static inline const float* gti_dae_value_at(const GtiDaeFaces* faces, const GtiDaeInput* input, size_t corner)
{
    return input->source.data + gti_dae_index_at(faces, input, corner) * input->source.stride;
}

#endif
