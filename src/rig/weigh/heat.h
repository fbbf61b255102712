// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Warmth of the bones over the skin.

#ifndef GERTIE_RIG_WEIGH_HEAT_H
#define GERTIE_RIG_WEIGH_HEAT_H

#include "rig/weigh/source.h"

// Weights of all vertices of the proxy; rows are of the arena and sum to about 1.
GtResult gti_heat_solve(const GtContext* context, const GtiProxy* proxy, const GtiWeighBones* bones,
                        const GtiHeatSource* sources, int32_t width, GtArena* arena, GtiProxyRows* out, GtError* error);

#endif
