// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures for tests of what takes them.

#ifndef GERTIE_TESTS_SUPPORT_FIGURE_H
#define GERTIE_TESTS_SUPPORT_FIGURE_H

#include "gertie/figure.h"

// Open a figure of a scene that plays one of its clips, or GT_NONE; close it with gt_figure_close().
GtFigure test_figure(const GtContext* context, const GtScene* scene, int32_t animation);

#endif
