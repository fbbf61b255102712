// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"

#include "gertie/animate.h"
#include "gertie/export.h"

static const GtChoice methods[] = {
    { "auto", GT_ANIMATE_AUTO, "the skin of a character that has one; for a bare mesh, whichever suits it" },
    { "skin", GT_ANIMATE_SKIN, "by the weights of the skin" },
    { "harmonic", GT_ANIMATE_HARMONIC, "by harmonic fields from markers, without weights" },
    { "template", GT_ANIMATE_TEMPLATE, "as the motion's animated mesh moves, without joints" },
    { NULL, 0, NULL },
};

static const GtField animate_rows[] = {
    { GT_FIELD(GtAnimateDef, animation), .max = INT32_MAX, .help = "index of the motion's clip, counted from 0" },
    { GT_FIELD_STRUCT(GtAnimateDef, retarget, gt_retarget_def_fields), .help = "how the clip is carried over" },
    { GT_FIELD(GtAnimateDef, keep_animations), .help = "keep the clips that the character has already" },
    { GT_FIELD(GtAnimateDef, method), .choices = methods, .help = "how the surface follows the joints" },
    { GT_FIELD(GtAnimateDef, joints_only), .help = "the result is written as joints alone, so auto takes the skin" },
    { GT_FIELD_STRUCT(GtAnimateDef, rig, gt_rig_def_fields), .help = "how a bare mesh is rigged" },
    { GT_FIELD_STRUCT(GtAnimateDef, markers, gt_markers_def_fields), .help = "where markers are placed" },
    { GT_FIELD(GtAnimateDef, markers_path), .default_text = "none",
      .help = "markers for the method harmonic; joints without one get theirs" },
    { GT_FIELD(GtAnimateDef, save_markers), .default_text = "nowhere", .help = "where to write the markers" },
    { GT_FIELD_STRUCT(GtAnimateDef, harmonic, gt_harmonic_clip_def_fields), .help = "how the surface is posed" },
    { GT_FIELD_STRUCT(GtAnimateDef, bake, gt_harmonic_bake_def_fields), .help = "how the deformation is written" },
    { GT_FIELD(GtAnimateDef, pairs_path), .default_text = "none",
      .help = "pairs of triangles of the motion's mesh and the character's, for the method template" },
    { GT_FIELD(GtAnimateDef, keys_path), .default_text = "none",
      .help = "rotations of joints or markers, keyed by hand, that are added to the motion" },
};
GTI_DEF_FIELDS(gt_animate_def_fields, GtAnimateDef, animate_rows, gt_default_animate_def())

static const GtField export_rows[] = {
    { GT_FIELD(GtExportDef, animation), .min = GT_NONE, .max = INT32_MAX, .help = "index of the clip, counted from 0" },
    { GT_FIELD(GtExportDef, rate_hz), .unit = GT_UNIT_HERTZ, .max = 10000, .default_text = "30, or 25 for .gif",
      .help = "frames per second" },
    { GT_FIELD(GtExportDef, time_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the middle of the clip", .help = "moment of a mesh or picture" },
};
GTI_DEF_FIELDS(gt_export_def_fields, GtExportDef, export_rows, gt_default_export_def())
