// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Isotropic remeshing (Botsch and Kobbelt 2004): split what is too long, collapse what is too short, flip to better
// triangles, let vertices glide to the middle of their neighbours and back onto the field. The scale of the wanted
// sizes follows the count: it is estimated from the area, corrected after every round, and the last edges are split or
// collapsed one by one. Regions are cut in once the mesh has its size. Everything is in fixed order, so the same input
// gives the same bytes on any number of threads.

#include "geometry/remesh.h"

#include "geometry/live_mesh.h"

#include <stdlib.h>
#include <string.h>

#define LONG_RATIO  1.35f
#define SHORT_RATIO 0.75f
#define MAX_RATIO   1.6f

enum {
    FLIP_PASSES = 4,
    COARSE_PASSES = 8,
    MIN_ROUNDS = 3,
    MAX_ROUNDS = 12,
    REGION_ROUNDS = 3,
    POLISH_ROUNDS = 3,
};

typedef struct Remesh {
    const GtiRemeshDef* def;
    GtiLiveMesh surface;
    GtVec3* moved;        // [vertex_capacity] where relaxing puts the vertices
    uint8_t* flipped;     // [triangle_capacity] the pass in which an edge was flipped there
    const uint8_t* fixed; // [vertex_count] not 0 for those that stay, or NULL
    float scale;          // of relative sizes
} Remesh;

static GtVec3 in_plane(GtVec3 p, bool boundary)
{
    return boundary ? gt_vec3(0.0f, p.y, p.z) : p;
}

static GtVec3 project(const Remesh* r, GtVec3 p, float reach, bool boundary, GtVec3* gradient)
{
    const GtiRemeshDef* def = r->def;
    GtVec3 q = in_plane(gti_field_project(&def->field, p, def->tolerance, reach, gradient), boundary);
    return boundary ? in_plane(gti_field_project(&def->field, q, def->tolerance, reach, gradient), true) : q;
}

// Whether the field rises to where the surface looks. Across a narrow gap lies another part of it, that looks back.
static bool same_side(GtVec3 normal, GtVec3 gradient)
{
    float dot = gt_vec3_dot(normal, gradient);
    return dot > 0.0f && dot * dot > 0.04f * gt_vec3_dot(normal, normal) * gt_vec3_dot(gradient, gradient);
}

static GtVec3 corner_normal(const GtiLiveMesh* s, int32_t c)
{
    const int32_t* t = s->triangles[c / 3];
    return gt_vec3_cross(gt_vec3_sub(s->positions[t[1]], s->positions[t[0]]),
                         gt_vec3_sub(s->positions[t[2]], s->positions[t[0]]));
}

static GtVec3 edge_normal(const GtiLiveMesh* s, int32_t c)
{
    int32_t opposite = gti_corner_opposite(s, c);
    GtVec3 normal = corner_normal(s, c);
    return opposite < 0 ? normal : gt_vec3_add(normal, corner_normal(s, opposite));
}

static float edge_length(const GtiLiveMesh* s, int32_t corner)
{
    return gt_vec3_length(gt_vec3_sub(s->positions[gti_corner_vertex(s, corner)],
                                      s->positions[gti_corner_vertex(s, gti_next_corner(corner))]));
}

// Length against the smaller of the sizes wanted at its ends.
static float edge_ratio(const GtiLiveMesh* s, int32_t corner)
{
    float a = s->sizes[gti_corner_vertex(s, corner)];
    float b = s->sizes[gti_corner_vertex(s, gti_next_corner(corner))];
    return edge_length(s, corner) / fmaxf(fminf(a, b), 1e-9f);
}

// Whether the corner stands for its edge: each edge is looked at once.
static bool is_edge(const GtiLiveMesh* s, int32_t corner)
{
    return gti_corner_live(s, corner) && gti_corner_opposite(s, corner) < corner;
}

static void size_vertices(void* data, int32_t first, int32_t end)
{
    Remesh* r = data;
    for (int32_t v = first; v < end; ++v) {
        if (r->surface.corners[v] >= 0) {
            r->surface.sizes[v] = r->scale * r->def->size(r->def->user, r->surface.positions[v]);
        }
    }
}

static void update_sizes(Remesh* r)
{
    gt_executor_run(r->def->executor, r->surface.vertex_count, 2048, size_vertices, r);
}

