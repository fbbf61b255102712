// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Large scenes: neither a deep stack nor a quadratic wait, which the time limit of a test would find.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "support/glb.h"
#include "support/scene_compare.h"
#include "support/test.h"

#include <stdlib.h>

// Text that grows.
typedef struct Text {
    char* bytes;
    size_t size;
    size_t capacity;
} Text;

static void add(Text* text, const char* format, ...) GT_PRINTF(2, 3);

static void add(Text* text, const char* format, ...)
{
    if (text->capacity - text->size < 256) {
        text->capacity = text->capacity * 2 + 4096;
        text->bytes = realloc(text->bytes, text->capacity);
        assert_non_null(text->bytes);
    }
    va_list arguments;
    va_start(arguments, format);
    text->size += (size_t)vsnprintf(text->bytes + text->size, 256, format, arguments);
    va_end(arguments);
}

static GtScene* load(const GtContext* context, const void* bytes, size_t size)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(context, bytes, size, NULL, NULL, &scene, &error));
    return scene;
}

static void expect_round_trip(const GtContext* context, const GtScene* scene)
{
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(context, scene, "glb", NULL, &blob, &error));
    GtScene* again = load(context, gt_blob_bytes(blob), gt_blob_size(blob));
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_blob_release(blob);
    gt_scene_destroy(again);
}

static void test_a_hundred_thousand_nodes_in_a_chain(void** state)
{
    (void)state;
    enum {
        COUNT = 100000
    };
    Text text = { 0 };
    add(&text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    add(&text, "{}"); // the root comes last, so that every parent has a larger index than its child
    for (int i = 1; i < COUNT; ++i) {
        add(&text, ",{\"children\":[%d],\"translation\":[0,0.01,0]}", i - 1);
    }
    add(&text, "]}");
    GtContext context = gt_default_context();
    GtScene* scene = load(&context, text.bytes, text.size);
    assert_int_equal(scene->node_count, COUNT);
    assert_int_equal(scene->nodes[0].parent, 1);
    assert_int_equal(scene->nodes[COUNT - 1].parent, GT_NONE);
    expect_round_trip(&context, scene);
    gt_scene_destroy(scene);
    free(text.bytes);
}

static void test_two_million_triangles(void** state)
{
    (void)state;
    enum {
        WIDTH = 1001,
        TRIANGLES = 2 * (WIDTH - 1) * (WIDTH - 1)
    };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    float* positions = malloc(sizeof(float[3]) * WIDTH * WIDTH);
    uint32_t* corners = malloc(sizeof(uint32_t[3]) * TRIANGLES);
    uint32_t* corner = corners;
    for (uint32_t y = 0; y < WIDTH; ++y) {
        for (uint32_t x = 0; x < WIDTH; ++x) {
            uint32_t v = y * WIDTH + x;
            positions[v * 3] = (float)x;
            positions[v * 3 + 1] = (float)y;
            positions[v * 3 + 2] = 0.0f;
            if (x + 1 < WIDTH && y + 1 < WIDTH) {
                const uint32_t two[6] = { v, v + 1, v + WIDTH, v + 1, v + WIDTH + 1, v + WIDTH };
                memcpy(corner, two, sizeof two);
                corner += 6;
            }
        }
    }
    GtAttribute attribute = { .name = "POSITION" };
    GtPrimitive primitive = { .mode = GT_MODE_TRIANGLES, .material = GT_NONE, .attributes = &attribute };
    primitive.attribute_count = 1;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, positions, WIDTH * WIDTH,
                                   &attribute.accessor, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_INDICES, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT32, corners,
                                   3 * TRIANGLES, &primitive.indices, &error));
    GtMesh mesh = { .primitives = &primitive, .primitive_count = 1 };
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, NULL, &error));
    expect_round_trip(&context, scene);
    gt_scene_destroy(scene);
    free(positions);
    free(corners);
}

// A file that is wrong everywhere is told about a hundred times, not a hundred thousand.
static void test_many_repairs_are_summed_up(void** state)
{
    (void)state;
    enum {
        COUNT = 100000
    };
    Text text = { 0 };
    add(&text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < COUNT; ++i) {
        add(&text, "%s{\"extensions\":{\"GERTIE_bvh\":{}}}", i ? "," : "");
    }
    add(&text, "]}");
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load(&context, text.bytes, text.size);
    assert_int_equal(log.warning_count, 101);
    assert_non_null(strstr(log.text, "nodes[99]"));
    assert_non_null(strstr(log.text, "99900 more"));
    gt_scene_destroy(scene);
    free(text.bytes);
}

// Nor does anything grow with the product of two numbers: many unknown members beside many buffers.
static void test_wide_objects(void** state)
{
    (void)state;
    enum {
        COUNT = 100000
    };
    Text text = { 0 };
    add(&text, "{\"asset\":{\"version\":\"2.0\"}");
    for (int i = 0; i < COUNT; ++i) {
        add(&text, ",\"%d\":{}", i);
    }
    add(&text, ",\"buffers\":[");
    for (int i = 0; i < COUNT; ++i) {
        add(&text, "%s{\"byteLength\":3,\"uri\":\"data:;base64,AAAA\"}", i ? "," : "");
    }
    add(&text, "]}");
    GtContext context = gt_default_context();
    GtScene* scene = load(&context, text.bytes, text.size);
    assert_int_equal(scene->buffer_count, COUNT);
    expect_round_trip(&context, scene);
    gt_scene_destroy(scene);
    free(text.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_hundred_thousand_nodes_in_a_chain),
        cmocka_unit_test(test_two_million_triangles),
        cmocka_unit_test(test_many_repairs_are_summed_up),
        cmocka_unit_test(test_wide_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
