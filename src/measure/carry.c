// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Steps and boxes under a figure that a motion was carried over to: nothing says how high they are there but the soles
// that stand on them, so each is as high as the middle one of all that do.

#include "measure/ground.h"

#include <math.h>
#include <stdlib.h>

// A sole that stands on something.
typedef struct Standing {
    float level; // as the source has it
    float height;
} Standing;

static int compare_standings(const void* a, const void* b)
{
    const Standing* x = a;
    const Standing* y = b;
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level)
                                : (x->height > y->height) - (x->height < y->height);
}

static int32_t collect(const GtiPath* path, const uint8_t* bits, double floor_m, const float* levels, Standing* out)
{
    int32_t count = 0;
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int32_t f = 0; f < path->frame_count; ++f) {
            float level = levels[(size_t)side * (size_t)path->frame_count + (size_t)f];
            if (level != 0.0f && bits[f] >> 2 * side & 3u) {
                out[count++] = (Standing){ level, path->soles[side][f] - (float)floor_m };
            }
        }
    }
    return count;
}

// The middle height of each level, first come first; returns how many there are.
static int32_t find_middles(Standing* standings, int32_t count)
{
    int32_t found = 0;
    for (int32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && standings[end].level == standings[i].level; ++end) {
        }
        standings[found++] = standings[i + (end - i) / 2];
    }
    return found;
}

static float height_of(const Standing* middles, int32_t count, float level)
{
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (middles[middle].level < level) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && middles[low].level == level ? middles[low].height : 0.0f;
}

// The lower of what is before and after frames in which a foot stands on nothing.
static void fill_flights(const uint8_t* bits, int side, int32_t count, float* levels)
{
    unsigned both = 3u << 2 * side;
    for (int32_t f = 0, end; f < count; f = end) {
        end = f + 1;
        if (bits[f] & both) {
            continue;
        }
        while (end < count && !(bits[end] & both)) {
            ++end;
        }
        float before = f > 0 ? levels[f - 1] : 0.0f;
        float after = end < count ? levels[end] : 0.0f;
        float lower = f == 0 ? after : end == count ? before : fminf(before, after);
        for (int32_t k = f; k < end; ++k) {
            levels[k] = lower;
        }
    }
}

GtResult gti_carry_levels(GtArena* scratch, const GtiPath* path, const uint8_t* bits, double floor_m, float* levels,
                          GtError* error)
{
    size_t count = (size_t)path->frame_count;
    Standing* standings = gt_arena_push_array(scratch, GTI_SIDE_COUNT * count, sizeof *standings);
    if (!standings) {
        return gti_out_of_memory(error);
    }
    int32_t middle_count = collect(path, bits, floor_m, levels, standings);
    qsort(standings, (size_t)middle_count, sizeof *standings, compare_standings);
    middle_count = find_middles(standings, middle_count);
    for (size_t k = 0; k < GTI_SIDE_COUNT * count; ++k) {
        levels[k] = levels[k] != 0.0f ? height_of(standings, middle_count, levels[k]) : 0.0f;
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        fill_flights(bits, side, path->frame_count, levels + (size_t)side * count);
    }
    return GT_OK;
}
