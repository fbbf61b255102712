// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// KHR_draco_mesh_compression: two triangles of known corners, encoded by libdraco 1.5.5 without quantisation in both of
// its methods, come back exactly, by themselves and out of a glTF; counts that do not fit, bombs and damage are errors.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "import/draco/draco.h"
#include "support/test.h"

#include <stdlib.h>

enum {
    POINT_COUNT = 4,
    INDEX_COUNT = 6
};

// clang-format off
static const uint8_t sequential[] = {
        68, 82, 65, 67, 79, 2, 2, 1, 0, 0, 0, 2, 4, 1, 0, 1, 2, 0, 2, 3, 1, 2, 0, 9,
        3, 0, 0, 4, 2, 4, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 64, 0, 0, 64, 64, 0, 1, 1, 1, 1, 3, 1, 36, 3, 1, 28, 4, 0, 155,
        70, 188, 0, 0, 0, 0, 4, 0, 0, 0
};
static const uint8_t edgebreaker[] = {
        68, 82, 65, 67, 79, 2, 2, 1, 1, 0, 0, 0, 4, 2, 1, 2, 0, 0, 1, 31, 255, 1, 17, 255,
        1, 17, 2, 255, 0, 0, 0, 0, 0, 1, 0, 9, 3, 0, 0, 0, 1, 4, 2, 4, 0, 1, 1, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 1,
        1, 1, 1, 1, 5, 1, 36, 3, 1, 16, 3, 1, 12, 5, 0, 8, 125, 118, 155, 0, 0, 0, 0, 4,
        0, 0, 0
};
// clang-format on

#define EDGEBREAKER_BASE64                                                                                             \
    "RFJBQ08CAgEBAAAABAIBAgAAAR//ARH/AREC/wAAAAAAAQAJAwAAAAEEAgQAAQEAAAAAAAAAAAAAAAAAAIA/"                             \
    "AAAAQAAAAAAAAAAAAAAAQAAAQEAAAIA/AAAAAAAAAAABAQEBAQUBJAMBEAMBDAUACH12mwAAAAAEAAAA"

static const float corners[2][3][3] = { { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 } },
                                        { { 0, 0, 0 }, { 1, 2, 0 }, { 0, 2, 3 } } };

typedef struct Decoded {
    float positions[POINT_COUNT][3];
    uint8_t joints[POINT_COUNT][4];
    uint32_t indices[INDEX_COUNT];
} Decoded;

static GtResult decode(const uint8_t* bytes, size_t size, uint64_t point_count, uint64_t index_count, Decoded* out,
                       GtError* error)
{
    GtContext context = gt_default_context();
    const GtiDracoAttribute attributes[] = {
        { 0, GT_COMPONENT_FLOAT, GT_ELEMENT_VEC3, point_count, out->positions },
        { 1, GT_COMPONENT_UINT8, GT_ELEMENT_VEC4, point_count, out->joints },
    };
    return gti_decode_draco(&context, bytes, size, attributes, 2, out->indices, index_count, error);
}

// Faces may come in any order, and begin at any corner; points in any order.
static void expect_corners(const float positions[][3], const uint32_t* indices)
{
    for (int wanted = 0; wanted < 2; ++wanted) {
        bool found = false;
        for (int face = 0; face < 2; ++face) {
            for (int turn = 0; turn < 3; ++turn) {
                bool same = true;
                for (int k = 0; k < 3; ++k) {
                    const float* p = positions[indices[face * 3 + (k + turn) % 3]];
                    same = same && !memcmp(p, corners[wanted][k], sizeof corners[wanted][k]);
                }
                found |= same;
            }
        }
        assert_true(found);
    }
}

static void test_both_methods_give_the_corners(void** state)
{
    (void)state;
    for (int method = 0; method < 2; ++method) {
        Decoded out;
        GtError error = { 0 };
        memset(&out, 0xCD, sizeof out);
        GT_EXPECT_OK(method ? decode(edgebreaker, sizeof edgebreaker, POINT_COUNT, INDEX_COUNT, &out, &error)
                            : decode(sequential, sizeof sequential, POINT_COUNT, INDEX_COUNT, &out, &error));
        expect_corners(out.positions, out.indices);
        for (int i = 0; i < POINT_COUNT; ++i) { // joints are i, i + 1 at the corner i, which its position tells
            int corner = out.positions[i][2] > 0 ? 3 : out.positions[i][1] > 0 ? 2 : out.positions[i][0] > 0 ? 1 : 0;
            assert_int_equal(out.joints[i][0], corner);
            assert_int_equal(out.joints[i][1], corner + 1);
        }
    }
}

