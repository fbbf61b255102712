// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures that rest in all kinds of poses must move as the one in the T-pose does: the oracle is that one.

#include "motion/puppets.h"

#include "gertie/bake.h"
#include "gertie/person.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const GtVec3 X = { 1.0f, 0.0f, 0.0f };
static const GtVec3 Y = { 0.0f, 1.0f, 0.0f };
static const GtVec3 Z = { 0.0f, 0.0f, 1.0f };

// Turn a joint of the resting figure in model space, with all that hangs from it. The person's joints have the axes of
// the model in the T-pose, and parents are turned before children.
static void turn_joint(GtScene* scene, GtHumanoidJoint joint, GtQuat turn)
{
    GtQuat above = gt_quat_identity();
    for (int32_t i = scene->nodes[joint].parent; i != GT_NONE; i = scene->nodes[i].parent) {
        above = gt_quat_mul(scene->nodes[i].local.rotation, above);
    }
    GtQuat local = gt_quat_mul(gt_quat_mul(gt_quat_conjugate(above), turn), above);
    scene->nodes[joint].local.rotation = gt_quat_normalize(gt_quat_mul(local, scene->nodes[joint].local.rotation));
}

static GtQuat about(GtVec3 axis, float degrees)
{
    return gt_quat_from_axis_angle(axis, degrees / 57.29578f);
}

static void splay(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_LEFT_UPPER_LEG, about(Z, 15.0f));
    turn_joint(s, GT_HUMANOID_LEFT_FOOT, gt_quat_mul(about(Y, 20.0f), about(Z, -15.0f)));
    turn_joint(s, GT_HUMANOID_RIGHT_UPPER_LEG, about(Z, -15.0f));
    turn_joint(s, GT_HUMANOID_RIGHT_FOOT, gt_quat_mul(about(Y, -20.0f), about(Z, 15.0f)));
}

static void hang_arms(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_LEFT_UPPER_ARM, about(Z, -80.0f));
    turn_joint(s, GT_HUMANOID_RIGHT_UPPER_ARM, about(Z, 80.0f));
}

// Arms stretched out ahead, palms down.
static void reach(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_LEFT_UPPER_ARM, about(Y, -85.0f));
    turn_joint(s, GT_HUMANOID_RIGHT_UPPER_ARM, about(Y, 85.0f));
}

// Elbows bent by 40 degrees, in arms that are rolled about themselves.
static void roll_arms(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_LEFT_UPPER_ARM, gt_quat_mul(about(Z, -40.0f), about(X, 30.0f)));
    turn_joint(s, GT_HUMANOID_LEFT_LOWER_ARM,
               about(gt_quat_rotate(gt_quat_mul(about(Z, -40.0f), about(X, 30.0f)), Y), -40.0f));
    turn_joint(s, GT_HUMANOID_RIGHT_UPPER_ARM, gt_quat_mul(about(Z, 40.0f), about(X, -25.0f)));
    turn_joint(s, GT_HUMANOID_RIGHT_LOWER_ARM,
               about(gt_quat_rotate(gt_quat_mul(about(Z, 40.0f), about(X, -25.0f)), Y), 40.0f));
}

static void turn_palms(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_LEFT_HAND, about(X, -70.0f));
    turn_joint(s, GT_HUMANOID_RIGHT_HAND, about(X, -70.0f));
}

static void curl_fingers(GtScene* s)
{
    for (int j = GT_HUMANOID_LEFT_INDEX_PROXIMAL; j <= GT_HUMANOID_LEFT_LITTLE_DISTAL; ++j) {
        turn_joint(s, (GtHumanoidJoint)j, about(Z, -25.0f));
    }
}

// A rig that faces away and lies on its back, as some exporters leave them.
static void lie_down(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_HIPS, gt_quat_mul(about(X, -90.0f), about(Y, 180.0f)));
}

// VRM 0 faces -Z.
static void face_away(GtScene* s)
{
    turn_joint(s, GT_HUMANOID_HIPS, about(Y, 180.0f));
}

