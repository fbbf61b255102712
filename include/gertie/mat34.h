// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: affine transforms as matrices.
///
/// Affine transforms as 3x4 matrices over column vectors. Names say dst_from_src, so that products cancel:
/// model_from_joint = model_from_parent * parent_from_joint.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_MAT34_H
#define GERTIE_MAT34_H

#include "gertie/quat.h"

GT_EXTERN_C_BEGIN

/// The upper three rows of a 4x4 affine matrix, row by row: m[row][column], translation in column 3.
typedef struct GtMat34 {
    GT_ALIGN16 float m[3][4];
} GtMat34;

static inline GtMat34 gt_mat34_identity(void)
{
    GtMat34 r = { { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } } };
    return r;
}

/// Apply `b` first, then `a`.
static inline GtMat34 gt_mat34_mul(GtMat34 a, GtMat34 b)
{
    GtMat34 r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j];
        }
        r.m[i][3] += a.m[i][3];
    }
    return r;
}

static inline GtVec3 gt_mat34_point(const GtMat34* a, GtVec3 p)
{
    return gt_vec3(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                   a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                   a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
}

/// Transform a direction: the linear part only.
static inline GtVec3 gt_mat34_vector(const GtMat34* a, GtVec3 v)
{
    return gt_vec3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                   a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                   a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

static inline GtVec3 gt_mat34_translation(const GtMat34* a)
{
    return gt_vec3(a->m[0][3], a->m[1][3], a->m[2][3]);
}

/// Determinant of the linear part; negative when the matrix mirrors.
GT_API float gt_mat34_determinant(const GtMat34* a);

/// Inverse; where the linear part is singular, its pseudo-inverse is not attempted: the identity is returned and
/// *ok set to false. `ok` may be NULL.
GT_API GtMat34 gt_mat34_inverse(const GtMat34* a, bool* ok);

/// Direction of a normal: the cofactor matrix of the linear part times `n`, which needs no inverse and survives
/// zero scales. Not normalised; turned round when the matrix mirrors, so that it stays on its side of the surface.
GT_API GtVec3 gt_mat34_normal(const GtMat34* a, GtVec3 n);

/// Read glTF's 16 column-major floats, dropping the last row.
GT_API GtMat34 gt_mat34_from_columns(const float columns[16]);

/// Write glTF's 16 column-major floats, last row 0 0 0 1.
GT_API void gt_mat34_to_columns(const GtMat34* a, float columns[16]);

/// The rotation nearest to the linear part (polar decomposition), which is right under scale and shear.
/// Where the linear part mirrors, the one nearest to its negative, so that it changes smoothly with the matrix; where
/// it is singular, an orthonormal completion of what is left; where it is not finite, the identity.
/// @param stretch  receives S with linear = R * S, row by row; may be NULL. A mirror goes into S, never into R.
GT_API GtQuat gt_mat34_polar(const GtMat34* a, float stretch[9]);

GT_EXTERN_C_END

#endif
