// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is baked is played as any viewer would, without sections, and compared with what sections have.

#include "harmonic/people.h"
#include "support/test.h"

#include "gertie/bake.h"
#include "gertie/sculpt.h"

#include <stdlib.h>

static const char text[] =
    "{\"gertie_deform\":1,\"sections\":[{\"name\":\"arm\",\"joint\":\"leftUpperArm\",\"border\":0.1,"
    "\"poses\":{\"out\":{\"1,1,3\":[0,0,0.1],\"2,1,3\":[0,0,0.15],\"1,2,3\":[0,0.05,0.1],\"2,2,3\":[0,0,0.15]}}}],"
    "\"tracks\":[{\"channel\":\"lattice:arm.out\",\"input\":\"leftLowerArm.angle\",\"law\":\"linear\",\"keys\":["
    "{\"at\":0.2,\"value\":0},{\"at\":1,\"value\":1},{\"at\":2,\"value\":0.4}]}%s]}";

// The elbow bends by 2 radians.
static int32_t add_clip(const GtContext* context, GtScene* scene, float length_s)
{
    GtError error;
    const float times[] = { 0.0f, 0.5f * length_s, length_s };
    int32_t node = node_of(scene, GT_HUMANOID_LEFT_LOWER_ARM);
    GtTransform poses[3];
    for (int i = 0; i < 3; ++i) {
        poses[i] = scene->nodes[node].local;
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -1.0f * (float)i);
        poses[i].rotation = gt_quat_mul(turn, poses[i].rotation);
    }
    uint8_t path = GT_BAKE_ROTATION;
    GtBakeDef def = { .name = "bend",
                      .frame_count = 3,
                      .times_s = times,
                      .node_count = 1,
                      .nodes = &node,
                      .paths = &path,
                      .poses = poses };
    int32_t animation = GT_NONE;
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, &animation, &error));
    return animation;
}

// Positions of all vertices at a time; `sculpt` may be NULL.
static GtVec3* pose(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt, int32_t animation,
                    double time_s, int32_t* count)
{
    GtError error;
    GtCharacter* character = NULL;
    GtClip* clip = NULL;
    GtSculptPlayer* player = NULL;
    GtInstance* instance = NULL;
    GtBuildDef build = gt_default_build_def();
    if (sculpt) {
        GT_EXPECT_OK(gt_sculpt_character(context, scene, sculpt, &build, &character, NULL, &error));
    } else {
        GT_EXPECT_OK(gt_character_build(context, scene, &build, &character, NULL, &error));
    }
    GT_EXPECT_OK(gt_clip_build(context, scene, animation, character, &clip, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, character, &instance, &error));
    if (sculpt) {
        GtSculptPlayerDef def = gt_default_sculpt_player_def();
        def.scene = scene;
        def.sculpt = sculpt;
        def.character = character;
        def.clip = clip;
        def.animation = animation;
        GT_EXPECT_OK(gt_sculpt_player_create(context, &def, &player, &error));
        gt_sculpt_play(player, time_s, instance);
    } else {
        gt_clip_sample(clip, time_s, instance->pose, instance->weights);
        gt_instance_update(instance);
    }
    *count = gt_character_def(character)->meshes[0].vertex_count;
    GtVec3* positions = malloc((size_t)*count * sizeof *positions);
    gt_instance_deform(instance, 0, positions, NULL, NULL);
    gt_instance_destroy(instance);
    gt_sculpt_player_destroy(player);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    return positions;
}

