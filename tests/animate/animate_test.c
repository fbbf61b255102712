// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The oracle is the motion itself: on the same figure every joint must turn as it did; on a figure whose joint axes are
// turned, every joint must still be where it was; on a taller one, everything scales.

#include "motion/puppets.h"

#include "gertie/animate.h"
#include "gertie/bake.h"

// A skeleton at rest.
static GtScene* make_figure(const GtContext* context, double height_m)
{
    GtError error;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_IDLE);
    def.person.height_m = height_m;
    GT_EXPECT_OK(gt_sample_motion(context, &def, &scene, NULL, &error));
    scene->animation_count = 0;
    return scene;
}

static GtScene* make_walk(const GtContext* context)
{
    GtError error;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
    def.person.height_m = 1.2;
    def.speed_mps = 1.2;
    GT_EXPECT_OK(gt_sample_motion(context, &def, &scene, NULL, &error));
    return scene;
}

static void test_the_same_figure_moves_the_same_way(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = bare_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, &report, &error));
    assert_int_equal(report.retarget.matched_joint_count, GT_HUMANOID_JOINT_COUNT);
    assert_int_equal(report.retarget.unmatched_joint_count, 0);
    GT_EXPECT_NEAR(report.retarget.path_scale, 1.0, 1e-6);
    GT_EXPECT_OK(gt_scene_validate(&context, out, &error));
    expect_same_places(&context, out, walk, 1.0, 2e-5);
    for (int32_t n = 0; n < figure->node_count; ++n) { // the user's rest pose is untouched
        assert_memory_equal(&out->nodes[n].local, &figure->nodes[n].local, sizeof(GtTransform));
    }
    gt_scene_destroy(out);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_a_taller_figure_takes_longer_steps(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = bare_animate_def();
    GtScene* figure = make_figure(&context, 2.4);
    GtScene* walk = make_walk(&context);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, &report, &error));
    GT_EXPECT_NEAR(report.retarget.path_scale, 2.0, 1e-5);
    expect_same_places(&context, out, walk, 2.0, 2e-5);
    gt_scene_destroy(out);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_joint_axes_and_names_may_differ(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateDef def = bare_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    scramble_axes(figure);
    for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
        char name[64];
        snprintf(name, sizeof name, "rig:Mixamorig_%s", figure->nodes[n].name);
        name[14] = (char)(name[14] - 'a' + 'A');
        figure->nodes[n].name = gt_scene_push_text(figure, name, strlen(name));
    }
    figure->humanoid = NULL;
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, NULL, &error));
    expect_same_places(&context, out, walk, 1.0, 2e-5);
    gt_scene_destroy(out);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

// The walk with its T-pose as one more frame ahead, and a rest pose that tells nothing: every bone of BVH files made
// by some capture systems points the same way.
static GtScene* make_capture(const GtContext* context, const GtScene* walk)
{
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_copy(context, walk, &scene, &error));
    Player p = open_player(context, walk, 0);
    enum {
        FRAMES = 41
    };
    static GtTransform poses[FRAMES * GT_HUMANOID_JOINT_COUNT];
    float times[FRAMES];
    int32_t nodes[GT_HUMANOID_JOINT_COUNT];
    uint8_t paths[GT_HUMANOID_JOINT_COUNT];
    for (int f = 0; f < FRAMES; ++f) {
        times[f] = 0.1f * (float)f;
        gt_instance_reset(p.instance);
        if (f > 0) {
            gt_clip_sample(p.clip, 0.1 * (f - 1), p.instance->pose, NULL);
        }
        for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
            int32_t node = gt_character_node_from_source(p.character, n);
            poses[f * GT_HUMANOID_JOINT_COUNT + n] = p.instance->pose[node];
        }
    }
    for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
        nodes[n] = n;
        paths[n] = GT_BAKE_ROTATION | (n == 0 ? GT_BAKE_TRANSLATION : 0);
        GtVec3 axis = gt_vec3_normalize_or(gt_vec3(1.0f, (float)(n % 4), (float)(n % 3)), gt_vec3(1, 0, 0));
        scene->nodes[n].local.rotation = gt_quat_from_axis_angle(axis, 0.9f);
    }
    scene->animation_count = 0;
    GtBakeDef bake = { .frame_count = FRAMES,
                       .times_s = times,
                       .node_count = GT_HUMANOID_JOINT_COUNT,
                       .nodes = nodes,
                       .paths = paths,
                       .poses = poses };
    GT_EXPECT_OK(gt_scene_bake(context, scene, &bake, NULL, &error));
    scene->animations[0].tpose_first = true;
    close_player(&p);
    return scene;
}

