// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the writers of plots share.

#ifndef GERTIE_RENDER_PLOT_PLOT_H
#define GERTIE_RENDER_PLOT_PLOT_H

#include "data/text.h"
#include "gertie/plot.h"

// See that a def can be drawn: sizes in range, curves that are finite and in order.
GtResult gti_plot_check(const GtPlotDef* def, GtError* error);

// A finished text as a blob of the context's.
GtResult gti_plot_finish(const GtContext* context, GtText* text, GtBlob** out, GtError* error);

#endif
