// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A gaze, as yaw and pitch, on a character: eyes that turn, or expressions that look somewhere. A VRM file says which,
// and how far (VRMC_vrm.lookAt of 1.0, VRM.firstPerson of 0); the eyes of other characters turn as the gaze does.

#ifndef GERTIE_SHAPES_FACE_GAZE_H
#define GERTIE_SHAPES_FACE_GAZE_H

#include "gertie/figure.h"

// How much of an angle is taken over: `scale` at `most` degrees and beyond, a share of it below.
typedef struct GtiGazeRange {
    float most_deg;
    float scale; // degrees of an eye, or the weight of an expression
} GtiGazeRange;

typedef struct GtiGaze {
    bool by_expressions;
    GtiGazeRange inner, outer; // towards the nose, away from it
    GtiGazeRange down, up;
    GtQuat model_from_forward; // turns +Z to where the character looks
    int32_t eyes[2];           // left, right: nodes of the character, or GT_NONE
    GtQuat model_from_parent[2];
    GtQuat rest[2];
} GtiGaze;

// What the character's file says. An unreadable extension counts as none.
GtResult gti_gaze_find(const GtFigure* character, GtArena* arena, GtiGaze* out, GtError* error);

// Where a rotation from +Z looks: yaw to the left, pitch downwards.
void gti_gaze_angles(GtQuat gaze, float* yaw_deg, float* pitch_deg);

// The local rotation of an eye, 0 left, 1 right.
GtQuat gti_gaze_eye(const GtiGaze* gaze, int eye, float yaw_deg, float pitch_deg);

// The weights of lookLeft, lookRight, lookUp, lookDown.
void gti_gaze_expressions(const GtiGaze* gaze, float yaw_deg, float pitch_deg, float weights[4]);

#endif
