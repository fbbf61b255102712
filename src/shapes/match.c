// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The same vertices in another file. Files of one model differ in how vertices are split at seams, and in the diagonals
// of their quads, rarely in anything else; so three ways are tried, from the strictest on, and each is believed only
// where the triangles agree with it: of a shuffled mesh hardly an edge does.

#include "shapes/mesh.h"

#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

// Quads that are cut along other diagonals have two edges in three in common.
static const double least_common_edges = 0.6;

typedef struct Match {
    const GtiShapeMesh* mesh;
    const GtiShapeMesh* source;
    GtArena arena;
    uint64_t* edges; // [edge_count] of the source, between runs, sorted
    size_t edge_count;
    uint32_t* mesh_runs;   // [vertex_count of mesh] which run of equal positions a vertex is in
    uint32_t* source_runs; // likewise
    uint32_t mesh_run_count;
    uint32_t source_run_count;
} Match;

static bool same_place(GtVec3 a, GtVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Vertices in a row at one place are one that was split.
static uint32_t number_runs(const GtiShapeMesh* mesh, uint32_t* runs)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        count += i == 0 || !same_place(mesh->positions[i], mesh->positions[i - 1]);
        runs[i] = count - 1;
    }
    return count;
}

static uint64_t edge_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int compare_edges(const void* a, const void* b)
{
    uint64_t x = *(const uint64_t*)a;
    uint64_t y = *(const uint64_t*)b;
    return (x > y) - (x < y);
}

static GtResult prepare(Match* m, GtError* error)
{
    const GtiShapeMesh* source = m->source;
    m->mesh_runs = gt_arena_push_array(&m->arena, (size_t)m->mesh->vertex_count, sizeof *m->mesh_runs);
    m->source_runs = gt_arena_push_array(&m->arena, (size_t)source->vertex_count, sizeof *m->source_runs);
    m->edges = gt_arena_push_array(&m->arena, (size_t)source->index_count, sizeof *m->edges);
    if (!m->mesh_runs || !m->source_runs || !m->edges) {
        return gti_out_of_memory(error);
    }
    m->mesh_run_count = number_runs(m->mesh, m->mesh_runs);
    m->source_run_count = number_runs(source, m->source_runs);
    for (int32_t t = 0; t + 2 < source->index_count; t += 3) {
        for (int i = 0; i < 3; ++i) {
            m->edges[m->edge_count++] =
                edge_key(m->source_runs[source->indices[t + i]], m->source_runs[source->indices[t + (i + 1) % 3]]);
        }
    }
    if (m->edge_count > 0) {
        qsort(m->edges, m->edge_count, sizeof *m->edges, compare_edges);
    }
    return GT_OK;
}

static bool edges_agree(const Match* m, const uint32_t* vertices)
{
    const GtiShapeMesh* mesh = m->mesh;
    int64_t common = 0;
    for (int32_t t = 0; t + 2 < mesh->index_count; t += 3) {
        for (int i = 0; i < 3; ++i) {
            uint32_t a = m->source_runs[vertices[mesh->indices[t + i]]];
            uint32_t b = m->source_runs[vertices[mesh->indices[t + (i + 1) % 3]]];
            uint64_t key = edge_key(a, b);
            common += m->edge_count > 0 && bsearch(&key, m->edges, m->edge_count, sizeof key, compare_edges) != NULL;
        }
    }
    return (double)common >= least_common_edges * (double)mesh->index_count;
}

static bool match_by_order(const Match* m, uint32_t* vertices)
{
    if (m->mesh->vertex_count != m->source->vertex_count) {
        return false;
    }
    for (int32_t i = 0; i < m->mesh->vertex_count; ++i) {
        vertices[i] = (uint32_t)i;
    }
    return edges_agree(m, vertices);
}

// All corners of a vertex must be at one place in the source.
static bool match_by_corners(const Match* m, uint32_t* vertices)
{
    if (m->mesh->index_count != m->source->index_count || m->mesh->index_count == 0) {
        return false;
    }
    const uint32_t unknown = UINT32_MAX;
    memset(vertices, 0xFF, (size_t)m->mesh->vertex_count * sizeof *vertices);
    for (int32_t i = 0; i < m->mesh->index_count; ++i) {
        uint32_t* to = &vertices[m->mesh->indices[i]];
        uint32_t from = m->source->indices[i];
        if (*to != unknown && !same_place(m->source->positions[*to], m->source->positions[from])) {
            return false;
        }
        *to = *to == unknown ? from : *to;
    }
    for (int32_t i = 0; i < m->mesh->vertex_count; ++i) {
        if (vertices[i] == unknown) {
            return false;
        }
    }
    return true;
}

static bool match_by_runs(const Match* m, uint32_t* firsts, uint32_t* vertices)
{
    if (m->mesh_run_count != m->source_run_count) {
        return false;
    }
    for (int32_t i = m->source->vertex_count - 1; i >= 0; --i) {
        firsts[m->source_runs[i]] = (uint32_t)i;
    }
    for (int32_t i = 0; i < m->mesh->vertex_count; ++i) {
        vertices[i] = firsts[m->mesh_runs[i]];
    }
    return edges_agree(m, vertices);
}

GtResult gti_shape_match(const GtContext* context, const GtiShapeMesh* mesh, const GtiShapeMesh* source,
                         uint32_t* vertices, GtError* error)
{
    Match m = { .mesh = mesh, .source = source, .arena = gt_arena_create(context->allocator) };
    uint32_t* firsts = gt_arena_push_array(&m.arena, (size_t)source->vertex_count, sizeof *firsts);
    GtResult result = firsts ? prepare(&m, error) : gti_out_of_memory(error);
    if (result == GT_OK && !match_by_order(&m, vertices) && !match_by_corners(&m, vertices) &&
        !match_by_runs(&m, firsts, vertices)) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE,
                          "its %d vertices and %d triangles are not the mesh's %d and %d in the same order; save the "
                          "shape without changing vertices, their order or the faces",
                          (int)source->vertex_count, (int)(source->index_count / 3), (int)mesh->vertex_count,
                          (int)(mesh->index_count / 3));
    }
    gt_arena_destroy(&m.arena);
    return result;
}
