// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions and reports of this room, as gertie/field.h has them.

#include "base/field_table.h"
#include "scene/choices.h"

#include "gertie/build.h"
#include "gertie/clip_pack.h"

static const GtField build_rows[] = {
    { GT_FIELD(GtBuildDef, stage), .min = GT_NONE, .max = INT32_MAX, .default_text = "all",
      .help = "index of the stage (a scene in glTF's words) whose nodes are taken" },
    { GT_FIELD(GtBuildDef, max_influences), .min = 1, .max = GT_MAX_INFLUENCES,
      .help = "most joints that a vertex follows; others are pruned" },
    { GT_FIELD(GtBuildDef, force_skin_method), .help = "use skin_method whatever the scene says" },
    { GT_FIELD(GtBuildDef, skin_method), .choices = gti_skin_method_choices, .help = "how joints bend the skin" },
    { GT_FIELD(GtBuildDef, joints_only), .help = "take nodes without meshes and skins, for work on poses alone" },
};
GTI_DEF_FIELDS(gt_build_def_fields, GtBuildDef, build_rows, gt_default_build_def())

static const GtField clip_pack_rows[] = {
    { GT_FIELD(GtClipPackDef, tolerance_m), .unit = GT_UNIT_MILLIMETRES, .min = 0.001, .max = 1000,
      .help = "largest error of a packed clip, at points around each joint" },
    { GT_FIELD(GtClipPackDef, shell_m), .unit = GT_UNIT_METRES, .max = 100,
      .help = "distance of these points from their joint" },
    { GT_FIELD(GtClipPackDef, weight_tolerance), .min = 1e-6, .max = 1, .help = "largest error of a morph weight" },
};
GTI_DEF_FIELDS(gt_clip_pack_def_fields, GtClipPackDef, clip_pack_rows, gt_default_clip_pack_def())
