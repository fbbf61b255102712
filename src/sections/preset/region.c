// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where sections are placed. A section takes part of a vertex by the weight of its joint; were some of the joints that
// move the vertex left out, the others would count for more than in the skin. So a region has a section for each.

#include "sections/lattice_fit.h"
#include "sections/preset/preset.h"
#include "sections/section_fit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_FITTED = 3
};

static const float room = 1.3f; // of a box across a limb, beyond its surface
static const float least_share = 0.02f;
static const int far_off = 6; // joints that many steps away are in the box by chance, as hands beside the hips
static const float torso_border[3] = { 0.1f, 0.1f, 0.1f };

int32_t gti_preset_add_section(GtiPreset* preset, const char* name, GtHumanoidJoint joint, GtMat34 model_from_box,
                               GtVec3 border)
{
    GT_ASSERT(preset->section_count < GTI_PRESET_MAX_SECTIONS);
    GtiPresetSection* section = &preset->sections[preset->section_count];
    snprintf(section->name, sizeof section->name, "%s", name);
    section->joint = joint;
    section->border = border;
    section->model_from_box = model_from_box;
    return preset->section_count++;
}

GtMat34 gti_preset_box(GtVec3 centre, const GtVec3 edges[3])
{
    float columns[16] = { [15] = 1.0f };
    GtVec3 corner = centre;
    for (int a = 0; a < 3; ++a) {
        memcpy(columns + 4 * (size_t)a, &edges[a], sizeof edges[a]);
        corner = gt_vec3_sub(corner, gt_vec3_scale(edges[a], 0.5f));
    }
    memcpy(columns + 12, &corner, sizeof corner);
    return gt_mat34_from_columns(columns);
}

static int depth_of(int32_t joint)
{
    int depth = 0;
    for (int32_t at = joint; at != GT_NONE; at = gt_humanoid_parent((GtHumanoidJoint)at)) {
        ++depth;
    }
    return depth;
}

static int steps_between(GtHumanoidJoint a, GtHumanoidJoint b)
{
    int32_t one = (int32_t)a;
    int32_t other = (int32_t)b;
    int steps = 0;
    while (one != other) {
        bool up = depth_of(one) >= depth_of(other);
        one = up ? gt_humanoid_parent((GtHumanoidJoint)one) : one;
        other = up ? other : gt_humanoid_parent((GtHumanoidJoint)other);
        ++steps;
    }
    return steps;
}

// The largest share that a joint has of any point inside the box.
static float most_share(const GtiPreset* preset, const GtMat34* box_from_model, const float* shares)
{
    float most = 0.0f;
    for (int32_t i = 0; i < preset->body.shell->point_count; ++i) {
        GtVec3 at = gt_mat34_point(box_from_model, preset->body.shell->positions[i]);
        bool inside = fabsf(at.x - 0.5f) < 0.5f && fabsf(at.y - 0.5f) < 0.5f && fabsf(at.z - 0.5f) < 0.5f;
        most = inside ? fmaxf(most, shares[i]) : most;
    }
    return most;
}

static void add_partner(GtiPreset* preset, const char* name, GtHumanoidJoint joint, GtMat34 model_from_box,
                        GtVec3 border)
{
    char own[GTI_PRESET_NAME];
    const char* joint_name = gt_humanoid_name(joint);
    snprintf(own, sizeof own, "%.30s%c%.30s", name, toupper((unsigned char)joint_name[0]), joint_name + 1);
    gti_preset_add_section(preset, own, joint, model_from_box, border);
}

// The section of the joint itself has the region's name, the others the joint's behind it.
static GtResult add_region(GtiPreset* preset, const char* name, GtHumanoidJoint joint, bool is_limb,
                           GtMat34 model_from_box, GtVec3 border, int32_t* out)
{
    GT_ASSERT(preset->region_count < GTI_PRESET_MAX_REGIONS);
    GtArena scratch = gt_arena_create(preset->context->allocator);
    float* shares = gt_arena_push_array(&scratch, (size_t)preset->body.shell->point_count, sizeof *shares);
    GtMat34 box_from_model = gt_mat34_inverse(&model_from_box, NULL);
    int32_t first = gti_preset_add_section(preset, name, joint, model_from_box, border);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT && shares; ++j) {
        GtHumanoidJoint other = (GtHumanoidJoint)j;
        if (other == joint || preset->body.figure.joints[j] == GT_NONE || steps_between(joint, other) >= far_off ||
            preset->section_count - first == GTI_FIT_MAX_SECTIONS) {
            continue;
        }
        gti_sculpt_shares(&preset->body, other, false, shares);
        if (most_share(preset, &box_from_model, shares) > least_share) {
            add_partner(preset, name, other, model_from_box, border);
        }
    }
    gt_arena_destroy(&scratch);
    if (!shares) {
        return gti_out_of_memory(preset->error);
    }
    preset->regions[preset->region_count] = (GtiPresetRegion){ joint, is_limb, first, preset->section_count - first };
    *out = preset->region_count++;
    return GT_OK;
}

int32_t gti_preset_region(const GtiPreset* preset, GtHumanoidJoint joint, bool is_limb)
{
    for (int32_t i = 0; i < preset->region_count; ++i) {
        if (preset->regions[i].joint == joint && preset->regions[i].is_limb == is_limb) {
            return i;
        }
    }
    return GT_NONE;
}

