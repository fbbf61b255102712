// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Gift wrapping: a first simplex whose circumsphere is empty, then across every open face the point whose sphere is.
// Coordinates are integers, determinants exact. A point p is inside the circumsphere of a simplex s when it lies,
// lifted to its square, below the plane through the lifted corners: with l the barycentric coordinates of p,
//
//     sum of l(i) |s(i) - p|^2 > 0
//
// and where that is 0, as on every square of a grid, sum of l(i) e(s(i)) - e(p) > 0 for lifts e that are infinitely
// small, each infinitely smaller than the one of the point before (after O. Devillers, M. Teillaud, "Perturbations for
// Delaunay and weighted Delaunay 3D triangulations", 2011).

#include "runtime/blend/delaunay.h"

#include "base/fail.h"
#include "base/memory.h"
#include "base/quat_double.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 Wide;

typedef struct Points {
    int32_t dimension;
    int32_t axes[3];
    int32_t count;
    const int32_t (*at)[3];
} Points;

// A face with a simplex on one side so far.
typedef struct Face {
    int32_t corners[3]; // [dimension] increasing
    int32_t simplex;
    int32_t opposite; // which of its corners is not of the face
} Face;

typedef struct Wrapping {
    Points points;
    GtArena* arena;
    GtiSimplex* simplices;
    int32_t simplex_count, simplex_capacity;
    Face* open;
    int32_t open_count, open_capacity;
} Wrapping;

static int sign(Wide a)
{
    return (a > 0) - (a < 0);
}

static Wide difference(const Points* p, int32_t a, int32_t b, int k)
{
    return (Wide)p->at[a][p->axes[k]] - p->at[b][p->axes[k]];
}

// Twice the area, six times the volume, with their signs.
static Wide orient(const Points* p, const int32_t corners[4])
{
    Wide m[3][3];
    for (int i = 0; i < p->dimension; ++i) {
        for (int k = 0; k < p->dimension; ++k) {
            m[i][k] = difference(p, corners[i + 1], corners[0], k);
        }
    }
    switch (p->dimension) {
    case 1:
        return m[0][0];
    case 2:
        return m[0][0] * m[1][1] - m[0][1] * m[1][0];
    default:
        return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
               m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    }
}

static Wide square_distance(const Points* p, int32_t a, int32_t b)
{
    Wide sum = 0;
    for (int k = 0; k < p->dimension; ++k) {
        Wide d = difference(p, a, b, k);
        sum += d * d;
    }
    return sum;
}

// The first point, in order, whose lift counts.
static bool inside_lifted(const Points* p, const int32_t corners[4], const int signs[4], int32_t point)
{
    int32_t first = point;
    bool inside = false;
    for (int i = 0; i <= p->dimension; ++i) {
        if (signs[i] != 0 && corners[i] < first) {
            first = corners[i];
            inside = signs[i] > 0;
        }
    }
    return inside;
}

static bool is_inside(const Points* p, const int32_t corners[4], int32_t point)
{
    int side = sign(orient(p, corners));
    int signs[4];
    Wide sum = 0;
    for (int i = 0; i <= p->dimension; ++i) {
        int32_t replaced[4] = { corners[0], corners[1], corners[2], corners[3] };
        replaced[i] = point;
        Wide l = side * orient(p, replaced);
        signs[i] = sign(l);
        sum += l * square_distance(p, corners[i], point);
    }
    return sum != 0 ? sum > 0 : inside_lifted(p, corners, signs, point);
}

static bool has_corner(const Points* p, const int32_t corners[4], int32_t point)
{
    for (int i = 0; i <= p->dimension; ++i) {
        if (corners[i] == point) {
            return true;
        }
    }
    return false;
}

static bool is_empty(const Points* p, const int32_t corners[4])
{
    if (orient(p, corners) == 0) {
        return false;
    }
    for (int32_t i = 0; i < p->count; ++i) {
        if (!has_corner(p, corners, i) && is_inside(p, corners, i)) {
            return false;
        }
    }
    return true;
}

