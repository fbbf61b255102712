// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skeleton that is put into a body where the user brings none.

#ifndef GERTIE_RIG_MEDIAL_TEMPLATE_H
#define GERTIE_RIG_MEDIAL_TEMPLATE_H

#include "gertie/memory.h"

#include "rig/skeleton.h"

// The built-in person's trunk, head, arms and legs down to hands and toes in the T-pose, of height 1. False when memory
// ran out.
bool gti_rig_template(GtArena* arena, GtiRigSkeleton* out);

#endif
