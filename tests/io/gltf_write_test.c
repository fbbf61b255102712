// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/image.h"
#include "gertie/person.h"
#include "gertie/picture.h"
#include "support/folder.h"
#include "support/glb.h"
#include "support/scene_compare.h"
#include "support/test.h"

#include <stdlib.h>

static GtScene* load_bytes(const GtContext* context, const void* bytes, size_t size)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(context, bytes, size, NULL, NULL, &scene, &error));
    return scene;
}

static GtScene* load_path(const GtContext* context, const char* path)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load(context, path, NULL, &scene, &error));
    return scene;
}

static GtScene* load_everything(const GtContext* context)
{
    size_t size = 0;
    uint8_t* glb = test_glb_of_everything(&size);
    GtScene* scene = load_bytes(context, glb, size);
    free(glb);
    return scene;
}

static GtBlob* save(const GtContext* context, const GtScene* scene)
{
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(context, scene, "glb", NULL, &blob, &error));
    return blob;
}

static GtScene* save_and_load(const GtContext* context, const GtScene* scene)
{
    GtBlob* blob = save(context, scene);
    GtScene* again = load_bytes(context, gt_blob_bytes(blob), gt_blob_size(blob));
    gt_blob_release(blob);
    return again;
}

static void test_a_glb_gives_back_the_same_scene(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load_everything(&context);
    GtScene* again = save_and_load(&context, scene);
    GT_EXPECT_SCENES_EQUAL(scene, again);
    assert_int_equal(log.warning_count, 0);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_a_gltf_and_its_bin_give_back_the_same_scene(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = load_everything(&context);
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&folder, "a b#1.gltf"), NULL, &error));
    size_t size = 0;
    uint8_t* json = test_folder_get(&folder, "a b#1.gltf", &size);
    assert_non_null(strstr((char*)json, "\"uri\": \"a%20b%231.bin\""));
    assert_int_equal(json[size - 1], '\n');
    free(json);
    GtScene* again = load_path(&context, test_folder_path(&folder, "a b#1.gltf"));
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_scene_destroy(again);
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&folder, "c.GLB"), NULL, &error));
    again = load_path(&context, test_folder_path(&folder, "c.GLB"));
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_scene_destroy(again);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void test_the_comparison_sees_differences(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    char difference[512];
    GtScene* a = load_everything(&context);
    GtScene* b = load_everything(&context);
    assert_true(test_scenes_equal(a, b, difference, sizeof difference));
    b->nodes[9].local.translation.x = 0.0f; // was -0
    assert_false(test_scenes_equal(a, b, difference, sizeof difference));
    assert_non_null(strstr(difference, "nodes[9].local"));
    b->nodes[9].local.translation.x = -0.0f;
    b->materials[1].extra.extensions = "{\"KHR_materials_unlit\":{ }}";
    assert_false(test_scenes_equal(a, b, difference, sizeof difference));
    assert_non_null(strstr(difference, "materials[1].extra"));
    b->materials[1].extra.extensions = a->materials[1].extra.extensions;
    b->buffer_views[3].offset += 4;
    assert_false(test_scenes_equal(a, b, difference, sizeof difference));
    assert_non_null(strstr(difference, "buffer_views[3].bytes"));
    gt_scene_destroy(a);
    gt_scene_destroy(b);
}

