// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which metaballs matter where. A metaball is listed in every cell that comes nearer to its bounding sphere than the
// farthest blend, planes in every cell that lists another metaball of their part. A cell lists them in the order in
// which they are applied.

#include "sample/layers.h"

#include <string.h>

enum {
    MAX_CELLS = 1 << 20
};

typedef struct Range {
    int32_t low[3], high[3];
} Range;

static Range cells_near(const GtiLayerIndex* index, GtVec3 center, float reach)
{
    const float at[3] = { center.x - index->low.x, center.y - index->low.y, center.z - index->low.z };
    Range range;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t low = (int32_t)floorf((at[axis] - reach) / index->cell);
        int32_t high = (int32_t)floorf((at[axis] + reach) / index->cell);
        range.low[axis] = low < 0 ? 0 : low;
        range.high[axis] = high >= index->counts[axis] ? index->counts[axis] - 1 : high;
    }
    return range;
}

static bool cell_is_near(const GtiLayerIndex* index, const int32_t at[3], GtVec3 center, float reach)
{
    const float c[3] = { center.x - index->low.x, center.y - index->low.y, center.z - index->low.z };
    float square = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float low = (float)at[axis] * index->cell;
        float away = fmaxf(fmaxf(low - c[axis], c[axis] - low - index->cell), 0.0f);
        square += away * away;
    }
    return square <= reach * reach;
}

// Go over the cells of all metaballs: count them into `first`, or write them into `balls`. `parts` remembers which
// parts a cell has, so that planes can follow.
static void visit_cells(GtiLayers* layers, float margin, uint32_t* parts, int32_t* cursors, bool write)
{
    GtiLayerIndex* index = &layers->index;
    for (int32_t i = 0; i < layers->count; ++i) {
        const GtiMetaball* ball = &layers->posed[i];
        bool plane = ball->op == GTI_LAYER_CLIP;
        float reach = plane ? 1e3f : layers->reaches[i] + margin;
        Range range = cells_near(index, layers->centers[i], reach);
        uint32_t bit = 1u << ball->part;
        int32_t at[3];
        for (at[2] = range.low[2]; at[2] <= range.high[2]; ++at[2]) {
            for (at[1] = range.low[1]; at[1] <= range.high[1]; ++at[1]) {
                for (at[0] = range.low[0]; at[0] <= range.high[0]; ++at[0]) {
                    int32_t cell = (at[2] * index->counts[1] + at[1]) * index->counts[0] + at[0];
                    bool wanted = plane ? (parts[cell] & bit) != 0 : cell_is_near(index, at, layers->centers[i], reach);
                    if (!wanted) {
                        continue;
                    }
                    parts[cell] |= bit;
                    if (write) {
                        index->balls[cursors[cell]++] = (uint16_t)i;
                    } else {
                        ++index->first[cell + 1];
                    }
                }
            }
        }
    }
}

bool gti_layers_index(GtiLayers* layers, GtArena* arena)
{
    GtVec3 low = layers->centers[0];
    GtVec3 high = low;
    float margin = 0.0f;
    for (int part = 0; part < GTI_PART_COUNT; ++part) {
        margin = fmaxf(margin, layers->anchor_blends[part]);
    }
    for (int32_t i = 0; i < layers->count; ++i) {
        float reach = layers->posed[i].op == GTI_LAYER_ADD ? layers->reaches[i] : 0.0f;
        GtVec3 c = layers->centers[i];
        margin = fmaxf(margin, layers->posed[i].blend);
        low = gt_vec3(fminf(low.x, c.x - reach), fminf(low.y, c.y - reach), fminf(low.z, c.z - reach));
        high = gt_vec3(fmaxf(high.x, c.x + reach), fmaxf(high.y, c.y + reach), fmaxf(high.z, c.z + reach));
    }
    GtVec3 pad = gt_vec3(margin, margin, margin);
    GtVec3 size = gt_vec3_add(gt_vec3_sub(high, low), gt_vec3_scale(pad, 2.0f));
    GtiLayerIndex* index = &layers->index;
    *index = (GtiLayerIndex){ .low = gt_vec3_sub(low, pad), .cell = fmaxf(fmaxf(size.x, size.y), size.z) / 96.0f };
    index->counts[0] = (int32_t)(size.x / index->cell) + 1;
    index->counts[1] = (int32_t)(size.y / index->cell) + 1;
    index->counts[2] = (int32_t)(size.z / index->cell) + 1;
    size_t cells = (size_t)index->counts[0] * (size_t)index->counts[1] * (size_t)index->counts[2];
    index->first = cells <= MAX_CELLS ? gt_arena_push_array(arena, cells + 1, sizeof *index->first) : NULL;
    uint32_t* parts = gt_arena_push_array(arena, cells, sizeof *parts);
    int32_t* cursors = gt_arena_push(arena, cells * sizeof *cursors);
    if (!index->first || !parts || !cursors) {
        return false;
    }
    visit_cells(layers, margin, parts, cursors, false);
    for (size_t i = 0; i < cells; ++i) {
        index->first[i + 1] += index->first[i];
    }
    index->balls = gt_arena_push(arena, (size_t)index->first[cells] * sizeof *index->balls);
    if (!index->balls) {
        return false;
    }
    memset(parts, 0, cells * sizeof *parts);
    for (size_t i = 0; i < cells; ++i) {
        cursors[i] = index->first[i];
    }
    visit_cells(layers, margin, parts, cursors, true);
    return true;
}
