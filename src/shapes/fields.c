// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/shape_regions.h"

static const GtField region_rows[] = {
    { GT_FIELD(GtShapeRegionsDef, threshold), .min = 1e-6, .max = 1, .default_text = "chosen",
      .help = "strain that separates regions, as a share of the largest" },
    { GT_FIELD(GtShapeRegionsDef, min_share), .max = 1,
      .help = "smallest region, as a share of the moving surface; smaller ones join their neighbours" },
    { GT_FIELD(GtShapeRegionsDef, border), .max = 1,
      .help = "width over which a region fades into its neighbours, as a share of the mesh's size" },
    { GT_FIELD(GtShapeRegionsDef, max_count), .min = 1, .max = GT_SHAPE_MAX_REGIONS,
      .help = "most regions; the smallest join their neighbours" },
};
GTI_DEF_FIELDS(gt_shape_regions_def_fields, GtShapeRegionsDef, region_rows, gt_default_shape_regions_def())
