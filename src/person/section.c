// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Rings, rays and splines. Rays see the parts of their own chain only: those of the trunk do not run out along the
// arms. A ray that leaves the flesh nowhere near where it did at rest, as where calf and thigh press together, says
// nothing.

#include "person/section.h"

#include <string.h>

#define TWO_PI 6.28318531f

enum {
    MAX_BONES = 6,
    MAX_PARTS = 3,
    LEFT_CHAINS = 9, // the trunk, then one side's
};

typedef struct Chain {
    GtHumanoidJoint joints[MAX_BONES];
    int bone_count;
    GtiLayerPart parts[MAX_PARTS];
    int part_count;
    GtVec3 front;    // where the first ray goes, roughly
    float low, high; // rings from here to there, in bones
    int ring_count;
} Chain;

#define FINGER(first, part)                                                                                            \
    {                                                                                                                  \
        { (first), (first) + 1, (first) + 2 }, 3, { (part) }, 1, { 0.0f, 1.0f, 0.0f }, -0.2f, 2.9f, 14                 \
    }

static const Chain chains[LEFT_CHAINS] = {
    { { GT_HUMANOID_HIPS, GT_HUMANOID_SPINE, GT_HUMANOID_CHEST, GT_HUMANOID_UPPER_CHEST, GT_HUMANOID_NECK,
        GT_HUMANOID_HEAD },
      6,
      { GTI_PART_TRUNK, GTI_PART_HEAD, GTI_PART_HAIR },
      3,
      { 0.0f, 0.0f, 1.0f },
      -1.0f,
      5.9f,
      42 },
    { { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND },
      3,
      { GTI_PART_ARM, GTI_PART_HAND },
      2,
      { 0.0f, 1.0f, 0.0f },
      0.0f,
      2.9f,
      40 },
    { { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG },
      2,
      { GTI_PART_LEG },
      1,
      { 0.0f, 0.0f, 1.0f },
      0.0f,
      1.95f,
      40 },
    { { GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_TOES }, 2, { GTI_PART_FOOT }, 1, { 0.0f, 1.0f, 0.0f }, 0.0f, 1.8f, 12 },
    FINGER(GT_HUMANOID_LEFT_THUMB_METACARPAL, GTI_PART_THUMB),
    FINGER(GT_HUMANOID_LEFT_INDEX_PROXIMAL, GTI_PART_INDEX),
    FINGER(GT_HUMANOID_LEFT_MIDDLE_PROXIMAL, GTI_PART_MIDDLE),
    FINGER(GT_HUMANOID_LEFT_RING_PROXIMAL, GTI_PART_RING),
    FINGER(GT_HUMANOID_LEFT_LITTLE_PROXIMAL, GTI_PART_LITTLE),
};

// Chains of the right side come after those of the left.
static Chain chain_of(int32_t index)
{
    if (index < LEFT_CHAINS) {
        return chains[index];
    }
    Chain chain = chains[index - LEFT_CHAINS + 1];
    for (int i = 0; i < chain.bone_count; ++i) {
        chain.joints[i] = gt_humanoid_mirror(chain.joints[i]);
    }
    for (int i = 0; i < chain.part_count; ++i) {
        chain.parts[i] += 1;
    }
    return chain;
}

int32_t gti_section_chain(GtHumanoidJoint joint)
{
    for (int32_t i = 0; i < GTI_CHAIN_COUNT; ++i) {
        Chain chain = chain_of(i);
        for (int k = 0; k < chain.bone_count; ++k) {
            if (chain.joints[k] == joint) {
                return i;
            }
        }
    }
    return GT_NONE;
}

static float ring_along(const Chain* chain, int ring)
{
    return chain->low + (chain->high - chain->low) * (float)ring / (float)(chain->ring_count - 1);
}

static GtVec3 bone_of(const GtiSkeleton* skeleton, GtHumanoidJoint joint)
{
    return gt_vec3_sub(skeleton->tips[joint], skeleton->joints[joint]);
}

