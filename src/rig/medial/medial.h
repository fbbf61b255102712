// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Spheres that fill a body: inscribed, centred on its medial surface, the largest first.

#ifndef GERTIE_RIG_MEDIAL_MEDIAL_H
#define GERTIE_RIG_MEDIAL_MEDIAL_H

#include "geometry/solid.h"

typedef struct GtiSphere {
    GtVec3 center;
    float radius; // distance to the surface
} GtiSphere;

typedef struct GtiSpherePacking {
    GtiSphere* spheres;
    int32_t count;
    float spacing; // that centers keep apart even where parts are thin
} GtiSpherePacking;

// Most spheres that are asked for; what is made of them grows with the square.
enum {
    GTI_SPHERE_MOST = 384
};

// Pack spheres into the inside of the solid: no center lies within another sphere, and where parts are thinner than
// cells can tell, centers keep apart from each other all the same, the more so where there would be more than `limit`.
GtResult gti_medial_pack(const GtContext* context, const GtiSolid* solid, int32_t limit, GtArena* arena,
                         GtiSpherePacking* out, GtError* error);

#endif
