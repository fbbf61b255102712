// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// One run of the command: the library's context, and everything that is said. Words go to standard error, or are kept
// for the report with --json; results go to standard output or into files.

#ifndef GERTIE_CLI_SESSION_H
#define GERTIE_CLI_SESSION_H

#include "option.h"
#include "text.h"

#include "gertie/context.h"
#include "gertie/json_write.h"

enum {
    STATUS_DONE = 0,
    STATUS_FAILED = 1,
    STATUS_MISUSED = 2
};

// A warning or note that has been said.
typedef struct Remark {
    struct Remark* next;
    GtSeverity severity;
    const char* file;
    const char* where;
    const char* message;
} Remark;

struct Session {
    GtContext context;
    GtThreadPool* pool;
    const char* verb;    // or ""
    const char* subject; // file that is being worked on, for what is said without naming one; or ""
    bool json;
    bool quiet;
    GtArena arena; // of the remarks
    Remark* remarks;
    Remark** remarks_end;
    int said_count; // warnings
    GtError error;  // the first failure
    GtError last_error;
    int status;
    int print_errno;     // why standard output failed, or 0
    GtJsonWriter report; // members of the report after "ok", "verb" and "error"
    double started_s;
    double drawn_s; // when the progress bar was last drawn, or 0 when there is none
    bool draws;
    const GtContext* job_context; // of a job, which says nothing by itself: where warnings go; else NULL
    bool is_batch;                // notes, of which many jobs have many, go into the report alone
    double line_every_s;          // of progress, where there is no terminal; 0 for none
    double line_s;                // when the last was said
};

void session_begin(Session* session, bool json);

// Take over the common options.
void session_configure(Session* session, const CommandLine* line);

// Print the report where one was asked for, put everything away, and return the exit status. Ends the program by the
// signal that cancelled it, if one did.
int session_end(Session* session);

// Say that the job failed, in one line; the exit status will be STATUS_FAILED. Returns false, as all functions of verbs
// do when they have said what is wrong.
bool session_fail(Session* session, const GtError* error);

// Say that the command was used wrongly, in one line; the exit status will be STATUS_MISUSED. Returns false.
bool session_misuse(Session* session, const char* format, ...) GT_PRINTF(2, 3);

// Say what was done, in whole lines, unless quiet.
void session_say(Session* session, const char* format, ...) GT_PRINTF(2, 3);

// Warn or note as the library does. `file` may be NULL.
void session_warn(Session* session, const char* file, const char* format, ...) GT_PRINTF(3, 4);

// The result of the job, on standard output. false when that failed, which session_end() says.
bool session_print(Session* session, const GtText* text);

// Between these, the library runs a batch of jobs.
void session_begin_batch(Session* session, double line_every_s);
void session_end_batch(Session* session);

// A session for one job of a batch, on a thread of its own. It says nothing: warnings go to the context of the job, and
// its failure is in `error`. Free it with session_end_job().
void session_begin_job(Session* job, const Session* session, const GtContext* context);
void session_end_job(Session* job);

// "error": {...}, as in the report.
void session_report_error(GtJsonWriter* json, const GtError* error, int status);

// An array of the remarks of one severity from `first` (or NULL) on.
void session_report_remarks(GtJsonWriter* json, const Remark* first, GtSeverity severity);

#endif
