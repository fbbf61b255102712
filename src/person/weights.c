// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skin weights from the layers. u(j) in 0 to 1 says how much a point belongs to joint j and what hangs on it: a smooth
// step across a plane through the joint, as wide as the flesh there, times a mask where branches part, which is made
// from the distances to the parts. The weight of a joint is the product of u down to it times what its children leave.
// Smooth everywhere, symmetric, the same at any resolution.

#include "person/person.h"

#include "base/scalar.h"

#include <string.h>

// 0 at -1, 1 at 1.
static float step_up(float t)
{
    return gti_cubic_stepf(0.5f + 0.5f * t);
}

typedef struct Place {
    const GtiSkeleton* skeleton;
    GtVec3 p; // the side of interest is the left
    const float* parts;
    int side; // of the parts
    float h;  // height
    float head, hand;
} Place;

static float across(const Place* at, GtHumanoidJoint joint, GtVec3 normal, float shift, float half_width)
{
    GtVec3 d = gt_vec3_sub(at->p, at->skeleton->joints[joint]);
    return step_up((gt_vec3_dot(d, gt_vec3_normalize_or(normal, d)) - shift) / half_width);
}

static float part_of(const Place* at, GtiLayerPart left)
{
    return at->parts[left + at->side];
}

// 1 in the arms, however low their hands reach and however broad the hips are.
static float beyond_shoulder(const Place* at)
{
    float shoulder = at->skeleton->joints[GT_HUMANOID_LEFT_UPPER_ARM].x;
    float arm = INFINITY;
    for (int part = GTI_PART_ARM; part < GTI_PART_LEG; ++part) {
        arm = fminf(arm, at->parts[part]);
    }
    float other = fminf(at->parts[GTI_PART_TRUNK], fminf(at->parts[GTI_PART_LEG], at->parts[GTI_PART_LEG + 1]));
    return step_up((fabsf(at->p.x) - shoulder - 0.01f * at->h) / (0.03f * at->h)) *
           step_up((other - arm) / (0.01f * at->h));
}

// Middle line: neck and head leave the shoulders alone.
static float share_of_middle(const Place* at, GtHumanoidJoint joint)
{
    const GtVec3 up = { 0.0f, 1.0f, 0.0f };
    float h = at->h;
    float near = 1.0f - step_up((fabsf(at->p.x) - 0.066f * h) / (0.022f * h));
    float head = fminf(at->parts[GTI_PART_HEAD], at->parts[GTI_PART_HAIR]);
    float skull = step_up((at->parts[GTI_PART_TRUNK] - head - 0.010f * h) / (0.014f * h));
    GtVec3 mouth = at->skeleton->joints[GT_HUMANOID_JAW];
    switch (joint) {
    case GT_HUMANOID_SPINE:
    case GT_HUMANOID_CHEST:
    case GT_HUMANOID_UPPER_CHEST:
        return fmaxf(across(at, joint, up, 0.0f, 0.035f * h), beyond_shoulder(at));
    case GT_HUMANOID_NECK:
        return near * across(at, joint, gt_vec3(0.0f, 0.9f, 0.3f), 0.002f * h, 0.022f * h);
    case GT_HUMANOID_HEAD:
        return near * fmaxf(across(at, joint, gt_vec3(0.0f, 0.85f, 0.53f), -0.002f * h, 0.018f * h), skull);
    case GT_HUMANOID_JAW:
        return step_up((mouth.y - 0.0157f * at->head - at->p.y) / (0.004f * at->head)) *
               step_up((at->p.z - mouth.z - 0.012f * at->head) / (0.02f * at->head)) *
               step_up((at->parts[GTI_PART_TRUNK] - at->parts[GTI_PART_HEAD]) / (0.004f * at->head));
    default:
        return 0.0f;
    }
}

static float share_of_eye(const Place* at)
{
    GtVec3 d = gt_vec3_sub(at->p, at->skeleton->joints[GT_HUMANOID_LEFT_EYE]);
    float radius = gt_vec3_length(
        gt_vec3_sub(at->skeleton->tips[GT_HUMANOID_LEFT_EYE], at->skeleton->joints[GT_HUMANOID_LEFT_EYE]));
    float sideways = sqrtf(d.x * d.x + d.y * d.y) / radius;
    return d.z > 0.0f && gt_vec3_length(d) < 1.03f * radius ? 1.0f - step_up((sideways - 0.58f) / 0.22f) : 0.0f;
}

static float share_of_arm(const Place* at, GtHumanoidJoint joint)
{
    const GtVec3 out = { 1.0f, 0.0f, 0.0f };
    float h = at->h;
    GtVec3 shoulder = at->skeleton->joints[GT_HUMANOID_LEFT_UPPER_ARM];
    float arm = step_up((at->parts[GTI_PART_TRUNK] - part_of(at, GTI_PART_ARM) + 0.006f * h) / (0.020f * h));
    float high = step_up((at->p.y - shoulder.y + 0.035f * h) / (0.035f * h));
    float beyond = step_up((at->p.x - shoulder.x - 0.01f * h) / (0.03f * h));
    switch (joint) {
    case GT_HUMANOID_LEFT_SHOULDER:
        return step_up((at->p.x - 0.48f * shoulder.x) / (0.32f * shoulder.x)) * fmaxf(high, beyond);
    case GT_HUMANOID_LEFT_UPPER_ARM:
        return across(at, joint, gt_vec3(1.0f, -0.25f, 0.0f), 0.015f * h, 0.060f * h) * fmaxf(arm, beyond);
    case GT_HUMANOID_LEFT_LOWER_ARM:
        return across(at, joint, out, 0.0f, 0.022f * h);
    default:
        return across(at, joint, out, 0.0f, 0.13f * at->hand);
    }
}

