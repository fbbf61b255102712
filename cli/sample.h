// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The samples by name, and how each is made from the verb's options.

#ifndef GERTIE_CLI_SAMPLE_H
#define GERTIE_CLI_SAMPLE_H

#include "session.h"

#include "gertie/motions.h"
#include "gertie/person.h"

// Places of the verb's options.
enum {
    SAMPLE_OUTPUT,
    SAMPLE_HEIGHT,
    SAMPLE_BUILD,
    SAMPLE_SEX,
    SAMPLE_POSE,
    SAMPLE_TRIANGLES,
    SAMPLE_SEED,
    SAMPLE_BARE,
    SAMPLE_NOISE,
    SAMPLE_HOLES,
    SAMPLE_ISLANDS,
    SAMPLE_UP,
    SAMPLE_UNITS,
    SAMPLE_SPEED,
    SAMPLE_ANGLE,
    SAMPLE_RISE,
    SAMPLE_TEMPO,
    SAMPLE_REPEAT,
    SAMPLE_IN_PLACE,
    SAMPLE_FPS,
    SAMPLE_FORMAT
};

// The person comes first, then every motion.
enum {
    SAMPLE_PERSON,
    SAMPLE_FIRST_MOTION,
    SAMPLE_COUNT = SAMPLE_FIRST_MOTION + (int)GT_MOTION_COUNT
};

extern const char* const sample_poses[];                 // of the person, in the order of GtPersonPose; ends with NULL
extern const char* const sample_names[SAMPLE_COUNT + 1]; // ends with NULL
extern const char* const sample_files[SAMPLE_COUNT];     // where each goes unless told otherwise

// Index of a sample's name.
int sample_find(const char* name);

// Whether every option that is given has a say in that sample; else it has been said which has none.
bool sample_takes(Session* session, int what, const OptionValue* values);

// A sample as it was made.
typedef struct Sample {
    GtScene* scene;
    bool moves;
    double frame_rate_hz;  // of a motion
    double speed_mps;      // of a walk or run
    GtMotionReport report; // of a motion
    GtPersonReport person; // of a person
} Sample;

GtResult sample_make(const GtContext* context, int what, const OptionValue* values, Sample* out, GtError* error);

#endif
