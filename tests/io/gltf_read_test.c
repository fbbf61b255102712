// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "support/folder.h"
#include "support/glb.h"
#include "support/test.h"

#include <stdlib.h>

static GtScene* load_everything(const GtContext* context)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    GT_EXPECT_OK(gt_scene_load_memory(context, glb, size, NULL, NULL, &scene, &error));
    free(glb);
    return scene;
}

static GtScene* load_json(const GtContext* context, const char* single_quoted)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    char* json = test_json(single_quoted);
    GT_EXPECT_OK(gt_scene_load_memory(context, json, strlen(json), NULL, NULL, &scene, &error));
    free(json);
    return scene;
}

static void expect_floats(const GtScene* scene, int32_t accessor, uint64_t element, const float* expected, int count)
{
    float values[16];
    gt_accessor_read_floats(scene, accessor, element, 1, values);
    for (int i = 0; i < count; ++i) {
        GT_EXPECT_NEAR(values[i], expected[i], 1e-7);
    }
}

static void test_every_component_type_is_decoded(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load_everything(&context);
    assert_int_equal(scene->accessor_count, 29);
    expect_floats(scene, 0, 5, (float[]){ 1, 2, -0.5f }, 3);            // float
    expect_floats(scene, 2, 2, (float[]){ 1, 32768.0f / 65535.0f }, 2); // normalised uint16, strided
    expect_floats(scene, 3, 5, (float[]){ 0.2f, 0.4f, 0.6f, 0 }, 4);    // normalised uint8, strided
    expect_floats(scene, 6, 5, (float[]){ 5, 0, 0, 0 }, 4);             // uint8, strided
    expect_floats(scene, 9, 5, (float[]){ 0.2f, 0, 0, 0 }, 4);          // normalised uint8
    expect_floats(scene, 10, 5, (float[]){ 0.2f, 0, 0, 0 }, 4);         // normalised uint16
    expect_floats(scene, 12, 5, (float[]){ 5 }, 1);                     // uint8
    expect_floats(scene, 13, 3, (float[]){ 2 }, 1);                     // uint16
    expect_floats(scene, 14, 5, (float[]){ 5 }, 1);                     // uint32, second buffer
    expect_floats(scene, 15, 3, (float[]){ 0, 0, 0 }, 3);               // sparse over nothing
    expect_floats(scene, 15, 4, (float[]){ 0, 3, 0 }, 3);               //
    expect_floats(scene, 16, 5, (float[]){ 1, -1, 64.0f / 127.0f }, 3); // normalised int8
    expect_floats(scene, 17, 0, (float[]){ -1, 0, 0 }, 3);              // normalised int16
    expect_floats(scene, 18, 1, (float[]){ 0.5f, -0.5f, 0.25f }, 3);    // sparse over a view
    expect_floats(scene, 18, 5, (float[]){ 1, 2, -0.5f }, 3);           //
    expect_floats(scene, 19, 5, (float[]){ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -5 }, 14); // matrices
    expect_floats(scene, 26, 5, (float[]){ 0, 0, 0 }, 3);                                    // no view
    expect_floats(scene, 27, 1, (float[]){ 5, 6, 7, 8 }, 4);                                 // padded columns
    expect_floats(scene, 28, 0, (float[]){ 1, 2, 3, 4, 5, 6, 7, 8, 9 }, 9);                  //
    assert_int_equal(log.warning_count, 0);
    gt_scene_destroy(scene);
}

static void test_nodes_and_their_forest(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_everything(&context);
    assert_int_equal(scene->node_count, 12);
    assert_int_equal(scene->nodes[0].parent, GT_NONE);
    assert_int_equal(scene->nodes[6].parent, 5);
    assert_string_equal(scene->nodes[4].name, "joint 4 \xC3\xA9\n\"");
    assert_int_equal(scene->nodes[7].skin, 0);
    GT_EXPECT_NEAR(scene->nodes[7].weights[1], -0.5, 0);
    GT_EXPECT_NEAR(scene->nodes[3].local.scale.y, -1, 0);
    assert_true(signbit(scene->nodes[9].local.translation.x));
    // A quarter turn about z at (4, 5, 6), from a matrix.
    assert_non_null(scene->nodes[8].matrix);
    GT_EXPECT_NEAR(scene->nodes[8].local.translation.z, 6, 0);
    GT_EXPECT_NEAR(scene->nodes[8].local.rotation.z, sqrt(0.5), 1e-6);
    GT_EXPECT_NEAR(scene->nodes[8].local.scale.x, 1, 1e-6);
    gt_scene_destroy(scene);
}

