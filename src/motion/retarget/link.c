// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Spines and necks are curves with an orientation along them. Each joint holds the orientation of the bone above it,
// at that bone's middle; the hips hold it at the bottom. A spine with another number of joints takes its orientations
// off that curve at the middles of its own bones, both curves running from 0 at the bottom to 1 at the last bone, so
// that the chest, from which arms and neck hang, is always held alike.

#include "motion/retarget/link.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum {
    MAX_CHAIN = 64 // joints of a spine that are told apart
};

typedef struct Chain {
    int32_t nodes[MAX_CHAIN];
    float arcs[MAX_CHAIN]; // 0 at the bottom, 1 at the end of the curve
    int count;
} Chain;

static void set_link(GtiLinks* links, int32_t target, GtiRetargetLink link)
{
    if (target == GT_NONE || link.from == GT_NONE || links->of[target].from != GT_NONE) {
        return;
    }
    links->of[target] = link;
    ++links->count;
}

static GtiRetargetLink follow(int32_t node)
{
    return (GtiRetargetLink){ .from = node, .to = node };
}

// Joints from `top` (exclusive) down to `bottom`, bottom first. False when `top` does not hang from it, or the chain is
// absurdly long.
static bool collect_chain(const GtiAlignedFigure* f, int32_t bottom, bool with_bottom, int32_t top, Chain* out)
{
    int count = 0;
    int32_t node = top == GT_NONE ? GT_NONE : f->def->parents[top];
    for (; node != GT_NONE && node != bottom; node = f->def->parents[node]) {
        if (count >= MAX_CHAIN - 1) {
            return false;
        }
        out->nodes[count++] = node;
    }
    if (node == GT_NONE) {
        return false;
    }
    if (with_bottom) {
        out->nodes[count++] = bottom;
    }
    for (int i = 0; i < count / 2; ++i) {
        int32_t swap = out->nodes[i];
        out->nodes[i] = out->nodes[count - 1 - i];
        out->nodes[count - 1 - i] = swap;
    }
    out->count = count;
    return true;
}

// Middles of the bones along the curve from `bottom` to `top`. With `to_last` the last bone's middle is 1, else `top`.
static void measure_chain(const GtiAlignedFigure* f, int32_t bottom, int32_t top, bool to_last, Chain* chain)
{
    const GtVec3* at = f->aligned.places;
    float arc = 0.0f;
    GtVec3 before = at[bottom];
    for (int i = 0; i < chain->count; ++i) {
        GtVec3 start = at[chain->nodes[i]];
        GtVec3 end = at[i + 1 < chain->count ? chain->nodes[i + 1] : top];
        arc += gt_vec3_length(gt_vec3_sub(start, before));
        chain->arcs[i] = arc + 0.5f * gt_vec3_length(gt_vec3_sub(end, start));
        before = start;
    }
    arc += gt_vec3_length(gt_vec3_sub(at[top], before));
    float length = to_last && chain->count ? chain->arcs[chain->count - 1] : arc;
    for (int i = 0; i < chain->count; ++i) {
        chain->arcs[i] = length > 0.0f ? chain->arcs[i] / length : (float)(i + 1) / (float)chain->count;
    }
}

// The orientation at `arc` of the curve from `bottom` through the chain to `end`, which is GT_NONE where the chain ends
// it.
static GtiRetargetLink link_at(const Chain* source, int32_t bottom, int32_t end, float arc)
{
    int32_t before = bottom;
    int32_t top = end != GT_NONE || source->count == 0 ? end : source->nodes[source->count - 1];
    float from = 0.0f;
    for (int i = 0; i < source->count; ++i) {
        if (arc <= source->arcs[i]) {
            float span = source->arcs[i] - from;
            float blend = span > 1e-6f ? (arc - from) / span : 1.0f;
            return (GtiRetargetLink){
                .from = before, .to = source->nodes[i], .blend = blend, .bottom = bottom, .top = top, .arc = arc
            };
        }
        from = source->arcs[i];
        before = source->nodes[i];
    }
    if (end == GT_NONE || 1.0f - from < 1e-6f) {
        return follow(before);
    }
    float blend = (arc - from) / (1.0f - from);
    return (GtiRetargetLink){ .from = before, .to = end, .blend = blend, .bottom = bottom, .top = top, .arc = arc };
}

