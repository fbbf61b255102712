// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet, hands, chest and head of a body that is posed by rotations: how far they are from where the skeleton has them;
// the shift of the whole body, and the turns of legs and arms, that bring feet and hands there; and how they are held.

#ifndef GERTIE_HARMONIC_CLIP_LIMBS_H
#define GERTIE_HARMONIC_CLIP_LIMBS_H

#include "gertie/contact.h"
#include "gertie/harmonic.h"

#include "base/direction.h"
#include "harmonic/markers/bone_tree.h"

enum {
    GTI_LEFT_LEG,
    GTI_RIGHT_LEG,
    GTI_LEFT_ARM,
    GTI_RIGHT_ARM,
    GTI_LIMB_COUNT,
    GTI_CHEST = GTI_LIMB_COUNT,
    GTI_HEAD,
    GTI_PART_COUNT,
    GTI_LEG_COUNT = 2
};

// Vertices of the character that move with each part; none where there is no such part.
typedef struct GtiClipParts {
    int32_t* vertices[GTI_PART_COUNT];
    int32_t counts[GTI_PART_COUNT];
    int32_t handles[GTI_PART_COUNT]; // of a GtHarmonic, or GT_NONE
    GtHarmonicHandle made[GTI_PART_COUNT];
    int32_t handle_count;
} GtiClipParts;

// A limb, or a part of the trunk, which has no bones to turn.
typedef struct GtiClipLimb {
    GtHumanoidJoint joints[3]; // upper, lower, end
    int32_t* vertices;         // [vertex_count] of the character that move with the end
    int32_t vertex_count;
    GtVec3* wanted;   // [frame_count] where the skin has the middle of the end
    GtVec3* misses;   // [frame_count] from where it is to where it is wanted
    float* holds;     // [frame_count] 0 to 1, without jumps: how much it is held
    float* reaches_m; // [frame_count] farthest from the first joint to the third
    GtVec3* bones[2]; // [frame_count] from the first joint to the second, and from that to the third
} GtiClipLimb;

typedef struct GtiClipLimbs {
    int32_t frame_count;
    GtiClipLimb limbs[GTI_PART_COUNT]; // without vertices where there is none, or none is to be held
    GtVec3* scratch;                   // [vertices of the largest mesh]
} GtiClipLimbs;

// Find the parts of a humanoid, and make handles of them. False when memory ran out.
bool gti_clip_parts_find(const GtiShell* shell, const GtiBoneTree* bones, GtArena* arena, GtiClipParts* out);

// When parts are held: feet while they stand, hands and, gently, the trunk always.
// contacts: or NULL to leave feet alone; has_hands: or leave hands and trunk alone
GtResult gti_clip_limbs_open(const GtiShell* shell, const GtiClipParts* parts, const GtContacts* contacts,
                             bool has_hands, const double* times_s, int32_t frame_count, GtArena* arena,
                             GtiClipLimbs* out, GtError* error);

// The figure's instance has the pose of a frame: take where the skin has the ends, and how the limbs lie.
void gti_clip_limbs_want(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame);

// positions: [point_count] of the posed surface
void gti_clip_limbs_miss(const GtiShell* shell, GtiClipLimbs* limbs, int32_t frame, const GtVec3* positions);

// Likewise from where handles are.
// places: [handle_count]
void gti_clip_limbs_miss_by(GtiClipLimbs* limbs, const GtiClipParts* parts, int32_t frame, const GtVec3* places);

// How to shift a frame for its feet.
GtVec3 gti_clip_limbs_shift(const GtiClipLimbs* limbs, int32_t frame);

// How the two bones of a limb should turn, as rotation vectors in model space, so that its end comes where it is wanted
// after a shift. The bones are turned so. false where it is not held.
bool gti_clip_limbs_bend(GtiClipLimbs* limbs, int32_t frame, int limb, GtVec3 shift, GtVec3 turns[2]);

// How a part is held in a frame. Legs go where they are wanted; arms, that many reach as far as they can, nearer to it,
// once it is known what they miss.
GtHarmonicHold gti_clip_limbs_hold(const GtiClipLimbs* limbs, int32_t frame, int part);

// How much a part is held while it is: 0 to 1.
float gti_part_strength(int part);

// The rotation of a rotation vector.
static inline GtQuat gti_turn(GtVec3 turn)
{
    return gti_quat_from_vector(turn);
}

#endif
