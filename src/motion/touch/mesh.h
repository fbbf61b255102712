// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The meshes of a body in the common pose.

#ifndef GERTIE_MOTION_TOUCH_MESH_H
#define GERTIE_MOTION_TOUCH_MESH_H

#include "motion/touch/touch.h"

// A mesh in the common pose; in a mirror where the body is.
typedef struct GtiBodyMesh {
    int32_t vertex_count;
    const GtVec3* points; // [vertex_count]
    const int8_t* joints; // [vertex_count] humanoid joint that moves each most, or GT_NONE
    const uint32_t* indices;
    int32_t index_count;
} GtiBodyMesh;

// Pose all meshes of a body's figure.
// @param out  receives them, [*count], in the arena
GtResult gti_body_meshes(const GtContext* context, GtArena* arena, const GtiTouchBody* body, GtiBodyMesh** out,
                         int32_t* count, GtError* error);

#endif
