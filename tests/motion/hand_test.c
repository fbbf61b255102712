// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Wrists, fingers and toes stay within what people can do, and hands that a motion has no fingers of are held in a
// pose. The oracle is where joints are: angles between bones, and a thumb that lies over fingers.

#include "motion/puppets.h"

#include "gertie/bake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 37
};

// Another build than the one that motions are of, so that limits apply; axes are scrambled, so that none is special.
static GtScene* make_other(const GtContext* context)
{
    GtPersonDef person = gt_default_person_def();
    person.arm_length = 0.85;
    person.hand_size = 1.2;
    person.pose = GT_PERSON_POSE_A;
    GtScene* scene = make_person(context, person);
    scene->retarget_pose = NULL;
    scramble_axes(scene);
    return scene;
}

static double angle_at(int step, double from_deg, double to_deg)
{
    return from_deg + (to_deg - from_deg) * step / (STEPS - 1.0);
}

// A person in the T-pose with one or two joints that turn about an axis, a degree range each in STEPS frames of a
// second.
typedef struct Sweep {
    GtHumanoidJoint joint;
    GtVec3 axis;
    double from_deg, to_deg;
} Sweep;

static GtScene* make_sweep(const GtContext* context, const Sweep* sweeps, int count)
{
    GtError error;
    GtScene* scene = make_person(context, gt_default_person_def());
    float times[STEPS];
    GtTransform poses[2 * STEPS];
    int32_t nodes[2];
    const uint8_t paths[2] = { GT_BAKE_ROTATION, GT_BAKE_ROTATION };
    for (int k = 0; k < count; ++k) {
        nodes[k] = scene->humanoid->nodes[sweeps[k].joint];
    }
    for (int i = 0; i < STEPS; ++i) {
        times[i] = (float)i / (STEPS - 1.0f);
        for (int k = 0; k < count; ++k) {
            GtTransform* local = &poses[count * i + k];
            float angle = (float)gt_radians(angle_at(i, sweeps[k].from_deg, sweeps[k].to_deg));
            *local = scene->nodes[nodes[k]].local;
            local->rotation = gt_quat_mul(gt_quat_from_axis_angle(sweeps[k].axis, angle), local->rotation);
        }
    }
    GtBakeDef def = gt_default_bake_def();
    def.frame_count = STEPS;
    def.times_s = times;
    def.node_count = count;
    def.nodes = nodes;
    def.paths = paths;
    def.poses = poses;
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, NULL, &error));
    return scene;
}

// The angle of a bone from another, in degrees: positive where it turns about the axis that two directions of the
// person have at right angles to both.
static double bend_between(Player* p, const char* const bones[4], double time_s)
{
    GtVec3 a = gt_vec3_sub(joint_at(p, bones[1], time_s), joint_at(p, bones[0], time_s));
    GtVec3 b = gt_vec3_sub(joint_at(p, bones[3], time_s), joint_at(p, bones[2], time_s));
    double cosine = (double)(gt_vec3_dot(a, b) / (gt_vec3_length(a) * gt_vec3_length(b)));
    return gt_degrees(acos(fmin(fmax(cosine, -1.0), 1.0)));
}

// What a joint may do, and the bones before and behind it.
typedef struct Limit {
    Sweep sweep;
    double least_deg, most_deg;
    const char* bones[4];
} Limit;

