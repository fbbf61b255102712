// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OBJ as it is written in the wild.

#include "mesh_support.h"
#include "support/folder.h"

#include <locale.h>

#define CUBE                                                                                                           \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"                                         \
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n"

static void test_a_cube(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene = mesh_load(&log, CUBE, "some/cube.obj");
    assert_int_equal(log.warning_count + log.note_count, 0);
    assert_string_equal(scene->source.format, "obj");
    assert_string_equal(scene->source.directory, "some");
    assert_int_equal(scene->node_count, 1);
    assert_string_equal(scene->nodes[0].name, "cube");
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 8);
    assert_int_equal(mesh_triangle_count(scene, 0, 0), 12);
    GT_EXPECT_NEAR(mesh_volume(scene, 0), 1.0, 1e-6);
    for (uint64_t i = 0; i < 8; ++i) { // in the file's order, though faces use them in another
        float p[4];
        mesh_value(scene, 0, 0, "POSITION", i, p);
        assert_true(p[0] == (i % 4 == 1 || i % 4 == 2) && p[1] == (i % 4 >= 2) && p[2] == (i >= 4));
    }
    gt_scene_destroy(scene);
}

// The same cube in the ways that other programs have of writing it.
static void test_dialects_read_the_same(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "\xEF\xBB\xBF# made by hand\r\n" CUBE,
        "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\n"
        "f 1 4 3 2\r\nf 5 6 7 8\r\nf 1 2 6 5\r\nf 3 4 8 7\r\nf 2 3 7 6\r\nf 4 1 5 8",
        "v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rv 0 0 1\rv 1 0 1\rv 1 1 1\rv 0 1 1\r"
        "f 1 4 3 2\rf 5 6 7 8\rf 1 2 6 5\rf 3 4 8 7\rf 2 3 7 6\rf 4 1 5 8\r",
        "\t v\t0.000  0 0.0 1.0\nv +1 0e3 .0\nv 1. 1 0\nv 0 10e-1 0 # here\n  v 0 0 1\nv 1 0 \\\n1\nv 1 1 "
        "0.10000000000000000000000000e1\nv 0 1 1#there\n"
        "f 1 4 \\\r\n3 2\nf 5 6 7 8 # a face\nfo 1 2 6 5\nf 3/ 4/ 8// 7\ns 1\nf 2 3 7 6\ns off\nf 4 1 5 8\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -1 -2 -3\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
        "f -4 -3 -2 -1\nf 1 2 -3 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n",
        "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 2 3 7 6\nf 4 1 5 8\n" // faces first
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n",
        "# C:\\folder\\\n" CUBE "\0\0\0",
    };
    TestLog log;
    GtScene* expected = mesh_load(&log, CUBE, "cube.obj");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        GtScene* scene = mesh_load(&log, texts[i], "cube.obj");
        assert_int_equal(log.warning_count, 0);
        assert_int_equal(mesh_vertex_count(scene, 0, 0), 8);
        mesh_expect_same_file(scene, expected);
        gt_scene_destroy(scene);
    }
    gt_scene_destroy(expected);
}

