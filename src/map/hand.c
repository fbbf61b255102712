// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Names tell fingers where they can. Else the thumb is the one that leaves nearest to the wrist and points most to the
// side, and the others lie in a row that begins beside it.

#include "map/hand.h"

#include <math.h>
#include <string.h>

enum {
    MOST_FINGERS = 16,
    MOST_JOINTS = 6
};

typedef struct Chain {
    int32_t joints[MOST_JOINTS];
    int32_t count;
    int8_t name;   // finger by name, or -1
    int8_t number; // of a finger that has one instead, or -1
} Chain;

static void follow(const GtiMapTree* tree, int32_t first, Chain* chain)
{
    chain->count = 0;
    chain->name = -1;
    chain->number = -1;
    for (int32_t j = first; j != GT_NONE && chain->count < MOST_JOINTS; j = tree->joints[j].farthest) {
        if (!tree->joints[j].is_end && !tree->joints[j].hint.is_helper) {
            const GtiNameHint* hint = &tree->joints[j].hint;
            chain->joints[chain->count++] = j;
            chain->name = chain->name < 0 ? hint->finger : chain->name;
            chain->number = chain->number < 0 ? hint->number : chain->number;
        }
    }
}

static int32_t collect_below(const GtiMapTree* tree, int32_t joint, int32_t except, Chain* chains, int32_t count)
{
    for (int32_t c = tree->joints[joint].first_child; c != GT_NONE && count < MOST_FINGERS;
         c = tree->joints[c].next_sibling) {
        bool is_loose = tree->joints[c].hint.is_helper && tree->joints[c].child_count == 0;
        if (c != except && !tree->joints[c].is_end && !is_loose) {
            follow(tree, c, &chains[count]);
            count += chains[count].count > 0;
        }
    }
    return count;
}

// The chains that leave a hand, and those that leave the first bone of another, as Rigify's thumbs do.
static int32_t collect(const GtiMapTree* tree, int32_t hand, Chain* chains)
{
    int32_t count = collect_below(tree, hand, GT_NONE, chains, 0);
    for (int32_t i = 0, first = count; i < first; ++i) {
        int32_t root = chains[i].joints[0];
        count = collect_below(tree, root, tree->joints[root].farthest, chains, count);
    }
    return count;
}

// Fingers that have numbers: counted from 0 unless there is a fifth.
static void name_numbered(Chain* chains, int32_t count)
{
    bool has_zeroth = false, has_fifth = false;
    for (int32_t i = 0; i < count; ++i) {
        has_zeroth = has_zeroth || chains[i].number == 0;
        has_fifth = has_fifth || chains[i].number == 5;
    }
    int first = has_fifth && !has_zeroth ? 1 : 0;
    for (int32_t i = 0; i < count; ++i) {
        int finger = chains[i].number - first;
        if (chains[i].name < 0 && chains[i].number >= 0 && finger >= 0 && finger < 5) {
            chains[i].name = (int8_t)finger;
        }
    }
}

static GtVec3 root_of(const GtiMapTree* tree, const Chain* chain)
{
    return tree->joints[chain->joints[0]].position;
}

static GtVec3 direction_of(const GtiMapTree* tree, const Chain* chain)
{
    GtVec3 tip = tree->joints[chain->joints[chain->count - 1]].position;
    GtVec3 zero = { 0 };
    return gt_vec3_normalize_or(gt_vec3_sub(tip, root_of(tree, chain)), zero);
}

// The chain that differs most from the others.
static int32_t find_thumb(const GtiMapTree* tree, const Chain* chains, int32_t count, int32_t hand, int32_t elbow)
{
    GtVec3 wrist = tree->joints[hand].position;
    GtVec3 along = gt_vec3_normalize_or(gt_vec3_sub(wrist, tree->joints[elbow].position), gt_vec3(1.0f, 0.0f, 0.0f));
    float reach = 1e-9f;
    for (int32_t i = 0; i < count; ++i) {
        reach = fmaxf(reach, gt_vec3_length(gt_vec3_sub(root_of(tree, &chains[i]), wrist)));
    }
    int32_t best = 0;
    float most = -INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        GtVec3 root = gt_vec3_sub(root_of(tree, &chains[i]), wrist);
        float value = -gt_vec3_dot(direction_of(tree, &chains[i]), along) - 1.5f * gt_vec3_dot(root, along) / reach;
        if (value > most) {
            most = value;
            best = i;
        }
    }
    return best;
}

