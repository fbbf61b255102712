// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bytes that are no good glTF: every one gives an error of one line, or a scene, and never anything else.

#include "gertie/file.h"
#include "support/glb.h"
#include "support/test.h"

#include <stdlib.h>

static void expect_one_line(const GtError* error)
{
    char text[1024];
    gt_error_format(error, text, sizeof text);
    assert_true(strlen(text) > 8);
    assert_null(strchr(text, '\n'));
}

// Load a copy of exactly that size, so that the address sanitizer sees every byte read past its end.
static GtResult load_exact(const uint8_t* bytes, size_t size, GtError* error)
{
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    uint8_t* copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    GtResult result = gt_scene_load_memory(&context, copy, size, "a.glb", NULL, &scene, error);
    assert_int_equal(result == GT_OK, scene != NULL);
    gt_scene_destroy(scene);
    free(copy);
    return result;
}

static void test_truncated_at_every_byte(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    for (size_t cut = 0; cut < size; ++cut) {
        GtError error = { 0 };
        assert_int_equal(load_exact(glb, cut, &error), GT_ERROR_BAD_FILE);
        expect_one_line(&error);
    }
    free(glb);
}

// A header that tells the truth about a file cut short: the chunks find out.
static void test_truncated_with_an_honest_header(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    for (size_t cut = 12; cut < size; ++cut) {
        GtError error = { 0 };
        uint32_t length = (uint32_t)cut;
        memcpy(glb + 8, &length, 4);
        assert_int_not_equal(load_exact(glb, cut, &error), GT_OK);
        expect_one_line(&error);
    }
    free(glb);
}

static void test_every_byte_changed(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    static const uint8_t changes[] = { 0x01, 0x80, 0xFF };
    int refused = 0;
    for (size_t i = 0; i < size; ++i) {
        for (size_t c = 0; c < sizeof changes; ++c) {
            GtError error = { 0 };
            glb[i] ^= changes[c];
            if (load_exact(glb, size, &error) != GT_OK) {
                expect_one_line(&error);
                ++refused;
            }
            glb[i] ^= changes[c];
        }
    }
    assert_true(refused > 1000);
    free(glb);
}

static void test_lengths_that_lie(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    static const uint32_t lies[] = { 0, 1, 11, 12, 19, 20, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFC, 0xFFFFFFFF };
    uint32_t json_size = 0;
    memcpy(&json_size, glb + 12, 4);
    const size_t places[] = { 8, 12, 20 + json_size };
    for (size_t p = 0; p < sizeof places / sizeof *places; ++p) {
        uint8_t kept[4];
        memcpy(kept, glb + places[p], 4);
        for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
            GtError error = { 0 };
            memcpy(glb + places[p], &lies[i], 4);
            assert_int_not_equal(load_exact(glb, size, &error), GT_OK);
            expect_one_line(&error);
        }
        memcpy(glb + places[p], kept, 4);
    }
    free(glb);
}

typedef struct BadCase {
    const char* json;
    GtResult code;
    const char* message;
} BadCase;

#define ASSET "'asset':{'version':'2.0'}"
#define FLOATS                                                                                                         \
    "'buffers':[{'byteLength':4,'uri':'data:;base64,AAAAAA=='}],'bufferViews':[{'buffer':0,'byteLength':4}],"          \
    "'accessors':[{'bufferView':0,'componentType':5126,'count':1,'type':'SCALAR'}]"

