// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A GtHarmonic may come from a file, so everything that frames follow blindly is looked at here: each node begins where
// the one before ends; pieces and the top together hold every node once and every slot once; a node's rows lie behind
// its own columns, so that what is read has been written; every index is in its range. All in one pass over each array
// and without memory, so that no bytes cost more than their size.

#include "runtime/harmonic/parts.h"

#include "base/fail.h"

#include <math.h>

// Each in [0, end).
static bool all_below(const int32_t* numbers, size_t count, int32_t end)
{
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        good &= numbers[i] >= 0 && numbers[i] < end;
    }
    return good;
}

// From 0 to `last`, never falling.
static bool is_ascending(const int32_t* starts, size_t count, int32_t last)
{
    bool good = starts[0] == 0 && starts[count - 1] == last;
    for (size_t i = 1; i < count; ++i) {
        good &= starts[i] >= starts[i - 1];
    }
    return good;
}

bool gti_harmonic_counts_fit(const GtHarmonic* h)
{
    const GtiHarmonicCut* cut = &h->live_cut;
    const int64_t limit = (int64_t)(SIZE_MAX / 2048 < INT64_MAX ? SIZE_MAX / 2048 : INT64_MAX / 2048);
    const int64_t counts[] = { h->vertex_count, h->triangle_count, h->marker_count, h->node_count,    h->panel_count,
                               h->weight_count, h->hold_count,     h->row_count,    h->panel_size,    h->diagonal_size,
                               h->face_count,   cut->piece_count,  cut->slot_count, cut->border_count };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        if (counts[i] < 0 || counts[i] > limit) {
            return false;
        }
    }
    return h->vertex_count > 0 && h->triangle_count > 0 && h->face_count > 0 && h->marker_count > 0 &&
           h->node_count > 0 && cut->piece_count > 0 && h->handle_count >= 0 &&
           h->handle_count <= GT_HARMONIC_MAX_HANDLES;
}

static bool nodes_fit(const GtHarmonic* h)
{
    GtiHarmonicNode next = { .triangle = 0 };
    for (int32_t s = 0; s < h->node_count; ++s) {
        const GtiHarmonicNode* node = &h->nodes[s];
        bool good = node->vertex == next.vertex && node->panel_index == next.panel_index && node->row == next.row &&
                    node->panel == next.panel && node->diagonal == next.diagonal && node->triangle >= next.triangle &&
                    node->triangle <= h->triangle_count && node->width > 0 &&
                    node->width <= h->vertex_count - node->vertex && node->height >= 0 &&
                    node->height <= h->row_count - node->row;
        if (!good) {
            return false;
        }
        next = *node;
        next.vertex += node->width;
        next.panel_index += (node->width + GTI_PANEL - 1) / GTI_PANEL;
        next.row += node->height;
        next.panel += (int64_t)node->width * node->height;
        next.diagonal += (int64_t)node->width * node->width;
        if (next.panel > h->panel_size || next.diagonal > h->diagonal_size) {
            return false;
        }
    }
    const GtiHarmonicNode* end = &h->nodes[h->node_count];
    return h->nodes[0].triangle == 0 && end->triangle == h->triangle_count && end->vertex == h->vertex_count &&
           next.vertex == h->vertex_count && end->panel_index == h->panel_count && next.panel_index == h->panel_count &&
           end->row == h->row_count && next.row == h->row_count && end->panel == h->panel_size &&
           next.panel == h->panel_size && end->diagonal == h->diagonal_size && next.diagonal == h->diagonal_size;
}

// Pieces follow each other without gaps, the top last; and of all nodes, ascending, each is the next one of the pieces
// or the next one of the top.
static bool pieces_fit(const GtHarmonic* h)
{
    const GtiHarmonicCut* cut = &h->live_cut;
    const GtiHarmonicPiece* top = &cut->pieces[cut->piece_count - 1];
    int32_t node = 0;
    int64_t slot = 0;
    int64_t border = 0;
    for (int32_t p = 0; p < cut->piece_count; ++p) {
        const GtiHarmonicPiece* piece = &cut->pieces[p];
        if (piece->node_begin != node || piece->node_end < node || piece->node_end > h->node_count ||
            piece->slot != slot || (piece->border_count != 0 && piece->border != border) || piece->vertex_count < 0 ||
            piece->border_count < 0) {
            return false;
        }
        node = piece->node_end;
        slot += (int64_t)piece->vertex_count + piece->border_count;
        border += piece->border_count;
        if (slot > cut->slot_count || border > cut->border_count) {
            return false;
        }
    }
    if (node != h->node_count || slot != cut->slot_count || border != cut->border_count || top->border_count != 0) {
        return false;
    }
    int32_t in_pieces = 0;
    int32_t in_top = top->node_begin;
    for (int32_t s = 0; s < h->node_count; ++s) {
        if (in_pieces < top->node_begin && cut->nodes[in_pieces] == s) {
            ++in_pieces;
        } else if (in_top < h->node_count && cut->nodes[in_top] == s) {
            ++in_top;
        } else {
            return false;
        }
    }
    return true;
}

