// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Springs on the control points of a section, one set of them at a time. Nothing here allocates.

#ifndef GERTIE_RUNTIME_DRIVE_JIGGLE_H
#define GERTIE_RUNTIME_DRIVE_JIGGLE_H

#include "gertie/jiggle.h"

// GT_ERROR_BAD_VALUE for a number out of its range, GT_ERROR_NOT_FOUND for a section that is not there. What follows
// takes a def that passes this.
GtResult gti_jiggle_check(const GtJiggleDef* def, const GtCharacter* character, GtError* error);

// Bytes of state, which is aligned to 16 and begins with gti_jiggle_reset().
size_t gti_jiggle_state_size(const GtJiggleDef* def, const GtCharacter* character);

// Come to rest, wherever the next step finds the points: at the start, and after every cut.
void gti_jiggle_reset(const GtJiggleDef* def, const GtCharacter* character, void* state);

// Go on to the next frame, and add what points are off to the values of the section. Set the values of the frame first:
// what was added in the frame before is not taken off.
// @param world_from_space  where the lattice's space is in the world, or in the model for what does not feel the world
// @param step_s            since the frame before; 0 or less, or not finite: no time passes
// @param section_values    [gt_section_value_count()]
void gti_jiggle_step(const GtJiggleDef* def, const GtCharacter* character, const GtMat34* world_from_space,
                     double step_s, void* state, float* section_values);

#endif
