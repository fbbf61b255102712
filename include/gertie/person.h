// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// The built-in person: a layered body (skeleton, flesh of smooth fields, skin) with all 55 VRM 1.0 joints, made by
/// formulas, so that nothing else is needed to start, to test and to show.

#ifndef GERTIE_PERSON_H
#define GERTIE_PERSON_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How the person stands at rest.
typedef enum GtPersonPose {
    GT_PERSON_POSE_T, ///< arms level, the pose of VRM
    GT_PERSON_POSE_A, ///< arms 45 degrees down; the scene holds the way back to the T-pose as its retarget pose
} GtPersonPose;

/// A person. Start from gt_default_person_def() or gt_random_person_def().
/// Factors are relative to the published ratios (Winter, after Drillis and Contini 1966), 0.7 to 1.4; the person stays
/// `height_m` tall whatever they are, the soles on the ground.
typedef struct GtPersonDef {
    double height_m; ///< 0.5 to 2.5
    double build;    ///< -1 thin, 0 average, 1 heavy
    double muscle;   ///< 0 none to show, 1 an athlete's
    double sex;      ///< 0 female to 1 male, any blend between

    double leg_length;     ///< from the hip joint down, against torso and head
    double arm_length;     ///< from the shoulder joint to the fingertips
    double torso_length;   ///< from the hip joint to the shoulder joint, against legs and head
    double shoulder_width; ///< between the shoulder joints
    double hip_width;      ///< between the hip joints
    double head_size;      ///< head and neck, against torso and legs
    double hand_size;      ///< wrist to fingertips
    double foot_size;      ///< heel to toes

    GtPersonPose pose;
    int32_t triangle_count; ///< 2,000 to 1,000,000, met within 2 %
} GtPersonDef;

/// A friendly adult of average build, 1.75 m, in the T-pose, of 25,000 triangles.
GT_API GtPersonDef gt_default_person_def(void);

/// One of a crowd: another person for every seed, the same for the same seed.
GT_API GtPersonDef gt_random_person_def(uint64_t seed);

GT_EXTERN_C_END

#endif
