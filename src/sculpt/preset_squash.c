// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Squash and stretch along the limbs: what moves fast gets thin and long, what stands under a body that comes down gets
// thick and short.

#include "sculpt/preset.h"

#include <math.h>
#include <stdio.h>

static const float thicker = 0.28f; // of the radius
static const float shorter = 0.10f; // of the way to the limb's middle
static const float stiffness = 0.05f;

static const struct Part {
    const char* name;
    const char* control;
    GtHumanoidJoint joint, next;
} parts[] = {
    { "UpperArm", "ArmSquash", GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM },
    { "LowerArm", "ArmSquash", GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND },
    { "UpperLeg", "LegSquash", GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG },
    { "LowerLeg", "LegSquash", GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT },
};

enum {
    PART_COUNT = sizeof parts / sizeof parts[0]
};

static bool find_part(const GtiPreset* preset, const struct Part* part, int side, GtiSculptLimb* out)
{
    return gti_sculpt_limb(&preset->body, gti_joint_on(part->joint, side), gti_joint_on(part->next, side), out);
}

// 1 thick, -1 thin. Speeds are those of a person: of others, as their size.
static void place_controls(GtiPreset* preset, int side)
{
    double size = gti_subject_size(&preset->body.shell.figure);
    const char* prefix = side == GTI_LEFT_SIDE ? "left" : "right";
    char name[GTI_PRESET_NAME];
    gti_preset_name(side, "ArmSquash", name, sizeof name);
    gti_preset_add_control(preset, name, 0.0f, -1.0f, 1.0f);
    GtiPresetTrack* arm = gti_preset_add_track(preset, GT_LAW_LINEAR);
    snprintf(arm->channel, sizeof arm->channel, "control:%s", name);
    snprintf(arm->formula, sizeof arm->formula, "-smoothstep(%.3g, %.3g, speed:%sHand)", 1.5 * size, 7.0 * size,
             prefix);
    gti_preset_name(side, "LegSquash", name, sizeof name);
    gti_preset_add_control(preset, name, 0.0f, -1.0f, 1.0f);
    GtiPresetTrack* leg = gti_preset_add_track(preset, GT_LAW_LINEAR);
    snprintf(leg->channel, sizeof leg->channel, "control:%s", name);
    snprintf(leg->formula, sizeof leg->formula,
             "contact:%sFoot*smoothstep(%.3g, %.3g, speed:hips) - smoothstep(%.3g, %.3g, speed:%sFoot)", prefix,
             0.3 * size, 3.0 * size, 2.0 * size, 8.0 * size, prefix);
}

static GtResult place(GtiPreset* preset)
{
    GtResult result = GT_OK;
    for (int side = 0; side < GTI_SIDE_COUNT && result == GT_OK; ++side) {
        for (int i = 0; i < PART_COUNT && result == GT_OK; ++i) {
            GtiSculptLimb limb;
            if (find_part(preset, &parts[i], side, &limb)) {
                char name[GTI_PRESET_NAME];
                gti_preset_name(side, parts[i].name, name, sizeof name);
                result = gti_preset_add_limb(preset, name, &limb, NULL);
            }
        }
        place_controls(preset, side);
    }
    return result;
}

static void squash(const GtiPreset* preset, const GtiSculptLimb* limb, GtVec3* wanted)
{
    for (int32_t i = 0; i < preset->body.shell.point_count; ++i) {
        GtVec3 from = gt_vec3_sub(preset->body.shell.positions[i], limb->from);
        float along = gt_vec3_dot(from, limb->along) / limb->length_m;
        GtVec3 bone = gt_vec3_scale(limb->along, along * limb->length_m);
        float share = along > 0.0f && along < 1.0f ? 4.0f * along * (1.0f - along) : 0.0f;
        GtVec3 inward = gt_vec3_scale(limb->along, shorter * (0.5f - along) * limb->length_m);
        wanted[i] = gt_vec3_scale(gt_vec3_add(gt_vec3_scale(gt_vec3_sub(from, bone), thicker), inward), share);
    }
}

static GtResult shape_part(GtiPreset* preset, const struct Part* part, int side, GtVec3* wanted)
{
    int32_t region = gti_preset_region(preset, gti_joint_on(part->joint, side), true);
    GtiSculptLimb limb;
    if (region == GT_NONE || !find_part(preset, part, side, &limb)) {
        return GT_OK;
    }
    squash(preset, &limb, wanted);
    char control[GTI_PRESET_NAME];
    gti_preset_name(side, part->control, control, sizeof control);
    return gti_preset_fit_region(preset, region, stiffness, "squash", control, wanted);
}

static GtResult shape(GtiPreset* preset)
{
    GtArena scratch = gt_arena_create(preset->context->allocator);
    GtVec3* wanted = gt_arena_push_array(&scratch, (size_t)preset->body.shell.point_count, sizeof *wanted);
    GtResult result = wanted ? GT_OK : gti_out_of_memory(preset->error);
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        for (int i = 0; i < PART_COUNT && result == GT_OK; ++i) {
            result = shape_part(preset, &parts[i], side, wanted);
        }
    }
    gt_arena_destroy(&scratch);
    return result;
}

const GtiPresetKind gti_preset_squash = { "squash", place, shape };
