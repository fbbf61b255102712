// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The generalised winding number of an open surface from its boundary alone. Sheets that go from the boundary to
// infinity along +x close the surface; what the closed one winds is counted along a line that lies in no sheet, and
// what the sheets wind is a sum over the edges of the boundary: the spherical triangles of an edge and +x, seen from
// the point. The boundary is a sum of closed loops, whatever the topology. Chords cut a long loop into short ones,
// which sum to the same; so every loop has at most nine edges, and one far away is a dipole of its vector area (Barill
// et al. 2018), as is a box full of them. A dipole is what the sheets are only where the line towards -x does not pass
// it.

#include "geometry/solid_parts.h"

#include "base/bounds.h"
#include "base/scalar.h"
#include "geometry/edges.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = 8,       // edges that a chord cuts off
    LEVEL_LIMIT = 40 // of the tree
};

static const float far_ratio = 3.0f; // distance in radii from which loops are dipoles

typedef struct Node {
    GtVec3 centre;
    float radius; // negative: holds nothing
    GtVec3 area;
} Node;

typedef struct Loop {
    int32_t first; // in GtiRim.points
    int32_t count; // 3 to CHUNK + 1
} Loop;

struct GtiRim {
    GtVec3* points;
    int32_t point_count;
    Loop* loops;
    int32_t loop_count;
    Node* nodes; // a heap: children of node i are 2 i + 1 and 2 i + 2; loop i is node leaf_first + i
    int32_t leaf_first;
};

// Directed edges of the boundary by their starts.
typedef struct Chain {
    int32_t* ends;   // [edge_count]
    int32_t* firsts; // [vertex_count + 1]
    int32_t* taken;  // [vertex_count] edges of each that have been walked
    int32_t edge_count;
} Chain;

// How often the boundary runs along an edge from its lower to its higher vertex.
static int32_t net_of(const GtiTrimesh* mesh, const GtiEdges* edges, int32_t edge)
{
    int32_t net = 0;
    for (int32_t i = edges->firsts[edge]; i < edges->firsts[edge + 1]; ++i) {
        net += gti_half_rises(mesh, edges->halves[i]) ? 1 : -1;
    }
    return net;
}

static void ends_of(const GtiTrimesh* mesh, const GtiEdges* edges, int32_t edge, int32_t net, int32_t ends[2])
{
    int32_t half = edges->halves[edges->firsts[edge]];
    bool along = gti_half_rises(mesh, half) == (net > 0);
    ends[0] = along ? gti_half_start(mesh, half) : gti_half_end(mesh, half);
    ends[1] = along ? gti_half_end(mesh, half) : gti_half_start(mesh, half);
}

static bool find_chain(const GtiTrimesh* mesh, GtArena* scratch, Chain* chain)
{
    GtiEdges edges;
    *chain = (Chain){ .firsts = gt_arena_push_array(scratch, (size_t)mesh->vertex_count + 1, sizeof *chain->firsts),
                      .taken = gt_arena_push_array(scratch, (size_t)mesh->vertex_count + 1, sizeof *chain->taken) };
    if (!chain->firsts || !chain->taken || !gti_edges_find(mesh, scratch, &edges)) {
        return false;
    }
    for (int32_t e = 0; e < edges.edge_count; ++e) {
        int32_t net = net_of(mesh, &edges, e);
        int32_t ends[2];
        ends_of(mesh, &edges, e, net, ends);
        chain->firsts[ends[0] + 1] += net < 0 ? -net : net;
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        chain->firsts[v + 1] += chain->firsts[v];
    }
    chain->edge_count = chain->firsts[mesh->vertex_count];
    chain->ends = gt_arena_push(scratch, (size_t)chain->edge_count * sizeof *chain->ends);
    for (int32_t e = 0; chain->ends && e < edges.edge_count; ++e) {
        int32_t net = net_of(mesh, &edges, e);
        int32_t ends[2];
        ends_of(mesh, &edges, e, net, ends);
        for (int32_t i = net < 0 ? -net : net; i > 0; --i) {
            chain->ends[chain->firsts[ends[0]] + chain->taken[ends[0]]++] = ends[1];
        }
    }
    memset(chain->taken, 0, (size_t)mesh->vertex_count * sizeof *chain->taken);
    return chain->ends != NULL;
}

static void add_loop(GtiRim* rim, const GtiTrimesh* mesh, const int32_t* vertices, int32_t first, int32_t last,
                     int32_t count)
{
    if (last - first < 2) {
        return;
    }
    Loop loop = { rim->point_count, last - first + 1 };
    for (int32_t i = first; i <= last; ++i) {
        rim->points[rim->point_count++] = mesh->positions[vertices[i % count]];
    }
    rim->loops[rim->loop_count++] = loop;
}

