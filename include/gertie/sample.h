// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// The built-in figure of capsules, made by formulas, so that nothing else is needed to start.

#ifndef GERTIE_SAMPLE_H
#define GERTIE_SAMPLE_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// A figure of capsules with VRM 1.0 joints. Start from gt_default_sample_figure_def().
typedef struct GtSampleFigureDef {
    double height_m;  ///< 0.2 to 10
    int32_t segments; ///< around a limb, 4 to 256
} GtSampleFigureDef;

GT_API GtSampleFigureDef gt_default_sample_figure_def(void);

/// Make the figure: joints, a smooth-skinned mesh, colours, a humanoid map, in the VRM T-pose.
GT_API GtResult gt_sample_figure(const GtContext* context, const GtSampleFigureDef* def, GtScene** out, GtError* error);

GT_EXTERN_C_END

#endif
