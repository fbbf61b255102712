// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Motions are played as a user plays them, from the baked clip and between its frames, and measured against what they
// claim: feet that stand still, the gait model's lengths and durations, published data, free fall, loops that close,
// left like right.

#include "support/test.h"

#include "gertie/build.h"
#include "gertie/clip.h"
#include "gertie/file.h"
#include "gertie/motions.h"
#include "sample/pose.h"

#include <stdlib.h>

#define GRAVITY    9.80665
#define TOUCHING_M 0.0005f // between frames a foot that stands can be this far from the ground
#define DEGREE     (3.14159265358979323846 / 180.0)

// A motion being played.
typedef struct Play {
    GtMotionDef def;
    GtMotionReport report;
    GtiSkeleton skeleton;
    GtScene* scene;
    GtCharacter* character;
    GtClip* clip;
    double end_s;
} Play;

static Play play_def(const GtMotionDef* def)
{
    GtContext context = gt_default_context();
    GtError error;
    GtBuildDef build = gt_default_build_def();
    Play p = { .def = *def };
    gti_person_skeleton(&def->person, &p.skeleton);
    GT_EXPECT_OK(gt_sample_motion(&context, def, &p.scene, &p.report, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, p.scene, &error));
    GT_EXPECT_OK(gt_character_build(&context, p.scene, &build, &p.character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&context, p.scene, 0, p.character, &p.clip, &error));
    p.end_s = gt_clip_end_s(p.clip);
    return p;
}

static Play play(GtMotionKind kind)
{
    GtMotionDef def = gt_default_motion_def(kind);
    return play_def(&def);
}

static Play play_at(GtMotionKind kind, double speed_mps)
{
    GtMotionDef def = gt_default_motion_def(kind);
    def.speed_mps = speed_mps;
    return play_def(&def);
}

static void stop(Play* p)
{
    gt_clip_destroy(p->clip);
    gt_character_destroy(p->character);
    gt_scene_destroy(p->scene);
}

static GtiPose pose_at(const Play* p, double time_s)
{
    GtTransform nodes[GT_HUMANOID_JOINT_COUNT];
    GtiPose pose;
    gt_clip_sample(p->clip, time_s, nodes, NULL);
    pose.hips = nodes[gt_character_node_from_source(p->character, 0)].translation;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        pose.turns[j] = nodes[gt_character_node_from_source(p->character, j)].rotation;
    }
    return pose;
}

static GtiPlaces places_at(const Play* p, double time_s)
{
    GtiPose pose = pose_at(p, time_s);
    GtiPlaces places;
    gti_pose_places(&p->skeleton, &pose, &places);
    return places;
}

enum {
    HEEL,
    BALL,
    TIP,
    SOLE_POINTS
};

// Heel, ball and tip of a sole.
static void sole_at(const Play* p, const GtiPlaces* places, int side, GtVec3 points[SOLE_POINTS])
{
    GtHumanoidJoint foot = gti_side_joint(GT_HUMANOID_LEFT_FOOT, side);
    GtHumanoidJoint toes = gti_side_joint(GT_HUMANOID_LEFT_TOES, side);
    points[HEEL] = gti_place_of(&p->skeleton, places, foot, p->skeleton.heels[side]);
    points[BALL] = gti_place_of(&p->skeleton, places, toes, p->skeleton.balls[side]);
    points[TIP] = gti_place_of(&p->skeleton, places, toes, p->skeleton.toe_tips[side]);
}

static float lowest(const GtVec3 points[SOLE_POINTS])
{
    return fminf(points[HEEL].y, fminf(points[BALL].y, points[TIP].y));
}

// What the soles do, sampled four times a frame.
typedef struct Steps {
    double drift_m;   // of a point while it is planted: down, and a frame before and after too
    double depth_m;   // of the lowest point below the ground
    double both;      // share of time in which both soles touch the ground
    double none;      // share in which none does
    double heel_m[8]; // where the left heel was planted, along the way
    int heel_count;
} Steps;

enum {
    SAMPLES_A_FRAME = 4
};

// All soles at one moment.
typedef struct Soles {
    GtVec3 points[2][SOLE_POINTS];
    bool down[2][SOLE_POINTS];
} Soles;

