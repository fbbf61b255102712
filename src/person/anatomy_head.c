// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The head, from the cranium down to the lips, and the hair. Sizes in heights.

#include "person/anatomy.h"

// clang-format off
#define BALL(part, joint, side, op, blend, x, y, z, rx, ry, rz, fat, male)                                             \
    { part, joint, side, op, blend, { x, y, z }, { x, y, z }, { rx, rz }, { rx, rz }, { ry, ry }, fat, 0, male, 0, 0 }
#define LIMB(part, joint, side, op, blend, ax, ay, az, bx, by, bz, ra, sa, rb, sb, cap, fat, male)                     \
    { part, joint, side, op, blend, { ax, ay, az }, { bx, by, bz }, { ra, sa }, { rb, sb }, { cap, cap },              \
      fat, 0, male, 0, 0 }
#define PLANE(part, joint, side, blend, x, y, z, nx, ny, nz)                                                           \
    { part, joint, side, GTI_LAYER_CLIP, blend, { x, y, z }, { nx, ny, nz }, { 1, 1 }, { 1, 1 }, { 1, 1 },             \
      0, 0, 0, 0, 0 }

#define ADD   GTI_LAYER_ADD
#define CARVE GTI_LAYER_CARVE
#define ONE   GTI_MIDDLE
#define TWO   GTI_PAIR
#define HEAD  GTI_PART_HEAD
#define HAIR  GTI_PART_HAIR
#define SKULL GT_HUMANOID_HEAD
#define JAW   GT_HUMANOID_JAW

