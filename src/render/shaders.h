// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The shaders, as GLSL 3.30 without its version line. Lighting is done in linear light with y up; the last step turns
// it into sRGB.

#ifndef GERTIE_RENDER_SHADERS_H
#define GERTIE_RENDER_SHADERS_H

extern const char gti_surface_vertex[];   // meshes: position, normal, colour, texture coordinate
extern const char gti_surface_fragment[]; // key, fill and rim light, shadow, occlusion
extern const char gti_flat_fragment[];    // overlays: the colour as it is
extern const char gti_depth_fragment[];   // nothing but depth
extern const char gti_screen_vertex[];    // one triangle over the whole picture
extern const char gti_background_fragment[];
extern const char gti_ground_vertex[]; // a quad on the floor
extern const char gti_ground_fragment[];
extern const char gti_shadow_blob_fragment[]; // the draft's flat shadow
extern const char gti_occlusion_fragment[];   // ambient occlusion from depth
extern const char gti_blur_fragment[];

#endif
