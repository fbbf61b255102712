// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cameras as matrices: 4x4, column by column, for column vectors, as OpenGL takes them; and what part of a picture
// things cover.

#ifndef GERTIE_RENDER_DRAW_CAMERA_H
#define GERTIE_RENDER_DRAW_CAMERA_H

#include "gertie/render.h"

typedef struct GtiMat44 {
    float m[16];
} GtiMat44;

// Apply `b` first, then `a`.
GtiMat44 gti_mat44_mul(const GtiMat44* a, const GtiMat44* b);

// View space looks along -z, with y up.
GtiMat44 gti_view_from_world(const GtCameraView* camera);
GtiMat44 gti_clip_from_view(const GtCameraView* camera, float aspect);

// Pixels from the top left corner, beyond the edges of the picture too.
typedef struct GtiExtent {
    float left, right, top, bottom; // left > right where there is nothing
    bool passes_eye;                // some of it is behind the eye: it can be anywhere
} GtiExtent;

GtiExtent gti_extent_of_nothing(void);

// Grow an extent by points of the world that are moved by `offset`; those that are no numbers do not count.
void gti_extent_grow(GtiExtent* extent, const GtCameraView* camera, int32_t width, int32_t height, const GtVec3* points,
                     int32_t count, GtVec3 offset);

#endif