// The middle of the same limb on the other side; false for the trunk, or where it lacks that.
static bool find_twin(const GtiPreset* preset, const GtiSculptLimb* limb, GtVec3* out)
{
    const GtiShell* shell = preset->body.shell;
    GtHumanoidJoint joint = gt_humanoid_mirror(limb->joint);
    int32_t node = shell->figure->joints[joint];
    if (joint == limb->joint || node == GT_NONE) {
        return false;
    }
    GtVec3 half = gt_vec3_scale(limb->along, 0.5f * limb->length_m);
    GtVec3 between = gt_vec3_sub(limb->from, gt_mat34_translation(&shell->bind[node]));
    GtVec3 across = gt_vec3_normalize_or(between, gt_vec3(1.0f, 0.0f, 0.0f));
    half = gt_vec3_sub(half, gt_vec3_scale(across, 2.0f * gt_vec3_dot(half, across))); // mirrored
    *out = gt_vec3_add(gt_mat34_translation(&shell->bind[node]), half);
    return true;
}

// End a box at the middle between two limbs: thighs that touch would else be held by the box of the first.
// centre: of the box, moved with it
// edge:   the one across, which is shortened
static void keep_to_own_side(GtVec3 twin, GtVec3* centre, GtVec3* edge)
{
    GtVec3 to_twin = gt_vec3_sub(twin, *centre);
    float width = gt_vec3_length(*edge);
    GtVec3 side = gt_vec3_scale(*edge, 1.0f / width);
    float apart = gt_vec3_dot(to_twin, side);
    float square = gt_vec3_dot(to_twin, to_twin);
    if (!(fabsf(apart) > 0.0f)) {
        return;
    }
    float reach = 0.5f * square / fabsf(apart); // along the edge, to the plane in the middle
    float cut = fmaxf(0.5f * width - reach, 0.0f);
    *centre = gt_vec3_add(*centre, gt_vec3_scale(side, apart > 0.0f ? -0.5f * cut : 0.5f * cut));
    *edge = gt_vec3_scale(side, width - cut);
}

static GtResult place_limb(GtiPreset* preset, const char* name, const GtiSculptLimb* limb, int32_t* out)
{
    GtArena scratch = gt_arena_create(preset->context->allocator);
    float* shares = gt_arena_push_array(&scratch, (size_t)preset->body.shell->point_count, sizeof *shares);
    GtVec3 centre = gt_vec3_add(limb->from, gt_vec3_scale(limb->along, 0.5f * limb->length_m));
    GtiGirth girth = { 0 };
    if (shares) {
        gti_sculpt_shares(&preset->body, limb->joint, false, shares);
        girth = gti_sculpt_girth(&preset->body, shares, centre, limb->along, 0.5f * limb->length_m);
    }
    gt_arena_destroy(&scratch);
    if (!shares || girth.count == 0) {
        return shares ? GT_OK : gti_out_of_memory(preset->error);
    }
    GtVec3 side = gt_vec3_normalize_or(gt_vec3_cross(limb->along, preset->forward), gt_vec3(1.0f, 0.0f, 0.0f));
    float across = 2.0f * room * girth.most_m;
    GtVec3 edges[3] = { gt_vec3_scale(limb->along, limb->length_m),
                        gt_vec3_scale(gt_vec3_cross(side, limb->along), across), gt_vec3_scale(side, across) };
    GtVec3 twin;
    if (find_twin(preset, limb, &twin)) {
        keep_to_own_side(twin, &centre, &edges[2]);
    }
    return add_region(preset, name, limb->joint, true, gti_preset_box(centre, edges), gt_vec3(0.25f, 0.08f, 0.08f),
                      out);
}

GtResult gti_preset_add_limb(GtiPreset* preset, const char* name, const GtiSculptLimb* limb, int32_t* out)
{
    int32_t found = gti_preset_region(preset, limb->joint, true);
    GtResult result = found == GT_NONE ? place_limb(preset, name, limb, &found) : GT_OK;
    if (out) {
        *out = found;
    }
    return result;
}

// joints: [count] the first is that of the region
static GtResult add_fitted(GtiPreset* preset, const char* name, const GtHumanoidJoint* joints, int32_t count,
                           int32_t* out)
{
    const GtCharacterDef* def = preset->body.figure.def;
    const int32_t* nodes = preset->body.figure.joints;
    int32_t sources[MOST_FITTED];
    for (int32_t i = 0; i < count; ++i) {
        sources[i] = def->source_nodes ? def->source_nodes[nodes[joints[i]]] : nodes[joints[i]];
    }
    *out = count > 0 ? gti_preset_region(preset, joints[0], false) : GT_NONE;
    if (count == 0 || *out != GT_NONE) {
        return GT_OK;
    }
    GtMat34 space_from_box;
    GtResult result = gti_section_fit(&preset->body, sources, count, torso_border, &space_from_box, preset->error);
    if (result != GT_OK) {
        return result == GT_ERROR_NOT_FOUND ? GT_OK : result;
    }
    GtMat34 model_from_box = gt_mat34_mul(preset->body.shell->bind[nodes[joints[0]]], space_from_box);
    GtVec3 border = gt_vec3(torso_border[0], torso_border[1], torso_border[2]);
    return add_region(preset, name, joints[0], false, model_from_box, border, out);
}

GtResult gti_preset_add_seat(GtiPreset* preset, int32_t* out)
{
    static const GtHumanoidJoint hips = GT_HUMANOID_HIPS;
    return add_fitted(preset, "seat", &hips, 1, out);
}

GtResult gti_preset_add_torso(GtiPreset* preset, int32_t* out)
{
    static const GtHumanoidJoint all[MOST_FITTED] = { GT_HUMANOID_SPINE, GT_HUMANOID_CHEST, GT_HUMANOID_UPPER_CHEST };
    GtHumanoidJoint there[MOST_FITTED];
    int32_t count = 0;
    for (int i = 0; i < MOST_FITTED; ++i) {
        if (preset->body.figure.joints[all[i]] != GT_NONE) {
            there[count++] = all[i];
        }
    }
    return add_fitted(preset, "torso", there, count, out);
}
