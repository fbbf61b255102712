// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions and reports of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/rig.h"

static const GtChoice axes[] = {
    { "auto", GT_RIG_AXIS_AUTO, NULL },  { "x", GT_RIG_AXIS_X, NULL },
    { "y", GT_RIG_AXIS_Y, NULL },        { "z", GT_RIG_AXIS_Z, NULL },
    { "-x", GT_RIG_AXIS_MINUS_X, NULL }, { "-y", GT_RIG_AXIS_MINUS_Y, NULL },
    { "-z", GT_RIG_AXIS_MINUS_Z, NULL }, { NULL, 0, NULL },
};

static const GtChoice weights[] = {
    { "auto", GT_RIG_WEIGHTS_AUTO, "heat where the surface allows it, voxel elsewhere" },
    { "heat", GT_RIG_WEIGHTS_HEAT, "heat that diffuses over the surface from the nearest visible bones" },
    { "voxel", GT_RIG_WEIGHTS_VOXEL, "distance to the bones through the inside; tolerates holes and loose pieces" },
    { "rigid", GT_RIG_WEIGHTS_RIGID, "each vertex follows one joint" },
    { NULL, 0, NULL },
};

static const GtChoice fingers[] = {
    { "auto", GT_RIG_FINGERS_AUTO,
      "where they are separate surfaces and can be counted; else the hand is one smooth part" },
    { "none", GT_RIG_FINGERS_NONE, "each hand is one smooth part" },
    { NULL, 0, NULL },
};

static const GtField rig_rows[] = {
    { GT_FIELD(GtRigDef, up), .choices = axes, .help = "axis of the mesh that points up" },
    { GT_FIELD(GtRigDef, front), .choices = axes, .help = "axis of the mesh that the figure faces" },
    { GT_FIELD(GtRigDef, weights), .choices = weights, .help = "how skin weights are computed" },
    { GT_FIELD(GtRigDef, fingers), .choices = fingers, .help = "which hands get fingers" },
    { GT_FIELD(GtRigDef, influences), .min = 1, .max = 16, .help = "most joints that a vertex follows" },
    { GT_FIELD(GtRigDef, min_confidence), .max = 1,
      .help = "refuse a mesh whose skeleton is less certain than this; 0 rigs anything" },
    { GT_FIELD(GtRigDef, body_height_m), .unit = GT_UNIT_METRES, .max = 1000,
      .help = "scale the body to this height, for scans of unknown units; 0 leaves it as it is" },
};
GTI_DEF_FIELDS(gt_rig_def_fields, GtRigDef, rig_rows, gt_default_rig_def())
