// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which metaballs matter where. A metaball is listed in every cell in which its value may be less than the distance
// over which it blends; planes in every cell that lists another metaball of their part. The value is at least (k0 - 1)
// r, with r its smallest radius, and k0 changes by no more than 1 / r a metre: both hold everywhere, so that leaving a
// metaball out of a cell never moves the skin. A cell lists them in the order in which they are applied.

#include "person/layers.h"

#include "base/bounds.h"

#include <string.h>

enum {
    MAX_CELLS = 1 << 20
};

typedef struct Range {
    int32_t low[3], high[3];
} Range;

// What a metaball needs to be told from far cells.
typedef struct Bound {
    GtVec3 center;
    GtVec3 size;        // half the size of a box around it
    float inv_radii[2]; // of its widest cross-section
    float inv_cap;      // of the longer cap
    float radius;       // the smallest, between its ends
    float end_radius;   // the smallest, beyond them
    float reach;        // beyond its surface
    float half_length;
} Bound;

// How far from its own surface a part is wanted: where it joins the parts beside it, and a little for weights.
static float part_reach(const GtiLayers* layers, int32_t part)
{
    float most = 0.0f;
    float reach = 0.0f;
    for (int32_t i = 0; i < GTI_PART_COUNT; ++i) {
        most = fmaxf(most, layers->anchor_blends[i]);
        if (i == part || gti_part_parent((GtiLayerPart)i) == part) {
            reach = fmaxf(reach, layers->anchor_blends[i]);
        }
    }
    return fmaxf(reach, most / 3.0f);
}

static Bound bound_of(const GtiMetaball* ball, float part)
{
    Bound bound = { .center = gt_vec3_lerp(ball->a, ball->b, 0.5f),
                    .reach = fmaxf(part, ball->blend),
                    .half_length = 0.5f * ball->length };
    float u = fmaxf(ball->radii_a[0], ball->radii_b[0]);
    float v = fmaxf(ball->radii_a[1], ball->radii_b[1]);
    float w = fmaxf(ball->caps[0], ball->caps[1]);
    float narrow = fminf(fminf(ball->radii_a[0], ball->radii_b[0]), fminf(ball->radii_a[1], ball->radii_b[1]));
    bound.inv_radii[0] = 1.0f / u;
    bound.inv_radii[1] = 1.0f / v;
    bound.inv_cap = 1.0f / w;
    bound.radius = narrow;
    bound.end_radius = fminf(narrow, fminf(ball->caps[0], ball->caps[1]));
    float grow = 1.0f + bound.reach / bound.end_radius;
    u *= grow;
    v *= grow;
    w = w * grow + bound.half_length;
    const GtVec3 e[3] = { ball->across, ball->third, ball->axis };
    bound.size = gt_vec3(u * fabsf(e[0].x) + v * fabsf(e[1].x) + w * fabsf(e[2].x),
                         u * fabsf(e[0].y) + v * fabsf(e[1].y) + w * fabsf(e[2].y),
                         u * fabsf(e[0].z) + v * fabsf(e[1].z) + w * fabsf(e[2].z));
    return bound;
}

static Range cells_near(const GtiLayerIndex* index, const Bound* bound)
{
    GtVec3 c = gt_vec3_sub(bound->center, index->low);
    const float lows[3] = { c.x - bound->size.x, c.y - bound->size.y, c.z - bound->size.z };
    const float highs[3] = { c.x + bound->size.x, c.y + bound->size.y, c.z + bound->size.z };
    Range range;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t low = (int32_t)floorf(lows[axis] / index->cell);
        int32_t high = (int32_t)floorf(highs[axis] / index->cell);
        range.low[axis] = low < 0 ? 0 : low;
        range.high[axis] = high >= index->counts[axis] ? index->counts[axis] - 1 : high;
    }
    return range;
}

// Whether the metaball may matter within half a cell's diagonal of a point.
static bool matters_near(const GtiMetaball* ball, const Bound* bound, GtVec3 p, float half_diagonal)
{
    GtVec3 d = gt_vec3_sub(p, bound->center);
    float beyond = fabsf(gt_vec3_dot(d, ball->axis)) - bound->half_length;
    float w = fmaxf(beyond, 0.0f) * bound->inv_cap;
    float u = gt_vec3_dot(d, ball->across) * bound->inv_radii[0];
    float v = gt_vec3_dot(d, ball->third) * bound->inv_radii[1];
    float k0 = 1.0f + (bound->reach + half_diagonal) / (beyond > -half_diagonal ? bound->end_radius : bound->radius);
    return u * u + v * v + w * w <= k0 * k0;
}

