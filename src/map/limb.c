// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every choice of three joints along the chain is weighed: two bones of about the proportions that people have, which
// leave little of the limb out, and pass over joints only where these lie on the bone (twist) or on each other. What
// names say counts as much as the shape does.

#include "map/limb.h"

#include <math.h>
#include <string.h>

// The chain goes on with the child that reaches farthest; one that names call a helper only where there is no other.
static int32_t next_joint(const GtiMapTree* tree, int32_t joint)
{
    int32_t best = GT_NONE;
    float best_reach = -1.0f;
    for (int32_t c = tree->joints[joint].first_child; c != GT_NONE; c = tree->joints[c].next_sibling) {
        const GtiMapJoint* child = &tree->joints[c];
        float reach = child->reach_m + gt_vec3_length(gt_vec3_sub(child->position, tree->joints[joint].position));
        reach *= child->hint.is_helper && child->child_count == 0 ? 0.1f : 1.0f;
        if (reach > best_reach) {
            best_reach = reach;
            best = c;
        }
    }
    return best;
}

static void follow(const GtiMapTree* tree, int32_t first, GtiMapLimb* limb)
{
    limb->chain_count = 0;
    for (int32_t j = first; j != GT_NONE && limb->chain_count < GTI_LIMB_MOST; j = next_joint(tree, j)) {
        limb->chain[limb->chain_count++] = j;
    }
    while (limb->chain_count > 0 && tree->joints[limb->chain[limb->chain_count - 1]].is_end) {
        --limb->chain_count;
    }
}

static GtVec3 place(const GtiMapTree* tree, const GtiMapLimb* limb, int32_t i)
{
    return tree->joints[limb->chain[i]].position;
}

// How far joints that are passed over lie off the bone, in parts of its length.
static float detour(const GtiMapTree* tree, const GtiMapLimb* limb, int32_t from, int32_t to)
{
    GtVec3 a = place(tree, limb, from);
    GtVec3 along = gt_vec3_sub(place(tree, limb, to), a);
    float length = gt_vec3_length(along);
    float worst = 0.0f;
    for (int32_t i = from + 1; i < to && length > 0.0f; ++i) {
        GtVec3 d = gt_vec3_sub(place(tree, limb, i), a);
        float t = fminf(fmaxf(gt_vec3_dot(d, along) / (length * length), 0.0f), 1.0f);
        worst = fmaxf(worst, gt_vec3_length(gt_vec3_sub(d, gt_vec3_scale(along, t))) / length);
    }
    return worst;
}

float gti_likeness(float value, float wanted, float width)
{
    if (!(value > 0.0f)) {
        return 0.0f;
    }
    float z = logf(value / wanted) / width;
    return expf(-0.5f * z * z);
}

// How many chains of joints leave a joint: more than one is where fingers begin.
static int32_t branches(const GtiMapTree* tree, int32_t joint)
{
    int32_t count = 0;
    for (int32_t c = tree->joints[joint].first_child; c != GT_NONE; c = tree->joints[c].next_sibling) {
        count += !tree->joints[c].is_end && !(tree->joints[c].hint.is_helper && tree->joints[c].child_count == 0);
    }
    return count;
}

static float shape_of_arm(const GtiMapTree* tree, const GtiMapLimb* limb, GtVec3 trunk, float total)
{
    GtVec3 shoulder = place(tree, limb, limb->upper);
    GtVec3 elbow = place(tree, limb, limb->lower);
    GtVec3 wrist = place(tree, limb, limb->end);
    float upper = gt_vec3_length(gt_vec3_sub(elbow, shoulder));
    float lower = gt_vec3_length(gt_vec3_sub(wrist, elbow));
    float before = gt_vec3_length(gt_vec3_sub(shoulder, trunk));
    float shape = gti_likeness(upper / fmaxf(lower, 1e-9f), 1.2f, 0.65f);
    shape *= 0.35f + 0.65f * fminf(1.0f, (upper + lower) / (0.62f * total));
    shape *= gti_likeness(0.25f + before / (upper + lower), 0.25f + 0.45f, 0.6f);
    if (branches(tree, limb->chain[limb->end]) > 1) {
        shape = fminf(1.0f, 1.25f * shape);
    }
    for (int32_t i = limb->upper; i < limb->end; ++i) { // fingers do not leave from a forearm
        shape *= branches(tree, limb->chain[i]) > 2 ? 0.5f : 1.0f;
    }
    return shape;
}

