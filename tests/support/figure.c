// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/figure.h"

#include "support/test.h"

GtFigure test_figure(const GtContext* context, const GtScene* scene, int32_t animation)
{
    GtError error;
    GtFigure figure;
    GtFigureDef def = gt_default_figure_def();
    def.animation = animation;
    GT_EXPECT_OK(gt_figure_open(context, scene, &def, &figure, &error));
    return figure;
}