// Knees bent by 45 degrees and turned out, soles flat.
static void crouch(GtScene* s)
{
    for (int side = 0; side < 2; ++side) {
        GtHumanoidJoint hip = side ? GT_HUMANOID_RIGHT_UPPER_LEG : GT_HUMANOID_LEFT_UPPER_LEG;
        GtQuat out = about(Y, side ? -20.0f : 20.0f);
        GtQuat thigh = gt_quat_mul(out, about(X, -25.0f));
        GtQuat shin = gt_quat_mul(gt_quat_mul(out, about(X, 45.0f)), gt_quat_conjugate(out));
        turn_joint(s, hip, thigh);
        turn_joint(s, hip + 1, shin);
        turn_joint(s, hip + 2, gt_quat_conjugate(gt_quat_mul(shin, thigh)));
    }
}

static void test_rest_poses_do_not_show(void** state)
{
    (void)state;
    static const struct {
        void (*pose)(GtScene* scene);
        double tolerance_m; // 1 % of height is asked for
        GtRestPose name;
    } cases[] = {
        { splay, 0.002, GT_REST_T },     { hang_arms, 1e-4, GT_REST_I },   { reach, 1e-3, GT_REST_OTHER },
        { roll_arms, 0.005, GT_REST_A }, { turn_palms, 0.002, GT_REST_T }, { curl_fingers, 1e-4, GT_REST_T },
        { lie_down, 1e-4, GT_REST_T },   { crouch, 0.01, GT_REST_T },      { face_away, 1e-4, GT_REST_T },
    };
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_KICK, gt_default_person_def());
    GtScene* upright = make_person(&context, gt_default_person_def());
    GtScene* expected = carry(&context, motion, upright, &def, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        GtScene* posed = make_person(&context, gt_default_person_def());
        cases[k].pose(posed);
        scramble_axes(posed);
        GtRetargetReport report;
        GtScene* out = carry(&context, motion, posed, &def, &report);
        expect_same_places(&context, out, expected, 1.0, cases[k].tolerance_m);
        if (cases[k].name != GT_REST_OTHER) {
            assert_int_equal(report.target_rest_pose, cases[k].name);
        }
        gt_scene_destroy(out);
        gt_scene_destroy(posed);
    }
    gt_scene_destroy(expected);
    gt_scene_destroy(upright);
    gt_scene_destroy(motion);
}

static void test_the_pose_of_the_a_pose_is_the_way_back(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtPersonDef person = gt_default_person_def();
    person.pose = GT_PERSON_POSE_A;
    GtScene* a = make_person(&context, person);
    GtRetargetPose pose;
    GtRetargetPoseReport report;
    GT_EXPECT_OK(find_pose_of(&context, a, a->humanoid, &pose, &report, &error));
    assert_int_equal(report.rest_pose, GT_REST_A);
    assert_false(report.used_bind_pose);
    GT_EXPECT_NEAR(report.max_rotation_rad * 57.29578f, 45.0, 3.0);
    for (int j = 0; j < GT_HUMANOID_LEFT_THUMB_METACARPAL; ++j) {
        bool of_feet =
            j == GT_HUMANOID_LEFT_FOOT || j == GT_HUMANOID_RIGHT_FOOT; // the person's are turned out a little
        float miss = gt_quat_angle_rad(pose.rotations[j], a->retarget_pose->rotations[j]);
        GT_EXPECT_NEAR(miss * 57.29578f, 0.0, of_feet ? 8.0 : 4.0);
    }
    GtHumanoidMap empty = gt_humanoid_map_empty();
    GT_EXPECT_ERROR(find_pose_of(&context, a, &empty, &pose, NULL, &error), GT_ERROR_BAD_VALUE, "lacks joints");
    gt_scene_destroy(a);
}

