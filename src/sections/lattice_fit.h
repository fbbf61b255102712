// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lattices that move vertices as wanted, as nearly as least squares have it: offsets d of control points that make
//   sum over vertices |sum_k m_k B_k d_k - wanted|^2 + stiffness * (sum over neighbours |d - d'|^2 + |d|^2 / 10)
// small, with masks m_k and basis functions B_k of all sections that hold a vertex.

#ifndef GERTIE_SECTIONS_LATTICE_FIT_H
#define GERTIE_SECTIONS_LATTICE_FIT_H

#include "sections/body.h"
#include "solve/sparse.h"

enum {
    GTI_FIT_MAX_SECTIONS = 24
};

// What some sections can do, factored; for any number of wanted shapes.
typedef struct GtiLatticeFit {
    int32_t section_count;
    int32_t sections[GTI_FIT_MAX_SECTIONS];     // of the character
    int32_t first_points[GTI_FIT_MAX_SECTIONS]; // where the offsets of each begin
    int32_t size;                               // of all offsets
    int32_t row_count;
    int32_t* points; // [row_count] of the body's shell
    float* rows;     // [row_count * size]
    GtiFactor factor;
} GtiLatticeFit;

// @param def        the body's character with sections and binds; their lattices are without weights
// @param sections   [section_count] at most GTI_FIT_MAX_SECTIONS
// @param shared     the sections have one box, and the same offsets each
// @param stiffness  against the mean of what vertices ask for; 0.01 lets a lattice follow, 1 keeps it stiff
GtResult gti_lattice_fit_make(const GtContext* context, GtArena* arena, const GtiSculptBody* body,
                              const GtCharacterDef* def, const int32_t* sections, int32_t section_count, bool shared,
                              float stiffness, GtiLatticeFit* out, GtError* error);

// Offsets of all points, in the directions of the model.
// @param wanted  [point_count of the body's shell] displacements
// @param out     [size]
GtResult gti_lattice_fit_solve(const GtContext* context, GtArena* scratch, const GtiLatticeFit* fit,
                               const GtVec3* wanted, GtVec3* out, GtError* error);

#endif
