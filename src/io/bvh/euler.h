// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Euler angles of a BVH joint: intrinsic, in channel order, any number and order of axes; in degrees and double.

#ifndef GERTIE_IO_BVH_EULER_H
#define GERTIE_IO_BVH_EULER_H

#include "gertie/quat.h"

#include <stddef.h>
#include <stdint.h>

// The axes (0 x, 1 y, 2 z) of a joint's rotation channels, first one outermost: R = R[0] R[1] ...
typedef struct GtiBvhAxes {
    int32_t count;
    uint8_t axes[16];
} GtiBvhAxes;

// 1 where axes i, j follow each other as x, y, z, x do; else -1.
static inline double gti_bvh_parity(int i, int j)
{
    return (j - i + 3) % 3 == 1 ? 1.0 : -1.0;
}

// Sine and cosine of half of each angle, within 1e-11, for |degrees| <= 1e9.
void gti_bvh_half_sincos(const double* degrees, size_t count, double* sines, double* cosines);

// The rotation of angles given by the sines and cosines of their halves; xyzw, of unit length.
void gti_bvh_quat_from_angles(const GtiBvhAxes* axes, const double* sines, const double* cosines, double quat[4]);

// Angles of a unit quaternion about `axes`. Of all that give this rotation, those near the ones before are taken, so
// that curves run on past 180 degrees and through gimbal lock. Three axes of which none follows itself reach every
// rotation; fewer may miss it.
// @param degrees  [axes->count] in: the angles of the frame before; out: the angles
void gti_bvh_angles_from_quat(const GtiBvhAxes* axes, const double quat[4], double* degrees);

// How far in radians the angles miss a rotation.
double gti_bvh_missed_angle(const GtiBvhAxes* axes, const double quat[4], const double* degrees);

#endif
