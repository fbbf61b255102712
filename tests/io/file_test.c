// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/file.h"
#include "support/test.h"

static GtResult load_text(const char* text, size_t size, const char* path, GtScene** out, GtError* error)
{
    GtContext context = gt_default_context();
    return gt_scene_load_memory(&context, text, size, path, NULL, out, error);
}

static void test_content_counts_before_the_name(void** state)
{
    (void)state;
    GtError error = { 0 };
    GtScene* scene = NULL;
    static const char gltf[] = "\n {\"asset\":{\"version\":\"2.0\"}}";
    GT_EXPECT_OK(load_text(gltf, sizeof gltf - 1, "walk.bvh", &scene, &error));
    assert_string_equal(scene->source.format, "gltf");
    assert_string_equal(scene->source.file_format, "gltf");
    gt_scene_destroy(scene);
}

static void test_a_vrm_is_told_by_its_ending(void** state)
{
    (void)state;
    static const char* const paths[] = { "a.vrm", "A.VRM", "a.glb", "a.bvh", NULL };
    static const char* const names[] = { "vrm", "vrm", "glb", "glb", "glb" };
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"}} ";
    uint8_t glb[20 + sizeof json - 1] = {
        'g', 'l', 'T', 'F', 2, 0, 0, 0, sizeof glb, 0, 0, 0, sizeof json - 1, 0, 0, 0
    };
    memcpy(glb + 16, "JSON", 4);
    memcpy(glb + 20, json, sizeof json - 1);
    for (int i = 0; i < 5; ++i) {
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(load_text((const char*)glb, sizeof glb, paths[i], &scene, &error));
        assert_string_equal(scene->source.file_format, names[i]);
        gt_scene_destroy(scene);
    }
}

static void test_strangers_are_named(void** state)
{
    (void)state;
    static const struct {
        const char* bytes;
        size_t size;
        const char* path;
        GtResult code;
        const char* message;
    } cases[] = {
        { "", 0, "a.glb", GT_ERROR_BAD_FILE, "a.glb: the file is empty" },
        { "\x89PNG\r\n\x1A\n", 8, "a.glb", GT_ERROR_UNSUPPORTED, "PNG" },
        { "PK\x03\x04....", 8, "a.glb", GT_ERROR_UNSUPPORTED, "unpack" },
        { "Kaydara FBX Binary  ", 20, "a.fbx", GT_ERROR_BAD_FILE, "FBX" },
        { "version https://git-lfs.github.com/spec/v1", 42, "a.glb", GT_ERROR_UNSUPPORTED, "git lfs pull" },
        { "<!DOCTYPE html>", 15, "a.gltf", GT_ERROR_UNSUPPORTED, "web page" },
        { "lorem ipsum\n", 12, "a.txt", GT_ERROR_UNSUPPORTED, "Gertie reads glb" },
        { "lorem ipsum\n", 12, "a.glb", GT_ERROR_BAD_FILE, "not glTF" },
        { "lorem ipsum\n", 12, NULL, GT_ERROR_UNSUPPORTED, "not known" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_ERROR(load_text(cases[i].bytes, cases[i].size, cases[i].path, &scene, &error), cases[i].code,
                        cases[i].message);
        assert_null(scene);
    }
}

static void test_formats_that_cannot_be_written_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GT_EXPECT_ERROR(gt_scene_save(&context, scene, "out.c3d", NULL, &error), GT_ERROR_UNSUPPORTED, "out.c3d");
    GT_EXPECT_ERROR(gt_scene_save(&context, scene, "out.vrm", NULL, &error), GT_ERROR_UNSUPPORTED, "write a .glb");
    GT_EXPECT_ERROR(gt_scene_save_memory(&context, scene, "gltf", NULL, &blob, &error), GT_ERROR_UNSUPPORTED, "gltf");
    GT_EXPECT_ERROR(gt_scene_save(&context, scene, "/nowhere/out.glb", NULL, &error), GT_ERROR_IO, "/nowhere/out.glb");
    assert_null(blob);
    gt_scene_destroy(scene);
}

static void test_every_format_is_described(void** state)
{
    (void)state;
    int count = 0;
    for (const GtFormat* format = gt_formats(); format->name; ++format, ++count) {
        assert_true(format->description[0]);
        assert_true(format->reads || format->writes);
    }
    assert_true(count >= 3);
}

// Words of the last diagnostic.
static void keep_message(void* user, const GtDiagnostic* diagnostic)
{
    assert_int_equal(diagnostic->severity, GT_SEVERITY_WARNING);
    snprintf(user, 256, "%s", diagnostic->message);
}

static void expect_losses(const GtScene* scene, const char* format, bool alone, const char* expected)
{
    char message[256] = "";
    GtContext context = gt_default_context();
    context.diagnose = keep_message;
    context.diagnose_user = message;
    GtSaveDef def = gt_default_save_def();
    def.alone = alone;
    GtSaveLoss losses[GT_SAVE_LOSS_COUNT];
    int32_t count = gt_save_losses(&context, scene, format, &def, losses);
    assert_string_equal(message, expected);
    for (int32_t i = 0; i < count; ++i) {
        assert_true(losses[i].count > 0);
        assert_non_null(strstr(message, losses[i].count == 1 ? losses[i].one : losses[i].many));
    }
    assert_int_equal(count > 0, message[0] != 0);
}

// What the formats' own specifications have no place for.
static void test_losses_are_told(void** state)
{
    (void)state;
    GtMesh meshes[2] = { { .target_count = 3 }, { .target_count = 1 } };
    GtScene scene = { .meshes = meshes, .mesh_count = 2, .skin_count = 1, .material_count = 4, .animation_count = 2 };
    expect_losses(&scene, "glb", false, "");
    expect_losses(&scene, "vrm", false, "");
    expect_losses(&scene, "bvh", false,
                  "bvh holds joints and their motion only: 2 meshes, 4 morph targets, 1 skin, 4 materials left out");
    expect_losses(&scene, "obj", false, "obj holds meshes only: 4 morph targets, 1 skin, 2 clips left out");
    expect_losses(&scene, "obj", true, "obj holds meshes only: 4 morph targets, 1 skin, 4 materials, 2 clips left out");
    scene = (GtScene){ .mesh_count = 1, .meshes = &(GtMesh){ 0 } };
    expect_losses(&scene, "stl", false, "");
    assert_string_equal(gt_format_of_path("a.tar/B.Ply")->name, "ply");
    assert_null(gt_format_of_path("ply"));
    assert_false(gt_format_holds(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content_counts_before_the_name),
        cmocka_unit_test(test_a_vrm_is_told_by_its_ending),
        cmocka_unit_test(test_strangers_are_named),
        cmocka_unit_test(test_formats_that_cannot_be_written_are_refused),
        cmocka_unit_test(test_every_format_is_described),
        cmocka_unit_test(test_losses_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
