// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Tails, horns, skirts: patches of the skin that see no bone and reach far from all of them. Left to the warmth of
// their rims they would follow all joints around a little, and a tail would swing with both legs.

#include "rig/weigh/source.h"

#include <string.h>

// Of the warmth that flesh of that girth has: patches are thin, and turn to their joint over a third of their reach.
#define HOLD 3.0f
// The joint of the other side has this share of the votes or more where a patch is of both sides.
#define BOTH_SIDES 0.4f

// A patch reaches far where it is this many radii, and a bit, beyond the ball about its bone that fits into the body.
#define FAR_RADII 0.75f
#define FAR_MORE  0.03f

// Vertices that see no bone and hang together with `first`; returns how many. found: [vertex_count] those that are done
static int32_t find_patch(const GtiLaplacian* graph, const GtiHeatSource* sources, int32_t first, bool* found,
                          int32_t* patch)
{
    int32_t count = 1;
    patch[0] = first;
    found[first] = true;
    for (int32_t at = 0; at < count; ++at) {
        for (int32_t i = graph->starts[patch[at]]; i < graph->starts[patch[at] + 1]; ++i) {
            int32_t next = graph->neighbours[i];
            if (!sources[next].seen && !found[next]) {
                found[next] = true;
                patch[count++] = next;
            }
        }
    }
    return count;
}

static bool reaches_far(const GtiWeighBones* bones, const GtiHeatSource* sources, const int32_t* patch, int32_t count)
{
    for (int32_t at = 0; at < count; ++at) {
        GtiBeside beside = sources[patch[at]].beside;
        if (beside.rank > FAR_RADII * gti_bone_radius(&bones->bones[beside.bone], beside.along) + FAR_MORE) {
            return true;
        }
    }
    return false;
}

// The joint that warms the rim of a patch the most, or GT_NONE where none does. votes: [joint_count]
static int32_t elect(const GtiLaplacian* graph, const GtiRigSkeleton* skeleton, const GtiHeatSource* sources,
                     const int32_t* patch, int32_t count, float* votes)
{
    memset(votes, 0, (size_t)skeleton->joint_count * sizeof *votes);
    int32_t best = GT_NONE;
    for (int32_t at = 0; at < count; ++at) {
        for (int32_t i = graph->starts[patch[at]]; i < graph->starts[patch[at] + 1]; ++i) {
            const GtiHeatSource* rim = &sources[graph->neighbours[i]];
            for (int k = 0; rim->seen && k < GTI_SOURCE_JOINTS && rim->shares[k] > 0.0f; ++k) {
                int32_t joint = rim->joints[k];
                votes[joint] += rim->shares[k];
                best = best == GT_NONE || votes[joint] > votes[best] ? joint : best;
            }
        }
    }
    if (best == GT_NONE) {
        return GT_NONE;
    }
    const GtiRigJoint* joint = &skeleton->joints[best];
    bool both = joint->mirror != best && joint->mirror >= 0 && joint->mirror < skeleton->joint_count &&
                votes[joint->mirror] > BOTH_SIDES * votes[best];
    return both && joint->parent != GT_NONE ? joint->parent : best;
}

bool gti_sources_beyond(const GtiProxy* proxy, const GtiWeighBones* bones, GtAllocator allocator,
                        GtiHeatSource* sources)
{
    int32_t count = proxy->mesh.vertex_count;
    GtArena scratch = gt_arena_create(allocator);
    int32_t* patch = gt_arena_push_array(&scratch, (size_t)count, sizeof *patch);
    bool* found = gt_arena_push_array(&scratch, (size_t)count, sizeof *found);
    float* votes = gt_arena_push_array(&scratch, (size_t)bones->skeleton->joint_count, sizeof *votes);
    bool ok = patch && found && votes;
    for (int32_t v = 0; ok && v < count; ++v) {
        if (sources[v].seen || found[v]) {
            continue;
        }
        int32_t size = find_patch(&proxy->laplacian, sources, v, found, patch);
        if (!reaches_far(bones, sources, patch, size)) {
            continue;
        }
        int32_t joint = elect(&proxy->laplacian, bones->skeleton, sources, patch, size, votes);
        for (int32_t at = 0; joint != GT_NONE && at < size; ++at) {
            GtiHeatSource* source = &sources[patch[at]];
            memset(source->shares, 0, sizeof source->shares);
            source->joints[0] = (uint16_t)joint;
            source->shares[0] = 1.0f;
            source->pull = HOLD * gti_source_pull(gti_bones_girth(bones, source->beside));
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}
