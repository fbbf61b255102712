// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions and reports of this room, as gertie/field.h has them.

#include "base/field_table.h"
#include "scene/choices.h"

#include "gertie/person.h"

static const GtChoice poses[] = {
    { "T", GT_PERSON_POSE_T, "arms level" },
    { "A", GT_PERSON_POSE_A, "arms 45 degrees down" },
    { NULL, 0, NULL },
};

static const GtField scan_rows[] = {
    { GT_FIELD(GtPersonScan, bare), .help = "the mesh alone, as a scanner would give it" },
    { GT_FIELD(GtPersonScan, noise_m), .unit = GT_UNIT_METRES, .max = 0.05,
      .help = "standard deviation of noise along the normals of a bare mesh" },
    { GT_FIELD(GtPersonScan, hole_count), .max = 1000, .help = "holes in a bare mesh" },
    { GT_FIELD(GtPersonScan, island_count), .max = 1000, .help = "loose lumps around a bare mesh" },
    { GT_FIELD(GtPersonScan, up_axis), .choices = gti_up_axis_choices, .help = "axis of a bare mesh that points up" },
    { GT_FIELD(GtPersonScan, metres_per_unit), .min = 1e-6, .max = 1e6, .choices = gti_length_choices,
      .help = "unit of length of a bare mesh" },
    { GT_FIELD(GtPersonScan, seed), .max = 9007199254740991.0, .help = "seed of noise, holes and lumps" },
};
GTI_DEF_FIELDS(gt_person_scan_fields, GtPersonScan, scan_rows, gt_default_person_def().scan)

#define FACTOR .min = 0.7, .max = 1.4
#define COLOR(member, words)                                                                                           \
    {                                                                                                                  \
        GT_FIELD(GtPersonDef, member), .unit = GT_UNIT_COLOR, .help = "colour of the " words                           \
    }

static const GtField person_rows[] = {
    { GT_FIELD(GtPersonDef, height_m), .unit = GT_UNIT_METRES, .min = 0.5, .max = 2.5, .help = "height of the person" },
    { GT_FIELD(GtPersonDef, build), .min = -1, .max = 2, .help = "-1 thin, 0 average, 1 heavy, 2 very heavy" },
    { GT_FIELD(GtPersonDef, muscle), .max = 1, .help = "how much muscle shows: 0 none, 1 an athlete's" },
    { GT_FIELD(GtPersonDef, sex), .max = 1, .help = "from female (0) to male (1)" },
    { GT_FIELD(GtPersonDef, leg_length), FACTOR, .help = "length of the legs, relative to the average" },
    { GT_FIELD(GtPersonDef, arm_length), FACTOR, .help = "length of the arms, relative to the average" },
    { GT_FIELD(GtPersonDef, torso_length), FACTOR, .help = "length of the torso, relative to the average" },
    { GT_FIELD(GtPersonDef, shoulder_width), FACTOR, .help = "width of the shoulders, relative to the average" },
    { GT_FIELD(GtPersonDef, hip_width), FACTOR, .help = "width of the hips, relative to the average" },
    { GT_FIELD(GtPersonDef, head_size), FACTOR, .help = "size of head and neck, relative to the average" },
    { GT_FIELD(GtPersonDef, hand_size), FACTOR, .help = "size of the hands, relative to the average" },
    { GT_FIELD(GtPersonDef, foot_size), FACTOR, .help = "size of the feet, relative to the average" },
    { GT_FIELD(GtPersonDef, pose), .choices = poses, .help = "rest pose of the person" },
    { GT_FIELD(GtPersonDef, triangle_count), .min = 2000, .max = 1000000, .help = "triangles of the mesh, within 2 %" },
    COLOR(skin_color, "skin"),
    COLOR(hair_color, "hair"),
    COLOR(eye_color, "eyes"),
    COLOR(shirt_color, "shirt"),
    COLOR(trousers_color, "trousers"),
    COLOR(shoe_color, "shoes"),
    { GT_FIELD_STRUCT(GtPersonDef, scan, gt_person_scan_fields), .help = "the mesh as a scanner would give it" },
};
GTI_DEF_FIELDS(gt_person_def_fields, GtPersonDef, person_rows, gt_default_person_def())

static const GtField report_rows[] = {
    { GT_FIELD_NAMED("triangles", GtPersonReport, triangle_count), .help = "triangles of the mesh" },
    { GT_FIELD_NAMED("vertices", GtPersonReport, vertex_count), .help = "vertices of the mesh" },
    { GT_FIELD(GtPersonReport, volume_m3), .help = "volume inside skin, clothes and shoes, in cubic metres" },
    { GT_FIELD(GtPersonReport, area_m2), .help = "area of the surface, in square metres" },
    { GT_FIELD(GtPersonReport, mass_kg), .help = "mass in kilograms, with Winter's densities" },
    { GT_FIELD_NAMED("min_angle_deg", GtPersonReport, min_angle_rad), .unit = GT_UNIT_DEGREES,
      .help = "smallest angle of all triangles, in degrees" },
    { GT_FIELD_NAMED("mean_min_angle_deg", GtPersonReport, mean_min_angle_rad), .unit = GT_UNIT_DEGREES,
      .help = "mean of the triangles' smallest angles, in degrees" },
    { GT_FIELD(GtPersonReport, sliver_share), .help = "share of triangles with an angle under 15 degrees" },
};
GTI_REPORT_FIELDS(gt_person_report_fields, GtPersonReport, report_rows)
