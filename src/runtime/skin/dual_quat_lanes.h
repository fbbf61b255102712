// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Dual quaternion skinning, a block of vertices side by side from the start, because each influence's sign depends on
// the vertex. Included once by the file of each processor level, after its vertices. The blended motion is never
// normalised: with real part (r, w) of squared length n and dual part (d, e), a point moves to
//   v + 2/n (r x (r x v + w v + d) + w d - e r)
// (Kavan, Collins, Zara, O'Sullivan 2008, section 3.4).

#ifndef GERTIE_RUNTIME_SKIN_DUAL_QUAT_LANES_H
#define GERTIE_RUNTIME_SKIN_DUAL_QUAT_LANES_H

#include "runtime/kernels.h"

#include <stddef.h>

enum {
    GROUP = 32 / BLOCK, // blocks in flight
    MOTION = sizeof(GtiJointMotion) / sizeof(float),
    BONE = sizeof(GtiPosedBone) / sizeof(float),
};

typedef struct LaneQuat {
    Lane3 v;
    Lane w;
} LaneQuat;

typedef struct LaneMotion {
    LaneQuat real;
    LaneQuat dual;
} LaneMotion;

INLINE LaneQuat load_quats(const GtiJointMotion* motions, const uint16_t* joints, const int count, const size_t dual)
{
    Lane rows[4];
    if (count == 1 && all_same(joints)) { // as in parts that move rigidly
        const float* one = &motions[joints[0]].motion.real.x + dual;
        return (LaneQuat){ { lane_set(one[0]), lane_set(one[1]), lane_set(one[2]) }, lane_set(one[3]) };
    }
    load_joint_rows(&motions->motion.real.x + dual, MOTION, joints, count, rows);
    return (LaneQuat){ { rows[0], rows[1], rows[2] }, rows[3] };
}

INLINE Lane quat_dot(const LaneQuat* a, const LaneQuat* b)
{
    return lane_mul_add(a->w, b->w, dot(a->v, b->v));
}

INLINE void quat_add(LaneQuat* sum, const LaneQuat* q, Lane weight)
{
    sum->v.x = lane_mul_add(weight, q->v.x, sum->v.x);
    sum->v.y = lane_mul_add(weight, q->v.y, sum->v.y);
    sum->v.z = lane_mul_add(weight, q->v.z, sum->v.z);
    sum->w = lane_mul_add(weight, q->w, sum->w);
}

INLINE void load_weights(const float* weights, const int count, Lane* out)
{
    if (count == 1) {
        out[0] = lane_load(weights);
        return;
    }
    if (count == 3) {
        Lane3 three = load_vectors(weights);
        out[0] = three.x;
        out[1] = three.y;
        out[2] = three.z;
        return;
    }
    if (count % 4 == 0) {
        for (int k = 0; k < count; k += 4) {
            load_rows(weights + k, (size_t)count, out + k);
        }
        return;
    }
    for (int k = 0; k < count; ++k) {
        out[k] = load_strided(weights + k, count);
    }
}

INLINE void heavier_quats(LaneMask heavier, const LaneQuat* q, LaneQuat* pivots)
{
    pivots->v.x = lane_select(heavier, q->v.x, pivots->v.x);
    pivots->v.y = lane_select(heavier, q->v.y, pivots->v.y);
    pivots->v.z = lane_select(heavier, q->v.z, pivots->v.z);
    pivots->w = lane_select(heavier, q->w, pivots->w);
}

// Of each vertex the rotation of its heaviest influence, found by weights alone.
INLINE LaneQuat load_pivots(const GtiJointMotion* motions, const uint16_t* joints, const Lane* weights, const int count)
{
    Lane heaviest = weights[0];
    Lane at = lane_set(0.0f);
    for (int k = 1; k < count; ++k) {
        LaneMask heavier = lane_greater(weights[k], heaviest);
        heaviest = lane_max(weights[k], heaviest);
        at = lane_select(heavier, lane_set((float)k), at);
    }
    float influences[BLOCK];
    uint16_t pivots[BLOCK];
    lane_store(influences, at);
    for (int v = 0; v < BLOCK; ++v) {
        pivots[v] = joints[v * count + (int)influences[v]];
    }
    return load_quats(motions, pivots, 1, 0);
}

