// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/harmonic_clip.h"
#include "gertie/sculpt.h"

static const GtField bake_rows[] = {
    { GT_FIELD(GtSculptBakeDef, animation), .min = GT_NONE, .max = INT32_MAX, .default_text = "a new one",
      .help = "index of the clip, counted from 0" },
    { GT_FIELD(GtSculptBakeDef, rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .help = "frame rate to begin with" },
    { GT_FIELD(GtSculptBakeDef, max_rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .help = "the frame rate is doubled up to this while moments between frames are off" },
    { GT_FIELD(GtSculptBakeDef, max_shapes), .max = GT_HARMONIC_MAX_SHAPES, .help = "most morph shapes" },
    { GT_FIELD(GtSculptBakeDef, tolerance_m), .unit = GT_UNIT_MILLIMETRES, .max = 1000,
      .help = "as few shapes are made as bring the error (RMS) below this" },
};
GTI_DEF_FIELDS(gt_sculpt_bake_def_fields, GtSculptBakeDef, bake_rows, gt_default_sculpt_bake_def())
