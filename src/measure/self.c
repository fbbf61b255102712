// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A point is inside when the nearest point of the skin that was farther than `apart` from it in the bind pose has it
// behind its surface, well off the tangent plane; how far behind is the depth. Points lie in a hash grid whose cells
// are as wide as the reach. Pairs that were near each other in the bind pose never count: armpits, clothes, eyes in
// sockets.

#include "measure/self.h"

#include "base/hash.h"

#include <math.h>
#include <string.h>

enum {
    MAX_POINTS = 8000 // an arm's lie a centimetre and a half apart
};

GtResult gti_self_open(GtArena* arena, const GtiMeasuredSkin* skin, GtiSelf* out, GtError* error)
{
    int32_t stride = (skin->point_count + MAX_POINTS - 1) / MAX_POINTS;
    *out = (GtiSelf){
        .skin = skin,
        .reach_m = (float)(0.03 * skin->size_m),
        .apart_m = (float)(0.06 * skin->size_m),
        .least_m = (float)(0.001 * skin->size_m),
        .bucket_count = 1,
    };
    double volume = 0.0;
    for (int32_t z = 0; z < skin->zone_count; ++z) {
        volume += skin->zones[z].volume_m3;
    }
    out->outward = volume < 0.0 ? -1.0f : 1.0f;
    bool* seen = gt_arena_push_array(arena, (size_t)skin->point_count, sizeof *seen);
    out->vertices = gt_arena_push_array(arena, (size_t)skin->point_count, sizeof *out->vertices);
    if (!seen || !out->vertices) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < 3 * skin->triangle_count; ++i) { // only what the surface uses
        int32_t vertex = (int32_t)skin->corners[i];
        int32_t point = skin->points[vertex];
        if (!seen[point] && point % stride == 0) {
            seen[point] = true;
            out->vertices[out->count++] = vertex;
        }
    }
    while (out->bucket_count < out->count) {
        out->bucket_count *= 2;
    }
    return GT_OK;
}

bool gti_self_push_room(GtArena* arena, const GtiSelf* self, GtiSelfRoom* out)
{
    out->starts = gt_arena_push_array(arena, (size_t)self->bucket_count + 1, sizeof *out->starts);
    out->points = gt_arena_push_array(arena, (size_t)self->count, sizeof *out->points);
    out->normals = gt_arena_push_array(arena, (size_t)self->skin->point_count, sizeof *out->normals);
    return out->starts && out->points && out->normals;
}

typedef struct Cell {
    int32_t x, y, z;
} Cell;

static int32_t cell_coordinate(float value, float width)
{
    float cell = floorf(value / width);
    return cell > -1e9f && cell < 1e9f ? (int32_t)cell : 0; // NaN, too
}

static Cell cell_of(const GtiSelf* self, GtVec3 p)
{
    return (Cell){ cell_coordinate(p.x, self->reach_m), cell_coordinate(p.y, self->reach_m),
                   cell_coordinate(p.z, self->reach_m) };
}

static uint32_t bucket_of(const GtiSelf* self, Cell c)
{
    return gti_hash_cell(c.x, c.y, c.z) & (uint32_t)(self->bucket_count - 1);
}

// Normals of the points as the triangles have them.
static void find_normals(const GtiSelf* self, const GtVec3* positions, GtVec3* normals)
{
    const GtiMeasuredSkin* skin = self->skin;
    memset(normals, 0, (size_t)skin->point_count * sizeof *normals);
    for (int32_t t = 0; t < skin->triangle_count; ++t) {
        const uint32_t* c = skin->corners + 3 * (size_t)t;
        GtVec3 normal =
            gt_vec3_cross(gt_vec3_sub(positions[c[1]], positions[c[0]]), gt_vec3_sub(positions[c[2]], positions[c[0]]));
        for (int k = 0; k < 3; ++k) {
            GtVec3* sum = &normals[skin->points[c[k]]];
            *sum = gt_vec3_add(*sum, normal);
        }
    }
}

// Sort the points by bucket: count, add up, put in place.
static void fill_grid(const GtiSelf* self, const GtVec3* positions, GtiSelfRoom* room)
{
    int32_t* starts = room->starts;
    memset(starts, 0, ((size_t)self->bucket_count + 1) * sizeof *starts);
    for (int32_t i = 0; i < self->count; ++i) {
        ++starts[bucket_of(self, cell_of(self, positions[self->vertices[i]]))];
    }
    for (int32_t b = 1; b <= self->bucket_count; ++b) {
        starts[b] += starts[b - 1];
    }
    for (int32_t i = self->count - 1; i >= 0; --i) { // each bucket fills from its end down to its start
        int32_t vertex = self->vertices[i];
        room->points[--starts[bucket_of(self, cell_of(self, positions[vertex]))]] =
            (GtiSelfPoint){ positions[vertex], vertex };
    }
}

// The nearest point that was apart, or GT_NONE.
static int32_t find_nearest(const GtiSelf* self, const GtVec3* positions, const GtiSelfRoom* room, int32_t vertex)
{
    const GtVec3* rest = self->skin->rest;
    GtVec3 p = positions[vertex];
    Cell at = cell_of(self, p);
    float least = self->reach_m * self->reach_m;
    float apart = self->apart_m * self->apart_m;
    int32_t best = GT_NONE;
    for (int n = 0; n < 27; ++n) {
        Cell cell = { at.x + n % 3 - 1, at.y + n / 3 % 3 - 1, at.z + n / 9 - 1 };
        uint32_t bucket = bucket_of(self, cell);
        for (int32_t i = room->starts[bucket]; i < room->starts[bucket + 1]; ++i) {
            GtVec3 d = gt_vec3_sub(room->points[i].place, p);
            float square = gt_vec3_dot(d, d);
            if (square < least) {
                GtVec3 before = gt_vec3_sub(rest[room->points[i].vertex], rest[vertex]);
                if (gt_vec3_dot(before, before) > apart) {
                    least = square;
                    best = room->points[i].vertex;
                }
            }
        }
    }
    return best;
}

void gti_self_measure(const GtiSelf* self, const GtVec3* positions, GtiSelfRoom* room, GtiSelfFrame* out)
{
    *out = (GtiSelfFrame){ .vertex = GT_NONE, .other = GT_NONE };
    if (!(self->reach_m > 0.0f)) {
        return;
    }
    find_normals(self, positions, room->normals);
    fill_grid(self, positions, room);
    for (int32_t i = 0; i < self->count; ++i) {
        int32_t vertex = self->vertices[i];
        int32_t other = find_nearest(self, positions, room, vertex);
        if (other == GT_NONE) {
            continue;
        }
        GtVec3 way = gt_vec3_sub(positions[other], positions[vertex]);
        GtVec3 zero = { 0.0f, 0.0f, 0.0f };
        GtVec3 normal = gt_vec3_normalize_or(room->normals[self->skin->points[other]], zero);
        float depth = self->outward * gt_vec3_dot(way, normal);
        if (depth > self->least_m && depth > 0.5f * gt_vec3_length(way)) {
            ++out->inside_count;
            if (depth > out->depth_m) {
                *out = (GtiSelfFrame){ depth, vertex, other, out->inside_count };
            }
        }
    }
}
