// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bodies stay above the ground, and what of a body is on the ground is found. The oracle is the skin of the result, all
// of its vertices.

#include "motion/touching.h"

#include "gertie/contact.h"
#include "gertie/executor.h"
#include "motion/contact/contact.h"

#include <unistd.h>

// How deep a result is in the ground at its worst, in metres.
static float depth_of(const GtContext* context, const GtScene* out)
{
    Player p = open_player(context, out, 0);
    Skin skin = open_skin(&p);
    float low = INFINITY;
    for (int f = 0; f < FRAMES; ++f) {
        play_at(&p, (double)f / RATE_HZ);
        gt_instance_deform(p.instance, 0, skin.points, NULL, NULL);
        for (int32_t v = 0; v < skin.mesh->vertex_count; ++v) {
            low = fminf(low, skin.points[v].y);
        }
    }
    close_skin(&skin);
    close_player(&p);
    return -low;
}

static GtRetargetDef planted_def(void)
{
    GtRetargetDef def = gt_default_retarget_def();
    def.feet = GT_FEET_PLANT;
    return def;
}

static void test_bodies_stay_above_the_ground(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_touching(&context, SIT);
    GtRetargetDef planted = planted_def(), plain = bare_retarget_def();
    const int bodies[] = { 2, 3, 5 }; // long arms, broad hips, short and heavy
    for (int k = 0; k < 3; ++k) {
        GtScene* body = make_body(&context, body_of(bodies[k]), FINE);
        GtRetargetReport report;
        GtScene* sunk = carry(&context, motion, body, &plain, NULL);
        GtScene* lifted = carry(&context, motion, body, &planted, &report);
        assert_true(depth_of(&context, sunk) > 0.02f); // there is something to do
        assert_true(depth_of(&context, lifted) < 0.01f);
        assert_true(report.lift.body_lift_m + report.lift.hand_lift_m > 0.01);
        gt_scene_destroy(lifted);
        gt_scene_destroy(sunk);
        gt_scene_destroy(body);
    }
    gt_scene_destroy(motion);
}

// How high the back of a result is above the ground: the lowest vertex around the hips, at its highest.
static float back_of(const GtContext* context, const GtScene* out)
{
    Player p = open_player(context, out, 0);
    Skin skin = open_skin(&p);
    float highest = -INFINITY;
    for (int f = 0; f < FRAMES; f += 3) {
        GtVec3 hips = joint_at(&p, "hips", (double)f / RATE_HZ);
        float low = INFINITY;
        gt_instance_deform(p.instance, 0, skin.points, NULL, NULL);
        for (int32_t v = 0; v < skin.mesh->vertex_count; ++v) {
            GtVec3 way = gt_vec3_sub(skin.points[v], hips);
            bool is_back = skin.owners[v] == 'b' && hypotf(way.x, way.z) < 0.3f;
            low = is_back ? fminf(low, skin.points[v].y) : low;
        }
        highest = fmaxf(highest, low);
    }
    close_skin(&skin);
    close_player(&p);
    return highest;
}

