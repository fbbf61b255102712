// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Where an image's encoded bytes lie when they are outside the scene.

#ifndef GERTIE_IO_IMAGE_H
#define GERTIE_IO_IMAGE_H

#include "gertie/image.h"

// The file of an image, in `arena`: NULL where it has none, is not there, or memory ran out (then *failed is set).
const char* gti_image_file(GtArena* arena, const char* directory, const char* uri, bool* failed);

#endif