static Face make_face(const Wrapping* w, int32_t simplex, int32_t opposite)
{
    Face face = { .simplex = simplex, .opposite = opposite };
    int count = 0;
    for (int i = 0; i <= w->points.dimension; ++i) {
        if (i != opposite) {
            int32_t corner = w->simplices[simplex].corners[i];
            int at = count++;
            for (; at > 0 && face.corners[at - 1] > corner; --at) {
                face.corners[at] = face.corners[at - 1];
            }
            face.corners[at] = corner;
        }
    }
    return face;
}

static bool same_face(const Wrapping* w, const Face* a, const Face* b)
{
    for (int i = 0; i < w->points.dimension; ++i) {
        if (a->corners[i] != b->corners[i]) {
            return false;
        }
    }
    return true;
}

// Add a simplex; its faces close those that wait for one, or wait themselves.
static bool add_simplex(Wrapping* w, const int32_t corners[4])
{
    int32_t index = w->simplex_count;
    if (w->simplex_count == w->simplex_capacity) {
        GtiSimplex* grown = gti_arena_grow(w->arena, w->simplices, &w->simplex_capacity, 64, sizeof *grown);
        if (!grown) {
            return false;
        }
        w->simplices = grown;
    }
    GtiSimplex* simplex = &w->simplices[w->simplex_count++];
    for (int i = 0; i < 4; ++i) {
        simplex->corners[i] = corners[i];
        simplex->neighbours[i] = GT_NONE;
    }
    if (w->open_count + 4 > w->open_capacity) { // as many as it has faces
        Face* grown = gti_arena_grow(w->arena, w->open, &w->open_capacity, 64, sizeof *grown);
        if (!grown) {
            return false;
        }
        w->open = grown;
    }
    for (int i = 0; i <= w->points.dimension; ++i) {
        Face face = make_face(w, index, i);
        int32_t at = 0;
        while (at < w->open_count && !same_face(w, &w->open[at], &face)) {
            ++at;
        }
        if (at < w->open_count) {
            Face other = w->open[at];
            simplex->neighbours[i] = other.simplex;
            w->simplices[other.simplex].neighbours[other.opposite] = index;
            w->open[at] = w->open[--w->open_count];
        } else {
            w->open[w->open_count++] = face;
        }
    }
    return true;
}

// The point beyond a face whose sphere with it is empty, or GT_NONE at the border.
static int32_t find_beyond(const Wrapping* w, const Face* face)
{
    const Points* p = &w->points;
    int32_t corners[4] = { face->corners[0], face->corners[1], face->corners[2], 0 };
    corners[p->dimension] = w->simplices[face->simplex].corners[face->opposite];
    int inner = sign(orient(p, corners));
    int32_t best = GT_NONE;
    for (int32_t i = 0; i < p->count; ++i) {
        corners[p->dimension] = i;
        if (sign(orient(p, corners)) == -inner) {
            corners[p->dimension] = best;
            best = best == GT_NONE || is_inside(p, corners, i) ? i : best;
        }
    }
    return best;
}

// Choices of `count` of the numbers below `limit`, those of small numbers first.
static bool next_choice(int32_t* choice, int32_t count, int32_t limit)
{
    for (int32_t i = 0; i < count; ++i) {
        int32_t next = i + 1 < count ? choice[i + 1] : limit;
        if (choice[i] + 1 < next) {
            ++choice[i];
            for (int32_t k = 0; k < i; ++k) {
                choice[k] = k;
            }
            return true;
        }
    }
    return false;
}

