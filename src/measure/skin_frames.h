// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The skin over the frames of a clip, on all threads.

#ifndef GERTIE_MEASURE_SKIN_FRAMES_H
#define GERTIE_MEASURE_SKIN_FRAMES_H

#include "measure/skin.h"

// Fill in the zones, the self-penetration and what is below the ground of `measure`, whose times, frame count and floor
// are there already.
// @param ground       or NULL for the floor
// @param frame_count  how many frames to look at, spread evenly over those of the clip
GtResult gti_measure_skin(const GtContext* context, GtArena* scratch, GtFigure* figure, const GtGround* ground,
                          int32_t frame_count, GtMeasure* measure, GtError* error);

#endif
