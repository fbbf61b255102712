// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes of a deformation file on a triangle: taken from other files, driven by its controls.

#include "support/folder.h"
#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/file.h"

#include "sections/file/shape_file.h"

static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n";
static const char bent[] = "v 0 0 0\nv 1 0 0\nv 1 1 0.5\nf 1 2 3\n";
static const char half_bent[] = "v 0 0 0\nv 1 0 0\nv 1 1.25 0.5\nf 1 2 3\n";

static const char deform[] =
    "{\"gertie_deform\": 1, \"controls\": [{\"name\": \"joy\"}, {\"name\": \"speech\", \"rest\": 0.5}],\n"
    " \"shapes\": [{\"name\": \"bent\", \"from\": \"bent.obj\", \"rest\": 0.25, \"driven_by\": [\n"
    "   {\"control\": \"joy\", \"keys\": [{\"at\": 0, \"value\": 0}, {\"at\": 0.5, \"value\": 0.8}, {\"at\": 1, "
    "\"value\": 1}]},\n"
    "   {\"control\": \"speech\"}]},\n"
    " {\"name\": \"half\", \"from\": \"half.obj\", \"of\": \"bent\", \"at\": 0.5},\n"
    " {\"name\": \"both\", \"from\": \"bent.obj\", \"when\": [\"bent\", \"speech\"]}]}";

static GtScene* load_triangle(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_load_memory(context, triangle, strlen(triangle), "face.obj", &load, &scene, &error));
    return scene;
}

static void put_files(TestFolder* folder)
{
    test_folder_create(folder);
    test_folder_put(folder, "bent.obj", bent, strlen(bent));
    test_folder_put(folder, "half.obj", half_bent, strlen(half_bent));
    test_folder_put(folder, "face.deform.json", deform, strlen(deform));
}

