// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A sheet with three features that swell apart from each other, and one shape that swells all: the features are found,
// and the shape of all falls into theirs.

#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/shape_controls.h"
#include "gertie/shape_regions.h"

#include <stdlib.h>

enum {
    SIDE = 33,
    COUNT = SIDE * SIDE,
    FEATURES = 3
};

static const float middles[FEATURES][2] = { { 0.25f, 0.75f }, { 0.75f, 0.75f }, { 0.5f, 0.25f } };

static float swell(int feature, float x, float y)
{
    float dx = (x - middles[feature][0]) / 0.2f;
    float dy = (y - middles[feature][1]) / 0.2f;
    float r = dx * dx + dy * dy;
    return r < 1.0f ? 0.1f * (1.0f - r) * (1.0f - r) : 0.0f;
}

static GtScene* make_sheet(const GtContext* context)
{
    static char text[1 << 17];
    char* at = text;
    for (int i = 0; i < COUNT; ++i) {
        at += sprintf(at, "v %.6f %.6f 0 1 1 1\n", (double)(i % SIDE) / (SIDE - 1), (double)(i / SIDE) / (SIDE - 1));
    }
    for (int i = 0; i < COUNT - SIDE; ++i) {
        at += i % SIDE < SIDE - 1 ? sprintf(at, "f %d %d %d %d\n", i + 1, i + 2, i + SIDE + 2, i + SIDE + 1) : 0;
    }
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    assert_true(at - text < (int)sizeof text);
    GT_EXPECT_OK(gt_scene_load_memory(context, text, (size_t)(at - text), "sheet.obj", &load, &scene, &error));
    return scene;
}

// The last shape moves all features, and reddens what it moves.
static GtScene* make_face(const GtContext* context)
{
    static const char* const names[FEATURES + 1] = { "left", "right", "low", "all" };
    static float values[FEATURES + 1][3 * COUNT];
    static float reds[4 * COUNT];
    GtError error;
    GtScene* scene = make_sheet(context);
    GtShapeAttribute attributes[FEATURES + 2];
    GtShapeDef defs[FEATURES + 1];
    memset(values, 0, sizeof values);
    for (int s = 0; s <= FEATURES; ++s) {
        for (int i = 0; i < COUNT; ++i) {
            float x = (float)(i % SIDE) / (SIDE - 1);
            float y = (float)(i / SIDE) / (SIDE - 1);
            for (int k = 0; k < FEATURES; ++k) {
                values[s][3 * i + 2] += s == k || s == FEATURES ? swell(k, x, y) : 0.0f;
            }
        }
        attributes[s] = (GtShapeAttribute){ "POSITION", 3, values[s] };
        defs[s] = gt_default_shape_def();
        defs[s].name = names[s];
        defs[s].attributes = &attributes[s];
        defs[s].attribute_count = 1;
    }
    for (int i = 0; i < COUNT; ++i) {
        reds[4 * i + 1] = -5.0f * values[FEATURES][3 * i + 2];
    }
    attributes[FEATURES + 1] = (GtShapeAttribute){ "COLOR_0", 4, reds };
    defs[FEATURES].attribute_count = 2;
    GT_EXPECT_OK(gt_shapes_add(context, scene, 0, defs, FEATURES + 1, NULL, &error));
    return scene;
}

static int vertex_at(float x, float y)
{
    return (int)lroundf(y * (SIDE - 1)) * SIDE + (int)lroundf(x * (SIDE - 1));
}

