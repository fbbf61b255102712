// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Cells near the medial surface are those where the slope of the distance falls short of one, since the nearest points
// of the surface lie on several sides (Baran and Popovic 2007, section 3.1, look for the same discontinuity). Taken by
// falling radius, each that no earlier sphere covers becomes a sphere (section 3.2). Counting sort and a mask over the
// grid make this linear in the cells.

#include "rig/medial/medial.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

#define SLOPE_MOST   0.75f // of the distance, where cells are taken for medial: surface normals 80 degrees apart
#define COVER_CELLS  1.6f  // centers keep this many cells apart even in parts that are thinner
#define COVER_GROWTH 1.3f  // and this many times as many, where there would be too many spheres
#define TWIN_DEPTH   0.85f // of a sphere, that its twin has at least
#define COVER_MOST   12.0f
#define DEPTH_LEAST  0.4f // in cells, of a medial cell
#define BUCKET_COUNT 1024

typedef struct Sample {
    int32_t x, y, z;
    float depth;
} Sample;

typedef struct Packing {
    const GtiSolid* solid;
    float cover;      // in cells
    uint8_t* covered; // per cell
    Sample* samples;
    int32_t sample_count;
} Packing;

static bool is_medial(const GtiSolid* solid, size_t at)
{
    size_t step_y = (size_t)solid->counts[0];
    size_t step_z = step_y * (size_t)solid->counts[1];
    const float* d = &solid->distances[at];
    if (!(-d[0] > DEPTH_LEAST * solid->cell)) {
        return false;
    }
    float gx = d[1] - d[-1];
    float gy = d[step_y] - d[-(ptrdiff_t)step_y];
    float gz = d[step_z] - d[-(ptrdiff_t)step_z];
    float most = 2.0f * solid->cell * SLOPE_MOST;
    return gx * gx + gy * gy + gz * gz < most * most;
}

// Cells of the border are never inside.
static int32_t visit_medial(const GtiSolid* solid, Sample* out)
{
    int32_t count = 0;
    for (int32_t z = 1; z + 1 < solid->counts[2]; ++z) {
        for (int32_t y = 1; y + 1 < solid->counts[1]; ++y) {
            size_t row = gti_solid_index(solid, 0, y, z);
            for (int32_t x = 1; x + 1 < solid->counts[0]; ++x) {
                if (!(solid->distances[row + (size_t)x] < 0.0f) || !is_medial(solid, row + (size_t)x)) {
                    continue;
                }
                if (out) {
                    out[count] = (Sample){ x, y, z, -solid->distances[row + (size_t)x] };
                }
                ++count;
            }
        }
    }
    return count;
}

static int32_t bucket_of(float depth, float most)
{
    int32_t bucket = (int32_t)((1.0f - depth / most) * (BUCKET_COUNT - 1));
    return bucket < 0 ? 0 : bucket >= BUCKET_COUNT ? BUCKET_COUNT - 1 : bucket;
}

static bool sort_samples(Packing* p, GtArena* scratch)
{
    Sample* sorted = gt_arena_push(scratch, (size_t)p->sample_count * sizeof *sorted);
    if (!sorted) {
        return false;
    }
    float most = 0.0f;
    for (int32_t i = 0; i < p->sample_count; ++i) {
        most = fmaxf(most, p->samples[i].depth);
    }
    int32_t starts[BUCKET_COUNT + 1] = { 0 };
    for (int32_t i = 0; i < p->sample_count; ++i) {
        ++starts[bucket_of(p->samples[i].depth, most) + 1];
    }
    for (int32_t b = 0; b < BUCKET_COUNT; ++b) {
        starts[b + 1] += starts[b];
    }
    for (int32_t i = 0; i < p->sample_count; ++i) {
        sorted[starts[bucket_of(p->samples[i].depth, most)]++] = p->samples[i];
    }
    p->samples = sorted;
    return true;
}

