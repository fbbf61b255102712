// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every motion: loops that close, joints within their limits, feet that stand still, people of all shapes, silly
// parameters, every allocation failing in turn.

#include "motions/play.h"

#include "gertie/file.h"

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
    GtPersonDef people[8];
    for (int i = 0; i < 8; ++i) {
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
    people[6].build = 2.0;
    people[7].build = -1.0;
    people[7].hip_width = 0.7;
    for (int i = 0; i < 8; ++i) {
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
    } cases[] = { { GT_MOTION_TURN, 720.0, 720.0 }, { GT_MOTION_TWIST, 500.0, 500.0 } };
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

static bool stop_at_once(void* user, const char* task, double fraction)
{
    (void)task;
    (void)fraction;
    ++*(int*)user;
    return false;
}

static void test_it_can_be_cancelled(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    int asked = 0;
    context.progress = stop_at_once;
    context.progress_user = &asked;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_RANGE);
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(gt_sample_motion(&context, &def, &scene, NULL, &error), GT_ERROR_CANCELLED, "");
    assert_null(scene);
    assert_int_equal(asked, 1);
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
        cmocka_unit_test(test_motions_close),
        cmocka_unit_test(test_motions_start_at_ease),
        cmocka_unit_test(test_loops_run_on_smoothly),
        cmocka_unit_test(test_motions_are_within_what_joints_can_do),
        cmocka_unit_test(test_people_of_all_shapes_move),
        cmocka_unit_test(test_repetitions_go_on_where_the_last_one_ended),
        cmocka_unit_test(test_bvh_angles_run_on),
        cmocka_unit_test(test_the_same_motion_has_the_same_bytes),
        cmocka_unit_test(test_silly_parameters_are_refused),
        cmocka_unit_test(test_it_can_be_cancelled),
        cmocka_unit_test(test_few_frames_are_enough),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
