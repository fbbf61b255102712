// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Lines of no more points than a picture can show.

#ifndef GERTIE_RENDER_PLOT_LINE_H
#define GERTIE_RENDER_PLOT_LINE_H

#include "gertie/memory.h"

// In pixels.
typedef struct GtiPoint {
    double x, y;
} GtiPoint;

// Drop points of a line that runs from left to right, in place, so that none of them was farther than 0.45 from what is
// left. The ends stay.
// @return how many are left, or -1 when memory ran out
int32_t gti_line_simplify(GtArena* scratch, GtiPoint* points, int32_t count);

#endif
