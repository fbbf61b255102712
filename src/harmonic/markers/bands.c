// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "harmonic/markers/bands.h"

#include "base/memory.h"

bool gti_fans_make(const GtiTrimesh* mesh, GtArena* arena, GtiFans* out)
{
    size_t size = (size_t)mesh->vertex_count + 2;
    out->starts = gt_arena_push_array(arena, size, sizeof *out->starts);
    out->triangles = gt_arena_push(arena, (size_t)mesh->triangle_count * 3 * sizeof *out->triangles);
    if (!out->starts || !out->triangles) {
        return false;
    }
    int32_t* ends = out->starts + 1; // filling moves each start to the next one's place
    for (int32_t i = 0; i < mesh->triangle_count * 3; ++i) {
        ++ends[mesh->triangles[i / 3][i % 3] + 1];
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        ends[v + 1] += ends[v];
    }
    for (int32_t i = 0; i < mesh->triangle_count * 3; ++i) {
        out->triangles[ends[mesh->triangles[i / 3][i % 3]]++] = i / 3;
    }
    return true;
}

static double height_of(const GtiTrimesh* mesh, int32_t vertex, GtiVec place, GtiVec normal)
{
    return gti_vec_dot(normal, gti_vec_sub(gti_vec_from(mesh->positions[vertex]), place));
}

bool gti_band_cut(const GtiTrimesh* mesh, int32_t triangle, GtiVec place, GtiVec normal, GtiVec ends[2])
{
    const int32_t* corners = mesh->triangles[triangle];
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i) {
        double a = height_of(mesh, corners[i], place, normal);
        double b = height_of(mesh, corners[(i + 1) % 3], place, normal);
        if ((a < 0.0) == (b < 0.0)) {
            continue;
        }
        GtVec3 p =
            gt_vec3_lerp(mesh->positions[corners[i]], mesh->positions[corners[(i + 1) % 3]], (float)(a / (a - b)));
        ends[count++] = gti_vec_from(p);
    }
    return count == 2;
}

static bool has_corner(const GtiTrimesh* mesh, int32_t triangle, int32_t vertex)
{
    const int32_t* corners = mesh->triangles[triangle];
    return corners[0] == vertex || corners[1] == vertex || corners[2] == vertex;
}

typedef struct Tracer {
    const GtiTrimesh* mesh;
    const GtiFans* fans;
    uint8_t* marks;
    GtArena* arena;
    GtiBand* band;
    int32_t capacity;
} Tracer;

static bool append(Tracer* k, int32_t triangle)
{
    if (k->band->count == k->capacity) {
        int32_t* grown = gti_arena_grow(k->arena, k->band->triangles, &k->capacity, 64, sizeof *grown);
        if (!grown) {
            return false;
        }
        k->band->triangles = grown;
    }
    k->marks[triangle] = 1;
    k->band->triangles[k->band->count++] = triangle;
    return true;
}

// Append the triangles beyond an edge that are not there yet.
static bool cross_edge(Tracer* k, int32_t triangle, int32_t a, int32_t b)
{
    bool has_other = false;
    for (int32_t i = k->fans->starts[a]; i < k->fans->starts[a + 1]; ++i) {
        int32_t other = k->fans->triangles[i];
        if (other == triangle || !has_corner(k->mesh, other, b)) {
            continue;
        }
        has_other = true;
        if (!k->marks[other] && !append(k, other)) {
            return false;
        }
    }
    k->band->is_closed = k->band->is_closed && has_other;
    return true;
}

bool gti_band_trace(const GtiTrimesh* mesh, const GtiFans* fans, int32_t triangle, GtiVec place, GtiVec normal,
                    uint8_t* marks, GtArena* arena, GtiBand* out)
{
    *out = (GtiBand){ .is_closed = true };
    Tracer k = { .mesh = mesh, .fans = fans, .marks = marks, .arena = arena, .band = out };
    bool made = append(&k, triangle);
    for (int32_t at = 0; made && at < out->count; ++at) {
        const int32_t* corners = mesh->triangles[out->triangles[at]];
        for (int i = 0; i < 3 && made; ++i) {
            int32_t a = corners[i];
            int32_t b = corners[(i + 1) % 3];
            bool is_crossed = (height_of(mesh, a, place, normal) < 0.0) != (height_of(mesh, b, place, normal) < 0.0);
            made = !is_crossed || cross_edge(&k, out->triangles[at], a, b);
        }
    }
    for (int32_t i = 0; i < out->count; ++i) {
        marks[out->triangles[i]] = 0;
    }
    out->is_closed = out->is_closed && out->count > 2;
    return made;
}
