// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene on stage: a performer, drawn as surfaces.

#ifndef GERTIE_RENDER_DRAW_ACTOR_H
#define GERTIE_RENDER_DRAW_ACTOR_H

#include "render/draw/ambient.h"
#include "render/draw/camera.h"
#include "render/draw/focus.h"
#include "render/draw/looks.h"
#include "render/overlay/overlay.h"
#include "render/picture/paint.h"

typedef struct GtiActor {
    GtActorDef def;
    GtArena arena; // arrays below and of what follows
    GtiPerformer performer;
    GtiOverlay overlay;
    GtiLooks looks;
    GtiPaint paint;       // where def.paint asks for it
    GtiFocus focus;       // where def.focus_count does
    bool is_visible;      // in the pose
    double time_s;        // of the pose, on the stage
    GtiMesh* meshes;      // [mesh_count]
    uint8_t** light;      // [mesh_count][2 * vertex_count] how much each vertex gets of the sky, and of the key light
    GtiSurface* surfaces; // [surface_count]
    int32_t surface_count;
    GtiAmbient* ambient;            // NULL for drafts
    GtiAmbientMesh* ambient_meshes; // [mesh_count]
    GLuint* textures;               // [texture_count] of the scene, 0 where there is none
} GtiActor;

// @param fine  with ambient occlusion
GtResult gti_actor_create(const GtContext* context, GtiGl* gl, const GtActorDef* def, bool fine, GtiActor* out,
                          GtError* error);
void gti_actor_destroy(GtiGl* gl, GtiActor* actor);

// Pose at a time, unless it is posed so already; nothing goes to the graphics card yet.
void gti_actor_pose(GtiActor* actor, double time_s);

// Add the pose to a shadow.
void gti_actor_shade(const GtiActor* actor, GtiShadow* shadow);

// Find out what light the vertices of the pose get, over a floor or -INFINITY, once all shadows are there.
void gti_actor_light(GtiActor* actor, const GtiShadow* shadow, float floor_y);

// Put the pose onto the graphics card, numbers as colours between those of `low` and `high`.
void gti_actor_upload(GtiActor* actor, GtiGl* gl, float low, float high);

// Box around the pose, with the offset; grows `bounds`.
void gti_actor_bounds(const GtiActor* actor, GtBounds* bounds);

// Grow what part of a picture is covered by everything that is drawn with it, with the offset.
void gti_actor_extent(const GtiActor* actor, const GtCameraView* camera, int32_t width, int32_t height,
                      GtiExtent* extent);

// How far the pose reaches, with the offset.
GtReach gti_actor_reach(const GtiActor* actor, const GtLens* lens);

// Likewise of what is drawn with it.
GtReach gti_actor_overlay_reach(const GtiActor* actor, const GtLens* lens);

#endif