// Exporters that strip normals or texture coordinates leave the faces' references to them.
static void test_references_to_a_kind_that_is_missing_are_ignored(void** state)
{
    (void)state;
    static const char points[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n";
    static const struct {
        const char* rest;
        const char* missing; // NULL where the face is left out
        bool has_texcoords;
    } files[] = {
        { "f 1//1 2//2 3//3\nf 2//2 4//4 3//3\n", "refer to normals, but", false },
        { "vt 0 0\nvt 1 0\nvt 0 1\nvt 1 1\nf 1/1/1 2/2/2 3/3/3\nf 2/2/1 4/4/1 3/3/-1\n", "refer to normals, but",
          true },
        { "f 1/1/1 2/2/2 3/3/3\nf 2/2/2 4/4/4 3/3/3\n", "refer to texture coordinates and normals, but", false },
        { "vn 0 0 1\nf 1//1 2//1 3//1\nf 2//1 4//2 3//1\n", NULL, false },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        char text[512];
        TestLog log;
        snprintf(text, sizeof text, "%s%s", points, files[i].rest);
        GtScene* scene = mesh_load(&log, text, "bare.obj");
        assert_int_equal(log.warning_count, 1);
        assert_non_null(strstr(log.text, files[i].missing ? files[i].missing : "a face refers to normal 2"));
        assert_int_equal(mesh_triangle_count(scene, 0, 0), files[i].missing ? 2 : 1);
        const GtPrimitive* primitive = &scene->meshes[0].primitives[0];
        assert_int_equal(gt_primitive_find(primitive, "NORMAL") != GT_NONE, !files[i].missing);
        assert_int_equal(gt_primitive_find(primitive, "TEXCOORD_0") != GT_NONE, files[i].has_texcoords);
        gt_scene_destroy(scene);
    }
}

static void test_vertices_are_split_at_seams_alone(void** state)
{
    (void)state;
    TestLog log;
    // Two quads; along their common edge the second has other texture coordinates at one corner, and equal ones under
    // other numbers at the other. Normals are written once a corner, all the same.
    GtScene* scene = mesh_load(&log,
                               "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\n"
                               "vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.5 0\nvt 1 0\nvt 1 1\nvt 0.75 1\n"
                               "vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
                               "f 1/1/1 2/2/2 3/3/3 4/4/4\nf 2/5/5 5/6/1 6/7/2 3/8/3\n",
                               "quads.obj");
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 7);
    assert_int_equal(mesh_triangle_count(scene, 0, 0), 4);
    float a[4], b[4];
    mesh_value(scene, 0, 0, "POSITION", 2, a); // the split vertex and its twin follow each other
    mesh_value(scene, 0, 0, "POSITION", 3, b);
    assert_true(a[0] == 1 && a[1] == 1 && b[0] == 1 && b[1] == 1);
    mesh_value(scene, 0, 0, "TEXCOORD_0", 2, a);
    mesh_value(scene, 0, 0, "TEXCOORD_0", 3, b);
    assert_true(a[0] == 0.5f && b[0] == 0.75f);
    mesh_value(scene, 0, 0, "TEXCOORD_0", 0, a);
    assert_true(a[0] == 0.0f && a[1] == 1.0f); // glTF counts from above
    mesh_value(scene, 0, 0, "NORMAL", 6, a);
    assert_true(a[0] == 0 && a[1] == 0 && a[2] == 1);
    gt_scene_destroy(scene);
}

static void test_groups_objects_and_materials(void** state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "o person\ng body skin\nusemtl flesh\nf 1 2 3\ng hair\nusemtl dark red\nf 1 2 4\n"
                               "g body skin\nusemtl flesh\nf 1 3 4\nusemtl nails\nf 2 3 4\no hat\nf 4 3 2\n";
    TestLog log;
    GtScene* scene = mesh_load(&log, text, "person.obj");
    assert_int_equal(scene->mesh_count, 3);
    assert_string_equal(scene->nodes[0].name, "body skin");
    assert_string_equal(scene->nodes[1].name, "hair");
    assert_string_equal(scene->nodes[2].name, "hat");
    assert_int_equal(scene->meshes[0].primitive_count, 2);
    assert_int_equal(mesh_triangle_count(scene, 0, 0), 2);
    assert_int_equal(mesh_triangle_count(scene, 0, 1), 1);
    assert_int_equal(scene->material_count, 3);
    assert_string_equal(scene->materials[mesh_primitive(scene, 0, 1)->material].name, "nails");
    assert_string_equal(scene->materials[mesh_primitive(scene, 1, 0)->material].name, "dark red");
    assert_int_equal(mesh_primitive(scene, 2, 0)->material, mesh_primitive(scene, 0, 1)->material); // it still holds
    gt_scene_destroy(scene);
    static const struct {
        const char* group;
        int32_t meshes;
    } cases[] = { { "skin", 1 }, { "body", 1 }, { "hair", 1 }, { "person", 2 }, { "hat", 1 }, { "body skin", 1 } };
    GtContext context = test_context(&log);
    GtLoadDef def = gt_default_load_def();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        def.group = cases[i].group;
        scene = mesh_load_with(&context, text, sizeof text - 1, "person.obj", &def);
        assert_int_equal(scene->mesh_count, cases[i].meshes);
        gt_scene_destroy(scene);
    }
    GtError error = { 0 };
    def.group = "bod";
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, text, sizeof text - 1, "person.obj", &def, &scene, &error),
                    GT_ERROR_NOT_FOUND, "person.obj: there is no group or object 'bod'");
    static const char bvh[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\n";
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, bvh, sizeof bvh - 1, "a.bvh", &def, &scene, &error),
                    GT_ERROR_UNSUPPORTED, "only OBJ files have groups");
}

