// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of plain mesh formats share.

#ifndef GERTIE_TESTS_IO_MESH_SUPPORT_H
#define GERTIE_TESTS_IO_MESH_SUPPORT_H

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "support/test.h"

#include <stdlib.h>

// Read bytes; the test fails where they are refused.
static inline GtScene* mesh_load_with(const GtContext* context, const void* bytes, size_t size, const char* path,
                                      const GtLoadDef* def)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(context, bytes, size, path, def, &scene, &error));
    return scene;
}

static inline GtScene* mesh_load(TestLog* log, const char* text, const char* path)
{
    GtContext context = test_context(log);
    return mesh_load_with(&context, text, strlen(text), path, NULL);
}

static inline const GtPrimitive* mesh_primitive(const GtScene* scene, int32_t mesh, int32_t primitive)
{
    assert_in_range(mesh, 0, scene->mesh_count - 1);
    assert_in_range(primitive, 0, scene->meshes[mesh].primitive_count - 1);
    return &scene->meshes[mesh].primitives[primitive];
}

static inline uint64_t mesh_vertex_count(const GtScene* scene, int32_t mesh, int32_t primitive)
{
    return scene->accessors[gt_primitive_find(mesh_primitive(scene, mesh, primitive), "POSITION")].count;
}

static inline uint64_t mesh_triangle_count(const GtScene* scene, int32_t mesh, int32_t primitive)
{
    int32_t indices = mesh_primitive(scene, mesh, primitive)->indices;
    return indices == GT_NONE ? 0 : scene->accessors[indices].count / 3;
}

// An attribute of one vertex; the test fails where there is none.
static inline void mesh_value(const GtScene* scene, int32_t mesh, int32_t primitive, const char* attribute,
                              uint64_t vertex, float out[4])
{
    int32_t accessor = gt_primitive_find(mesh_primitive(scene, mesh, primitive), attribute);
    assert_int_not_equal(accessor, GT_NONE);
    gt_accessor_read_floats(scene, accessor, vertex, 1, out);
}

static inline uint32_t mesh_corner(const GtScene* scene, int32_t mesh, int32_t primitive, uint64_t corner)
{
    uint32_t index = 0;
    gt_accessor_read_uints(scene, mesh_primitive(scene, mesh, primitive)->indices, corner, 1, &index);
    return index;
}

// Where a triangle's corner is, in the mesh's own space.
static inline GtVec3 mesh_corner_position(const GtScene* scene, int32_t mesh, int32_t primitive, uint64_t corner)
{
    float p[4] = { 0 };
    mesh_value(scene, mesh, primitive, "POSITION", mesh_corner(scene, mesh, primitive, corner), p);
    return gt_vec3(p[0], p[1], p[2]);
}

// The volume within all triangles of a mesh, by the divergence theorem.
static inline double mesh_volume(const GtScene* scene, int32_t mesh)
{
    double volume = 0.0;
    for (int32_t p = 0; p < scene->meshes[mesh].primitive_count; ++p) {
        for (uint64_t t = 0; t < mesh_triangle_count(scene, mesh, p); ++t) {
            GtVec3 a = mesh_corner_position(scene, mesh, p, 3 * t);
            GtVec3 b = mesh_corner_position(scene, mesh, p, 3 * t + 1);
            GtVec3 c = mesh_corner_position(scene, mesh, p, 3 * t + 2);
            volume += (double)gt_vec3_dot(a, gt_vec3_cross(b, c)) / 6.0;
        }
    }
    return volume;
}

// Whether two scenes hold the same bytes, data and all.
static inline void mesh_expect_same_file(const GtScene* a, const GtScene* b)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* first = NULL;
    GtBlob* second = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&context, a, "glb", NULL, &first, &error));
    GT_EXPECT_OK(gt_scene_save_memory(&context, b, "glb", NULL, &second, &error));
    assert_int_equal(gt_blob_size(first), gt_blob_size(second));
    assert_memory_equal(gt_blob_bytes(first), gt_blob_bytes(second), gt_blob_size(first));
    gt_blob_release(first);
    gt_blob_release(second);
}

#endif
