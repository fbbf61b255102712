// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which sphere of a body each knot of a skeleton goes to.

#ifndef GERTIE_RIG_MEDIAL_SEARCH_H
#define GERTIE_RIG_MEDIAL_SEARCH_H

#include "rig/medial/sphere_graph.h"
#include "rig/medial/tree.h"

typedef struct GtiSearchDef {
    const GtiSphereGraph* graph;
    const GtiMedialTree* tree;
    const int32_t* pins; // [knot_count] the sphere of a pinned knot, or GT_NONE
    float symmetry;      // of the body, 0 to 1
} GtiSearchDef;

typedef struct GtiSearchResult {
    int32_t spheres[GTI_KNOT_MOST]; // of each knot
    float cost;          // a mean over the knots: about 0.1 where the skeleton fits well, 1 where it does not
    int32_t visit_count; // choices that were looked at
    bool is_best;        // no other choice is cheaper; false where the search was cut short
} GtiSearchResult;

// Branch and bound. GT_ERROR_BAD_VALUE where the graph is too small to hold the tree.
GtResult gti_search(const GtContext* context, const GtiSearchDef* def, GtiSearchResult* out, GtError* error);

#endif
