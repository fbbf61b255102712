// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A joint j at x_j that bends by 90 degrees about any axis takes a point p at most sqrt(2) |p - x_j| away. Two
// neighbours that lie beside p, and follow j and all joints below it with the weights f and g, so move apart by at most
// sqrt(2) |f - g| |p - x_j| as linear skin goes. That over their distance is the tear of the edge between them: at 1
// the inner side of a joint is about to fold, and the outer side is twice as long as at rest. Fingers are curled
// together: what the four joints of a row move adds up as vectors, so that a web between two of them may follow both.

#include "rig/weigh/tear.h"

#include "rig/weigh/fingers.h"

#include <math.h>
#include <string.h>

// Tear that measuring counts.
#define TORN 1.5f
// What easing leaves, as a multiple of 1: four fingers that bend together 1, one that bends alone more, and wrists,
// which are twisted by up to 150 degrees, less.
#define ALONE 2.0f
#define WRIST 0.6f
// Edges that are shorter count as this long, in heights: scans have points that all but coincide.
#define LEAST_EDGE 1e-4f

enum {
    MOST_ROUNDS = 60,
    MOST_WIDTH = 16, // of a row
    PHALANXES = 3
};

typedef struct TearEdge {
    const GtiRigSkeleton* skeleton;
    const bool* wanted; // [joint_count] joints that count, with all below them, or NULL for all
    float* flows;       // [joint_count] 0 between edges
    int32_t* touched;   // [joint_count] joints that have a flow
    bool* is_touched;   // [joint_count] false between edges
    int32_t touched_count;
} TearEdge;

// false when memory ran out.
static bool make_edge(const GtiRigSkeleton* skeleton, const bool* wanted, GtArena* arena, TearEdge* out)
{
    size_t count = (size_t)skeleton->joint_count;
    *out = (TearEdge){ .skeleton = skeleton,
                       .wanted = wanted,
                       .flows = gt_arena_push_array(arena, count, sizeof *out->flows),
                       .touched = gt_arena_push_array(arena, count, sizeof *out->touched),
                       .is_touched = gt_arena_push_array(arena, count, sizeof *out->is_touched) };
    return out->flows && out->touched && out->is_touched;
}

static void touch(TearEdge* edge, const GtiProxyRows* rows, int32_t row, float sign)
{
    const uint16_t* joints = &rows->joints[(size_t)row * (size_t)rows->width];
    const float* weights = &rows->weights[(size_t)row * (size_t)rows->width];
    float sum = 0.0f;
    for (int32_t k = 0; k < rows->width; ++k) {
        sum += weights[k];
    }
    for (int32_t k = 0; k < rows->width && weights[k] > 0.0f; ++k) {
        for (int32_t j = joints[k]; j != GT_NONE && (!edge->wanted || edge->wanted[j]);
             j = edge->skeleton->joints[j].parent) {
            edge->flows[j] += sign * weights[k] / sum;
            if (!edge->is_touched[j]) {
                edge->is_touched[j] = true;
                edge->touched[edge->touched_count++] = j;
            }
        }
    }
}

// Which joint of its finger a joint is, from 0; GT_NONE for thumbs and what is no finger.
static int phalanx_of(int32_t humanoid)
{
    int index = (int)humanoid - GT_HUMANOID_LEFT_THUMB_METACARPAL;
    return index < 0 || index / PHALANXES % 5 == 0 ? GT_NONE : index % PHALANXES;
}

static bool is_hand(int32_t humanoid)
{
    return humanoid == GT_HUMANOID_LEFT_HAND || humanoid == GT_HUMANOID_RIGHT_HAND;
}

