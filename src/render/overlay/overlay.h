// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is drawn with a figure besides its skin: bones, axes, lights, trails, marks of its feet and hands.

#ifndef GERTIE_RENDER_OVERLAY_OVERLAY_H
#define GERTIE_RENDER_OVERLAY_OVERLAY_H

#include "render/overlay/bones.h"
#include "render/overlay/footmark.h"
#include "render/overlay/marker.h"
#include "render/overlay/trail.h"
#include "render/picture/canvas.h"

enum {
    GTI_MARK_SURFACES = 2 + GT_CONTACT_PART_COUNT,
    GTI_TOUCH_SURFACES = 2
};

typedef enum GtiOverlayPart {
    GTI_OVERLAY_BONES,
    GTI_OVERLAY_AXES,
    GTI_OVERLAY_LIGHTS,
    GTI_OVERLAY_TOUCHES,
    GTI_OVERLAY_TRAILS,
    GTI_OVERLAY_FOOTMARKS,
    GTI_OVERLAY_PART_COUNT
} GtiOverlayPart;

typedef struct GtiOverlay {
    GtiDrawnBones bones;
    GtiMarkers axes, lights, touches;
    GtiTrails trails;
    GtiFootmarks footmarks;
    GtiPaintedShape* shapes[GTI_OVERLAY_PART_COUNT]; // of those above, or NULL where there is none
    GtiMesh meshes[GTI_OVERLAY_PART_COUNT];
    GtiSurface* trail_surfaces; // [2 * trail_count] what has been and what is to come of each
    GtiSurface* touch_surfaces; // [GTI_TOUCH_SURFACES] of each hand
    const GtContacts* contacts; // that they are shown by
    GtiSurface* mark_surfaces;  // [GTI_MARK_SURFACES] what both feet left behind, then what each part stands on
} GtiOverlay;

// How many surfaces the overlays of an actor have at most.
int32_t gti_overlay_surfaces(const GtActorDef* def);

// Make what `def` asks for, bones also for a scene without a mesh, and add surfaces to the end of a list.
GtResult gti_overlay_create(const GtContext* context, GtArena* arena, GtiGl* gl, const GtActorDef* def,
                            GtiPerformer* performer, GtiOverlay* out, GtiSurface* surfaces, int32_t* surface_count,
                            GtError* error);
void gti_overlay_destroy(GtiGl* gl, GtiOverlay* overlay);

void gti_overlay_pose(GtiOverlay* overlay, const GtiPerformer* performer);
void gti_overlay_upload(GtiOverlay* overlay, GtiGl* gl, double time_s);

#endif
