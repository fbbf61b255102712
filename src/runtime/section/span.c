// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lattices of many control points, which are one polynomial in each of their spans. All vertices of a cell are in one
// span of each of their lattices: its place in there is what frames evaluate at.

#include "runtime/section/section.h"

#include "runtime/character.h"

enum {
    MOST_SPANS = 64 // of a lattice: cells should have many vertices
};

int32_t gti_section_span_count(const GtSectionDef* section)
{
    int32_t count = gti_lattice_span_count(&section->lattice);
    return count <= MOST_SPANS ? count : 0;
}

static float cut(float x)
{
    return x > -1.0f ? (x < 1.0f ? x : 1.0f) : -1.0f;
}

// From the box to the span, in the rows of a bind of all blocks of a cell.
static void move_places(const GtiSectionCell* cell, size_t k, const GtMat34* span_from_box, float* places)
{
    for (size_t block = 0; block < (size_t)cell->block_count; ++block) {
        size_t row = cell->first_row + block * (size_t)cell->bind_count + k;
        float* rows = &places[row * 3 * GTI_SECTION_BLOCK];
        for (size_t axis = 0; axis < 3; ++axis) {
            const float* m = span_from_box->m[axis];
            for (size_t lane = 0; lane < GTI_SECTION_BLOCK; ++lane) {
                float* place = &rows[axis * GTI_SECTION_BLOCK + lane];
                *place = cut(m[axis] * *place + m[3]);
            }
        }
    }
}

bool gti_section_plan_spans(const GtCharacterDef* def, const GtMeshDef* mesh, GtArena* arena, GtiBlock* block,
                            float* places, GtiMeshSections* out)
{
    bool any = false;
    for (int32_t i = 0; i < out->bind_count; ++i) {
        any |= out->bound[i].span_count > 1;
    }
    if (!any) {
        return true;
    }
    GtiLatticeSpan* spans = gt_arena_push_array(arena, out->cell_bind_count, sizeof *spans);
    if (!spans || !gti_block_keep(block, spans, out->cell_bind_count, sizeof *spans)) {
        return false;
    }
    out->spans = spans;
    for (int32_t c = 0; c < out->cell_count; ++c) {
        const GtiSectionCell* cell = &out->cells[c];
        for (size_t k = 0; k < (size_t)cell->bind_count; ++k) {
            int32_t bind = out->binds[cell->first_bind + k];
            const GtLatticeDef* lattice = &def->sections[mesh->section_binds[bind].section].lattice;
            if (out->bound[bind].span_count > 1) {
                const float* first = &places[(cell->first_row + k) * 3 * GTI_SECTION_BLOCK];
                GtVec3 place = gt_vec3(first[0], first[GTI_SECTION_BLOCK], first[2 * (size_t)GTI_SECTION_BLOCK]);
                spans[cell->first_bind + k] = gti_lattice_span(lattice, gti_lattice_span_at(lattice, place));
                move_places(cell, k, &spans[cell->first_bind + k].span_from_box, places);
            }
        }
    }
    return true;
}
