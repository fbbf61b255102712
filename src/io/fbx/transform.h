// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The local transform of a Model: translation, Euler angles and scale around pivots. What animation does not change is
// read once; composing takes the three that it changes.

#ifndef GERTIE_IO_FBX_TRANSFORM_H
#define GERTIE_IO_FBX_TRANSFORM_H

#include "base/quat_double.h"
#include "io/fbx/graph.h"

// How a Model takes over the scale of its parent: R and S are the parent's rotation and scale, r and s its own.
typedef enum GtiFbxInherit {
    GTI_FBX_INHERIT_RrSs = 0, // scales multiply component by component, without shear
    GTI_FBX_INHERIT_RSrs = 1, // matrices multiply, as in glTF
    GTI_FBX_INHERIT_Rrs = 2   // the parent's scale is left out
} GtiFbxInherit;

// The order in which Euler angles apply: XYZ turns about X first. Spheric is taken as XYZ.
typedef enum GtiFbxOrder {
    GTI_FBX_XYZ = 0,
    GTI_FBX_XZY,
    GTI_FBX_YZX,
    GTI_FBX_YXZ,
    GTI_FBX_ZXY,
    GTI_FBX_ZYX,
    GTI_FBX_SPHERIC
} GtiFbxOrder;

// Lengths in units of the file, angles in degrees.
typedef struct GtiFbxPivots {
    GtiFbxOrder order;
    GtiFbxInherit inherit;
    GtiQuat pre_rotation;
    GtiQuat post_rotation;
    GtiVec rotation_offset, rotation_pivot;
    GtiVec scaling_offset, scaling_pivot;
    GtiVec translation, rotation_deg, scale; // at rest
} GtiFbxPivots;

// In units of the file.
typedef struct GtiFbxTransform {
    GtiVec translation;
    GtiQuat rotation; // unit
    GtiVec scale;
} GtiFbxTransform;

// The three axes, 0 to 2 for X to Z, in the order in which they apply.
const uint8_t* gti_fbx_order_axes(GtiFbxOrder order);

// A rotation by Euler angles.
GtiQuat gti_fbx_rotation(GtiVec degrees, GtiFbxOrder order);

// Read what a Model's properties say; vectors that are not finite are taken as the default.
GtiFbxPivots gti_fbx_read_pivots(const GtiFbxGraph* graph, int32_t object);

// parent_from_node = T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1, which is one translation, rotation and scale.
GtiFbxTransform gti_fbx_compose(const GtiFbxPivots* pivots, GtiVec translation, GtiVec rotation_deg, GtiVec scale);

#endif
