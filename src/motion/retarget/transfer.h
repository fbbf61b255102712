// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A clip on its way from one figure to another: as a whole, or, where it is long, in windows that overlap.

#ifndef GERTIE_MOTION_RETARGET_TRANSFER_H
#define GERTIE_MOTION_RETARGET_TRANSFER_H

#include "motion/retarget/data.h"
#include "motion/take/cycle.h"

// How long a motion has to be to be cut, and into what. Memory beside source and result is for one window.
typedef struct GtiWindowSizes {
    int32_t most_whole; // frames of a motion that is not cut
    int32_t core;       // about as many frames of a window become frames of the result
    int32_t margin;     // frames before and after the core that it is settled with
    int32_t overlap;    // of those, as many go over from one window to the next
} GtiWindowSizes;

// Frames of a motion: first, first + stride, ...
typedef struct GtiWindow {
    int32_t first; // below 0 where it begins in the cycle before
    int32_t stride;
    int32_t count;
    int32_t before, after; // at its ends, that are there to settle the others with
    bool measures;         // angles are added up for the report
} GtiWindow;

// Angles over frames.
typedef struct GtiCarryMeasures {
    double direction_sum_rad;
    int64_t direction_count;
    double max_direction_rad;
    double max_extra_turn_rad;
} GtiCarryMeasures;

typedef struct GtiTransfer {
    const GtContext* context;
    const GtRetarget* r;
    GtRetarget carrier; // as `r`, but with the path on the hips where feet are planted on the spot
    GtError* error;
    GtArena scratch;
    float* times; // [frame_count] of the source
    int32_t frame_count;
    int32_t* runtime; // [node_count] nodes of the target that get keys
    int32_t* nodes;   // [node_count] the same as nodes of the scene
    uint8_t* paths;   // [node_count] GtBakePath bits of what is keyed
    int32_t node_count;
    GtiCarryMeasures measures;

    // One window.
    int32_t capacity;         // frames
    GtTransform* poses;       // [capacity * node_count]
    float* window_times;      // [capacity] of the source, increasing
    int32_t* frames;          // [capacity] of the motion
    GtiWindow window;         // that is in them
    GtiCarryMeasures* pieces; // [capacity / piece, rounded up]
    uint8_t* rooms;           // of the pieces of a batch
    size_t room_size;
    int32_t first_piece; // of the batch
} GtiTransfer;

// Make room for windows of so many frames.
GtResult gti_transfer_make_room(GtiTransfer* transfer, int32_t capacity);

// Carry the frames of a window over, on all threads. Each is carried by itself, so that the result does not depend on
// how they are cut.
GtResult gti_transfer_carry(GtiTransfer* transfer, const GtiWindow* window);

// Which frame of the motion is the i-th of a window, and of which cycle: -1, 0 or 1.
int32_t gti_transfer_frame(const GtiTransfer* transfer, const GtiWindow* window, int32_t i, int32_t* lap);

// What brings the last key of a node to its first.
typedef struct GtiSeam {
    GtQuat turn;
    GtVec3 move;
} GtiSeam;

// The seams of all nodes. A figure that travels neither comes back nor turns back.
// path: what carries it in these poses
// first, last: poses [node_count]. out: [node_count]
void gti_transfer_find_seams(const GtiTransfer* transfer, GtRootMotion path, const GtTransform* first,
                             const GtTransform* last, GtiSeam* out);

// Take up a share of the seams that depends on the time of the source: half of it before the middle of the clip and
// half after it, evenly.
void gti_transfer_close(const GtiTransfer* transfer, const GtiSeam* seams, float time_s, GtTransform* pose);

// gt_retarget_clip(), cut as asked.
GtResult gti_retarget_clip(const GtContext* context, const GtRetarget* retarget, const GtiWindowSizes* sizes,
                           GtScene* scene, int32_t* animation, GtRetargetReport* report, GtError* error);

#endif
