// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The oracle is the motion itself: on the same figure every joint must turn as it did; on a figure whose joint axes are
// turned, every joint must still be where it was; on a taller one, everything scales.

#include "support/test.h"

#include "gertie/animate.h"
#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/motions.h"

typedef struct Player {
    GtCharacter* character;
    GtClip* clip;
    GtInstance* instance;
} Player;

static Player open_player(const GtContext* context, const GtScene* scene, int32_t animation)
{
    GtError error;
    Player p = { 0 };
    GtBuildDef build = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(context, scene, &build, &p.character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(context, scene, animation, p.character, &p.clip, &error));
    GT_EXPECT_OK(gt_instance_create(context->allocator, p.character, &p.instance, &error));
    return p;
}

static void close_player(const GtContext* context, Player* p)
{
    gt_instance_destroy(context->allocator, p->instance);
    gt_clip_destroy(p->clip);
    gt_character_destroy(p->character);
}

static GtVec3 joint_at(Player* p, const char* name, double time_s)
{
    gt_instance_reset(p->instance);
    gt_clip_sample(p->clip, time_s, p->instance->pose, NULL);
    gt_instance_update(p->instance);
    int32_t node = gt_character_find_node(p->character, name);
    assert_true(node != GT_NONE);
    return gt_mat34_translation(&p->instance->model_from_node[node]);
}

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

// Every joint of the animated scene is at `scale` times its place in the motion.
static void expect_same_places(const GtContext* context, const GtScene* animated, const GtScene* motion, double scale)
{
    Player a = open_player(context, animated, animated->animation_count - 1);
    Player b = open_player(context, motion, 0);
    for (int32_t n = 0; n < motion->node_count; ++n) {
        for (int k = 0; k <= 10; ++k) {
            double time_s = gt_clip_end_s(b.clip) * k / 10.0;
            GtVec3 here = joint_at(&a, animated->nodes[n].name, time_s);
            GtVec3 there = joint_at(&b, motion->nodes[n].name, time_s);
            GT_EXPECT_NEAR(here.x, scale * (double)there.x, 2e-5);
            GT_EXPECT_NEAR(here.y, scale * (double)there.y, 2e-5);
            GT_EXPECT_NEAR(here.z, scale * (double)there.z, 2e-5);
        }
    }
    close_player(context, &a);
    close_player(context, &b);
}

static void test_the_same_figure_moves_the_same_way(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = gt_default_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, &report, &error));
    assert_int_equal(report.matched_joint_count, GT_HUMANOID_JOINT_COUNT);
    assert_int_equal(report.unmatched_joint_count, 0);
    GT_EXPECT_NEAR(report.path_scale, 1.0, 1e-6);
    GT_EXPECT_OK(gt_scene_validate(&context, out, &error));
    expect_same_places(&context, out, walk, 1.0);
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
    GtAnimateDef def = gt_default_animate_def();
    GtScene* figure = make_figure(&context, 2.4);
    GtScene* walk = make_walk(&context);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, &report, &error));
    GT_EXPECT_NEAR(report.path_scale, 2.0, 1e-5);
    expect_same_places(&context, out, walk, 2.0);
    gt_scene_destroy(out);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

// Turn the axes of joint `n` by `by` without moving anything: the joint's rotation takes it up, its children undo it.
static void turn_axes(GtScene* scene, int32_t n, GtQuat by)
{
    GtNode* node = &scene->nodes[n];
    node->local.rotation = gt_quat_normalize(gt_quat_mul(node->local.rotation, by));
    for (int32_t c = 0; c < node->child_count; ++c) {
        GtTransform* child = &scene->nodes[node->children[c]].local;
        child->translation = gt_quat_rotate(gt_quat_conjugate(by), child->translation);
        child->rotation = gt_quat_normalize(gt_quat_mul(gt_quat_conjugate(by), child->rotation));
    }
}

