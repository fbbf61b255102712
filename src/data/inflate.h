// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Decompression of zlib streams (RFC 1950) into a buffer whose size the file states.

#ifndef GERTIE_DATA_INFLATE_H
#define GERTIE_DATA_INFLATE_H

#include "gertie/api.h"

// Decompress a zlib stream that holds exactly `out_size` bytes. Allocates nothing. Bytes after the checksum are
// ignored.
// @param out  [out_size]; may be NULL when that is 0. On failure its contents are undefined.
// @return NULL on success, or what is wrong with the stream, as a phrase for an error message
const char* gti_inflate_zlib(const uint8_t* data, size_t size, uint8_t* out, size_t out_size);

// The most bytes that a zlib stream of `size` bytes can hold: a file that claims more is not worth the memory.
uint64_t gti_inflate_most(size_t size);

// Adler-32 (RFC 1950, section 8.2), going on from the checksum of what came before; start from 1.
uint32_t gti_adler32(uint32_t adler, const uint8_t* bytes, size_t size);

#endif
