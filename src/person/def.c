// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Who the person is: the default one, and one of a crowd for every seed.

#include "gertie/person.h"

#include "person/random.h"

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
        .skin_color = 0xE0AC8B,
        .hair_color = 0x4A3328,
        .eye_color = 0x5B4A36,
        .shirt_color = 0x2A9D8F,
        .trousers_color = 0x33415C,
        .shoe_color = 0xE76F51,
        .scan = { .up_axis = GT_UP_Y, .metres_per_unit = 1.0, .seed = 1 },
    };
}

// The sum of two even numbers: the middle of the range is likelier than its ends.
static double next_near_middle(uint64_t* state, double low, double high)
{
    double half = gti_random(state, 0.5 * low, 0.5 * high);
    return half + gti_random(state, 0.5 * low, 0.5 * high);
}

static uint32_t pick(uint64_t* state, const uint32_t* colors, size_t count)
{
    return colors[(size_t)gti_random(state, 0.0, (double)count)];
}

GtPersonDef gt_random_person_def(uint64_t seed)
{
    GtPersonDef def = gt_default_person_def();
    uint64_t state = seed;
    def.sex = gti_random(&state, 0.0, 1.0) < 0.5 ? gti_random(&state, 0.0, 0.2) : gti_random(&state, 0.8, 1.0);
    def.height_m = 1.63 + 0.13 * def.sex + next_near_middle(&state, -0.17, 0.17);
    def.build = next_near_middle(&state, -0.9, 1.0);
    def.muscle = gti_random(&state, 0.1, 0.8);
    double* const factors[] = { &def.leg_length,     &def.arm_length, &def.torso_length, &def.head_size,
                                &def.shoulder_width, &def.hip_width,  &def.hand_size,    &def.foot_size };
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; ++i) {
        *factors[i] = next_near_middle(&state, 0.93, 1.07);
    }
    static const uint32_t skins[] = { 0xF1C9AE, 0xE0AC8B, 0xC98F66, 0xA56B46, 0x7D4E33, 0x5B3826 };
    static const uint32_t hairs[] = { 0x2B211C, 0x4A3328, 0x7A5230, 0xB98B4E, 0x8C3F22, 0x9A9A98 };
    static const uint32_t eyes[] = { 0x5B4A36, 0x4E6B7A, 0x5F7A4A, 0x3C2A20 };
    static const uint32_t shirts[] = { 0x2A9D8F, 0xE76F51, 0xE9C46A, 0x457B9D, 0xA8DADC, 0xB56576, 0xF1EDE4, 0x6D597A };
    static const uint32_t trousers[] = { 0x33415C, 0x3D405B, 0x5C5346, 0x22303C, 0x6B705C, 0x8A817C };
    static const uint32_t shoes[] = { 0xE76F51, 0xF4F1DE, 0x3D3D3D, 0x81B29A, 0xC44536 };
    def.skin_color = pick(&state, skins, sizeof skins / sizeof skins[0]);
    def.hair_color = pick(&state, hairs, sizeof hairs / sizeof hairs[0]);
    def.eye_color = pick(&state, eyes, sizeof eyes / sizeof eyes[0]);
    def.shirt_color = pick(&state, shirts, sizeof shirts / sizeof shirts[0]);
    def.trousers_color = pick(&state, trousers, sizeof trousers / sizeof trousers[0]);
    def.shoe_color = pick(&state, shoes, sizeof shoes / sizeof shoes[0]);
    return def;
}
