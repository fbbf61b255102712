// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Flesh that lags behind its bones and swings out: the belly, the chest and the seat, each a lattice whose points on
// the one side are held by the body and on the other hang on springs.

#include "sculpt/preset.h"

#include <math.h>

static const struct Part {
    const char* name;
    GtHumanoidJoint joints[2]; // the first that is there
    bool front;                // the side that is loose
    float frequency_hz, damping, strength;
} parts[] = {
    { "belly", { GT_HUMANOID_SPINE, GT_HUMANOID_HIPS }, true, 2.2f, 0.16f, 1.0f },
    { "chest", { GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_CHEST }, true, 3.0f, 0.25f, 0.5f },
    { "seat", { GT_HUMANOID_HIPS, GT_HUMANOID_HIPS }, false, 3.2f, 0.25f, 0.6f },
};

enum {
    PART_COUNT = sizeof parts / sizeof parts[0],
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

static GtResult place(GtiPreset* preset)
{
    GtResult result = GT_OK;
    for (int i = 0; i < PART_COUNT && result == GT_OK; ++i) {
        int32_t joint = gti_preset_choose(preset, parts[i].joints, 2);
        int32_t section = GT_NONE;
        if (joint != GT_NONE) {
            result = gti_preset_add_fitted(preset, parts[i].name, (GtHumanoidJoint)joint, &section);
        }
        if (section == GT_NONE) {
            continue;
        }
        float* holds = gt_arena_push_array(preset->arena, POINTS, sizeof *holds);
        if (!holds) {
            return gti_out_of_memory(preset->error);
        }
        for (int32_t p = 0; p < POINTS; ++p) {
            holds[p] = hold(p % SIDE, p / (SIDE * SIDE), parts[i].front);
        }
        preset->sections[section].jiggle = (GtSculptJiggle){ .frequency_hz = parts[i].frequency_hz,
                                                             .damping = parts[i].damping,
                                                             .strength = parts[i].strength,
                                                             .gravity = 0.0f,
                                                             .holds = holds };
    }
    return result;
}

const GtiPresetKind gti_preset_jiggle = { "jiggle", place, NULL };