// The worst tear of the edge between two vertices.
static float tear_of(TearEdge* edge, const GtiProxy* proxy, const GtiProxyRows* rows, int32_t a, int32_t b)
{
    touch(edge, rows, a, 1.0f);
    touch(edge, rows, b, -1.0f);
    GtVec3 p = proxy->mesh.positions[a];
    GtVec3 q = proxy->mesh.positions[b];
    GtVec3 middle = gt_vec3_lerp(p, q, 0.5f);
    float length = fmaxf(gt_vec3_length(gt_vec3_sub(p, q)), LEAST_EDGE);
    GtVec3 moves[PHALANXES] = { 0 };
    float alone = 0.0f;
    float wrist = 0.0f;
    float together = 0.0f;
    for (int32_t i = 0; i < edge->touched_count; ++i) {
        int32_t j = edge->touched[i];
        const GtiRigJoint* joint = &edge->skeleton->joints[j];
        if (joint->parent != GT_NONE) {
            GtVec3 move = gt_vec3_scale(gt_vec3_sub(middle, joint->position), 1.41421356f * edge->flows[j] / length);
            int phalanx = edge->wanted ? phalanx_of(joint->humanoid) : GT_NONE;
            if (edge->wanted && is_hand(joint->humanoid)) {
                wrist = fmaxf(wrist, gt_vec3_length(move));
            } else if (phalanx == GT_NONE) {
                together = fmaxf(together, gt_vec3_length(move));
            } else {
                moves[phalanx] = gt_vec3_add(moves[phalanx], move);
                alone = fmaxf(alone, gt_vec3_length(move));
            }
        }
        edge->flows[j] = 0.0f;
        edge->is_touched[j] = false;
    }
    edge->touched_count = 0;
    for (int k = 0; k < PHALANXES; ++k) {
        together = fmaxf(together, gt_vec3_length(moves[k]));
    }
    return fmaxf(fmaxf(together, alone / ALONE), wrist / WRIST);
}

bool gti_tear_measure(const GtContext* context, const GtiProxy* proxy, const GtiRigSkeleton* skeleton,
                      const GtiProxyRows* rows, int32_t piece_count, double* areas)
{
    GtArena scratch = gt_arena_create(context->allocator);
    TearEdge edge;
    bool ok = make_edge(skeleton, NULL, &scratch, &edge);
    memset(areas, 0, (size_t)piece_count * sizeof *areas);
    const GtiLaplacian* graph = &proxy->laplacian;
    for (int32_t v = 0; ok && v < proxy->mesh.vertex_count; ++v) {
        float worst = 0.0f;
        for (int32_t i = graph->starts[v]; i < graph->starts[v + 1] && worst <= TORN; ++i) {
            worst = fmaxf(worst, tear_of(&edge, proxy, rows, v, graph->neighbours[i]));
        }
        areas[proxy->pieces[v]] += worst > TORN ? graph->areas[v] : 0.0;
    }
    gt_arena_destroy(&scratch);
    return ok;
}

static bool is_of_hand(int32_t humanoid)
{
    return is_hand(humanoid) || humanoid >= GT_HUMANOID_LEFT_THUMB_METACARPAL;
}

typedef struct TearEasing {
    TearEdge edge;
    const GtiProxy* proxy;
    const GtiProxyRows* rows;
    const uint16_t* masks; // [vertex_count] fingers that a vertex may follow
    int32_t* changed;      // [vertex_count] round in which a row changed last, from 1; 0 where it never did
    int32_t influences;
} TearEasing;

// a and b move towards each other by a share of what is between them, 0 to a half.
static void mix_rows(const TearEasing* easing, int32_t a, int32_t b, float share)
{
    uint16_t joints[2][MOST_WIDTH];
    float weights[2][MOST_WIDTH];
    const GtiProxyRows* rows = easing->rows;
    const int32_t both[2] = { a, b };
    int32_t width = rows->width < MOST_WIDTH ? rows->width : MOST_WIDTH;
    for (int i = 0; i < 2; ++i) {
        size_t at = (size_t)both[i] * (size_t)rows->width;
        memcpy(joints[i], &rows->joints[at], (size_t)width * sizeof **joints);
        memcpy(weights[i], &rows->weights[at], (size_t)width * sizeof **weights);
        memset(&rows->joints[at], 0, (size_t)rows->width * sizeof *rows->joints);
        memset(&rows->weights[at], 0, (size_t)rows->width * sizeof *rows->weights);
    }
    for (int i = 0; i < 2; ++i) {
        const float* other = weights[1 - i];
        const uint16_t* other_joints = joints[1 - i];
        bool taken[MOST_WIDTH] = { false };
        for (int32_t k = 0; k < width; ++k) {
            float weight = (1.0f - share) * weights[i][k];
            for (int32_t m = 0; m < width; ++m) {
                if (other_joints[m] == joints[i][k] && other[m] > 0.0f && weights[i][k] > 0.0f) {
                    weight += share * other[m];
                    taken[m] = true;
                }
            }
            gti_row_insert(rows, both[i], joints[i][k], weight);
        }
        for (int32_t m = 0; m < width; ++m) {
            int32_t humanoid = easing->edge.skeleton->joints[other_joints[m]].humanoid;
            if (!taken[m] && easing->masks[both[i]] & gti_finger_bit(humanoid)) {
                gti_row_insert(rows, both[i], other_joints[m], share * other[m]);
            }
        }
        size_t at = (size_t)both[i] * (size_t)rows->width;
        float sum = 0.0f;
        for (int32_t k = 0; k < rows->width; ++k) {
            sum += k < easing->influences ? rows->weights[at + (size_t)k] : 0.0f;
        }
        for (int32_t k = 0; k < rows->width; ++k) {
            rows->weights[at + (size_t)k] = k < easing->influences ? rows->weights[at + (size_t)k] / sum : 0.0f;
        }
    }
}

