// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One run of gt_animate(), passed from step to step.

#ifndef GERTIE_ANIMATE_JOB_H
#define GERTIE_ANIMATE_JOB_H

#include "gertie/animate.h"

#include "figure/figure.h"

typedef struct GtiAnimateJob {
    const GtContext* context;
    const GtAnimateDef* def;
    const GtScene* body; // as it was given
    const GtScene* motion;
    bool bakes;           // else the frames are handed out
    GtScene* character;   // the body, rigged or without clips, where it differs from `body`
    GtMarkers* kept;      // markers that the body's file keeps, or NULL
    GtFigure target;      // of the character, then of the animated scene
    GtFigure source;      // of the motion
    GtScene* animated;    // the result so far, whose last clip is the motion
    GtHandKeys* keys;     // or NULL
    GtHarmonicClip* clip; // or NULL
    GtAnimateReport report;
    GtError* error;
} GtiAnimateJob;

// Which method a body is animated by, and why, into the report.
void gti_animate_choose_method(GtiAnimateJob* job);

// Whether the motion's animated mesh is to drive the body's.
bool gti_animate_has_template(const GtiAnimateJob* job);

// Warn of a map that is incomplete or cannot tell left from right.
void gti_animate_warn_of_map(const GtiAnimateJob* job, const GtFigure* figure, const char* whose);

// Apply keys that are set by hand to the animated scene.
GtResult gti_animate_apply_keys(GtiAnimateJob* job);

// Let the animated scene's surface follow its last clip by harmonic fields.
GtResult gti_animate_by_harmonic(GtiAnimateJob* job);

// Let the body's surface follow the motion's mesh.
GtResult gti_animate_by_template(GtiAnimateJob* job);

#endif
