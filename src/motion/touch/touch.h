// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Hands that touch: each other, the body, the ground. A body is made of parts, each a bone inside its skin. Where
// something is at a part is told in coordinates that carry over from one body to another: how far along the bone, which
// way around it, how high over the skin.

#ifndef GERTIE_MOTION_TOUCH_TOUCH_H
#define GERTIE_MOTION_TOUCH_TOUCH_H

#include "figure/figure.h"
#include "motion/retarget/plant.h"

enum {
    GTI_PART_COUNT = GT_TOUCHED_GROUND, // of a body, in the order of GtTouched
    GTI_PARTS_A_SIDE = GT_TOUCHED_RIGHT_UPPER_ARM - GT_TOUCHED_LEFT_UPPER_ARM,
    GTI_SKIN_ROWS = 25, // along a part: a third each for the cap at its base, the bone, and the cap at its tip
    GTI_SKIN_COLUMNS = 24,
    GTI_MOST_NEIGHBOURS = 3
};

static inline int gti_part_on(int left, int side)
{
    return side == GTI_LEFT_SIDE ? left : left + GTI_PARTS_A_SIDE;
}

// Parts whose skin goes on from that of one; -1 where there are fewer.
void gti_part_neighbours(int part, int out[GTI_MOST_NEIGHBOURS]);

// A bone and how far the skin is from it. In its own axes the bone points along Y; Z is ahead in the common pose, or up
// for a bone that points ahead.
typedef struct GtiTouchPart {
    bool exists;
    int joint;    // humanoid joint that it moves with
    GtVec3 base;  // of the bone, against that joint, in the common pose
    GtQuat axes;  // model_from_part in the common pose
    float length; // of the bone
    float extent; // farthest that the skin is from the bone
    float radii[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS];
} GtiTouchPart;

// Points of a hand that can touch, each moved by a joint of the hand.
typedef struct GtiTouchHand {
    bool exists; // with the arm that it is at the end of
    int32_t point_count;
    int32_t part_counts[GT_HAND_PART_COUNT]; // of them, palm first, thumbs last
    int8_t* joints;                          // [point_count] humanoid joints
    GtVec3* offsets;                         // [point_count] from those, in the common pose
    GtVec3 along;                            // to the fingertips, unit, in the common pose
    float length;
} GtiTouchHand;

typedef struct GtiTouchBody {
    const GtiAlignedFigure* figure;
    bool mirror; // it is the figure's image in a mirror
    bool has_joint[GT_HUMANOID_JOINT_COUNT];
    GtVec3 places[GT_HUMANOID_JOINT_COUNT]; // in the common pose
    float stature_m;
    bool has_skin;
    GtiTouchPart parts[GTI_PART_COUNT];
    GtiTouchHand hands[GTI_SIDE_COUNT];
} GtiTouchBody;

// The body of a figure: with the skin that the scene has, or as people are. Memory is of the arena.
GtResult gti_body_make(const GtContext* context, GtArena* arena, const GtiAlignedFigure* figure, bool mirror,
                       GtiTouchBody* out, GtError* error);

// The same with an assumed skin alone, which takes less time.
GtResult gti_body_outline(GtArena* arena, const GtiAlignedFigure* figure, bool mirror, GtiTouchBody* out,
                          GtError* error);

// The skin of the scene in place of an assumed one: radii of parts, points of hands. gti_body_make() calls this.
GtResult gti_body_take_skin(const GtContext* context, GtArena* arena, GtiTouchBody* body, GtError* error);

// Joints of a body in a pose.
typedef struct GtiBodyPose {
    GtVec3 places[GT_HUMANOID_JOINT_COUNT];
    GtQuat turns[GT_HUMANOID_JOINT_COUNT]; // in model space since the common pose
} GtiBodyPose;

// model_from_node, rotations: [nodes of the figure] in model space
void gti_body_pose(const GtiTouchBody* body, const GtMat34* model_from_node, const GtQuat* rotations, GtiBodyPose* out);

