// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Marching cubes with continuation: from one cell the surface crosses, on to the neighbours it crosses into, so that
// the cost goes with the surface and not with the box. In a cell, crossed edges are joined over the faces into loops,
// each of which becomes a polygon; on a face with four crossings every inner corner is cut off by itself, seen alike
// from both sides. A vertex lies on an edge of the grid, and is in one loop of each cell there; a diagonal across such
// a face, which both cells might draw, is avoided by a vertex in the middle of the loop. So the result is a manifold
// whatever the field does.

#include "geometry/isosurface.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/union_find.h"

#include <string.h>

typedef struct March {
    const GtiField* field;
    const GtiGrid* grid;
    GtArena* arena;
    float* values;   // [grid points], NaN where not known yet
    uint8_t* queued; // [grid points] of the cell whose lowest corner it is
    int32_t* stack;  // cells to visit
    int32_t stack_count, stack_capacity;
    uint64_t* keys; // open addressing: edge + 1, or 0
    int32_t* vertices;
    size_t slot_count;
    GtVec3* positions;
    int32_t vertex_count, vertex_capacity;
    int32_t (*triangles)[3];
    int32_t triangle_count, triangle_capacity;
    bool failed;
} March;

static int32_t point_index(const March* m, const int32_t at[3])
{
    return (at[2] * m->grid->counts[1] + at[1]) * m->grid->counts[0] + at[0];
}

static int32_t corner_of(const March* m, int32_t point, int corner)
{
    int32_t nx = m->grid->counts[0];
    int32_t ny = m->grid->counts[1];
    return point + (corner & 1) + (corner >> 1 & 1) * nx + (corner >> 2 & 1) * nx * ny;
}

static GtVec3 position_of(const March* m, int32_t point)
{
    int32_t nx = m->grid->counts[0];
    int32_t ny = m->grid->counts[1];
    return gt_vec3(m->grid->lines[0][point % nx], m->grid->lines[1][point / nx % ny],
                   m->grid->lines[2][point / (nx * ny)]);
}

static float value_of(March* m, int32_t point)
{
    if (isnan(m->values[point])) {
        m->values[point] = gti_field_value(m->field, position_of(m, point));
    }
    return m->values[point];
}

// Make room for one more element of an array that doubles.
static void* grown(March* m, void* array, int32_t count, int32_t* capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    void* larger = gti_arena_grow(m->arena, array, capacity, 4096, size);
    m->failed = m->failed || !larger;
    return larger ? larger : array;
}

static void queue_cell(March* m, const int32_t at[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] < 0 || at[axis] >= m->grid->counts[axis] - 1) {
            return;
        }
    }
    int32_t cell = point_index(m, at);
    if (m->queued[cell]) {
        return;
    }
    m->stack = grown(m, m->stack, m->stack_count, &m->stack_capacity, sizeof *m->stack);
    if (!m->failed) {
        m->queued[cell] = 1;
        m->stack[m->stack_count++] = cell;
    }
}

static size_t slot_of(const March* m, uint64_t key)
{
    size_t slot = (size_t)gti_hash_mix(0, key) & (m->slot_count - 1);
    while (m->keys[slot] && m->keys[slot] != key) {
        slot = (slot + 1) & (m->slot_count - 1);
    }
    return slot;
}

static void rehash(March* m)
{
    uint64_t* old_keys = m->keys;
    int32_t* old_vertices = m->vertices;
    size_t old_count = m->slot_count;
    size_t count = old_count ? 2 * old_count : 32768;
    uint64_t* keys = gt_arena_push_array(m->arena, count, sizeof *keys);
    int32_t* vertices = gt_arena_push_array(m->arena, count, sizeof *vertices);
    if (!keys || !vertices) {
        m->failed = true;
        return;
    }
    m->keys = keys;
    m->vertices = vertices;
    m->slot_count = count;
    for (size_t i = 0; i < old_count; ++i) {
        if (old_keys[i]) {
            size_t slot = slot_of(m, old_keys[i]);
            keys[slot] = old_keys[i];
            vertices[slot] = old_vertices[i];
        }
    }
}

// The vertex on the edge between two corners of a cell, which differ in sign.
static int32_t vertex_on(March* m, int32_t cell, int a, int b)
{
    int32_t low = corner_of(m, cell, a & b);
    uint64_t key = (uint64_t)low * 8 + (uint64_t)(a ^ b);
    if ((size_t)m->vertex_count * 2 >= m->slot_count) {
        rehash(m);
    }
    m->positions = grown(m, m->positions, m->vertex_count, &m->vertex_capacity, sizeof *m->positions);
    if (m->failed) {
        return 0;
    }
    size_t slot = slot_of(m, key);
    if (!m->keys[slot]) {
        int32_t p = corner_of(m, cell, a);
        int32_t q = corner_of(m, cell, b);
        float at = m->values[p] / (m->values[p] - m->values[q]);
        at = at < 0.02f ? 0.02f : at > 0.98f ? 0.98f : at; // also keeps vertices apart
        m->keys[slot] = key;
        m->vertices[slot] = m->vertex_count;
        m->positions[m->vertex_count++] = gt_vec3_lerp(position_of(m, p), position_of(m, q), at);
    }
    return m->vertices[slot];
}

