// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A walk in place: joint angles over one cycle as sums of smooth bumps fitted by eye to the sagittal gait curves of
// Winter's data, left and right half a cycle apart; the hips are as high as the lower of the two soles asks for, so
// that a foot is always on the ground. The first and the last frame are the same pose.

#include "gertie/sample.h"

#include "gertie/bake.h"
#include "gertie/character.h"

#include "base/fail.h"
#include "sample/figure_skeleton.h"

#include <math.h>

#define PI 3.14159265358979323846

enum {
    MAX_FRAMES = 200000
};

// Points of the sole in the space of the foot and of the toes, in heights: heel, ball and tip.
static const GtVec3 heel_in_foot = { 0.0f, -0.045f, -0.022f };
static const GtVec3 ball_in_foot = { 0.0f, -0.045f, 0.076f };
static const GtVec3 tip_in_toes = { 0.0f, -0.016f, 0.034f };

// A bump of height 1 at `center` in a cycle of length 1.
static double bump(double phase, double center, double width)
{
    double distance = phase - center - floor(phase - center + 0.5);
    return exp(-0.5 * distance * distance / (width * width));
}

static GtQuat turn(double x_deg, double y_deg, double z_deg)
{
    const GtVec3 x = { 1.0f, 0.0f, 0.0f };
    const GtVec3 y = { 0.0f, 1.0f, 0.0f };
    const GtVec3 z = { 0.0f, 0.0f, 1.0f };
    GtQuat qx = gt_quat_from_axis_angle(x, (float)(x_deg * PI / 180.0));
    GtQuat qy = gt_quat_from_axis_angle(y, (float)(y_deg * PI / 180.0));
    GtQuat qz = gt_quat_from_axis_angle(z, (float)(z_deg * PI / 180.0));
    return gt_quat_mul(qy, gt_quat_mul(qx, qz));
}

static void set(GtTransform* pose, GtHumanoidJoint joint, GtQuat rotation)
{
    pose[gti_sample_joint_index(joint)].rotation = rotation;
}

// One leg at a phase of its own cycle; 0 is heel strike, about 0.6 toe-off. Flexion of the hip is forward (a negative
// turn about x), of the knee backward.
static void pose_leg(GtTransform* pose, double phase, double hip_yaw_deg, double hip_roll_deg, bool left)
{
    double hip = 5.0 + 19.0 * cos(2.0 * PI * phase) + 4.0 * bump(phase, 0.86, 0.08);
    double knee = 4.0 + 13.0 * bump(phase, 0.14, 0.06) + 55.0 * bump(phase, 0.71, 0.1);
    double ankle = 7.0 * bump(phase, 0.43, 0.11) - 19.0 * bump(phase, 0.63, 0.055) - 5.0 * bump(phase, 0.07, 0.035) +
                   3.0 * bump(phase, 0.88, 0.08);
    double toes = 26.0 * bump(phase, 0.57, 0.05);
    set(pose, left ? GT_HUMANOID_LEFT_UPPER_LEG : GT_HUMANOID_RIGHT_UPPER_LEG, turn(-hip, -hip_yaw_deg, -hip_roll_deg));
    set(pose, left ? GT_HUMANOID_LEFT_LOWER_LEG : GT_HUMANOID_RIGHT_LOWER_LEG, turn(knee, 0.0, 0.0));
    set(pose, left ? GT_HUMANOID_LEFT_FOOT : GT_HUMANOID_RIGHT_FOOT, turn(-ankle, 0.0, 0.0));
    set(pose, left ? GT_HUMANOID_LEFT_TOES : GT_HUMANOID_RIGHT_TOES, turn(-toes, 0.0, 0.0));
}

