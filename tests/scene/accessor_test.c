// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "gertie/accessor.h"

static GtScene* scene_of_bytes(const GtContext* context, const void* bytes, size_t size, uint32_t stride)
{
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    uint8_t* room = NULL;
    GtBuffer buffer = { .blob = gt_blob_create(context->allocator, size, &room) };
    assert_non_null(buffer.blob);
    memcpy(room, bytes, size);
    GT_EXPECT_OK(gt_scene_add_buffer(scene, &buffer, NULL, &error));
    GtBufferView view = { .size = size, .stride = stride };
    GT_EXPECT_OK(gt_scene_add_buffer_view(scene, &view, NULL, &error));
    return scene;
}

static void test_integers_are_normalised_as_gltf_says(void** state)
{
    (void)state;
    const int8_t bytes[4] = { 127, -128, -127, 0 };
    const int16_t words[4] = { 32767, -32768, -16384, 1 };
    const uint16_t unsigned_words[4] = { 65535, 0, 32768, 1 };
    static const float expected[3][4] = {
        { 1.0f, -1.0f, -1.0f, 0.0f },
        { 1.0f, -1.0f, (float)(-16384.0 / 32767.0), (float)(1.0 / 32767.0) },
        { 1.0f, 0.0f, (float)(32768.0 / 65535.0), (float)(1.0 / 65535.0) },
    };
    const struct {
        const void* data;
        size_t size;
        GtComponentType type;
    } cases[3] = {
        { bytes, sizeof bytes, GT_COMPONENT_INT8 },
        { words, sizeof words, GT_COMPONENT_INT16 },
        { unsigned_words, sizeof unsigned_words, GT_COMPONENT_UINT16 },
    };
    GtContext context = gt_default_context();
    GtError error;
    for (int i = 0; i < 3; ++i) {
        GtScene* scene = scene_of_bytes(&context, cases[i].data, cases[i].size, 0);
        GtAccessor accessor = { .component_type = cases[i].type, .normalized = true, .count = 4 };
        GT_EXPECT_OK(gt_scene_add_accessor(scene, &accessor, NULL, &error));
        float read[4];
        gt_accessor_read_floats(scene, 0, 0, 4, read);
        for (int k = 0; k < 4; ++k) {
            GT_EXPECT_NEAR(read[k], expected[i][k], 1e-7);
        }
        gt_scene_destroy(scene);
    }
}

static void test_strides_and_padded_matrix_columns(void** state)
{
    (void)state;
    // MAT2 of bytes: each column of two is padded to four (glTF 2.0, 3.6.2.4); elements 12 bytes apart.
    const uint8_t bytes[20] = { 1, 2, 99, 99, 3, 4, 99, 99, 98, 98, 98, 98, 5, 6, 99, 99, 7, 8, 99, 99 };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = scene_of_bytes(&context, bytes, sizeof bytes, 12);
    GtAccessor accessor = { .component_type = GT_COMPONENT_UINT8, .element_type = GT_ELEMENT_MAT2, .count = 2 };
    GT_EXPECT_OK(gt_scene_add_accessor(scene, &accessor, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    uint32_t read[8];
    gt_accessor_read_uints(scene, 0, 0, 2, read);
    for (uint32_t k = 0; k < 8; ++k) {
        assert_int_equal(read[k], k + 1);
    }
    assert_null(gt_accessor_floats_in_place(scene, 0));
    gt_scene_destroy(scene);
}

static void test_sparse_values_replace_zeros_in_any_range(void** state)
{
    (void)state;
    enum {
        COUNT = 100
    };
    struct {
        float values[3];
        uint16_t indices[3];
    } data = { { 5.0f, 6.0f, 7.0f }, { 0, 42, 99 } };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = scene_of_bytes(&context, &data, sizeof data, 0);
    GtSparse sparse = { .count = 3, .indices_offset = 12, .indices_type = GT_COMPONENT_UINT16 };
    GtAccessor accessor = { .view = GT_NONE, .component_type = GT_COMPONENT_FLOAT, .count = COUNT, .sparse = &sparse };
    GT_EXPECT_OK(gt_scene_add_accessor(scene, &accessor, NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    for (uint64_t first = 0; first < COUNT; first += 7) {
        uint64_t count = first + 7 < COUNT ? 7 : COUNT - first;
        float read[7];
        memset(read, 0xCD, sizeof read);
        gt_accessor_read_floats(scene, 0, first, count, read);
        for (uint64_t i = 0; i < count; ++i) {
            uint64_t at = first + i;
            assert_float_equal(read[i], at == 0 ? 5.0f : at == 42 ? 6.0f : at == 99 ? 7.0f : 0.0f, 0.0f);
        }
    }
    data.indices[1] = 0; // not increasing
    memcpy((uint8_t*)gt_blob_bytes(scene->buffers[0].blob), &data, sizeof data);
    GT_EXPECT_ERROR(gt_scene_validate(&context, scene, &error), GT_ERROR_BAD_VALUE, "accessors[0].sparse");
    gt_scene_destroy(scene);
}

static void test_what_is_added_is_read_back_with_bounds(void** state)
{
    (void)state;
    const float points[6] = { 1.0f, -2.0f, 3.0f, -1.0f, 5.0f, 0.5f };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    int32_t index = GT_NONE;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GT_EXPECT_OK(
        gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, points, 2, &index, &error));
    const float* in_place = gt_accessor_floats_in_place(scene, index);
    assert_memory_equal(in_place, points, sizeof points);
    assert_float_equal(scene->accessors[index].min[1], -2.0, 0.0);
    assert_float_equal(scene->accessors[index].max[2], 3.0, 0.0);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_are_normalised_as_gltf_says),
        cmocka_unit_test(test_strides_and_padded_matrix_columns),
        cmocka_unit_test(test_sparse_values_replace_zeros_in_any_range),
        cmocka_unit_test(test_what_is_added_is_read_back_with_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
