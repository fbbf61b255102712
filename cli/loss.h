// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a format has no room for, said before anyone misses it.

#ifndef GERTIE_CLI_LOSS_H
#define GERTIE_CLI_LOSS_H

#include "scenes.h"

enum {
    LOSS_MESHES,
    LOSS_MORPHS,
    LOSS_SKINS,
    LOSS_MATERIALS,
    LOSS_CAMERAS,
    LOSS_CLIPS,
    LOSS_COUNT
};

typedef struct Loss {
    const char* one;
    const char* many;
    int32_t count;
} Loss;

// Count what writing `scene` to `output` leaves out. Clips of a BVH, and scales, are the library's to say.
void loss_count(const GtScene* scene, const Output* output, Loss losses[LOSS_COUNT]);

// Warn of it in one sentence; nothing where nothing is lost.
void loss_warn(Session* session, const Output* output, const Loss losses[LOSS_COUNT]);

#endif
