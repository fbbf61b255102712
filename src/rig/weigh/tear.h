// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How weights tear the skin when joints bend, known without a pose.

#ifndef GERTIE_RIG_WEIGH_TEAR_H
#define GERTIE_RIG_WEIGH_TEAR_H

#include "gertie/context.h"

#include "rig/skeleton.h"
#include "rig/weigh/proxy.h"

// Area of each piece where a joint that bends by 90 degrees stretches or squeezes the skin by more than it can bear.
// areas: [piece_count] receives them
// false when memory ran out.
bool gti_tear_measure(const GtContext* context, const GtiProxy* proxy, const GtiRigSkeleton* skeleton,
                      const GtiProxyRows* rows, int32_t piece_count, double* areas);

// Even out the weights of neighbours where a wrist or a finger would tear the skin between them. Fingers lie so close
// to each other, and triangles in the webs between them are so few, that warmth alone leaves steps there. What is
// elsewhere stays as it is.
bool gti_tear_ease(const GtContext* context, const GtiProxy* proxy, const GtiRigSkeleton* skeleton,
                   const GtiProxyRows* rows, int32_t influences);

#endif