// A finger that begins within the palm: by name, or because its first bone is longer than the way to it.
static bool begins_in_palm(const GtiMapTree* tree, const Chain* chain, GtVec3 wrist)
{
    const GtiNameHint* root = &tree->joints[chain->joints[0]].hint;
    if (chain->count < 2) {
        return false;
    }
    if (root->is_palm || (root->parts && root->finger < 0 && root->number < 0)) {
        return true;
    }
    GtVec3 at = root_of(tree, chain);
    float bone = gt_vec3_length(gt_vec3_sub(tree->joints[chain->joints[1]].position, at));
    return chain->count > 3 && gt_vec3_length(gt_vec3_sub(at, wrist)) < bone;
}

static void give_joints(const GtiMapTree* tree, const Chain* chain, bool is_thumb, GtVec3 wrist, GtiFinger* out)
{
    int32_t first = !is_thumb && begins_in_palm(tree, chain, wrist) ? 1 : 0;
    int32_t count = chain->count;
    int32_t start = is_thumb && count - first == 2 ? 1 : 0; // a short thumb has no metacarpal
    for (int32_t i = 0; i < 3; ++i) {
        int32_t at = first + i - start;
        out->joints[i] = i >= start && at < count ? chain->joints[at] : GT_NONE;
    }
    out->by_name = chain->name >= 0;
}

// From the thumb's side across the hand.
static void order_across(const GtiMapTree* tree, const Chain* chains, int32_t count, int32_t thumb, GtVec3 wrist,
                         int32_t* order)
{
    GtVec3 along = { 0 };
    for (int32_t i = 0; i < count; ++i) {
        along = i == thumb ? along : gt_vec3_add(along, gt_vec3_sub(root_of(tree, &chains[i]), wrist));
    }
    along = gt_vec3_normalize_or(along, gt_vec3(1.0f, 0.0f, 0.0f));
    GtVec3 tip = gt_vec3_sub(tree->joints[chains[thumb].joints[chains[thumb].count - 1]].position, wrist);
    GtVec3 across = gt_vec3_sub(tip, gt_vec3_scale(along, gt_vec3_dot(tip, along)));
    int32_t used = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (i == thumb) {
            continue;
        }
        float side = gt_vec3_dot(root_of(tree, &chains[i]), across);
        int32_t at = used++;
        while (at > 0 && gt_vec3_dot(root_of(tree, &chains[order[at - 1]]), across) < side) {
            order[at] = order[at - 1];
            --at;
        }
        order[at] = i;
    }
}

void gti_hand_find(const GtiMapTree* tree, int32_t hand, int32_t elbow, GtiFinger fingers[5])
{
    Chain chains[MOST_FINGERS + 1];
    int32_t count = collect(tree, hand, chains);
    GtVec3 wrist = tree->joints[hand].position;
    int32_t named = 0;
    int32_t longest = 0;
    for (int32_t f = 0; f < 5; ++f) {
        fingers[f] = (GtiFinger){ .joints = { GT_NONE, GT_NONE, GT_NONE } };
    }
    name_numbered(chains, count);
    for (int32_t i = 0; i < count; ++i) {
        named += chains[i].name >= 0;
        longest = chains[i].count > longest ? chains[i].count : longest;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) { // a prop is one joint among fingers of three
        if (chains[i].count * 3 > longest || chains[i].name >= 0) {
            chains[kept++] = chains[i];
        }
    }
    count = kept;
    if (named > 0) {
        for (int32_t i = 0; i < count; ++i) {
            int8_t f = chains[i].name;
            if (f >= 0 && fingers[f].joints[0] == GT_NONE && fingers[f].joints[1] == GT_NONE) {
                give_joints(tree, &chains[i], f == 0, wrist, &fingers[f]);
            }
        }
        return;
    }
    if (count < 3 || count > 5 || longest < 2) {
        return; // nothing tells which fingers these are
    }
    int32_t thumb = find_thumb(tree, chains, count, hand, elbow);
    int32_t order[MOST_FINGERS];
    order_across(tree, chains, count, thumb, wrist, order);
    give_joints(tree, &chains[thumb], true, wrist, &fingers[0]);
    for (int32_t i = 0; i + 1 < count; ++i) {
        give_joints(tree, &chains[order[i]], false, wrist, &fingers[i + 1]);
    }
    fingers[count - 1].is_guess = count < 5;
}
