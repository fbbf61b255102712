// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The full-body solver against finite differences, against poses that are known to meet the goals, and against what
// must hold for any goals.

#include "runtime/figure.h"

#include "runtime/ik/solver.h"

static const int32_t ends[4] = { LEFT_HAND, RIGHT_HAND, LEFT_FOOT, RIGHT_FOOT };

// Both hands and both feet, from the hips down.
static GtIkSolverDef body_def(GtIkEffector effectors[4])
{
    for (int i = 0; i < 4; ++i) {
        effectors[i] = effector_at(ends[i]);
    }
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = effectors;
    def.effector_count = 4;
    def.top = HIPS;
    def.move_top = true;
    return def;
}

static void set_goals(const GtMat34* model, float rotation_weight, GtIkGoal goals[4])
{
    for (int i = 0; i < 4; ++i) {
        goals[i] = gt_default_ik_goal();
        goals[i].position = gt_mat34_translation(&model[ends[i]]);
        goals[i].rotation = gt_mat34_polar(&model[ends[i]], NULL);
        goals[i].rotation_weight = rotation_weight;
    }
}

static GtIkJoint knee(int32_t node)
{
    GtIkJoint joint = gt_default_ik_joint();
    joint.node = node;
    joint.kind = GT_IK_HINGE;
    joint.axis = gt_vec3(1, 0, 0);
    joint.min_turn_rad = 0.0f;
    joint.max_turn_rad = 2.5f;
    return joint;
}

static GtIkJoint shoulder(int32_t node, float side)
{
    GtIkJoint joint = gt_default_ik_joint();
    joint.node = node;
    joint.axis = gt_vec3(side, 0, 0);
    joint.min_turn_rad = -0.8f;
    joint.max_turn_rad = 1.0f;
    joint.max_swing_rad = 1.6f;
    return joint;
}

// All errors are linear in a small step, by the columns.
static void test_the_jacobian_is_the_derivative(void** state)
{
    (void)state;
    TestRandom random = { 21 };
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    effectors[1].point = gt_vec3(-0.1f, 0.02f, 0.03f);
    GtIkJoint joints[] = { knee(LEFT_SHANK), shoulder(LEFT_ARM, 1.0f), shoulder(RIGHT_ARM, -1.0f) };
    def.joints = joints;
    def.joint_count = 3;
    for (int trial = 0; trial < 20; ++trial) {
        memcpy(figure.pose, figure.rest, sizeof figure.pose);
        figure_bend(figure.pose, &random, 0.7f);
        figure.pose[WORLD].scale = trial % 3 == 1 ? gt_vec3(2, 2, 2) : gt_vec3(trial % 3 ? -1.0f : 1.0f, 1, 1);
        gt_character_to_model(figure.character, figure.pose, figure.model);
        GtIkGoal goals[4];
        set_goals(figure.model, 0.5f, goals);
        goals[2].rotation_weight = 0.0f;
        goals[3].position_weight = 0.0f;
        Solving solving = create_solving(figure.character, &def);
        GtiIkState s = { .pose = figure.pose };
        gti_ik_state_lay_out(solving.solver, solving.scratch, &s);
        assert_int_equal(gti_ik_state_begin(&s, goals), 0);
        assert_int_equal(s.row_count, 6 + 6 + 3 + 3);
        for (int32_t dof = 0; dof < solving.solver->dof_count; ++dof) {
            const double h = 1e-3;
            double errors[2][24];
            for (int side = 0; side < 2; ++side) {
                gti_ik_state_begin(&s, goals);
                gti_ik_state_update(&s);
                gti_ik_jacobian(&s);
                memset(s.step, 0, (size_t)solving.solver->dof_count * sizeof(double));
                s.step[dof] = side ? h : -h;
                if (s.step[dof] < s.lower[dof] || s.step[dof] > s.upper[dof]) {
                    s.step[dof] = 0.0; // at its limit: the other side tells half
                }
                gti_ik_state_apply(&s, s.step);
                gti_ik_state_update(&s);
                gti_ik_state_measure(&s);
                memcpy(errors[side], s.errors, (size_t)s.row_count * sizeof(double));
            }
            gti_ik_state_begin(&s, goals);
            gti_ik_state_update(&s);
            gti_ik_jacobian(&s);
            for (int32_t e = 0; e < 4; ++e) {
                const GtiIkPath* path = &solving.solver->paths[e];
                double column[6] = { 0 };
                for (int32_t k = 0; k < path->dof_count; ++k) {
                    if (solving.solver->path_dofs[path->first_column + k] == dof) {
                        memcpy(column, s.columns[path->first_column + k].rows, sizeof column);
                    }
                }
                double width = (s.upper[dof] < h ? 0.0 : h) + (s.lower[dof] > -h ? 0.0 : h);
                for (int32_t i = 0; i < s.goals[e].row_count && width > 0.0; ++i) {
                    int32_t row = s.goals[e].first_row + i;
                    GT_EXPECT_NEAR(-(errors[1][row] - errors[0][row]) / width, column[i], 5e-4);
                }
            }
        }
        destroy_solving(&solving);
    }
    gt_character_destroy(figure.character);
}

