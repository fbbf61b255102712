// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What of a clip some curves depend on, so that the rest of it costs nothing.

#ifndef GERTIE_RENDER_PLOT_NEEDS_H
#define GERTIE_RENDER_PLOT_NEEDS_H

#include "gertie/build.h"
#include "render/plot/address.h"

typedef struct GtiCurveNeeds {
    const GtScene* scene;
    int32_t animation;
    const GtiCurveSource* sources; // [source_count]
    int32_t source_count;
    bool* in_chain; // [node_count] on the way from a derived source to its root
} GtiCurveNeeds;

// Arrays go to `arena`; the sources stay the caller's.
GtResult gti_curve_needs_create(GtArena* arena, const GtScene* scene, int32_t animation, const GtiCurveSource* sources,
                                int32_t source_count, GtiCurveNeeds* out, GtError* error);

// Whether an animation's channel is the source's own curve; never for what is derived from many.
bool gti_curve_is_driven(const GtiCurveSource* source, const GtAnimationChannel* channel);

// Whether any of the sources depends on a channel.
bool gti_curve_needs_channel(const GtiCurveNeeds* needs, const GtAnimationChannel* channel);

// Build a clip of the channels that are needed. `arena` is scratch.
// @param channel_count  receives how many they are
GtResult gti_curve_needs_build(const GtContext* context, GtArena* arena, const GtiCurveNeeds* needs,
                               const GtCharacter* character, GtClip** out, int32_t* channel_count, GtError* error);

#endif
