// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PLY, STL and OFF: the same mesh in every dialect, and what is wrong in them said.

#include "mesh_support.h"

#define OFF_CUBE                                                                                                       \
    "8 6 12\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"                                                 \
    "4 0 3 2 1\n4 4 5 6 7\n4 0 1 5 4\n4 2 3 7 6\n4 1 2 6 5\n4 3 0 4 7\n"

#define PLY_HEAD(format, faces)                                                                                        \
    "ply\nformat " format " 1.0\ncomment made by hand\nelement vertex 4\nproperty float x\nproperty float y\n"         \
    "property float z\nelement face " faces "\nproperty list uchar int vertex_indices\nend_header\n"

static void expect_cube(const char* text, const char* path)
{
    TestLog log;
    GtScene* scene = mesh_load(&log, text, path);
    assert_int_equal(log.warning_count + log.note_count, 0);
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 8);
    assert_int_equal(mesh_triangle_count(scene, 0, 0), 12);
    GT_EXPECT_NEAR(mesh_volume(scene, 0), 1.0, 1e-6);
    assert_string_equal(scene->nodes[0].name, "cube");
    gt_scene_destroy(scene);
}

static void test_off_dialects(void** state)
{
    (void)state;
    expect_cube("OFF\n" OFF_CUBE, "cube.off");
    expect_cube("\xEF\xBB\xBF# a comment\n\nOFF # here\n# there\n" OFF_CUBE "\n\n", "cube.off");
    expect_cube("OFF " OFF_CUBE, "cube.off"); // counts on the first line
    expect_cube(OFF_CUBE, "cube.off");        // no first word: told by its name
    expect_cube("OFF\r\n8 6 0\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n0 0 1\r\n1 0 1\r\n1 1 1\r\n0 1 1\r\n"
                "4 0 3 2 1\r\n4  4 5 6 7 255 0 0\r\n4 0 1 5 4\r\n4 2 3 7 6 0.5 0.5 0.5\r\n4 1 2 6 5\r\n4 3 0 4 7",
                "cube");
    TestLog log;
    GtScene* scene = mesh_load(&log,
                               "STCNOFF\n3 1 0\n0 0 0 0 0 1 255 0 0 255 0.25 0.75\n1 0 0 0 0 1 0 255 0 255 1 0\n"
                               "0 1 0 0 0 1 0 0 128 128 0 1\n3 0 1 2\n",
                               "all.off");
    float value[4];
    mesh_value(scene, 0, 0, "NORMAL", 0, value);
    assert_true(value[2] == 1);
    mesh_value(scene, 0, 0, "COLOR_0", 2, value);
    GT_EXPECT_NEAR(value[2], 0.2159, 1e-3);
    GT_EXPECT_NEAR(value[3], 128.0 / 255.0, 1e-4);
    mesh_value(scene, 0, 0, "TEXCOORD_0", 0, value);
    assert_true(value[0] == 0.25f && value[1] == 0.25f);
    gt_scene_destroy(scene);
}

static void test_ply_text(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene =
        mesh_load(&log,
                  "ply\r\nformat ascii 1.0\r\nobj_info nothing\r\nelement material 1\r\nproperty int id\r\n"
                  "element vertex 4\r\nproperty double confidence\r\nproperty float64 x\r\n"
                  "property float64 y\r\nproperty float64 z\r\nproperty uchar red\r\nproperty uint8 green\r\n"
                  "property uchar blue\r\nproperty float nx\r\nproperty float ny\r\nproperty float nz\r\n"
                  "property float s\r\nproperty float t\r\nelement face 2\r\nproperty uchar flags\r\n"
                  "property list uint8 int32 vertex_index\r\nproperty list uchar float quality\r\n"
                  "end_header\r\n7\r\n0.5 0 0 0 255 0 0 0 0 1 0 0\r\n0.5 1 0 0 0 255 0 0 0 1 1 0\r\n"
                  "0.5 1 1 0 0 0 255 0 0 1 1 1\r\n0.5 0 1 0 9 9 9 0 0 1 0 1\r\n"
                  "1 4 0 1 2 3 2 0.5 0.5\r\n1 3 0 1 2 0\r\n",
                  "quad.ply");
    assert_int_equal(log.warning_count, 0);
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 4);
    assert_int_equal(mesh_triangle_count(scene, 0, 0), 3);
    float value[4];
    mesh_value(scene, 0, 0, "POSITION", 2, value);
    assert_true(value[0] == 1 && value[1] == 1 && value[2] == 0);
    mesh_value(scene, 0, 0, "COLOR_0", 1, value);
    assert_true(value[0] == 0 && value[1] == 1 && value[2] == 0 && value[3] == 1);
    mesh_value(scene, 0, 0, "TEXCOORD_0", 3, value);
    assert_true(value[0] == 0 && value[1] == 0);
    gt_scene_destroy(scene);
}

