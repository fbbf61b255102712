// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// An ASF file as a plain tree of bones, in the file's own units and axes.

#ifndef GERTIE_IO_ASF_SKELETON_H
#define GERTIE_IO_ASF_SKELETON_H

#include "base/quat_double.h"
#include "io/format.h"
#include "io/intern.h"
#include "io/text/words.h"

enum {
    GTI_ASF_MAX_DOFS = 7, // tx ty tz rx ry rz l
    GTI_ASF_ROOT = 0      // bone 0 is the root
};

// What a value of a motion moves; the axis is its remainder by 3.
typedef enum GtiAsfDof {
    GTI_ASF_TX,
    GTI_ASF_TY,
    GTI_ASF_TZ,
    GTI_ASF_RX,
    GTI_ASF_RY,
    GTI_ASF_RZ,
    GTI_ASF_LENGTH,
} GtiAsfDof;

// What is repaired in a skeleton, each kind said once.
typedef enum GtiAsfRepair {
    GTI_ASF_BAD_VALUE,
    GTI_ASF_NOT_UNIT,
    GTI_ASF_NAME_TWICE,
    GTI_ASF_UNKNOWN_WORD,
    GTI_ASF_UNKNOWN_BONE,
    GTI_ASF_TWO_PARENTS,
    GTI_ASF_NO_PARENT,
    GTI_ASF_NOT_UTF8,
    GTI_ASF_REPAIR_COUNT,
} GtiAsfRepair;

// One bone. It begins where its parent ends and goes on by direction * length; its joint is at its beginning.
typedef struct GtiAsfBone {
    GtiWord name;
    int64_t line;
    int32_t parent;      // or GT_NONE, for the root alone
    double direction[3]; // in world space, at rest; of unit length or zero
    double length;
    double position[3];    // of the root alone
    double axis_rad[3];    // Euler angles by component x, y, z: of the bone's axes, or of the root's orientation
    uint8_t axis_order[3]; // 0 x, 1 y, 2 z; the first is applied first, about fixed axes
    int32_t dof_count;
    uint8_t dofs[GTI_ASF_MAX_DOFS]; // GtiAsfDof, in the order of a motion's values
} GtiAsfBone;

// The text must outlive it; arrays are in `arena`.
typedef struct GtiAsfSkeleton {
    GtiWords words;
    GtiWordsRepaired repaired[GTI_ASF_REPAIR_COUNT];
    GtArena* arena;
    GtiAsfBone* bones;
    int32_t bone_count;
    int32_t bone_capacity;
    int32_t* order;     // [bone_count] bones, parents before their children
    GtiIntern names;    // number of a name is the number of its bone
    double length_unit; // ":units length", or 0 where the file does not say
    double radians_per_angle;
} GtiAsfSkeleton;

// Parse a skeleton. All is zero before but the arena.
GtResult gti_asf_parse(const GtContext* context, const GtiInput* input, GtiAsfSkeleton* skeleton, GtError* error);

// Where a bone begins at rest, seen from where its parent begins: at the parent's end; the root's own position.
void gti_asf_rest_translation(const GtiAsfSkeleton* skeleton, int32_t bone, double out[3]);

// Rotation of a bone at rest: the root's orientation, else none.
GtiQuat gti_asf_rest_rotation(const GtiAsfSkeleton* skeleton, int32_t bone);

// Rotation by three angles about fixed axes, the first of `order` first.
GtiQuat gti_asf_rotation(const double angles_rad[3], const uint8_t* order, int32_t count);

#endif
