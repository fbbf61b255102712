// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Ground out of meshes, and feet that are planted on it.

#include "motion/puppets.h"

#include "gertie/contact.h"
#include "gertie/file.h"
#include "gertie/ground.h"
#include "gertie/measure.h"
#include "gertie/person.h"

#include <stdio.h>

static GtScene* load_obj(const GtContext* context, const char* text)
{
    GtError error;
    GtScene* scene = NULL;
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    GT_EXPECT_OK(gt_scene_load_memory(context, text, strlen(text), "ground.obj", &load, &scene, &error));
    return scene;
}

static GtGround* make_ground(const GtContext* context, const char* text)
{
    GtError error;
    GtGround* ground = NULL;
    GtScene* scene = load_obj(context, text);
    GT_EXPECT_OK(gt_ground_create(context, scene, &ground, &error));
    gt_scene_destroy(scene);
    return ground;
}

static float height_at(const GtGround* ground, float x, float z)
{
    float height = NAN;
    assert_true(gt_ground_at(ground, x, z, &height));
    return height;
}

static const char slope_obj[] = "v -20 -3 -20\nv -20 3 20\nv 20 3 20\nv 20 -3 -20\nf 1 2 3 4\n"; // rises along z

// A table over a floor, with a wall beside.
static const char table_obj[] = "v -4 0 -4\nv -4 0 4\nv 4 0 4\nv 4 0 -4\nf 1 2 3 4\n"
                                "v -1 0.7 -1\nv -1 0.7 1\nv 1 0.7 1\nv 1 0.7 -1\nf 5 6 7 8\n"
                                "v 3 0 -4\nv 3 2 -4\nv 3 2 4\nv 3 0 4\nf 9 10 11 12\n";

static void test_ground_is_as_high_as_its_topmost_triangle(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtGround* slope = make_ground(&context, slope_obj);
    for (float x = -19.7f; x < 20.0f; x += 1.3f) {
        for (float z = -19.9f; z < 20.0f; z += 0.7f) {
            GT_EXPECT_NEAR(height_at(slope, x, z), 0.15f * z, 1e-5f);
        }
    }
    float height = 5.0f;
    assert_false(gt_ground_at(slope, 20.5f, 0.0f, &height));
    assert_false(gt_ground_at(slope, 0.0f, -1e30f, &height));
    assert_false(gt_ground_at(slope, NAN, 0.0f, &height));
    GT_EXPECT_NEAR(height, 5.0f, 0.0f);
    gt_ground_destroy(slope);
    GtGround* table = make_ground(&context, table_obj);
    GT_EXPECT_NEAR(height_at(table, 0.2f, 0.3f), 0.7f, 1e-6f);
    GT_EXPECT_NEAR(height_at(table, 1.2f, 0.3f), 0.0f, 1e-6f);
    GT_EXPECT_NEAR(height_at(table, 3.0f, 0.3f), 0.0f, 1e-6f); // not the wall
    gt_ground_destroy(table);
}

static void test_what_cannot_be_stood_on_is_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtGround* ground = NULL;
    GtScene* wall = load_obj(&context, "v 0 0 0\nv 0 2 0\nv 0 2 4\nf 1 2 3\n");
    GT_EXPECT_ERROR(gt_ground_create(&context, wall, &ground, &error), GT_ERROR_BAD_VALUE, "no triangle that faces up");
    assert_null(ground);
    gt_scene_destroy(wall);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext plain = gt_default_context();
    GtScene* scene = load_obj(&plain, table_obj);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        assert_true(allowed < 1000);
        TestAllocator limited = { .remaining = allowed };
        GtContext context = plain;
        context.allocator = test_allocator(&limited);
        GtGround* ground = NULL;
        GtError error;
        result = gt_ground_create(&context, scene, &ground, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_ground_destroy(ground);
        assert_int_equal(limited.alive, 0);
    }
    gt_scene_destroy(scene);
}

// A small person makes a motion over some ground, or none.
static GtScene* animate_person(const GtContext* context, double leg_length, const GtScene* motion, int32_t animation,
                               const GtGround* ground, GtRetargetReport* report)
{
    GtError error;
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 4000;
    person.leg_length = leg_length;
    GtScene* character = NULL;
    GtScene* animated = NULL;
    GT_EXPECT_OK(gt_sample_person(context, &person, &character, NULL, &error));
    GtAnimateDef def = gt_default_animate_def();
    def.retarget.ground = ground;
    def.animation = animation;
    GtAnimateReport did;
    GT_EXPECT_OK(gt_animate(context, character, motion, &def, &animated, &did, &error));
    if (report) {
        *report = did.retarget;
    }
    gt_scene_destroy(character);
    return animated;
}

