// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The person as a puppet: a row of numbers an animator thinks in (lean, twist, raise an arm, step), from which the pose
// of all joints follows. All zero is standing at ease. Angles are in degrees, lengths in leg lengths, so that one table
// of keys moves people of any size.

#ifndef GERTIE_MOTIONS_PUPPET_H
#define GERTIE_MOTIONS_PUPPET_H

#include "motions/curve.h"
#include "motions/leg.h"

// Channels of an arm. The arm hangs down; `raise` swings it forwards, `spread` sideways, then it turns on itself.
typedef enum GtiArmChannel {
    GTI_SHRUG,   // collar bone up
    GTI_PUSH,    // collar bone forwards
    GTI_RAISE,   // upper arm forwards
    GTI_SPREAD,  // upper arm outwards
    GTI_ROLL,    // upper arm inwards about itself
    GTI_ELBOW,   // bent
    GTI_PRONATE, // thumb inwards: from the side seam to the palm facing back
    GTI_WRIST,   // bent to the palm
    GTI_TILT,    // hand towards the thumb
    GTI_FIST,    // 0 at ease, 1 closed, -1 straight
    GTI_ARM_CHANNELS
} GtiArmChannel;

// Channels of a leg.
typedef enum GtiLegChannel {
    GTI_FOOT_OUT,   // outwards from where it stands at ease, in leg lengths
    GTI_FOOT_AHEAD, // forwards
    GTI_FOOT_LIFT,  // above the ground
    GTI_FOOT_YAW,   // toes outwards
    GTI_FOOT_PITCH, // toes up
    GTI_KNEE_OUT,   // knee outwards of the foot's way
    GTI_LEG_CHANNELS
} GtiLegChannel;

typedef enum GtiChannel {
    GTI_HIPS_LEFT, // from standing, in leg lengths
    GTI_HIPS_UP,
    GTI_HIPS_AHEAD,
    GTI_HIPS_YAW,  // to the left
    GTI_HIPS_LEAN, // forwards
    GTI_HIPS_LIST, // left side up
    GTI_SPINE_LEAN,
    GTI_SPINE_YAW,
    GTI_SPINE_LIST, // to the right, which lifts the left side
    GTI_HEAD_NOD,
    GTI_HEAD_YAW,
    GTI_HEAD_LIST,
    GTI_BREATH,  // 0 out, 1 in
    GTI_BALANCE, // 1: the hips move so that the centre of mass is over its place; GTI_HIPS_LEFT and _AHEAD have no say
    GTI_WEIGHT_LEFT,  // the centre of mass, from where it is at ease
    GTI_WEIGHT_AHEAD, // likewise
    GTI_ARM,
    GTI_RIGHT_ARM = GTI_ARM + GTI_ARM_CHANNELS,
    GTI_LEG = GTI_RIGHT_ARM + GTI_ARM_CHANNELS,
    GTI_RIGHT_LEG = GTI_LEG + GTI_LEG_CHANNELS,
    GTI_CHANNEL_COUNT = GTI_RIGHT_LEG + GTI_LEG_CHANNELS
} GtiChannel;

// Channels of the left and right arm and leg, as constants for tables of keys.
#define LA(channel) ((int)GTI_ARM + (int)(channel))
#define RA(channel) ((int)GTI_RIGHT_ARM + (int)(channel))
#define LL(channel) ((int)GTI_LEG + (int)(channel))
#define RL(channel) ((int)GTI_RIGHT_LEG + (int)(channel))

typedef struct GtiPuppet {
    double values[GTI_CHANNEL_COUNT];
} GtiPuppet;

static inline GtiChannel gti_arm(int side, GtiArmChannel channel)
{
    return (GtiChannel)((int)GTI_ARM + side * (int)GTI_ARM_CHANNELS + (int)channel);
}

static inline GtiChannel gti_leg(int side, GtiLegChannel channel)
{
    return (GtiChannel)((int)GTI_LEG + side * (int)GTI_LEG_CHANNELS + (int)channel);
}

// How a person stands at ease: what the channels count from.
typedef struct GtiStand {
    GtiSkeleton skeleton;
    GtVec3 hips;
    GtVec3 center;     // of mass
    double girth;      // -0.2 thin to 1 heavy: what arms and legs make way for
    double spread_deg; // of the upper arms from straight down
    GtiFoot feet[2];
} GtiStand;

void gti_stand(const GtPersonDef* person, GtiStand* out);

// The pose of everything but the legs, whose joints are at rest.
void gti_puppet_body(const GtiStand* stand, const GtiPuppet* puppet, GtiPose* out);

// Where the channels put a foot.
GtiFoot gti_puppet_foot(const GtiStand* stand, const GtiPuppet* puppet, int side);

// The whole pose with the feet given, and the hips where they bring the centre of mass to `target`.
// @param axes     which of x, y and z of the target are asked for: bits 1, 2, 4; the hips keep theirs in the others
// @param planted  receives GTI_HEEL_PLANTED... of both soles
void gti_puppet_settle(const GtiStand* stand, const GtiPuppet* puppet, const GtiFoot feet[2], GtVec3 target, int axes,
                       GtiPose* out, int planted[2]);

// The whole pose as the channels say.
void gti_puppet_pose(const GtiStand* stand, const GtiPuppet* puppet, GtiPose* out, int planted[2]);

// How far each finger, thumb first, is closed: 0 at ease, 1 closed, -1 straight; and how far they are spread.
void gti_pose_fingers(GtiPose* pose, int side, const double fists[5], double spread_deg);

// One key of one channel.
typedef struct GtiKey {
    int channel;
    double time, value;
} GtiKey;

// Set all channels that have keys. Keys of a channel stand together, in order of time.
void gti_puppet_keys(const GtiKey* keys, int count, double time, GtiPuppet* puppet);

// The same with keys that repeat after `period`.
void gti_puppet_keys_cycle(const GtiKey* keys, int count, double period, double time, GtiPuppet* puppet);

#endif