static void link_spine(const GtiAlignedFigure* source, const GtiAlignedFigure* target, GtiLinks* links)
{
    const int32_t* s = source->joints;
    const int32_t* t = target->joints;
    bool necks = s[GT_HUMANOID_NECK] != GT_NONE && t[GT_HUMANOID_NECK] != GT_NONE;
    GtHumanoidJoint top = necks ? GT_HUMANOID_NECK : GT_HUMANOID_HEAD;
    Chain from, to;
    if (!collect_chain(source, s[GT_HUMANOID_HIPS], false, s[top], &from) ||
        !collect_chain(target, t[GT_HUMANOID_HIPS], false, t[top], &to)) {
        return;
    }
    measure_chain(source, s[GT_HUMANOID_HIPS], s[top], necks, &from);
    measure_chain(target, t[GT_HUMANOID_HIPS], t[top], necks, &to);
    int32_t end = necks ? GT_NONE : s[GT_HUMANOID_HEAD];
    for (int i = 0; i < to.count; ++i) {
        bool same = from.count == to.count;
        set_link(links, to.nodes[i],
                 same ? follow(from.nodes[i]) : link_at(&from, s[GT_HUMANOID_HIPS], end, to.arcs[i]));
    }
    if (!necks) {
        return;
    }
    int32_t chest = from.count ? from.nodes[from.count - 1] : s[GT_HUMANOID_HIPS];
    if (!collect_chain(source, s[GT_HUMANOID_NECK], true, s[GT_HUMANOID_HEAD], &from) ||
        !collect_chain(target, t[GT_HUMANOID_NECK], true, t[GT_HUMANOID_HEAD], &to)) {
        return;
    }
    measure_chain(source, s[GT_HUMANOID_NECK], s[GT_HUMANOID_HEAD], false, &from);
    measure_chain(target, t[GT_HUMANOID_NECK], t[GT_HUMANOID_HEAD], false, &to);
    for (int i = 0; i < to.count; ++i) {
        bool same = from.count == to.count;
        set_link(links, to.nodes[i],
                 same ? follow(from.nodes[i]) : link_at(&from, chest, s[GT_HUMANOID_HEAD], to.arcs[i]));
    }
}

static int source_joint(int joint, bool mirror)
{
    return mirror ? (int)gt_humanoid_mirror((GtHumanoidJoint)joint) : joint;
}

// Fingers that the source lacks do what the nearest one that it has does.
static void link_fingers(const GtiAlignedFigure* source, const GtiAlignedFigure* target, bool mirror, GtiLinks* links)
{
    static const int first[2] = { GT_HUMANOID_LEFT_INDEX_PROXIMAL, GT_HUMANOID_RIGHT_INDEX_PROXIMAL };
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 12; ++i) {
            for (int away = 1; away < 4; ++away) {
                int near[2] = { i - 3 * away, i + 3 * away };
                for (int k = 0; k < 2; ++k) {
                    if (near[k] >= 0 && near[k] < 12) {
                        int32_t node = source->joints[source_joint(first[side] + near[k], mirror)];
                        set_link(links, target->joints[first[side] + i], follow(node));
                    }
                }
            }
        }
    }
}

// Wrists are two joints in one place in some captures, one that twists and one that bends: the last of them, which
// holds the fingers, is turned as the hand is.
static GtiRetargetLink link_wrist(const GtiAlignedFigure* f, int hand)
{
    const float same_place = 1e-3f; // of leg length
    int first = hand == GT_HUMANOID_LEFT_HAND ? GT_HUMANOID_LEFT_INDEX_PROXIMAL : GT_HUMANOID_RIGHT_INDEX_PROXIMAL;
    int32_t wrist = f->joints[hand];
    GtiRetargetLink link = follow(wrist);
    for (int j = first; wrist != GT_NONE && j < first + 12; j += 3) {
        int32_t knuckle = f->joints[j];
        for (int32_t i = knuckle; i != GT_NONE && i > wrist; i = f->def->parents[i]) {
            float away = gt_vec3_length(gt_vec3_sub(f->aligned.places[i], f->aligned.places[wrist]));
            if (i != knuckle && away <= same_place * f->leg_m && gti_hangs_from(f->def, i, wrist)) {
                wrist = i;
            }
        }
    }
    link.is_wrist = link.to != wrist;
    link.to = wrist;
    return link;
}

void gti_link_humanoids(const GtiAlignedFigure* source, const GtiAlignedFigure* target, bool mirror, GtiLinks* links)
{
    link_spine(source, target, links);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int from = source_joint(j, mirror);
        bool is_hand = j == GT_HUMANOID_LEFT_HAND || j == GT_HUMANOID_RIGHT_HAND;
        set_link(links, target->joints[j], is_hand ? link_wrist(source, from) : follow(source->joints[from]));
    }
    link_fingers(source, target, mirror, links);
}

