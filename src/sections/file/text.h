// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Words and defaults that reading and writing a file share.

#ifndef GERTIE_SECTIONS_FILE_TEXT_H
#define GERTIE_SECTIONS_FILE_TEXT_H

#include "gertie/sculpt.h"

#include "data/json.h"

// What a curve is outside its keys, by its name, which must be one; and back.
GtExtrapolation gti_extrapolation_find(const GtiJson* name);
const char* gti_extrapolation_name(GtExtrapolation extrapolation);

// Members that say where a key is, and how far from it its Bezier handles are: over time, or over an input.
typedef struct GtiKeyNames {
    const char* at;
    const char* lengths[2]; // in, out
} GtiKeyNames;

GtiKeyNames gti_key_names(bool has_input);

// A spring as it is where a file says nothing of it: soft flesh.
GtSculptJiggle gti_default_jiggle(void);

#endif
