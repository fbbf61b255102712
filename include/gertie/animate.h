// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// The main job: a character takes a motion.

#ifndef GERTIE_ANIMATE_H
#define GERTIE_ANIMATE_H

#include "gertie/scene.h"

GT_EXTERN_C_BEGIN

/// How a motion is carried over. Start from gt_default_animate_def().
typedef struct GtAnimateDef {
    int32_t animation;    ///< of the motion's scene
    double frame_rate_hz; ///< of the new keys; 0 for the motion's own key times
    bool keep_tpose;      ///< keep a leading T-pose that is not part of the motion
    bool keep_animations; ///< keep the clips the character has already
    const char* name;     ///< of the new clip, or NULL for the motion's own
} GtAnimateDef;

GT_API GtAnimateDef gt_default_animate_def(void);

/// What gt_animate() did.
typedef struct GtAnimateReport {
    int32_t matched_joint_count;   ///< joints of the motion that found a partner
    int32_t unmatched_joint_count; ///< moving joints of the motion that found none
    int32_t frame_count;
    double duration_s;
    double path_scale; ///< of the root's path: hip height of the character over that of the motion
} GtAnimateReport;

/// Make a copy of `character` with a new clip that moves it like `motion`. Joints are paired by humanoid map, then by
/// name (prefixes and case do not matter). Rotations are carried over as turns in model space away from each rest pose,
/// so joint axes may differ; rest poses must look alike.
/// @param report  may be NULL
/// @param out     receives the new scene, or NULL on failure; free with gt_scene_destroy()
GT_API GtResult gt_animate(const GtContext* context, const GtScene* character, const GtScene* motion,
                           const GtAnimateDef* def, GtScene** out, GtAnimateReport* report, GtError* error);

GT_EXTERN_C_END

#endif