static void test_colors_in_both_dialects(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "v 0 0 0 1 0 0\nv 1 0 0 0 0.5 0\nv 0 1 0 1 1 1\nf 1 2 3\n",
        "v 0 0 0 255 0 0\nv 1 0 0 0 127.5 0\nv 0 1 0\nf 1 2 3\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\n#MRGB ffff0000ff008000\n#MRGB ffFFFFFF\nf 1 2 3\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        TestLog log;
        GtScene* scene = mesh_load(&log, texts[i], "colors.obj");
        float color[4];
        mesh_value(scene, 0, 0, "COLOR_0", 0, color);
        assert_true(color[0] == 1 && color[1] == 0 && color[2] == 0 && color[3] == 1);
        mesh_value(scene, 0, 0, "COLOR_0", 1, color);
        GT_EXPECT_NEAR(color[1], 0.2140, 0.003); // sRGB's middle grey in linear light
        mesh_value(scene, 0, 0, "COLOR_0", 2, color);
        assert_true(color[0] == 1 && color[1] == 1 && color[2] == 1);
        gt_scene_destroy(scene);
    }
}

static void test_far_coordinates_keep_their_digits(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene = mesh_load(&log,
                               "v 500000.123 5400000.25 100.5\nv 500001.123 5400000.25 100.5\n"
                               "v 500000.123 5400001.75 100.5\nf 1 2 3\n",
                               "far.obj");
    assert_int_equal(log.note_count, 1);
    assert_non_null(strstr(log.text, "its vertices are kept relative to (499712, 5399552, 0)"));
    const GtNode* node = &scene->nodes[0];
    GtVec3 a = mesh_corner_position(scene, 0, 0, 0);
    GtVec3 b = mesh_corner_position(scene, 0, 0, 1);
    GT_EXPECT_NEAR((double)a.x + (double)node->local.translation.x, 500000.123, 2e-5);
    GT_EXPECT_NEAR((double)a.y + (double)node->local.translation.y, 5400000.25, 2e-5);
    GT_EXPECT_NEAR((double)a.z, 100.5, 0.0);
    GT_EXPECT_NEAR((double)b.x - (double)a.x, 1.0, 4e-5); // floats alone would be off by 0.03
    gt_scene_destroy(scene);
}

