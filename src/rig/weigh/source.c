// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Baran and Popovic (2007), section 4: the nearest bone warms a vertex with H = c / d^2 if the segment to it stays in
// the body. Here bones compete by rank (see weights_bones.c), near ties share, and a bone must lie on the inner side of
// the skin, so that a hand on a thigh does not warm the thigh. A vertex that sees no bone is held to the best of them
// so weakly that its neighbours decide, and the system is definite all the same.

#include "rig/weigh/source.h"

#include <math.h>
#include <string.h>

// c. Artists blend over about half a limb's radius to each side of a joint: 2 to 4 are best on the MakeHuman body, and
// 2 on CesiumMan; Pinocchio's 1 blurs both.
#define WARMTH 3.0f
// Of the warmth of a vertex that sees no bone.
#define UNSEEN 0.01f
// Bones whose ranks differ by less than this part of the girth share a vertex.
#define TIE 0.15f
// A bone in sight lies within 66 degrees of straight inwards, as a cosine. Beside an arm that hangs against the body
// the flank would see the arm otherwise.
#define INWARDS 0.4f
// And no farther beyond the ball about its place that fits into the body than this many of its radii, and a bit, in
// heights: what is seen along the inside of another limb is another limb's.
#define SIGHT_RADII 2.0f
#define SIGHT_MORE  0.03f

typedef struct Candidates {
    GtiBeside best[GTI_SIGHT_BONES]; // by rank
    int32_t count;
} Candidates;

static void offer(Candidates* candidates, GtiBeside beside)
{
    int32_t at = candidates->count;
    if (at == GTI_SIGHT_BONES) {
        if (!(beside.rank < candidates->best[at - 1].rank)) {
            return;
        }
        --at;
    } else {
        ++candidates->count;
    }
    for (; at > 0 && beside.rank < candidates->best[at - 1].rank; --at) {
        candidates->best[at] = candidates->best[at - 1];
    }
    candidates->best[at] = beside;
}

static void find_candidates(const GtiWeighBones* bones, GtVec3 p, Candidates* out)
{
    for (int32_t b = 0; b < bones->count; ++b) {
        const GtiWeighBone* bone = &bones->bones[b];
        if (out->count == GTI_SIGHT_BONES) {
            float worst = out->best[GTI_SIGHT_BONES - 1].rank + bone->reach;
            GtVec3 from = gt_vec3_sub(p, bone->middle);
            if (worst <= 0.0f || gt_vec3_dot(from, from) >= worst * worst) {
                continue;
            }
        }
        offer(out, gti_bone_beside(bones, b, p));
    }
}

float gti_source_pull(float girth)
{
    return WARMTH / (girth * girth);
}

static bool in_sight(const GtiWeighBones* bones, const GtiSolid* solid, GtVec3 p, GtVec3 normal, GtiBeside beside)
{
    const GtiWeighBone* bone = &bones->bones[beside.bone];
    if (beside.rank > SIGHT_RADII * gti_bone_radius(bone, beside.along) + SIGHT_MORE) {
        return false;
    }
    GtVec3 q = gti_bone_point(bone, beside.along);
    GtVec3 way = gt_vec3_sub(q, p);
    float inwards =
        -INWARDS * beside.distance * gt_vec3_dot(normal, normal); // a point without a normal looks everywhere
    return gt_vec3_dot(way, normal) <= inwards && gti_solid_sees(solid, p, q, 0.75f * solid->cell);
}

int32_t gti_bones_in_sight(const GtiWeighBones* bones, const GtiSolid* solid, GtVec3 p, GtVec3 normal,
                           GtiBeside out[GTI_SIGHT_BONES])
{
    Candidates candidates = { .count = 0 };
    int32_t count = 0;
    find_candidates(bones, p, &candidates);
    for (int32_t i = 0; i < candidates.count; ++i) {
        if (in_sight(bones, solid, p, normal, candidates.best[i])) {
            out[count++] = candidates.best[i];
        }
    }
    return count;
}

// Add a bone of a rank; a joint counts once, with its best bone.
static int32_t share(GtiHeatSource* source, int32_t count, int32_t joint, float part)
{
    for (int32_t k = 0; k < count; ++k) {
        if (source->joints[k] == joint) {
            return count;
        }
    }
    if (count < GTI_SOURCE_JOINTS) {
        source->joints[count] = (uint16_t)joint;
        source->shares[count++] = part;
    }
    return count;
}

static GtiHeatSource look(const GtiWeighBones* bones, const GtiSolid* solid, GtVec3 p, GtVec3 normal)
{
    Candidates candidates = { .count = 0 };
    find_candidates(bones, p, &candidates);
    GtiHeatSource source = { .beside = candidates.best[0] };
    int32_t count = 0;
    float tie = 0.0f;
    for (int32_t i = 0; i < candidates.count; ++i) {
        GtiBeside beside = candidates.best[i];
        if (source.seen && beside.rank >= source.beside.rank + tie) {
            break;
        }
        if (!in_sight(bones, solid, p, normal, beside)) {
            continue;
        }
        if (!source.seen) {
            source.seen = true;
            source.beside = beside;
            tie = TIE * gti_bones_girth(bones, beside);
        }
        float part = 1.0f - (beside.rank - source.beside.rank) / tie;
        part *= gti_bones_passage(bones, source.beside, beside, 0.0f);
        if (part > 0.0f) {
            count = share(&source, count, bones->bones[beside.bone].joint, part);
        }
    }
    if (!source.seen) {
        count = share(&source, 0, bones->bones[source.beside.bone].joint, 1.0f);
    }
    float sum = 0.0f;
    for (int32_t k = 0; k < count; ++k) {
        sum += source.shares[k];
    }
    for (int32_t k = 0; k < count; ++k) {
        source.shares[k] /= sum;
    }
    source.pull = (source.seen ? 1.0f : UNSEEN) * gti_source_pull(gti_bones_girth(bones, source.beside));
    return source;
}

typedef struct LookJob {
    const GtiProxy* proxy;
    const GtiWeighBones* bones;
    const GtiSolid* solid;
    GtiHeatSource* sources;
} LookJob;

static void look_range(void* data, int32_t first, int32_t end)
{
    const LookJob* job = data;
    for (int32_t v = first; v < end; ++v) {
        job->sources[v] = look(job->bones, job->solid, job->proxy->mesh.positions[v], job->proxy->normals[v]);
    }
}

void gti_sources_in_sight(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                          const GtiSolid* solid, GtiHeatSource* sources)
{
    LookJob job = { proxy, bones, solid, sources };
    gt_executor_run(&context->executor, proxy->mesh.vertex_count, 256, look_range, &job);
}
