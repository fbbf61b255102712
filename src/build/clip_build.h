// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips that play keys where the scene has them: a long motion is in memory once.

#ifndef GERTIE_BUILD_CLIP_BUILD_H
#define GERTIE_BUILD_CLIP_BUILD_H

#include "gertie/character.h"
#include "gertie/clip.h"
#include "gertie/context.h"
#include "gertie/scene.h"

typedef struct GtiClipSource {
    const GtScene* scene;
    int32_t animation;
    const GtCharacter* character; // built from the scene
} GtiClipSource;

// gt_clip_build(), but keys that are floats in a buffer of the scene stay there: the blobs must outlive the clip.
GtResult gti_clip_build_in_place(const GtContext* context, const GtiClipSource* source, GtClip** out, GtError* error);

#endif
