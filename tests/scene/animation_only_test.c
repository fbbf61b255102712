// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Scenes of clips alone: what is kept plays as before, and what is shown is gone with its bytes.

#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/file.h"

#include <string.h>

enum {
    KEYS = 3,
    VERTICES = 500
};

// A mesh under "show", a stray node with a camera under a joint, two joints, and a clip that turns both and blends a
// shape.
static GtScene* make_character(const GtContext* context)
{
    static const char* const names[] = { "show", "root", "eye", "arm" };
    static const int32_t parents[] = { GT_NONE, GT_NONE, 1, 1 };
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    for (int i = 0; i < 4; ++i) {
        GtNode node = gt_default_node();
        node.name = names[i];
        node.parent = parents[i];
        node.mesh = i == 0 ? 0 : GT_NONE;
        node.skin = i == 0 ? 0 : GT_NONE;
        node.camera = i == 2 ? 0 : GT_NONE;
        node.local.translation = gt_vec3(0.25f * (float)i, 1.0f, 0.0f);
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    static const float vertices[3 * VERTICES];
    GtAttribute* position = gt_scene_push(scene, 1, sizeof *position);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    *position = (GtAttribute){ .name = "POSITION" };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, vertices, VERTICES,
                                   &position->accessor, &error));
    GtMorphTarget* target = gt_scene_push(scene, 1, sizeof *target);
    *target = (GtMorphTarget){ position, 1 };
    *primitive = (GtPrimitive){ .mode = GT_MODE_POINTS,
                                .indices = GT_NONE,
                                .material = 0,
                                .attributes = position,
                                .attribute_count = 1,
                                .targets = target };
    GtMesh mesh = { .primitives = primitive, .primitive_count = 1, .target_count = 1 };
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, NULL, &error));
    GtMaterial material = gt_default_material();
    GT_EXPECT_OK(gt_scene_add_material(scene, &material, NULL, &error));
    GT_EXPECT_OK(gt_scene_add_camera(scene, &(GtCamera){ .fov_y_rad = 1.0f, .z_near = 0.1f }, NULL, &error));

    static const int32_t joints[] = { 1, 3 };
    static const float binds[32] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.25f, -1, 0, 1,
                                     1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1,     -2, 0, 1 };
    GtSkin skin = { .name = "skin", .joints = joints, .joint_count = 2, .skeleton = GT_NONE };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_MAT4, GT_COMPONENT_FLOAT, binds, 2,
                                   &skin.inverse_bind, &error));
    GT_EXPECT_OK(gt_scene_add_skin(scene, &skin, NULL, &error));
    skin.name = "the same joints for another mesh";
    GT_EXPECT_OK(gt_scene_add_skin(scene, &skin, NULL, &error));

    static const float times[KEYS] = { 0.0f, 0.5f, 1.0f };
    static const int16_t turns[4 * KEYS] = { 0, 0, 0, 32767, 23170, 0, 0, 23170, 0, 32767, 0, 0 };
    static const float weights[KEYS] = { 0.0f, 1.0f, 0.0f };
    GtAnimationSampler* samplers = gt_scene_push(scene, 2, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, 3, sizeof *channels);
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, KEYS,
                                   &samplers[0].input, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, weights, KEYS,
                                   &samplers[0].output, &error));
    samplers[1].input = samplers[0].input;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_VEC4, GT_COMPONENT_INT16, turns, KEYS,
                                   &samplers[1].output, &error));
    scene->accessors[samplers[1].output].normalized = true;
    channels[0] = (GtAnimationChannel){ .sampler = 0, .node = 0, .path = GT_PATH_WEIGHTS };
    channels[1] = (GtAnimationChannel){ .sampler = 1, .node = 1, .path = GT_PATH_ROTATION };
    channels[2] = (GtAnimationChannel){ .sampler = 1, .node = 3, .path = GT_PATH_ROTATION };
    GtAnimation clip = { .name = "turn",
                         .samplers = samplers,
                         .sampler_count = 2,
                         .channels = channels,
                         .channel_count = 3,
                         .extra = { .extras = "{\"events\":[]}" } };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &clip, NULL, &error));
    clip.name = "shape alone";
    clip.channel_count = 1;
    GT_EXPECT_OK(gt_scene_add_animation(scene, &clip, NULL, &error));

    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    *map = gt_humanoid_map_empty();
    map->nodes[GT_HUMANOID_HIPS] = 1;
    map->nodes[GT_HUMANOID_LEFT_UPPER_ARM] = 3;
    scene->humanoid = map;
    scene->extra.extensions = "{\"VRMC_vrm\":{}}";
    GT_EXPECT_OK(gt_scene_add_extension(scene, "VRMC_vrm", false, &error));
    int32_t* roots = gt_scene_push(scene, 2, sizeof *roots);
    roots[1] = 1;
    GT_EXPECT_OK(
        gt_scene_add_stage(scene, &(GtStage){ .nodes = roots, .node_count = 2 }, &scene->default_stage, &error));
    scene->default_stage = 0;
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    return scene;
}

