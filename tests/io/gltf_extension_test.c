// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// VRM, the extensions GERTIE_*, and which required extensions are carried or refused.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "support/glb.h"
#include "support/scene_compare.h"
#include "support/test.h"

#include <stdlib.h>

static GtResult load_json(const GtContext* context, const char* single_quoted, GtScene** scene, GtError* error)
{
    char* json = test_json(single_quoted);
    GtResult result = gt_scene_load_memory(context, json, strlen(json), NULL, NULL, scene, error);
    free(json);
    return result;
}

static GtScene* save_and_load(const GtContext* context, const GtScene* scene)
{
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* again = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(context, scene, "glb", NULL, &blob, &error));
    GT_EXPECT_OK(gt_scene_load_memory(context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, NULL, &again, &error));
    gt_blob_release(blob);
    return again;
}

#define NODES "'nodes':[{},{},{},{}]"

static void test_vrm_1_fills_the_humanoid_map(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(load_json(&context,
                           "{'asset':{'version':'2.0'}," NODES
                           ",'extensionsUsed':['VRMC_vrm'],'extensions':{'VRMC_vrm':"
                           "{'specVersion':'1.0','humanoid':{'humanBones':{'hips':{'node':2},"
                           "'leftThumbMetacarpal':{'node':3},'tail':{'node':1}}}}}}",
                           &scene, &error));
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_HIPS], 2);
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_LEFT_THUMB_METACARPAL], 3);
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_HEAD], GT_NONE);
    assert_non_null(strstr(log.text, "humanBones.tail"));
    GtScene* again = save_and_load(&context, scene);
    GT_EXPECT_SCENES_EQUAL(scene, again); // the extension says it all: ours is not added
    gt_scene_destroy(again);
    // A map that was changed since counts more than the extension.
    GtHumanoidMap* changed = gt_scene_push(scene, 1, sizeof *changed);
    *changed = *scene->humanoid;
    changed->nodes[GT_HUMANOID_HEAD] = 1;
    scene->humanoid = changed;
    again = save_and_load(&context, scene);
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_scene_destroy(again);
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "vrm", NULL, &blob, &error));
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_vrm_motions_have_a_map_too(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(load_json(&context,
                           "{'asset':{'version':'2.0'}," NODES ",'extensionsUsed':['VRMC_vrm_animation'],'extensions':"
                           "{'VRMC_vrm_animation':{'humanoid':{'humanBones':{'hips':{'node':3}}}}}}",
                           &scene, &error));
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_HIPS], 3);
    GtScene* again = save_and_load(&context, scene);
    GT_EXPECT_SCENES_EQUAL(scene, again);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_vrm_0_shifts_thumbs(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(load_json(&context,
                           "{'asset':{'version':'2.0'}," NODES ",'extensionsUsed':['VRM'],'extensions':{'VRM':"
                           "{'humanoid':{'humanBones':[{'bone':'hips','node':1},{'bone':'leftThumbProximal','node':3},"
                           "{'bone':'head','node':77}]}}}}",
                           &scene, &error));
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_HIPS], 1);
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_LEFT_THUMB_METACARPAL], 3);
    assert_int_equal(scene->humanoid->nodes[GT_HUMANOID_LEFT_THUMB_PROXIMAL], GT_NONE);
    assert_non_null(strstr(log.text, "humanBones[2]"));
    gt_scene_destroy(scene);
}

