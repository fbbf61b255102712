// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Matrices are multiplied in double, and the scale and turn that a reader put into a node for units and up axis are
// taken for what was meant, not for what a float can say: so numbers go back to a file as they came.

#include "io/mesh/walk.h"

#include "base/fail.h"
#include "base/matrix3.h"
#include "gertie/accessor.h"
#include "io/bvh/axes.h"
#include "io/srgb.h"

#include <math.h>
#include <string.h>

typedef double Matrix[3][4];

static void multiply(Matrix a, Matrix b, Matrix out)
{
    Matrix result;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            result[r][c] = a[r][0] * b[0][c] + a[r][1] * b[1][c] + a[r][2] * b[2][c] + (c == 3 ? a[r][3] : 0.0);
        }
    }
    memcpy(out, result, sizeof result);
}

// A quarter turn's matrix has only 0 and 1 in it, whatever its quaternion's floats say.
static double snap(double value)
{
    double whole = round(value);
    return fabs(value - whole) < 1e-6 ? whole : value;
}

static void matrix_of_node(const GtNode* node, double metres_per_unit, Matrix out)
{
    if (node->matrix) {
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 4; ++c) {
                out[r][c] = (double)node->matrix[4 * c + r];
            }
        }
        return;
    }
    const GtTransform* t = &node->local;
    double rotation[3][3];
    gti_rotation_from_quat(gti_quat_from(t->rotation), rotation);
    const float scale[3] = { t->scale.x, t->scale.y, t->scale.z };
    const float translation[3] = { t->translation.x, t->translation.y, t->translation.z };
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            double s = scale[c] == (float)metres_per_unit ? metres_per_unit : (double)scale[c];
            out[r][c] = snap(rotation[r][c]) * s;
        }
        out[r][3] = (double)translation[r];
    }
}

static void file_from_scene(const GtScene* scene, const GtSaveDef* def, Matrix out)
{
    bool back = def->source_units && scene->source.metres_per_unit > 0.0;
    double units = back ? 1.0 / scene->source.metres_per_unit : 1.0;
    for (int c = 0; c < 3; ++c) {
        double axis[3] = { c == 0, c == 1, c == 2 };
        gti_bvh_file_from_y_vector(back ? scene->source.up_axis : GT_UP_Y, axis);
        for (int r = 0; r < 3; ++r) {
            out[r][c] = axis[r] * units;
        }
    }
    out[0][3] = out[1][3] = out[2][3] = 0.0;
}

static void linear_of(const double m[3][4], double out[3][3])
{
    for (int r = 0; r < 3; ++r) {
        memcpy(out[r], m[r], sizeof out[r]);
    }
}

uint64_t gti_primitive_triangle_count(const GtScene* scene, const GtPrimitive* primitive, uint64_t vertex_count)
{
    uint64_t corners = primitive->indices == GT_NONE ? vertex_count : scene->accessors[primitive->indices].count;
    switch (primitive->mode) {
    case GT_MODE_TRIANGLES:
        return corners / 3;
    case GT_MODE_TRIANGLE_STRIP:
    case GT_MODE_TRIANGLE_FAN:
        return corners > 2 ? corners - 2 : 0;
    default:
        return 0;
    }
}

static void show_node(GtiMeshWalk* walk, int32_t index, Matrix file_from_mesh)
{
    const GtScene* scene = walk->scene;
    const GtMesh* mesh = &scene->meshes[scene->nodes[index].mesh];
    for (int32_t p = 0; p < mesh->primitive_count; ++p) {
        const GtPrimitive* primitive = &mesh->primitives[p];
        int32_t position = gt_primitive_find(primitive, "POSITION");
        if (position == GT_NONE) {
            continue;
        }
        GtiShown* shown = &walk->shown[walk->shown_count++];
        *shown = (GtiShown){ .node = index, .primitive = primitive };
        shown->vertex_count = (uint32_t)scene->accessors[position].count;
        shown->triangle_count = gti_primitive_triangle_count(scene, primitive, shown->vertex_count);
        memcpy(shown->file_from_mesh, file_from_mesh, sizeof shown->file_from_mesh);
        double linear[3][3];
        linear_of((const double(*)[4])file_from_mesh, linear);
        shown->mirrored = gti_determinant3(linear) < 0.0;
        walk->vertex_count += shown->vertex_count;
        walk->triangle_count += shown->triangle_count;
        walk->has_normals |= gt_primitive_find(primitive, "NORMAL") != GT_NONE;
        walk->has_texcoords |= gt_primitive_find(primitive, "TEXCOORD_0") != GT_NONE;
        walk->has_colors |= gt_primitive_find(primitive, "COLOR_0") != GT_NONE;
    }
}

static GtResult walk_nodes(GtiMeshWalk* walk, const GtSaveDef* def, GtError* error)
{
    const GtScene* scene = walk->scene;
    size_t node_count = (size_t)scene->node_count;
    int32_t* order = gt_arena_push_array(&walk->arena, node_count + 1, sizeof *order);
    Matrix* scene_from_node = gt_arena_push_array(&walk->arena, node_count + 1, sizeof *scene_from_node);
    size_t most = 0;
    for (int32_t i = 0; i < scene->node_count; ++i) {
        most += scene->nodes[i].mesh == GT_NONE ? 0 : (size_t)scene->meshes[scene->nodes[i].mesh].primitive_count;
    }
    walk->shown = gt_arena_push_array(&walk->arena, most + 1, sizeof *walk->shown);
    if (!order || !scene_from_node || !walk->shown) {
        return gti_out_of_memory(error);
    }
    GtResult result = gt_scene_parent_first(scene, order, error);
    Matrix file;
    file_from_scene(scene, def, file);
    for (int32_t i = 0; i < scene->node_count && result == GT_OK; ++i) {
        const GtNode* node = &scene->nodes[order[i]];
        matrix_of_node(node, scene->source.metres_per_unit, scene_from_node[order[i]]);
        if (node->parent != GT_NONE) {
            multiply(scene_from_node[node->parent], scene_from_node[order[i]], scene_from_node[order[i]]);
        }
    }
    for (int32_t i = 0; i < scene->node_count && result == GT_OK; ++i) {
        if (scene->nodes[i].mesh != GT_NONE) {
            Matrix whole;
            Matrix rest = { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 } };
            multiply(file, scene->nodes[i].skin == GT_NONE ? scene_from_node[i] : rest, whole);
            show_node(walk, i, whole);
        }
    }
    return result;
}

