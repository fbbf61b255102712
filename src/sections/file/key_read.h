// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys of a track in NAME.deform.json.

#ifndef GERTIE_SECTIONS_FILE_KEY_READ_H
#define GERTIE_SECTIONS_FILE_KEY_READ_H

#include "gertie/curve.h"

#include "data/json.h"

// Read the keys of a track, and what they have in common: law, tension, seam, what is outside.
// arena:   takes all arrays
// track:   as the schema allows it, with "keys"
// channel: that it drives, which says whether values are rotations
GtResult gti_sculpt_keys_read(GtArena* arena, const GtiJson* root, const GtiJson* track, const char* channel,
                              GtCurveDef* out, GtError* error);

#endif
