// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Faults of known size are put into a motion, and must be read as what they are.

#include "measure/dummy.h"

#define DEGREE 0.017453292519943295

static GtQuat turn(GtVec3 axis, double degrees)
{
    return gt_quat_from_axis_angle(axis, (float)(degrees * DEGREE));
}

static const GtVec3 axis_x = { 1, 0, 0 };
static const GtVec3 axis_y = { 0, 1, 0 };
static const GtVec3 axis_z = { 0, 0, 1 };

static double ramp(double time_s, double from_s, double to_s)
{
    return fmin(fmax((time_s - from_s) / (to_s - from_s), 0.0), 1.0);
}

static void slide(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    joints[GT_HUMANOID_HIPS].translation.x += (float)(0.020 * ramp(time_s, 0.5, 1.5));
}

static void skate_of_20_mm_reads_20(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* still = make_dummy(&context, 121, NULL);
    GtScene* sliding = make_dummy(&context, 121, slide);
    for (int with_source = 0; with_source < 2; ++with_source) {
        GtMeasure* m = measure_scene(&context, sliding, with_source ? still : NULL);
        for (int side = 0; side < 2; ++side) {
            assert_int_equal(m->feet[side].contact_count, 1);
            GT_EXPECT_NEAR(m->feet[side].skate_m, 0.020, 1e-5);
            GT_EXPECT_NEAR(m->feet[side].skate_time_s, 1.5, 0.02);
            GT_EXPECT_NEAR(m->feet[side].contact_s, 2.0, 1e-4);
            GT_EXPECT_NEAR(m->feet[side].slip_mps, 0.010, 1e-5);
        }
        gt_measure_destroy(m);
    }
    gt_scene_destroy(sliding);
    gt_scene_destroy(still);
}

static void rush(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    joints[GT_HUMANOID_HIPS].translation.z += (float)(2.0 * time_s);
}

static void the_source_says_when_a_foot_stands(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* still = make_dummy(&context, 61, NULL);
    GtScene* rushing = make_dummy(&context, 61, rush);
    GtMeasure* alone = measure_scene(&context, rushing, NULL);
    assert_int_equal(alone->feet[0].contact_count, 0); // faster than any foot that stands
    assert_true(isnan(alone->feet[0].skate_m));
    GtMeasure* judged = measure_scene(&context, rushing, still);
    GT_EXPECT_NEAR(judged->feet[0].skate_m, 2.0, 1e-4);
    assert_true(strstr(judged->worst[0].what, "skated 2000 mm") != NULL);
    gt_measure_destroy(judged);
    gt_measure_destroy(alone);
    gt_scene_destroy(rushing);
    gt_scene_destroy(still);
}

// The whole figure turns about the lowest line of its heels, toes up, by half the angle a walker lands with.
static void roll_on_heels(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    GtQuat q = turn(axis_x, -12.0 * ramp(time_s, 0.3, 1.7));
    GtVec3 heel = gt_vec3(0.0f, 0.0f, -0.06f);
    GtTransform* hips = &joints[GT_HUMANOID_HIPS];
    hips->translation = gt_vec3_add(heel, gt_quat_rotate(q, gt_vec3_sub(hips->translation, heel)));
    hips->rotation = gt_quat_mul(q, hips->rotation);
}

static void a_heel_that_rolls_does_not_skate(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* rolling = make_dummy(&context, 121, roll_on_heels);
    GtMeasure* m = measure_scene(&context, rolling, NULL);
    assert_true(m->feet[0].contact_count > 0);
    assert_true(m->feet[0].contact_s > 1.5);
    assert_true(m->feet[0].skate_m < 0.004); // the ankle goes 20 mm back meanwhile
    gt_measure_destroy(m);
    gt_scene_destroy(rolling);
}

