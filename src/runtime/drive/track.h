// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// State variables: where a channel's numbers are, and how they are read and written.

#ifndef GERTIE_RUNTIME_DRIVE_TRACK_H
#define GERTIE_RUNTIME_DRIVE_TRACK_H

#include "gertie/track.h"

typedef enum GtiVariableKind {
    GTI_VARIABLE_TRANSLATION,
    GTI_VARIABLE_ROTATION,
    GTI_VARIABLE_SCALE,
    GTI_VARIABLE_TURN,
    GTI_VARIABLE_ANGLE,     // read only
    GTI_VARIABLE_ANGLE_DEG, // likewise; the last of those of a node
    GTI_VARIABLE_SECTION,
    GTI_VARIABLE_WEIGHT,
    GTI_VARIABLE_VALUE,
} GtiVariableKind;

typedef struct GtiVariable {
    GtiVariableKind kind;
    int32_t index;           // node, section value, first weight or value
    int32_t component;       // GT_NONE for all
    int32_t component_count; // 1 to 4
    const int32_t* weights;  // [weight_count] of WEIGHT: all that the name means, `index` being the first
    int32_t weight_count;
    GtQuat rest; // of the node, for TURN and ANGLE
} GtiVariable;

// What values keep to while tracks run: those that are given are not driven, others stay in their range.
typedef struct GtiValueBounds {
    const float* given; // [value_count] NaN for those that are not; or NULL
    const float* mins;  // [value_count]
    const float* maxs;  // [value_count]
} GtiValueBounds;

// gt_track_set_apply(); bounds may be NULL.
void gti_track_set_apply(const GtTrackSet* set, double time_s, const GtState* state, const GtiValueBounds* bounds);

// Whether some track drives a node.
bool gti_track_set_moves_nodes(const GtTrackSet* set);

// Find a channel. Lists of weights go into the arena.
GtResult gti_variable_find(GtArena* arena, const GtTrackSetDef* def, const char* channel, GtiVariable* out,
                           GtError* error);

// One component: `component` of a variable that has several.
double gti_variable_get(const GtiVariable* variable, const GtState* state);

// Write all components; those that are not finite leave the variable as it is.
void gti_variable_set(const GtiVariable* variable, const GtState* state, const float* values);

#endif
