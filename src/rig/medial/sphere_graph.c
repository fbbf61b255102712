// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// After Baran and Popovic 2007, section 3.3: spheres that cut each other are linked, and others whose straight line
// keeps half as far from the surface as the smaller of both. Ways come from one Dijkstra search a sphere; each leaves a
// tree of ways, in which the farthest leaf below a sphere tells whether it is where a limb ends.

#include "rig/medial/sphere_graph.h"

#include "base/fail.h"
#include "base/heap.h"
#include "base/union_find.h"

#include <math.h>

#define TOUCH_CELLS 1.0f  // spheres this near to touching cut each other, since centers stand on cells
#define TOUCH_DEPTH 0.25f // least depth of a link between spheres that cut each other, of the smaller radius
#define REACH_RADII 2.0f  // spheres farther apart than this many times their radii, or their spacing, are not linked
#define REACH_DEPTH 0.5f
#define THIN_DEPTH  0.25f // and of those that are farther apart because they keep so
#define GAP_MOST    0.08f // in heights, that parts are linked across
#define GAP_FACTOR  3.0f  // how much longer a way across a gap counts
#define AROUND      0.15f // in heights: spheres this near to an end reach no farther

typedef struct Link {
    int32_t a, b;
    float length;
} Link;

typedef struct Links {
    Link* items;
    int32_t count, capacity;
    int32_t* parts; // [sphere_count] disjoint sets of spheres that are linked
} Links;

// To the nearest sphere of the main part.
typedef struct Gap {
    int32_t from;
    float width;
} Gap;

typedef struct Ways {
    GtiHeap heap;   // of spheres by distance
    int32_t* order; // spheres as they were reached
} Ways;

static bool add_link(GtArena* scratch, Links* links, int32_t a, int32_t b, float length)
{
    if (links->count == links->capacity) {
        Link* grown = gti_arena_grow(scratch, links->items, &links->capacity, 4096, sizeof *grown);
        if (!grown) {
            return false;
        }
        links->items = grown;
    }
    links->items[links->count++] = (Link){ a, b, length };
    return true;
}

static float span(const GtiSphere* a, const GtiSphere* b)
{
    return gt_vec3_length(gt_vec3_sub(a->center, b->center));
}

static bool is_linked(const GtiSolid* solid, const GtiSphere* a, const GtiSphere* b, float spacing, float length)
{
    float radii = a->radius + b->radius;
    float smaller = fminf(a->radius, b->radius);
    if (length < radii + TOUCH_CELLS * solid->cell) {
        return gti_solid_sees(solid, a->center, b->center, -TOUCH_DEPTH * smaller);
    }
    if (length < REACH_RADII * radii) {
        return gti_solid_sees(solid, a->center, b->center, -REACH_DEPTH * smaller);
    }
    return length < REACH_RADII * spacing && gti_solid_sees(solid, a->center, b->center, -THIN_DEPTH * smaller);
}

static bool link_near(const GtiSolid* solid, const GtiSpherePacking* packing, GtArena* scratch, Links* links)
{
    const GtiSphere* spheres = packing->spheres;
    for (int32_t a = 0; a < packing->count; ++a) {
        for (int32_t b = a + 1; b < packing->count; ++b) {
            float length = span(&spheres[a], &spheres[b]);
            if (!is_linked(solid, &spheres[a], &spheres[b], packing->spacing, length)) {
                continue;
            }
            if (!add_link(scratch, links, a, b, length)) {
                return false;
            }
            gti_sets_join(links->parts, a, b);
        }
    }
    return true;
}

static bool is_apart(const Links* links, int32_t sphere)
{
    return gti_sets_root(links->parts, sphere) != gti_sets_root(links->parts, 0);
}

static void look_from(const GtiSphere* spheres, int32_t count, const Links* links, int32_t from, Gap* gaps)
{
    for (int32_t i = 0; i < count; ++i) {
        float width = span(&spheres[from], &spheres[i]) - spheres[from].radius - spheres[i].radius;
        if (is_apart(links, i) && width < gaps[i].width) {
            gaps[i] = (Gap){ from, width };
        }
    }
}