static void test_counts_that_do_not_fit_and_bombs_are_errors(void** state)
{
    (void)state;
    Decoded out;
    GtError error = { 0 };
    GT_EXPECT_ERROR(decode(sequential, sizeof sequential, 3, INDEX_COUNT, &out, &error), GT_ERROR_BAD_VALUE,
                    "its counts are not those of the accessors");
    GT_EXPECT_ERROR(decode(edgebreaker, sizeof edgebreaker, POINT_COUNT, 3, &out, &error), GT_ERROR_BAD_VALUE,
                    "its counts are not those of the accessors");
    static const uint8_t bomb[] = {
        'D', 'R', 'A', 'C', 'O', 2, 2, 1, 1, 0, 0, 0, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1, 2
    };
    GT_EXPECT_ERROR(decode(bomb, sizeof bomb, POINT_COUNT, INDEX_COUNT, &out, &error), GT_ERROR_BAD_VALUE,
                    "its counts are not those of the accessors");
    GT_EXPECT_ERROR(decode(bomb, 3, POINT_COUNT, INDEX_COUNT, &out, &error), GT_ERROR_BAD_VALUE, "does not begin as");
    GtContext context = gt_default_context();
    const GtiDracoAttribute missing = { 7, GT_COMPONENT_FLOAT, GT_ELEMENT_VEC3, POINT_COUNT, out.positions };
    GT_EXPECT_ERROR(gti_decode_draco(&context, sequential, sizeof sequential, &missing, 1, NULL, 0, &error),
                    GT_ERROR_BAD_VALUE, "an attribute is missing");
}

static void test_any_cut_ends_well(void** state)
{
    (void)state;
    for (size_t size = 0; size < sizeof edgebreaker; ++size) {
        Decoded out;
        GtError error = { 0 };
        uint8_t* cut = malloc(size + !size); // a block of its own, so that reading past it is found
        memcpy(cut, edgebreaker, size);
        GtResult result = decode(cut, size, POINT_COUNT, INDEX_COUNT, &out, &error);
        assert_true(result == GT_OK || error.message[0]);
        free(cut);
    }
}

#define GLTF(count, indices)                                                                                           \
    "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"                            \
    "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],"                                                         \
    "\"buffers\":[{\"byteLength\":123,\"uri\":\"data:application/octet-stream;base64," EDGEBREAKER_BASE64 "\"}],"      \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":123}],"                                                             \
    "\"accessors\":[{\"componentType\":5126,\"type\":\"VEC3\",\"count\":" count ",\"min\":[0,0,0],\"max\":[1,2,3]},"   \
    "{\"componentType\":5123,\"type\":\"SCALAR\",\"count\":" indices "}],"                                             \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"extensions\":{"                     \
    "\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{\"POSITION\":0}}}}]}]}"

static void test_a_gltf_is_read_and_written_plain(void** state)
{
    (void)state;
    static const char json[] = GLTF("4", "6");
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* again = NULL;
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, json, sizeof json - 1, NULL, NULL, &scene, &error));
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", NULL, &blob, &error));
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, NULL, &again, &error));
    assert_int_equal(again->extension_required_count, 0);
    const GtPrimitive* primitive = &again->meshes[0].primitives[0];
    assert_null(primitive->extra.extensions);
    float positions[POINT_COUNT][3];
    uint32_t indices[INDEX_COUNT];
    gt_accessor_read_floats(again, primitive->attributes[0].accessor, 0, POINT_COUNT, &positions[0][0]);
    for (int i = 0; i < INDEX_COUNT; ++i) {
        float index = 0.0f;
        gt_accessor_read_floats(again, primitive->indices, (uint64_t)i, 1, &index);
        indices[i] = (uint32_t)index;
    }
    expect_corners(positions, indices);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_a_gltf_that_promises_too_much_is_refused(void** state)
{
    (void)state;
    static const char huge[] = GLTF("4000000000", "6");
    static const char wrong[] = GLTF("5", "6");
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, huge, sizeof huge - 1, NULL, NULL, &scene, &error), GT_ERROR_LIMIT,
                    "would take more than 128 times");
    GT_EXPECT_ERROR(gt_scene_load_memory(&context, wrong, sizeof wrong - 1, NULL, NULL, &scene, &error),
                    GT_ERROR_BAD_VALUE, "its counts are not those of the accessors");
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    static const char json[] = GLTF("4", "6");
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        result = gt_scene_load_memory(&context, json, sizeof json - 1, NULL, NULL, &scene, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_methods_give_the_corners),
        cmocka_unit_test(test_counts_that_do_not_fit_and_bombs_are_errors),
        cmocka_unit_test(test_any_cut_ends_well),
        cmocka_unit_test(test_a_gltf_is_read_and_written_plain),
        cmocka_unit_test(test_a_gltf_that_promises_too_much_is_refused),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
