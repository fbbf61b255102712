// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where bones are in the solid: inside it, in its middle, near all of its surface, in limbs that are limbs.

#include "rig/judge/parts.h"

#include "base/format.h"
#include "geometry/nearest.h"
#include "rig/tangents.h"

#include <math.h>
#include <stdio.h>

enum {
    SAMPLE_COUNT = 1500 // of the surface
};

static const float bone_step = 0.01f;      // heights between samples of a bone
static const float surface_slack = 0.035f; // heights that all surface may be from a bone, besides
static const float surface_radii = 2.2f;   // radii of the body around it
static const float uncovered_full = 0.05f; // heights beyond that at which a sample counts in full
static const float mirror_slack = 0.04f;   // heights by which left and right may differ, and the middle be wide

static const char* joint_name(const GtiJudge* judge, int32_t joint)
{
    int32_t humanoid = judge->skeleton->joints[joint].humanoid;
    return humanoid == GT_NONE ? "a joint" : gt_humanoid_name((GtHumanoidJoint)humanoid);
}

GtiJudgeLook gti_judge_inside(const GtiJudge* judge)
{
    float slack = 0.6f * judge->solid->cell;
    float all = 0.0f;
    float inside = 0.0f;
    float farthest = slack;
    int32_t worst = GT_NONE;
    for (int32_t b = 0; b < judge->bone_count; ++b) {
        const GtiJudgedBone* bone = &judge->bones[b];
        float length = gt_vec3_length(gt_vec3_sub(bone->to, bone->from));
        int count = (int)fminf(length / bone_step, 200.0f) + 2;
        float weight = (bone->fine ? 0.2f : 1.0f) * (bone->link ? 0.5f : 1.0f) * length / (float)count;
        for (int i = 0; i < count; ++i) {
            float at = (float)i / (float)(count - 1) * (bone->last ? 0.9f : 1.0f);
            float distance = gti_solid_distance(judge->solid, gt_vec3_lerp(bone->from, bone->to, at));
            all += weight;
            inside += weight * (1.0f - gti_judge_ramp(distance, slack, slack + 0.02f));
            if (!bone->fine && distance > farthest) {
                farthest = distance;
                worst = bone->joint;
            }
        }
    }
    float share = all > 0.0f ? inside / all : 0.0f;
    float astray = gti_judge_ramp(farthest, 0.03f, 0.1f); // one bone is enough
    GtiJudgeLook look = { gti_judge_ramp(share, 0.8f, 0.95f) * (1.0f - astray), share, "" };
    if (worst != GT_NONE) {
        gti_format(look.why, sizeof look.why, "bones leave the body: that of %s by %.0f %% of the height",
                   joint_name(judge, worst), (double)(100.0f * farthest));
    }
    return look;
}

float gti_judge_widest(const GtiSolid* solid, GtVec3 p, GtVec3 along)
{
    GtVec3 a;
    GtVec3 b;
    gti_tangents(gt_vec3_normalize_or(along, gt_vec3(0.0f, 1.0f, 0.0f)), &a, &b);
    float depth = -gti_solid_distance(solid, p);
    for (int halved = 0; halved < 3; ++halved) {
        float step = 2.0f * solid->cell / (float)(1 << halved);
        bool deeper = true;
        for (int round = 0; deeper && round < 12; ++round) {
            deeper = false;
            for (int way = 0; way < 4; ++way) {
                GtVec3 q = gt_vec3_add(p, gt_vec3_scale(way < 2 ? a : b, way % 2 ? step : -step));
                float there = -gti_solid_distance(solid, q);
                if (there > depth + 1e-6f) {
                    depth = there;
                    p = q;
                    deeper = true;
                }
            }
        }
    }
    return depth;
}

// Bones of arms and legs: joint, the one it leads to, and what to call it.
typedef struct Segment {
    GtHumanoidJoint from, to;
    const char* name;
} Segment;

static const Segment segments[] = {
    { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, "left upper arm" },
    { GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND, "left forearm" },
    { GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM, "right upper arm" },
    { GT_HUMANOID_RIGHT_LOWER_ARM, GT_HUMANOID_RIGHT_HAND, "right forearm" },
    { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, "left thigh" },
    { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT, "left shank" },
    { GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG, "right thigh" },
    { GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT, "right shank" },
};

enum {
    SEGMENT_COUNT = sizeof segments / sizeof *segments
};

