// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The parts of a shot: figures are put on the renderer's stage (figures.c), the motion is looked through and figures
// are moved apart (layout.c), the camera finds its place (view.c), and names and legends are written into the pictures
// (label.c, legend.c), which become a file (write.c).

#ifndef GERTIE_RENDER_SHOT_SHOT_H
#define GERTIE_RENDER_SHOT_SHOT_H

#include "gertie/map.h"
#include "gertie/shot.h"

#include <math.h>

// One figure, or the mirror image of one.
typedef struct GtiShotFigure {
    const GtScene* scene;
    GtScene* exact;   // what `scene` is where it was made here, or NULL
    int32_t clip;     // or GT_NONE
    const char* name; // for messages
    const char* label;
    bool mirrored;
    GtHumanoidMap map;    // empty where it is no humanoid
    GtVec3 forward;       // of the humanoid at rest
    GtContacts* contacts; // that were found, or NULL
    GtVec3 offset;
    GtBounds body;                    // everything there is of it in the motion, without the offset
    float* lows;                      // [moment_count] height of its lowest point
    GtBounds* boxes;                  // [moment_count] what the camera looks at, without the offset
    GtReach* reaches;                 // [moment_count] of the same, in the lens of the shot without a turn
    GtVec3* centers;                  // [moment_count] middles of the boxes, smoothed over time
    GtBounds around;                  // box around all boxes, seen from their centers
    GtPicture title;                  // the label as a picture; empty where there is only one figure
    int32_t first_actor, actor_count; // on the renderer's stage: the figure, then its ghosts
} GtiShotFigure;

// What is looked at is sampled at even moments from `from_s` to `to_s`.
struct GtShot {
    GtShotDef def;
    GtAllocator allocator;
    GtArena arena;
    const GtFilmFormat* film; // of def.path, or NULL
    GtRendererDef renderer_def;
    GtRenderer* renderer;
    GtiShotFigure* figures; // [figure_count] with mirror images
    int32_t figure_count;
    bool follows; // the camera moves along
    double from_s, to_s;
    int32_t moment_count;
    double front_rad; // by which cameras are turned, so that they see the front of the first figure
    // Of everything that the camera has to see; where it follows, from the middle of the figures.
    GtBounds bounds;
    GtReach reach;
    GtLegendDef legend;  // of painted numbers
    int32_t touch_count; // of hands, in the contacts that are drawn
    GtShotReport report;
};

static inline GtBounds gti_no_bounds(void)
{
    return (GtBounds){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

// Grow a box by another one that is moved.
void gti_bounds_unite(GtBounds* out, const GtBounds* box, GtVec3 offset);

// Time of a moment.
double gti_shot_moment(const GtShot* shot, int32_t moment);

// Take the figures of the def with their mirror images, and find the front of the first.
GtResult gti_shot_open_figures(const GtContext* context, GtShot* shot, GtError* error);

// Put the figures on the renderer's stage, with all that is shown of each.
GtResult gti_shot_add_figures(const GtContext* context, GtShot* shot, GtError* error);

// Look through the motion, and move the figures apart so that they never meet.
GtResult gti_shot_lay_out(const GtContext* context, GtShot* shot, GtError* error);

// The lens of a shot, turned around the figures.
GtLens gti_shot_lens(const GtShot* shot, double turn_rad);

// Find out what the camera has to see, once all figures are in their places.
void gti_shot_frame(GtShot* shot);

// The camera at a time, turned around the figures.
GtCameraView gti_shot_camera(const GtShot* shot, double time_s, double turn_rad);

// Middle of what the camera looks at of a figure, smoothed over time.
GtVec3 gti_shot_center(const GtShot* shot, const GtiShotFigure* figure, double time_s);

// Make the names that gti_shot_label() writes; none for a single figure.
GtResult gti_shot_make_labels(const GtContext* context, GtShot* shot, GtError* error);

// Write each figure's name under it.
void gti_shot_label(const GtShot* shot, const GtCameraView* camera, double time_s, GtPicture* picture);

// Look through the motion for the numbers that colours stand for.
GtResult gti_shot_measure(const GtContext* context, GtShot* shot, GtError* error);

// Write into a picture what its colours mean.
void gti_shot_explain(const GtShot* shot, GtPicture* picture);

// Fill in the report: how many pictures there are, and of which size.
GtResult gti_shot_count_pictures(GtShot* shot, GtError* error);

#endif
