// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include "gertie/accessor.h"

static void test_a_copy_shares_and_grows_apart(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&counting);
    GtError error;
    GtScene* first = NULL;
    GtScene* second = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &first, &error));
    GtNode node = gt_default_node();
    node.name = gt_scene_push_text(first, "root", 4);
    GT_EXPECT_OK(gt_scene_add_node(first, &node, NULL, &error));
    const float values[3] = { 1.0f, 2.0f, 3.0f };
    GT_EXPECT_OK(gt_scene_add_data(first, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, values, 3, NULL, &error));
    GtNode child = gt_default_node();
    child.parent = 0;
    GT_EXPECT_OK(gt_scene_add_node(first, &child, NULL, &error));

    GT_EXPECT_OK(gt_scene_copy(&context, first, &second, &error));
    for (int i = 0; i < 100; ++i) { // both grow the children of one shared node: neither may see the other's
        GT_EXPECT_OK(gt_scene_add_node(i % 2 ? first : second, &child, NULL, &error));
    }
    assert_int_equal(first->nodes[0].child_count, 51);
    assert_int_equal(second->nodes[0].child_count, 51);
    for (int i = 0; i < 51; ++i) {
        assert_int_equal(first->nodes[0].children[i], i + 1);
        assert_int_equal(second->nodes[0].children[i], i + 1);
    }
    assert_ptr_equal(first->buffers[0].blob, second->buffers[0].blob);

    gt_scene_destroy(first); // the copy keeps what it shares
    float read[3];
    gt_accessor_read_floats(second, 0, 0, 3, read);
    assert_memory_equal(read, values, sizeof values);
    assert_string_equal(second->nodes[0].name, "root");
    GT_EXPECT_OK(gt_scene_validate(&context, second, &error));
    gt_scene_destroy(second);
    assert_int_equal(counting.alive, 0);
}

static void test_a_long_chain_of_copies_is_freed(void** state)
{
    (void)state;
    TestAllocator counting = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&counting);
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    for (int i = 0; i < 20000; ++i) {
        GtScene* next = NULL;
        GT_EXPECT_OK(gt_scene_copy(&context, scene, &next, &error));
        gt_scene_destroy(scene);
        scene = next;
    }
    gt_scene_destroy(scene);
    assert_int_equal(counting.alive, 0);
}

static void test_every_allocation_of_a_copy_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtScene* source = NULL;
    GT_EXPECT_OK(gt_scene_create(&heap, &source, &error));
    const float value = 1.0f;
    for (int i = 0; i < 40; ++i) {
        GT_EXPECT_OK(
            gt_scene_add_data(source, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, &value, 1, NULL, &error));
    }
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtScene* copy = NULL;
        result = gt_scene_copy(&context, source, &copy, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !copy));
        gt_scene_destroy(copy);
        assert_int_equal(limited.alive, 0);
    }
    gt_scene_destroy(source);
}

