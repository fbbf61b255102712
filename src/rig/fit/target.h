// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the person is fitted to: points spread evenly over the skin of a body.

#ifndef GERTIE_RIG_FIT_TARGET_H
#define GERTIE_RIG_FIT_TARGET_H

#include "geometry/solid.h"
#include "rig/body/body.h"

typedef struct GtiFitTarget {
    GtVec3* points; // any first part of them is spread evenly, too
    GtVec3* normals;
    int32_t count;
} GtiFitTarget;

// At most `count` points; fewer where parts of the surface are inside the body. false when memory ran out.
bool gti_target_sample(const GtiRigBody* body, const GtiSolid* solid, int32_t count, GtArena* arena, GtiFitTarget* out);

#endif