// A section of a chain.
typedef struct Ring {
    GtVec3 center;
    GtVec3 axis, u, v;
} Ring;

static GtQuat half_way(GtQuat a, GtQuat b, float at)
{
    float sign = gt_quat_dot(a, b) < 0.0f ? -1.0f : 1.0f;
    return gt_quat_normalize(gt_quat((1.0f - at) * a.x + at * sign * b.x, (1.0f - at) * a.y + at * sign * b.y,
                                     (1.0f - at) * a.z + at * sign * b.z, (1.0f - at) * a.w + at * sign * b.w));
}

// The section in the T-pose: planes at joints halve the angle between the bones.
static Ring ring_at_rest(const GtiSkeleton* skeleton, const Chain* chain, float along)
{
    int last = chain->bone_count - 1;
    int bone = along < 0.0f ? 0 : along >= (float)last ? last : (int)along;
    float at = along - (float)bone;
    int other = at < 0.5f ? bone - 1 : bone + 1;
    GtVec3 direction = bone_of(skeleton, chain->joints[bone]);
    Ring ring = { .center = gt_vec3_add(skeleton->joints[chain->joints[bone]], gt_vec3_scale(direction, at)) };
    ring.axis = gt_vec3_normalize_or(direction, chain->front);
    if (other >= 0 && other <= last) {
        GtVec3 beside = gt_vec3_normalize_or(bone_of(skeleton, chain->joints[other]), ring.axis);
        ring.axis = gt_vec3_normalize_or(gt_vec3_lerp(ring.axis, beside, fabsf(at - 0.5f)), ring.axis);
    }
    GtVec3 side = gt_vec3_cross(chain->front, ring.axis);
    ring.v = gt_vec3_normalize_or(side, gt_vec3(1.0f, 0.0f, 0.0f));
    ring.u = gt_vec3_cross(ring.axis, ring.v);
    return ring;
}

// How far the section has turned: as its bone in the middle, half as the next bone at a joint.
static GtQuat turn_at(const Chain* chain, const GtQuat* turns, float along)
{
    int last = chain->bone_count - 1;
    int bone = along < 0.0f ? 0 : along >= (float)last ? last : (int)along;
    float at = along - (float)bone;
    GtQuat own = turns[chain->joints[bone]];
    if (at >= 0.5f) {
        float share = fminf(at - 0.5f, 0.5f);
        return bone < last ? half_way(own, turns[chain->joints[bone + 1]], share) : own;
    }
    int32_t before = bone > 0 ? (int32_t)chain->joints[bone - 1] : gt_humanoid_parent(chain->joints[0]);
    return before == GT_NONE ? own : half_way(own, turns[before], fminf(0.5f - at, 0.5f));
}

static Ring ring_in_pose(const GtiSkeleton* skeleton, const Chain* chain, const GtVec3* points, const GtQuat* turns,
                         float along)
{
    int last = chain->bone_count - 1;
    int bone = along < 0.0f ? 0 : along >= (float)last ? last : (int)along;
    Ring ring = ring_at_rest(skeleton, chain, along);
    GtHumanoidJoint joint = chain->joints[bone];
    GtVec3 from_joint = gt_vec3_sub(ring.center, skeleton->joints[joint]);
    GtQuat turn = turn_at(chain, turns, along);
    ring.center = gt_vec3_add(points[joint], gt_quat_rotate(turns[joint], from_joint));
    ring.axis = gt_quat_rotate(turn, ring.axis);
    ring.u = gt_quat_rotate(turn, ring.u);
    ring.v = gt_quat_rotate(turn, ring.v);
    return ring;
}

static GtVec3 direction_of(const Ring* ring, float angle)
{
    float rad = angle * (TWO_PI / GTI_RAYS);
    return gt_vec3_add(gt_vec3_scale(ring->u, cosf(rad)), gt_vec3_scale(ring->v, sinf(rad)));
}