static void test_a_chain_of_100000_nodes_has_its_order(void** state)
{
    (void)state;
    enum {
        COUNT = 100000
    };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GtNode node = gt_default_node();
    for (int i = 0; i < COUNT; ++i) {
        node.parent = i - 1;
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    int32_t* order = gt_scene_push(scene, COUNT, sizeof *order);
    GT_EXPECT_OK(gt_scene_parent_first(scene, order, &error));
    for (int i = 0; i < COUNT; ++i) {
        assert_int_equal(order[i], i);
    }
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    gt_scene_destroy(scene);
}

enum {
    NUMBERS = 3, // of each accessor
    ACCESSORS = 5
};

// One buffer, as a GLB has it, of accessors that all look into: times and values of a clip, a matrix of a skin in
// between, and two of no field.
static GtScene* make_clip_in_one_buffer(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    uint8_t* bytes = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    GtBuffer buffer = { .blob = gt_blob_create(context->allocator, ACCESSORS * NUMBERS * sizeof(float), &bytes) };
    for (int i = 0; i < ACCESSORS * NUMBERS; ++i) {
        ((float*)bytes)[i] = (float)i;
    }
    GT_EXPECT_OK(gt_scene_add_buffer(scene, &buffer, NULL, &error));
    for (int i = 0; i < ACCESSORS; ++i) {
        GtBufferView view = { .offset = (uint64_t)i * NUMBERS * sizeof(float), .size = NUMBERS * sizeof(float) };
        GtAccessor accessor = { .view = i, .component_type = GT_COMPONENT_FLOAT, .count = NUMBERS };
        GT_EXPECT_OK(gt_scene_add_buffer_view(scene, &view, NULL, &error));
        GT_EXPECT_OK(gt_scene_add_accessor(scene, &accessor, NULL, &error));
    }
    GtAnimationSampler* samplers = gt_scene_push(scene, 2, sizeof *samplers);
    samplers[0] = (GtAnimationSampler){ .input = 0, .output = 1 };
    samplers[1] = (GtAnimationSampler){ .input = 0, .output = 4 };
    GT_EXPECT_OK(
        gt_scene_add_animation(scene, &(GtAnimation){ .samplers = samplers, .sampler_count = 2 }, NULL, &error));
    GT_EXPECT_OK(gt_scene_add_skin(scene, &(GtSkin){ .inverse_bind = 2 }, NULL, &error));
    return scene;
}

static void expect_numbers(const GtScene* scene, int32_t accessor, float first)
{
    float read[NUMBERS];
    gt_accessor_read_floats(scene, accessor, 0, NUMBERS, read);
    for (int i = 0; i < NUMBERS; ++i) {
        GT_EXPECT_NEAR(read[i], first + (first > 0.0f ? (float)i : 0.0f), 0.0);
    }
}

static void test_what_a_clip_leaves_behind_is_let_go_of(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* before = make_clip_in_one_buffer(&context);
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_copy(&context, before, &scene, &error));
    scene->animation_count = 0;
    GT_EXPECT_OK(gt_scene_prune(scene, before, &error));
    assert_int_equal(scene->accessor_count, 4); // [3] is of no field: an extension may have it
    assert_int_equal(scene->buffer_view_count, 4);
    expect_numbers(scene, 0, 0.0f); // zeros under their indices
    expect_numbers(scene, 1, 0.0f);
    expect_numbers(scene, 2, 6.0f);
    expect_numbers(scene, 3, 9.0f);
    size_t size = gt_blob_size(scene->buffers[0].blob);
    assert_true(size >= 2 * NUMBERS * sizeof(float) && size < 3 * NUMBERS * sizeof(float) + 8);
    expect_numbers(before, 1, 3.0f); // a copy changes nothing of its source
    expect_numbers(before, 4, 12.0f);

    GtScene* bare = NULL; // what was left as zeros goes, too, once it is at the end
    GT_EXPECT_OK(gt_scene_copy(&context, scene, &bare, &error));
    bare->skin_count = 0;
    bare->accessors[3] = bare->accessors[0];
    bare->buffer_views[3].size = 4;
    GT_EXPECT_OK(gt_scene_prune(bare, scene, &error));
    assert_int_equal(bare->accessor_count, 0);
    assert_int_equal(bare->buffer_view_count, 0);
    assert_int_equal(bare->buffer_count, 0);
    gt_scene_destroy(bare);
    gt_scene_destroy(scene);

    GT_EXPECT_OK(gt_scene_copy(&context, before, &scene, &error));
    scene->animation_count = 0;
    scene->buffer_views[3].extra.extensions = "{\"ANY\":{\"buffer\":0,\"byteOffset\":48}}";
    GT_EXPECT_OK(gt_scene_prune(scene, before, &error));
    assert_ptr_equal(scene->buffers[0].blob, before->buffers[0].blob); // bytes stay where an extension may point
    gt_scene_destroy(scene);
    gt_scene_destroy(before);
}

static void test_every_allocation_of_a_release_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtScene* before = make_clip_in_one_buffer(&heap);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = -1 };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtScene* scene = NULL;
        GT_EXPECT_OK(gt_scene_copy(&context, before, &scene, &error));
        scene->animation_count = 0;
        limited.remaining = allowed;
        result = gt_scene_prune(scene, before, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        expect_numbers(scene, 2, 6.0f);
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
    gt_scene_destroy(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_copy_shares_and_grows_apart),
        cmocka_unit_test(test_a_long_chain_of_copies_is_freed),
        cmocka_unit_test(test_every_allocation_of_a_copy_may_fail),
        cmocka_unit_test(test_a_chain_of_100000_nodes_has_its_order),
        cmocka_unit_test(test_what_a_clip_leaves_behind_is_let_go_of),
        cmocka_unit_test(test_every_allocation_of_a_release_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
