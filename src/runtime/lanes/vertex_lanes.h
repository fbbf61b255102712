// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A block of vertices side by side, as many as lanes: three lanes a vector. Included by the vertex_LEVEL.h of each
// processor level, after its lanes; that one reads and writes packed arrays. A block is read whole before it is
// written, so that it may lie in place.

#ifndef GERTIE_RUNTIME_LANES_VERTEX_LANES_H
#define GERTIE_RUNTIME_LANES_VERTEX_LANES_H

#include "runtime/kernels.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum {
    BLOCK = LANE_SIZE // vertices at a time
};

typedef struct Lane3 {
    Lane x;
    Lane y;
    Lane z;
} Lane3;

// Rows of a 3x3 matrix for each vertex.
typedef struct Lane33 {
    Lane3 row[3];
} Lane33;

INLINE Lane3 cross(Lane3 a, Lane3 b)
{
    return (Lane3){
        lane_mul_less(a.y, b.z, lane_mul(a.z, b.y)),
        lane_mul_less(a.z, b.x, lane_mul(a.x, b.z)),
        lane_mul_less(a.x, b.y, lane_mul(a.y, b.x)),
    };
}

INLINE Lane dot(Lane3 a, Lane3 b)
{
    return lane_mul_add(a.x, b.x, lane_mul_add(a.y, b.y, lane_mul(a.z, b.z)));
}

INLINE Lane3 multiply(const Lane33* m, Lane3 v)
{
    return (Lane3){ dot(m->row[0], v), dot(m->row[1], v), dot(m->row[2], v) };
}

// As gt_mat34_normal().
INLINE Lane3 turn_normal(const Lane33* m, Lane3 n)
{
    Lane33 cofactors = { {
        cross(m->row[1], m->row[2]),
        cross(m->row[2], m->row[0]),
        cross(m->row[0], m->row[1]),
    } };
    LaneMask mirrored = lane_greater(lane_set(0.0f), dot(m->row[0], cofactors.row[0]));
    Lane3 r = multiply(&cofactors, n);
    return (Lane3){ lane_negate(mirrored, r.x), lane_negate(mirrored, r.y), lane_negate(mirrored, r.z) };
}

// As gti_unit().
INLINE Lane3 unit_vectors(Lane3 v)
{
    Lane squared = dot(v, v);
    LaneMask usual = lane_within(squared, 1e-30f, 1e30f);
    Lane scale = lane_inverse_root(squared);
    Lane3 r = { lane_mul(v.x, scale), lane_mul(v.y, scale), lane_mul(v.z, scale) };
    if (__builtin_expect(!lane_all(usual), 0)) {
        Lane length = lane_root(squared);
        LaneMask some = lane_within(length, 1e-20f, 3e38f);
        Lane slow = lane_div(lane_set(1.0f), length);
        Lane zero = lane_set(0.0f);
        r.x = lane_select(usual, r.x, lane_select(some, lane_mul(v.x, slow), zero));
        r.y = lane_select(usual, r.y, lane_select(some, lane_mul(v.y, slow), lane_set(1.0f)));
        r.z = lane_select(usual, r.z, lane_select(some, lane_mul(v.z, slow), zero));
    }
    return r;
}

// Vertices of a block that is cut short by the end of the work, the last one repeated, and where to put the result.
typedef struct Spare {
    float from[10 * BLOCK];
    float to[10 * BLOCK];
    float weights[GT_MAX_INFLUENCES * BLOCK];
    uint16_t joints[GT_MAX_INFLUENCES * BLOCK];
} Spare;

// Copy `count` rows of `size` bytes, then repeat the last up to a whole block.
static inline void spare_rows(void* to, const void* from, size_t size, int32_t count)
{
    for (int32_t i = 0; i < BLOCK; ++i) {
        int32_t source = i < count ? i : count - 1;
        memcpy((char*)to + (size_t)i * size, (const char*)from + (size_t)source * size, size);
    }
}

// The `count` < BLOCK vertices from `first` on, as a whole block: point the arrays of a job to it, where they start at
// 0.
static inline void spare_take(Spare* spare, int32_t first, int32_t count, GtiVertexSource* in, GtiVertexTarget* out,
                              const uint16_t** joints, const float** weights, int32_t influence_count)
{
    size_t at = (size_t)first;
    size_t influences = (size_t)influence_count;
    spare_rows(spare->from, &in->positions[at], sizeof(GtVec3), count);
    if (out->normals) {
        spare_rows(spare->from + 3 * BLOCK, &in->normals[at], sizeof(GtVec3), count);
    }
    if (out->tangents) {
        spare_rows(spare->from + 6 * BLOCK, &in->tangents[4 * at], 4 * sizeof(float), count);
    }
    spare_rows(spare->joints, *joints + at * influences, influences * sizeof **joints, count);
    spare_rows(spare->weights, *weights + at * influences, influences * sizeof **weights, count);
    *in = (GtiVertexSource){ (const GtVec3*)spare->from, (const GtVec3*)(spare->from + 3 * BLOCK),
                             spare->from + 6 * BLOCK };
    *out = (GtiVertexTarget){ (GtVec3*)spare->to, out->normals ? (GtVec3*)(spare->to + 3 * BLOCK) : NULL,
                              out->tangents ? spare->to + 6 * BLOCK : NULL };
    *joints = spare->joints;
    *weights = spare->weights;
}

static inline void spare_write(const Spare* spare, const GtiVertexTarget* out, int32_t first, int32_t count)
{
    size_t vertices = (size_t)count;
    memcpy(&out->positions[first], spare->to, vertices * sizeof(GtVec3));
    if (out->normals) {
        memcpy(&out->normals[first], spare->to + 3 * BLOCK, vertices * sizeof(GtVec3));
    }
    if (out->tangents) {
        memcpy(&out->tangents[4 * (size_t)first], spare->to + 6 * BLOCK, vertices * 4 * sizeof(float));
    }
}

#endif
