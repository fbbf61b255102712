// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a clip says of a face, as named numbers over time: expressions of VRM animations, which lie in the x of a node's
// translation, and weights of morph targets that have names. The gaze is the rotation of a node.

#ifndef GERTIE_SHAPES_FACE_SIGNAL_H
#define GERTIE_SHAPES_FACE_SIGNAL_H

#include "gertie/figure.h"

typedef struct GtiFaceSignal {
    const char* name;
    int32_t node;   // of the motion's character, for an expression; else GT_NONE
    int32_t weight; // of the motion's character, for a morph target; else GT_NONE
} GtiFaceSignal;

typedef struct GtiFaceSignals {
    GtiFaceSignal* list; // [count] each name once
    int32_t count;
    int32_t capacity;
    int32_t gaze;   // node of the motion's character, or GT_NONE
    float* times_s; // [time_count] keys of all of them, increasing, within the motion
    int32_t time_count;
} GtiFaceSignals;

// All arrays and names lie in the arena, or in the motion's scene.
GtResult gti_face_signals_find(const GtFigure* motion, GtArena* arena, GtiFaceSignals* out, GtError* error);

// The value of a signal in the pose of the motion's instance.
float gti_face_signal_value(const GtiFaceSignal* signal, const GtInstance* instance);

#endif
