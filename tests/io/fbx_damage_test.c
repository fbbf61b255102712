// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// FBX files that are damaged in one place: what can be read is kept with one warning, which a strict context refuses.
// Without Connections objects mean nothing, so that a file which ends before them is refused.

#include "fbx_support.h"

#include "gertie/file.h"
#include "gertie/scene.h"

#include <stdlib.h>

// Where the parts of the binary file are.
typedef struct Places {
    size_t encoding; // of the array of the first Geometry's Vertices
    size_t model;    // record of the first Model
    size_t connections, takes, end;
} Places;

static void write_model(FbxWriter* w, int64_t id, const char* name)
{
    fbx_open(w, "Model");
    fbx_integer(w, 'L', id);
    fbx_text(w, name, strlen(name));
    fbx_text(w, "Mesh", 4);
    fbx_close(w);
}

static size_t write_geometry(FbxWriter* w, int64_t id)
{
    static const double points[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const int32_t corners[3] = { 0, 1, -3 };
    fbx_open(w, "Geometry");
    fbx_integer(w, 'L', id);
    fbx_text(w, "", 0);
    fbx_text(w, "Mesh", 4);
    fbx_open(w, "Vertices");
    size_t place = w->size + 5;
    fbx_array(w, 'd', 9, 0, points, sizeof points);
    fbx_close(w);
    fbx_open(w, "PolygonVertexIndex");
    fbx_array(w, 'i', 3, 0, corners, sizeof corners);
    fbx_close(w);
    fbx_close(w);
    return place;
}

static void connect(FbxWriter* w, int64_t from, int64_t to)
{
    fbx_open(w, "C");
    fbx_text(w, "OO", 2);
    fbx_integer(w, 'L', from);
    fbx_integer(w, 'L', to);
    fbx_close(w);
}

// Two models with a mesh each.
static Places write_file(FbxWriter* w, uint32_t version)
{
    Places places;
    fbx_begin(w, version, false);
    fbx_open(w, "Objects");
    places.encoding = write_geometry(w, 1);
    write_geometry(w, 2);
    places.model = w->size;
    write_model(w, 10, "A");
    write_model(w, 11, "B");
    fbx_close(w);
    places.connections = w->size;
    fbx_open(w, "Connections");
    connect(w, 10, 0);
    connect(w, 11, 0);
    connect(w, 1, 10);
    connect(w, 2, 11);
    fbx_close(w);
    places.takes = w->size;
    fbx_open(w, "Takes");
    fbx_text(w, "Take 001", 8);
    fbx_close(w);
    fbx_zeros(w);
    places.end = w->size;
    return places;
}

// Load a damaged file: meshes and nodes are there with a warning that has this text, and a strict context refuses it.
static void expect_repaired(const void* bytes, size_t size, int32_t meshes, int32_t nodes, const char* warning)
{
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, bytes, size, "a.fbx", NULL, &scene, &error));
    assert_int_equal(scene->mesh_count, meshes);
    assert_int_equal(scene->node_count, nodes);
    assert_true(log.warning_count >= 1);
    assert_non_null(strstr(log.text, warning));
    gt_scene_destroy(scene);
    context.strict = true;
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, bytes, size, "a.fbx", NULL, &scene, &error), GT_ERROR_STRICT,
                    warning);
}

static void damage_after_connections_is_left_out(void** state)
{
    (void)state;
    static FbxWriter w;
    for (uint32_t version = 7400; version <= 7500; version += 100) {
        Places places = write_file(&w, version);
        expect_repaired(w.bytes, places.takes + 20, 2, 2, "left out");
        size_t last = places.takes - (size_t)(3 * fbx_width(&w) + 1);
        expect_repaired(w.bytes, last - 1, 1, 2, "left out"); // the last connection is lost, and with it a mesh
        GtContext context = gt_default_context();
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_ERROR(gt_scene_load_memory(&context, w.bytes, places.connections - 20, "a.fbx", NULL, &scene, &error),
                        GT_ERROR_BAD_FILE, "truncated");
    }
}

