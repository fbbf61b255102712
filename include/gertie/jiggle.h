// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: flesh on springs.
///
/// Flesh that lags behind its bone: every control point of a section hangs on a damped spring at the place where joint,
/// poses and keys have it, and what it is off goes into the section's values. With e how far a point is off,
///   e'' = -w^2 e - 2 d w e' - a + g,  w = 2 pi frequency, d = damping, a = acceleration of its place, g = gravity
/// so that moving evenly leaves no trace, starting and stopping do, and a belly goes on for a while when its owner has
/// sat down. Between two frames places move in straight lines, for which the solution is known in closed form: no step
/// is too long, nothing can blow up, and a frame rate changes no more than how well it follows the motion.
///
/// Nothing here allocates.

#ifndef GERTIE_JIGGLE_H
#define GERTIE_JIGGLE_H

#include "gertie/character.h"

GT_EXTERN_C_BEGIN

/// What jiggles, and how. Start from gt_default_jiggle_def().
typedef struct GtJiggleDef {
    int32_t section;
    float frequency_hz; ///< above 0: 2 to 4 for a belly, 5 to 8 for muscles
    float damping;      ///< as a share of critical damping, 0 or more: 0 goes on for ever, 1 does not swing
    float strength;     ///< times what is off
    float limit_m;      ///< above 0: points come ever nearer to being so far off, and never reach it
    GtVec3 gravity;     ///< m/s^2 in model space; 0 for what was modelled as it hangs
    const float* holds; ///< [control points] 0 to 1: 1 stays with the bone; NULL for 0. Not copied
} GtJiggleDef;

/// Section 0, 3 Hz, a damping of 0.2, whole strength, a limit of 0.1 m, no gravity.
GT_API GtJiggleDef gt_default_jiggle_def(void);

/// GT_ERROR_BAD_VALUE for a number out of its range, GT_ERROR_NOT_FOUND for a section that is not there. What follows
/// takes a def that passes this.
GT_API GtResult gt_jiggle_check(const GtJiggleDef* def, const GtCharacter* character, GtError* error);

/// Bytes of state; put them anywhere, aligned to 16, and gt_jiggle_reset() them.
GT_API size_t gt_jiggle_state_size(const GtJiggleDef* def, const GtCharacter* character);

/// Come to rest, wherever the next step finds the points: at the start, and after every cut.
GT_API void gt_jiggle_reset(const GtJiggleDef* def, const GtCharacter* character, void* state);

/// Go on to the next frame, and add what points are off to the values of the section. Set the values of the frame
/// first, by gt_instance_reset(), tracks or hand: what was added in the frame before is not taken off.
/// @param model_from_node  [node_count] of this frame
/// @param step_s           since the frame before; 0 or less, or not finite: no time passes
/// @param section_values   [gt_section_value_count()]
GT_API void gt_jiggle_step(const GtJiggleDef* def, const GtCharacter* character, const GtMat34* model_from_node,
                           double step_s, void* state, float* section_values);

GT_EXTERN_C_END

#endif
