// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces are spread over a coarse grid, each cell holding how much surface is in it: 1 for a wall right through. Rays
// from a vertex, one along its normal and four leaning from it, are as closed as the cells they pass are full. The grid
// is coarse enough to be filled for every picture and yet finer than the shadows people see between limbs, and being
// tied to the figure and not to the picture's pixels, it neither crawls nor shimmers in a film.

#include "render/draw/ambient.h"

#include <math.h>
#include <string.h>

enum {
    LONGEST = 60, // cells along the longest side of the box
    RIM = 2,      // empty cells around it
    MOST = LONGEST + 2 * RIM + 1,
    MOST_SAMPLES = 32, // of a triangle along a side
};

struct GtiAmbient {
    float cells[MOST * MOST * MOST];
    int32_t size[3];
    GtVec3 origin; // the middle of the first cell
    float cell_m;
    float cells_a_m;
};

GtiAmbient* gti_ambient_create(GtArena* arena)
{
    return gt_arena_push(arena, sizeof(GtiAmbient));
}

static bool lay_out(GtiAmbient* a, const GtBounds* box)
{
    GtVec3 extent = gt_vec3_sub(box->high, box->low);
    float longest = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    if (!(longest > 0.0f && longest <= 1e18f)) {
        return false;
    }
    a->cell_m = longest / LONGEST;
    a->cells_a_m = LONGEST / longest;
    const float sides[3] = { extent.x, extent.y, extent.z };
    for (int i = 0; i < 3; ++i) {
        a->size[i] = (int32_t)(sides[i] / a->cell_m) + 2 * RIM + 1;
    }
    a->origin = gt_vec3_sub(box->low, gt_vec3_scale(gt_vec3(1.0f, 1.0f, 1.0f), RIM * a->cell_m));
    memset(a->cells, 0, (size_t)a->size[0] * (size_t)a->size[1] * (size_t)a->size[2] * sizeof a->cells[0]);
    return true;
}

// The cell before a point and how far it is from it to the next, along each axis.
typedef struct Place {
    const GtiAmbient* grid;
    size_t first;
    float x, y, z;
} Place;

static inline bool find_place(const GtiAmbient* a, GtVec3 p, Place* out)
{
    float scale = a->cells_a_m;
    float x = (p.x - a->origin.x) * scale;
    float y = (p.y - a->origin.y) * scale;
    float z = (p.z - a->origin.z) * scale;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)(a->size[0] - 1) && y < (float)(a->size[1] - 1) &&
          z < (float)(a->size[2] - 1))) {
        return false;
    }
    int32_t ix = (int32_t)x;
    int32_t iy = (int32_t)y;
    int32_t iz = (int32_t)z;
    out->grid = a;
    out->first = (size_t)((iz * a->size[1] + iy) * a->size[0] + ix);
    out->x = x - (float)ix;
    out->y = y - (float)iy;
    out->z = z - (float)iz;
    return true;
}

static void add(GtiAmbient* a, GtVec3 p, float amount)
{
    Place at;
    if (!find_place(a, p, &at)) {
        return;
    }
    size_t row = (size_t)a->size[0];
    size_t layer = row * (size_t)a->size[1];
    float* c = a->cells + at.first;
    float low = amount * (1.0f - at.z);
    float high = amount * at.z;
    float w00 = (1.0f - at.x) * (1.0f - at.y);
    float w10 = at.x * (1.0f - at.y);
    float w01 = (1.0f - at.x) * at.y;
    float w11 = at.x * at.y;
    c[0] += low * w00;
    c[1] += low * w10;
    c[row] += low * w01;
    c[row + 1] += low * w11;
    c[layer] += high * w00;
    c[layer + 1] += high * w10;
    c[layer + row] += high * w01;
    c[layer + row + 1] += high * w11;
}

static float fullness(const GtiAmbient* a, GtVec3 p)
{
    Place at;
    if (!find_place(a, p, &at)) {
        return 0.0f;
    }
    size_t row = (size_t)a->size[0];
    size_t layer = row * (size_t)a->size[1];
    const float* c = a->cells + at.first;
    float near_low = c[0] + at.x * (c[1] - c[0]);
    float near_high = c[row] + at.x * (c[row + 1] - c[row]);
    float far_low = c[layer] + at.x * (c[layer + 1] - c[layer]);
    float far_high = c[layer + row] + at.x * (c[layer + row + 1] - c[layer + row]);
    float near = near_low + at.y * (near_high - near_low);
    float far = far_low + at.y * (far_high - far_low);
    float full = near + at.z * (far - near);
    return full < 1.0f ? full : 1.0f;
}

