// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What an address of a curve means in a scene.

#ifndef GERTIE_RENDER_PLOT_ADDRESS_H
#define GERTIE_RENDER_PLOT_ADDRESS_H

#include "gertie/channel.h"
#include "gertie/plot.h"

typedef enum GtiCurveKind {
    GTI_CURVE_CHANNEL,  // what `channel` says
    GTI_CURVE_POSITION, // of node channel.target; so for all that follow
    GTI_CURVE_VELOCITY,
    GTI_CURVE_SPEED,
    GTI_CURVE_ANGLE,
} GtiCurveKind;

typedef struct GtiCurveSource {
    GtiCurveKind kind;
    GtChannel channel;
    const char* property; // for people: "position"
    GtQuantity quantity;
    int32_t first_component;
    int32_t component_count; // 1 to 4: as many curves
} GtiCurveSource;

// An error has the address as its place.
GtResult gti_curve_resolve(const GtScene* scene, const char* address, GtiCurveSource* out, GtError* error);

// Whether the source depends on the whole chain of nodes up to its root.
static inline bool gti_curve_needs_chain(const GtiCurveSource* source)
{
    return source->kind == GTI_CURVE_POSITION || source->kind == GTI_CURVE_VELOCITY || source->kind == GTI_CURVE_SPEED;
}

#endif
