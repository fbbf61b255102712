// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The shaders, as GLSL 3.30 without its version line. Lighting is done in linear light with y up; the last step turns
// it into sRGB.

#ifndef GERTIE_RENDER_DRAW_SHADERS_H
#define GERTIE_RENDER_DRAW_SHADERS_H

extern const char gti_surface_vertex[];   // meshes: position, normal, colour, texture coordinate, open sky
extern const char gti_surface_fragment[]; // key, fill and rim light, shadow
extern const char gti_dense_vertex[];     // the same light for each vertex
extern const char gti_dense_fragment[];
extern const char gti_dense_both_fragment[]; // of surfaces with two sides
extern const char gti_paint_fragment[];      // colours that stand for numbers
extern const char gti_flat_fragment[];       // overlays: the colour as it is
extern const char gti_depth_vertex[];        // meshes, position alone
extern const char gti_depth_fragment[];      // nothing but depth
extern const char gti_screen_vertex[];       // one triangle over the whole picture
extern const char gti_background_fragment[];
extern const char gti_ground_vertex[]; // a quad on the floor
extern const char gti_ground_fragment[];
extern const char gti_floor_vertex[]; // a quad on the floor, where shadows fall
extern const char gti_floor_fragment[];
extern const char gti_copy_fragment[]; // another picture, or one as large

#endif
