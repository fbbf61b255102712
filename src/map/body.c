// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every two children of one joint may be legs, and every two of another arms, if they are alike. Of all such four the
// body is the one whose limbs have the shape of limbs, whose arms are over the legs by about a trunk, and which has a
// head over the arms: a fox has none, for its forelegs are beside its hind legs.

#include "map/body.h"

#include <math.h>
#include <string.h>

enum {
    MOST_PAIRS = 256
};

// Two limbs that hang from one joint.
typedef struct Pair {
    int32_t trunk;
    GtiMapLimb limbs[2];
    float shape; // of both, 0 to 1
    float bonus; // by names
    float length_m;
} Pair;

typedef struct Pairs {
    Pair* items;
    int32_t count;
} Pairs;

static GtVec3 position(const GtiMapTree* tree, int32_t joint)
{
    return tree->joints[joint].position;
}

// How much two limbs are each other's mirror image: as long, ending as high and as far from the trunk, apart. Where one
// has lost its end, as far as both go.
static float symmetry(const GtiMapTree* tree, int32_t trunk, const GtiMapLimb* a, const GtiMapLimb* b, GtVec3 up)
{
    const GtiMapLimb* limbs[2] = { a, b };
    bool whole = a->end < a->chain_count && b->end < b->chain_count;
    GtVec3 from = position(tree, trunk);
    GtVec3 ends[2];
    float lengths[2];
    for (int i = 0; i < 2; ++i) {
        const GtiMapLimb* limb = limbs[i];
        GtVec3 root = position(tree, limb->chain[limb->upper]);
        GtVec3 joint = position(tree, limb->chain[limb->lower]);
        ends[i] = gt_vec3_sub(position(tree, limb->chain[whole ? limb->end : limb->lower]), from);
        lengths[i] = whole ? gti_limb_length(tree, limb) : gt_vec3_length(gt_vec3_sub(joint, root));
    }
    float scale = 0.5f * (gt_vec3_length(ends[0]) + gt_vec3_length(ends[1]));
    if (!(scale > 0.0f)) {
        return 0.0f;
    }
    float apart = gt_vec3_length(gt_vec3_sub(ends[0], ends[1])) / scale;
    float unlevel = fabsf(gt_vec3_dot(gt_vec3_sub(ends[0], ends[1]), up)) / scale;
    float alike = gti_likeness(lengths[0] / fmaxf(lengths[1], 1e-9f), 1.0f, 0.12f);
    return alike * expf(-2.5f * unlevel) * (apart > 0.03f ? 1.0f : 0.0f);
}

static int compare_sides(const GtiNameHint* a, const GtiNameHint* b)
{
    return a->side && b->side && a->side == b->side;
}

static void add_pairs(const GtiMapTree* tree, int32_t trunk, bool is_leg, GtVec3 up, Pairs* out)
{
    for (int32_t a = tree->joints[trunk].first_child; a != GT_NONE; a = tree->joints[a].next_sibling) {
        GtiMapLimb first;
        if (!gti_limb_fit(tree, trunk, a, is_leg, up, &first) || !(first.shape > 0.02f)) {
            continue;
        }
        for (int32_t b = tree->joints[a].next_sibling; b != GT_NONE; b = tree->joints[b].next_sibling) {
            GtiMapLimb second;
            if (out->count == MOST_PAIRS || compare_sides(&tree->joints[a].hint, &tree->joints[b].hint) ||
                !gti_limb_fit(tree, trunk, b, is_leg, up, &second)) {
                continue;
            }
            float alike = symmetry(tree, trunk, &first, &second, up);
            float shape = alike * sqrtf(fmaxf(first.shape * second.shape, 0.0f));
            if (shape > 0.01f) {
                out->items[out->count++] = (Pair){
                    .trunk = trunk,
                    .limbs = { first, second },
                    .shape = shape,
                    .bonus = 0.5f * (first.score - first.shape + second.score - second.shape),
                    .length_m = 0.5f * (gti_limb_length(tree, &first) + gti_limb_length(tree, &second)),
                };
            }
        }
    }
}

