// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skin weights that are NaN, infinite or negative: what each vertex follows after reading, worked out by hand.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "support/glb.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

// Two triangles 0 1 2 and 1 2 3 of which 4 is 3's neighbour in 2 3 4; 5 lies apart, near vertex 3.
enum {
    VERTEX_COUNT = 6,
};

typedef struct WeightsFile {
    float positions[VERTEX_COUNT][3];
    float weights[VERTEX_COUNT][4];
    uint16_t indices[10];
    uint8_t joints[VERTEX_COUNT][4];
} WeightsFile;

static const char json[] =
    "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0,1,2]}],'nodes':[{},{},{'mesh':0,'skin':0}],"
    "'skins':[{'joints':[0,1]}],'meshes':[{'primitives':[{'indices':2,'attributes':"
    "{'POSITION':0,'WEIGHTS_0':1,'JOINTS_0':3}}]}],"
    "'buffers':[{'byteLength':212}],'bufferViews':[{'buffer':0,'byteLength':72},"
    "{'buffer':0,'byteOffset':72,'byteLength':96},{'buffer':0,'byteOffset':168,'byteLength':18},"
    "{'buffer':0,'byteOffset':188,'byteLength':24}],"
    "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':6,'min':[0,0,0],'max':[9,9,0]},"
    "{'bufferView':1,'componentType':5126,'type':'VEC4','count':6},"
    "{'bufferView':2,'componentType':5123,'type':'SCALAR','count':9},"
    "{'bufferView':3,'componentType':5121,'type':'VEC4','count':6}]}";

static WeightsFile sound_file(void)
{
    WeightsFile f = { .positions = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 }, { 1, 2, 0 }, { 9, 9, 0 } },
                      .indices = { 0, 1, 2, 1, 2, 3, 2, 3, 4 } };
    for (int v = 0; v < VERTEX_COUNT; ++v) {
        f.joints[v][1] = 1;
        f.weights[v][v == 3] = 1.0f; // 3 follows joint 1, the others joint 0
    }
    return f;
}

static GtResult load(const GtContext* context, const WeightsFile* f, GtScene** scene, GtError* error)
{
    size_t size = 0;
    uint8_t* glb = test_glb(json, f, sizeof *f, &size);
    GtResult result = gt_scene_load_memory(context, glb, size, NULL, NULL, scene, error);
    free(glb);
    return result;
}

// How much a vertex follows a joint, read by the primitive's attributes.
static float follows(const GtScene* scene, uint64_t vertex, uint32_t joint)
{
    const GtPrimitive* primitive = &scene->meshes[0].primitives[0];
    float weights[4];
    uint32_t joints[4];
    float sum = 0.0f;
    gt_accessor_read_floats(scene, gt_primitive_find(primitive, "WEIGHTS_0"), vertex, 1, weights);
    gt_accessor_read_uints(scene, gt_primitive_find(primitive, "JOINTS_0"), vertex, 1, joints);
    for (int k = 0; k < 4; ++k) {
        assert_true(isfinite(weights[k]) && weights[k] >= 0.0f);
        sum += joints[k] == joint ? weights[k] : 0.0f;
    }
    return sum;
}