// Cut a loop of `count` vertices into short ones; `vertices` is used up.
static void cut_loop(GtiRim* rim, const GtiTrimesh* mesh, int32_t* vertices, int32_t count)
{
    while (count > CHUNK) {
        int32_t kept = 0;
        for (int32_t i = 0; i < count; i += CHUNK) {
            add_loop(rim, mesh, vertices, i, i + CHUNK < count ? i + CHUNK : count, count);
        }
        for (int32_t i = 0; i < count; i += CHUNK) {
            vertices[kept++] = vertices[i];
        }
        count = kept;
    }
    add_loop(rim, mesh, vertices, 0, count - 1, count);
}

// As many edges arrive at a vertex as leave it, so a walk ends where it began.
static void walk_loops(GtiRim* rim, const GtiTrimesh* mesh, Chain* chain, int32_t* walked)
{
    for (int32_t start = 0; start < mesh->vertex_count; ++start) {
        while (chain->taken[start] < chain->firsts[start + 1] - chain->firsts[start]) {
            int32_t count = 0;
            int32_t v = start;
            do {
                walked[count++] = v;
                v = chain->ends[chain->firsts[v] + chain->taken[v]++];
            } while (v != start);
            cut_loop(rim, mesh, walked, count);
        }
    }
}

static Node leaf_of(const GtiRim* rim, const Loop* loop)
{
    Node node = { .radius = 0.0f };
    const GtVec3* p = rim->points + loop->first;
    for (int32_t i = 0; i < loop->count; ++i) {
        node.centre = gt_vec3_add(node.centre, gt_vec3_scale(p[i], 1.0f / (float)loop->count));
    }
    for (int32_t i = 0; i < loop->count; ++i) {
        GtVec3 a = gt_vec3_sub(p[i], node.centre);
        GtVec3 b = gt_vec3_sub(p[i + 1 < loop->count ? i + 1 : 0], node.centre);
        node.radius = fmaxf(node.radius, gt_vec3_length(a));
        node.area = gt_vec3_add(node.area, gt_vec3_scale(gt_vec3_cross(a, b), 0.5f));
    }
    return node;
}

// The smallest sphere around two.
static Node join(const Node* a, const Node* b)
{
    if (a->radius < 0.0f || b->radius < 0.0f) {
        return a->radius < 0.0f ? *b : *a;
    }
    GtVec3 between = gt_vec3_sub(b->centre, a->centre);
    float distance = gt_vec3_length(between);
    Node node = { .area = gt_vec3_add(a->area, b->area) };
    if (distance + b->radius <= a->radius) {
        node.centre = a->centre;
        node.radius = a->radius;
    } else if (distance + a->radius <= b->radius) {
        node.centre = b->centre;
        node.radius = b->radius;
    } else {
        node.radius = 0.5f * (distance + a->radius + b->radius);
        node.centre = gt_vec3_add(a->centre, gt_vec3_scale(between, (node.radius - a->radius) / distance));
    }
    return node;
}

// Every second bit of thirty: a place along a curve that keeps near what is near.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & 0x1F00000000FFFF;
    x = (x | x << 16) & 0x1F0000FF0000FF;
    x = (x | x << 8) & 0x100F00F00F00F00F;
    x = (x | x << 4) & 0x10C30C30C30C30C3;
    return (x | x << 2) & 0x1249249249249249;
}

typedef struct Key {
    uint64_t code;
    int32_t loop;
} Key;

static Key* sort_keys(Key* keys, Key* spare, int32_t count)
{
    for (int shift = 0; shift < 64; shift += 8) {
        int32_t starts[257] = { 0 };
        for (int32_t i = 0; i < count; ++i) {
            ++starts[(keys[i].code >> shift & 255) + 1];
        }
        for (int i = 0; i < 256; ++i) {
            starts[i + 1] += starts[i];
        }
        for (int32_t i = 0; i < count; ++i) {
            spare[starts[keys[i].code >> shift & 255]++] = keys[i];
        }
        Key* swap = keys;
        keys = spare;
        spare = swap;
    }
    return keys;
}

static bool sort_loops(GtiRim* rim, GtArena* scratch)
{
    size_t count = (size_t)rim->loop_count;
    Key* keys = gt_arena_push(scratch, 2 * count * sizeof *keys);
    Loop* copy = gt_arena_push(scratch, count * sizeof *copy);
    if (!keys || !copy) {
        return false;
    }
    GtBounds bounds = gti_bounds_of(rim->points, rim->point_count);
    GtVec3 low = bounds.low;
    float widest = gti_bounds_longest(bounds);
    float scale = widest > 0.0f ? 1048575.0f / widest : 0.0f;
    for (int32_t i = 0; i < rim->loop_count; ++i) {
        GtVec3 p = rim->points[rim->loops[i].first];
        keys[i].loop = i;
        keys[i].code = spread((uint64_t)((p.x - low.x) * scale)) | spread((uint64_t)((p.y - low.y) * scale)) << 1 |
                       spread((uint64_t)((p.z - low.z) * scale)) << 2;
    }
    keys = sort_keys(keys, keys + count, rim->loop_count);
    memcpy(copy, rim->loops, count * sizeof *copy);
    for (int32_t i = 0; i < rim->loop_count; ++i) {
        rim->loops[i] = copy[keys[i].loop];
    }
    return true;
}