static bool is_planted(const Soles* soles, int count, int i, int side, int k)
{
    for (int n = -SAMPLES_A_FRAME; n <= SAMPLES_A_FRAME; ++n) {
        if (i + n >= 0 && i + n < count && !soles[i + n].down[side][k]) {
            return false;
        }
    }
    return true;
}

static void watch_point(const Soles* soles, int count, int side, int k, Steps* steps)
{
    GtVec3 anchor = { 0.0f, 0.0f, 0.0f };
    bool held = false;
    for (int i = 0; i < count; ++i) {
        GtVec3 point = soles[i].points[side][k];
        bool planted = is_planted(soles, count, i, side, k);
        if (planted && !held) {
            anchor = point;
            if (side == GTI_LEFT && k == HEEL && steps->heel_count < 8) {
                steps->heel_m[steps->heel_count++] = (double)point.z;
            }
        }
        if (planted) {
            steps->drift_m = fmax(steps->drift_m, hypot((double)(point.x - anchor.x), (double)(point.z - anchor.z)));
        }
        held = planted;
    }
}

static Steps watch_steps(const Play* p)
{
    Steps steps = { 0 };
    int count = SAMPLES_A_FRAME * (p->report.frame_count - 1) + 1;
    Soles* soles = calloc((size_t)count, sizeof *soles);
    assert_non_null(soles);
    int both = 0;
    int none = 0;
    for (int i = 0; i < count; ++i) {
        GtiPlaces places = places_at(p, p->end_s * i / (count - 1));
        int touching = 0;
        for (int side = 0; side < 2; ++side) {
            GtVec3* points = soles[i].points[side];
            sole_at(p, &places, side, points);
            steps.depth_m = fmax(steps.depth_m, -(double)lowest(points));
            touching += lowest(points) < TOUCHING_M;
            for (int k = 0; k < SOLE_POINTS; ++k) {
                soles[i].down[side][k] = points[k].y < TOUCHING_M;
            }
        }
        both += touching == 2;
        none += touching == 0;
    }
    for (int k = 0; k < 2 * SOLE_POINTS; ++k) {
        watch_point(soles, count, k / SOLE_POINTS, k % SOLE_POINTS, &steps);
    }
    steps.both = (double)both / count;
    steps.none = (double)none / count;
    free(soles);
    return steps;
}

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
        GT_EXPECT_NEAR(air, p.report.flight, 0.03);
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

// The pose at the end is that of the beginning, on the way and the heading that the motion says.
static void test_motions_close(void** state)
{
    (void)state;
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        Play p = play((GtMotionKind)kind);
        GtiPose first = pose_at(&p, 0.0);
        GtiPose last = pose_at(&p, p.end_s);
        double turn_rad = kind == GT_MOTION_TURN ? p.def.angle_rad : 0.0;
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), (float)turn_rad);
        GT_EXPECT_NEAR(gt_quat_angle_rad(gt_quat_mul(turn, first.turns[0]), last.turns[0]), 0.0, 1e-3);
        GtVec3 turned = gt_quat_rotate(turn, first.hips);
        GT_EXPECT_NEAR(turned.x, last.hips.x, 1e-4);
        GT_EXPECT_NEAR(turned.y, last.hips.y, 1e-4);
        for (int j = 1; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            GT_EXPECT_NEAR(gt_quat_angle_rad(first.turns[j], last.turns[j]), 0.0, 1e-3);
        }
        stop(&p);
    }
}

// What does not go round starts and ends standing at ease, so that one can follow the other.
static void test_motions_start_at_ease(void** state)
{
    (void)state;
    Play idle = play(GT_MOTION_IDLE);
    GtiPose ease = pose_at(&idle, 0.0);
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        if (gt_motion_loops((GtMotionKind)kind)) {
            continue;
        }
        Play p = play((GtMotionKind)kind);
        GtiPose first = pose_at(&p, 0.0);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(first.hips, ease.hips)), 0.0, 2e-4);
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            GT_EXPECT_NEAR(gt_quat_angle_rad(first.turns[j], ease.turns[j]), 0.0, 2e-3);
        }
        stop(&p);
    }
    stop(&idle);
}

