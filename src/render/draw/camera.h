// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cameras as matrices: 4x4, column by column, for column vectors, as OpenGL takes them.

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

#endif
