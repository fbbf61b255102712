// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is left of skeletons when joints between forks and small twigs are left out.

#include "person/skeleton.h"
#include "rig/medial/tree.h"

#include "support/test.h"

enum {
    JOINT_MOST = 64
};

typedef struct Fixture {
    GtArena arena;
    GtiRigJoint joints[JOINT_MOST];
    GtiRigSkeleton skeleton;
    GtiMedialTree tree;
} Fixture;

static Fixture* create(void** state)
{
    Fixture* f = *state;
    f->arena = gt_arena_create(gt_default_allocator());
    f->skeleton = (GtiRigSkeleton){ f->joints, 0 };
    return f;
}

static int setup(void** state)
{
    static Fixture fixture;
    *state = &fixture;
    return 0;
}

// All joints of the built-in person, as high as `height`.
static void add_person(Fixture* f, double height)
{
    GtPersonDef def = gt_default_person_def();
    GtiSkeleton person;
    def.height_m = height;
    gti_person_skeleton(&def, &person);
    f->skeleton.joint_count = GT_HUMANOID_JOINT_COUNT;
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        f->joints[i] = (GtiRigJoint){ .parent = gt_humanoid_parent((GtHumanoidJoint)i),
                                      .humanoid = i,
                                      .mirror = (int32_t)gt_humanoid_mirror((GtHumanoidJoint)i),
                                      .position = person.joints[i],
                                      .tip = person.tips[i] };
    }
}

static int32_t add_joint(Fixture* f, int32_t parent, GtVec3 position)
{
    int32_t i = f->skeleton.joint_count++;
    assert_true(i < JOINT_MOST);
    f->joints[i] =
        (GtiRigJoint){ .parent = parent, .humanoid = GT_NONE, .mirror = i, .position = position, .tip = position };
    return i;
}

static const GtiMedialKnot* knot_with_tail(const Fixture* f, int32_t tail)
{
    for (int32_t i = 0; i < f->tree.knot_count; ++i) {
        if (f->tree.knots[i].tail == tail) {
            return &f->tree.knots[i];
        }
    }
    fail_msg("no knot has the tail %d", tail);
    return NULL;
}

static void test_a_person_has_two_forks_and_five_ends(void** state)
{
    Fixture* f = create(state);
    add_person(f, 1.75);
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_int_equal(f->tree.knot_count, 7);
    assert_int_equal(f->tree.knots[0].joint, GT_HUMANOID_HIPS);
    assert_int_equal(f->tree.knots[0].parent, GT_NONE);
    const GtiMedialKnot* chest = knot_with_tail(f, GT_HUMANOID_UPPER_CHEST);
    assert_int_equal(chest->chain_count, 2);
    assert_int_equal(f->tree.chain[chest->chain_start], GT_HUMANOID_SPINE);
    const GtiMedialKnot* left = knot_with_tail(f, GT_HUMANOID_LEFT_HAND);
    const GtiMedialKnot* right = knot_with_tail(f, GT_HUMANOID_RIGHT_HAND);
    assert_true(left->is_leaf && left->joint == GT_NONE);
    assert_int_equal(left->chain_count, 4);
    assert_int_equal(f->tree.chain[left->chain_start + 3], GT_HUMANOID_LEFT_HAND);
    assert_ptr_equal(&f->tree.knots[left->mirror], right);
    assert_ptr_equal(&f->tree.knots[chest->mirror], chest);
    GT_EXPECT_NEAR(left->length, right->length, 1e-6);
    // An end is where fingers end, not where the hand's own bone does.
    GtVec3 tip = f->joints[GT_HUMANOID_LEFT_MIDDLE_DISTAL].tip;
    GT_EXPECT_NEAR(left->position.x, tip.x / 1.75f, 0.01);
    assert_true(f->tree.is_twig[GT_HUMANOID_LEFT_MIDDLE_DISTAL] && f->tree.is_twig[GT_HUMANOID_JAW]);
    assert_false(f->tree.is_twig[GT_HUMANOID_LEFT_TOES]);
    gt_arena_destroy(&f->arena);
}

static void test_sizes_do_not_matter(void** state)
{
    Fixture* f = create(state);
    add_person(f, 2.0);
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    float arm = knot_with_tail(f, GT_HUMANOID_LEFT_HAND)->length;
    add_person(f, 0.8);
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    GT_EXPECT_NEAR(knot_with_tail(f, GT_HUMANOID_LEFT_HAND)->length, arm, 1e-4);
    gt_arena_destroy(&f->arena);
}

// A skeleton that stops at the wrists, as motion capture has it, still wants hands to have room.
static void test_hands_without_fingers_reach_on(void** state)
{
    Fixture* f = create(state);
    add_person(f, 1.0);
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    float whole = knot_with_tail(f, GT_HUMANOID_LEFT_HAND)->length;
    f->skeleton.joint_count = GT_HUMANOID_RIGHT_HAND + 1;
    for (int32_t i = 0; i < f->skeleton.joint_count; ++i) {
        f->joints[i].tip = f->joints[i].position;
    }
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    const GtiMedialKnot* hand = knot_with_tail(f, GT_HUMANOID_LEFT_HAND);
    assert_true(hand->is_leaf && hand->joint == GT_NONE);
    GT_EXPECT_NEAR(hand->length, whole, 0.03);
    gt_arena_destroy(&f->arena);
}