// Triangles that the wanted sizes ask for.
static double wanted_triangles(const Remesh* r)
{
    const GtiLiveMesh* s = &r->surface;
    double sum = 0.0;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* v = s->triangles[t];
        if (v[0] < 0) {
            continue;
        }
        GtVec3 u = gt_vec3_sub(s->positions[v[1]], s->positions[v[0]]);
        GtVec3 w = gt_vec3_sub(s->positions[v[2]], s->positions[v[0]]);
        double size = (double)(s->sizes[v[0]] + s->sizes[v[1]] + s->sizes[v[2]]) / 3.0;
        sum += 0.5 * (double)gt_vec3_length(gt_vec3_cross(u, w)) / (0.4330127 * size * size);
    }
    return sum;
}

static int32_t split_edge(Remesh* r, int32_t corner)
{
    GtiLiveMesh* s = &r->surface;
    int32_t a = gti_corner_vertex(s, corner);
    int32_t b = gti_corner_vertex(s, gti_next_corner(corner));
    GtVec3 middle = gt_vec3_lerp(s->positions[a], s->positions[b], 0.5f);
    float length = edge_length(s, corner);
    GtVec3 gradient;
    GtVec3 p = project(r, middle, 0.3f * length, gti_corner_opposite(s, corner) < 0, &gradient);
    // Halves that are not clearly shorter would be split for ever.
    if (!same_side(edge_normal(s, corner), gradient) ||
        !(fmaxf(gt_vec3_length(gt_vec3_sub(p, s->positions[a])), gt_vec3_length(gt_vec3_sub(p, s->positions[b]))) <
          0.7f * length)) {
        p = middle;
    }
    return gti_live_mesh_split(s, corner, p, r->scale * r->def->size(r->def->user, p));
}

// Edges are halved once a pass: flips and relaxing between passes keep the triangles in shape.
static void split_long(Remesh* r, float ratio)
{
    GtiLiveMesh* s = &r->surface;
    int32_t end = 3 * s->triangle_count;
    for (int32_t c = 0; c < end; ++c) {
        if (is_edge(s, c) && edge_ratio(s, c) > ratio && split_edge(r, c) < 0) {
            return;
        }
    }
}

// Two vertices inside regions meet half-way; relaxing brings them back onto the field. Otherwise one of them stays.
static bool collapse_edge(Remesh* r, int32_t corner, float max_ratio)
{
    GtiLiveMesh* s = &r->surface;
    int32_t a = gti_corner_vertex(s, corner);
    int32_t b = gti_corner_vertex(s, gti_next_corner(corner));
    GtiRing rings[2];
    if (!gti_live_mesh_ring(s, a, &rings[0]) || !gti_live_mesh_ring(s, b, &rings[1])) {
        return false;
    }
    if (rings[0].crease_count == 0 && rings[1].crease_count == 0) {
        GtVec3 middle = gt_vec3_lerp(s->positions[a], s->positions[b], 0.5f);
        return gti_live_mesh_collapse(s, corner, true, rings, middle, max_ratio);
    }
    return gti_live_mesh_collapse(s, corner, true, rings, s->positions[b], max_ratio) ||
           gti_live_mesh_collapse(s, corner, false, rings, s->positions[a], max_ratio);
}

static void collapse_short(Remesh* r, float ratio)
{
    GtiLiveMesh* s = &r->surface;
    for (int32_t c = 0; c < 3 * s->triangle_count; ++c) {
        if (is_edge(s, c) && edge_ratio(s, c) < ratio) {
            collapse_edge(r, c, MAX_RATIO);
        }
    }
}

static void mark_around(const GtiLiveMesh* s, int32_t triangle, uint8_t* marks, uint8_t pass)
{
    marks[triangle] = pass;
    for (int i = 0; i < 3; ++i) {
        int32_t opposite = s->opposites[triangle][i];
        if (opposite >= 0) {
            marks[opposite / 3] = pass;
        }
    }
}

// After the first pass only edges are looked at that a flip was next to, in this pass or the one before.
static void flip_all(Remesh* r, int passes)
{
    GtiLiveMesh* s = &r->surface;
    memset(r->flipped, 0, (size_t)s->triangle_count);
    for (int pass = 1; pass <= passes; ++pass) {
        bool any = false;
        for (int32_t c = 0; c < 3 * s->triangle_count; ++c) {
            int32_t opposite = gti_corner_live(s, c) ? gti_corner_opposite(s, c) : INT32_MAX;
            if (opposite >= c || opposite < 0 ||
                (r->flipped[c / 3] + 1 < pass && r->flipped[opposite / 3] + 1 < pass) || !gti_live_mesh_flip(s, c)) {
                continue;
            }
            mark_around(s, c / 3, r->flipped, (uint8_t)pass);
            mark_around(s, opposite / 3, r->flipped, (uint8_t)pass);
            any = true;
        }
        if (!any) {
            return;
        }
    }
}