// The arm hangs a little away from the body and swings against the leg of its side.
static void pose_arm(GtTransform* pose, double phase, bool left)
{
    double side = left ? 1.0 : -1.0;
    double swing = 4.0 - 20.0 * cos(2.0 * PI * (phase - 0.03)); // forward is positive
    double elbow = 22.0 - 12.0 * cos(2.0 * PI * (phase - 0.08));
    GtQuat hang = turn(0.0, 0.0, -side * 76.0);
    set(pose, left ? GT_HUMANOID_LEFT_SHOULDER : GT_HUMANOID_RIGHT_SHOULDER, turn(0.0, -side * 0.12 * swing, 0.0));
    set(pose, left ? GT_HUMANOID_LEFT_UPPER_ARM : GT_HUMANOID_RIGHT_UPPER_ARM,
        gt_quat_mul(turn(-swing, 0.0, 0.0), hang));
    set(pose, left ? GT_HUMANOID_LEFT_LOWER_ARM : GT_HUMANOID_RIGHT_LOWER_ARM, turn(0.0, -side * elbow, 0.0));
    set(pose, left ? GT_HUMANOID_LEFT_HAND : GT_HUMANOID_RIGHT_HAND, turn(0.0, -side * 8.0, 0.0));
}

static void pose_body(GtTransform* pose, double phase)
{
    double yaw = 5.0 * cos(2.0 * PI * phase);  // the left hip is forward when the left heel strikes
    double roll = 3.0 * sin(2.0 * PI * phase); // the swinging side drops
    double nod = 1.0 * cos(4.0 * PI * phase);
    set(pose, GT_HUMANOID_HIPS, turn(2.0, -yaw, roll));
    set(pose, GT_HUMANOID_SPINE, turn(1.0, 0.5 * yaw, -0.5 * roll));
    set(pose, GT_HUMANOID_CHEST, turn(1.0, 0.7 * yaw, -0.4 * roll));
    set(pose, GT_HUMANOID_UPPER_CHEST, turn(0.0, 0.8 * yaw, -0.2 * roll));
    set(pose, GT_HUMANOID_NECK, turn(-1.0 + nod, -0.4 * yaw, 0.0));
    set(pose, GT_HUMANOID_HEAD, turn(-2.0, -0.6 * yaw, 0.1 * roll));
    pose_leg(pose, phase, -yaw, roll, true);
    pose_leg(pose, phase + 0.5, -yaw, roll, false);
    pose_arm(pose, phase, true);
    pose_arm(pose, phase + 0.5, false);
}

static float lowest_of_foot(const GtMat34* model_from_node, GtHumanoidJoint foot, GtHumanoidJoint toes, float height)
{
    const GtMat34* model_from_foot = &model_from_node[gti_sample_joint_index(foot)];
    const GtMat34* model_from_toes = &model_from_node[gti_sample_joint_index(toes)];
    float heel = gt_mat34_point(model_from_foot, gt_vec3_scale(heel_in_foot, height)).y;
    float ball = gt_mat34_point(model_from_foot, gt_vec3_scale(ball_in_foot, height)).y;
    float tip = gt_mat34_point(model_from_toes, gt_vec3_scale(tip_in_toes, height)).y;
    return fminf(heel, fminf(ball, tip));
}

static void pose_frame(const GtCharacter* figure, double phase, float height, GtTransform* pose)
{
    GtMat34 model_from_node[GTI_SAMPLE_JOINT_COUNT];
    gti_sample_rest((double)height, pose);
    pose_body(pose, phase);
    pose[0].translation.x += 0.009f * height * (float)sin(2.0 * PI * phase); // over the foot that stands
    gt_character_to_model(figure, pose, model_from_node);
    float left = lowest_of_foot(model_from_node, GT_HUMANOID_LEFT_FOOT, GT_HUMANOID_LEFT_TOES, height);
    float right = lowest_of_foot(model_from_node, GT_HUMANOID_RIGHT_FOOT, GT_HUMANOID_RIGHT_TOES, height);
    pose[0].translation.y -= fminf(left, right);
}

static GtResult make_skeleton(const GtContext* context, double height_m, GtCharacter** out, GtError* error)
{
    GtTransform rest[GTI_SAMPLE_JOINT_COUNT];
    int32_t parents[GTI_SAMPLE_JOINT_COUNT];
    gti_sample_rest(height_m, rest);
    for (int32_t i = 0; i < GTI_SAMPLE_JOINT_COUNT; ++i) {
        parents[i] = gti_sample_joints[i].parent;
    }
    GtCharacterDef def = gt_default_character_def();
    def.node_count = GTI_SAMPLE_JOINT_COUNT;
    def.parents = parents;
    def.rest = rest;
    return gt_character_create(context->allocator, &def, out, error);
}

