// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/measure.h"

static const GtField measure_rows[] = {
    { GT_FIELD(GtMeasureDef, animation), .max = INT32_MAX, .help = "index of the clip, counted from 0" },
    { GT_FIELD(GtMeasureDef, source_animation), .max = INT32_MAX, .help = "index of the source's clip, from 0" },
    { GT_FIELD(GtMeasureDef, floor_m), .unit = GT_UNIT_METRES, .min = -1e6, .max = 1e6,
      .default_text = "0, or the height of the feet where that is far off", .help = "height of the ground" },
    { GT_FIELD(GtMeasureDef, mesh_frame_count), .max = 100000,
      .help = "frames, evenly spaced, in which the skin is measured" },
};
GTI_DEF_FIELDS(gt_measure_def_fields, GtMeasureDef, measure_rows, gt_default_measure_def())