// Prim's tree over the gaps, from the part of the largest sphere.
static bool link_parts(const GtiSphere* spheres, int32_t count, int32_t pinned_count, GtArena* scratch, Links* links)
{
    Gap* gaps = gt_arena_push_array(scratch, (size_t)count, sizeof *gaps);
    if (!gaps) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        gaps[i] = (Gap){ GT_NONE, INFINITY };
    }
    int32_t next = 0;
    while (next != GT_NONE) {
        int32_t part = gti_sets_root(links->parts, next);
        for (int32_t i = 0; i < count; ++i) {
            if (gti_sets_root(links->parts, i) == part) {
                look_from(spheres, count, links, i, gaps);
            }
        }
        gti_sets_join(links->parts, 0, next);
        next = GT_NONE;
        for (int32_t i = 0; i < count; ++i) {
            bool near = gaps[i].width < GAP_MOST || i >= count - pinned_count;
            if (is_apart(links, i) && near && (next == GT_NONE || gaps[i].width < gaps[next].width)) {
                next = i;
            }
        }
        if (next != GT_NONE) {
            int32_t from = gaps[next].from;
            float length = span(&spheres[from], &spheres[next]) + (GAP_FACTOR - 1.0f) * fmaxf(gaps[next].width, 0.0f);
            if (!add_link(scratch, links, from, next, length)) {
                return false;
            }
        }
    }
    return true;
}

static bool store_links(const Links* links, GtArena* arena, GtiSphereGraph* g)
{
    g->starts = gt_arena_push_array(arena, (size_t)g->count + 1, sizeof *g->starts);
    g->neighbours = gt_arena_push_array(arena, 2 * (size_t)links->count, sizeof *g->neighbours);
    g->lengths = gt_arena_push_array(arena, 2 * (size_t)links->count, sizeof *g->lengths);
    if (!g->starts || !g->neighbours || !g->lengths) {
        return false;
    }
    for (int32_t i = 0; i < links->count; ++i) {
        ++g->starts[links->items[i].a];
        ++g->starts[links->items[i].b];
    }
    int32_t total = 0;
    for (int32_t i = 0; i <= g->count; ++i) {
        total += g->starts[i];
        g->starts[i] = total;
    }
    for (int32_t i = links->count - 1; i >= 0; --i) { // backwards, each end comes down to its start
        const Link* link = &links->items[i];
        int32_t at_a = --g->starts[link->a];
        int32_t at_b = --g->starts[link->b];
        g->neighbours[at_a] = link->b;
        g->neighbours[at_b] = link->a;
        g->lengths[at_a] = g->lengths[at_b] = link->length;
    }
    return true;
}

static void find_ways(const GtiSphereGraph* g, int32_t from, Ways* w)
{
    float* distances = &g->distances[(size_t)from * (size_t)g->count];
    int16_t* befores = &g->befores[(size_t)from * (size_t)g->count];
    float* beyonds = &g->beyonds[(size_t)from * (size_t)g->count];
    for (int32_t i = 0; i < g->count; ++i) {
        distances[i] = INFINITY;
        befores[i] = -1;
    }
    int32_t reached = 0;
    distances[from] = 0.0f;
    gti_heap_lower(&w->heap, from, 0.0);
    while (w->heap.count > 0) {
        int32_t at = gti_heap_pop(&w->heap).item;
        w->order[reached++] = at;
        for (int32_t e = g->starts[at]; e < g->starts[at + 1]; ++e) {
            int32_t to = g->neighbours[e];
            float length = distances[at] + g->lengths[e];
            if (!(length < distances[to])) {
                continue;
            }
            distances[to] = length;
            befores[to] = (int16_t)at;
            gti_heap_lower(&w->heap, to, (double)length);
        }
    }
    for (int32_t i = 0; i < reached; ++i) {
        beyonds[w->order[i]] = distances[w->order[i]] + g->spheres[w->order[i]].radius;
    }
    for (int32_t i = reached - 1; i > 0; --i) {
        int32_t at = w->order[i];
        beyonds[befores[at]] = fmaxf(beyonds[befores[at]], beyonds[at]);
    }
    for (int32_t i = 0; i < reached; ++i) {
        beyonds[w->order[i]] -= distances[w->order[i]] + g->spheres[w->order[i]].radius;
    }
}

