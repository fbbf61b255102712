// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: retargeting.
///
/// Motions of one humanoid on another. Both are brought into one pose, the VRM T-pose, by rotations that are found once
/// (the retarget pose); from there on every joint of the target turns in the world as its partner does. Precompute and
/// solve are apart: gt_retarget_create() does all that depends on the two figures, gt_retarget_pose() does one frame.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_RETARGET_H
#define GERTIE_RETARGET_H

#include "gertie/field.h"
#include "gertie/figure.h"
#include "gertie/ground.h"
#include "gertie/map.h"
#include "gertie/plant.h"

GT_EXTERN_C_BEGIN

/// How a resting figure differs from one that stands straight, against its own body's axes. All of it is straightened
/// in the retarget pose.
typedef struct GtRestAngles {
    float head_yaw_rad;  ///< to its left, as far as the mirror symmetry of the head's mesh shows it clearly; else 0
    float head_tilt_rad; ///< to its left shoulder, in the same way
    float left_arm_raise_rad, right_arm_raise_rad;         ///< of the upper arm over level
    float left_elbow_bend_rad, right_elbow_bend_rad;       ///< of the forearm against the upper arm
    float left_thigh_forward_rad, right_thigh_forward_rad; ///< from straight down
    float left_thigh_out_rad, right_thigh_out_rad;         ///< away from the other leg, from straight down
    float left_knee_bend_rad, right_knee_bend_rad;         ///< of the shank against the thigh
    bool legs_cross;                                       ///< one ankle is on the other leg's side of it
} GtRestAngles;

/// Their fields, for JSON and tables.
GT_API const GtFieldTable* gt_rest_angles_fields(void);

/// Longest text of gt_rest_angles_describe(), with its end.
#define GT_REST_ANGLES_TEXT_SIZE 320

/// Say what a person would see: "the head is tilted by 12 degrees to its left; the right arm is raised by 80 degrees
/// more than the left". Arms as in a T-pose or an A-pose and slightly bent joints are not mentioned.
/// @param out  [GT_REST_ANGLES_TEXT_SIZE], "" where there is nothing to say
/// @return `out`
GT_API const char* gt_rest_angles_describe(const GtRestAngles* angles, char out[GT_REST_ANGLES_TEXT_SIZE]);

/// What gt_retarget_pose_find() saw.
typedef struct GtRetargetPoseReport {
    GtRestPose rest_pose;   ///< of the nodes as they stand
    bool used_bind_pose;    ///< the rest pose was odd, and the pose the skin is bound in was not
    float max_rotation_rad; ///< of the arms and legs, from the pose that was used
    GtRestAngles angles;    ///< of the pose that was used
} GtRetargetPoseReport;

/// Find the rotations that bring a figure into the VRM T-pose, from its rest pose or a T-pose its motion begins with:
/// facing +Z, arms along X, palms down, legs straight, soles flat and toes ahead. Arms, legs and fingers are turned by
/// the direction of their bones and, about it, by the bend of elbow and knee and by the palm; feet by their soles;
/// a head that is turned or tilted by the plane that mirrors its mesh, half of it with the neck; hips, spine and
/// clavicles with the body as a whole. Nothing in the scene changes.
/// @param figure  joints that its map lacks do not rotate
/// @param report  may be NULL
/// @return GT_ERROR_BAD_VALUE when hips, legs or arms are not mapped, or have no size
GT_API GtResult gt_retarget_pose_find(const GtContext* context, const GtFigure* figure, GtRetargetPose* out,
                                      GtRetargetPoseReport* report, GtError* error);

/// Where the path of the hips over the ground goes.
typedef enum GtRootMotion {
    GT_ROOT_MOTION_HIPS,  ///< onto the hips
    GT_ROOT_MOTION_JOINT, ///< path and heading onto the topmost joint above the hips
    GT_ROOT_MOTION_NONE,  ///< nowhere: the figure moves on the spot
} GtRootMotion;

/// What the fingers of a hand do that the motion does not move: it has none, or keeps them straight all the time.
typedef enum GtHandPose {
    GT_HAND_POSE_RELAXED, ///< bent a little, more towards the little finger, the thumb beside them
    GT_HAND_POSE_MOTION,  ///< as in the motion, and as they rest where it has none
    GT_HAND_POSE_FIST,    ///< closed, the thumb over the fingers
    GT_HAND_POSE_FLAT,    ///< straight
} GtHandPose;

/// What happens to limbs that go through the body, because the character is not built as the performer is.
typedef enum GtCollide {
    GT_COLLIDE_OFF, ///< they go where the joints above them take them
    GT_COLLIDE_ON,  ///< arms are brought out of head, trunk and legs, and legs out of each other
} GtCollide;

/// How a motion is carried over. Start from gt_default_retarget_def().
typedef struct GtRetargetDef {
    GtRootMotion root_motion;
    const GtRetargetPose* source_pose; ///< or NULL for the scene's own; what is all zeros is found; copied
    const GtRetargetPose* target_pose; ///< the same for the target
    bool mirror;                       ///< left and right change places
    double frame_rate_hz;              ///< of new keys; 0 for the motion's own key times, of which uneven ones that
                                       ///< are denser than 60 Hz become even
    double speed;                      ///< times as fast
    bool loop;                         ///< close the seam: what first and last pose differ by is spread over the clip
    bool keep_tpose;                   ///< keep frames at its ends that are not part of the motion, such as a T-pose
    GtFeet feet;                       ///< of two humanoids, in gt_retarget_clip()
    const GtContacts* contacts;        ///< when feet stand, in the motion's own time, or NULL to find it in the motion;
                                       ///< touches that it has are kept, and no others
    const GtGround* ground;            ///< that feet are planted on, in the target's space, or NULL for a level floor
    bool keep_contacts;                ///< hands that touch the body, each other or the ground still do,
                                       ///< and who sits, lies or kneels is on the ground
    const char* name;                  ///< of the new clip, or NULL for the motion's own
    GtHandPose hand_pose;              ///< of two humanoids
    GtCollide collide;                 ///< of two humanoids, in gt_retarget_clip()
} GtRetargetDef;

