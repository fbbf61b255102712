// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clusters after Rossignac and Borrel (1993), through a hash of cell, octant of the normal and piece. Cells are as wide
// as makes about as many clusters as wished for: a surface of area A passes through about 1.5 A / cell^2 cells, and
// octants part some of those. Weights are smooth over a cluster, so points take a Gaussian mean of the clusters around.

#include "rig/weigh/proxy.h"

#include "base/direction.h"
#include "base/fail.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

// As gti_laplacian_make() asks.
#define SLACK 1e-5

// The largest piece of a machine has at most this share of its area.
#define MACHINE_SHARE 0.5
// A part of a machine has more than this share of the area, and all parts at least that: a heap of loose triangles is
// none.
#define MACHINE_PART  0.001
#define MACHINE_PARTS 0.8

enum {
    MACHINE_PIECES = 8 // that a machine has at least
};

// Clusters that a surface of area 1 and cells of width 1 has.
#define CLUSTERS_PER_CELL 2.2

typedef struct Table {
    uint64_t* keys;  // [1 << bits]
    int32_t* values; // likewise, vertex + 1, or 0
    uint32_t bits;
} Table;

static bool push_table(GtArena* arena, int32_t count, Table* out)
{
    out->bits = 4;
    while (((int64_t)1 << out->bits) < 2 * (int64_t)count) {
        ++out->bits;
    }
    out->keys = gt_arena_push(arena, ((size_t)1 << out->bits) * sizeof *out->keys);
    out->values = gt_arena_push_array(arena, (size_t)1 << out->bits, sizeof *out->values);
    return out->keys && out->values;
}

// The vertex of a key, or `next` for one that is new.
static int32_t look_up(const Table* table, uint64_t key, int32_t next)
{
    uint32_t mask = (1u << table->bits) - 1;
    uint32_t slot = gti_hash_slot(gti_hash_mix(0, key), table->bits);
    for (; table->values[slot]; slot = (slot + 1) & mask) {
        if (table->keys[slot] == key) {
            return table->values[slot] - 1;
        }
    }
    table->keys[slot] = key;
    table->values[slot] = next + 1;
    return next;
}

static uint64_t cell_key(const GtiRigBody* body, int32_t point, double cell)
{
    GtVec3 p = body->points[point];
    GtVec3 n = body->normals[point];
    uint64_t key = (uint64_t)body->pieces[point] * 8 + (uint64_t)((n.x < 0.0f) + 2 * (n.y < 0.0f) + 4 * (n.z < 0.0f));
    const double axes[3] = { (double)p.x, (double)p.y, (double)p.z };
    for (int k = 0; k < 3; ++k) {
        double at = floor(fmin(fmax(axes[k], -1e4), 1e4) / cell);
        key = key * 0x100000001B3 + (uint64_t)(int64_t)at;
    }
    return key;
}

static double triangle_area(const GtiRigBody* body, const int32_t v[3])
{
    GtVec3 a = gt_vec3_sub(body->points[v[1]], body->points[v[0]]);
    GtVec3 b = gt_vec3_sub(body->points[v[2]], body->points[v[0]]);
    return 0.5 * (double)gt_vec3_length(gt_vec3_cross(a, b));
}

// Returns the area of all pieces. areas: [piece_count] zero before
static double measure_pieces(const GtiRigBody* body, double* areas, bool* machine)
{
    double sum = 0.0;
    double largest = 0.0;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        double area = triangle_area(body, body->triangles[t]);
        double* piece = &areas[body->pieces[body->triangles[t][0]]];
        *piece += area;
        sum += area;
        largest = fmax(largest, *piece);
    }
    int32_t parts = 0;
    double of_parts = 0.0;
    for (int32_t p = 0; p < body->piece_count; ++p) {
        bool part = areas[p] > MACHINE_PART * sum;
        parts += part;
        of_parts += part ? areas[p] : 0.0;
    }
    *machine = parts >= MACHINE_PIECES && largest <= MACHINE_SHARE * sum && of_parts >= MACHINE_PARTS * sum;
    return sum;
}

