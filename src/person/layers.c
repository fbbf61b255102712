// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Evaluation of the layers. The distance to an ellipsoid is the first-order estimate k0 (k0 - 1) / k1 with
// k0 = |p / r| and k1 = |p / r^2|; the soft union is the quadratic one, which has compact support: beyond the blend
// distance a metaball changes nothing, so that what is far away is left out.

#include "person/layers.h"

#include <string.h>

#define FAR 1e3f

// A value with its gradient.
typedef struct Slope {
    float value;
    GtVec3 gradient;
} Slope;

static Slope soft_min(Slope a, Slope b, float blend)
{
    if (b.value < a.value) {
        Slope c = a;
        a = b;
        b = c;
    }
    float h = blend - (b.value - a.value);
    if (h > 0.0f) {
        a.value -= 0.25f * h * h / blend;
        a.gradient = gt_vec3_lerp(a.gradient, b.gradient, 0.5f * h / blend);
    }
    return a;
}

static Slope negative(Slope a)
{
    return (Slope){ -a.value, gt_vec3_scale(a.gradient, -1.0f) };
}

static Slope ball_slope(const GtiMetaball* ball, GtVec3 p)
{
    GtVec3 d = gt_vec3_sub(p, ball->a);
    float along = gt_vec3_dot(d, ball->axis);
    if (ball->op == GTI_LAYER_CLIP) {
        return (Slope){ -along, gt_vec3_scale(ball->axis, -1.0f) };
    }
    float at = ball->length > 0.0f ? along / ball->length : 0.0f;
    at = at < 0.0f ? 0.0f : at > 1.0f ? 1.0f : at;
    float w = along - at * ball->length;
    float ru = 1.0f / (ball->radii_a[0] + at * (ball->radii_b[0] - ball->radii_a[0]));
    float rv = 1.0f / (ball->radii_a[1] + at * (ball->radii_b[1] - ball->radii_a[1]));
    float rw = 1.0f / (w < 0.0f ? ball->caps[0] : ball->caps[1]);
    float ku = gt_vec3_dot(d, ball->across) * ru;
    float kv = gt_vec3_dot(d, ball->third) * rv;
    float kw = w * rw;
    float k0 = sqrtf(ku * ku + kv * kv + kw * kw);
    if (k0 < 1e-3f) { // at the very centre
        return (Slope){ -fminf(ball->radii_a[0], ball->radii_a[1]), ball->across };
    }
    GtVec3 normal = gt_vec3_add(gt_vec3_add(gt_vec3_scale(ball->across, ku * ru), gt_vec3_scale(ball->third, kv * rv)),
                                gt_vec3_scale(ball->axis, kw * rw));
    float k1 = 1.0f / gt_vec3_length(normal);
    return (Slope){ k0 * (k0 - 1.0f) * k1, gt_vec3_scale(normal, k1) };
}

// What a metaball makes of its part.
static void apply(const GtiMetaball* ball, GtVec3 p, Slope* part)
{
    Slope slope = ball_slope(ball, p);
    *part = ball->op == GTI_LAYER_ADD ? soft_min(*part, slope, ball->blend)
                                      : negative(soft_min(negative(*part), slope, ball->blend));
}

// All parts at a point, from the metaballs of its cell, or from all where there is no index. Bits of those it has.
static uint32_t evaluate_parts(const GtiLayers* layers, GtVec3 p, Slope parts[GTI_PART_COUNT])
{
    uint32_t present = 0;
    const GtiLayerIndex* index = &layers->index;
    bool all = index->counts[0] == 0;
    int32_t first = 0;
    int32_t end = layers->count;
    if (!all) {
        int32_t x = (int32_t)floorf((p.x - index->low.x) / index->cell);
        int32_t y = (int32_t)floorf((p.y - index->low.y) / index->cell);
        int32_t z = (int32_t)floorf((p.z - index->low.z) / index->cell);
        if (x < 0 || y < 0 || z < 0 || x >= index->counts[0] || y >= index->counts[1] || z >= index->counts[2]) {
            return 0;
        }
        int32_t cell = (z * index->counts[1] + y) * index->counts[0] + x;
        first = index->first[cell];
        end = index->first[cell + 1];
    }
    for (int32_t i = first; i < end; ++i) {
        const GtiMetaball* ball = &layers->posed[all ? i : index->balls[i]];
        uint32_t bit = 1u << ball->part;
        if (!(present & bit)) {
            present |= bit;
            parts[ball->part] = (Slope){ FAR, { 0.0f, 0.0f, 0.0f } };
        }
        apply(ball, p, &parts[ball->part]);
    }
    return present;
}

int32_t gti_part_parent(GtiLayerPart part)
{
    if (part == GTI_PART_TRUNK) {
        return GT_NONE;
    }
    if (part == GTI_PART_HEAD) {
        return GTI_PART_TRUNK;
    }
    if (part == GTI_PART_HAIR) {
        return GTI_PART_HEAD;
    }
    int side = ((int)part - GTI_PART_ARM) & 1;
    int left = (int)part - side;
    if (left == GTI_PART_ARM || left == GTI_PART_LEG) {
        return GTI_PART_TRUNK;
    }
    return side + (left == GTI_PART_HAND ? GTI_PART_ARM : left == GTI_PART_FOOT ? GTI_PART_LEG : GTI_PART_HAND);
}

