// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: contacts of feet and hands.
///
/// When feet stand on the ground, heel and ball apart, and when hands touch something: as a track that can be looked
/// at, edited and kept as a file.
///
/// **Threads.** Results are immutable, and any number of threads may read one. Calls on different objects may run at
/// once.

#ifndef GERTIE_CONTACT_H
#define GERTIE_CONTACT_H

#include "gertie/field.h"
#include "gertie/figure.h"

GT_EXTERN_C_BEGIN

/// Contact bits of a frame.
enum {
    GT_CONTACT_LEFT_HEEL = 1,
    GT_CONTACT_LEFT_TOE = 2,
    GT_CONTACT_RIGHT_HEEL = 4,
    GT_CONTACT_RIGHT_TOE = 8,
    GT_CONTACT_LEFT_FOOT = 3,
    GT_CONTACT_RIGHT_FOOT = 12,
};

/// Parts of the feet that stand by themselves, in the order of the bits.
#define GT_CONTACT_PART_COUNT 4

/// "leftHeel", "leftToe", "rightHeel" or "rightToe".
GT_API const char* gt_contact_part_name(int32_t part);

/// A time in which one part of a foot stands.
typedef struct GtContact {
    int32_t part;          ///< 0 to 3: left heel, left toe, right heel, right toe
    double start_s, end_s; ///< of the clip
    float height_m;        ///< of what it stands on above the floor: 0, or how high a step or a box is
} GtContact;

/// Parts of a body that can be on the ground, besides feet and hands.
typedef enum GtSupport {
    GT_SUPPORT_HEAD,
    GT_SUPPORT_TRUNK, ///< back, chest, belly and shoulders
    GT_SUPPORT_HIPS,  ///< with the thighs
    GT_SUPPORT_LEFT_ELBOW,
    GT_SUPPORT_LEFT_FOREARM,
    GT_SUPPORT_LEFT_KNEE,
    GT_SUPPORT_LEFT_SHANK,
    GT_SUPPORT_RIGHT_ELBOW,
    GT_SUPPORT_RIGHT_FOREARM,
    GT_SUPPORT_RIGHT_KNEE,
    GT_SUPPORT_RIGHT_SHANK,
    GT_SUPPORT_COUNT
} GtSupport;

/// "head", "leftKnee" and so on; "" for what is none.
GT_API const char* gt_support_name(int32_t support);

/// What hands touch: parts of the body, and the ground.
typedef enum GtTouched {
    GT_TOUCHED_HEAD,
    GT_TOUCHED_CHEST,
    GT_TOUCHED_BELLY,
    GT_TOUCHED_PELVIS,
    GT_TOUCHED_LEFT_UPPER_ARM,
    GT_TOUCHED_LEFT_FOREARM,
    GT_TOUCHED_LEFT_HAND,
    GT_TOUCHED_LEFT_THIGH,
    GT_TOUCHED_LEFT_SHANK,
    GT_TOUCHED_LEFT_FOOT,
    GT_TOUCHED_RIGHT_UPPER_ARM,
    GT_TOUCHED_RIGHT_FOREARM,
    GT_TOUCHED_RIGHT_HAND,
    GT_TOUCHED_RIGHT_THIGH,
    GT_TOUCHED_RIGHT_SHANK,
    GT_TOUCHED_RIGHT_FOOT,
    GT_TOUCHED_GROUND,
    GT_TOUCHED_COUNT
} GtTouched;

/// "head", "leftThigh", "ground" and so on; "" for what is none.
GT_API const char* gt_touched_name(int32_t touched);

/// What of a hand touches.
typedef enum GtHandPart {
    GT_HAND_PART_ANY, ///< whatever of it is nearest
    GT_HAND_PART_PALM,
    GT_HAND_PART_THUMB,
    GT_HAND_PART_INDEX,
    GT_HAND_PART_MIDDLE,
    GT_HAND_PART_RING,
    GT_HAND_PART_LITTLE,
    GT_HAND_PART_COUNT
} GtHandPart;

/// "any", "palm", "thumb" and so on; "" for what is none.
GT_API const char* gt_hand_part_name(int32_t part);