static double farthest(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt, const GtScene* baked,
                       int32_t animation, double time_s)
{
    int32_t counts[2];
    GtVec3* wanted = pose(context, scene, sculpt, animation, time_s, &counts[0]);
    GtVec3* got = pose(context, baked, NULL, animation, time_s, &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    double most = 0.0;
    for (int32_t i = 0; i < counts[0]; ++i) {
        most = fmax(most, (double)gt_vec3_length(gt_vec3_sub(wanted[i], got[i])));
    }
    free(wanted);
    free(got);
    return most;
}

// extra: more tracks
static void check_bake(const char* extra)
{
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_person(&context, 2000);
    int32_t animation = add_clip(&context, scene, 1.0f);
    GtSculpt* sculpt = NULL;
    GtScene* baked = NULL;
    GtSculptBakeReport report;
    GtSculptBakeDef def = gt_default_sculpt_bake_def();
    char file[2048];
    snprintf(file, sizeof file, text, extra);
    GT_EXPECT_OK(gt_sculpt_parse(&context, scene, file, strlen(file), &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_keep(&context, sculpt, scene, &error));
    def.animation = animation;
    GT_EXPECT_OK(gt_sculpt_bake(&context, scene, sculpt, &def, &baked, &report, &error));
    assert_null(baked->deform);
    assert_int_equal(report.frame_count, 31);
    GT_EXPECT_NEAR(report.rate_hz, 30.0, 1e-6);
    assert_in_range(report.shape_count, 1, 8);
    assert_true(report.error_rms_m <= def.tolerance_m);
    assert_true(report.error_max_m < 3e-3);
    double most = 0.0;
    for (int moment = 0; moment <= 120; moment += 15) { // frames, and every kind of moment between them
        most = fmax(most, farthest(&context, scene, sculpt, baked, animation, moment / 120.0));
    }
    assert_true(most > 0.0 && most <= report.error_max_m + 1e-5);
    gt_scene_destroy(baked);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

static void test_baked_clips_play_anywhere(void** state)
{
    (void)state;
    check_bake("");
}

// Joints that tracks move are keyed, or shapes would have to turn a hand.
static void test_driven_joints_are_keyed(void** state)
{
    (void)state;
    check_bake(",{\"channel\":\"leftHand.turn.y\",\"formula\":\"-1.5 * t\"}");
}

// A shape that does the same to all vertices.
static void add_shape(const GtContext* context, GtScene* scene, const char* name, const char* changed, GtVec3 by)
{
    GtError error;
    int64_t count = gt_shapes_vertex_count(scene, 0);
    GtVec3* deltas = malloc((size_t)count * sizeof *deltas);
    assert_non_null(deltas);
    for (int64_t i = 0; i < count; ++i) {
        deltas[i] = by;
    }
    const GtShapeAttribute attribute = { changed, 3, &deltas->x };
    GtShapeDef shape = gt_default_shape_def();
    shape.name = name;
    shape.attributes = &attribute;
    shape.attribute_count = 1;
    GT_EXPECT_OK(gt_shapes_add(context, scene, 0, &shape, 1, NULL, &error));
    free(deltas);
}

// A figure that swells by a shape of its own, which tracks drive, has that in the baked clip as it is: shapes are only
// for what that leaves.
static void test_own_shapes_stay_what_they_are(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_person(&context, 2000);
    int32_t animation = add_clip(&context, scene, 1.0f);
    add_shape(&context, scene, "swell", "POSITION", gt_vec3(0.0f, 0.0f, 0.03f));
    static const char swell[] = ",{\"channel\":\"morph:swell\",\"law\":\"linear\",\"keys\":["
                                "{\"at\":0,\"value\":0.5},{\"at\":1,\"value\":1}]}";
    char files[2][2048];
    snprintf(files[0], sizeof files[0], "{\"gertie_deform\":1,\"tracks\":[%s]}", swell + 1);
    snprintf(files[1], sizeof files[1], text, swell);
    for (int i = 0; i < 2; ++i) {
        GtSculpt* sculpt = NULL;
        GtScene* baked = NULL;
        GtSculptBakeReport report;
        GtSculptBakeDef def = gt_default_sculpt_bake_def();
        def.animation = animation;
        GT_EXPECT_OK(gt_sculpt_parse(&context, scene, files[i], strlen(files[i]), &sculpt, &error));
        GT_EXPECT_OK(gt_sculpt_bake(&context, scene, sculpt, &def, &baked, &report, &error));
        assert_in_range(report.shape_count, i, 8 * i); // of the section alone
        assert_true(report.error_max_m < (i ? 3e-3 : 1e-5));
        assert_true(farthest(&context, scene, sculpt, baked, animation, 0.7) <= report.error_max_m + 1e-5);
        gt_scene_destroy(baked);
        gt_sculpt_destroy(sculpt);
    }
    gt_scene_destroy(scene);
}

// A shape that changes how a surface looks, and moves nothing, is in the baked clip as any other.
static void test_shapes_that_move_nothing_are_baked(void** state)
{
    (void)state;
    static const char file[] = "{\"gertie_deform\":1,\"tracks\":[{\"channel\":\"morph:shine\",\"formula\":\"t\"}]}";
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_person(&context, 2000);
    GtSculptBakeDef def = gt_default_sculpt_bake_def();
    def.animation = add_clip(&context, scene, 1.0f);
    add_shape(&context, scene, "shine", "NORMAL", gt_vec3(0.0f, 0.5f, 0.0f));
    GtSculpt* sculpt = NULL;
    GtScene* baked = NULL;
    GtSculptBakeReport report;
    GT_EXPECT_OK(gt_sculpt_parse(&context, scene, file, strlen(file), &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_bake(&context, scene, sculpt, &def, &baked, &report, &error));
    assert_int_equal(report.shape_count, 0);
    assert_true(report.error_max_m < 1e-5);
    gt_scene_destroy(baked);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

// A tenth of a second: four frames know nothing of the peak between them. The error is the one that is seen, and frames
// are taken more often until it is small or that helps no more.
static void test_fast_motion_is_baked_more_often(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_person(&context, 2000);
    GtSculpt* sculpt = NULL;
    GtSculptBakeDef def = gt_default_sculpt_bake_def();
    GtSculptBakeReport reports[2];
    char file[2048];
    def.animation = add_clip(&context, scene, 0.1f);
    snprintf(file, sizeof file, text, "");
    GT_EXPECT_OK(gt_sculpt_parse(&context, scene, file, strlen(file), &sculpt, &error));
    for (int raised = 0; raised < 2; ++raised) {
        GtScene* baked = NULL;
        GtSculptBakeReport* report = &reports[raised];
        def.max_rate_hz = raised ? 120.0 : 30.0;
        GT_EXPECT_OK(gt_sculpt_bake(&context, scene, sculpt, &def, &baked, report, &error));
        int count = 4 * (report->frame_count - 1);
        double most = 0.0;
        for (int i = 0; i <= count; ++i) {
            double time_s = i / (4.0 * report->rate_hz);
            most = fmax(most, farthest(&context, scene, sculpt, baked, def.animation, time_s));
        }
        GT_EXPECT_NEAR(most, report->error_max_m, 1e-6);
        GT_EXPECT_NEAR(farthest(&context, scene, sculpt, baked, def.animation, report->error_time_s), most, 1e-6);
        gt_scene_destroy(baked);
    }
    GT_EXPECT_NEAR(reports[0].rate_hz, 30.0, 1e-4);
    GT_EXPECT_NEAR(reports[1].rate_hz, 120.0, 1e-4);
    assert_true(reports[0].error_rms_m > 2.0 * def.tolerance_m);
    assert_true(reports[1].error_rms_m < 0.5 * reports[0].error_rms_m);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

static void test_without_a_clip_keys_over_time_are_baked(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_person(&context, 2000);
    GtSculpt* sculpt = NULL;
    GtScene* baked = NULL;
    GtSculptBakeReport report;
    GtSculptBakeDef def = gt_default_sculpt_bake_def();
    char file[2048];
    snprintf(file, sizeof file, text, "");
    GT_EXPECT_OK(gt_sculpt_parse(&context, scene, file, strlen(file), &sculpt, &error));
    GT_EXPECT_ERROR(gt_sculpt_bake(&context, scene, sculpt, &def, &baked, &report, &error), GT_ERROR_NOT_FOUND,
                    "neither a clip nor keys over time");
    gt_sculpt_destroy(sculpt);
    snprintf(file, sizeof file, text,
             ",{\"channel\":\"lattice:arm.out\",\"keys\":[{\"at\":0,\"value\":0},{\"at\":0.5,\"value\":1}]}");
    GT_EXPECT_OK(gt_sculpt_parse(&context, scene, file, strlen(file), &sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_bake(&context, scene, sculpt, &def, &baked, &report, &error));
    assert_int_equal(baked->animation_count, 1);
    assert_string_equal(baked->animations[0].name, "deform");
    assert_int_equal(report.frame_count, 16);
    assert_int_equal(report.shape_count, 1);
    assert_true(report.error_max_m < 1e-3);
    GT_EXPECT_OK(gt_scene_validate(&context, baked, &error));
    gt_scene_destroy(baked);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baked_clips_play_anywhere),
        cmocka_unit_test(test_driven_joints_are_keyed),
        cmocka_unit_test(test_own_shapes_stay_what_they_are),
        cmocka_unit_test(test_shapes_that_move_nothing_are_baked),
        cmocka_unit_test(test_fast_motion_is_baked_more_often),
        cmocka_unit_test(test_without_a_clip_keys_over_time_are_baked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
