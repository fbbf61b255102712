// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skeletons put into bodies of tubes, which were laid around joints that are known.

#include "person/skeleton.h"
#include "rig/embed/embed.h"

#include "rig/tubes.h"

#define CELL (1.0f / 96.0f)

enum {
    TUBE_MOST = 96,
    JOINT_MOST = GT_HUMANOID_JOINT_COUNT
};

typedef struct Figure {
    GtArena arena;
    GtContext context;
    GtiRigJoint truth[JOINT_MOST]; // where the tubes are
    GtiRigJoint given[JOINT_MOST];
    int32_t joint_count;
    Tube tubes[TUBE_MOST];
    GtVec3 points[2 * TUBE_MOST]; // ends of tubes, on the surface
    int32_t tube_count;
    GtiRigBody body;
    GtiSolid solid;
    GtiRigSkeleton out;
    float cost;
} Figure;

static void add_tube(Figure* f, GtVec3 a, GtVec3 b, float radius)
{
    assert_true(f->tube_count < TUBE_MOST);
    GtVec3 along = gt_vec3_scale(gt_vec3_normalize_or(gt_vec3_sub(b, a), gt_vec3(0, 1, 0)), radius);
    f->tubes[f->tube_count] = (Tube){ a, b, radius };
    f->points[2 * f->tube_count] = gt_vec3_sub(a, along);
    f->points[2 * f->tube_count + 1] = gt_vec3_add(b, along);
    ++f->tube_count;
}

static Figure* start(void)
{
    static Figure figure;
    figure = (Figure){ .context = gt_default_context(), .arena = gt_arena_create(gt_default_allocator()) };
    return &figure;
}

// The built-in person's joints, its fingers only when asked for.
static void add_joints(Figure* f, bool fingers)
{
    GtPersonDef def = gt_default_person_def();
    GtiSkeleton person;
    def.height_m = 1.0;
    gti_person_skeleton(&def, &person);
    f->joint_count = fingers ? GT_HUMANOID_JOINT_COUNT : GT_HUMANOID_RIGHT_HAND + 1;
    for (int32_t i = 0; i < f->joint_count; ++i) {
        f->given[i] = (GtiRigJoint){ .parent = gt_humanoid_parent((GtHumanoidJoint)i),
                                     .humanoid = i,
                                     .mirror = (int32_t)gt_humanoid_mirror((GtHumanoidJoint)i),
                                     .position = person.joints[i],
                                     .tip = person.tips[i] };
        f->truth[i] = f->given[i];
    }
    for (int32_t side = 0; side < 2; ++side) {
        int32_t hand = side ? GT_HUMANOID_RIGHT_HAND : GT_HUMANOID_LEFT_HAND;
        int32_t finger = side ? GT_HUMANOID_RIGHT_MIDDLE_DISTAL : GT_HUMANOID_LEFT_MIDDLE_DISTAL;
        f->truth[hand].tip = person.tips[finger];
    }
}

// Turn all from the upper arms on, downwards.
static void lower_arms(Figure* f, float angle)
{
    for (int32_t i = 0; i < f->joint_count; ++i) {
        bool left = f->given[i].position.x > 0.0f;
        int32_t upper = left ? GT_HUMANOID_LEFT_UPPER_ARM : GT_HUMANOID_RIGHT_UPPER_ARM;
        GtVec3 pivot = f->given[upper].position;
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), left ? -angle : angle);
        if (fabsf(f->given[i].position.x) < fabsf(pivot.x) || f->given[i].position.y < 0.6f) {
            continue;
        }
        f->truth[i].position = gt_vec3_add(pivot, gt_quat_rotate(turn, gt_vec3_sub(f->truth[i].position, pivot)));
        f->truth[i].tip = gt_vec3_add(pivot, gt_quat_rotate(turn, gt_vec3_sub(f->truth[i].tip, pivot)));
    }
}

static GtVec3 at(const Figure* f, int32_t joint)
{
    return f->truth[joint].position;
}

