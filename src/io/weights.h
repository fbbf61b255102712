// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Skin weights that are NaN, infinite or negative, repaired where a file is read, so that no other code meets them.

#ifndef GERTIE_IO_WEIGHTS_H
#define GERTIE_IO_WEIGHTS_H

#include "gertie/scene.h"

// Replace skin weights that are not finite, or whose sum is not positive because some are negative. A vertex keeps its
// positive weights, scaled to a sum of 1; one that has none follows the vertices that triangles join it to, else the
// nearest vertex that has weights, else the first joint.
// The accessors keep their indices and get data of their own; others that use the same bytes do not change. One
// sentence says what was repaired; a strict context refuses.
// @param scene  valid but for such weights
GtResult gti_repair_weights(const GtContext* context, GtScene* scene, GtError* error);

#endif
