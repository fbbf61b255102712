// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A box and a chain of joints, whose sizes, counts and times are known by construction.

#include "gertie/file.h"
#include "gertie/survey.h"

#include "data/json.h"
#include "support/test.h"

// 2 x 1 x 3 metres, in two groups, which become one surface; the last group repeats vertices of the first.
static const char box[] = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nv 0 0 3\nv 2 0 3\nv 2 1 3\nv 0 1 3\n"
                          "g ends\nf 1 4 3 2\nf 5 6 7 8\ng sides\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static const char chain[] =
    "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "JOINT chest\n{\nOFFSET 0 0.5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0.25 0.5 "
    "0\n}\n}\n}\n"
    "MOTION\nFrames: 4\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 0 0\n0 2 0 0 0 0 0 0 0\n0 3 0 0 0 0 0 0 0\n";

static GtScene* load(const GtContext* context, const char* text, const char* path)
{
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    def.metres_per_unit = 1.0;
    def.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_load_memory(context, text, strlen(text), path, &def, &scene, &error));
    return scene;
}

static void a_box_is_measured(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load(&context, box, "box.obj");
    GtSurvey* survey = NULL;
    GT_EXPECT_OK(gt_scene_survey(&context, scene, &survey, &error));
    assert_int_equal(survey->file_size, -1); // there is no such file
    assert_true(survey->file_units_open);
    assert_false(survey->source_units_open);
    assert_int_equal(survey->joint_count, 0);
    int64_t triangles = 0;
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        triangles += survey->meshes[i].triangle_count;
        assert_int_equal(survey->meshes[i].influence_count, 0);
        assert_string_equal(survey->meshes[i].attributes[0], "POSITION");
    }
    assert_int_equal(triangles, 12);
    assert_true(survey->has_bounds && !survey->bounds_are_joints);
    GT_EXPECT_NEAR(survey->bounds_m.low.x, 0.0, 0.0);
    GT_EXPECT_NEAR(survey->bounds_m.high.x, 2.0, 0.0);
    GT_EXPECT_NEAR(survey->bounds_m.high.y, 1.0, 0.0);
    GT_EXPECT_NEAR(survey->bounds_m.high.z, 3.0, 0.0);
    assert_true(survey->has_surface && survey->surface.is_closed && survey->surface.is_oriented);
    assert_int_equal(survey->surface.component_count, 1);
    GT_EXPECT_NEAR(survey->surface.volume, 6.0, 1e-6);
    GT_EXPECT_NEAR(survey->surface.area, 22.0, 1e-6);
    assert_int_equal(survey->face->kind, GT_FACE_NONE);
    assert_null(survey->sculpt);
    assert_string_equal(log.text, "");
    gt_survey_destroy(survey);
    gt_scene_destroy(scene);
}

static void count_channels(void* user, const char* address, int32_t clip_count)
{
    int* counts = user;
    ++counts[0];
    counts[1] += clip_count;
    counts[2] += !strcmp(address, "hips.translation") && clip_count == 1;
}

static void joints_and_clips_are_counted(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load(&context, chain, "chain.bvh");
    GtSurvey* survey = NULL;
    GT_EXPECT_OK(gt_scene_survey(&context, scene, &survey, &error));
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(survey->joint_count, 2); // the end site is none
    assert_true(survey->has_bounds && survey->bounds_are_joints && !survey->has_surface);
    GT_EXPECT_NEAR(survey->bounds_m.high.y - survey->bounds_m.low.y, 1.0, 1e-6);
    GT_EXPECT_NEAR(survey->bounds_m.high.x - survey->bounds_m.low.x, 0.25, 1e-6);
    assert_int_equal(survey->clips[0].key_count, 4);
    GT_EXPECT_NEAR(survey->clips[0].end_s - survey->clips[0].start_s, 0.3, 1e-6);
    GT_EXPECT_NEAR(survey->clips[0].rate_hz, 10.0, 1e-4);
    int counts[3] = { 0 };
    GT_EXPECT_OK(gt_survey_channels(&context, scene, count_channels, counts, &error));
    assert_int_equal(counts[0], 9); // translation, rotation and scale of three nodes
    assert_int_equal(counts[1], 3); // the hips' two, the chest's one
    assert_int_equal(counts[2], 1);
    gt_survey_destroy(survey);
    gt_scene_destroy(scene);
}

static void json_reads_back(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = load(&context, chain, "chain.bvh");
    GtSurvey* survey = NULL;
    GT_EXPECT_OK(gt_scene_survey(&context, scene, &survey, &error));
    GtJsonWriter json = gt_json_create(NULL, 2);
    gt_json_begin_object(&json);
    gt_survey_write(&json, survey);
    gt_json_end_object(&json);
    GtArena arena = gt_arena_create(gt_default_allocator());
    const GtiJson* root = NULL;
    GT_EXPECT_OK(gti_json_parse(&arena, json.text.bytes, json.text.size, &root, &error));
    const GtiJson* clip = gti_json_first(gti_json_find(root, "clips"));
    double value = NAN;
    assert_true(gti_json_double(gti_json_find(clip, "rate_hz"), &value));
    GT_EXPECT_NEAR(value, 10.0, 1e-4);
    assert_true(gti_json_equals(gti_json_find(gti_json_find(root, "bounds_m"), "of"), "joints"));
    assert_int_equal(gti_json_find(root, "nodes")->count, 3);
    gt_arena_destroy(&arena);
    gt_json_destroy(&json);
    gt_survey_destroy(survey);
    gt_scene_destroy(scene);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = load(&context, box, "box.obj");
    for (int64_t limit = 0;; ++limit) {
        TestAllocator failing = { .remaining = limit };
        context.allocator = test_allocator(&failing);
        GtSurvey* survey = NULL;
        GtResult result = gt_scene_survey(&context, scene, &survey, &error);
        gt_survey_destroy(survey);
        assert_int_equal(failing.alive, 0);
        if (result == GT_OK) {
            assert_true(limit > 5);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_null(survey);
    }
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_measured),
        cmocka_unit_test(joints_and_clips_are_counted),
        cmocka_unit_test(json_reads_back),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