// On a crease: towards the middle of the two neighbours on it, which also makes the crease a smooth line.
static GtVec3 relaxed_on_crease(const GtiLiveMesh* s, const GtiRing* ring, GtVec3 p)
{
    GtVec3 ends[2] = { p, p };
    int found = 0;
    for (int i = 0; i < ring->count && found < 2; ++i) {
        int32_t c = ring->corners[i];
        if (gti_corner_crease(s, c)) {
            ends[found++] = s->positions[gti_corner_vertex(s, gti_next_corner(c))];
        }
        if (found < 2 && gti_corner_opposite(s, gti_prev_corner(c)) < 0) {
            ends[found++] = s->positions[gti_corner_vertex(s, gti_prev_corner(c))];
        }
    }
    return gt_vec3_lerp(p, gt_vec3_lerp(ends[0], ends[1], 0.5f), 0.5f);
}

// Towards the mean of the triangles around, each by its area in units of its wanted size, along the surface.
static GtVec3 relaxed_inside(const GtiLiveMesh* s, const GtiRing* ring, GtVec3 p)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    GtVec3 normal = sum;
    float total = 0.0f;
    for (int i = 0; i < ring->count; ++i) {
        int32_t a = gti_corner_vertex(s, gti_next_corner(ring->corners[i]));
        int32_t b = gti_corner_vertex(s, gti_prev_corner(ring->corners[i]));
        GtVec3 u = gt_vec3_sub(s->positions[a], p);
        GtVec3 v = gt_vec3_sub(s->positions[b], p);
        GtVec3 cross = gt_vec3_cross(u, v);
        float size = s->sizes[a] + s->sizes[b];
        float weight = gt_vec3_length(cross) / fmaxf(size * size, 1e-18f);
        normal = gt_vec3_add(normal, cross);
        sum = gt_vec3_add(sum, gt_vec3_scale(gt_vec3_add(u, v), weight / 3.0f));
        total += weight;
    }
    if (!(total > 0.0f)) {
        return p;
    }
    GtVec3 way = gt_vec3_scale(sum, 1.0f / total);
    normal = gt_vec3_normalize_or(normal, gt_vec3(0.0f, 0.0f, 0.0f));
    return gt_vec3_add(p, gt_vec3_sub(way, gt_vec3_scale(normal, gt_vec3_dot(normal, way))));
}

static GtVec3 ring_normal(const GtiLiveMesh* s, const GtiRing* ring)
{
    GtVec3 normal = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int i = 0; i < ring->count; ++i) {
        normal = gt_vec3_add(normal, corner_normal(s, ring->corners[i]));
    }
    return normal;
}

// The move is taken back where it would turn a triangle over.
static bool move_is_safe(const GtiLiveMesh* s, const GtiRing* ring, GtVec3 p, GtVec3 q)
{
    for (int i = 0; i < ring->count; ++i) {
        GtVec3 a = s->positions[gti_corner_vertex(s, gti_next_corner(ring->corners[i]))];
        GtVec3 b = s->positions[gti_corner_vertex(s, gti_prev_corner(ring->corners[i]))];
        GtVec3 before = gt_vec3_cross(gt_vec3_sub(a, p), gt_vec3_sub(b, p));
        GtVec3 after = gt_vec3_cross(gt_vec3_sub(a, q), gt_vec3_sub(b, q));
        float size = gt_vec3_length(before) * gt_vec3_length(after);
        if (!(gt_vec3_dot(before, after) > 0.5f * size)) {
            return gti_triangle_quality(q, a, b) > 0.3f && gti_triangle_quality(p, a, b) < 0.1f;
        }
    }
    return true;
}

// The place on the zero level next to `q`, where the vertex can go there.
static bool move_onto(const Remesh* r, int32_t v, const GtiRing* ring, GtVec3 q, GtVec3* out)
{
    const GtiLiveMesh* s = &r->surface;
    GtVec3 gradient;
    q = project(r, q, 0.5f * s->sizes[v], ring->boundary, &gradient);
    bool may = same_side(ring_normal(s, ring), gradient) && move_is_safe(s, ring, s->positions[v], q) &&
               (ring->boundary || q.x > 0.0f);
    *out = may ? q : *out;
    return may;
}

