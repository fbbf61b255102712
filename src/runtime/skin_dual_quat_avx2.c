// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Dual quaternion skinning in AVX2 and FMA, eight vertices side by side from the start, because each influence's sign
// depends on the vertex. The blended motion is never normalised: with real part (r, w) of squared length n and dual
// part (d, e), a point moves to
//   v + 2/n (r x (r x v + w v + d) + w d - e r)
// (Kavan, Collins, Zara, O'Sullivan 2008, section 3.4). CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/vertex_avx2.h"

#include <stddef.h>

enum {
    GROUP = 4,   // blocks in flight
    STRETCH = 12 // floats of a joint's stretch, with its padding
};

typedef struct Quat8 {
    Lane3 v;
    Lane w;
} Quat8;

typedef struct Motion8 {
    Quat8 real;
    Quat8 dual;
} Motion8;

INLINE Quat8 load_quats(const GtiJointMotion* motions, const uint16_t* joints, const int count, const size_t dual)
{
    Lane rows[4];
    for (int i = 0; i < 4; ++i) {
        const float* low = &motions[joints[i * count]].motion.real.x + dual;
        const float* high = &motions[joints[(i + 4) * count]].motion.real.x + dual;
        rows[i] = load_halves(low, high);
    }
    transpose_halves(rows);
    return (Quat8){ { rows[0], rows[1], rows[2] }, rows[3] };
}

INLINE Lane quat_dot(const Quat8* a, const Quat8* b)
{
    return lane_mul_add(a->w, b->w, dot(a->v, b->v));
}

INLINE void quat_add(Quat8* sum, const Quat8* q, Lane weight)
{
    sum->v.x = lane_mul_add(weight, q->v.x, sum->v.x);
    sum->v.y = lane_mul_add(weight, q->v.y, sum->v.y);
    sum->v.z = lane_mul_add(weight, q->v.z, sum->v.z);
    sum->w = lane_mul_add(weight, q->w, sum->w);
}

INLINE void load_weights(const float* weights, const int count, Lane* out)
{
    if (count == 4) {
        load_rows(weights, 4, out);
        return;
    }
    const __m256i step = _mm256_mullo_epi32(_mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0), _mm256_set1_epi32(count));
    for (int k = 0; k < count; ++k) {
        out[k] = _mm256_i32gather_ps(weights + k, step, sizeof *weights);
    }
}

INLINE Motion8 blend_motions(const GtiJointMotion* motions, const uint16_t* joints, const Lane* weights,
                             const int count)
{
    Quat8 real[GT_MAX_INFLUENCES];
    real[0] = load_quats(motions, joints, count, 0);
    Quat8 pivot = real[0];
    Lane heaviest = weights[0];
    for (int k = 1; k < count; ++k) {
        real[k] = load_quats(motions, joints + k, count, 0);
        Lane heavier = _mm256_cmp_ps(weights[k], heaviest, _CMP_GT_OQ);
        heaviest = select_lanes(heavier, weights[k], heaviest);
        pivot.v.x = select_lanes(heavier, real[k].v.x, pivot.v.x);
        pivot.v.y = select_lanes(heavier, real[k].v.y, pivot.v.y);
        pivot.v.z = select_lanes(heavier, real[k].v.z, pivot.v.z);
        pivot.w = select_lanes(heavier, real[k].w, pivot.w);
    }
    Lane zero = _mm256_setzero_ps();
    Motion8 sum = { { { zero, zero, zero }, zero }, { { zero, zero, zero }, zero } };
    for (int k = 0; k < count; ++k) {
        Quat8 dual = load_quats(motions, joints + k, count, 4);
        Lane opposite = _mm256_cmp_ps(quat_dot(&real[k], &pivot), zero, _CMP_LT_OQ);
        Lane weight = _mm256_xor_ps(weights[k], _mm256_and_ps(opposite, lane_set(-0.0f)));
        quat_add(&sum.real, &real[k], weight);
        quat_add(&sum.dual, &dual, weight);
    }
    return sum;
}

INLINE Lane33 blend_stretches(const GtiJointMotion* motions, const uint16_t* joints, const float* weights,
                              const int count)
{
    _Alignas(32) float blended[BLOCK * STRETCH];
    for (int v = 0; v < BLOCK; ++v) {
        Lane upper = _mm256_setzero_ps();
        __m128 lower = _mm_setzero_ps();
        for (int k = 0; k < count; ++k) {
            const float* stretch = motions[joints[v * count + k]].stretch;
            Lane weight = lane_set(weights[v * count + k]);
            upper = lane_mul_add(weight, lane_load(stretch), upper);
            lower = _mm_fmadd_ps(_mm256_castps256_ps128(weight), _mm_load_ss(stretch + 8), lower);
        }
        lane_store(blended + v * STRETCH, upper);
        _mm_store_ps(blended + v * STRETCH + 8, lower);
    }
    Lane a[4];
    Lane b[4];
    Lane c[4];
    load_rows(blended, STRETCH, a);
    load_rows(blended + 4, STRETCH, b);
    load_rows(blended + 8, STRETCH, c);
    return (Lane33){ { { a[0], a[1], a[2] }, { a[3], b[0], b[1] }, { b[2], b[3], c[0] } } };
}

// Twice the inverse of the real part's squared length; where it has none, the motion becomes the identity.
INLINE Lane twice_inverse(Motion8* motion)
{
    Lane squared = quat_dot(&motion->real, &motion->real);
    Lane some = _mm256_and_ps(_mm256_cmp_ps(squared, lane_set(1e-30f), _CMP_GE_OQ),
                              _mm256_cmp_ps(squared, lane_set(1e30f), _CMP_LE_OQ));
    if (__builtin_expect(_mm256_movemask_ps(some) != 0xFF, 0)) {
        Lane* parts = &motion->real.v.x;
        for (size_t i = 0; i < sizeof *motion / sizeof *parts; ++i) {
            parts[i] = _mm256_and_ps(parts[i], some);
        }
        squared = select_lanes(some, squared, lane_set(1.0f));
    }
    return lane_div(lane_set(2.0f), squared);
}

