// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The programs that run on the graphics card, and where their uniforms are.

#ifndef GERTIE_RENDER_DRAW_PROGRAM_H
#define GERTIE_RENDER_DRAW_PROGRAM_H

#include "gertie/render.h"
#include "render/draw/gl.h"

// Texture units.
enum {
    GTI_UNIT_BASE = 0,
    GTI_UNIT_SHADOW = 1,
};

// Uniforms that a program does not have are at -1, where setting them does nothing.
typedef struct GtiProgram {
    GLuint id;
    GLint clip_from_world, offset, eye, key, fill, rim, base_color, alpha_cutoff, has_texture, has_normals, has_shadow;
    GLint shadow_place, shadow_fall, center, radius, grid_step, floor_color, line_color, top, bottom, double_sided;
    GLint scale, least_alpha;
} GtiProgram;

typedef struct GtiPrograms {
    GtiProgram surface, dense, dense_both, paint, flat, background, ground, floor, copy;
} GtiPrograms;

GtResult gti_programs_create(GtiGl* gl, GtiPrograms* out, GtError* error);

void gti_set_vec3(GtiGl* gl, GLint at, GtVec3 v);
void gti_set_color(GtiGl* gl, GLint at, const float color[4]);

#endif