static void test_an_odd_rest_pose_yields_to_the_bind_pose(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* body = NULL;
    GtScene* odd = NULL;
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 6000;
    GT_EXPECT_OK(gt_sample_person(&context, &person, &body, NULL, &error));
    GT_EXPECT_OK(gt_scene_copy(&context, body, &odd, &error));
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    turn_joint(odd, GT_HUMANOID_LEFT_UPPER_LEG, about(X, -100.0f)); // left in the middle of a clip
    turn_joint(odd, GT_HUMANOID_LEFT_FOOT, gt_quat_mul(about(X, 40.0f), about(Y, 30.0f)));
    turn_joint(odd, GT_HUMANOID_RIGHT_HAND, about(X, 120.0f));
    turn_joint(odd, GT_HUMANOID_RIGHT_UPPER_ARM, about(Z, -70.0f));
    GtMapDef anew = gt_default_map_def();
    GtHumanoidMap map;
    anew.ignore_scene_map = true;
    for (int named = 0; named < 2; ++named) { // its joints are found all the same
        anew.ignore_names = !named;
        GT_EXPECT_OK(gt_map_humanoid(&context, odd, &anew, &map, NULL, &error));
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            if (named || gt_humanoid_required((GtHumanoidJoint)j)) {
                assert_int_equal(map.nodes[j], odd->humanoid->nodes[j]);
            }
        }
    }
    GtRetargetPose pose;
    GtRetargetPoseReport report;
    GT_EXPECT_OK(find_pose_of(&context, odd, odd->humanoid, &pose, &report, &error));
    assert_int_equal(report.rest_pose, GT_REST_OTHER);
    assert_true(report.used_bind_pose);
    GtRetargetDef def = bare_retarget_def();
    GtScene* expected = carry(&context, motion, body, &def, NULL);
    GtScene* out = carry(&context, motion, odd, &def, NULL);
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, expected, 0);
    const char* joints[] = { "leftToes", "rightToes", "leftHand", "rightIndexDistal", "head", "hips" };
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < 10; ++k) {
            GtVec3 miss = gt_vec3_sub(joint_at(&p, joints[j], 0.3 * k), joint_at(&q, joints[j], 0.3 * k));
            GT_EXPECT_NEAR(gt_vec3_length(miss), 0.0, 1e-3);
        }
    }
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(out);
    gt_scene_destroy(expected);
    gt_scene_destroy(motion);
    gt_scene_destroy(odd);
    gt_scene_destroy(body);
}

static void test_a_pose_that_comes_with_the_figure_is_used(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* person = make_person(&context, gt_default_person_def());
    GtRetargetDef def = bare_retarget_def();
    GtScene* plain = carry(&context, motion, person, &def, NULL);
    GtRetargetPose edited = *plain->retarget_pose; // what was found is kept with the result
    GtQuat bow = about(X, 30.0f);
    edited.rotations[GT_HUMANOID_HEAD] = gt_quat_mul(bow, edited.rotations[GT_HUMANOID_HEAD]);
    person->retarget_pose = &edited;
    GtScene* bowed = carry(&context, motion, person, &def, NULL);
    Player p = open_player(&context, bowed, 0);
    Player q = open_player(&context, plain, 0);
    play_at(&p, 0.5);
    play_at(&q, 0.5);
    int32_t head = player_node(&p, "head");
    float turned = gt_quat_angle_rad(p.instance->pose[head].rotation, q.instance->pose[head].rotation);
    GT_EXPECT_NEAR(turned * 57.29578f, 30.0, 1e-2);
    int32_t hand = player_node(&p, "leftHand");
    GT_EXPECT_NEAR(gt_quat_angle_rad(p.instance->pose[hand].rotation, q.instance->pose[hand].rotation), 0.0, 1e-5);
    close_player(&p);
    close_player(&q);
    person->retarget_pose = NULL;
    gt_scene_destroy(bowed);
    gt_scene_destroy(plain);
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
}

