// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Rings: where rays in a plane across a bone meet the surface.

#ifndef GERTIE_HARMONIC_MARKERS_RINGS_H
#define GERTIE_HARMONIC_MARKERS_RINGS_H

#include "harmonic/markers/bone_tree.h"

enum {
    GTI_MAX_RING = 64
};

// Of all area; smaller pieces of a surface go with what they are near to.
#define GTI_LARGE_PIECE 0.01

// A place that a ray met.
typedef struct GtiHit {
    int32_t triangle;
    GtVec3 place;
    float distance_m;
} GtiHit;

// Rays from `center`, evenly around `axis`: the first place where each leaves each large piece of the surface, provided
// that the bone, or one that it hangs together with, moves the surface there. Places that are much further off than
// most are left out.
// hits: [count of rays * GTI_RING_LAYERS]; the number of them is returned
enum {
    GTI_RING_LAYERS = 4
};
int32_t gti_ring_cast(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, GtVec3 center, GtVec3 axis,
                      int32_t ray_count, GtiHit* hits);

// One ray; false where it meets nothing.
bool gti_ray_cast(const GtiShell* shell, const GtiBoneTree* bones, int32_t bone, GtVec3 from, GtVec3 direction,
                  GtiHit* hit);

// Median distance of some hits; 0 for none.
float gti_hits_radius(const GtiHit* hits, int32_t count);

#endif
