// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints of degree two are merged into the way between knots (Baran and Popovic 2007, section 3.3). Unlike there, the
// end of a last bone is a knot and its joint is not: a mesh shows where fingers end, and not where a hand begins.

#include "rig/medial/tree.h"

#include "base/bounds.h"

#include <float.h>
#include <math.h>

#define TWIG_REACH  0.13f // in heights: what grows from a fork and reaches no farther rides along
#define LEAF_MOST   10    // more ends than these are twigs as well, the shortest first
#define TIP_LEAST   0.01f // in heights: a shorter last bone ends where its joint is
#define PLANE_WIDTH 0.02f // in heights: joints this near to the middle plane lie on it
#define ARM_LOWER   0.35f // of their span: how much lower than level hands are looked for

typedef struct Builder {
    const GtiRigSkeleton* skeleton;
    GtiMedialTree* tree;
    float* reach;         // of each joint: to the farthest end below it, along the joints
    int32_t* child_count; // without twigs
    int32_t* knot_of;     // of each joint, or GT_NONE
    int32_t root;
} Builder;

static float span(GtVec3 a, GtVec3 b)
{
    return gt_vec3_length(gt_vec3_sub(a, b));
}

// A joint that the user placed stands in the body, not in the given pose; its twin on the other side tells where it
// would.
static void take_given(const GtiRigSkeleton* skeleton, int32_t j, GtVec3* position, GtVec3* tip)
{
    const GtiRigJoint* joint = &skeleton->joints[j];
    const GtiRigJoint* twin = &skeleton->joints[joint->mirror];
    bool is_twin = joint->fixed && !twin->fixed;
    joint = is_twin ? twin : joint;
    *position = joint->position;
    *tip = joint->tip;
    if (is_twin) {
        position->x = -position->x;
        tip->x = -tip->x;
    }
}

// How far a hand, a head and a foot reach beyond their joints, in bones before them; skeletons seldom say.
static float end_ratio(int32_t humanoid)
{
    switch (humanoid) {
    case GT_HUMANOID_LEFT_HAND:
    case GT_HUMANOID_RIGHT_HAND:
        return 0.74f; // of the forearm, to the tip of the middle finger (Winter, after Drillis and Contini 1966)
    case GT_HUMANOID_HEAD:
        return 1.8f; // of the neck
    case GT_HUMANOID_LEFT_FOOT:
    case GT_HUMANOID_RIGHT_FOOT:
        return 0.5f; // of the shank
    default:
        return 0.0f;
    }
}

static void lengthen_ends(Builder* b)
{
    GtiMedialTree* tree = b->tree;
    for (int32_t i = 0; i < tree->joint_count; ++i) {
        const GtiRigJoint* joint = &b->skeleton->joints[i];
        float ratio = end_ratio(joint->humanoid);
        bool is_last = b->child_count[i] == 0 || joint->humanoid == GT_HUMANOID_HEAD; // eyes and jaw are no end
        if (!is_last || joint->parent == GT_NONE || !(ratio > 0.0f)) {
            continue;
        }
        bool is_foot = joint->humanoid == GT_HUMANOID_LEFT_FOOT || joint->humanoid == GT_HUMANOID_RIGHT_FOOT;
        GtVec3 bone = gt_vec3_sub(tree->rest[i], tree->rest[joint->parent]);
        GtVec3 given = gt_vec3_sub(tree->rest_tips[i], tree->rest[i]);
        GtVec3 along = gt_vec3_normalize_or(bone, gt_vec3(0.0f, 1.0f, 0.0f));
        along = is_foot ? gt_vec3(0.0f, -0.4f, 0.9f) : along;
        float reach = ratio * gt_vec3_length(bone);
        if (gt_vec3_length(given) < 0.75f * reach) {
            GtVec3 direction = gt_vec3_length(given) > 0.1f * reach ? gt_vec3_normalize_or(given, along) : along;
            tree->rest_tips[i] = gt_vec3_add(tree->rest[i], gt_vec3_scale(direction, reach));
        }
    }
}

