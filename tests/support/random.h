// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that look random and are the same on every run: xorshift64* (Vigna 2016).

#ifndef GERTIE_TESTS_SUPPORT_RANDOM_H
#define GERTIE_TESTS_SUPPORT_RANDOM_H

#include "gertie/quat.h"

typedef struct TestRandom {
    uint64_t state; // not 0
} TestRandom;

static inline uint64_t test_random_bits(TestRandom* random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * 0x2545F4914F6CDD1D;
}

// Evenly in [low, high).
static inline float test_random_float(TestRandom* random, float low, float high)
{
    return low + (high - low) * (float)(test_random_bits(random) >> 40) * 0x1p-24f;
}

static inline double test_random_double(TestRandom* random, double low, double high)
{
    return low + (high - low) * (double)(test_random_bits(random) >> 11) * 0x1p-53;
}

static inline GtVec3 test_random_vec3(TestRandom* random, float low, float high)
{
    float x = test_random_float(random, low, high);
    float y = test_random_float(random, low, high);
    float z = test_random_float(random, low, high);
    return gt_vec3(x, y, z);
}

static inline GtVec3 test_random_direction(TestRandom* random)
{
    for (;;) {
        GtVec3 v = test_random_vec3(random, -1.0f, 1.0f);
        float length = gt_vec3_length(v);
        if (length > 0.1f && length < 1.0f) {
            return gt_vec3_scale(v, 1.0f / length);
        }
    }
}

// A rotation, evenly over all of them.
static inline GtQuat test_random_rotation(TestRandom* random)
{
    for (;;) {
        GtQuat q = gt_quat(test_random_float(random, -1.0f, 1.0f), test_random_float(random, -1.0f, 1.0f),
                           test_random_float(random, -1.0f, 1.0f), test_random_float(random, -1.0f, 1.0f));
        float length = gt_quat_length(q);
        if (length > 0.1f && length < 1.0f) {
            return gt_quat_normalize(q);
        }
    }
}

#endif
