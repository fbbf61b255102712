// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One of the two figures of a transfer: its nodes, its joints, and how it stands in the common pose.

#ifndef GERTIE_MOTION_RETARGET_FIGURE_H
#define GERTIE_MOTION_RETARGET_FIGURE_H

#include "motion/retarget/posture.h"

// A joint that does not hang from the one above it in the body, as feet that an IK rig keeps at its root. It is carried
// along so that the limb stays whole.
typedef struct GtiLooseJoint {
    int32_t node, holder;
    GtVec3 offset_m; // from the holder, in its axes, at rest
} GtiLooseJoint;

enum {
    GTI_MAX_LOOSE_JOINTS = 10
};

typedef struct GtiFigure {
    const GtScene* scene;
    const GtRetargetPose* given; // or NULL; rotations of all zeros are found
    GtCharacter* character;      // without meshes
    const GtCharacterDef* def;
    int32_t joints[GT_HUMANOID_JOINT_COUNT]; // runtime nodes, or GT_NONE
    bool is_humanoid;
    GtRestPose rest_pose;
    bool used_bind_pose;
    float max_limb_turn_rad;
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
} GtiFigure;

// Build the nodes and find the joints of `map`. Memory is of `arena`, except the character: gti_figure_close().
GtResult gti_figure_open(const GtContext* context, GtArena* arena, const GtScene* scene, const GtHumanoidMap* map,
                         GtiFigure* out, GtError* error);
void gti_figure_close(GtiFigure* figure);

// Bring it into the common pose. `reference` is a pose to start from instead of the rest pose, or NULL.
// A humanoid whose body has no size becomes none.
GtResult gti_figure_align(const GtContext* context, GtiFigure* figure, const GtTransform* reference, GtError* error);

// Move loose joint `k` to where its holder, turned by model-space `rotations`, has it.
// model_from_node: of the pose; brought up to date.
void gti_figure_hold(const GtiFigure* figure, int k, const GtQuat* rotations, GtTransform* pose,
                     GtMat34* model_from_node);

// Height of the lowest joint of the feet, or of all without a map.
float gti_figure_lowest(const GtiFigure* figure, const GtMat34* model_from_node);

#endif
