// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/harmonic/parts.h"

#include <string.h>

enum {
    CUT_PARTS = 8
};

static int list_cut(const GtHarmonic* h, GtiHarmonicCut* cut, GtiHarmonicPart* out)
{
    size_t slot_count = h->has_axes ? (size_t)cut->slot_count : 0;
    const GtiHarmonicPart parts[CUT_PARTS] = {
        { (const void**)&cut->pieces, (size_t)cut->piece_count, sizeof *cut->pieces, GTI_PART_INTEGERS },
        { (const void**)&cut->nodes, (size_t)h->node_count, sizeof *cut->nodes, GTI_PART_INTEGERS },
        { (const void**)&cut->firsts, (size_t)h->node_count, sizeof *cut->firsts, GTI_PART_INTEGERS },
        { (const void**)&cut->rows, (size_t)h->row_count, sizeof *cut->rows, GTI_PART_INTEGERS },
        { (const void**)&cut->corners, (size_t)h->triangle_count, sizeof *cut->corners, GTI_PART_INTEGERS },
        { (const void**)&cut->borders, (size_t)cut->border_count, sizeof *cut->borders, GTI_PART_INTEGERS },
        { (const void**)&cut->slots, (size_t)h->vertex_count, sizeof *cut->slots, GTI_PART_INTEGERS },
        { (const void**)&cut->offsets, slot_count, sizeof *cut->offsets, GTI_PART_FLOATS },
    };
    memcpy(out, parts, sizeof parts);
    return CUT_PARTS;
}

int gti_harmonic_parts(GtHarmonic* h, GtiHarmonicPart* out)
{
    size_t vertices = (size_t)h->vertex_count;
    size_t markers = (size_t)h->marker_count;
    size_t weights = (size_t)h->weight_count;
    size_t handles = (size_t)h->handle_count + 1;
    size_t holds = (size_t)h->hold_count;
    size_t panels = (size_t)h->panel_size;
    size_t flocks = ((size_t)h->triangle_count + GTI_FLOCK - 1) / GTI_FLOCK;
    bool has_batches = h->batch_cut.piece_count > 0;
    const GtiHarmonicPart parts[] = {
        { (const void**)&h->nodes, (size_t)h->node_count + 1, sizeof *h->nodes, GTI_PART_INTEGERS },
        { (const void**)&h->spread_panels, panels, sizeof *h->spread_panels, GTI_PART_FLOATS },
        { (const void**)&h->solve_panels, panels, sizeof *h->solve_panels, GTI_PART_FLOATS },
        { (const void**)&h->solve_diagonals, (size_t)h->diagonal_size, sizeof *h->solve_diagonals, GTI_PART_FLOATS },
        { (const void**)&h->weight_starts, (size_t)h->panel_count + 1, sizeof *h->weight_starts, GTI_PART_INTEGERS },
        { (const void**)&h->weight_markers, weights, sizeof *h->weight_markers, GTI_PART_INTEGERS },
        { (const void**)&h->weights, weights, sizeof *h->weights, GTI_PART_FLOATS },
        { (const void**)&h->vectors, flocks, sizeof *h->vectors, GTI_PART_FLOATS },
        { (const void**)&h->cures, h->has_axes ? flocks : 0, sizeof *h->cures, GTI_PART_FLOATS },
        { (const void**)&h->faces, (size_t)h->face_count, sizeof *h->faces, GTI_PART_INTEGERS },
        { (const void**)&h->rest, vertices, sizeof *h->rest, GTI_PART_FLOATS },
        { (const void**)&h->holders, has_batches ? vertices : 0, sizeof *h->holders, GTI_PART_INTEGERS },
        { (const void**)&h->handle_starts, handles + 1, sizeof *h->handle_starts, GTI_PART_INTEGERS },
        { (const void**)&h->handle_vertices, holds, sizeof *h->handle_vertices, GTI_PART_INTEGERS },
        { (const void**)&h->handle_weights, holds, sizeof *h->handle_weights, GTI_PART_FLOATS },
        { (const void**)&h->handle_rests, handles, sizeof *h->handle_rests, GTI_PART_FLOATS },
        { (const void**)&h->handle_pulls, handles * handles, sizeof *h->handle_pulls, GTI_PART_DOUBLES },
        { (const void**)&h->vertex_pulls, h->handle_count > 0 ? vertices * handles : 0, sizeof *h->vertex_pulls,
          GTI_PART_FLOATS },
        { (const void**)&h->sign_order, markers, sizeof *h->sign_order, GTI_PART_INTEGERS },
        { (const void**)&h->sign_parents, markers, sizeof *h->sign_parents, GTI_PART_INTEGERS },
        { (const void**)&h->axes, h->has_axes ? markers : 0, sizeof *h->axes, GTI_PART_FLOATS },
    };
    memcpy(out, parts, sizeof parts);
    int count = (int)(sizeof parts / sizeof *parts);
    count += list_cut(h, &h->live_cut, &out[count]);
    return has_batches ? count + list_cut(h, &h->batch_cut, &out[count]) : count;
}