// A simplex of the first point, whose nearest neighbours are tried first.
static bool find_first(const Points* p, int32_t* near, int32_t corners[4])
{
    int32_t count = 0;
    for (int32_t i = 1; i < p->count; ++i) {
        int32_t at = count++;
        for (; at > 0 && square_distance(p, 0, near[at - 1]) > square_distance(p, 0, i); --at) {
            near[at] = near[at - 1];
        }
        near[at] = i;
    }
    int32_t choice[3] = { 0, 1, 2 };
    do {
        corners[0] = 0;
        for (int32_t k = 0; k < p->dimension; ++k) {
            corners[k + 1] = near[choice[k]];
        }
        if (is_empty(p, corners)) {
            return true;
        }
    } while (next_choice(choice, p->dimension, count));
    return false;
}

static GtiVec from_first(const int32_t (*at)[3], int32_t point)
{
    return gti_vec((double)at[point][0] - (double)at[0][0], (double)at[point][1] - (double)at[0][1],
                   (double)at[point][2] - (double)at[0][2]);
}

static int32_t longest_axis(GtiVec a)
{
    bool z_over_y = fabs(a.z) > fabs(a.y);
    return (z_over_y ? fabs(a.z) : fabs(a.y)) > fabs(a.x) ? 1 + z_over_y : 0;
}

// A line, a plane or space: the point farthest from the first, then from the line to it, then from the plane of the
// three. What is left of a plane or a line is seen along the longest part of its normal, or in the longest of its own.
static void find_span(Points* p)
{
    GtiVec line = gti_vec(0.0, 0.0, 0.0);
    GtiVec normal = gti_vec(0.0, 0.0, 0.0);
    double off = 0.0;
    for (int32_t i = 1; i < p->count; ++i) {
        GtiVec d = from_first(p->at, i);
        line = gti_vec_length(d) > gti_vec_length(line) ? d : line;
    }
    for (int32_t i = 1; i < p->count; ++i) {
        GtiVec n = gti_vec_cross(line, from_first(p->at, i));
        normal = gti_vec_length(n) > gti_vec_length(normal) ? n : normal;
    }
    for (int32_t i = 1; i < p->count; ++i) {
        off = fmax(off, fabs(gti_vec_dot(normal, from_first(p->at, i))));
    }
    int32_t flat = longest_axis(normal);
    if (gti_vec_length(normal) <= GTI_DELAUNAY_FLAT * gti_vec_length(line)) {
        *p = (Points){ 1, { longest_axis(line), 0, 0 }, p->count, p->at };
    } else if (off <= GTI_DELAUNAY_FLAT * gti_vec_length(normal)) {
        *p = (Points){ 2, { (flat + 1) % 3, (flat + 2) % 3, 0 }, p->count, p->at };
    } else {
        *p = (Points){ 3, { 0, 1, 2 }, p->count, p->at };
    }
}

static GtResult wrap(Wrapping* w, GtError* error)
{
    int32_t* near = gt_arena_push_array(w->arena, (size_t)w->points.count, sizeof *near);
    int32_t corners[4] = { 0, 0, 0, 0 };
    if (!near) {
        return gti_out_of_memory(error);
    }
    bool ok = find_first(&w->points, near, corners) && add_simplex(w, corners);
    while (ok && w->open_count) {
        Face face = w->open[w->open_count - 1];
        int32_t beyond = find_beyond(w, &face);
        if (beyond == GT_NONE) {
            --w->open_count;
            continue;
        }
        for (int32_t i = 0; i < w->points.dimension; ++i) {
            corners[i] = face.corners[i];
        }
        corners[w->points.dimension] = beyond;
        ok = add_simplex(w, corners); // which closes the face
    }
    return ok ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_delaunay(GtArena* arena, const int32_t (*points)[3], int32_t count, GtiDelaunay* out, GtError* error)
{
    Wrapping w = { .points = { .count = count, .at = points }, .arena = arena };
    *out = (GtiDelaunay){ .dimension = 0 };
    if (count < 2) {
        return GT_OK;
    }
    find_span(&w.points);
    GtResult result = wrap(&w, error);
    if (result == GT_OK) {
        *out = (GtiDelaunay){ .dimension = w.points.dimension,
                              .simplex_count = w.simplex_count,
                              .simplices = w.simplices };
    }
    return result;
}
