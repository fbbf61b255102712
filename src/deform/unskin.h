// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A posed surface, seen through the linear skin under it: where each vertex would have to be at rest for the skin to
// bring it to where it is.

#ifndef GERTIE_DEFORM_UNSKIN_H
#define GERTIE_DEFORM_UNSKIN_H

#include "gertie/harmonic_clip.h"

#include "deform/shell.h"

typedef struct GtiUnskin {
    GtiShell shell;
    bool has_normals;          // some mesh has
    GtVec3* rest;              // [vertex_count] of meshes, before they are skinned, with the morphs that they rest with
    GtMat34** model_from_mesh; // [skin_count][joint_count] of the frame
    int32_t* groups;           // [vertex_count] vertices that share a normal, by the first of them
    GtVec3* rest_normals;      // [vertex_count] of the groups, in the bind pose
    GtVec3* normals;           // [vertex_count] likewise, in the frame
} GtiUnskin;

// Open a scene that plays a clip; on failure, too, gti_unskin_close() is due.
GtResult gti_unskin_open(const GtContext* context, GtArena* arena, const GtScene* scene, int32_t animation,
                         GtiUnskin* out, GtError* error);
void gti_unskin_close(GtiUnskin* unskin);

// The figure's instance has the pose of a frame: take what its joints do.
void gti_unskin_joints(const GtiUnskin* unskin);

// What the skin does to a vertex of a mesh.
GtMat34 gti_unskin_matrix(const GtiUnskin* unskin, const GtMeshDef* mesh, int32_t vertex);

// Displacements at rest of all vertices; what the skin leaves no way to stays at rest.
// wanted:  [vertex_count] in model space
// deltas:  [vertex_count]
// returns: the largest distance that is left
float gti_unskin_exactly(const GtiUnskin* unskin, const GtVec3* wanted, GtVec3* deltas);

// Likewise of each `step`-th vertex of each mesh; short ones where the skin nearly collapses, at the price of a small
// distance that is left.
// deltas: [gti_unskin_sample_count()] one mesh after the other
void gti_unskin_damped(const GtiUnskin* unskin, int32_t step, const GtVec3* wanted, GtVec3* deltas);
int32_t gti_unskin_sample_count(const GtiUnskin* unskin, int32_t step);

// Displacements of normals, 0 where a mesh has none. Normals turn as the surface under them does.
void gti_unskin_normals(const GtiUnskin* unskin, const GtVec3* wanted, GtVec3* deltas);

#endif
