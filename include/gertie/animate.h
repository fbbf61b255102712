// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// The main job: a character takes a motion.

#ifndef GERTIE_ANIMATE_H
#define GERTIE_ANIMATE_H

#include "gertie/retarget.h"

GT_EXTERN_C_BEGIN

/// How a motion is put onto a character. Start from gt_default_animate_def().
typedef struct GtAnimateDef {
    GtRetargetDef retarget;             ///< which animation, and how it is carried over
    const GtHumanoidMap* character_map; ///< known joints of the character, or NULL; the others are found
    const GtHumanoidMap* motion_map;    ///< likewise of the motion
    bool keep_animations;               ///< keep the clips the character has already
} GtAnimateDef;

GT_API GtAnimateDef gt_default_animate_def(void);

/// Find the humanoid in both scenes, carry the motion over, and give a copy of the character that has it as its last
/// clip, with the map and the retarget pose that were used. Two figures that are no humanoids must share joint names.
/// The character's rest transforms, mesh and materials stay as they are, to the bit.
/// @param out     receives the new scene, or NULL on failure; free with gt_scene_destroy()
/// @param report  may be NULL
/// @return GT_ERROR_NOT_FOUND when there is no such animation, or no moving joint has a partner
GT_API GtResult gt_animate(const GtContext* context, const GtScene* character, const GtScene* motion,
                           const GtAnimateDef* def, GtScene** out, GtRetargetReport* report, GtError* error);

GT_EXTERN_C_END

#endif
