// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What `info` counts and measures in a scene, apart from how it is printed.

#ifndef GERTIE_CLI_SURVEY_H
#define GERTIE_CLI_SURVEY_H

#include "session.h"

#include "gertie/instance.h"
#include "gertie/scene.h"
#include "gertie/surface.h"

typedef struct MeshFacts {
    int64_t vertex_count;
    int64_t triangle_count;
    int32_t influence_count;       // most joints that move one vertex; 0 without a skin
    const char** attributes;       // [attribute_count] of any of its primitives, in order of appearance
    const char** morph_attributes; // [morph_attribute_count] likewise, of any of its morph targets
    int32_t attribute_count;
    int32_t morph_attribute_count;
} MeshFacts;

typedef struct ClipFacts {
    double start_s;
    double end_s;
    int64_t key_count; // of the curve with the most keys
    double rate_hz;    // of those keys, or 0 where they are not even
} ClipFacts;

typedef struct Survey {
    GtArena arena;
    int64_t file_size; // bytes, or -1 where it has none
    int32_t joint_count;
    bool* is_joint; // [node_count]
    MeshFacts* meshes;
    ClipFacts* clips;
    bool* image_missing; // [image_count] a file that is not there
    bool has_bounds;
    bool bounds_are_joints; // there is no mesh
    GtVec3 min_m, max_m;    // at rest
    bool has_surface;
    GtSurfaceReport surface; // of all meshes together, at rest and welded
} Survey;

// Count and measure. What keeps the scene from being posed is a warning, and then there are no bounds.
// On false, too, survey_free() is due.
bool survey_scene(Session* session, const GtScene* scene, const char* path, Survey* out);
void survey_free(Survey* survey);

// Look at the surface of all meshes as the instance shows them, with vertices in the same place joined: seams of
// texture coordinates are no holes.
GtResult survey_surface(const GtContext* context, GtInstance* instance, Survey* survey, GtError* error);

#endif
