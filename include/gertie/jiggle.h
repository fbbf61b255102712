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
/// A GtJiggleDef is a part of a set of drivers, which step it each frame: gertie/drivers.h.
///
/// **Threads.** One thread at a time works with what a call changes; characters, clips and all else that is const may
/// be shared.

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

GT_EXTERN_C_END

#endif
