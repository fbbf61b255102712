// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The quarter turns between a file whose Z or X is up and a scene whose Y is. Vectors only change places and signs, so
// there and back is exact. A character that faces -Y in a Z-up file faces +Z in the scene.

#ifndef GERTIE_IO_BVH_AXES_H
#define GERTIE_IO_BVH_AXES_H

#include "gertie/scene.h"

#include <math.h>

// Z up: a quarter turn back about X. X up: a quarter turn about Z.
static inline void gti_bvh_y_from_file_turn(GtUpAxis up, double quat[4])
{
    quat[0] = up == GT_UP_Z ? -M_SQRT1_2 : 0.0;
    quat[1] = 0.0;
    quat[2] = up == GT_UP_X ? M_SQRT1_2 : 0.0;
    quat[3] = up == GT_UP_Y ? 1.0 : M_SQRT1_2;
}

static inline void gti_bvh_y_from_file_vector(GtUpAxis up, double v[3])
{
    double x = v[0];
    double y = v[1];
    double z = v[2];
    if (up == GT_UP_Z) {
        v[1] = z;
        v[2] = -y;
    } else if (up == GT_UP_X) {
        v[0] = -y;
        v[1] = x;
    }
}

static inline void gti_bvh_file_from_y_vector(GtUpAxis up, double v[3])
{
    double x = v[0];
    double y = v[1];
    double z = v[2];
    if (up == GT_UP_Z) {
        v[1] = -z;
        v[2] = y;
    } else if (up == GT_UP_X) {
        v[0] = y;
        v[1] = -x;
    }
}

// q = turn * q, where turn = (x, 0, z, w)
static inline void gti_bvh_turn_quat(const double turn[4], double q[4])
{
    double x = turn[3] * q[0] + turn[0] * q[3] - turn[2] * q[1];
    double y = turn[3] * q[1] - turn[0] * q[2] + turn[2] * q[0];
    double z = turn[3] * q[2] + turn[0] * q[1] + turn[2] * q[3];
    double w = turn[3] * q[3] - turn[0] * q[0] - turn[2] * q[2];
    q[0] = x;
    q[1] = y;
    q[2] = z;
    q[3] = w;
}

static inline void gti_bvh_y_from_file_quat(GtUpAxis up, double q[4])
{
    double turn[4];
    gti_bvh_y_from_file_turn(up, turn);
    gti_bvh_turn_quat(turn, q);
}

static inline void gti_bvh_file_from_y_quat(GtUpAxis up, double q[4])
{
    double turn[4];
    gti_bvh_y_from_file_turn(up, turn);
    turn[0] = -turn[0];
    turn[2] = -turn[2];
    gti_bvh_turn_quat(turn, q);
}

#endif