// How much the turn from frame to frame changes at frame `i`.
static double jolt_rad(const Play* p, int i, int joint)
{
    double dt = 1.0 / p->def.frame_rate_hz;
    GtQuat before = pose_at(p, (i - 1) * dt).turns[joint];
    GtQuat at = pose_at(p, i * dt).turns[joint];
    GtQuat after = pose_at(p, (i + 1) * dt).turns[joint];
    return (double)gt_quat_angle_rad(gt_quat_mul(gt_quat_conjugate(before), at),
                                     gt_quat_mul(gt_quat_conjugate(at), after));
}

// Where a loop closes, no joint is jolted more than it is elsewhere.
static void test_loops_run_on_smoothly(void** state)
{
    (void)state;
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        if (!gt_motion_loops((GtMotionKind)kind)) {
            continue;
        }
        GtMotionDef def = gt_default_motion_def((GtMotionKind)kind);
        def.repeat_count = 2;
        Play p = play_def(&def);
        int frames = (p.report.frame_count - 1) / 2;
        for (int j = 0; j < GT_HUMANOID_LEFT_THUMB_METACARPAL; ++j) {
            double elsewhere = 0.0;
            for (int i = 2; i < frames - 1; ++i) {
                elsewhere = fmax(elsewhere, jolt_rad(&p, i, j));
                elsewhere = fmax(elsewhere, jolt_rad(&p, i, (int)gt_humanoid_mirror((GtHumanoidJoint)j)));
            }
            if (!(jolt_rad(&p, frames, j) <= 1.2 * elsewhere + 1e-4)) {
                fail_msg("%s: %s is jolted by %g, elsewhere by %g at most", gt_motion_name((GtMotionKind)kind),
                         gt_humanoid_name((GtHumanoidJoint)j), jolt_rad(&p, frames, j), elsewhere);
            }
        }
        stop(&p);
    }
}

// Knees and elbows are hinges that do not go backwards, nothing jumps from frame to frame, nothing is under the ground.
static void test_motions_are_within_what_joints_can_do(void** state)
{
    (void)state;
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        Play p = play((GtMotionKind)kind);
        double dt = 1.0 / p.def.frame_rate_hz;
        GtiPose before = pose_at(&p, 0.0);
        for (double t = dt; t < p.end_s; t += dt) {
            GtiPose pose = pose_at(&p, t);
            for (int side = 0; side < 2; ++side) {
                GtQuat knee = pose.turns[gti_side_joint(GT_HUMANOID_LEFT_LOWER_LEG, side)];
                double bent_deg = 2.0 * atan2((double)knee.x, (double)knee.w) / DEGREE;
                bent_deg = bent_deg > 180.0 ? bent_deg - 360.0 : bent_deg;
                assert_true(bent_deg > -1.0 && bent_deg < 150.0);
                GT_EXPECT_NEAR(knee.y, 0.0, 1e-6);
                GT_EXPECT_NEAR(knee.z, 0.0, 1e-6);
            }
            for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
                double rate_radps = (double)gt_quat_angle_rad(before.turns[j], pose.turns[j]) / dt;
                if (!(rate_radps < 24.0)) {
                    fail_msg("%s at %g s: %s turns by %g radians a second", gt_motion_name((GtMotionKind)kind), t,
                             gt_humanoid_name((GtHumanoidJoint)j), rate_radps);
                }
            }
            before = pose;
        }
        Steps steps = watch_steps(&p);
        assert_true(steps.depth_m < 0.001);
        assert_true(steps.drift_m < 0.0005);
        assert_true(p.report.max_foot_drift_m < 0.001);
        stop(&p);
    }
}

