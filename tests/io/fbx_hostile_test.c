// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// FBX files that are made to take far more than their size: each ends in one line, or is read in proportion. And every
// seed of the fuzzer, which are files of every kind, is read and written with each allocation failing in turn.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "io/fbx_support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#define SEEDS "fuzz/corpus/fbx_scene"

enum {
    MANY = 3000,
    TEXT_SIZE = 1 << 21
};

// A text in the making.
typedef struct Text {
    char* text;
    size_t size;
} Text;

static void add(Text* out, const char* format, int a, int b)
{
    out->size += (size_t)snprintf(out->text + out->size, TEXT_SIZE - out->size, format, a, b);
    assert_true(out->size < TEXT_SIZE);
}

static Text begin_text(void)
{
    Text out = { .text = malloc(TEXT_SIZE) };
    assert_non_null(out.text);
    add(&out, "; FBX 7.4.0 project file\nObjects: {\n", 0, 0);
    return out;
}

static GtResult read_text(const Text* text, GtScene** out, GtError* error)
{
    GtContext context = gt_default_context();
    return gt_scene_load_memory(&context, text->text, text->size, "a.fbx", NULL, out, error);
}

// Triangles with points of their own, each of another of so many materials.
static void add_geometry(Text* out, int triangle_count, int material_count)
{
    add(out, "Geometry: 1, \"Geometry::\", \"Mesh\" {\nVertices: *%d {\na: 0", 9 * triangle_count, 0);
    for (int i = 1; i < 9 * triangle_count; ++i) {
        add(out, ",%d", i * i % 97, 0);
    }
    add(out, "\n}\nPolygonVertexIndex: *%d {\na: 0,1,-3", 3 * triangle_count, 0);
    for (int i = 1; i < triangle_count; ++i) {
        add(out, ",%d,%d", 3 * i, 3 * i + 1);
        add(out, ",%d", -3 * i - 3, 0);
    }
    add(out, "\n}\nLayerElementMaterial: 0 {\nMappingInformationType: \"ByPolygon\"\nMaterials: *%d {\na: 0",
        triangle_count, 0);
    for (int i = 1; i < triangle_count; ++i) {
        add(out, ",%d", i % material_count, 0);
    }
    add(out, "\n}\n}\n}\n", 0, 0);
}

// Of one geometry with different materials: each has a mesh, and all share its vertices.
static void test_models_share_a_geometry(void** state)
{
    (void)state;
    Text text = begin_text();
    GtError error = { 0 };
    GtScene* scene = NULL;
    add_geometry(&text, 100, 2);
    for (int i = 0; i < MANY; ++i) {
        add(&text, "Model: %d, \"Model::m%d\", \"Mesh\" {\n}\n", 10000 + i, i);
        add(&text, "Material: %d, \"Material::c%d\", \"\" {\n}\n", 20000 + i, i);
    }
    add(&text, "}\nConnections: {\n", 0, 0);
    for (int i = 0; i < MANY; ++i) {
        add(&text, "C: \"OO\",%d,0\nC: \"OO\",1,%d\n", 10000 + i, 10000 + i);
        add(&text, "C: \"OO\",%d,%d\n", 20000 + i, 10000 + i);
        add(&text, "C: \"OO\",%d,%d\n", 20000 + (i + 1) % MANY, 10000 + i);
    }
    add(&text, "}\n", 0, 0);
    GT_EXPECT_OK(read_text(&text, &scene, &error));
    assert_int_equal(scene->mesh_count, MANY);
    assert_int_equal(scene->accessor_count, 4); // positions and corners of two primitives
    for (int i = 0; i < MANY; ++i) {
        const GtMesh* mesh = &scene->meshes[i];
        assert_int_equal(mesh->primitive_count, 2);
        for (int p = 0; p < 2; ++p) {
            char wanted[16];
            snprintf(wanted, sizeof wanted, "c%d", (i + p) % MANY);
            assert_string_equal(scene->materials[mesh->primitives[p].material].name, wanted);
            assert_int_equal(mesh->primitives[p].indices, scene->meshes[0].primitives[p].indices);
        }
    }
    gt_scene_destroy(scene);
    free(text.text);
}

