// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Flesh that lags behind its bones and swings out: the belly, the chest and the seat, each a lattice whose points on
// the one side are held by the body and on the other hang on springs.

#include "sections/preset/preset.h"

#include <math.h>

enum {
    SIDE = 4,
    POINTS = SIDE * SIDE * SIDE
};

// How much a point is held: all at the body's axis and at the ends of the box, none where the flesh is.
static float hold(int32_t along, int32_t depth, bool front)
{
    static const float depths[SIDE] = { 1.0f, 0.8f, 0.25f, 0.0f };
    static const float ends[SIDE] = { 0.8f, 0.0f, 0.0f, 0.8f };
    return fmaxf(depths[front ? depth : SIDE - 1 - depth], ends[along]);
}

// A chin that rests on the chest is in the box of the torso, and yet no flesh of it.
static bool is_of_skull(GtHumanoidJoint joint)
{
    return joint == GT_HUMANOID_HEAD || joint == GT_HUMANOID_JAW || joint == GT_HUMANOID_LEFT_EYE ||
           joint == GT_HUMANOID_RIGHT_EYE;
}

// front: the side that is loose
static GtResult loosen(GtiPreset* preset, int32_t region, bool front, GtSculptJiggle jiggle)
{
    float* holds = gt_arena_push_array(preset->arena, POINTS, sizeof *holds);
    if (!holds) {
        return gti_out_of_memory(preset->error);
    }
    for (int32_t p = 0; p < POINTS; ++p) {
        holds[p] = hold(p % SIDE, p / (SIDE * SIDE), front);
    }
    jiggle.holds = holds;
    const GtiPresetRegion* r = &preset->regions[region];
    for (int32_t i = r->first_section; i < r->first_section + r->section_count; ++i) {
        if (!is_of_skull(preset->sections[i].joint)) {
            preset->sections[i].jiggle = jiggle;
        }
    }
    return GT_OK;
}

static GtResult place(GtiPreset* preset)
{
    int32_t torso;
    int32_t seat;
    GtResult result = gti_preset_add_torso(preset, &torso);
    if (result == GT_OK && torso != GT_NONE) {
        result =
            loosen(preset, torso, true, (GtSculptJiggle){ .frequency_hz = 2.2f, .damping = 0.16f, .strength = 1.0f });
    }
    result = result == GT_OK ? gti_preset_add_seat(preset, &seat) : result;
    if (result == GT_OK && seat != GT_NONE) {
        result =
            loosen(preset, seat, false, (GtSculptJiggle){ .frequency_hz = 3.2f, .damping = 0.25f, .strength = 0.6f });
    }
    return result;
}

const GtiPresetKind gti_preset_jiggle = { "jiggle", place, NULL };
