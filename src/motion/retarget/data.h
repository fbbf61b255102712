// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a GtRetarget holds.

#ifndef GERTIE_MOTION_RETARGET_DATA_H
#define GERTIE_MOTION_RETARGET_DATA_H

#include "motion/retarget/hand_pose.h"
#include "motion/retarget/limits.h"
#include "motion/retarget/link.h"

#include "gertie/clip.h"
#include "gertie/retarget.h"

// A joint that also moves or grows against its parent, between two figures of one build.
typedef struct GtiRetargetStretch {
    int32_t source, target; // runtime nodes
    GtQuat axes;            // of the target's parent from those of the source's
    float scale;            // of lengths in the parents' units
    uint8_t paths;          // GtBakePath bits that the source has keys for
} GtiRetargetStretch;

struct GtRetarget {
    GtArena arena; // of everything, this struct too
    GtRetargetDef def;
    int32_t animation; // of the source, or GT_NONE
    GtiAlignedFigure source, target;
    GtiLinks links;
    GtQuat* common_from_source; // [source nodes] inverses of the aligned rotations
    int32_t source_hips;        // runtime nodes that carry the path, or GT_NONE
    int32_t target_hips;
    int32_t root;         // runtime node that takes path and heading, or GT_NONE
    int32_t* source_path; // [source_path_count] from the topmost node to the hips
    int32_t* target_path; // [target_path_count] from the topmost node to the parent of the hips
    int32_t source_path_count;
    int32_t target_path_count;
    float path_scale;   // of lengths, by the legs
    float height_scale; // of standing thighs over their soles
    float rise_m;       // what the target's ankles are higher over its soles than the source's, scaled
    float stand_m;      // height of the source's thighs over its floor when it stands; 0 where unknown
    float source_floor_m;
    bool holds_loose; // joints of the target that do not hang from their limbs are carried along
    GtiRetargetStretch* stretches;
    int32_t stretch_count;
    GtiLimits limits; // of joints of the target
    GtiHeldJoint held[30];
    int held_count;
    int32_t posed_hand_count;
    int32_t unmatched_count; // moving joints of the source that nothing follows
};

// Model rotations of the source's nodes, and the turn of one of them since the common pose, mirrored where asked.
GtQuat gti_retarget_turn(const GtRetarget* r, const GtQuat* source_rotations, int32_t node);

// Hold fingers of humanoids that the motion does not move in the hand pose of the def; they follow nothing then.
// pose, rotations: scratch, [source nodes]
void gti_retarget_hold_fingers(GtRetarget* r, GtTransform* pose, GtQuat* rotations);

#endif
