// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "motion/retarget/rest_angles.h"

#include "base/direction.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// From where on a person looking at the figure would mention it, degrees.
static const double ARM_DIFFERENCE = 20.0;
static const double ELBOW_BEND = 35.0; // an A-pose has up to 30
static const double LEG_DIFFERENCE = 15.0;
static const double KNEE_BEND = 20.0;
static const double SAME = 3.0;
static const double HEAD = 1.0; // what is less than 4 degrees is 0 already

typedef struct Limbs {
    const GtiPosture* posture;
    const int32_t* joints;
    GtQuat canonical_from_model;
} Limbs;

// From a joint to the next one of its chain, in canonical axes; false where one is missing.
static bool bone_of(const Limbs* l, GtHumanoidJoint joint, GtVec3* out)
{
    int32_t from = l->joints[joint], to = l->joints[joint + 1];
    if (from == GT_NONE || to == GT_NONE) {
        return false;
    }
    *out = gt_quat_rotate(l->canonical_from_model, gt_vec3_sub(l->posture->places[to], l->posture->places[from]));
    return gt_vec3_length(*out) > 0.0f;
}

// What is left of rounding is no angle.
static float tidy(float angle_rad)
{
    return fabsf(angle_rad) < 1e-4f ? 0.0f : angle_rad;
}

static void measure_arm(const Limbs* l, GtHumanoidJoint shoulder, float* raise_rad, float* bend_rad)
{
    GtVec3 upper, lower;
    if (bone_of(l, shoulder, &upper)) {
        *raise_rad = tidy(1.5707963f - gti_angle_between(upper, gt_vec3(0.0f, 1.0f, 0.0f)));
        *bend_rad = bone_of(l, shoulder + 1, &lower) ? tidy(gti_angle_between(upper, lower)) : 0.0f;
    }
}

static void measure_leg(const Limbs* l, GtHumanoidJoint hip, float outwards, float* forward_rad, float* out_rad,
                        float* bend_rad)
{
    GtVec3 thigh, shank;
    if (bone_of(l, hip, &thigh)) {
        *forward_rad = tidy(atan2f(thigh.z, -thigh.y));
        *out_rad = tidy(atan2f(outwards * thigh.x, -thigh.y));
        *bend_rad = bone_of(l, hip + 1, &shank) ? tidy(gti_angle_between(thigh, shank)) : 0.0f;
    }
}

void gti_rest_angles_find(const GtiPosture* posture, const int32_t* joints, GtQuat canonical_from_model,
                          const GtiHeadHold* head, GtRestAngles* out)
{
    const Limbs l = { posture, joints, canonical_from_model };
    *out = (GtRestAngles){ .head_yaw_rad = head->turn_rad, .head_tilt_rad = head->tilt_rad };
    measure_arm(&l, GT_HUMANOID_LEFT_UPPER_ARM, &out->left_arm_raise_rad, &out->left_elbow_bend_rad);
    measure_arm(&l, GT_HUMANOID_RIGHT_UPPER_ARM, &out->right_arm_raise_rad, &out->right_elbow_bend_rad);
    measure_leg(&l, GT_HUMANOID_LEFT_UPPER_LEG, 1.0f, &out->left_thigh_forward_rad, &out->left_thigh_out_rad,
                &out->left_knee_bend_rad);
    measure_leg(&l, GT_HUMANOID_RIGHT_UPPER_LEG, -1.0f, &out->right_thigh_forward_rad, &out->right_thigh_out_rad,
                &out->right_knee_bend_rad);
    int32_t left = joints[GT_HUMANOID_LEFT_FOOT], right = joints[GT_HUMANOID_RIGHT_FOOT];
    if (left != GT_NONE && right != GT_NONE) {
        GtVec3 apart = gt_vec3_sub(posture->places[left], posture->places[right]);
        out->legs_cross = gt_quat_rotate(canonical_from_model, apart).x < 0.0f;
    }
}

static double degrees(float radians)
{
    return gt_degrees((double)radians);
}

// Phrases with "; " between them.
static void add(char* out, const char* format, ...)
{
    size_t at = strlen(out);
    va_list arguments;
    va_start(arguments, format);
    if (at > 0) {
        at += (size_t)snprintf(out + at, GT_REST_ANGLES_TEXT_SIZE - at, "; ");
    }
    vsnprintf(out + at, GT_REST_ANGLES_TEXT_SIZE - at, format, arguments);
    va_end(arguments);
}

static const char* side_of(float angle)
{
    return angle > 0.0f ? "left" : "right";
}

static void describe_head(const GtRestAngles* a, char* out)
{
    double turn = fabs(degrees(a->head_yaw_rad)), tilt = fabs(degrees(a->head_tilt_rad));
    if (turn >= HEAD && tilt >= HEAD) {
        add(out, "the head is turned by %.0f degrees to its %s and tilted by %.0f to its %s", turn,
            side_of(a->head_yaw_rad), tilt, side_of(a->head_tilt_rad));
    } else if (turn >= HEAD) {
        add(out, "the head is turned by %.0f degrees to its %s", turn, side_of(a->head_yaw_rad));
    } else if (tilt >= HEAD) {
        add(out, "the head is tilted by %.0f degrees to its %s", tilt, side_of(a->head_tilt_rad));
    }
}

static void describe_bends(const char* one, const char* both, float left_rad, float right_rad, double least, char* out)
{
    double left = degrees(left_rad), right = degrees(right_rad);
    if (left >= least && right >= least && fabs(left - right) < SAME) {
        add(out, "the %s are bent by %.0f degrees", both, 0.5 * (left + right));
    } else if (left >= least && right >= least) {
        add(out, "the %s are bent by %.0f (left) and %.0f degrees (right)", both, left, right);
    } else if (left >= least || right >= least) {
        add(out, "the %s %s is bent by %.0f degrees", left >= least ? "left" : "right", one, fmax(left, right));
    }
}

const char* gt_rest_angles_describe(const GtRestAngles* a, char out[GT_REST_ANGLES_TEXT_SIZE])
{
    out[0] = '\0';
    describe_head(a, out);
    float higher = a->left_arm_raise_rad - a->right_arm_raise_rad;
    if (fabs(degrees(higher)) >= ARM_DIFFERENCE) {
        add(out, "the %s arm is raised by %.0f degrees more than the other", side_of(higher), fabs(degrees(higher)));
    }
    describe_bends("elbow", "elbows", a->left_elbow_bend_rad, a->right_elbow_bend_rad, ELBOW_BEND, out);
    float ahead = a->left_thigh_forward_rad - a->right_thigh_forward_rad;
    if (fabs(degrees(ahead)) >= LEG_DIFFERENCE) {
        add(out, "the %s thigh is %.0f degrees in front of the other", side_of(ahead), fabs(degrees(ahead)));
    }
    if (a->legs_cross) {
        add(out, "the legs cross");
    }
    describe_bends("knee", "knees", a->left_knee_bend_rad, a->right_knee_bend_rad, KNEE_BEND, out);
    return out;
}
