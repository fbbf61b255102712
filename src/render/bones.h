// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton as a figure: a spindle from each joint to its parent, a ball at each joint, left, middle and right in
// colours of their own.

#ifndef GERTIE_RENDER_BONES_H
#define GERTIE_RENDER_BONES_H

#include "gertie/character.h"

typedef struct GtiBoneFigure {
    int32_t vertex_count;
    int32_t index_count;
    GtVec3* positions;
    GtVec3* normals;
    uint8_t* colors; // [vertex_count * 4] linear
    uint32_t* indices;
    float thickness; // of a joint's ball
    int32_t bone_count;
    int32_t* joints; // [bone_count] the lower end of each bone
} GtiBoneFigure;

// Lay out the figure of a character's joints; false when memory ran out. Where there is a
// skin, only the nodes that move it are bones.
bool gti_bones_create(GtArena* arena, const GtCharacterDef* def, const GtMat34* model_from_node, GtiBoneFigure* out);

// Put the figure into a pose.
void gti_bones_pose(GtiBoneFigure* figure, const GtCharacterDef* def, const GtMat34* model_from_node);

#endif
