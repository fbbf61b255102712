// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From knots on spheres to joints in the middle of limbs.

#ifndef GERTIE_RIG_MEDIAL_REFINE_H
#define GERTIE_RIG_MEDIAL_REFINE_H

#include "rig/body/body.h"
#include "rig/medial/search.h"

typedef struct GtiRefineDef {
    const GtiRigBody* body;
    const GtiSolid* solid;
    const GtiSphereGraph* graph;
    const GtiMedialTree* tree;
    const int32_t* spheres; // [knot_count] where the knots are
} GtiRefineDef;

// Place all joints of `out`, a copy of `given`, but fixed ones, and all tips. False when memory ran out.
bool gti_refine(const GtiRefineDef* def, const GtiRigSkeleton* given, GtArena* scratch, GtiRigSkeleton* out);

#endif