// A triangle that is larger than a cell is spread over all that it goes through.
static void add_triangle(GtiAmbient* a, GtVec3 p, GtVec3 q, GtVec3 r)
{
    GtVec3 u = gt_vec3_sub(q, p);
    GtVec3 v = gt_vec3_sub(r, p);
    float area = 0.5f * gt_vec3_length(gt_vec3_cross(u, v)) * a->cells_a_m * a->cells_a_m;
    if (area < 1.0f) { // also almost all others
        add(a, gt_vec3_add(p, gt_vec3_scale(gt_vec3_add(u, v), 1.0f / 3.0f)), area);
        return;
    }
    int32_t steps = area < (float)(MOST_SAMPLES * MOST_SAMPLES) ? (int32_t)sqrtf(area) + 1 : MOST_SAMPLES;
    float share = area / (float)(steps * (steps + 1) / 2);
    for (int32_t i = 0; i < steps; ++i) {
        for (int32_t k = 0; i + k < steps; ++k) {
            float s = ((float)i + 1.0f / 3.0f) / (float)steps;
            float t = ((float)k + 1.0f / 3.0f) / (float)steps;
            add(a, gt_vec3_add(p, gt_vec3_add(gt_vec3_scale(u, s), gt_vec3_scale(v, t))), share);
        }
    }
}

static void add_mesh(GtiAmbient* a, const GtiAmbientMesh* mesh)
{
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        const uint32_t* corner = mesh->indices + i;
        add_triangle(a, mesh->positions[corner[0]], mesh->positions[corner[1]], mesh->positions[corner[2]]);
    }
}

// How closed the way is to a point `distance` cells off; a floor closes all below it.
static float closed_at(const GtiAmbient* a, GtVec3 p, GtVec3 direction, float distance, float floor_y)
{
    GtVec3 at = gt_vec3_add(p, gt_vec3_scale(direction, distance * a->cell_m));
    return at.y < floor_y ? 1.0f : fullness(a, at);
}

static float open_sky(const GtiAmbient* a, GtVec3 p, GtVec3 n, float floor_y)
{
    const float lean = 0.8f;
    GtVec3 helper = fabsf(n.y) < 0.7f ? gt_vec3(0.0f, 1.0f, 0.0f) : gt_vec3(1.0f, 0.0f, 0.0f);
    GtVec3 u = gt_vec3_scale(gt_vec3_normalize_or(gt_vec3_cross(n, helper), helper), lean);
    GtVec3 v = gt_vec3_cross(n, u);
    float near = closed_at(a, p, n, 2.0f, floor_y);
    float far = closed_at(a, p, n, 4.5f, floor_y);
    float closed = near + (near > far ? near : far);
    closed += closed_at(a, p, gt_vec3_add(n, u), 2.4f, floor_y);
    closed += closed_at(a, p, gt_vec3_sub(n, u), 2.4f, floor_y);
    closed += closed_at(a, p, gt_vec3_add(n, v), 2.4f, floor_y);
    closed += closed_at(a, p, gt_vec3_sub(n, v), 2.4f, floor_y);
    return closed < 4.5f ? 1.0f - closed * (1.0f / 4.5f) : 0.0f;
}

// Means of the triangles around each vertex, by area, for meshes that have no normals.
static const GtVec3* make_normals(const GtiAmbientMesh* mesh)
{
    memset(mesh->own_normals, 0, (size_t)mesh->vertex_count * sizeof *mesh->own_normals);
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        const uint32_t* corner = mesh->indices + i;
        GtVec3 p = mesh->positions[corner[0]];
        GtVec3 n =
            gt_vec3_cross(gt_vec3_sub(mesh->positions[corner[1]], p), gt_vec3_sub(mesh->positions[corner[2]], p));
        for (int k = 0; k < 3; ++k) {
            mesh->own_normals[corner[k]] = gt_vec3_add(mesh->own_normals[corner[k]], n);
        }
    }
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        mesh->own_normals[i] = gt_vec3_normalize_or(mesh->own_normals[i], gt_vec3(0.0f, 1.0f, 0.0f));
    }
    return mesh->own_normals;
}

void gti_ambient_compute(GtiAmbient* ambient, const GtiAmbientMesh* meshes, int32_t mesh_count, const GtBounds* box,
                         float floor_y)
{
    bool is_solid = lay_out(ambient, box);
    for (int32_t m = 0; is_solid && m < mesh_count; ++m) {
        add_mesh(ambient, &meshes[m]);
    }
    for (int32_t m = 0; m < mesh_count; ++m) {
        const GtiAmbientMesh* mesh = &meshes[m];
        const GtVec3* normals = mesh->normals ? mesh->normals : make_normals(mesh);
        for (int32_t i = 0; i < mesh->vertex_count; ++i) {
            float open = is_solid ? open_sky(ambient, mesh->positions[i], normals[i], floor_y) : 1.0f;
            mesh->open[2 * i] = (uint8_t)(open * 255.0f + 0.5f);
        }
    }
}
