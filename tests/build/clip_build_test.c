// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "build/make_scene.h"

#include "gertie/instance.h"

static const float square[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0 };
static const float times[2] = { 0, 2 };

// "child" under "root", "face" with two morph targets, "other" on a stage of its own; stage 0 shows the rest.
static GtScene* make_stage(const GtContext* context)
{
    GtScene* scene = make_scene(context);
    make_node(scene, "child", 1, gt_vec3(0, 0, 0));
    make_node(scene, "root", GT_NONE, gt_vec3(0, 0, 0));
    GtAttribute position = { "POSITION", make_vec3(scene, square, 4) };
    GtMorphTarget target = { make_array(scene, &position, 1, sizeof position), 1 };
    GtMorphTarget targets[2] = { target, target };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLE_STRIP, &position, 1);
    primitive.targets = make_array(scene, targets, 2, sizeof *targets);
    int32_t mesh = make_mesh(scene, &primitive, 1);
    scene->meshes[mesh].target_count = 2;
    make_mesh_node(scene, mesh); // weights 0 and 1 of the character
    make_mesh_node(scene, mesh); // weights 2 and 3
    make_node(scene, "other", GT_NONE, gt_vec3(0, 0, 0));
    link_children(scene);
    static const int32_t shown[3] = { 1, 2, 3 };
    GtStage stage = { .nodes = shown, .node_count = 3 };
    GtError error;
    GT_EXPECT_OK(gt_scene_add_stage(scene, &stage, NULL, &error));
    return scene;
}

static void add_animation(GtScene* scene)
{
    static const int16_t turn[8] = { 0, 0, 0, 32767, 0, 32767, 0, 0 }; // normalised integers
    static const float moves[18] = { 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 5, 6, 7, 0, 0, 0 };
    static const float shapes[4] = { 0, 1, 1, 0 };
    int32_t input = make_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, 2);
    int32_t rotation = make_data(scene, GT_USE_DATA, GT_ELEMENT_VEC4, GT_COMPONENT_INT16, turn, 2);
    scene->accessors[rotation].normalized = true;
    GtAnimationSampler samplers[3] = {
        { .input = input, .output = rotation },
        { .input = input,
          .output = make_data(scene, GT_USE_DATA, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, moves, 6),
          .interpolation = GT_INTERPOLATION_CUBICSPLINE },
        { .input = input, .output = make_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, shapes, 4) },
    };
    GtAnimationChannel channels[6] = {
        { .sampler = 0, .node = 0, .path = GT_PATH_ROTATION },
        { .sampler = 1, .node = 1, .path = GT_PATH_TRANSLATION },
        { .sampler = 2, .node = 3, .path = GT_PATH_WEIGHTS },
        { .sampler = 1, .node = 4, .path = GT_PATH_SCALE }, // not in the character
        { .sampler = 2, .node = GT_NONE, .path = GT_PATH_OTHER, .path_name = "pointer" },
        { .sampler = 0, .node = 1, .path = GT_PATH_OTHER, .path_name = "visibility" },
    };
    GtAnimation animation = {
        .name = "wave",
        .samplers = make_array(scene, samplers, 3, sizeof *samplers),
        .sampler_count = 3,
        .channels = make_array(scene, channels, 6, sizeof *channels),
        .channel_count = 6,
    };
    GtError error;
    GT_EXPECT_OK(gt_scene_add_animation(scene, &animation, NULL, &error));
    TestLog log;
    GtContext context = test_context(&log);
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
}

static GtCharacter* build_stage(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtCharacter* character = NULL;
    GtBuildDef def = gt_default_build_def();
    def.stage = 0;
    GT_EXPECT_OK(gt_character_build(context, scene, &def, &character, NULL, &error));
    return character;
}

static void test_channels_find_their_nodes_and_weights(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_stage(&context);
    add_animation(scene);
    GtCharacter* character = build_stage(&context, scene);
    GtError error;
    GtClip* clip = NULL;
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_clip_build(&context, scene, 0, character, &clip, &error));
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    assert_string_equal(gt_clip_name(clip), "wave");
    GT_EXPECT_NEAR(gt_clip_end_s(clip), 2, 0);
    gt_clip_sample(clip, 1.0, instance->pose, instance->weights);
    int32_t child = gt_character_node_from_source(character, 0);
    int32_t root = gt_character_node_from_source(character, 1);
    assert_int_not_equal(child, 0); // the file has it first, the character has its parent first
    GT_EXPECT_NEAR(instance->pose[child].rotation.y, sqrt(0.5), 1e-6);
    GT_EXPECT_NEAR(instance->pose[child].rotation.w, sqrt(0.5), 1e-6);
    GT_EXPECT_NEAR(instance->pose[root].translation.x, 3, 1e-6);
    GT_EXPECT_NEAR(instance->pose[root].translation.z, 5, 1e-6);
    GT_EXPECT_NEAR(instance->weights[0], 0, 0); // the first face is not driven
    GT_EXPECT_NEAR(instance->weights[2], 0.5, 1e-6);
    gt_clip_sample(clip, 0.5, instance->pose, instance->weights);
    GT_EXPECT_NEAR(instance->weights[2], 0.25, 1e-6);
    GT_EXPECT_NEAR(instance->weights[3], 0.75, 1e-6);
    gt_clip_destroy(clip);
    GT_EXPECT_ERROR(gt_clip_build(&context, scene, 1, character, &clip, &error), GT_ERROR_NOT_FOUND, "no animation 1");
    assert_null(clip);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_stage(&context);
    add_animation(scene);
    GtCharacter* character = build_stage(&context, scene);
    bool done = false;
    int64_t limit = 0;
    for (; !done; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtContext failing_context = context;
        failing_context.allocator = test_allocator(&failing);
        GtError error;
        GtClip* clip = NULL;
        GtResult result = gt_clip_build(&failing_context, scene, 0, character, &clip, &error);
        done = result == GT_OK;
        assert_true(done || (result == GT_ERROR_OUT_OF_MEMORY && !clip));
        gt_clip_destroy(clip);
        assert_int_equal(failing.alive, 0);
    }
    assert_true(limit > 2);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels_find_their_nodes_and_weights),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
