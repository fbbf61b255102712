// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Well-shaped triangles of wanted sizes on the zero level of a field.

#ifndef GERTIE_GEOMETRY_REMESH_H
#define GERTIE_GEOMETRY_REMESH_H

#include "gertie/executor.h"

#include "geometry/field.h"
#include "geometry/trimesh.h"

// The functions are pure, and any thread may call them.
typedef struct GtiRemeshDef {
    GtiField field;
    const void* user;
    float (*size)(const void* user, GtVec3 p);    // length of edges at a point, relative to other points
    uint8_t (*label)(const void* user, GtVec3 p); // which region a point is in; or NULL for one region
    int32_t triangle_count;                       // wanted
    float tolerance;                              // how far from the zero level a vertex may lie
    const GtExecutor* executor;
} GtiRemeshDef;

// Remesh in place. `mesh` is a manifold near the zero level; where it has a boundary, that lies in the plane x = 0 and
// stays there, the rest in x > 0. Regions meet along edges. The number of triangles is met within about 1 %, unless the
// shape needs more.
// labels receives the region of every triangle. false when memory ran out.
bool gti_remesh(const GtiRemeshDef* def, GtArena* arena, GtiTrimesh* mesh, uint8_t** labels);

// Let vertices glide to better places on the zero level, with the triangles as they are. Vertices for which `fixed` is
// not 0 stay. `labels` may be NULL. false when memory ran out.
bool gti_relax(const GtiRemeshDef* def, int rounds, const uint8_t* fixed, const uint8_t* labels, GtAllocator allocator,
               GtiTrimesh* mesh);

// Bring the triangles onto the zero level, on average, where vertices on it leave them more than `tolerance` off: the
// mesh then encloses what the field does, however coarse it is. `moved` tells whether anything had to be done. false
// when memory ran out.
bool gti_fit(const GtiRemeshDef* def, double tolerance, GtAllocator allocator, GtiTrimesh* mesh, bool* moved);

// Pull the vertices of triangles that cut others to the middle of their neighbours, off the field where need be, until
// none does or twenty rounds are over. Coarse triangles over fine folds are where that happens. A boundary stays in the
// plane x = 0. false when memory ran out.
bool gti_untangle(GtAllocator allocator, GtiTrimesh* mesh);

#endif
