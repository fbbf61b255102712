// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of the definitions of this room, as gertie/field.h has them.

#include "base/field_table.h"
#include "scene/choices.h"

#include "gertie/plot.h"
#include "gertie/shot.h"

static const GtChoice qualities[] = {
    { "draft", GT_RENDER_DRAFT, "fast: hard shadows, jagged edges" },
    { "fine", GT_RENDER_FINE, "soft shadows, ambient occlusion, smooth edges" },
    { NULL, 0, NULL },
};

static const GtField background_rows[] = {
    { GT_FIELD(GtBackground, ground), .help = "draw the floor with its grid and shadows" },
};
GTI_DEF_FIELDS(gt_background_fields, GtBackground, background_rows, gt_default_renderer_def().background)

static const GtField renderer_rows[] = {
    { GT_FIELD(GtRendererDef, width), .unit = GT_UNIT_PIXELS, .min = 16, .max = 8192, .help = "width of a picture" },
    { GT_FIELD(GtRendererDef, height), .unit = GT_UNIT_PIXELS, .min = 16, .max = 8192, .help = "height of a picture" },
    { GT_FIELD(GtRendererDef, quality), .choices = qualities, .help = "how carefully pictures are drawn" },
    { GT_FIELD_STRUCT(GtRendererDef, background, gt_background_fields), .help = "what is behind the figures" },
};
GTI_DEF_FIELDS(gt_renderer_def_fields, GtRendererDef, renderer_rows, gt_default_renderer_def())

static const GtChoice paints[] = {
    { "none", GT_PAINT_NONE, "the scene's own colours" },
    { "weight", GT_PAINT_WEIGHT, "how much one joint moves each vertex" },
    { "influences", GT_PAINT_INFLUENCES, "how many joints move each vertex" },
    { "distance", GT_PAINT_DISTANCE, "distance from the same vertex of another scene" },
    { NULL, 0, NULL },
};

