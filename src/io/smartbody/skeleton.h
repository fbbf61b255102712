// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skeleton of an .sk file. The local transform of a joint is
//   T(offset + position) R(prerotation * rotation * postrotation)
// where position and rotation are what a motion's channels say.

#ifndef GERTIE_IO_SMARTBODY_SKELETON_H
#define GERTIE_IO_SMARTBODY_SKELETON_H

#include "base/quat_double.h"
#include "gertie/scene.h"
#include "io/format.h"
#include "io/intern.h"
#include "io/smartbody/tokens.h"

typedef enum GtiSkRepair {
    GTI_SK_BAD_VALUE,
    GTI_SK_UNKNOWN_WORD,
    GTI_SK_CHANNEL,
    GTI_SK_OPEN,
    GTI_SK_NOT_UTF8,
    GTI_SK_REPAIR_COUNT,
} GtiSkRepair;

typedef struct GtiSkJoint {
    GtiWord name;
    int64_t line;
    int32_t parent; // less than the joint's own number, or GT_NONE for the root alone
    uint32_t types; // bit 1 << GtiSkChannelType: channels that a motion can move
    double offset[3];
    double position[3]; // at rest, added to the offset
    GtiQuat prerotation;
    GtiQuat postrotation;
} GtiSkJoint;

// The text must outlive it; arrays are in `arena`.
typedef struct GtiSkSkeleton {
    GtiWords words;
    GtiWordsRepaired repaired[GTI_SK_REPAIR_COUNT];
    GtArena* arena;
    GtiSkJoint* joints; // parents before their children; 0 is the root
    int32_t joint_count;
    int32_t joint_capacity;
    GtiIntern names;        // number of a name is the number of its joint
    double stated_unit_m;   // "Units: m" in a comment, or 0
    double metres_per_unit; // set by gti_sk_choose_units()
    GtUpAxis up_axis;       // likewise
} GtiSkSkeleton;

// Parse a skeleton. All is zero before but the arena.
GtResult gti_sk_parse(const GtContext* context, const GtiInput* input, GtiSkSkeleton* skeleton, GtError* error);

// Take units and up axis from `def`, else from the comment, else from the skeleton's height.
GtResult gti_sk_choose_units(GtiSkSkeleton* skeleton, const GtLoadDef* def);

// Where a joint is, seen from its parent, in metres and Y up.
// @param position  in the unit of the skeleton
GtTransform gti_sk_local(const GtiSkSkeleton* skeleton, int32_t joint, const double position[3], GtiQuat rotation);

// Metres in a unit by a comment such as "# Units: cm", or 0 where the first comments say none.
double gti_sk_stated_unit(const GtiInput* input);

#endif
