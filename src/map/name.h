// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a joint's name says: in the words of Mixamo, HumanIK, Unreal, Rigify, Daz, CMU, SMPL, 3ds Biped, SmartBody, VRM
// and MikuMikuDance, with any prefix, separator and side mark. Words that mean different joints in different
// conventions (a "shoulder" is a collar bone or an upper arm) say both.

#ifndef GERTIE_MAP_NAME_H
#define GERTIE_MAP_NAME_H

#include "gertie/humanoid.h"

// Joints without their side; fingers are one.
typedef enum GtiBodyPart {
    GTI_BODY_PART_HIPS,
    GTI_BODY_PART_SPINE, // spine, chest and upper chest
    GTI_BODY_PART_NECK,
    GTI_BODY_PART_HEAD,
    GTI_BODY_PART_EYE,
    GTI_BODY_PART_JAW,
    GTI_BODY_PART_SHOULDER,
    GTI_BODY_PART_UPPER_ARM,
    GTI_BODY_PART_LOWER_ARM,
    GTI_BODY_PART_HAND,
    GTI_BODY_PART_UPPER_LEG,
    GTI_BODY_PART_LOWER_LEG,
    GTI_BODY_PART_FOOT,
    GTI_BODY_PART_TOES,
    GTI_BODY_PART_FINGER,
    GTI_BODY_PART_COUNT
} GtiBodyPart;

typedef struct GtiNameHint {
    uint32_t parts; // bits 1 << GtiBodyPart that it may be; 0 when the name says nothing
    int8_t side;    // 1 left, -1 right, 0 none
    int8_t finger;  // 0 thumb to 4 little, or -1
    int8_t number;  // of a finger that has one instead of a name, or -1; Biped counts from 0, MakeHuman from 1
    bool is_helper; // twist, IK, prop, hair, skirt...: never a joint of the body
    bool is_end;    // the tip of a chain
    bool is_palm;   // a bone within the palm or the foot
} GtiNameHint;

GtiNameHint gti_name_hint(const char* name);

// How well a name fits a part: 1 it says so, 0.5 it may, 0 it says nothing, -1 it says otherwise.
float gti_name_fit(const GtiNameHint* hint, GtiBodyPart part);

GtiBodyPart gti_body_part_of(GtHumanoidJoint joint);

#endif
