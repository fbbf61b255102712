// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: inverse kinematics.
///
/// Inverse kinematics: joints turned so that hands and feet come where they shall. A limb of two bones has a closed
/// form; eyes, head and spine aim together; a chain curls towards its target; the full-body solver meets many goals at
/// once and stays near a posture. But for gt_ik_solver_create() nothing here allocates, and no bone changes its length.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

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

/// A limb of two bones whose middle joint is a hinge, as it stands, and where its end shall go. Model space.
typedef struct GtHingeLimb {
    GtVec3 root, middle, end; ///< hip, knee, ankle; or shoulder, elbow, wrist
    GtVec3 target;            ///< for the end
    GtVec3 hinge; ///< axis of the middle joint, of any length: turned about it, right-handed, the limb bends
    float soft;   ///< as in GtTwoBone
} GtHingeLimb;

/// Turn a limb so that its end meets the target: bend the hinge until the end is as far from the root as the target is,
/// then turn the whole limb there by the smallest rotation. So the limb twists no more than it must, and no answer
/// depends on which way it was bent before, be it a little the wrong way round: best for frames of a motion, one after
/// the other, that already are nearly right. What is not finite leaves the limb as it is.
GT_API GtTwoBoneTurns gt_ik_hinge(const GtHingeLimb* limb);

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

/// Most nodes that share an aim.
#define GT_MAX_IK_AIM_NODES 16

/// Something that shall point somewhere, and the nodes that turn for it: an eye; or eyes, head, neck and spine, each
/// with its share. Start from gt_default_ik_aim().
typedef struct GtIkAim {
    int32_t node_count;   ///< 1 to GT_MAX_IK_AIM_NODES
    const int32_t* nodes; ///< [node_count] each above the next; the last is what points
    const float* shares;  ///< [node_count] of the turn, in any unit, 0 or more; or NULL: even ones
    GtVec3 point;         ///< what looks, in the last node's space, such as the middle between the eyes
    GtVec3 axis;          ///< where it looks to, in the last node's space; not zero
    GtVec3 up_axis;       ///< what is up for it, in the last node's space; zero to let it roll as it will
    GtVec3 target;        ///< in model space
    GtVec3 up;            ///< direction in model space that `up_axis` is turned to, as far as looking lets it
    float weight;         ///< 0 to 1: how much of the turn is made
    /// Most that the last node turns; from 0.8 of it on ever less. As a target goes on behind, where left and right
    /// meet, the turn goes back to nothing. pi or more is no limit.
    float limit_rad;
} GtIkAim;

/// +Z at the target, +Y up, in full, without a limit.
GT_API GtIkAim gt_default_ik_aim(void);

/// Turn nodes until the last points at the target, as far as weight and limit let it. Rotations of `nodes` change, and
/// no other value of the pose.
/// @param pose             [node_count] parent_from_node, unit rotations
/// @param model_from_node  [node_count] of this pose; brought up to date
/// @return the angle that is left, in rad; infinite, and nothing turned, when the target is not finite
GT_API float gt_ik_aim(const GtCharacter* character, const GtIkAim* aim, GtTransform* pose, GtMat34* model_from_node);

/// How a joint may turn.
typedef enum GtIkJointKind {
    GT_IK_BALL,  ///< about any axis
    GT_IK_HINGE, ///< about its axis; what its rotation holds besides stays
    GT_IK_FIXED, ///< not at all
} GtIkJointKind;

/// A joint that is not like the others: stiffer, a hinge, or with limits. Start from gt_default_ik_joint().
///
/// Limits count from the rotation `neutral`: the joint turns from there by a twist about `axis`, then by a swing about
/// an axis across.
typedef struct GtIkJoint {
    int32_t node;
    GtIkJointKind kind;
    float stiffness;     ///< above 0; twice as stiff a joint does half as much of what can be shared
    GtVec3 axis;         ///< in the node's space: that of a hinge, or the bone of a ball joint with limits; not zero
    GtQuat neutral;      ///< parent_from_node
    float min_turn_rad;  ///< of a hinge, or the twist of a ball joint; -pi to pi
    float max_turn_rad;  ///< at least min_turn_rad, up to pi; the whole turn is no limit
    float max_swing_rad; ///< of the bone of a ball joint, out of where it is in `neutral`; pi or more is no limit
} GtIkJoint;

/// A ball joint of stiffness 1 without limits.
GT_API GtIkJoint gt_default_ik_joint(void);

/// What a solve came to.
typedef struct GtIkReport {
    int32_t iteration_count;
    int32_t ignored_count; ///< positions and rotations that were not finite
    int32_t limited_count; ///< joints that stand at one of their limits
    bool met;              ///< all goals are met within tolerance
    float miss_m;          ///< worst of all positions
    float miss_rad;        ///< worst of all rotations
} GtIkReport;

