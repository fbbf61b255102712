// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limits of joints: how far a rotation has swung and twisted from the neutral one.

#ifndef GERTIE_RUNTIME_IK_LIMITS_H
#define GERTIE_RUNTIME_IK_LIMITS_H

#include "runtime/ik/solver.h"

// D = swing * twist in the parent's space, D the turn from the neutral rotation.
typedef struct GtiSwingTwist {
    GtiVec axis;       // the joint's axis in the neutral rotation: of the twist
    GtiVec swing_axis; // across; about it the swing grows
    double twist;      // -pi to pi
    double swing;      // 0 to pi
} GtiSwingTwist;

// A joint's limits, of a node that turns about `turn_count` axes; the rest of the node is left empty.
GtiIkNode gti_ik_joint_node(const GtIkJoint* joint, int32_t turn_count);

GtiSwingTwist gti_ik_swing_twist(const GtiIkNode* node, GtiQuat rotation);

// Whether the rotation is at one of its limits.
bool gti_ik_is_limited(const GtiIkNode* node, GtiQuat rotation);

// The rotation within the joint's limits: twist and swing cut back each on its own.
GtiQuat gti_ik_limit(const GtiIkNode* node, GtiQuat rotation);

// Where an effector's point is, in model space.
GtiVec gti_ik_effector_point(const GtiIkState* state, int32_t effector);

#endif
