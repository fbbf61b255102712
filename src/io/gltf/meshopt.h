// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The codecs of EXT_meshopt_compression: vertices, triangles and indices from bytes, and the filters after them.

#ifndef GERTIE_IO_GLTF_MESHOPT_H
#define GERTIE_IO_GLTF_MESHOPT_H

#include "gertie/api.h"

// Decode `count` vertices of `size` bytes, a multiple of 4 up to 256. false where the data is none.
bool gti_meshopt_decode_vertices(const uint8_t* data, size_t data_size, uint64_t count, uint32_t size, uint8_t* out);

// Decode corners of triangles, and indices of anything else, of `size` bytes, 2 or 4.
// @param count  of corners, a multiple of 3
bool gti_meshopt_decode_triangles(const uint8_t* data, size_t data_size, uint64_t count, uint32_t size, uint8_t* out);
bool gti_meshopt_decode_indices(const uint8_t* data, size_t data_size, uint64_t count, uint32_t size, uint8_t* out);

// The most bytes that `data_size` bytes can decode to: a file that asks for more is not worth the memory.
uint64_t gti_meshopt_most(size_t data_size);

// Undo a filter in place: unit vectors in octahedra (size 4 or 8), quaternions without their largest component (8),
// floats as mantissa and exponent (a multiple of 4).
void gti_meshopt_unfilter_octahedral(uint8_t* data, uint64_t count, uint32_t size);
void gti_meshopt_unfilter_quaternion(uint8_t* data, uint64_t count);
void gti_meshopt_unfilter_exponential(uint8_t* data, uint64_t count, uint32_t size);

#endif