/// A row of joints, one above the next, and where its end shall go: a tail, a tentacle, a rope. For limbs and bodies
/// the closed form and the full-body solver look better. Start from gt_default_ik_chain().
typedef struct GtIkChain {
    int32_t top;   ///< the first node that turns
    int32_t end;   ///< the last; all in between turn, too
    GtVec3 point;  ///< in the space of `end`, such as the tip of the last bone
    GtVec3 target; ///< for the point, in model space
    int32_t joint_count;
    const GtIkJoint* joints; ///< those that are not like gt_default_ik_joint(); stiffness is not looked at
    float max_turn_rad;      ///< of a joint in one iteration: smaller curls evenly, larger is faster
    float tolerance_m;
    int32_t max_iterations;
} GtIkChain;

GT_API GtIkChain gt_default_ik_chain(void);

/// Turn the joints of a chain, each towards the target in turn, from the end up (cyclic coordinate descent), until it
/// is met or comes no nearer. Limits hold throughout. Only rotations from `top` to `end` change.
/// @param pose             [node_count] parent_from_node, unit rotations
/// @param model_from_node  [node_count] of this pose; brought up to date
GT_API GtIkReport gt_ik_chain(const GtCharacter* character, const GtIkChain* chain, GtTransform* pose,
                              GtMat34* model_from_node);

/// A point of a character that can be given a goal. Start from gt_default_ik_effector().
typedef struct GtIkEffector {
    int32_t node;
    GtVec3 point; ///< in the node's space, such as a vertex of the sole
} GtIkEffector;

GT_API GtIkEffector gt_default_ik_effector(void);

/// What a solver is made for. Start from gt_default_ik_solver_def().
typedef struct GtIkSolverDef {
    int32_t effector_count; ///< 1 to GT_MAX_IK_EFFECTORS
    const GtIkEffector* effectors;
    int32_t joint_count;
    const GtIkJoint* joints; ///< those that are not like gt_default_ik_joint(), each node once
    int32_t top;             ///< the highest node that turns, above all effectors; or GT_NONE: up to the roots
    bool move_top;           ///< `top`, which is not GT_NONE then, may also be moved
    float move_stiffness;    ///< above 0: a joint of stiffness 1 turns by 1 rad as readily as this moves by 1 m
    /// Most that a joint turns in one solve: with a warm start its speed, in rad a frame. A knee
    /// at the end of its reach straightens within a millimetre of the goal's way; with this it takes a few frames. pi
    /// or more is no limit.
    float max_turn_rad;
    int32_t max_iterations;
    float tolerance_m;   ///< a position that is as near as this is met
    float tolerance_rad; ///< a rotation likewise
    float posture_rad;   ///< where all goals are met, a step to the posture of no joint further than this is the last
    float damping_m;     ///< above 0; larger is steadier near stretched limbs, smaller is faster
} GtIkSolverDef;

#define GT_MAX_IK_EFFECTORS 64

GT_API GtIkSolverDef gt_default_ik_solver_def(void);

/// What an effector shall do in one solve. Start from gt_default_ik_goal(). Where not all goals can be met, the sum of
/// position_weight * miss_m^2 + rotation_weight * miss_rad^2 becomes least. What is not finite is ignored.
typedef struct GtIkGoal {
    GtVec3 position;       ///< of the effector's point, in model space
    GtQuat rotation;       ///< of the effector's node, in model space; see gt_mat34_polar()
    float position_weight; ///< 0 for none; 1 by default
    float rotation_weight; ///< 0 for none, which is the default; 0.04 takes 1 degree for as bad as 3.5 mm
} GtIkGoal;

GT_API GtIkGoal gt_default_ik_goal(void);

/// What can be worked out before any frame. Immutable, so any thread may read it; the character must outlive it.
typedef struct GtIkSolver GtIkSolver;

/// Create a solver. Everything in `def` is checked and copied.
/// @param out    receives the solver, or NULL on failure; free with gt_ik_solver_destroy()
/// @param error  may be NULL; names the effector or joint at fault
GT_API GtResult gt_ik_solver_create(GtAllocator allocator, const GtCharacter* character, const GtIkSolverDef* def,
                                    GtIkSolver** out, GtError* error);

/// Free a solver; `solver` may be NULL.
GT_API void gt_ik_solver_destroy(GtIkSolver* solver);

/// Scratch bytes that a solve needs.
GT_API size_t gt_ik_solver_scratch_size(const GtIkSolver* solver);

/// Turn joints until all goals are met, or as nearly as can be, and the rest of the pose is as near to `posture` as the
/// goals let it. Of nodes that are on the way from `top` to an effector rotations change, and the translation of `top`
/// where it may move; nothing else. Warm start: hand in the pose of the last frame, and the animation's as `posture`.
/// @param goals    [effector_count]
/// @param posture  [node_count] parent_from_node, or NULL: the pose changes as little as it must
/// @param pose     [node_count] parent_from_node, unit rotations; where to start, and the result. Joints beyond their
///                 limits are brought back to them. Left as it is when it is not finite.
/// @param scratch  [gt_ik_solver_scratch_size()] aligned to 16
/// @param report   may be NULL
GT_API void gt_ik_solve(const GtIkSolver* solver, const GtIkGoal* goals, const GtTransform* posture, GtTransform* pose,
                        void* scratch, GtIkReport* report);

GT_EXTERN_C_END

#endif
