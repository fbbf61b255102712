// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Frames of vertices in, a linear skin and shapes out: what the ways to bake a clip share. Where frames come from is
// the caller's: harmonic deformation, or sections over a skin.

#ifndef GERTIE_HARMONIC_BAKE_BAKE_H
#define GERTIE_HARMONIC_BAKE_BAKE_H

#include "harmonic/bake/joint_fit.h"
#include "harmonic/clip/keys.h"

// Frames to be baked.
typedef struct GtiBakeFrames {
    int32_t animation; // of the scene, that the result goes into
    int32_t frame_count;
    double start_s; // time of the first frame
    double rate_hz; // of the frames; 0 for a single one
    int32_t vertex_count;
    const int32_t* first_shapes; // [mesh_count] of shapes that play them already, or NULL
    int32_t shape_count;
    bool keeps_joints; // as the clip or `play` has them; else they are fitted to the frames

    const GtVec3* known; // [frame_count * vertex_count] frames that are posed already, or NULL
    // Pose vertices of all meshes in frames [first, first + count).
    GtResult (*pose)(void* user, const GtContext* context, int32_t first, int32_t count, GtVec3* positions,
                     GtError* error);
    // Put joints and morph weights where they are in a frame, and update; or NULL where that is what the clip has.
    void (*play)(void* user, double time_s, GtInstance* instance);
    const int32_t* driven; // [driven_count] nodes of the character that `play` moves otherwise than the clip does
    int32_t driven_count;
    void* user;
} GtiBakeFrames;

typedef struct GtiBaker {
    const GtContext* context;
    const GtiBakeFrames* clip;
    const GtHarmonicBakeDef* def;
    GtFigure* figure; // of the scene that is baked, playing the clip
    GtScene* scene;   // that is made
    GtArena scratch;
    GtiUnskin unskin;
    GtiJointFit fit;         // of no joints where they stay as the clip has them
    GtTransform* poses;      // [frame_count * joint_count] of the fitted joints
    GtTransform* moved;      // [frame_count * driven_count] of driven nodes
    float* weights;          // [frame_count * weight_count] of morphs, as the clip has them
    const GtVec3* positions; // [kept_count * vertex_count] of frames from `first` on
    GtVec3* posed;           // likewise, to be written; NULL where all are known
    int32_t first;
    int32_t kept_count; // frames that there is room for
    GtHarmonicBakeReport report;
    GtError* error;
} GtiBaker;

// Bake into k->scene, where context, clip, def, figure, scene, scratch and error are given. Memory is of the scratch
// arena.
GtResult gti_bake(GtiBaker* baker);

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
