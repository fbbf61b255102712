// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The grid of a solid, and questions to it.

#include "geometry/solid.h"

#include "base/fail.h"
#include "geometry/solid_parts.h"

#include <math.h>

enum {
    MARGIN = 3,            // cells around the surface
    COUNT_LIMIT = 4096,    // cells along an axis
    COVER_LIMIT = 1 << 23, // cells that boxes of triangles may cover, seen along axes
};

static const double least_size = 1e-12; // whose squares are numbers
static const double largest_size = 1e15;

static GtBounds find_box(const GtiTrimesh* mesh)
{
    GtBounds box = gti_bounds_empty();
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        GtBounds triangle = gti_triangle_bounds(mesh, t);
        gti_bounds_unite(&box, &triangle);
    }
    return box;
}

// Cells that the boxes of all triangles cover, seen along the axes.
static double count_covered(const GtiTrimesh* mesh, double cell)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        GtVec3 size = gti_bounds_size(gti_triangle_bounds(mesh, t));
        double x = (double)size.x / cell;
        double y = (double)size.y / cell;
        double z = (double)size.z / cell;
        sum += x * y + y * z + z * x;
    }
    return sum;
}

static bool fits(const double extents[3], double cell, int64_t cell_limit, int32_t counts[3])
{
    double product = 1.0;
    for (int k = 0; k < 3; ++k) {
        double count = ceil(extents[k] / cell) + 2.0 * MARGIN + 1.0;
        if (!(count <= COUNT_LIMIT)) {
            return false;
        }
        counts[k] = (int32_t)count;
        product *= count;
    }
    return product <= (double)cell_limit;
}

static GtResult lay_grid(const GtiTrimesh* mesh, float wished, int64_t cell_limit, GtiSolid* out, GtError* error)
{
    GtBounds box = find_box(mesh);
    double extents[3] = { (double)box.high.x - (double)box.low.x, (double)box.high.y - (double)box.low.y,
                          (double)box.high.z - (double)box.low.z };
    double widest = fmax(extents[0], fmax(extents[1], extents[2]));
    if (mesh->triangle_count == 0 || !(widest > least_size && widest < largest_size)) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a surface without triangles or without size encloses nothing");
    }
    double cell = fmax((double)wished, widest / COUNT_LIMIT);
    double covered = count_covered(mesh, cell);
    if (covered > COVER_LIMIT) {
        cell *= sqrt(covered / COVER_LIMIT);
    }
    while (!fits(extents, cell, cell_limit, out->counts)) {
        cell *= 1.02;
    }
    out->cell = (float)cell;
    out->origin =
        gt_vec3(box.low.x - MARGIN * out->cell, box.low.y - MARGIN * out->cell, box.low.z - MARGIN * out->cell);
    return GT_OK;
}

GtResult gti_solid_make(const GtContext* context, const GtiTrimesh* mesh, float cell, int64_t cell_limit,
                        GtArena* arena, GtiSolid* out, GtError* error)
{
    GT_ASSERT(cell > 0.0f && cell_limit >= 1000);
    *out = (GtiSolid){ 0 };
    GtResult result = lay_grid(mesh, cell, cell_limit, out, error);
    if (result == GT_OK) {
        result = gti_progress(context, error, "filling the surface", 0.0);
    }
    if (result != GT_OK) {
        return result;
    }
    size_t count = (size_t)out->counts[0] * (size_t)out->counts[1] * (size_t)out->counts[2];
    out->distances = gt_arena_push(arena, count * sizeof *out->distances);
    GtArena scratch = gt_arena_create(context->allocator);
    uint8_t* inside = gt_arena_push_array(&scratch, count, 1);
    bool open = false;
    bool ok = out->distances && inside && gti_solid_fill(mesh, out, context->allocator, inside, &open) &&
              gti_solid_measure(mesh, inside, open, context->allocator, out);
    gt_arena_destroy(&scratch);
    return ok ? GT_OK : gti_out_of_memory(error);
}

// A place in cells, taken into the grid.
typedef struct Place {
    int32_t cell[3]; // the lowest of eight around it
    float at[3];     // 0 to 1 between those
    float beyond;    // distance to the grid
} Place;

static Place find_place(const GtiSolid* solid, GtVec3 p)
{
    Place place = { .beyond = 0.0f };
    float scale = 1.0f / solid->cell;
    const float at[3] = { (p.x - solid->origin.x) * scale, (p.y - solid->origin.y) * scale,
                          (p.z - solid->origin.z) * scale };
    double beyond = 0.0;
    for (int k = 0; k < 3; ++k) {
        float last = (float)(solid->counts[k] - 1);
        float taken = at[k] >= 0.0f ? at[k] < last ? at[k] : last : 0.0f; // NaN is taken to the first
        if (taken != at[k]) {
            beyond += ((double)at[k] - (double)taken) * ((double)at[k] - (double)taken);
        }
        int32_t cell = (int32_t)taken;
        place.cell[k] = cell < solid->counts[k] - 1 ? cell : solid->counts[k] - 2;
        place.at[k] = taken - (float)place.cell[k];
    }
    if (beyond > 0.0) {
        place.beyond = (float)(sqrt(beyond) * (double)solid->cell);
    }
    return place;
}

static float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

float gti_solid_distance(const GtiSolid* solid, GtVec3 p)
{
    Place place = find_place(solid, p);
    const float* d = solid->distances + gti_solid_index(solid, place.cell[0], place.cell[1], place.cell[2]);
    size_t up = (size_t)solid->counts[0];
    size_t deep = up * (size_t)solid->counts[1];
    float x = place.at[0];
    float y = place.at[1];
    float near = mix(mix(d[0], d[1], x), mix(d[up], d[up + 1], x), y);
    d += deep;
    return mix(near, mix(mix(d[0], d[1], x), mix(d[up], d[up + 1], x), y), place.at[2]) + place.beyond;
}

GtVec3 gti_solid_gradient(const GtiSolid* solid, GtVec3 p)
{
    float half = 0.5f * solid->cell;
    float scale = 1.0f / solid->cell;
    GtVec3 x = gt_vec3(half, 0.0f, 0.0f);
    GtVec3 y = gt_vec3(0.0f, half, 0.0f);
    GtVec3 z = gt_vec3(0.0f, 0.0f, half);
    return gt_vec3(
        (gti_solid_distance(solid, gt_vec3_add(p, x)) - gti_solid_distance(solid, gt_vec3_sub(p, x))) * scale,
        (gti_solid_distance(solid, gt_vec3_add(p, y)) - gti_solid_distance(solid, gt_vec3_sub(p, y))) * scale,
        (gti_solid_distance(solid, gt_vec3_add(p, z)) - gti_solid_distance(solid, gt_vec3_sub(p, z))) * scale);
}

bool gti_solid_sees(const GtiSolid* solid, GtVec3 from, GtVec3 to, float margin)
{
    float length = gt_vec3_length(gt_vec3_sub(to, from));
    float least = 0.5f * solid->cell;
    for (float at = least; at < length;) {
        float distance = gti_solid_distance(solid, gt_vec3_lerp(from, to, at / length));
        if (!(distance < margin)) {
            return false;
        }
        at += fmaxf(least, 0.8f * (margin - distance)); // nothing nearer than that can be outside
    }
    return true;
}
