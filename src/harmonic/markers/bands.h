// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The loop in which a plane cuts a surface, as the triangles that it goes through: what a marker that closes round a
// limb starts from.

#ifndef GERTIE_HARMONIC_MARKERS_BANDS_H
#define GERTIE_HARMONIC_MARKERS_BANDS_H

#include "base/quat_double.h"
#include "geometry/trimesh.h"

// Triangles by corner.
typedef struct GtiFans {
    int32_t* starts;    // [vertex_count + 1]
    int32_t* triangles; // [3 * triangle_count]
} GtiFans;

// False when memory ran out.
bool gti_fans_make(const GtiTrimesh* mesh, GtArena* arena, GtiFans* out);

typedef struct GtiBand {
    int32_t* triangles; // [count] that hang together by edges which the plane crosses; the first is where it starts
    int32_t count;
    bool is_closed; // meets no border of the surface
} GtiBand;

// The loop through a triangle, of the plane through a place normal to `normal`. Where the plane does not cut the
// triangle, that is all there is. `marks` [triangle_count] all 0 before and after. False when memory ran out.
bool gti_band_trace(const GtiTrimesh* mesh, const GtiFans* fans, int32_t triangle, GtiVec place, GtiVec normal,
                    uint8_t* marks, GtArena* arena, GtiBand* out);

// The ends of the segment in which the plane cuts a triangle; false where it does not.
bool gti_band_cut(const GtiTrimesh* mesh, int32_t triangle, GtiVec place, GtiVec normal, GtiVec ends[2]);

#endif
