// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Keys of curves as JSON files write them, once their schemas have passed them: what all such files share.

#ifndef GERTIE_HARMONIC_KEYS_KEY_FILE_H
#define GERTIE_HARMONIC_KEYS_KEY_FILE_H

#include "gertie/curve.h"

#include "data/json.h"

// The law of that name; false where there is none. Without a name (NULL), Catmull-Rom.
bool gti_law_find(const GtiJson* name, GtCurveLaw* out);

// Its name in files.
const char* gti_law_name(GtCurveLaw law);

// "tension", "continuity" and "bias" of a key, each 0 where it is left out; all are where the law has none.
GtResult gti_key_shape_read(const GtiJson* root, const GtiJson* key, bool has_shapes, GtKeyShape* out, GtError* error);

// "ease" of a key: two shares of the time to the next.
GtResult gti_key_ease_read(const GtiJson* root, const GtiJson* key, GtEase* out, GtError* error);

#endif
