// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which joints the points of a body follow, and how much.

#ifndef GERTIE_RIG_WEIGH_WEIGHTS_H
#define GERTIE_RIG_WEIGH_WEIGHTS_H

#include "gertie/context.h"
#include "gertie/rig.h"

#include "geometry/solid.h"
#include "rig/body/body.h"
#include "rig/skeleton.h"

typedef struct GtiWeights {
    int32_t influences;       // of each point
    uint16_t* joints;         // [point_count * influences] of the skeleton; 0 where the weight is
    float* weights;           // likewise; descending, at least one, sum 1
    float pruned_weight;      // the most that a point lost by the limit of influences
    float pruned_distance;    // most that a point moves by that where joints bend by up to 40 degrees, in heights
    int32_t heat_piece_count; // pieces of the surface by how they were weighed
    int32_t voxel_piece_count;
    int32_t rigid_piece_count; // islands, and the parts of a machine
} GtiWeights;

// Weigh every point. Arrays are the arena's. Does not depend on the number of threads.
// @param body        of at least one triangle
// @param solid       of its skin
// @param skeleton    1 to 65,535 joints
// @param influences  1 to 16
GtResult gti_weights_make(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                          const GtiRigSkeleton* skeleton, GtRigWeights method, int32_t influences, GtArena* arena,
                          GtiWeights* out, GtError* error);

#endif
