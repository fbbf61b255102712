// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joints: which way they point against the source's, how knees bend, how the end meets the start.

#ifndef GERTIE_MEASURE_JOINTS_H
#define GERTIE_MEASURE_JOINTS_H

#include "measure/path.h"

// Adds up how far joints point away from the source's.
typedef struct GtiDirections {
    GtDirectionMeasure* measures; // [count]
    int32_t count;
    int32_t frame_count;
    GtQuat reference[2][GT_HUMANOID_JOINT_COUNT]; // of figure and source in the world, in their reference poses
    GtQuat before[2][GT_HUMANOID_JOINT_COUNT];    // likewise, a frame ago
    GtQuat* rotations[2];                         // [node_count] likewise, now
    GtFlipMeasure flip;
} GtiDirections;

GtResult gti_directions_begin(GtArena* arena, const GtFigure* figure, const GtFigure* source, GtiDirections* out,
                              GtError* error);

// Take over both poses as a frame; returns the mean over the joints, in degrees.
double gti_directions_add(GtiDirections* directions, const GtFigure* figure, const GtFigure* source, double time_s);

// Make means of the sums; returns the mean of all, or NAN without joints.
double gti_directions_end(GtiDirections* directions);

// @param source         or NULL
// @param accelerations  [frame_count] receives the second derivative of the bend
// @param source_accelerations  likewise, or NULL
void gti_measure_knee(const GtiPath* path, const GtiPath* source, int side, double start_s, float* accelerations,
                      float* source_accelerations, GtKneeMeasure* out);

// Compare the first frame with the last.
GtResult gti_measure_seam(GtArena* scratch, const GtFigure* figure, double step_s, GtSeamMeasure* out, GtError* error);

#endif
