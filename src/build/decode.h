// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Reading a scene's accessors while something is built from it: each array once, and never more than a file of that
// size can honestly hold. Accessors may overlap and be shared, so a small hostile file could otherwise ask for any
// amount of memory.

#ifndef GERTIE_BUILD_DECODE_H
#define GERTIE_BUILD_DECODE_H

#include "gertie/accessor.h"
#include "gertie/context.h"

typedef struct GtiDecoder {
    const GtContext* context;
    const GtScene* scene;
    GtError* error;
    GtArena arena;        // what is decoded, until the build is done
    const float** floats; // [accessor_count] arrays decoded so far
    uint64_t budget;      // bytes still allowed
} GtiDecoder;

// Start decoding. Free with gti_decoder_destroy(), also on failure.
GtResult gti_decoder_create(const GtContext* context, const GtScene* scene, GtiDecoder* out, GtError* error);
void gti_decoder_destroy(GtiDecoder* decoder);

// Count `bytes` that the result will hold, or a sixteenth of those that are only looked at. GT_ERROR_LIMIT, naming
// `where`, when there are too many.
GtResult gti_decoder_charge(GtiDecoder* decoder, uint64_t bytes, const char* where);

// A zeroed array in the decoder's arena, charged; never NULL on success.
GtResult gti_decoder_push(GtiDecoder* decoder, uint64_t count, size_t size, const char* where, void** out);

// All elements of an accessor as floats, charged. The same accessor gives the same pointer.
GtResult gti_decode_floats(GtiDecoder* decoder, int32_t accessor, const char* where, const float** out);

#endif