// Texture coordinates of corners (MeshLab's wedges) split vertices, and name a picture.
static void test_ply_wedges(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene =
        mesh_load(&log,
                  "ply\nformat ascii 1.0\ncomment TextureFile my skin.png\nelement vertex 4\nproperty float x\n"
                  "property float y\nproperty float z\nelement face 2\nproperty list uchar int vertex_indices\n"
                  "property list uchar float texcoord\nend_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
                  "3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0.5 0 1 1 0 1\n",
                  "wedges.ply");
    assert_int_equal(mesh_vertex_count(scene, 0, 0), 5);
    assert_string_equal(scene->images[0].uri, "my%20skin.png");
    assert_int_equal(mesh_primitive(scene, 0, 0)->material, 0);
    gt_scene_destroy(scene);
}

static void put_u32(uint8_t** p, uint32_t value, bool big)
{
    for (int i = 0; i < 4; ++i) {
        *(*p)++ = (uint8_t)(value >> (big ? 24 - 8 * i : 8 * i));
    }
}

static void put_float(uint8_t** p, float value, bool big)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(p, bits, big);
}

static void test_ply_binary_in_both_orders_is_the_text(void** state)
{
    (void)state;
    static const float points[12] = { 0, 0, 0, 1, 0, 0, 1, 1, 0.5f, 0, 1, -2.25f };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* expected =
        mesh_load(&log, PLY_HEAD("ascii", "2") "0 0 0\n1 0 0\n1 1 0.5\n0 1 -2.25\n3 0 1 2\n4 0 1 2 3\n", "a.ply");
    for (int big = 0; big < 2; ++big) {
        uint8_t bytes[1024];
        uint8_t* p = bytes;
        const char* head = big ? PLY_HEAD("binary_big_endian", "2") : PLY_HEAD("binary_little_endian", "2");
        memcpy(p, head, strlen(head));
        p += strlen(head);
        for (int i = 0; i < 12; ++i) {
            put_float(&p, points[i], big);
        }
        *p++ = 3;
        for (uint32_t i = 0; i < 3; ++i) {
            put_u32(&p, i, big);
        }
        *p++ = 4;
        for (uint32_t i = 0; i < 4; ++i) {
            put_u32(&p, i, big);
        }
        GtScene* scene = mesh_load_with(&context, bytes, (size_t)(p - bytes), "a.ply", NULL);
        mesh_expect_same_file(scene, expected);
        gt_scene_destroy(scene);
        scene = mesh_load_with(&context, bytes, (size_t)(p - bytes) - 1, "a.ply", NULL); // cut
        assert_non_null(strstr(log.text, "the file is truncated: only 1 of 2 faces are there"));
        assert_int_equal(mesh_triangle_count(scene, 0, 0), 1);
        gt_scene_destroy(scene);
    }
    gt_scene_destroy(expected);
}

static void test_stl_text_and_binary(void** state)
{
    (void)state;
    static const float corners[18] = { 0, 0, 0, 1, 0, 0, 1, 1, 0.25f, 0, -0.0f, 0, 1, 1, 0.25f, 0, 1, 0 };
    static const char text[] =
        "solid two triangles\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 "
        "0\n   vertex 1 1 2.5e-1\n  endloop\n endfacet\nfacet normal 0 0 1\r\nouter loop\r\nVERTEX "
        "0 0 0\r\nvertex 1 1 0.25\r\nvertex 0 1 0\r\nendloop\r\nendfacet\r\nendsolid two\n";
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* expected = mesh_load(&log, text, "a.stl");
    assert_int_equal(log.warning_count, 0);
    assert_int_equal(mesh_vertex_count(expected, 0, 0), 4); // joined
    assert_int_equal(mesh_triangle_count(expected, 0, 0), 2);
    uint8_t bytes[84 + 2 * 50 + 1] = "solid liar: binary, whatever it begins with; facet";
    uint8_t* p = bytes + 80;
    put_u32(&p, 2, false);
    for (int t = 0; t < 2; ++t) {
        p += 12;
        for (int i = 0; i < 9; ++i) {
            put_float(&p, corners[9 * t + i], false);
        }
        p += 2;
    }
    GtScene* scene = mesh_load_with(&context, bytes, sizeof bytes - 1, "a.stl", NULL);
    mesh_expect_same_file(scene, expected);
    gt_scene_destroy(scene);
    scene = mesh_load_with(&context, bytes, sizeof bytes - 10, "a.stl", NULL);
    assert_non_null(strstr(log.text, "the file is truncated: only 1 of 2 triangles are there"));
    gt_scene_destroy(scene);
    gt_scene_destroy(expected);
}