static float shape_of_leg(const GtiMapTree* tree, const GtiMapLimb* limb, GtVec3 trunk, GtVec3 up)
{
    GtVec3 hip = place(tree, limb, limb->upper);
    GtVec3 knee = place(tree, limb, limb->lower);
    GtVec3 ankle = place(tree, limb, limb->end);
    float upper = gt_vec3_length(gt_vec3_sub(knee, hip));
    float lower = gt_vec3_length(gt_vec3_sub(ankle, knee));
    float low = INFINITY;
    for (int32_t i = 0; i < limb->chain_count; ++i) {
        low = fminf(low, gt_vec3_dot(place(tree, limb, i), up));
    }
    float drop = gt_vec3_dot(hip, up) - gt_vec3_dot(ankle, up);
    float whole = fmaxf(gt_vec3_dot(hip, up), gt_vec3_dot(place(tree, limb, 0), up)) - low;
    float before = gt_vec3_length(gt_vec3_sub(hip, trunk));
    float shape = gti_likeness(upper / fmaxf(lower, 1e-9f), 1.02f, 0.35f);
    shape *= fminf(1.0f, fmaxf(0.0f, drop / fmaxf(0.86f * whole, 1e-9f)));
    shape *= fmaxf(0.0f, drop / fmaxf(upper + lower, 1e-9f)); // legs go down
    shape *= gti_likeness(0.3f + before / (upper + lower), 0.3f + 0.15f, 0.7f);
    if (limb->end + 1 < limb->chain_count) { // what follows an ankle goes forward
        GtVec3 next = gt_vec3_sub(place(tree, limb, limb->end + 1), ankle);
        float length = gt_vec3_length(next);
        float down = length > 0.0f ? -gt_vec3_dot(next, up) / length : 0.0f;
        shape *= length > 0.1f * lower && down > 0.94f ? 0.5f : 1.0f;
    }
    return shape;
}

// Of several joints called alike, as MakeHuman's upperleg01 and upperleg02, the first begins the bone.
static float name_bonus(const GtiMapTree* tree, const GtiMapLimb* limb, bool is_leg)
{
    const GtiBodyPart parts[3] = { is_leg ? GTI_BODY_PART_UPPER_LEG : GTI_BODY_PART_UPPER_ARM,
                                   is_leg ? GTI_BODY_PART_LOWER_LEG : GTI_BODY_PART_LOWER_ARM,
                                   is_leg ? GTI_BODY_PART_FOOT : GTI_BODY_PART_HAND };
    const int32_t places[3] = { limb->upper, limb->lower, limb->end };
    float bonus = 0.0f;
    for (int i = 0; i < 3; ++i) {
        int32_t joint = gti_limb_joint(limb, places[i]);
        int32_t before = gti_limb_joint(limb, places[i] - 1);
        if (joint == GT_NONE) {
            continue;
        }
        bool is_second = before != GT_NONE && gti_name_fit(&tree->joints[before].hint, parts[i]) > 0.9f;
        bonus += is_second ? -0.3f : 0.3f * gti_name_fit(&tree->joints[joint].hint, parts[i]);
    }
    return bonus;
}

static void weigh(const GtiMapTree* tree, GtVec3 trunk, float total, bool is_leg, GtVec3 up, GtiMapLimb* limb,
                  GtiMapLimb* best)
{
    limb->shape = is_leg ? shape_of_leg(tree, limb, trunk, up) : shape_of_arm(tree, limb, trunk, total);
    float off = fmaxf(detour(tree, limb, limb->upper, limb->lower), detour(tree, limb, limb->lower, limb->end));
    limb->shape *= expf(-off * off / (0.12f * 0.12f)); // twist joints of sculpted rigs are a little off the bone
    limb->score = limb->shape + name_bonus(tree, limb, is_leg);
    if (limb->score > best->score) {
        *best = *limb;
    }
}

// A limb of two joints: its end is not in the chain.
static void fit_short(const GtiMapTree* tree, bool is_leg, GtiMapLimb* limb, GtiMapLimb* best)
{
    for (int32_t i = 0; i + 1 < limb->chain_count; ++i) {
        limb->upper = i;
        limb->lower = i + 1;
        limb->end = limb->chain_count;
        limb->shape = limb->chain_count == 2 ? 0.4f : 0.1f;
        limb->score = limb->shape + name_bonus(tree, limb, is_leg);
        if (limb->score > best->score) {
            *best = *limb;
        }
    }
}

