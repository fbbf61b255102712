// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OBJ, PLY and STL written: what comes back is what was there.

#include "gertie/surface.h"
#include "mesh_support.h"
#include "support/folder.h"

#define SOURCE                                                                                                         \
    "o left\nv -0.1 1.7 0.123456\nv 0.3333333 0 -7e-05\nv 1 1 0\nv 0 1 0\nvt 0 0.25\nvt 0.5 0\nvt 0.5 1\nvt 0.125 1\n" \
    "vt 0.75 0\nvn 0 0 1\nf 1/1/1 2/2/1 3/3/1\nf 1/5/1 3/3/1 4/4/1\no right\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n"

static GtScene* write_and_read(const GtScene* scene, const char* format, bool text)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* again = NULL;
    GtSaveDef save = gt_default_save_def();
    GtLoadDef load = { .metres_per_unit = scene->source.metres_per_unit, .up_axis = (int32_t)scene->source.up_axis };
    char name[16];
    snprintf(name, sizeof name, "again.%s", format);
    save.text = text;
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, format, &save, &blob, &error));
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), name, &load, &again, &error));
    gt_blob_release(blob);
    return again;
}

// Every vertex of a mesh, bit by bit.
static void expect_same_vertices(const GtScene* a, const GtScene* b, int32_t mesh, const char* attribute, size_t width)
{
    uint64_t count = mesh_vertex_count(a, mesh, 0);
    assert_int_equal(mesh_vertex_count(b, mesh, 0), count);
    for (uint64_t i = 0; i < count; ++i) {
        float x[4];
        float y[4];
        mesh_value(a, mesh, 0, attribute, i, x);
        mesh_value(b, mesh, 0, attribute, i, y);
        assert_memory_equal(x, y, width * sizeof *x);
    }
}

static void test_obj_comes_back_to_the_bit(void** state)
{
    (void)state;
    static const GtLoadDef units[] = { { .metres_per_unit = 1.0, .up_axis = GT_UP_Y },
                                       { .metres_per_unit = 0.01, .up_axis = GT_UP_Z },
                                       { .metres_per_unit = 0.0254, .up_axis = GT_UP_X } };
    for (size_t u = 0; u < sizeof units / sizeof *units; ++u) {
        TestLog log;
        GtContext context = test_context(&log);
        GtScene* scene = mesh_load_with(&context, SOURCE, strlen(SOURCE), "a.obj", &units[u]);
        GtScene* again = write_and_read(scene, "obj", true);
        assert_int_equal(again->mesh_count, 2);
        assert_string_equal(again->nodes[0].name, "left");
        expect_same_vertices(scene, again, 0, "POSITION", 3);
        expect_same_vertices(scene, again, 0, "TEXCOORD_0", 2);
        expect_same_vertices(scene, again, 0, "NORMAL", 3);
        expect_same_vertices(scene, again, 1, "POSITION", 3);
        assert_int_equal(gt_primitive_find(mesh_primitive(again, 1, 0), "NORMAL"), GT_NONE);
        for (uint64_t i = 0; i < 6; ++i) {
            assert_int_equal(mesh_corner(again, 0, 0, i), mesh_corner(scene, 0, 0, i));
        }
        gt_scene_destroy(again);
        gt_scene_destroy(scene);
    }
}

// Positions that were split at a seam are one again: the topology of the first file.
static void test_seams_are_closed_in_obj(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* scene = mesh_load(&log, SOURCE, "a.obj");
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 5);
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "obj", NULL, &blob, &error));
    int positions = 0;
    const char* text = (const char*)gt_blob_bytes(blob);
    for (size_t i = 0; i + 2 < gt_blob_size(blob); ++i) {
        positions += memcmp(text + i, "\nv ", 3) == 0;
    }
    assert_int_equal(positions, 7);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_ply_and_stl_keep_the_surface(void** state)
{
    (void)state;
    static const char colored[] = "v 0 0 0 1 0 0\nv 1 0 0 0 0.50196 0\nv 0 1 0 0.2 0.4 0.6\nv 0 0 1 1 1 1\n"
                                  "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    TestLog log;
    GtScene* scene = mesh_load(&log, colored, "a.obj");
    GT_EXPECT_NEAR(mesh_volume(scene, 0), 1.0 / 6.0, 1e-7);
    for (int text = 0; text < 2; ++text) {
        GtScene* ply = write_and_read(scene, "ply", text);
        expect_same_vertices(scene, ply, 0, "POSITION", 3);
        expect_same_vertices(scene, ply, 0, "COLOR_0", 4);
        GT_EXPECT_NEAR(mesh_volume(ply, 0), 1.0 / 6.0, 1e-7);
        GtScene* stl = write_and_read(scene, "stl", text);
        assert_int_equal(mesh_vertex_count(stl, 0, 0), 4);
        GT_EXPECT_NEAR(mesh_volume(stl, 0), 1.0 / 6.0, 1e-7);
        gt_scene_destroy(stl);
        gt_scene_destroy(ply);
    }
    gt_scene_destroy(scene);
}

