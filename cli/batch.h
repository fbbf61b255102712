// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Many motions, a file each, on all threads: one motion is one thread's, so as many are in memory as there are threads.
// What is made does not depend on their number, on what else is made, or on how often the work was stopped.

#ifndef GERTIE_CLI_BATCH_H
#define GERTIE_CLI_BATCH_H

#include "batch_report.h"

typedef struct BatchDef {
    const char* character;     // its file
    const char* folder;        // of the results; it exists
    const MotionList* motions; // with their outputs named
    uint64_t setup;            // hash of everything but the motion that a result depends on
    bool resume;               // leave what is done and as it should be
    bool report;               // write report.json and report.html; the clips have measures
    // Do one motion: write its output and list its clips. On failure, which has been said to `job`, no output is left.
    // Called from several threads at once.
    bool (*work)(Session* job, const void* user, const Motion* motion, ClipList* clips);
    const void* user;
} BatchDef;

// Do all. Motions that fail do not keep the others; false when any did, or when it was interrupted.
bool batch_run(Session* session, const BatchDef* def);

#endif
