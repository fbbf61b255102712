// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// When curves are sampled.

#ifndef GERTIE_RENDER_PLOT_TIMES_H
#define GERTIE_RENDER_PLOT_TIMES_H

#include "build/decode.h"
#include "render/plot/needs.h"

typedef struct GtiPlotTimes {
    double* times_s; // [count] strictly increasing
    int32_t count;   // 1 or more
    double from_s, to_s;
    double clip_start_s;
    double start_s, end_s; // of the motion; what it did not do before and after is no part of a velocity
    double frame_s;        // half the time over which velocities are taken
} GtiPlotTimes;

// Choose times, in `arena`; the decoder's own arena is scratch.
GtResult gti_plot_times(GtiDecoder* decoder, GtArena* arena, const GtiPlotNeeds* needs, const GtPlotSeriesDef* def,
                        GtiPlotTimes* out);

// The keys of a source itself within the range of `times`, in `arena`; none for what is derived from many curves.
GtResult gti_plot_source_keys(GtiDecoder* decoder, GtArena* arena, int32_t animation, const GtiPlotSource* source,
                              const GtiPlotTimes* times, const double** keys_s, int32_t* key_count);

#endif
