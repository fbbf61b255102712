// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Regions of a face from its shapes, after P. Joshi, W. C. Tien, M. Desbrun, F. Pighin, "Learning controls for blend
// shape based realistic facial animation" (2003). The measure of a displacement d is the length of mu Lap(d), the part
// of the force of a linear elastic sheet that asks nothing of its thickness; each shape counts alike, whatever its
// size.
//
// What is connected above a threshold are seeds (shape_seeds.c), which grow over the surface (shape_grow.c). Weights
// are the regions' indicators after steps of diffusion, which keeps their sum.

#include "shapes/regions.h"

#include "base/quat_double.h"

#include "gertie/surface.h"

#include <math.h>
#include <string.h>

enum {
    SMOOTHING = 6, // steps over the measure: meshes are uneven
    MOST_DIFFUSION = 400
};

static const double slack = 1e-5;

GtShapeRegionsDef gt_default_shape_regions_def(void)
{
    return (GtShapeRegionsDef){ .min_share = 0.02f, .border = 0.04f, .max_count = 12 };
}

// One topology for vertices that seams split; triangles without area are left out.
static GtResult weld(GtiRegionFinder* f)
{
    size_t count = (size_t)f->surface.vertex_count;
    f->points = gt_arena_push_array(&f->scratch, count, sizeof *f->points);
    f->vertices = gt_arena_push_array(&f->scratch, count, sizeof *f->vertices);
    if (!f->points || !f->vertices) {
        return gti_out_of_memory(f->error);
    }
    GtResult result = gt_weld_vertices(f->context, f->surface.positions, f->surface.vertex_count, 0.0f, f->points,
                                       f->vertices, &f->point_count, f->error);
    if (result != GT_OK) {
        return result;
    }
    size_t point_count = (size_t)f->point_count;
    f->mesh.positions = gt_arena_push_array(&f->scratch, point_count, sizeof *f->mesh.positions);
    f->mesh.triangles = gt_arena_push_array(&f->scratch, (size_t)f->surface.index_count / 3, sizeof *f->mesh.triangles);
    if (!f->mesh.positions || !f->mesh.triangles) {
        return gti_out_of_memory(f->error);
    }
    f->mesh.vertex_count = f->point_count;
    for (int32_t i = 0; i < f->point_count; ++i) {
        f->mesh.positions[i] = f->surface.positions[f->vertices[i]];
    }
    for (int32_t t = 0; t + 2 < f->surface.index_count; t += 3) {
        int32_t a = f->points[f->surface.indices[t]];
        int32_t b = f->points[f->surface.indices[t + 1]];
        int32_t c = f->points[f->surface.indices[t + 2]];
        if (a != b && b != c && c != a) {
            int32_t* to = f->mesh.triangles[f->mesh.triangle_count++];
            to[0] = a;
            to[1] = b;
            to[2] = c;
        }
    }
    return gti_laplacian_make(&f->mesh, slack, &f->scratch, &f->laplacian) ? GT_OK : gti_out_of_memory(f->error);
}

// Add what one shape asks of each point, by its own largest displacement.
static void add_measure(GtiRegionFinder* f, const GtVec3* shape)
{
    const GtiLaplacian* l = &f->laplacian;
    float longest = 0.0f;
    for (int32_t i = 0; i < f->point_count; ++i) {
        float length = gt_vec3_length(shape[f->vertices[i]]);
        longest = fmaxf(longest, length);
        f->moves[i] = fmaxf(f->moves[i], length);
    }
    for (int32_t i = 0; i < f->point_count && longest > 0.0f; ++i) {
        GtVec3 own = shape[f->vertices[i]];
        GtiVec sum = gti_vec(0.0, 0.0, 0.0);
        for (int32_t n = l->starts[i]; n < l->starts[i + 1]; ++n) {
            GtVec3 other = shape[f->vertices[l->neighbours[n]]];
            sum = gti_vec_add_scaled(sum, gti_vec_from(gt_vec3_sub(other, own)), fmax(l->weights[n], 0.0));
        }
        double force = gti_vec_length(sum);
        f->measure[i] += l->areas[i] > 0.0 ? (float)(force / l->areas[i]) / longest : 0.0f;
    }
}