// Flesh around the true joints.
static void add_flesh(Figure* f)
{
    GtVec3 chest = at(f, GT_HUMANOID_UPPER_CHEST);
    add_tube(f, at(f, GT_HUMANOID_HIPS), chest, 0.075f);
    add_tube(f, chest, at(f, GT_HUMANOID_HEAD), 0.035f);
    add_tube(f, at(f, GT_HUMANOID_HEAD), gt_vec3_sub(f->truth[GT_HUMANOID_HEAD].tip, gt_vec3(0, 0.06f, 0)), 0.06f);
    for (int32_t side = 0; side < 2; ++side) {
        int32_t arm = side ? GT_HUMANOID_RIGHT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_ARM;
        int32_t leg = side ? GT_HUMANOID_RIGHT_UPPER_LEG : GT_HUMANOID_LEFT_UPPER_LEG;
        add_tube(f, chest, at(f, arm), 0.04f);
        add_tube(f, at(f, arm), at(f, arm + 1), 0.032f);
        add_tube(f, at(f, arm + 1), at(f, arm + 2), 0.026f);
        add_tube(f, at(f, arm + 2), gt_vec3_lerp(f->truth[arm + 2].tip, at(f, arm + 2), 0.18f), 0.018f);
        add_tube(f, at(f, GT_HUMANOID_HIPS), at(f, leg), 0.055f);
        add_tube(f, at(f, leg), at(f, leg + 1), 0.05f);
        add_tube(f, at(f, leg + 1), at(f, leg + 2), 0.038f);
        GtVec3 toes = f->truth[leg + 3].tip;
        add_tube(f, gt_vec3_add(at(f, leg + 2), gt_vec3(0, -0.012f, 0)), gt_vec3(toes.x, 0.02f, toes.z - 0.02f), 0.02f);
    }
}

static GtResult embed(Figure* f, GtError* error)
{
    f->body = (GtiRigBody){ .points = f->points, .point_count = 2 * f->tube_count, .symmetry = 0.99f };
    f->solid = make_tubes(f->tubes, f->tube_count, CELL, &f->arena);
    GtiRigSkeleton given = { f->given, f->joint_count };
    return gti_embed_medial(&f->context, &f->body, &f->solid, &given, &f->arena, &f->out, &f->cost, error);
}

static void embed_well(Figure* f)
{
    GtError error = { 0 };
    GT_EXPECT_OK(embed(f, &error));
    assert_int_equal(f->out.joint_count, f->joint_count);
    for (int32_t i = 0; i < f->joint_count; ++i) {
        assert_true(isfinite(gt_vec3_length(f->out.joints[i].position) + gt_vec3_length(f->out.joints[i].tip)));
        assert_int_equal(f->out.joints[i].parent, f->given[i].parent);
    }
}

static float error_of(const Figure* f, int32_t joint)
{
    return gt_vec3_length(gt_vec3_sub(f->out.joints[joint].position, at(f, joint)));
}

// Shoulders, elbows, wrists, hips, knees and ankles.
static void expect_main_joints(const Figure* f, float worst)
{
    static const int32_t firsts[4] = { GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG,
                                       GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM };
    for (int i = 0; i < 12; ++i) {
        int32_t joint = firsts[i / 3] + i % 3;
        if (!(error_of(f, joint) < worst)) {
            fail_msg("%s is %.1f %% of the height off", gt_humanoid_name((GtHumanoidJoint)joint),
                     100.0 * (double)error_of(f, joint));
        }
    }
}

static void test_a_person_with_level_arms(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    add_flesh(f);
    embed_well(f);
    expect_main_joints(f, 0.025f);
    assert_true(f->cost < 0.1f);
    GtVec3 head = f->out.joints[GT_HUMANOID_HEAD].tip;
    assert_true(head.y > 0.97f && fabsf(head.x) < 0.01f);
    // Bones end where the next joint is.
    GtVec3 forearm = f->out.joints[GT_HUMANOID_LEFT_LOWER_ARM].tip;
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(forearm, f->out.joints[GT_HUMANOID_LEFT_HAND].position)), 0.0, 1e-6);
    gt_arena_destroy(&f->arena);
}

static void test_arms_that_hang(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        Figure* f = start();
        add_joints(f, false);
        lower_arms(f, i ? 1.1f : 0.7f);
        add_flesh(f);
        embed_well(f);
        expect_main_joints(f, 0.035f);
        gt_arena_destroy(&f->arena);
    }
}

