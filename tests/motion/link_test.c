// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skeletons that are built differently: other numbers of spine joints, twist joints, feet that hang elsewhere, fewer
// fingers, joints beyond the vocabulary.

#include "motion/puppets.h"

#include "motion/retarget/pair.h"

#include "gertie/bake.h"

#include <stdlib.h>

static const double DEGREES = 57.29577951308232;

static void add_child(GtScene* scene, int32_t parent, int32_t child)
{
    GtNode* node = &scene->nodes[parent];
    int32_t* children = gt_scene_push(scene, (size_t)node->child_count + 1, sizeof *children);
    memcpy(children, node->children, (size_t)node->child_count * sizeof *children);
    children[node->child_count++] = child;
    node->children = children;
    scene->nodes[child].parent = parent;
}

static void take_child(GtScene* scene, int32_t child)
{
    GtNode* node = &scene->nodes[scene->nodes[child].parent];
    int32_t* children = gt_scene_push(scene, (size_t)node->child_count, sizeof *children);
    int32_t count = 0;
    for (int32_t c = 0; c < node->child_count; ++c) {
        if (node->children[c] != child) {
            children[count++] = node->children[c];
        }
    }
    node->children = children;
    node->child_count = count;
}

// Hang a joint of a person in the T-pose, whose joints are not turned, from another without moving it.
static void hang(GtScene* scene, int32_t child, int32_t parent)
{
    GtVec3 offset = scene->nodes[child].local.translation;
    for (int32_t i = scene->nodes[child].parent; i != GT_NONE; i = scene->nodes[i].parent) {
        offset = gt_vec3_add(offset, scene->nodes[i].local.translation);
    }
    for (int32_t i = parent; i != GT_NONE; i = scene->nodes[i].parent) {
        offset = gt_vec3_sub(offset, scene->nodes[i].local.translation);
    }
    take_child(scene, child);
    add_child(scene, parent, child);
    scene->nodes[child].local.translation = offset;
}

// Take a joint of the spine out of the figure; its node stays behind as a leaf.
static void drop_joint(GtScene* scene, GtHumanoidJoint joint)
{
    int32_t node = scene->humanoid->nodes[joint];
    while (scene->nodes[node].child_count) {
        hang(scene, scene->nodes[node].children[0], scene->nodes[node].parent);
    }
    GtHumanoidMap* map = gt_scene_push(scene, 1, sizeof *map);
    *map = *scene->humanoid;
    map->nodes[joint] = GT_NONE;
    scene->humanoid = map;
    scene->nodes[node].name = "dropped";
}

static GtQuat model_rotation(const Player* p, const char* name)
{
    GtQuat q = gt_quat_identity();
    const GtCharacterDef* def = gt_character_def(p->character);
    for (int32_t i = player_node(p, name); i != GT_NONE; i = def->parents[i]) {
        q = gt_quat_mul(p->instance->pose[i].rotation, q);
    }
    return q;
}

static double turn_between(const Player* p, const Player* q, const char* name)
{
    return (double)gt_quat_angle_rad(model_rotation(p, name), model_rotation(q, name)) * DEGREES;
}

