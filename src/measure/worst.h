// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#ifndef GERTIE_MEASURE_WORST_H
#define GERTIE_MEASURE_WORST_H

#include "figure/figure.h"

#include "gertie/measure.h"

// List the moments of a measured clip that are most worth looking at.
void gti_find_worst(const GtFigure* subject, GtMeasure* measure);

#endif