static void test_people_of_all_shapes_move(void** state)
{
    (void)state;
    GtPersonDef people[6];
    for (int i = 0; i < 6; ++i) {
        people[i] = gt_default_person_def();
    }
    people[0].height_m = 0.6;
    people[1].height_m = 2.4;
    people[2].leg_length = 1.4;
    people[3].leg_length = 0.7;
    people[3].foot_size = 1.4;
    people[4].hip_width = 1.4;
    people[4].arm_length = 1.4;
    people[5].foot_size = 0.7;
    people[5].pose = GT_PERSON_POSE_A;
    for (int i = 0; i < 6; ++i) {
        for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
            GtMotionDef def = gt_default_motion_def((GtMotionKind)kind);
            GtiSkeleton skeleton;
            gti_person_skeleton(&people[i], &skeleton);
            def.person = people[i];
            def.speed_mps *= skeleton.leg_m / 0.9275; // as fast as they seem to be
            def.rise_m *= skeleton.leg_m / 0.9275;
            Play p = play_def(&def);
            Steps steps = watch_steps(&p);
            if (!(steps.drift_m < 0.002 && steps.depth_m < 0.003)) {
                fail_msg("person %d, %s: drift %g m, depth %g m", i, gt_motion_name((GtMotionKind)kind), steps.drift_m,
                         steps.depth_m);
            }
            stop(&p);
        }
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

static void test_repetitions_go_on_where_the_last_one_ended(void** state)
{
    (void)state;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_TURN);
    def.repeat_count = 3;
    Play p = play_def(&def);
    for (int i = 0; i <= 3; ++i) {
        GtiPose pose = pose_at(&p, p.end_s * i / 3.0);
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), (float)(i * def.angle_rad));
        GT_EXPECT_NEAR(gt_quat_angle_rad(pose.turns[0], turn), 0.0, 0.002);
    }
    stop(&p);
    def = gt_default_motion_def(GT_MOTION_KICK);
    def.repeat_count = 2;
    p = play_def(&def);
    double half_m = (double)(pose_at(&p, 0.5 * p.end_s).hips.z - pose_at(&p, 0.0).hips.z);
    GT_EXPECT_NEAR(pose_at(&p, p.end_s).hips.z - pose_at(&p, 0.0).hips.z, 2.0 * half_m, 1e-4);
    assert_true(half_m > 0.3);
    stop(&p);
}

// The angles in a BVH run on past half a turn: those of a hand that twists and of hips that turn round twice.
static void test_bvh_angles_run_on(void** state)
{
    (void)state;
    const struct {
        GtMotionKind kind;
        double angle_deg, range_deg;
    } cases[] = { { GT_MOTION_TURN, 720.0, 720.0 }, { GT_MOTION_TWIST, 270.0, 2.0 * 0.6 * 270.0 } };
    for (int i = 0; i < 2; ++i) {
        GtContext context = gt_default_context();
        GtError error;
        GtMotionDef def = gt_default_motion_def(cases[i].kind);
        def.angle_rad = cases[i].angle_deg * DEGREE;
        GtScene* scene = NULL;
        GtBlob* blob = NULL;
        GtSaveDef save = gt_default_save_def();
        GT_EXPECT_OK(gt_sample_motion(&context, &def, &scene, NULL, &error));
        GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "bvh", &save, &blob, &error));
        char* text = malloc(gt_blob_size(blob) + 1);
        assert_non_null(text);
        memcpy(text, gt_blob_bytes(blob), gt_blob_size(blob));
        text[gt_blob_size(blob)] = 0;
        char* at = strstr(text, "Frame Time:");
        assert_non_null(at);
        at = strchr(at, '\n') + 1;
        enum {
            VALUES = 3 + 3 * GT_HUMANOID_JOINT_COUNT
        };
        double before[VALUES] = { 0.0 };
        double low[VALUES];
        double high[VALUES];
        double widest = 0.0;
        for (int frame = 0; *at; ++frame) {
            for (int v = 0; v < VALUES; ++v) {
                double value = strtod(at, &at);
                if (frame > 0) {
                    assert_true(fabs(value - before[v]) < 20.0);
                }
                low[v] = frame ? fmin(low[v], value) : value;
                high[v] = frame ? fmax(high[v], value) : value;
                widest = fmax(widest, high[v] - low[v]);
                before[v] = value;
            }
            while (*at == '\n' || *at == ' ') {
                ++at;
            }
        }
        GT_EXPECT_NEAR(widest, cases[i].range_deg, 2.0);
        free(text);
        gt_blob_release(blob);
        gt_scene_destroy(scene);
    }
}

static void test_the_same_motion_has_the_same_bytes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        GtBlob* blobs[2] = { NULL, NULL };
        for (int i = 0; i < 2; ++i) {
            GtMotionDef def = gt_default_motion_def((GtMotionKind)kind);
            GtScene* scene = NULL;
            GtSaveDef save = gt_default_save_def();
            GT_EXPECT_OK(gt_sample_motion(&context, &def, &scene, NULL, &error));
            assert_string_equal(scene->animations[0].name, gt_motion_name((GtMotionKind)kind));
            GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", &save, &blobs[i], &error));
            gt_scene_destroy(scene);
        }
        assert_int_equal(gt_blob_size(blobs[0]), gt_blob_size(blobs[1]));
        assert_memory_equal(gt_blob_bytes(blobs[0]), gt_blob_bytes(blobs[1]), gt_blob_size(blobs[0]));
        gt_blob_release(blobs[0]);
        gt_blob_release(blobs[1]);
    }
}