static bool has_skin(const GtiRigBody* body)
{
    for (int32_t p = 0; p < body->piece_count; ++p) {
        if (body->kinds[p] == GTI_PIECE_SKIN) {
            return true;
        }
    }
    return false;
}

// Number the clusters; returns how many there are.
static int32_t find_clusters(const GtiRigBody* body, bool all, const Table* table, double cell, int32_t* clusters)
{
    int32_t count = 0;
    for (int32_t i = 0; i < body->point_count; ++i) {
        clusters[i] = GT_NONE;
        if (all || body->kinds[body->pieces[i]] == GTI_PIECE_SKIN) {
            clusters[i] = table ? look_up(table, cell_key(body, i, cell), count) : count;
            count += clusters[i] == count;
        }
    }
    return count;
}

static void average(const GtiRigBody* body, const GtiProxy* proxy, float* members)
{
    for (int32_t i = 0; i < body->point_count; ++i) {
        int32_t c = proxy->clusters[i];
        if (c != GT_NONE) {
            proxy->mesh.positions[c] = gt_vec3_add(proxy->mesh.positions[c], body->points[i]);
            proxy->normals[c] = gt_vec3_add(proxy->normals[c], body->normals[i]);
            proxy->pieces[c] = body->pieces[i];
            members[c] += 1.0f;
        }
    }
    for (int32_t c = 0; c < proxy->mesh.vertex_count; ++c) {
        proxy->mesh.positions[c] = gt_vec3_scale(proxy->mesh.positions[c], 1.0f / members[c]);
        proxy->normals[c] = gt_vec3_normalize_or(proxy->normals[c], gt_vec3(0.0f, 0.0f, 0.0f));
    }
}

static int32_t gather_triangles(const GtiRigBody* body, const int32_t* clusters, int32_t (*out)[3])
{
    int32_t count = 0;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* v = body->triangles[t];
        const int32_t c[3] = { clusters[v[0]], clusters[v[1]], clusters[v[2]] };
        if (c[0] != GT_NONE && c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) {
            if (out) {
                memcpy(out[count], c, sizeof c);
            }
            ++count;
        }
    }
    return count;
}

static bool fill(const GtiRigBody* body, GtArena* arena, GtArena* scratch, int32_t count, GtiProxy* out)
{
    int32_t triangle_count = gather_triangles(body, out->clusters, NULL);
    out->mesh = (GtiTrimesh){
        .positions = gt_arena_push_array(arena, (size_t)count, sizeof *out->mesh.positions),
        .vertex_count = count,
        .triangles = gt_arena_push_array(arena, (size_t)triangle_count, sizeof *out->mesh.triangles),
        .triangle_count = triangle_count,
    };
    out->normals = gt_arena_push_array(arena, (size_t)count, sizeof *out->normals);
    out->pieces = gt_arena_push_array(arena, (size_t)count, sizeof *out->pieces);
    float* members = gt_arena_push_array(scratch, (size_t)count, sizeof *members);
    if (!out->mesh.positions || !out->mesh.triangles || !out->normals || !out->pieces || !members) {
        return false;
    }
    average(body, out, members);
    gather_triangles(body, out->clusters, out->mesh.triangles);
    return gti_laplacian_make(&out->mesh, SLACK, arena, &out->laplacian);
}

