// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Numbers on the vertices of a figure, to be shown as colours.

#ifndef GERTIE_RENDER_PICTURE_PAINT_H
#define GERTIE_RENDER_PICTURE_PAINT_H

#include "gertie/render.h"
#include "render/draw/gl.h"
#include "render/draw/performer.h"

typedef struct GtiPaint {
    GtPaint kind;
    float** values;         // [mesh_count][vertex_count]; NaN where there is no number
    float** texcoords;      // [mesh_count][2 * vertex_count] the numbers as places in the colour map
    GtiPerformer reference; // of GT_PAINT_DISTANCE
    GLuint map;             // texture
} GtiPaint;

// Prepare what `def` asks for.
GtResult gti_paint_create(const GtContext* context, GtArena* arena, GtiGl* gl, const GtActorDef* def,
                          const GtiPerformer* performer, GtiPaint* out, GtError* error);
void gti_paint_destroy(GtiGl* gl, GtiPaint* paint);

// Renew the numbers of a pose at a time.
void gti_paint_pose(GtiPaint* paint, const GtiPerformer* performer, double time_s);

// Renew the places in the colour map, whose ends stand for `low` and `high`.
void gti_paint_place(GtiPaint* paint, const GtCharacterDef* def, float low, float high);

GtPaintValues gti_paint_values(const GtiPaint* paint, const GtCharacterDef* def);

#endif