// One round over all edges of some vertices, in order; whether any was torn. An edge whose ends have not changed since
// it was looked at, in the round before, is as it was then: not torn, else they had changed.
static bool ease_round(TearEasing* easing, const int32_t* vertices, int32_t count, int32_t round)
{
    const GtiLaplacian* graph = &easing->proxy->laplacian;
    bool any = false;
    for (int32_t n = 0; n < count; ++n) {
        int32_t v = vertices[n];
        for (int32_t i = graph->starts[v]; i < graph->starts[v + 1]; ++i) {
            int32_t other = graph->neighbours[i];
            bool is_known = round > 1 && easing->changed[v] < round - 1 && easing->changed[other] < round - 1;
            float tear = other > v && !is_known ? tear_of(&easing->edge, easing->proxy, easing->rows, v, other) : 0.0f;
            if (tear > 1.0f) {
                mix_rows(easing, v, other, 0.5f * (1.0f - 1.0f / tear));
                easing->changed[v] = round;
                easing->changed[other] = round;
                any = any || tear > 1.05f;
            }
        }
    }
    return any;
}

// Vertices that follow a joint of a hand, or what a hand hangs on; returns how many.
static int32_t find_near(const TearEasing* easing, const bool* holds, int32_t* vertices)
{
    int32_t count = 0;
    for (int32_t v = 0; v < easing->proxy->mesh.vertex_count; ++v) {
        bool near = false;
        for (int32_t k = 0; k < easing->rows->width && !near; ++k) {
            size_t at = (size_t)v * (size_t)easing->rows->width + (size_t)k;
            int32_t joint = easing->rows->joints[at];
            near = easing->rows->weights[at] > 0.0f && (easing->edge.wanted[joint] || holds[joint]);
        }
        if (near) {
            vertices[count++] = v;
        }
    }
    return count;
}

bool gti_tear_ease(const GtContext* context, const GtiProxy* proxy, const GtiRigSkeleton* skeleton,
                   const GtiProxyRows* rows, int32_t influences)
{
    GtArena scratch = gt_arena_create(context->allocator);
    size_t joint_count = (size_t)skeleton->joint_count;
    size_t vertex_count = (size_t)proxy->mesh.vertex_count;
    bool* wanted = gt_arena_push_array(&scratch, joint_count, sizeof *wanted);
    bool* holds = gt_arena_push_array(&scratch, joint_count, sizeof *holds);
    int32_t* vertices = gt_arena_push_array(&scratch, vertex_count, sizeof *vertices);
    int32_t* changed = gt_arena_push_array(&scratch, vertex_count, sizeof *changed);
    uint16_t* masks = gt_arena_push_array(&scratch, vertex_count, sizeof *masks);
    TearEdge edge;
    bool ok = make_edge(skeleton, wanted, &scratch, &edge) && wanted && holds && vertices && changed && masks;
    bool any = false;
    for (int32_t j = 0; ok && j < skeleton->joint_count; ++j) {
        int32_t parent = skeleton->joints[j].parent;
        wanted[j] = is_of_hand(skeleton->joints[j].humanoid) || (parent != GT_NONE && wanted[parent]);
        any = any || wanted[j];
        if (wanted[j] && parent != GT_NONE && !wanted[parent]) {
            holds[parent] = true;
        }
    }
    if (any) {
        ok = gti_fingers_part(context, proxy, skeleton, rows, masks);
    }
    if (any && ok) {
        TearEasing easing = { edge, proxy, rows, masks, changed, influences };
        int32_t count = find_near(&easing, holds, vertices);
        for (int32_t round = 1; round <= MOST_ROUNDS && ease_round(&easing, vertices, count, round); ++round) {
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}
