// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies made of tubes with round ends, whose distances are a formula and whose middle lines are known.

#ifndef GERTIE_TESTS_RIG_TUBES_H
#define GERTIE_TESTS_RIG_TUBES_H

#include "geometry/solid.h"

#include "support/test.h"

typedef struct Tube {
    GtVec3 a, b;
    float radius;
} Tube;

static inline float tube_distance(const Tube* t, GtVec3 p)
{
    GtVec3 along = gt_vec3_sub(t->b, t->a);
    GtVec3 off = gt_vec3_sub(p, t->a);
    float square = gt_vec3_dot(along, along);
    float share = square > 0.0f ? fminf(fmaxf(gt_vec3_dot(off, along) / square, 0.0f), 1.0f) : 0.0f;
    return gt_vec3_length(gt_vec3_sub(off, gt_vec3_scale(along, share))) - t->radius;
}

static inline float tubes_distance(const Tube* tubes, int count, GtVec3 p)
{
    float least = INFINITY;
    for (int i = 0; i < count; ++i) {
        least = fminf(least, tube_distance(&tubes[i], p));
    }
    return least;
}

// The union of the tubes on a grid that holds it with two cells to spare. Inside, near where tubes join, distances are
// less than those to the surface, as they are to the nearest wall of a tube.
static inline GtiSolid make_tubes(const Tube* tubes, int count, float cell, GtArena* arena)
{
    GtVec3 low = tubes[0].a;
    GtVec3 high = tubes[0].a;
    for (int i = 0; i < 2 * count; ++i) {
        GtVec3 p = i & 1 ? tubes[i / 2].b : tubes[i / 2].a;
        float r = tubes[i / 2].radius + 2.0f * cell;
        low = gt_vec3(fminf(low.x, p.x - r), fminf(low.y, p.y - r), fminf(low.z, p.z - r));
        high = gt_vec3(fmaxf(high.x, p.x + r), fmaxf(high.y, p.y + r), fmaxf(high.z, p.z + r));
    }
    GtiSolid solid = { .origin = low, .cell = cell };
    solid.counts[0] = (int32_t)ceilf((high.x - low.x) / cell) + 1;
    solid.counts[1] = (int32_t)ceilf((high.y - low.y) / cell) + 1;
    solid.counts[2] = (int32_t)ceilf((high.z - low.z) / cell) + 1;
    size_t cells = (size_t)solid.counts[0] * (size_t)solid.counts[1] * (size_t)solid.counts[2];
    solid.distances = gt_arena_push_array(arena, cells, sizeof *solid.distances);
    assert_non_null(solid.distances);
    for (int32_t z = 0; z < solid.counts[2]; ++z) {
        for (int32_t y = 0; y < solid.counts[1]; ++y) {
            for (int32_t x = 0; x < solid.counts[0]; ++x) {
                GtVec3 p = gti_solid_centre(&solid, x, y, z);
                solid.distances[gti_solid_index(&solid, x, y, z)] = tubes_distance(tubes, count, p);
            }
        }
    }
    return solid;
}

#endif
