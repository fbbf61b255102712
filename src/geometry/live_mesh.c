// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Operations of Hoppe's mesh optimisation on a corner table (Rossignac). A collapse keeps the manifold when the two
// ends have exactly the apexes of their common triangles as common neighbours (the link condition).

#include "geometry/live_mesh.h"

#include <string.h>

static void link_corners(GtiLiveMesh* s, int32_t a, int32_t b)
{
    if (a >= 0) {
        s->opposites[a / 3][a % 3] = b;
    }
    if (b >= 0) {
        s->opposites[b / 3][b % 3] = a;
    }
}

// Pair the corners of equal edges by the lists of edges that leave each vertex.
static bool link_all(GtiLiveMesh* s, GtAllocator allocator)
{
    GtArena scratch = gt_arena_create(allocator);
    int32_t corner_count = 3 * s->triangle_count;
    int32_t* heads = gt_arena_push(&scratch, (size_t)s->vertex_count * sizeof *heads);
    int32_t* nexts = gt_arena_push(&scratch, (size_t)corner_count * sizeof *nexts);
    bool ok = heads && nexts;
    if (ok) {
        memset(heads, 0xFF, (size_t)s->vertex_count * sizeof *heads);
        for (int32_t c = 0; c < corner_count; ++c) {
            int32_t v = gti_corner_vertex(s, c);
            nexts[c] = heads[v];
            heads[v] = c;
            s->corners[v] = c;
            s->opposites[c / 3][c % 3] = -1;
        }
        for (int32_t c = 0; c < corner_count; ++c) {
            int32_t from = gti_corner_vertex(s, c);
            int32_t to = gti_corner_vertex(s, gti_next_corner(c));
            for (int32_t d = heads[to]; d >= 0 && from < to; d = nexts[d]) {
                if (gti_corner_vertex(s, gti_next_corner(d)) == from) {
                    link_corners(s, c, d);
                }
            }
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}

bool gti_live_mesh_create(const GtiTrimesh* mesh, int32_t triangle_capacity, GtArena* arena, GtiLiveMesh* out)
{
    int32_t triangles = triangle_capacity > mesh->triangle_count ? triangle_capacity : mesh->triangle_count;
    int32_t vertices = mesh->vertex_count + (triangles - mesh->triangle_count) + 16;
    *out = (GtiLiveMesh){
        .positions = gt_arena_push(arena, (size_t)vertices * sizeof *out->positions),
        .sizes = gt_arena_push(arena, (size_t)vertices * sizeof *out->sizes),
        .corners = gt_arena_push(arena, (size_t)vertices * sizeof *out->corners),
        .vertex_count = mesh->vertex_count,
        .vertex_capacity = vertices,
        .triangles = gt_arena_push(arena, (size_t)triangles * sizeof *out->triangles),
        .opposites = gt_arena_push(arena, (size_t)triangles * sizeof *out->opposites),
        .labels = gt_arena_push_array(arena, (size_t)triangles, sizeof *out->labels),
        .triangle_count = mesh->triangle_count,
        .triangle_capacity = triangles,
        .live_count = mesh->triangle_count,
    };
    if (!out->positions || !out->sizes || !out->corners || !out->triangles || !out->opposites || !out->labels) {
        return false;
    }
    memcpy(out->positions, mesh->positions, (size_t)mesh->vertex_count * sizeof *out->positions);
    memcpy(out->triangles, mesh->triangles, (size_t)mesh->triangle_count * sizeof *out->triangles);
    memset(out->sizes, 0, (size_t)vertices * sizeof *out->sizes);
    memset(out->corners, 0xFF, (size_t)vertices * sizeof *out->corners);
    return link_all(out, arena->allocator);
}

bool gti_live_mesh_extract(const GtiLiveMesh* s, GtArena* arena, GtiTrimesh* mesh, uint8_t** labels)
{
    GtArena scratch = gt_arena_create(arena->allocator);
    int32_t* renamed = gt_arena_push(&scratch, (size_t)s->vertex_count * sizeof *renamed);
    *mesh = (GtiTrimesh){
        .positions = gt_arena_push(arena, (size_t)s->vertex_count * sizeof *mesh->positions),
        .triangles = gt_arena_push(arena, (size_t)s->live_count * sizeof *mesh->triangles),
    };
    uint8_t* kept = gt_arena_push(arena, (size_t)s->live_count);
    bool ok = renamed && mesh->positions && mesh->triangles && kept;
    if (ok) {
        memset(renamed, 0xFF, (size_t)s->vertex_count * sizeof *renamed);
        for (int32_t t = 0; t < s->triangle_count; ++t) {
            if (s->triangles[t][0] < 0) {
                continue;
            }
            for (int i = 0; i < 3; ++i) {
                int32_t v = s->triangles[t][i];
                if (renamed[v] < 0) {
                    renamed[v] = mesh->vertex_count;
                    mesh->positions[mesh->vertex_count++] = s->positions[v];
                }
                mesh->triangles[mesh->triangle_count][i] = renamed[v];
            }
            kept[mesh->triangle_count++] = s->labels[t];
        }
        if (labels) {
            *labels = kept;
        }
    }
    gt_arena_destroy(&scratch);
    return ok;
}

bool gti_live_mesh_ring(const GtiLiveMesh* s, int32_t vertex, GtiRing* out)
{
    out->count = 0;
    out->boundary = false;
    out->crease_count = 0;
    int32_t start = s->corners[vertex];
    for (int32_t c = start;;) {
        if (out->count == GTI_MAX_RING) {
            return false;
        }
        out->corners[out->count++] = c;
        int32_t before = gti_prev_corner(c);
        out->crease_count += gti_corner_crease(s, before);
        c = gti_corner_opposite(s, before);
        if (c == start) {
            return true;
        }
        if (c < 0) {
            break;
        }
    }
    out->boundary = true;
    for (int32_t c = start;;) {
        out->crease_count += gti_corner_crease(s, c);
        int32_t opposite = gti_corner_opposite(s, c);
        if (opposite < 0) {
            return true;
        }
        if (out->count == GTI_MAX_RING) {
            return false;
        }
        c = gti_next_corner(opposite);
        out->corners[out->count++] = c;
    }
}

float gti_triangle_quality(GtVec3 a, GtVec3 b, GtVec3 c)
{
    GtVec3 u = gt_vec3_sub(b, a);
    GtVec3 v = gt_vec3_sub(c, a);
    GtVec3 w = gt_vec3_sub(c, b);
    float squares = gt_vec3_dot(u, u) + gt_vec3_dot(v, v) + gt_vec3_dot(w, w);
    return squares > 0.0f ? 3.46410162f * gt_vec3_length(gt_vec3_cross(u, v)) / squares : 0.0f;
}

static int32_t new_triangle(GtiLiveMesh* s, int32_t a, int32_t b, int32_t c, uint8_t label)
{
    int32_t t = s->triangle_count++;
    ++s->live_count;
    s->triangles[t][0] = a;
    s->triangles[t][1] = b;
    s->triangles[t][2] = c;
    s->labels[t] = label;
    return t;
}

// Cut the triangle of corner `c` (a, b, apex) into (a, m, apex) and, returned, (m, b, apex).
static int32_t cut_at_start(GtiLiveMesh* s, int32_t c, int32_t m)
{
    int32_t after = gti_next_corner(c);
    int32_t apex = gti_corner_vertex(s, gti_prev_corner(c));
    int32_t b = gti_corner_vertex(s, after);
    int32_t outer = gti_corner_opposite(s, after);
    int32_t t = new_triangle(s, m, b, apex, s->labels[c / 3]);
    s->triangles[after / 3][after % 3] = m;
    link_corners(s, 3 * t + 1, outer);
    link_corners(s, 3 * t + 2, after);
    s->corners[b] = 3 * t + 1;
    s->corners[m] = 3 * t;
    return t;
}

int32_t gti_live_mesh_split(GtiLiveMesh* s, int32_t corner, GtVec3 position, float size)
{
    if (s->triangle_count + 2 > s->triangle_capacity || s->vertex_count >= s->vertex_capacity) {
        return -1;
    }
    int32_t m = s->vertex_count++;
    s->positions[m] = position;
    s->sizes[m] = size;
    int32_t twin = gti_corner_opposite(s, corner);
    int32_t a = gti_corner_vertex(s, corner);
    int32_t here = cut_at_start(s, corner, m);
    if (twin < 0) {
        s->opposites[here][0] = -1;
        return m;
    }
    int32_t there = cut_at_start(s, twin, m); // (b, m, apex) stays, (m, a, apex) is new
    link_corners(s, corner, 3 * there);
    link_corners(s, 3 * here, twin);
    s->corners[a] = corner;
    return m;
}

static bool ring_has_edge_to(const GtiLiveMesh* s, const GtiRing* ring, int32_t vertex)
{
    for (int i = 0; i < ring->count; ++i) {
        if (gti_corner_vertex(s, gti_next_corner(ring->corners[i])) == vertex ||
            (ring->boundary && gti_corner_vertex(s, gti_prev_corner(ring->corners[i])) == vertex)) {
            return true;
        }
    }
    return false;
}

static bool on_boundary(const GtiLiveMesh* s, int32_t vertex)
{
    GtiRing ring;
    return !gti_live_mesh_ring(s, vertex, &ring) || ring.boundary;
}

// Triangles of the ring other than the two that vanish keep their side and their shape when its vertex moves.
static bool ring_stays_good(const GtiLiveMesh* s, const GtiRing* ring, int32_t vertex, GtVec3 position, int32_t gone_a,
                            int32_t gone_b, float max_length)
{
    for (int i = 0; i < ring->count; ++i) {
        int32_t c = ring->corners[i];
        if (c / 3 == gone_a || c / 3 == gone_b) {
            continue;
        }
        GtVec3 p = s->positions[gti_corner_vertex(s, gti_next_corner(c))];
        GtVec3 q = s->positions[gti_corner_vertex(s, gti_prev_corner(c))];
        GtVec3 old_position = s->positions[vertex];
        GtVec3 before = gt_vec3_cross(gt_vec3_sub(p, old_position), gt_vec3_sub(q, old_position));
        GtVec3 after = gt_vec3_cross(gt_vec3_sub(p, position), gt_vec3_sub(q, position));
        float size = gt_vec3_length(before) * gt_vec3_length(after);
        if (!(gt_vec3_dot(before, after) > 0.5f * size)) {
            return false;
        }
        float quality = gti_triangle_quality(position, p, q);
        if (quality < 0.35f && quality < gti_triangle_quality(old_position, p, q)) {
            return false;
        }
        if (gt_vec3_length(gt_vec3_sub(p, position)) > max_length) {
            return false;
        }
    }
    return true;
}

// The link condition, and no new edge between two vertices of the boundary.
static bool may_collapse(const GtiLiveMesh* s, int32_t corner, int32_t removed, int32_t kept, const GtiRing* ring,
                         const GtiRing* kept_ring)
{
    int32_t twin = gti_corner_opposite(s, corner);
    int32_t apex = gti_corner_vertex(s, gti_prev_corner(corner));
    int32_t twin_apex = twin < 0 ? -1 : gti_corner_vertex(s, gti_prev_corner(twin));
    if (ring->crease_count > 0 && (ring->crease_count != 2 || !gti_corner_crease(s, corner))) {
        return false;
    }
    if (ring->boundary && kept_ring->boundary && twin >= 0) {
        return false;
    }
    for (int i = 0; i < ring->count; ++i) {
        for (int side = 0; side < (ring->boundary ? 2 : 1); ++side) {
            int32_t c = side ? gti_prev_corner(ring->corners[i]) : gti_next_corner(ring->corners[i]);
            int32_t v = gti_corner_vertex(s, c);
            if (v == kept || v == removed || v == apex || v == twin_apex) {
                continue;
            }
            if (ring_has_edge_to(s, kept_ring, v) || (kept_ring->boundary && !ring->boundary && on_boundary(s, v))) {
                return false;
            }
        }
    }
    const int32_t apexes[2] = { apex, twin_apex };
    for (int i = 0; i < 2; ++i) {
        GtiRing apex_ring;
        if (apexes[i] >= 0 &&
            (!gti_live_mesh_ring(s, apexes[i], &apex_ring) || apex_ring.count <= (apex_ring.boundary ? 1 : 3))) {
            return false;
        }
    }
    return apex != twin_apex && ring->count + kept_ring->count - 4 < GTI_MAX_RING;
}

// Take out the triangle of `corner`, whose edge has shrunk to a point, and join its two neighbours.
static void remove_triangle(GtiLiveMesh* s, int32_t corner)
{
    int32_t after = gti_corner_opposite(s, gti_next_corner(corner));
    int32_t before = gti_corner_opposite(s, gti_prev_corner(corner));
    int32_t apex = gti_corner_vertex(s, gti_prev_corner(corner));
    link_corners(s, after, before);
    if (after >= 0) {
        s->corners[apex] = after;
    } else {
        s->corners[apex] = gti_next_corner(before);
    }
    memset(s->triangles[corner / 3], 0xFF, sizeof s->triangles[0]);
    --s->live_count;
}

bool gti_live_mesh_collapse(GtiLiveMesh* s, int32_t corner, bool forward, const GtiRing rings[2], GtVec3 position,
                            float max_ratio)
{
    int32_t from = gti_corner_vertex(s, corner);
    int32_t to = gti_corner_vertex(s, gti_next_corner(corner));
    int32_t removed = forward ? from : to;
    int32_t kept = forward ? to : from;
    int32_t twin = gti_corner_opposite(s, corner);
    const GtiRing* ring = &rings[!forward];
    const GtiRing* kept_ring = &rings[forward];
    float max_length = max_ratio * s->sizes[kept];
    int32_t twin_triangle = twin < 0 ? -1 : twin / 3;
    if (!ring_stays_good(s, ring, removed, position, corner / 3, twin_triangle, max_length) ||
        !ring_stays_good(s, kept_ring, kept, position, corner / 3, twin_triangle, max_length) ||
        !may_collapse(s, corner, removed, kept, ring, kept_ring)) {
        return false;
    }
    for (int i = 0; i < ring->count; ++i) {
        s->triangles[ring->corners[i] / 3][ring->corners[i] % 3] = kept;
    }
    remove_triangle(s, corner);
    if (twin >= 0) {
        remove_triangle(s, twin);
    }
    for (int i = 0; i < ring->count + kept_ring->count; ++i) {
        int32_t c = i < ring->count ? ring->corners[i] : kept_ring->corners[i - ring->count];
        if (gti_corner_live(s, c)) {
            s->corners[kept] = c;
        }
    }
    s->corners[removed] = -1;
    s->positions[kept] = position;
    return true;
}

// Neither new triangle may face away from the old ones.
static bool flip_is_flat(GtVec3 a, GtVec3 b, GtVec3 apex, GtVec3 twin_apex)
{
    GtVec3 old_a = gt_vec3_cross(gt_vec3_sub(b, a), gt_vec3_sub(apex, a));
    GtVec3 old_b = gt_vec3_cross(gt_vec3_sub(twin_apex, a), gt_vec3_sub(b, a));
    GtVec3 mean = gt_vec3_add(old_a, old_b);
    GtVec3 new_a = gt_vec3_cross(gt_vec3_sub(twin_apex, a), gt_vec3_sub(apex, a));
    GtVec3 new_b = gt_vec3_cross(gt_vec3_sub(b, twin_apex), gt_vec3_sub(apex, twin_apex));
    float size = gt_vec3_length(mean);
    // Two triangles that meet at more than about 50 degrees are a ridge, which a flip would cut off.
    float bend = gt_vec3_dot(old_a, old_b) / fmaxf(gt_vec3_length(old_a) * gt_vec3_length(old_b), 1e-30f);
    return bend > 0.6f && gt_vec3_dot(new_a, mean) > 0.7f * size * gt_vec3_length(new_a) &&
           gt_vec3_dot(new_b, mean) > 0.7f * size * gt_vec3_length(new_b);
}

bool gti_live_mesh_flip(GtiLiveMesh* s, int32_t corner)
{
    if (gti_corner_crease(s, corner)) {
        return false;
    }
    int32_t twin = gti_corner_opposite(s, corner);
    int32_t a = gti_corner_vertex(s, corner);
    int32_t b = gti_corner_vertex(s, twin);
    int32_t apex = gti_corner_vertex(s, gti_prev_corner(corner));
    int32_t twin_apex = gti_corner_vertex(s, gti_prev_corner(twin));
    GtVec3 pa = s->positions[a];
    GtVec3 pb = s->positions[b];
    GtVec3 po = s->positions[apex];
    GtVec3 pt = s->positions[twin_apex];
    float before = fminf(gti_triangle_quality(pa, pb, po), gti_triangle_quality(pb, pa, pt));
    float after = fminf(gti_triangle_quality(pa, pt, po), gti_triangle_quality(pt, pb, po));
    if (!(after > 1.01f * before) || !flip_is_flat(pa, pb, po, pt)) {
        return false;
    }
    GtiRing ring;
    GtiRing twin_ring;
    if (!gti_live_mesh_ring(s, apex, &ring) || !gti_live_mesh_ring(s, twin_apex, &twin_ring) ||
        ring.count + 1 >= GTI_MAX_RING || twin_ring.count + 1 >= GTI_MAX_RING ||
        (ring.boundary && twin_ring.boundary) || ring_has_edge_to(s, &ring, twin_apex)) {
        return false;
    }
    int32_t t = corner / 3;
    int32_t u = twin / 3;
    int32_t outer[4] = { gti_corner_opposite(s, gti_next_corner(twin)), gti_corner_opposite(s, gti_prev_corner(twin)),
                         gti_corner_opposite(s, gti_next_corner(corner)),
                         gti_corner_opposite(s, gti_prev_corner(corner)) };
    memcpy(s->triangles[t], (const int32_t[3]){ a, twin_apex, apex }, sizeof s->triangles[t]);
    memcpy(s->triangles[u], (const int32_t[3]){ twin_apex, b, apex }, sizeof s->triangles[u]);
    const int32_t edges[4] = { 3 * t, 3 * u, 3 * u + 1, 3 * t + 2 };
    for (int i = 0; i < 4; ++i) {
        s->opposites[edges[i] / 3][edges[i] % 3] = -1;
        link_corners(s, edges[i], outer[i]);
    }
    link_corners(s, 3 * t + 1, 3 * u + 2);
    s->corners[a] = 3 * t;
    s->corners[twin_apex] = 3 * t + 1;
    s->corners[apex] = 3 * t + 2;
    s->corners[b] = 3 * u + 1;
    return true;
}
