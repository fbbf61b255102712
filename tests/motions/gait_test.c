// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Walk and run against what they claim: feet that stand still, the model's lengths and durations, published data, free
// fall, left like right.

#include "motions/play.h"

static double mean_hip_m(const Play* p)
{
    double sum = 0.0;
    for (int i = 0; i < 400; ++i) {
        GtiPlaces places = places_at(p, p->end_s * i / 400.0);
        sum +=
            0.5 * (double)(places.points[GT_HUMANOID_LEFT_UPPER_LEG].y + places.points[GT_HUMANOID_RIGHT_UPPER_LEG].y);
    }
    return sum / 400.0;
}

// Between the bones, whatever the axes of the joints.
static double bend_deg(const GtiPlaces* places, GtHumanoidJoint a, GtHumanoidJoint b, GtHumanoidJoint c)
{
    GtVec3 u = gt_vec3_sub(places->points[b], places->points[a]);
    GtVec3 v = gt_vec3_sub(places->points[c], places->points[b]);
    double cosine = (double)(gt_vec3_dot(u, v) / (gt_vec3_length(u) * gt_vec3_length(v)));
    return acos(fmin(cosine, 1.0)) / DEGREE;
}

static double knee_deg(const GtiPlaces* places)
{
    return bend_deg(places, GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT);
}

static void test_the_walk_is_as_long_and_as_fast_as_the_model_says(void** state)
{
    (void)state;
    const double speeds_mps[] = { 0.3, 0.8, 1.4, 1.8, 2.1 };
    for (size_t i = 0; i < sizeof speeds_mps / sizeof speeds_mps[0]; ++i) {
        Play p = play_at(GT_MOTION_WALK, speeds_mps[i]);
        Steps steps = watch_steps(&p);
        double v = speeds_mps[i] / p.skeleton.leg_m;
        double cycle_s = 1.346 / sqrt(v);
        double half_frame = 0.5 / p.def.frame_rate_hz / cycle_s;
        GtVec3 way = gt_vec3_sub(pose_at(&p, p.end_s).hips, pose_at(&p, 0.0).hips);
        GT_EXPECT_NEAR((double)way.z / p.end_s, speeds_mps[i], 1e-5);
        GT_EXPECT_NEAR((double)way.x, 0.0, 1e-5);
        assert_true(steps.heel_count >= 4);
        for (int k = 1; k < 4; ++k) { // from print to print of the left heel: 1.346 sqrt(v) leg lengths
            double cycle_m = steps.heel_m[k] - steps.heel_m[k - 1];
            GT_EXPECT_NEAR(cycle_m / (1.346 * sqrt(v) * p.skeleton.leg_m), 1.0, half_frame + 1e-3);
        }
        GT_EXPECT_NEAR(steps.both, 2.0 * (0.252 * cycle_s - 0.143) / cycle_s, 0.02);
        GT_EXPECT_NEAR(steps.none, 0.0, 0.0);
        GT_EXPECT_NEAR(p.report.double_support, 2.0 * (0.252 * cycle_s - 0.143) / cycle_s, 0.005);
        assert_true(steps.drift_m < 0.0005);
        assert_true(steps.depth_m < 0.002);
        assert_true(p.report.max_foot_drift_m < 0.001);
        stop(&p);
    }
}

// Murray, Drought and Kory (1964) and Murray et al. (1966): men walk at 1.51 m/s in steps of 0.78 m, 117 a minute, and
// step length over step rate, the walk ratio, is the same at every speed (0.93 m and 138 a minute when fast; Sekiya and
// Nagasaki 1998). The hips' mean height is 0.96 to 0.98 of standing (subjects of the CMU motion capture collection).
static void test_the_walk_is_that_of_people(void** state)
{
    (void)state;
    const double speeds_mps[] = { 0.8, 1.4, 1.8 };
    const double walk_ratio = 0.78 / 117.0;
    for (int i = 0; i < 3; ++i) {
        Play p = play_at(GT_MOTION_WALK, speeds_mps[i]);
        double published_m = sqrt(60.0 * speeds_mps[i] * walk_ratio);
        GT_EXPECT_NEAR(p.report.step_m / published_m, 1.0, 0.05);
        GT_EXPECT_NEAR(mean_hip_m(&p) / (0.97 * p.skeleton.leg_m), 1.0, 0.02);
        GT_EXPECT_NEAR(p.report.mean_hip_height_m, mean_hip_m(&p), 1e-3);
        stop(&p);
    }
}

