// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a motion does with a face, carried over to another face: expressions and gaze of VRM animations, and morph
// weights. They meet by what their names mean: shapes of ARKit, expressions of VRM, or else the same name.

#ifndef GERTIE_SHAPES_FACE_CLIP_H
#define GERTIE_SHAPES_FACE_CLIP_H

#include "gertie/figure.h"

typedef struct GtiFaceClipReport {
    int32_t signal_count;  // expressions and shapes that the motion moves
    int32_t carried_count; // of those, what the character has something for
    bool has_gaze;         // the motion says where to look, and the character can
    char lost[96];         // names of those that it has nothing for, with commas
    bool lost_more;        // not all of them are there
} GtiFaceClipReport;

// Add channels of morph weights, and of eyes that follow the gaze, to a clip.
// @param motion  plays the source clip; its instance is used
// @param target  the character, in its reference pose
// @param speed   times as fast as the motion, from its start on
// @param scene   gets the channels; with the nodes and meshes of target->scene
GtResult gti_face_carry(const GtContext* context, const GtFigure* motion, const GtFigure* target, double speed,
                        GtScene* scene, int32_t animation, GtiFaceClipReport* report, GtError* error);

#endif
