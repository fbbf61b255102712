// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A hash table with linear probing, at most half full.

#include "io/intern.h"

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

// The slot of a string, or the free one where it would be.
static uint32_t find_slot(const GtiIntern* intern, const void* bytes, size_t size, uint32_t hash)
{
    uint32_t mask = intern->slot_count - 1;
    uint32_t slot = hash & mask;
    while (intern->slots[slot]) {
        const GtiInterned* item = &intern->items[intern->slots[slot] - 1];
        if (item->hash == hash && item->size == size && memcmp(item->bytes, bytes, size) == 0) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    return slot;
}

static bool grow(GtiIntern* intern)
{
    int32_t capacity = intern->capacity ? intern->capacity * 2 : 16;
    if (intern->capacity > INT32_MAX / 8) {
        return false;
    }
    uint32_t slot_count = (uint32_t)capacity * 2;
    GtiInterned* items = gt_arena_push(intern->arena, (size_t)capacity * sizeof *items);
    int32_t* slots = gt_arena_push_array(intern->arena, slot_count, sizeof *slots);
    if (!items || !slots) {
        return false;
    }
    if (intern->count) {
        memcpy(items, intern->items, (size_t)intern->count * sizeof *items);
    }
    for (int32_t i = 0; i < intern->count; ++i) {
        uint32_t slot = items[i].hash & (slot_count - 1);
        while (slots[slot]) {
            slot = (slot + 1) & (slot_count - 1);
        }
        slots[slot] = i + 1;
    }
    intern->items = items;
    intern->slots = slots;
    intern->capacity = capacity;
    intern->slot_count = slot_count;
    return true;
}

int32_t gti_intern(GtiIntern* intern, const void* bytes, size_t size)
{
    if (size > UINT32_MAX || (intern->count == intern->capacity && !grow(intern))) {
        return GT_NONE;
    }
    uint32_t hash = gti_checksum(bytes, size);
    uint32_t slot = find_slot(intern, bytes, size, hash);
    if (!intern->slots[slot]) {
        const char* copy = gt_arena_push_text(intern->arena, bytes, size);
        if (!copy) {
            return GT_NONE;
        }
        intern->items[intern->count] = (GtiInterned){ copy, (uint32_t)size, hash };
        intern->slots[slot] = ++intern->count;
    }
    return intern->slots[slot] - 1;
}

int32_t gti_intern_find(const GtiIntern* intern, const void* bytes, size_t size)
{
    if (!intern->slot_count) {
        return GT_NONE;
    }
    uint32_t slot = find_slot(intern, bytes, size, gti_checksum(bytes, size));
    return intern->slots[slot] ? intern->slots[slot] - 1 : GT_NONE;
}