// Winter's mean knee of walking at natural cadence, by per cent of the cycle from heel strike.
static void test_the_knee_bends_as_in_people(void** state)
{
    (void)state;
    const struct {
        double percent, degrees;
    } knee[] = { { 0, 4 },   { 8, 14 },  { 14, 19 }, { 20, 17 }, { 26, 12 }, { 32, 8 },
                 { 38, 6 },  { 44, 7 },  { 50, 13 }, { 56, 24 }, { 60, 35 }, { 66, 51 },
                 { 72, 64 }, { 78, 60 }, { 84, 42 }, { 90, 20 }, { 96, 4 } };
    Play p = play(GT_MOTION_WALK);
    double sum = 0.0;
    for (size_t i = 0; i < sizeof knee / sizeof knee[0]; ++i) {
        GtiPlaces places = places_at(&p, p.report.cycle_s * (1.0 + knee[i].percent / 100.0));
        double off = knee_deg(&places) - knee[i].degrees;
        sum += off * off;
        assert_true(fabs(off) < 14.0);
    }
    double rms_deg = sqrt(sum / (sizeof knee / sizeof knee[0]));
    print_message("knee against Winter: %.1f degrees rms\n", rms_deg);
    assert_true(rms_deg < 6.0);
    stop(&p);
}

static void test_right_does_what_left_did_half_a_cycle_before(void** state)
{
    (void)state;
    for (int kind = GT_MOTION_WALK; kind <= GT_MOTION_RUN; ++kind) {
        GtMotionDef def = gt_default_motion_def((GtMotionKind)kind);
        def.frame_rate_hz = 400.0; // so that half a cycle is a frame, or nearly
        Play p = play_def(&def);
        double half_s = 0.5 * p.report.cycle_s;
        for (int i = 0; i < 40; ++i) {
            double t = p.report.cycle_s * i / 40.0;
            GtiPlaces before = places_at(&p, t);
            GtiPlaces after = places_at(&p, t + half_s);
            for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
                GtVec3 left = before.points[j];
                GtVec3 right = after.points[gt_humanoid_mirror((GtHumanoidJoint)j)];
                GT_EXPECT_NEAR(right.x, -left.x, 5e-4);
                GT_EXPECT_NEAR(right.y, left.y, 5e-4);
                GT_EXPECT_NEAR((double)right.z, (double)left.z + p.def.speed_mps * half_s, 5e-4);
            }
        }
        stop(&p);
    }
}

// Highest miss of the centre of mass from free fall, and the share of time in the air, of samples on frames.
static double fall_miss_m(const Play* p, double* rise_m, double* air)
{
    double dt = 1.0 / p->def.frame_rate_hz;
    int count = (int)(p->end_s / dt + 0.5);
    double* heights = malloc((size_t)(count + 1) * sizeof *heights);
    bool* airborne = malloc((size_t)(count + 1) * sizeof *airborne);
    assert_non_null(heights);
    assert_non_null(airborne);
    int in_air = 0;
    for (int i = 0; i <= count; ++i) {
        GtiPlaces places = places_at(p, i * dt);
        GtVec3 soles[2][SOLE_POINTS];
        sole_at(p, &places, GTI_LEFT, soles[0]);
        sole_at(p, &places, GTI_RIGHT, soles[1]);
        heights[i] = (double)gti_center_of_mass(&p->skeleton, &places).y;
        airborne[i] = fminf(lowest(soles[0]), lowest(soles[1])) > TOUCHING_M;
        in_air += airborne[i];
    }
    double miss_m = 0.0;
    *rise_m = 0.0;
    double start_m = 0.0;
    for (int i = 1; i < count; ++i) {
        start_m = airborne[i] && !airborne[i - 1] ? heights[i] : start_m;
        if (airborne[i - 1] && airborne[i] && airborne[i + 1]) {
            double bend = (heights[i - 1] - 2.0 * heights[i] + heights[i + 1]) / (dt * dt);
            miss_m = fmax(miss_m, fabs(bend + GRAVITY) * 0.5 * dt * dt);
            *rise_m = fmax(*rise_m, heights[i] - start_m);
        }
    }
    *air = (double)in_air / (count + 1);
    free(heights);
    free(airborne);
    return miss_m;
}