static void test_meshes_skins_and_animations(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_everything(&context);
    const GtMesh* body = &scene->meshes[0];
    assert_int_equal(body->target_count, 2);
    assert_string_equal(body->target_names[1], "frown");
    assert_string_equal(body->extra.extras, "{\"made\":\"by hand\"}");
    assert_int_equal(gt_primitive_find(&body->primitives[0], "WEIGHTS_3"), 11);
    assert_int_equal(gt_morph_target_find(&body->primitives[0].targets[1], "NORMAL"), 16);
    for (int32_t mode = 0; mode < 7; ++mode) {
        assert_int_equal(scene->meshes[1].primitives[mode].mode, mode);
    }
    assert_int_equal(scene->meshes[2].primitives[0].mode, GT_MODE_TRIANGLES);
    assert_int_equal(scene->skins[0].joint_count, 6);
    assert_int_equal(scene->skins[0].joints[5], 6);
    const GtAnimation* animation = &scene->animations[0];
    assert_int_equal(animation->samplers[0].interpolation, GT_INTERPOLATION_CUBICSPLINE);
    assert_int_equal(animation->samplers[1].interpolation, GT_INTERPOLATION_STEP);
    assert_int_equal(animation->samplers[2].interpolation, GT_INTERPOLATION_LINEAR);
    assert_int_equal(animation->channels[3].path, GT_PATH_WEIGHTS);
    assert_int_equal(animation->channels[4].node, 4);
    assert_string_equal(animation->channels[1].target_extra.extras, "{\"x\":1}");
    gt_scene_destroy(scene);
}

static void test_looks_and_cameras(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_everything(&context);
    const GtMaterial* full = &scene->materials[0];
    assert_true(full->has_pbr);
    GT_EXPECT_NEAR(full->base_color[3], 0.4, 1e-7);
    GT_EXPECT_NEAR(full->roughness, 0.75, 0);
    assert_int_equal(full->metallic_roughness_texture.texture, 1);
    GT_EXPECT_NEAR(full->normal_texture.scale, 0.5, 0);
    GT_EXPECT_NEAR(full->occlusion_texture.scale, 0.125, 0);
    assert_int_equal(full->alpha_mode, GT_ALPHA_MASK);
    assert_true(full->double_sided);
    assert_string_equal(full->base_color_texture.extra.extensions,
                        "{\"KHR_texture_transform\":{\"offset\":[0.5,0.25],\"rotation\":1}}");
    assert_false(scene->materials[1].has_pbr);
    GT_EXPECT_NEAR(scene->materials[1].metallic, 1, 0);
    assert_int_equal(scene->materials[1].emissive_texture.texture, GT_NONE);
    assert_int_equal(scene->samplers[0].wrap_t, 33648);
    assert_int_equal(scene->textures[1].sampler, GT_NONE);
    assert_int_equal(scene->images[0].view, 15);
    assert_false(scene->cameras[0].orthographic);
    GT_EXPECT_NEAR(scene->cameras[0].fov_y_rad, 1.1, 1e-7);
    GT_EXPECT_NEAR(scene->cameras[0].z_far, 0, 0);
    assert_true(scene->cameras[1].orthographic);
    GT_EXPECT_NEAR(scene->cameras[1].mag_y, 3, 0);
    gt_scene_destroy(scene);
}

static void test_what_nobody_knows_is_kept(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_everything(&context);
    assert_string_equal(scene->asset.extra.extras, "[1,\"two\",null]");
    assert_string_equal(scene->asset.extra.unknown, "\"minVersion\":\"2.0\"");
    assert_string_equal(scene->extra.extensions, "{\"TEST_unheard_of\":{\"root\":true}}");
    assert_string_equal(scene->nodes[11].extra.unknown, "\"future\":[1.50]");
    assert_string_equal(scene->nodes[11].extra.extensions,
                        "{\"TEST_unheard_of\":{\"node\":7,\"deep\":[[1],{\"a\":{}}]}}");
    assert_string_equal(scene->accessors[15].sparse->values_extra.extras, "{\"z\":1}");
    assert_int_equal(scene->extension_used_count, 4);
    assert_string_equal(scene->extensions_required[0], "KHR_mesh_quantization");
    gt_scene_destroy(scene);
}

static void test_wrong_target_names_are_left_out(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load_json(&context, "{'asset':{'version':'2.0'},'meshes':[{'primitives':[{'attributes':{}}],"
                                         "'extras':{'targetNames':['one'],'a':1}}]}");
    assert_null(scene->meshes[0].target_names);
    assert_string_equal(scene->meshes[0].extra.extras, "{\"a\":1}");
    assert_non_null(strstr(log.text, "meshes[0].extras.targetNames"));
    gt_scene_destroy(scene);
}

// Exporters of VRM 0 name targets in each primitive.
static void test_target_names_of_primitives_are_read(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_json(&context, "{'asset':{'version':'2.0'},'meshes':[{'primitives':[{'attributes':{},"
                                         "'targets':[{}],'extras':{'targetNames':['A'],'a':1}}]}]}");
    assert_string_equal(scene->meshes[0].target_names[0], "A");
    assert_string_equal(scene->meshes[0].primitives[0].extra.extras, "{\"targetNames\":[\"A\"],\"a\":1}");
    gt_scene_destroy(scene);
}

