// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which spheres of a body lead to which, and the shortest ways between all of them.

#ifndef GERTIE_RIG_MEDIAL_SPHERE_GRAPH_H
#define GERTIE_RIG_MEDIAL_SPHERE_GRAPH_H

#include "rig/medial/medial.h"

typedef struct GtiSphereGraph {
    const GtiSphere* spheres; // the packing's
    int32_t count;
    int32_t* starts; // [count + 1] into neighbours
    int32_t* neighbours;
    float* lengths;   // of the edges to the neighbours
    float* distances; // [count * count] along the shortest way, INFINITY where there is none
    int16_t* befores; // [count * count] sphere before `column` on the way from `row`; -1 at the row itself and where
                      // there is no way
    float* beyonds;   // [count * count] how much farther than the far side of `column` ways from `row` reach that lead
                      // through it or end near it
} GtiSphereGraph;

// Spheres that cut each other, or nearly, are linked where the straight line between them stays well inside. Parts that
// are apart (a robot's hand that floats before its arm) are linked where they come closest, if that is near; the last
// `pinned_count` spheres always are.
GtResult gti_sphere_graph_make(const GtContext* context, const GtiSolid* solid, const GtiSpherePacking* packing,
                               int32_t pinned_count, GtArena* arena, GtiSphereGraph* out, GtError* error);

#endif