// Upper arms longer than given, forearms shorter, elbows bent to the front: bends tell what proportions do not.
static void test_elbows_that_bend(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    lower_arms(f, 0.6f);
    for (int32_t side = 0; side < 2; ++side) {
        int32_t arm = side ? GT_HUMANOID_RIGHT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_ARM;
        GtVec3 shoulder = at(f, arm);
        float forearm = gt_vec3_length(gt_vec3_sub(at(f, arm + 2), at(f, arm + 1)));
        float hand = gt_vec3_length(gt_vec3_sub(f->truth[arm + 2].tip, at(f, arm + 2)));
        GtVec3 forward = gt_vec3_normalize_or(gt_vec3(side ? -0.3f : 0.3f, 0.1f, 1.0f), gt_vec3(0, 0, 1));
        f->truth[arm + 1].position = gt_vec3_lerp(shoulder, at(f, arm + 1), 1.25f);
        f->truth[arm + 2].position = gt_vec3_add(at(f, arm + 1), gt_vec3_scale(forward, 0.72f * forearm));
        f->truth[arm + 2].tip = gt_vec3_add(at(f, arm + 2), gt_vec3_scale(forward, hand));
    }
    add_flesh(f);
    embed_well(f);
    assert_true(error_of(f, GT_HUMANOID_LEFT_LOWER_ARM) < 0.025f);
    assert_true(error_of(f, GT_HUMANOID_RIGHT_LOWER_ARM) < 0.025f);
    expect_main_joints(f, 0.04f);
    gt_arena_destroy(&f->arena);
}

// A robot: rods of a cell's width for upper arms and thighs, both much shorter than given, in a thick trunk, and one
// hand that is a fist. The arms' poses differ, and so the body is not symmetric.
static void test_rods_begin_and_end_bones(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    GtVec3 chest = gt_vec3(0, 0.68f, 0);
    add_tube(f, gt_vec3(0, 0.55f, 0), chest, 0.11f);
    add_tube(f, chest, gt_vec3(0, 0.83f, 0), 0.03f);
    add_tube(f, gt_vec3(0, 0.86f, 0), gt_vec3(0, 0.88f, 0), 0.1f);
    for (int32_t side = 0; side < 2; ++side) {
        float x = side ? -1.0f : 1.0f;
        int32_t arm = side ? GT_HUMANOID_RIGHT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_ARM;
        int32_t leg = side ? GT_HUMANOID_RIGHT_UPPER_LEG : GT_HUMANOID_LEFT_UPPER_LEG;
        GtVec3 forearm = gt_vec3(0.14f * x, -0.12f, side ? 0.04f : 0.1f);
        f->truth[arm].position = gt_vec3(0.11f * x, 0.68f, 0);
        f->truth[arm + 1].position = gt_vec3(0.22f * x, 0.62f, 0);
        f->truth[arm + 2].position = gt_vec3_add(at(f, arm + 1), forearm);
        f->truth[leg].position = gt_vec3(0.07f * x, 0.47f, 0);
        f->truth[leg + 1].position = gt_vec3(0.08f * x, 0.33f, 0);
        add_tube(f, gt_vec3(0, 0.68f, 0), at(f, arm + 1), CELL);
        add_tube(f, at(f, arm + 1), gt_vec3_add(at(f, arm + 2), gt_vec3_scale(forearm, side ? 0.2f : 0.4f)), 0.035f);
        add_tube(f, gt_vec3(0.06f * x, 0.55f, 0), at(f, leg + 1), CELL);
        add_tube(f, at(f, leg + 1), gt_vec3(0.09f * x, 0.03f, 0), 0.03f);
        add_tube(f, gt_vec3(0.09f * x, 0.02f, 0), gt_vec3(0.09f * x, 0.02f, 0.09f), 0.02f);
    }
    embed_well(f);
    static const int32_t shown[6] = { GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM,
                                      GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
                                      GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG };
    for (int i = 0; i < 6; ++i) {
        if (!(error_of(f, shown[i]) < 0.035f)) {
            fail_msg("%s is %.1f %% of the height off", gt_humanoid_name((GtHumanoidJoint)shown[i]),
                     100.0 * (double)error_of(f, shown[i]));
        }
    }
    gt_arena_destroy(&f->arena);
}

