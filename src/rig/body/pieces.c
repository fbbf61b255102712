// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Pieces are what hangs together by points. Where one of them reaches from end to end of the figure, that is the body,
// and others are skin only if they are of comparable size, such as shells of a scan and clothes, or stick out of the
// skin that they touch: a head over a collar, an arm, the shoe of a leg that is a piece itself. So the skin grows until
// what is left lies inside it or on it, as eyes and buttons do, or floats. Where no piece is the body, the figure is
// put together from pieces, as robots are, and all but crumbs are skin.

#include "rig/body/parts.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "base/union_find.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double whole_share = 0.7;    // of the size of all, in the two longer directions, that a body reaches over
static const double skin_share = 0.15;    // of the area of the body, from which others are skin, too
static const double end_share = 0.01;     // share of the area, of those that go on where it ends
static const double limb_share = 0.02;    // share of the area, of those that stick out of the skin: hands and feet
static const double end_gap = 0.03;       // of the size of all, between them and the body
static const double end_reach = 0.01;     // of the size of all, that they reach beyond its bounds
static const double stick_out = 0.04;     // of the size of all, that they reach out of its surface
static const double stick_cell = 0.015;   // of the size of all, cell of the solid that shows it
static const double crumb_share = 0.0003; // of all area, below which pieces of a robot are islands

static const double soup_share = 0.05; // of all area, from which on crumbs are what the figure is made of

enum {
    GROWTH_LIMIT = 6,          // times that the skin grows: trunk, upper arm, forearm, hand, fingers
    STICK_CELL_LIMIT = 200000, // of the solid
};

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

// Pieces of some size that may turn out to be skin: by the area of the body.
static bool is_candidate(const GtiRigBody* body, const Piece* pieces, int32_t piece, double body_area)
{
    return body->kinds[piece] == GTI_PIECE_ISLAND && pieces[piece].area >= limb_share * body_area;
}

// The skin so far, as a solid.
static GtResult make_skin_solid(const GtContext* context, const GtiRigBody* body, const Piece* all, GtArena* arena,
                                GtiSolid* out, GtError* error)
{
    int32_t(*triangles)[3] = gt_arena_push(arena, (size_t)body->triangle_count * sizeof *triangles);
    if (!triangles) {
        return gti_out_of_memory(error);
    }
    GtiTrimesh skin = { body->points, body->point_count, triangles, 0 };
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        if (body->kinds[body->pieces[body->triangles[t][0]]] == GTI_PIECE_SKIN) {
            memcpy(triangles[skin.triangle_count++], body->triangles[t], sizeof *triangles);
        }
    }
    float cell = (float)(stick_cell * diagonal(all));
    return gti_solid_make(context, &skin, cell, STICK_CELL_LIMIT, arena, out, error);
}

// Candidates that stick out of the solid that they touch become skin.
static bool take_what_sticks_out(GtiRigBody* body, const Piece* pieces, const Piece* all, double body_area,
                                 const GtiSolid* solid, float* nearest, float* farthest)
{
    for (int32_t i = 0; i < body->piece_count; ++i) {
        nearest[i] = FLT_MAX;
        farthest[i] = -FLT_MAX;
    }
    for (int32_t p = 0; p < body->point_count; ++p) {
        int32_t piece = body->pieces[p];
        if (is_candidate(body, pieces, piece, body_area)) {
            float distance = gti_solid_distance(solid, body->points[p]);
            nearest[piece] = fminf(nearest[piece], distance);
            farthest[piece] = fmaxf(farthest[piece], distance);
        }
    }
    bool took = false;
    for (int32_t i = 0; i < body->piece_count; ++i) {
        if (is_candidate(body, pieces, i, body_area) && (double)nearest[i] <= end_gap * diagonal(all) &&
            (double)farthest[i] >= stick_out * diagonal(all)) {
            body->kinds[i] = GTI_PIECE_SKIN;
            took = true;
        }
    }
    return took;
}

static GtResult grow_skin(const GtContext* context, GtiRigBody* body, const Piece* pieces, const Piece* all,
                          double body_area, GtError* error)
{
    GtResult result = GT_OK;
    bool took = true;
    for (int round = 0; round < GROWTH_LIMIT && took && result == GT_OK; ++round) {
        took = false;
        for (int32_t i = 0; i < body->piece_count && !took; ++i) {
            took = is_candidate(body, pieces, i, body_area);
        }
        if (!took) {
            break;
        }
        GtArena scratch = gt_arena_create(context->allocator);
        float* distances = gt_arena_push(&scratch, 2 * (size_t)body->piece_count * sizeof *distances);
        GtiSolid solid;
        result = distances ? make_skin_solid(context, body, all, &scratch, &solid, error) : gti_out_of_memory(error);
        took = result == GT_OK &&
               take_what_sticks_out(body, pieces, all, body_area, &solid, distances, distances + body->piece_count);
        gt_arena_destroy(&scratch);
    }
    return result;
}

static GtResult find_kinds(const GtContext* context, GtiRigBody* body, const Piece* pieces, const Piece* all,
                           GtError* error)
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
    }
    GtResult result = whole ? grow_skin(context, body, pieces, all, pieces[largest].area, error) : GT_OK;
    for (int32_t i = 0; i < body->piece_count; ++i) {
        body->island_count += body->kinds[i] == GTI_PIECE_ISLAND;
    }
    return result;
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
    GtResult result = GT_OK;
    if (body->kinds && pieces && spare) {
        Piece all;
        measure_pieces(body, pieces, &all);
        result = find_kinds(context, body, pieces, &all, error);
        sort_triangles(body, spare);
    } else {
        result = gti_out_of_memory(error);
    }
    gt_arena_destroy(&scratch);
    return result;
}