static void test_wrong_faces_and_vertices_are_left_out(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "OFF\n5 4 0\n0 0 0\n1 0 0\nnan 0 0\n1 1 0\n0 1 0\n3 0 1 3\n3 0 1 2\n3 0 1 4294967295\n2 0 1\n",
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement face "
        "4\n"
        "property list int int vertex_indices\nend_header\n0 0 0\n1 0 0\n1.#QNAN 0 0\n1 1 0\n0 1 0\n"
        "3 0 1 3\n3 0 1 2\n3 0 1 -1\n2 0 1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        TestLog log;
        GtScene* scene = mesh_load(&log, texts[i], "bad");
        assert_int_equal(mesh_vertex_count(scene, 0, 0), 4);
        assert_int_equal(mesh_triangle_count(scene, 0, 0), 1);
        assert_int_equal(mesh_corner(scene, 0, 0, 2), 2); // the fourth vertex moved up
        assert_int_equal(log.warning_count, 3);
        assert_non_null(strstr(log.text, "1 face names vertices that do not exist, such as face 2"));
        assert_non_null(strstr(log.text, "1 vertex is not finite"));
        gt_scene_destroy(scene);
        GtContext strict = gt_default_context();
        strict.strict = true;
        GtError error = { 0 };
        GT_EXPECT_ERROR(gt_scene_load_memory(&strict, texts[i], strlen(texts[i]), "bad", NULL, &scene, &error),
                        GT_ERROR_STRICT, "vertices that do not exist");
    }
}

static void test_errors_name_the_place(void** state)
{
    (void)state;
    static const struct {
        const char* path;
        const char* text;
        GtResult code;
        const char* message;
    } cases[] = {
        { "a.off", "OFF\nmany\n", GT_ERROR_BAD_FILE, "the counts of vertices and faces are missing" },
        { "a.off", "OFF\n2000000000 1 0\n", GT_ERROR_BAD_FILE, "the header declares 2000000000 vertices" },
        { "a.off", "OFF\n2 0 0\n0 0 0\n", GT_ERROR_BAD_FILE, "the file is truncated: only 1 of 2 vertices" },
        { "a.off", "OFF\n2 0 0\n0 0 0\n\n0 x 0\n", GT_ERROR_BAD_FILE, "line 5: a vertex needs three numbers" },
        { "a.off", "OFF BINARY\n", GT_ERROR_UNSUPPORTED, "is binary" },
        { "a.off", "4OFF\n1 1 1\n", GT_ERROR_UNSUPPORTED, "four or more dimensions" },
        { "a.ply", "ply\nformat ascii 1.0\n", GT_ERROR_BAD_FILE, "does not end with \"end_header\"" },
        { "a.ply", "ply\nformat utf8 1.0\nend_header\n", GT_ERROR_BAD_FILE, "line 2: the format is none of" },
        { "a.ply", "ply\nelement vertex 1\nproperty half x\n", GT_ERROR_BAD_FILE, "line 3: a property's type" },
        { "a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", GT_ERROR_BAD_FILE,
          "no properties x, y and z" },
        { "a.ply", PLY_HEAD("ascii", "0") "0.000000 0.0000000 0.00000000\n1 0 0\n", GT_ERROR_BAD_FILE,
          "the file is truncated: only 2 of 4 vertices" },
        { "a.ply", PLY_HEAD("ascii", "0") "0 0 0\n1 0 0\n1.000 0\n0 0 0\n", GT_ERROR_BAD_FILE,
          "line 13: the line does not" },
        { "a.ply", PLY_HEAD("binary_little_endian", "0") "0 0 0\n", GT_ERROR_BAD_FILE,
          "the header declares 4 vertices" },
        { "a.stl", "solid a\nfacet\nvertex 0 0\n", GT_ERROR_BAD_FILE, "line 3: a vertex needs three numbers" },
        { "a.stl", "short", GT_ERROR_BAD_FILE, "this is not an STL file" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtContext context = gt_default_context();
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_ERROR(
            gt_scene_load_memory(&context, cases[i].text, strlen(cases[i].text), cases[i].path, NULL, &scene, &error),
            cases[i].code, cases[i].message);
        assert_null(scene);
    }
}

static void test_no_faces_and_no_vertices(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene = mesh_load(&log, PLY_HEAD("ascii", "0") "0 0 0\n1 0 0\n1 1 0\n0 1 0\n", "cloud.ply");
    assert_int_equal(mesh_primitive(scene, 0, 0)->mode, GT_MODE_POINTS);
    gt_scene_destroy(scene);
    static const char empty_ply[] = "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
                                    "property float z\nend_header\n";
    static const char* const empty[] = { "OFF\n0 0 0\n", "# nothing\n", "solid nothing\nendsolid nothing\n",
                                         empty_ply };
    static const char* const names[] = { "a.off", "a.obj", "a.stl", "a.ply" };
    for (int i = 0; i < 4; ++i) {
        scene = mesh_load(&log, empty[i], names[i]);
        assert_int_equal(scene->mesh_count, 0);
        assert_int_equal(log.warning_count, 1);
        assert_non_null(strstr(log.text, "the scene is empty"));
        gt_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_off_dialects),
        cmocka_unit_test(test_ply_text),
        cmocka_unit_test(test_ply_wedges),
        cmocka_unit_test(test_ply_binary_in_both_orders_is_the_text),
        cmocka_unit_test(test_stl_text_and_binary),
        cmocka_unit_test(test_wrong_faces_and_vertices_are_left_out),
        cmocka_unit_test(test_errors_name_the_place),
        cmocka_unit_test(test_no_faces_and_no_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