const GtiMetaballDef gti_head_balls[] = {
    BALL(HEAD, SKULL, ONE, ADD, 0.02f, 0, 0.9450f, -0.0010f, 0.0425f, 0.0490f, 0.0525f, 0, 0),
    LIMB(HEAD, SKULL, ONE, ADD, 0.02f, 0, 0.9320f, 0.0240f, 0, 0.8950f, 0.0290f, 0.0345f, 0.0310f, 0.0240f, 0.0240f, 0.012f, 0.06f, 0),
    // Jaw and chin.
    LIMB(HEAD, JAW, TWO, ADD, 0.014f, 0.0275f, 0.9080f, 0.0120f, 0.0080f, 0.8800f, 0.0400f, 0.0110f, 0.0140f, 0.0095f, 0.0110f, 0.011f, 0.16f, 0.14f),
    BALL(HEAD, JAW, ONE, ADD, 0.010f, 0, 0.8785f, 0.0465f, 0.0115f, 0.0090f, 0.0105f, 0.08f, 0.16f),
    BALL(HEAD, JAW, ONE, ADD, 0.012f, 0, 0.8860f, 0.0270f, 0.0200f, 0.0110f, 0.0230f, 0.16f, 0.06f),
    // Cheeks, muzzle and brow.
    BALL(HEAD, SKULL, TWO, ADD, 0.014f, 0.0235f, 0.9180f, 0.0400f, 0.0140f, 0.0130f, 0.0130f, 0.14f, 0),
    BALL(HEAD, SKULL, ONE, ADD, 0.012f, 0, 0.8970f, 0.0460f, 0.0190f, 0.0150f, 0.0125f, 0, 0),
    LIMB(HEAD, SKULL, TWO, ADD, 0.012f, 0.0070f, 0.9490f, 0.0505f, 0.0270f, 0.9490f, 0.0415f, 0.0065f, 0.0065f, 0.0065f, 0.0070f, 0.006f, 0, 0.20f),
    // Sockets.
    BALL(HEAD, SKULL, TWO, CARVE, 0.012f, 0.0180f, 0.9365f, 0.0620f, 0.0140f, 0.0080f, 0.0130f, 0, 0),
    // Eyes: lids over the ball, open in the shape of an almond.
    BALL(HEAD, SKULL, TWO, ADD, 0.005f, 0.0178f, 0.9360f, 0.0470f, 0.0103f, 0.0100f, 0.0101f, 0, 0),
    LIMB(HEAD, SKULL, TWO, CARVE, 0.0030f, 0.0130f, 0.9352f, 0.0580f, 0.0225f, 0.9362f, 0.0560f, 0.0050f, 0.0110f, 0.0046f, 0.0120f, 0.0052f, 0, 0),
    BALL(HEAD, SKULL, TWO, ADD, 0.0018f, 0.0178f, 0.9360f, 0.0470f, 0.0088f, 0.0088f, 0.0088f, 0, 0),
    // Nose: bridge, tip and wings.
    LIMB(HEAD, SKULL, ONE, ADD, 0.009f, 0, 0.9420f, 0.0525f, 0, 0.9170f, 0.0625f, 0.0040f, 0.0058f, 0.0058f, 0.0062f, 0.004f, 0, 0.14f),
    BALL(HEAD, SKULL, ONE, ADD, 0.005f, 0, 0.9150f, 0.0655f, 0.0064f, 0.0058f, 0.0064f, 0, 0.14f),
    BALL(HEAD, SKULL, TWO, ADD, 0.004f, 0.0062f, 0.9132f, 0.0600f, 0.0048f, 0.0042f, 0.0060f, 0, 0.14f),
    // Mouth: the lips, the line between them, and the hollow below.
    LIMB(HEAD, SKULL, TWO, ADD, 0.004f, 0.0020f, 0.9000f, 0.0570f, 0.0120f, 0.8985f, 0.0525f, 0.0032f, 0.0042f, 0.0016f, 0.0028f, 0.0025f, 0, -0.10f),
    LIMB(HEAD, JAW,   TWO, ADD, 0.004f, 0.0000f, 0.8935f, 0.0565f, 0.0105f, 0.8962f, 0.0525f, 0.0036f, 0.0044f, 0.0018f, 0.0028f, 0.0025f, 0, -0.10f),
    LIMB(HEAD, SKULL, TWO, CARVE, 0.0032f, 0.0000f, 0.8968f, 0.0640f, 0.0122f, 0.8984f, 0.0570f, 0.0011f, 0.0050f, 0.0009f, 0.0040f, 0.0015f, 0, 0),
    BALL(HEAD, JAW, ONE, CARVE, 0.008f, 0, 0.8868f, 0.0610f, 0.0120f, 0.0022f, 0.0040f, 0, 0),
    // Ears.
    LIMB(HEAD, SKULL, TWO, ADD, 0.004f, 0.0440f, 0.9240f, 0.0020f, 0.0470f, 0.9360f, -0.0015f, 0.0042f, 0.0075f, 0.0046f, 0.0095f, 0.0085f, 0, 0.04f),
    BALL(HEAD, SKULL, TWO, CARVE, 0.003f, 0.0512f, 0.9310f, 0.0030f, 0.0040f, 0.0085f, 0.0050f, 0, 0),

    // Hair: a cap with a parting of the fringe to the sides, cut along the hairline.
    BALL(HAIR, SKULL, ONE, ADD, 0.01f, 0, 0.9455f, -0.0045f, 0.0475f, 0.0545f, 0.0565f, 0, 0),
    BALL(HAIR, SKULL, ONE, ADD, 0.020f, 0, 0.9700f, 0.0170f, 0.0395f, 0.0245f, 0.0320f, 0, 0),
    BALL(HAIR, SKULL, ONE, CARVE, 0.006f, 0, 0.9180f, 0.0680f, 0.0520f, 0.0500f, 0.0560f, 0, 0),
    BALL(HAIR, SKULL, TWO, CARVE, 0.006f, 0.0530f, 0.9220f, 0.0060f, 0.0200f, 0.0210f, 0.0170f, 0, 0),
    PLANE(HAIR, SKULL, ONE, 0.006f, 0, 0.9020f, -0.0300f, 0.0f, -0.94f, 0.34f),
};
// clang-format on

const int32_t gti_head_ball_count = sizeof gti_head_balls / sizeof gti_head_balls[0];
