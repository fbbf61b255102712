// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which hands a motion has the fingers of. Many captures have finger joints that never move, or keep them straight.

#include "motion/retarget/data.h"

#include <math.h>

enum {
    FINGER_JOINTS = 12, // of a hand without its thumb, which captures of wrists move
    SAMPLES = 32        // times of a motion at which fingers are looked at
};

static const float MOVES_RAD = 0.2f; // 11 degrees: a T-pose in the first frame is nearer to fingers at rest
static const float BENT_RAD = 0.44f; // 25 degrees: kept still, but on purpose

// Whether the motion moves fingers that those of a hand follow, or holds them clearly bent.
static bool has_fingers(const GtRetarget* r, GtHumanoidJoint hand, GtTransform* pose, GtQuat* rotations)
{
    int first = hand == GT_HUMANOID_LEFT_HAND ? GT_HUMANOID_LEFT_INDEX_PROXIMAL : GT_HUMANOID_RIGHT_INDEX_PROXIMAL;
    int32_t wrist = r->links.of[r->target.joints[hand]].to;
    int32_t from[FINGER_JOINTS];
    GtQuat start[FINGER_JOINTS];
    int count = 0;
    for (int j = 0; j < FINGER_JOINTS; ++j) {
        int32_t node = r->target.joints[first + j];
        if (node != GT_NONE && r->links.of[node].from != GT_NONE) {
            from[count++] = r->links.of[node].from;
        }
    }
    if (!r->source.clip || wrist == GT_NONE) {
        return count > 0;
    }
    double start_s = gt_clip_start_s(r->source.clip), end_s = gt_clip_end_s(r->source.clip);
    for (int i = 0; i < SAMPLES && count > 0; ++i) {
        gt_clip_sample(r->source.clip, start_s + (end_s - start_s) * (double)i / (SAMPLES - 1), pose, NULL);
        gti_model_rotations(r->source.def, pose, rotations);
        GtQuat back = gt_quat_conjugate(gti_retarget_turn(r, rotations, wrist));
        for (int j = 0; j < count; ++j) {
            GtQuat turn = gt_quat_mul(back, gti_retarget_turn(r, rotations, from[j]));
            start[j] = i == 0 ? turn : start[j];
            if (gt_quat_angle_rad(turn, start[j]) > MOVES_RAD ||
                gt_quat_angle_rad(turn, gt_quat_identity()) > BENT_RAD) {
                return true;
            }
        }
    }
    return false;
}

void gti_retarget_hold_fingers(GtRetarget* r, GtTransform* pose, GtQuat* rotations)
{
    static const GtHumanoidJoint hands[2] = { GT_HUMANOID_LEFT_HAND, GT_HUMANOID_RIGHT_HAND };
    bool keeps_touches = r->def.keep_contacts || (r->def.contacts && r->def.contacts->has_touches);
    if (r->def.hand_pose == GT_HAND_POSE_RELAXED && keeps_touches) {
        return; // palms and fingers touch as those of the motion do
    }
    for (int side = 0; side < 2; ++side) {
        GtiHeldJoint found[15];
        int count = gti_hand_pose_find(&r->target, r->def.hand_pose, hands[side], found);
        bool follows = count > 0 && has_fingers(r, hands[side], pose, rotations);
        r->posed_hand_count += count > 0 && !follows;
        for (int k = 0; k < count; ++k) {
            GtiRetargetLink* link = &r->links.of[found[k].node];
            if (follows && link->from != GT_NONE) {
                continue;
            }
            r->links.count -= link->from != GT_NONE;
            link->from = link->to = GT_NONE;
            r->held[r->held_count++] = found[k];
        }
    }
}
