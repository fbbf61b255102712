// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The last step of weighing: few joints a point, and what that costs.

#ifndef GERTIE_RIG_WEIGH_PRUNE_H
#define GERTIE_RIG_WEIGH_PRUNE_H

#include "rig/weigh/proxy.h"
#include "rig/weigh/weights.h"

// Keep the largest `out->influences` of each row, normalised; fills in the arrays, which exist, and the errors.
// A row of nothing follows the root.
GtResult gti_weights_prune(const GtContext* context, const GtVec3* points, int32_t point_count,
                           const GtiProxyRows* rows, const GtiRigSkeleton* skeleton, GtiWeights* out, GtError* error);

#endif
