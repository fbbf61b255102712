// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bytes of a packed character while they are opened.

#ifndef GERTIE_RUNTIME_PACK_READ_H
#define GERTIE_RUNTIME_PACK_READ_H

#include "gertie/drivers.h"

#include "runtime/pack/format.h"

// Tables in the bytes, and how far they have been read.
typedef struct GtiPackReader {
    const GtiPackHead* head;
    const GtiPackArray* arrays;
    const GtiPackSkin* skins;
    const GtiPackMesh* meshes;
    const GtiPackMorph* morphs;
    const GtiPackSection* sections;
    const GtiPackPose* poses;
    const GtiPackBind* binds;
    const GtiPackClip* clips;
    const GtiPackedTrack* tracks;
    const GtiPackMaterial* materials;
    const GtiPackImage* images;
    const GtiPackValue* values;
    const GtiPackSensor* sensors;
    const GtiPackDriver* drivers;
    const GtiPackJiggle* jiggles;
    const GtiPackHarmonic* harmonics;
    const char* text;
    uint32_t text_at;    // where the next one must be
    int32_t morph_count; // read so far, as are the deformers
    int32_t deformer_count;
    int32_t bind_count;
    int32_t last_bind_array;
    int32_t track_count;         // likewise
    GtMorphDef* morph_defs;      // [head->morph_count]
    GtSectionBindDef* bind_defs; // [head->bind_count]
    const GtDeformerData* deformers;
    bool wrong;
    GtArena arena;
} GtiPackReader;

GtResult gti_pack_check_head(const GtiPackHead* head, size_t size, GtError* error);

// One array after the other from `end`, where the tables end, up to the end, and texts that are terminated.
GtResult gti_pack_check_tables(const GtiPackReader* r, uint64_t end, GtError* error);

// The array of that number, kind and size; NULL for GT_NONE, and where there is none, which r->wrong says then.
const void* gti_pack_array(GtiPackReader* r, int32_t index, GtiPackKind kind, int32_t width, int32_t count);

// The next text, which must be at that place; likewise.
const char* gti_pack_text(GtiPackReader* r, uint32_t offset);

// Say that a record does not fit.
GtResult gti_pack_misfit(GtError* error, const char* what, int32_t index);

// The harmonic skin; nothing where there is none. Nodes and meshes have been read.
GtResult gti_pack_read_harmonic(GtiPackReader* r, GtCharacterDef* def, GtError* error);

// What drives the character; NULL, with GT_OK, where that is nothing.
GtResult gti_pack_read_drivers(GtiPackReader* r, GtAllocator allocator, const GtCharacter* character, GtDrivers** out,
                               GtError* error);

#endif