static void test_unknown_animation_paths_are_kept(void** state)
{
    (void)state;
    static const float data[] = { 0, 1, 5, 6 };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    size_t size = 0;
    uint8_t* glb = test_glb("{'asset':{'version':'2.0'},'buffers':[{'byteLength':16}],"
                            "'bufferViews':[{'buffer':0,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':8}],"
                            "'accessors':[{'bufferView':0,'componentType':5126,'count':2,'type':'SCALAR'},"
                            "{'bufferView':1,'componentType':5126,'count':2,'type':'SCALAR'}],"
                            "'animations':[{'samplers':[{'input':0,'output':1}],'channels':[{'sampler':0,'target':"
                            "{'path':'pointer','extensions':{'KHR_animation_pointer':{'pointer':'/x'}}}}]}]}",
                            data, sizeof data, &size);
    GT_EXPECT_OK(gt_scene_load_memory(&context, glb, size, NULL, NULL, &scene, &error));
    free(glb);
    const GtAnimationChannel* channel = &scene->animations[0].channels[0];
    assert_int_equal(channel->path, GT_PATH_OTHER);
    assert_string_equal(channel->path_name, "pointer");
    assert_int_equal(channel->node, GT_NONE);
    gt_scene_destroy(scene);
}

static GtResult load_file(const GtContext* context, const TestFolder* folder, const char* single_quoted,
                          GtScene** scene, GtError* error)
{
    char* json = test_json(single_quoted);
    test_folder_put(folder, "a.gltf", json, strlen(json));
    free(json);
    return gt_scene_load(context, test_folder_path(folder, "a.gltf"), NULL, scene, error);
}

static void test_files_beside_the_document(void** state)
{
    (void)state;
    static const float data[] = { 1, 2, 3, 4 };
    TestFolder folder;
    test_folder_create(&folder);
    test_folder_put(&folder, "my data \xC3\xA9%.bin", data, sizeof data);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    // Twice the same file, once percent-encoded; a picture that is not there; one from elsewhere.
    GT_EXPECT_OK(load_file(&context, &folder,
                           "{'asset':{'version':'2.0'},'buffers':[{'uri':'my%20data%20%c3%a9%25.bin','byteLength':16},"
                           "{'uri':'./my data \xC3\xA9%25.bin','byteLength':4}],"
                           "'bufferViews':[{'buffer':1,'byteLength':16}],"
                           "'accessors':[{'bufferView':0,'componentType':5126,'count':4,'type':'SCALAR'}],"
                           "'images':[{'uri':'gone.png'},{'uri':'https://example.org/a.png'}]}",
                           &scene, &error));
    expect_floats(scene, 0, 3, (float[]){ 4 }, 1);
    assert_ptr_equal(scene->buffers[0].blob, scene->buffers[1].blob);
    assert_string_equal(scene->source.directory, folder.path);
    assert_int_equal(log.warning_count, 2);
    assert_non_null(strstr(log.text, "images[0]: the image file 'gone.png' does not exist"));
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void test_buffers_that_cannot_be_read(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    test_folder_put(&folder, "short.bin", "abc", 3);
    GtContext context = gt_default_context();
    static const struct {
        const char* uri;
        GtResult code;
        const char* message;
    } cases[] = {
        { "gone.bin", GT_ERROR_IO, "buffers[0].uri: cannot find" },
        { ".", GT_ERROR_IO, "is no regular file" },
        { "short.bin", GT_ERROR_BAD_VALUE, "has 3 bytes, but \"byteLength\" says 4" },
        { "/etc/passwd", GT_ERROR_UNSUPPORTED, "is not followed" },
        { "http://example.org/a.bin", GT_ERROR_UNSUPPORTED, "is not followed" },
        { "file:///etc/passwd", GT_ERROR_UNSUPPORTED, "is not followed" },
        { "c:\\\\a.bin", GT_ERROR_UNSUPPORTED, "is not followed" },
        { "data:,abcd", GT_ERROR_BAD_VALUE, "base64" },
        { "data:a/b;base64,AAA", GT_ERROR_BAD_VALUE, "no multiple of 4" },
        { "data:a/b;base64,AA*AAAA=", GT_ERROR_BAD_VALUE, "no place there" },
        { "data:a/b;base64,AAAA=AAA", GT_ERROR_BAD_VALUE, "no place there" },
        { "data:a/b;base64,AAA=", GT_ERROR_BAD_VALUE, "holds 2 bytes" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char json[256];
        GtError error = { 0 };
        GtScene* scene = NULL;
        snprintf(json, sizeof json, "{'asset':{'version':'2.0'},'buffers':[{'uri':'%s','byteLength':4}]}",
                 cases[i].uri);
        GT_EXPECT_ERROR(load_file(&context, &folder, json, &scene, &error), cases[i].code, cases[i].message);
        assert_non_null(strstr(error.file, "a.gltf"));
    }
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_component_type_is_decoded),
        cmocka_unit_test(test_nodes_and_their_forest),
        cmocka_unit_test(test_meshes_skins_and_animations),
        cmocka_unit_test(test_looks_and_cameras),
        cmocka_unit_test(test_what_nobody_knows_is_kept),
        cmocka_unit_test(test_wrong_target_names_are_left_out),
        cmocka_unit_test(test_target_names_of_primitives_are_read),
        cmocka_unit_test(test_unknown_animation_paths_are_kept),
        cmocka_unit_test(test_files_beside_the_document),
        cmocka_unit_test(test_buffers_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
