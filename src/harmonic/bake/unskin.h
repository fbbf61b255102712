// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A posed surface, seen through the linear skin under it: where each vertex would have to be at rest for the skin to
// bring it to where it is.

#ifndef GERTIE_HARMONIC_BAKE_UNSKIN_H
#define GERTIE_HARMONIC_BAKE_UNSKIN_H

#include "gertie/harmonic_clip.h"

#include "figure/shell.h"

typedef struct GtiUnskin {
    const GtiShell* shell;
    bool has_normals;        // some mesh has
    GtVec3* rest;            // [vertex_count] of meshes, before they are skinned, with the morphs that they rest with
    int32_t matrix_count;    // of a frame: of the joints of each skin, then of each mesh
    int32_t* first_matrices; // [mesh_count] of the joints of its skin, or its own
    int32_t* groups;         // [vertex_count] vertices that share a normal, by the first of them
    GtVec3* rest_normals;    // [vertex_count] of the groups, in the bind pose
    GtVec3* bound_normals;   // [vertex_count] of the meshes, in the bind pose
} GtiUnskin;

typedef struct GtiUnskinFrame {
    const GtVec3* wanted; // [vertex_count] in model space
    GtMat34* matrices;    // [matrix_count]
    GtVec3* normals;      // [vertex_count] of the groups; NULL where they are not needed
    GtVec3* rest;         // [vertex_count] with the morphs of the frame; NULL where there are none
    GtVec3* own_normals;  // [vertex_count] what these add to normals, or NULL likewise
} GtiUnskinFrame;

// Look at a figure that plays a clip. Memory is of the arena.
GtResult gti_unskin_open(const GtContext* context, GtArena* arena, GtFigure* figure, GtiUnskin* out, GtError* error);

// Room for frames, with normals where there are any and they are asked for.
GtResult gti_unskin_frames_open(const GtiUnskin* unskin, int32_t count, bool with_normals, GtArena* arena,
                                GtiUnskinFrame* out, GtError* error);

// The figure's instance has the pose of a frame: take what its joints and its morphs do.
void gti_unskin_take_joints(const GtiUnskin* unskin, GtiUnskinFrame* frame);

// Mean normals of the wanted surface, where there is room for them.
void gti_unskin_take_normals(const GtiUnskin* unskin, GtiUnskinFrame* frame);

// Displacements at rest of vertices [first, end); what the skin leaves no way to stays at rest.
// deltas:  [end - first]
// returns: the largest distance that is left
float gti_unskin_exactly(const GtiUnskin* unskin, const GtiUnskinFrame* frame, int32_t first, int32_t end,
                         GtVec3* deltas);

// Likewise short ones where the skin nearly collapses, at the price of a small distance that is left.
void gti_unskin_damped(const GtiUnskin* unskin, const GtiUnskinFrame* frame, int32_t first, int32_t end,
                       GtVec3* deltas);

// Likewise of each `step`-th vertex of each mesh.
// deltas: [gti_unskin_sample_count()] one mesh after the other
void gti_unskin_samples(const GtiUnskin* unskin, const GtiUnskinFrame* frame, int32_t step, GtVec3* deltas);
int32_t gti_unskin_sample_count(const GtiUnskin* unskin, int32_t step);

// Squares of distances between where the skin brings vertices and where they are wanted.
typedef struct GtiUnskinErrors {
    double sum;
    double bare_sum; // without displacements
    float worst;
} GtiUnskinErrors;

// deltas: [end - first] displacements at rest
void gti_unskin_errors(const GtiUnskin* unskin, const GtiUnskinFrame* frame, int32_t first, int32_t end,
                       const GtVec3* deltas, GtiUnskinErrors* out);

// Displacements of normals of vertices [first, end), 0 where a mesh has none. Normals turn as the surface under them
// does.
void gti_unskin_normals(const GtiUnskin* unskin, const GtiUnskinFrame* frame, int32_t first, int32_t end,
                        GtVec3* deltas);

// Normals of all vertices in model space, turned likewise.
// out: [vertex_count]
void gti_unskin_turn_normals(const GtiUnskin* unskin, const GtiUnskinFrame* frame, GtVec3* out);

#endif
