// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lengths of the skeleton against the published ratios, and what no choice of parameters may break.

#include "support/test.h"

#include "person/person.h"
#include "person/skeleton.h"

static double length_between(const GtiSkeleton* s, GtHumanoidJoint a, GtHumanoidJoint b)
{
    return (double)gt_vec3_length(gt_vec3_sub(s->joints[a], s->joints[b]));
}

// Winter, figure 4.1 (Drillis and Contini 1966).
static void test_lengths_are_the_published_ratios_at_any_height(void** state)
{
    (void)state;
    for (double height = 0.5; height <= 2.5; height += 0.25) {
        GtPersonDef def = gt_default_person_def();
        def.height_m = height;
        GtiSkeleton s;
        gti_person_skeleton(&def, &s);
        const struct {
            double ratio, measured;
        } lengths[] = {
            { 0.186, length_between(&s, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM) },
            { 0.146, length_between(&s, GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND) },
            { 0.245, length_between(&s, GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_LEFT_LOWER_LEG) },
            { 0.246, length_between(&s, GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT) },
            { 0.108, (double)(s.tips[GT_HUMANOID_LEFT_MIDDLE_DISTAL].x - s.joints[GT_HUMANOID_LEFT_HAND].x) },
            { 0.152, (double)(s.toe_tips[GTI_LEFT].z - s.heels[GTI_LEFT].z) },
            { 0.039, (double)s.joints[GT_HUMANOID_LEFT_FOOT].y },
            { 0.285, (double)s.joints[GT_HUMANOID_LEFT_LOWER_LEG].y },
            { 0.530, (double)s.joints[GT_HUMANOID_LEFT_UPPER_LEG].y },
            { 0.818, (double)s.joints[GT_HUMANOID_LEFT_UPPER_ARM].y },
            { 0.936, (double)s.joints[GT_HUMANOID_LEFT_EYE].y },
            { 1.000, (double)s.tips[GT_HUMANOID_HEAD].y },
        };
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i) {
            GT_EXPECT_NEAR(lengths[i].measured / (lengths[i].ratio * height), 1.0, 0.02);
        }
    }
}

static void test_factors_change_shares_and_never_the_height(void** state)
{
    (void)state;
    GtPersonDef def = gt_default_person_def();
    def.leg_length = 1.3;
    def.head_size = 0.8;
    def.arm_length = 1.2;
    GtiSkeleton s;
    gti_person_skeleton(&def, &s);
    double sum = 0.530 * 1.3 + 0.288 + 0.182 * 0.8;
    GT_EXPECT_NEAR(s.tips[GT_HUMANOID_HEAD].y, def.height_m, 1e-6);
    GT_EXPECT_NEAR(s.joints[GT_HUMANOID_LEFT_UPPER_LEG].y, def.height_m * 0.530 * 1.3 / sum, 1e-5);
    GT_EXPECT_NEAR(length_between(&s, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM),
                   def.height_m * 0.186 * 1.2, 1e-5);
}

static void test_the_right_side_mirrors_the_left_and_parents_come_first(void** state)
{
    (void)state;
    GtError error;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        GtPersonDef def = gt_random_person_def(seed);
        GT_EXPECT_OK(gti_person_check(&def, &error));
        GtiSkeleton s;
        gti_person_skeleton(&def, &s);
        for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
            GtVec3 a = s.joints[j];
            GtVec3 b = s.joints[gt_humanoid_mirror((GtHumanoidJoint)j)];
            assert_true(a.x == -b.x && a.y == b.y && a.z == b.z);
            assert_true(gt_humanoid_parent((GtHumanoidJoint)j) < j);
            assert_true(gt_vec3_length(gt_vec3_sub(s.tips[j], s.joints[j])) > 0.0f);
        }
    }
}

// The A-pose's joints, turned by the retarget pose, are where the T-pose has them.
static void test_the_a_pose_leads_back_to_the_t_pose(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtPersonDef def = gt_default_person_def();
    def.pose = GT_PERSON_POSE_A;
    GtiSkeleton s;
    gti_person_skeleton(&def, &s);
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GT_EXPECT_OK(gti_skeleton_add(scene, &s, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    GtMat34 at_rest[GT_HUMANOID_JOINT_COUNT];
    GtMat34 turned[GT_HUMANOID_JOINT_COUNT];
    gti_skeleton_model(&s, at_rest);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtTransform local = scene->nodes[j].local;
        local.rotation = gt_quat_mul(scene->retarget_pose->rotations[j], local.rotation);
        GtMat34 parent_from_joint = gt_mat34_from_transform(local);
        int32_t parent = scene->nodes[j].parent;
        turned[j] = parent == GT_NONE ? parent_from_joint : gt_mat34_mul(turned[parent], parent_from_joint);
        GT_EXPECT_NEAR(turned[j].m[0][3], s.joints[j].x, 1e-5);
        GT_EXPECT_NEAR(turned[j].m[1][3], s.joints[j].y, 1e-5);
        GT_EXPECT_NEAR(turned[j].m[2][3], s.joints[j].z, 1e-5);
    }
    GtVec3 hand = s.joints[GT_HUMANOID_LEFT_HAND];
    assert_true(at_rest[GT_HUMANOID_LEFT_HAND].m[1][3] < hand.y - 0.3f);
    gt_scene_destroy(scene);
}

static void test_silly_proportions_are_refused_by_name(void** state)
{
    (void)state;
    GtError error;
    GtPersonDef def = gt_default_person_def();
    def.height_m = 0.0;
    GT_EXPECT_ERROR(gti_person_check(&def, &error), GT_ERROR_BAD_VALUE, "height");
    def.height_m = NAN;
    GT_EXPECT_ERROR(gti_person_check(&def, &error), GT_ERROR_BAD_VALUE, "height");
    def = gt_default_person_def();
    def.leg_length = NAN;
    GT_EXPECT_ERROR(gti_person_check(&def, &error), GT_ERROR_BAD_VALUE, "leg_length");
    def = gt_default_person_def();
    def.sex = 1.5;
    GT_EXPECT_ERROR(gti_person_check(&def, &error), GT_ERROR_BAD_VALUE, "sex");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths_are_the_published_ratios_at_any_height),
        cmocka_unit_test(test_factors_change_shares_and_never_the_height),
        cmocka_unit_test(test_the_right_side_mirrors_the_left_and_parents_come_first),
        cmocka_unit_test(test_the_a_pose_leads_back_to_the_t_pose),
        cmocka_unit_test(test_silly_proportions_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