static float chain_value(const GtiLayers* layers, const Chain* chain, GtVec3 p)
{
    float parts[GTI_PART_COUNT];
    gti_layers_parts(layers, p, parts);
    float value = parts[chain->parts[0]];
    for (int i = 1; i < chain->part_count; ++i) {
        value = fminf(value, parts[chain->parts[i]]);
    }
    return value;
}

// Length of the ray from the flesh out, or 0 where it does not start in it or is longer than `limit`.
static float cast_ray(const GtiLayers* layers, const Chain* chain, GtVec3 from, GtVec3 direction, float height,
                      float limit)
{
    float inside = 0.0f;
    float value = chain_value(layers, chain, from);
    if (!(value < 0.0f)) {
        return 0.0f;
    }
    float outside = 0.0f;
    while (value < 0.0f) {
        inside = outside;
        if (inside >= limit) {
            return 0.0f;
        }
        outside = inside + fminf(fmaxf(-0.7f * value, 0.0015f * height), 0.02f * height);
        value = chain_value(layers, chain, gt_vec3_add(from, gt_vec3_scale(direction, outside)));
    }
    for (int i = 0; i < 10; ++i) {
        float middle = 0.5f * (inside + outside);
        value = chain_value(layers, chain, gt_vec3_add(from, gt_vec3_scale(direction, middle)));
        inside = value < 0.0f ? middle : inside;
        outside = value < 0.0f ? outside : middle;
    }
    return 0.5f * (inside + outside);
}

typedef struct CastJob {
    const GtiSkeleton* skeleton;
    const GtiLayers* layers;
    const GtVec3* points;    // NULL in the T-pose
    const GtQuat* turns;     // likewise
    const GtiSections* rest; // likewise
    GtiSections* out;
} CastJob;

static void cast_rings(void* data, int32_t first, int32_t end)
{
    const CastJob* job = data;
    float height = (float)job->skeleton->height_m;
    for (int32_t i = first; i < end; ++i) {
        int32_t index = i / GTI_MAX_RINGS;
        int32_t at = i % GTI_MAX_RINGS;
        Chain chain = chain_of(index);
        if (at >= chain.ring_count) {
            continue;
        }
        float along = ring_along(&chain, at);
        Ring ring = job->rest ? ring_in_pose(job->skeleton, &chain, job->points, job->turns, along)
                              : ring_at_rest(job->skeleton, &chain, along);
        for (int ray = 0; ray < GTI_RAYS; ++ray) {
            float before = job->rest ? job->rest->radii[index][at][ray] : 0.0f;
            float limit = job->rest ? 2.0f * before : 0.2f * height;
            GtVec3 direction = direction_of(&ring, (float)ray);
            float length = limit > 0.0f ? cast_ray(job->layers, &chain, ring.center, direction, height, limit) : 0.0f;
            job->out->radii[index][at][ray] = length > 0.0f ? length - before : 0.0f;
        }
    }
}

void gti_sections_rest(const GtiSkeleton* skeleton, const GtiLayers* layers, const GtExecutor* executor,
                       GtiSections* out)
{
    CastJob job = { .skeleton = skeleton, .layers = layers, .out = out };
    gt_executor_run(executor, GTI_CHAIN_COUNT * GTI_MAX_RINGS, 16, cast_rings, &job);
}

void gti_sections_pose(const GtiSkeleton* skeleton, const GtiLayers* posed, const GtVec3* points, const GtQuat* turns,
                       const GtiSections* rest, const GtExecutor* executor, GtiSections* out)
{
    CastJob job = { skeleton, posed, points, turns, rest, out };
    gt_executor_run(executor, GTI_CHAIN_COUNT * GTI_MAX_RINGS, 16, cast_rings, &job);
}

