// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Warmth of the bones over the skin.

#ifndef GERTIE_RIG_WEIGHTS_HEAT_H
#define GERTIE_RIG_WEIGHTS_HEAT_H

#include "rig/weights_source.h"

// Weights of all vertices of the proxy; rows are of the arena and sum to about 1.
GtResult gti_heat_solve(const GtContext* context, const GtiProxy* proxy, const GtiBones* bones,
                        const GtiSource* sources, int32_t width, GtArena* arena, GtiRows* out, GtError* error);

#endif