static inline GtVec3 gti_wrist(const GtiBodyPose* pose, int side)
{
    return pose->places[gti_joint_on(GT_HUMANOID_LEFT_HAND, side)];
}

// Where a part is in a pose.
typedef struct GtiPartPlace {
    GtVec3 base;
    GtQuat axes; // model_from_part
} GtiPartPlace;

GtiPartPlace gti_part_place(const GtiTouchBody* body, const GtiBodyPose* pose, int part);

// A place at a part: `along` is 0 to 1 over the cap at the base, to 2 along the bone, to 3 over the cap at the tip.
typedef struct GtiSkinPlace {
    float along;
    float around_rad;
    float height_m; // over the skin, along the ray from the bone
} GtiSkinPlace;

// point: in the part's axes, from the base
GtiSkinPlace gti_skin_place(const GtiTouchPart* part, GtVec3 point);

// How far the skin is from the bone there.
float gti_skin_radius(const GtiTouchPart* part, GtiSkinPlace at);

// The way back, and the direction of the ray, in the part's axes.
GtVec3 gti_skin_point(const GtiTouchPart* part, GtiSkinPlace place, GtVec3* ray);

// The ways that radii are told for, in a part's axes.
void gti_skin_rays(GtVec3 rays[GTI_SKIN_ROWS][GTI_SKIN_COLUMNS]);

// Points of a hand in a pose, against its wrist. points: [point_count]
void gti_hand_points(const GtiTouchBody* body, const GtiBodyPose* pose, int side, GtVec3* points);

// Some of the points of a hand.
typedef struct GtiHandRange {
    int32_t first, count;
} GtiHandRange;

// Those that count where a part of the hand touches something; all where the hand lacks that part. Thumbs of hands that
// touch each other may cross.
GtiHandRange gti_hand_range(const GtiTouchBody* body, int side, GtHandPart with, int on);

// The finger that a joint of a hand moves, or the palm.
GtHandPart gti_hand_part_of(int joint);

// The middle of the palm in a pose; the lowest of points.
GtVec3 gti_hand_palm(const GtiTouchBody* body, const GtiBodyPose* pose, int side);
float gti_hand_lowest(const GtVec3* points, int32_t count);

// How far the nearest of the points, moved by `shift`, is from a part's skin; negative inside.
float gti_skin_clearance(const GtiTouchPart* part, const GtiPartPlace* place, const GtVec3* points, int32_t count,
                         GtVec3 shift);

static const float GTI_LONGEST_EASE_S = 0.5f;

typedef struct GtiTouch {
    int32_t first, last; // frames
    float ease_in_s, ease_out_s;
    const GtTouch* wanted; // or NULL where it was found
    bool carries;          // on the ground: the hand carries the body
} GtiTouch;

// A hand at a part in a frame of the source.
typedef struct GtiTouchSample {
    GtiSkinPlace at;   // where the point of the hand is that is nearest; on the ground not used
    GtVec3 contact;    // that point, against the wrist, in the hand's axes of the common pose; on the ground the palm's
                       // place in the model
    GtVec3 shift;      // on the ground: from there to where it is wanted
    GtHandPart with;   // what of the hand touches
    float clearance_m; // of all of the hand
    float weight;      // 1 while they touch, less before and after
    float rest_m;      // clearance that is none
    float miss_m;      // how far the target's hand is from where it should be
} GtiTouchSample;

// All touches of a hand at a part.
typedef struct GtiTouchTrack {
    int side;                // of the hand
    int part;                // that it touches, or GT_TOUCHED_GROUND
    GtiTouchSample* samples; // [frame_count]
    GtVec3* offsets; // [frame_count] on the ground, of the target's path from the source's scaled one; else NULL
    GtVec3* slips;   // [frame_count] likewise, of the target's point of contact since the frame before
    int32_t touch_count;
    GtiTouch* touches; // [touch_count] by time
} GtiTouchTrack;