static void add_triangle(March* m, int32_t a, int32_t b, int32_t c)
{
    m->triangles = grown(m, m->triangles, m->triangle_count, &m->triangle_capacity, sizeof *m->triangles);
    if (!m->failed) {
        int32_t* t = m->triangles[m->triangle_count++];
        t[0] = a;
        t[1] = b;
        t[2] = c;
    }
}

// Corners of a cell are numbered by bits x, y, z; edges by their axis and by the two bits across it.
static int edge_between(int a, int b)
{
    int axis = (a ^ b) >> 1; // 1, 2, 4 to 0, 1, 2
    int low = a & b;
    return 4 * axis + (low >> (axis + 1) % 3 & 1) + 2 * (low >> (axis + 2) % 3 & 1);
}

// The crossed edges of a cell in the order in which the surface goes round, counter-clockwise seen from outside.
typedef struct Loops {
    int8_t next[12]; // -1 where the surface does not cross
    int8_t ends[12][2];
    bool ambiguous; // a face is crossed four times
} Loops;

static void trace_face(const bool signs[8], int axis, int side, Loops* loops)
{
    int u = 1 << (axis + 1) % 3;
    int v = 1 << (axis + 2) % 3;
    int base = side << axis;
    const int turn[4] = { base, side ? base + u : base + v, base + u + v, side ? base + v : base + u };
    int crossings = 0;
    for (int i = 0; i < 4; ++i) {
        if (signs[turn[i]] || !signs[turn[(i + 1) % 4]]) {
            continue;
        }
        int leave = i + 1; // in at i, out behind the last of the corners inside
        while (signs[turn[(leave + 1) % 4]]) {
            ++leave;
        }
        int in = edge_between(turn[i], turn[(i + 1) % 4]);
        int out = edge_between(turn[leave % 4], turn[(leave + 1) % 4]);
        loops->next[in] = (int8_t)out;
        loops->ends[in][0] = (int8_t)turn[i];
        loops->ends[in][1] = (int8_t)turn[(i + 1) % 4];
        crossings += 2;
    }
    loops->ambiguous = loops->ambiguous || crossings == 4;
}

static void add_polygon(March* m, const int32_t* vertices, int count, bool around_middle)
{
    if (!around_middle || count == 3) {
        for (int i = 2; i < count; ++i) {
            add_triangle(m, vertices[0], vertices[i - 1], vertices[i]);
        }
        return;
    }
    m->positions = grown(m, m->positions, m->vertex_count, &m->vertex_capacity, sizeof *m->positions);
    if (m->failed) {
        return;
    }
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < count; ++i) {
        sum = gt_vec3_add(sum, m->positions[vertices[i]]);
    }
    int32_t middle = m->vertex_count++;
    m->positions[middle] = gt_vec3_scale(sum, 1.0f / (float)count);
    for (int i = 0; i < count; ++i) {
        add_triangle(m, middle, vertices[i], vertices[(i + 1) % count]);
    }
}

static void cut_cell(March* m, int32_t cell, const bool signs[8])
{
    Loops loops = { .ambiguous = false };
    memset(loops.next, -1, sizeof loops.next);
    for (int face = 0; face < 6; ++face) {
        trace_face(signs, face / 2, face % 2, &loops);
    }
    for (int first = 0; first < 12; ++first) {
        int32_t vertices[12];
        int count = 0;
        for (int edge = first; loops.next[edge] >= 0 && !m->failed;) {
            vertices[count++] = vertex_on(m, cell, loops.ends[edge][0], loops.ends[edge][1]);
            int next = loops.next[edge];
            loops.next[edge] = -1;
            edge = next;
        }
        if (count > 0 && !m->failed) {
            add_polygon(m, vertices, count, loops.ambiguous);
        }
    }
}

static void visit_cell(March* m, int32_t cell)
{
    int32_t nx = m->grid->counts[0];
    int32_t ny = m->grid->counts[1];
    int32_t at[3] = { cell % nx, cell / nx % ny, cell / (nx * ny) };
    bool signs[8];
    for (int corner = 0; corner < 8; ++corner) {
        signs[corner] = value_of(m, corner_of(m, cell, corner)) < 0.0f;
    }
    cut_cell(m, cell, signs);
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            int negative = 0;
            for (int corner = 0; corner < 8; ++corner) {
                negative += (corner >> axis & 1) == side && signs[corner];
            }
            if (negative != 0 && negative != 4) {
                at[axis] += side ? 1 : -1;
                queue_cell(m, at);
                at[axis] -= side ? 1 : -1;
            }
        }
    }
}

