// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Kruskal's tree over the edges of the mesh whose ends belong to different markers: an edge's length is the way from
// one patch to the other through it.

#include "harmonic/markers/tree.h"

#include "base/union_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Link {
    double length;
    int32_t a, b;
} Link;

typedef struct Links {
    Link* links; // NULL while they are counted
    int64_t count;
} Links;

static void add(const GtiPatches* patches, int32_t u, int32_t v, double length, Links* links)
{
    int32_t a = patches->owners[u];
    int32_t b = patches->owners[v];
    if (a == b || a == GT_NONE || b == GT_NONE) {
        return;
    }
    if (links->links) {
        links->links[links->count] = (Link){ patches->depths[u] + patches->depths[v] + length, a, b };
    }
    ++links->count;
}

static void collect(const GtiTrimesh* mesh, const GtiLaplacian* laplacian, const GtiIslands* islands,
                    const GtiPatches* patches, Links* links)
{
    for (int32_t v = 0; v < laplacian->vertex_count; ++v) {
        for (int32_t i = laplacian->starts[v]; i < laplacian->starts[v + 1]; ++i) {
            int32_t to = laplacian->neighbours[i];
            if (to > v) {
                GtVec3 d = gt_vec3_sub(mesh->positions[to], mesh->positions[v]);
                add(patches, v, to, (double)gt_vec3_length(d), links);
            }
        }
    }
    for (int32_t i = 0; i + 1 < islands->component_count; ++i) {
        add(patches, islands->ties[i].island, islands->ties[i].shore, islands->ties[i].length, links);
    }
}

static int compare_links(const void* x, const void* y)
{
    const Link* p = x;
    const Link* q = y;
    if (p->length != q->length) {
        return p->length < q->length ? -1 : 1;
    }
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

// Keep the links that join two trees, at the front; the number of them.
static int32_t grow(Links* links, int32_t* sets)
{
    int32_t kept = 0;
    for (int64_t i = 0; i < links->count; ++i) {
        Link link = links->links[i];
        if (gti_sets_root(sets, link.a) != gti_sets_root(sets, link.b)) {
            gti_sets_join(sets, link.a, link.b);
            links->links[kept++] = link;
        }
    }
    return kept;
}

// Walk from marker 0, round after round over the links that are left; trees it does not reach hang on to it.
static void walk(const Link* links, int32_t link_count, int32_t marker_count, int32_t* seen, GtiMarkerTree* tree)
{
    int32_t count = 0;
    for (int32_t seed = 0; seed < marker_count; ++seed) {
        if (seen[seed]) {
            continue;
        }
        seen[seed] = 1;
        tree->parents[seed] = seed == 0 ? GT_NONE : 0;
        tree->order[count++] = seed;
        for (int32_t at = count - 1; at < count; ++at) {
            int32_t from = tree->order[at];
            for (int32_t i = 0; i < link_count; ++i) {
                int32_t to = links[i].a == from ? links[i].b : links[i].b == from ? links[i].a : GT_NONE;
                if (to != GT_NONE && !seen[to]) {
                    seen[to] = 1;
                    tree->parents[to] = from;
                    tree->order[count++] = to;
                }
            }
        }
    }
}

bool gti_marker_tree_make(const GtiTrimesh* mesh, const GtiLaplacian* laplacian, const GtiIslands* islands,
                          const GtiPatches* patches, int32_t marker_count, GtArena* arena, GtiMarkerTree* out)
{
    size_t size = (size_t)marker_count * sizeof(int32_t);
    *out = (GtiMarkerTree){ .order = gt_arena_push(arena, size), .parents = gt_arena_push(arena, size) };
    GtArena scratch = gt_arena_create(arena->allocator);
    Links links = { NULL, 0 };
    collect(mesh, laplacian, islands, patches, &links);
    links.links = gt_arena_push(&scratch, (size_t)links.count * sizeof *links.links);
    int32_t* sets = gt_arena_push(&scratch, size);
    bool made = out->order && out->parents && links.links && sets;
    if (made) {
        links.count = 0;
        collect(mesh, laplacian, islands, patches, &links);
        qsort(links.links, (size_t)links.count, sizeof *links.links, compare_links);
        gti_sets_start(sets, marker_count);
        int32_t kept = grow(&links, sets);
        memset(sets, 0, size);
        walk(links.links, kept, marker_count, sets, out);
    }
    gt_arena_destroy(&scratch);
    return made;
}
