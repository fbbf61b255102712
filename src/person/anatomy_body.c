// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The body from the neck down. Girths are those of anthropometric surveys: thigh 0.56 m, calf 0.36 m, upper arm 0.30 m,
// neck 0.37 m at 1.75 m. Lengths in heights.

#include "person/anatomy.h"

// clang-format off
#define BALL(part, joint, side, blend, x, y, z, rx, ry, rz, fat, muscle, male)                                         \
    { part, joint, side, GTI_LAYER_ADD, blend, { x, y, z }, { x, y, z }, { rx, rz }, { rx, rz }, { ry, ry },           \
      fat, muscle, male, 0, 0 }
#define LIMB(part, joint, side, blend, ax, ay, az, bx, by, bz, ra, sa, rb, sb, cap, fat, muscle, male)                 \
    { part, joint, side, GTI_LAYER_ADD, blend, { ax, ay, az }, { bx, by, bz }, { ra, sa }, { rb, sb }, { cap, cap },   \
      fat, muscle, male, 0, 0 }
// A muscle, which swells when a joint bends.
#define MUSCLE(part, joint, side, blend, ax, ay, az, bx, by, bz, ra, sa, rb, sb, cap, fat, muscle, male, bends, swell) \
    { part, joint, side, GTI_LAYER_ADD, blend, { ax, ay, az }, { bx, by, bz }, { ra, sa }, { rb, sb }, { cap, cap },   \
      fat, muscle, male, bends, swell }
// A sleeve or a hem: grows out of the body and ends with a rim.
#define HEM(part, joint, side, blend, ax, ay, az, bx, by, bz, ra, sa, rb, sb, start, rim, fat, muscle, male)           \
    { part, joint, side, GTI_LAYER_ADD, blend, { ax, ay, az }, { bx, by, bz }, { ra, sa }, { rb, sb }, { start, rim }, \
      fat, muscle, male, 0, 0 }
#define PLANE(part, joint, side, blend, x, y, z, nx, ny, nz)                                                           \
    { part, joint, side, GTI_LAYER_CLIP, blend, { x, y, z }, { nx, ny, nz }, { 1, 1 }, { 1, 1 }, { 1, 1 },             \
      0, 0, 0, 0, 0 }

#define TRUNK     GTI_PART_TRUNK
#define ARM       GTI_PART_ARM
#define HAND      GTI_PART_HAND
#define THUMB     GTI_PART_THUMB
#define LEG       GTI_PART_LEG
#define FOOT      GTI_PART_FOOT
#define HIPS      GT_HUMANOID_HIPS
#define SPINE     GT_HUMANOID_SPINE
#define CHEST     GT_HUMANOID_CHEST
#define UPPER     GT_HUMANOID_UPPER_CHEST
#define SHOULDER  GT_HUMANOID_LEFT_SHOULDER
#define UPPER_ARM GT_HUMANOID_LEFT_UPPER_ARM
#define FOREARM   GT_HUMANOID_LEFT_LOWER_ARM
#define WRIST     GT_HUMANOID_LEFT_HAND
#define THIGH     GT_HUMANOID_LEFT_UPPER_LEG
#define SHANK     GT_HUMANOID_LEFT_LOWER_LEG
#define ANKLE     GT_HUMANOID_LEFT_FOOT
#define TOES      GT_HUMANOID_LEFT_TOES
#define ONE       GTI_MIDDLE
#define TWO       GTI_PAIR

