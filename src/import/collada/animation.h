// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// <library_animations> and <library_animation_clips> as clips of translations, rotations, scales and morph weights.

#ifndef GERTIE_IMPORT_COLLADA_ANIMATION_H
#define GERTIE_IMPORT_COLLADA_ANIMATION_H

#include "import/collada/nodes.h"

// A node whose mesh has the targets of a <morph>.
typedef struct GtiDaeMorphNode {
    int32_t morph;
    int32_t scene_node;
    int32_t target_count;
    const float* weights; // [target_count] at rest
} GtiDaeMorphNode;

typedef struct GtiDaeMorphNodes {
    GtiDae* d;
    GtiDaeMorphNode* nodes;
    int32_t count;
    int32_t capacity;
} GtiDaeMorphNodes;

GtResult gti_dae_add_morph_node(GtiDaeMorphNodes* morphs, int32_t morph, int32_t scene_node, int32_t target_count,
                                const float* weights);

// Add all clips to the scene, whose nodes are there.
GtResult gti_dae_add_animations(GtiDaeNodes* nodes, const GtiDaeMorphNodes* morphs);

#endif
