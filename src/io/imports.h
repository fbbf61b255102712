// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the room `import`, which is above this one, adds to the file formats. libgertie-scene needs nothing but the C
// library, so formats that need another library are part of libgertie alone. The table below is constant, and bound
// when a library is linked: libgertie-scene has the empty one of no_imports.c, libgertie has the one of
// import/imports.c. There is no registration at run time and no state.

#ifndef GERTIE_IO_IMPORTS_H
#define GERTIE_IO_IMPORTS_H

#include "io/format.h"

// One attribute of a Draco-compressed primitive, as the glTF around it describes it.
typedef struct GtiDracoAttribute {
    uint32_t id; // Draco's unique id of the attribute
    GtComponentType component_type;
    GtElementType element_type;
    uint64_t count; // elements that the accessor promises; anything else is an error
    void* out;      // [count * gt_element_size()] receives packed elements
} GtiDracoAttribute;

// Decode the mesh of KHR_draco_mesh_compression.
// @param attributes  [attribute_count] what to decode, and where to
// @param indices     [index_count] receives the corners of triangles; NULL where none are wanted
typedef GtResult GtiDecodeDraco(const GtContext* context, const uint8_t* bytes, size_t size,
                                const GtiDracoAttribute* attributes, int32_t attribute_count, uint32_t* indices,
                                uint64_t index_count, GtError* error);

typedef struct GtiImports {
    const GtFormat* formats;      // every format: GTI_IO_FORMATS, then those of `functions`; ends with a NULL name
    const GtiFormat* functions;   // of the formats after GTI_IO_FORMATS, or NULL where there are none
    GtiDecodeDraco* decode_draco; // or NULL where it is absent
} GtiImports;

extern const GtiImports gti_imports;

// The formats that need no library, in the order of the functions in file.c. The skeletons of Acclaim and of
// SmartBody hold no motion, so that a batch does not take them for one.
// clang-format off
#define GTI_IO_FORMATS                                                                                                 \
    { "glb", "glTF 2.0 in one file", true, true, GT_HOLDS_ALL },                                                       \
    { "gltf", "glTF 2.0 as JSON, with a .bin beside it", true, true, GT_HOLDS_ALL },                                   \
    { "vrm", "VRM 0 or 1, a humanoid in a GLB", true, true, GT_HOLDS_ALL },                                            \
    { "fbx", "Autodesk FBX 7", true, true, GT_HOLDS_ALL },                                                             \
    { "vrma", "VRM animation: a humanoid's motion in a GLB", true, true, GT_HOLDS_MOTION },                            \
    { "bvh", "Biovision hierarchy: joints and one motion", true, true, GT_HOLDS_MOTION },                              \
    { "asf", "Acclaim skeleton: joints at rest", true, false, 0 },                                                     \
    { "amc", "Acclaim motion, with its .asf beside it", true, false, GT_HOLDS_MOTION },                                \
    { "sk", "SmartBody skeleton: joints at rest", true, false, 0 },                                                    \
    { "skm", "SmartBody motion, with its .sk beside it", true, false, GT_HOLDS_MOTION },                               \
    { "obj", "Wavefront OBJ: meshes, groups and materials", true, true, GT_HOLDS_MESHES },                             \
    { "ply", "Stanford PLY: a mesh or points with colours", true, true, GT_HOLDS_MESHES },                             \
    { "stl", "STL: triangles alone", true, true, GT_HOLDS_MESHES },                                                    \
    { "off", "Geomview OFF: a mesh", true, false, GT_HOLDS_MESHES },                                                   \
    { "gtp", "a character packed by gertie pack", true, false, GT_HOLDS_ALL }
// clang-format on

#endif