GtResult gti_proxy_make(const GtContext* context, const GtiRigBody* body, int32_t limit, GtArena* arena, GtiProxy* out,
                        GtError* error)
{
    *out = (GtiProxy){ .clusters = gt_arena_push_array(arena, (size_t)body->point_count, sizeof *out->clusters) };
    if (!out->clusters) {
        return gti_out_of_memory(error);
    }
    GtArena scratch = gt_arena_create(context->allocator);
    double* areas = gt_arena_push_array(&scratch, (size_t)body->piece_count, sizeof *areas);
    bool ok = areas != NULL;
    int32_t count = 0;
    double area = 0.0;
    if (ok) {
        area = measure_pieces(body, areas, &out->machine);
        out->all = out->machine || !has_skin(body);
        count = find_clusters(body, out->all, NULL, 0.0, out->clusters);
        out->whole = count <= limit;
    }
    if (ok && !out->whole) {
        Table table;
        double cell = sqrt(fmax(area, 1e-12) * CLUSTERS_PER_CELL / (double)limit);
        ok = push_table(&scratch, count, &table);
        count = ok ? find_clusters(body, out->all, &table, cell, out->clusters) : 0;
    }
    ok = ok && fill(body, arena, &scratch, count, out);
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

bool gti_rows_push(GtArena* arena, int32_t count, int32_t width, GtiProxyRows* out)
{
    *out = (GtiProxyRows){
        .width = width,
        .joints = gt_arena_push_array(arena, (size_t)count * (size_t)width, sizeof *out->joints),
        .weights = gt_arena_push_array(arena, (size_t)count * (size_t)width, sizeof *out->weights),
    };
    return out->joints && out->weights;
}

void gti_row_insert(const GtiProxyRows* rows, int32_t row, uint16_t joint, float weight)
{
    uint16_t* joints = &rows->joints[(size_t)row * (size_t)rows->width];
    float* weights = &rows->weights[(size_t)row * (size_t)rows->width];
    int32_t at = rows->width - 1;
    if (!(weight > weights[at])) {
        return;
    }
    for (; at > 0 && weight > weights[at - 1]; --at) {
        weights[at] = weights[at - 1];
        joints[at] = joints[at - 1];
    }
    weights[at] = weight;
    joints[at] = joint;
}

enum {
    MIX_SIZE = 64,  // joints that a blend can hold; those that come later are left out
    RING_LIMIT = 32 // neighbours that take part; only fans have more
};

typedef struct Mix {
    uint16_t joints[MIX_SIZE];
    float weights[MIX_SIZE];
    int32_t count;
} Mix;

static void add_row(Mix* mix, const GtiProxyRows* rows, int32_t row, float share)
{
    const uint16_t* joints = &rows->joints[(size_t)row * (size_t)rows->width];
    const float* weights = &rows->weights[(size_t)row * (size_t)rows->width];
    for (int32_t k = 0; k < rows->width && weights[k] > 0.0f; ++k) {
        int32_t at = 0;
        while (at < mix->count && mix->joints[at] != joints[k]) {
            ++at;
        }
        if (at == mix->count && at < MIX_SIZE) {
            mix->joints[at] = joints[k];
            mix->weights[at] = 0.0f;
            ++mix->count;
        }
        if (at < mix->count) {
            mix->weights[at] += share * weights[k];
        }
    }
}

void gti_proxy_blend(const GtiProxy* proxy, const GtiProxyRows* rows, int32_t home, GtVec3 p, const GtiProxyRows* out,
                     int32_t row)
{
    const GtiLaplacian* graph = &proxy->laplacian;
    const GtVec3* positions = proxy->mesh.positions;
    int32_t first = graph->starts[home];
    int32_t end = graph->starts[home + 1] < first + RING_LIMIT ? graph->starts[home + 1] : first + RING_LIMIT;
    float nearest = gti_square_between(p, positions[home]);
    float spread = 0.0f;
    for (int32_t i = first; i < end; ++i) {
        nearest = fminf(nearest, gti_square_between(p, positions[graph->neighbours[i]]));
        spread += gti_square_between(positions[home], positions[graph->neighbours[i]]);
    }
    float scale = spread > 0.0f ? 2.0f * (float)(end - first) / spread : 0.0f; // 1 / (2 sigma^2), sigma half a step
    Mix mix = { .count = 0 };
    add_row(&mix, rows, home, expf(-scale * (gti_square_between(p, positions[home]) - nearest)));
    for (int32_t i = first; i < end; ++i) {
        int32_t other = graph->neighbours[i];
        add_row(&mix, rows, other, expf(-scale * (gti_square_between(p, positions[other]) - nearest)));
    }
    for (int32_t k = 0; k < mix.count; ++k) {
        gti_row_insert(out, row, mix.joints[k], mix.weights[k]);
    }
}
