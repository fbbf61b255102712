// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: free-form deformation by lattices.
///
/// Free-form deformation: a box of control points around a thing; move the points, and all that is in the box follows
/// smoothly (Sederberg and Parry 1986). What is deformed are points, so it is the same for vertices of polygons, cages
/// of subdivision surfaces and control points of NURBS.
///
/// With control points P_ijk, weights w_ijk, and (s, t, u) where a point is in the box,
///   p' = sum_ijk B_i(s) B_j(t) B_k(u) w_ijk P_ijk / sum_ijk B_i(s) B_j(t) B_k(u) w_ijk
/// which without weights is Sederberg and Parry's. A point that weighs more pulls more, also where all are at rest:
/// the rational form of Kalra, Mangili, Magnenat Thalmann and Thalmann 1992. Without weights a lattice at rest changes
/// nothing at all, because displacements from rest are summed.
///
/// Nothing here allocates.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_LATTICE_H
#define GERTIE_LATTICE_H

#include "gertie/error.h"
#include "gertie/mat34.h"

GT_EXTERN_C_BEGIN

/// Most control points along one axis.
#define GT_LATTICE_MAX_SIDE 32

/// How a control point's pull spreads.
typedef enum GtLatticeBasis {
    GT_LATTICE_BEZIER,   ///< Bernstein polynomials: every point is felt in the whole box
    GT_LATTICE_B_SPLINE, ///< clamped uniform B-splines, cubic, or of lower degree where there are fewer than 4 points:
                         ///< a point is felt near it. At rest points are at the splines' Greville abscissae.
    GT_LATTICE_BASIS_COUNT
} GtLatticeBasis;

/// A lattice at rest. Start from gt_default_lattice_def().
typedef struct GtLatticeDef {
    GtLatticeBasis basis;
    int32_t counts[3]; ///< control points along s, t, u: 2 to GT_LATTICE_MAX_SIDE each
    /// Any parallelepiped that is not flat: what takes the unit cube to it, in the lattice's own space. Column 3 is the
    /// corner (0, 0, 0), columns 0 to 2 are the edges.
    GtMat34 space_from_box;
    const float* weights; ///< [gt_lattice_point_count()] all above 0, or NULL for 1
} GtLatticeDef;

/// Bezier, 4 x 4 x 4 points, the unit cube.
GT_API GtLatticeDef gt_default_lattice_def(void);

/// Control points in all.
GT_API int32_t gt_lattice_point_count(const GtLatticeDef* def);

/// Index of a control point: (k * counts[1] + j) * counts[0] + i.
GT_API int32_t gt_lattice_index(const GtLatticeDef* def, int32_t i, int32_t j, int32_t k);

/// Where control points are at rest, in the lattice's space.
/// @param out_points  [gt_lattice_point_count()]
GT_API void gt_lattice_rest(const GtLatticeDef* def, GtVec3* out_points);

/// GT_ERROR_BAD_VALUE for counts out of range, a basis that is none, a box that is flat or not finite, or a weight that
/// is not above 0. Whatever else takes a lattice takes one that passes this.
GT_API GtResult gt_lattice_check(const GtLatticeDef* def, GtError* error);

/// Deform points. Those outside the box, by more than a millionth of it, pass unchanged, as do those that are not
/// finite.
/// @param points     [gt_lattice_point_count()] where the control points are
/// @param in         [count] in the lattice's space
/// @param out        [count] may be `in`
/// @param jacobians  [count * 9] receives the derivatives d out / d in, row by row: tangents follow them, and normals
///                   their cofactors; or NULL
GT_API void gt_lattice_apply(const GtLatticeDef* def, const GtVec3* points, int32_t count, const GtVec3* in,
                             GtVec3* out, float* jacobians);

/// True where the lattice turns space inside out: the determinant of its Jacobian is not above 0 somewhere on a grid of
/// at most 13 x 13 x 13 places, or a point is not finite. A surface there shows its inside.
GT_API bool gt_lattice_folds(const GtLatticeDef* def, const GtVec3* points);

GT_EXTERN_C_END

#endif
