// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// <controller>: skins and morphs, and chains of them.

#ifndef GERTIE_IMPORT_COLLADA_CONTROLLER_H
#define GERTIE_IMPORT_COLLADA_CONTROLLER_H

#include "gertie/mat34.h"
#include "import/collada/geometry.h"
#include "import/collada/nodes.h"

enum {
    GTI_DAE_MAX_INFLUENCES = 16 // of a vertex; the largest are kept
};

// What a geometry goes through; GT_NONE where it does not.
typedef struct GtiDaeController {
    int32_t skin;     // <skin>
    int32_t morph;    // <morph>
    int32_t geometry; // <geometry>
} GtiDaeController;

// One joint's pull on a vertex.
typedef struct GtiDaeInfluence {
    int32_t joint;
    float weight;
} GtiDaeInfluence;

typedef struct GtiDaeSkin {
    int32_t element;
    GtMat34 bind_shape;
    const GtiWord* joints; // [joint_count] sids or ids
    int32_t joint_count;
    bool by_id;
    const float* inverse_bind; // [16 * joint_count] row by row
    const GtiDaeInfluence* influences;
    const size_t* firsts; // [position_count + 1] first influence of each position; at most GTI_DAE_MAX_INFLUENCES each
    size_t position_count;
    int32_t most_influences;
} GtiDaeSkin;

typedef struct GtiDaeMorph {
    int32_t element;
    bool relative;           // targets are displacements, not shapes
    GtiDaeGeometry* targets; // [target_count]
    const char** names;      // [target_count] in the scene
    float* weights;          // [target_count]
    int32_t target_count;
} GtiDaeMorph;

// Follow an instance's controller, or a <geometry>, down to the geometry.
GtResult gti_dae_open_controller(GtiDae* d, int32_t element, GtiDaeController* out);

GtResult gti_dae_read_skin(GtiDae* d, int32_t skin, size_t position_count, GtiDaeSkin* out);
GtResult gti_dae_read_morph(GtiDae* d, int32_t morph, GtiDaeMorph* out);

// Find the nodes of a skin's joints: by sid below the instance's skeletons, then anywhere; by id.
// @param out  [joint_count] nodes, or GT_NONE
void gti_dae_find_joints(const GtiDaeNodes* nodes, const GtiDaeSkin* skin, int32_t instance, int32_t* out);

#endif