// Everything that a scene knows and glTF cannot say.
static GtScene* make_scene(const GtContext* context)
{
    static const GtBvhJoint hips = { .channel_count = 6, .channels = { 0, 1, 2, 5, 3, 4 } };
    static const GtBvhJoint end = { .end_site = true };
    static const GtDeformerData stack[] = { { GT_DEFORMER_MORPH, GT_SKIN_LINEAR },
                                            { GT_DEFORMER_SKIN, GT_SKIN_DUAL_QUATERNION },
                                            { GT_DEFORMER_SKIN, GT_SKIN_BULGE_FREE } };
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    GtNode node = gt_default_node();
    node.bvh = &hips;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    node.parent = 0;
    node.bvh = &end;
    node.deformers = stack;
    node.deformer_count = 3;
    node.extra.extensions = "{ \"TEST_a\" : 1 }";
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    *map = gt_humanoid_map_empty();
    map->nodes[GT_HUMANOID_HIPS] = 0;
    map->nodes[GT_HUMANOID_RIGHT_LITTLE_DISTAL] = 1;
    scene->humanoid = map;
    GtRetargetPose* pose = gt_scene_push(scene, 1, sizeof *pose);
    *pose = gt_retarget_pose_identity();
    pose->rotations[GT_HUMANOID_LEFT_UPPER_ARM] = (GtQuat){ 0.1f, 0.7f, -0.1f, 0.7f };
    scene->retarget_pose = pose;
    scene->source.format = "bvh";
    scene->source.metres_per_unit = 0.0254 / 0.45;
    scene->source.up_axis = GT_UP_Z;
    const float times[] = { 0, 1 };
    const float values[] = { 0, 0, 0, 1, 1, 1 };
    GtAnimationSampler* sampler = gt_scene_push(scene, 1, sizeof *sampler);
    GtAnimationChannel* channel = gt_scene_push(scene, 1, sizeof *channel);
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, 2,
                                   &sampler->input, &error));
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_DATA, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, values, 2, &sampler->output,
                                   &error));
    GtAnimation animation = { .samplers = sampler, .sampler_count = 1, .channels = channel, .channel_count = 1 };
    animation.tpose_first = true;
    GT_EXPECT_OK(gt_scene_add_animation(scene, &animation, NULL, &error));
    scene->deform = "{\"gertie_deform\":1,\"lattices\":[]}";
    return scene;
}