static void test_units_are_guessed_from_a_person_and_said(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double metres;
        const char* note;
    } cases[] = {
        { "v -0.3 0 -0.15\nv 0.3 0 0.15\nv 0 1.75 0\nf 1 2 3\n", 1.0, "" },
        { "v -30 0 -15\nv 30 0 15\nv 0 175 0\nf 1 2 3\n", 0.01, "centimetres are assumed, in which its height of 175" },
        { "v -300 0 -150\nv 300 0 150\nv 0 1750 0\nf 1 2 3\n", 0.001, "millimetres" },
        { "v -3 0 -1.5\nv 3 0 1.5\nv 0 17.5 0\nf 1 2 3\n", 0.1, "decimetres" },
        { "v -12 0 -6\nv 12 0 6\nv 0 69 0\nf 1 2 3\n", 0.0254, "inches" },
        { "v -170 0 -170\nv 170 0 170\nv 0 170 0\nf 1 2 3\n", 1.0, "" }, // as deep as tall: no person
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TestLog log;
        GtScene* scene = mesh_load(&log, cases[i].text, "scan.obj");
        GT_EXPECT_NEAR(scene->source.metres_per_unit, cases[i].metres, 0.0);
        GT_EXPECT_NEAR(scene->nodes[0].local.scale.x, (float)cases[i].metres, 0.0);
        assert_non_null(strstr(log.text, cases[i].note));
        assert_int_equal(log.note_count, cases[i].note[0] != 0);
        gt_scene_destroy(scene);
    }
    TestLog log;
    GtContext context = test_context(&log);
    GtLoadDef def = { .metres_per_unit = 0.5, .up_axis = GT_UP_Z };
    GtScene* scene = mesh_load_with(&context, cases[1].text, strlen(cases[1].text), "scan.obj", &def);
    GtVec3 up = gt_quat_rotate(scene->nodes[0].local.rotation, gt_vec3(0, 0, 1));
    GT_EXPECT_NEAR(up.y, 1.0, 1e-6);
    GT_EXPECT_NEAR(scene->nodes[0].local.scale.y, 0.5, 0.0);
    assert_int_equal(log.note_count, 0);
    gt_scene_destroy(scene);
}

static void test_materials_come_from_the_library(void** state)
{
    (void)state;
    static const char obj[] = "mtllib my colours.mtl\nmtllib other.mtl gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                              "usemtl skin\nf 1 2 3\nusemtl glass\nf 1 2 3\nusemtl unknown\nf 1 2 3\n";
    static const char mtl[] = "\xEF\xBB\xBF# materials\r\nnewmtl skin\r\nKd 0.8 0.6 0.5\r\nNs 30\r\nKe 0.1\r\n"
                              "map_Kd -s 1 1 1 -o 0 0 -clamp on textures\\skin map.png\r\nbump -bm 0.3 skin_n.png\r\n"
                              "newmtl nobody\r\nmap_Kd nobody.png\r\n";
    static const char other[] = "newmtl glass\nKd 1 1 1\nd 0.25\nTr 0.1\nPr 0.05\nPm 0.5\nnewmtl skin\nKd 0 0 0\n";
    TestFolder folder;
    test_folder_create(&folder);
    test_folder_put(&folder, "a.obj", obj, sizeof obj - 1);
    test_folder_put(&folder, "my colours.mtl", mtl, sizeof mtl - 1);
    test_folder_put(&folder, "other.mtl", other, sizeof other - 1);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load(&context, test_folder_path(&folder, "a.obj"), NULL, &scene, &error));
    assert_int_equal(log.warning_count, 1);
    assert_non_null(strstr(log.text, "the material file 'gone.mtl' does not exist"));
    assert_int_equal(scene->material_count, 3);
    const GtMaterial* skin = &scene->materials[mesh_primitive(scene, 0, 0)->material];
    assert_string_equal(skin->name, "skin");
    GT_EXPECT_NEAR(skin->base_color[1], 0.6, 1e-7);
    GT_EXPECT_NEAR(skin->roughness, 0.5, 1e-6); // (2 / 32)^(1/4)
    GT_EXPECT_NEAR(skin->metallic, 0.0, 0.0);
    GT_EXPECT_NEAR(skin->emissive[2], 0.1, 1e-7);
    assert_int_equal(scene->image_count, 2);
    assert_string_equal(scene->images[scene->textures[skin->base_color_texture.texture].image].uri,
                        "textures/skin%20map.png");
    assert_string_equal(scene->images[scene->textures[skin->normal_texture.texture].image].uri, "skin_n.png");
    const GtMaterial* glass = &scene->materials[mesh_primitive(scene, 0, 1)->material];
    GT_EXPECT_NEAR(glass->base_color[3], 0.25, 0.0);
    assert_int_equal(glass->alpha_mode, GT_ALPHA_BLEND);
    GT_EXPECT_NEAR(glass->roughness, 0.05, 1e-7);
    GT_EXPECT_NEAR(glass->metallic, 0.5, 0.0);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void test_what_is_no_face_is_said(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene = mesh_load(&log, CUBE "v 7 7 7\nl 1 2 3\nl 1 2\np 4\ncstype bspline\ndeg 2\n", "cube.obj");
    assert_int_equal(log.warning_count, 0);
    assert_non_null(strstr(log.text, "2 line elements are left out"));
    assert_non_null(strstr(log.text, "1 point element is left out"));
    assert_non_null(strstr(log.text, "2 free-form elements are left out"));
    assert_non_null(strstr(log.text, "1 vertex that no face uses is left out"));
    gt_scene_destroy(scene);
    scene = mesh_load(&log, "v 0 0 0 1 0 0\nv 1 2 3 0 1 0\n", "cloud.obj");
    assert_int_equal(mesh_primitive(scene, 0, 0)->mode, GT_MODE_POINTS);
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 2);
    gt_scene_destroy(scene);
}