static void a_file_brings_shapes_and_what_drives_them(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    GtContext context = gt_default_context();
    GtScene* scene = load_triangle(&context);
    GtSculpt* sculpt = NULL;
    GtShapeControls* controls = NULL;
    GtShapesReport report = { 0 };
    put_files(&folder);
    GT_EXPECT_OK(gt_sculpt_load(&context, scene, test_folder_path(&folder, "face.deform.json"), &sculpt, &error));
    GT_EXPECT_ERROR(gti_shapes_compile(&context, scene, sculpt, &controls, &error), GT_ERROR_NOT_FOUND,
                    "shape 'bent': no mesh has such a shape");
    GT_EXPECT_OK(gt_sculpt_add_shapes(&context, sculpt, scene, &report, &error));
    GT_EXPECT_OK(gt_sculpt_add_shapes(&context, sculpt, scene, &report, &error)); // they are there
    assert_int_equal(report.added_count, 3);
    assert_int_equal(report.replaced_count, 0);
    const GtMesh* mesh = &scene->meshes[0];
    assert_int_equal(gt_shapes_find(mesh, "half"), 1);
    GT_EXPECT_NEAR(mesh->weights[0], 0.25, 0.0);
    float values[9];
    gt_accessor_read_floats(scene, gt_morph_target_find(&mesh->primitives[0].targets[1], "POSITION"), 0, 3, values);
    GT_EXPECT_NEAR(values[7], 0.25, 1e-6);
    GT_EXPECT_NEAR(values[8], 0.5, 1e-6);

    GT_EXPECT_OK(gti_shapes_compile(&context, scene, sculpt, &controls, &error));
    float weights[3] = { 0 };
    float state_values[16] = { 0 };
    GtCharacter* character = NULL;
    GtBuildDef build = gt_default_build_def();
    GtTrackSet* set = NULL;
    GtTrackSetDef def = gt_default_track_set_def();
    GT_EXPECT_OK(gt_character_build(&context, scene, &build, &character, NULL, &error));
    def.character = character;
    def.tracks = controls->tracks;
    def.track_count = controls->track_count;
    def.value_names = controls->value_names;
    def.value_count = controls->value_count;
    GT_EXPECT_OK(gt_track_set_create(context.allocator, &def, &set, &error));
    memcpy(state_values, controls->value_rests, (size_t)controls->value_count * sizeof(float));
    state_values[0] = 0.25f; // joy: 0.4 by its curve; with speech, 0.9
    gt_track_set_apply(set, 0.0, (GtState){ .weights = weights, .values = state_values });
    GT_EXPECT_NEAR(weights[0], 0.8, 1e-6);
    GT_EXPECT_NEAR(weights[1], 0.2, 1e-6);
    GT_EXPECT_NEAR(weights[2], 0.45, 1e-6);
    gt_track_set_destroy(set);
    gt_character_destroy(character);
    gt_shape_controls_destroy(controls);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

// Keys drive a control, the control a shape, and the player has it in the weights.
static void shapes_are_played_with_tracks(void** state)
{
    (void)state;
    static const char text[] =
        "{\"gertie_deform\": 1, \"controls\": [{\"name\": \"joy\"}], \"shapes\": [{\"name\": \"bent\", \"from\": "
        "\"bent.obj\", \"driven_by\": [{\"control\": \"joy\"}]}, {\"name\": \"half\", \"from\": \"half.obj\", "
        "\"of\": \"bent\", \"at\": 0.5}], \"tracks\": [{\"channel\": \"control:joy\", \"law\": \"linear\", "
        "\"keys\": [{\"at\": 0, \"value\": 0}, {\"at\": 2, \"value\": 2}]}]}";
    static const float cases[][3] = {
        { 0.0f, 0.0f, 0.0f }, { 0.25f, 0.0f, 0.5f }, { 0.75f, 0.5f, 0.5f }, { 1.0f, 1.0f, 0.0f }, { 2.0f, 1.0f, 0.0f }
    }; // time, bent, half
    GtError error;
    TestFolder folder;
    GtContext context = gt_default_context();
    GtScene* scene = load_triangle(&context);
    GtSculpt* sculpt = NULL;
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtSculptPlayer* player = NULL;
    GtBuildDef build = gt_default_build_def();
    put_files(&folder);
    test_folder_put(&folder, "played.json", text, strlen(text));
    GT_EXPECT_OK(gt_sculpt_load(&context, scene, test_folder_path(&folder, "played.json"), &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_add_shapes(&context, sculpt, scene, NULL, &error));
    GT_EXPECT_OK(gt_sculpt_character(&context, scene, sculpt, &build, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = scene;
    def.sculpt = sculpt;
    def.character = character;
    GT_EXPECT_OK(gt_sculpt_player_create(&context, &def, &player, &error));
    GT_EXPECT_NEAR(gt_sculpt_player_end_s(player), 2.0, 0.0); // of the last key, without a clip
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        gt_sculpt_play(player, (double)cases[i][0], instance);
        GT_EXPECT_NEAR(instance->weights[0], cases[i][1], 1e-6);
        GT_EXPECT_NEAR(instance->weights[1], cases[i][2], 1e-6);
    }
    gt_sculpt_player_destroy(player);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

#define SHAPE(what)                                                                                                    \
    "{\"gertie_deform\": 1, \"controls\": [{\"name\": \"joy\"}], \"shapes\": [{\"name\": \"a\"" what "}]}"

static void what_is_wrong_is_named(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        const char* says;
    } cases[] = {
        { SHAPE(", \"form\": \"a.obj\""), "shapes[0].form" },
        { SHAPE(", \"kind\": \"whole\""), "shapes[0].kind" },
        { SHAPE(", \"when\": [\"b\"]"), "shapes[0].when" },
        { SHAPE(", \"driven_by\": [{\"keys\": []}]"), "shapes[0].driven_by[0]" },
        { SHAPE(", \"from\": \"absent.obj\""), "absent.obj" },
        { SHAPE(", \"from\": \"bent.obj\", \"mesh\": \"nose\""), "there is no mesh 'nose'" },
        { SHAPE(", \"from\": \"bent.obj\", \"target\": \"b\""), "its file has no morph target 'b'" },
        { SHAPE(", \"driven_by\": [{\"control\": \"joy\", \"keys\": [{\"at\": 1, \"value\": 0}, {\"at\": 0, "
                "\"value\": 0}]}]"),
          "[0].driven_by[0].keys[1].at: must be more than of the key before" },
    };
    GtError error;
    TestFolder folder;
    GtContext context = gt_default_context();
    GtScene* scene = load_triangle(&context);
    put_files(&folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtSculpt* sculpt = NULL;
        char text[1024];
        test_folder_put(&folder, "bad.json", cases[i].text, strlen(cases[i].text));
        GtResult result = gt_sculpt_load(&context, scene, test_folder_path(&folder, "bad.json"), &sculpt, &error);
        if (result == GT_OK) {
            result = gt_sculpt_add_shapes(&context, sculpt, scene, NULL, &error);
        }
        assert_int_not_equal(result, GT_OK);
        gt_error_format(&error, text, sizeof text);
        if (!strstr(text, cases[i].says)) {
            fail_msg("'%s' says '%s', not '%s'", cases[i].text, text, cases[i].says);
        }
        gt_sculpt_destroy(sculpt);
    }
    assert_int_equal(scene->meshes[0].target_count, 0);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    GtError error;
    TestFolder folder;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    put_files(&folder);
    context.allocator = test_allocator(&memory);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtShapeControls* controls = NULL;
        GtSculpt* sculpt = NULL;
        memory.remaining = -1;
        GtScene* scene = load_triangle(&context);
        GT_EXPECT_OK(gt_sculpt_load(&context, scene, test_folder_path(&folder, "face.deform.json"), &sculpt, &error));
        memory.remaining = allowed;
        result = gt_sculpt_add_shapes(&context, sculpt, scene, NULL, &error);
        if (result == GT_OK) {
            result = gti_shapes_compile(&context, scene, sculpt, &controls, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_shape_controls_destroy(controls);
        gt_sculpt_destroy(sculpt);
        gt_scene_destroy(scene);
        assert_int_equal(memory.alive, 0);
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_brings_shapes_and_what_drives_them),
        cmocka_unit_test(shapes_are_played_with_tracks),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
