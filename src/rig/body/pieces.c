// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pieces are what hangs together by points. Where one of them reaches from end to end of the figure, that is the body,
// and others are skin only if they are of comparable size, such as shells of a scan and clothes, or go on where it
// ends: a head over a collar, hands and shoes. Where none does, the figure is put together from pieces, as robots are,
// and all but crumbs are skin.

#include "rig/body/parts.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "base/union_find.h"

#include <math.h>
#include <string.h>

static const double whole_share = 0.7;    // of the size of all, in the two longer directions, that a body reaches over
static const double skin_share = 0.15;    // of the area of the body, from which others are skin, too
static const double end_share = 0.01;     // likewise, of those that go on where it ends
static const double end_gap = 0.03;       // of the size of all, between them and the body
static const double end_reach = 0.01;     // likewise, that they reach beyond it
static const double crumb_share = 0.0003; // of all area, below which pieces of a robot are islands

static const double soup_share = 0.05; // of all area, from which on crumbs are what the figure is made of

typedef struct Piece {
    double area;
    GtBounds bounds;
} Piece;

static void number_pieces(GtiRigBody* body)
{
    gti_sets_start(body->pieces, body->point_count);
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* corners = body->triangles[t];
        gti_sets_join(body->pieces, corners[0], corners[1]);
        gti_sets_join(body->pieces, corners[0], corners[2]);
    }
    body->piece_count = gti_sets_number(body->pieces, body->point_count);
}

static void measure_pieces(const GtiRigBody* body, Piece* pieces, Piece* all)
{
    const Piece none = { 0.0, gti_bounds_empty() };
    *all = none;
    for (int32_t i = 0; i < body->piece_count; ++i) {
        pieces[i] = none;
    }
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        GtVec3 a = body->points[c[0]];
        GtVec3 n = gt_vec3_cross(gt_vec3_sub(body->points[c[1]], a), gt_vec3_sub(body->points[c[2]], a));
        double area = 0.5 * (double)gt_vec3_length(n);
        pieces[body->pieces[c[0]]].area += area;
        all->area += area;
    }
    for (int32_t p = 0; p < body->point_count; ++p) {
        gti_bounds_add(&pieces[body->pieces[p]].bounds, body->points[p]);
        gti_bounds_add(&all->bounds, body->points[p]);
    }
}

static double diagonal(const Piece* piece)
{
    return (double)gti_bounds_diagonal(piece->bounds);
}

// How far a piece reaches beyond another along the axes, at most, and how far it is from it.
static void compare(const Piece* piece, const Piece* other, double* beyond, double* gap)
{
    const double lows[3][2] = { { (double)piece->bounds.low.x, (double)other->bounds.low.x },
                                { (double)piece->bounds.low.y, (double)other->bounds.low.y },
                                { (double)piece->bounds.low.z, (double)other->bounds.low.z } };
    const double highs[3][2] = { { (double)piece->bounds.high.x, (double)other->bounds.high.x },
                                 { (double)piece->bounds.high.y, (double)other->bounds.high.y },
                                 { (double)piece->bounds.high.z, (double)other->bounds.high.z } };
    *beyond = *gap = 0.0;
    for (int i = 0; i < 3; ++i) {
        *beyond = fmax(*beyond, fmax(highs[i][0] - highs[i][1], lows[i][1] - lows[i][0]));
        *gap = fmax(*gap, fmax(lows[i][0] - highs[i][1], lows[i][1] - highs[i][0]));
    }
}

static bool goes_on(const Piece* piece, const Piece* main, const Piece* all)
{
    double beyond;
    double gap;
    compare(piece, main, &beyond, &gap);
    return piece->area >= end_share * main->area && beyond >= end_reach * diagonal(all) &&
           gap <= end_gap * diagonal(all);
}

static void find_kinds(GtiRigBody* body, const Piece* pieces, const Piece* all)
{
    int32_t largest = 0;
    for (int32_t i = 1; i < body->piece_count; ++i) {
        largest = pieces[i].area > pieces[largest].area ? i : largest;
    }
    bool whole = diagonal(&pieces[largest]) >= whole_share * diagonal(all);
    // Islands may float far from a body, so its share of the area counts, too.
    whole = whole || pieces[largest].area >= whole_share * all->area;
    double least = whole ? skin_share * pieces[largest].area : crumb_share * all->area;
    double crumbs = 0.0;
    for (int32_t i = 0; i < body->piece_count; ++i) {
        crumbs += pieces[i].area < least ? pieces[i].area : 0.0;
    }
    least = !whole && crumbs > soup_share * all->area ? 0.0 : least;
    for (int32_t i = 0; i < body->piece_count; ++i) {
        bool is_skin = i == largest || pieces[i].area >= least || (whole && goes_on(&pieces[i], &pieces[largest], all));
        body->kinds[i] = is_skin ? GTI_PIECE_SKIN : GTI_PIECE_ISLAND;
        body->island_count += body->kinds[i] == GTI_PIECE_ISLAND;
    }
}

static void sort_triangles(GtiRigBody* body, int32_t (*spare)[3])
{
    memcpy(spare, body->triangles, (size_t)body->triangle_count * sizeof *spare);
    int32_t at = 0;
    for (int kind = GTI_PIECE_SKIN; kind <= GTI_PIECE_ISLAND; ++kind) {
        for (int32_t t = 0; t < body->triangle_count; ++t) {
            if ((int)body->kinds[body->pieces[spare[t][0]]] == kind) {
                memcpy(body->triangles[at++], spare[t], sizeof *spare);
            }
        }
        body->skin_triangle_count = kind == GTI_PIECE_SKIN ? at : body->skin_triangle_count;
    }
}

GtResult gti_body_find_pieces(const GtContext* context, GtArena* arena, GtiRigBody* body, GtError* error)
{
    body->pieces = gt_arena_push(arena, (size_t)body->point_count * sizeof *body->pieces);
    if (!body->pieces) {
        return gti_out_of_memory(error);
    }
    number_pieces(body);
    body->kinds = gt_arena_push_array(arena, (size_t)body->piece_count, sizeof *body->kinds);
    GtArena scratch = gt_arena_create(context->allocator);
    Piece* pieces = gt_arena_push(&scratch, (size_t)body->piece_count * sizeof *pieces);
    int32_t(*spare)[3] = gt_arena_push(&scratch, (size_t)body->triangle_count * sizeof *spare);
    bool ok = body->kinds && pieces && spare;
    if (ok) {
        Piece all;
        measure_pieces(body, pieces, &all);
        find_kinds(body, pieces, &all);
        sort_triangles(body, spare);
    }
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}
