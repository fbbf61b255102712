// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton as a figure: a spindle from each joint to its parent, a ball at each joint, left, middle and right in
// colours of their own. Around its joints also axes and lights.

#ifndef GERTIE_RENDER_OVERLAY_BONES_H
#define GERTIE_RENDER_OVERLAY_BONES_H

#include "gertie/character.h"
#include "render/picture/shape.h"

// The joints of a character: where there is a skin, the nodes that move it, and all nodes elsewhere.
typedef struct GtiJoints {
    int32_t count;
    int32_t* nodes;  // [count]
    bool* is_joint;  // [node_count]
    GtBounds bounds; // of them at rest
} GtiJoints;

// False when memory ran out.
bool gti_joints_find(GtArena* arena, const GtCharacterDef* def, const GtMat34* model_from_node, GtiJoints* out);

typedef struct GtiDrawnBones {
    GtiPaintedShape shape;
    int32_t sides;      // of a bone and its ball
    int32_t ball_rings; // of a ball
    float thickness;    // of a joint's ball
    int32_t bone_count;
    int32_t* joints; // [bone_count] the lower end of each bone
} GtiDrawnBones;

bool gti_bones_create(GtArena* arena, const GtCharacterDef* def, const GtiJoints* joints,
                      const GtMat34* model_from_node, GtiDrawnBones* out);
void gti_bones_pose(GtiDrawnBones* bones, const GtCharacterDef* def, const GtMat34* model_from_node);

#endif
