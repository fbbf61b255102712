// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands that touch in a motion touch on other bodies, too: the oracle is the skin of the result.

#include "motion/touching.h"

#include "gertie/executor.h"

static void test_hands_meet_what_they_touch(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    GtScene* bodies[BODY_COUNT] = { NULL };
    for (int k = 0; k < TRIAL_COUNT; ++k) {
        Scene scene = trials[k].scene;
        GtScene** body = &bodies[trials[k].body];
        *body = *body ? *body : make_body(&context, body_of(trials[k].body), FINE);
        GtScene* motion = make_touching(&context, scene);
        GtRetargetReport report;
        GtScene* out = carry(&context, motion, *body, &def, &report);
        assert_int_equal(report.touch.touch_count, scene == HIP || scene == GROUND ? 2 : 1);
        assert_int_equal(report.touch.missed_count, 0);
        assert_true(report.touch.hand_shift_m > 0.001 && report.touch.hand_shift_m < 0.5);
        GT_EXPECT_NEAR(worst_gap(&context, out, scene, 'l'), 0.0, 0.005);
        assert_true(report.touch.miss_m < 0.005);
        if (scene == HIP || scene == GROUND) {
            GT_EXPECT_NEAR(worst_gap(&context, out, scene, 'r'), 0.0, 0.005);
        }
        gt_scene_destroy(out);
        gt_scene_destroy(motion);
    }
    for (int s = CLAP; s <= GROUND; ++s) { // there is something to do
        GtScene* motion = make_touching(&context, (Scene)s);
        GtScene* without = carry(&context, motion, bodies[s == HIP ? 3 : 2], &plain, NULL);
        assert_true(fabsf(worst_gap(&context, without, (Scene)s, 'l')) > 0.015f);
        gt_scene_destroy(without);
        gt_scene_destroy(motion);
    }
    for (int b = 0; b < BODY_COUNT; ++b) {
        gt_scene_destroy(bodies[b]);
    }
}

static void test_left_and_right_may_change_places(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    def.mirror = true;
    GtScene* motion = make_touching(&context, HEAD);
    GtScene* body = make_body(&context, body_of(4), FINE);
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &def, &report);
    assert_int_equal(report.touch.touch_count, 1);
    GT_EXPECT_NEAR(worst_gap(&context, out, HEAD, 'r'), 0.0, 0.005);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

// A motion of a figure with a skin, onto itself: hands are where they were but for what they went in or stayed away.
static void test_a_source_may_have_a_skin(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtScene* bones = make_touching(&context, HEAD);
    GtScene* body = make_body(&context, body_of(0), FINE);
    GtRetargetDef plain = bare_retarget_def();
    GtScene* motion = carry(&context, bones, body, &plain, NULL);
    GtScene* big = make_body(&context, body_of(4), FINE);
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, big, &def, &report);
    assert_int_equal(report.touch.touch_count, 1);
    GT_EXPECT_NEAR(worst_gap(&context, out, HEAD, 'l'), 0.0, 0.005);
    gt_scene_destroy(out);
    out = carry(&context, motion, body, &def, &report);
    Player p = open_player(&context, out, 0), q = open_player(&context, motion, 0);
    GtVec3 shift = gt_vec3_sub(joint_at(&p, "leftHand", 0.75), joint_at(&q, "leftHand", 0.75));
    GT_EXPECT_NEAR(gt_vec3_length(shift), fabsf(worst_gap(&context, motion, HEAD, 'l')), 0.003);
    close_player(&q);
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(big);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
    gt_scene_destroy(bones);
}

static void test_without_touches_nothing_changes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    GtScene* motion = make_touching(&context, NOTHING);
    GtScene* body = make_body(&context, body_of(2), COARSE);
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &def, &report);
    GtScene* without = carry(&context, motion, body, &plain, NULL);
    const GtTouchReport none = { 0 };
    assert_memory_equal(&report.touch, &none, sizeof none);
    expect_same_bytes(out, without, body->buffer_count);
    gt_scene_destroy(without);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static bool is_of_arm(const char* name)
{
    const char* arm[] = { "Shoulder", "UpperArm", "LowerArm", "Hand", "Thumb", "Index", "Middle", "Ring", "Little" };
    for (int k = 0; k < 9; ++k) {
        if (strstr(name, arm[k])) {
            return true;
        }
    }
    return false;
}

// Only arms move, only around touches, and no bone changes its length.
static void test_nothing_else_moves(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    for (int s = CLAP; s <= HEAD; ++s) {
        GtScene* motion = make_touching(&context, (Scene)s);
        GtScene* body = make_person(&context, body_of(2));
        GtScene* out = carry(&context, motion, body, &def, NULL);
        GtScene* without = carry(&context, motion, body, &plain, NULL);
        Player p = open_player(&context, out, 0);
        Player q = open_player(&context, without, 0);
        int32_t count = gt_character_def(p.character)->node_count;
        for (int f = 0; f < FRAMES; f += 5) {
            double t = (double)f / RATE_HZ;
            play_at(&p, t);
            play_at(&q, t);
            for (int32_t n = 0; n < count; ++n) {
                const char* name = gt_character_def(p.character)->names[n];
                GtTransform a = p.instance->pose[n], b = q.instance->pose[n];
                assert_memory_equal(&a.translation, &b.translation, sizeof a.translation);
                assert_memory_equal(&a.scale, &b.scale, sizeof a.scale);
                if (!is_of_arm(name) || t < 0.05 || t > 1.45 || (s == HEAD && strstr(name, "right"))) {
                    assert_memory_equal(&a.rotation, &b.rotation, sizeof a.rotation);
                }
            }
        }
        close_player(&q);
        close_player(&p);
        gt_scene_destroy(without);
        gt_scene_destroy(out);
        gt_scene_destroy(body);
        gt_scene_destroy(motion);
    }
}

