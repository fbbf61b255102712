// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Compression into zlib streams (RFC 1950), for arrays of numbers in files.

#ifndef GERTIE_DATA_DEFLATE_H
#define GERTIE_DATA_DEFLATE_H

#include "gertie/memory.h"

typedef struct GtiDeflater GtiDeflater;

// Memory for any number of compressions, one after the other; about 400 KB. NULL when memory ran out.
GtiDeflater* gti_deflater_create(GtAllocator allocator);
void gti_deflater_destroy(GtAllocator allocator, GtiDeflater* deflater);

// Compress `size` < 2 GB bytes. The same bytes give the same stream.
// @param out  [capacity]
// @return bytes of the stream, or 0 where it does not fit
size_t gti_deflate_zlib(GtiDeflater* deflater, const uint8_t* data, size_t size, uint8_t* out, size_t capacity);

#endif