static const BadCase bad_cases[] = {
    { "{", GT_ERROR_BAD_FILE, "line 1, column 2" },
    { "{}", GT_ERROR_BAD_FILE, "\"asset\" is missing" },
    { "{'asset':{}}", GT_ERROR_BAD_FILE, "version" },
    { "{'asset':{'version':2}}", GT_ERROR_BAD_FILE, "asset.version" },
    { "{'asset':{'version':'1.0'},'nodes':{}}", GT_ERROR_UNSUPPORTED, "glTF 1.0" },
    { "{'asset':{'version':'2.0','minVersion':'2.1'}}", GT_ERROR_UNSUPPORTED, "asset.minVersion" },
    { "{" ASSET ",'nodes':{}}", GT_ERROR_BAD_VALUE, "nodes: must be an array, not an object" },
    { "{" ASSET ",'nodes':[1]}", GT_ERROR_BAD_VALUE, "nodes[0]: must be an object, not 1" },
    { "{" ASSET ",'nodes':[{'name':1}]}", GT_ERROR_BAD_VALUE, "nodes[0].name: must be a string, not 1" },
    { "{" ASSET ",'nodes':[{'mesh':0}]}", GT_ERROR_BAD_VALUE, "nodes[0].mesh" },
    { "{" ASSET ",'nodes':[{'mesh':-1}]}", GT_ERROR_BAD_VALUE, "must be an index (0, 1, 2...), not -1" },
    { "{" ASSET ",'nodes':[{'mesh':1.5}]}", GT_ERROR_BAD_VALUE, "not 1.5" },
    { "{" ASSET ",'nodes':[{'mesh':99999999999}]}", GT_ERROR_BAD_VALUE, "nodes[0].mesh" },
    { "{" ASSET ",'nodes':[{'children':[0]}]}", GT_ERROR_BAD_VALUE, "cycle" },
    { "{" ASSET ",'nodes':[{'children':[1]},{'children':[0]}]}", GT_ERROR_BAD_VALUE, "cycle" },
    { "{" ASSET ",'nodes':[{'children':[1]},{},{'children':[1]}]}", GT_ERROR_BAD_VALUE,
      "nodes[2].children[0]: node 1 has a parent already: node 0" },
    { "{" ASSET ",'nodes':[{'children':[7]}]}", GT_ERROR_BAD_VALUE, "nodes[0].children[0]" },
    { "{" ASSET ",'nodes':[{'translation':[0,1]}]}", GT_ERROR_BAD_VALUE,
      "nodes[0].translation: must have 3 numbers, not 2" },
    { "{" ASSET ",'nodes':[{'translation':[0,1,1e99]}]}", GT_ERROR_BAD_VALUE, "nodes[0].translation[2]" },
    { "{" ASSET ",'nodes':[{'matrix':[1,2,3]}]}", GT_ERROR_BAD_VALUE, "nodes[0].matrix" },
    { "{" ASSET ",'nodes':[],'nodes':[]}", GT_ERROR_BAD_VALUE, "nodes: is given twice" },
    { "{" ASSET ",'nodes':[{'extensions':[]}]}", GT_ERROR_BAD_VALUE, "nodes[0].extensions" },
    { "{" ASSET ",'scene':3}", GT_ERROR_BAD_VALUE, "scene" },
    { "{" ASSET ",'skins':[{}]}", GT_ERROR_BAD_VALUE, "skins[0]: \"joints\" is missing" },
    { "{" ASSET ",'meshes':[{'primitives':[{'attributes':{'POSITION':4}}]}]}", GT_ERROR_BAD_VALUE,
      "meshes[0].primitives[0].attributes.POSITION" },
    { "{" ASSET ",'meshes':[{'primitives':[{'attributes':[]}]}]}", GT_ERROR_BAD_VALUE,
      "meshes[0].primitives[0].attributes" },
    { "{" ASSET ",'meshes':[{'primitives':[{'attributes':{},'targets':[{}]},{'attributes':{}}]}]}", GT_ERROR_BAD_VALUE,
      "meshes[0].primitives[1]: has 0 morph targets" },
    { "{" ASSET ",'cameras':[{'type':'perspective'}]}", GT_ERROR_BAD_VALUE, "cameras[0]" },
    { "{" ASSET ",'cameras':[{'type':'orthographic','perspective':{'yfov':1,'znear':1}}]}", GT_ERROR_BAD_VALUE,
      "cameras[0].type" },
    { "{" ASSET ",'materials':[{'alphaMode':'GLASS'}]}", GT_ERROR_BAD_VALUE, "OPAQUE, MASK, BLEND" },
    { "{" ASSET ",'materials':[{'doubleSided':1}]}", GT_ERROR_BAD_VALUE, "true or false" },
    { "{" ASSET ",'accessors':[{'componentType':5126,'count':1,'type':'VEC5'}]}", GT_ERROR_BAD_VALUE,
      "accessors[0].type" },
    { "{" ASSET ",'accessors':[{'componentType':5124,'count':1,'type':'VEC3'}]}", GT_ERROR_BAD_VALUE, "accessors[0]" },
    { "{" ASSET ",'accessors':[{'componentType':5126,'count':1000000000000000000,'type':'VEC3'}]}", GT_ERROR_LIMIT,
      "accessors[0]" },
    { "{" ASSET ",'accessors':[{'componentType':5126,'count':1,'type':'VEC3','min':[0]}]}", GT_ERROR_BAD_VALUE,
      "accessors[0].min" },
    { "{" ASSET ",'buffers':[{'byteLength':4}]}", GT_ERROR_BAD_VALUE, "buffers[0]" },
    { "{" ASSET ",'buffers':[{'byteLength':-4}]}", GT_ERROR_BAD_VALUE, "buffers[0].byteLength" },
    { "{" ASSET ",'buffers':[{'byteLength':4,'uri':'a.bin'}]}", GT_ERROR_IO, "from memory" },
    { "{" ASSET "," FLOATS ",'animations':[{'samplers':[{'input':0,'output':9}],'channels':[]}]}", GT_ERROR_BAD_VALUE,
      "animations[0].samplers[0].output" },
    { "{" ASSET "," FLOATS
      ",'animations':[{'samplers':[{'input':0,'output':0,'interpolation':'BEZIER'}],'channels':[]}]}",
      GT_ERROR_BAD_VALUE, "LINEAR, STEP, CUBICSPLINE" },
    { "{" ASSET ",'extensionsRequired':[1]}", GT_ERROR_BAD_VALUE, "extensionsRequired[0]" },
    { "[1]", GT_ERROR_UNSUPPORTED, "not known" },
};