// The whole figure turns by 20 degrees, about the ball of its left foot.
static void turn_on_left_foot(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    GtVec3 pivot = gt_vec3(0.0f, 0.0f, 0.0f);
    for (int j = GT_HUMANOID_LEFT_TOES; j != GT_NONE; j = gt_humanoid_parent((GtHumanoidJoint)j)) {
        pivot = gt_vec3_add(pivot, joints[j].translation);
    }
    GtQuat twist = gt_quat_mul(turn(axis_y, 20.0 * ramp(time_s, 0.5, 1.5)), turn(axis_x, 0.03)); // a grain of 0.1 mm
    GtTransform* hips = &joints[GT_HUMANOID_HIPS];
    hips->translation = gt_vec3_add(pivot, gt_quat_rotate(twist, gt_vec3_sub(hips->translation, pivot)));
    hips->rotation = gt_quat_mul(twist, hips->rotation);
}

// Which of the points of a flat sole is the lowest nobody can say; it turns about one of them. Without a skin they are
// heel, ball and tip, all but as low.
static void a_flat_foot_that_turns_does_not_skate(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* still = make_dummy(&context, 121, NULL);
    GtScene* turning = make_dummy(&context, 121, turn_on_left_foot);
    for (int32_t i = 0; i < turning->node_count; ++i) {
        turning->nodes[i].mesh = turning->nodes[i].skin = GT_NONE;
    }
    GtMeasure* m = measure_scene(&context, turning, still);
    assert_true(m->feet[0].skate_m < 0.001);
    assert_true(m->feet[1].skate_m > 0.04);
    gt_measure_destroy(m);
    gt_scene_destroy(turning);
    gt_scene_destroy(still);
}

static void sink(GtTransform* joints, int32_t frame, double time_s)
{
    (void)time_s;
    joints[GT_HUMANOID_HIPS].translation.y -= frame == 40 ? 0.010f : 0.0f;
}

static void sink_to_the_knees(GtTransform* joints, int32_t frame, double time_s)
{
    (void)time_s;
    joints[GT_HUMANOID_HIPS].translation.y -= frame >= 40 ? 0.3f : 0.0f;
}

static void sink_deeper(GtTransform* joints, int32_t frame, double time_s)
{
    (void)time_s;
    joints[GT_HUMANOID_HIPS].translation.y -= frame >= 40 ? 0.32f : 0.0f;
}

static GtMeasure* measure_all_frames(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtMeasure* measure = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.floor_m = 0.0;
    def.mesh_frame_count = 61;
    GT_EXPECT_OK(gt_measure(context, scene, &def, &measure, &error));
    return measure;
}

// What is in the ground, is in it by as much more as the whole sinks deeper; what is over it is not.
static void every_part_of_the_body_is_held_against_the_ground(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scenes[2] = { make_dummy(&context, 61, sink_to_the_knees), make_dummy(&context, 61, sink_deeper) };
    GtMeasure* shallow = measure_all_frames(&context, scenes[0]);
    GtMeasure* deep = measure_all_frames(&context, scenes[1]);
    assert_true(shallow->sink_count > 0);
    assert_int_equal(shallow->sink_count, deep->sink_count);
    int in = 0;
    for (int32_t i = 0; i < deep->sink_count; ++i) {
        const GtSinkMeasure *a = &shallow->sinks[i], *b = &deep->sinks[i];
        assert_true(i == 0 || a->part > shallow->sinks[i - 1].part);
        if (a->part == GT_TOUCHED_LEFT_FOOT || a->part == GT_TOUCHED_RIGHT_FOOT) {
            GT_EXPECT_NEAR(a->depth_m, 0.3, 1e-3); // soles are at 0
            GT_EXPECT_NEAR(a->frame_share, 21.0 / 61.0, 1e-9);
            GT_EXPECT_NEAR(a->time_s, 40.0 / DUMMY_RATE, 0.4);
        }
        if (a->depth_m > 0.01) {
            GT_EXPECT_NEAR(b->depth_m - a->depth_m, 0.02, 1e-5);
            ++in;
        }
        if (a->part <= GT_TOUCHED_LEFT_HAND) {
            GT_EXPECT_NEAR(a->depth_m, 0.0, 1e-3);
        }
    }
    assert_true(in >= 2);
    gt_measure_destroy(shallow);
    gt_measure_destroy(deep);
    gt_scene_destroy(scenes[0]);
    gt_scene_destroy(scenes[1]);
}

