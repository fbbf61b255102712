// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Texture coordinates and colours of an actor's meshes: those that its materials ask for, and what its shapes and
// materials make of them from pose to pose.

#ifndef GERTIE_RENDER_DRAW_LOOKS_H
#define GERTIE_RENDER_DRAW_LOOKS_H

#include "render/draw/performer.h"
#include "render/picture/canvas.h"

typedef struct GtiLooks {
    const GtCharacterDef* def;
    bool* second;                    // [mesh_count] the material's texture lies by the second set of coordinates
    const GtMaterialLook* materials; // of the performer
    bool* slides;                    // [mesh_count] shapes change the coordinates
    float** texcoords;  // [mesh_count][2 * vertex_count] posed, or NULL where neither shapes nor materials change them
    uint8_t** colors;   // [mesh_count][4 * vertex_count] likewise
    float* pose_colors; // [4 * vertex_count] of the largest mesh whose colours change
} GtiLooks;

// What is drawn of `actor`, played by `performer`; arrays go into the arena.
GtResult gti_looks_create(GtArena* arena, const GtActorDef* actor, const GtiPerformer* performer, GtiLooks* out,
                          GtError* error);

// Of a mesh as it was modelled, or NULL: [2 * vertex_count].
const float* gti_looks_texcoords(const GtiLooks* looks, int32_t mesh);

// Colours as bytes, linear.
// colors: [4 * count]; out: [4 * count]
void gti_looks_bytes(const float* colors, int32_t count, uint8_t* out);

// Find them for the pose of an instance.
void gti_looks_pose(GtiLooks* looks, const GtInstance* instance);

// Put them onto the graphics card.
// meshes: [mesh_count]
void gti_looks_upload(const GtiLooks* looks, GtiGl* gl, GtiMesh* meshes);

#endif