INLINE void motion_add(LaneMotion* sum, const GtiJointMotion* motions, const uint16_t* joints, const int count,
                       const LaneQuat* real, const LaneQuat* pivots, Lane weight)
{
    LaneQuat dual = load_quats(motions, joints, count, 4);
    weight = lane_negate(lane_greater(lane_set(0.0f), quat_dot(real, pivots)), weight);
    quat_add(&sum->real, real, weight);
    quat_add(&sum->dual, &dual, weight);
}

// Up to four influences wait in registers until the heaviest is known; up to two, any will do, because the sign of the
// sum does not count. Neither does its length, so that one influence is taken as it is.
INLINE LaneMotion blend_motions(const GtiJointMotion* motions, const uint16_t* joints, const Lane* weights,
                                const int count)
{
    Lane zero = lane_set(0.0f);
    LaneMotion sum = { { { zero, zero, zero }, zero }, { { zero, zero, zero }, zero } };
    if (count > 4) {
        LaneQuat pivots = load_pivots(motions, joints, weights, count);
        for (int k = 0; k < count; ++k) {
            LaneQuat real = load_quats(motions, joints + k, count, 0);
            motion_add(&sum, motions, joints + k, count, &real, &pivots, weights[k]);
        }
        return sum;
    }
    LaneQuat real[4];
    real[0] = load_quats(motions, joints, count, 0);
    if (count == 1) {
        return (LaneMotion){ real[0], load_quats(motions, joints, 1, 4) };
    }
    LaneQuat pivots = real[0];
    Lane heaviest = weights[0];
    for (int k = 1; k < count; ++k) {
        real[k] = load_quats(motions, joints + k, count, 0);
        if (count > 2) {
            heavier_quats(lane_greater(weights[k], heaviest), &real[k], &pivots);
            heaviest = lane_max(weights[k], heaviest);
        }
    }
    for (int k = 0; k < count; ++k) {
        motion_add(&sum, motions, joints + k, count, &real[k], &pivots, weights[k]);
    }
    return sum;
}

INLINE Lane33 blend_stretches(const GtiJointMotion* motions, const uint16_t* joints, const float* weights,
                              const int count)
{
    _Alignas(64) float blended[BLOCK * TWELVE_STEP];
    for (int v = 0; v < BLOCK; ++v, joints += count, weights += count) {
        Twelve sum = twelve_scale(motions[joints[0]].stretch, lane_set(weights[0]));
        for (int k = 1; k < count; ++k) {
            sum = twelve_add(sum, motions[joints[k]].stretch, lane_set(weights[k]));
        }
        twelve_store(blended + v * TWELVE_STEP, sum);
    }
    Lane a[4];
    Lane b[4];
    Lane c[4];
    load_rows(blended, TWELVE_STEP, a);
    load_rows(blended + 4, TWELVE_STEP, b);
    load_rows(blended + 8, TWELVE_STEP, c);
    return (Lane33){ { { a[0], a[1], a[2] }, { a[3], b[0], b[1] }, { b[2], b[3], c[0] } } };
}

// Twice the inverse of the real part's squared length; where it has none, the motion becomes the identity.
INLINE Lane twice_inverse(LaneMotion* motion)
{
    Lane squared = quat_dot(&motion->real, &motion->real);
    LaneMask some = lane_within(squared, 1e-30f, 1e30f);
    if (__builtin_expect(!lane_all(some), 0)) {
        Lane* parts = &motion->real.v.x;
        for (size_t i = 0; i < sizeof *motion / sizeof *parts; ++i) {
            parts[i] = lane_select(some, parts[i], lane_set(0.0f));
        }
        squared = lane_select(some, squared, lane_set(1.0f));
    }
    return lane_div(lane_set(2.0f), squared);
}

