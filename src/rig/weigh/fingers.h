// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which fingers the skin is of, over the surface: fingers that lie side by side stay apart.

#ifndef GERTIE_RIG_WEIGH_FINGERS_H
#define GERTIE_RIG_WEIGH_FINGERS_H

#include "gertie/context.h"

#include "rig/skeleton.h"
#include "rig/weigh/proxy.h"

enum {
    GTI_FINGER_CHAINS = 10, // five of the left hand, then five of the right one
    GTI_FINGER_PHALANXES = 3,
    GTI_FINGER_PALM = 1 << GTI_FINGER_CHAINS, // the bit of all that is no finger
    GTI_FINGER_ALL = 2 * GTI_FINGER_PALM - 1
};

// The finger of a joint of the humanoid vocabulary, 0 to 9, or GT_NONE.
int gti_finger_chain(int32_t humanoid);

static inline uint16_t gti_finger_bit(int32_t humanoid)
{
    int chain = gti_finger_chain(humanoid);
    return (uint16_t)(chain == GT_NONE ? GTI_FINGER_PALM : 1 << chain);
}

// Part the fingers beyond the webs between them: each vertex there keeps the weights of one finger, and of what is no
// finger only near the web.
// masks:  [vertex_count] receives a bit for each finger that the vertex may follow, and GTI_FINGER_PALM
// false when memory ran out.
bool gti_fingers_part(const GtContext* context, const GtiProxy* proxy, const GtiRigSkeleton* skeleton,
                      const GtiProxyRows* rows, uint16_t* masks);

#endif
