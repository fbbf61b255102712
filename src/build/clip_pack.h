// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What packing a clip works on: tracks as samples at frames, spans of time, the ways in which each track could be
// stored in a span, and the one that is chosen for a budget of error.

#ifndef GERTIE_BUILD_CLIP_PACK_H
#define GERTIE_BUILD_CLIP_PACK_H

#include "gertie/clip_pack.h"

#include "runtime/clip/packed_clip.h"

enum {
    GTI_MAX_WAYS = 7
};

// Frames from a key at which tracks that jump there are looked at: a key's time is rounded, a frame's is not.
#define GTI_AFTER_KEY 0.03

// One way to store a track.
typedef struct GtiPackWay {
    uint32_t order; // 0 for a constant
    uint32_t spacing;
    uint32_t even; // 1 where rotations turn evenly
    int32_t coefficient_count;
    double* coefficients; // [coefficient_count * GTI_PARTS]
    double error;         // without rounding, in the track's own unit
} GtiPackWay;

// One track, of the clip or of a span: what it drives, its samples and what was chosen for it. Its own unit is radians,
// metres, or nothing.
typedef struct GtiClipPackTrack {
    GtiPackedKind kind;
    int32_t node;          // GT_NONE for weights
    uint32_t place;        // as in GtiPackedGroup
    uint32_t parts;        // of a sample: 4 for rotations of the clip
    uint32_t held;         // 1 where it jumps
    uint32_t turns;        // 1 for rotations
    uint32_t weight_count; // 1 to 3, of weights
    int32_t way_count;
    float* samples; // [frame_count * parts]
    double lever;   // how far a point of the character moves for one unit
    double budget;  // error allowed, in its own unit
    double step;    // of its coefficients
    int32_t way;    // the one chosen
    bool fixed;     // does not change in the whole clip
    GtiPackWay ways[GTI_MAX_WAYS];
} GtiClipPackTrack;

// Frames [first, last] of the clip; the next span starts with the last.
typedef struct GtiPackSpan {
    int32_t first;
    int32_t last;
    GtiClipPackTrack* tracks; // [track_count]
} GtiPackSpan;

// The points that hang at a joint, within a sphere around it in the rest pose.
typedef struct GtiPackReach {
    double radius_m;
    double offsets_from_unit[3][3]; // takes unit vectors to the sphere, in the joint's own space
} GtiPackReach;

typedef struct GtiClipPacking {
    const GtClipPackDef* def;
    const GtClip* source;
    const GtCharacter* character;
    GtArena arena;
    double rate_hz;
    int32_t frame_count;
    int32_t track_count;
    GtiClipPackTrack* tracks; // of the clip: rotations are quaternions
    int32_t* by_place;        // [track_count] tracks of poses, by their places, then those of weights
    GtiPackReach* reaches;    // [node_count]
    int32_t span_count;
    GtiPackSpan* spans;
} GtiClipPacking;

// Bytes that grow, in an arena of their own. `data` is NULL once memory ran out.
typedef struct GtiPackBytes {
    GtArena arena;
    uint8_t* data;
    size_t size;
    size_t capacity;
} GtiPackBytes;

// Frames of the source: all keys lie on them; false where there is no such grid, and 240 Hz was taken.
bool gti_pack_find_rate(const GtClip* clip, double* rate_hz);

// Find how far points of the character are from the joints that move them.
GtResult gti_pack_find_reaches(GtiClipPacking* packing, GtError* error);

// Sample every track of the source, and find those that do not change.
GtResult gti_pack_tracks(GtiClipPacking* packing, GtError* error);

// Cut the clip where it jumps, and else into pieces of a few seconds at most.
GtResult gti_pack_find_spans(GtiClipPacking* packing, GtError* error);

// Make the tracks of a span, with every way to store them.
GtResult gti_pack_fill_span(GtiClipPacking* packing, GtiPackSpan* span, GtError* error);

// Choose a way and a step for each track's budget.
void gti_pack_choose(const GtiClipPacking* packing, GtiPackSpan* span);

// Write spans as the bytes of a packed clip that starts with the first of them. False when memory ran out; *fits tells
// whether every number had room.
bool gti_pack_encode(const GtiClipPacking* packing, const GtiPackSpan* spans, int32_t span_count, GtiPackBytes* out,
                     bool* fits);

// Farthest that points are from where the source has them.
typedef struct GtiPackErrors {
    float* nodes; // [node_count]
    float largest_m;
    float largest_weight;
    int32_t worst_node;
    double worst_time_s;
} GtiPackErrors;

// Compare packed bytes with the source, at each frame from `first` to `last` and three times between. False when memory
// ran out.
bool gti_pack_measure(const GtiClipPacking* packing, const GtiPackedHead* packed, int32_t first, int32_t last,
                      GtiPackErrors* out);

// Poses of two clips, or of one at two times.
typedef struct GtiPackPoses {
    GtTransform* pose[2];
    GtMat34* model[2];
    float* weights[2];
} GtiPackPoses;

// At rest. False when memory ran out.
bool gti_pack_push_poses(GtArena* arena, const GtCharacterDef* def, GtiPackPoses* out);

// Least w of unit quaternions whose parameters are still taken: a turn by 322 degrees.
#define GTI_LEAST_W (-35.0 / 37.0)

// An upper bound of how far any point that hangs at a node is in one of two poses from where it is in the other.
float gti_pack_node_error(const GtMat34* a, const GtMat34* b, const GtiPackReach* reach);

static inline double gti_pack_time_s(const GtiClipPacking* packing, double frame)
{
    return gt_clip_start_s(packing->source) + frame / packing->rate_hz;
}

#endif
