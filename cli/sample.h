// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The samples by name, and how each is made from the verb's options.

#ifndef GERTIE_CLI_SAMPLE_H
#define GERTIE_CLI_SAMPLE_H

#include "scenes.h"

#include "gertie/motions.h"
#include "gertie/person.h"

typedef struct SampleOptions {
    GtPersonDef person;
    GtMotionDef motion;
    const char* output; // or NULL
    const char* format;
    const char* build;
    uint64_t seed;
    bool list;
} SampleOptions;

// The person comes first, then every motion. The library is no sample, but a folder of them.
enum {
    SAMPLE_PERSON,
    SAMPLE_FIRST_MOTION,
    SAMPLE_COUNT = SAMPLE_FIRST_MOTION + (int)GT_MOTION_COUNT,
    SAMPLE_LIBRARY = SAMPLE_COUNT
};

extern const char* const sample_names[SAMPLE_COUNT + 2]; // "library" is the last; ends with NULL
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

// What goes into a folder: how many files, what each is called, and how it is written.
typedef struct FolderContent {
    int count;
    void (*add_name)(int index, GtText* name);
    bool (*write)(Session* session, int index, const CommandLine* line, const Output* output);
} FolderContent;

// Write files into a folder, which is made where it is missing.
bool sample_fill_folder(Session* session, const char* folder, const FolderContent* content, const CommandLine* line);

// Write the motions of the library into a folder: elements of an open array of the report.
bool sample_library_write(Session* session, const CommandLine* line);

// Show what motions the library has.
bool sample_library_list(Session* session, const CommandLine* line);

GtResult sample_make(const GtContext* context, int what, const CommandLine* line, Sample* out, GtError* error);

#endif
