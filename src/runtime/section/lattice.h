// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Evaluating lattices at one place, in double: what gt_lattice_apply() and sections share.

#ifndef GERTIE_RUNTIME_SECTION_LATTICE_H
#define GERTIE_RUNTIME_SECTION_LATTICE_H

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

// Functions of one axis that are not 0 at a place, and their derivatives.
typedef struct GtiLatticeAxis {
    int32_t first; // control point
    int32_t count;
    double values[GT_LATTICE_MAX_SIDE];
    double slopes[GT_LATTICE_MAX_SIDE];
} GtiLatticeAxis;

// s: 0 to 1
void gti_lattice_axis(const GtiLattice* lattice, int axis, double s, GtiLatticeAxis* out);

// A part of the box in which a lattice is one polynomial of degree 3 at most along each axis.
typedef struct GtiLatticeSpan {
    GtMat34 span_from_box; // from where the box goes from -1 to 1 to where the span does
    int32_t firsts[3];     // of the control points that are felt in it
    int32_t counts[3];     // of them, up to 4
    float tables[3][4][4]; // [axis][control point][power] of what goes from -1 to 1
} GtiLatticeSpan;

// How many spans a lattice has: 1 with up to four control points a side, more with B-splines, 0 where it is of a higher
// degree, or its points have weights.
int32_t gti_lattice_span_count(const GtLatticeDef* def);

// In which a place is; box: -1 to 1
int32_t gti_lattice_span_at(const GtLatticeDef* def, GtVec3 box);

GtiLatticeSpan gti_lattice_span(const GtLatticeDef* def, int32_t index);

// Coefficients of a displacement, turned by a matrix, as a polynomial in what goes from -1 to 1 in a span: of
// s^i t^j u^k at [(k * 4 + j) * 4 + i], x, y and z each.
void gti_lattice_to_powers(const GtLatticeDef* def, const GtiLatticeSpan* span, const GtVec3* displacements,
                           const GtMat34* out_from_space, float out[3][64]);

#endif