typedef struct GtiTouches {
    int32_t frame_count;
    const float* times; // [frame_count]
    int32_t track_count;
    GtiTouchTrack* tracks; // of either hand on a part, or of the left hand on the right one
} GtiTouches;

// A figure that plays a clip, as touches are looked for in it. It does not depend on what the clip is carried over to,
// so the same touches are found again.
typedef struct GtiTouchActor {
    GtiAlignedFigure figure;
    float floor_m;
    GtiTouchBody body;
} GtiTouchActor;

// figure: that plays a clip; must outlive the actor
// pose:   to bring it into the common pose, or NULL for the scene's own, or one that is found. Memory is of the arena.
GtResult gti_touch_actor_open(const GtContext* context, GtArena* arena, const GtFigure* figure,
                              const GtRetargetPose* pose, bool mirror, GtiTouchActor* out, GtError* error);

// Frames of an actor.
typedef struct GtiTouchSource {
    const GtContext* context;
    const GtiTouchActor* actor;
    int32_t frame_count;
    const float* times;       // [frame_count]
    const GtContacts* wanted; // that say when hands touch, or NULL to find it
} GtiTouchSource;

// Find when hands touch, and where. Warns where touches are wanted, but none in all of the frames.
GtResult gti_touches_find(const GtiTouchSource* source, GtArena* arena, GtiTouches* out, GtError* error);

// Smooth the places of a track on a limb where the hand is so deep in it that they are guesses.
GtResult gti_touch_calm(const GtiTouches* touches, const GtiTouchTrack* track, const GtiTouchPart* part,
                        GtArena* scratch, GtError* error);

// Order touches of contacts by start, then hand, then what they are on.
void gti_touches_sort(GtContacts* contacts);

// Keep what was found as spans of the contacts.
GtResult gti_touches_list(const GtiTouches* touches, GtContacts* out, GtError* error);

// Where a touch of a track is, as GtTouch.place has it.
void gti_touch_place(const GtiTouchTrack* track, const GtiTouch* touch, double place[2]);

// The same in a mirror; a place that cannot be told there is left out.
GtTouch gti_touch_mirrored(const GtTouch* touch);

// Move the places of the samples of a track to where its touches are wanted. In frames in which the hand is farther off
// than `far_m` it stays in the place that it has in the nearest of the touch in which it is not, or has on average.
void gti_touch_move(const GtiTouches* touches, const GtiTouchTrack* track, float far_m);

// Set the weights of a track by how its touches ease in and out. As found, they do so as slowly as ever.
void gti_touch_weigh(const GtiTouches* touches, const GtiTouchTrack* track);

// Frames of the target that its hands shall touch in.
typedef struct GtiTouchTarget {
    const GtContext* context;
    const GtiAlignedFigure* figure;
    float path_scale;       // of ways over the ground
    const GtGround* ground; // or NULL for a level floor at 0
    const GtiTouchBody* source_body;
    const GtiTouchBody* body;
    const GtiCarried* carried;
    const GtiTouches* touches;
} GtiTouchTarget;

// Turn the arms so that they do. The samples get how far they miss.
GtResult gti_touches_keep(const GtiTouchTarget* target, GtTouchReport* report, GtError* error);

// Give a node a rotation in the model.
// pose: [nodes of the figure]; model, rotations: likewise, of the pose; brought up to date
void gti_touch_turn(const GtiAlignedFigure* figure, int32_t node, GtQuat rotation, GtTransform* pose, GtMat34* model,
                    GtQuat* rotations);

// An arm of a pose, and where its wrist shall go.
typedef struct GtiArmGoal {
    int side;
    GtVec3 wrist; // model space
    float weight; // 1 to reach as far as it can
} GtiArmGoal;

// Turn an arm; the hand keeps its rotation in the model. Nothing turns where the wrist is there already.
// pose: [nodes of the figure]; model, rotations: likewise, of the pose; brought up to date
void gti_touch_reach(const GtiAlignedFigure* figure, const GtiArmGoal* goal, GtTransform* pose, GtMat34* model,
                     GtQuat* rotations);

#endif