static void bring_to_size(Builder* b)
{
    GtiMedialTree* tree = b->tree;
    GtBounds bounds = gti_bounds_of(tree->rest, tree->joint_count);
    GtBounds tips = gti_bounds_of(tree->rest_tips, tree->joint_count);
    gti_bounds_unite(&bounds, &tips);
    float height = gti_bounds_size(bounds).y;
    float most = gti_bounds_longest(bounds);
    float scale = height > 0.25f * most ? 1.0f / height : most > 0.0f ? 1.0f / most : 1.0f;
    GtVec3 ground = gt_vec3(0.0f, bounds.low.y, 0.0f);
    for (int32_t i = 0; i < tree->joint_count; ++i) {
        tree->rest[i] = gt_vec3_scale(gt_vec3_sub(tree->rest[i], ground), scale);
        tree->rest_tips[i] = gt_vec3_scale(gt_vec3_sub(tree->rest_tips[i], ground), scale);
        tree->given_tips[i] = gt_vec3_scale(gt_vec3_sub(tree->given_tips[i], ground), scale);
    }
}

static void count_children(Builder* b)
{
    for (int32_t i = 0; i < b->tree->joint_count; ++i) {
        int32_t parent = b->skeleton->joints[i].parent;
        if (parent != GT_NONE) {
            ++b->child_count[parent];
        }
    }
}

static void measure_reach(Builder* b)
{
    const GtiMedialTree* tree = b->tree;
    for (int32_t i = tree->joint_count - 1; i >= 0; --i) {
        b->reach[i] = fmaxf(b->reach[i], span(tree->rest[i], tree->rest_tips[i]));
        int32_t parent = b->skeleton->joints[i].parent;
        if (parent != GT_NONE) {
            b->reach[parent] = fmaxf(b->reach[parent], span(tree->rest[i], tree->rest[parent]) + b->reach[i]);
        }
    }
}

static float reach_from_parent(const Builder* b, int32_t j)
{
    int32_t parent = b->skeleton->joints[j].parent;
    return b->reach[j] + span(b->tree->rest[j], b->tree->rest[parent]);
}

// A joint and all below it ride along.
static void make_twig(Builder* b, int32_t joint)
{
    GtiMedialTree* tree = b->tree;
    int32_t parent = b->skeleton->joints[joint].parent;
    tree->is_twig[joint] = true;
    if (parent != GT_NONE) {
        --b->child_count[parent];
    }
    for (int32_t i = joint + 1; i < tree->joint_count; ++i) {
        int32_t above = b->skeleton->joints[i].parent;
        tree->is_twig[i] = tree->is_twig[i] || (above != GT_NONE && above >= joint && tree->is_twig[above]);
    }
}

static void find_twigs(Builder* b)
{
    const GtiRigJoint* joints = b->skeleton->joints;
    b->root = 0;
    for (int32_t i = 0; i < b->tree->joint_count; ++i) {
        b->root = joints[i].parent == GT_NONE && b->reach[i] > b->reach[b->root] ? i : b->root;
    }
    for (int32_t i = 0; i < b->tree->joint_count; ++i) {
        int32_t parent = joints[i].parent;
        if (b->tree->is_twig[i]) {
            continue;
        }
        if (parent == GT_NONE) {
            if (i != b->root) {
                make_twig(b, i);
            }
        } else if (reach_from_parent(b, i) < TWIG_REACH) {
            int32_t siblings = 0;
            for (int32_t k = parent + 1; k < b->tree->joint_count; ++k) {
                siblings += joints[k].parent == parent;
            }
            if (siblings > 1) {
                make_twig(b, i);
            }
        }
    }
}

static void limit_leaves(Builder* b)
{
    const GtiRigJoint* joints = b->skeleton->joints;
    for (;;) {
        int32_t leaf_count = 0;
        int32_t shortest = GT_NONE;
        for (int32_t i = 0; i < b->tree->joint_count; ++i) {
            if (b->tree->is_twig[i]) {
                continue;
            }
            leaf_count += b->child_count[i] == 0;
            int32_t parent = joints[i].parent;
            if (parent != GT_NONE && b->child_count[parent] > 1 &&
                (shortest == GT_NONE || reach_from_parent(b, i) < reach_from_parent(b, shortest))) {
                shortest = i;
            }
        }
        if (leaf_count <= LEAF_MOST || shortest == GT_NONE) {
            return;
        }
        make_twig(b, shortest);
    }
}