GtResult gti_mesh_walk_create(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtiMeshWalk* out,
                              GtError* error)
{
    *out = (GtiMeshWalk){ .context = context, .scene = scene, .arena = gt_arena_create(context->allocator) };
    GtResult result = walk_nodes(out, def, error);
    if (result == GT_OK && (out->vertex_count > INT32_MAX || out->triangle_count > INT32_MAX)) {
        result = gti_fail(error, GT_ERROR_LIMIT, "%llu vertices and %llu triangles are more than the format can hold",
                          (unsigned long long)out->vertex_count, (unsigned long long)out->triangle_count);
    }
    return result;
}

void gti_mesh_walk_destroy(GtiMeshWalk* walk)
{
    gt_arena_destroy(&walk->arena);
}

void gti_shown_positions(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, GtVec3* out)
{
    int32_t accessor = gt_primitive_find(shown->primitive, "POSITION");
    gt_accessor_read_floats(walk->scene, accessor, first, count, &out->x);
    const double(*m)[4] = shown->file_from_mesh;
    for (uint32_t i = 0; i < count; ++i) {
        double x = (double)out[i].x, y = (double)out[i].y, z = (double)out[i].z;
        out[i] = gt_vec3((float)(m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3]),
                         (float)(m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3]),
                         (float)(m[2][0] * x + m[2][1] * y + m[2][2] * z + m[2][3]));
    }
}

// Normals go with the cofactors of the matrix, which turn as it does and squash the other way.
void gti_shown_normals(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, GtVec3* out)
{
    int32_t accessor = gt_primitive_find(shown->primitive, "NORMAL");
    memset(out, 0, (size_t)count * sizeof *out);
    if (accessor == GT_NONE) {
        return;
    }
    gt_accessor_read_floats(walk->scene, accessor, first, count, &out->x);
    double linear[3][3], cofactors[3][3];
    linear_of(shown->file_from_mesh, linear);
    gti_cofactors3(linear, cofactors);
    for (uint32_t i = 0; i < count; ++i) {
        GtiVec was = gti_vec_from(out[i]);
        GtiVec n = gti_times3(cofactors, was);
        double length = gti_vec_length(n);
        double scale = length > 0.0 && isfinite(length) ? gti_vec_length(was) / length : 0.0; // as long as they were
        out[i] = gti_vec_to_float(gti_vec_scale(n, shown->mirrored ? -scale : scale));
    }
}

void gti_shown_texcoords(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, float* out)
{
    int32_t accessor = gt_primitive_find(shown->primitive, "TEXCOORD_0");
    memset(out, 0, (size_t)count * 2 * sizeof *out);
    if (accessor == GT_NONE) {
        return;
    }
    gt_accessor_read_floats(walk->scene, accessor, first, count, out);
    for (uint32_t i = 0; i < count; ++i) {
        out[2 * i + 1] = 1.0f - out[2 * i + 1];
    }
}

void gti_shown_colors(const GtiMeshWalk* walk, const GtiShown* shown, uint32_t first, uint32_t count, uint8_t* out)
{
    int32_t accessor = gt_primitive_find(shown->primitive, "COLOR_0");
    memset(out, 255, (size_t)count * 4);
    if (accessor == GT_NONE) {
        return;
    }
    int32_t width = gt_element_components(walk->scene->accessors[accessor].element_type);
    for (uint32_t i = 0; i < count; ++i) {
        float color[4] = { 1.0f, 1.0f, 1.0f, 1.0f };
        gt_accessor_read_floats(walk->scene, accessor, first + i, 1, color);
        for (int k = 0; k < 3; ++k) {
            out[4 * i + (uint32_t)k] = gti_srgb8_from_linear((double)color[k]);
        }
        out[4 * i + 3] = width == 4 ? (uint8_t)lroundf(fminf(fmaxf(color[3], 0.0f), 1.0f) * 255.0f) : 255;
    }
}

void gti_shown_triangle(const GtiMeshWalk* walk, const GtiShown* shown, uint64_t triangle, uint32_t out[3])
{
    uint64_t corner[3] = { 3 * triangle, 3 * triangle + 1, 3 * triangle + 2 };
    uint64_t odd = triangle % 2;
    if (shown->primitive->mode == GT_MODE_TRIANGLE_STRIP) {
        corner[0] = triangle;
        corner[1] = triangle + 1 + odd;
        corner[2] = triangle + 2 - odd;
    } else if (shown->primitive->mode == GT_MODE_TRIANGLE_FAN) {
        corner[0] = triangle + 1;
        corner[1] = triangle + 2;
        corner[2] = 0;
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = (uint32_t)corner[i];
        if (shown->primitive->indices != GT_NONE) {
            gt_accessor_read_uints(walk->scene, shown->primitive->indices, corner[i], 1, &out[i]);
        }
    }
    if (shown->mirrored) {
        uint32_t swap = out[1];
        out[1] = out[2];
        out[2] = swap;
    }
}