// Columns of a piece's nodes fill its own slots, one node after the other; rows and triangles stay inside the piece.
static bool piece_fits(const GtHarmonic* h, const GtiHarmonicPiece* piece)
{
    const GtiHarmonicCut* cut = &h->live_cut;
    int32_t slot_count = piece->vertex_count + piece->border_count;
    int32_t slot = 0;
    for (int32_t i = piece->node_begin; i < piece->node_end; ++i) {
        const GtiHarmonicNode* node = &h->nodes[cut->nodes[i]];
        if (cut->firsts[cut->nodes[i]] != slot || node->width > piece->vertex_count - slot) {
            return false;
        }
        slot += node->width;
        for (int64_t r = node->row; r < node->row + node->height; ++r) {
            if (cut->rows[r] < slot || cut->rows[r] >= slot_count) {
                return false;
            }
        }
        if (!all_below(&cut->corners[node->triangle][0], 3 * (size_t)(node[1].triangle - node->triangle), slot_count)) {
            return false;
        }
    }
    return slot == piece->vertex_count;
}

static bool cut_fits(const GtHarmonic* h)
{
    const GtiHarmonicCut* cut = &h->live_cut;
    bool good = pieces_fit(h);
    for (int32_t p = 0; good && p < cut->piece_count; ++p) {
        good = piece_fits(h, &cut->pieces[p]);
    }
    return good && all_below(cut->borders, (size_t)cut->border_count, cut->pieces[cut->piece_count - 1].vertex_count) &&
           all_below(cut->slots, (size_t)h->vertex_count, cut->slot_count);
}

static bool markers_fit(const GtHarmonic* h)
{
    bool good = is_ascending(h->weight_starts, (size_t)h->panel_count + 1, h->weight_count) &&
                all_below(h->weight_markers, (size_t)h->weight_count, h->marker_count) &&
                all_below(h->sign_order, (size_t)h->marker_count, h->marker_count);
    for (int32_t m = 0; m < h->marker_count && good; ++m) {
        good = h->sign_parents[m] >= GT_NONE && h->sign_parents[m] < h->marker_count;
    }
    return good;
}

static bool surface_fits(const GtHarmonic* h)
{
    return all_below(&h->faces[0][0], 3 * (size_t)h->face_count, h->vertex_count) &&
           is_ascending(h->handle_starts, (size_t)h->handle_count + 2, h->hold_count) &&
           all_below(h->handle_vertices, (size_t)h->hold_count, h->vertex_count);
}

bool gti_harmonic_part_is_finite(const GtiHarmonicPart* part)
{
    const float* floats = *part->array;
    const double* doubles = *part->array;
    bool good = true;
    for (size_t i = 0; part->kind == GTI_PART_FLOATS && i < part->count * part->element / sizeof *floats; ++i) {
        good &= isfinite(floats[i]) != 0;
    }
    for (size_t i = 0; part->kind == GTI_PART_DOUBLES && i < part->count * part->element / sizeof *doubles; ++i) {
        good &= isfinite(doubles[i]) != 0;
    }
    return good;
}

GtResult gti_harmonic_check(const GtHarmonic* harmonic, GtError* error)
{
    bool (*const checks[])(const GtHarmonic*) = { nodes_fit, cut_fits, markers_fit, surface_fits };
    static const char* const names[] = { "factors", "pieces", "markers", "triangles or handles" };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; ++i) {
        if (!checks[i](harmonic)) {
            return gti_fail_at(error, GT_ERROR_BAD_VALUE, "harmonic skin", "%s of its surface do not fit together",
                               names[i]);
        }
    }
    return GT_OK;
}