static float share_of_leg(const Place* at, GtHumanoidJoint joint)
{
    float h = at->h;
    switch (joint) {
    case GT_HUMANOID_LEFT_UPPER_LEG: {
        // The plane rises outwards; the hands of long arms are below it.
        float out = at->p.x - at->skeleton->joints[joint].x;
        return across(at, joint, gt_vec3(0.35f, -0.93f, 0.0f), 0.0f, 0.048f * h) * step_up(at->p.x / (0.012f * h)) *
               (1.0f - step_up((out - 0.14f * h) / (0.04f * h)));
    }
    case GT_HUMANOID_LEFT_LOWER_LEG:
        return across(at, joint, gt_vec3(0.0f, -1.0f, 0.0f), 0.0f, 0.030f * h);
    case GT_HUMANOID_LEFT_FOOT:
        return across(at, joint, gt_vec3(0.0f, -0.87f, 0.5f), -0.004f * h, 0.020f * h);
    default:
        return across(at, joint, gt_vec3(0.0f, 0.0f, 1.0f), 0.0f, 0.013f * h);
    }
}

static float share_of_finger(const Place* at, GtHumanoidJoint joint)
{
    int finger = (joint - GT_HUMANOID_LEFT_THUMB_METACARPAL) / 3;
    GtVec3 bone = gt_vec3_sub(at->skeleton->tips[joint], at->skeleton->joints[joint]);
    float step = across(at, joint, bone, 0.0f, (finger == 0 ? 0.07f : 0.055f) * at->hand);
    if ((joint - GT_HUMANOID_LEFT_THUMB_METACARPAL) % 3 != 0) {
        return step;
    }
    float own = part_of(at, (GtiLayerPart)(GTI_PART_THUMB + 2 * finger));
    float other = finger == 0 ? part_of(at, GTI_PART_HAND) + 0.05f * at->hand : 1e3f;
    for (int i = 0; i < 5; ++i) {
        if (i != finger) {
            other = fminf(other, part_of(at, (GtiLayerPart)(GTI_PART_THUMB + 2 * i)));
        }
    }
    return step * step_up((other - own) / (0.03f * at->hand));
}

// How much a point belongs to a joint and to what hangs on it.
static float share_of(const Place* at, GtHumanoidJoint joint)
{
    if (joint == GT_HUMANOID_LEFT_EYE) {
        return share_of_eye(at);
    }
    if (joint <= GT_HUMANOID_JAW) {
        return share_of_middle(at, joint);
    }
    if (joint < GT_HUMANOID_LEFT_SHOULDER) {
        return share_of_leg(at, joint);
    }
    return joint < GT_HUMANOID_LEFT_THUMB_METACARPAL ? share_of_arm(at, joint) : share_of_finger(at, joint);
}

static void keep_largest(const float all[GT_HUMANOID_JOINT_COUNT], uint16_t joints[GTI_INFLUENCES],
                         float weights[GTI_INFLUENCES])
{
    float sum = 0.0f;
    for (int i = 0; i < GTI_INFLUENCES; ++i) {
        joints[i] = 0;
        weights[i] = 0.0f;
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        float weight = all[j] < 1e-3f ? 0.0f : all[j];
        for (int i = 0; i < GTI_INFLUENCES && weight > 0.0f; ++i) {
            if (weight > weights[i]) {
                memmove(&joints[i + 1], &joints[i], (size_t)(GTI_INFLUENCES - 1 - i) * sizeof joints[0]);
                memmove(&weights[i + 1], &weights[i], (size_t)(GTI_INFLUENCES - 1 - i) * sizeof weights[0]);
                joints[i] = (uint16_t)j;
                weights[i] = weight;
                break;
            }
        }
    }
    for (int i = 0; i < GTI_INFLUENCES; ++i) {
        sum += weights[i];
    }
    for (int i = 0; i < GTI_INFLUENCES; ++i) {
        weights[i] = sum > 0.0f ? weights[i] / sum : i == 0;
    }
}

void gti_person_weigh(const GtiPerson* person, GtVec3 p, uint16_t joints[GTI_INFLUENCES], float weights[GTI_INFLUENCES])
{
    float parts[GTI_PART_COUNT];
    gti_layers_parts(&person->layers, p, parts);
    const GtiSkeleton* s = &person->skeleton;
    float head = (s->tips[GT_HUMANOID_HEAD].y - s->joints[GT_HUMANOID_HEAD].y) / 0.10556f;
    Place left = { s, p, parts, 0, (float)s->height_m, head, (float)s->hand_m };
    Place right = left;
    right.p.x = -p.x;
    right.side = 1;
    float shares[GT_HUMANOID_JOINT_COUNT];
    float all[GT_HUMANOID_JOINT_COUNT];
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtHumanoidJoint joint = (GtHumanoidJoint)j;
        GtHumanoidJoint other = gt_humanoid_mirror(joint);
        int32_t parent = gt_humanoid_parent(joint);
        float above = parent == GT_NONE ? 1.0f : shares[parent];
        shares[j] = j == GT_HUMANOID_HIPS ? 1.0f
                    : above == 0.0f       ? 0.0f
                    : (int)other < j      ? above * share_of(&right, other)
                                          : above * share_of(&left, joint);
        all[j] = shares[j];
    }
    for (int j = GT_HUMANOID_JOINT_COUNT - 1; j > 0; --j) {
        int32_t parent = gt_humanoid_parent((GtHumanoidJoint)j);
        all[parent] = fmaxf(all[parent] - shares[j], 0.0f);
    }
    keep_largest(all, joints, weights);
}
