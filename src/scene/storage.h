// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What rooms above may know of a scene's inside.

#ifndef GERTIE_SCENE_STORAGE_H
#define GERTIE_SCENE_STORAGE_H

#include "gertie/scene.h"

// The allocator a scene was made with.
GtAllocator gti_scene_allocator(const GtScene* scene);

#endif
