// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From the reference person to any person: what lies along a bone stretches with the bone, what lies across it scales
// with the part, and radii grow with build, muscle and sex. Fingers and eyelids are made here, because they repeat or
// follow the eye.

#include "person/anatomy.h"

#include <string.h>

float gti_anatomy_growth(const GtPersonDef* def, float fat, float muscle, float male)
{
    float build = (float)def->build;
    return 1.0f + fat * (build > 0.0f ? build : 0.5f * build) + muscle * ((float)def->muscle - 0.35f) +
           male * ((float)def->sex - 0.5f);
}

// How the space of a joint of the reference person maps to that of the person.
typedef struct Frame {
    GtVec3 reference; // the joint in the reference person
    GtVec3 bone;      // unit vector along which `along` stretches
    float along, across;
    float wide; // along x, beyond `across`: broad shoulders, broad hips
    bool solid; // radii along the bone stretch with it
} Frame;

typedef struct Builder {
    const GtPersonDef* def;
    const GtiSkeleton* skeleton;
    GtiSkeleton reference;
    GtiLayers* layers;
} Builder;

static float ratio_of(const Builder* b, GtHumanoidJoint from, GtHumanoidJoint to)
{
    GtVec3 here = gt_vec3_sub(b->skeleton->joints[to], b->skeleton->joints[from]);
    GtVec3 there = gt_vec3_sub(b->reference.joints[to], b->reference.joints[from]);
    return gt_vec3_length(here) / gt_vec3_length(there);
}

static Frame frame_of(const Builder* b, GtiLayerPart part, GtHumanoidJoint joint)
{
    const GtiSkeleton* s = b->skeleton;
    const GtiSkeleton* r = &b->reference;
    float height = (float)s->height_m;
    GtVec3 bone = gt_vec3_sub(r->tips[joint], r->joints[joint]);
    float stretch = gt_vec3_length(gt_vec3_sub(s->tips[joint], s->joints[joint])) / gt_vec3_length(bone);
    Frame frame = {
        r->joints[joint], gt_vec3_normalize_or(bone, gt_vec3(0.0f, 1.0f, 0.0f)), stretch, height, 1.0f, false
    };
    if (part == GTI_PART_HEAD || part == GTI_PART_HAIR) {
        frame.across = ratio_of(b, GT_HUMANOID_HEAD, GT_HUMANOID_LEFT_EYE);
        frame.along = frame.across;
    } else if (part == GTI_PART_FOOT || part == GTI_PART_FOOT + 1) {
        frame.bone = gt_vec3(0.0f, 1.0f, 0.0f); // so that the sole stays on the ground
        frame.solid = true;
        frame.across = (float)(s->foot_m / r->foot_m);
        frame.along = s->joints[GT_HUMANOID_LEFT_FOOT].y / r->joints[GT_HUMANOID_LEFT_FOOT].y;
    } else if (part >= GTI_PART_HAND && part < GTI_PART_LEG) {
        frame.across = (float)(s->hand_m / r->hand_m);
        frame.along = frame.across;
    } else if (part == GTI_PART_TRUNK) {
        float hips = s->joints[GT_HUMANOID_LEFT_UPPER_LEG].x / r->joints[GT_HUMANOID_LEFT_UPPER_LEG].x / height;
        float shoulders = s->joints[GT_HUMANOID_LEFT_UPPER_ARM].x / r->joints[GT_HUMANOID_LEFT_UPPER_ARM].x / height;
        frame.bone = gt_vec3(0.0f, 1.0f, 0.0f);
        frame.solid = true;
        frame.along = ratio_of(b, GT_HUMANOID_HIPS, GT_HUMANOID_UPPER_CHEST);
        frame.wide = joint == GT_HUMANOID_HIPS    ? hips
                     : joint == GT_HUMANOID_SPINE ? 0.5f * (hips + shoulders)
                                                  : shoulders;
        if (joint == GT_HUMANOID_NECK) {
            frame.along = ratio_of(b, GT_HUMANOID_NECK, GT_HUMANOID_HEAD);
            frame.wide = 1.0f;
        }
    }
    return frame;
}

