// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The rest pose and the hierarchy of a VRM animation, made from a scene's humanoid map. docs/formats/vrma.md says what
// is written.

#ifndef GERTIE_IO_GLTF_VRMA_H
#define GERTIE_IO_GLTF_VRMA_H

#include "gertie/scene.h"

// What the files that write VRM animations share.
typedef struct GtiVrma {
    const GtContext* context;
    const GtScene* scene;
    GtScene* out; // the motion: humanoid joints alone, at rest in the T-pose with identity rotations
    GtError* error;
    GtArena* scratch;
    int32_t nodes[GT_HUMANOID_JOINT_COUNT];   // of `out`, or GT_NONE
    int32_t parents[GT_HUMANOID_JOINT_COUNT]; // nearest mapped joint above in the vocabulary, or GT_NONE
    GtTransform base;                         // turns the whole character to face +Z
    GtMat34* model_from_node;                 // [node_count of the scene] in the T-pose
    GtQuat* rotations;                        // [node_count] model_from_node's
} GtiVrma;

// Pose the scene's humanoid in its T-pose and add its joints to `out`; fails where joints that VRM requires are absent.
GtResult gti_vrma_add_joints(GtiVrma* vrma);

// Add a clip of the scene, as channels of the joints that gti_vrma_add_joints() added and of `extra` pairs of nodes
// (of the scene, of `out`) whose channels are copied as they are.
GtResult gti_vrma_add_clip(GtiVrma* vrma, const GtAnimation* clip, const int32_t (*extra)[2], int32_t extra_count);

#endif
