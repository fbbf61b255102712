// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character as sections see it: its surface in the bind pose, its bones, and how much of a vertex hangs on a limb.

#ifndef GERTIE_SECTIONS_BODY_H
#define GERTIE_SECTIONS_BODY_H

#include "gertie/sculpt.h"

#include "harmonic/markers/bone_tree.h"

typedef struct GtiSculptBody {
    GtFigure figure;
    const GtiShell* shell; // of the figure
    GtiBoneTree bones;
    int32_t* joints; // [node_count] the joint of a humanoid that each node hangs on, or is; or GT_NONE
} GtiSculptBody;

// Open a scene; on failure, too, gti_sculpt_body_close() is due. GT_ERROR_NOT_FOUND where there are no triangles.
GtResult gti_sculpt_body_open(const GtContext* context, GtArena* arena, const GtScene* scene, GtiSculptBody* out,
                              GtError* error);
void gti_sculpt_body_close(GtiSculptBody* body);

// Where limbs end: at the joints of a humanoid, so that twist and helper joints belong to what they hang on; of other
// figures at the joints that carry sections.
// map:      of the scene that the character was built from
// sculpt:   or NULL for none yet
// ends:     [node_count] of the character, receives marks
void gti_limb_ends(const GtCharacter* character, const GtHumanoidMap* map, const GtSculpt* sculpt, bool* ends);

// Mark a joint and all that hangs on it up to the ends of limbs, beside what is marked with other numbers.
// pass: another number for each call on the same array, above 0
// limb: [node_count] 0 for what is not of the limb
void gti_limb_mark(const GtCharacterDef* def, const bool* ends, int32_t node, uint8_t pass, uint8_t* limb);

// How much of a vertex hangs on a limb, 0 to 1. skin: of the mesh, or NULL
static inline float gti_limb_share(const GtMeshDef* mesh, const GtSkinDef* skin, const uint8_t* limb, int32_t vertex)
{
    if (!skin) {
        return limb[mesh->node] ? 1.0f : 0.0f;
    }
    float share = 0.0f;
    for (int32_t i = 0; i < mesh->influence_count; ++i) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)i;
        share += limb[skin->joints[mesh->joints[at]]] ? mesh->weights[at] : 0.0f;
    }
    return share;
}

#endif
