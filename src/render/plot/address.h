// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What an address of a curve means in a scene.

#ifndef GERTIE_RENDER_PLOT_ADDRESS_H
#define GERTIE_RENDER_PLOT_ADDRESS_H

#include "gertie/channel.h"
#include "gertie/plot.h"

typedef enum GtiPlotSourceKind {
    GTI_PLOT_SOURCE_CHANNEL,  // what `channel` says
    GTI_PLOT_SOURCE_POSITION, // of node channel.target; so for all that follow
    GTI_PLOT_SOURCE_VELOCITY,
    GTI_PLOT_SOURCE_SPEED,
    GTI_PLOT_SOURCE_ANGLE,
} GtiPlotSourceKind;

typedef struct GtiPlotSource {
    GtiPlotSourceKind kind;
    GtChannel channel;
    const char* property; // for people: "position"
    GtQuantity quantity;
    int32_t first_component;
    int32_t component_count; // 1 to 4: as many curves
} GtiPlotSource;

// An error has the address as its place.
GtResult gti_plot_source_resolve(const GtContext* context, const GtScene* scene, const char* address,
                                 GtiPlotSource* out, GtError* error);

// Whether the source depends on the whole chain of nodes up to its root.
static inline bool gti_plot_source_needs_chain(const GtiPlotSource* source)
{
    return source->kind == GTI_PLOT_SOURCE_POSITION || source->kind == GTI_PLOT_SOURCE_VELOCITY ||
           source->kind == GTI_PLOT_SOURCE_SPEED;
}

#endif