// Index of the interval of `lines` that holds `x`.
static int32_t interval_of(const float* lines, int32_t count, float x)
{
    int32_t low = 0;
    while (low + 2 < count && lines[low + 1] <= x) {
        ++low;
    }
    return low;
}

// Upwards from the seed to the first cell whose lowest edge along y the surface crosses.
static void queue_seed(March* m, GtVec3 seed)
{
    int32_t at[3] = { interval_of(m->grid->lines[0], m->grid->counts[0], seed.x),
                      interval_of(m->grid->lines[1], m->grid->counts[1], seed.y),
                      interval_of(m->grid->lines[2], m->grid->counts[2], seed.z) };
    for (; at[1] < m->grid->counts[1] - 1; ++at[1]) {
        int32_t cell = point_index(m, at);
        if ((value_of(m, cell) < 0.0f) != (value_of(m, corner_of(m, cell, 2)) < 0.0f)) {
            queue_cell(m, at);
            return;
        }
    }
}

// Keep the piece with the most triangles: a cell may hold sheets of several, such as the wall of a bubble under the
// surface.
static void keep_largest_piece(March* m)
{
    int32_t* parents = gt_arena_push(m->arena, (size_t)m->vertex_count * sizeof *parents);
    int32_t* counts = gt_arena_push_array(m->arena, (size_t)m->vertex_count, sizeof *counts);
    if (!parents || !counts) {
        m->failed = true;
        return;
    }
    gti_sets_start(parents, m->vertex_count);
    for (int32_t t = 0; t < m->triangle_count; ++t) {
        gti_sets_join(parents, m->triangles[t][0], m->triangles[t][1]);
        gti_sets_join(parents, m->triangles[t][0], m->triangles[t][2]);
    }
    int32_t largest = 0;
    for (int32_t t = 0; t < m->triangle_count; ++t) {
        int32_t root = gti_sets_root(parents, m->triangles[t][0]);
        ++counts[root];
        largest = counts[root] > counts[largest] ? root : largest;
    }
    int32_t kept = 0;
    for (int32_t t = 0; t < m->triangle_count; ++t) {
        if (gti_sets_root(parents, m->triangles[t][0]) == largest) {
            memmove(m->triangles[kept++], m->triangles[t], sizeof m->triangles[t]);
        }
    }
    m->triangle_count = kept;
    int32_t* renamed = counts;
    int32_t vertices = 0;
    for (int32_t v = 0; v < m->vertex_count; ++v) {
        renamed[v] = vertices;
        if (gti_sets_root(parents, v) == largest) {
            m->positions[vertices++] = m->positions[v];
        }
    }
    m->vertex_count = vertices;
    for (int32_t c = 0; c < 3 * kept; ++c) {
        m->triangles[c / 3][c % 3] = renamed[m->triangles[c / 3][c % 3]];
    }
}

bool gti_isosurface(const GtiField* field, const GtiGrid* grid, GtVec3 seed, GtArena* arena, GtiTrimesh* mesh)
{
    *mesh = (GtiTrimesh){ 0 };
    GtArena scratch = gt_arena_create(arena->allocator);
    March m = { .field = field, .grid = grid, .arena = &scratch };
    size_t points = (size_t)grid->counts[0] * (size_t)grid->counts[1] * (size_t)grid->counts[2];
    m.values = points < INT32_MAX / 8 ? gt_arena_push(&scratch, points * sizeof *m.values) : NULL;
    m.queued = gt_arena_push_array(&scratch, points, 1);
    m.failed = !m.values || !m.queued;
    if (!m.failed) {
        memset(m.values, 0xFF, points * sizeof *m.values); // all NaN
        queue_seed(&m, seed);
    }
    while (!m.failed && m.stack_count > 0) {
        visit_cell(&m, m.stack[--m.stack_count]);
    }
    if (!m.failed && m.triangle_count > 0) {
        keep_largest_piece(&m);
    }
    if (!m.failed) {
        mesh->positions = gt_arena_push(arena, (size_t)m.vertex_count * sizeof *m.positions);
        mesh->triangles = gt_arena_push(arena, (size_t)m.triangle_count * sizeof *m.triangles);
        m.failed = !mesh->positions || !mesh->triangles;
    }
    if (!m.failed && m.triangle_count > 0) {
        memcpy(mesh->positions, m.positions, (size_t)m.vertex_count * sizeof *m.positions);
        memcpy(mesh->triangles, m.triangles, (size_t)m.triangle_count * sizeof *m.triangles);
        mesh->vertex_count = m.vertex_count;
        mesh->triangle_count = m.triangle_count;
    }
    gt_arena_destroy(&scratch);
    return !m.failed;
}
