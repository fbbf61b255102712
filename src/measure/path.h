// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is kept of every frame of a humanoid's clip: where heels and balls are, how the knees bend, where the centre of
// mass is.

#ifndef GERTIE_MEASURE_PATH_H
#define GERTIE_MEASURE_PATH_H

#include "motion/contact/footprint.h"
#include "motion/mass.h"

#include "gertie/measure.h"

// Where the lowest point of a part of the sole goes until the next frame; of those that are all but the lowest, the one
// that goes least.
typedef struct GtiSlip {
    float x, z;   // metres over the ground
    float height; // midway
} GtiSlip;

typedef struct GtiPath {
    int32_t frame_count;
    double step_s;                       // from frame to frame
    double size;                         // of the figure: times as large as a person
    GtVec3* marks[GTI_SOLE_PART_COUNT];  // [frame_count] the point that stands for a part; one after another
    GtiSlip* slips[GTI_SOLE_PART_COUNT]; // [frame_count], the last without meaning
    float* soles[GTI_SIDE_COUNT];        // [frame_count] lowest height above the ground
    float* knees[GTI_SIDE_COUNT];        // [frame_count] bend in radians
    GtVec3* centers;                     // [frame_count] of mass
    GtiFootprints prints;                // as contacts are found in
} GtiPath;

// Fills a path frame by frame.
typedef struct GtiPathMaker {
    const GtFigure* figure;
    const GtGround* ground; // that heights of the sole are measured from, or NULL for 0
    GtiTread sole;
    GtVec3* before; // [point_count] of the sole, at the frame before
    float* midways; // [point_count] heights midway between that and the frame at hand
    int32_t mass_nodes[GTI_MASS_SEGMENT_COUNT];
    GtVec3 mass_offsets[GTI_MASS_SEGMENT_COUNT];
    GtiPath path;
} GtiPathMaker;

// Start a path of a humanoid; on failure, too, gti_path_end() is due. The path lives in the arena.
GtResult gti_path_begin(const GtContext* context, GtArena* arena, const GtFigure* figure, int32_t frame_count,
                        double step_s, GtiPathMaker* out, GtError* error);
void gti_path_end(GtiPathMaker* maker);

// Take over the figure's pose as the next frame.
void gti_path_add(GtiPathMaker* maker, int32_t frame);

#endif