// values <- the mean of each point and its neighbours, half and half
static void smooth(const GtiRegionFinder* f, float* values, float* room)
{
    const GtiLaplacian* l = &f->laplacian;
    for (int32_t i = 0; i < f->point_count; ++i) {
        int32_t count = l->starts[i + 1] - l->starts[i];
        float sum = 0.0f;
        for (int32_t n = l->starts[i]; n < l->starts[i + 1]; ++n) {
            sum += values[l->neighbours[n]];
        }
        room[i] = count > 0 ? 0.5f * (values[i] + sum / (float)count) : values[i];
    }
    memcpy(values, room, (size_t)f->point_count * sizeof *values);
}

static GtResult measure(GtiRegionFinder* f, const GtScene* scene)
{
    size_t count = (size_t)f->point_count;
    GtVec3* shape = gt_arena_push_array(&f->scratch, (size_t)f->surface.vertex_count, sizeof *shape);
    float* room = gt_arena_push_array(&f->scratch, count, sizeof *room);
    f->measure = gt_arena_push_array(&f->scratch, count, sizeof *f->measure);
    f->moves = gt_arena_push_array(&f->scratch, count, sizeof *f->moves);
    if (!shape || !room || !f->measure || !f->moves) {
        return gti_out_of_memory(f->error);
    }
    for (int32_t t = 0; t < f->surface.mesh->target_count; ++t) {
        if (gti_shape_read(scene, &f->surface, t, "POSITION", 3, &shape->x) == GT_OK) {
            add_measure(f, shape);
        }
    }
    for (int s = 0; s < SMOOTHING; ++s) {
        smooth(f, f->measure, room);
    }
    float largest = 0.0f;
    for (size_t i = 0; i < count; ++i) {
        largest = fmaxf(largest, f->measure[i]);
    }
    for (size_t i = 0; i < count && largest > 0.0f; ++i) {
        f->measure[i] /= largest;
    }
    return largest > 0.0f ? GT_OK
                          : gti_fail(f->error, GT_ERROR_NOT_FOUND, "the mesh has no shapes that bend its surface");
}

static float mean_edge(const GtiRegionFinder* f)
{
    const GtiLaplacian* l = &f->laplacian;
    double sum = 0.0;
    for (int32_t i = 0; i < f->point_count; ++i) {
        for (int32_t n = l->starts[i]; n < l->starts[i + 1]; ++n) {
            sum += (double)gt_vec3_length(gt_vec3_sub(f->mesh.positions[i], f->mesh.positions[l->neighbours[n]]));
        }
    }
    int32_t count = l->starts[f->point_count];
    return count > 0 ? (float)(sum / (double)count) : 1.0f;
}