static void test_spines_of_unequal_length_share_the_bend(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_KICK, gt_default_person_def());
    GtScene* shorter = make_person(&context, gt_default_person_def());
    drop_joint(shorter, GT_HUMANOID_CHEST);
    GtScene* there = carry(&context, motion, shorter, &def, NULL);
    GtScene* back = carry(&context, there, motion, &def, NULL);
    Player p = open_player(&context, there, 0);
    Player q = open_player(&context, motion, 0);
    Player r = open_player(&context, back, 0);
    double sum = 0.0, most = 0.0;
    for (int k = 0; k <= 20; ++k) {
        play_at(&p, gt_clip_end_s(q.clip) * k / 20.0);
        play_at(&q, gt_clip_end_s(q.clip) * k / 20.0);
        play_at(&r, gt_clip_end_s(q.clip) * k / 20.0);
        const char* held[] = { "hips", "upperChest", "neck", "head", "leftUpperArm", "rightHand", "leftLowerLeg" };
        for (int j = 0; j < 7; ++j) {
            GT_EXPECT_NEAR(turn_between(&p, &q, held[j]), 0.0, 0.1);
        }
        double low = turn_between(&p, &q, "spine"); // it stands for two joints, and is between them
        double all = (double)gt_quat_angle_rad(model_rotation(&q, "spine"), model_rotation(&q, "chest")) * DEGREES;
        assert_true(low <= all + 1e-3);
        most = fmax(most, low);
        for (int32_t n = 0; n < GT_HUMANOID_JOINT_COUNT; ++n) {
            sum += (double)gt_quat_angle_rad(r.instance->pose[n].rotation, q.instance->pose[n].rotation) * DEGREES;
        }
    }
    assert_true(most > 0.05); // the chest does bend in this motion
    assert_true(sum / (21.0 * GT_HUMANOID_JOINT_COUNT) < 2.0);
    close_player(&p);
    close_player(&q);
    close_player(&r);
    gt_scene_destroy(back);
    gt_scene_destroy(there);
    gt_scene_destroy(shorter);
    gt_scene_destroy(motion);
}

static void add_joint(GtScene* scene, const char* name, int32_t parent, GtVec3 offset)
{
    GtError error;
    GtNode node = gt_default_node();
    node.name = name;
    node.parent = parent;
    node.local.translation = offset;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
}

static void test_twist_joints_take_their_share(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* motion = make_person(&context, gt_default_person_def());
    GtScene* twisty = make_person(&context, gt_default_person_def());
    GtRetargetPose as_it_is = gt_retarget_pose_identity(); // so that angles can be told in advance
    motion->retarget_pose = &as_it_is;
    twisty->retarget_pose = &as_it_is;
    GtVec3 forearm = twisty->nodes[GT_HUMANOID_LEFT_HAND].local.translation;
    GtVec3 arm = twisty->nodes[GT_HUMANOID_LEFT_LOWER_ARM].local.translation;
    add_joint(twisty, "lowerarm_twist_01_l", GT_HUMANOID_LEFT_LOWER_ARM, gt_vec3_scale(forearm, 0.6f));
    add_joint(twisty, "UpperArmRoll.L", GT_HUMANOID_LEFT_UPPER_ARM, gt_vec3_scale(arm, 0.25f));
    add_joint(twisty, "sleeve", GT_HUMANOID_LEFT_LOWER_ARM, gt_vec3(0.1f, 0.1f, 0.0f)); // stays with the forearm
    GtRetargetDef def = bare_retarget_def();
    Transfer transfer;
    GT_EXPECT_OK(
        transfer_open(&context, motion, GT_NONE, motion->humanoid, twisty, twisty->humanoid, &def, &transfer, &error));
    const GtRetarget* retarget = transfer.retarget;
    const GtCharacter* source = transfer.source.character;
    const GtCharacter* target = transfer.target.character;
    GtTransform in[GT_HUMANOID_JOINT_COUNT], out[GT_HUMANOID_JOINT_COUNT + 3];
    static GtMat34 scratch[4 * GT_HUMANOID_JOINT_COUNT];
    assert_true(gt_retarget_scratch_size(retarget) <= sizeof scratch);
    int32_t hand = gt_character_find_node(source, "leftHand");
    int32_t upper = gt_character_find_node(source, "leftUpperArm");
    int32_t twist = gt_character_find_node(target, "lowerarm_twist_01_l");
    int32_t roll = gt_character_find_node(target, "UpperArmRoll.L");
    int32_t sleeve = gt_character_find_node(target, "sleeve");
    GtVec3 along = gt_vec3_normalize_or(forearm, gt_vec3(1, 0, 0)), above = gt_vec3_normalize_or(arm, gt_vec3(1, 0, 0));
    GtQuat before = gt_quat_identity();
    for (int degrees = -180; degrees <= 180; degrees += 5) {
        memcpy(in, gt_character_def(source)->rest, sizeof in);
        memcpy(out, gt_character_def(target)->rest, sizeof out);
        in[hand].rotation = gt_quat_from_axis_angle(along, (float)(degrees / DEGREES));
        in[upper].rotation = gt_quat_from_axis_angle(above, (float)(degrees / DEGREES));
        gt_retarget_pose(retarget, in, out, scratch);
        if (abs(degrees) <= 90) {
            double shared = (double)gt_quat_angle_rad(out[twist].rotation, gt_quat_identity()) * DEGREES;
            double undone = (double)gt_quat_angle_rad(out[roll].rotation, gt_quat_identity()) * DEGREES;
            GT_EXPECT_NEAR(shared, 0.6 * abs(degrees), 0.5);
            GT_EXPECT_NEAR(undone, 0.75 * abs(degrees), 0.5);
        }
        GT_EXPECT_NEAR(gt_quat_angle_rad(out[sleeve].rotation, gt_quat_identity()), 0.0, 1e-6);
        double step = (double)gt_quat_angle_rad(before, out[twist].rotation) * DEGREES;
        assert_true(degrees == -180 || step < 10.0); // nothing jumps, also where 180 becomes -180
        before = out[twist].rotation;
    }
    GT_EXPECT_NEAR((double)gt_quat_angle_rad(before, gt_quat_identity()) * DEGREES, 0.0, 1.0);
    transfer_close(&transfer);
    gt_scene_destroy(twisty);
    gt_scene_destroy(motion);
}

