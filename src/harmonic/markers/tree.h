// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which marker takes the sign of its quaternion from which: a tree of neighbours along the surface.

#ifndef GERTIE_HARMONIC_MARKERS_TREE_H
#define GERTIE_HARMONIC_MARKERS_TREE_H

#include "harmonic/markers/islands.h"
#include "harmonic/markers/patches.h"

typedef struct GtiMarkerTree {
    int32_t* order;   // [marker_count] markers, parents before children; marker 0 first
    int32_t* parents; // [marker_count] or GT_NONE for marker 0
} GtiMarkerTree;

// The shortest tree whose edges are where patches meet and along ties; what it does not reach follows marker 0. False
// when memory ran out.
bool gti_marker_tree_make(const GtiTrimesh* mesh, const GtiLaplacian* laplacian, const GtiIslands* islands,
                          const GtiPatches* patches, int32_t marker_count, GtArena* arena, GtiMarkerTree* out);

#endif