GtiJudgeLook gti_judge_centred(const GtiJudge* judge)
{
    float sum = 0.0f;
    int count = 0;
    float least = 1.0f;
    const char* worst = "";
    for (int i = 0; i < SEGMENT_COUNT; ++i) {
        GtVec3 a;
        GtVec3 b;
        if (!gti_judge_at(judge, segments[i].from, &a) || !gti_judge_at(judge, segments[i].to, &b)) {
            continue;
        }
        float of_segment = 0.0f;
        for (int k = 2; k <= 4; ++k) { // from the middle to the end; the start may be in the trunk
            GtVec3 p = gt_vec3_lerp(a, b, 0.25f * (float)k);
            float widest = gti_judge_widest(judge->solid, p, gt_vec3_sub(b, a));
            float depth = -gti_solid_distance(judge->solid, p);
            of_segment += widest > 0.0f ? fmaxf(depth / widest, 0.0f) / 3.0f : 0.0f;
        }
        sum += of_segment;
        ++count;
        if (of_segment < least) {
            least = of_segment;
            worst = segments[i].name;
        }
    }
    float mean = count > 0 ? sum / (float)count : 1.0f;
    GtiJudgeLook look = { gti_judge_ramp(mean, 0.25f, 0.55f), mean, "" };
    snprintf(look.why, sizeof look.why, "bones are not in the middle of their limbs, least that of the %s", worst);
    return look;
}

// Half the thickness of the body under a point of its surface.
static float thickness_under(const GtiSolid* solid, GtVec3 p, GtVec3 normal)
{
    float deepest = 0.0f;
    int32_t count = (int32_t)(0.2f / solid->cell);
    for (int32_t i = 1; i <= count; ++i) {
        float depth = -gti_solid_distance(solid, gt_vec3_sub(p, gt_vec3_scale(normal, solid->cell * (float)i)));
        if (depth < deepest - solid->cell || depth < -solid->cell) {
            break;
        }
        deepest = fmaxf(deepest, depth);
    }
    return deepest;
}

// How much farther a point of the surface is from every bone than flesh is thick, under the point and around the bone.
static float distance_beyond(const GtiJudge* judge, GtVec3 p, GtVec3 normal)
{
    float least = INFINITY;
    GtVec3 nearest = p;
    for (int32_t b = 0; b < judge->bone_count; ++b) {
        GtVec3 q = gti_nearest_on_segment(p, judge->bones[b].from, judge->bones[b].to);
        float distance = gt_vec3_length(gt_vec3_sub(p, q));
        if (distance < least) {
            least = distance;
            nearest = q;
        }
    }
    float around = -gti_solid_distance(judge->solid, nearest);
    float flesh = fmaxf(around, thickness_under(judge->solid, p, normal));
    return least - surface_radii * flesh - surface_slack;
}

// Whether a point of the surface sees a bone that is as near as flesh goes.
static bool is_held(const GtiJudge* judge, GtVec3 p, GtVec3 normal, float flesh)
{
    const GtiSolid* solid = judge->solid;
    GtVec3 from = gt_vec3_sub(p, gt_vec3_scale(normal, solid->cell));
    for (int32_t b = 0; b < judge->bone_count; ++b) {
        GtVec3 q = gti_nearest_on_segment(from, judge->bones[b].from, judge->bones[b].to);
        float around = fmaxf(-gti_solid_distance(solid, q), flesh);
        if (gt_vec3_length(gt_vec3_sub(p, q)) < surface_radii * around + surface_slack &&
            gti_solid_sees(solid, from, q, 0.5f * solid->cell)) {
            return true;
        }
    }
    return false;
}

// Whether a point is of a limb without a bone that has no twin: tails are in the middle, ears, horns and wings are
// pairs, and a finger more than a figure has limbs is neither.
static bool is_alone(const GtiJudge* judge, GtVec3 p, GtVec3 normal)
{
    const GtiSolid* solid = judge->solid;
    float flesh = thickness_under(solid, p, normal);
    bool is_wall = flesh < 1.5f * solid->cell || gti_solid_distance(solid, p) < -2.0f * solid->cell; // cloth, or inside
    if (fabsf(p.x) < mirror_slack || is_wall || is_held(judge, p, normal, flesh)) {
        return false;
    }
    GtVec3 image = gt_vec3(-p.x, p.y, p.z);
    return fabsf(gti_solid_distance(solid, image)) > mirror_slack ||
           is_held(judge, image, gt_vec3(-normal.x, normal.y, normal.z), flesh);
}