static void test_each_fault_is_named(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof bad_cases / sizeof *bad_cases; ++i) {
        GtError error = { 0 };
        GtScene* scene = NULL;
        char* json = test_json(bad_cases[i].json);
        GT_EXPECT_ERROR(gt_scene_load_memory(&context, json, strlen(json), NULL, NULL, &scene, &error),
                        bad_cases[i].code, bad_cases[i].message);
        expect_one_line(&error);
        free(json);
    }
}

static void test_containers_that_are_none(void** state)
{
    (void)state;
    static const struct {
        const char* bytes;
        size_t size;
        GtResult code;
        const char* message;
    } cases[] = {
        { "glTF\x01\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0", 20, GT_ERROR_UNSUPPORTED, "binary glTF 1.0" },
        { "glTF\x03\0\0\0\x0C\0\0\0", 12, GT_ERROR_UNSUPPORTED, "version 3" },
        { "glTF\x02\0\0\0\x0C\0\0\0", 12, GT_ERROR_BAD_FILE, "chunk header" },
        { "glTF\x02\0\0\0\0\0\0\0\0", 13, GT_ERROR_BAD_FILE, "byte 8: the header declares a length of 0 bytes" },
        { "glTF\x02\0\0\0\x14\0\0\0\0\0\0\0BIN\0", 20, GT_ERROR_BAD_FILE, "first chunk" },
        { "glTF\x02\0\0\0\x14\0\0\0\0\0\0\0JSON", 20, GT_ERROR_BAD_FILE, "JSON" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtError error = { 0 };
        GT_EXPECT_ERROR(load_exact((const uint8_t*)cases[i].bytes, cases[i].size, &error), cases[i].code,
                        cases[i].message);
        expect_one_line(&error);
    }
}

static void test_bytes_after_the_end_are_left_out(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    glb = realloc(glb, size + 5);
    memset(glb + size, 0xAB, 5);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, glb, size + 5, NULL, NULL, &scene, &error));
    assert_non_null(strstr(log.text, "byte 8"));
    gt_scene_destroy(scene);
    context.strict = true;
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, glb, size + 5, NULL, NULL, &scene, &error), GT_ERROR_STRICT,
                    "is ignored");
    free(glb);
}

static void test_json_padded_with_zeros_is_repaired(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb("{'asset':{'version':'2.0'}}  ", NULL, 0, &size);
    size_t padding = size - 1;
    for (; glb[padding] == ' '; --padding) {
        glb[padding] = 0;
    }
    assert_true(padding + 2 < size);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, glb, size, NULL, NULL, &scene, &error));
    assert_int_equal(log.warning_count, 1);
    gt_scene_destroy(scene);
    context.strict = true;
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, glb, size, NULL, NULL, &scene, &error), GT_ERROR_STRICT, "zeros");
    free(glb);
}

static void test_deep_json_is_refused(void** state)
{
    (void)state;
    enum {
        DEPTH = 100000
    };
    static const char head[] = "{\"asset\":{\"version\":\"2.0\"},\"extras\":";
    char* json = malloc(sizeof head + DEPTH);
    memcpy(json, head, sizeof head - 1);
    memset(json + sizeof head - 1, '[', DEPTH);
    GtError error = { 0 };
    GT_EXPECT_ERROR(load_exact((const uint8_t*)json, sizeof head - 1 + DEPTH, &error), GT_ERROR_LIMIT, "deep");
    free(json);
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GtBlob* blob = NULL;
        result = gt_scene_load_memory(&context, glb, size, NULL, NULL, &scene, &error);
        if (result == GT_OK) {
            result = gt_scene_save_memory(&context, scene, "glb", NULL, &blob, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(error.code, result);
        gt_blob_release(blob);
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    assert_true(allowed > 10);
    free(glb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truncated_at_every_byte),
        cmocka_unit_test(test_truncated_with_an_honest_header),
        cmocka_unit_test(test_every_byte_changed),
        cmocka_unit_test(test_lengths_that_lie),
        cmocka_unit_test(test_each_fault_is_named),
        cmocka_unit_test(test_containers_that_are_none),
        cmocka_unit_test(test_bytes_after_the_end_are_left_out),
        cmocka_unit_test(test_json_padded_with_zeros_is_repaired),
        cmocka_unit_test(test_deep_json_is_refused),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
