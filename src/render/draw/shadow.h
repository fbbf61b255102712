// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The shadow of the key light: on the floor, where the gloom right under what stands on it comes to it, and of figures
// on themselves and each other.

#ifndef GERTIE_RENDER_DRAW_SHADOW_H
#define GERTIE_RENDER_DRAW_SHADOW_H

#include "gertie/render.h"

enum {
    GTI_SHADOW_DRAFT = 256, // texels a side
    GTI_SHADOW_FINE = 384,
};

// Where a map of shadows lies: part of the floor seen from above, rows along +z, columns along +x.
typedef struct GtiShadowPlace {
    float floor_y;
    float low_x, low_z;     // its corner
    float width_m, depth_m; // along x and z
    float shear_x, shear_z; // how far the shadow falls for each metre of height
    float lift_m;           // how far off itself a surface looks for what is over it
    GtVec3 light;           // towards the light, unit
    float dark[4];          // the part of it where the floor is dark: from x and z to x and z, each 0 to 1
} GtiShadowPlace;

// Each texel holds how high above the floor the highest point is whose shadow falls on it. What the floor shows is half
// as fine, with soft edges.
typedef struct GtiShadow {
    GtiShadowPlace place;
    int32_t size;             // texels a side
    float texels_x, texels_z; // a metre
    float reach_m;            // height below which things make gloom
    bool is_empty;
    int64_t texels_left; // that may still be filled; then triangles darken their middles alone
    float heights[GTI_SHADOW_FINE * GTI_SHADOW_FINE];              // [size * size]
    uint8_t floor[GTI_SHADOW_FINE / 2 * GTI_SHADOW_FINE / 2][2];   // [size / 2 * size / 2] shadow, gloom: 255 for full
    uint8_t scratch[GTI_SHADOW_FINE / 2 * GTI_SHADOW_FINE / 2][2]; // private
} GtiShadow;

// Begin a map with nothing in it.
// @param size   GTI_SHADOW_DRAFT or GTI_SHADOW_FINE
// @param box    around all that will be added
// @param light  towards the light
void gti_shadow_begin(GtiShadow* shadow, int32_t size, const GtBounds* box, GtVec3 light, float floor_y);

// Add triangles, moved by `offset`.
void gti_shadow_add(GtiShadow* shadow, const GtVec3* positions, const uint32_t* indices, int32_t index_count,
                    GtVec3 offset);

// Make the floor of what has been added, with soft edges.
void gti_shadow_end(GtiShadow* shadow);

// How much of the light a point of a surface gets, 0 to 1.
float gti_shadow_light(const GtiShadow* shadow, GtVec3 point, GtVec3 normal);

#endif