static void test_names_are_not_needed(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateDef def = bare_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* named = NULL;
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &named, NULL, &error));
    figure->humanoid = NULL;
    for (int32_t n = 0; n < figure->node_count; ++n) {
        figure->nodes[n].name = n % 2 ? NULL : "bone";
    }
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, NULL, &error));
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, named, 0);
    for (int k = 0; k <= 10; ++k) {
        play_at(&p, 0.3 * k);
        play_at(&q, 0.3 * k);
        for (int32_t n = 0; n <= GT_HUMANOID_RIGHT_HAND; ++n) { // fingers may be found or not
            int32_t node = gt_character_node_from_source(p.character, n);
            GtVec3 here = gt_mat34_translation(&p.instance->model_from_node[node]);
            GtVec3 there = gt_mat34_translation(&q.instance->model_from_node[node]);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(here, there)), 0.0, 1e-4);
        }
    }
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(out);
    gt_scene_destroy(named);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_a_leading_tpose_is_the_reference_and_is_left_out(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = bare_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* capture = make_capture(&context, walk);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, capture, &def, &out, &report, &error));
    assert_int_equal(report.retarget.frame_count, 40);
    assert_int_equal(report.retarget.source_rest_pose, GT_REST_T);
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, walk, 0);
    for (int f = 0; f < 38; ++f) {
        const char* joints[] = { "leftHand", "rightFoot", "leftToes", "head", "rightIndexDistal" };
        for (int j = 0; j < 5; ++j) {
            GtVec3 here = joint_at(&p, joints[j], 0.1 * f);
            GtVec3 there = joint_at(&q, joints[j], 0.1 * f);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(here, there)), 0.0, 1e-4);
        }
    }
    close_player(&q);
    close_player(&p);
    gt_scene_destroy(out);
    def.retarget.keep_tpose = true;
    GT_EXPECT_OK(gt_animate(&context, figure, capture, &def, &out, &report, &error));
    assert_int_equal(report.retarget.frame_count, 41);
    p = open_player(&context, out, 0);
    GtVec3 hand = joint_at(&p, "leftHand", 0.0);
    GtVec3 shoulder = joint_at(&p, "leftUpperArm", 0.0);
    GT_EXPECT_NEAR(hand.y, shoulder.y, 0.02);
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(capture);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_clips_are_kept_or_left_out_as_asked(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtAnimateDef def = bare_animate_def();
    def.retarget.name = "again";
    def.retarget.frame_rate_hz = 10.0;
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* once = NULL;
    GtScene* twice = NULL;
    GtAnimateReport report;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &once, &report, &error));
    assert_int_equal(report.retarget.frame_count, 40); // 3.87 s at 10 a second, both ends
    def.keep_animations = true;
    GT_EXPECT_OK(gt_animate(&context, once, walk, &def, &twice, NULL, &error));
    assert_int_equal(twice->animation_count, 2);
    assert_string_equal(twice->animations[1].name, "again");
    assert_string_equal(log.text, "");
    gt_scene_destroy(once);
    def.keep_animations = false;
    GT_EXPECT_OK(gt_animate(&context, twice, walk, &def, &once, NULL, &error));
    assert_int_equal(once->animation_count, 1);
    assert_non_null(strstr(log.text, "2 clips are left out"));
    gt_scene_destroy(once);
    gt_scene_destroy(twice);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_what_cannot_be_done_is_said(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtAnimateDef def = bare_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* out = NULL;
    GT_EXPECT_ERROR(gt_animate(&context, walk, figure, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND, "has no clip");
    def.animation = 3;
    GT_EXPECT_ERROR(gt_animate(&context, figure, walk, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND, "no clip 3");
    def.animation = 0;
    GtScene* pole = NULL;
    GtNode still = gt_default_node(); // sharing what does not move is not enough
    still.name = "Armature";
    GT_EXPECT_OK(gt_scene_create(&context, &pole, &error));
    GT_EXPECT_OK(gt_scene_add_node(pole, &still, NULL, &error));
    GT_EXPECT_OK(gt_scene_add_node(walk, &still, NULL, &error));
    GT_EXPECT_ERROR(gt_animate(&context, pole, walk, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND,
                    "no humanoid is found in the character");
    assert_null(out);
    still.name = "hips"; // one moving joint is, with a warning
    GT_EXPECT_OK(gt_scene_add_node(pole, &still, NULL, &error));
    GT_EXPECT_OK(gt_animate(&context, pole, walk, &def, &out, NULL, &error));
    assert_non_null(strstr(log.text, "54 moving joints"));
    gt_scene_destroy(out);
    gt_scene_destroy(pole);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtAnimateDef def = bare_animate_def();
    def.retarget.frame_rate_hz = 5.0;
    GtScene* figure = make_figure(&heap, 1.2);
    GtScene* walk = make_walk(&heap);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtScene* out = NULL;
        result = gt_animate(&context, figure, walk, &def, &out, NULL, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !out));
        gt_scene_destroy(out);
        assert_int_equal(limited.alive, 0);
    }
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_figure_moves_the_same_way),
        cmocka_unit_test(test_a_taller_figure_takes_longer_steps),
        cmocka_unit_test(test_joint_axes_and_names_may_differ),
        cmocka_unit_test(test_names_are_not_needed),
        cmocka_unit_test(test_a_leading_tpose_is_the_reference_and_is_left_out),
        cmocka_unit_test(test_clips_are_kept_or_left_out_as_asked),
        cmocka_unit_test(test_what_cannot_be_done_is_said),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
