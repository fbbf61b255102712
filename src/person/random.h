// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers that look random and follow from a seed: SplitMix64 (Steele, Lea and Flood 2014). Any seed will do, also 0.

#ifndef GERTIE_PERSON_RANDOM_H
#define GERTIE_PERSON_RANDOM_H

#include <stdint.h>

// Evenly in [low, high).
static inline double gti_random(uint64_t* state, double low, double high)
{
    uint64_t bits = *state += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    bits ^= bits >> 31;
    return low + (high - low) * (double)(bits >> 11) * 0x1p-53;
}

#endif