static void test_two_runs_write_the_same_bytes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_everything(&context);
    GtBlob* a = save(&context, scene);
    GtBlob* b = save(&context, scene);
    GtScene* again = load_bytes(&context, gt_blob_bytes(a), gt_blob_size(a));
    GtBlob* c = save(&context, again);
    assert_int_equal(gt_blob_size(a), gt_blob_size(b));
    assert_memory_equal(gt_blob_bytes(a), gt_blob_bytes(b), gt_blob_size(a));
    assert_int_equal(gt_blob_size(a), gt_blob_size(c)); // a file that Gertie wrote is written back as it is
    assert_memory_equal(gt_blob_bytes(a), gt_blob_bytes(c), gt_blob_size(a));
    gt_blob_release(a);
    gt_blob_release(b);
    gt_blob_release(c);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_the_sample_is_written_exactly(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtPersonDef def = gt_default_person_def();
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
    GtScene* again = save_and_load(&context, scene);
    assert_string_equal(again->asset.generator, "Gertie " GT_VERSION_STRING);
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_an_empty_scene_is_a_file(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GtBlob* blob = save(&context, scene);
    static const char json[] = "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Gertie " GT_VERSION_STRING "\"}}";
    assert_memory_equal(gt_blob_bytes(blob) + 20, json, sizeof json - 1);
    assert_int_equal(gt_blob_size(blob), 20 + (sizeof json + 2) / 4 * 4); // no BIN chunk
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

// Positions and times need bounds in a file, whatever their type; others do not.
static void test_missing_bounds_are_found(void** state)
{
    (void)state;
    static const struct {
        float positions[3][3];
        int16_t small[3][4];
        float times[2];
        float moves[2][3];
    } data = {
        { { 1, 2, 3 }, { -1, 0.1f, 3 }, { 0, 0, 0 } },
        { { -5, 2, 3 }, { 7, 32767, 0 }, { 0, 0, -32768 } },
        { 0.25f, 4 },
        { { 0, 0, 0 }, { 1, 1, 1 } },
    };
    size_t size = 0;
    uint8_t* glb = test_glb(
        "{'asset':{'version':'2.0'},'extensionsRequired':['KHR_mesh_quantization'],'buffers':[{'byteLength':92}],"
        "'bufferViews':[{'buffer':0,'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':24,'byteStride':8},"
        "{'buffer':0,'byteOffset':60,'byteLength':32}],'accessors':["
        "{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3'},"
        "{'bufferView':1,'componentType':5122,'normalized':true,'count':3,'type':'VEC3'},"
        "{'bufferView':2,'componentType':5126,'count':2,'type':'SCALAR'},"
        "{'bufferView':2,'byteOffset':8,'componentType':5126,'count':2,'type':'VEC3'}],"
        "'nodes':[{}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{'POSITION':1}]}]}],"
        "'animations':[{'samplers':[{'input':2,'output':3}],'channels':[{'sampler':0,'target':{'node':0,"
        "'path':'translation'}}]}]}",
        &data, sizeof data, &size);
    GtContext context = gt_default_context();
    GtScene* scene = load_bytes(&context, glb, size);
    GtScene* again = save_and_load(&context, scene);
    assert_null(scene->accessors[0].min); // the scene itself is not touched
    const GtAccessor* accessors = again->accessors;
    GT_EXPECT_NEAR(accessors[0].min[1], 0, 0);
    GT_EXPECT_NEAR(accessors[0].max[0], 1, 0);
    GT_EXPECT_NEAR(accessors[1].min[0], -5, 0);
    GT_EXPECT_NEAR(accessors[1].max[1], 32767, 0);
    GT_EXPECT_NEAR(accessors[1].min[2], -32768, 0);
    GT_EXPECT_NEAR(accessors[2].min[0], 0.25, 0);
    GT_EXPECT_NEAR(accessors[2].max[0], 4, 0);
    assert_null(accessors[3].min);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
    free(glb);
}

static void test_animated_nodes_lose_their_matrix_not_their_place(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = load_everything(&context);
    GtAnimationChannel* channels = gt_scene_push(scene, 1, sizeof *channels);
    channels[0] = scene->animations[0].channels[1];
    channels[0].node = 8; // the one with a matrix
    scene->animations[0].channels = channels;
    scene->animations[0].channel_count = 1;
    GtScene* again = save_and_load(&context, scene);
    assert_null(again->nodes[8].matrix);
    assert_memory_equal(&again->nodes[8].local, &scene->nodes[8].local, sizeof(GtTransform));
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_pictures_go_along(void** state)
{
    (void)state;
    static const uint8_t png[] = "\x89PNG\r\n\x1A\n and so on";
    TestFolder here;
    TestFolder there;
    test_folder_create(&here);
    test_folder_create(&there);
    test_folder_put(&here, "a b.png", png, sizeof png);
    test_folder_put(&here, "notes.txt", "no picture", 10);
    char* json = test_json("{'asset':{'version':'2.0'},'images':[{'uri':'a%20b.png'},{'uri':'gone.png'},"
                           "{'uri':'notes.txt','mimeType':'image/png'}]}");
    test_folder_put(&here, "a.gltf", json, strlen(json));
    free(json);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = load_path(&context, test_folder_path(&here, "a.gltf"));
    // Beside the pictures their names stay; elsewhere, and in a GLB, they are taken in, as far as they are there.
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&here, "b.gltf"), NULL, &error));
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&here, "b.glb"), NULL, &error));
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&there, "b.gltf"), NULL, &error));
    assert_non_null(strstr(log.text, "images[1]: the image file 'gone.png' does not exist; its name is kept"));
    assert_non_null(strstr(log.text, "is not an image of a kind that glTF knows"));
    GtScene* kept = load_path(&context, test_folder_path(&here, "b.gltf"));
    assert_string_equal(kept->images[0].uri, "a%20b.png");
    gt_scene_destroy(kept);
    const char* const taken[] = { test_folder_path(&here, "b.glb"), test_folder_path(&there, "b.gltf") };
    for (int i = 0; i < 2; ++i) {
        GtScene* again = load_path(&context, taken[i]);
        assert_null(again->images[0].uri);
        assert_string_equal(again->images[0].mime_type, "image/png");
        const GtBufferView* view = &again->buffer_views[again->images[0].view];
        assert_int_equal(view->size, sizeof png);
        assert_memory_equal(gt_blob_bytes(again->buffers[view->buffer].blob) + view->offset, png, sizeof png);
        assert_string_equal(again->images[1].uri, "gone.png");
        assert_string_equal(again->images[2].uri, "notes.txt");
        gt_scene_destroy(again);
    }
    gt_scene_destroy(scene);
    test_folder_remove(&here);
    test_folder_remove(&there);
}

