// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangles seen from above, in a grid of squares. A square lists the triangles whose bounds touch it; a look at a
// place tests those of one square. Triangles steeper than a wall are left out, and so are those of no size.

#include "gertie/ground.h"

#include "figure/figure.h"

#include <math.h>

enum {
    MAX_SIDE = 2048 // squares along one side of the grid
};

static const float WALL = 0.05f;      // least share of a triangle's area that is seen from above
static const float SLACK = 1e-5f;     // of a triangle, that a place may be outside of it: edges must not leak
static const double PER_SQUARE = 2.0; // triangles, on average

// A triangle as seen from above: weights of its corners are linear in x and z.
typedef struct Facet {
    float x, z, y;            // of the first corner
    float u_x, u_z, v_x, v_z; // weights of the second and third corner a metre along x and z
    float du, dv;             // how much higher these corners are
} Facet;

struct GtGround {
    GtArena arena; // of everything, this struct too
    Facet* facets; // [facet_count]
    int32_t facet_count;
    float min_x, min_z;
    float squares_per_m;
    int32_t side_x, side_z;
    int32_t* starts; // [side_x * side_z + 1] into lists
    int32_t* lists;  // [starts[side_x * side_z]] facets
};

// Bounds of a facet in squares.
typedef struct Bounds {
    int32_t x0, x1, z0, z1;
} Bounds;

typedef struct Maker {
    const GtContext* context;
    GtError* error;
    GtArena scratch;
    GtFigure figure;
    GtGround* ground;
    GtVec3* corners; // [3 * facet_count]
    float max_x, max_z;
} Maker;

static bool make_facet(const GtVec3* c, Facet* out)
{
    GtVec3 u = gt_vec3_sub(c[1], c[0]);
    GtVec3 v = gt_vec3_sub(c[2], c[0]);
    float seen = u.x * v.z - u.z * v.x;
    float area = gt_vec3_length(gt_vec3_cross(u, v));
    if (!(fabsf(seen) > WALL * area) || !(fabsf(seen) > 0.0f)) {
        return false;
    }
    *out = (Facet){ c[0].x, c[0].z, c[0].y, v.z / seen, -v.x / seen, -u.z / seen, u.x / seen, u.y, v.y };
    return isfinite(out->u_x) && isfinite(out->u_z) && isfinite(out->v_x) && isfinite(out->v_z);
}

static GtResult take_mesh(Maker* m, int32_t mesh)
{
    const GtMeshDef* def = &m->figure.def->meshes[mesh];
    GtVec3* positions = gt_arena_push_array(&m->scratch, (size_t)def->vertex_count, sizeof *positions);
    if (!positions) {
        return gti_out_of_memory(m->error);
    }
    gt_instance_deform(m->figure.instance, mesh, positions, NULL, NULL);
    GtGround* g = m->ground;
    for (int32_t i = 0; i + 2 < def->index_count; i += 3) {
        GtVec3* c = m->corners + 3 * (size_t)g->facet_count;
        for (int k = 0; k < 3; ++k) {
            c[k] = positions[def->indices[i + k]];
        }
        if (!make_facet(c, &g->facets[g->facet_count])) {
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            g->min_x = fminf(g->min_x, c[k].x);
            g->min_z = fminf(g->min_z, c[k].z);
            m->max_x = fmaxf(m->max_x, c[k].x);
            m->max_z = fmaxf(m->max_z, c[k].z);
        }
        ++g->facet_count;
    }
    return GT_OK;
}

static GtResult take_triangles(Maker* m)
{
    const GtCharacterDef* def = m->figure.def;
    GtGround* g = m->ground;
    size_t count = 0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        count += (size_t)def->meshes[i].index_count / 3;
    }
    g->facets = gt_arena_push_array(&g->arena, count, sizeof *g->facets);
    m->corners = gt_arena_push_array(&m->scratch, 3 * count, sizeof *m->corners);
    if (!g->facets || !m->corners) {
        return gti_out_of_memory(m->error);
    }
    g->min_x = g->min_z = INFINITY;
    m->max_x = m->max_z = -INFINITY;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < def->mesh_count && result == GT_OK; ++i) {
        result = take_mesh(m, i);
    }
    if (result == GT_OK && g->facet_count == 0) {
        result = gti_fail(m->error, GT_ERROR_BAD_VALUE,
                          "the ground has no triangle that faces up; feet need one to stand on");
    }
    return result;
}

static int32_t square_of(float at, float min, float per_m, int32_t side)
{
    float square = floorf((at - min) * per_m);
    return square < 0.0f ? 0 : square >= (float)side ? side - 1 : (int32_t)square;
}

static Bounds bounds_of(const GtGround* g, const GtVec3* c)
{
    float x0 = fminf(c[0].x, fminf(c[1].x, c[2].x)), x1 = fmaxf(c[0].x, fmaxf(c[1].x, c[2].x));
    float z0 = fminf(c[0].z, fminf(c[1].z, c[2].z)), z1 = fmaxf(c[0].z, fmaxf(c[1].z, c[2].z));
    return (Bounds){ square_of(x0, g->min_x, g->squares_per_m, g->side_x),
                     square_of(x1, g->min_x, g->squares_per_m, g->side_x),
                     square_of(z0, g->min_z, g->squares_per_m, g->side_z),
                     square_of(z1, g->min_z, g->squares_per_m, g->side_z) };
}

