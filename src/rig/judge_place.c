// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where bones are in the solid: inside it, in its middle, near all of its surface, in limbs that are limbs.

#include "rig/judge_parts.h"

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

static const char* joint_name(const GtiJudge* judge, int32_t joint)
{
    int32_t humanoid = judge->skeleton->joints[joint].humanoid;
    return humanoid == GT_NONE ? "a joint" : gt_humanoid_name((GtHumanoidJoint)humanoid);
}

GtiLook gti_judge_inside(const GtiJudge* judge)
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
    GtiLook look = { gti_judge_ramp(share, 0.8f, 0.95f) * (1.0f - astray), share, "" };
    if (worst != GT_NONE) {
        snprintf(look.why, sizeof look.why, "bones leave the body: that of %s by %.0f %% of the height",
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

GtiLook gti_judge_centred(const GtiJudge* judge)
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
    GtiLook look = { gti_judge_ramp(mean, 0.25f, 0.55f), mean, "" };
    snprintf(look.why, sizeof look.why, "bones are not in the middle of their limbs, least that of the %s", worst);
    return look;
}

static GtVec3 nearest_on_segment(GtVec3 p, GtVec3 a, GtVec3 b)
{
    GtVec3 ab = gt_vec3_sub(b, a);
    float square = gt_vec3_dot(ab, ab);
    float t = square > 0.0f ? gt_vec3_dot(gt_vec3_sub(p, a), ab) / square : 0.0f;
    return gt_vec3_add(a, gt_vec3_scale(ab, fminf(fmaxf(t, 0.0f), 1.0f)));
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
        GtVec3 q = nearest_on_segment(p, judge->bones[b].from, judge->bones[b].to);
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

GtiLook gti_judge_covered(const GtiJudge* judge)
{
    const GtiRigBody* body = judge->body;
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
    float bare = 0.0f;
    float farthest = 0.0f;
    GtVec3 where = gt_vec3(0.0f, 0.0f, 0.0f);
    int count = 0;
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
        float beyond = distance_beyond(judge, p, gt_vec3_normalize_or(cross, gt_vec3(0.0f, 1.0f, 0.0f)));
        bare += (float)hits * gti_judge_ramp(beyond, 0.0f, uncovered_full);
        count += hits;
        if (beyond > farthest) {
            farthest = beyond;
            where = p;
        }
    }
    float share = count > 0 ? bare / (float)count : 1.0f;
    GtiLook look = { 1.0f - gti_judge_ramp(share, 0.08f, 0.3f), 1.0f - share, "" };
    snprintf(look.why, sizeof look.why, "%.0f %% of the surface is far from every bone, most of all at %s",
             (double)(100.0f * share), region_of(where));
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

GtiLook gti_judge_limbs(const GtiJudge* judge)
{
    float sum = 0.0f;
    float detail = 0.0f;
    int count = 0;
    float most = 0.0f;
    const char* worst = "limbs";
    for (int i = 0; i < SEGMENT_COUNT; ++i) {
        GtVec3 a;
        GtVec3 b;
        if (!gti_judge_at(judge, segments[i].from, &a) || !gti_judge_at(judge, segments[i].to, &b)) {
            continue;
        }
        GtVec3 along = gt_vec3_sub(b, a);
        float widest = gti_judge_widest(judge->solid, gt_vec3_lerp(a, b, 0.6f), along);
        float stout = widest / fmaxf(gt_vec3_length(along), 1e-6f);
        ++count;
        if (widest > 0.0f) {
            sum += 1.0f - gti_judge_ramp(stout, 0.55f, 0.9f);
            detail += 1.0f / (1.0f + stout);
        }
        if (stout > most) {
            most = stout;
            worst = segments[i].name;
        }
    }
    float slender = count > 0 ? sum / (float)count : 1.0f;
    float apart = apart_share(judge);
    float head = gti_judge_ramp(head_roundness(judge), 0.1f, 0.2f);
    GtiLook look = { slender * head * gti_judge_ramp(apart, -0.2f, 0.6f), count > 0 ? detail / (float)count : 1.0f,
                     "" };
    if (head < slender && head < apart) {
        snprintf(look.why, sizeof look.why, "there is no head where it should be, only something long and thin");
    } else if (apart < 0.6f && apart < slender) {
        snprintf(look.why, sizeof look.why, "no arms and legs that are apart from each other were found");
    } else {
        snprintf(look.why, sizeof look.why, "there is no limb where the %s should be, only a lump", worst);
    }
    return look;
}
