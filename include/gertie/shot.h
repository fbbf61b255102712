// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: stills, contact sheets and films of scenes, as `gertie render` makes them.
///
/// A shot puts scenes side by side, looks through their motion, and places the camera so that everything stays in the
/// picture:
///
///     GtShotFigure figure = gt_default_shot_figure(scene);
///     GtShotDef def = gt_default_shot_def();
///     def.figures = &figure;
///     def.figure_count = 1;
///     def.path = "walk.mp4";
///     result = gt_shot_create(&context, &def, &shot, &error);
///     result = result == GT_OK ? gt_shot_write(shot, &context, &error) : result;
///     gt_shot_destroy(shot);
///
/// gertie/render.h is the floor below: scenes and a camera of one's own.
///
/// **Threads.** A shot belongs to the thread that made it; threads may have one each, and draw at once.

#ifndef GERTIE_SHOT_H
#define GERTIE_SHOT_H

#include "gertie/contact.h"
#include "gertie/film.h"
#include "gertie/picture.h"
#include "gertie/render.h"

GT_EXTERN_C_BEGIN

/// One figure of a shot.
typedef struct GtShotFigure {
    const GtScene* scene; ///< validated
    int32_t animation;    ///< that it plays, or GT_NONE for the rest pose
    const char* name;     ///< written under it where there are several, and used in messages; of a path only the last
                          ///< part is written, unless two figures share it
} GtShotFigure;

/// The first animation of a scene, if it has one, under the name of the scene's file.
GT_API GtShotFigure gt_default_shot_figure(const GtScene* scene);

/// Whether the camera moves along with the figures.
typedef enum GtCameraFollow {
    GT_FOLLOW_AUTO, ///< in sheets and turntables, where each picture stands for itself
    GT_FOLLOW_NEVER,
    GT_FOLLOW_ALWAYS,
} GtCameraFollow;

/// From where a shot is seen. Start from the view of gt_default_shot_def().
typedef struct GtShotView {
    GtCameraPlace place;
    float angle_rad;     ///< around the figure: 0 in front of it, pi/2 at its left; NaN for that of `place`
    float elevation_rad; ///< above the horizon, -pi/2 to pi/2; NaN for that of `place`
    GtCameraFollow follow;
    bool turntable; ///< the camera goes round once; a film repeats the motion until it is slow enough to look at
    /// Joints, separated by commas, that are framed with all that hangs on them; NULL for everything.
    const char* focus;
} GtShotView;

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_shot_view_fields(void);

/// What is drawn besides the figures, or instead of them. Joints are named by their nodes or by the humanoid
/// vocabulary, lists of them separated by commas.
typedef struct GtShotOverlays {
    bool skeleton;            ///< bones through a transparent skin
    bool wire;                ///< edges of the triangles
    bool axes;                ///< of each joint
    bool point_lights;        ///< lights at the joints, and nothing else
    GtPaint paint;            ///< a number of each vertex as its colour, with a legend
    const char* paint_joint;  ///< of GT_PAINT_WEIGHT
    const GtScene* reference; ///< of GT_PAINT_DISTANCE: a scene with the same meshes
    int32_t reference_animation;
    double paint_max_m;  ///< of GT_PAINT_DISTANCE: where the colours end; 0 for the largest distance there is
    int32_t onion_count; ///< ghosts before each moment, and as many after it
    double onion_step_s; ///< between ghosts
    const char* trails;  ///< joints whose paths are drawn, or NULL
    bool contacts;       ///< marks under feet that stand, and around hands that touch
    const GtContacts* contact_times; ///< when they do, or NULL to find out
} GtShotOverlays;

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_shot_overlays_fields(void);

