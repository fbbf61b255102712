// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Who the person is: the default one, and one of a crowd for every seed.

#include "gertie/person.h"

GtPersonDef gt_default_person_def(void)
{
    return (GtPersonDef){
        .height_m = 1.75,
        .build = 0.0,
        .muscle = 0.35,
        .sex = 0.5,
        .leg_length = 1.0,
        .arm_length = 1.0,
        .torso_length = 1.0,
        .shoulder_width = 1.0,
        .hip_width = 1.0,
        .head_size = 1.0,
        .hand_size = 1.0,
        .foot_size = 1.0,
        .pose = GT_PERSON_POSE_T,
        .triangle_count = 25000, // round on a screen, small in a file
    };
}

// SplitMix64 (Steele, Lea and Flood 2014): any seed will do, also 0.
static double next(uint64_t* state, double low, double high)
{
    uint64_t bits = *state += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    bits ^= bits >> 31;
    return low + (high - low) * (double)(bits >> 11) * 0x1p-53;
}

// The sum of two even numbers: the middle of the range is likelier than its ends.
static double next_near_middle(uint64_t* state, double low, double high)
{
    double half = next(state, 0.5 * low, 0.5 * high);
    return half + next(state, 0.5 * low, 0.5 * high);
}

GtPersonDef gt_random_person_def(uint64_t seed)
{
    GtPersonDef def = gt_default_person_def();
    uint64_t state = seed;
    def.sex = next(&state, 0.0, 1.0) < 0.5 ? next(&state, 0.0, 0.2) : next(&state, 0.8, 1.0);
    def.height_m = 1.63 + 0.13 * def.sex + next_near_middle(&state, -0.17, 0.17);
    def.build = next_near_middle(&state, -0.9, 1.0);
    def.muscle = next(&state, 0.1, 0.8);
    double* const factors[] = { &def.leg_length,     &def.arm_length, &def.torso_length, &def.head_size,
                                &def.shoulder_width, &def.hip_width,  &def.hand_size,    &def.foot_size };
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; ++i) {
        *factors[i] = next_near_middle(&state, 0.93, 1.07);
    }
    return def;
}