static void write_file(const char* path, const char* text)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Turns of a whole file do what the pose did; a file of one turn changes that, and the rest is found.
static void test_a_pose_goes_through_files(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtPersonDef person = gt_default_person_def();
    person.pose = GT_PERSON_POSE_A;
    GtScene* motion = make_motion(&context, GT_MOTION_BOXING, gt_default_person_def());
    GtScene* a = make_person(&context, person);
    a->retarget_pose = NULL;
    GtRetargetDef def = gt_default_retarget_def();
    GtScene* plain = carry(&context, motion, a, &def, NULL);
    char path[] = "/tmp/gertie-pose-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    GtHumanoidMap map;
    GtRetargetPose pose, back;
    GT_EXPECT_OK(find_pose_of(&context, a, a->humanoid, &pose, NULL, &error));
    GT_EXPECT_OK(gt_map_save(&context, a, a->humanoid, &pose, NULL, path, &error));
    GT_EXPECT_OK(gt_map_load(&context, a, path, &map, &back, &error));
    assert_memory_equal(&map, a->humanoid, sizeof map);
    int stated = 0;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool is_stated = gt_quat_length(back.rotations[j]) > 0.0f;
        GtQuat turn = is_stated ? back.rotations[j] : gt_quat_identity();
        GT_EXPECT_NEAR(gt_quat_angle_rad(turn, pose.rotations[j]) * 57.29578f, 0.0, 0.006);
        stated += is_stated;
    }
    assert_true(stated > 4 && stated < GT_HUMANOID_JOINT_COUNT);
    def.target_pose = &back;
    GtScene* again = carry(&context, motion, a, &def, NULL);
    expect_same_places(&context, again, plain, 1.0, 5e-4);
    write_file(path, "{\"joints\": {\"head\": {\"joint\": \"head\", \"rotation_deg\": [30, 0, 0]}}}");
    GT_EXPECT_OK(gt_map_load(&context, a, path, &map, &back, &error));
    GtScene* bowed = carry(&context, motion, a, &def, NULL);
    for (int32_t n = 0; n < a->node_count; ++n) { // the rest pose is the user's
        assert_memory_equal(&bowed->nodes[n].local, &a->nodes[n].local, sizeof(GtTransform));
    }
    Player p = open_player(&context, bowed, 0);
    Player q = open_player(&context, plain, 0);
    play_at(&p, 0.5);
    play_at(&q, 0.5);
    int32_t head = player_node(&p, "head"), hand = player_node(&p, "leftHand");
    float turned = gt_quat_angle_rad(p.instance->pose[head].rotation, q.instance->pose[head].rotation);
    GT_EXPECT_NEAR(turned * 57.29578f, 30.0, 0.1);
    GT_EXPECT_NEAR(gt_quat_angle_rad(p.instance->pose[hand].rotation, q.instance->pose[hand].rotation), 0.0, 1e-5);
    close_player(&p);
    close_player(&q);
    write_file(path, "{\"joints\": {\"head\": {\"joint\": \"head\", \"rotation_deg\": [30, 0]}}}");
    GT_EXPECT_ERROR(gt_map_load(&context, a, path, &map, &back, &error), GT_ERROR_BAD_VALUE,
                    "three numbers of degrees");
    assert_string_equal(error.where, "joints.head.rotation_deg");
    write_file(path, "{\"joints\": {\"head\": {\"joint\": \"head\", \"rotation_deg\": [1e9, 0, 0]}}}");
    GT_EXPECT_ERROR(gt_map_load(&context, a, path, &map, NULL, &error), GT_ERROR_BAD_VALUE,
                    "rotation_deg[0]: must be at most 360");
    remove(path);
    gt_scene_destroy(bowed);
    gt_scene_destroy(again);
    gt_scene_destroy(plain);
    gt_scene_destroy(a);
    gt_scene_destroy(motion);
}