// TGA and BMP are no pictures of glTF: they become PNG even where a document stays beside them.
static void test_bitmaps_become_png(void** state)
{
    (void)state;
    static const uint8_t tga[] = { 0, 0, 2, [12] = 1, 0, 1, 0, 24, 0x20, 10, 20, 200 };
    TestFolder folder;
    test_folder_create(&folder);
    test_folder_put(&folder, "skin.tga", tga, sizeof tga);
    test_folder_put(&folder, "torn.tga", tga, sizeof tga - 1);
    char* json = test_json("{'asset':{'version':'2.0'},'images':[{'uri':'skin.tga'},{'uri':'torn.tga'}]}");
    test_folder_put(&folder, "a.gltf", json, strlen(json));
    free(json);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = load_path(&context, test_folder_path(&folder, "a.gltf"));
    GT_EXPECT_OK(gt_scene_save(&context, scene, test_folder_path(&folder, "b.gltf"), NULL, &error));
    assert_non_null(strstr(log.text, "is not an image of a kind that glTF knows"));
    gt_scene_destroy(scene);
    scene = load_path(&context, test_folder_path(&folder, "b.gltf"));
    assert_null(scene->images[0].uri);
    assert_string_equal(scene->images[0].mime_type, "image/png");
    assert_string_equal(scene->images[1].uri, "torn.tga");
    GtBlob* png = NULL;
    GtPicture picture;
    GT_EXPECT_OK(gt_image_read(&context, scene, 0, &png, &error));
    test_folder_put(&folder, "skin.png", gt_blob_bytes(png), gt_blob_size(png));
    gt_blob_release(png);
    GT_EXPECT_OK(gt_picture_read(&context, test_folder_path(&folder, "skin.png"), &picture, &error));
    assert_memory_equal(picture.rgba, "\xC8\x14\x0A\xFF", 4);
    gt_picture_destroy(&picture);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

// Joints of a skin in two trees get a node above both, which takes their place in the scene; a third tree stays.
static void test_joints_get_a_common_root(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    char* json =
        test_json("{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1,3,4]}],'nodes':[{'name':'hips'},"
                  "{'name':'hair','translation':[0,1,0],'children':[2]},{'name':'tip'},{'name':'prop'},"
                  "{'name':'alone'}],'skins':[{'joints':[0,2]},{'joints':[4]}]}");
    GtScene* scene = NULL;
    GtScene* again = NULL;
    GtBlob* glb = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, json, strlen(json), "a.gltf", NULL, &scene, &error));
    free(json);
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", NULL, &glb, &error));
    assert_non_null(strstr(log.text, "'common_root'"));
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(glb), gt_blob_size(glb), NULL, NULL, &again, &error));
    assert_int_equal(scene->node_count, 5); // the caller's is as it was
    assert_int_equal(again->node_count, 6);
    assert_string_equal(again->nodes[5].name, "common_root");
    static const int32_t parents[6] = { 5, 5, 1, GT_NONE, GT_NONE, GT_NONE };
    for (int i = 0; i < 6; ++i) {
        assert_int_equal(again->nodes[i].parent, parents[i]);
    }
    static const int32_t roots[3] = { 5, 3, 4 };
    assert_int_equal(again->stages[0].node_count, 3);
    assert_memory_equal(again->stages[0].nodes, roots, sizeof roots);
    gt_blob_release(glb);
    GT_EXPECT_OK(gt_scene_save_memory(&context, again, "glb", NULL, &glb, &error)); // once
    gt_scene_destroy(scene);
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(glb), gt_blob_size(glb), NULL, NULL, &scene, &error));
    assert_int_equal(scene->node_count, 6);
    gt_blob_release(glb);
    gt_scene_destroy(again);
    gt_scene_destroy(scene);
}

