// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames at the ends of a clip that are no part of its motion.

#ifndef GERTIE_FIGURE_SPAN_H
#define GERTIE_FIGURE_SPAN_H

#include "gertie/figure.h"

// Find them, given the figure's clip and joints: fills its lead, tail and starts_in_tpose, and, unless they are kept,
// start_s and end_s. Uses the figure's instance.
void gti_figure_find_span(GtFigure* figure);

#endif
