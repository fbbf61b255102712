// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet and hands of a body that is posed by rotations alone: how far they are from where the skeleton has them; the
// shift of the whole body, and the turns of legs and arms, that bring them there.

#ifndef GERTIE_DEFORM_CLIP_LIMBS_H
#define GERTIE_DEFORM_CLIP_LIMBS_H

#include "gertie/contact.h"

#include "deform/bone_tree.h"

enum {
    GTI_LEFT_LEG,
    GTI_RIGHT_LEG,
    GTI_LEFT_ARM,
    GTI_RIGHT_ARM,
    GTI_LIMB_COUNT,
    GTI_LEG_COUNT = 2
};

typedef struct GtiLimb {
    GtHumanoidJoint joints[3]; // upper, lower, end
    int32_t* vertices;         // [vertex_count] of the character that move with the end
    int32_t vertex_count;
    GtVec3* wanted;   // [frame_count] where the skin has the middle of the end
    GtVec3* misses;   // [frame_count] from where it is to where it is wanted
    float* holds;     // [frame_count] 0 to 1, without jumps: how much it is held
    float* reaches_m; // [frame_count] farthest from the first joint to the third
    GtVec3* bones[2]; // [frame_count] from the first joint to the second, and from that to the third
} GtiLimb;

typedef struct GtiClipLimbs {
    int32_t frame_count;
    GtiLimb limbs[GTI_LIMB_COUNT]; // without vertices where there is none, or none is to be held
    GtVec3* scratch;               // [vertices of the largest mesh]
} GtiClipLimbs;

// Find the vertices of the ends of a humanoid's limbs, and when they are held: feet while they stand, hands always.
// contacts: or NULL to leave feet alone
GtResult gti_clip_limbs_open(const GtiShell* shell, const GtiBoneTree* bones, const GtContacts* contacts,
                             bool has_hands, const double* times_s, int32_t frame_count, GtArena* arena,
                             GtiClipLimbs* out, GtError* error);

// The figure's instance has the pose of a frame: take where the skin has the ends, and how the limbs lie.
void gti_clip_limbs_want(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame);

// positions: [point_count] of the posed surface
void gti_clip_limbs_miss(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame, const GtVec3* positions);

// How to shift a frame for its feet.
GtVec3 gti_clip_limbs_shift(const GtiClipLimbs* limbs, int32_t frame);

// How the two bones of a limb should turn, as rotation vectors in model space, so that its end comes where it is wanted
// after a shift. The bones are turned so. false where it is not held.
bool gti_clip_limbs_bend(GtiClipLimbs* limbs, int32_t frame, int limb, GtVec3 shift, GtVec3 turns[2]);

// The rotation of a rotation vector.
static inline GtQuat gti_turn(GtVec3 turn)
{
    GtVec3 axis = gt_vec3_normalize_or(turn, gt_vec3(0.0f, 1.0f, 0.0f));
    return gt_quat_from_axis_angle(axis, gt_vec3_length(turn));
}

#endif
