// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// Inverse kinematics: joints turned so that hands and feet come where they shall. A limb of two bones has a closed
/// form. Nothing here allocates, and no bone ever changes its length.

#ifndef GERTIE_IK_H
#define GERTIE_IK_H

#include "gertie/character.h"

GT_EXTERN_C_BEGIN

/// A limb of two bones as it stands, and where its end shall go. Model space.
typedef struct GtTwoBone {
    GtVec3 root, middle, end; ///< hip, knee, ankle; or shoulder, elbow, wrist
    GtVec3 target;            ///< for the end
    /// Direction that the middle joint bends to, of any length; zero for the way it bends now, which a straight limb
    /// does not tell: then +Z, or +Y for a limb along Z.
    GtVec3 pole;
    /// Share of the full length from which on the limb straightens ever more slowly, so that no knee pops, in (0, 1];
    /// 1 for none. Up to there the end is on the target.
    float soft;
} GtTwoBone;

/// How a limb turns. Turns are rotations in model space, to be applied to the left of model rotations:
/// of the root joint `root_turn * old`, of the middle joint and all below it `middle_turn * root_turn * old`.
typedef struct GtTwoBoneTurns {
    GtQuat root_turn;
    GtQuat middle_turn;
    GtVec3 middle, end; ///< where they come to lie
    float miss_m;       ///< from the end to the target; infinite when the target is not finite
} GtTwoBoneTurns;

/// Turn a limb so that its end meets the target: by the law of cosines, in the plane of root, target and pole.
///
/// A target out of reach is pointed at: with the limb stretched (ever nearer to straight, where `soft` is below 1), or,
/// when it is nearer to the root than the difference of the bones, folded. As the middle joint turns about the axis
/// that it bends about now, knees and elbows stay hinges, and the root joint takes the twist when the pole asks for
/// another plane; an axis is not read out of a limb that is all but straight. So the answer changes smoothly with
/// everything given, but where no smooth answer exists: at a target in the root joint of unequal bones (the limb keeps
/// its direction), at a pole along the limb, and at a pole opposite to the way that a limb is clearly bent.
/// What is not finite is ignored: a pole as if it were zero, with any of the points the limb stays as it is.
GT_API GtTwoBoneTurns gt_ik_two_bone(const GtTwoBone* limb);

/// A limb of a character, and where its end shall go. Start from gt_default_ik_limb().
typedef struct GtIkLimb {
    int32_t nodes[3];     ///< root, middle, end: each above the next, however many (twist) joints are in between
    GtVec3 target;        ///< for the end, in model space
    GtVec3 pole;          ///< as in GtTwoBone
    float soft;           ///< as in GtTwoBone
    bool keep_end_turned; ///< the end keeps its rotation in model space; else it goes along with the limb
} GtIkLimb;

GT_API GtIkLimb gt_default_ik_limb(void);

/// gt_ik_two_bone() on a pose: the first two nodes turn, and the third where it is to keep its rotation; no other value
/// of the pose changes. Under uneven scale, where bones change their length as they turn, the solution is found in a
/// few rounds.
/// @param pose             [node_count] parent_from_node, unit rotations
/// @param model_from_node  [node_count] of this pose; brought up to date
/// @return what gt_ik_two_bone() says; over all rounds, and with `middle`, `end` and `miss_m` as they came out
GT_API GtTwoBoneTurns gt_ik_limb(const GtCharacter* character, const GtIkLimb* limb, GtTransform* pose,
                                 GtMat34* model_from_node);

GT_EXTERN_C_END

#endif