// A capture whose chest is turned round, half a turn to one side and then, 20 degrees on, to the other: a spine of
// fewer joints shares that bend.
static void test_a_broken_spine_does_not_flip(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* motion = make_person(&context, gt_default_person_def());
    GtScene* shorter = make_person(&context, gt_default_person_def());
    drop_joint(shorter, GT_HUMANOID_CHEST);
    const float times[] = { 0.0f, 0.1f, 0.2f, 0.3f, 0.4f, 0.5f };
    const double angles[] = { 0.0, 60.0, 120.0, 170.0, 190.0, 240.0 };
    GtTransform poses[6];
    int32_t node = GT_HUMANOID_CHEST;
    uint8_t path = GT_BAKE_ROTATION;
    for (int f = 0; f < 6; ++f) {
        poses[f] = motion->nodes[node].local;
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), (float)(angles[f] / DEGREES));
        poses[f].rotation = gt_quat_mul(poses[f].rotation, turn);
    }
    GtBakeDef bake = { "broken", 6, times, 1, &node, &path, poses };
    GT_EXPECT_OK(gt_scene_bake(&context, motion, &bake, NULL, &error));
    GtRetargetDef def = bare_retarget_def();
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, shorter, &def, &report);
    assert_true(report.max_extra_turn_rad * DEGREES < 30.0);
    gt_scene_destroy(out);
    gt_scene_destroy(shorter);
    gt_scene_destroy(motion);
}

static void test_feet_that_hang_elsewhere_stay_on_their_legs(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_WALK, gt_default_person_def());
    GtScene* rig = make_person(&context, gt_default_person_def());
    GtScene* plain = make_person(&context, gt_default_person_def());
    hang(rig, GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_HIPS);
    hang(rig, GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_HIPS);
    GtScene* expected = carry(&context, motion, plain, &def, NULL);
    GtScene* out = carry(&context, motion, rig, &def, NULL);
    Player p = open_player(&context, out, 0);
    Player q = open_player(&context, expected, 0);
    const char* joints[] = { "leftFoot", "leftToes", "rightFoot", "rightToes", "leftLowerLeg" };
    for (int j = 0; j < 5; ++j) {
        for (int k = 0; k < 30; ++k) { // at the keys: between them a place goes straight and a leg round
            GtVec3 miss = gt_vec3_sub(joint_at(&p, joints[j], k / 30.0), joint_at(&q, joints[j], k / 30.0));
            GT_EXPECT_NEAR(gt_vec3_length(miss), 0.0, 1e-4);
        }
    }
    close_player(&p);
    close_player(&q);
    gt_scene_destroy(out);
    gt_scene_destroy(expected);
    gt_scene_destroy(plain);
    gt_scene_destroy(rig);
    gt_scene_destroy(motion);
}

