// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What is seen of a source whose hands touch something, frame by frame, on all threads: how near each hand is to
// everything that it could touch; and, when it is known what it touches, where.

#ifndef GERTIE_MOTION_TOUCH_LOOK_H
#define GERTIE_MOTION_TOUCH_LOOK_H

#include "motion/touch/touch.h"

// What a piece of frames works in.
typedef struct GtiTouchLookScratch {
    GtTransform* pose; // [nodes]
    GtMat34* model;    // [nodes]
    GtQuat* rotations; // [nodes]
    GtVec3* points;    // [most points of a hand]
} GtiTouchLookScratch;

// How the source stands in a frame.
typedef struct GtiTouchStance {
    float feet_m; // of the lower ankle, above the floor
    float hips_m;
    GtVec3 hips;
    float body_mps; // over the ground
} GtiTouchStance;

typedef struct GtiTouchFinder {
    const GtiTouchSource* source;
    GtArena* arena;
    GtArena scratch;
    float size;              // times as large as a person
    float* clearances;       // [GTI_SIDE_COUNT * GT_TOUCHED_COUNT * frame_count]
    GtVec3* palms;           // likewise, in the part's axes
    GtiTouchStance* stances; // [frame_count]
    uint8_t* states;         // [frame_count] of the track at hand
    bool* touching;          // [frame_count] likewise
    GtTouch* wanted;         // [wanted_count] of what the body is, be that a mirror's image; by start
    int32_t wanted_count;
    bool is_wanted[GTI_SIDE_COUNT][GT_TOUCHED_COUNT];
    GtiTouchLookScratch* rooms; // [pieces]
    GtiTouches* out;
    GtError* error;
} GtiTouchFinder;

// Where a frame of a hand and a part is in the arrays of all of them.
static inline size_t gti_touch_at(const GtiTouchFinder* d, int side, int part, int32_t frame)
{
    return (size_t)(side * GT_TOUCHED_COUNT + part) * (size_t)d->source->frame_count + (size_t)frame;
}

// Whether a hand can touch a part. Hands that touch each other are a touch of the left one.
bool gti_touch_is_candidate(const GtiTouchBody* body, int side, int part);

// Make room, and see how near hands are to parts.
GtResult gti_touch_look(GtiTouchFinder* finder);

// See where the tracks of `out` touch, in the frames in which they have weight.
void gti_touch_sample(GtiTouchFinder* finder);

#endif
