// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What the ways to bake a clip share: frames one after the other, and where the result goes.

#ifndef GERTIE_DEFORM_HARMONIC_BAKE_H
#define GERTIE_DEFORM_HARMONIC_BAKE_H

#include "deform/clip_keys.h"
#include "deform/joint_fit.h"

typedef struct GtiBaker {
    const GtContext* context;
    const GtHarmonicClip* clip;
    const GtHarmonicBakeDef* def;
    GtScene* scene; // that is made
    GtArena scratch;
    GtiUnskin unskin;
    GtiJointFit fit;    // of no joints where they stay as the clip has them
    GtTransform* poses; // [frame_count * joint_count] of the fitted joints
    float* weights;     // [frame_count * weight_count] of morphs, as the clip has them
    GtVec3* positions;  // [kept_count * vertex_count] of frames from `first` on
    int32_t first;
    int32_t kept_count; // frames that there is room for
    GtHarmonicBakeReport report;
    GtError* error;
} GtiBaker;

enum {
    GTI_BAKE_BATCH = 8,  // most frames at a time
    GTI_BAKE_BLOCK = 256 // vertices that are worked on together, by one thread
};

// Pose frames [first, first + count), at most GTI_BAKE_BATCH, and their joints. They are asked for in order, any number
// of times; fitted joints are fitted the first time.
// frames: [count] receive positions, which stay until the next call, and joints
GtResult gti_bake_batch(GtiBaker* baker, int32_t first, int32_t count, GtiUnskinFrame* frames);

// Run over all blocks of vertices: block i begins at vertex i * GTI_BAKE_BLOCK.
void gti_bake_run_blocks(const GtiBaker* baker, GtRangeFn run, void* data);
int32_t gti_bake_block_count(const GtiBaker* baker);
int32_t gti_bake_block_end(const GtiBaker* baker, int32_t block);

// A shape for each frame.
GtResult gti_bake_frames(GtiBaker* baker);

// Principal shapes of what fitted joints leave; none where def->max_shapes is 0.
GtResult gti_bake_shapes(GtiBaker* baker);

// Play shapes by the weights in each frame, beside what the clip does to morphs.
// weights: [frame_count * shapes->count], or NULL for a shape a frame
GtResult gti_bake_keys(GtiBaker* baker, const GtiShapes* shapes, const float* weights);

#endif