// The joint at which a part begins.
static GtHumanoidJoint part_joint(GtiLayerPart part)
{
    static const GtHumanoidJoint joints[] = {
        [GTI_PART_TRUNK] = GT_HUMANOID_HIPS,
        [GTI_PART_HEAD] = GT_HUMANOID_HEAD,
        [GTI_PART_HAIR] = GT_HUMANOID_HEAD,
        [GTI_PART_ARM] = GT_HUMANOID_LEFT_UPPER_ARM,
        [GTI_PART_HAND] = GT_HUMANOID_LEFT_HAND,
        [GTI_PART_THUMB] = GT_HUMANOID_LEFT_THUMB_METACARPAL,
        [GTI_PART_INDEX] = GT_HUMANOID_LEFT_INDEX_PROXIMAL,
        [GTI_PART_MIDDLE] = GT_HUMANOID_LEFT_MIDDLE_PROXIMAL,
        [GTI_PART_RING] = GT_HUMANOID_LEFT_RING_PROXIMAL,
        [GTI_PART_LITTLE] = GT_HUMANOID_LEFT_LITTLE_PROXIMAL,
        [GTI_PART_LEG] = GT_HUMANOID_LEFT_UPPER_LEG,
        [GTI_PART_FOOT] = GT_HUMANOID_LEFT_FOOT,
    };
    int side = part >= GTI_PART_ARM ? ((int)part - GTI_PART_ARM) & 1 : 0;
    return side ? gt_humanoid_mirror(joints[part - 1]) : joints[part];
}

// Radii of a muscle grow with the angle by which its joint is bent from the T-pose, in which all joints are parallel.
static void swell(GtiMetaball* ball, const GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT])
{
    const GtMat34* joint = &model_from_joint[ball->bends];
    const GtMat34* parent = &model_from_joint[gt_humanoid_parent(ball->bends)];
    float trace = 0.0f;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            trace += joint->m[row][column] * parent->m[row][column];
        }
    }
    float angle = acosf(fmaxf(fminf(0.5f * (trace - 1.0f), 1.0f), -1.0f));
    float growth = 1.0f + ball->swell * angle / 1.57079633f;
    for (int i = 0; i < 2; ++i) {
        ball->radii_a[i] *= growth;
        ball->radii_b[i] *= growth;
    }
}

void gti_layers_pose(GtiLayers* layers, const GtMat34 model_from_joint[GT_HUMANOID_JOINT_COUNT])
{
    layers->index = (GtiLayerIndex){ 0 };
    for (int32_t i = 0; i < layers->count; ++i) {
        GtiMetaball* ball = &layers->posed[i];
        const GtMat34* model = &model_from_joint[layers->balls[i].joint];
        *ball = layers->balls[i];
        if (ball->swell != 0.0f) {
            swell(ball, model_from_joint);
        }
        ball->a = gt_mat34_point(model, ball->a);
        ball->b = gt_mat34_point(model, ball->b);
        ball->axis = gt_mat34_vector(model, ball->axis);
        ball->across = gt_mat34_vector(model, ball->across);
        ball->third = gt_vec3_cross(ball->axis, ball->across);
        ball->length = gt_vec3_length(gt_vec3_sub(ball->b, ball->a));
    }
    for (int part = 0; part < GTI_PART_COUNT; ++part) {
        layers->anchors[part] = gt_mat34_translation(&model_from_joint[part_joint((GtiLayerPart)part)]);
    }
}

// `parts` receives the parts by themselves, where they are not far away. Their bits.
static uint32_t evaluate(const GtiLayers* layers, GtVec3 p, Slope parts[GTI_PART_COUNT], Slope* out)
{
    const Slope far = { FAR, { 0.0f, 0.0f, 0.0f } };
    Slope whole[GTI_PART_COUNT]; // with what grows from them
    uint32_t present = evaluate_parts(layers, p, parts);
    uint32_t known = present;
    for (uint32_t left = present; left != 0; left &= left - 1) {
        whole[__builtin_ctz(left)] = parts[__builtin_ctz(left)];
    }
    while (known > 1) {
        int part = 31 - __builtin_clz(known);
        known &= ~(1u << part);
        int32_t parent = gti_part_parent((GtiLayerPart)part);
        float from = gt_vec3_length(gt_vec3_sub(p, layers->anchors[part])) / layers->anchor_reaches[part];
        float fade = from < 1.0f ? 1.0f - from * from * (3.0f - 2.0f * from) : 0.0f;
        float blend = fmaxf(layers->anchor_blends[part] * fade, 1e-7f);
        Slope joined = soft_min(present >> parent & 1 ? parts[parent] : far, whole[part], blend);
        if (!(known >> parent & 1) || joined.value < whole[parent].value) {
            whole[parent] = joined;
        }
        known |= 1u << parent;
    }
    *out = known ? whole[GTI_PART_TRUNK] : far;
    return present;
}

float gti_layers_value(const GtiLayers* layers, GtVec3 p)
{
    Slope parts[GTI_PART_COUNT];
    Slope slope;
    evaluate(layers, p, parts, &slope);
    return slope.value;
}

float gti_layers_parts(const GtiLayers* layers, GtVec3 p, float parts[GTI_PART_COUNT])
{
    Slope slopes[GTI_PART_COUNT];
    Slope slope;
    uint32_t present = evaluate(layers, p, slopes, &slope);
    for (int part = 0; part < GTI_PART_COUNT; ++part) {
        parts[part] = present >> part & 1 ? slopes[part].value : FAR;
    }
    return slope.value;
}

static float field_value(const void* user, GtVec3 p)
{
    return gti_layers_value(user, p);
}

static float field_slope(const void* user, GtVec3 p, GtVec3* gradient)
{
    Slope parts[GTI_PART_COUNT];
    Slope slope;
    evaluate(user, p, parts, &slope);
    *gradient = slope.gradient;
    return slope.value;
}

GtiField gti_layers_field(const GtiLayers* layers)
{
    return (GtiField){ field_value, field_slope, layers };
}
