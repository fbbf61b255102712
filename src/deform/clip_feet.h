// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet of a body that is posed by rotations alone: how far they are from where the skeleton has them; the shift of the
// whole body, and the turns of legs, that hold those that stand.

#ifndef GERTIE_DEFORM_CLIP_FEET_H
#define GERTIE_DEFORM_CLIP_FEET_H

#include "gertie/contact.h"

#include "deform/bone_tree.h"

typedef struct GtiClipFeet {
    int32_t frame_count;
    int32_t* vertices[GTI_SIDE_COUNT]; // [vertex_counts] of the character that move with a foot
    int32_t vertex_counts[GTI_SIDE_COUNT];
    GtVec3* wanted[GTI_SIDE_COUNT]; // [frame_count] where the skin has the middle of the foot
    GtVec3* misses[GTI_SIDE_COUNT]; // [frame_count] from where it is to where it is wanted
    float* stands[GTI_SIDE_COUNT];  // [frame_count] 0 to 1, without jumps
    GtVec3* thighs[GTI_SIDE_COUNT]; // [frame_count] from hip to knee
    GtVec3* shanks[GTI_SIDE_COUNT]; // [frame_count] from knee to ankle
    GtVec3* scratch;                // [vertices of the largest mesh]
} GtiClipFeet;

// Find the vertices of the feet of a humanoid, and when they stand. Others have none.
GtResult gti_clip_feet_open(const GtiShell* shell, const GtiBoneTree* bones, const GtContacts* contacts,
                            const double* times_s, int32_t frame_count, GtArena* arena, GtiClipFeet* out,
                            GtError* error);

// The figure's instance has the pose of a frame: take where the skin has the feet, and how the legs lie.
void gti_clip_feet_want(const GtiShell* shell, GtiClipFeet* feet, int32_t frame);

// positions: [point_count] of the posed surface
void gti_clip_feet_miss(const GtiShell* shell, GtiClipFeet* feet, int32_t frame, const GtVec3* positions);

// How to shift a frame.
GtVec3 gti_clip_feet_shift(const GtiClipFeet* feet, int32_t frame);

// How thigh and shank should turn, as rotation vectors in model space, so that a standing foot comes where it is wanted
// after a shift. false for a foot that does not stand.
bool gti_clip_feet_bend(const GtiClipFeet* feet, int32_t frame, int side, GtVec3 shift, GtVec3 turns[2]);

#endif
