// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Distances from a surface to cells. Triangles are entered in the cells they pass through; a cell then offers its
// triangle to its neighbours, who keep it where it is nearer than theirs, all through the inside and two cells out.
// Further out, every second cell along each axis learns the nearest point from its neighbours in sweeps (Danielsson
// 1980), and the others are means of those around them.
//
// Points in cells whose 26 neighbours are all inside do not count: what passes there is a wall within the solid. Where
// inside and outside meet far from any triangle, in the film over a hole, the middles of the faces between stand for
// it.

#include "geometry/nearest.h"
#include "geometry/solid_parts.h"

#include "base/direction.h"

#include <math.h>
#include <string.h>

static const float band = 2.0f;          // cells outside that are measured exactly
static const float film_distance = 1.2f; // cells to a triangle from which a face is of a film

enum {
    FILM = INT32_MAX // in place of a triangle
};

typedef struct Measure {
    const GtiTrimesh* mesh;
    const uint8_t* inside;
    GtiSolid* solid;
    size_t strides[3];
    size_t cell_count;
    float scale;       // cells to a unit
    uint8_t* deep;     // [cell_count]
    uint8_t* torn;     // [triangle_count] whether some of its points are deep
    int32_t* features; // [cell_count] nearest triangle, FILM or GT_NONE
    GtVec3* points;    // [cell_count] nearest points where there is a feature
    float* squares;    // [cell_count] of distances; the solid's array
} Measure;

typedef struct Front {
    int32_t* cells;
    int32_t count;
} Front;

static void place_cell(const Measure* m, int32_t cell, int32_t at[3])
{
    int32_t row = (int32_t)m->strides[1];
    int32_t slice = (int32_t)m->strides[2];
    at[2] = cell / slice;
    at[1] = (cell - at[2] * slice) / row;
    at[0] = cell - at[2] * slice - at[1] * row;
}

static GtVec3 centre_of(const Measure* m, size_t cell)
{
    int32_t at[3];
    place_cell(m, (int32_t)cell, at);
    return gti_solid_centre(m->solid, at[0], at[1], at[2]);
}

static GtVec3 nearest_of(const Measure* m, int32_t triangle, GtVec3 p)
{
    const int32_t* t = m->mesh->triangles[triangle];
    const GtVec3* positions = m->mesh->positions;
    return gti_nearest_on_triangle(p, positions[t[0]], positions[t[1]], positions[t[2]]);
}

static bool is_deep(const Measure* m, GtVec3 p)
{
    GtVec3 at = gt_vec3_scale(gt_vec3_sub(p, m->solid->origin), m->scale);
    return m->deep[gti_solid_index(m->solid, (int32_t)(at.x + 0.5f), (int32_t)(at.y + 0.5f), (int32_t)(at.z + 0.5f))];
}

// Cells that are 1 with all 26 neighbours; the border of the grid is outside.
static void find_deep(const Measure* m, uint8_t* spare)
{
    const uint8_t* from = m->inside;
    uint8_t* into = m->deep;
    for (int axis = 0; axis < 3; ++axis) {
        size_t stride = m->strides[axis];
        memset(into, 0, stride);
        memset(into + m->cell_count - stride, 0, stride);
        for (size_t i = stride; i < m->cell_count - stride; ++i) {
            into[i] = from[i - stride] & from[i] & from[i + stride];
        }
        from = into;
        into = axis == 0 ? spare : m->deep;
    }
}

static void enter(Measure* m, int32_t triangle, size_t cell, GtVec3 p)
{
    GtVec3 nearest = nearest_of(m, triangle, p);
    float square = gti_square_between(nearest, p);
    if (square < m->squares[cell] && !(m->torn[triangle] && is_deep(m, nearest))) {
        m->squares[cell] = square;
        m->features[cell] = triangle;
        m->points[cell] = nearest;
    }
}

// Whether any of its corners and the middles between them is deep.
static bool is_torn(const Measure* m, int32_t triangle)
{
    const int32_t* t = m->mesh->triangles[triangle];
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < 3; ++i) {
        GtVec3 a = m->mesh->positions[t[i]];
        GtVec3 b = m->mesh->positions[t[i < 2 ? i + 1 : 0]];
        sum = gt_vec3_add(sum, gt_vec3_scale(a, 1.0f / 3.0f));
        if (is_deep(m, a) || is_deep(m, gt_vec3_lerp(a, b, 0.5f))) {
            return true;
        }
    }
    return is_deep(m, sum);
}