// A small person walks over it, and is measured.
static GtMeasure* walk_over(const GtContext* context, const GtGround* ground, GtRetargetReport* report)
{
    GtError error;
    GtMeasure* measure = NULL;
    GtScene* walk = make_motion(context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* animated = animate_person(context, 1.0, walk, 0, ground, report);
    GtMeasureDef how = gt_default_measure_def();
    how.animation = animated->animation_count - 1;
    how.source = walk;
    how.mesh_frame_count = 0;
    how.ground = ground;
    GT_EXPECT_OK(gt_measure(context, animated, &how, &measure, &error));
    gt_scene_destroy(animated);
    gt_scene_destroy(walk);
    return measure;
}

static void test_a_walk_goes_up_a_slope(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtGround* ground = make_ground(&context, slope_obj);
    GtRetargetReport report;
    GtMeasure* measure = walk_over(&context, ground, &report);
    assert_true(report.plant.contact_count >= 8);
    assert_true(report.plant.hips_shift_m > 0.5); // it climbs
    for (int side = 0; side < 2; ++side) {
        assert_true(measure->feet[side].contact_count >= 3);
        assert_true(measure->feet[side].float_m < 0.005);
        assert_true(measure->feet[side].penetration_m < 0.005);
        assert_true(measure->feet[side].skate_m < 0.010);
    }
    gt_measure_destroy(measure);
    gt_ground_destroy(ground);
}

// From 0.9 m on.
static GtGround* make_stairs(const GtContext* context, double depth, double height)
{
    char text[8192];
    size_t at = 0;
    for (int k = -4; k < 24; ++k) {
        double low = 0.9 + depth * k, high = low + depth, y = k >= 0 ? height * (k + 1) : 0.0;
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "v -3 %g %g\nv -3 %g %g\nv 3 %g %g\nv 3 %g %g\nf -4 -3 -2 -1\n", y, low, y, high, y,
                               high, y, low);
    }
    return make_ground(context, text);
}

static void test_a_walk_climbs_stairs_and_stands_on_no_edge(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtGround* ground = make_stairs(&context, 0.45, 0.12);
    GtRetargetReport report;
    GtMeasure* measure = walk_over(&context, ground, &report);
    assert_true(report.plant.hips_shift_m > 0.5);
    for (int side = 0; side < 2; ++side) {
        assert_true(measure->feet[side].float_mean_m < 0.003); // it comes down from the step before, and then stands
        assert_true(measure->feet[side].skate_m < 0.015);
    }
    gt_measure_destroy(measure);
    gt_ground_destroy(ground);
}

// Contacts of a motion that climbs: on the stairs, each is as high as the step under the foot.
static int32_t expect_on_stairs(const GtContext* context, const GtScene* climb, const GtGround* stairs)
{
    GtError error;
    GtContacts* contacts = NULL;
    GtContactsDef def = gt_default_contacts_def();
    int32_t animation = climb->animation_count - 1;
    GT_EXPECT_OK(find_contacts_of(context, climb, animation, &def, &contacts, &error));
    Player p = open_player(context, climb, animation);
    int32_t raised = 0;
    for (int32_t i = 0; i < contacts->count; ++i) {
        const GtContact* span = &contacts->spans[i];
        double time_s = 0.5 * (span->start_s + span->end_s);
        GtVec3 ankle = joint_at(&p, span->part < 2 ? "leftFoot" : "rightFoot", time_s);
        GtVec3 toes = joint_at(&p, span->part < 2 ? "leftToes" : "rightToes", time_s);
        float step = fmaxf(height_at(stairs, ankle.x, ankle.z), height_at(stairs, toes.x, toes.z));
        GT_EXPECT_NEAR(span->height_m, step, 0.02f);
        raised += span->height_m > 0.1f;
    }
    close_player(&p);
    gt_contacts_destroy(contacts);
    return raised;
}

// The source climbs stairs that nobody has told of: its feet stand on them, and so do those of longer legs.
static void test_a_source_that_climbs_stands_on_its_steps(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtGround* stairs = make_stairs(&context, 1.4, 0.2);
    GtScene* walk = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* climb = animate_person(&context, 1.0, walk, 0, stairs, NULL);
    int32_t clip = climb->animation_count - 1;
    assert_true(expect_on_stairs(&context, climb, stairs) >= 10);
    GtRetargetReport report;
    GtScene* tall = animate_person(&context, 1.3, climb, clip, NULL, &report);
    GtMeasureDef how = gt_default_measure_def();
    how.animation = tall->animation_count - 1;
    how.source = climb;
    how.source_animation = clip;
    how.mesh_frame_count = 0;
    GtMeasure* measure = NULL;
    GtError error;
    GT_EXPECT_OK(gt_measure(&context, tall, &how, &measure, &error));
    assert_true(report.plant.contact_count >= 8);
    for (int side = 0; side < 2; ++side) {
        assert_true(measure->feet[side].contact_count >= 4);
        assert_true(measure->feet[side].skate_m < 0.005);
        assert_true(measure->feet[side].float_m < 0.005);
    }
    gt_measure_destroy(measure);
    gt_scene_destroy(tall);
    gt_scene_destroy(climb);
    gt_scene_destroy(walk);
    gt_ground_destroy(stairs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ground_is_as_high_as_its_topmost_triangle),
        cmocka_unit_test(test_what_cannot_be_stood_on_is_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_a_walk_goes_up_a_slope),
        cmocka_unit_test(test_a_walk_climbs_stairs_and_stands_on_no_edge),
        cmocka_unit_test(test_a_source_that_climbs_stands_on_its_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