// Where on a figure a point is, in words.
static const char* region_of(GtVec3 p)
{
    if (p.y > 0.85f) {
        return "the top";
    }
    if (p.y < 0.15f) {
        return "the ground";
    }
    if (fabsf(p.x) > 0.2f) {
        return p.x > 0.0f ? "the left side" : "the right side";
    }
    return p.z > 0.0f ? "the front" : "the back";
}

// What samples of the surface tell.
typedef struct Coverage {
    float count, bare, alone;
    float farthest; // from bones, and where
    GtVec3 bare_at, alone_at;
} Coverage;

static void look_at_sample(const GtiJudge* judge, GtVec3 p, GtVec3 normal, float hits, Coverage* coverage)
{
    float beyond = distance_beyond(judge, p, normal);
    coverage->count += hits;
    coverage->bare += hits * gti_judge_ramp(beyond, 0.0f, uncovered_full);
    if (beyond > coverage->farthest) {
        coverage->farthest = beyond;
        coverage->bare_at = p;
    }
    if (is_alone(judge, p, normal)) {
        coverage->alone += hits;
        coverage->alone_at = p;
    }
}

static Coverage measure_coverage(const GtiJudge* judge)
{
    const GtiRigBody* body = judge->body;
    Coverage coverage = { 0 };
    double area = 0.0;
    for (int32_t t = 0; t < body->skin_triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        GtVec3 u = gt_vec3_sub(body->points[c[1]], body->points[c[0]]);
        GtVec3 v = gt_vec3_sub(body->points[c[2]], body->points[c[0]]);
        area += (double)gt_vec3_length(gt_vec3_cross(u, v));
    }
    double step = area / SAMPLE_COUNT;
    double next = 0.5 * step;
    double passed = 0.0;
    for (int32_t t = 0; step > 0.0 && t < body->skin_triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        GtVec3 a = body->points[c[0]];
        GtVec3 cross = gt_vec3_cross(gt_vec3_sub(body->points[c[1]], a), gt_vec3_sub(body->points[c[2]], a));
        passed += (double)gt_vec3_length(cross);
        if (passed < next) {
            continue;
        }
        int hits = (int)((passed - next) / step) + 1; // of large triangles, the middle counts as often
        next += hits * step;
        GtVec3 p = gt_vec3_scale(gt_vec3_add(gt_vec3_add(a, body->points[c[1]]), body->points[c[2]]), 1.0f / 3.0f);
        look_at_sample(judge, p, gt_vec3_normalize_or(cross, gt_vec3(0.0f, 1.0f, 0.0f)), (float)hits, &coverage);
    }
    return coverage;
}

GtiJudgeLook gti_judge_covered(const GtiJudge* judge)
{
    Coverage coverage = measure_coverage(judge);
    float count = fmaxf(coverage.count, 1.0f);
    float share = coverage.count > 0.0f ? coverage.bare / count : 1.0f;
    float covered = 1.0f - gti_judge_ramp(share, 0.08f, 0.3f);
    float paired = 1.0f - gti_judge_ramp(coverage.alone / count, 0.025f, 0.06f);
    GtiJudgeLook look = { covered * paired, 1.0f - share, "" };
    if (paired < covered) {
        snprintf(look.why, sizeof look.why,
                 "there is a limb at %s that has no bone, and none like it on the other side",
                 region_of(coverage.alone_at));
    } else {
        gti_format(look.why, sizeof look.why, "%.0f %% of the surface is far from every bone, most of all at %s",
                   (double)(100.0f * share), region_of(coverage.bare_at));
    }
    return look;
}

static bool is_outside_between(const GtiJudge* judge, GtHumanoidJoint from, GtHumanoidJoint to)
{
    GtVec3 a;
    GtVec3 b;
    return gti_judge_at(judge, from, &a) && gti_judge_at(judge, to, &b) &&
           !gti_solid_sees(judge->solid, a, b, 0.5f * judge->solid->cell);
}

