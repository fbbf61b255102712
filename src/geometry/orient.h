// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles that wind in one way, outwards.

#ifndef GERTIE_GEOMETRY_ORIENT_H
#define GERTIE_GEOMETRY_ORIENT_H

#include "geometry/edges.h"

// Turn triangles round until neighbours over edges of two wind alike, and each patch of such neighbours outwards: a
// closed one by the volume it encloses; an open one by the volume towards its own middle, or, where it is too flat to
// tell, as most of its area was. A band with one side only keeps a seam. No triangle uses a vertex twice.
// Edges stay valid for the mesh as sets; their half-edges do not, because corners change places.
// turned_count receives how many triangles were turned. false when memory ran out.
bool gti_orient(GtiTrimesh* mesh, const GtiEdges* edges, GtAllocator allocator, int32_t* turned_count);

#endif
