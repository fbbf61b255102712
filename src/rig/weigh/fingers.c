// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// From the ends of the fingers, where weights leave no doubt, paths over the surface (Dijkstra 1959) tell which finger
// every vertex is of: what is near through the air is far along the skin. Where the skin of two fingers meets there is
// a web; beyond the farthest such place a finger is alone.

#include "rig/weigh/fingers.h"

#include "base/heap.h"

#include <math.h>
#include <string.h>

// A vertex is surely of a finger where that has this share of its weight and it lies this far along.
#define SURE_WEIGHT 0.8f
#define SURE_ALONG  0.6f
// Vertices with less of all fingers are of none.
#define LEAST_FINGER 0.05f
// Webs end there at the latest, of the finger's length, and fingers are alone a little beyond them.
#define WEB_MOST  0.8f
#define WEB_LEAST 0.15f
#define WEB_MORE  0.04f
// And as far beyond them they follow no palm.
#define PALM_MORE 0.2f

typedef struct FingerChain {
    bool exists;
    int32_t joints[GTI_FINGER_PHALANXES];
    GtVec3 points[GTI_FINGER_PHALANXES + 1];
    float web; // share of its length
} FingerChain;

typedef struct FingerParting {
    const GtiProxy* proxy;
    const GtiProxyRows* rows;
    const GtiRigSkeleton* skeleton;
    FingerChain chains[GTI_FINGER_CHAINS];
    int32_t* owners; // [vertex_count] chain, or GT_NONE
    float* ways;     // [vertex_count] to the end of that finger
} FingerParting;

int gti_finger_chain(int32_t humanoid)
{
    int32_t index = humanoid - GT_HUMANOID_LEFT_THUMB_METACARPAL;
    return index < 0 || index >= GTI_FINGER_CHAINS * GTI_FINGER_PHALANXES ? GT_NONE : index / GTI_FINGER_PHALANXES;
}

static bool find_chains(FingerParting* parting)
{
    bool any = false;
    int counts[GTI_FINGER_CHAINS] = { 0 };
    for (int32_t j = 0; j < parting->skeleton->joint_count; ++j) {
        const GtiRigJoint* joint = &parting->skeleton->joints[j];
        int at = gti_finger_chain(joint->humanoid);
        if (at == GT_NONE) {
            continue;
        }
        FingerChain* chain = &parting->chains[at];
        int phalanx = (joint->humanoid - GT_HUMANOID_LEFT_THUMB_METACARPAL) % GTI_FINGER_PHALANXES;
        chain->joints[phalanx] = j;
        chain->points[phalanx] = joint->position;
        chain->points[phalanx + 1] = phalanx + 1 == GTI_FINGER_PHALANXES ? joint->tip : chain->points[phalanx + 1];
        chain->exists = ++counts[at] == GTI_FINGER_PHALANXES;
        chain->web = WEB_LEAST;
        any = any || chain->exists;
    }
    return any;
}

// How far along a finger a point lies, 0 to 1, and beside which of its bones.
static float along_chain(const FingerChain* chain, GtVec3 p, int* bone)
{
    float best = INFINITY;
    float at = 0.0f;
    float sum = 0.0f;
    for (int i = 0; i < GTI_FINGER_PHALANXES; ++i) {
        GtVec3 way = gt_vec3_sub(chain->points[i + 1], chain->points[i]);
        float length = fmaxf(gt_vec3_length(way), 1e-6f);
        float part = gt_vec3_dot(gt_vec3_sub(p, chain->points[i]), way) / (length * length);
        part = fminf(fmaxf(part, 0.0f), 1.0f);
        float distance = gt_vec3_length(gt_vec3_sub(p, gt_vec3_lerp(chain->points[i], chain->points[i + 1], part)));
        if (distance < best) {
            best = distance;
            at = sum + part * length;
            *bone = i;
        }
        sum += length;
    }
    return at / sum;
}

// The finger that a vertex follows most; its share of the weight and that of all fingers.
static int heaviest(const FingerParting* parting, int32_t v, float* share, float* all)
{
    float sums[GTI_FINGER_CHAINS] = { 0.0f };
    float sum = 0.0f;
    int best = GT_NONE;
    *all = 0.0f;
    for (int32_t k = 0; k < parting->rows->width; ++k) {
        size_t at = (size_t)v * (size_t)parting->rows->width + (size_t)k;
        float weight = parting->rows->weights[at];
        int chain =
            weight > 0.0f ? gti_finger_chain(parting->skeleton->joints[parting->rows->joints[at]].humanoid) : GT_NONE;
        sum += weight;
        if (chain != GT_NONE && parting->chains[chain].exists) {
            sums[chain] += weight;
            *all += weight;
            best = best == GT_NONE || sums[chain] > sums[best] ? chain : best;
        }
    }
    *share = best != GT_NONE ? sums[best] / sum : 0.0f;
    *all = sum > 0.0f ? *all / sum : 0.0f;
    return best;
}

