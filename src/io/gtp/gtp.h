// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Packed characters (gertie/pack.h) as scenes. A node of the scene is the node of the character with the same index.
// What a scene cannot say (sections, drivers, harmonic skins, packed clips) stays in the bytes that GtScene.pack points
// to, and is played from there.

#ifndef GERTIE_IO_GTP_GTP_H
#define GERTIE_IO_GTP_GTP_H

#include "gertie/build.h"
#include "gertie/pack.h"
#include "io/format.h"

bool gti_gtp_sniff(const uint8_t* bytes, size_t size);
GtResult gti_gtp_read(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error);

enum {
    GTI_GTP_LOSS_COUNT = 3
};

// What other formats have no place for; all counts are 0 for a scene that was not read from a pack.
void gti_gtp_losses(const GtContext* context, const GtScene* scene, GtSaveLoss out[GTI_GTP_LOSS_COUNT]);

// Where the meshes of a character are in the scene.
typedef struct GtiPackedPlace {
    int32_t mesh;
    int32_t primitive;
    bool is_first; // at its node; the meshes of one node become one mesh of the scene where they share skin and morphs,
                   // else each of the others gets a node of its own
} GtiPackedPlace;

// Find them.
// out: [mesh_count]
GtResult gti_packed_places(const GtContext* context, const GtCharacterDef* def, GtiPackedPlace* out, GtError* error);

// What plays a scene that was read from a pack: its own character, numbered as the scene is, and what drives it.
// drivers: receives them, or NULL where there are none
// The caller destroys both.
GtResult gti_packed_character(const GtContext* context, const GtScene* scene, const GtBuildDef* def,
                              GtCharacter** character, GtDrivers** drivers, GtError* error);

// The clip of the pack that an animation of the scene was read from; the caller destroys it. NULL, with GT_OK, for an
// animation that was added to the scene.
GtResult gti_packed_clip(const GtContext* context, const GtScene* scene, int32_t animation, GtClip** out,
                         GtError* error);

#endif