/// A time in which a hand touches something. Hands that touch each other are a touch of the left one on the right.
typedef struct GtTouch {
    int32_t hand;          ///< 0 left, 1 right
    GtHandPart with;       ///< GT_HAND_PART_ANY as found
    GtTouched on;          ///< not an arm that the hand is on
    double start_s, end_s; ///< of the clip
    bool has_place;        ///< false: wherever the hand of the motion is nearest
    /// Where it touches, on average. On a part of the body: how far along its bone, 0 at the joint and 1 at the next,
    /// up to -1 and 2 over its ends; and radians around it, right-handed, from what is ahead in the T-pose (of bones
    /// that point ahead themselves: from what is up). On the ground: x and z in metres of the motion.
    double place[2];
} GtTouch;

/// A time in which a part of the body other than feet and hands is on the ground.
typedef struct GtBodyContact {
    GtSupport part;
    double start_s, end_s; ///< of the clip
} GtBodyContact;

/// All of a clip, by start. Free with gt_contacts_destroy().
typedef struct GtContacts {
    GtContact* spans; ///< [count]
    int32_t count;
    bool has_touches; ///< hands were looked at, or a file says what they touch, be it nothing
    GtTouch* touches; ///< [touch_count] by start; no two of a hand on one thing overlap
    int32_t touch_count;
    bool has_body;       ///< the body was looked at, or a file says when it is on the ground, be it never
    GtBodyContact* body; ///< [body_count] part by part, each by start
    int32_t body_count;
    double start_s, end_s; ///< of the motion in which they were found, without a leading T-pose; 0 for those of a file
    GtArena arena;         ///< private
} GtContacts;

/// How contacts are found. Start from gt_default_contacts_def().
typedef struct GtContactsDef {
    double speed_mps;   ///< a part begins to stand when it is slower than this
    double release_mps; ///< and goes on to stand until it is faster than this
    double
        body_share;  ///< of the body's speed over the ground is added to the first, and half as much again to the other
    double height_m; ///< above the lowest that it usually is, likewise
    double release_height_m;
    double tilt_m;              ///< of a foot whose heel and ball differ by more in height only the lower one stands
    double least_s;             ///< that it stands, or it was no contact
    double longest_gap_s;       ///< within a contact that is closed
    bool hands;                 ///< look also for what hands touch; limits for that are fixed
    bool body;                  ///< look also for knees, hips, backs and so on that are on the ground
    const GtRetargetPose* pose; ///< to tell places on the body by: or NULL for the scene's own, or one that is found
} GtContactsDef;

GT_API GtContactsDef gt_default_contacts_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_contacts_def_fields(void);

/// Find the contacts of a humanoid's clip. Speeds and heights are for a figure of a person's size; for larger ones they
/// grow with the legs.
/// @param out  receives the contacts, or NULL on failure
/// @return GT_ERROR_BAD_VALUE when the figure is no humanoid with hips and legs; GT_ERROR_NOT_FOUND when it plays no
///         clip
GT_API GtResult gt_contacts_find(const GtContext* context, const GtFigure* figure, const GtContactsDef* def,
                                 GtContacts** out, GtError* error);

/// Free contacts; `contacts` may be NULL.
GT_API void gt_contacts_destroy(GtContacts* contacts);

/// Which parts stand at a time, ends included: contact bits.
GT_API uint8_t gt_contacts_at(const GtContacts* contacts, double time_s);

/// Write contacts as JSON that a person can read and edit: {"contacts": {"leftHeel": [[0.1, 0.55], ...], ...},
/// "touches": [{"hand": "left", "on": "head", "start_s": 0.6, "end_s": 0.9, "along": 1.7, "around_deg": 20}, ...],
/// "body": {"leftKnee": [[0.2, 0.8], ...], ...}}; touches only where hands were looked at, body where that was.
GT_API GtResult gt_contacts_save(const GtContext* context, const GtContacts* contacts, const char* path,
                                 GtError* error);

/// Read contacts. Spans may come in any order, those of feet may overlap.
/// @param out  receives the contacts, or NULL on failure
GT_API GtResult gt_contacts_load(const GtContext* context, const char* path, GtContacts** out, GtError* error);

GT_EXTERN_C_END

#endif
