// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes and keys put into a scene: what a baked clip is played by.

#ifndef GERTIE_HARMONIC_CLIP_KEYS_H
#define GERTIE_HARMONIC_CLIP_KEYS_H

#include "gertie/harmonic_clip.h"

#include "figure/shell.h"

// Shapes of all meshes of a character, added behind those that meshes have.
typedef struct GtiShapes {
    const char* word; // that names are made of
    int32_t count;
    int32_t* accessors; // [count * mesh_count * 2] positions, normals or GT_NONE
} GtiShapes;

// Add the data of a shape: of one mesh, as accessors of the scene.
// deltas, normals: [vertex_count of the mesh]; normals may be NULL
GtResult gti_shape_add(GtScene* scene, const GtMeshDef* mesh, const GtVec3* deltas, const GtVec3* normals,
                       int32_t accessors[2], GtError* error);

// Give all meshes of the character their shapes, without effect at rest and in clips other than `animation`. Meshes
// that several nodes show become one for each.
GtResult gti_shapes_put(const GtContext* context, GtScene* scene, const GtCharacterDef* def, int32_t animation,
                        const GtiShapes* shapes, GtError* error);

// Keep the keys of a clip that drives weights of meshes which got more shapes, with 0 for those that are new.
// old_counts: [node_count] targets that the mesh of a node had, or 0 where it has not grown
GtResult gti_clip_widen(const GtContext* context, GtScene* scene, GtAnimation* animation, const int32_t* old_counts,
                        int32_t added, GtError* error);

// Keys of one property of a node, one a frame.
typedef struct GtiKeys {
    int32_t node; // of the scene
    GtAnimationPath path;
    GtElementType element;
    const float* values; // [frame_count * count] elements
    int32_t count;       // elements a frame
} GtiKeys;

// When these are.
typedef struct GtiClipFrames {
    int32_t animation; // of the scene
    int32_t frame_count;
    double start_s; // time of the first frame
    double rate_hz; // of the frames; 0 for a single one
} GtiClipFrames;

// Put keys into a clip, in place of those that it has for the same properties. On failure it is as it was.
GtResult gti_keys_put(GtScene* scene, const GtiClipFrames* frames, const GtiKeys* keys, int32_t key_count,
                      GtError* error);

#endif