// A node that mirrors turns triangles inside out: they are turned back.
static void test_nodes_place_what_is_written(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene =
        mesh_load(&log, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", "a.obj");
    scene->nodes[0].local.scale = gt_vec3(-2, 1, 1);
    scene->nodes[0].local.translation = gt_vec3(10, 0, 0);
    GtScene* again = write_and_read(scene, "ply", false);
    GT_EXPECT_NEAR(mesh_volume(again, 0), 2.0 / 6.0, 1e-6);
    float p[4];
    mesh_value(again, 0, 0, "POSITION", 1, p);
    GT_EXPECT_NEAR(p[0], 8.0, 0.0);
    gt_scene_destroy(again);
    gt_scene_destroy(scene);
}

static void test_materials_and_pictures_go_beside_the_file(void** state)
{
    (void)state;
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl skin tone\nf 1/1 2/1 3/1\n";
    static const char mtl[] = "newmtl skin tone\nKd 0.8 0.6 0.5\nd 0.5\nPr 0.25\nPm 0.5\nmap_Kd skin.png\n";
    TestFolder here;
    TestFolder there;
    test_folder_create(&here);
    test_folder_create(&there);
    test_folder_put(&here, "a.obj", obj, sizeof obj - 1);
    test_folder_put(&here, "a.mtl", mtl, sizeof mtl - 1);
    test_folder_put(&here, "skin.png", "\x89PNG\r\n\x1A\n", 8);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* again = NULL;
    GT_EXPECT_OK(gt_scene_load(&context, test_folder_path(&here, "a.obj"), NULL, &scene, &error));
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&there, "b.obj"), NULL, &error));
    GT_EXPECT_OK(gt_scene_load(&context, test_folder_path(&there, "b.obj"), NULL, &again, &error));
    const GtMaterial* material = &again->materials[0];
    assert_string_equal(material->name, "skin tone");
    GT_EXPECT_NEAR(material->base_color[3], 0.5, 0.0);
    GT_EXPECT_NEAR(material->roughness, 0.25, 0.0);
    GT_EXPECT_NEAR(material->metallic, 0.5, 0.0);
    assert_string_equal(again->images[0].uri, "b_0.png");
    size_t size = 0;
    uint8_t* picture = test_folder_get(&there, "b_0.png", &size);
    assert_int_equal(size, 8);
    free(picture);
    gt_scene_destroy(again);
    gt_scene_destroy(scene);
    test_folder_remove(&here);
    test_folder_remove(&there);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    static const char* const formats[] = { "obj", "ply", "stl" };
    TestLog log;
    GtScene* scene = mesh_load(&log, SOURCE, "a.obj");
    for (int f = 0; f < 3; ++f) {
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        for (int64_t allowed = 0; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
            TestAllocator limited = { .remaining = allowed };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&limited);
            GtError error = { 0 };
            GtBlob* blob = NULL;
            result = gt_scene_save_memory(&context, scene, formats[f], NULL, &blob, &error);
            assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
            assert_true(allowed > 0 || result != GT_OK);
            gt_blob_release(blob);
            assert_int_equal(limited.alive, 0);
        }
    }
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj_comes_back_to_the_bit),
        cmocka_unit_test(test_seams_are_closed_in_obj),
        cmocka_unit_test(test_ply_and_stl_keep_the_surface),
        cmocka_unit_test(test_nodes_place_what_is_written),
        cmocka_unit_test(test_materials_and_pictures_go_beside_the_file),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