static void test_joint_axes_and_names_may_differ(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateDef def = gt_default_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
        GtVec3 axis = gt_vec3_normalize_or(gt_vec3((float)n, 2.0f, (float)(n % 3)), gt_vec3(1, 0, 0));
        turn_axes(figure, n, gt_quat_from_axis_angle(axis, 0.4f * (float)(n + 1)));
        char name[64];
        snprintf(name, sizeof name, "rig:Mixamorig_%s", figure->nodes[n].name);
        name[14] = (char)(name[14] - 'a' + 'A');
        figure->nodes[n].name = gt_scene_push_text(figure, name, strlen(name));
    }
    figure->humanoid = NULL;
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, NULL, &error));
    expect_same_places(&context, out, walk, 1.0);
    gt_scene_destroy(out);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_a_leading_tpose_is_the_reference_and_is_left_out(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = gt_default_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    int32_t frames = (int32_t)walk->accessors[walk->animations[0].samplers[0].input].count;
    walk->animations[0].tpose_first = true; // the walk's first pose is none: that it is believed is what is tested
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, &report, &error));
    assert_int_equal(report.frame_count, frames - 1);
    GtScene* kept = NULL;
    def.keep_tpose = true;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &kept, &report, &error));
    assert_int_equal(report.frame_count, frames);
    Player p = open_player(&context, kept, 0); // at the reference the figure is in its own rest pose
    GtVec3 hand = joint_at(&p, "leftHand", 0.0);
    GtVec3 hips = joint_at(&p, "hips", 0.0);
    GT_EXPECT_NEAR(hand.x - hips.x, (0.104 + 0.186 + 0.146) * 1.2, 1e-4);
    close_player(&context, &p);
    gt_scene_destroy(kept);
    gt_scene_destroy(out);
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_clips_are_kept_or_left_out_as_asked(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtAnimateDef def = gt_default_animate_def();
    def.name = "again";
    def.frame_rate_hz = 10.0;
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* once = NULL;
    GtScene* twice = NULL;
    GtAnimateReport report;
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &once, &report, &error));
    assert_int_equal(report.frame_count, 40); // 3.87 s at 10 a second, both ends
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
    GtAnimateDef def = gt_default_animate_def();
    GtScene* figure = make_figure(&context, 1.2);
    GtScene* walk = make_walk(&context);
    GtScene* out = NULL;
    GT_EXPECT_ERROR(gt_animate(&context, walk, figure, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND, "no animation");
    def.animation = 3;
    GT_EXPECT_ERROR(gt_animate(&context, figure, walk, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND, "animation 3");
    def.animation = 0;
    figure->humanoid = NULL;
    for (int32_t n = 1; n < figure->node_count; ++n) {
        figure->nodes[n].name = "bone";
    }
    GT_EXPECT_OK(gt_animate(&context, figure, walk, &def, &out, NULL, &error)); // hips alone
    assert_non_null(strstr(log.text, "54 moving joints"));
    gt_scene_destroy(out);
    figure->nodes[0].name = "bone";
    GT_EXPECT_ERROR(gt_animate(&context, figure, walk, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND, "namesake");
    assert_null(out);
    GtNode still = gt_default_node(); // sharing what does not move is not enough
    still.name = "Armature";
    GT_EXPECT_OK(gt_scene_add_node(figure, &still, NULL, &error));
    GT_EXPECT_OK(gt_scene_add_node(walk, &still, NULL, &error));
    GT_EXPECT_ERROR(gt_animate(&context, figure, walk, &def, &out, NULL, &error), GT_ERROR_NOT_FOUND, "moving joint");
    gt_scene_destroy(walk);
    gt_scene_destroy(figure);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtAnimateDef def = gt_default_animate_def();
    def.frame_rate_hz = 5.0;
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
        cmocka_unit_test(test_a_leading_tpose_is_the_reference_and_is_left_out),
        cmocka_unit_test(test_clips_are_kept_or_left_out_as_asked),
        cmocka_unit_test(test_what_cannot_be_done_is_said),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
