// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bentley (1975), axes in turn. Ranges are searched with a stack of their own: halving bounds its depth.

#include "rig/weigh/near.h"

#include "geometry/select.h"

#include <math.h>

enum {
    STACK_SIZE = 64
};

typedef struct Range {
    int32_t first, end;
    int axis;
    float beyond; // squared distance to the plane that parts it from where the search came from
} Range;

bool gti_near_tree_make(const GtVec3* points, int32_t count, GtArena* arena, GtiNearTree* out)
{
    *out = (GtiNearTree){ points, gt_arena_push_array(arena, (size_t)count, sizeof *out->order), count };
    if (!out->order) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        out->order[i] = i;
    }
    Range stack[STACK_SIZE] = { { 0, count, 0, 0.0f } };
    for (int depth = 1; depth > 0;) {
        Range range = stack[--depth];
        if (range.end - range.first < 2) {
            continue;
        }
        int32_t middle = range.first + (range.end - range.first) / 2;
        gti_select_middle(points, out->order, range.first, range.end, middle, range.axis);
        int axis = (range.axis + 1) % 3;
        stack[depth++] = (Range){ range.first, middle, axis, 0.0f };
        stack[depth++] = (Range){ middle + 1, range.end, axis, 0.0f };
    }
    return true;
}

int32_t gti_near_tree_find(const GtiNearTree* tree, GtVec3 p, float* distance)
{
    int32_t best = GT_NONE;
    float least = INFINITY;
    Range stack[STACK_SIZE] = { { 0, tree->count, 0, 0.0f } };
    for (int depth = 1; depth > 0;) {
        Range range = stack[--depth];
        if (range.first >= range.end || range.beyond >= least) {
            continue;
        }
        int32_t middle = range.first + (range.end - range.first) / 2;
        int32_t at = tree->order[middle];
        GtVec3 from = gt_vec3_sub(p, tree->points[at]);
        float square = gt_vec3_dot(from, from);
        if (square < least) {
            least = square;
            best = at;
        }
        float side = gti_coordinate(from, range.axis);
        int axis = (range.axis + 1) % 3;
        Range lower = { range.first, middle, axis, side > 0.0f ? side * side : 0.0f };
        Range higher = { middle + 1, range.end, axis, side > 0.0f ? 0.0f : side * side };
        stack[depth++] = side > 0.0f ? lower : higher;
        stack[depth++] = side > 0.0f ? higher : lower;
    }
    if (distance) {
        *distance = sqrtf(least);
    }
    return best;
}
