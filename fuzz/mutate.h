// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Mutations that know a format. Changing bytes of a glTF, BVH or FBX file breaks its syntax nearly every time, and the
// fuzzer then tests the parser and nothing behind it. These change one thing that the file says, and write a file that
// still parses.

#ifndef GERTIE_FUZZ_MUTATE_H
#define GERTIE_FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

// A small generator of random numbers: xorshift64*. The same seed gives the same mutation.
typedef struct FuzzRandom {
    uint64_t state;
} FuzzRandom;

static inline FuzzRandom fuzz_random(unsigned seed)
{
    return (FuzzRandom){ 0x9E3779B97F4A7C15u * ((uint64_t)seed + 1) };
}

// 0 to count - 1; 0 where there is nothing to choose from.
static inline uint32_t fuzz_choose(FuzzRandom* random, uint32_t count)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    uint64_t bits = (random->state * 0x2545F4914F6CDD1Du) >> 32;
    return count ? (uint32_t)((bits * count) >> 32) : 0;
}

// Numbers as text, those among them at which arithmetic goes wrong; `out` has room for 32 bytes.
void gti_fuzz_number(FuzzRandom* random, char out[32]);

// Change one thing in [data, data + size), which has room for `capacity` bytes.
// Returns the new size, or 0 where the bytes are not of this format or the change has no room; nothing is changed then.
size_t gti_mutate_gltf(uint8_t* data, size_t size, size_t capacity, unsigned seed);
size_t gti_mutate_bvh(uint8_t* data, size_t size, size_t capacity, unsigned seed);
size_t gti_mutate_fbx(uint8_t* data, size_t size, size_t capacity, unsigned seed);

#endif
