// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A binary heap of numbered items, the least key on top: the front of a search that goes outwards (Dijkstra). Which of
// equal keys comes first depends on nothing but the order of calls.

#ifndef GERTIE_BASE_HEAP_H
#define GERTIE_BASE_HEAP_H

#include "base/memory.h"

typedef struct GtiHeapEntry {
    double key;
    int32_t item;
    int32_t tag; // the caller's
} GtiHeapEntry;

typedef struct GtiHeap {
    GtiHeapEntry* entries; // [capacity]; the children of entry i are 2 i + 1 and 2 i + 2
    int32_t count, capacity;
    int32_t* places; // [capacity] where each item is among the entries, or GT_NONE; NULL where items may be in it twice
} GtiHeap;

// An empty heap for `capacity` entries; false when memory ran out. With `is_indexed`, items are 0 to capacity - 1, each
// is in it once at most, and gti_heap_lower() may be called.
static inline bool gti_heap_make(GtArena* arena, int32_t capacity, bool is_indexed, GtiHeap* out)
{
    *out = (GtiHeap){ .capacity = capacity };
    out->entries = gt_arena_push_array(arena, (size_t)capacity, sizeof *out->entries);
    out->places = is_indexed ? gt_arena_push_array(arena, (size_t)capacity, sizeof *out->places) : NULL;
    for (int32_t i = 0; out->places && i < capacity; ++i) {
        out->places[i] = GT_NONE;
    }
    return out->entries && (out->places || !is_indexed);
}

static inline void gti_heap_put(GtiHeap* heap, int32_t at, GtiHeapEntry entry)
{
    heap->entries[at] = entry;
    if (heap->places) {
        heap->places[entry.item] = at;
    }
}

// Put an entry at `at` or, where its key is less than theirs, in the place of one above.
static inline void gti_heap_rise(GtiHeap* heap, int32_t at, GtiHeapEntry entry)
{
    for (; at > 0 && entry.key < heap->entries[(at - 1) / 2].key; at = (at - 1) / 2) {
        gti_heap_put(heap, at, heap->entries[(at - 1) / 2]);
    }
    gti_heap_put(heap, at, entry);
}

// Add an entry; count < capacity.
static inline void gti_heap_push(GtiHeap* heap, GtiHeapEntry entry)
{
    gti_heap_rise(heap, heap->count++, entry);
}

// Add an item, or give the one that is there a key that is not larger.
static inline void gti_heap_lower(GtiHeap* heap, int32_t item, double key)
{
    int32_t at = heap->places[item] == GT_NONE ? heap->count++ : heap->places[item];
    gti_heap_rise(heap, at, (GtiHeapEntry){ .key = key, .item = item });
}

// Put an entry at `at` or, where its key is larger than theirs, in the place of one below.
static inline void gti_heap_sink(GtiHeap* heap, int32_t at, GtiHeapEntry entry)
{
    for (int32_t child = 2 * at + 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && heap->entries[child + 1].key < heap->entries[child].key;
        if (!(heap->entries[child].key < entry.key)) {
            break;
        }
        gti_heap_put(heap, at, heap->entries[child]);
        at = child;
    }
    gti_heap_put(heap, at, entry);
}

// Add an item, or give the one that is there another key.
static inline void gti_heap_change(GtiHeap* heap, int32_t item, double key)
{
    int32_t at = heap->places[item];
    if (at != GT_NONE && key > heap->entries[at].key) {
        gti_heap_sink(heap, at, (GtiHeapEntry){ .key = key, .item = item });
    } else {
        gti_heap_lower(heap, item, key);
    }
}

// Take out an item, if it is there.
static inline void gti_heap_remove(GtiHeap* heap, int32_t item)
{
    int32_t at = heap->places[item];
    if (at == GT_NONE) {
        return;
    }
    GtiHeapEntry last = heap->entries[--heap->count];
    heap->places[item] = GT_NONE;
    if (at < heap->count) {
        gti_heap_put(heap, at, last);
        gti_heap_rise(heap, at, last);
        gti_heap_sink(heap, heap->places[last.item], last);
    }
}

// Take out the entry with the least key; count > 0.
static inline GtiHeapEntry gti_heap_pop(GtiHeap* heap)
{
    GtiHeapEntry top = heap->entries[0];
    GtiHeapEntry last = heap->entries[--heap->count];
    gti_heap_sink(heap, 0, last);
    if (heap->places) {
        heap->places[top.item] = GT_NONE;
    }
    return top;
}

#endif
