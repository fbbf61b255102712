// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hashes: of bytes, as files hold them, and of numbers, for tables in memory.

#ifndef GERTIE_BASE_HASH_H
#define GERTIE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

// FNV-1a of bytes, going on from the hash of what came before; start from 0. Files hold it.
static inline uint64_t gti_hash(uint64_t hash, const void* data, size_t size)
{
    const uint8_t* bytes = data;
    hash = hash ? hash : 0xCBF29CE484222325;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ bytes[i]) * 0x100000001B3;
    }
    return hash;
}

// A hash of bytes, eight at a time: finds damage, not malice. Files hold it.
uint32_t gti_checksum(const void* bytes, size_t size);

// Mix one more number into a hash; start from 0.
static inline uint64_t gti_hash_mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 32;
}

// The slot of such a hash in a table of 1 << bits slots, 1 <= bits <= 32.
static inline uint32_t gti_hash_slot(uint64_t hash, uint32_t bits)
{
    return (uint32_t)(hash * 0x94D049BB133111EB >> (64 - bits));
}

// Of a cell of a grid (Teschner, Heidelberger, Mueller, Pomeranets and Gross 2003), its low bits.
static inline uint32_t gti_hash_cell(int32_t x, int32_t y, int32_t z)
{
    uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
    return hash ^ hash >> 15;
}

#endif
