// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// glTF documents for tests. Their JSON is written with single quotes, which read better inside C strings.

#ifndef GERTIE_TESTS_SUPPORT_GLB_H
#define GERTIE_TESTS_SUPPORT_GLB_H

#include <stddef.h>
#include <stdint.h>

// JSON with its single quotes made double; free() it.
char* test_json(const char* single_quoted);

// A GLB of that JSON and, where `binary` is not NULL, a BIN chunk; free() it.
uint8_t* test_glb(const char* single_quoted, const void* binary, size_t binary_size, size_t* size);

// A GLB that holds everything: every component type, normalised, interleaved and sparse accessors, two buffers, all
// primitive modes, named morph targets, 16 influences, all interpolations, cameras, full materials, pictures, extras,
// extensions and members that nobody knows. It passes the Khronos validator; free() it.
uint8_t* test_glb_of_everything(size_t* size);

#endif