GtiSectionPoint gti_section_locate(const GtiSkeleton* skeleton, int32_t chain_index, GtVec3 p)
{
    Chain chain = chain_of(chain_index);
    float along = 0.0f;
    float nearest = INFINITY;
    for (int bone = 0; bone < chain.bone_count; ++bone) {
        GtVec3 start = skeleton->joints[chain.joints[bone]];
        GtVec3 direction = bone_of(skeleton, chain.joints[bone]);
        float at = gt_vec3_dot(gt_vec3_sub(p, start), direction) / gt_vec3_dot(direction, direction);
        float within = at < 0.0f && bone > 0 ? 0.0f : at > 1.0f && bone + 1 < chain.bone_count ? 1.0f : at;
        float away = gt_vec3_length(gt_vec3_sub(p, gt_vec3_add(start, gt_vec3_scale(direction, within))));
        if (away < nearest) {
            nearest = away;
            along = (float)bone + within;
        }
    }
    Ring ring = ring_at_rest(skeleton, &chain, along);
    for (int i = 0; i < 12; ++i) { // into the plane of its section
        int last = chain.bone_count - 1;
        int bone = along < 0.0f ? 0 : along >= (float)last ? last : (int)along;
        float length = gt_vec3_length(bone_of(skeleton, chain.joints[bone]));
        along += 0.8f * gt_vec3_dot(gt_vec3_sub(p, ring.center), ring.axis) / length;
        ring = ring_at_rest(skeleton, &chain, along);
    }
    GtVec3 d = gt_vec3_sub(p, ring.center);
    float u = gt_vec3_dot(d, ring.u);
    float v = gt_vec3_dot(d, ring.v);
    float angle = atan2f(v, u) * (GTI_RAYS / TWO_PI);
    return (GtiSectionPoint){ along, angle < 0.0f ? angle + GTI_RAYS : angle, sqrtf(u * u + v * v),
                              gt_vec3_dot(d, ring.axis) };
}

// Weights of the four control values around a place of a uniform cubic B-spline, the first one's index.
static int spline_weights(float at, float weights[4])
{
    float whole = floorf(at);
    float t = at - whole;
    float s = 1.0f - t;
    weights[0] = s * s * s / 6.0f;
    weights[1] = (3.0f * t * t * t - 6.0f * t * t + 4.0f) / 6.0f;
    weights[2] = (3.0f * s * s * s - 6.0f * s * s + 4.0f) / 6.0f;
    weights[3] = t * t * t / 6.0f;
    return (int)whole - 1;
}

static float spline_value(const Chain* chain, const float radii[GTI_MAX_RINGS][GTI_RAYS], GtiSectionPoint at)
{
    int last = chain->ring_count - 1;
    float place = (at.along - chain->low) / (chain->high - chain->low) * (float)last;
    float along[4];
    float around[4];
    int ring = spline_weights(fminf(fmaxf(place, 0.0f), (float)last), along);
    int ray = spline_weights(at.angle, around);
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) {
        int row = ring + i < 0 ? 0 : ring + i > last ? last : ring + i;
        for (int k = 0; k < 4; ++k) {
            sum += along[i] * around[k] * radii[row][(ray + k + GTI_RAYS) % GTI_RAYS];
        }
    }
    return sum;
}

GtVec3 gti_section_place(const GtiSkeleton* skeleton, int32_t chain_index, const GtVec3* points, const GtQuat* turns,
                         const GtiSections* longer, GtiSectionPoint at)
{
    Chain chain = chain_of(chain_index);
    Ring ring = ring_in_pose(skeleton, &chain, points, turns, at.along);
    float out = at.out + spline_value(&chain, longer->radii[chain_index], at);
    GtVec3 beside = gt_vec3_add(ring.center, gt_vec3_scale(ring.axis, at.off));
    return gt_vec3_add(beside, gt_vec3_scale(direction_of(&ring, at.angle), fmaxf(out, 0.2f * at.out)));
}