static bool find_owners(FingerParting* parting, GtArena* scratch)
{
    const GtiLaplacian* graph = &parting->proxy->laplacian;
    const GtVec3* positions = parting->proxy->mesh.positions;
    int32_t count = parting->proxy->mesh.vertex_count;
    GtiHeap heap;
    bool* open = gt_arena_push_array(scratch, (size_t)count, sizeof *open);
    if (!open || !gti_heap_make(scratch, count, true, &heap)) {
        return false;
    }
    for (int32_t v = 0; v < count; ++v) {
        float share, all;
        int bone = 0;
        int chain = heaviest(parting, v, &share, &all);
        open[v] = all > LEAST_FINGER;
        parting->owners[v] = GT_NONE;
        parting->ways[v] = INFINITY;
        if (chain != GT_NONE && share >= SURE_WEIGHT &&
            along_chain(&parting->chains[chain], positions[v], &bone) >= SURE_ALONG) {
            parting->owners[v] = chain;
            parting->ways[v] = 0.0f;
            gti_heap_lower(&heap, v, 0.0);
        }
    }
    while (heap.count > 0) {
        int32_t v = gti_heap_pop(&heap).item;
        for (int32_t i = graph->starts[v]; i < graph->starts[v + 1]; ++i) {
            int32_t next = graph->neighbours[i];
            float way = parting->ways[v] + gt_vec3_length(gt_vec3_sub(positions[v], positions[next]));
            if (open[next] && way < parting->ways[next]) {
                parting->ways[next] = way;
                parting->owners[next] = parting->owners[v];
                gti_heap_lower(&heap, next, (double)way);
            }
        }
    }
    return true;
}

static void find_webs(FingerParting* parting)
{
    const GtiLaplacian* graph = &parting->proxy->laplacian;
    for (int32_t v = 0; v < graph->vertex_count; ++v) {
        int32_t owner = parting->owners[v];
        for (int32_t i = graph->starts[v]; owner != GT_NONE && i < graph->starts[v + 1]; ++i) {
            int32_t other = parting->owners[graph->neighbours[i]];
            if (other != GT_NONE && other != owner) {
                int bone = 0;
                float along = along_chain(&parting->chains[owner], parting->proxy->mesh.positions[v], &bone);
                parting->chains[owner].web = fminf(fmaxf(parting->chains[owner].web, along), WEB_MOST);
            }
        }
    }
}

// Take the weights of what a vertex may not follow away; what has none left follows one joint.
static void keep_allowed(const FingerParting* parting, int32_t v, uint16_t mask, int32_t instead)
{
    const GtiProxyRows* rows = parting->rows;
    uint16_t* joints = &rows->joints[(size_t)v * (size_t)rows->width];
    float* weights = &rows->weights[(size_t)v * (size_t)rows->width];
    float sum = 0.0f;
    int32_t kept = 0;
    for (int32_t k = 0; k < rows->width; ++k) {
        if (weights[k] > 0.0f && mask & gti_finger_bit(parting->skeleton->joints[joints[k]].humanoid)) {
            joints[kept] = joints[k];
            weights[kept] = weights[k];
            sum += weights[kept++];
        }
    }
    if (kept == 0) {
        joints[kept] = (uint16_t)instead;
        sum = weights[kept++] = 1.0f;
    }
    for (int32_t k = 0; k < rows->width; ++k) {
        joints[k] = k < kept ? joints[k] : 0;
        weights[k] = k < kept ? weights[k] / sum : 0.0f;
    }
}

bool gti_fingers_part(const GtContext* context, const GtiProxy* proxy, const GtiRigSkeleton* skeleton,
                      const GtiProxyRows* rows, uint16_t* masks)
{
    int32_t count = proxy->mesh.vertex_count;
    GtArena scratch = gt_arena_create(context->allocator);
    FingerParting parting = { .proxy = proxy,
                              .rows = rows,
                              .skeleton = skeleton,
                              .owners = gt_arena_push_array(&scratch, (size_t)count, sizeof *parting.owners),
                              .ways = gt_arena_push_array(&scratch, (size_t)count, sizeof *parting.ways) };
    bool ok = parting.owners && parting.ways;
    bool any = ok && find_chains(&parting);
    for (int32_t v = 0; v < count; ++v) {
        masks[v] = GTI_FINGER_ALL;
    }
    if (any) {
        ok = find_owners(&parting, &scratch);
    }
    if (any && ok) {
        find_webs(&parting);
        for (int32_t v = 0; v < count; ++v) {
            int own = (int)parting.owners[v];
            if (own == GT_NONE) {
                continue;
            }
            const FingerChain* chain = &parting.chains[own];
            int bone = 0;
            float beyond = along_chain(chain, proxy->mesh.positions[v], &bone) - chain->web;
            if (beyond > WEB_MORE) {
                masks[v] = (uint16_t)(1 << own | (beyond < PALM_MORE ? GTI_FINGER_PALM : 0));
                keep_allowed(&parting, v, masks[v], chain->joints[bone]);
            }
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}