static void test_a_vertex_keeps_its_other_joints(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    WeightsFile f = sound_file();
    f.weights[0][0] = NAN;
    f.weights[0][1] = 0.25f;
    f.weights[1][0] = 0.5f;
    f.weights[1][1] = INFINITY;
    f.weights[2][0] = 0.5f;
    f.weights[2][1] = -0.5f;
    f.weights[2][2] = -INFINITY;
    GT_EXPECT_OK(load(&context, &f, &scene, &error));
    assert_int_equal(scene->accessor_count, 4);
    GT_EXPECT_NEAR(follows(scene, 0, 1), 1.0f, 0.0f);
    GT_EXPECT_NEAR(follows(scene, 1, 0), 1.0f, 0.0f);
    GT_EXPECT_NEAR(follows(scene, 2, 0), 1.0f, 0.0f);
    GT_EXPECT_NEAR(follows(scene, 3, 1), 1.0f, 0.0f);
    assert_non_null(strstr(log.text, "3 vertices have skin weights"));
    assert_int_equal(log.warning_count, 1);
    GtBlob* blob = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", NULL, &blob, &error)); // which validates
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_a_vertex_without_any_follows_its_neighbours(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    WeightsFile f = sound_file();
    for (int k = 0; k < 4; ++k) {
        f.weights[1][k] = NAN; // neighbours 0 (once), 2 and 3 (2 in two triangles): joint 1 a quarter
        f.weights[5][k] = NAN; // apart: as the nearest, which is vertex 4
        f.joints[1][k] = 77;   // no joint of the skin, which does not matter where the weight is none
    }
    GT_EXPECT_OK(load(&context, &f, &scene, &error));
    GT_EXPECT_NEAR(follows(scene, 1, 0), 0.75f, 1e-6f);
    GT_EXPECT_NEAR(follows(scene, 1, 1), 0.25f, 1e-6f);
    GT_EXPECT_NEAR(follows(scene, 5, 0), 1.0f, 0.0f);
    gt_scene_destroy(scene);
    for (int k = 0; k < 4; ++k) {
        f.weights[2][k] = f.weights[3][k] = f.weights[0][k] = NAN; // 4 alone is left of the strip: two layers from it
    }
    GT_EXPECT_OK(load(&context, &f, &scene, &error));
    for (uint64_t v = 0; v < VERTEX_COUNT; ++v) {
        GT_EXPECT_NEAR(follows(scene, v, 0), 1.0f, 1e-6f);
    }
    gt_scene_destroy(scene);
}

static void test_a_mesh_without_any_follows_the_first_joint(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    WeightsFile f = sound_file();
    for (int i = 0; i < VERTEX_COUNT * 4; ++i) {
        f.weights[i / 4][i % 4] = NAN;
    }
    GT_EXPECT_OK(load(&context, &f, &scene, &error));
    for (uint64_t v = 0; v < VERTEX_COUNT; ++v) {
        GT_EXPECT_NEAR(follows(scene, v, 0), 1.0f, 0.0f);
    }
    gt_scene_destroy(scene);
    context.strict = true;
    assert_int_not_equal(load(&context, &f, &scene, &error), GT_OK);
    assert_null(scene);
    assert_non_null(strstr(error.where, "WEIGHTS_0"));
}

static void test_a_negative_sum_counts_as_no_weight(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    WeightsFile f = sound_file();
    f.weights[4][0] = -1.0f;  // nothing else: its neighbours 2 and 3
    f.weights[0][0] = 1.25f;  // a positive sum stays as it is
    f.weights[0][1] = -0.25f; //
    GT_EXPECT_OK(load(&context, &f, &scene, &error));
    GT_EXPECT_NEAR(follows(scene, 4, 0), 0.5f, 1e-6f);
    GT_EXPECT_NEAR(follows(scene, 4, 1), 0.5f, 1e-6f);
    float first[4];
    gt_accessor_read_floats(scene, gt_primitive_find(&scene->meshes[0].primitives[0], "WEIGHTS_0"), 0, 1, first);
    GT_EXPECT_NEAR(first[0], 1.25f, 0.0f);
    GT_EXPECT_NEAR(first[1], -0.25f, 0.0f);
    assert_non_null(strstr(log.text, "1 vertices have skin weights"));
    gt_scene_destroy(scene);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    WeightsFile f = sound_file();
    for (int k = 0; k < 4; ++k) {
        f.weights[1][k] = f.weights[5][k] = NAN;
    }
    for (int64_t allowed = 0;; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtScene* scene = NULL;
        GtResult result = load(&context, &f, &scene, &(GtError){ 0 });
        if (result == GT_OK) {
            assert_true(allowed > 5);
            gt_scene_destroy(scene);
            assert_int_equal(limited.alive, 0);
            return;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_null(scene);
        assert_int_equal(limited.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_vertex_keeps_its_other_joints),
        cmocka_unit_test(test_a_vertex_without_any_follows_its_neighbours),
        cmocka_unit_test(test_a_mesh_without_any_follows_the_first_joint),
        cmocka_unit_test(test_a_negative_sum_counts_as_no_weight),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