static const GtField actor_rows[] = {
    { GT_FIELD(GtActorDef, animation), .min = GT_NONE, .max = INT32_MAX, .default_text = "the rest pose",
      .help = "index of the clip that it plays, counted from 0" },
    { GT_FIELD(GtActorDef, keep_tpose), .help = "also show a T-pose that a capture begins with" },
    { GT_FIELD(GtActorDef, force_skin_method), .help = "use skin_method whatever the scene says" },
    { GT_FIELD(GtActorDef, skin_method), .choices = gti_skin_method_choices, .help = "how joints bend the skin" },
    { GT_FIELD(GtActorDef, mirrored), .help = "swap left and right of the skin" },
    { GT_FIELD(GtActorDef, opacity), .max = 1, .help = "1 for a solid figure, less for a ghost without a shadow" },
    { GT_FIELD(GtActorDef, has_tint), .help = "give the whole figure the colour tint" },
    { GT_FIELD(GtActorDef, time_shift_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .help = "how much later it is than the others" },
    { GT_FIELD(GtActorDef, wire), .help = "draw the edges of the triangles" },
    { GT_FIELD(GtActorDef, bones), .help = "draw the skeleton through a skin of glass" },
    { GT_FIELD(GtActorDef, axes), .help = "draw the axes of each joint: x red, y green, z blue" },
    { GT_FIELD(GtActorDef, paint), .choices = paints, .help = "what the colour of the skin shows" },
    { GT_FIELD(GtActorDef, paint_joint), .min = GT_NONE, .max = INT32_MAX, .default_text = "none",
      .help = "index of the node whose weights are shown" },
    { GT_FIELD(GtActorDef, reference_animation), .min = GT_NONE, .max = INT32_MAX, .default_text = "the rest pose",
      .help = "index of the other scene's clip, counted from 0" },
    { GT_FIELD(GtActorDef, trail_from_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the start of the motion", .help = "start of the paths of joints" },
    { GT_FIELD(GtActorDef, trail_to_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the end of the motion", .help = "end of the paths of joints" },
};
GTI_DEF_FIELDS(gt_actor_def_fields, GtActorDef, actor_rows, gt_default_actor_def())

static const GtChoice camera_places[] = {
    { "three-quarter", GT_CAMERA_THREE_QUARTER, "in front, to the figure's left, a little above" },
    { "front", GT_CAMERA_FRONT, "in front of the figure" },
    { "side", GT_CAMERA_SIDE, "at the figure's left" },
    { "top", GT_CAMERA_TOP, "above the figure, looking down" },
    { NULL, 0, NULL },
};

static const GtChoice camera_follows[] = {
    { "auto", GT_FOLLOW_AUTO, "in sheets and turntables" },
    { "never", GT_FOLLOW_NEVER, "the camera sees the whole motion and stands still" },
    { "always", GT_FOLLOW_ALWAYS, "the camera keeps its distance from the figures" },
    { NULL, 0, NULL },
};

static const GtField shot_view_rows[] = {
    { GT_FIELD(GtShotView, place), .choices = camera_places, .help = "where the camera stands" },
    { GT_FIELD(GtShotView, angle_rad), .unit = GT_UNIT_DEGREES, .min = -360, .max = 360,
      .default_text = "that of the camera place",
      .help = "angle of the camera around the figure: 0 sees its front, 90 its left side, 180 its back" },
    { GT_FIELD(GtShotView, elevation_rad), .unit = GT_UNIT_DEGREES, .min = -90, .max = 90,
      .default_text = "that of the camera place",
      .help = "angle of the camera above the horizon: 0 is level, 90 looks straight down" },
    { GT_FIELD(GtShotView, follow), .choices = camera_follows, .help = "whether the camera moves with the figures" },
    { GT_FIELD(GtShotView, turntable), .help = "move the camera around the figure once" },
    { GT_FIELD(GtShotView, focus), .default_text = "the whole figure",
      .help = "joints to frame with all that hangs on them, such as head or leftUpperArm,leftHand" },
};
GTI_DEF_FIELDS(gt_shot_view_fields, GtShotView, shot_view_rows, gt_default_shot_def().view)

static const GtField shot_overlays_rows[] = {
    { GT_FIELD(GtShotOverlays, skeleton), .help = "show the bones through a transparent skin" },
    { GT_FIELD(GtShotOverlays, wire), .help = "draw the edges of the triangles over the skin" },
    { GT_FIELD(GtShotOverlays, axes), .help = "draw the axes of each joint: x red, y green, z blue" },
    { GT_FIELD(GtShotOverlays, point_lights), .help = "show only lights at a dozen joints, in the dark" },
    { GT_FIELD(GtShotOverlays, paint), .choices = paints, .help = "what the colour of the skin shows" },
    { GT_FIELD(GtShotOverlays, paint_joint), .default_text = "none",
      .help = "joint whose influence the colour of the skin shows" },
    { GT_FIELD(GtShotOverlays, reference_animation), .min = GT_NONE, .max = INT32_MAX, .default_text = "the rest pose",
      .help = "index of the other scene's clip, counted from 0" },
    { GT_FIELD(GtShotOverlays, paint_max_m), .unit = GT_UNIT_MILLIMETRES, .min = 1e-6, .max = 1e9,
      .default_text = "the largest distance", .help = "distance from the other scene where the colours end" },
    { GT_FIELD(GtShotOverlays, onion_count), .min = 1, .max = 20, .default_text = "none",
      .help = "number of ghosts before each moment, in blue, and after it, in orange" },
    { GT_FIELD(GtShotOverlays, onion_step_s), .unit = GT_UNIT_SECONDS, .min = 1e-3, .max = 1e3,
      .help = "time from ghost to ghost" },
    { GT_FIELD(GtShotOverlays, trails), .default_text = "none",
      .help = "joints whose paths are drawn, such as leftHand,rightHand" },
    { GT_FIELD(GtShotOverlays, contacts),
      .help = "mark where heels and balls of the feet stand, and where they stood" },
};
GTI_DEF_FIELDS(gt_shot_overlays_fields, GtShotOverlays, shot_overlays_rows, gt_default_shot_def().overlays)

static const GtField shot_rows[] = {
    { GT_FIELD(GtShotDef, mirror), .help = "draw the mirror image of each figure beside it" },
    { GT_FIELD(GtShotDef, force_skin_method), .help = "use skin_method whatever the scene says" },
    { GT_FIELD(GtShotDef, skin_method), .choices = gti_skin_method_choices, .default_text = "that of the scene",
      .help = "how joints bend the skin" },
    { GT_FIELD_STRUCT(GtShotDef, view, gt_shot_view_fields), .help = "from where the figures are seen" },
    { GT_FIELD_STRUCT(GtShotDef, overlays, gt_shot_overlays_fields), .help = "what is drawn besides the figures" },
    { GT_FIELD(GtShotDef, path), .default_text = "none", .help = "file to write, a film or a PNG by its ending" },
    { GT_FIELD(GtShotDef, sheet_count), .min = 1, .max = 1000, .default_text = "no sheet",
      .help = "number of moments to draw in a grid" },
    { GT_FIELD(GtShotDef, width), .unit = GT_UNIT_PIXELS, .min = 16, .max = 8192,
      .default_text = "1280, and 480 in a sheet", .help = "width of a picture" },
    { GT_FIELD(GtShotDef, height), .unit = GT_UNIT_PIXELS, .min = 16, .max = 8192,
      .default_text = "720, and 480 in a sheet", .help = "height of a picture" },
    { GT_FIELD(GtShotDef, quality), .choices = qualities, .help = "how carefully pictures are drawn" },
    { GT_FIELD(GtShotDef, time_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the middle of the motion", .help = "time of a single picture" },
    { GT_FIELD(GtShotDef, from_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the start of the motion", .help = "time at which a sheet or film begins" },
    { GT_FIELD(GtShotDef, to_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the end of the motion", .help = "time at which a sheet or film ends" },
    { GT_FIELD(GtShotDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 1, .max = 240,
      .default_text = "30, and 25 for a GIF", .help = "frame rate of a film" },
};
GTI_DEF_FIELDS(gt_shot_def_fields, GtShotDef, shot_rows, gt_default_shot_def())

static const GtField film_rows[] = {
    { GT_FIELD(GtFilmDef, width), .unit = GT_UNIT_PIXELS, .min = 1, .max = 16384, .help = "width of a picture" },
    { GT_FIELD(GtFilmDef, height), .unit = GT_UNIT_PIXELS, .min = 1, .max = 16384, .help = "height of a picture" },
    { GT_FIELD(GtFilmDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.1, .max = 1000, .help = "frame rate" },
    { GT_FIELD(GtFilmDef, alpha), .help = "keep transparency, where the format can" },
    { GT_FIELD(GtFilmDef, encoder), .help = "the program ffmpeg: a name to look for, or a path" },
};
GTI_DEF_FIELDS(gt_film_def_fields, GtFilmDef, film_rows, gt_default_film_def())

static const GtField plot_series_rows[] = {
    { GT_FIELD(GtPlotSeriesDef, animation), .max = INT32_MAX, .help = "index of the clip, counted from 0" },
    { GT_FIELD(GtPlotSeriesDef, from_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the clip's start", .help = "time of the first sample" },
    { GT_FIELD(GtPlotSeriesDef, to_s), .unit = GT_UNIT_SECONDS, .min = -1e6, .max = 1e6,
      .default_text = "the clip's end", .help = "time of the last sample" },
    { GT_FIELD(GtPlotSeriesDef, frame_rate_hz), .unit = GT_UNIT_HERTZ, .min = 0.01, .max = 10000,
      .default_text = "the clip's keys, and more where they are far apart", .help = "sample rate" },
};
GTI_DEF_FIELDS(gt_plot_series_def_fields, GtPlotSeriesDef, plot_series_rows, gt_default_plot_series_def())

static const GtField plot_rows[] = {
    { GT_FIELD(GtPlotDef, title), .default_text = "none", .help = "title above the plot" },
    { GT_FIELD(GtPlotDef, width), .unit = GT_UNIT_PIXELS, .min = GT_PLOT_MIN_WIDTH, .max = GT_PLOT_MAX_SIZE,
      .help = "width of the plot" },
    { GT_FIELD(GtPlotDef, height), .unit = GT_UNIT_PIXELS, .min = 1, .max = GT_PLOT_MAX_SIZE,
      .default_text = "as much as its panels need", .help = "height of the plot" },
};
GTI_DEF_FIELDS(gt_plot_def_fields, GtPlotDef, plot_rows, gt_default_plot_def())