static int32_t clamp_cell(int32_t i, int32_t count)
{
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

static void cover(Packing* p, const Sample* s)
{
    const GtiSolid* solid = p->solid;
    float reach = fmaxf(s->depth / solid->cell, p->cover);
    int32_t r = (int32_t)reach;
    int32_t z1 = clamp_cell(s->z + r, solid->counts[2]);
    int32_t y1 = clamp_cell(s->y + r, solid->counts[1]);
    for (int32_t z = clamp_cell(s->z - r, solid->counts[2]); z <= z1; ++z) {
        for (int32_t y = clamp_cell(s->y - r, solid->counts[1]); y <= y1; ++y) {
            float rest = reach * reach - (float)((z - s->z) * (z - s->z) + (y - s->y) * (y - s->y));
            if (rest < 0.0f) {
                continue;
            }
            int32_t half = (int32_t)sqrtf(rest);
            int32_t x0 = clamp_cell(s->x - half, solid->counts[0]);
            int32_t x1 = clamp_cell(s->x + half, solid->counts[0]);
            memset(&p->covered[gti_solid_index(solid, x0, y, z)], 1, (size_t)(x1 - x0 + 1));
        }
    }
}

// Its center may be between cells.
static bool add_sphere(Packing* p, GtVec3 center, GtiSphere* out)
{
    const GtiSolid* solid = p->solid;
    Sample s = {
        .x = (int32_t)lroundf((center.x - solid->origin.x) / solid->cell),
        .y = (int32_t)lroundf((center.y - solid->origin.y) / solid->cell),
        .z = (int32_t)lroundf((center.z - solid->origin.z) / solid->cell),
        .depth = -gti_solid_distance(solid, center),
    };
    if (s.x < 0 || s.x >= solid->counts[0] || p->covered[gti_solid_index(solid, s.x, s.y, s.z)]) {
        return false;
    }
    *out = (GtiSphere){ center, s.depth };
    cover(p, &s);
    return true;
}

// Most bodies mirror themselves at x = 0, and so do their spheres: each that has room on the other side has a twin
// there, and one that has room on the plane stands on it.
static int32_t pack(Packing* p, int32_t limit, GtiSphere* out)
{
    const GtiSolid* solid = p->solid;
    int32_t count = 0;
    for (int32_t i = 0; i < p->sample_count && count < limit; ++i) {
        const Sample* s = &p->samples[i];
        if (p->covered[gti_solid_index(solid, s->x, s->y, s->z)]) {
            continue;
        }
        GtVec3 center = gti_solid_centre(solid, s->x, s->y, s->z);
        GtVec3 middle = gt_vec3(0.0f, center.y, center.z);
        GtVec3 twin = gt_vec3(-center.x, center.y, center.z);
        float least = -TWIN_DEPTH * s->depth;
        bool on_plane = fabsf(center.x) < 0.5f * s->depth && gti_solid_distance(solid, middle) < least;
        count += add_sphere(p, on_plane ? middle : center, &out[count]);
        if (!on_plane && count < limit && gti_solid_distance(solid, twin) < least) {
            count += add_sphere(p, twin, &out[count]);
        }
    }
    return count;
}

static GtResult fill(Packing* p, int32_t limit, GtArena* scratch, GtiSpherePacking* out, GtError* error)
{
    const GtiSolid* solid = p->solid;
    size_t cell_count = (size_t)solid->counts[0] * (size_t)solid->counts[1] * (size_t)solid->counts[2];
    p->sample_count = visit_medial(solid, NULL);
    p->covered = gt_arena_push_array(scratch, cell_count, 1);
    p->samples = gt_arena_push_array(scratch, (size_t)p->sample_count, sizeof *p->samples);
    if (!p->covered || !p->samples) {
        return gti_out_of_memory(error);
    }
    visit_medial(solid, p->samples);
    if (!sort_samples(p, scratch)) {
        return gti_out_of_memory(error);
    }
    for (p->cover = COVER_CELLS;; p->cover *= COVER_GROWTH) { // the smallest come last, and thin limbs with them
        out->count = pack(p, limit, out->spheres);
        out->spacing = p->cover * solid->cell;
        if (out->count < limit || p->cover * COVER_GROWTH > COVER_MOST) {
            return GT_OK;
        }
        memset(p->covered, 0, cell_count);
    }
}

GtResult gti_medial_pack(const GtContext* context, const GtiSolid* solid, int32_t limit, GtArena* arena,
                         GtiSpherePacking* out, GtError* error)
{
    *out = (GtiSpherePacking){ .count = 0 };
    out->spheres = gt_arena_push_array(arena, (size_t)limit, sizeof *out->spheres);
    if (!out->spheres) {
        return gti_out_of_memory(error);
    }
    GtArena scratch = gt_arena_create(context->allocator);
    Packing packing = { .solid = solid };
    GtResult result = fill(&packing, limit, &scratch, out, error);
    gt_arena_destroy(&scratch);
    return result;
}
