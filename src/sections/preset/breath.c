// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A chest that rises and falls: one breath in four seconds.

#include "sections/preset/preset.h"

#include <math.h>
#include <stdio.h>

static const float chest_m = 0.014f; // how far the front of a person's chest comes forward
static const float belly_m = 0.009f;
static const float stiffness = 0.05f;

static GtResult place(GtiPreset* preset)
{
    int32_t torso;
    GtResult result = gti_preset_add_torso(preset, &torso);
    gti_preset_add_control(preset, "breath", 0.0f, 0.0f, 1.0f);
    GtiPresetTrack* track = gti_preset_add_track(preset, GT_LAW_LINEAR);
    snprintf(track->channel, sizeof track->channel, "control:breath");
    snprintf(track->formula, sizeof track->formula, "0.5 - 0.5*cos(tau*t/4)");
    return result;
}

static bool find_trunk(const GtiPreset* preset, GtiSculptLimb* out)
{
    static const GtHumanoidJoint tops[] = { GT_HUMANOID_NECK, GT_HUMANOID_HEAD };
    int32_t top = gti_preset_choose(preset, tops, 2);
    return top != GT_NONE && gti_sculpt_limb(&preset->body, GT_HUMANOID_HIPS, (GtHumanoidJoint)top, out);
}

static float bell(float x, float at, float spread)
{
    float place = (x - at) / spread;
    return expf(-place * place);
}

static void breathe_in(const GtiPreset* preset, const GtiSculptLimb* trunk, GtVec3* wanted)
{
    float size = (float)gti_figure_size(&preset->body.figure);
    for (int32_t i = 0; i < preset->body.shell->point_count; ++i) {
        GtVec3 from = gt_vec3_sub(preset->body.shell->positions[i], trunk->from);
        float along = gt_vec3_dot(from, trunk->along);
        GtVec3 out = gt_vec3_normalize_or(gt_vec3_sub(from, gt_vec3_scale(trunk->along, along)), preset->forward);
        float front = gt_vec3_dot(out, preset->forward);
        float chest = size * chest_m * bell(along / trunk->length_m, 0.68f, 0.22f);
        float belly = size * belly_m * bell(along / trunk->length_m, 0.28f, 0.18f) * fmaxf(front, 0.0f);
        float round = 0.35f + 0.65f * fmaxf(front, 0.0f) + 0.2f * fminf(front, 0.0f);
        wanted[i] = gt_vec3_add(gt_vec3_scale(out, chest * round + belly), gt_vec3_scale(trunk->along, 0.3f * chest));
    }
}

static GtResult shape(GtiPreset* preset)
{
    int32_t torso;
    GtiSculptLimb trunk;
    GtResult result = gti_preset_add_torso(preset, &torso);
    if (result != GT_OK || torso == GT_NONE || !find_trunk(preset, &trunk)) {
        return result;
    }
    GtArena scratch = gt_arena_create(preset->context->allocator);
    GtVec3* wanted = gt_arena_push_array(&scratch, (size_t)preset->body.shell->point_count, sizeof *wanted);
    result = wanted ? GT_OK : gti_out_of_memory(preset->error);
    if (wanted) {
        breathe_in(preset, &trunk, wanted);
        result = gti_preset_fit_region(preset, torso, stiffness, "in", "breath", wanted);
    }
    gt_arena_destroy(&scratch);
    return result;
}

const GtiPresetKind gti_preset_breath = { "breath", place, shape };