// A triangle in cells: its corners and its normal.
typedef struct Placed {
    float corners[3][3];
    float normal[3];
    int axis; // that the normal is most along
} Placed;

static bool place_triangle(const Measure* m, int32_t triangle, Placed* out)
{
    for (int i = 0; i < 3; ++i) {
        GtVec3 corner = m->mesh->positions[m->mesh->triangles[triangle][i]];
        GtVec3 p = gt_vec3_scale(gt_vec3_sub(corner, m->solid->origin), m->scale);
        out->corners[i][0] = p.x;
        out->corners[i][1] = p.y;
        out->corners[i][2] = p.z;
    }
    for (int k = 0; k < 3; ++k) {
        int u = (k + 1) % 3;
        int v = (k + 2) % 3;
        out->normal[k] = (out->corners[1][u] - out->corners[0][u]) * (out->corners[2][v] - out->corners[0][v]) -
                         (out->corners[1][v] - out->corners[0][v]) * (out->corners[2][u] - out->corners[0][u]);
    }
    float x = fabsf(out->normal[0]);
    float y = fabsf(out->normal[1]);
    float z = fabsf(out->normal[2]);
    out->axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    return fabsf(out->normal[out->axis]) > 0.0f;
}

// Cells whose centres are within half a cell of the triangle, along an axis. Nothing is left of cell 0.
static void span(const Placed* t, int axis, int32_t* first, int32_t* last)
{
    float a = t->corners[0][axis];
    float b = t->corners[1][axis];
    float c = t->corners[2][axis];
    float low = a < b ? a : b;
    float high = a < b ? b : a;
    *first = (int32_t)((low < c ? low : c) + 0.5f);
    *last = (int32_t)((high > c ? high : c) + 0.5f);
}

// A triangle without area is known by its corners.
static void enter_line(Measure* m, int32_t triangle, const Placed* t)
{
    for (int i = 0; i < 3; ++i) {
        const float* p = t->corners[i];
        int32_t at[3] = { (int32_t)lroundf(p[0]), (int32_t)lroundf(p[1]), (int32_t)lroundf(p[2]) };
        enter(m, triangle, gti_solid_index(m->solid, at[0], at[1], at[2]),
              gti_solid_centre(m->solid, at[0], at[1], at[2]));
    }
}

// Enter a triangle in the cells around it: those in its box, made half a cell larger, and near its plane.
static void enter_triangle(Measure* m, int32_t triangle)
{
    Placed t;
    m->torn[triangle] = is_torn(m, triangle);
    if (!place_triangle(m, triangle, &t)) {
        enter_line(m, triangle, &t);
        return;
    }
    int u = (t.axis + 1) % 3;
    int v = (t.axis + 2) % 3;
    int32_t first[3];
    int32_t last[3];
    for (int k = 0; k < 3; ++k) {
        span(&t, k, &first[k], &last[k]);
    }
    float slope_u = -t.normal[u] / t.normal[t.axis];
    float slope_v = -t.normal[v] / t.normal[t.axis];
    float thick = 0.5f * (1.0f + fabsf(slope_u) + fabsf(slope_v));
    float steep = m->solid->cell / sqrtf(1.0f + slope_u * slope_u + slope_v * slope_v);
    int32_t at[3];
    for (at[v] = first[v]; at[v] <= last[v]; ++at[v]) {
        for (at[u] = first[u]; at[u] <= last[u]; ++at[u]) {
            float middle = t.corners[0][t.axis] + slope_u * ((float)at[u] - t.corners[0][u]) +
                           slope_v * ((float)at[v] - t.corners[0][v]);
            for (at[t.axis] = first[t.axis]; at[t.axis] <= last[t.axis]; ++at[t.axis]) {
                float above = (float)at[t.axis] - middle;
                size_t cell = gti_solid_index(m->solid, at[0], at[1], at[2]);
                float to_plane = above * steep;
                if (fabsf(above) <= thick && to_plane * to_plane < m->squares[cell]) {
                    enter(m, triangle, cell, gti_solid_centre(m->solid, at[0], at[1], at[2]));
                }
            }
        }
    }
}

static bool is_film(const Measure* m, size_t cell, size_t other)
{
    float far = film_distance * m->solid->cell;
    return m->inside[cell] != m->inside[other] && m->squares[cell] > far * far && m->squares[other] > far * far;
}

