// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Whether a skeleton is one of a figure, whatever it stands in: lengths within what children, athletes, robots and
// monsters have, left like right, upright.

#include "rig/judge/parts.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>

typedef struct Length {
    const char* name;
    float value;                // in heights of the skeleton
    float none_low, full_low;   // wrong below, right above
    float full_high, none_high; // right below, wrong above
} Length;

static bool length_between(const GtiJudge* judge, GtHumanoidJoint a, GtHumanoidJoint b, float* out)
{
    GtVec3 p;
    GtVec3 q;
    if (!gti_judge_at(judge, a, &p) || !gti_judge_at(judge, b, &q)) {
        return false;
    }
    *out = gt_vec3_length(gt_vec3_sub(q, p));
    return true;
}

GtiJudgeLook gti_judge_symmetric(const GtiJudge* judge)
{
    float sum = 0.0f;
    float weights = 0.0f;
    float most = 0.0f;
    const char* worst = "";
    const GtiRigSkeleton* s = judge->skeleton;
    float strict = gti_judge_ramp(judge->body->symmetry, 0.96f, 0.995f); // places count where the body is symmetric
    for (int32_t b = 0; b < judge->bone_count; ++b) {
        const GtiJudgedBone* bone = &judge->bones[b];
        const GtiRigJoint* joint = &s->joints[bone->joint];
        if (bone->link || bone->fine || joint->mirror == bone->joint || joint->mirror < 0) {
            continue;
        }
        const GtiRigJoint* other = &s->joints[joint->mirror];
        float length = gt_vec3_length(gt_vec3_sub(joint->tip, joint->position));
        float twin = gt_vec3_length(gt_vec3_sub(other->tip, other->position));
        float differs = fabsf(length - twin) / fmaxf(length + twin, 0.04f);
        GtVec3 image = gt_vec3(-other->position.x, other->position.y, other->position.z);
        float off = strict * gt_vec3_length(gt_vec3_sub(joint->position, image));
        float wrong = fmaxf(gti_judge_ramp(differs, 0.08f, 0.3f), gti_judge_ramp(off, 0.03f, 0.12f));
        sum += length * wrong;
        weights += length;
        if (wrong > most) {
            most = wrong;
            worst = joint->humanoid == GT_NONE ? "a joint" : gt_humanoid_name((GtHumanoidJoint)joint->humanoid);
        }
    }
    float wrong = weights > 0.0f ? sum / weights : 0.0f;
    GtiJudgeLook look = { 1.0f - gti_judge_ramp(wrong, 0.1f, 0.7f), 1.0f - wrong, "" };
    snprintf(look.why, sizeof look.why, "left and right differ, most of all at %s", worst);
    return look;
}

static void rate(const Length* length, float* product, float* least, const Length** worst)
{
    float ok = fminf(gti_judge_ramp(length->value, length->none_low, length->full_low),
                     1.0f - gti_judge_ramp(length->value, length->full_high, length->none_high));
    *product *= 0.15f + 0.85f * ok;
    if (ok < *least) {
        *least = ok;
        *worst = length;
    }
}

// Mean of both sides of what a joint and the next are apart.
static bool mean_length(const GtiJudge* judge, GtHumanoidJoint a, GtHumanoidJoint b, float* out)
{
    float left;
    float right;
    bool ok = length_between(judge, a, b, &left) &&
              length_between(judge, gt_humanoid_mirror(a), gt_humanoid_mirror(b), &right);
    *out = ok ? 0.5f * (left + right) : 0.0f;
    return ok;
}

typedef struct Figure {
    float thigh, shank, trunk, head, upper_arm, forearm, shoulders, hips;
    float height; // along the bones
} Figure;

static bool measure_figure(const GtiJudge* judge, Figure* f)
{
    GtVec3 hips;
    GtVec3 left;
    GtVec3 right;
    int32_t head = judge->joints[GT_HUMANOID_HEAD];
    bool ok = mean_length(judge, GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, &f->thigh) &&
              mean_length(judge, GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, &f->shank) &&
              mean_length(judge, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, &f->upper_arm) &&
              mean_length(judge, GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND, &f->forearm) &&
              length_between(judge, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM, &f->shoulders) &&
              length_between(judge, GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG, &f->hips) &&
              gti_judge_at(judge, GT_HUMANOID_LEFT_UPPER_LEG, &left) &&
              gti_judge_at(judge, GT_HUMANOID_RIGHT_UPPER_LEG, &right) && head != GT_NONE;
    if (!ok) {
        return false;
    }
    const GtiRigJoint* top = &judge->skeleton->joints[head];
    hips = gt_vec3_lerp(left, right, 0.5f);
    GtVec3 neck = top->position;
    gti_judge_at(judge, GT_HUMANOID_NECK, &neck);
    f->trunk = gt_vec3_length(gt_vec3_sub(neck, hips));
    f->head = gt_vec3_length(gt_vec3_sub(top->tip, neck));
    f->height = f->thigh + f->shank + f->trunk + f->head;
    return f->height > 0.0f;
}