static void hover(GtTransform* joints, int32_t frame, double time_s)
{
    (void)time_s;
    joints[GT_HUMANOID_HIPS].translation.y += frame >= 40 ? 0.012f : 0.0f;
}

static void penetration_and_float_read_what_they_are(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* still = make_dummy(&context, 61, NULL);
    GtScene* sunk = make_dummy(&context, 61, sink);
    GtScene* hovering = make_dummy(&context, 61, hover);
    GtMeasure* m = measure_scene(&context, sunk, still);
    GT_EXPECT_NEAR(m->floor_m, 0.0, 0.0);
    double sole = (double)m->series[GT_SERIES_RIGHT_SOLE][0]; // round soles of few corners stand a little high
    assert_true(fabs(sole) < 2e-4);
    GT_EXPECT_NEAR(m->feet[1].penetration_m, 0.010 - sole, 1e-5);
    GT_EXPECT_NEAR(m->feet[1].penetration_time_s, 40.0 / DUMMY_RATE, 1e-3);
    GT_EXPECT_NEAR(m->feet[1].penetration_mean_m, (0.010 - sole) / 61, 1e-6);
    GT_EXPECT_NEAR(m->feet[1].float_m, sole, 1e-5);
    gt_measure_destroy(m);
    m = measure_scene(&context, hovering, still);
    GT_EXPECT_NEAR(m->feet[0].float_m, 0.012 + sole, 1e-5);
    GT_EXPECT_NEAR(m->feet[0].float_mean_m, sole + 0.012 * 21 / 61, 1e-5);
    GT_EXPECT_NEAR(m->feet[0].penetration_m, 0.0, 1e-5);
    gt_measure_destroy(m);
    gt_scene_destroy(hovering);
    gt_scene_destroy(sunk);
    gt_scene_destroy(still);
}

static void bend_knees(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    joints[GT_HUMANOID_LEFT_LOWER_LEG].rotation = turn(axis_x, 40.0 - 20.0 * cos(2.0 * M_PI * time_s));
    joints[GT_HUMANOID_RIGHT_LOWER_LEG].rotation = joints[GT_HUMANOID_LEFT_LOWER_LEG].rotation;
}

static void pop_left_knee(GtTransform* joints, int32_t frame, double time_s)
{
    bend_knees(joints, frame, time_s);
    if (frame >= 60) {
        GtQuat* knee = &joints[GT_HUMANOID_LEFT_LOWER_LEG].rotation;
        *knee = gt_quat_mul(turn(axis_x, 5.0), *knee);
    }
}

static void a_knee_that_pops_shows(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* smooth = make_dummy(&context, 121, bend_knees);
    GtScene* popping = make_dummy(&context, 121, pop_left_knee);
    GtMeasure* m = measure_scene(&context, popping, smooth);
    double smooth_peak = 20.0 * DEGREE * 4.0 * M_PI * M_PI;
    double pop = 5.0 * DEGREE * DUMMY_RATE * DUMMY_RATE;
    GT_EXPECT_NEAR(m->knees[1].acceleration_radps2, smooth_peak, 0.05 * smooth_peak);
    GT_EXPECT_NEAR(m->knees[1].acceleration_ratio, 1.0, 1e-6);
    GT_EXPECT_NEAR(m->knees[1].jerk_ratio, 1.0, 1e-6);
    GT_EXPECT_NEAR(m->knees[0].acceleration_radps2, pop, 1.1 * smooth_peak);
    GT_EXPECT_NEAR(m->knees[0].acceleration_ratio, pop / smooth_peak, 0.1 * pop / smooth_peak);
    assert_true(m->knees[0].jerk_ratio > 10.0);
    GT_EXPECT_NEAR(m->knees[0].acceleration_time_s, 1.0, 1.5 / DUMMY_RATE);
    gt_measure_destroy(m);
    gt_scene_destroy(popping);
    gt_scene_destroy(smooth);
}

