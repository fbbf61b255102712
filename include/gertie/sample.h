// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// The built-in sample: a jointed figure and a walk, made by formulas, so that nothing else is needed to start.

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

/// A walk in place. Start from gt_default_sample_walk_def().
typedef struct GtSampleWalkDef {
    double height_m;      ///< of the walker, 0.2 to 10
    double cycle_s;       ///< two steps, 0.2 to 20
    int32_t cycle_count;  ///< 1 to 1000
    double frame_rate_hz; ///< 1 to 1000
} GtSampleWalkDef;

GT_API GtSampleWalkDef gt_default_sample_walk_def(void);

/// Make the walk: joints of the figure of the same height and one clip that loops.
GT_API GtResult gt_sample_walk(const GtContext* context, const GtSampleWalkDef* def, GtScene** out, GtError* error);

GT_EXTERN_C_END

#endif
