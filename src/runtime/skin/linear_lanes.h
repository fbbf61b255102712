// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Linear blend skinning, a block of vertices at a time. Included once by the file of each processor level, after its
// vertices. Matrices are blended one vertex after the other, a load or two an influence, and turned to vertices side by
// side only then: fetching the joints' matrices side by side would take a load for each entry. Blocks go through three
// steps a few at a time, so that the long waits of one block's step are filled by the next block's. With one influence
// there is nothing to blend: matrices are read where they are, and once for neighbours that all follow the same joint.

#ifndef GERTIE_RUNTIME_SKIN_LINEAR_LANES_H
#define GERTIE_RUNTIME_SKIN_LINEAR_LANES_H

#include "runtime/kernels.h"

enum {
    MATRIX = 12,        // floats
    GROUP = 32 / BLOCK, // blocks in flight
};

INLINE Twelve blend(const GtMat34* matrices, const uint16_t* joints, const float* weights, const int count)
{
    if (count == 4) {
        Lane w[4];
        spread_four(weights, w);
        Twelve sum = twelve_scale(matrices[joints[0]].m[0], w[0]);
        sum = twelve_add(sum, matrices[joints[1]].m[0], w[1]);
        sum = twelve_add(sum, matrices[joints[2]].m[0], w[2]);
        return twelve_add(sum, matrices[joints[3]].m[0], w[3]);
    }
    Twelve sum = twelve_scale(matrices[joints[0]].m[0], lane_set(weights[0]));
    for (int k = 1; k < count; ++k) {
        sum = twelve_add(sum, matrices[joints[k]].m[0], lane_set(weights[k]));
    }
    return sum;
}

INLINE void blend_block(const GtiLinearSkinJob* job, size_t first, const int count, float* blended)
{
    size_t influence = first * (size_t)count;
    for (int v = 0; v < BLOCK; ++v, influence += (size_t)count) {
        twelve_store(blended + v * TWELVE_STEP,
                     blend(job->model_from_mesh, job->joints + influence, job->weights + influence, count));
    }
}

// One row of the matrices of a block: blended before, or with one influence straight from the joints.
INLINE void load_matrix_rows(const GtiLinearSkinJob* job, size_t first, const int count, const float* blended, int row,
                             Lane out[4])
{
    if (count > 1) {
        load_rows(blended + 4 * row, TWELVE_STEP, out);
        return;
    }
    const uint16_t* joints = job->joints + first;
    Lane weight = lane_load(job->weights + first);
    if (all_same(joints)) {
        for (int i = 0; i < 4; ++i) {
            out[i] = lane_set(job->model_from_mesh[joints[0]].m[row][i]);
        }
    } else {
        load_joint_rows(job->model_from_mesh->m[row], MATRIX, joints, 1, out);
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
        _Alignas(64) float blended[GROUP][BLOCK * TWELVE_STEP];
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

static void skin_linear(const GtiLinearSkinJob* job, int32_t first, int32_t end)
{
    int32_t rest = (end - first) % BLOCK;
    skin(job, (size_t)first, (size_t)(end - rest));
    if (rest) {
        Spare spare;
        GtiLinearSkinJob last = *job;
        spare_take(&spare, end - rest, rest, &last.in, &last.out, &last.joints, &last.weights, last.influence_count);
        skin(&last, 0, BLOCK);
        spare_write(&spare, &job->out, end - rest, rest);
    }
}

#endif