static const float crossed_feet = 0.08f; // heights by which feet pass each other in a stride

// How far from upright: the trunk, the legs, and left on the left.
static float rate_stance(const GtiJudge* judge, const char** wrong)
{
    GtVec3 p[6];
    bool ok = gti_judge_at(judge, GT_HUMANOID_LEFT_UPPER_LEG, &p[0]) &&
              gti_judge_at(judge, GT_HUMANOID_RIGHT_UPPER_LEG, &p[1]) &&
              gti_judge_at(judge, GT_HUMANOID_LEFT_FOOT, &p[2]) && gti_judge_at(judge, GT_HUMANOID_RIGHT_FOOT, &p[3]) &&
              gti_judge_at(judge, GT_HUMANOID_LEFT_UPPER_ARM, &p[4]) &&
              gti_judge_at(judge, GT_HUMANOID_RIGHT_UPPER_ARM, &p[5]);
    if (!ok) {
        return 1.0f;
    }
    GtVec3 hips = gt_vec3_lerp(p[0], p[1], 0.5f);
    GtVec3 feet = gt_vec3_lerp(p[2], p[3], 0.5f);
    GtVec3 shoulders = gt_vec3_lerp(p[4], p[5], 0.5f);
    GtVec3 up = gt_vec3(0.0f, 1.0f, 0.0f);
    float trunk = gt_vec3_dot(gt_vec3_normalize_or(gt_vec3_sub(shoulders, hips), up), up);
    float legs = gt_vec3_dot(gt_vec3_normalize_or(gt_vec3_sub(hips, feet), up), up);
    float sides = fminf(fminf(p[0].x - p[1].x, p[2].x - p[3].x + crossed_feet), p[4].x - p[5].x);
    const float values[4] = { gti_judge_ramp(trunk, 0.5f, 0.75f), gti_judge_ramp(legs, 0.5f, 0.75f),
                              gti_judge_ramp(sides, -0.02f, 0.01f),
                              1.0f - gti_judge_ramp(fminf(p[2].y, p[3].y), 0.2f, 0.35f) };
    static const char* const words[4] = { "the trunk does not stand upright", "the legs do not carry the trunk",
                                          "left and right are exchanged", "the feet are not on the ground" };
    float product = 1.0f;
    int worst = 0;
    for (int i = 0; i < 4; ++i) {
        product *= values[i];
        worst = values[i] < values[worst] ? i : worst;
    }
    *wrong = words[worst];
    return product;
}

GtiJudgeLook gti_judge_proportions(const GtiJudge* judge)
{
    Figure f;
    GtiJudgeLook look = { 1.0f, 1.0f, "" };
    if (!measure_figure(judge, &f)) {
        return look;
    }
    float h = f.height;
    const Length lengths[] = {
        { "thighs", f.thigh / h, 0.04f, 0.09f, 0.33f, 0.42f },
        { "shanks", f.shank / h, 0.04f, 0.09f, 0.33f, 0.42f },
        { "trunk", f.trunk / h, 0.12f, 0.18f, 0.5f, 0.62f },
        { "head and neck", f.head / h, 0.05f, 0.09f, 0.45f, 0.6f },
        { "upper arms", f.upper_arm / h, 0.04f, 0.08f, 0.34f, 0.45f },
        { "forearms", f.forearm / h, 0.04f, 0.08f, 0.34f, 0.45f },
        { "width of the shoulders", f.shoulders / h, 0.06f, 0.11f, 0.5f, 0.7f },
        { "width of the hips", f.hips / h, 0.02f, 0.05f, 0.3f, 0.45f },
        { "whole", 1.0f / h, 0.6f, 0.75f, 1.3f, 1.7f }, // bones are as long as the body is tall
    };
    const Length* worst = NULL;
    float least = 0.95f;
    float product = 1.0f;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
        rate(&lengths[i], &product, &least, &worst);
    }
    const char* wrong = "";
    float stance = rate_stance(judge, &wrong);
    look.value = look.detail = product * stance;
    if (worst && least < stance) {
        gti_format(look.why, sizeof look.why, "its proportions are no figure's: %s %.0f %% of the height", worst->name,
                   (double)(100.0f * worst->value));
    } else if (stance < 1.0f) {
        snprintf(look.why, sizeof look.why, "%s", wrong);
    }
    return look;
}