static void test_fingers_that_are_missing_follow_their_neighbours(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_motion(&context, GT_MOTION_FINGERS, gt_default_person_def());
    GtHumanoidMap two = *motion->humanoid; // a thumb and two fingers
    for (int j = GT_HUMANOID_LEFT_RING_PROXIMAL; j <= GT_HUMANOID_LEFT_LITTLE_DISTAL; ++j) {
        two.nodes[j] = GT_NONE;
        motion->nodes[j].name = "unknown";
    }
    motion->humanoid = &two;
    GtScene* person = make_person(&context, gt_default_person_def());
    GtScene* out = carry(&context, motion, person, &def, NULL);
    Player p = open_player(&context, out, 0);
    double most = 0.0;
    for (int k = 0; k <= 20; ++k) {
        play_at(&p, gt_clip_end_s(p.clip) * k / 20.0);
        const char* pairs[][2] = { { "leftMiddleProximal", "leftLittleProximal" },
                                   { "leftMiddleDistal", "leftRingDistal" } };
        for (int j = 0; j < 2; ++j) {
            int32_t a = player_node(&p, pairs[j][0]), b = player_node(&p, pairs[j][1]);
            double led = (double)gt_quat_angle_rad(p.instance->pose[a].rotation, gt_quat_identity()) * DEGREES;
            double follows = (double)gt_quat_angle_rad(p.instance->pose[b].rotation, gt_quat_identity()) * DEGREES;
            GT_EXPECT_NEAR(follows, led, 15.0); // but for how each is bent at rest
            most = fmax(most, follows);
        }
    }
    assert_true(most > 45.0);
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
}

static void test_joints_beyond_the_vocabulary_pair_by_name(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtRetargetDef def = bare_retarget_def();
    GtScene* motion = make_person(&context, gt_default_person_def());
    GtScene* person = make_person(&context, gt_default_person_def());
    add_joint(motion, "Tail", GT_HUMANOID_HIPS, gt_vec3(0.0f, 0.0f, -0.1f));
    add_joint(person, "rig:tail", GT_HUMANOID_HIPS, gt_vec3(0.0f, 0.0f, -0.2f));
    float times[2] = { 0.0f, 1.0f };
    int32_t tail = motion->node_count - 1;
    uint8_t paths = GT_BAKE_ROTATION | GT_BAKE_TRANSLATION;
    GtTransform wag[2] = { motion->nodes[tail].local, motion->nodes[tail].local };
    wag[1].rotation = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), 0.7f);
    GtBakeDef bake = {
        .frame_count = 2, .times_s = times, .node_count = 1, .nodes = &tail, .paths = &paths, .poses = wag
    };
    GT_EXPECT_OK(gt_scene_bake(&context, motion, &bake, NULL, &error));
    GtScene* out = carry(&context, motion, person, &def, NULL);
    Player p = open_player(&context, out, 0);
    play_at(&p, 1.0);
    GtQuat turned = p.instance->pose[player_node(&p, "rig:tail")].rotation;
    GT_EXPECT_NEAR(gt_quat_angle_rad(turned, wag[1].rotation), 0.0, 1e-5);
    GT_EXPECT_NEAR(joint_at(&p, "rig:tail", 1.0).z - joint_at(&p, "hips", 1.0).z, -0.2, 1e-5); // its own place
    close_player(&p);
    gt_scene_destroy(out);
    wag[1].translation.z = -0.3f; // between two of one build, joints that move do so too
    motion->animation_count = 0;
    GT_EXPECT_OK(gt_scene_bake(&context, motion, &bake, NULL, &error));
    out = carry(&context, motion, motion, &def, NULL);
    p = open_player(&context, out, 0);
    GT_EXPECT_NEAR(joint_at(&p, "Tail", 1.0).z - joint_at(&p, "hips", 1.0).z, -0.3, 1e-5);
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(person);
    gt_scene_destroy(motion);
}