// Files: a document with a buffer and a picture beside it, written into another folder.
static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    TestFolder here;
    TestFolder there;
    test_folder_create(&here);
    test_folder_create(&there);
    test_folder_put(&here, "a.png", "\x89PNG\r\n\x1A\n", 8);
    test_folder_put(&here, "a.bin", "abcd", 4);
    char* json = test_json("{'asset':{'version':'2.0'},'images':[{'uri':'a.png'}],'extensionsUsed':['VRM'],"
                           "'extensions':{'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':0}]}}},'nodes':[{}],"
                           "'buffers':[{'uri':'a.bin','byteLength':4}],'bufferViews':[{'buffer':0,'byteLength':4,"
                           "'extensions':{'EXT_meshopt_compression':{},'TEST_a':{}}}]}");
    test_folder_put(&here, "a.gltf", json, strlen(json));
    free(json);
    static const char* const endings[] = { "b.gltf", "b.glb" };
    for (int e = 0; e < 2; ++e) {
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        for (int64_t allowed = 0; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
            TestAllocator limited = { .remaining = allowed };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&limited);
            GtError error = { 0 };
            GtScene* scene = NULL;
            size_t size = 0;
            result = gt_scene_load(&context, test_folder_path(&here, "a.gltf"), NULL, &scene, &error);
            if (result == GT_OK) {
                result = gt_scene_save(&context, scene, test_folder_path(&there, endings[e]), NULL, &error);
            }
            uint8_t* written = test_folder_get(&there, endings[e], &size);
            assert_int_equal(written != NULL, result == GT_OK); // whole or not at all
            free(written);
            assert_int_equal(error.code, result);
            gt_scene_destroy(scene);
            assert_int_equal(limited.alive, 0);
        }
        assert_int_equal(result, GT_OK);
    }
    test_folder_remove(&here);
    test_folder_remove(&there);
}