static void test_a_root_between_the_feet_is_left_out(void** state)
{
    Fixture* f = create(state);
    int32_t root = add_joint(f, GT_NONE, gt_vec3(0, 0, 0));
    int32_t hips = add_joint(f, root, gt_vec3(0, 0.5f, 0));
    int32_t head = add_joint(f, hips, gt_vec3(0, 1, 0));
    int32_t left = add_joint(f, hips, gt_vec3(0.2f, 0, 0));
    int32_t right = add_joint(f, hips, gt_vec3(-0.2f, 0, 0));
    f->joints[left].mirror = right;
    f->joints[right].mirror = left;
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_int_equal(f->tree.knot_count, 4);
    assert_int_equal(f->tree.knots[0].joint, hips);
    assert_true(f->tree.is_twig[root]);
    assert_int_equal(knot_with_tail(f, head)->joint, head); // it has no bone of its own
    assert_int_equal(f->tree.knots[knot_with_tail(f, left)->mirror].joint, right);
    gt_arena_destroy(&f->arena);
}

static void test_a_chain_is_two_knots(void** state)
{
    Fixture* f = create(state);
    int32_t last = GT_NONE;
    for (int32_t i = 0; i < 9; ++i) {
        last = add_joint(f, last, gt_vec3(0, 0.125f * (float)i, 0));
    }
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_int_equal(f->tree.knot_count, 2);
    assert_int_equal(f->tree.knots[1].chain_count, 7);
    GT_EXPECT_NEAR(f->tree.knots[1].length, 1.0, 1e-5);
    gt_arena_destroy(&f->arena);

    f = create(state);
    add_joint(f, GT_NONE, gt_vec3(0.3f, 0.3f, 0.3f));
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_int_equal(f->tree.knot_count, 1);
    gt_arena_destroy(&f->arena);
}

static void test_joints_that_are_known_are_knots(void** state)
{
    Fixture* f = create(state);
    add_person(f, 1.0);
    f->joints[GT_HUMANOID_LEFT_LOWER_ARM].fixed = true;
    f->joints[GT_HUMANOID_LEFT_LOWER_ARM].position = gt_vec3(0.2f, 0.5f, 0.1f); // in a body with other arms
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_int_equal(f->tree.knot_count, 8);
    const GtiMedialKnot* elbow = knot_with_tail(f, GT_HUMANOID_LEFT_LOWER_ARM);
    const GtiMedialKnot* hand = knot_with_tail(f, GT_HUMANOID_LEFT_HAND);
    assert_true(elbow->is_pinned && !elbow->is_leaf);
    assert_ptr_equal(&f->tree.knots[hand->parent], elbow);
    assert_int_equal(hand->chain_count, 1);
    const GtiMedialKnot* other = knot_with_tail(f, GT_HUMANOID_RIGHT_HAND);
    GT_EXPECT_NEAR(elbow->length + hand->length, other->length, 1e-5); // lengths are of the pose given
    for (int32_t i = 0; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        f->joints[i].fixed = true; // more than there is room for
    }
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_true(f->tree.knot_count > 8 && f->tree.knot_count <= GTI_KNOT_MOST);
    gt_arena_destroy(&f->arena);
}

// A star of many long arms: the shortest ride along, and none is lost.
static void test_many_ends_are_limited(void** state)
{
    Fixture* f = create(state);
    int32_t middle = add_joint(f, GT_NONE, gt_vec3(0, 0.5f, 0));
    for (int32_t i = 0; i < 40; ++i) {
        float turn = 0.157f * (float)i;
        float reach = 0.3f + 0.005f * (float)i;
        add_joint(f, middle, gt_vec3(reach * cosf(turn), 0.5f + reach * sinf(turn), 0));
    }
    assert_true(gti_medial_tree_make(&f->skeleton, &f->arena, &f->tree));
    assert_int_equal(f->tree.knot_count, 11);
    for (int32_t i = 1; i < f->skeleton.joint_count; ++i) {
        assert_int_equal(f->tree.is_twig[i], i <= 30);
    }
    gt_arena_destroy(&f->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_person_has_two_forks_and_five_ends),
        cmocka_unit_test(test_sizes_do_not_matter),
        cmocka_unit_test(test_hands_without_fingers_reach_on),
        cmocka_unit_test(test_a_root_between_the_feet_is_left_out),
        cmocka_unit_test(test_a_chain_is_two_knots),
        cmocka_unit_test(test_joints_that_are_known_are_knots),
        cmocka_unit_test(test_many_ends_are_limited),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
