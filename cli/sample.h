// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The samples by name, and how each is made from the verb's options.

#ifndef GERTIE_CLI_SAMPLE_H
#define GERTIE_CLI_SAMPLE_H

#include "session.h"

#include "gertie/motions.h"
#include "gertie/person.h"

typedef struct SampleOptions {
    GtPersonDef person;
    GtMotionDef motion;
    const char* output; // or NULL
    const char* format;
    const char* build;
    uint64_t seed;
} SampleOptions;

// The person comes first, then every motion.
enum {
    SAMPLE_PERSON,
    SAMPLE_FIRST_MOTION,
    SAMPLE_COUNT = SAMPLE_FIRST_MOTION + (int)GT_MOTION_COUNT
};

extern const char* const sample_names[SAMPLE_COUNT + 1]; // ends with NULL
extern const char* const sample_files[SAMPLE_COUNT];     // where each goes unless told otherwise

// Index of a sample's name.
int sample_find(const char* name);

// Whether every option that is given has a say in that sample; else it has been said which has none.
bool sample_takes(Session* session, int what, const CommandLine* line);

// A sample as it was made.
typedef struct Sample {
    GtScene* scene;
    bool moves;
    double frame_rate_hz;  // of a motion
    double speed_mps;      // of a walk or run
    GtMotionReport report; // of a motion
    GtPersonReport person; // of a person
} Sample;

GtResult sample_make(const GtContext* context, int what, const CommandLine* line, Sample* out, GtError* error);

#endif