static void test_joints_and_clips_stay(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* kept = NULL;
    GtScene* scene = make_character(&context);
    GT_EXPECT_OK(gt_scene_keep_animation_only(&context, scene, &kept, &error));
    gt_scene_destroy(scene); // nothing of it is needed
    GT_EXPECT_OK(gt_scene_validate(&context, kept, &error));
    assert_int_equal(kept->mesh_count + kept->material_count + kept->camera_count + kept->extension_used_count, 0);
    assert_null(kept->extra.extensions);
    assert_int_equal(kept->node_count, 2);
    assert_string_equal(kept->nodes[0].name, "root");
    assert_string_equal(kept->nodes[1].name, "arm");
    assert_int_equal(kept->nodes[1].parent, 0);
    assert_int_equal(kept->nodes[0].child_count, 1);
    assert_int_equal(kept->nodes[0].children[0], 1);
    assert_float_equal(kept->nodes[1].local.translation.x, 0.75f, 0.0f);
    assert_int_equal(kept->stages[0].node_count, 1);
    assert_int_equal(kept->humanoid->nodes[GT_HUMANOID_HIPS], 0);
    assert_int_equal(kept->humanoid->nodes[GT_HUMANOID_LEFT_UPPER_ARM], 1);
    assert_int_equal(kept->humanoid->nodes[GT_HUMANOID_SPINE], GT_NONE);

    assert_int_equal(kept->skin_count, 1);
    assert_int_equal(kept->skins[0].joint_count, 2);
    assert_int_equal(kept->skins[0].joints[1], 1);
    float bind[16];
    gt_accessor_read_floats(kept, kept->skins[0].inverse_bind, 1, 1, bind);
    assert_float_equal(bind[13], -2.0f, 0.0f);

    assert_int_equal(kept->animation_count, 1); // glTF has no clip without channels
    const GtAnimation* clip = &kept->animations[0];
    assert_string_equal(clip->extra.extras, "{\"events\":[]}");
    assert_int_equal(clip->channel_count, 2);
    assert_int_equal(clip->sampler_count, 1);
    assert_int_equal(clip->channels[0].node, 0);
    assert_int_equal(clip->channels[1].node, 1);
    float key[4];
    gt_accessor_read_floats(kept, clip->samplers[0].output, 2, 1, key);
    assert_float_equal(key[1], 1.0f, 0.0f);
    assert_float_equal(kept->accessors[clip->samplers[0].input].max[0], 1.0, 0.0);

    // Times, turns and binds, and no vertices.
    assert_int_equal(kept->buffer_count, 1);
    assert_int_equal(gt_blob_size(kept->buffers[0].blob), (KEYS + 4 * KEYS + 32) * sizeof(float));
    gt_scene_destroy(kept);
}

static void test_once_is_enough(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene *once = NULL, *twice = NULL;
    GtScene* scene = make_character(&context);
    GT_EXPECT_OK(gt_scene_keep_animation_only(&context, scene, &once, &error));
    GT_EXPECT_OK(gt_scene_keep_animation_only(&context, once, &twice, &error));
    GtBlob* files[2] = { NULL, NULL };
    GT_EXPECT_OK(gt_scene_save_memory(&context, once, "glb", NULL, &files[0], &error));
    GT_EXPECT_OK(gt_scene_save_memory(&context, twice, "glb", NULL, &files[1], &error));
    assert_int_equal(gt_blob_size(files[0]), gt_blob_size(files[1]));
    assert_memory_equal(gt_blob_bytes(files[0]), gt_blob_bytes(files[1]), gt_blob_size(files[0]));

    GtSaveDef def = gt_default_save_def(); // saving says the same
    def.animation_only = true;
    gt_blob_release(files[1]);
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", &def, &files[1], &error));
    assert_int_equal(gt_blob_size(files[0]), gt_blob_size(files[1]));
    assert_memory_equal(gt_blob_bytes(files[0]), gt_blob_bytes(files[1]), gt_blob_size(files[0]));
    GtBlob* none = NULL;
    GT_EXPECT_ERROR(gt_scene_save_memory(&context, scene, "obj", &def, &none, &error), GT_ERROR_UNSUPPORTED,
                    "not for clips alone");
    for (int i = 0; i < 2; ++i) {
        gt_blob_release(files[i]);
    }
    gt_scene_destroy(once);
    gt_scene_destroy(twice);
    gt_scene_destroy(scene);
}

static void note_warning(void* user, const GtDiagnostic* diagnostic)
{
    const char** where = user;
    if (diagnostic->severity == GT_SEVERITY_WARNING) {
        *where = strcmp(diagnostic->where, "arm") == 0 ? "arm" : "another";
    }
}

static void test_names_that_bind_nothing_are_warned_of(void** state)
{
    (void)state;
    const char* where = NULL;
    GtContext context = gt_default_context();
    context.diagnose = note_warning;
    context.diagnose_user = &where;
    GtError error;
    GtScene* kept = NULL;
    GtScene* scene = make_character(&context);
    GT_EXPECT_OK(gt_scene_keep_animation_only(&context, scene, &kept, &error));
    assert_null(where);
    gt_scene_destroy(kept);
    scene->nodes[1].name = "arm";
    GT_EXPECT_OK(gt_scene_keep_animation_only(&context, scene, &kept, &error));
    assert_non_null(where);
    assert_string_equal(where, "arm");
    gt_scene_destroy(kept);
    gt_scene_destroy(scene);
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    GtContext plain = gt_default_context();
    GtScene* scene = make_character(&plain);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t fail = 0; result != GT_OK; ++fail) {
        TestAllocator failing = { .remaining = fail };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&failing);
        GtError error;
        GtScene* kept = NULL;
        result = gt_scene_keep_animation_only(&context, scene, &kept, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_true((kept != NULL) == (result == GT_OK));
        gt_scene_destroy(kept);
        assert_int_equal(failing.alive, 0);
        assert_true(fail < 1000);
    }
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_and_clips_stay),
        cmocka_unit_test(test_once_is_enough),
        cmocka_unit_test(test_names_that_bind_nothing_are_warned_of),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