static void relax_vertices(void* data, int32_t first, int32_t end)
{
    Remesh* r = data;
    const GtiLiveMesh* s = &r->surface;
    for (int32_t v = first; v < end; ++v) {
        GtVec3 p = s->positions[v];
        r->moved[v] = p;
        GtiRing ring;
        if (s->corners[v] < 0 || (r->fixed && r->fixed[v]) || !gti_live_mesh_ring(s, v, &ring)) {
            continue;
        }
        GtVec3 q = p;
        if (ring.crease_count == 0) {
            q = relaxed_inside(s, &ring, p);
            q.x = q.x < 0.2f * s->sizes[v] && p.x > 0.0f ? fmaxf(q.x, fminf(p.x, 0.2f * s->sizes[v])) : q.x;
        } else if (ring.crease_count == 2) {
            q = relaxed_on_crease(s, &ring, p);
        }
        // Where it cannot glide, let it at least sink onto the level where it is.
        if (!move_onto(r, v, &ring, q, &r->moved[v])) {
            move_onto(r, v, &ring, p, &r->moved[v]);
        }
    }
}

static void relax(Remesh* r)
{
    gt_executor_run(r->def->executor, r->surface.vertex_count, 512, relax_vertices, r);
    memcpy(r->surface.positions, r->moved, (size_t)r->surface.vertex_count * sizeof *r->moved);
}

// Where the region changes between two points of different regions.
static float crossing(const GtiRemeshDef* def, GtVec3 a, GtVec3 b, uint8_t label_a)
{
    float low = 0.0f;
    float high = 1.0f;
    for (int i = 0; i < 12; ++i) {
        float middle = 0.5f * (low + high);
        if (def->label(def->user, gt_vec3_lerp(a, b, middle)) == label_a) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5f * (low + high);
}

enum {
    BETWEEN = 255 // label of a vertex on the border of regions
};

static void snap_to_borders(Remesh* r, uint8_t* labels)
{
    GtiLiveMesh* s = &r->surface;
    for (int32_t c = 0; c < 3 * s->triangle_count; ++c) {
        int32_t ends[2] = { gti_corner_vertex(s, c), gti_corner_vertex(s, gti_next_corner(c)) };
        if (!is_edge(s, c) || labels[ends[0]] == BETWEEN || labels[ends[1]] == BETWEEN ||
            labels[ends[0]] == labels[ends[1]]) {
            continue;
        }
        GtVec3 a = s->positions[ends[0]];
        GtVec3 b = s->positions[ends[1]];
        float at = crossing(r->def, a, b, labels[ends[0]]);
        int32_t mover = at < 0.38f ? ends[0] : at > 0.62f ? ends[1] : -1;
        GtiRing ring;
        if (mover < 0 || !gti_live_mesh_ring(s, mover, &ring) || (ring.boundary && gti_corner_opposite(s, c) >= 0)) {
            continue;
        }
        GtVec3 gradient;
        GtVec3 q = project(r, gt_vec3_lerp(a, b, at), 0.3f * edge_length(s, c), ring.boundary, &gradient);
        if (same_side(edge_normal(s, c), gradient) && move_is_safe(s, &ring, s->positions[mover], q)) {
            s->positions[mover] = q;
            labels[mover] = BETWEEN;
        }
    }
}

static bool split_at_borders(Remesh* r, uint8_t* labels)
{
    GtiLiveMesh* s = &r->surface;
    int32_t end = 3 * s->triangle_count;
    for (int32_t c = 0; c < end; ++c) {
        int32_t a = gti_corner_vertex(s, c);
        int32_t b = gti_corner_vertex(s, gti_next_corner(c));
        if (!is_edge(s, c) || labels[a] == BETWEEN || labels[b] == BETWEEN || labels[a] == labels[b]) {
            continue;
        }
        float at = crossing(r->def, s->positions[a], s->positions[b], labels[a]);
        GtVec3 p = gt_vec3_lerp(s->positions[a], s->positions[b], at);
        GtVec3 gradient;
        GtVec3 q = project(r, p, 0.3f * edge_length(s, c), gti_corner_opposite(s, c) < 0, &gradient);
        p = same_side(edge_normal(s, c), gradient) ? q : p;
        int32_t m = gti_live_mesh_split(s, c, p, r->scale * r->def->size(r->def->user, p));
        if (m < 0) {
            return false;
        }
        labels[m] = BETWEEN;
    }
    return true;
}

// Cut the mesh along the borders of the regions and label its triangles.
static bool cut_regions(Remesh* r, GtArena* scratch)
{
    GtiLiveMesh* s = &r->surface;
    uint8_t* labels = gt_arena_push(scratch, (size_t)s->vertex_capacity);
    if (!labels) {
        return false;
    }
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        labels[v] = s->corners[v] < 0 ? 0 : r->def->label(r->def->user, s->positions[v]);
    }
    snap_to_borders(r, labels);
    while (split_at_borders(r, labels)) {
        bool done = true;
        for (int32_t c = 0; c < 3 * s->triangle_count && done; ++c) {
            uint8_t a = gti_corner_live(s, c) ? labels[gti_corner_vertex(s, c)] : BETWEEN;
            uint8_t b = gti_corner_live(s, c) ? labels[gti_corner_vertex(s, gti_next_corner(c))] : BETWEEN;
            done = a == BETWEEN || b == BETWEEN || a == b;
        }
        if (done) {
            break;
        }
    }
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* v = s->triangles[t];
        if (v[0] < 0) {
            continue;
        }
        uint8_t label = labels[v[0]] != BETWEEN ? labels[v[0]] : labels[v[1]] != BETWEEN ? labels[v[1]] : labels[v[2]];
        GtVec3 sum = gt_vec3_add(gt_vec3_add(s->positions[v[0]], s->positions[v[1]]), s->positions[v[2]]);
        s->labels[t] = label != BETWEEN ? label : r->def->label(r->def->user, gt_vec3_scale(sum, 1.0f / 3.0f));
    }
    return true;
}

