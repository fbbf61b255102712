// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/map.h"

static const GtField map_rows[] = {
    { GT_FIELD(GtMapDef, ignore_scene_map), .help = "find the map even where the file has one, as VRM does" },
    { GT_FIELD(GtMapDef, ignore_names), .help = "go by shape alone, as if joints had no names" },
};
GTI_DEF_FIELDS(gt_map_def_fields, GtMapDef, map_rows, gt_default_map_def())