static const Limit limits[] = {
    { { GT_HUMANOID_LEFT_HAND, { 0.0f, 0.0f, -1.0f }, -150.0, 150.0 },
      -80.0,
      80.0,
      { "leftLowerArm", "leftHand", "leftHand", "leftMiddleProximal" } },
    { { GT_HUMANOID_RIGHT_HAND, { 0.0f, 0.0f, 1.0f }, -150.0, 150.0 },
      -80.0,
      80.0,
      { "rightLowerArm", "rightHand", "rightHand", "rightMiddleProximal" } },
    { { GT_HUMANOID_LEFT_HAND, { 0.0f, -1.0f, 0.0f }, -100.0, 100.0 },
      -35.0,
      20.0,
      { "leftLowerArm", "leftHand", "leftHand", "leftMiddleProximal" } },
    { { GT_HUMANOID_LEFT_MIDDLE_INTERMEDIATE, { 0.0f, 0.0f, -1.0f }, -90.0, 160.0 },
      -10.0,
      120.0,
      { "leftMiddleProximal", "leftMiddleIntermediate", "leftMiddleIntermediate", "leftMiddleDistal" } },
    { { GT_HUMANOID_RIGHT_LITTLE_PROXIMAL, { 0.0f, 0.0f, 1.0f }, -90.0, 150.0 },
      -30.0,
      100.0,
      { "rightHand", "rightLittleProximal", "rightLittleProximal", "rightLittleIntermediate" } },
};

static void test_joints_stay_within_their_limits(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* other = make_other(&context);
    GtRetargetDef def = bare_retarget_def();
    for (size_t l = 0; l < sizeof limits / sizeof *limits; ++l) {
        const Limit* limit = &limits[l];
        GtScene* motion = make_sweep(&context, &limit->sweep, 1);
        GtScene* out = carry(&context, motion, other, &def, NULL);
        Player p = open_player(&context, out, 0);
        double zero_s = -limit->sweep.from_deg / (limit->sweep.to_deg - limit->sweep.from_deg);
        double offset = bend_between(&p, limit->bones, zero_s); // bones of hands fan out
        double last = 0.0;
        for (int i = 0; i < STEPS; ++i) {
            double wanted = angle_at(i, limit->sweep.from_deg, limit->sweep.to_deg);
            double bend = bend_between(&p, limit->bones, (double)i / (STEPS - 1));
            double most = (wanted < 0.0 ? -limit->least_deg : limit->most_deg) + 10.0;
            assert_true(bend <= most + offset + 0.1);
            if (wanted >= limit->least_deg && wanted <= limit->most_deg && offset < 0.1) {
                GT_EXPECT_NEAR(bend, fabs(wanted), 0.1);
            }
            if (i > 0) { // and never jumps
                assert_true(fabs(bend - last) <
                            3.0 * (limit->sweep.to_deg - limit->sweep.from_deg) / (STEPS - 1) + 0.1);
            }
            last = bend;
        }
        close_player(&p);
        gt_scene_destroy(out);
        gt_scene_destroy(motion);
    }
    gt_scene_destroy(other);
}

// What people do is carried over as it is: bones of fingers have the angles that they have in the motion.
static void test_what_people_do_is_not_changed(void** state)
{
    (void)state;
    static const char* const bones[][4] = {
        { "leftIndexProximal", "leftIndexIntermediate", "leftIndexIntermediate", "leftIndexDistal" },
        { "rightLittleProximal", "rightLittleIntermediate", "rightLittleIntermediate", "rightLittleDistal" },
        { "leftThumbMetacarpal", "leftThumbProximal", "leftThumbProximal", "leftThumbDistal" },
        { "rightThumbProximal", "rightThumbDistal", "rightIndexProximal", "rightIndexIntermediate" },
    };
    GtContext context = gt_default_context();
    GtPersonDef person = gt_default_person_def();
    person.arm_length = 0.85; // bones of its hands are as long, against each other, as those of the motion
    GtScene* other = make_person(&context, person);
    GtRetargetDef def = bare_retarget_def();
    const GtMotionKind kinds[] = { GT_MOTION_BOXING, GT_MOTION_FINGERS };
    for (int k = 0; k < 2; ++k) {
        GtScene* motion = make_motion(&context, kinds[k], gt_default_person_def());
        GtScene* out = carry(&context, motion, other, &def, NULL);
        Player here = open_player(&context, out, 0), there = open_player(&context, motion, 0);
        for (int i = 0; i <= 40; ++i) {
            double time_s = gt_clip_end_s(there.clip) * i / 40.0;
            for (int b = 0; b < 4; ++b) {
                GT_EXPECT_NEAR(bend_between(&here, bones[b], time_s), bend_between(&there, bones[b], time_s), 0.1);
            }
        }
        close_player(&here);
        close_player(&there);
        gt_scene_destroy(out);
        gt_scene_destroy(motion);
    }
    gt_scene_destroy(other);
}