static int32_t common_ancestor(const GtiMapTree* tree, int32_t a, int32_t b)
{
    while (a != b && a != GT_NONE && b != GT_NONE) {
        if (a > b) {
            a = tree->joints[a].parent;
        } else {
            b = tree->joints[b].parent;
        }
    }
    return a == b ? a : GT_NONE;
}

static bool hangs_from(const GtiMapTree* tree, int32_t joint, const Pair* pair)
{
    return gti_map_is_below(tree, joint, pair->limbs[0].chain[0]) ||
           gti_map_is_below(tree, joint, pair->limbs[1].chain[0]);
}

// The child of the arms' trunk that goes up: where a neck or head is.
static int32_t find_neck(const GtiMapTree* tree, const Pair* arms, GtVec3 up, float size)
{
    int32_t best = GT_NONE;
    float most = 0.0f;
    GtVec3 from = position(tree, arms->trunk);
    for (int32_t c = tree->joints[arms->trunk].first_child; c != GT_NONE; c = tree->joints[c].next_sibling) {
        const GtiMapJoint* child = &tree->joints[c];
        if (c == arms->limbs[0].chain[0] || c == arms->limbs[1].chain[0]) {
            continue;
        }
        int32_t top = c; // of the chain: a neck may begin where the chest does
        for (int32_t t = c; t != GT_NONE; t = tree->joints[t].farthest) {
            top = gt_vec3_dot(position(tree, t), up) > gt_vec3_dot(position(tree, top), up) ? t : top;
        }
        float rise = gt_vec3_dot(gt_vec3_sub(position(tree, top), from), up) / size;
        float name =
            fmaxf(gti_name_fit(&child->hint, GTI_BODY_PART_NECK), gti_name_fit(&child->hint, GTI_BODY_PART_HEAD));
        GtVec3 side = gt_vec3_sub(gt_vec3_sub(position(tree, top), from), gt_vec3_scale(up, rise * size));
        float value = rise - 0.5f * gt_vec3_length(side) / size + 0.15f * name + (child->is_end ? -0.2f : 0.0f);
        if (rise > 0.01f && value > most) {
            most = value;
            best = c;
        }
    }
    return best;
}

static bool is_one_place(const GtiMapTree* tree, int32_t a, int32_t b)
{
    return gt_vec3_length(gt_vec3_sub(position(tree, a), position(tree, b))) < 1e-3f * tree->size_m;
}

// From the neck up to the head: by name, or where eyes, jaw and hair hang, or the last before the top.
static void find_head(const GtiMapTree* tree, int32_t first, GtVec3 up, GtiMapBody* body)
{
    int32_t path[GTI_SPINE_MOST];
    int32_t count = 0;
    int32_t named = GT_NONE;
    int32_t forked = GT_NONE;
    for (int32_t j = first; j != GT_NONE && count < GTI_SPINE_MOST && !tree->joints[j].is_end;) {
        path[count++] = j;
        int32_t next = GT_NONE;
        float most = -INFINITY;
        int32_t inner = 0;
        for (int32_t c = tree->joints[j].first_child; c != GT_NONE; c = tree->joints[c].next_sibling) {
            const GtiMapJoint* child = &tree->joints[c];
            float rise = gt_vec3_dot(gt_vec3_sub(child->position, position(tree, j)), up) / fmaxf(tree->size_m, 1e-9f);
            float value = rise + (gti_name_fit(&child->hint, GTI_BODY_PART_HEAD) > 0.9f ? 10.0f : 0.0f) -
                          (child->hint.is_helper || (child->hint.parts & (1u << GTI_BODY_PART_EYE)) ? 5.0f : 0.0f);
            inner += !child->is_end;
            if (value > most) {
                most = value;
                next = c;
            }
        }
        if (named == GT_NONE && gti_name_fit(&tree->joints[j].hint, GTI_BODY_PART_HEAD) > 0.9f) {
            named = count - 1;
        }
        if (forked == GT_NONE && inner > 1) {
            forked = count - 1;
        }
        j = next;
    }
    if (count == 0) {
        return;
    }
    int32_t head = count - 1;
    if (count == 3 && forked == GT_NONE) { // a top that nothing calls one: the head is longer than the neck
        float neck = gt_vec3_length(gt_vec3_sub(position(tree, path[1]), position(tree, path[0])));
        float top = gt_vec3_length(gt_vec3_sub(position(tree, path[2]), position(tree, path[1])));
        bool is_leaf = tree->joints[path[2]].child_count == 0;
        head = is_leaf && top > 1.2f * neck ? 1 : 2;
    }
    head = named != GT_NONE ? named : forked != GT_NONE ? forked : head;
    while (named == GT_NONE && head > 0 && is_one_place(tree, path[head - 1], path[head])) { // Rigify's face
        --head;
    }
    body->head = path[head];
    body->neck = head > 0 ? path[0] : GT_NONE;
}

