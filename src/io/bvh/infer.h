// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What BVH files never say: their units, their up axis, and whether the first frame is a T-pose that is no part of the
// motion.

#ifndef GERTIE_IO_BVH_INFER_H
#define GERTIE_IO_BVH_INFER_H

#include "gertie/file.h"
#include "io/bvh/body.h"

typedef struct GtiBvhGuess {
    double metres_per_unit;
    GtUpAxis up_axis;
    bool tpose_first;
} GtiBvhGuess;

// Infer what `def` leaves open, and say so in notes.
void gti_bvh_infer(GtiBvhBody* body, const GtLoadDef* def, GtiBvhGuess* guess);

#endif