// Toes that rise with the foot flat come down; those that a raised heel bends stay.
static void test_toes_bend_as_feet_explain(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* other = make_other(&context);
    GtRetargetDef def = bare_retarget_def();
    const GtVec3 up = { -1.0f, 0.0f, 0.0f };
    const Sweep flat[1] = { { GT_HUMANOID_LEFT_TOES, up, -80.0, 80.0 } };
    const Sweep rolling[2] = { { GT_HUMANOID_LEFT_FOOT, up, 0.0, -50.0 }, { GT_HUMANOID_LEFT_TOES, up, 0.0, 50.0 } };
    GtScene* motions[2] = { make_sweep(&context, flat, 1), make_sweep(&context, rolling, 2) };
    for (int k = 0; k < 2; ++k) {
        GtScene* out = carry(&context, motions[k], other, &def, NULL);
        Player p = open_player(&context, out, 0);
        int32_t foot = player_node(&p, "leftFoot"), node = player_node(&p, "leftToes");
        play_at(&p, k == 0 ? 0.5 : 0.0);
        GtQuat foot_rest = gt_mat34_polar(&p.instance->model_from_node[foot], NULL);
        GtQuat toes_rest = gt_mat34_polar(&p.instance->model_from_node[node], NULL);
        for (int i = 0; i < STEPS; ++i) {
            play_at(&p, (double)i / (STEPS - 1));
            GtQuat foot_turn =
                gt_quat_mul(gt_mat34_polar(&p.instance->model_from_node[foot], NULL), gt_quat_conjugate(foot_rest));
            GtQuat toes_turn =
                gt_quat_mul(gt_mat34_polar(&p.instance->model_from_node[node], NULL), gt_quat_conjugate(toes_rest));
            double bend = gt_degrees((double)gt_quat_angle_rad(foot_turn, toes_turn));
            double wanted = k == 0 ? fabs(angle_at(i, -80.0, 80.0)) : angle_at(i, 0.0, 50.0);
            if (k == 0) {
                if (!(bend <= 37.0)) { // from the T-pose, in which toes are a degree from where they rest
                    fail_msg("toes bend by %g at %g", bend, wanted);
                }
            }
            if (k == 1 || wanted <= 24.9) {
                GT_EXPECT_NEAR(bend, wanted, 0.1);
            }
        }
        close_player(&p);
        gt_scene_destroy(out);
        gt_scene_destroy(motions[k]);
    }
    gt_scene_destroy(other);
}

// Forearms take a part of what hands twist, and hands stay as they are turned.
static void test_forearms_share_the_twist_of_hands(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* other = make_other(&context);
    GtRetargetDef def = bare_retarget_def();
    const Sweep twist[1] = { { GT_HUMANOID_LEFT_HAND, { 1.0f, 0.0f, 0.0f }, -175.0, 175.0 } };
    GtScene* motion = make_sweep(&context, twist, 1);
    GtScene* out = carry(&context, motion, other, &def, NULL);
    Player p = open_player(&context, out, 0);
    int32_t nodes[2] = { player_node(&p, "leftLowerArm"), player_node(&p, "leftHand") };
    GtQuat zero[2];
    play_at(&p, 0.5);
    for (int k = 0; k < 2; ++k) {
        zero[k] = gt_mat34_polar(&p.instance->model_from_node[nodes[k]], NULL);
    }
    double most = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        play_at(&p, (double)i / (STEPS - 1));
        double angles[2];
        for (int k = 0; k < 2; ++k) {
            GtQuat now = gt_mat34_polar(&p.instance->model_from_node[nodes[k]], NULL);
            angles[k] = gt_degrees((double)gt_quat_angle_rad(now, zero[k]));
        }
        double wanted = fabs(angle_at(i, -175.0, 175.0));
        GT_EXPECT_NEAR(angles[1], wanted, 0.1); // in the world
        if (wanted < 44.0) {
            GT_EXPECT_NEAR(angles[0], 0.0, 0.05);
        }
        assert_true(angles[0] <= 38.0);
        most = fmax(most, angles[0]);
    }
    assert_true(most > 35.0);
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(motion);
    gt_scene_destroy(other);
}