static void test_in_the_air_the_center_of_mass_falls_freely(void** state)
{
    (void)state;
    double rise_m = 0.0;
    double air = 0.0;
    const double speeds_mps[] = { 2.0, 3.3, 5.0, 6.5 };
    for (int i = 0; i < 4; ++i) {
        Play p = play_at(GT_MOTION_RUN, speeds_mps[i]);
        assert_true(fall_miss_m(&p, &rise_m, &air) < 2e-6);
        assert_true(p.report.max_parabola_miss_m < 1e-5);
        assert_true(p.report.flight > 0.1 && p.report.double_support == 0.0);
        GT_EXPECT_NEAR(air, p.report.flight, 0.05); // soles come down softly
        double flight_s = 0.5 * p.report.flight * p.report.cycle_s;
        GT_EXPECT_NEAR(rise_m, GRAVITY * flight_s * flight_s / 8.0, 0.006); // from the first frame in the air
        Steps steps = watch_steps(&p);
        assert_true(steps.drift_m < 0.001);
        assert_true(steps.depth_m < 0.004);
        stop(&p);
    }
    for (int i = 1; i <= 6; ++i) {
        GtMotionDef def = gt_default_motion_def(GT_MOTION_JUMP);
        def.rise_m = 0.1 * i;
        def.frame_rate_hz = 240.0;
        Play p = play_def(&def);
        assert_true(fall_miss_m(&p, &rise_m, &air) < 2e-6);
        assert_true(p.report.max_parabola_miss_m < 2e-6);
        GT_EXPECT_NEAR(rise_m, def.rise_m, 0.016); // the first frame in the air is not yet at take-off's height
        stop(&p);
    }
}

static void test_in_place_is_the_same_motion_without_the_way(void** state)
{
    (void)state;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
    Play there = play_def(&def);
    def.in_place = true;
    Play here = play_def(&def);
    for (int i = 0; i <= 30; ++i) {
        double t = here.end_s * i / 30.0;
        GtiPose a = pose_at(&there, t);
        GtiPose b = pose_at(&here, t);
        GT_EXPECT_NEAR((double)a.hips.z - def.speed_mps * t, b.hips.z, 2e-6);
        GT_EXPECT_NEAR(gt_quat_angle_rad(a.turns[GT_HUMANOID_LEFT_FOOT], b.turns[GT_HUMANOID_LEFT_FOOT]), 0.0, 1e-6);
    }
    GT_EXPECT_NEAR(here.report.max_foot_drift_m, there.report.max_foot_drift_m, 1e-5);
    stop(&here);
    stop(&there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_walk_is_as_long_and_as_fast_as_the_model_says),
        cmocka_unit_test(test_the_walk_is_that_of_people),
        cmocka_unit_test(test_the_knee_bends_as_in_people),
        cmocka_unit_test(test_right_does_what_left_did_half_a_cycle_before),
        cmocka_unit_test(test_in_the_air_the_center_of_mass_falls_freely),
        cmocka_unit_test(test_in_place_is_the_same_motion_without_the_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