// Collapse the shortest edge of triangles that are far from equilateral.
static void remove_slivers(Remesh* r)
{
    GtiLiveMesh* s = &r->surface;
    for (int32_t t = 0; t < s->triangle_count; ++t) {
        const int32_t* v = s->triangles[t];
        if (v[0] < 0 || gti_triangle_quality(s->positions[v[0]], s->positions[v[1]], s->positions[v[2]]) > 0.45f) {
            continue;
        }
        int32_t shortest = 3 * t;
        for (int32_t c = 3 * t + 1; c < 3 * t + 3; ++c) {
            shortest = edge_length(s, c) < edge_length(s, shortest) ? c : shortest;
        }
        collapse_edge(r, shortest, 2.5f);
    }
}

typedef struct RankedEdge {
    float ratio;
    int32_t corner;
} RankedEdge;

static int compare_ranked(const void* a, const void* b)
{
    const RankedEdge* p = a;
    const RankedEdge* q = b;
    if (p->ratio != q->ratio) {
        return p->ratio < q->ratio ? -1 : 1;
    }
    return (p->corner > q->corner) - (p->corner < q->corner);
}

// Split the longest or collapse the shortest edges until the count is met.
static bool meet_count(Remesh* r, GtArena* scratch)
{
    GtiLiveMesh* s = &r->surface;
    GtArenaMark mark = gt_arena_mark(scratch);
    RankedEdge* edges = gt_arena_push(scratch, 3 * (size_t)s->triangle_count * sizeof *edges);
    if (!edges) {
        return false;
    }
    int32_t count = 0;
    for (int32_t c = 0; c < 3 * s->triangle_count; ++c) {
        if (is_edge(s, c)) {
            edges[count++] = (RankedEdge){ edge_ratio(s, c), c };
        }
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_ranked);
    int32_t wanted = r->def->triangle_count;
    for (int32_t i = 0; i < count && s->live_count > wanted; ++i) {
        if (is_edge(s, edges[i].corner) && edge_ratio(s, edges[i].corner) <= 1.1f * edges[i].ratio) {
            collapse_edge(r, edges[i].corner, 2.5f);
        }
    }
    for (int32_t i = count - 1; i >= 0 && s->live_count < wanted - 1; --i) {
        if (is_edge(s, edges[i].corner) && edge_ratio(s, edges[i].corner) >= 0.9f * edges[i].ratio) {
            split_edge(r, edges[i].corner);
        }
    }
    gt_arena_reset(scratch, mark);
    return true;
}

