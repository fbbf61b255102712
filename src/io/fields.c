// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"
#include "scene/choices.h"

#include "gertie/file.h"

static const GtField load_rows[] = {
    { GT_FIELD(GtLoadDef, metres_per_unit), .min = 1e-6, .max = 1e6, .choices = gti_length_choices,
      .default_text = "inferred", .help = "unit of length or metres per unit, where the format does not say" },
    { GT_FIELD(GtLoadDef, up_axis), .choices = gti_up_axis_choices, .default_text = "inferred",
      .help = "axis that points up, where the format does not say" },
    { GT_FIELD(GtLoadDef, group), .default_text = "all", .help = "the only group or object of an OBJ file to read" },
};
GTI_DEF_FIELDS(gt_load_def_fields, GtLoadDef, load_rows, gt_default_load_def())

static const GtChoice rests[] = {
    { "t", GT_BVH_REST_T, "the T-pose that is known of a humanoid, else the bind pose" },
    { "bind", GT_BVH_REST_BIND, "the rest pose of the character" },
    { "axes", GT_BVH_REST_AXES, "joints keep their own axes, so that zero rotations are no pose" },
    { NULL, 0, NULL },
};

static const GtField save_rows[] = {
    { GT_FIELD(GtSaveDef, animation), .min = GT_NONE, .max = INT32_MAX, .default_text = "the first",
      .help = "index of the clip to write in a format that holds one (BVH)" },
    { GT_FIELD(GtSaveDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .default_text = "the clip's own",
      .help = "frame rate of a format with even frames (BVH), or that a file states (FBX)" },
    { GT_FIELD(GtSaveDef, source_units),
      .help = "write a format that does not say its units in those of the scene's source, else in metres" },
    { GT_FIELD(GtSaveDef, text), .help = "write PLY or STL as text instead of binary" },
    { GT_FIELD(GtSaveDef, split_vertices),
      .help = "OBJ: give every vertex a position of its own, in order, also where seams had split one" },
    { GT_FIELD(GtSaveDef, alone), .help = "OBJ: write this file alone, without materials and pictures beside it" },
    { GT_FIELD(GtSaveDef, end_joints), .help = "FBX: add a joint NAME_end behind each joint that has none behind it" },
    { GT_FIELD(GtSaveDef, rest), .choices = rests, .help = "BVH: the pose in which all rotations are 0" },
    { GT_FIELD(GtSaveDef, root_joint), .help = "FBX: add a joint named root at the origin above all joints" },
    { GT_FIELD(GtSaveDef, animation_only),
      .help =
          "write the joints and clips alone, without meshes and materials, for programs that bind clips by the names "
          "of joints" },
};
GTI_DEF_FIELDS(gt_save_def_fields, GtSaveDef, save_rows, gt_default_save_def())
