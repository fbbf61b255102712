// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints as files name them.

#ifndef GERTIE_HARMONIC_KEYS_JOINT_NAME_H
#define GERTIE_HARMONIC_KEYS_JOINT_NAME_H

#include "gertie/map.h"

#include "base/fail.h"

// The node of that name, or the one that is the joint of that name in the vocabulary. Fails with GT_ERROR_NOT_FOUND and
// the name that is nearest.
// place: of the name in its file, for the message
GtResult gti_joint_find(const GtScene* scene, const GtHumanoidMap* map, const char* name, const char* place,
                        int32_t* out, GtError* error);

#endif
