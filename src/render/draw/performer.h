// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A figure with its vertices, posed by the runtime. It knows nothing of drawing.

#ifndef GERTIE_RENDER_DRAW_PERFORMER_H
#define GERTIE_RENDER_DRAW_PERFORMER_H

#include "gertie/render.h"
#include "gertie/sculpt.h"

typedef struct GtiPerformer {
    GtFigure figure;           // with what its scene keeps of a deformation
    GtVec3** positions;        // [mesh_count][vertex_count], posed
    GtVec3** normals;          // likewise; of no meaning where a mesh has none
    GtMaterialLook* materials; // [material_count] of the scene, in the pose
    double posed_s;            // time of the pose
    bool is_posed;
    bool mirrored; // vertices are, not the instance
} GtiPerformer;

// What an actor plays: its scene, its animation, what bends its skins. Arrays go into the arena.
GtResult gti_performer_create(const GtContext* context, GtArena* arena, const GtActorDef* def, GtiPerformer* out,
                              GtError* error);
void gti_performer_destroy(GtiPerformer* performer);

// Put the joints in place alone.
void gti_performer_pose_joints(GtiPerformer* performer, double time_s);

// Pose everything; false when it is posed so already.
bool gti_performer_pose(GtiPerformer* performer, double time_s);

// Whether the motion goes on at a time; always without one.
bool gti_performer_plays(const GtiPerformer* performer, double time_s);

#endif