// A step spreads by half the square of an edge; a border of some width needs as many as make up its square.
static GtResult fill(GtiRegionFinder* f, GtShapeRegions* out)
{
    size_t vertex_count = (size_t)f->surface.vertex_count;
    size_t count = (size_t)f->region_count;
    int32_t* regions = gt_arena_push_array(&out->arena, vertex_count, sizeof *regions);
    float* weights = gt_arena_push_array(&out->arena, count * vertex_count, sizeof *weights);
    float* own_measure = gt_arena_push_array(&out->arena, vertex_count, sizeof *own_measure);
    float* shares = gt_arena_push_array(&out->arena, count, sizeof *shares);
    float* values = gt_arena_push_array(&f->scratch, (size_t)f->point_count, sizeof *values);
    float* room = gt_arena_push_array(&f->scratch, (size_t)f->point_count, sizeof *room);
    if (!regions || !weights || !own_measure || !shares || !values || !room) {
        return gti_out_of_memory(f->error);
    }
    float ratio = 0.5f * f->def->border * f->surface.size_m / mean_edge(f);
    float steps = fminf(2.0f * ratio * ratio, (float)MOST_DIFFUSION);
    GtResult result = GT_OK;
    for (size_t r = 0; r < count && result == GT_OK; ++r) {
        result = gti_progress(f->context, f->error, "regions", (double)r / (double)count);
        for (int32_t i = 0; i < f->point_count; ++i) {
            values[i] = f->regions[i] == (int32_t)r ? 1.0f : 0.0f;
        }
        for (int32_t s = 0; s < (int32_t)lroundf(steps); ++s) {
            smooth(f, values, room);
        }
        for (size_t v = 0; v < vertex_count; ++v) {
            weights[r * vertex_count + v] = values[f->points[v]];
        }
        shares[r] = (float)(f->areas[r] / fmax(gti_regions_area(f), 1e-30));
    }
    for (size_t v = 0; v < vertex_count; ++v) {
        regions[v] = f->regions[f->points[v]];
        own_measure[v] = f->measure[f->points[v]];
    }
    out->vertex_count = f->surface.vertex_count;
    out->count = f->region_count;
    out->threshold = f->threshold;
    out->regions = regions;
    out->weights = weights;
    out->measure = own_measure;
    out->shares = shares;
    return result;
}

static GtResult find(GtiRegionFinder* f, const GtScene* scene, int32_t mesh, GtShapeRegions* out)
{
    const GtShapeRegionsDef* def = f->def;
    if (!(def->threshold >= 0.0f && def->threshold < 1.0f) || !(def->min_share >= 0.0f && def->min_share <= 1.0f) ||
        !(def->border >= 0.0f && def->border <= 1.0f) || def->max_count < 1 || def->max_count > GT_SHAPE_MAX_REGIONS) {
        return gti_fail(f->error, GT_ERROR_BAD_VALUE, "threshold, share and border are from 0 to 1, regions 1 to %d",
                        GT_SHAPE_MAX_REGIONS);
    }
    GtResult result = gti_shape_mesh_read(f->context, scene, mesh, &f->scratch, &f->surface, f->error);
    if (result == GT_OK) {
        result = weld(f);
    }
    if (result == GT_OK) {
        result = measure(f, scene);
    }
    if (result == GT_OK) {
        result = gti_regions_open(f);
    }
    if (result == GT_OK) {
        result = gti_regions_seed(f);
    }
    if (result == GT_OK) {
        result = gti_regions_grow(f);
    }
    GtMat34 world = gt_mat34_identity();
    if (result == GT_OK) {
        result = gti_shape_world(scene, mesh, &f->scratch, &world, f->error);
    }
    if (result != GT_OK) {
        return result;
    }
    gti_regions_settle(f, &world);
    return fill(f, out);
}

GtResult gt_shape_regions_find(const GtContext* context, const GtScene* scene, int32_t mesh,
                               const GtShapeRegionsDef* def, GtShapeRegions** out, GtError* error)
{
    def = def ? def : (GtShapeRegionsDef[]){ gt_default_shape_regions_def() };
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtShapeRegions* regions = gt_arena_push_array(&arena, 1, sizeof *regions);
    if (!regions) {
        return gti_out_of_memory(error);
    }
    regions->arena = arena;
    GtiRegionFinder f = {
        .context = context, .def = def, .scratch = gt_arena_create(context->allocator), .error = error
    };
    GtResult result = find(&f, scene, mesh, regions);
    gt_arena_destroy(&f.scratch);
    if (result != GT_OK) {
        gt_shape_regions_destroy(regions);
        return result;
    }
    *out = regions;
    return GT_OK;
}

void gt_shape_regions_destroy(GtShapeRegions* regions)
{
    if (regions) {
        gt_arena_destroy(&regions->arena);
    }
}
