// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Runs the built command as a user would: lines for the shell, in a folder of the test's own. `$G` is the command.

#ifndef GERTIE_TESTS_SUPPORT_COMMAND_H
#define GERTIE_TESTS_SUPPORT_COMMAND_H

#include "data/json.h"
#include "support/test.h"

// What the last line did.
typedef struct CommandRun {
    int status; // exit status, or minus the signal that ended it
    size_t out_size;
    char* out; // standard output, terminated
    char* err; // standard error, terminated
} CommandRun;

// For cmocka groups: a new folder to stand in, removed afterwards. Without GERTIE_COMMAND in the environment, fails.
int command_enter(void** state);
int command_leave(void** state);

// Run a line; what it printed lives until the next one. A line that takes over two minutes is a failure.
CommandRun command(const char* format, ...) GT_PRINTF(1, 2);

// The line ended with `wanted`; else everything it said is printed.
void expect_status(const CommandRun* run, int wanted);

// Exit status `wanted`, nothing on standard output, and one line on standard error that starts with "error: " and
// holds `text`.
void expect_refused(const CommandRun* run, int wanted, const char* text);

// `text` is in the output (or error output); else it is printed.
void expect_text(const char* said, const char* text);

// The report: standard output is one JSON object, which keeps to docs/schemas/report.schema.json. Lives until the next
// line is run.
const GtiJson* command_report(const CommandRun* run);

// A value by its path, such as "files.0.clips.0.name"; fails where there is none.
const GtiJson* report_at(const GtiJson* report, const char* path);
double report_number(const GtiJson* report, const char* path);
const char* report_text(const GtiJson* report, const char* path);
bool report_bool(const GtiJson* report, const char* path);
int report_count(const GtiJson* report, const char* path);

// Number of files here (`folder` "." ...), and whether one is there.
int count_files(const char* folder);
bool file_exists(const char* path);

// Make a file with these bytes.
void write_file(const char* path, const void* bytes, size_t size);
void write_text_file(const char* path, const char* text);

#endif
