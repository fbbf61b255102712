// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Which way a body faces, whatever its joints are called: toes, the mesh of feet, eyes and jaw, and the bend of knees.

#ifndef GERTIE_MAP_FRONT_H
#define GERTIE_MAP_FRONT_H

#include "map/body.h"

// What tells. Vectors over the ground, in lengths of a leg; zero where there is no such clue.
typedef enum GtiFrontClue {
    GTI_FRONT_TOES, // joints below the feet
    GTI_FRONT_FACE, // joints of eyes and jaw
    GTI_FRONT_FEET, // what of the mesh follows the feet
    GTI_FRONT_KNEES,
    GTI_FRONT_CLUE_COUNT
} GtiFrontClue;

typedef struct GtiFront {
    GtVec3 clues[GTI_FRONT_CLUE_COUNT];
} GtiFront;

// Look at the joints alone.
GtiFront gti_front_of_joints(const GtiMapTree* tree, const GtiMapBody* body);

// Look at the mesh of the feet, too. Takes a look at every vertex.
GtResult gti_front_add_feet(const GtContext* context, const GtScene* scene, const GtiMapTree* tree,
                            const GtiMapBody* body, GtiFront* front, GtError* error);

// The direction of the best clue that is clear, unit; zero where there is none.
GtVec3 gti_front_direction(const GtiFront* front);

// How much the clues speak for a direction: 1 and more for sure, -1 and less against it, 0 where nothing tells.
float gti_front_support(const GtiFront* front, GtVec3 direction);

#endif