static GtResult bake_walk(const GtContext* context, GtScene* scene, const GtSampleWalkDef* def,
                          const GtCharacter* figure, GtArena* scratch, GtError* error)
{
    double duration_s = def->cycle_s * def->cycle_count;
    int32_t frame_count = (int32_t)floor(duration_s * def->frame_rate_hz + 0.5) + 1;
    float* times = gt_arena_push_array(scratch, (size_t)frame_count, sizeof *times);
    GtTransform* poses = gt_arena_push_array(scratch, (size_t)frame_count * GTI_SAMPLE_JOINT_COUNT, sizeof *poses);
    if (!times || !poses) {
        return gti_out_of_memory(error);
    }
    for (int32_t f = 0; f < frame_count; ++f) {
        // Phases are spread evenly, so that the last frame closes the cycle whatever the frame rate.
        double phase = frame_count > 1 ? (double)f / (frame_count - 1) * def->cycle_count : 0.0;
        times[f] = (float)(f / def->frame_rate_hz);
        pose_frame(figure, phase - floor(phase), (float)def->height_m, poses + (size_t)f * GTI_SAMPLE_JOINT_COUNT);
    }
    int32_t nodes[GTI_SAMPLE_JOINT_COUNT];
    uint8_t paths[GTI_SAMPLE_JOINT_COUNT];
    for (int32_t i = 0; i < GTI_SAMPLE_JOINT_COUNT; ++i) {
        nodes[i] = i;
        paths[i] = i == 0 ? GT_BAKE_TRANSLATION | GT_BAKE_ROTATION : GT_BAKE_ROTATION;
    }
    GtBakeDef bake = { "walk", frame_count, times, GTI_SAMPLE_JOINT_COUNT, nodes, paths, poses };
    return gt_scene_bake(context, scene, &bake, NULL, error);
}

GtSampleWalkDef gt_default_sample_walk_def(void)
{
    return (GtSampleWalkDef){
        .height_m = 1.7,
        .cycle_s = 1.1, // Winter: 105 to 115 steps a minute at natural cadence
        .cycle_count = 4,
        .frame_rate_hz = 60.0,
    };
}

static GtResult check_walk(const GtSampleWalkDef* def, GtError* error)
{
    GtResult result = gti_sample_check_height(def->height_m, error);
    if (result == GT_OK && !(def->cycle_s >= 0.2 && def->cycle_s <= 20.0)) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "a cycle of %g s is out of range; give 0.2 to 20", def->cycle_s);
    }
    if (result == GT_OK && (def->cycle_count < 1 || def->cycle_count > 1000)) {
        result =
            gti_fail(error, GT_ERROR_BAD_VALUE, "%d cycles are out of range; give 1 to 1000", (int)def->cycle_count);
    }
    if (result == GT_OK && !(def->frame_rate_hz >= 1.0 && def->frame_rate_hz <= 1000.0)) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "%g frames a second are out of range; give 1 to 1000",
                          def->frame_rate_hz);
    }
    double frames = def->cycle_s * def->cycle_count * def->frame_rate_hz;
    if (result == GT_OK && frames > MAX_FRAMES) {
        result = gti_fail(error, GT_ERROR_LIMIT, "that makes %.0f frames; the limit is %d", frames, (int)MAX_FRAMES);
    }
    return result;
}

GtResult gt_sample_walk(const GtContext* context, const GtSampleWalkDef* def, GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = check_walk(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena scratch = gt_arena_create(context->allocator);
    GtCharacter* figure = NULL;
    result = make_skeleton(context, def->height_m, &figure, error);
    if (result == GT_OK) {
        result = gt_scene_create(context, out, error);
    }
    if (result == GT_OK) {
        result = gti_sample_add_skeleton(*out, def->height_m, error);
    }
    if (result == GT_OK) {
        result = bake_walk(context, *out, def, figure, &scratch, error);
    }
    gt_character_destroy(figure);
    gt_arena_destroy(&scratch);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