// Squares of one size, about as many as there are triangles for them.
static void lay_grid(Maker* m)
{
    GtGround* g = m->ground;
    double width = fmax((double)m->max_x - (double)g->min_x, 1e-6),
           depth = fmax((double)m->max_z - (double)g->min_z, 1e-6);
    double square = sqrt(width * depth * PER_SQUARE / g->facet_count);
    square = fmax(square, fmax(width, depth) / MAX_SIDE);
    g->squares_per_m = (float)(1.0 / square);
    g->side_x = (int32_t)fmin(ceil(width / square), MAX_SIDE);
    g->side_z = (int32_t)fmin(ceil(depth / square), MAX_SIDE);
    g->side_x = g->side_x < 1 ? 1 : g->side_x;
    g->side_z = g->side_z < 1 ? 1 : g->side_z;
}

static GtResult list_facets(Maker* m)
{
    GtGround* g = m->ground;
    size_t square_count = (size_t)g->side_x * (size_t)g->side_z;
    g->starts = gt_arena_push_array(&g->arena, square_count + 1, sizeof *g->starts);
    if (!g->starts) {
        return gti_out_of_memory(m->error);
    }
    int64_t entries = 0;
    for (int pass = 0; pass < 2; ++pass) { // count, then fill from the end of each list
        for (int32_t f = 0; f < g->facet_count; ++f) {
            Bounds b = bounds_of(g, m->corners + 3 * (size_t)f);
            for (int32_t z = b.z0; z <= b.z1; ++z) {
                for (int32_t x = b.x0; x <= b.x1; ++x) {
                    int32_t* start = &g->starts[(size_t)z * (size_t)g->side_x + (size_t)x];
                    if (pass == 0) {
                        ++*start;
                        ++entries;
                    } else {
                        g->lists[--*start] = f;
                    }
                }
            }
        }
        if (pass == 0) {
            if (entries > INT32_MAX) {
                return gti_fail(m->error, GT_ERROR_LIMIT, "the ground has too many large triangles");
            }
            g->lists = gt_arena_push_array(&g->arena, (size_t)entries, sizeof *g->lists);
            if (!g->lists) {
                return gti_out_of_memory(m->error);
            }
            for (size_t i = 1; i <= square_count; ++i) {
                g->starts[i] += g->starts[i - 1];
            }
        }
    }
    return GT_OK;
}

static GtResult make_ground(Maker* m, const GtScene* scene)
{
    GtFigureDef def = gti_figure_unmapped(GT_NONE);
    GtResult result = gt_figure_open(m->context, scene, &def, &m->figure, m->error);
    if (result == GT_OK) {
        result = take_triangles(m);
    }
    if (result == GT_OK) {
        lay_grid(m);
        result = list_facets(m);
    }
    return result;
}

GtResult gt_ground_create(const GtContext* context, const GtScene* scene, GtGround** out, GtError* error)
{
    *out = NULL;
    GtArena arena = gt_arena_create(context->allocator);
    GtGround* ground = gt_arena_push_array(&arena, 1, sizeof *ground);
    if (!ground) {
        gt_arena_destroy(&arena);
        return gti_out_of_memory(error);
    }
    ground->arena = arena;
    Maker m = { .context = context, .error = error, .ground = ground };
    m.scratch = gt_arena_create(context->allocator);
    GtResult result = make_ground(&m, scene);
    gt_figure_close(&m.figure);
    gt_arena_destroy(&m.scratch);
    if (result != GT_OK) {
        gt_ground_destroy(ground);
        return result;
    }
    *out = ground;
    return GT_OK;
}

void gt_ground_destroy(GtGround* ground)
{
    if (ground) {
        gt_arena_destroy(&ground->arena);
    }
}

bool gt_ground_at(const GtGround* ground, float x, float z, float* height_m)
{
    const GtGround* g = ground;
    float square_x = floorf((x - g->min_x) * g->squares_per_m);
    float square_z = floorf((z - g->min_z) * g->squares_per_m);
    if (!(square_x >= -1.0f && square_x <= (float)g->side_x && square_z >= -1.0f && square_z <= (float)g->side_z)) {
        return false;
    }
    size_t square = (size_t)square_of(z, g->min_z, g->squares_per_m, g->side_z) * (size_t)g->side_x +
                    (size_t)square_of(x, g->min_x, g->squares_per_m, g->side_x);
    bool found = false;
    for (int32_t i = g->starts[square]; i < g->starts[square + 1]; ++i) {
        const Facet* f = &g->facets[g->lists[i]];
        float u = (x - f->x) * f->u_x + (z - f->z) * f->u_z;
        float v = (x - f->x) * f->v_x + (z - f->z) * f->v_z;
        if (u >= -SLACK && v >= -SLACK && u + v <= 1.0f + SLACK) {
            float height = f->y + u * f->du + v * f->dv;
            *height_m = found ? fmaxf(*height_m, height) : height;
            found = true;
        }
    }
    return found;
}