// Joints above the first fork, such as a root between the feet, have no place in a body. A skeleton without forks
// begins with its first joint.
static void drop_lead(Builder* b)
{
    const GtiRigJoint* joints = b->skeleton->joints;
    int32_t first = b->root;
    while (b->child_count[first] == 1 && !joints[first].fixed) {
        int32_t child = first + 1;
        while (joints[child].parent != first || b->tree->is_twig[child]) {
            ++child;
        }
        first = child;
    }
    if (b->child_count[first] == 0 && !joints[first].fixed) {
        return;
    }
    for (int32_t i = first; i != b->root;) {
        i = joints[i].parent;
        b->tree->is_twig[i] = true;
    }
    b->root = first;
}

// The bone of a joint whose twigs ride along ends where these do.
static void lengthen_tips(Builder* b)
{
    GtiMedialTree* tree = b->tree;
    for (int32_t i = tree->joint_count - 1; i > b->root; --i) {
        int32_t anchor = b->skeleton->joints[i].parent;
        while (anchor != GT_NONE && tree->is_twig[anchor]) {
            anchor = b->skeleton->joints[anchor].parent;
        }
        if (!tree->is_twig[i] || anchor == GT_NONE || b->child_count[anchor] > 0) {
            continue;
        }
        if (span(tree->rest_tips[i], tree->rest[anchor]) > span(tree->rest_tips[anchor], tree->rest[anchor])) {
            tree->rest_tips[anchor] = tree->rest_tips[i];
        }
    }
}

static void fill_chain(Builder* b, GtiMedialKnot* knot, int32_t last, int32_t* used)
{
    GtiMedialTree* tree = b->tree;
    GtVec3 at = knot->position;
    int32_t count = 0;
    int32_t j = last;
    for (; j != GT_NONE && b->knot_of[j] == GT_NONE; j = b->skeleton->joints[j].parent) {
        knot->length += span(at, tree->rest[j]);
        at = tree->rest[j];
        tree->chain[*used + count++] = j;
    }
    for (int32_t i = 0; i < count / 2; ++i) { // they were met upwards
        int32_t swap = tree->chain[*used + i];
        tree->chain[*used + i] = tree->chain[*used + count - 1 - i];
        tree->chain[*used + count - 1 - i] = swap;
    }
    knot->chain_start = *used;
    knot->chain_count = count;
    knot->parent = j == GT_NONE ? GT_NONE : b->knot_of[j];
    knot->length += j == GT_NONE ? 0.0f : span(at, tree->rest[j]);
    *used += count;
}

static bool is_knot(const Builder* b, int32_t j, int32_t spare)
{
    bool has_end = span(b->tree->rest[j], b->tree->rest_tips[j]) > TIP_LEAST;
    return j == b->root || b->child_count[j] > 1 || (b->child_count[j] == 0 && !has_end) ||
           (b->skeleton->joints[j].fixed && spare > 0);
}

static void add_knots(Builder* b)
{
    GtiMedialTree* tree = b->tree;
    int32_t used = 0;
    int32_t spare = GTI_KNOT_MOST - 2 * LEAF_MOST; // forks and ends have room whatever is pinned
    for (int32_t i = b->root; i < tree->joint_count; ++i) {
        if (tree->is_twig[i]) {
            continue;
        }
        bool is_end = b->child_count[i] == 0;
        tree->is_end[i] = is_end;
        if (is_knot(b, i, spare)) {
            bool is_pinned = b->skeleton->joints[i].fixed;
            spare -= is_pinned;
            GtiMedialKnot* knot = &tree->knots[tree->knot_count];
            *knot = (GtiMedialKnot){ .joint = i, .tail = i, .is_pinned = is_pinned, .position = tree->rest[i] };
            fill_chain(b, knot, i == b->root ? GT_NONE : b->skeleton->joints[i].parent, &used);
            b->knot_of[i] = tree->knot_count++;
            knot->is_leaf = is_end && !(span(tree->rest[i], tree->rest_tips[i]) > TIP_LEAST);
            is_end = is_end && !knot->is_leaf;
        }
        if (is_end && i != b->root) {
            GtiMedialKnot* knot = &tree->knots[tree->knot_count++];
            *knot = (GtiMedialKnot){ .joint = GT_NONE, .tail = i, .is_leaf = true, .position = tree->rest_tips[i] };
            fill_chain(b, knot, i, &used);
        }
    }
}

