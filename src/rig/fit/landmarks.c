// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Level slices of the solid are split into connected regions; those that cross the middle are trunk and head. The neck
// is the slice whose region is smallest against the largest above and below it.

#include "rig/fit/landmarks.h"

#include "rig/body/crotch.h"

#include <math.h>
#include <string.h>

static const float middle = 0.012f;    // half the width that a region crosses to be one of the middle, heights
static const float least_trunk = 0.1f; // from crotch to neck, of what is above the crotch
static const float least_head = 0.08f; // heights
static const float neck_ratio = 1.25f; // of the areas of head and trunk to that of a neck, at least

typedef struct Region {
    float area;
    float low, high; // along x
} Region;

typedef struct Slice {
    float area; // of the largest region that crosses the middle, or 0
    float width;
} Slice;

static void flood(const GtiSolid* solid, int32_t y, int32_t start, bool* seen, int32_t* stack, Region* out)
{
    int32_t width = solid->counts[0];
    int32_t depth = solid->counts[2];
    int32_t count = 0;
    stack[count++] = start;
    seen[start] = true;
    *out = (Region){ .low = INFINITY, .high = -INFINITY };
    while (count > 0) {
        int32_t at = stack[--count];
        int32_t x = at % width;
        int32_t z = at / width;
        float place = solid->origin.x + solid->cell * (float)x;
        out->area += solid->cell * solid->cell;
        out->low = fminf(out->low, place);
        out->high = fmaxf(out->high, place);
        const int32_t next[4][2] = { { x - 1, z }, { x + 1, z }, { x, z - 1 }, { x, z + 1 } };
        for (int k = 0; k < 4; ++k) {
            int32_t nx = next[k][0];
            int32_t nz = next[k][1];
            if (nx < 0 || nz < 0 || nx >= width || nz >= depth) {
                continue;
            }
            int32_t i = nz * width + nx;
            if (!seen[i] && solid->distances[gti_solid_index(solid, nx, y, nz)] < 0.0f) {
                seen[i] = true;
                stack[count++] = i;
            }
        }
    }
}

static Slice look_at_slice(const GtiSolid* solid, int32_t y, bool* seen, int32_t* stack)
{
    int32_t width = solid->counts[0];
    int32_t cells = width * solid->counts[2];
    float low = 0.0f;
    float high = 0.0f;
    Slice slice = { 0 };
    memset(seen, 0, (size_t)cells * sizeof *seen);
    for (int32_t i = 0; i < cells; ++i) {
        Region region;
        if (seen[i] || solid->distances[gti_solid_index(solid, i % width, y, i / width)] >= 0.0f) {
            continue;
        }
        flood(solid, y, i, seen, stack, &region);
        low = fminf(low, region.low);
        high = fmaxf(high, region.high);
        if (region.low < -middle && region.high > middle) {
            slice.area = fmaxf(slice.area, region.area);
        }
    }
    slice.width = high - low;
    return slice;
}

static float height_of(const GtiSolid* solid, int32_t y)
{
    return solid->origin.y + solid->cell * (float)y;
}

static void find_neck(const GtiSolid* solid, const Slice* slices, GtiLandmarks* out)
{
    float low = out->crotch + least_trunk * (1.0f - out->crotch);
    float best = neck_ratio;
    for (int32_t y = 0; y < solid->counts[1]; ++y) {
        float height = height_of(solid, y);
        if (height < low || height > 1.0f - least_head || slices[y].area <= 0.0f) {
            continue;
        }
        float above = 0.0f;
        float below = 0.0f;
        for (int32_t k = 0; k < solid->counts[1]; ++k) {
            above = k > y ? fmaxf(above, slices[k].area) : above;
            below = k < y && height_of(solid, k) > out->crotch ? fmaxf(below, slices[k].area) : below;
        }
        float ratio = fminf(above, below) / slices[y].area;
        if (ratio > best) {
            best = ratio;
            out->neck = height;
        }
    }
}

bool gti_landmarks_find(const GtiSolid* solid, GtArena* scratch, GtiLandmarks* out)
{
    size_t cells = (size_t)solid->counts[0] * (size_t)solid->counts[2];
    bool* seen = gt_arena_push_array(scratch, cells, sizeof *seen);
    int32_t* stack = gt_arena_push_array(scratch, cells, sizeof *stack);
    Slice* slices = gt_arena_push_array(scratch, (size_t)solid->counts[1], sizeof *slices);
    *out = (GtiLandmarks){ 0 };
    if (!seen || !stack || !slices) {
        return false;
    }
    GtiCrotch crotch;
    gti_body_find_crotch(solid, NULL, &crotch);
    out->crotch = crotch.height;
    for (int32_t y = 0; y < solid->counts[1]; ++y) {
        slices[y] = look_at_slice(solid, y, seen, stack);
        out->reach = height_of(solid, y) > out->crotch ? fmaxf(out->reach, 0.5f * slices[y].width) : out->reach;
    }
    find_neck(solid, slices, out);
    float third = out->crotch + fmaxf(out->neck - out->crotch, 0.0f) / 3.0f;
    int32_t y = (int32_t)((third - solid->origin.y) / solid->cell);
    out->girth = y >= 0 && y < solid->counts[1] ? sqrtf(slices[y].area) : 0.0f;
    return true;
}
