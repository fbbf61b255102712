// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Skeletons of users: what is read of them, and where their joints go when the humanoid's are known.

#include "gertie/person.h"

#include "rig/embed/fixed.h"
#include "rig/embed/own_skeleton.h"
#include "support/test.h"

typedef struct Fixture {
    GtContext context;
    GtScene* person;
    GtArena arena;
    GtiOwnSkeleton own;
    GtError error;
} Fixture;

static int32_t find(const GtiOwnSkeleton* own, const char* name)
{
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        if (!strcmp(own->names[j], name)) {
            return j;
        }
    }
    fail_msg("no joint %s", name);
    return GT_NONE;
}

// The built-in person with a root on the ground, a joint halfway along the left thigh, and a tail of two.
static void add_odd_joints(GtScene* scene)
{
    int32_t thigh = scene->humanoid->nodes[GT_HUMANOID_LEFT_UPPER_LEG];
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    GtNode twist = gt_default_node();
    twist.name = "twist";
    twist.parent = thigh;
    twist.local.translation = gt_vec3(0.0f, -0.2f, 0.0f);
    assert_int_equal(gt_scene_add_node(scene, &twist, NULL, NULL), GT_OK);
    GtNode tail = gt_default_node();
    tail.name = "tail";
    tail.parent = hips;
    tail.local.translation = gt_vec3(0.0f, 0.0f, -0.1f);
    int32_t first;
    assert_int_equal(gt_scene_add_node(scene, &tail, &first, NULL), GT_OK);
    tail.name = "tail tip";
    tail.parent = first;
    assert_int_equal(gt_scene_add_node(scene, &tail, NULL, NULL), GT_OK);
}

static int enter(void** state)
{
    static Fixture fixture;
    GtError error = { 0 };
    fixture.context = gt_default_context();
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 2000;
    GT_EXPECT_OK(gt_sample_person(&fixture.context, &def, &fixture.person, NULL, &error));
    add_odd_joints(fixture.person);
    fixture.person->skin_count = 0; // then all nodes without a mesh are joints
    fixture.arena = gt_arena_create(fixture.context.allocator);
    GT_EXPECT_OK(gti_own_skeleton_read(&fixture.context, fixture.person, &fixture.arena, &fixture.own, &error));
    *state = &fixture;
    return 0;
}

static int leave(void** state)
{
    Fixture* f = *state;
    gt_arena_destroy(&f->arena);
    gt_scene_destroy(f->person);
    return 0;
}

static void joints_are_read(void** state)
{
    Fixture* f = *state;
    assert_true(f->own.is_humanoid);
    assert_int_equal(f->own.skeleton.joint_count, GT_HUMANOID_JOINT_COUNT + 3);
    int32_t hand = find(&f->own, "leftHand");
    assert_int_equal(f->own.skeleton.joints[hand].humanoid, GT_HUMANOID_LEFT_HAND);
    assert_int_equal(f->own.skeleton.joints[hand].mirror, find(&f->own, "rightHand"));
    for (int32_t j = 0; j < f->own.skeleton.joint_count; ++j) {
        assert_true(f->own.skeleton.joints[j].parent < j);
        assert_true(f->own.rest[j].y >= 0.0f && f->own.rest[j].y <= 1.0f);
    }
    GtVec3 tip = f->own.rest_tips[find(&f->own, "leftUpperArm")];
    GtVec3 elbow = f->own.rest[find(&f->own, "leftLowerArm")];
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(tip, elbow)), 0.0, 1e-6);
}

// Joints of the humanoid go where they are told, one between two keeps its share, a tail grows with the hips' bone, and
// bones keep their directions as seen from their joints.
static void joints_follow_a_humanoid(void** state)
{
    Fixture* f = *state;
    GtiOwnSkeleton* own = &f->own;
    GtiRigJoint joints[GT_HUMANOID_JOINT_COUNT];
    int32_t count = 0;
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        if (own->skeleton.joints[j].humanoid != GT_NONE) {
            GtiRigJoint joint = own->skeleton.joints[j];
            GtVec3 p = own->rest[j];
            GtVec3 t = own->rest_tips[j];
            joint.position = gt_vec3(1.5f * p.x, 0.8f * p.y, p.z + 0.1f); // wider, lower, ahead
            joint.tip = gt_vec3(1.5f * t.x, 0.8f * t.y, t.z + 0.1f);
            joints[count++] = joint;
        }
    }
    GtiRigSkeleton humanoid = { joints, count };
    gti_own_skeleton_follow(own, &humanoid);
    const GtiRigJoint* at = own->skeleton.joints;
    int32_t thigh = find(own, "leftUpperLeg");
    int32_t knee = find(own, "leftLowerLeg");
    int32_t twist = find(own, "twist");
    GtVec3 bone = gt_vec3_sub(at[knee].position, at[thigh].position);
    GtVec3 part = gt_vec3_sub(at[twist].position, at[thigh].position);
    float share = gt_vec3_length(gt_vec3_sub(own->rest[twist], own->rest[thigh])) /
                  gt_vec3_length(gt_vec3_sub(own->rest[knee], own->rest[thigh]));
    GT_EXPECT_NEAR(gt_vec3_dot(part, bone) / gt_vec3_dot(bone, bone), share, 0.01);
    GT_EXPECT_NEAR(at[thigh].position.x, 1.5f * own->rest[thigh].x, 1e-6);
    GtVec3 tail = gt_vec3_sub(at[find(own, "tail")].position, at[find(own, "hips")].position);
    assert_true(tail.z < -0.03f);

    GtQuat before[GT_HUMANOID_JOINT_COUNT + 3];
    memcpy(before, own->rotations, (size_t)own->skeleton.joint_count * sizeof *before);
    gti_own_skeleton_turn(own);
    for (int32_t j = 0; j < own->skeleton.joint_count; ++j) {
        GtVec3 none = { 0.0f, 0.0f, 0.0f };
        GtVec3 was = gt_vec3_normalize_or(gt_vec3_sub(own->rest_tips[j], own->rest[j]), none);
        GtVec3 is = gt_vec3_normalize_or(gt_vec3_sub(at[j].tip, at[j].position), none);
        was = gt_quat_rotate(gt_quat_conjugate(before[j]), was);
        is = gt_quat_rotate(gt_quat_conjugate(own->rotations[j]), is);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(was, is)), 0.0, 1e-4);
    }
}