// Of joints in the place of elbow or knee, the last carries the lower bone: those before it twist the upper one.
static void pass_twist(const GtiMapTree* tree, bool is_leg, GtiMapLimb* limb)
{
    GtiBodyPart part = is_leg ? GTI_BODY_PART_LOWER_LEG : GTI_BODY_PART_LOWER_ARM;
    float bone = gt_vec3_length(gt_vec3_sub(place(tree, limb, limb->lower), place(tree, limb, limb->upper)));
    for (int32_t i = limb->lower + 1; i < limb->end && i < limb->chain_count; ++i) {
        float away = gt_vec3_length(gt_vec3_sub(place(tree, limb, i), place(tree, limb, limb->lower)));
        if (away > 0.01f * bone || gti_name_fit(&tree->joints[limb->chain[i]].hint, part) <
                                       gti_name_fit(&tree->joints[limb->chain[limb->lower]].hint, part)) {
            return;
        }
        limb->lower = i;
    }
}

bool gti_limb_fit(const GtiMapTree* tree, int32_t trunk, int32_t first, bool is_leg, GtVec3 up, GtiMapLimb* out)
{
    GtiMapLimb limb;
    memset(&limb, 0, sizeof limb);
    follow(tree, first, &limb);
    *out = limb;
    out->score = -10.0f;
    if (limb.chain_count < 2) {
        return false;
    }
    float total = 0.0f;
    for (int32_t i = 1; i < limb.chain_count; ++i) {
        total += gt_vec3_length(gt_vec3_sub(place(tree, &limb, i), place(tree, &limb, i - 1)));
    }
    GtVec3 from = tree->joints[trunk].position;
    fit_short(tree, is_leg, &limb, out);
    for (limb.upper = 0; limb.upper < limb.chain_count; ++limb.upper) {
        for (limb.lower = limb.upper + 1; limb.lower < limb.chain_count; ++limb.lower) {
            for (limb.end = limb.lower + 1; limb.end < limb.chain_count; ++limb.end) {
                weigh(tree, from, total, is_leg, up, &limb, out);
            }
        }
    }
    pass_twist(tree, is_leg, out);
    return true;
}

int32_t gti_limb_joint(const GtiMapLimb* limb, int32_t at)
{
    return at >= 0 && at < limb->chain_count ? limb->chain[at] : GT_NONE;
}

float gti_limb_length(const GtiMapTree* tree, const GtiMapLimb* limb)
{
    bool whole = limb->end < limb->chain_count;
    int32_t last = whole ? limb->end : limb->lower;
    float length = 0.0f;
    for (int32_t i = limb->upper + 1; i <= last; ++i) {
        length += gt_vec3_length(gt_vec3_sub(place(tree, limb, i), place(tree, limb, i - 1)));
    }
    return whole ? length : 2.0f * length; // forearms are about as long as upper arms, shins as thighs
}

static int32_t loose_foot(const GtiMapTree* tree, const GtiMapLimb* leg, int side)
{
    int32_t lower = leg->chain[leg->lower];
    GtVec3 knee = tree->joints[lower].position;
    GtVec3 shin = gt_vec3_sub(knee, tree->joints[leg->chain[leg->upper]].position);
    int32_t tip = tree->joints[lower].farthest;
    GtVec3 end = tip == GT_NONE ? gt_vec3_add(knee, shin) : tree->joints[tip].position;
    int32_t best = GT_NONE;
    float nearest = 0.5f * gt_vec3_length(shin);
    for (int32_t j = 0; j < tree->count; ++j) {
        const GtiMapJoint* joint = &tree->joints[j];
        bool is_other = side != 0 && joint->hint.side == -side;
        if (gti_map_is_below(tree, j, leg->chain[leg->upper]) || joint->is_end || joint->hint.is_helper || is_other ||
            gti_name_fit(&joint->hint, GTI_BODY_PART_FOOT) < 0.0f) {
            continue;
        }
        float distance = gt_vec3_length(gt_vec3_sub(joint->position, end));
        if (distance < nearest) {
            nearest = distance;
            best = j;
        }
    }
    return best;
}

int32_t gti_limb_foot(const GtiMapTree* tree, const GtiMapLimb* leg, int side)
{
    int32_t foot = gti_limb_joint(leg, leg->end);
    bool is_tip = foot != GT_NONE && (tree->joints[foot].is_end || tree->joints[foot].hint.is_end);
    if (foot != GT_NONE && !is_tip) {
        return foot;
    }
    int32_t loose = loose_foot(tree, leg, side);
    return loose != GT_NONE ? loose : foot;
}
