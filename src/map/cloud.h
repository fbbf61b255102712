// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Vertices of a scene that follow some of a figure's nodes: those in which marked joints hold at least half the weight
// of set 0, where glTF wants the largest weights, and those of meshes that hang on a marked node without a skin.

#ifndef GERTIE_MAP_CLOUD_H
#define GERTIE_MAP_CLOUD_H

#include "gertie/character.h"
#include "gertie/scene.h"

enum {
    GTI_CLOUD_KNOWN_JOINTS = 256
};

typedef struct GtiCloud {
    const GtScene* scene;
    const GtCharacter* character;
    const GtMat34* model_from_node; // [nodes]
    const bool* marks;              // [nodes]
    GtVec3 origin;                  // in the model, of what is shown
    GtQuat shown_from_model;
    int8_t known[GTI_CLOUD_KNOWN_JOINTS]; // scratch: 1 for joints of a skin that are marked, -1 for others, 0 unknown
} GtiCloud;

// Mark a node and all below it. marks: [nodes of the character]
void gti_cloud_mark_below(const GtCharacterDef* def, int32_t node, bool* marks);

// Show all such vertices whose places are finite, in the order of the scene, as often as primitives show them.
void gti_cloud_show(GtiCloud* cloud, void (*visit)(void* user, GtVec3 p), void* user);

#endif