// Put the middles of faces into films. The faces are found before any is entered, which would hide others.
static void find_films(Measure* m, uint8_t* films)
{
    memset(films, 0, m->cell_count);
    for (int axis = 0; axis < 3; ++axis) {
        size_t stride = m->strides[axis];
        for (size_t i = 0; i + stride < m->cell_count; ++i) {
            if (m->inside[i] != m->inside[i + stride] && is_film(m, i, i + stride)) {
                films[i] = (uint8_t)(films[i] | 1 << axis);
            }
        }
    }
    for (size_t i = 0; i < m->cell_count; ++i) {
        for (int axis = 0; films[i] >> axis; ++axis) {
            if (films[i] >> axis & 1) {
                size_t other = i + m->strides[axis];
                GtVec3 face = gt_vec3_lerp(centre_of(m, i), centre_of(m, other), 0.5f);
                m->features[i] = m->features[other] = FILM;
                m->points[i] = m->points[other] = face;
                m->squares[i] = m->squares[other] = 0.25f * m->solid->cell * m->solid->cell;
            }
        }
    }
}

// The nearest point that `from` can offer to `p`: of its own triangle, or the one it has itself.
static GtVec3 offer(const Measure* m, size_t from, GtVec3 p)
{
    if (m->features[from] == FILM) {
        return m->points[from];
    }
    GtVec3 nearest = nearest_of(m, m->features[from], p);
    return m->torn[m->features[from]] && is_deep(m, nearest) ? m->points[from] : nearest;
}

// Offer the triangles of a front to the six neighbours of its cells. The new front is of those that took one; `marks`
// has which are in it.
static void advance(Measure* m, const Front* front, Front* next, uint8_t* marks)
{
    float most = band * m->solid->cell;
    const int32_t* counts = m->solid->counts;
    next->count = 0;
    for (int32_t i = 0; i < front->count; ++i) {
        size_t cell = (size_t)front->cells[i];
        marks[cell] = 0;
        int32_t feature = m->features[cell];
        bool whole = feature != FILM && !m->torn[feature];
        float nearer = sqrtf(m->squares[cell]) - m->solid->cell; // than this, no neighbour comes
        float least = nearer > 0.0f ? nearer * nearer : 0.0f;
        int32_t at[3];
        place_cell(m, front->cells[i], at);
        for (int side = 0; side < 6; ++side) {
            int axis = side / 2;
            int32_t step = side % 2 ? 1 : -1;
            if (at[axis] + step < 0 || at[axis] + step >= counts[axis]) {
                continue;
            }
            size_t other = side % 2 ? cell + m->strides[axis] : cell - m->strides[axis];
            if ((m->features[other] == feature && whole) || m->squares[other] <= least) {
                continue;
            }
            GtVec3 p = gti_solid_centre(m->solid, at[0] + (axis == 0 ? step : 0), at[1] + (axis == 1 ? step : 0),
                                        at[2] + (axis == 2 ? step : 0));
            GtVec3 nearest = offer(m, cell, p);
            float square = gti_square_between(nearest, p);
            if (square < m->squares[other] && (m->inside[other] || square <= most * most)) {
                m->squares[other] = square;
                m->features[other] = feature;
                m->points[other] = nearest;
                if (!marks[other]) {
                    marks[other] = 1;
                    next->cells[next->count++] = (int32_t)other;
                }
            }
        }
    }
}

static bool spread(Measure* m, GtArena* scratch)
{
    Front fronts[2];
    size_t size = m->cell_count * sizeof *fronts[0].cells;
    uint8_t* marks = gt_arena_push_array(scratch, m->cell_count, 1);
    fronts[0] = (Front){ gt_arena_push(scratch, size), 0 };
    fronts[1] = (Front){ gt_arena_push(scratch, size), 0 };
    if (!marks || !fronts[0].cells || !fronts[1].cells) {
        return false;
    }
    for (size_t i = 0; i < m->cell_count; ++i) {
        if (m->features[i] != GT_NONE) {
            fronts[0].cells[fronts[0].count++] = (int32_t)i;
        }
    }
    for (int turn = 0; fronts[turn].count > 0; turn = 1 - turn) {
        advance(m, &fronts[turn], &fronts[1 - turn], marks);
    }
    return true;
}