// Share of joints that are apart from others: there is something outside on the straight way to one of two, because
// arms that are stretched out see each other.
static float apart_share(const GtiJudge* judge)
{
    static const struct {
        GtHumanoidJoint joint, others[2];
        float weight;
    } pairs[] = {
        { GT_HUMANOID_LEFT_FOOT, { GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_RIGHT_FOOT }, 4.0f },
        { GT_HUMANOID_LEFT_LOWER_LEG, { GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG }, 2.0f },
        { GT_HUMANOID_LEFT_HAND, { GT_HUMANOID_RIGHT_HAND, GT_HUMANOID_LEFT_LOWER_LEG }, 2.0f },
        { GT_HUMANOID_RIGHT_HAND, { GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_LOWER_LEG }, 2.0f },
        { GT_HUMANOID_LEFT_LOWER_ARM, { GT_HUMANOID_RIGHT_LOWER_ARM, GT_HUMANOID_LEFT_UPPER_LEG }, 1.0f },
        { GT_HUMANOID_RIGHT_LOWER_ARM, { GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_UPPER_LEG }, 1.0f },
    };
    float all = 0.0f;
    float apart = 0.0f;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        GtHumanoidJoint joint = pairs[i].joint;
        if (judge->joints[joint] != GT_NONE) {
            all += pairs[i].weight;
            apart += is_outside_between(judge, joint, pairs[i].others[0]) ||
                             is_outside_between(judge, joint, pairs[i].others[1])
                         ? pairs[i].weight
                         : 0.0f;
        }
    }
    return all > 0.0f ? apart / all : 1.0f;
}

// How round the head is: half its width, in lengths of its bone. A finger is not.
static float head_roundness(const GtiJudge* judge)
{
    int32_t head = judge->joints[GT_HUMANOID_HEAD];
    if (head == GT_NONE) {
        return 1.0f;
    }
    const GtiRigJoint* joint = &judge->skeleton->joints[head];
    GtVec3 along = gt_vec3_sub(joint->tip, joint->position);
    float widest = gti_judge_widest(judge->solid, gt_vec3_lerp(joint->position, joint->tip, 0.5f), along);
    return widest / fmaxf(gt_vec3_length(along), 1e-6f);
}

// How slender the bone's part of the body is, 0 to 1, and half its width in lengths of the bone. Legs may be in
// trousers and skirts, forearms are thin on all figures.
static float slenderness(const GtiJudge* judge, const Segment* segment, float* stout)
{
    GtVec3 a;
    GtVec3 b;
    *stout = 0.0f;
    if (!gti_judge_at(judge, segment->from, &a) || !gti_judge_at(judge, segment->to, &b)) {
        return 1.0f;
    }
    GtVec3 along = gt_vec3_sub(b, a);
    float widest = gti_judge_widest(judge->solid, gt_vec3_lerp(a, b, 0.6f), along);
    bool is_forearm = segment->to == GT_HUMANOID_LEFT_HAND || segment->to == GT_HUMANOID_RIGHT_HAND;
    *stout = widest / fmaxf(gt_vec3_length(along), 1e-6f);
    float slender =
        is_forearm ? 1.0f - gti_judge_ramp(*stout, 0.3f, 0.55f) : 1.0f - gti_judge_ramp(*stout, 0.55f, 0.9f);
    return widest > 0.0f ? slender : 0.0f;
}

GtiJudgeLook gti_judge_limbs(const GtiJudge* judge)
{
    float pairs[2] = { 0.0f, 0.0f }; // arms and legs
    float detail = 0.0f;
    float least = 1.0f;
    const char* worst = "limbs";
    for (int i = 0; i < SEGMENT_COUNT; i += 2) { // a limb has two
        float stouts[2];
        float upper = slenderness(judge, &segments[i], &stouts[0]);
        float lower = slenderness(judge, &segments[i + 1], &stouts[1]);
        pairs[i / 4] += 0.5f * fminf(upper, lower);
        detail += (1.0f / (1.0f + stouts[0]) + 1.0f / (1.0f + stouts[1])) / SEGMENT_COUNT;
        if (fminf(upper, lower) < least) {
            least = fminf(upper, lower);
            worst = segments[upper < lower ? i : i + 1].name;
        }
    }
    float slender = pairs[0] * pairs[1];
    float apart = apart_share(judge);
    float head = gti_judge_ramp(head_roundness(judge), 0.1f, 0.2f);
    GtiJudgeLook look = { slender * head * gti_judge_ramp(apart, -0.2f, 0.6f), detail, "" };
    if (head < slender && head < apart) {
        snprintf(look.why, sizeof look.why, "there is no head where it should be, only something long and thin");
    } else if (apart < 0.6f && apart < slender) {
        snprintf(look.why, sizeof look.why, "no arms and legs that are apart from each other were found");
    } else {
        snprintf(look.why, sizeof look.why, "there is no limb where the %s should be, only a lump", worst);
    }
    return look;
}
