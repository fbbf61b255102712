// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A small shape at each of some joints: its axes, or a light.

#ifndef GERTIE_RENDER_OVERLAY_MARKER_H
#define GERTIE_RENDER_OVERLAY_MARKER_H

#include "gertie/transform.h"
#include "render/picture/shape.h"

typedef enum GtiMarkerKind {
    GTI_MARKER_AXES,  // x red, y green, z blue
    GTI_MARKER_LIGHT, // a white ball
} GtiMarkerKind;

typedef struct GtiMarkers {
    GtiPaintedShape shape;
    GtiMarkerKind kind;
    int32_t count;
    const int32_t* nodes; // [count]
    const float* sizes_m; // [count] length of an axis, radius of a light
} GtiMarkers;

// Lay out markers; both arrays are the caller's and stay. False when memory ran out.
bool gti_markers_create(GtArena* arena, GtiMarkerKind kind, const int32_t* nodes, const float* sizes_m, int32_t count,
                        GtiMarkers* out);
void gti_markers_pose(GtiMarkers* markers, const GtMat34* model_from_node);

#endif