static void turn_joints(GtTransform* joints, int32_t frame, double time_s)
{
    (void)time_s;
    GtQuat* arm = &joints[GT_HUMANOID_LEFT_UPPER_ARM].rotation;
    GtQuat* head = &joints[GT_HUMANOID_HEAD].rotation;
    if (frame % 2) {
        *arm = gt_quat_mul(*arm, turn(axis_z, 15.0));
        *head = gt_quat_mul(*head, turn(axis_y, 8.0));
    }
}

static const GtDirectionMeasure* direction_of(const GtMeasure* m, GtHumanoidJoint joint)
{
    for (int32_t i = 0; i < m->direction_count; ++i) {
        if (m->directions[i].joint == joint) {
            return &m->directions[i];
        }
    }
    fail_msg("%s was not compared", gt_humanoid_name(joint));
    return NULL;
}

static void a_joint_turned_by_15_degrees_reads_15(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* still = make_dummy(&context, 60, NULL);
    GtScene* turned = make_dummy(&context, 60, turn_joints);
    GtMeasure* m = measure_scene(&context, turned, still);
    GT_EXPECT_NEAR(gt_degrees(direction_of(m, GT_HUMANOID_LEFT_UPPER_ARM)->max_rad), 15.0, 1e-3);
    GT_EXPECT_NEAR(gt_degrees(direction_of(m, GT_HUMANOID_LEFT_UPPER_ARM)->mean_rad), 7.5, 1e-3);
    GT_EXPECT_NEAR(gt_degrees(direction_of(m, GT_HUMANOID_LEFT_LOWER_ARM)->max_rad), 15.0,
                   1e-3); // it goes with the upper arm
    GT_EXPECT_NEAR(gt_degrees(direction_of(m, GT_HUMANOID_RIGHT_UPPER_ARM)->max_rad), 0.0, 1e-3);
    GT_EXPECT_NEAR(gt_degrees(direction_of(m, GT_HUMANOID_HEAD)->max_rad), 8.0, 1e-3);
    assert_true(direction_of(m, GT_HUMANOID_HEAD)->by_turn);
    GT_EXPECT_NEAR(gt_degrees(direction_of(m, GT_HUMANOID_LEFT_LOWER_LEG)->max_rad), 0.0, 1e-3);
    double sum = 0.0;
    for (int32_t i = 0; i < m->direction_count; ++i) {
        sum += m->directions[i].mean_rad;
    }
    GT_EXPECT_NEAR(m->direction_mean_rad, sum / m->direction_count, 1e-9);
    gt_measure_destroy(m);
    gt_scene_destroy(turned);
    gt_scene_destroy(still);
}

static void flip_an_arm(GtTransform* joints, int32_t frame, double time_s)
{
    (void)time_s;
    if (frame >= 30) { // about its own axis, so that it points where it did
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), 2.0943951f);
        joints[GT_HUMANOID_LEFT_LOWER_ARM].rotation = gt_quat_mul(joints[GT_HUMANOID_LEFT_LOWER_ARM].rotation, turn);
    }
}

static void a_flip_of_120_degrees_reads_120(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* still = make_dummy(&context, 60, NULL);
    GtScene* flips = make_dummy(&context, 60, flip_an_arm);
    GtMeasure* m = measure_scene(&context, flips, still);
    GT_EXPECT_NEAR(gt_degrees(m->flip.extra_turn_rad), 120.0, 0.01);
    assert_int_equal(m->flip.joint, GT_HUMANOID_LEFT_LOWER_ARM);
    GT_EXPECT_NEAR(m->flip.time_s, 0.5, 1e-6);
    gt_measure_destroy(m);
    m = measure_scene(&context, flips, flips);
    GT_EXPECT_NEAR(gt_degrees(m->flip.extra_turn_rad), 0.0, 0.01);
    gt_measure_destroy(m);
    gt_scene_destroy(flips);
    gt_scene_destroy(still);
}