// Cells of one metaball, those of a plane from what `parts` says each cell has. How many.
static int32_t list_cells(const GtiLayers* layers, const GtiMetaball* ball, const Bound* bound, uint32_t* parts,
                          int32_t* cells)
{
    const GtiLayerIndex* index = &layers->index;
    bool plane = ball->op == GTI_LAYER_CLIP;
    Range range = { { 0, 0, 0 }, { index->counts[0] - 1, index->counts[1] - 1, index->counts[2] - 1 } };
    if (!plane) {
        range = cells_near(index, bound);
    }
    float half_diagonal = 0.8661f * index->cell;
    uint32_t bit = 1u << ball->part;
    int32_t count = 0;
    for (int32_t z = range.low[2]; z <= range.high[2]; ++z) {
        for (int32_t y = range.low[1]; y <= range.high[1]; ++y) {
            for (int32_t x = range.low[0]; x <= range.high[0]; ++x) {
                int32_t cell = (z * index->counts[1] + y) * index->counts[0] + x;
                GtVec3 middle = gt_vec3((float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f);
                GtVec3 p = gt_vec3_add(index->low, gt_vec3_scale(middle, index->cell));
                if (plane ? (parts[cell] & bit) != 0 : matters_near(ball, bound, p, half_diagonal)) {
                    parts[cell] |= bit;
                    cells[count++] = cell;
                }
            }
        }
    }
    return count;
}

// Cells over all metaballs, and over as much around them as the farthest blend.
static void choose_cells(GtiLayerIndex* index, const GtiLayers* layers, const Bound* bounds, int32_t cells)
{
    GtBounds all = { layers->posed[0].a, layers->posed[0].a };
    float most = 0.0f;
    for (int32_t i = 0; i < layers->count; ++i) {
        const GtiMetaball* ball = &layers->posed[i];
        if (ball->op != GTI_LAYER_ADD) {
            continue;
        }
        float r = bounds[i].half_length +
                  fmaxf(fmaxf(1.0f / bounds[i].inv_radii[0], 1.0f / bounds[i].inv_radii[1]), 1.0f / bounds[i].inv_cap);
        gti_bounds_add(&all, gt_vec3_sub(bounds[i].center, gt_vec3(r, r, r)));
        gti_bounds_add(&all, gt_vec3_add(bounds[i].center, gt_vec3(r, r, r)));
        most = fmaxf(most, bounds[i].reach);
    }
    GtVec3 low = gt_vec3_sub(all.low, gt_vec3(most, most, most));
    GtVec3 size = gt_vec3_add(gt_vec3_sub(all.high, low), gt_vec3(most, most, most));
    *index = (GtiLayerIndex){ .low = low, .cell = fmaxf(fmaxf(size.x, size.y), size.z) / (float)cells };
    index->counts[0] = (int32_t)(size.x / index->cell) + 1;
    index->counts[1] = (int32_t)(size.y / index->cell) + 1;
    index->counts[2] = (int32_t)(size.z / index->cell) + 1;
}

static bool build(GtiLayers* layers, int32_t cells_along, GtArena* arena, GtArena* scratch)
{
    Bound bounds[GTI_MAX_METABALLS];
    int32_t counts[GTI_MAX_METABALLS];
    int32_t* listed[GTI_MAX_METABALLS];
    for (int32_t i = 0; i < layers->count; ++i) {
        bounds[i] = bound_of(&layers->posed[i], part_reach(layers, layers->posed[i].part));
    }
    GtiLayerIndex* index = &layers->index;
    choose_cells(index, layers, bounds, cells_along);
    size_t cells = (size_t)index->counts[0] * (size_t)index->counts[1] * (size_t)index->counts[2];
    index->first = cells <= MAX_CELLS ? gt_arena_push_array(arena, cells + 1, sizeof *index->first) : NULL;
    uint32_t* parts = gt_arena_push_array(scratch, cells, sizeof *parts);
    int32_t* cursors = gt_arena_push(scratch, cells * sizeof *cursors);
    int32_t* found = gt_arena_push(scratch, cells * sizeof *found);
    if (!index->first || !parts || !cursors || !found) {
        return false;
    }
    for (int32_t i = 0; i < layers->count; ++i) {
        counts[i] = list_cells(layers, &layers->posed[i], &bounds[i], parts, found);
        listed[i] = gt_arena_push(scratch, (size_t)counts[i] * sizeof *found);
        if (!listed[i]) {
            return false;
        }
        memcpy(listed[i], found, (size_t)counts[i] * sizeof *found);
        for (int32_t k = 0; k < counts[i]; ++k) {
            ++index->first[found[k] + 1];
        }
    }
    for (size_t i = 0; i < cells; ++i) {
        index->first[i + 1] += index->first[i];
        cursors[i] = index->first[i];
    }
    index->balls = gt_arena_push(arena, (size_t)index->first[cells] * sizeof *index->balls);
    for (int32_t i = 0; i < layers->count && index->balls; ++i) {
        for (int32_t k = 0; k < counts[i]; ++k) {
            index->balls[cursors[listed[i][k]]++] = (uint16_t)i;
        }
    }
    return index->balls != NULL;
}

bool gti_layers_index(GtiLayers* layers, int32_t cells, GtArena* arena)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    bool ok = build(layers, cells, arena, &scratch);
    gt_arena_destroy(&scratch);
    return ok;
}