static void test_a_tail_is_no_leg(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    add_flesh(f);
    GtVec3 hips = at(f, GT_HUMANOID_HIPS);
    add_tube(f, hips, gt_vec3_add(hips, gt_vec3(0, -0.1f, -0.2f)), 0.03f);
    add_tube(f, gt_vec3_add(hips, gt_vec3(0, -0.1f, -0.2f)), gt_vec3(0, 0.03f, -0.4f), 0.025f);
    embed_well(f);
    expect_main_joints(f, 0.03f);
    gt_arena_destroy(&f->arena);
}

static void test_fingers_ride_on_hands(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, true);
    lower_arms(f, 0.7f);
    add_flesh(f);
    embed_well(f);
    expect_main_joints(f, 0.035f);
    for (int32_t i = GT_HUMANOID_LEFT_THUMB_METACARPAL; i < GT_HUMANOID_JOINT_COUNT; ++i) {
        if (error_of(f, i) > 0.04f) {
            fail_msg("%s is %.1f %% of the height off", gt_humanoid_name((GtHumanoidJoint)i),
                     100.0 * (double)error_of(f, i));
        }
    }
    gt_arena_destroy(&f->arena);
}

static void test_joints_that_are_known_stay(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    lower_arms(f, 0.7f);
    add_flesh(f);
    int32_t elbow = GT_HUMANOID_LEFT_LOWER_ARM;
    f->given[elbow].position = gt_vec3_lerp(at(f, elbow), at(f, GT_HUMANOID_LEFT_HAND), 0.3f);
    f->given[elbow].fixed = true;
    f->given[GT_HUMANOID_HIPS].position = gt_vec3_add(at(f, GT_HUMANOID_HIPS), gt_vec3(0, 0.02f, 0.01f));
    f->given[GT_HUMANOID_HIPS].fixed = true;
    embed_well(f);
    assert_memory_equal(&f->out.joints[elbow].position, &f->given[elbow].position, sizeof(GtVec3));
    assert_memory_equal(&f->out.joints[GT_HUMANOID_HIPS].position, &f->given[GT_HUMANOID_HIPS].position,
                        sizeof(GtVec3));
    float moved = error_of(f, elbow);
    f->out.joints[elbow].position = at(f, elbow);
    expect_main_joints(f, moved + 0.01f); // others move by no more than the one that was put elsewhere
    gt_arena_destroy(&f->arena);
}

static void test_joints_far_outside(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    add_flesh(f);
    f->given[GT_HUMANOID_LEFT_HAND].position = gt_vec3(7.0f, -3.0f, 100.0f);
    f->given[GT_HUMANOID_LEFT_HAND].fixed = true;
    embed_well(f);
    GT_EXPECT_NEAR(f->out.joints[GT_HUMANOID_LEFT_HAND].position.z, 100.0, 0.0);
    assert_true(error_of(f, GT_HUMANOID_HEAD) < 0.05f);
    gt_arena_destroy(&f->arena);
}

static int32_t add_own(Figure* f, int32_t parent, GtVec3 given, GtVec3 truth)
{
    int32_t i = f->joint_count++;
    f->given[i] = f->truth[i] = (GtiRigJoint){ .parent = parent, .humanoid = GT_NONE, .mirror = i };
    f->given[i].position = f->given[i].tip = given;
    f->truth[i].position = truth;
    return i;
}

