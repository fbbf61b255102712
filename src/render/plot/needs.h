// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What of a clip some curves depend on, so that the rest of it costs nothing.

#ifndef GERTIE_RENDER_PLOT_NEEDS_H
#define GERTIE_RENDER_PLOT_NEEDS_H

#include "gertie/build.h"
#include "render/plot/address.h"

typedef struct GtiPlotNeeds {
    const GtScene* scene;
    int32_t animation;
    const GtiPlotSource* sources; // [source_count]
    int32_t source_count;
    bool* in_chain; // [node_count] on the way from a derived source to its root
} GtiPlotNeeds;

// Arrays go to `arena`; the sources stay the caller's.
GtResult gti_plot_needs_create(GtArena* arena, const GtScene* scene, int32_t animation, const GtiPlotSource* sources,
                               int32_t source_count, GtiPlotNeeds* out, GtError* error);

// Whether an animation's channel is the source's own curve; never for what is derived from many.
bool gti_plot_source_is_driven(const GtiPlotSource* source, const GtAnimationChannel* channel);

// Whether any of the sources depends on a channel.
bool gti_plot_needs_channel(const GtiPlotNeeds* needs, const GtAnimationChannel* channel);

// Build a clip of the channels that are needed. `arena` is scratch.
// @param channel_count  receives how many they are
GtResult gti_plot_needs_build(const GtContext* context, GtArena* arena, const GtiPlotNeeds* needs,
                              const GtCharacter* character, GtClip** out, int32_t* channel_count, GtError* error);

#endif