// The idle person without its fingers.
static GtScene* make_fingerless(const GtContext* context)
{
    GtScene* motion = make_motion(context, GT_MOTION_IDLE, gt_default_person_def());
    GtHumanoidMap* map = gt_scene_push(motion, 1, sizeof *map);
    *map = *motion->humanoid;
    for (int j = GT_HUMANOID_LEFT_THUMB_METACARPAL; j <= GT_HUMANOID_RIGHT_LITTLE_DISTAL; ++j) {
        motion->nodes[map->nodes[j]].name = "";
        map->nodes[j] = GT_NONE;
    }
    motion->humanoid = map;
    return motion;
}

static void name_bones(const char* side, const char* finger, int first, char names[4][40], const char* bones[4])
{
    static const char* const joints[] = { "Proximal", "Intermediate", "Distal" };
    for (int i = 0; i < 4; ++i) {
        snprintf(names[i], 40, "%s%s%s", side, finger, joints[first + (i + 1) / 2]);
        bones[i] = names[i];
    }
}

static void test_hands_without_fingers_are_posed(void** state)
{
    (void)state;
    static const char* const fingers[] = { "Index", "Middle", "Ring", "Little" };
    GtContext context = gt_default_context();
    GtScene* motion = make_fingerless(&context);
    GtScene* other = make_other(&context);
    for (int pose = GT_HAND_POSE_RELAXED; pose <= GT_HAND_POSE_FLAT; ++pose) {
        GtRetargetDef def = bare_retarget_def();
        def.hand_pose = (GtHandPose)pose;
        GtRetargetReport report;
        GtScene* out = carry(&context, motion, other, &def, &report);
        assert_int_equal(report.posed_hand_count, pose == GT_HAND_POSE_MOTION ? 0 : 2);
        Player p = open_player(&context, out, 0);
        double before = 0.0;
        for (int f = 0; f < 4 && pose != GT_HAND_POSE_MOTION; ++f) {
            char names[4][40];
            const char* bones[4];
            name_bones("left", fingers[f], 0, names, bones);
            double left = bend_between(&p, bones, 1.0);
            name_bones("right", fingers[f], 0, names, bones);
            GT_EXPECT_NEAR(bend_between(&p, bones, 1.0), left, 0.1);
            if (pose == GT_HAND_POSE_RELAXED) {
                assert_true(left > before + 2.0 && left > 15.0 && left < 50.0);
            } else if (pose == GT_HAND_POSE_FIST) {
                assert_true(left > 90.0 && left < 120.0);
            } else {
                GT_EXPECT_NEAR(left, 0.0, 0.5);
            }
            before = left;
        }
        if (pose == GT_HAND_POSE_FIST) { // the thumb ends over the index or the middle finger, and outside of both
            GtVec3 tip = joint_at(&p, "leftThumbDistal", 1.0);
            GtVec3 index =
                gt_vec3_lerp(joint_at(&p, "leftIndexIntermediate", 1.0), joint_at(&p, "leftIndexDistal", 1.0), 0.5f);
            GtVec3 knuckle = joint_at(&p, "leftIndexProximal", 1.0);
            GtVec3 little = joint_at(&p, "leftLittleProximal", 1.0);
            float thick = gt_vec3_length(gt_vec3_sub(knuckle, little)) / 3.0f;
            float away = gt_vec3_length(gt_vec3_sub(tip, index));
            assert_true(away > 0.6f * thick && away < 1.7f * thick);
            assert_true(gt_vec3_length(gt_vec3_sub(tip, knuckle)) > gt_vec3_length(gt_vec3_sub(index, knuckle)));
        }
        close_player(&p);
        gt_scene_destroy(out);
    }
    gt_scene_destroy(other);
    gt_scene_destroy(motion);
}

