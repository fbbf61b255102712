// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene on stage: posed by the runtime, drawn as surfaces.

#ifndef GERTIE_RENDER_ACTOR_H
#define GERTIE_RENDER_ACTOR_H

#include "gertie/instance.h"
#include "render/ambient.h"
#include "render/bones.h"
#include "render/canvas.h"

typedef struct GtiActor {
    GtActorDef def;
    GtArena arena; // arrays below
    GtCharacter* character;
    GtClip* clip;   // or NULL
    double start_s; // of the motion in the clip
    GtInstance* instance;
    GtiMesh* meshes;      // [mesh_count]
    GtVec3** positions;   // [mesh_count][vertex_count], posed
    GtVec3** normals;     // likewise; of no meaning where a mesh has none
    uint8_t** light;      // [mesh_count][2 * vertex_count] how much each vertex gets of the sky, and of the key light
    GtiSurface* surfaces; // [surface_count]; the last one draws bones, if there are any to draw
    int32_t surface_count;
    GtiMesh bones;
    GtiBoneFigure* figure; // or NULL
    double posed_s;        // time of the pose
    bool is_posed;
    GtiAmbient* ambient;            // NULL for drafts
    GtiAmbientMesh* ambient_meshes; // [mesh_count]
    GLuint* textures;               // [image_count], 0 where there is none
} GtiActor;

// @param fine  with ambient occlusion
GtResult gti_actor_create(const GtContext* context, GtiGl* gl, const GtActorDef* def, bool fine, GtiActor* out,
                          GtError* error);
void gti_actor_destroy(GtAllocator allocator, GtiGl* gl, GtiActor* actor);

// Pose at a time, unless it is posed so already; nothing goes to the graphics card yet.
void gti_actor_pose(GtiActor* actor, double time_s);

// Add the pose to a shadow.
void gti_actor_shade(const GtiActor* actor, GtiShadow* shadow);

// Find out what light the vertices of the pose get, over a floor or -INFINITY, once all shadows are there.
void gti_actor_light(GtiActor* actor, const GtiShadow* shadow, float floor_y);

// Put the pose onto the graphics card.
void gti_actor_upload(GtiActor* actor, GtiGl* gl);

// Box around the pose, with the offset; grows `bounds`.
void gti_actor_bounds(const GtiActor* actor, GtBounds* bounds);

// How far the pose reaches, with the offset.
GtReach gti_actor_reach(const GtiActor* actor, const GtLens* lens);

#endif