static void test_materials_times_shapes_are_limited(void** state)
{
    (void)state;
    Text text = begin_text();
    GtError error = { 0 };
    GtScene* scene = NULL;
    const int count = 1000;
    add_geometry(&text, count, count);
    add(&text, "Model: 2, \"Model::m\", \"Mesh\" {\n}\nDeformer: 3, \"Deformer::\", \"BlendShape\" {\n}\n", 0, 0);
    for (int i = 0; i < count; ++i) {
        add(&text, "Material: %d, \"Material::c%d\", \"\" {\n}\n", 20000 + i, i);
        add(&text, "Deformer: %d, \"SubDeformer::s%d\", \"BlendShapeChannel\" {\n}\n", 30000 + i, i);
        add(&text, "Geometry: %d, \"Geometry::s%d\", \"Shape\" {\n", 40000 + i, i);
        add(&text, "Indexes: *1 {\na: 0\n}\nVertices: *3 {\na: 0,0,1\n}\n}\n", 0, 0);
    }
    add(&text, "}\nConnections: {\nC: \"OO\",2,0\nC: \"OO\",1,2\nC: \"OO\",3,1\n", 0, 0);
    for (int i = 0; i < count; ++i) {
        add(&text, "C: \"OO\",%d,2\nC: \"OO\",%d,3\n", 20000 + i, 30000 + i);
        add(&text, "C: \"OO\",%d,%d\n", 40000 + i, 30000 + i);
    }
    add(&text, "}\n", 0, 0);
    GT_EXPECT_ERROR(read_text(&text, &scene, &error), GT_ERROR_LIMIT, "1000 materials and 1000 blend shapes");
    free(text.text);
}

// An array of numbers that a stream of this size can hold, but that no file in earnest does.
static void test_compressed_bombs_are_refused(void** state)
{
    (void)state;
    enum {
        STREAM = 1 << 20
    };
    static FbxWriter w;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    fbx_begin(&w, 7400, false);
    fbx_open(&w, "Objects");
    fbx_open(&w, "Geometry");
    fbx_open(&w, "Vertices");
    fbx_type(&w, 'd');
    fbx_unsigned(&w, 100000000, 4);
    fbx_unsigned(&w, GTI_FBX_DEFLATED, 4);
    fbx_unsigned(&w, STREAM, 4);
    size_t at = w.size;
    uint8_t* file = calloc(1, sizeof w.bytes + STREAM);
    assert_non_null(file);
    w.size += STREAM; // in the file alone, so that heads are written here
    memcpy(file, w.bytes, at);
    while (w.depth > 0) {
        --w.depth;
        size_t start = w.open[w.depth].start;
        uint32_t head[3] = { 0, w.depth == 2, w.depth == 2 ? (uint32_t)(w.size - w.open[w.depth].values) : 0 };
        w.size += w.depth < 2 ? 13 : 0;
        head[0] = (uint32_t)w.size;
        memcpy(file + start, head, sizeof head);
    }
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, file, w.size + 13, "a.fbx", NULL, &scene, &error), GT_ERROR_LIMIT,
                    "more than 128 times the size of the file");
    free(file);
}

static int64_t load_with(const uint8_t* bytes, size_t size, int64_t allowed, GtScene** scene, GtResult* result)
{
    TestAllocator limited = { .remaining = allowed };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    context.allocator = test_allocator(&limited);
    *result = gt_scene_load_memory(&context, bytes, size, "a.fbx", NULL, scene, &error);
    assert_int_equal(error.code, *result);
    gt_scene_destroy(*scene);
    assert_int_equal(limited.alive, 0);
    return limited.made;
}

static void fail_each_allocation(const uint8_t* bytes, size_t size)
{
    GtResult result = GT_OK;
    GtScene* scene = NULL;
    GtContext plain = gt_default_context();
    GtError error = { 0 };
    int64_t needed = load_with(bytes, size, -1, &scene, &result);
    assert_int_equal(result, GT_OK);
    for (int64_t allowed = 0; allowed < needed; ++allowed) {
        scene = NULL;
        load_with(bytes, size, allowed, &scene, &result);
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
    }
    GT_EXPECT_OK(gt_scene_load_memory(&plain, bytes, size, "a.fbx", NULL, &scene, &error));
    result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        GtBlob* blob = NULL;
        context.allocator = test_allocator(&limited);
        result = gt_scene_save_memory(&context, scene, "fbx", NULL, &blob, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !blob));
        gt_blob_release(blob);
        assert_int_equal(limited.alive, 0);
    }
    gt_scene_destroy(scene);
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    DIR* folder = opendir(SEEDS);
    int count = 0;
    assert_non_null(folder);
    for (struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[512];
        static uint8_t bytes[1 << 15];
        snprintf(path, sizeof path, SEEDS "/%s", entry->d_name);
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, "cover-", 6) == 0 ||
            strncmp(entry->d_name, "found_", 6) == 0) {
            continue;
        }
        FILE* file = fopen(path, "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        fail_each_allocation(bytes, size);
        ++count;
    }
    closedir(folder);
    assert_true(count >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models_share_a_geometry),
        cmocka_unit_test(test_materials_times_shapes_are_limited),
        cmocka_unit_test(test_compressed_bombs_are_refused),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
