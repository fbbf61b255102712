// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Evaluating lattices at one place, in double: what gt_lattice_apply() and sections share.

#ifndef GERTIE_RUNTIME_LATTICE_H
#define GERTIE_RUNTIME_LATTICE_H

#include "gertie/lattice.h"

// How far control points are from rest: straight from an array of that, or from where they are.
typedef struct GtiLattice {
    const GtLatticeDef* def;
    const GtVec3* displacements;              // [point_count], or NULL, and then
    const GtVec3* points;                     // [point_count]
    float rest[3][GT_LATTICE_MAX_SIDE];       // of control points along each axis, in the box
    double knots[3][GT_LATTICE_MAX_SIDE + 4]; // of B-splines
} GtiLattice;

// Displacement at a place of the box, and its derivatives.
typedef struct GtiLatticeValue {
    double d[3];         // x, y, z in the lattice's space
    double slopes[3][3]; // [x, y, z][s, t, u]
} GtiLatticeValue;

// Ready to evaluate; one of `points` and `displacements` is NULL.
GtiLattice gti_lattice_of(const GtLatticeDef* def, const GtVec3* points, const GtVec3* displacements);

// Displacements of control points become where they are.
void gti_lattice_add_rest(const GtLatticeDef* def, GtVec3* points);

// stu: 0 to 1
GtiLatticeValue gti_lattice_at(const GtiLattice* lattice, const double stu[3]);

// Add `scale` times how much each control point is felt at a place, without weights.
// out: [point_count]
void gti_lattice_add_basis(const GtLatticeDef* def, const double stu[3], double scale, float* out);

// Coefficients of a displacement, turned by a matrix, as a polynomial in what goes from -1 to 1 along each axis: of
// s^i t^j u^k at [(k * 4 + j) * 4 + i], x, y and z each. For gti_lattice_is_cubic() alone.
bool gti_lattice_is_cubic(const GtLatticeDef* def);
void gti_lattice_to_powers(const GtLatticeDef* def, const GtVec3* displacements, const GtMat34* out_from_space,
                           float out[3][64]);

#endif
