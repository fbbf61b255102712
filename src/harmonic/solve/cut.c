// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Groups are in postorder, so a subtree is a range of them, and a range of places. What a subtree touches above itself
// are the rows of its root: a row of any group in it that lies outside is handed on from parent to parent (Liu 1990).
// Subtrees too small to be worth a visit of their own stay with the top.

#include "harmonic/solve/pack.h"

#include <string.h>

static const int64_t MIN_SHARE = 16; // of the limit: a piece costs at least 1/16 of what it might

typedef struct Tree {
    int64_t* costs;  // [node_count] of whole subtrees
    int32_t* begins; // [node_count] first group of each subtree
} Tree;

static bool make_tree(const GtiHarmonicPlan* plan, const int64_t* costs, GtArena* arena, Tree* out)
{
    int32_t count = plan->supernodes->count;
    *out = (Tree){
        .costs = gt_arena_push(arena, (size_t)count * sizeof *out->costs),
        .begins = gt_arena_push(arena, (size_t)count * sizeof *out->begins),
    };
    if (!out->costs || !out->begins) {
        return false;
    }
    for (int32_t s = 0; s < count; ++s) {
        out->costs[s] = costs[s];
        out->begins[s] = s;
    }
    for (int32_t s = 0; s < count; ++s) {
        int32_t parent = plan->parents[s];
        if (parent != GT_NONE) {
            out->costs[parent] += out->costs[s];
            out->begins[parent] = out->begins[s] < out->begins[parent] ? out->begins[s] : out->begins[parent];
        }
    }
    return true;
}

static bool is_root(const GtiHarmonicPlan* plan, const Tree* tree, int64_t limit, int32_t s)
{
    int32_t parent = plan->parents[s];
    return parent != GT_NONE && tree->costs[s] <= limit && tree->costs[s] * MIN_SHARE >= limit &&
           tree->costs[parent] > limit;
}

typedef struct Pieces {
    GtiHarmonicPiece* pieces;
    int32_t count;
    int32_t* piece_of; // [node_count] or GT_NONE for the top
    int32_t* roots;    // [count]
} Pieces;

static bool find_pieces(const GtiHarmonicPlan* plan, const Tree* tree, int64_t limit, GtArena* arena, GtArena* scratch,
                        Pieces* out)
{
    const GtiSupernodes* nodes = plan->supernodes;
    int32_t count = 0;
    for (int32_t s = 0; s < nodes->count; ++s) {
        count += is_root(plan, tree, limit, s);
    }
    *out = (Pieces){
        .pieces = gt_arena_push_array(arena, (size_t)count + 1, sizeof *out->pieces),
        .piece_of = gt_arena_push(scratch, (size_t)nodes->count * sizeof *out->piece_of),
        .roots = gt_arena_push(scratch, (size_t)count * sizeof *out->roots),
    };
    if (!out->pieces || !out->piece_of || !out->roots) {
        return false;
    }
    memset(out->piece_of, 0xFF, (size_t)nodes->count * sizeof *out->piece_of);
    for (int32_t s = 0; s < nodes->count; ++s) {
        if (is_root(plan, tree, limit, s)) {
            for (int32_t i = tree->begins[s]; i <= s; ++i) {
                out->piece_of[i] = out->count;
            }
            out->roots[out->count] = s;
            out->pieces[out->count++].vertex_count = nodes->columns[s + 1] - nodes->columns[tree->begins[s]];
        }
    }
    return true;
}

// Where everything is being put; one array a pointer of the cut.
typedef struct Layout {
    int32_t* nodes;
    int32_t* firsts;
    int32_t* rows;
    int32_t (*corners)[3];
    int32_t* borders;
    int32_t* slots;
    int32_t* tops;   // [vertex_count] slot in the top of its places
    int32_t* locals; // [vertex_count] slot of places that the piece at hand touches
} Layout;

static bool push_layout(const GtiHarmonicPlan* plan, int64_t border_count, GtArena* arena, GtArena* scratch,
                        Layout* out)
{
    const GtiSupernodes* nodes = plan->supernodes;
    *out = (Layout){
        .nodes = gt_arena_push(arena, (size_t)nodes->count * sizeof *out->nodes),
        .firsts = gt_arena_push(arena, (size_t)nodes->count * sizeof *out->firsts),
        .rows = gt_arena_push(arena, (size_t)nodes->row_starts[nodes->count] * sizeof *out->rows),
        .corners = gt_arena_push(arena, (size_t)plan->triangle_count * sizeof *out->corners),
        .borders = gt_arena_push(arena, (size_t)border_count * sizeof *out->borders),
        .slots = gt_arena_push(arena, (size_t)nodes->size * sizeof *out->slots),
        .tops = gt_arena_push(scratch, (size_t)nodes->size * sizeof *out->tops),
        .locals = gt_arena_push(scratch, (size_t)nodes->size * sizeof *out->locals),
    };
    return out->nodes && out->firsts && out->rows && out->corners && out->borders && out->slots && out->tops &&
           out->locals;
}

// Put one group's rows, columns and triangles; slots of all places that it touches are in layout->locals.
static void put_node(const GtiHarmonicPlan* plan, int32_t s, int32_t first_slot, Layout* layout)
{
    const GtiSupernodes* nodes = plan->supernodes;
    layout->firsts[s] = layout->locals[nodes->columns[s]];
    for (int64_t r = nodes->row_starts[s]; r < nodes->row_starts[s + 1]; ++r) {
        layout->rows[r] = layout->locals[nodes->rows[r]];
    }
    for (int32_t t = plan->packed[s].triangle; t < plan->packed[s + 1].triangle; ++t) {
        for (int k = 0; k < 3; ++k) {
            layout->corners[t][k] = layout->locals[plan->corners[t][k]];
        }
    }
    for (int32_t place = nodes->columns[s]; place < nodes->columns[s + 1]; ++place) {
        layout->slots[nodes->order[place]] = first_slot + layout->locals[place];
    }
}