// Arms that the given skeleton spreads are lower in most bodies, and seldom higher.
static void point_knots(const Builder* b)
{
    for (int32_t i = 1; i < b->tree->knot_count; ++i) {
        GtiMedialKnot* knot = &b->tree->knots[i];
        int32_t humanoid = b->skeleton->joints[knot->tail].humanoid;
        GtVec3 off = gt_vec3_sub(knot->position, b->tree->knots[knot->parent].position);
        bool is_arm = humanoid == GT_HUMANOID_LEFT_HAND || humanoid == GT_HUMANOID_RIGHT_HAND;
        if (is_arm && fabsf(off.y) < ARM_LOWER * fabsf(off.x)) {
            off.y = -ARM_LOWER * fabsf(off.x);
        }
        knot->direction = gt_vec3_normalize_or(off, gt_vec3(0.0f, 0.0f, 0.0f));
    }
}

static void pair_knots(const Builder* b)
{
    GtiMedialTree* tree = b->tree;
    for (int32_t i = 0; i < tree->knot_count; ++i) {
        GtiMedialKnot* knot = &tree->knots[i];
        int32_t twin = b->skeleton->joints[knot->tail].mirror;
        knot->mirror = GT_NONE;
        for (int32_t k = 0; k < tree->knot_count && twin != knot->tail; ++k) {
            const GtiMedialKnot* other = &tree->knots[k];
            if (other->tail == twin && (other->joint == GT_NONE) == (knot->joint == GT_NONE)) {
                knot->mirror = k;
            }
        }
        if (twin == knot->tail && fabsf(knot->position.x) < PLANE_WIDTH) {
            knot->mirror = i;
        }
    }
}

bool gti_medial_tree_make(const GtiRigSkeleton* skeleton, GtArena* arena, GtiMedialTree* out)
{
    size_t count = (size_t)skeleton->joint_count;
    *out = (GtiMedialTree){ .joint_count = skeleton->joint_count };
    out->chain = gt_arena_push_array(arena, count, sizeof *out->chain);
    out->rest = gt_arena_push_array(arena, count, sizeof *out->rest);
    out->rest_tips = gt_arena_push_array(arena, count, sizeof *out->rest_tips);
    out->given_tips = gt_arena_push_array(arena, count, sizeof *out->given_tips);
    out->is_end = gt_arena_push_array(arena, count, sizeof *out->is_end);
    out->is_twig = gt_arena_push_array(arena, count, sizeof *out->is_twig);
    Builder b = {
        .skeleton = skeleton,
        .tree = out,
        .reach = gt_arena_push_array(arena, count, sizeof *b.reach),
        .child_count = gt_arena_push_array(arena, count, sizeof *b.child_count),
        .knot_of = gt_arena_push_array(arena, count, sizeof *b.knot_of),
    };
    if (!out->chain || !out->rest || !out->rest_tips || !out->given_tips || !out->is_twig || !out->is_end || !b.reach ||
        !b.child_count || !b.knot_of) {
        return false;
    }
    for (int32_t i = 0; i < skeleton->joint_count; ++i) {
        take_given(skeleton, i, &out->rest[i], &out->rest_tips[i]);
        out->given_tips[i] = out->rest_tips[i];
        b.knot_of[i] = GT_NONE;
    }
    count_children(&b);
    lengthen_ends(&b);
    bring_to_size(&b);
    measure_reach(&b);
    find_twigs(&b);
    limit_leaves(&b);
    drop_lead(&b);
    lengthen_tips(&b);
    add_knots(&b);
    point_knots(&b);
    pair_knots(&b);
    return true;
}