static void test_a_comma_is_no_point_in_any_locale(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* expected = mesh_load(&log, "v 0.5 0 1e-1\nv 1.25 0 0\nv 0 1 0.123456789012\nf 1 2 3\n", "a.obj");
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        print_message("no German locale here: numbers were read in the C locale only\n");
    }
    scene = mesh_load(&log, "v 0.5 0 1e-1\nv 1.25 0 0\nv 0 1 0.123456789012\nf 1 2 3\n", "a.obj");
    mesh_expect_same_file(scene, expected);
    gt_scene_destroy(scene);
    static const char comma[] = "v 0,5 0 0\n";
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, comma, sizeof comma - 1, "a.obj", NULL, &scene, &error),
                    GT_ERROR_BAD_FILE, "a.obj: line 1: a vertex needs three numbers, got '0,5'");
    setlocale(LC_ALL, "C");
    gt_scene_destroy(expected);
}

static void test_real_scans(void** state)
{
    (void)state;
    static const struct {
        const char* file;
        uint64_t vertices, triangles;
    } scans[] = { { "human_man.obj", 6890, 13776 },
                  { "human_woman.obj", 6890, 13776 },
                  { "armadillo.obj", 14587, 29170 },
                  { "stanford-bunny.obj", 34834, 69451 } };
    const char* data = getenv("GERTIE_DATA");
    if (!data) {
        print_message("GERTIE_DATA is not set: no real scans were read\n");
        skip();
    }
    for (size_t i = 0; i < sizeof scans / sizeof *scans; ++i) {
        char path[1024];
        snprintf(path, sizeof path, "%s/scans/%s", data, scans[i].file);
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &scene, &error));
        assert_int_equal(mesh_vertex_count(scene, 0, 0), scans[i].vertices);
        assert_int_equal(mesh_triangle_count(scene, 0, 0), scans[i].triangles);
        gt_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube),
        cmocka_unit_test(test_dialects_read_the_same),
        cmocka_unit_test(test_references_to_a_kind_that_is_missing_are_ignored),
        cmocka_unit_test(test_vertices_are_split_at_seams_alone),
        cmocka_unit_test(test_groups_objects_and_materials),
        cmocka_unit_test(test_colors_in_both_dialects),
        cmocka_unit_test(test_far_coordinates_keep_their_digits),
        cmocka_unit_test(test_units_are_guessed_from_a_person_and_said),
        cmocka_unit_test(test_materials_come_from_the_library),
        cmocka_unit_test(test_what_is_no_face_is_said),
        cmocka_unit_test(test_a_comma_is_no_point_in_any_locale),
        cmocka_unit_test(test_real_scans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