static void test_standing_feet_show_their_soles(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtPersonDef tall = gt_default_person_def();
    tall.leg_length = 1.2;
    GtScene* flat = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* pointed = make_motion(&context, GT_MOTION_WALK, gt_default_person_def()); // at rest; its keys are the same
    turn_joint(pointed, GT_HUMANOID_LEFT_FOOT, about(X, 12.0f));
    turn_joint(pointed, GT_HUMANOID_RIGHT_FOOT, about(X, 12.0f));
    GtScene* person = make_person(&context, tall);
    GtScene* expected = carry(&context, flat, person, &def, NULL);
    GtScene* out = carry(&context, pointed, person, &def, NULL);
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, expected, 0);
    int32_t foot = player_node(&p, "leftFoot");
    for (int k = 0; k <= 20; ++k) {
        play_at(&p, 0.1 * k);
        play_at(&q, 0.1 * k);
        float miss = gt_quat_angle_rad(p.instance->pose[foot].rotation, q.instance->pose[foot].rotation);
        GT_EXPECT_NEAR(miss * 57.29578f, 0.0, 2.0); // of 12: the heels of a walk lift a little while it stands
    }
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(out);
    gt_scene_destroy(expected);
    gt_scene_destroy(person);
    gt_scene_destroy(pointed);
    gt_scene_destroy(flat);
}

// A capture that begins with a T-pose, after which the head is held `up_deg` higher, and wanders.
static GtScene* make_gaze(const GtContext* context, float up_deg)
{
    GtError error;
    GtScene* motion = make_person(context, gt_default_person_def());
    enum {
        FRAMES = 61
    };
    float times[FRAMES];
    GtTransform poses[FRAMES];
    int32_t head = GT_HUMANOID_HEAD;
    uint8_t path = GT_BAKE_ROTATION;
    for (int f = 0; f < FRAMES; ++f) {
        float wander = 8.0f * sinf(0.7f * (float)f);
        times[f] = (float)f / 30.0f;
        poses[f] = motion->nodes[head].local;
        poses[f].rotation = f == 0 ? poses[f].rotation : about(X, -up_deg - wander);
    }
    GtBakeDef bake = { "gaze", FRAMES, times, 1, &head, &path, poses };
    GT_EXPECT_OK(gt_scene_bake(context, motion, &bake, NULL, &error));
    motion->animations[0].tpose_first = true;
    return motion;
}

static void test_heads_look_down_for_long_but_not_up(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = gt_default_retarget_def();
    GtPersonDef tall = gt_default_person_def();
    tall.leg_length = 1.2;
    GtScene* person = make_person(&context, tall);
    static const float cases[][2] = { { 20.0f, 0.0f }, { -20.0f, -20.0f }, { 3.0f, 3.0f } }; // captured, shown
    for (int k = 0; k < 3; ++k) {
        GtScene* motion = make_gaze(&context, cases[k][0]);
        GtScene* out = carry(&context, motion, person, &def, NULL);
        Player p = open_player(&context, out, 0);
        int32_t head = player_node(&p, "head");
        double sum = 0.0;
        for (int f = 0; f < 60; ++f) {
            play_at(&p, f / 30.0);
            GtVec3 ahead = gt_quat_rotate(p.instance->pose[head].rotation, Z);
            sum += (double)(asinf(ahead.y) * 57.29578f) / 60.0;
        }
        GT_EXPECT_NEAR(sum, cases[k][1], 1.0);
        close_player(&p);
        gt_scene_destroy(out);
        gt_scene_destroy(motion);
    }
    gt_scene_destroy(person);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_poses_do_not_show),
        cmocka_unit_test(test_the_pose_of_the_a_pose_is_the_way_back),
        cmocka_unit_test(test_an_odd_rest_pose_yields_to_the_bind_pose),
        cmocka_unit_test(test_standing_feet_show_their_soles),
        cmocka_unit_test(test_a_pose_that_comes_with_the_figure_is_used),
        cmocka_unit_test(test_a_pose_goes_through_files),
        cmocka_unit_test(test_heads_look_down_for_long_but_not_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