static GtVec3 to_joint(const Frame* frame, GtVec3 p)
{
    GtVec3 d = gt_vec3_sub(p, frame->reference);
    float along = gt_vec3_dot(d, frame->bone);
    GtVec3 across = gt_vec3_sub(d, gt_vec3_scale(frame->bone, along));
    across.x *= frame->wide;
    return gt_vec3_add(gt_vec3_scale(across, frame->across), gt_vec3_scale(frame->bone, along * frame->along));
}

static void set_axes(GtiMetaball* ball, GtVec3 axis)
{
    ball->axis = gt_vec3_normalize_or(axis, gt_vec3(0.0f, 1.0f, 0.0f));
    GtVec3 side = fabsf(ball->axis.x) > 0.7f ? gt_vec3(0.0f, 1.0f, 0.0f) : gt_vec3(1.0f, 0.0f, 0.0f);
    side = gt_vec3_sub(side, gt_vec3_scale(ball->axis, gt_vec3_dot(ball->axis, side)));
    ball->across = gt_vec3_normalize_or(side, gt_vec3(0.0f, 0.0f, 1.0f));
}

static GtVec3 mirrored(GtVec3 v)
{
    return gt_vec3(-v.x, v.y, v.z);
}

static void add(Builder* b, const GtiMetaball* ball)
{
    if (b->layers->count < GTI_MAX_METABALLS) {
        b->layers->balls[b->layers->count++] = *ball;
    }
}

static void add_with_twin(Builder* b, const GtiMetaball* ball, bool pair)
{
    add(b, ball);
    if (pair) {
        GtiMetaball twin = *ball;
        twin.part = ball->part >= GTI_PART_ARM ? ball->part + 1 : ball->part;
        twin.joint = gt_humanoid_mirror(ball->joint);
        twin.bends = gt_humanoid_mirror(ball->bends);
        twin.a = mirrored(ball->a);
        twin.b = mirrored(ball->b);
        twin.axis = mirrored(ball->axis);
        twin.across = mirrored(ball->across);
        add(b, &twin);
    }
}

// By how much a radius along a direction scales: bones of limbs stretch without their flesh, trunk and feet with it.
static float scale_along(const Frame* frame, GtVec3 direction)
{
    if (frame->solid && fabsf(gt_vec3_dot(direction, frame->bone)) > 0.7f) {
        return frame->along;
    }
    return frame->across * (fabsf(direction.x) > 0.5f ? frame->wide : 1.0f);
}

static void add_def(Builder* b, const GtiMetaballDef* def)
{
    Frame frame = frame_of(b, def->part, def->joint);
    float growth = gti_anatomy_growth(b->def, def->fat, def->muscle, def->male);
    GtiMetaball ball = { .part = def->part,
                         .joint = def->joint,
                         .op = def->op,
                         .bends = def->bends,
                         .swell = def->swell,
                         .blend = def->blend * frame.across,
                         .a = to_joint(&frame, def->a) };
    if (def->op == GTI_LAYER_CLIP) {
        ball.b = ball.a;
        set_axes(&ball, def->b);
    } else {
        ball.b = to_joint(&frame, def->b);
        set_axes(&ball, gt_vec3_sub(ball.b, ball.a));
    }
    GtVec3 third = gt_vec3_cross(ball.axis, ball.across);
    const float scales[3] = { growth * scale_along(&frame, ball.across), growth * scale_along(&frame, third),
                              growth * scale_along(&frame, ball.axis) };
    for (int i = 0; i < 2; ++i) {
        ball.radii_a[i] = def->radii_a[i] * scales[i];
        ball.radii_b[i] = def->radii_b[i] * scales[i];
        ball.caps[i] = def->caps[i] * scales[2];
    }
    add_with_twin(b, &ball, def->side == GTI_PAIR);
}

static void add_finger(Builder* b, GtiLayerPart part, GtHumanoidJoint first, const float radii[4])
{
    const GtiSkeleton* s = b->skeleton;
    float growth = gti_anatomy_growth(b->def, 0.06f, 0.0f, 0.04f) * (float)s->hand_m;
    for (int i = 0; i < 3; ++i) {
        GtHumanoidJoint joint = (GtHumanoidJoint)(first + i);
        GtVec3 bone = gt_vec3_sub(s->tips[joint], s->joints[joint]);
        GtiMetaball ball = { .part = part, .joint = joint, .blend = 0.02f * (float)s->hand_m };
        // The last phalanx ends one radius before the tip of the finger.
        float end = i == 2 ? 1.0f - radii[3] * (float)s->hand_m / gt_vec3_length(bone) : 1.0f;
        ball.b = gt_vec3_scale(bone, end);
        set_axes(&ball, bone);
        for (int k = 0; k < 2; ++k) {
            ball.radii_a[k] = radii[i] * growth;
            ball.radii_b[k] = radii[i + 1] * growth;
            ball.caps[0] = radii[i] * growth;
            ball.caps[1] = radii[i + 1] * growth;
        }
        add_with_twin(b, &ball, true);
    }
}

