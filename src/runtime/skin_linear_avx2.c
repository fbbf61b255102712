// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning in AVX2 and FMA. Matrices are blended one vertex after the other, two loads an influence, and
// turned to eight vertices side by side only then: fetching the joints' matrices side by side would take a load for
// each entry. Blocks go through three steps a few at a time, so that the long waits of one block's step are filled by
// the next block's. With one influence there is nothing to blend: matrices are read where they are, and once for
// eight neighbours that follow the same joint. CMake compiles this file for that level; elsewhere it is empty.

#if defined(__AVX2__)

#include "runtime/vertex_avx2.h"

enum {
    MATRIX = 12, // floats
    GROUP = 4,   // blocks in flight
};

typedef struct Blended {
    Lane upper; // rows 0 and 1
    __m128 lower;
} Blended;

INLINE Blended scale_matrix(const GtMat34* matrix, Lane weight)
{
    const float* m = matrix->m[0];
    return (Blended){ lane_mul(weight, lane_load(m)), _mm_mul_ps(_mm256_castps256_ps128(weight), _mm_load_ps(m + 8)) };
}

INLINE void add_matrix(Blended* sum, const GtMat34* matrix, Lane weight)
{
    const float* m = matrix->m[0];
    sum->upper = lane_mul_add(weight, lane_load(m), sum->upper);
    sum->lower = _mm_fmadd_ps(_mm256_castps256_ps128(weight), _mm_load_ps(m + 8), sum->lower);
}

INLINE Blended blend(const GtMat34* matrices, const uint16_t* joints, const float* weights, const int count)
{
    if (count == 4) { // one load of all weights
        Lane w = _mm256_broadcast_ps((const __m128*)weights);
        Blended sum = scale_matrix(&matrices[joints[0]], _mm256_permute_ps(w, 0x00));
        add_matrix(&sum, &matrices[joints[1]], _mm256_permute_ps(w, 0x55));
        add_matrix(&sum, &matrices[joints[2]], _mm256_permute_ps(w, 0xAA));
        add_matrix(&sum, &matrices[joints[3]], _mm256_permute_ps(w, 0xFF));
        return sum;
    }
    Blended sum = scale_matrix(&matrices[joints[0]], lane_set(weights[0]));
    for (int k = 1; k < count; ++k) {
        add_matrix(&sum, &matrices[joints[k]], lane_set(weights[k]));
    }
    return sum;
}

INLINE void blend_block(const GtiLinearSkinJob* job, size_t first, const int count, float* blended)
{
    size_t influence = first * (size_t)count;
    for (int v = 0; v < BLOCK; ++v, influence += (size_t)count) {
        Blended sum = blend(job->model_from_mesh, job->joints + influence, job->weights + influence, count);
        lane_store(blended + v * MATRIX, sum.upper);
        _mm_store_ps(blended + v * MATRIX + 8, sum.lower);
    }
}

INLINE bool same_joint(const uint16_t joints[BLOCK])
{
    __m128i all = _mm_loadu_si128((const __m128i*)joints);
    return _mm_movemask_epi8(_mm_cmpeq_epi16(all, _mm_set1_epi16((short)joints[0]))) == 0xFFFF;
}

// One row of the matrices of a block: blended before, or with one influence straight from the joints.
INLINE void load_matrix_rows(const GtiLinearSkinJob* job, size_t first, const int count, const float* blended, int row,
                             Lane out[4])
{
    if (count > 1) {
        load_rows(blended + 4 * row, MATRIX, out);
        return;
    }
    const uint16_t* joints = job->joints + first;
    Lane weight = lane_load(job->weights + first);
    if (same_joint(joints)) {
        for (int i = 0; i < 4; ++i) {
            out[i] = lane_set(job->model_from_mesh[joints[0]].m[row][i]);
        }
    } else {
        for (int v = 0; v < 4; ++v) {
            out[v] = load_halves(job->model_from_mesh[joints[v]].m[row], job->model_from_mesh[joints[v + 4]].m[row]);
        }
        transpose_halves(out);
    }
    for (int i = 0; i < 4; ++i) {
        out[i] = lane_mul(weight, out[i]);
    }
}

// Move positions and tangents; give normals that are not yet of unit length.
INLINE Lane3 move_block(const GtiLinearSkinJob* job, size_t first, const int count, const float* blended)
{
    Lane33 m;
    Lane3 p = load_vectors(&job->in.positions[first].x);
    Lane moved[3];
    for (int i = 0; i < 3; ++i) {
        Lane row[4];
        load_matrix_rows(job, first, count, blended, i, row);
        m.row[i] = (Lane3){ row[0], row[1], row[2] };
        moved[i] = lane_mul_add(row[0], p.x, lane_mul_add(row[1], p.y, lane_mul_add(row[2], p.z, row[3])));
    }
    store_vectors(&job->out.positions[first].x, (Lane3){ moved[0], moved[1], moved[2] });
    if (job->out.tangents) {
        Lane t[4];
        load_rows(&job->in.tangents[4 * first], 4, t);
        Lane3 turned = unit_vectors(multiply(&m, (Lane3){ t[0], t[1], t[2] }));
        store_rows(&job->out.tangents[4 * first], 4, (Lane[4]){ turned.x, turned.y, turned.z, t[3] });
    }
    return job->out.normals ? turn_normal(&m, load_vectors(&job->in.normals[first].x)) : p;
}

INLINE void skin_blocks(const GtiLinearSkinJob* job, size_t first, size_t end, const int count)
{
    for (size_t i = first; i < end; i += (size_t)GROUP * BLOCK) {
        _Alignas(32) float blended[GROUP][BLOCK * MATRIX];
        Lane3 normals[GROUP];
        size_t blocks = end - i < (size_t)GROUP * BLOCK ? (end - i) / BLOCK : GROUP;
        for (size_t b = 0; count > 1 && b < blocks; ++b) {
            blend_block(job, i + b * BLOCK, count, blended[b]);
        }
        for (size_t b = 0; b < blocks; ++b) {
            normals[b] = move_block(job, i + b * BLOCK, count, blended[b]);
        }
        for (size_t b = 0; job->out.normals && b < blocks; ++b) {
            store_vectors(&job->out.normals[i + b * BLOCK].x, unit_vectors(normals[b]));
        }
    }
}

// Whole blocks.
static void skin(const GtiLinearSkinJob* job, size_t first, size_t end)
{
    switch (job->influence_count) {
    case 1:
        skin_blocks(job, first, end, 1);
        break;
    case 2:
        skin_blocks(job, first, end, 2);
        break;
    case 4:
        skin_blocks(job, first, end, 4);
        break;
    default:
        skin_blocks(job, first, end, job->influence_count);
        break;
    }
}

void gti_skin_linear_avx2(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    int32_t rest = (end - first) % BLOCK;
    skin(job, (size_t)first, (size_t)(end - rest));
    if (rest) {
        Spare spare;
        spare_fill(&spare, &job->in, &job->out, end - rest, rest);
        spare_fill_influences(&spare, job->joints, job->weights, job->influence_count, end - rest, rest);
        GtiLinearSkinJob last = *job;
        last.in = spare.in;
        last.out = spare.out;
        last.joints = spare.joints;
        last.weights = spare.weights;
        skin(&last, 0, BLOCK);
        spare_write(&spare, &job->out, end - rest, rest);
    }
}

#else
typedef int gti_no_skin_linear_avx2; // a file must hold something
#endif
