// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions and reports of this room, as gertie/field.h has them.

#include "base/field_table.h"
#include "harmonic/markers/rings.h"

#include "gertie/harmonic_character.h"
#include "gertie/mesh_template.h"

// How far bends keep their volume: of the mesh, and of a clip.
#define SQUEEZE(Struct)                                                                                                \
    {                                                                                                                  \
        GT_FIELD(Struct, squeeze),                                                                                     \
            .max = 10,                                                                                                 \
            .help = "how much bends keep their volume, at the price of creases inside: 0 not at all, 1 nearly all"     \
    }

static const GtField harmonic_rows[] = {
    { GT_FIELD(GtHarmonicDef, anchor_everywhere),
      .help = "the mean of the whole surface is moved, instead of the place that the anchor marks" },
    { GT_FIELD(GtHarmonicDef, align_signs),
      .help = "choose the sign of each rotation so that neighbouring markers blend the shorter way" },
    SQUEEZE(GtHarmonicDef),
    { GT_FIELD(GtHarmonicDef, is_quick),
      .help = "factor in half the time, for meshes of up to about 100,000 triangles that are baked" },
};
GTI_DEF_FIELDS(gt_harmonic_def_fields, GtHarmonicDef, harmonic_rows, gt_default_harmonic_def())

static const GtField clip_rows[] = {
    { GT_FIELD(GtHarmonicClipDef, rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .default_text = "the clip's own, up to 30", .help = "frame rate" },
    { GT_FIELD(GtHarmonicClipDef, hold_feet),
      .help = "shift the body and rotate the legs so that standing feet are where the skeleton has them" },
    { GT_FIELD(GtHarmonicClipDef, hold_hands),
      .help = "rotate the arms so that hands are where the skeleton has them" },
    SQUEEZE(GtHarmonicClipDef),
};
GTI_DEF_FIELDS(gt_harmonic_clip_def_fields, GtHarmonicClipDef, clip_rows, gt_default_harmonic_clip_def())

static const GtField character_rows[] = {
    { GT_FIELD(GtHarmonicCharacterDef, hold_feet), .help = "hold feet where the weights of the skin have them" },
    { GT_FIELD(GtHarmonicCharacterDef, hold_hands),
      .help = "hold hands where the weights of the skin have them, chest and head gently" },
    SQUEEZE(GtHarmonicCharacterDef),
};
GTI_DEF_FIELDS(gt_harmonic_character_def_fields, GtHarmonicCharacterDef, character_rows,
               gt_default_harmonic_character_def())

static const GtField clip_report_rows[] = {
    { GT_FIELD_NAMED("markers", GtHarmonicClipReport, marker_count), .help = "markers on the surface" },
    { GT_FIELD_NAMED("pieces", GtHarmonicClipReport, surface.component_count), .help = "pieces of the surface" },
    { GT_FIELD_NAMED("frames", GtHarmonicClipReport, frame_count), .help = "frames of the clip" },
    { GT_FIELD_NAMED("residual_mean_deg", GtHarmonicClipReport, residual_rad), .unit = GT_UNIT_DEGREES,
      .help = "mean angle between the rotations of markers and of the surface under them" },
    { GT_FIELD_NAMED("residual_max_deg", GtHarmonicClipReport, residual_max_rad), .unit = GT_UNIT_DEGREES,
      .help = "that angle at the worst marker" },
    { GT_FIELD(GtHarmonicClipReport, residual_marker), .help = "the worst marker, or -1" },
    { GT_FIELD_NAMED("odd_markers", GtHarmonicClipReport, odd_count),
      .help = "markers with an angle above 35 degrees: they are misplaced" },
    { GT_FIELD(GtHarmonicClipReport, stretch_max), .help = "stretch that 1 % of the area exceeds in the worst frame" },
    { GT_FIELD(GtHarmonicClipReport, stretch_min),
      .help = "compression that 1 % of the area exceeds in the worst frame" },
    { GT_FIELD(GtHarmonicClipReport, stretch_time_s), .unit = GT_UNIT_SECONDS, .help = "time of the worst stretch" },
    { GT_FIELD_NAMED("rotation_max_deg", GtHarmonicClipReport, turn_rad), .unit = GT_UNIT_DEGREES,
      .help = "largest angle between neighbouring joints" },
    { GT_FIELD_NAMED("frames_beyond_160_deg", GtHarmonicClipReport, turned_frame_count),
      .help = "frames in which neighbouring joints are more than 160 degrees apart" },
    { GT_FIELD(GtHarmonicClipReport, foot_error_max_m), .unit = GT_UNIT_METRES,
      .help = "largest distance of the middle of a standing foot from the skin's" },
    { GT_FIELD(GtHarmonicClipReport, foot_error_mean_m), .unit = GT_UNIT_METRES, .help = "mean of that distance" },
    { GT_FIELD(GtHarmonicClipReport, hand_error_max_m), .unit = GT_UNIT_METRES,
      .help = "largest distance of the middle of a hand from the skin's" },
    { GT_FIELD(GtHarmonicClipReport, hand_error_mean_m), .unit = GT_UNIT_METRES, .help = "mean of that distance" },
    { GT_FIELD(GtHarmonicClipReport, shift_max_m), .unit = GT_UNIT_METRES,
      .help = "farthest that the body was shifted for feet" },
    { GT_FIELD(GtHarmonicClipReport, prepare_s), .unit = GT_UNIT_SECONDS, .help = "time that factoring took" },
    { GT_FIELD(GtHarmonicClipReport, pose_s), .unit = GT_UNIT_SECONDS, .help = "time that posing all frames took" },
};
GTI_REPORT_FIELDS(gt_harmonic_clip_report_fields, GtHarmonicClipReport, clip_report_rows)

static const GtChoice bakes[] = {
    { "shapes", GT_HARMONIC_BAKE_SHAPES, "a skin fitted to the frames, and a few morph shapes for the rest" },
    { "skin", GT_HARMONIC_BAKE_SKIN, "that skin without morph shapes" },
    { "frames", GT_HARMONIC_BAKE_FRAMES, "a morph shape for each frame: exact, and large" },
    { NULL, 0, NULL },
};

static const GtField bake_rows[] = {
    { GT_FIELD(GtHarmonicBakeDef, bake), .choices = bakes, .help = "how the deformation is written" },
    { GT_FIELD(GtHarmonicBakeDef, max_shapes), .max = GT_HARMONIC_MAX_SHAPES,
      .help = "most morph shapes beside the skin" },
    { GT_FIELD(GtHarmonicBakeDef, tolerance_m), .unit = GT_UNIT_MILLIMETRES, .max = 1000,
      .help = "as few shapes are made as bring the error (RMS) below this" },
    { GT_FIELD(GtHarmonicBakeDef, max_growth), .max = 1e6,
      .help = "most bytes of shapes, as a multiple of the bytes of the scene without them; 0 for no limit" },
};
GTI_DEF_FIELDS(gt_harmonic_bake_def_fields, GtHarmonicBakeDef, bake_rows, gt_default_harmonic_bake_def())

static const GtField bake_report_rows[] = {
    { GT_FIELD_NAMED("shapes", GtHarmonicBakeReport, shape_count), .help = "morph shapes of each mesh" },
    { GT_FIELD_NAMED("shape_bytes", GtHarmonicBakeReport, byte_size), .help = "bytes of the shapes" },
    { GT_FIELD(GtHarmonicBakeReport, error_rms_m), .unit = GT_UNIT_METRES, .help = "error with shapes (RMS)" },
    { GT_FIELD(GtHarmonicBakeReport, error_max_m), .unit = GT_UNIT_METRES, .help = "largest error" },
    { GT_FIELD(GtHarmonicBakeReport, error_time_s), .unit = GT_UNIT_SECONDS, .help = "time of the largest error" },
    { GT_FIELD(GtHarmonicBakeReport, skin_rms_m), .unit = GT_UNIT_METRES, .help = "error without shapes (RMS)" },
};
GTI_REPORT_FIELDS(gt_harmonic_bake_report_fields, GtHarmonicBakeReport, bake_report_rows)

static const GtField markers_rows[] = {
    { GT_FIELD(GtMarkersDef, softness), .min = 0.05, .max = 10,
      .help = "distance of markers from a joint, in radii of the limb: smaller values bend more sharply" },
    { GT_FIELD(GtMarkersDef, ring_size), .min = 4, .max = GTI_MAX_RING,
      .help = "rays around a bone that look for the surface" },
};
GTI_DEF_FIELDS(gt_markers_def_fields, GtMarkersDef, markers_rows, gt_default_markers_def())

static const GtField template_rows[] = {
    { GT_FIELD(GtMeshTemplateDef, rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .default_text = "the clip's own, up to 30", .help = "frame rate" },
    { GT_FIELD(GtMeshTemplateDef, marker_count), .max = GT_HARMONIC_MAX_MARKERS,
      .help = "pairs are completed to this many; 0 takes the known ones alone" },
    { GT_FIELD(GtMeshTemplateDef, name), .default_text = "the template's own", .help = "name of the new clip" },
};
GTI_DEF_FIELDS(gt_mesh_template_def_fields, GtMeshTemplateDef, template_rows, gt_default_mesh_template_def())

static const GtField template_report_rows[] = {
    { GT_FIELD_NAMED("markers", GtMeshTemplateReport, marker_count), .help = "pairs that were used" },
    { GT_FIELD_NAMED("known_markers", GtMeshTemplateReport, known_count), .help = "pairs that were given" },
    { GT_FIELD_NAMED("frames", GtMeshTemplateReport, frame_count), .help = "frames of the clip" },
    { GT_FIELD(GtMeshTemplateReport, scale), .help = "size of the target over that of the template" },
    { GT_FIELD(GtMeshTemplateReport, misfit),
      .help = "distance of known pairs (RMS) as a share of the target's size, when both meshes are aligned" },
    { GT_FIELD(GtMeshTemplateReport, worst), .help = "the largest such distance" },
    { GT_FIELD(GtMeshTemplateReport, worst_pair), .help = "the pair that has it, counted from 0, or -1" },
};
GTI_REPORT_FIELDS(gt_mesh_template_report_fields, GtMeshTemplateReport, template_report_rows)
