// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/repeats.h"

#include "base/hash.h"

#include <string.h>

enum {
    TRIANGLES_A_VERTEX = 8 // a closed surface has two
};

// The corners, lowest first, which keeps the side that is front.
static void turn_to_lowest(const uint32_t* from, uint32_t to[3])
{
    int lowest = from[0] <= from[1] && from[0] <= from[2] ? 0 : from[1] <= from[2] ? 1 : 2;
    for (int k = 0; k < 3; ++k) {
        to[k] = from[(lowest + k) % 3];
    }
}

// table: [1 << bits] triangles kept so far, counted from 1
static bool is_new(const uint32_t* kept, uint32_t* table, uint32_t bits, uint32_t count)
{
    const uint32_t* added = kept + 3 * (size_t)count;
    uint64_t hash = gti_hash_mix(gti_hash_mix(gti_hash_mix(0, added[0]), added[1]), added[2]);
    uint32_t slot = gti_hash_slot(hash, bits);
    while (table[slot]) {
        if (memcmp(kept + 3 * (size_t)(table[slot] - 1), added, 3 * sizeof *added) == 0) {
            return false;
        }
        slot = (slot + 1) & ((1u << bits) - 1);
    }
    table[slot] = count + 1;
    return true;
}

bool gti_drop_repeats(GtArena* arena, int32_t vertex_count, const uint32_t** indices, int32_t* index_count)
{
    int32_t triangle_count = *index_count / 3;
    if (triangle_count / TRIANGLES_A_VERTEX < vertex_count) {
        return true;
    }
    uint32_t bits = 4;
    while (bits < 31 && (int64_t)1 << bits < 2 * (int64_t)triangle_count) {
        ++bits;
    }
    uint32_t* kept = gt_arena_push_array(arena, 3 * (size_t)triangle_count, sizeof *kept);
    GtArena scratch = gt_arena_create(arena->allocator);
    uint32_t* table = gt_arena_push_array(&scratch, (size_t)1 << bits, sizeof *table);
    uint32_t count = 0;
    for (int32_t t = 0; kept && table && t < triangle_count; ++t) {
        uint32_t* corners = kept + 3 * (size_t)count;
        turn_to_lowest(*indices + 3 * (size_t)t, corners);
        bool has_area = corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0];
        count += has_area && is_new(kept, table, bits, count);
    }
    gt_arena_destroy(&scratch);
    if (kept && table) {
        *indices = kept;
        *index_count = (int32_t)(3 * count);
    }
    return kept && table;
}
