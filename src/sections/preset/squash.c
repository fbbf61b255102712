// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Squash and stretch along the limbs: what moves fast gets thin and long, what stands under a body that comes down gets
// thick and short.

#include "sections/preset/preset.h"

#include "base/format.h"

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

// A control that is 1 thick, -1 thin, by a formula that names a joint; none where the body lacks the joint.
static void place_control(GtiPreset* preset, int side, const char* control, GtHumanoidJoint joint, const char* formula)
{
    if (preset->body.figure.joints[gti_joint_on(joint, side)] == GT_NONE) {
        return;
    }
    char name[GTI_PRESET_NAME];
    gti_preset_name(side, control, name, sizeof name);
    gti_preset_add_control(preset, name, 0.0f, -1.0f, 1.0f);
    GtiPresetTrack* track = gti_preset_add_track(preset, GT_LAW_LINEAR);
    snprintf(track->channel, sizeof track->channel, "control:%s", name);
    snprintf(track->formula, sizeof track->formula, "%s", formula);
}

// Speeds are those of a person: of others, as their size.
static void place_controls(GtiPreset* preset, int side)
{
    double size = gti_figure_size(&preset->body.figure);
    const char* hand = gt_humanoid_name(gti_joint_on(GT_HUMANOID_LEFT_HAND, side));
    const char* foot = gt_humanoid_name(gti_joint_on(GT_HUMANOID_LEFT_FOOT, side));
    char formula[GTI_PRESET_FORMULA];
    gti_format(formula, sizeof formula, "-smoothstep(%.3g, %.3g, speed:%s)", 1.5 * size, 7.0 * size, hand);
    place_control(preset, side, "ArmSquash", GT_HUMANOID_LEFT_HAND, formula);
    gti_format(formula, sizeof formula,
               "contact:%s*smoothstep(%.3g, %.3g, speed:hips) - smoothstep(%.3g, %.3g, speed:%s)", foot, 0.3 * size,
               3.0 * size, 2.0 * size, 8.0 * size, foot);
    place_control(preset, side, "LegSquash", GT_HUMANOID_LEFT_FOOT, formula);
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
    for (int32_t i = 0; i < preset->body.shell->point_count; ++i) {
        GtVec3 from = gt_vec3_sub(preset->body.shell->positions[i], limb->from);
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
    char control[GTI_PRESET_NAME];
    gti_preset_name(side, part->control, control, sizeof control);
    if (region == GT_NONE || !gti_preset_has_control(preset, control) || !find_part(preset, part, side, &limb)) {
        return GT_OK;
    }
    squash(preset, &limb, wanted);
    return gti_preset_fit_region(preset, region, stiffness, "squash", control, wanted);
}

static GtResult shape(GtiPreset* preset)
{
    GtArena scratch = gt_arena_create(preset->context->allocator);
    GtVec3* wanted = gt_arena_push_array(&scratch, (size_t)preset->body.shell->point_count, sizeof *wanted);
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
