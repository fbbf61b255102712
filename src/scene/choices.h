// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Values that fields of several structs choose from, by name.

#ifndef GERTIE_SCENE_CHOICES_H
#define GERTIE_SCENE_CHOICES_H

#include "gertie/field.h"

extern const GtChoice gti_length_choices[];      // units of length, in metres
extern const GtChoice gti_up_axis_choices[];     // GtUpAxis
extern const GtChoice gti_skin_method_choices[]; // GtSkinMethod

#endif