// Every second cell, and the nearest point each knows of.
typedef struct Coarse {
    int32_t counts[3];
    size_t strides[3];
    int32_t* features;
    GtVec3* points;
    float* squares;
} Coarse;

static bool thin_out(const Measure* m, GtArena* scratch, Coarse* out)
{
    size_t count = 1;
    for (int k = 0; k < 3; ++k) {
        out->counts[k] = m->solid->counts[k] / 2 + 1; // the last may lie beyond the grid
        out->strides[k] = count;
        count *= (size_t)out->counts[k];
    }
    out->features = gt_arena_push(scratch, count * sizeof *out->features);
    out->points = gt_arena_push(scratch, count * sizeof *out->points);
    out->squares = gt_arena_push(scratch, count * sizeof *out->squares);
    if (!out->features || !out->points || !out->squares) {
        return false;
    }
    size_t i = 0;
    for (int32_t z = 0; z < out->counts[2]; ++z) {
        for (int32_t y = 0; y < out->counts[1]; ++y) {
            for (int32_t x = 0; x < out->counts[0]; ++x, ++i) {
                out->squares[i] = INFINITY;
                out->points[i] = gt_vec3(INFINITY, INFINITY, INFINITY);
                if (2 * x >= m->solid->counts[0] || 2 * y >= m->solid->counts[1] || 2 * z >= m->solid->counts[2]) {
                    continue;
                }
                size_t cell = gti_solid_index(m->solid, 2 * x, 2 * y, 2 * z);
                out->squares[i] = m->squares[cell];
                if (m->features[cell] != GT_NONE) {
                    out->features[i] = m->features[cell];
                    out->points[i] = m->points[cell];
                }
            }
        }
    }
    return true;
}

// Cells that know nothing yet hold a point that is nowhere near.
static void learn(Coarse* c, size_t cell, size_t from, GtVec3 p)
{
    float square = gti_square_between(c->points[from], p);
    if (square < c->squares[cell]) {
        c->squares[cell] = square;
        c->points[cell] = c->points[from];
        c->features[cell] = c->features[from];
    }
}

// Along a row, there and back.
static void sweep_row(Coarse* c, const GtiSolid* solid, int32_t y, int32_t z, float most)
{
    size_t row = (size_t)z * c->strides[2] + (size_t)y * c->strides[1];
    GtVec3 p = gti_solid_centre(solid, 0, 2 * y, 2 * z);
    for (int32_t i = 1; i < 2 * c->counts[0] - 1; ++i) {
        bool back = i >= c->counts[0];
        int32_t x = back ? 2 * c->counts[0] - 2 - i : i;
        size_t cell = row + (size_t)x;
        if (c->squares[cell] > most) {
            p.x = solid->origin.x + solid->cell * (float)(2 * x);
            learn(c, cell, back ? cell + 1 : cell - 1, p);
        }
    }
}

// A row learns from the one `from` cells before it.
static void sweep_over(Coarse* c, const GtiSolid* solid, int32_t y, int32_t z, ptrdiff_t from, float most)
{
    size_t row = (size_t)z * c->strides[2] + (size_t)y * c->strides[1];
    GtVec3 p = gti_solid_centre(solid, 0, 2 * y, 2 * z);
    for (int32_t x = 0; x < c->counts[0]; ++x) {
        size_t cell = row + (size_t)x;
        if (c->squares[cell] > most) {
            p.x = solid->origin.x + solid->cell * (float)(2 * x);
            learn(c, cell, (size_t)((ptrdiff_t)cell - from), p);
        }
    }
}

// Slice by slice, up or down; in each, rows there and back.
static void sweep(Coarse* c, const GtiSolid* solid, int32_t way)
{
    float most = band * solid->cell * band * solid->cell; // nearer ones are exact
    for (int32_t k = 0; k < c->counts[2]; ++k) {
        int32_t z = way > 0 ? k : c->counts[2] - 1 - k;
        for (int32_t y = 0; y < c->counts[1]; ++y) {
            if (k > 0) {
                sweep_over(c, solid, y, z, way * (ptrdiff_t)c->strides[2], most);
            }
            if (y > 0) {
                sweep_over(c, solid, y, z, (ptrdiff_t)c->strides[1], most);
            }
            sweep_row(c, solid, y, z, most);
        }
        for (int32_t y = c->counts[1] - 2; y >= 0; --y) {
            sweep_over(c, solid, y, z, -(ptrdiff_t)c->strides[1], most);
            sweep_row(c, solid, y, z, most);
        }
    }
}