static void test_buffers_are_merged_at_multiples_of_eight(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7 };
    for (uint64_t i = 1; i <= sizeof bytes; ++i) {
        GT_EXPECT_OK(
            gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_SCALAR, GT_COMPONENT_UINT8, bytes, i, NULL, &error));
    }
    GtScene* again = save_and_load(&context, scene);
    assert_int_equal(again->buffer_count, 1);
    for (int32_t i = 0; i < again->buffer_view_count; ++i) {
        assert_int_equal(again->buffer_views[i].offset % 8, 0);
    }
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_a_broken_scene_is_not_written(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = load_everything(&context);
    test_folder_put(&folder, "a.glb", "precious", 8);
    scene->nodes[7].mesh = 99;
    GT_EXPECT_ERROR(gt_scene_save(&context, scene, test_folder_path(&folder, "a.glb"), NULL, &error),
                    GT_ERROR_BAD_VALUE, "nodes[7].mesh");
    size_t size = 0;
    uint8_t* bytes = test_folder_get(&folder, "a.glb", &size);
    assert_int_equal(size, 8);
    assert_memory_equal(bytes, "precious", 8);
    free(bytes);
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

// Meshopt compression beside plain data is not needed: the plain data is what stays.
static void test_optional_compression_is_left_out(void** state)
{
    (void)state;
    static const char json[] =
        "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_meshopt_compression','TEST_other'],"
        "'buffers':[{'byteLength':4},{'uri':'data:;base64,AAAAAA==','byteLength':4}],"
        "'bufferViews':[{'buffer':0,'byteLength':4,'extensions':{'TEST_other':1,'EXT_meshopt_compression':"
        "{'buffer':1,'byteLength':4,'byteStride':4,'mode':'ATTRIBUTES','count':1}}}]}";
    size_t size = 0;
    uint8_t* glb = test_glb(json, "abcd", 4, &size);
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load_bytes(&context, glb, size);
    GtScene* again = save_and_load(&context, scene);
    assert_string_equal(again->buffer_views[0].extra.extensions, "{\"TEST_other\":1}");
    assert_int_equal(again->extension_used_count, 1);
    assert_string_equal(again->extensions_used[0], "TEST_other");
    assert_int_equal(log.warning_count, 0);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
    free(glb);
}

static void test_real_files_come_back_exactly(void** state)
{
    (void)state;
    static const char* const names[] = {
        "rigged/CesiumMan.glb", "rigged/BrainStem.glb",       "rigged/Fox.glb",
        "rigged/Xbot.glb",      "rigged/RobotExpressive.glb", "mesh-animation/Horse.glb"
    };
    const char* data = getenv("GERTIE_DATA");
    if (!data) {
        print_message("GERTIE_DATA is not set: real files are not tried\n");
        skip();
    }
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", data, names[i]);
        GtScene* scene = load_path(&context, path);
        GtScene* again = save_and_load(&context, scene);
        GT_EXPECT_SCENES_EQUAL(scene, again);
        gt_scene_destroy(scene);
        gt_scene_destroy(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_glb_gives_back_the_same_scene),
        cmocka_unit_test(test_a_gltf_and_its_bin_give_back_the_same_scene),
        cmocka_unit_test(test_the_comparison_sees_differences),
        cmocka_unit_test(test_two_runs_write_the_same_bytes),
        cmocka_unit_test(test_the_sample_is_written_exactly),
        cmocka_unit_test(test_an_empty_scene_is_a_file),
        cmocka_unit_test(test_missing_bounds_are_found),
        cmocka_unit_test(test_animated_nodes_lose_their_matrix_not_their_place),
        cmocka_unit_test(test_pictures_go_along),
        cmocka_unit_test(test_bitmaps_become_png),
        cmocka_unit_test(test_joints_get_a_common_root),
        cmocka_unit_test(test_each_allocation_may_fail),
        cmocka_unit_test(test_buffers_are_merged_at_multiples_of_eight),
        cmocka_unit_test(test_a_broken_scene_is_not_written),
        cmocka_unit_test(test_optional_compression_is_left_out),
        cmocka_unit_test(test_real_files_come_back_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