// From the hips to the arms' trunk. Where the collar bones hang from the neck, that is no spine.
static void find_spine(const GtiMapTree* tree, GtiMapBody* body)
{
    int32_t path[GTI_SPINE_MOST];
    int32_t count = 0;
    for (int32_t j = body->arm_trunk; j != GT_NONE && j != body->hips && count < GTI_SPINE_MOST;
         j = tree->joints[j].parent) {
        path[count++] = j;
    }
    body->spine_count = count;
    for (int32_t i = 0; i < count; ++i) {
        body->spine[i] = path[count - 1 - i];
    }
    if (body->neck == GT_NONE && body->head != GT_NONE && count >= 2) {
        float torso = gt_vec3_length(gt_vec3_sub(position(tree, body->head), position(tree, body->hips)));
        float near = gt_vec3_length(gt_vec3_sub(position(tree, body->head), position(tree, body->arm_trunk)));
        float name = gti_name_fit(&tree->joints[body->arm_trunk].hint, GTI_BODY_PART_NECK);
        if (name > 0.9f || (name > -0.9f && near < 0.22f * torso)) {
            body->neck = body->arm_trunk;
            --body->spine_count;
        }
    }
}

// In 3ds Biped the thighs hang from the spine, over the pelvis: where the joint above is nearer to where the legs
// begin, or names say so, that is the hips.
static void find_hips(const GtiMapTree* tree, GtiMapBody* body)
{
    int32_t hips = body->hips;
    int32_t parent = tree->joints[hips].parent;
    if (parent == GT_NONE || gti_name_fit(&tree->joints[hips].hint, GTI_BODY_PART_HIPS) > 0.0f) {
        return;
    }
    GtVec3 roots = gt_vec3_add(position(tree, body->legs[0].chain[body->legs[0].upper]),
                               position(tree, body->legs[1].chain[body->legs[1].upper]));
    GtVec3 middle = gt_vec3_scale(roots, 0.5f);
    float here = gt_vec3_length(gt_vec3_sub(position(tree, hips), middle));
    float above = gt_vec3_length(gt_vec3_sub(position(tree, parent), middle));
    float name = gti_name_fit(&tree->joints[parent].hint, GTI_BODY_PART_HIPS);
    bool named = name > 0.9f && gti_name_fit(&tree->joints[hips].hint, GTI_BODY_PART_SPINE) > 0.0f;
    if (named || (name > -0.5f && above + 0.05f * body->leg_m < here)) {
        body->hips = parent;
    }
}

static GtVec3 middle_of_roots(const GtiMapTree* tree, const Pair* pair)
{
    GtVec3 a = position(tree, pair->limbs[0].chain[pair->limbs[0].upper]);
    GtVec3 b = position(tree, pair->limbs[1].chain[pair->limbs[1].upper]);
    return gt_vec3_scale(gt_vec3_add(a, b), 0.5f);
}

