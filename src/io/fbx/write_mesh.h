// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A geometry while it is written, for what deforms it: shapes, then a skin.

#ifndef GERTIE_IO_FBX_WRITE_MESH_H
#define GERTIE_IO_FBX_WRITE_MESH_H

#include "build/primitive.h"
#include "io/fbx/write.h"

typedef struct GtiFbxOutGeometry {
    int64_t id;
    int32_t mesh;
    int32_t part_count;  // primitives
    GtMeshDef* parts;    // [part_count]; those that are left out have no vertices
    int32_t* first;      // [part_count] first vertex of each
    bool* is_twin;       // [part_count] whether the vertices are those of a part before it
    int32_t* part_slots; // [part_count] material slot
    int32_t* slots;      // [slot_count] materials of the scene; material_count for none
    int32_t slot_count;
    int32_t vertex_count;
    int64_t corner_count;
    bool has_normals, has_tangents, has_texcoords[2], has_colors;
} GtiFbxOutGeometry;

// Blend shapes: one channel with one shape for each morph target. Sets the model's first_channel.
GtResult gti_fbx_write_shapes(GtiFbxWriter* writer, GtiFbxOutModel* model, const GtiFbxOutGeometry* geometry);

// A skin with a cluster for each joint.
GtResult gti_fbx_write_skin(GtiFbxWriter* writer, const GtiFbxOutModel* model, const GtiFbxOutGeometry* geometry);

// The bind pose of all skins, where there are some: meshes, joints, and everything above them.
GtResult gti_fbx_write_pose(GtiFbxWriter* writer);

#endif