const GtiMetaballDef gti_body_balls[] = {
    // Trunk, from the pelvis up.
    BALL(TRUNK, HIPS,  ONE, 0.03f, 0, 0.552f, -0.002f, 0.083f, 0.054f, 0.061f, 0.22f, 0, -0.06f),
    LIMB(TRUNK, SPINE, ONE, 0.04f, 0, 0.585f, -0.002f, 0, 0.640f, -0.002f, 0.076f, 0.057f, 0.073f, 0.057f, 0.04f, 0.35f, 0, 0.06f),
    LIMB(TRUNK, CHEST, ONE, 0.04f, 0, 0.665f, -0.004f, 0, 0.740f, -0.010f, 0.077f, 0.060f, 0.086f, 0.062f, 0.04f, 0.22f, 0.05f, 0.06f),
    LIMB(TRUNK, UPPER, TWO, 0.04f, 0.010f, 0.776f, -0.014f, 0.070f, 0.790f, -0.014f, 0.043f, 0.048f, 0.033f, 0.040f, 0.03f, 0.18f, 0.08f, 0.06f),
    BALL(TRUNK, UPPER, TWO, 0.03f, 0.040f, 0.756f, 0.026f, 0.042f, 0.032f, 0.024f, 0.20f, 0.20f, 0.10f),
    BALL(TRUNK, UPPER, TWO, 0.03f, 0.038f, 0.738f, 0.027f, 0.026f, 0.028f, 0.024f, 0.20f, 0.00f, -0.90f),
    BALL(TRUNK, UPPER, TWO, 0.03f, 0.062f, 0.722f, -0.022f, 0.030f, 0.055f, 0.036f, 0.20f, 0.25f, 0.10f),
    LIMB(TRUNK, SHOULDER, TWO, 0.035f, 0.010f, 0.852f, -0.020f, 0.094f, 0.818f, -0.014f, 0.018f, 0.022f, 0.021f, 0.025f, 0.02f, 0.15f, 0.35f, 0.08f),
    BALL(TRUNK, SPINE, ONE, 0.04f, 0, 0.592f, 0.020f, 0.056f, 0.050f, 0.036f, 0.75f, -0.04f, 0.0f),
    BALL(TRUNK, HIPS,  TWO, 0.03f, 0.042f, 0.522f, -0.034f, 0.043f, 0.043f, 0.040f, 0.22f, 0.08f, -0.10f),
    BALL(TRUNK, HIPS,  TWO, 0.03f, 0.056f, 0.540f, 0.000f, 0.036f, 0.042f, 0.044f, 0.22f, 0, -0.16f),
    LIMB(TRUNK, GT_HUMANOID_NECK, ONE, 0.02f, 0, 0.815f, -0.018f, 0, 0.895f, -0.001f, 0.030f, 0.030f, 0.0270f, 0.029f, 0.02f, 0.16f, 0.12f, 0.14f),
    // The shirt's hem, around the hips.
    HEM(TRUNK, HIPS, ONE, 0.03f, 0, 0.610f, -0.002f, 0, 0.535f, -0.003f, 0.070f, 0.055f, 0.0880f, 0.0700f, 0.05f, 0.014f, 0.27f, 0, -0.05f),

    // Arm: core, deltoid, biceps, triceps, elbow, forearm.
    LIMB(ARM, UPPER_ARM, TWO, 0.03f, 0.104f, 0.818f, -0.010f, 0.290f, 0.818f, -0.010f, 0.0225f, 0.0225f, 0.0150f, 0.0150f, 0.015f, 0.25f, 0.15f, 0.10f),
    LIMB(ARM, UPPER_ARM, TWO, 0.03f, 0.106f, 0.816f, -0.010f, 0.150f, 0.817f, -0.010f, 0.0255f, 0.030f, 0.0215f, 0.023f, 0.025f, 0.18f, 0.35f, 0.12f),
    MUSCLE(ARM, UPPER_ARM, TWO, 0.03f, 0.185f, 0.819f, -0.002f, 0.245f, 0.818f, -0.003f, 0.0150f, 0.0145f, 0.0142f, 0.0130f, 0.03f, 0.20f, 0.45f, 0.12f, FOREARM, 0.22f),
    MUSCLE(ARM, UPPER_ARM, TWO, 0.03f, 0.165f, 0.815f, -0.017f, 0.235f, 0.816f, -0.017f, 0.0160f, 0.0145f, 0.0142f, 0.0125f, 0.03f, 0.30f, 0.40f, 0.12f, FOREARM, 0.05f),
    BALL(ARM, FOREARM, TWO, 0.014f, 0.289f, 0.818f, -0.014f, 0.016f, 0.0125f, 0.0125f, 0.18f, 0.05f, 0.08f),
    LIMB(ARM, FOREARM, TWO, 0.014f, 0.290f, 0.818f, -0.010f, 0.434f, 0.818f, -0.010f, 0.0165f, 0.0165f, 0.0108f, 0.0148f, 0.01f, 0.18f, 0.08f, 0.08f),
    MUSCLE(ARM, FOREARM, TWO, 0.04f, 0.322f, 0.8185f, -0.009f, 0.362f, 0.818f, -0.010f, 0.0145f, 0.0165f, 0.0125f, 0.0145f, 0.035f, 0.18f, 0.30f, 0.10f, FOREARM, 0.08f),
    // The sleeve.
    HEM(ARM, UPPER_ARM, TWO, 0.02f, 0.125f, 0.817f, -0.010f, 0.198f, 0.815f, -0.010f, 0.0225f, 0.0255f, 0.0275f, 0.0285f, 0.03f, 0.007f, 0.22f, 0.25f, 0.10f),

    // Hand: palm, the four metacarpals, the balls of the thumb and of the little finger.
    LIMB(HAND, WRIST, TWO, 0.008f, 0.440f, 0.8178f, -0.0100f, 0.474f, 0.8180f, -0.0098f, 0.0098f, 0.0150f, 0.0080f, 0.0205f, 0.009f, 0.12f, 0, 0.05f),
    LIMB(HAND, WRIST, TWO, 0.006f, 0.446f, 0.8185f, -0.0050f, 0.4840f, 0.8188f, 0.0070f, 0.0070f, 0.0070f, 0.0064f, 0.0064f, 0.006f, 0.12f, 0, 0.05f),
    LIMB(HAND, WRIST, TWO, 0.006f, 0.446f, 0.8190f, -0.0085f, 0.4835f, 0.8194f, -0.0046f, 0.0070f, 0.0070f, 0.0066f, 0.0064f, 0.006f, 0.12f, 0, 0.05f),
    LIMB(HAND, WRIST, TWO, 0.006f, 0.446f, 0.8185f, -0.0120f, 0.4805f, 0.8188f, -0.0162f, 0.0068f, 0.0068f, 0.0062f, 0.0062f, 0.006f, 0.12f, 0, 0.05f),
    LIMB(HAND, WRIST, TWO, 0.006f, 0.446f, 0.8175f, -0.0155f, 0.4760f, 0.8172f, -0.0268f, 0.0066f, 0.0066f, 0.0057f, 0.0058f, 0.006f, 0.12f, 0, 0.05f),
    LIMB(HAND, WRIST, TWO, 0.006f, 0.448f, 0.8120f, -0.0240f, 0.468f, 0.8130f, -0.0270f, 0.0058f, 0.0060f, 0.0048f, 0.0052f, 0.006f, 0.15f, 0, 0.05f),
    LIMB(HAND, WRIST, TWO, 0.008f, 0.4475f, 0.8135f, -0.0010f, 0.4600f, 0.8090f, 0.0095f, 0.0085f, 0.0085f, 0.0078f, 0.0078f, 0.007f, 0.15f, 0, 0.05f),

    // Leg: core of the thigh, its front, back and inside, knee, core of the shank, the two heads of the calf.
    LIMB(LEG, THIGH, TWO, 0.03f, 0.056f, 0.512f, -0.002f, 0.052f, 0.295f, 0.003f, 0.0415f, 0.046f, 0.0255f, 0.0270f, 0.03f, 0.28f, 0.05f, -0.05f),
    MUSCLE(LEG, THIGH, TWO, 0.04f, 0.060f, 0.460f, 0.014f, 0.055f, 0.350f, 0.012f, 0.0285f, 0.0265f, 0.0235f, 0.0200f, 0.04f, 0.22f, 0.25f, 0.0f, SHANK, 0.04f),
    MUSCLE(LEG, THIGH, TWO, 0.04f, 0.053f, 0.455f, -0.020f, 0.052f, 0.350f, -0.011f, 0.0275f, 0.0250f, 0.0225f, 0.0200f, 0.04f, 0.25f, 0.15f, -0.05f, SHANK, 0.08f),
    LIMB(LEG, THIGH, TWO, 0.03f, 0.040f, 0.478f, -0.004f, 0.043f, 0.400f, 0.000f, 0.0245f, 0.030f, 0.0205f, 0.0240f, 0.04f, 0.25f, 0.05f, -0.05f),
    BALL(LEG, SHANK, TWO, 0.02f, 0.052f, 0.288f, 0.013f, 0.0175f, 0.024f, 0.0145f, 0.15f, 0.05f, 0.03f),
    LIMB(LEG, SHANK, TWO, 0.02f, 0.052f, 0.285f, 0.001f, 0.052f, 0.050f, -0.007f, 0.0245f, 0.0260f, 0.0165f, 0.0185f, 0.02f, 0.20f, 0.03f, 0.0f),
    MUSCLE(LEG, SHANK, TWO, 0.03f, 0.060f, 0.232f, -0.012f, 0.057f, 0.180f, -0.011f, 0.0175f, 0.0195f, 0.0125f, 0.0150f, 0.04f, 0.20f, 0.30f, 0.0f, SHANK, 0.06f),
    MUSCLE(LEG, SHANK, TWO, 0.03f, 0.044f, 0.226f, -0.012f, 0.046f, 0.170f, -0.011f, 0.0175f, 0.0195f, 0.0125f, 0.0150f, 0.04f, 0.20f, 0.30f, 0.0f, SHANK, 0.06f),
    // The hem of the trousers.
    HEM(LEG, SHANK, TWO, 0.03f, 0.052f, 0.170f, -0.007f, 0.052f, 0.056f, -0.006f, 0.0140f, 0.0165f, 0.0205f, 0.0240f, 0.05f, 0.005f, 0.15f, 0, 0.0f),
    // Thighs touch and never fuse.
    PLANE(LEG, HIPS, TWO, 0.008f, 0.0030f, 0.4f, 0.0f, -1.0f, 0.0f, 0.0f),

    // Foot: heel, instep, toes and the sole of the shoe, flat below.
    BALL(FOOT, ANKLE, TWO, 0.01f, 0.0500f, 0.020f, -0.022f, 0.0205f, 0.022f, 0.0225f, 0.06f, 0, 0.03f),
    LIMB(FOOT, ANKLE, TWO, 0.02f, 0.0510f, 0.034f, -0.010f, 0.0570f, 0.0165f, 0.060f, 0.0210f, 0.0240f, 0.0245f, 0.0150f, 0.01f, 0.06f, 0, 0.03f),
    LIMB(FOOT, ANKLE, TWO, 0.01f, 0.0515f, 0.055f, -0.007f, 0.0515f, 0.030f, -0.006f, 0.0225f, 0.0240f, 0.0225f, 0.0250f, 0.003f, 0.06f, 0, 0.03f),
    LIMB(FOOT, TOES, TWO, 0.015f, 0.0575f, 0.0140f, 0.060f, 0.0600f, 0.0120f, 0.086f, 0.0245f, 0.0145f, 0.0205f, 0.0125f, 0.020f, 0.06f, 0, 0.03f),
    LIMB(FOOT, ANKLE, TWO, 0.004f, 0.0495f, 0.0060f, -0.022f, 0.0570f, 0.0060f, 0.060f, 0.0225f, 0.0068f, 0.0262f, 0.0068f, 0.023f, 0.05f, 0, 0.03f),
    LIMB(FOOT, TOES, TWO, 0.004f, 0.0570f, 0.0060f, 0.060f, 0.0600f, 0.0060f, 0.084f, 0.0262f, 0.0068f, 0.0225f, 0.0068f, 0.0225f, 0.05f, 0, 0.03f),
    PLANE(FOOT, ANKLE, TWO, 0.003f, 0.05f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f),
    PLANE(FOOT, HIPS, TWO, 0.008f, 0.0030f, 0.4f, 0.0f, -1.0f, 0.0f, 0.0f),
};
// clang-format on

const int32_t gti_body_ball_count = sizeof gti_body_balls / sizeof gti_body_balls[0];