// Shoulders over hips by about 0.6 of a leg, arms of about 0.7; cartoons have other proportions, so that both only
// speak for or against. That shoulders are over hips and not before them is what makes it stand.
static float weigh_body(const GtiMapTree* tree, const Pair* legs, const Pair* arms, GtVec3 up, int32_t neck)
{
    GtVec3 trunk = gt_vec3_sub(middle_of_roots(tree, arms), middle_of_roots(tree, legs));
    float length = gt_vec3_length(trunk);
    float rise = gt_vec3_dot(trunk, up);
    float upright = length > 0.0f ? rise / length : 0.0f;
    if (!(rise > 0.08f * legs->length_m) || upright < 0.5f) {
        return 0.0f;
    }
    float fit = 0.25f + 0.75f * gti_likeness(rise / legs->length_m, 0.6f, 0.5f);
    fit *= 0.25f + 0.75f * gti_likeness(arms->length_m / legs->length_m, 0.7f, 0.4f);
    fit *= upright * (neck == GT_NONE ? 0.4f : 1.0f);
    float shape = sqrtf(legs->shape * arms->shape);
    float names = fmaxf(legs->bonus, 0.0f) * fmaxf(arms->bonus, 0.0f); // all agree
    return fit * shape + 0.3f * shape * (legs->bonus + arms->bonus) + 0.8f * names;
}

static bool find_pairs(const GtiMapTree* tree, GtVec3 up, Pairs* legs, Pairs* arms)
{
    for (int32_t j = 0; j < tree->count; ++j) {
        if (tree->joints[j].child_count > 1) {
            add_pairs(tree, j, true, up, legs);
            add_pairs(tree, j, false, up, arms);
        }
    }
    return legs->count > 0 && arms->count > 0;
}

bool gti_body_find(const GtiMapTree* tree, GtVec3 up, GtArena* arena, GtiMapBody* out)
{
    memset(out, 0, sizeof *out);
    out->up = up;
    out->score = -1.0f;
    Pairs legs = { .items = gt_arena_push_array(arena, MOST_PAIRS, sizeof *legs.items) };
    Pairs arms = { .items = gt_arena_push_array(arena, MOST_PAIRS, sizeof *arms.items) };
    if (!legs.items || !arms.items || !find_pairs(tree, up, &legs, &arms)) {
        return legs.items && arms.items;
    }
    const Pair* best_legs = NULL;
    const Pair* best_arms = NULL;
    for (int32_t l = 0; l < legs.count; ++l) {
        for (int32_t a = 0; a < arms.count; ++a) {
            const Pair* leg = &legs.items[l];
            const Pair* arm = &arms.items[a];
            bool apart = !hangs_from(tree, arm->trunk, leg) && !hangs_from(tree, leg->trunk, arm) &&
                         common_ancestor(tree, leg->trunk, arm->trunk) != GT_NONE && leg->trunk != arm->trunk;
            if (!apart) {
                continue;
            }
            float score = weigh_body(tree, leg, arm, up, find_neck(tree, arm, up, leg->length_m));
            if (score > out->score) {
                out->score = score;
                best_legs = leg;
                best_arms = arm;
            }
        }
    }
    if (!best_legs) {
        return true;
    }
    memcpy(out->legs, best_legs->limbs, sizeof out->legs);
    memcpy(out->arms, best_arms->limbs, sizeof out->arms);
    out->leg_trunk = best_legs->trunk;
    out->arm_trunk = best_arms->trunk;
    out->leg_m = best_legs->length_m;
    out->arm_m = best_arms->length_m;
    out->hips = common_ancestor(tree, out->leg_trunk, out->arm_trunk);
    out->neck = GT_NONE;
    out->head = GT_NONE;
    find_head(tree, find_neck(tree, best_arms, up, out->leg_m), up, out);
    find_hips(tree, out);
    find_spine(tree, out);
    return true;
}