/// What is drawn, how, and into which file. Start from gt_default_shot_def(). Everything that it points to must outlive
/// the shot.
typedef struct GtShotDef {
    const GtShotFigure* figures; ///< [figure_count] side by side, moving in step
    int32_t figure_count;        ///< 1 or more
    bool mirror;                 ///< the mirror image of each figure stands beside it
    bool force_skin_method;      ///< bend all skins by `skin_method` instead of what their scenes say
    GtSkinMethod skin_method;
    const GtScene* ground; ///< uneven ground that replaces the floor, of one figure; or NULL
    const GtScene* prop;   ///< something that stands there too and plays its first animation, of one figure; or NULL
    GtShotView view;
    GtShotOverlays overlays;
    const char* path;      ///< file to write: a film where its ending is one of gt_film_formats(), else a PNG. NULL for
                           ///< nothing but gt_shot_draw()
    int32_t sheet_count;   ///< pictures of a contact sheet, or 0 for a still or film
    int32_t width, height; ///< pixels, or 0 for 1280 x 720, and 480 x 480 for each picture of a sheet; made even for
                           ///< films that need it
    GtRenderQuality quality;
    const GtBackground* background; ///< NULL for a gradient over a floor, and darkness for point lights
    double time_s;                  ///< of a still, or what a turntable shows; NaN for the middle of the motion
    double from_s, to_s;            ///< part of the motion that a sheet or film shows; NaN for its start and end
    double frame_rate_hz;           ///< of a film, or 0 for 30, and 25 for a GIF
} GtShotDef;

GT_API GtShotDef gt_default_shot_def(void);

/// Its fields, for options, panels and manuals.
GT_API const GtFieldTable* gt_shot_def_fields(void);

/// How far the skin of a figure is from that of the reference of GT_PAINT_DISTANCE, over the moments that were looked
/// at.
typedef struct GtShotDistance {
    int64_t count; ///< of vertices that were compared, over all moments; 0: there are none, and the rest is 0
    double max_m;
    double max_at_s; ///< when the largest is
    double rms_m;
} GtShotDistance;

/// What became of a shot.
typedef struct GtShotReport {
    int32_t width, height; ///< of the file: one picture, or the whole sheet
    int32_t picture_count;
    double from_s, to_s;             ///< part of the motion that is shown; the same for a still
    bool has_motion;                 ///< of the first figure
    double frame_rate_hz;            ///< of a film, else 0
    const char* format;              ///< "png", or the name of a GtFilmFormat
    const char* renderer;            ///< as gt_renderer_name() has it
    const GtShotDistance* distances; ///< [figure_count] of GT_PAINT_DISTANCE, or NULL
} GtShotReport;

/// A shot that is ready to be drawn. It belongs to the thread that made it.
typedef struct GtShot GtShot;

/// Put the figures in place, look through the motion once, and place the camera. Times that lie a little outside the
/// motion are moved into it with a note: those between 0 and its start, and a tenth of a second at either end.
/// @param out  receives the shot, or NULL on failure; free with gt_shot_destroy()
/// @return GT_ERROR_UNSUPPORTED where nothing can draw; GT_ERROR_NOT_FOUND for a joint that is not there, for nothing
/// to
///         draw, and for a film without motion; GT_ERROR_BAD_VALUE for times outside the motion
GT_API GtResult gt_shot_create(const GtContext* context, const GtShotDef* def, GtShot** out, GtError* error);

/// Free a shot; `shot` may be NULL.
GT_API void gt_shot_destroy(GtShot* shot);

/// What the shot shows, known from gt_shot_create() on; lives as long as the shot.
GT_API const GtShotReport* gt_shot_report(const GtShot* shot);

/// Draw one moment, with the names under figures and legends.
/// @param turn_rad  turns the camera around the figures, as a turntable does
/// @param out       receives the picture, empty on failure; free with gt_picture_destroy() and the allocator of
/// `context`
GT_API GtResult gt_shot_draw(GtShot* shot, const GtContext* context, double time_s, double turn_rad, GtPicture* out,
                             GtError* error);

/// Draw everything and write the file of the def: a still, a sheet or a film. It appears whole or not at all.
GT_API GtResult gt_shot_write(GtShot* shot, const GtContext* context, GtError* error);

GT_EXTERN_C_END

#endif
