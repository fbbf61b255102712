// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One report of all that a batch made: its numbers, how they are spread, and what failed, as JSON and as a page. It
// depends on the results alone, not on when or in how many runs they were made.

#ifndef GERTIE_CLI_BATCH_REPORT_H
#define GERTIE_CLI_BATCH_REPORT_H

#include "motions.h"

#include "gertie/measure_report.h"

// Numbers of a clip that are compared with those of others.
typedef enum ClipNumber {
    CLIP_SEVERITY, // of its worst moment, in multiples of what an eye forgives
    CLIP_FRAMES,
    CLIP_SECONDS,
    CLIP_CONTACTS,
    CLIP_SKATE_MM,
    CLIP_FLOAT_MM,
    CLIP_PENETRATION_MM,
    CLIP_KNEE_ACCELERATION, // ratios to the source's
    CLIP_KNEE_JERK,
    CLIP_DIRECTION_DEG,
    CLIP_FLIP_DEG,
    CLIP_FLIGHT_MM,
    CLIP_NUMBER_COUNT
} ClipNumber;

// A clip that a batch has made.
typedef struct Clip {
    const char* name;
    const char* row;                   // a JSON object on one line: everything about it
    const char* worst;                 // its worst moment, or ""
    double numbers[CLIP_NUMBER_COUNT]; // NAN where not measured
} Clip;

typedef struct ClipList {
    GtArena arena;
    Clip* items; // [count]
    int count;
    int capacity;
    bool failed; // memory ran out
} ClipList;

void clips_free(ClipList* list);

// Add a clip without numbers; everything is copied. NULL where memory ran out.
Clip* clips_add(ClipList* list, const char* name, const char* row, size_t row_size);

// Fill in numbers and the worst moment.
void clips_set_measures(ClipList* list, Clip* clip, const GtMeasure* measure);

// What became of a motion.
typedef struct Outcome {
    ClipList clips;
    GtError* error; // or NULL
} Outcome;

typedef struct BatchReport {
    const char* character;
    const char* folder;
    const MotionList* motions;
    const Outcome* outcomes; // [motions->count]
} BatchReport;

// The spread of a number over all clips that have it.
typedef struct Spread {
    int count;
    double p50, p90, p99, max; // NAN without any
    int motion, clip;          // where it is largest, or GT_NONE
} Spread;

// How a number is called and judged.
typedef struct ClipNumberInfo {
    const char* key;   // in JSON
    const char* label; // on the page
    const char* unit;
    int decimals;
    double good, fair; // up to these; INFINITY where it is neither
} ClipNumberInfo;

extern const ClipNumberInfo clip_number_infos[CLIP_NUMBER_COUNT];

// Spread of every number; `values` has room for that of all clips.
int batch_clip_count(const BatchReport* report);
void batch_spread(const BatchReport* report, ClipNumber number, double* values, Spread* out);

// The whole texts.
void batch_add_json(Text* text, const BatchReport* report);
void batch_add_page(Text* text, const BatchReport* report);

#endif
