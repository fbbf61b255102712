// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where an image's encoded bytes lie when they are outside the scene, and what kind of image they are.

#ifndef GERTIE_IO_IMAGE_H
#define GERTIE_IO_IMAGE_H

#include "gertie/image.h"

// The file of an image, in `arena`: NULL where it has none, is not there, or memory ran out (then *failed is set).
const char* gti_image_file(GtArena* arena, const char* directory, const char* uri, bool* failed);

// What kind of image encoded bytes are by their first bytes, such as "image/png"; NULL where it is none that glTF or an
// extension of it knows.
const char* gti_image_mime_type(const uint8_t* bytes, size_t size);

#endif