// A worm with a pair of feelers that lies along x is turned to lie along z, and its joints' axes with it.
static void what_lies_sideways_is_turned(void** state)
{
    const Fixture* f = *state;
    static const struct {
        const char* name;
        int32_t parent;
        GtVec3 offset;
    } nodes[] = { { "end", GT_NONE, { -1, 0.5f, 0 } },
                  { "middle", 0, { 1, 0, 0 } },
                  { "front", 1, { 1, 0, 0 } },
                  { "left feeler", 2, { 0.3f, 0.2f, -0.4f } },
                  { "right feeler", 2, { 0.3f, 0.2f, 0.4f } } };
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(&f->context, &scene, &error));
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; ++i) {
        GtNode node = gt_default_node();
        node.name = nodes[i].name;
        node.parent = nodes[i].parent;
        node.local.translation = nodes[i].offset;
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    GtArena arena = gt_arena_create(f->context.allocator);
    GtiOwnSkeleton own;
    GT_EXPECT_OK(gti_own_skeleton_read(&f->context, scene, &arena, &own, &error));
    assert_false(own.is_humanoid);
    for (int32_t j = 0; j < 3; ++j) {
        GT_EXPECT_NEAR(own.rest[j].x, 0.0, 1e-5);
        GtVec3 along = gt_quat_rotate(own.rotations[j], gt_vec3(1, 0, 0));
        GT_EXPECT_NEAR(along.z, 1.0, 1e-5);
    }
    assert_true(own.rest[2].z > own.rest[0].z);
    assert_true(own.rest[3].x * own.rest[4].x < 0.0f);
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
}

// A joint that is known goes there; fingers go along with the hand, the other side stays.
static void fixed_joints_take_others_along(void** state)
{
    Fixture* f = *state;
    GtiOwnSkeleton* own = &f->own;
    GtError error = { 0 };
    GtiRigJoint* joints = own->skeleton.joints;
    int32_t hand = find(own, "leftHand");
    GtVec3 old_hand = joints[hand].position;
    GtVec3 old_finger = joints[find(own, "leftIndexDistal")].position;
    GtVec3 old_other = joints[find(own, "rightHand")].position;
    GtRigJoint known = { "leftHand", gt_vec3_add(old_hand, gt_vec3(0.0f, 0.05f, 0.0f)) };
    GtRigDef def = gt_default_rig_def();
    def.joints = &known;
    def.joint_count = 1;
    GtMat34 same = gt_mat34_identity();
    GtVec3 scratch[2 * (GT_HUMANOID_JOINT_COUNT + 3)];
    GT_EXPECT_OK(gti_fixed_find(&def, own->names, &own->skeleton, &error));
    gti_fixed_move(&def, own->names, &same, &own->skeleton, scratch);
    GT_EXPECT_NEAR(joints[hand].position.y, old_hand.y + 0.05f, 1e-6);
    GT_EXPECT_NEAR(joints[find(own, "leftIndexDistal")].position.y, old_finger.y + 0.05f, 0.02);
    GT_EXPECT_NEAR(joints[find(own, "rightHand")].position.y, old_other.y, 0.001);
    known.name = "leftHnd";
    GT_EXPECT_ERROR(gti_fixed_find(&def, own->names, &own->skeleton, &error), GT_ERROR_NOT_FOUND,
                    "did you mean 'leftHand'");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(joints_are_read), cmocka_unit_test(joints_follow_a_humanoid),
                                        cmocka_unit_test(what_lies_sideways_is_turned),
                                        cmocka_unit_test(fixed_joints_take_others_along) };
    return cmocka_run_group_tests(tests, enter, leave);
}