static double jump_gravity;

// Up and down in the air for 0.6 s, standing before and after.
static void jump(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    double t = time_s - 0.7;
    if (t > 0.0 && t < 0.6) {
        joints[GT_HUMANOID_HIPS].translation.y += (float)(0.5 * jump_gravity * t * (0.6 - t));
        joints[GT_HUMANOID_HIPS].translation.z += (float)(1.5 * t);
    }
}

static void flights_are_held_against_free_fall(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    const double gravities[] = { 9.80665, 5.0 };
    for (int k = 0; k < 2; ++k) {
        jump_gravity = gravities[k];
        GtScene* scene = make_dummy(&context, 121, jump);
        GtMeasure* m = measure_scene(&context, scene, NULL);
        assert_int_equal(m->flight_count, 1);
        const GtFlightMeasure* flight = &m->flights[0];
        double span = flight->end_s - flight->start_s;
        assert_true(span > 0.45 && span <= 0.6);
        GT_EXPECT_NEAR(flight->gravity_mps2, gravities[k], 0.02);
        // What a parabola that is too flat by c t^2 leaves after a straight line: c T^2 / 6, at its ends.
        double miss = 0.5 * (9.80665 - gravities[k]) * span * span / 6.0;
        GT_EXPECT_NEAR(flight->miss_m, miss, 0.1 * miss + 2e-4);
        gt_measure_destroy(m);
        gt_scene_destroy(scene);
    }
}

static void lift_feet_and_stay(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    joints[GT_HUMANOID_HIPS].translation.y += time_s > 0.5 && time_s < 1.5 ? 0.3f : 0.0f;
}

static void what_hangs_does_not_fly(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_dummy(&context, 121, lift_feet_and_stay);
    GtMeasure* m = measure_scene(&context, scene, NULL);
    assert_int_equal(m->flight_count, 0);
    gt_measure_destroy(m);
    gt_scene_destroy(scene);
}

static void walk_away_with_a_seam(GtTransform* joints, int32_t frame, double time_s)
{
    joints[GT_HUMANOID_HIPS].translation.z += (float)(1.3 * time_s);
    joints[GT_HUMANOID_HEAD].translation.y += frame == 120 ? 0.030f : 0.0f;
}

static void a_seam_of_30_mm_reads_30(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_dummy(&context, 121, walk_away_with_a_seam);
    GtMeasure* m = measure_scene(&context, scene, NULL);
    GT_EXPECT_NEAR(m->seam.gap_m, 0.030, 1e-5);
    assert_int_equal(m->seam.node, scene->humanoid->nodes[GT_HUMANOID_HEAD]);
    GT_EXPECT_NEAR(gt_degrees(m->seam.turn_rad), 0.0, 1e-3);
    GT_EXPECT_NEAR(m->seam.speed_mps, 0.030 * DUMMY_RATE, 0.01);
    gt_measure_destroy(m);
    gt_scene_destroy(scene);
}

static void walk_round_with_a_seam(GtTransform* joints, int32_t frame, double time_s)
{
    float angle = (float)(0.6 * time_s);
    joints[GT_HUMANOID_HIPS].translation.x += 2.0f * (1.0f - cosf(angle));
    joints[GT_HUMANOID_HIPS].translation.z += 2.0f * sinf(angle);
    GtQuat heading = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), angle);
    joints[GT_HUMANOID_HIPS].rotation = gt_quat_mul(heading, joints[GT_HUMANOID_HIPS].rotation);
    joints[GT_HUMANOID_HEAD].translation.y += frame == 120 ? 0.030f : 0.0f;
}

