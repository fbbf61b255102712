// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How markers rotate when joints do.

#ifndef GERTIE_RUNTIME_HARMONIC_FOLLOW_H
#define GERTIE_RUNTIME_HARMONIC_FOLLOW_H

#include "gertie/harmonic_skin.h"

// Rotations of bones in a frame, all [bone_count].
typedef struct GtiBoneRotations {
    GtQuat* rotations; // since the bind pose, in model space
    GtQuat* swings;    // the same without the twist about the bone's line; signs consistent
    GtQuat* bends;     // swings relative to the parent's
    float* twists;     // radians about the bone's line relative to the parent, any number of turns
    float* angles;     // radians about the bone's line from where the limb begins or bends

    // The arrays hold the frame before: signs and numbers of turns go on from it. Otherwise they are undefined, and
    // each bone takes the shorter way from its parent.
    bool has_frame;

    double largest_bend_rad;
    int32_t largest_bend_bone; // or GT_NONE
} GtiBoneRotations;

// skin: bones, node_from_bind
void gti_harmonic_rotate_bones(const GtHarmonicSkinDef* skin, const GtMat34* model_from_node, GtiBoneRotations* frame);

// Rotations of markers, once those of the bones are there.
// skin: bones, node_from_bind, followers
// rotations, twists: [marker_count] as in GtHarmonicFrame
void gti_harmonic_rotate_markers(const GtHarmonicSkinDef* skin, const GtMat34* model_from_node, int32_t marker_count,
                                 const GtiBoneRotations* frame, GtQuat* rotations, float* twists);

#endif