static void features_become_regions(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_face(&context);
    GtShapeRegions* regions = NULL;
    GtShapeRegionsDef def = gt_default_shape_regions_def();
    GT_EXPECT_OK(gt_shape_regions_find(&context, scene, 0, &def, &regions, &error));
    assert_int_equal(regions->count, FEATURES);
    assert_int_equal(regions->vertex_count, COUNT);
    int of[FEATURES];
    for (int k = 0; k < FEATURES; ++k) {
        of[k] = regions->regions[vertex_at(middles[k][0], middles[k][1])];
    }
    assert_int_equal(of[2], 2); // the lowest is the last
    assert_true(of[0] != of[1] && of[0] < 2 && of[1] < 2);
    float share = 0.0f;
    for (int v = 0; v < COUNT; ++v) {
        float sum = 0.0f;
        for (int r = 0; r < FEATURES; ++r) {
            float weight = regions->weights[r * COUNT + v];
            assert_true(weight >= 0.0f && weight <= 1.0f + 1e-6f);
            sum += weight;
        }
        GT_EXPECT_NEAR(sum, 1.0, 1e-5);
    }
    for (int r = 0; r < FEATURES; ++r) {
        share += regions->shares[r];
        GT_EXPECT_NEAR(regions->weights[of[r] * COUNT + vertex_at(middles[r][0], middles[r][1])], 1.0, 0.02);
    }
    GT_EXPECT_NEAR(share, 1.0, 1e-5);

    GtShapesReport report = { 0 };
    GT_EXPECT_OK(gt_shapes_split(&context, scene, 0, regions, &report, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    const GtMesh* mesh = &scene->meshes[0];
    static float whole[3 * COUNT];
    static float sum[3 * COUNT];
    static float piece[3 * COUNT];
    memset(sum, 0, sizeof sum);
    gt_accessor_read_floats(scene, gt_morph_target_find(&mesh->primitives[0].targets[3], "POSITION"), 0, COUNT, whole);
    for (int r = 0; r < FEATURES; ++r) {
        char name[16];
        snprintf(name, sizeof name, "all.%d", r + 1);
        int32_t target = gt_shapes_find(mesh, name);
        assert_int_not_equal(target, GT_NONE);
        gt_accessor_read_floats(scene, gt_morph_target_find(&mesh->primitives[0].targets[target], "POSITION"), 0, COUNT,
                                piece);
        for (int i = 0; i < 3 * COUNT; ++i) {
            sum[i] += piece[i];
        }
        for (int k = 0; k < FEATURES; ++k) { // a piece moves its own feature, and no other
            float height = piece[3 * vertex_at(middles[k][0], middles[k][1]) + 2];
            GT_EXPECT_NEAR(height, of[k] == r ? 0.1 : 0.0, 0.003);
        }
        static float reds[4 * COUNT];
        gt_accessor_read_floats(scene, gt_morph_target_find(&mesh->primitives[0].targets[target], "COLOR_0"), 0, COUNT,
                                reds);
        for (int i = 0; i < COUNT; ++i) { // its colours are cut alike
            GT_EXPECT_NEAR(reds[4 * i + 1], -5.0 * (double)piece[3 * i + 2], 1e-6);
            GT_EXPECT_NEAR(reds[4 * i], 0, 0);
        }
    }
    for (int i = 0; i < 3 * COUNT; ++i) {
        GT_EXPECT_NEAR(sum[i], whole[i], 1e-6);
    }
    gt_shape_regions_destroy(regions);
    gt_scene_destroy(scene);
}

static void regions_are_as_many_and_as_large_as_asked(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_face(&context);
    GtShapeRegions* regions = NULL;
    GtShapeRegionsDef def = gt_default_shape_regions_def();
    def.max_count = 2;
    GT_EXPECT_OK(gt_shape_regions_find(&context, scene, 0, &def, &regions, &error));
    assert_int_equal(regions->count, 2);
    gt_shape_regions_destroy(regions);
    def = gt_default_shape_regions_def();
    def.border = 0.0f;
    GT_EXPECT_OK(gt_shape_regions_find(&context, scene, 0, &def, &regions, &error));
    for (int v = 0; v < COUNT; ++v) {
        GT_EXPECT_NEAR(regions->weights[regions->regions[v] * COUNT + v], 1.0, 0.0);
    }
    regions->vertex_count = 7;
    GT_EXPECT_ERROR(gt_shapes_split(&context, scene, 0, regions, NULL, &error), GT_ERROR_BAD_VALUE,
                    "the regions are for a mesh of 7 vertices, and this one has 1089");
    gt_shape_regions_destroy(regions);
    def.max_count = 0;
    GT_EXPECT_ERROR(gt_shape_regions_find(&context, scene, 0, &def, &regions, &error), GT_ERROR_BAD_VALUE,
                    "regions 1 to 32");
    gt_scene_destroy(scene);
    scene = make_sheet(&context);
    def = gt_default_shape_regions_def();
    GT_EXPECT_ERROR(gt_shape_regions_find(&context, scene, 0, &def, &regions, &error), GT_ERROR_NOT_FOUND,
                    "no shapes that bend its surface");
    assert_null(regions);
    gt_scene_destroy(scene);
}

// The head of three.js's examples, with ARKit's 52 shapes: two eyes with their brows, and below them the mouth.
static void a_real_face_falls_into_eyes_and_mouth(void** state)
{
    (void)state;
    const char* data = getenv("GERTIE_DATA");
    char path[1024];
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    snprintf(path, sizeof path, "%s/face/facecap.glb", data ? data : "");
    if (!data || !data[0] || gt_scene_load(&context, path, &load, &scene, &error) != GT_OK) {
        print_message("GERTIE_DATA names no folder with face/facecap.glb: nothing to try\n");
        skip();
    }
    GtFace* face = NULL;
    GtShapeRegions* regions = NULL;
    GtShapeRegionsDef def = gt_default_shape_regions_def();
    GT_EXPECT_OK(gt_face_create(&context, scene, &face, &error));
    assert_int_equal(face->kind, GT_FACE_ARKIT);
    assert_int_equal(face->arkit_count, 52);
    int32_t mesh = 0;
    while (scene->meshes[mesh].target_count == 0) {
        ++mesh;
    }
    GT_EXPECT_OK(gt_shape_regions_find(&context, scene, mesh, &def, &regions, &error));
    assert_int_equal(regions->count, 3);
    GT_EXPECT_NEAR(regions->shares[0], regions->shares[1], 0.03); // left and right
    const GtMesh* own = &scene->meshes[mesh];
    const char* const names[3] = { "eyeBlink_L", "eyeBlink_R", "mouthPucker" };
    int of[3] = { 0 };
    for (int k = 0; k < 3; ++k) { // where each moves most
        int32_t target = gt_morph_target_find(&own->primitives[0].targets[gt_shapes_find(own, names[k])], "POSITION");
        float longest = 0.0f;
        for (int32_t v = 0; v < regions->vertex_count; ++v) {
            float d[3];
            gt_accessor_read_floats(scene, target, (uint64_t)v, 1, d);
            float length = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            of[k] = length > longest ? regions->regions[v] : of[k];
            longest = fmaxf(longest, length);
        }
    }
    assert_int_equal(of[2], 2);
    assert_int_equal(of[0] + of[1], 1);
    gt_shape_regions_destroy(regions);
    gt_face_destroy(face);
    gt_scene_destroy(scene);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext plain = gt_default_context();
    GtContext context = plain;
    context.allocator = test_allocator(&memory);
    GtShapeRegionsDef def = gt_default_shape_regions_def();
    GtScene* face = make_face(&plain);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtShapeRegions* regions = NULL;
        GtScene* scene = NULL;
        memory.remaining = -1;
        GT_EXPECT_OK(gt_scene_copy(&context, face, &scene, &error));
        memory.remaining = allowed;
        result = gt_shape_regions_find(&context, scene, 0, &def, &regions, &error);
        if (result == GT_OK) {
            result = gt_shapes_split(&context, scene, 0, regions, NULL, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_shape_regions_destroy(regions);
        gt_scene_destroy(scene);
        assert_int_equal(memory.alive, 0);
    }
    gt_scene_destroy(face);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_become_regions),
        cmocka_unit_test(regions_are_as_many_and_as_large_as_asked),
        cmocka_unit_test(a_real_face_falls_into_eyes_and_mouth),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