// r x v + w v.
INLINE Lane3 half_turn(const LaneQuat* q, Lane3 v)
{
    Lane3 c = cross(q->v, v);
    return (Lane3){ lane_mul_add(q->w, v.x, c.x), lane_mul_add(q->w, v.y, c.y), lane_mul_add(q->w, v.z, c.z) };
}

INLINE Lane3 turn_vectors(const LaneMotion* m, Lane scale, Lane3 v)
{
    Lane3 c = cross(m->real.v, half_turn(&m->real, v));
    return (Lane3){ lane_mul_add(scale, c.x, v.x), lane_mul_add(scale, c.y, v.y), lane_mul_add(scale, c.z, v.z) };
}

INLINE Lane3 move_points(const LaneMotion* m, Lane scale, Lane3 v)
{
    Lane3 r = m->real.v;
    Lane3 d = m->dual.v;
    Lane3 half = half_turn(&m->real, v);
    Lane3 c = cross(r, (Lane3){ lane_add(half.x, d.x), lane_add(half.y, d.y), lane_add(half.z, d.z) });
    c.x = lane_mul_sub(m->dual.w, r.x, lane_mul_add(m->real.w, d.x, c.x));
    c.y = lane_mul_sub(m->dual.w, r.y, lane_mul_add(m->real.w, d.y, c.y));
    c.z = lane_mul_sub(m->dual.w, r.z, lane_mul_add(m->real.w, d.z, c.z));
    return (Lane3){ lane_mul_add(scale, c.x, v.x), lane_mul_add(scale, c.y, v.y), lane_mul_add(scale, c.z, v.z) };
}

// From the nearest points of segments to points. Two loads: origin and inverse squared length, axis.
INLINE Lane3 from_segments(const GtiPosedBone* bones, const uint16_t* joints, const int count, const size_t part,
                           Lane3 p)
{
    Lane a[4];
    Lane b[4];
    const float* from = &bones->rest_origin.x + part;
    load_joint_rows(from, BONE, joints, count, a);
    load_joint_rows(from + 4, BONE, joints, count, b);
    Lane3 d = { lane_sub(p.x, a[0]), lane_sub(p.y, a[1]), lane_sub(p.z, a[2]) };
    Lane t = lane_mul(dot(d, (Lane3){ b[0], b[1], b[2] }), a[3]);
    t = lane_min(lane_max(t, lane_set(0.0f)), lane_set(1.0f));
    return (Lane3){ lane_mul_sub(t, b[0], d.x), lane_mul_sub(t, b[1], d.y), lane_mul_sub(t, b[2], d.z) };
}

// As pull_in() of the scalar kernel.
INLINE Lane3 pull_in(const GtiPosedBone* bones, const uint16_t* joints, const Lane* weights, const int count,
                     Lane3 rest, Lane3 posed)
{
    const size_t posed_part = offsetof(GtiPosedBone, origin) / sizeof(float);
    const Lane zero = lane_set(0.0f);
    const Lane least = lane_set(1e-30f);
    Lane total = zero;
    Lane excess = zero;
    Lane3 outward = { zero, zero, zero };
    for (int k = 0; k < count; ++k) {
        if (lane_empty(weights[k])) {
            continue; // no vertex has so many influences
        }
        Lane3 before = from_segments(bones, joints + k, count, 0, rest);
        Lane3 after = from_segments(bones, joints + k, count, posed_part, posed);
        Lane square_before = dot(before, before);
        Lane square_after = dot(after, after);
        Lane inverse = lane_inverse_root(lane_max(square_after, least));
        Lane distance_before = lane_mul(square_before, lane_inverse_root(lane_max(square_before, least)));
        Lane weight = lane_mul(weights[k], weights[k]);
        Lane direction = lane_mul(weight, inverse);
        total = lane_add(total, weight);
        excess = lane_mul_add(weight, lane_sub(lane_mul(square_after, inverse), distance_before), excess);
        outward.x = lane_mul_add(direction, after.x, outward.x);
        outward.y = lane_mul_add(direction, after.y, outward.y);
        outward.z = lane_mul_add(direction, after.z, outward.z);
    }
    LaneMask some = lane_greater(excess, zero);
    Lane pull = lane_div(excess, lane_mul(total, total));
    return (Lane3){
        lane_select(some, lane_mul_sub(pull, outward.x, posed.x), posed.x),
        lane_select(some, lane_mul_sub(pull, outward.y, posed.y), posed.y),
        lane_select(some, lane_mul_sub(pull, outward.z, posed.z), posed.z),
    };
}