static void add_fingers(Builder* b)
{
    static const struct {
        GtiLayerPart part;
        GtHumanoidJoint first;
        float radii[4]; // in hands, at the joints and near the tip
    } fingers[] = {
        { GTI_PART_THUMB, GT_HUMANOID_LEFT_THUMB_METACARPAL, { 0.066f, 0.056f, 0.053f, 0.042f } },
        { GTI_PART_INDEX, GT_HUMANOID_LEFT_INDEX_PROXIMAL, { 0.047f, 0.044f, 0.041f, 0.035f } },
        { GTI_PART_MIDDLE, GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, { 0.047f, 0.045f, 0.042f, 0.036f } },
        { GTI_PART_RING, GT_HUMANOID_LEFT_RING_PROXIMAL, { 0.045f, 0.043f, 0.040f, 0.035f } },
        { GTI_PART_LITTLE, GT_HUMANOID_LEFT_LITTLE_PROXIMAL, { 0.041f, 0.038f, 0.036f, 0.031f } },
    };
    for (size_t i = 0; i < sizeof fingers / sizeof fingers[0]; ++i) {
        add_finger(b, fingers[i].part, fingers[i].first, fingers[i].radii);
    }
}

// Metaballs in order of their parts, each part's in the order given.
static void sort_by_part(GtiLayers* layers)
{
    GtiMetaball* sorted = layers->posed;
    int32_t count = 0;
    for (int part = 0; part < GTI_PART_COUNT; ++part) {
        layers->first[part] = count;
        for (int32_t i = 0; i < layers->count; ++i) {
            if (layers->balls[i].part == (GtiLayerPart)part) {
                sorted[count++] = layers->balls[i];
            }
        }
    }
    layers->first[GTI_PART_COUNT] = count;
    memcpy(layers->balls, sorted, (size_t)count * sizeof *sorted);
}

void gti_anatomy_build(const GtPersonDef* def, const GtiSkeleton* skeleton, GtiLayers* out)
{
    GtPersonDef reference = gt_default_person_def();
    reference.height_m = 1.0;
    Builder b = { .def = def, .skeleton = skeleton, .layers = out };
    gti_person_skeleton(&reference, &b.reference);
    memset(out, 0, sizeof *out);
    for (int32_t i = 0; i < gti_body_ball_count; ++i) {
        add_def(&b, &gti_body_balls[i]);
    }
    for (int32_t i = 0; i < gti_head_ball_count; ++i) {
        add_def(&b, &gti_head_balls[i]);
    }
    add_fingers(&b);
    sort_by_part(out);
    static const struct {
        GtiLayerPart part;
        float blend, reach; // in heights
    } joins[] = {
        { GTI_PART_HEAD, 0.012f, 0.10f },    { GTI_PART_HAIR, 0.006f, 0.20f },   { GTI_PART_ARM, 0.035f, 0.13f },
        { GTI_PART_HAND, 0.012f, 0.04f },    { GTI_PART_THUMB, 0.006f, 0.035f }, { GTI_PART_INDEX, 0.0035f, 0.02f },
        { GTI_PART_MIDDLE, 0.0035f, 0.02f }, { GTI_PART_RING, 0.0035f, 0.02f },  { GTI_PART_LITTLE, 0.0035f, 0.02f },
        { GTI_PART_LEG, 0.035f, 0.16f },     { GTI_PART_FOOT, 0.006f, 0.08f },
    };
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; ++i) {
        for (int side = 0; side < (joins[i].part >= GTI_PART_ARM ? 2 : 1); ++side) {
            out->anchor_blends[joins[i].part + side] = joins[i].blend * (float)skeleton->height_m;
            out->anchor_reaches[joins[i].part + side] = joins[i].reach * (float)skeleton->height_m;
        }
    }
}
