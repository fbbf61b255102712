// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How markers of a body follow its joints, frame after frame; src/runtime/harmonic/follow.h has one frame.

#ifndef GERTIE_HARMONIC_MARKERS_MOTION_H
#define GERTIE_HARMONIC_MARKERS_MOTION_H

#include "gertie/markers.h"

#include "harmonic/markers/bone_axes.h"
#include "runtime/harmonic/follow.h"

typedef struct GtiMarkerMotion {
    const GtiShell* shell;
    GtHarmonicSkinDef skin; // bones, followers, node_from_bind and anchor_node
    int32_t marker_count;
    GtiBoneRotations frame; // the last one

    double turn_rad; // the largest angle of a bend in the last frame
    int32_t turn_bone;
} GtiMarkerMotion;

// Bones of the skin are those of the tree, in its order.
GtResult gti_marker_motion_open(const GtiShell* shell, const GtiBoneTree* bones, const GtiBoneAxis* axes,
                                const GtMarkers* markers, GtArena* arena, GtiMarkerMotion* out, GtError* error);

// Frames must come in order. The figure's instance has the pose.
// rotations, twists: [marker count] as in GtHarmonicFrame
void gti_marker_motion_step(GtiMarkerMotion* motion, GtQuat* rotations, float* twists);

#endif