static bool build_tree(GtiRim* rim, GtArena* arena)
{
    int32_t leaves = 1;
    while (leaves < rim->loop_count) {
        leaves *= 2;
    }
    rim->leaf_first = leaves - 1;
    rim->nodes = gt_arena_push(arena, (2 * (size_t)leaves - 1) * sizeof *rim->nodes);
    if (!rim->nodes) {
        return false;
    }
    for (int32_t i = 0; i < leaves; ++i) {
        rim->nodes[rim->leaf_first + i] =
            i < rim->loop_count ? leaf_of(rim, &rim->loops[i]) : (Node){ .radius = -1.0f };
    }
    for (int32_t i = rim->leaf_first; i-- > 0;) {
        rim->nodes[i] = join(&rim->nodes[2 * i + 1], &rim->nodes[2 * i + 2]);
    }
    return true;
}

bool gti_rim_make(const GtiTrimesh* mesh, GtArena* arena, GtiRim** out)
{
    *out = NULL;
    GtArena scratch = gt_arena_create(arena->allocator);
    Chain chain;
    bool ok = find_chain(mesh, &scratch, &chain);
    if (ok && chain.edge_count > 0) {
        // Chunks of n edges hold 9/8 n points and leave n/8 chords: less than 2 n in all, and 9 more a loop.
        size_t most = 4 * (size_t)chain.edge_count + CHUNK + 1;
        GtiRim* rim = gt_arena_push_array(arena, 1, sizeof *rim);
        int32_t* walked = gt_arena_push(&scratch, (size_t)chain.edge_count * sizeof *walked);
        ok = rim && walked;
        if (ok) {
            rim->points = gt_arena_push(arena, most * sizeof *rim->points);
            rim->loops = gt_arena_push(arena, most / 3 * sizeof *rim->loops);
            ok = rim->points && rim->loops;
        }
        if (ok) {
            walk_loops(rim, mesh, &chain, walked);
            ok = rim->loop_count == 0 || (sort_loops(rim, &scratch) && build_tree(rim, arena));
            *out = ok && rim->loop_count > 0 ? rim : NULL;
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}

// Signed solid angle of the triangle of a, b and infinity along +x (van Oosterom and Strackee 1983), seen from 0.
static float sheet_angle(GtVec3 a, GtVec3 b)
{
    float la = gt_vec3_length(a);
    float lb = gt_vec3_length(b);
    float above = a.y * b.z - a.z * b.y;
    float below = la * lb + gt_vec3_dot(a, b) + a.x * lb + b.x * la;
    return 2.0f * atan2f(above, below);
}

static float loop_angle(const GtiRim* rim, const Loop* loop, GtVec3 from)
{
    const GtVec3* p = rim->points + loop->first;
    GtVec3 a = gt_vec3_sub(p[loop->count - 1], from);
    float sum = 0.0f;
    for (int32_t i = 0; i < loop->count; ++i) {
        GtVec3 b = gt_vec3_sub(p[i], from);
        sum += sheet_angle(a, b);
        a = b;
    }
    return sum;
}

float gti_rim_winding(const GtiRim* rim, GtVec3 p, int64_t* steps)
{
    int32_t stack[LEVEL_LIMIT];
    int depth = 0;
    float sum = 0.0f;
    stack[depth++] = 0;
    while (depth > 0) {
        int32_t index = stack[--depth];
        const Node* node = &rim->nodes[index];
        ++*steps;
        if (node->radius < 0.0f) {
            continue;
        }
        GtVec3 to = gt_vec3_sub(node->centre, p);
        float square = gt_vec3_dot(to, to);
        float reach = far_ratio * node->radius;
        bool passed = to.x < node->radius && to.y * to.y + to.z * to.z <= node->radius * node->radius;
        if (square > reach * reach && !passed) {
            sum += gt_vec3_dot(node->area, to) / (square * sqrtf(square));
        } else if (index >= rim->leaf_first) {
            sum += loop_angle(rim, &rim->loops[index - rim->leaf_first], p);
        } else {
            stack[depth++] = 2 * index + 1;
            stack[depth++] = 2 * index + 2;
        }
    }
    return sum * (float)(0.25 / GTI_PI);
}