// An animal of other proportions than its skeleton: shorter legs, a longer back.
static void test_a_skeleton_on_four_legs(void** state)
{
    (void)state;
    Figure* f = start();
    int32_t hips = add_own(f, GT_NONE, gt_vec3(0, 0.6f, -0.4f), gt_vec3(0, 0.5f, -0.5f));
    int32_t chest = add_own(f, hips, gt_vec3(0, 0.6f, 0.3f), gt_vec3(0, 0.5f, 0.4f));
    int32_t head = add_own(f, chest, gt_vec3(0, 1.0f, 0.55f), gt_vec3(0, 0.96f, 0.7f));
    int32_t tail = add_own(f, hips, gt_vec3(0, 0.5f, -0.9f), gt_vec3(0, 0.45f, -1.0f));
    add_tube(f, at(f, hips), at(f, chest), 0.1f);
    add_tube(f, at(f, chest), at(f, head), 0.04f);
    add_tube(f, at(f, hips), at(f, tail), 0.03f);
    int32_t feet[4];
    for (int i = 0; i < 4; ++i) {
        float x = i % 2 ? -0.12f : 0.12f;
        int32_t parent = i < 2 ? hips : chest;
        GtVec3 fork = f->given[parent].position;
        GtVec3 true_fork = at(f, parent);
        int32_t knee = add_own(f, parent, gt_vec3(x, 0.3f, fork.z), gt_vec3(x, 0.25f, true_fork.z));
        feet[i] = add_own(f, knee, gt_vec3(x, 0, fork.z), gt_vec3(x, 0.03f, true_fork.z));
        add_tube(f, true_fork, gt_vec3(x, 0.4f, true_fork.z), 0.05f);
        add_tube(f, gt_vec3(x, 0.4f, true_fork.z), at(f, feet[i]), 0.035f);
        f->given[knee].mirror = i % 2 ? knee - 2 : knee + 2;
        f->given[feet[i]].mirror = i % 2 ? feet[i] - 2 : feet[i] + 2;
    }
    embed_well(f);
    assert_true(error_of(f, hips) < 0.12f && error_of(f, chest) < 0.12f);
    assert_true(error_of(f, head) < 0.06f);
    assert_true(error_of(f, tail) < 0.06f);
    for (int i = 0; i < 4; ++i) {
        assert_true(error_of(f, feet[i]) < 0.06f);
        assert_true(error_of(f, feet[i] - 1) < 0.06f);
    }
    gt_arena_destroy(&f->arena);
}

static void test_what_is_no_person_costs_much(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    add_tube(f, gt_vec3(0, 0.45f, 0), gt_vec3(0, 0.55f, 0), 0.45f);
    GtError error = { 0 };
    if (embed(f, &error) == GT_OK) {
        assert_true(f->cost > 0.4f);
    }
    gt_arena_destroy(&f->arena);

    f = start();
    add_joints(f, false);
    add_tube(f, gt_vec3(0, 0, 0), gt_vec3(0, 1, 0), 0.0f); // a hair
    GT_EXPECT_ERROR(embed(f, &error), GT_ERROR_BAD_VALUE, "encloses no volume");
    assert_true(isinf(f->cost) && f->out.joint_count == 0);
    gt_arena_destroy(&f->arena);
}

static void test_left_and_right_are_alike(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    lower_arms(f, 0.5f);
    add_flesh(f);
    embed_well(f);
    for (int32_t i = 0; i < f->joint_count; ++i) {
        GtVec3 a = f->out.joints[i].position;
        GtVec3 b = f->out.joints[f->given[i].mirror].position;
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(a, gt_vec3(-b.x, b.y, b.z))), 0.0, 1e-5);
    }
    gt_arena_destroy(&f->arena);
}

static void test_memory_that_runs_out(void** state)
{
    (void)state;
    Figure* f = start();
    add_joints(f, false);
    add_flesh(f);
    embed_well(f);
    GtiRigSkeleton given = { f->given, f->joint_count };
    TestAllocator counted = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&counted);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result == GT_ERROR_OUT_OF_MEMORY && allowed < 10000; ++allowed) {
        counted.remaining = allowed;
        GtArena arena = gt_arena_create(context.allocator);
        GtError error = { 0 };
        result = gti_embed_medial(&context, &f->body, &f->solid, &given, &arena, &f->out, &f->cost, &error);
        gt_arena_destroy(&arena);
        assert_int_equal(counted.alive, 0);
    }
    assert_int_equal(result, GT_OK);
    assert_true(allowed > 5);
    gt_arena_destroy(&f->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_person_with_level_arms),   cmocka_unit_test(test_arms_that_hang),
        cmocka_unit_test(test_elbows_that_bend),           cmocka_unit_test(test_rods_begin_and_end_bones),
        cmocka_unit_test(test_a_tail_is_no_leg),           cmocka_unit_test(test_fingers_ride_on_hands),
        cmocka_unit_test(test_joints_that_are_known_stay), cmocka_unit_test(test_joints_far_outside),
        cmocka_unit_test(test_a_skeleton_on_four_legs),    cmocka_unit_test(test_what_is_no_person_costs_much),
        cmocka_unit_test(test_left_and_right_are_alike),   cmocka_unit_test(test_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
