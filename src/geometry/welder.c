// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A hash table of positions with linear probing.

#include "geometry/welder.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

enum {
    FIRST_BITS = 12
};

static uint64_t bits_of(float value)
{
    uint32_t bits;
    value += 0.0f; // -0 becomes 0
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t slot_of(GtVec3 p, uint32_t bits)
{
    uint64_t hash = gti_hash_mix(0, bits_of(p.x) << 32 | bits_of(p.y));
    return gti_hash_slot(gti_hash_mix(hash, bits_of(p.z)), bits);
}

static bool grow_points(GtiWelder* welder)
{
    uint32_t capacity = welder->capacity ? welder->capacity + welder->capacity / 2 : 1024;
    size_t used = (size_t)welder->count * sizeof *welder->points;
    GtVec3* points = gti_reallocate(welder->allocator, welder->points, used, (size_t)capacity * sizeof *points);
    if (!points) {
        return false;
    }
    welder->points = points;
    welder->capacity = capacity;
    return true;
}

static bool grow_slots(GtiWelder* welder)
{
    uint32_t bits = welder->bits ? welder->bits + 1 : FIRST_BITS;
    size_t size = ((size_t)1 << bits) * sizeof *welder->slots;
    uint32_t* slots = welder->allocator.allocate(welder->allocator.user, size);
    if (!slots) {
        return false;
    }
    memset(slots, 0, size);
    uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    for (uint32_t i = 0; i < welder->count; ++i) {
        uint32_t slot = slot_of(welder->points[i], bits);
        while (slots[slot]) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = i + 1;
    }
    welder->allocator.release(welder->allocator.user, welder->slots);
    welder->slots = slots;
    welder->bits = bits;
    return true;
}

int32_t gti_welder_add(GtiWelder* welder, GtVec3 p)
{
    bool crowded = !welder->bits || (welder->bits < 32 && welder->count >= 1u << (welder->bits - 1));
    if (crowded && !grow_slots(welder)) {
        return GT_NONE;
    }
    uint32_t mask = (uint32_t)(((uint64_t)1 << welder->bits) - 1);
    uint32_t slot = slot_of(p, welder->bits);
    for (; welder->slots[slot]; slot = (slot + 1) & mask) {
        GtVec3 q = welder->points[welder->slots[slot] - 1];
        if (p.x == q.x && p.y == q.y && p.z == q.z) {
            return (int32_t)(welder->slots[slot] - 1);
        }
    }
    if (welder->count == INT32_MAX || (welder->count == welder->capacity && !grow_points(welder))) {
        return GT_NONE;
    }
    welder->points[welder->count] = p;
    welder->slots[slot] = ++welder->count;
    return (int32_t)(welder->count - 1);
}

void gti_welder_release(GtiWelder* welder)
{
    welder->allocator.release(welder->allocator.user, welder->points);
    welder->allocator.release(welder->allocator.user, welder->slots);
    welder->points = NULL;
    welder->slots = NULL;
    welder->count = welder->capacity = welder->bits = 0;
}