static void test_who_lies_is_on_the_ground(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtPersonDef thin = gt_default_person_def();
    thin.build = -1.0;
    GtScene* motion = make_touching(&context, LIE);
    GtScene* body = make_body(&context, thin, FINE);
    GtRetargetDef planted = planted_def(), kept = planted_def();
    kept.keep_contacts = true;
    GtRetargetReport report;
    GtScene* without = carry(&context, motion, body, &planted, NULL);
    GtScene* with = carry(&context, motion, body, &kept, &report);
    assert_true(back_of(&context, without) > 0.015f); // there is something to do
    GT_EXPECT_NEAR(back_of(&context, with), 0.0, 0.008);
    assert_true(depth_of(&context, with) < 0.01f);
    assert_true(report.lift.body_lift_m > 0.01);
    gt_scene_destroy(with);
    gt_scene_destroy(without);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

// Second differences of where a joint is, at their largest, in metres per second squared.
static double jerkiness(const GtContext* context, const GtScene* out, const char* joint)
{
    Player p = open_player(context, out, 0);
    double worst = 0.0;
    for (int f = 1; f + 1 < FRAMES; ++f) {
        GtVec3 before = joint_at(&p, joint, (double)(f - 1) / RATE_HZ), here = joint_at(&p, joint, (double)f / RATE_HZ);
        GtVec3 after = joint_at(&p, joint, (double)(f + 1) / RATE_HZ);
        GtVec3 bend = gt_vec3_sub(gt_vec3_add(before, after), gt_vec3_scale(here, 2.0f));
        worst = fmax(worst, (double)gt_vec3_length(bend) * RATE_HZ * RATE_HZ);
    }
    close_player(&p);
    return worst;
}

static void test_lifting_is_smooth(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_touching(&context, SIT);
    GtScene* body = make_body(&context, body_of(2), COARSE);
    GtRetargetDef planted = planted_def(), plain = bare_retarget_def();
    GtScene* sunk = carry(&context, motion, body, &plain, NULL);
    GtScene* lifted = carry(&context, motion, body, &planted, NULL);
    const char* joints[] = { "hips", "leftHand", "leftLowerArm", "rightHand" };
    for (int k = 0; k < 4; ++k) { // easing adds up to 8 m/s2, and an elbow goes farther than its hand
        assert_true(jerkiness(&context, lifted, joints[k]) < jerkiness(&context, sunk, joints[k]) + 25.0);
    }
    gt_scene_destroy(lifted);
    gt_scene_destroy(sunk);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static void test_who_walks_is_not_lifted(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* body = make_body(&context, body_of(5), COARSE);
    GtRetargetDef planted = planted_def();
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &planted, &report);
    assert_true(report.plant.contact_count > 0);
    assert_true(report.lift.body_lift_m == 0.0 && report.lift.hand_lift_m == 0.0);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static GtContacts* find_all(const GtContext* context, const GtScene* motion)
{
    GtError error;
    GtContacts* contacts = NULL;
    GtFigure figure = { 0 };
    GtFigureDef playing = gt_default_figure_def();
    GtContactsDef def = gt_default_contacts_def();
    playing.animation = 0;
    def.hands = def.body = true;
    GT_EXPECT_OK(gt_figure_open(context, motion, &playing, &figure, &error));
    GT_EXPECT_OK(gt_contacts_find(context, &figure, &def, &contacts, &error));
    gt_figure_close(&figure);
    return contacts;
}

// Seconds that a part is on the ground.
static double time_of(const GtContacts* contacts, GtSupport part)
{
    double sum_s = 0.0;
    for (int32_t i = 0; i < contacts->body_count; ++i) {
        sum_s += contacts->body[i].part == part ? contacts->body[i].end_s - contacts->body[i].start_s : 0.0;
    }
    return sum_s;
}

static void test_what_is_on_the_ground_is_found(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* motion = make_touching(&context, SIT);
    GtContacts *contacts = find_all(&context, motion), *again = NULL;
    GT_EXPECT_NEAR(time_of(contacts, GT_SUPPORT_HIPS), (FRAMES - 1.0) / RATE_HZ, 1e-4); // it sits all the time
    GT_EXPECT_NEAR(time_of(contacts, GT_SUPPORT_HEAD), 0.0, 0.0);
    GT_EXPECT_NEAR(time_of(contacts, GT_SUPPORT_TRUNK), 0.0, 0.0);
    int hands = 0;
    for (int32_t i = 0; i < contacts->touch_count; ++i) { // it leans on its hands for half a second
        const GtTouch* touch = &contacts->touches[i];
        hands += touch->on == GT_TOUCHED_GROUND && touch->start_s < 0.55 && touch->end_s > 0.95;
    }
    assert_int_equal(hands, 2);
    char path[256];
    snprintf(path, sizeof path, "lift_test.%d.contacts.json", (int)getpid());
    GT_EXPECT_OK(gt_contacts_save(&context, contacts, path, &error));
    GT_EXPECT_OK(gt_contacts_load(&context, path, &again, &error));
    remove(path);
    assert_true(again->has_body && again->body_count == contacts->body_count);
    for (int32_t i = 0; i < contacts->body_count; ++i) {
        assert_int_equal(again->body[i].part, contacts->body[i].part);
        GT_EXPECT_NEAR(again->body[i].start_s, contacts->body[i].start_s, 1e-5);
        GT_EXPECT_NEAR(again->body[i].end_s, contacts->body[i].end_s, 1e-5);
    }
    gt_contacts_destroy(again);
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
    motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    contacts = find_all(&context, motion);
    assert_int_equal(contacts->body_count, 0); // nothing but feet
    gt_contacts_destroy(contacts);
    gt_scene_destroy(motion);
}

static void test_contacts_begin_and_go_on(void** state)
{
    (void)state;
    const uint8_t states[] = { 1, 0, 1, 1, 2, 1, 0, 1, 2, 2, 0, 1 };
    const bool expected[] = { false, false, true, true, true, true, false, true, true, true, false, false };
    bool found[12];
    gti_contact_mark(states, 12, found);
    assert_memory_equal(found, expected, sizeof found);
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
    GtRetargetDef def = planted_def();
    def.frame_rate_hz = 240.0;
    GtScene* motion = make_touching(&context, SIT);
    GtScene* body = make_body(&context, body_of(2), COARSE);
    GtRetargetReport one, many;
    GtScene* a = carry(&context, motion, body, &def, &one);
    GtScene* b = carry(&threaded, motion, body, &def, &many);
    assert_true(one.lift.body_lift_m + one.lift.hand_lift_m > 0.0);
    assert_memory_equal(&one.lift, &many.lift, sizeof one.lift);
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
    GtScene* motion = make_touching(&heap, SIT);
    GtScene* body = make_body(&heap, body_of(2), COARSE);
    GtRetargetDef def = planted_def();
    def.frame_rate_hz = 6.0;
    def.keep_contacts = true;
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
        assert_true(result == GT_OK ? report.lift.body_lift_m > 0.0 : result == GT_ERROR_OUT_OF_MEMORY);
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
        cmocka_unit_test(test_bodies_stay_above_the_ground),
        cmocka_unit_test(test_who_lies_is_on_the_ground),
        cmocka_unit_test(test_lifting_is_smooth),
        cmocka_unit_test(test_who_walks_is_not_lifted),
        cmocka_unit_test(test_what_is_on_the_ground_is_found),
        cmocka_unit_test(test_contacts_begin_and_go_on),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
