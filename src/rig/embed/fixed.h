// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints that the user knows better.

#ifndef GERTIE_RIG_EMBED_FIXED_H
#define GERTIE_RIG_EMBED_FIXED_H

#include "gertie/mat34.h"
#include "gertie/rig.h"

#include "rig/skeleton.h"

// Mark the joints of `skeleton` that the definition fixes. `names` are its joints'; GT_ERROR_NOT_FOUND, with a name
// that is near, for one that it has not.
GtResult gti_fixed_find(const GtRigDef* def, const char* const* names, GtiRigSkeleton* skeleton, GtError* error);

// Move the marked joints to where they are known to be, and the others along: those near by as far, those far away
// hardly. scratch: [2 * joint_count]
void gti_fixed_move(const GtRigDef* def, const char* const* names, const GtMat34* body_from_rigged,
                    GtiRigSkeleton* skeleton, GtVec3* scratch);

#endif