// What another pose reaches can be met, from rest, with rotations and without, and whatever the posture wants.
static void test_goals_within_reach_are_met_whatever_the_posture(void** state)
{
    (void)state;
    TestRandom random = { 22 };
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    def.max_iterations = 100;
    Solving solving = create_solving(figure.character, &def);
    for (int trial = 0; trial < 400; ++trial) {
        GtTransform other[FIGURE_NODES];
        GtTransform posture[FIGURE_NODES];
        memcpy(other, figure.rest, sizeof other);
        memcpy(posture, figure.rest, sizeof posture);
        memcpy(figure.pose, figure.rest, sizeof other);
        figure_bend(other, &random, 0.8f);
        figure_bend(posture, &random, trial % 4 == 3 ? 3.0f : 0.8f);
        gt_character_to_model(figure.character, other, figure.model);
        GtIkGoal goals[4];
        set_goals(figure.model, trial % 2 ? 0.04f : 0.0f, goals);
        GtIkReport report;
        gt_ik_solve(solving.solver, goals, trial % 3 ? posture : NULL, figure.pose, solving.scratch, &report);
        assert_true(report.met);
        for (int i = 0; i < 4; ++i) {
            GT_EXPECT_NEAR(distance(figure_place(&figure, ends[i]), goals[i].position), 0.0f, 1e-4f);
            if (trial % 2) {
                GtQuat turned = gt_mat34_polar(&figure.model[ends[i]], NULL);
                GT_EXPECT_NEAR(gt_quat_angle_rad(turned, goals[i].rotation), 0.0f, 1e-3f);
            }
        }
    }
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

// dz - J+ J dz moves no effector, to first order and to rounding: J times it is nothing.
static void test_the_posture_is_projected_exactly(void** state)
{
    (void)state;
    TestRandom random = { 23 };
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    Solving solving = create_solving(figure.character, &def);
    for (int trial = 0; trial < 50; ++trial) {
        GtTransform posture[FIGURE_NODES];
        memcpy(posture, figure.rest, sizeof posture);
        memcpy(figure.pose, figure.rest, sizeof posture);
        figure_bend(posture, &random, 1.0f);
        figure_bend(figure.pose, &random, trial < 25 ? 0.5f : 0.0f);
        if (trial % 2) { // a straight leg: J loses rank
            figure.pose[LEFT_SHANK].translation.z = 0.0f;
            figure.pose[LEFT_FOOT].translation.z = 0.0f;
            figure.pose[LEFT_SHANK].rotation = gt_quat_identity();
        }
        gt_character_to_model(figure.character, figure.pose, figure.model);
        GtIkGoal goals[4];
        set_goals(figure.model, trial % 3 ? 0.0f : 0.1f, goals);
        GtiIkState s = { .pose = figure.pose, .posture = posture };
        gti_ik_state_lay_out(solving.solver, solving.scratch, &s);
        gti_ik_state_begin(&s, goals);
        gti_ik_state_update(&s);
        gti_ik_state_measure(&s);
        gti_ik_jacobian(&s);
        GtiIkStep step = { .damping_squared = 1e-2, .posture_share = 1.0 };
        gti_ik_step(&s, &step);
        assert_true(step.posture_turn > 0.1); // there is something to project
        for (int32_t e = 0; e < 4; ++e) {
            const GtiIkPath* path = &solving.solver->paths[e];
            double moved[6] = { 0 };
            for (int32_t k = 0; k < path->dof_count; ++k) {
                double by = s.posture_step[solving.solver->path_dofs[path->first_column + k]];
                for (int32_t i = 0; i < s.goals[e].row_count; ++i) {
                    moved[i] += by * s.columns[path->first_column + k].rows[i];
                }
            }
            for (int32_t i = 0; i < s.goals[e].row_count; ++i) {
                GT_EXPECT_NEAR(moved[i], 0.0, 2e-5); // a straight leg: what its rank is cut off at
            }
        }
        memcpy(figure.pose, figure.rest, sizeof posture);
    }
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

// A step that limits cut is solved again: what is left of the joints still makes up for all errors, to first order.
static void test_a_limited_joint_leaves_the_jacobian(void** state)
{
    (void)state;
    TestRandom random = { 27 };
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    GtIkJoint joints[] = { knee(LEFT_SHANK), knee(RIGHT_SHANK), shoulder(LEFT_ARM, 1.0f), shoulder(RIGHT_ARM, -1.0f) };
    for (int i = 0; i < 4; ++i) {
        joints[i].min_turn_rad = -0.0005f;
        joints[i].max_turn_rad = 0.0005f;
        joints[i].max_swing_rad = 0.0004f;
    }
    def.joints = joints;
    def.joint_count = 4;
    Solving solving = create_solving(figure.character, &def);
    int held_count = 0;
    for (int trial = 0; trial < 50; ++trial) {
        GtIkGoal goals[4];
        set_goals(figure.model, 0.0f, goals);
        for (int i = 0; i < 4; ++i) {
            goals[i].position = gt_vec3_add(goals[i].position, test_random_vec3(&random, -0.002f, 0.002f));
        }
        GtiIkState s = { .pose = figure.pose };
        gti_ik_state_lay_out(solving.solver, solving.scratch, &s);
        gti_ik_state_begin(&s, goals);
        gti_ik_state_update(&s);
        gti_ik_state_measure(&s);
        gti_ik_jacobian(&s);
        GtiIkStep step = { .damping_squared = 1e-12 };
        gti_ik_step(&s, &step);
        for (int32_t k = 0; k < solving.solver->dof_count; ++k) {
            assert_true(s.step[k] >= s.lower[k] - 1e-12 && s.step[k] <= s.upper[k] + 1e-12);
            held_count += s.held[k] != 0.0;
        }
        for (int32_t e = 0; e < 4; ++e) {
            const GtiIkPath* path = &solving.solver->paths[e];
            double moved[3] = { 0 };
            for (int32_t k = 0; k < path->dof_count; ++k) {
                for (int i = 0; i < 3; ++i) {
                    moved[i] += s.step[solving.solver->path_dofs[path->first_column + k]] *
                                s.columns[path->first_column + k].rows[i];
                }
            }
            for (int i = 0; i < 3; ++i) {
                GT_EXPECT_NEAR(moved[i], s.errors[s.goals[e].first_row + i], 1e-6);
            }
        }
    }
    assert_true(held_count > 50);
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

// How far a pose's joint has turned, from the definition of its limits alone.
static void expect_within_limits(const GtTransform* pose, const GtIkJoint* joint)
{
    GtQuat q = pose[joint->node].rotation; // neutral is the identity here
    GtVec3 bone = gt_quat_rotate(q, joint->axis);
    float swing = 2.0f * asinf(fminf(1.0f, 0.5f * distance(bone, joint->axis)));
    GtQuat twist = gt_quat_mul(gt_quat_conjugate(gt_quat_between(joint->axis, bone)), q);
    float turn = 2.0f * atan2f(gt_vec3_dot(gt_vec3(twist.x, twist.y, twist.z), joint->axis), twist.w);
    turn = turn > 3.1415927f ? turn - 6.2831853f : turn < -3.1415927f ? turn + 6.2831853f : turn;
    assert_true(turn >= joint->min_turn_rad - 2e-6f && turn <= joint->max_turn_rad + 2e-6f);
    assert_true(swing <= (joint->kind == GT_IK_HINGE ? 0.0f : joint->max_swing_rad) + 1e-3f);
}

static void test_limits_hold_and_solutions_within_them_are_found(void** state)
{
    (void)state;
    TestRandom random = { 24 };
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    def.max_iterations = 200;
    const GtIkJoint joints[] = { knee(LEFT_SHANK), knee(RIGHT_SHANK), shoulder(LEFT_ARM, 1.0f),
                                 shoulder(RIGHT_ARM, -1.0f) };
    def.joints = joints;
    def.joint_count = 4;
    Solving solving = create_solving(figure.character, &def);
    int limited = 0;
    for (int trial = 0; trial < 300; ++trial) {
        GtTransform posture[FIGURE_NODES];
        memcpy(posture, figure.rest, sizeof posture);
        figure_bend(posture, &random, 1.2f); // beyond limits
        memcpy(figure.pose, figure.rest, sizeof posture);
        figure_bend(figure.pose, &random, 0.6f); // brought into limits by a solve for nothing, then solved for again
        for (int i = LEFT_SHANK; i <= RIGHT_SHANK; i += RIGHT_SHANK - LEFT_SHANK) {
            figure.pose[i].rotation = gt_quat_from_axis_angle(joints[0].axis, test_random_float(&random, -1.0f, 3.0f));
        }
        GtIkGoal goals[4] = { 0 };
        GtIkReport report;
        gt_ik_solve(solving.solver, goals, NULL, figure.pose, solving.scratch, &report);
        for (int i = 0; i < 4; ++i) {
            expect_within_limits(figure.pose, &joints[i]);
        }
        gt_character_to_model(figure.character, figure.pose, figure.model);
        set_goals(figure.model, 0.0f, goals);
        memcpy(figure.pose, figure.rest, sizeof posture);
        gt_ik_solve(solving.solver, goals, trial % 2 ? posture : NULL, figure.pose, solving.scratch, &report);
        for (int i = 0; i < 4; ++i) {
            expect_within_limits(figure.pose, &joints[i]);
        }
        GT_EXPECT_NEAR(report.miss_m, 0.0f, 1e-4f);
        limited += report.limited_count;
    }
    assert_true(limited > 50); // limits were in the way
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

static void test_limits_hold_out_of_reach(void** state)
{
    (void)state;
    TestRandom random = { 25 };
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    const GtIkJoint joints[] = { knee(LEFT_SHANK), knee(RIGHT_SHANK), shoulder(LEFT_ARM, 1.0f),
                                 shoulder(RIGHT_ARM, -1.0f) };
    def.joints = joints;
    def.joint_count = 4;
    def.move_top = false;
    Solving solving = create_solving(figure.character, &def);
    for (int trial = 0; trial < 300; ++trial) {
        GtIkGoal goals[4];
        for (int i = 0; i < 4; ++i) {
            goals[i] = gt_default_ik_goal();
            goals[i].position = test_random_vec3(&random, -2.0f, 3.0f);
        }
        gt_ik_solve(solving.solver, goals, trial % 2 ? figure.rest : NULL, figure.pose, solving.scratch, NULL);
        for (int i = 0; i < 4; ++i) {
            expect_within_limits(figure.pose, &joints[i]);
        }
        for (int i = 0; i < FIGURE_NODES; ++i) {
            assert_memory_equal(&figure.pose[i].translation, &figure.rest[i].translation, sizeof(GtVec3));
            assert_memory_equal(&figure.pose[i].scale, &figure.rest[i].scale, sizeof(GtVec3));
            GT_EXPECT_NEAR(gt_quat_length(figure.pose[i].rotation), 1.0f, 1e-6f);
        }
    }
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

static const float NO_LIMIT = 3.1415927f;

// One leg alone, from the hip.
static Solving create_leg_solving(const Figure* figure, float max_turn_rad, const GtIkJoint* joint)
{
    GtIkEffector effector = effector_at(LEFT_FOOT);
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = &effector;
    def.effector_count = 1;
    def.top = LEFT_THIGH;
    def.max_turn_rad = max_turn_rad;
    def.joints = joint;
    def.joint_count = joint ? 1 : 0;
    return create_solving(figure->character, &def);
}

static void test_what_is_out_of_reach_is_pointed_at(void** state)
{
    (void)state;
    TestRandom random = { 26 };
    Figure figure = create_figure();
    Solving solving = create_leg_solving(&figure, NO_LIMIT, NULL);
    GtVec3 hip = figure_place(&figure, LEFT_THIGH);
    float length = 2.0f * gt_vec3_length(figure.rest[LEFT_SHANK].translation);
    for (int trial = 0; trial < 100; ++trial) {
        memcpy(figure.pose, figure.rest, sizeof figure.pose);
        float away = length + test_random_float(&random, 0.05f, 2.0f);
        GtIkGoal goal = gt_default_ik_goal();
        goal.position = gt_vec3_add(hip, gt_vec3_scale(test_random_direction(&random), away));
        GtIkReport report;
        gt_ik_solve(solving.solver, &goal, NULL, figure.pose, solving.scratch, &report);
        assert_false(report.met);
        GT_EXPECT_NEAR(report.miss_m, away - length, 1e-3f);
        GT_EXPECT_NEAR(distance(figure_place(&figure, LEFT_FOOT), goal.position), report.miss_m, 1e-5f);
    }
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

// What happened while a leg's goal went out of reach and back, 5 mm a frame and a little aside.
typedef struct Ride {
    float fastest_rad;  // of any joint in one frame
    float worst_miss_m; // beyond what no leg could reach
} Ride;

static Ride ride(float max_turn_rad, const GtTransform* posture)
{
    Figure figure = create_figure();
    Solving solving = create_leg_solving(&figure, max_turn_rad, NULL);
    GtVec3 hip = figure_place(&figure, LEFT_THIGH);
    float length = 2.0f * gt_vec3_length(figure.rest[LEFT_SHANK].translation);
    Ride result = { 0 };
    for (int frame = -60; frame <= 240; ++frame) { // to begin with, the leg is given time to get there
        GtTransform before[FIGURE_NODES];
        memcpy(before, figure.pose, sizeof before);
        float time = fmaxf(0.0f, (float)frame);
        float away = 0.6f + 0.005f * (time <= 120.0f ? time : 240.0f - time); // 0.6 m to 1.2 m; the leg has 0.84 m
        GtIkGoal goal = gt_default_ik_goal();
        goal.position = gt_vec3_add(hip, gt_vec3(0.1f * sinf(0.05f * time), -away, 0.05f));
        GtIkReport report;
        gt_ik_solve(solving.solver, &goal, posture, figure.pose, solving.scratch, &report);
        for (int i = LEFT_THIGH; frame >= 0 && i <= LEFT_SHANK; ++i) {
            float turn = gt_quat_angle_rad(before[i].rotation, figure.pose[i].rotation);
            result.fastest_rad = fmaxf(result.fastest_rad, turn);
            float out_of_reach = fmaxf(0.0f, distance(goal.position, hip) - length);
            result.worst_miss_m = fmaxf(result.worst_miss_m, report.miss_m - out_of_reach);
        }
    }
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
    return result;
}

static void test_nothing_jumps_at_the_end_of_the_reach(void** state)
{
    (void)state;
    Figure figure = create_figure();
    for (int i = 0; i < 2; ++i) {
        const GtTransform* posture = i ? figure.rest : NULL;
        Ride hard = ride(NO_LIMIT, posture);
        Ride gentle = ride(0.05f, posture);
        assert_true(hard.fastest_rad < 0.25f); // the knee's own: sqrt(8 * 0.005 / 0.84) for the last 5 mm
        assert_true(hard.worst_miss_m < 1e-3f);
        assert_true(gentle.fastest_rad < 0.05f + 1e-5f);
        // n frames after the goal came back within reach it is 0.005 n nearer, and a knee of 0.05 n lifts the foot by
        // 0.84 (0.05 n)^2 / 8: at most 0.0238 m less, and what a goal moves in one frame.
        assert_true(gentle.worst_miss_m < 0.0238f + 0.005f);
    }
    gt_character_destroy(figure.character);
}

// A straight leg, whose goal is on the line to the hip: to first order nothing moves the foot there.
static void test_a_straight_leg_bends(void** state)
{
    (void)state;
    const GtIkJoint hinge = knee(LEFT_SHANK);
    for (int trial = 0; trial < 4; ++trial) {
        Figure figure = create_figure();
        Solving solving = create_leg_solving(&figure, NO_LIMIT, trial % 2 ? &hinge : NULL);
        figure.pose[LEFT_SHANK].translation.z = 0.0f;
        figure.pose[LEFT_FOOT].translation.z = 0.0f;
        GtVec3 hip = figure_place(&figure, LEFT_THIGH);
        GtIkGoal goal = gt_default_ik_goal();
        goal.position = gt_vec3_add(hip, gt_vec3(0, trial < 2 ? -0.5f : -0.839f, 0));
        GtIkReport report;
        gt_ik_solve(solving.solver, &goal, NULL, figure.pose, solving.scratch, &report);
        assert_true(report.met);
        GT_EXPECT_NEAR(distance(figure_place(&figure, LEFT_FOOT), goal.position), 0.0f, 1e-4f);
        if (trial % 2) {
            expect_within_limits(figure.pose, &hinge);
        }
        destroy_solving(&solving);
        gt_character_destroy(figure.character);
    }
}

static void test_weights_decide_between_goals_in_conflict(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkEffector effectors[2] = { effector_at(LEFT_HAND), effector_at(LEFT_HAND) };
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = effectors;
    def.effector_count = 2;
    def.top = LEFT_ARM;
    Solving solving = create_solving(figure.character, &def);
    GtVec3 hand = figure_place(&figure, LEFT_HAND);
    const float weights[][2] = { { 1, 1 }, { 1, 3 }, { 100, 1 }, { 0, 1 } };
    for (int i = 0; i < 4; ++i) {
        GtIkGoal goals[2] = { gt_default_ik_goal(), gt_default_ik_goal() };
        goals[0].position = gt_vec3_add(hand, gt_vec3(-0.2f, 0.1f, 0.1f));
        goals[1].position = gt_vec3_add(hand, gt_vec3(-0.2f, -0.1f, 0.1f));
        goals[0].position_weight = weights[i][0];
        goals[1].position_weight = weights[i][1];
        float share = weights[i][1] / (weights[i][0] + weights[i][1]);
        memcpy(figure.pose, figure.rest, sizeof figure.pose);
        gt_ik_solve(solving.solver, goals, NULL, figure.pose, solving.scratch, NULL);
        GtVec3 expected = gt_vec3_lerp(goals[0].position, goals[1].position, share);
        GT_EXPECT_NEAR(distance(figure_place(&figure, LEFT_HAND), expected), 0.0f, 2e-4f);
    }
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

static void test_stiff_joints_do_less(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkEffector effector = effector_at(LEFT_HAND);
    GtIkJoint spine = gt_default_ik_joint();
    GtIkSolverDef def = gt_default_ik_solver_def();
    def.effectors = &effector;
    def.effector_count = 1;
    def.top = SPINE;
    def.joints = &spine;
    def.joint_count = 1;
    GtIkGoal goal = gt_default_ik_goal();
    goal.position = gt_vec3_add(figure_place(&figure, LEFT_HAND), gt_vec3(-0.1f, 0.1f, 0.2f));
    float turns[3];
    for (int i = 0; i < 3; ++i) {
        spine.node = SPINE;
        spine.stiffness = i == 0 ? 1.0f : 20.0f;
        spine.kind = i == 2 ? GT_IK_FIXED : GT_IK_BALL;
        Solving solving = create_solving(figure.character, &def);
        GtIkReport report;
        memcpy(figure.pose, figure.rest, sizeof figure.pose);
        gt_ik_solve(solving.solver, &goal, NULL, figure.pose, solving.scratch, &report);
        assert_true(report.met);
        turns[i] = gt_quat_angle_rad(figure.pose[SPINE].rotation, gt_quat_identity());
        destroy_solving(&solving);
    }
    assert_true(turns[0] > 0.02f && turns[1] < 0.25f * turns[0] && turns[1] > 0.0f && turns[2] == 0.0f);
    gt_character_destroy(figure.character);
}

static void test_what_is_not_finite_is_ignored(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    Solving solving = create_solving(figure.character, &def);
    GtIkGoal goals[4];
    set_goals(figure.model, 0.04f, goals);
    goals[0].position = gt_vec3(NAN, 0, 0);
    goals[1].position.x += 0.1f;
    goals[1].rotation = gt_quat(0, 0, INFINITY, 0);
    goals[2].position_weight = NAN;
    goals[3].rotation_weight = -1.0f;
    GtTransform posture[FIGURE_NODES];
    memcpy(posture, figure.rest, sizeof posture);
    posture[SPINE].rotation.x = NAN;
    posture[HIPS].translation.y = INFINITY;
    GtIkReport report;
    gt_ik_solve(solving.solver, goals, posture, figure.pose, solving.scratch, &report);
    assert_int_equal(report.ignored_count, 4);
    assert_true(report.met);
    GT_EXPECT_NEAR(distance(figure_place(&figure, RIGHT_HAND), goals[1].position), 0.0f, 1e-4f);
    const float* values = &figure.pose[0].translation.x;
    for (size_t i = 0; i < sizeof figure.pose / (sizeof(float)); ++i) {
        assert_true(isfinite(values[i]));
    }
    GtTransform before[FIGURE_NODES];
    figure.pose[CHEST].translation.x = NAN;
    memcpy(before, figure.pose, sizeof before);
    gt_ik_solve(solving.solver, goals, posture, figure.pose, solving.scratch, &report);
    assert_memory_equal(before, figure.pose, sizeof before);
    assert_true(!report.met && report.miss_m == INFINITY);
    destroy_solving(&solving);
    gt_character_destroy(figure.character);
}

static void test_wrong_defs_are_refused(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkEffector effector = effector_at(LEFT_FOOT);
    GtIkJoint joints[2] = { knee(LEFT_SHANK), knee(RIGHT_SHANK) };
    GtIkSolverDef good = gt_default_ik_solver_def();
    good.effectors = &effector;
    good.effector_count = 1;
    good.joints = joints;
    good.joint_count = 2;
    GtError error;
    GtIkSolver* solver = NULL;
    GtAllocator allocator = gt_default_allocator();
    GtIkSolverDef def = good;
    def.effector_count = 0;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &def, &solver, &error), GT_ERROR_LIMIT,
                    "effector");
    assert_null(solver);
    def = good;
    def.top = RIGHT_THIGH;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &def, &solver, &error), GT_ERROR_BAD_VALUE, "top");
    def = good;
    def.move_top = true;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &def, &solver, &error), GT_ERROR_BAD_VALUE, "top");
    def = good;
    def.damping_m = NAN;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &def, &solver, &error), GT_ERROR_BAD_VALUE,
                    "damping");
    effector.node = FIGURE_NODES;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &good, &solver, &error), GT_ERROR_BAD_VALUE,
                    "node 21");
    effector.node = LEFT_FOOT;
    joints[1].node = LEFT_SHANK;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &good, &solver, &error), GT_ERROR_BAD_VALUE,
                    "same node");
    joints[1] = knee(RIGHT_SHANK);
    joints[1].axis = gt_vec3(0, 0, 0);
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &good, &solver, &error), GT_ERROR_BAD_VALUE,
                    "axis");
    joints[1] = knee(RIGHT_SHANK);
    joints[1].min_turn_rad = 3.0f;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &good, &solver, &error), GT_ERROR_BAD_VALUE,
                    "limits");
    joints[1] = knee(RIGHT_SHANK);
    joints[1].stiffness = 0.0f;
    GT_EXPECT_ERROR(gt_ik_solver_create(allocator, figure.character, &good, &solver, &error), GT_ERROR_BAD_VALUE,
                    "stiffness");
    gt_character_destroy(figure.character);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    Figure figure = create_figure();
    GtIkEffector effectors[4];
    GtIkSolverDef def = body_def(effectors);
    for (int64_t allowed = 0;; ++allowed) {
        TestAllocator memory = { .remaining = allowed };
        GtError error;
        GtIkSolver* solver = NULL;
        GtResult result = gt_ik_solver_create(test_allocator(&memory), figure.character, &def, &solver, &error);
        gt_ik_solver_destroy(solver);
        assert_int_equal(memory.alive, 0);
        if (result == GT_OK) {
            assert_true(allowed > 0);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_null(solver);
    }
    gt_character_destroy(figure.character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_jacobian_is_the_derivative),
        cmocka_unit_test(test_goals_within_reach_are_met_whatever_the_posture),
        cmocka_unit_test(test_the_posture_is_projected_exactly),
        cmocka_unit_test(test_a_limited_joint_leaves_the_jacobian),
        cmocka_unit_test(test_limits_hold_and_solutions_within_them_are_found),
        cmocka_unit_test(test_limits_hold_out_of_reach),
        cmocka_unit_test(test_what_is_out_of_reach_is_pointed_at),
        cmocka_unit_test(test_nothing_jumps_at_the_end_of_the_reach),
        cmocka_unit_test(test_a_straight_leg_bends),
        cmocka_unit_test(test_weights_decide_between_goals_in_conflict),
        cmocka_unit_test(test_stiff_joints_do_less),
        cmocka_unit_test(test_what_is_not_finite_is_ignored),
        cmocka_unit_test(test_wrong_defs_are_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