// Points were handed on as they were; of the same triangles, there may be nearer ones.
static void refine(const Measure* m, Coarse* c)
{
    float most = band * m->solid->cell;
    size_t i = 0;
    for (int32_t z = 0; z < c->counts[2]; ++z) {
        for (int32_t y = 0; y < c->counts[1]; ++y) {
            for (int32_t x = 0; x < c->counts[0]; ++x, ++i) {
                if (c->squares[i] > most * most && c->features[i] != FILM) {
                    GtVec3 p = gti_solid_centre(m->solid, 2 * x, 2 * y, 2 * z);
                    c->squares[i] = gti_square_between(nearest_of(m, c->features[i], p), p);
                }
            }
        }
    }
}

// Distances of cells that nothing reached are means of those of up to eight coarse cells around them.
static void fill_in(Measure* m, Coarse* c)
{
    size_t count = c->strides[2] * (size_t)c->counts[2];
    for (size_t i = 0; i < count; ++i) {
        c->squares[i] = sqrtf(c->squares[i]);
    }
    const float* coarse = c->squares;
    size_t i = 0;
    for (int32_t z = 0; z < m->solid->counts[2]; ++z) {
        size_t z0 = (size_t)(z / 2) * c->strides[2];
        size_t z1 = z % 2 ? z0 + c->strides[2] : z0;
        for (int32_t y = 0; y < m->solid->counts[1]; ++y) {
            size_t y0 = (size_t)(y / 2) * c->strides[1];
            size_t y1 = y % 2 ? y0 + c->strides[1] : y0;
            for (int32_t x = 0; x < m->solid->counts[0]; ++x, ++i) {
                if (m->features[i] != GT_NONE) {
                    m->squares[i] = m->inside[i] ? -sqrtf(m->squares[i]) : sqrtf(m->squares[i]);
                    continue;
                }
                size_t x0 = (size_t)(x / 2);
                size_t x1 = x0 + (size_t)(x % 2);
                m->squares[i] = 0.125f * (coarse[x0 + y0 + z0] + coarse[x1 + y0 + z0] + coarse[x0 + y1 + z0] +
                                          coarse[x1 + y1 + z0] + coarse[x0 + y0 + z1] + coarse[x1 + y0 + z1] +
                                          coarse[x0 + y1 + z1] + coarse[x1 + y1 + z1]);
            }
        }
    }
}

static bool measure_far(Measure* m, GtArena* scratch)
{
    Coarse coarse;
    if (!thin_out(m, scratch, &coarse)) {
        return false;
    }
    sweep(&coarse, m->solid, 1);
    sweep(&coarse, m->solid, -1);
    refine(m, &coarse);
    fill_in(m, &coarse);
    return true;
}

bool gti_solid_measure(const GtiTrimesh* mesh, const uint8_t* inside, bool open, GtAllocator allocator, GtiSolid* solid)
{
    GtArena scratch = gt_arena_create(allocator);
    size_t row = (size_t)solid->counts[0];
    size_t slice = row * (size_t)solid->counts[1];
    Measure m = { .mesh = mesh,
                  .inside = inside,
                  .solid = solid,
                  .strides = { 1, row, slice },
                  .cell_count = slice * (size_t)solid->counts[2],
                  .scale = 1.0f / solid->cell,
                  .squares = solid->distances };
    m.deep = gt_arena_push(&scratch, m.cell_count);
    m.features = gt_arena_push(&scratch, m.cell_count * sizeof *m.features);
    m.points = gt_arena_push(&scratch, m.cell_count * sizeof *m.points);
    m.torn = gt_arena_push_array(&scratch, (size_t)mesh->triangle_count, 1);
    uint8_t* spare = gt_arena_push(&scratch, m.cell_count);
    bool ok = m.deep && m.torn && m.features && m.points && spare;
    if (ok) {
        find_deep(&m, spare);
        memset(m.features, 0xFF, m.cell_count * sizeof *m.features);
        for (size_t i = 0; i < m.cell_count; ++i) {
            m.squares[i] = INFINITY;
        }
        for (int32_t t = 0; t < mesh->triangle_count; ++t) {
            enter_triangle(&m, t);
        }
        if (open) {
            find_films(&m, spare);
        }
        ok = spread(&m, &scratch) && measure_far(&m, &scratch);
    }
    gt_arena_destroy(&scratch);
    return ok;
}
