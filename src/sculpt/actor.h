// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A scene with what it keeps of a deformation, for whoever shows or measures scenes. What is wrong with that is warned
// of once and left out, as of every extension: the skin is there without it.

#ifndef GERTIE_SCULPT_ACTOR_H
#define GERTIE_SCULPT_ACTOR_H

#include "gertie/sculpt.h"

typedef struct GtiSculptActor {
    GtSculpt* sculpt;       // or NULL
    GtSculptPlayer* player; // or NULL
} GtiSculptActor;

// gt_character_build(), or gt_sculpt_character() where the scene keeps a deformation.
GtResult gti_sculpt_actor_build(const GtContext* context, const GtScene* scene, const GtBuildDef* def,
                                GtiSculptActor* out, GtCharacter** character, GtError* error);

// Make the player where there is something to play. All must outlive the actor.
// start_s: of the motion in the clip; of no meaning without one
GtResult gti_sculpt_actor_play(const GtContext* context, const GtScene* scene, const GtCharacter* character,
                               const GtClip* clip, int32_t animation, double start_s, GtiSculptActor* actor,
                               GtError* error);

void gti_sculpt_actor_close(GtiSculptActor* actor);

#endif