// Whether a name says that a joint takes up twist.
static bool says_twist(const char* name)
{
    static const char* const words[] = { "twist", "roll" };
    for (size_t w = 0; name && w < sizeof words / sizeof words[0]; ++w) {
        for (const char* p = name; *p; ++p) {
            size_t n = 0;
            while (words[w][n] && tolower((unsigned char)p[n]) == words[w][n]) {
                ++n;
            }
            if (!words[w][n]) {
                return true;
            }
        }
    }
    return false;
}

// A bone of a limb, and what twists it.
typedef struct TwistBone {
    int upper, lower; // humanoid joints at its ends
    int against;      // joint that the twist is against: above an upper bone, the bone itself of a lower one
} TwistBone;

// A joint that hangs from a bone, on its line: how far along, or -1.
static float place_along(const GtiAlignedFigure* f, int32_t node, int32_t upper, int32_t lower)
{
    const GtVec3* at = f->aligned.places;
    GtVec3 bone = gt_vec3_sub(at[lower], at[upper]);
    GtVec3 offset = gt_vec3_sub(at[node], at[upper]);
    float square = gt_vec3_dot(bone, bone);
    if (!(square > 0.0f)) {
        return -1.0f;
    }
    float along = gt_vec3_dot(offset, bone) / square;
    float off = gt_vec3_length(gt_vec3_sub(offset, gt_vec3_scale(bone, along)));
    bool named = says_twist(f->def->names ? f->def->names[node] : NULL);
    float slack = named ? 0.25f : 0.02f;
    bool inside = named ? along > -0.05f && along < 1.05f : along > 0.1f && along < 0.95f;
    return inside && off * off < slack * slack * square ? fminf(fmaxf(along, 0.0f), 1.0f) : -1.0f;
}

static void link_bone_twist(const GtiAlignedFigure* source, const GtiAlignedFigure* target, bool mirror,
                            const TwistBone* bone, bool is_upper, GtiLinks* links)
{
    int32_t upper = target->joints[bone->upper], lower = target->joints[bone->lower];
    int32_t turns = source->joints[source_joint(is_upper ? bone->upper : bone->lower, mirror)];
    int32_t against = source->joints[source_joint(bone->against, mirror)];
    if (upper == GT_NONE || lower == GT_NONE || turns == GT_NONE || against == GT_NONE) {
        return;
    }
    GtVec3 direction = gt_vec3_sub(target->aligned.places[lower], target->aligned.places[upper]);
    GtVec3 axis = gt_vec3_normalize_or(direction, gt_vec3(0.0f, 1.0f, 0.0f));
    for (int32_t i = upper + 1; i < target->def->node_count; ++i) {
        int32_t parent = target->def->parents[i];
        if (parent == GT_NONE || parent < upper) {
            break; // depth first: what hangs from the bone has ended
        }
        bool is_mesh = target->scene->nodes[target->def->source_nodes[i]].mesh != GT_NONE;
        bool hangs = !is_mesh && (parent == upper || (links->of[parent].twist != 0.0f && parent > upper));
        float along = hangs && links->of[i].from == GT_NONE ? place_along(target, i, upper, lower) : -1.0f;
        if (along >= 0.0f) {
            GtiRetargetLink link = { .from = against,
                                     .to = turns,
                                     .blend = is_upper ? 1.0f : 0.0f,
                                     .twist = is_upper ? along - 1.0f : along,
                                     .axis = axis };
            if (link.twist == 0.0f) {
                continue;
            }
            set_link(links, i, link);
            ++links->twist_count;
        }
    }
}

void gti_link_twist(const GtiAlignedFigure* source, const GtiAlignedFigure* target, bool mirror, GtiLinks* links)
{
    for (int side = 0; side < 2; ++side) {
        int arm = side == 0 ? GT_HUMANOID_LEFT_UPPER_ARM : GT_HUMANOID_RIGHT_UPPER_ARM;
        int leg = side == 0 ? GT_HUMANOID_LEFT_UPPER_LEG : GT_HUMANOID_RIGHT_UPPER_LEG;
        int shoulder = source_joint(arm - 1, mirror);
        int torso = GT_HUMANOID_UPPER_CHEST;
        while (source->joints[torso] == GT_NONE && torso > GT_HUMANOID_HIPS) {
            --torso;
        }
        bool clavicles = source->joints[shoulder] != GT_NONE && target->joints[arm - 1] != GT_NONE;
        TwistBone bones[4] = {
            { arm, arm + 1, clavicles ? arm - 1 : torso },
            { arm + 1, arm + 2, arm + 1 },
            { leg, leg + 1, GT_HUMANOID_HIPS },
            { leg + 1, leg + 2, leg + 1 },
        };
        for (int b = 0; b < 4; ++b) {
            link_bone_twist(source, target, mirror, &bones[b], b % 2 == 0, links);
        }
    }
}