static void test_mirroring_swaps_joints_beyond_the_vocabulary(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* motion = make_person(&context, gt_default_person_def());
    const char* names[] = { "wing.L", "wing.R", "LeftFeather", "RightFeather", "tail" };
    for (int k = 0; k < 5; ++k) {
        float side = k == 4 ? 0.0f : k % 2 ? -0.2f : 0.2f;
        add_joint(motion, names[k], GT_HUMANOID_UPPER_CHEST, gt_vec3(side, 0.1f * (float)k, -0.1f));
    }
    const float times[2] = { 0.0f, 1.0f };
    int32_t nodes[3] = { motion->node_count - 5, motion->node_count - 2, motion->node_count - 1 };
    uint8_t paths[3] = { GT_BAKE_ROTATION, GT_BAKE_ROTATION, GT_BAKE_ROTATION };
    GtTransform poses[6];
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3_normalize_or(gt_vec3(1, 2, 3), gt_vec3(1, 0, 0)), 0.8f);
    GtQuat mirrored = gt_quat(turn.x, -turn.y, -turn.z, turn.w);
    for (int k = 0; k < 6; ++k) {
        poses[k] = motion->nodes[nodes[k % 3]].local;
        poses[k].rotation = k < 3 ? poses[k].rotation : turn;
    }
    GtBakeDef bake = { "flap", 2, times, 3, nodes, paths, poses };
    GT_EXPECT_OK(gt_scene_bake(&context, motion, &bake, NULL, &error));
    GtRetargetDef def = gt_default_retarget_def();
    def.mirror = true;
    GtScene* out = carry(&context, motion, motion, &def, NULL);
    Player p = open_player(&context, out, 0);
    play_at(&p, 1.0);
    const GtQuat expected[5] = { gt_quat_identity(), mirrored, mirrored, gt_quat_identity(), mirrored };
    for (int k = 0; k < 5; ++k) {
        GtQuat q = p.instance->pose[player_node(&p, names[k])].rotation;
        GT_EXPECT_NEAR(gt_quat_angle_rad(q, expected[k]), 0.0, 1e-5);
    }
    close_player(&p);
    gt_scene_destroy(out);
    gt_scene_destroy(motion);
}

static void test_names_have_another_side(void** state)
{
    (void)state;
    static const char* const pairs[][2] = {
        { "wing.L", "wing.R" },
        { "LWing", "RWing" },
        { "lWing", "rWing" },
        { "wing_l_01", "wing_r_01" },
        { "LeftWing", "RightWing" },
        { "wing_left", "wing_right" },
        { "JtWingLf", "JtWingRt" },
        { "tail", "tail" },
        { "Collar", "Collar" },
        { "mixamorig:LeftHandRing4", "mixamorig:RightHandRing4" },
        { "", "" },
        { "\xE5\xB7\xA6\xE7\xBE\xBD", "\xE5\x8F\xB3\xE7\xBE\xBD" },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        char out[64];
        gti_mirror_name(pairs[i][0], out, sizeof out);
        assert_string_equal(out, pairs[i][1]);
        gti_mirror_name(pairs[i][1], out, sizeof out);
        assert_string_equal(out, pairs[i][0]);
        gti_mirror_name(pairs[i][0], out, 4);
        assert_true(strlen(out) < 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spines_of_unequal_length_share_the_bend),
        cmocka_unit_test(test_twist_joints_take_their_share),
        cmocka_unit_test(test_a_broken_spine_does_not_flip),
        cmocka_unit_test(test_feet_that_hang_elsewhere_stay_on_their_legs),
        cmocka_unit_test(test_fingers_that_are_missing_follow_their_neighbours),
        cmocka_unit_test(test_joints_beyond_the_vocabulary_pair_by_name),
        cmocka_unit_test(test_mirroring_swaps_joints_beyond_the_vocabulary),
        cmocka_unit_test(test_names_have_another_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