// Arms of 0.7 times the length do not get to the floor in a crouch: the spine bends for them, and nothing below it
// moves. Head and upper arms keep how they are turned but for the arms' own reaching; no bone changes its length.
static void test_the_trunk_leans_where_arms_are_short(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    GtRetargetDef plain = bare_retarget_def();
    GtScene* motion = make_touching(&context, GROUND);
    GtScene* body = make_person(&context, body_of(1));
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &def, &report);
    GtScene* without = carry(&context, motion, body, &plain, NULL);
    assert_int_equal(report.touch.missed_count, 0);
    assert_true(report.touch.lean_rad > 0.05 && report.touch.lean_rad <= 0.6);
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, without, 0);
    int32_t spine = player_node(&p, "spine"), head = player_node(&p, "head");
    for (int f = 0; f < FRAMES; f += 5) {
        play_at(&p, (double)f / RATE_HZ);
        play_at(&q, (double)f / RATE_HZ);
        for (int32_t n = 0; n < gt_character_def(p.character)->node_count; ++n) {
            GtTransform a = p.instance->pose[n], b = q.instance->pose[n];
            assert_memory_equal(&a.translation, &b.translation, sizeof a.translation);
            if (!is_under(gt_character_def(p.character), n, spine)) {
                assert_memory_equal(&a.rotation, &b.rotation, sizeof a.rotation);
            }
        }
        GtQuat here = gt_mat34_polar(&p.instance->model_from_node[head], NULL);
        GtQuat there = gt_mat34_polar(&q.instance->model_from_node[head], NULL);
        GT_EXPECT_NEAR(gt_quat_angle_rad(here, there), 0.0, 1e-3);
    }
    close_player(&q);
    close_player(&p);
    gt_scene_destroy(without);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

// Largest second difference of where a joint is.
static double acceleration_of(Player* p, const char* joint)
{
    double most = 0.0;
    for (int f = 1; f + 1 < FRAMES; ++f) {
        GtVec3 a = joint_at(p, joint, (f - 1.0) / RATE_HZ), b = joint_at(p, joint, (double)f / RATE_HZ);
        GtVec3 c = joint_at(p, joint, (f + 1.0) / RATE_HZ);
        GtVec3 bend = gt_vec3_add(gt_vec3_sub(a, b), gt_vec3_sub(c, b));
        most = fmax(most, (double)gt_vec3_length(bend) * RATE_HZ * RATE_HZ);
    }
    return most;
}

static void test_arms_move_as_smoothly_as_before(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = touch_def();
    const char* joints[] = { "leftLowerArm", "leftHand", "rightLowerArm", "rightHand" };
    for (int t = 0; t < TRIAL_COUNT; ++t) {
        GtScene* motion = make_touching(&context, trials[t].scene);
        GtScene* body = make_person(&context, body_of(trials[t].body));
        GtScene* out = carry(&context, motion, body, &def, NULL);
        Player p = open_player(&context, out, 0);
        Player q = open_player(&context, motion, 0);
        for (int k = 0; k < 4; ++k) {
            double here = acceleration_of(&p, joints[k]), there = acceleration_of(&q, joints[k]);
            if (!(here <= 2.0 * there + 1.0)) {
                fail_msg("scene %d, body %d, %s: %g m/s2, %g in the motion", (int)trials[t].scene, trials[t].body,
                         joints[k], here, there);
            }
        }
        close_player(&q);
        close_player(&p);
        gt_scene_destroy(out);
        gt_scene_destroy(body);
        gt_scene_destroy(motion);
    }
}

static void test_threads_do_not_matter(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtContext threaded = context;
    GtError error;
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, 3, &pool, &error));
    threaded.executor = gt_thread_pool_executor(pool);
    GtRetargetDef def = touch_def();
    def.frame_rate_hz = 240.0;
    GtScene* motion = make_touching(&context, CLAP);
    GtScene* body = make_body(&context, body_of(5), COARSE);
    GtRetargetReport one, many;
    GtScene* a = carry(&context, motion, body, &def, &one);
    GtScene* b = carry(&threaded, motion, body, &def, &many);
    assert_true(one.touch.touch_count > 0);
    assert_memory_equal(&one.touch, &many.touch, sizeof one.touch);
    expect_same_bytes(a, b, body->buffer_count);
    gt_scene_destroy(a);
    gt_scene_destroy(b);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
    gt_thread_pool_destroy(pool);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtScene* motion = make_touching(&heap, GROUND);
    GtScene* body = make_body(&heap, body_of(0), COARSE);
    GtRetargetDef def = touch_def();
    def.frame_rate_hz = 10.0;
    Transfer transfer;
    GT_EXPECT_OK(transfer_open(&heap, motion, 0, motion->humanoid, body, body->humanoid, &def, &transfer, &error));
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = heap;
        context.allocator = test_allocator(&limited);
        GtScene* out = NULL;
        GtRetargetReport report = { 0 };
        result = gt_scene_copy(&context, body, &out, &error);
        if (result == GT_OK) {
            result = gt_retarget_clip(&context, transfer.retarget, out, NULL, &report, &error);
        }
        assert_true(result == GT_OK ? report.touch.touch_count > 0 : result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(out);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(allowed > 20);
    transfer_close(&transfer);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hands_meet_what_they_touch),
        cmocka_unit_test(test_left_and_right_may_change_places),
        cmocka_unit_test(test_a_source_may_have_a_skin),
        cmocka_unit_test(test_without_touches_nothing_changes),
        cmocka_unit_test(test_nothing_else_moves),
        cmocka_unit_test(test_the_trunk_leans_where_arms_are_short),
        cmocka_unit_test(test_arms_move_as_smoothly_as_before),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
