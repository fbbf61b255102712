// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The part of an actor that a camera looks at: joints with all that hangs on them.

#ifndef GERTIE_RENDER_DRAW_FOCUS_H
#define GERTIE_RENDER_DRAW_FOCUS_H

#include "render/draw/performer.h"

typedef struct GtiFocus {
    bool* nodes;       // [node_count] of the character: the joints and those below
    int32_t* meshes;   // [point_count] of each point, or GT_NONE for a joint's own place
    int32_t* vertices; // [point_count] in its mesh, or the joint
    GtVec3* points;    // [point_count] where they are in the last pose, without an offset
    int32_t point_count;
} GtiFocus;

// Find the vertices that hang on the nodes of def->focus by half or more; where there are none, joints stand for them.
GtResult gti_focus_create(GtArena* arena, const GtActorDef* def, const GtiPerformer* performer, GtiFocus* out,
                          GtError* error);

// Put the points where the performer has them.
void gti_focus_pose(GtiFocus* focus, const GtiPerformer* performer);

#endif
