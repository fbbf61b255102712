// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The clips that jobs have made, and the numbers by which they are compared.

#ifndef GERTIE_BATCH_CLIPS_H
#define GERTIE_BATCH_CLIPS_H

#include "gertie/batch.h"

typedef enum GtiClipNumber {
    GTI_CLIP_SEVERITY, // of its worst moment, in multiples of what an eye forgives
    GTI_CLIP_FRAMES,
    GTI_CLIP_SECONDS,
    GTI_CLIP_CONTACTS,
    GTI_CLIP_SKATE_MM, // from here on, of use to compare clips
    GTI_CLIP_FLOAT_MM,
    GTI_CLIP_PENETRATION_MM,
    GTI_CLIP_KNEE_ACCELERATION, // ratios to the source's
    GTI_CLIP_KNEE_JERK,
    GTI_CLIP_DIRECTION_DEG,
    GTI_CLIP_FLIP_DEG,
    GTI_CLIP_FLIGHT_MM,
    GTI_CLIP_NUMBER_COUNT
} GtiClipNumber;

// How a number is called and judged.
typedef struct GtiClipNumberInfo {
    const char* key;   // in JSON
    const char* label; // on the page
    const char* unit;
    const char* help; // what it measures
    int decimals;
    double good, fair; // up to these; INFINITY where it is neither
} GtiClipNumberInfo;

extern const GtiClipNumberInfo gti_clip_number_infos[GTI_CLIP_NUMBER_COUNT];

typedef struct GtiBatchClip {
    struct GtiBatchClip* next;
    const char* name;
    const char* row;                       // a JSON object on one line: everything about it
    const char* worst;                     // its worst moment, or ""
    double numbers[GTI_CLIP_NUMBER_COUNT]; // NAN where not measured
} GtiBatchClip;

struct GtBatchClips {
    GtArena arena;
    GtiBatchClip* first;
    GtiBatchClip* last;
    int32_t count;
};

void gti_clips_destroy(GtBatchClips* clips);

// Add a clip without numbers; everything is copied. NULL where memory ran out.
GtiBatchClip* gti_clips_add(GtBatchClips* clips, const char* name, const char* worst, const char* row, size_t row_size);

#endif
