// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The captured motions of the library, packed (src/motions/captured/make.sh), and how one becomes a scene again.

#ifndef GERTIE_MOTIONS_CAPTURED_H
#define GERTIE_MOTIONS_CAPTURED_H

#include "gertie/context.h"
#include "gertie/scene.h"

// The bytes of src/motions/captured/captured.gtp, aligned to 16. The build writes them.
extern const unsigned char gti_captured_pack[];
extern const size_t gti_captured_pack_size;

// Frames a second that captures are packed at.
#define GTI_CAPTURED_RATE_HZ 60.0

// Add the skeleton of the pack and the clip of that name to an empty scene. The clip starts at the origin and goes
// ahead along +Z.
GtResult gti_captured_add(const GtContext* context, const char* name, GtScene* scene, GtError* error);

#endif
