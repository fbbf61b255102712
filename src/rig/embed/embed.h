// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Proposals of a skeleton for a body.

#ifndef GERTIE_RIG_EMBED_EMBED_H
#define GERTIE_RIG_EMBED_EMBED_H

#include "geometry/solid.h"
#include "rig/body/body.h"
#include "rig/skeleton.h"

// How well the skins of person and body cover each other.
typedef struct GtiPersonGoodness {
    float fit;        // 1 all over, below a half badly
    float least_part; // share of the person's skin that lies on the body's, of the limb or trunk that has the least
} GtiPersonGoodness;

// The joints of the built-in person, fitted to the body in pose and build: those of the humanoid vocabulary without
// eyes and jaw, and with the fingers that the body has. Needs no bent elbow and no gap between arms and trunk. Anything
// is fitted to; what the result is worth, `goodness` tells.
// @param solid  of the body's skin
// @param arena  that the joints are put into
GtResult gti_embed_person(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid, GtArena* arena,
                          GtiRigSkeleton* out, GtiPersonGoodness* goodness, GtError* error);

// Through the middle of the limbs, for any tree of joints (docs/methods/medial-embedding.md).
// given: positions and tips at rest, upright and facing +Z, of any size; those of fixed joints are in the body
// out:   the arena's; a copy of the given joints, in the body. Fixed ones are where they were
// cost:  about 0.05 where the skeleton fits well, 0.2 and more where it does not; INFINITY on failure
GtResult gti_embed_medial(const GtContext* context, const GtiRigBody* body, const GtiSolid* solid,
                          const GtiRigSkeleton* given, GtArena* arena, GtiRigSkeleton* out, float* cost,
                          GtError* error);

#endif
