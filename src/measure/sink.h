// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// How deep the skin of each part of a humanoid's body is below the ground.

#ifndef GERTIE_MEASURE_SINK_H
#define GERTIE_MEASURE_SINK_H

#include "collide/collider.h"
#include "measure/skin.h"

typedef struct GtiSinks {
    const GtiMeasuredSkin* skin;
    const GtGround* ground; // or NULL for the floor
    float floor_m;          // NAN where there is none
    GtSinkMeasure* parts;   // [GTI_COLLIDER_PART_COUNT], in the measure's arena
    bool has_skin[GTI_COLLIDER_PART_COUNT];
} GtiSinks;

// Depths of all parts in one frame, 0 for those that are not below the ground.
typedef struct GtiSinkFrame {
    float depths_m[GTI_COLLIDER_PART_COUNT];
} GtiSinkFrame;

// measure: with its floor; what is found lives in its arena
GtResult gti_sinks_open(const GtiMeasuredSkin* skin, const GtGround* ground, GtMeasure* measure, GtiSinks* out,
                        GtError* error);
void gti_sinks_measure(const GtiSinks* sinks, const GtVec3* positions, GtiSinkFrame* out);
void gti_sinks_add(GtiSinks* sinks, const GtiSinkFrame* frame, double time_s);
void gti_sinks_end(GtiSinks* sinks, int32_t frame_count, GtMeasure* measure);

#endif
