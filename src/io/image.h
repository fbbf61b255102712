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

// The ending of a file with those bytes, without a dot: also "tga" and "bmp"; NULL where the kind is not known.
const char* gti_image_ending(const uint8_t* bytes, size_t size);

// Whether a file name is that of a TGA or BMP, which glTF does not know.
bool gti_image_is_bitmap(const char* name);

// Turn the bytes of such a picture into PNG.
GtResult gti_image_to_png(const GtContext* context, const uint8_t* bytes, size_t size, GtBlob** out, GtError* error);

#endif