// Corners are compared by number to look at each edge once, so removed triangles may stay where they are; but half a
// million of them need not be walked over in every pass.
static bool compact(Remesh* r, GtArena* scratch, int32_t capacity)
{
    GtiTrimesh mesh;
    uint8_t* labels;
    if (!gti_live_mesh_extract(&r->surface, scratch, &mesh, &labels)) {
        return false;
    }
    if (!gti_live_mesh_create(&mesh, capacity, scratch, &r->surface)) {
        return false;
    }
    memcpy(r->surface.labels, labels, (size_t)mesh.triangle_count);
    r->moved = gt_arena_push(scratch, (size_t)r->surface.vertex_capacity * sizeof *r->moved);
    update_sizes(r);
    return r->moved != NULL;
}

// What marching left is uneven, and often far finer than wanted: collapse until little more gives way.
static void coarsen(Remesh* r)
{
    for (int pass = 0; pass < COARSE_PASSES; ++pass) {
        int32_t before = r->surface.live_count;
        r->scale *= (float)sqrt(wanted_triangles(r) / r->def->triangle_count);
        update_sizes(r);
        collapse_short(r, SHORT_RATIO);
        flip_all(r, 1);
        if (r->surface.live_count > before - before / 8) {
            break;
        }
    }
    relax(r);
    flip_all(r, FLIP_PASSES);
}

// One round towards a scale of sizes that makes `count` triangles into as many as are wanted.
static void run_round(Remesh* r, double count)
{
    r->scale *= (float)sqrt(count / r->def->triangle_count);
    update_sizes(r);
    split_long(r, LONG_RATIO);
    collapse_short(r, SHORT_RATIO);
    flip_all(r, FLIP_PASSES);
    relax(r);
    update_sizes(r);
}

static bool run_rounds(Remesh* r, GtArena* scratch)
{
    update_sizes(r);
    coarsen(r);
    bool ok = compact(r, scratch, r->surface.triangle_capacity);
    for (int round = 0; round < MAX_ROUNDS && ok; ++round) {
        int32_t before = r->surface.live_count;
        run_round(r, wanted_triangles(r));
        if (round + 1 >= MIN_ROUNDS && abs(r->surface.live_count - before) < before / 20) {
            break;
        }
    }
    if (ok && r->def->label) {
        ok = cut_regions(r, scratch);
    }
    for (int round = 0; round < REGION_ROUNDS && ok; ++round) {
        run_round(r, r->surface.live_count);
    }
    for (int round = 0; round < POLISH_ROUNDS && ok; ++round) {
        remove_slivers(r);
        ok = meet_count(r, scratch);
        flip_all(r, FLIP_PASSES);
        relax(r);
        update_sizes(r);
    }
    if (ok) {
        flip_all(r, FLIP_PASSES);
    }
    return ok;
}

bool gti_remesh(const GtiRemeshDef* def, GtArena* arena, GtiTrimesh* mesh, uint8_t** labels)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    Remesh r = { .def = def, .scale = 1.0f };
    int32_t capacity = mesh->triangle_count + 2 * def->triangle_count + 1024;
    bool ok = gti_live_mesh_create(mesh, capacity, &scratch, &r.surface);
    r.moved = ok ? gt_arena_push(&scratch, (size_t)r.surface.vertex_capacity * sizeof *r.moved) : NULL;
    r.flipped = ok ? gt_arena_push(&scratch, (size_t)r.surface.triangle_capacity) : NULL;
    ok = r.moved && r.flipped && run_rounds(&r, &scratch) && gti_live_mesh_extract(&r.surface, arena, mesh, labels) &&
         gti_untangle(arena->allocator, mesh);
    gt_arena_destroy(&scratch);
    return ok;
}

bool gti_relax(const GtiRemeshDef* def, int rounds, const uint8_t* fixed, const uint8_t* labels, GtAllocator allocator,
               GtiTrimesh* mesh)
{
    GtArena scratch = gt_arena_create(allocator);
    Remesh r = { .def = def, .scale = 1.0f, .fixed = fixed };
    bool ok = gti_live_mesh_create(mesh, mesh->triangle_count, &scratch, &r.surface);
    r.moved = ok ? gt_arena_push(&scratch, (size_t)r.surface.vertex_capacity * sizeof *r.moved) : NULL;
    if (r.moved) {
        if (labels) {
            memcpy(r.surface.labels, labels, (size_t)mesh->triangle_count);
        }
        for (int round = 0; round < rounds; ++round) {
            update_sizes(&r);
            relax(&r);
        }
        memcpy(mesh->positions, r.surface.positions, (size_t)mesh->vertex_count * sizeof *mesh->positions);
    }
    gt_arena_destroy(&scratch);
    return r.moved != NULL;
}
