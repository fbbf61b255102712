// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is drawn into.

#ifndef GERTIE_RENDER_DRAW_TARGET_H
#define GERTIE_RENDER_DRAW_TARGET_H

#include "render/draw/gl.h"

// Pixels from (x, y) on, counted as OpenGL does, from the bottom left.
typedef struct GtiRect {
    int32_t x, y, width, height;
} GtiRect;

// Colour and depth of one picture. Where edges are to be smooth it is drawn larger or with several samples a pixel, and
// read from another buffer.
typedef struct GtiDrawTarget {
    GLuint frame;
    GLuint resolved; // the frame itself where it is as large
} GtiDrawTarget;

// @param scale    pixels drawn a pixel, each way
// @param samples  of each, or 0
GtiDrawTarget gti_target_create(GtiGl* gl, int32_t width, int32_t height, int32_t scale, int32_t samples);

// A texture to draw into, without depth.
void gti_target_texture(GtiGl* gl, int32_t width, int32_t height, GLuint* frame, GLuint* texture);

// Whether a target can be drawn into.
bool gti_target_is_complete(GtiGl* gl, const GtiDrawTarget* target);

GLuint gti_texture_create_empty(GtiGl* gl, GLint format, GLenum layout, GLenum type, int32_t width, int32_t height,
                                GLint filter);

#endif