GT_API GtRetargetDef gt_default_retarget_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_retarget_def_fields(void);

/// What became of hands that touch something.
typedef struct GtTouchReport {
    int32_t touch_count;  ///< times that a hand touches a part of the body, the other hand or the ground
    int32_t missed_count; ///< of those, where it does not come within 5 mm all the time: the arms are too short
    double hand_shift_m;  ///< farthest that an arm moved its wrist
    double lean_rad;      ///< most that the trunk was turned where arms alone are too short
    double miss_m;        ///< farthest that a hand that touches stays from where it should be
} GtTouchReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_touch_report_fields(void);

/// How a body was kept above the ground.
typedef struct GtLiftReport {
    double body_lift_m; ///< farthest that the figure was lifted or lowered; feet that stand stay where they are
    double hand_lift_m; ///< farthest that a hand was lifted beyond that, by its arm
} GtLiftReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_lift_report_fields(void);

/// What became of limbs that would go through the body.
typedef struct GtCollideReport {
    int32_t frame_count; ///< frames in which limbs were moved
    double depth_m;      ///< deepest that one was in the body, by shapes that stand for its parts
    double left_m;       ///< deepest that one still is
    double hand_shift_m; ///< farthest that a wrist was moved
} GtCollideReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_collide_report_fields(void);

/// What was carried over, and how well.
typedef struct GtRetargetReport {
    int32_t matched_joint_count;   ///< joints of the target that follow one of the source, or several
    int32_t unmatched_joint_count; ///< moving joints of the source that nothing follows
    int32_t twist_joint_count;     ///< joints of the target that take a share of a limb's twist
    int32_t frame_count;
    double duration_s;
    double path_scale;           ///< over the ground: leg length of the target over that of the source
    double height_scale;         ///< of the hips: height of the thighs over the sole, target over source
    GtRestPose source_rest_pose; ///< as found; GT_REST_OTHER where there is no humanoid
    GtRestPose target_rest_pose; ///< as found; GT_REST_OTHER where there is no humanoid
    /// The next three are over all frames, in the world, before feet are planted, hands brought to what they touch
    /// and limbs out of the body.
    double mean_direction_error_rad; ///< of upper arms, forearms, thighs and shanks against the source
    double max_direction_error_rad;  ///< of the same bones
    double max_extra_turn_rad;       ///< most that a joint rotates from one frame to the next beyond its source
    GtPlantReport plant;             ///< before the body was lifted; zero where feet were not planted
    GtTouchReport touch;             ///< zero where touches were not kept
    int32_t posed_hand_count;        ///< hands that the motion lacks the fingers of, held as `hand_pose` says
    int32_t event_count;             ///< steps and touches that the clip's extras name
    GtLiftReport lift;               ///< zero where feet were not planted
    GtCollideReport collide;         ///< zero where limbs were left alone
} GtRetargetReport;

/// Its fields, for JSON and tables.
GT_API const GtFieldTable* gt_retarget_report_fields(void);

/// Two figures, made ready. Immutable, so any thread may read it.
typedef struct GtRetarget GtRetarget;

/// Make two figures ready. Where a scene has a retarget pose it is used, else one is found. Joints that neither map
/// holds are paired by name; with two empty maps all are, and rest poses must look alike then.
/// @param source  whose motion it is, playing a clip or none; its map may be empty. Must live as long as the result
/// @param target  the character; must live as long as the result
/// @param out     receives the result, or NULL on failure; free with gt_retarget_destroy()
/// @return GT_ERROR_NOT_FOUND when no joint has a partner
GT_API GtResult gt_retarget_create(const GtContext* context, const GtFigure* source, const GtFigure* target,
                                   const GtRetargetDef* def, GtRetarget** out, GtError* error);

/// Free; `retarget` may be NULL.
GT_API void gt_retarget_destroy(GtRetarget* retarget);

/// Bytes of scratch for gt_retarget_pose(), aligned to 16.
GT_API size_t gt_retarget_scratch_size(const GtRetarget* retarget);

/// Carry one pose over. Wrists, fingers and toes stay within the limits of people: what is within them stays as it is,
/// to the bit. Never allocates.
/// @param source_pose  [nodes of the source] parent_from_node
/// @param target_pose  [nodes of the target] must hold its rest pose, or what an earlier call left: only joints that
///                     follow the source, and fingers that are held, are written
/// @param scratch      [gt_retarget_scratch_size()] one a thread
GT_API void gt_retarget_pose(const GtRetarget* retarget, const GtTransform* source_pose, GtTransform* target_pose,
                             void* scratch);

/// Carry the animation of the def over and add it to a scene, with the map and the retarget pose that were used. Feet
/// that come down and go up while they are planted, and hands that touch, are written as events into its extras
/// (docs/verbs/retarget.md, "Clips for games").
/// @param scene      the target or a copy of it; nodes keep their rest transforms to the bit
/// @param animation  receives its index; may be NULL
/// @param report     may be NULL
GT_API GtResult gt_retarget_clip(const GtContext* context, const GtRetarget* retarget, GtScene* scene,
                                 int32_t* animation, GtRetargetReport* report, GtError* error);

GT_EXTERN_C_END

#endif
