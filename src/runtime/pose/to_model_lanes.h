// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Local transforms to model matrices: transforms become matrices for a block of nodes side by side, then each is
// chained to its parent in place, shallow nodes first, so that a product seldom waits for the one just before it as it
// would along an arm from joint to joint. Included once by the file of each processor level, after its vertices and
//   multiply_matrices(a, b)   b becomes a * b, rows one after the other
// Every operation is the scalar kernel's: results are the same to the last bit, as they must be where inverse
// kinematics updates a part of them.

#ifndef GERTIE_RUNTIME_POSE_TO_MODEL_LANES_H
#define GERTIE_RUNTIME_POSE_TO_MODEL_LANES_H

#include "runtime/kernels.h"

enum {
    MATRIX = 12,    // floats
    TRANSFORM = 12, // floats
};

_Static_assert(sizeof(GtMat34) == MATRIX * sizeof(float), "rows without gaps");
_Static_assert(sizeof(GtTransform) == TRANSFORM * sizeof(float), "translation, rotation, scale");

// As gt_mat34_from_transform(), of a block of nodes.
INLINE void make_matrices(const float* pose, float* out)
{
    Lane t[4];
    Lane q[4];
    Lane s[4];
    load_rows(pose, TRANSFORM, t);
    load_rows(pose + 4, TRANSFORM, q);
    load_rows(pose + 8, TRANSFORM, s);
    Lane x2 = lane_add(q[0], q[0]);
    Lane y2 = lane_add(q[1], q[1]);
    Lane z2 = lane_add(q[2], q[2]);
    Lane one = lane_set(1.0f);
    Lane xx = lane_mul(q[0], x2);
    Lane xy = lane_mul(q[0], y2);
    Lane xz = lane_mul(q[0], z2);
    Lane yy = lane_mul(q[1], y2);
    Lane yz = lane_mul(q[1], z2);
    Lane zz = lane_mul(q[2], z2);
    Lane wx = lane_mul(q[3], x2);
    Lane wy = lane_mul(q[3], y2);
    Lane wz = lane_mul(q[3], z2);
    Lane rows[3][4] = {
        { lane_sub(one, lane_add(yy, zz)), lane_sub(xy, wz), lane_add(xz, wy), t[0] },
        { lane_add(xy, wz), lane_sub(one, lane_add(xx, zz)), lane_sub(yz, wx), t[1] },
        { lane_sub(xz, wy), lane_add(yz, wx), lane_sub(one, lane_add(xx, yy)), t[2] },
    };
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            rows[i][j] = lane_mul(rows[i][j], s[j]);
        }
        store_rows(out + 4 * i, MATRIX, rows[i]);
    }
}

static void to_model(const GtiToModelJob* job)
{
    int32_t i = 0;
    for (; i + BLOCK <= job->node_count; i += BLOCK) {
        make_matrices((const float*)&job->pose[i], job->model_from_node[i].m[0]);
    }
    if (i < job->node_count && i > 0) { // the last block overlaps the one before
        i = job->node_count - BLOCK;
        make_matrices((const float*)&job->pose[i], job->model_from_node[i].m[0]);
    } else if (i < job->node_count) {
        float pose[BLOCK * TRANSFORM];
        GtMat34 matrices[BLOCK];
        spare_rows(pose, &job->pose[i], sizeof(GtTransform), job->node_count - i);
        make_matrices(pose, matrices[0].m[0]);
        memcpy(&job->model_from_node[i], matrices, (size_t)(job->node_count - i) * sizeof(GtMat34));
    }
    for (i = 0; i < job->link_count; ++i) {
        GtiNodeLink link = job->links[i];
        float* node = job->model_from_node[link.node].m[0];
        multiply_matrices(job->model_from_node[link.parent].m[0], node);
    }
}

#endif