INLINE void move_block(const GtiDualQuatSkinJob* job, size_t first, LaneMotion motion, const Lane33* stretch,
                       const int count)
{
    Lane scale = twice_inverse(&motion);
    Lane3 p = load_vectors(&job->in.positions[first].x);
    p = stretch ? multiply(stretch, p) : p;
    Lane3 posed = move_points(&motion, scale, p);
    if (job->bones) {
        size_t influence = first * (size_t)count;
        Lane weights[GT_MAX_INFLUENCES];
        load_weights(job->weights + influence, count, weights);
        posed = pull_in(job->bones, job->joints + influence, weights, count, p, posed);
    }
    store_vectors(&job->out.positions[first].x, posed);
    if (job->out.normals) {
        Lane3 n = load_vectors(&job->in.normals[first].x);
        n = stretch ? turn_normal(stretch, n) : n;
        store_vectors(&job->out.normals[first].x, unit_vectors(turn_vectors(&motion, scale, n)));
    }
    if (job->out.tangents) {
        Lane t[4];
        load_rows(&job->in.tangents[4 * first], 4, t);
        Lane3 v = { t[0], t[1], t[2] };
        v = stretch ? multiply(stretch, v) : v;
        v = unit_vectors(turn_vectors(&motion, scale, v));
        store_rows(&job->out.tangents[4 * first], 4, (Lane[4]){ v.x, v.y, v.z, t[3] });
    }
}

INLINE void skin_blocks(const GtiDualQuatSkinJob* job, size_t first, size_t end, const int count)
{
    for (size_t i = first; i < end; i += (size_t)GROUP * BLOCK) {
        LaneMotion motions[GROUP];
        size_t blocks = end - i < (size_t)GROUP * BLOCK ? (end - i) / BLOCK : GROUP;
        for (size_t b = 0; b < blocks; ++b) {
            size_t influence = (i + b * BLOCK) * (size_t)count;
            Lane weights[GT_MAX_INFLUENCES];
            load_weights(job->weights + influence, count, weights);
            motions[b] = blend_motions(job->motions, job->joints + influence, weights, count);
        }
        for (size_t b = 0; b < blocks; ++b) {
            size_t influence = (i + b * BLOCK) * (size_t)count;
            if (job->rigid) {
                move_block(job, i + b * BLOCK, motions[b], NULL, count);
            } else {
                Lane33 stretch =
                    blend_stretches(job->motions, job->joints + influence, job->weights + influence, count);
                move_block(job, i + b * BLOCK, motions[b], &stretch, count);
            }
        }
    }
}

// Whole blocks.
static void skin(const GtiDualQuatSkinJob* job, size_t first, size_t end)
{
    switch (job->influence_count) {
    case 1:
        skin_blocks(job, first, end, 1);
        break;
    case 2:
        skin_blocks(job, first, end, 2);
        break;
    case 3:
        skin_blocks(job, first, end, 3);
        break;
    case 4:
        skin_blocks(job, first, end, 4);
        break;
    case 8:
        skin_blocks(job, first, end, 8);
        break;
    case 16:
        skin_blocks(job, first, end, 16);
        break;
    default:
        skin_blocks(job, first, end, job->influence_count);
        break;
    }
}

static void skin_dual_quat(const GtiDualQuatSkinJob* job, int32_t first, int32_t end)
{
    int32_t rest = (end - first) % BLOCK;
    skin(job, (size_t)first, (size_t)(end - rest));
    if (rest) {
        Spare spare;
        GtiDualQuatSkinJob last = *job;
        spare_take(&spare, end - rest, rest, &last.in, &last.out, &last.joints, &last.weights, last.influence_count);
        skin(&last, 0, BLOCK);
        spare_write(&spare, &job->out, end - rest, rest);
    }
}

#endif