// A sphere beside a way is no end either, where others near it reach farther.
static void look_around(const GtiSphereGraph* g, const int32_t* nears, const int32_t* near_starts)
{
    for (int32_t from = 0; from < g->count; ++from) {
        const float* distances = &g->distances[(size_t)from * (size_t)g->count];
        float* beyonds = &g->beyonds[(size_t)from * (size_t)g->count];
        for (int32_t to = 0; to < g->count; ++to) {
            float reach = distances[to] + g->spheres[to].radius;
            for (int32_t i = near_starts[to]; i < near_starts[to + 1] && reach < INFINITY; ++i) {
                float beyond = distances[nears[i]] + g->spheres[nears[i]].radius - reach;
                beyonds[to] = beyond > beyonds[to] ? beyond : beyonds[to];
            }
        }
    }
}

static bool find_nears(const GtiSphereGraph* g, GtArena* scratch, int32_t** out, int32_t* starts)
{
    int32_t total = 0;
    for (int32_t pass = 0; pass < 2; ++pass) {
        int32_t used = 0;
        for (int32_t i = 0; i < g->count; ++i) {
            starts[i] = used;
            for (int32_t k = 0; k < g->count; ++k) {
                if (k != i && g->distances[(size_t)i * (size_t)g->count + (size_t)k] < AROUND) {
                    if (pass) {
                        (*out)[used] = k;
                    }
                    ++used;
                }
            }
        }
        starts[g->count] = total = used;
        if (!pass) {
            *out = gt_arena_push_array(scratch, (size_t)total, sizeof **out);
            if (!*out) {
                return false;
            }
        }
    }
    return true;
}

static bool find_all_ways(GtArena* scratch, GtArena* arena, GtiSphereGraph* g)
{
    size_t count = (size_t)g->count;
    Ways ways = { .order = gt_arena_push_array(scratch, count, sizeof *ways.order) };
    g->distances = gt_arena_push_array(arena, count * count, sizeof *g->distances);
    g->befores = gt_arena_push_array(arena, count * count, sizeof *g->befores);
    g->beyonds = gt_arena_push_array(arena, count * count, sizeof *g->beyonds);
    if (!gti_heap_make(scratch, g->count, true, &ways.heap) || !ways.order || !g->distances || !g->befores ||
        !g->beyonds) {
        return false;
    }
    for (int32_t i = 0; i < g->count; ++i) {
        find_ways(g, i, &ways);
    }
    int32_t* nears = NULL;
    int32_t* near_starts = gt_arena_push_array(scratch, count + 1, sizeof *near_starts);
    if (!near_starts || !find_nears(g, scratch, &nears, near_starts)) {
        return false;
    }
    look_around(g, nears, near_starts);
    return true;
}

GtResult gti_sphere_graph_make(const GtContext* context, const GtiSolid* solid, const GtiSpherePacking* packing,
                               int32_t pinned_count, GtArena* arena, GtiSphereGraph* out, GtError* error)
{
    const GtiSphere* spheres = packing->spheres;
    int32_t count = packing->count;
    *out = (GtiSphereGraph){ .spheres = spheres, .count = count };
    GtArena scratch = gt_arena_create(context->allocator);
    Links links = { .parts = gt_arena_push_array(&scratch, (size_t)count, sizeof *links.parts) };
    bool ok = links.parts != NULL;
    gti_sets_start(links.parts, ok ? count : 0);
    ok = ok && link_near(solid, packing, &scratch, &links) &&
         link_parts(spheres, count, pinned_count, &scratch, &links) && store_links(&links, arena, out) &&
         find_all_ways(&scratch, arena, out);
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}