static void a_curve_is_no_seam(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_dummy(&context, 121, walk_round_with_a_seam);
    GtMeasure* m = measure_scene(&context, scene, NULL);
    GT_EXPECT_NEAR(m->seam.gap_m, 0.030, 1e-5);
    GT_EXPECT_NEAR(gt_degrees(m->seam.turn_rad), 0.0, 0.05);
    GT_EXPECT_NEAR(m->seam.speed_mps, 0.030 * DUMMY_RATE, 0.02);
    gt_measure_destroy(m);
    gt_scene_destroy(scene);
}

// Toes reach half a metre into the ground while the foot rolls off, and the sole is on it while it stands.
static void dip_toes(GtTransform* joints, int32_t frame, double time_s)
{
    (void)frame;
    double phase = fmod(time_s, 0.5);
    joints[GT_HUMANOID_HIPS].translation.y -= phase > 0.3 ? 0.5f * (float)sin((phase - 0.3) / 0.2 * 3.14159) : 0.0f;
}

static void the_ground_is_where_feet_stand(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_dummy(&context, 121, dip_toes);
    GtScene* still = make_dummy(&context, 121, NULL);
    GtMeasure* m = measure_scene(&context, scene, still);
    assert_true(strstr(log.text, "the ground is taken") == NULL);
    GT_EXPECT_NEAR(m->floor_m, 0.0, 0.0);
    GT_EXPECT_NEAR(m->feet[0].penetration_m, 0.5, 0.01);
    GT_EXPECT_NEAR(m->feet[0].float_m, 0.0, 0.005);
    gt_measure_destroy(m);
    gt_scene_destroy(still);
    gt_scene_destroy(scene);
}

static void one_frame_is_measured_as_far_as_it_goes(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_dummy(&context, 1, sink);
    GtMeasure* m = measure_scene(&context, scene, scene);
    assert_int_equal(m->frame_count, 1);
    GT_EXPECT_NEAR(m->rate_hz, 0.0, 0.0);
    GT_EXPECT_NEAR(gt_degrees(m->direction_mean_rad), 0.0, 1e-3);
    assert_true(isnan(m->seam.gap_m));
    assert_true(isnan(m->knees[0].acceleration_radps2));
    assert_true(m->zone_count > 10);
    gt_measure_destroy(m);
    gt_scene_destroy(scene);
}

static void other_lengths_are_compared_at_another_pace(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* slow = make_dummy(&context, 121, bend_knees);
    GtScene* quick = make_dummy(&context, 61, bend_knees);
    GtMeasure* m = measure_scene(&context, quick, slow);
    assert_true(strstr(log.text, "played at 2 times") != NULL);
    assert_true(m->directions != NULL);
    gt_measure_destroy(m);
    gt_scene_destroy(quick);
    gt_scene_destroy(slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skate_of_20_mm_reads_20),
        cmocka_unit_test(the_source_says_when_a_foot_stands),
        cmocka_unit_test(a_heel_that_rolls_does_not_skate),
        cmocka_unit_test(a_flat_foot_that_turns_does_not_skate),
        cmocka_unit_test(penetration_and_float_read_what_they_are),
        cmocka_unit_test(every_part_of_the_body_is_held_against_the_ground),
        cmocka_unit_test(a_knee_that_pops_shows),
        cmocka_unit_test(a_joint_turned_by_15_degrees_reads_15),
        cmocka_unit_test(a_flip_of_120_degrees_reads_120),
        cmocka_unit_test(flights_are_held_against_free_fall),
        cmocka_unit_test(what_hangs_does_not_fly),
        cmocka_unit_test(a_seam_of_30_mm_reads_30),
        cmocka_unit_test(a_curve_is_no_seam),
        cmocka_unit_test(the_ground_is_where_feet_stand),
        cmocka_unit_test(one_frame_is_measured_as_far_as_it_goes),
        cmocka_unit_test(other_lengths_are_compared_at_another_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