static void test_silly_parameters_are_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    const double silly_mps[] = { 40.0, 0.0, -1.4, 1e300, NAN, INFINITY };
    for (int i = 0; i < 6; ++i) {
        GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
        def.speed_mps = silly_mps[i];
        GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE,
                        "legs of 0.93 m walk at 0.19 to 2.13 m/s");
        def.kind = GT_MOTION_RUN;
        GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE,
                        "legs of 0.93 m run at 1.67 to 6.96 m/s");
        def.rise_m = silly_mps[i];
        def.kind = GT_MOTION_JUMP;
        GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "jump 0.02 to");
        def = gt_default_motion_def(GT_MOTION_IDLE);
        def.tempo = silly_mps[i];
        GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "tempo");
        def = gt_default_motion_def(GT_MOTION_IDLE);
        def.person.height_m = silly_mps[i];
        GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "height");
    }
    GtMotionDef def = gt_default_motion_def(GT_MOTION_TURN);
    def.angle_rad = NAN;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "a turn by");
    def = gt_default_motion_def(GT_MOTION_SQUAT);
    def.angle_rad = 3.0;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "give 20 to 140");
    def = gt_default_motion_def(GT_MOTION_TWIST);
    def.angle_rad = 0.0;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "a twist by");
    def = gt_default_motion_def(GT_MOTION_WALK);
    def.frame_rate_hz = NAN;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "frames a second");
    def.frame_rate_hz = 1000.0;
    def.repeat_count = 10000;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_LIMIT, "frames; the limit is");
    def.repeat_count = 0;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "repetitions");
    def = gt_default_motion_def(GT_MOTION_COUNT);
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_BAD_VALUE, "no motion");
    assert_string_equal(gt_motion_name(GT_MOTION_COUNT), "");
    assert_null(scene);
}

// A low frame rate, at which a cycle has few frames, still makes a motion.
static void test_few_frames_are_enough(void** state)
{
    (void)state;
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        GtMotionDef def = gt_default_motion_def((GtMotionKind)kind);
        def.frame_rate_hz = 1.0;
        Play p = play_def(&def);
        assert_true(p.report.frame_count >= 3);
        stop(&p);
    }
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    for (int kind = 0; kind < GT_MOTION_COUNT; ++kind) {
        GtMotionDef def = gt_default_motion_def((GtMotionKind)kind);
        def.frame_rate_hz = 4.0;
        GtResult result = GT_ERROR_OUT_OF_MEMORY;
        for (int64_t allowed = 0; result != GT_OK; ++allowed) {
            TestAllocator limited = { .remaining = allowed };
            GtContext context = gt_default_context();
            context.allocator = test_allocator(&limited);
            GtScene* scene = NULL;
            result = gt_sample_motion(&context, &def, &scene, NULL, &error);
            assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
            gt_scene_destroy(scene);
            assert_int_equal(limited.alive, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_walk_is_as_long_and_as_fast_as_the_model_says),
        cmocka_unit_test(test_the_walk_is_that_of_people),
        cmocka_unit_test(test_the_knee_bends_as_in_people),
        cmocka_unit_test(test_right_does_what_left_did_half_a_cycle_before),
        cmocka_unit_test(test_in_the_air_the_center_of_mass_falls_freely),
        cmocka_unit_test(test_motions_close),
        cmocka_unit_test(test_motions_start_at_ease),
        cmocka_unit_test(test_loops_run_on_smoothly),
        cmocka_unit_test(test_motions_are_within_what_joints_can_do),
        cmocka_unit_test(test_people_of_all_shapes_move),
        cmocka_unit_test(test_in_place_is_the_same_motion_without_the_way),
        cmocka_unit_test(test_repetitions_go_on_where_the_last_one_ended),
        cmocka_unit_test(test_bvh_angles_run_on),
        cmocka_unit_test(test_the_same_motion_has_the_same_bytes),
        cmocka_unit_test(test_silly_parameters_are_refused),
        cmocka_unit_test(test_few_frames_are_enough),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
