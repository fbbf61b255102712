// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A skeleton and weights become part of the scene that the mesh came from.

#ifndef GERTIE_RIG_ATTACH_H
#define GERTIE_RIG_ATTACH_H

#include "rig/body/body.h"
#include "rig/skeleton.h"
#include "rig/weigh/weights.h"

typedef struct GtiRigAttachment {
    const GtiRigBody* body;
    const GtiRigSkeleton* skeleton;
    const GtiWeights* weights;
    const char* const* names;  // [joints of the skeleton]
    const GtQuat* rotations;   // likewise: how they are turned in the rigged scene, or NULL for not at all
    GtMat34 rigged_from_scene; // turns the figure upright
    GtMat34 rigged_from_body;  // likewise
} GtiRigAttachment;

// Give `scene`, a copy that holds nothing but what the mesh came with, the joints, a skin, and a mesh that follows it
// at every node that the body has parts of. Primitives without a part go; so do meshes without any. Vertices are moved
// only where they are not upright already.
GtResult gti_rig_attach(const GtContext* context, GtScene* scene, const GtiRigAttachment* attachment, GtError* error);

#endif