static void test_fingers_of_the_motion_are_kept(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_BOXING, gt_default_person_def());
    GtScene* other = make_other(&context);
    GtRetargetDef def = bare_retarget_def();
    GtRetargetReport report;
    GtScene* as_motion = carry(&context, motion, other, &def, NULL);
    def.hand_pose = GT_HAND_POSE_FLAT;
    GtScene* flat = carry(&context, motion, other, &def, &report);
    assert_int_equal(report.posed_hand_count, 0);
    expect_same_places(&context, flat, as_motion, 1.0, 0.0);
    gt_scene_destroy(flat);
    gt_scene_destroy(as_motion);
    gt_scene_destroy(motion);

    // A target that lacks fingers has nothing to pose.
    motion = make_motion(&context, GT_MOTION_IDLE, gt_default_person_def());
    GtScene* fingerless = make_fingerless(&context);
    fingerless->animation_count = 0;
    fingerless->nodes[fingerless->humanoid->nodes[GT_HUMANOID_LEFT_UPPER_LEG]].local.translation.x *= 1.3f;
    def.hand_pose = GT_HAND_POSE_FIST;
    GtScene* out = carry(&context, motion, fingerless, &def, &report);
    assert_int_equal(report.posed_hand_count, 0);
    gt_scene_destroy(out);
    gt_scene_destroy(fingerless);
    gt_scene_destroy(motion);
    gt_scene_destroy(other);
}

static void test_clips_say_when_feet_come_down(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* other = make_other(&context);
    GtRetargetDef def = gt_default_retarget_def();
    GtScene* out = carry(&context, motion, other, &def, NULL);
    const char* extras = out->animations[0].extra.extras;
    assert_non_null(extras);
    Player p = open_player(&context, out, 0);
    double end_s = gt_clip_end_s(p.clip), last_s = 0.0;
    int downs[2] = { 0, 0 }, ups[2] = { 0, 0 };
    for (const char* at = extras; (at = strstr(at, "{\"name\":\"")) != NULL; ++at) {
        char name[40];
        double time_s = -1.0;
        assert_int_equal(sscanf(at, "{\"name\":\"%39[a-zA-Z.]\",\"time_s\":%lf}", name, &time_s), 2);
        assert_true(time_s >= last_s && time_s <= end_s);
        last_s = time_s;
        int side = strncmp(name, "right", 5) == 0;
        bool is_down = strstr(name, ".down") != NULL;
        (is_down ? downs : ups)[side]++;
        // A foot that comes down is low, and was higher before.
        const char* joint = side ? "rightFoot" : "leftFoot";
        double now = (double)joint_at(&p, joint, time_s).y;
        double earlier = (double)joint_at(&p, joint, fmax(time_s - 0.2, 0.0)).y;
        if (is_down && time_s > 0.2) {
            assert_true(earlier > now);
        }
    }
    for (int side = 0; side < 2; ++side) { // feet take turns
        assert_true(downs[side] >= 2 && ups[side] >= 2 && abs(downs[side] - ups[side]) <= 1);
    }
    close_player(&p);
    gt_scene_destroy(out);
    def.feet = GT_FEET_OFF;
    out = carry(&context, motion, other, &def, NULL);
    assert_null(out->animations[0].extra.extras);
    gt_scene_destroy(out);
    gt_scene_destroy(other);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_stay_within_their_limits),
        cmocka_unit_test(test_what_people_do_is_not_changed),
        cmocka_unit_test(test_toes_bend_as_feet_explain),
        cmocka_unit_test(test_forearms_share_the_twist_of_hands),
        cmocka_unit_test(test_hands_without_fingers_are_posed),
        cmocka_unit_test(test_fingers_of_the_motion_are_kept),
        cmocka_unit_test(test_clips_say_when_feet_come_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
