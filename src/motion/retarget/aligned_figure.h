// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How a figure stands in the common pose, in which all humanoids are compared: a T-pose, feet flat, head level.

#ifndef GERTIE_MOTION_RETARGET_FIGURE_H
#define GERTIE_MOTION_RETARGET_FIGURE_H

#include "figure/figure.h"
#include "motion/retarget/posture.h"

#include "gertie/retarget.h"

// A joint that does not hang from the one above it in the body, as feet that an IK rig keeps at its root. It is carried
// along so that the limb stays whole.
typedef struct GtiLooseJoint {
    int32_t node, holder;
    GtVec3 offset_m; // from the holder, in its axes, at rest
} GtiLooseJoint;

enum {
    GTI_MAX_LOOSE_JOINTS = 10
};

typedef struct GtiAlignedFigure {
    const GtFigure* figure;
    const GtScene* scene; // of the figure, as the next four are
    const GtCharacter* character;
    const GtCharacterDef* def;
    const int32_t* joints;       // [GT_HUMANOID_JOINT_COUNT] runtime nodes, or GT_NONE
    const GtClip* clip;          // or NULL
    const GtRetargetPose* given; // or NULL; rotations of all zeros are found
    bool is_humanoid;            // it has legs to stand on and arms to tell its sides by
    GtRestPose rest_pose;
    bool used_bind_pose;
    float max_limb_turn_rad;
    GtRestAngles angles;          // of a humanoid
    GtRetargetPose retarget_pose; // of a humanoid
    GtiPosture aligned;           // T-pose of a humanoid, else the reference pose; up is Y
    float foot_pitch_rad;         // heels up, in the pose it is aligned from, where a caller knows and no mesh shows it
    float gaze_rad;               // how far up its head looks in the motion when it is level, likewise
    float leg_m;                  // hip to ankle along the bones; 0 where unknown
    float hip_height_m;           // of the thighs over the lowest joint in the aligned posture; 0 where unknown
    GtVec3 hips_over_legs_m;      // from between the thighs to the hips in the aligned posture; 0 where unknown
    float sole_m;                 // how far the sole of the mesh is under that joint
    bool has_sole;
    GtiLooseJoint loose[GTI_MAX_LOOSE_JOINTS];
    int loose_count;
    bool* of_feet; // [node_count] ankles and toes, or what hangs from ankles without them; without a map all
    float stand_m; // height of its lowest joint at rest, or in its reference pose
} GtiAlignedFigure;

// Begin with a figure, which must outlive this. Memory is of `arena`.
GtResult gti_aligned_open(GtArena* arena, const GtFigure* figure, GtiAlignedFigure* out, GtError* error);

// Bring it into the common pose. `reference` is a pose to start from instead of the rest pose, or NULL.
// A humanoid whose body has no size becomes none.
GtResult gti_aligned_find(const GtContext* context, GtiAlignedFigure* figure, const GtTransform* reference,
                          GtError* error);

// Move loose joint `k` to where its holder, turned by model-space `rotations`, has it.
// model_from_node: of the pose; brought up to date.
void gti_aligned_hold(const GtiAlignedFigure* figure, int k, const GtQuat* rotations, GtTransform* pose,
                      GtMat34* model_from_node);

// Height of the lowest joint of the feet, or of all without a map.
float gti_aligned_lowest(const GtiAlignedFigure* figure, const GtMat34* model_from_node);

#endif
