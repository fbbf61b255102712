// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The surface of a figure with markers on it, ready to be made to follow them.

#ifndef GERTIE_HARMONIC_CLIP_SURFACE_H
#define GERTIE_HARMONIC_CLIP_SURFACE_H

#include "gertie/markers.h"

#include "harmonic/clip/limbs.h"
#include "harmonic/markers/bone_axes.h"

typedef struct GtiMarkedBody {
    const GtMarkers* markers;
    const GtiShell* shell;
    GtiBoneTree bones;
    GtiBoneAxis* axes; // [bone_count]
    GtiClipParts parts;
} GtiMarkedBody;

// Find bones, axes and parts of a figure, and check that the markers are for its mesh.
GtResult gti_marked_body_open(const GtContext* context, GtFigure* figure, const GtMarkers* markers, GtArena* arena,
                              GtiMarkedBody* out, GtError* error);

// Factor the systems of a body, its parts as handles. Signs are not aligned: those of gti_marker_motion_step() are
// ready to be spread.
// squeeze, is_quick: as in GtHarmonicDef; report: may be NULL
GtResult gti_marked_body_factor(const GtContext* context, const GtiMarkedBody* body, float squeeze, bool is_quick,
                                GtHarmonic** out, GtHarmonicReport* report, GtError* error);

// From a mesh of the figure to the bind pose: the matrix of a joint that takes its vertices to their points.
GtMat34 gti_bind_from_mesh(const GtiShell* shell, int32_t mesh);

#endif
