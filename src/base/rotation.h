// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Rotations of 3x3 matrices in double: what polar decomposition and transforms share.

#ifndef GERTIE_BASE_ROTATION_H
#define GERTIE_BASE_ROTATION_H

#include "base/matrix3.h"

// Replace `m` by the nearest rotation, or, when it mirrors, the one nearest to -m. Where it is singular or not finite:
// its columns, longest first, as far as they have a direction, and any others across.
void gti_nearest_rotation(double m[3][3]);

// The quaternion of a rotation matrix.
GtQuat gti_quat_from_rotation(double r[3][3]);

#endif
