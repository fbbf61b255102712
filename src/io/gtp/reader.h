// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the parts of the reader of packs share.

#ifndef GERTIE_IO_GTP_READER_H
#define GERTIE_IO_GTP_READER_H

#include "gertie/accessor.h"
#include "io/gtp/gtp.h"

typedef struct GtiGtpReading {
    const GtContext* context;
    GtScene* scene;
    const GtPack* pack;
    const GtCharacterDef* def;
    const GtiPackedPlace* places; // [mesh_count] of the character's meshes
    int32_t* weight_nodes;        // [weight_count] node of the scene whose mesh has the weight
    uint64_t budget;              // bytes that the scene may still take: arrays of a hostile file are shared
    GtArena arena;                // for scratch
    GtError* error;
} GtiGtpReading;

// A copy of a text or NULL; false when memory ran out.
bool gti_gtp_text(GtiGtpReading* r, const char* text, const char** out);

// gt_scene_add_data() within the budget.
GtResult gti_gtp_data(GtiGtpReading* r, GtAccessorUse use, GtElementType element, const void* data, uint64_t count,
                      int32_t* accessor);

// A copy of bytes as a buffer with one view, within the budget.
GtResult gti_gtp_view(GtiGtpReading* r, const void* data, uint64_t size, int32_t* view);

// All clips as animations.
GtResult gti_gtp_read_clips(GtiGtpReading* r);

// Materials, with their textures and images.
GtResult gti_gtp_read_looks(GtiGtpReading* r);

#endif