// r x v + w v.
INLINE Lane3 half_turn(const Quat8* q, Lane3 v)
{
    Lane3 c = cross(q->v, v);
    return (Lane3){ lane_mul_add(q->w, v.x, c.x), lane_mul_add(q->w, v.y, c.y), lane_mul_add(q->w, v.z, c.z) };
}

INLINE Lane3 turn_vectors(const Motion8* m, Lane scale, Lane3 v)
{
    Lane3 c = cross(m->real.v, half_turn(&m->real, v));
    return (Lane3){ lane_mul_add(scale, c.x, v.x), lane_mul_add(scale, c.y, v.y), lane_mul_add(scale, c.z, v.z) };
}

INLINE Lane3 move_points(const Motion8* m, Lane scale, Lane3 v)
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

INLINE void load_bones(const GtiPosedBone* bones, const uint16_t* joints, const int count, const size_t part,
                       Lane out[4])
{
    for (int i = 0; i < 4; ++i) {
        const float* low = &bones[joints[i * count]].rest_origin.x + part;
        const float* high = &bones[joints[(i + 4) * count]].rest_origin.x + part;
        out[i] = load_halves(low, high);
    }
    transpose_halves(out);
}

// From the nearest points of segments to points. Two loads: origin and inverse squared length, axis.
INLINE Lane3 from_segments(const GtiPosedBone* bones, const uint16_t* joints, const int count, const size_t part,
                           Lane3 p)
{
    Lane a[4];
    Lane b[4];
    load_bones(bones, joints, count, part, a);
    load_bones(bones, joints, count, part + 4, b);
    Lane3 d = { lane_sub(p.x, a[0]), lane_sub(p.y, a[1]), lane_sub(p.z, a[2]) };
    Lane t = lane_mul(dot(d, (Lane3){ b[0], b[1], b[2] }), a[3]);
    t = _mm256_min_ps(_mm256_max_ps(t, _mm256_setzero_ps()), lane_set(1.0f));
    return (Lane3){ lane_mul_sub(t, b[0], d.x), lane_mul_sub(t, b[1], d.y), lane_mul_sub(t, b[2], d.z) };
}

// As pull_in() of the scalar kernel.
INLINE Lane3 pull_in(const GtiPosedBone* bones, const uint16_t* joints, const Lane* weights, const int count,
                     Lane3 rest, Lane3 posed)
{
    const size_t posed_part = offsetof(GtiPosedBone, origin) / sizeof(float);
    const Lane zero = _mm256_setzero_ps();
    const Lane least = lane_set(1e-30f);
    Lane total = zero;
    Lane excess = zero;
    Lane3 outward = { zero, zero, zero };
    for (int k = 0; k < count; ++k) {
        if (_mm256_testz_si256(_mm256_castps_si256(weights[k]), _mm256_castps_si256(weights[k]))) {
            continue; // none of the eight has so many influences
        }
        Lane3 before = from_segments(bones, joints + k, count, 0, rest);
        Lane3 after = from_segments(bones, joints + k, count, posed_part, posed);
        Lane square_before = dot(before, before);
        Lane square_after = dot(after, after);
        Lane inverse = inverse_root(_mm256_max_ps(square_after, least));
        Lane distance_before = lane_mul(square_before, inverse_root(_mm256_max_ps(square_before, least)));
        Lane weight = lane_mul(weights[k], weights[k]);
        Lane direction = lane_mul(weight, inverse);
        total = lane_add(total, weight);
        excess = lane_mul_add(weight, lane_sub(lane_mul(square_after, inverse), distance_before), excess);
        outward.x = lane_mul_add(direction, after.x, outward.x);
        outward.y = lane_mul_add(direction, after.y, outward.y);
        outward.z = lane_mul_add(direction, after.z, outward.z);
    }
    Lane some = _mm256_cmp_ps(excess, zero, _CMP_GT_OQ);
    Lane pull = lane_div(excess, lane_mul(total, total));
    return (Lane3){
        select_lanes(some, lane_mul_sub(pull, outward.x, posed.x), posed.x),
        select_lanes(some, lane_mul_sub(pull, outward.y, posed.y), posed.y),
        select_lanes(some, lane_mul_sub(pull, outward.z, posed.z), posed.z),
    };
}

INLINE void move_block(const GtiDualQuatSkinJob* job, size_t first, Motion8 motion, const Lane33* stretch,
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
        Motion8 motions[GROUP];
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
    if (job->influence_count == 4) {
        skin_blocks(job, first, end, 4);
    } else {
        skin_blocks(job, first, end, job->influence_count);
    }
}

void gti_skin_dual_quat_avx2(const GtiDualQuatSkinJob* job, int32_t first, int32_t end)
{
    int32_t rest = (end - first) % BLOCK;
    skin(job, (size_t)first, (size_t)(end - rest));
    if (rest) {
        Spare spare;
        spare_fill(&spare, &job->in, &job->out, end - rest, rest);
        spare_fill_influences(&spare, job->joints, job->weights, job->influence_count, end - rest, rest);
        GtiDualQuatSkinJob last = *job;
        last.in = spare.in;
        last.out = spare.out;
        last.joints = spare.joints;
        last.weights = spare.weights;
        skin(&last, 0, BLOCK);
        spare_write(&spare, &job->out, end - rest, rest);
    }
}

#else
typedef int gti_no_skin_dual_quat_avx2; // a file must hold something
#endif