static void put_piece(const GtiHarmonicPlan* plan, GtiHarmonicPiece* piece, int32_t begin, int32_t root, Layout* layout)
{
    const GtiSupernodes* nodes = plan->supernodes;
    int32_t slot = 0;
    for (int32_t place = nodes->columns[begin]; place < nodes->columns[root + 1]; ++place) {
        layout->locals[place] = slot++;
    }
    for (int64_t r = nodes->row_starts[root]; r < nodes->row_starts[root + 1]; ++r) {
        layout->locals[nodes->rows[r]] = slot++;
        layout->borders[piece->border + (int32_t)(r - nodes->row_starts[root])] = layout->tops[nodes->rows[r]];
    }
    for (int32_t s = begin; s <= root; ++s) {
        layout->nodes[piece->node_begin + s - begin] = s;
        put_node(plan, s, piece->slot, layout);
    }
}

static void put_top(const GtiHarmonicPlan* plan, const Pieces* pieces, Layout* layout)
{
    const GtiHarmonicPiece* top = &pieces->pieces[pieces->count];
    int32_t at = top->node_begin;
    memcpy(layout->locals, layout->tops, (size_t)plan->supernodes->size * sizeof *layout->locals);
    for (int32_t s = 0; s < plan->supernodes->count; ++s) {
        if (pieces->piece_of[s] == GT_NONE) {
            layout->nodes[at++] = s;
            put_node(plan, s, top->slot, layout);
        }
    }
}

// Count slots, borders and groups of all pieces; the last is the top. The number of border slots.
static int64_t measure(const GtiHarmonicPlan* plan, const Tree* tree, Pieces* pieces, GtiHarmonicCut* out)
{
    const GtiSupernodes* nodes = plan->supernodes;
    int64_t slot = 0;
    int64_t border = 0;
    int32_t node = 0;
    int32_t inside = 0;
    for (int32_t p = 0; p < pieces->count; ++p) {
        GtiHarmonicPiece* piece = &pieces->pieces[p];
        int32_t root = pieces->roots[p];
        piece->node_begin = node;
        piece->node_end = node += root + 1 - tree->begins[root];
        piece->border_count = (int32_t)(nodes->row_starts[root + 1] - nodes->row_starts[root]);
        piece->border = (int32_t)border;
        piece->slot = (int32_t)slot;
        border += piece->border_count;
        slot += piece->vertex_count + piece->border_count;
        inside += piece->vertex_count;
        int32_t slots = piece->vertex_count + piece->border_count;
        out->largest_slot_count = slots > out->largest_slot_count ? slots : out->largest_slot_count;
    }
    pieces->pieces[pieces->count] = (GtiHarmonicPiece){
        .node_begin = node, .node_end = nodes->count, .slot = (int32_t)slot, .vertex_count = nodes->size - inside
    };
    out->slot_count = (int32_t)(slot + nodes->size - inside);
    return slot + nodes->size <= INT32_MAX ? border : INT64_MAX;
}

static void number_top(const GtiHarmonicPlan* plan, const Pieces* pieces, Layout* layout)
{
    const GtiSupernodes* nodes = plan->supernodes;
    int32_t slot = 0;
    for (int32_t s = 0; s < nodes->count; ++s) {
        for (int32_t place = nodes->columns[s]; place < nodes->columns[s + 1]; ++place) {
            layout->tops[place] = pieces->piece_of[s] == GT_NONE ? slot++ : GT_NONE;
        }
    }
}

bool gti_harmonic_cut_make(const GtiHarmonicPlan* plan, const int64_t* costs, int64_t limit, GtArena* arena,
                           GtiHarmonicCut* out)
{
    *out = (GtiHarmonicCut){ .piece_count = 0 };
    GtArena scratch = gt_arena_create(arena->allocator);
    Tree tree = { NULL, NULL };
    Pieces pieces = { .count = 0 };
    Layout layout;
    bool made = make_tree(plan, costs, &scratch, &tree) && find_pieces(plan, &tree, limit, arena, &scratch, &pieces);
    if (made) {
        int64_t border_count = measure(plan, &tree, &pieces, out);
        made = border_count <= INT32_MAX && push_layout(plan, border_count, arena, &scratch, &layout);
    }
    if (made) {
        number_top(plan, &pieces, &layout);
        for (int32_t p = 0; p < pieces.count; ++p) {
            put_piece(plan, &pieces.pieces[p], tree.begins[pieces.roots[p]], pieces.roots[p], &layout);
        }
        put_top(plan, &pieces, &layout);
        out->piece_count = pieces.count + 1;
        out->border_count = pieces.count > 0
                                ? pieces.pieces[pieces.count - 1].border + pieces.pieces[pieces.count - 1].border_count
                                : 0;
        out->pieces = pieces.pieces;
        out->nodes = layout.nodes;
        out->firsts = layout.firsts;
        out->rows = layout.rows;
        out->corners = (const int32_t(*)[3])layout.corners;
        out->borders = layout.borders;
        out->slots = layout.slots;
    }
    gt_arena_destroy(&scratch);
    return made;
}