static void test_gertie_extensions_come_back(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    GtScene* again = save_and_load(&context, scene);
    assert_string_equal(again->nodes[1].extra.extensions, "{\"TEST_a\":1}");
    assert_int_equal(again->extension_used_count, 0); // ours are listed in the file only
    scene->nodes[1].extra.extensions = "{\"TEST_a\":1}";
    GT_EXPECT_SCENES_EQUAL(scene, again);
    assert_int_equal(log.warning_count, 0);
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&context, again, "glb", NULL, &blob, &error));
    static const char listed[] = "\"extensionsUsed\":[\"GERTIE_bvh\",\"GERTIE_deformers\",\"GERTIE_clip\","
                                 "\"GERTIE_deform\",\"GERTIE_humanoid\",\"GERTIE_source\"]";
    assert_non_null(memmem(gt_blob_bytes(blob), gt_blob_size(blob), listed, sizeof listed - 1));
    assert_null(memmem(gt_blob_bytes(blob), gt_blob_size(blob), "extensionsRequired", 18));
    gt_blob_release(blob);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_gertie_extensions_that_are_wrong_are_left_out(void** state)
{
    (void)state;
    static const struct {
        const char* json;
        const char* where;
    } cases[] = {
        { "'nodes':[{'extensions':{'GERTIE_bvh':{'version':2}}}]", "nodes[0].extensions.GERTIE_bvh: is of version 2" },
        { "'nodes':[{'extensions':{'GERTIE_bvh':{}}}]", "nodes[0].extensions.GERTIE_bvh: has no \"version\"" },
        { "'nodes':[{'extensions':{'GERTIE_bvh':{'version':1,'channels':['Wposition']}}}]", "channels[0]" },
        { "'nodes':[{'extensions':{'GERTIE_bvh':{'version':1,'channels':[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}}}]",
          "at most 16" },
        { "'nodes':[{'extensions':{'GERTIE_deformers':{'version':1,'stack':[{'kind':'jelly'}]}}}]", "stack[0]" },
        { "'nodes':[{'extensions':{'GERTIE_deformers':{'version':1}}}]", "\"stack\"" },
        { "'extensions':{'GERTIE_deform':{'version':1,'file':'x'}}", "\"file\"" },
        { "'extensions':{'GERTIE_humanoid':{'version':1,'joints':{'hips':0}}}", "joints.hips" },
        { "'extensions':{'GERTIE_humanoid':{'version':1,'retargetPose':{'hips':[0,0,0,2]}}}", "retargetPose.hips" },
        { "'extensions':{'GERTIE_source':{'version':1,'format':'bvh','upAxis':'W'}}", "GERTIE_source" },
        { "'extensions':{'GERTIE_source':{'version':1,'format':'bvh','metresPerUnit':0}}", "GERTIE_source" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        char json[512];
        snprintf(json, sizeof json, "{'asset':{'version':'2.0'},%s}", cases[i].json);
        GT_EXPECT_OK(load_json(&context, json, &scene, &error));
        assert_int_equal(log.warning_count, 1);
        assert_non_null(strstr(log.text, cases[i].where));
        assert_null(scene->humanoid);
        assert_null(scene->retarget_pose);
        assert_null(scene->deform);
        assert_string_equal(scene->source.format, "gltf");
        assert_true(scene->node_count == 0 || (!scene->nodes[0].bvh && scene->nodes[0].deformer_count == 0));
        gt_scene_destroy(scene);
        context.strict = true;
        GT_EXPECT_ERROR(load_json(&context, json, &scene, &error), GT_ERROR_STRICT, cases[i].where);
    }
}

static void test_required_extensions(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        GtResult code;
        const char* message;
    } cases[] = {
        { "KHR_materials_unlit", GT_OK, "" },
        { "KHR_materials_from_the_future", GT_OK, "" },
        { "KHR_mesh_quantization", GT_OK, "" },
        { "KHR_texture_transform", GT_OK, "" },
        { "VRMC_springBone", GT_OK, "" },
        { "KHR_draco_mesh_compression", GT_OK, "" },
        { "EXT_meshopt_compression", GT_OK, "" },
        { "EXT_mesh_gpu_instancing", GT_ERROR_UNSUPPORTED, "instances" },
        { "ACME_secret", GT_ERROR_UNSUPPORTED,
          "extensionsRequired[0]: the file requires the extension \"ACME_secret\"" },
        { "KHR_materials", GT_ERROR_UNSUPPORTED, "does not know" },
    };
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtError error = { 0 };
        GtScene* scene = NULL;
        char json[256];
        snprintf(json, sizeof json, "{'asset':{'version':'2.0'},'extensionsRequired':['%s']}", cases[i].name);
        if (cases[i].code == GT_OK) {
            GT_EXPECT_OK(load_json(&context, json, &scene, &error));
        } else {
            GT_EXPECT_ERROR(load_json(&context, json, &scene, &error), cases[i].code, cases[i].message);
        }
        gt_scene_destroy(scene);
    }
}

static void test_each_allocation_may_fail(void** state)
{
    (void)state;
    GtContext plain = gt_default_context();
    GtScene* scene = make_scene(&plain);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtBlob* blob = NULL;
        GtScene* again = NULL;
        result = gt_scene_save_memory(&context, scene, "glb", NULL, &blob, &error);
        if (result == GT_OK) {
            result =
                gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, NULL, &again, &error);
        }
        assert_int_equal(error.code, result);
        gt_blob_release(blob);
        gt_scene_destroy(again);
        assert_int_equal(limited.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vrm_1_fills_the_humanoid_map),
        cmocka_unit_test(test_vrm_motions_have_a_map_too),
        cmocka_unit_test(test_vrm_0_shifts_thumbs),
        cmocka_unit_test(test_gertie_extensions_come_back),
        cmocka_unit_test(test_gertie_extensions_that_are_wrong_are_left_out),
        cmocka_unit_test(test_required_extensions),
        cmocka_unit_test(test_each_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