static void a_damaged_array_costs_its_mesh_alone(void** state)
{
    (void)state;
    static FbxWriter w;
    Places places = write_file(&w, 7400);
    w.bytes[places.encoding] = 7;
    expect_repaired(w.bytes, w.size, 1, 2, "unknown encoding 7");
    places = write_file(&w, 7400);
    w.bytes[places.encoding - 4] = 8; // elements in 72 bytes
    expect_repaired(w.bytes, w.size, 1, 2, "8 elements");
}

static void wrong_ends_are_cut_off(void** state)
{
    (void)state;
    static FbxWriter w;
    Places places = write_file(&w, 7400);
    fbx_patch(&w, places.model, 0x7FFFFFFF, 4);
    expect_repaired(w.bytes, w.size, 2, 2, "says that it ends");
    places = write_file(&w, 7400);
    fbx_patch(&w, places.model, 30, 4);
    expect_repaired(w.bytes, w.size, 2, 2, "says that it ends");
    places = write_file(&w, 7400);
    fbx_patch(&w, places.model + 8, 5000, 4);
    expect_repaired(w.bytes, w.size, 2, 2, "do not fit");
}

#define OBJECTS                                                                                                        \
    "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7400\n}\nObjects: {\n"                              \
    " Model: 10, \"Model::A\", \"Null\" {\n }\n%s Model: 11, \"Model::B\", \"Null\" {\n }\n}\n"                        \
    "Connections: {\n C: \"OO\",10,0\n C: \"OO\",11,10\n}\n"

static void damaged_text_goes_on_with_the_next_line(void** state)
{
    (void)state;
    static const struct {
        const char* line;
        const char* end;
        const char* message;
    } rows[] = {
        { "", "Takes: {\n Current: \"Take", "no closing quote" },
        { "", "Takes: {\n Times: *3 { a: 1,2", "no closing }" },
        { "", "Takes: {\n", "file ends before" },
        { "", "}\n", "without a {" },
        { " 7 8 9\n", "", "a name and a colon" },
        { " Times: *90 { a: 1,2\n }\n", "", "fewer elements" },
        { " Times: *2 { a 1,2\n }\n", "", "needs a:" },
        { " Times: *x\n", "", "after the *" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[1024];
        int length = snprintf(text, sizeof text, OBJECTS "%s", rows[i].line, rows[i].end);
        expect_repaired(text, (size_t)length, 0, 2, rows[i].message);
    }
}

// Every cut and every change of a byte is read or refused with a message.
static void no_damage_does_harm(void** state)
{
    (void)state;
    static FbxWriter w;
    write_file(&w, 7400);
    for (size_t i = 0; i < 2 * w.size; ++i) {
        static const uint8_t changes[4] = { 0x00, 0xFF, 0x7F, 0x22 };
        size_t kept = i < w.size ? i : w.size;
        uint8_t* copy = malloc(kept + !kept);
        assert_non_null(copy);
        memcpy(copy, w.bytes, kept);
        for (int change = 0; change < (i < w.size ? 1 : 4); ++change) {
            TestAllocator counting = { .remaining = -1 };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&counting);
            GtError error = { 0 };
            GtScene* scene = NULL;
            if (i >= w.size) {
                copy[i - w.size] = changes[change];
            }
            GtResult result = gt_scene_load_memory(&context, copy, kept, "a.fbx", NULL, &scene, &error);
            assert_true(result == GT_OK || error.message[0]);
            gt_scene_destroy(scene);
            assert_int_equal(counting.alive, 0);
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_after_connections_is_left_out),
        cmocka_unit_test(a_damaged_array_costs_its_mesh_alone),
        cmocka_unit_test(wrong_ends_are_cut_off),
        cmocka_unit_test(damaged_text_goes_on_with_the_next_line),
        cmocka_unit_test(no_damage_does_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
