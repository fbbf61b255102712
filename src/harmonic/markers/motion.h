// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How markers turn when joints do, frame after frame.

#ifndef GERTIE_HARMONIC_MARKERS_MOTION_H
#define GERTIE_HARMONIC_MARKERS_MOTION_H

#include "gertie/markers.h"

#include "harmonic/markers/bone_axes.h"

typedef struct GtiMarkerMotion {
    const GtiShell* shell;
    const GtiBoneTree* bones;
    const GtMarkers* markers;
    int32_t* marker_nodes;   // [marker count] runtime
    GtQuat* unbind;          // [node_count] from a node's axes in the bind pose to the model's
    const GtiBoneAxis* axes; // [bone_count]
    GtQuat* turns;           // [bone_count] of the last frame, from the bind pose, in model space
    GtQuat* swings;          // [bone_count] likewise, without the twist about the bone's line; signs consistent
    GtQuat* bends;           // [bone_count] swings relative to the parent's
    float* twists;           // [bone_count] radians about the bone's line relative to the parent, any number of turns
    float* angles;           // [bone_count] likewise, from where the limb begins or bends
    float* keeps;            // [marker count] 0 to 1: how much of its bone's angle is a twist there, not a rotation
    bool has_frame;

    double turn_rad; // the largest angle of a bend in the last frame
    int32_t turn_bone;
} GtiMarkerMotion;

GtResult gti_marker_motion_open(const GtiShell* shell, const GtiBoneTree* bones, const GtiBoneAxis* axes,
                                const GtMarkers* markers, GtArena* arena, GtiMarkerMotion* out, GtError* error);

// Frames must come in order. The figure's instance has the pose.
// rotations, twists: [marker count] as in GtHarmonicFrame
void gti_marker_motion_step(GtiMarkerMotion* motion, GtQuat* rotations, float* twists);

#endif
