// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The report is put together at the end, because only then is it known whether the job was done; so a failure at any
// point leaves one whole JSON text on standard output.

#include "session.h"

#include "fail.h"
#include "interrupt.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_SAID = 50,      // warnings on a terminal; a broken file can give thousands
    MOST_COMPARED = 200, // remarks that a new one is compared with
    LINE_SIZE = 8192     // of a line that is said; a part that does not fit is left out
};

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void erase_progress(Session* session)
{
    if (session->drawn_s > 0) {
        fputs("\r\033[K", stderr);
        session->drawn_s = 0;
    }
}

static void show_progress(Session* session, double fraction, const char* words)
{
    double now = session->draws || session->line_every_s > 0 ? now_s() : 0;
    if (!session->draws && session->line_every_s > 0 && now - session->line_s > session->line_every_s) {
        session_say(session, "%s", words);
        session->line_s = now;
    }
    if (session->draws && now - session->started_s > 1.0 && now - session->drawn_s > 0.1) {
        static const char bar[] = "########################";
        const int width = (int)sizeof bar - 1;
        fraction = fmin(fmax(fraction, 0.0), 1.0);
        int filled = (int)(fraction * width);
        fprintf(stderr, "\r[%.*s%*s] %3d %%  %.44s\033[K", filled, bar, width - filled, "", (int)(fraction * 100),
                words);
        fflush(stderr);
        session->drawn_s = now;
    }
}

static bool on_progress(void* user, const char* task, double fraction)
{
    Session* session = user;
    if (interrupt_signal()) {
        return false;
    }
    show_progress(session, fraction, task);
    return true;
}

// One line on standard error: "kind: file: where: message".
static void say_line(Session* session, const char* kind, const char* file, const char* where, const char* message)
{
    erase_progress(session);
    char buffer[LINE_SIZE];
    const char* const parts[] = { kind, file, where, message };
    for (int i = 0; i < 4; ++i) {
        GtText part = gt_text_in(buffer, sizeof buffer);
        gt_text_add_printable(&part, parts[i]);
        gt_text_adds(&part, i == 3 ? "\n" : parts[i][0] ? ": " : "");
        fwrite(part.bytes, 1, part.size, stderr);
    }
}

static const char* keep_text(Session* session, const char* text)
{
    const char* copy = gt_arena_push_text(&session->arena, text, strlen(text));
    return copy ? copy : "";
}

// Whether a remark has been made already, as by a file that is measured and then drawn.
static bool was_said(const Session* session, const char* file, const GtDiagnostic* diagnostic)
{
    const Remark* remark = session->remarks;
    for (int i = 0; remark && i < MOST_COMPARED; ++i, remark = remark->next) {
        if (remark->severity == diagnostic->severity && !strcmp(remark->file, file) &&
            !strcmp(remark->where, diagnostic->where) && !strcmp(remark->message, diagnostic->message)) {
            return true;
        }
    }
    return false;
}

static void take_remark(Session* session, const GtDiagnostic* diagnostic, bool says_notes)
{
    const char* file = diagnostic->file[0] ? diagnostic->file : session->subject;
    if (was_said(session, file, diagnostic)) {
        return;
    }
    Remark* remark = gt_arena_push(&session->arena, sizeof *remark);
    if (remark) {
        *remark = (Remark){ NULL, diagnostic->severity, keep_text(session, file), keep_text(session, diagnostic->where),
                            keep_text(session, diagnostic->message) };
        *session->remarks_end = remark;
        session->remarks_end = &remark->next;
    }
    bool warns = diagnostic->severity == GT_SEVERITY_WARNING;
    session->said_count += warns;
    if (!session->job_context && !session->json && (warns ? session->said_count <= MOST_SAID : says_notes)) {
        say_line(session, warns ? "warning" : "note", file, diagnostic->where, diagnostic->message);
    }
}

static void on_diagnostic(void* user, const GtDiagnostic* diagnostic)
{
    Session* session = user;
    take_remark(session, diagnostic, !session->quiet && !session->is_batch);
}

void session_begin(Session* session, bool json)
{
    *session = (Session){
        .context = gt_default_context(),
        .verb = "",
        .subject = "",
        .json = json,
        .arena = gt_arena_create(gt_default_allocator()),
        .started_s = now_s(),
    };
    session->remarks_end = &session->remarks;
    session->context.diagnose = on_diagnostic;
    session->context.diagnose_user = session;
    session->context.progress = on_progress;
    session->context.progress_user = session;
    session->report = gt_json_create(NULL, 2);
    gt_json_begin_object(&session->report);
}

void session_configure(Session* session, const CommandLine* line)
{
    session->verb = line->verb ? line->verb->name : "";
    session->quiet = line->common.quiet;
    session->draws = !session->quiet && !session->json && isatty(STDERR_FILENO);
    session->context.strict = line->common.strict;
    int32_t thread_count = line->common.threads;
    if (thread_count != 1) {
        GtError error = { 0 };
        if (gt_thread_pool_create(session->context.allocator, thread_count, &session->pool, &error) != GT_OK) {
            session_warn(session, NULL, "%s; working on one processor", error.message);
            return;
        }
        session->context.executor = gt_thread_pool_executor(session->pool);
    }
}

// What a job says goes to the context it was given, with the file it is about.
static void on_job_diagnostic(void* user, const GtDiagnostic* diagnostic)
{
    const Session* job = user;
    GtDiagnostic named = *diagnostic;
    named.file = diagnostic->file[0] ? diagnostic->file : job->subject;
    job->job_context->diagnose(job->job_context->diagnose_user, &named);
}

void session_begin_job(Session* job, const Session* session, const GtContext* context)
{
    session_begin(job, false);
    job->verb = session->verb;
    job->job_context = context;
    job->context = *context;
    job->context.diagnose = on_job_diagnostic;
    job->context.diagnose_user = job;
}

void session_end_job(Session* job)
{
    gt_json_destroy(&job->report);
    gt_arena_destroy(&job->arena);
}

void session_begin_batch(Session* session, double line_every_s)
{
    session->is_batch = true;
    session->line_every_s = line_every_s;
    session->line_s = now_s();
}

void session_end_batch(Session* session)
{
    session->is_batch = false;
    session->line_every_s = 0;
}

static bool report_failure(Session* session, const GtError* error, int status)
{
    char message[sizeof error->message + 48];
    snprintf(message, sizeof message, "%s%s", error->message,
             error->code == GT_ERROR_STRICT ? " (repaired without --strict)" : "");
    if (!session->job_context) {
        say_line(session, "error", error->file, error->where, message);
    }
    session->last_error = *error;
    if (session->status == STATUS_DONE) {
        session->status = status;
        session->error = *error;
    }
    return false;
}

bool session_fail(Session* session, const GtError* error)
{
    return report_failure(session, error, STATUS_FAILED);
}

bool session_misuse(Session* session, const char* format, ...)
{
    GtError error = { .code = GT_ERROR_BAD_VALUE };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error.message, sizeof error.message, format, arguments);
    va_end(arguments);
    return report_failure(session, &error, STATUS_MISUSED);
}

void session_say(Session* session, const char* format, ...)
{
    if (session->quiet || session->json || session->job_context) {
        return;
    }
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    erase_progress(session);
    char buffer[LINE_SIZE];
    GtText line = gt_text_in(buffer, sizeof buffer);
    gt_text_add_printable(&line, message);
    gt_text_adds(&line, "\n");
    fwrite(line.bytes, 1, line.size, stderr);
}

void session_warn(Session* session, const char* file, const char* format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    session->context.diagnose(session->context.diagnose_user,
                              &(GtDiagnostic){ GT_SEVERITY_WARNING, file ? file : "", "", message });
}

bool session_print(Session* session, const GtText* text)
{
    erase_progress(session);
    if (text->failed) {
        GtError error;
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return session_fail(session, &error);
    }
    errno = EIO; // unless the system knows better
    bool ok = !session->print_errno && fwrite(text->bytes, 1, text->size, stdout) == text->size && fflush(stdout) == 0;
    session->print_errno = ok || session->print_errno ? session->print_errno : errno;
    return ok;
}

void session_report_error(GtJsonWriter* json, const GtError* error, int status)
{
    gt_json_key(json, "error");
    gt_json_error(json, error, status == STATUS_MISUSED ? "usage" : NULL);
}

void session_report_remarks(GtJsonWriter* json, const Remark* first, GtSeverity severity)
{
    gt_json_begin_array(json);
    for (const Remark* remark = first; remark; remark = remark->next) {
        if (remark->severity == severity) {
            gt_json_next_is_row(json);
            gt_json_begin_object(json);
            gt_json_member_string(json, "file", remark->file);
            gt_json_member_string(json, "where", remark->where);
            gt_json_member_string(json, "message", remark->message);
            gt_json_end_object(json);
        }
    }
    gt_json_end_array(json);
}

// What a report must have, where there is no memory for more.
static void print_short_report(Session* session)
{
    char buffer[LINE_SIZE];
    GtJsonWriter json = gt_json_create(NULL, 2);
    json.text = gt_text_in(buffer, sizeof buffer);
    gt_json_begin_object(&json);
    gt_json_member_bool(&json, "ok", false);
    gt_json_member_string(&json, "verb", session->verb);
    session_report_error(&json, &session->error, session->status);
    gt_json_member_array(&json, "warnings");
    gt_json_end_array(&json);
    gt_json_member_array(&json, "notes");
    gt_json_end_array(&json);
    gt_json_end_object(&json);
    gt_text_adds(&json.text, "\n");
    session_print(session, &json.text);
}

static void print_report(Session* session)
{
    GtJsonWriter json = gt_json_create(NULL, 2);
    gt_json_begin_object(&json);
    gt_json_member_bool(&json, "ok", session->status == STATUS_DONE);
    gt_json_member_string(&json, "verb", session->verb);
    if (session->status != STATUS_DONE) {
        session_report_error(&json, &session->error, session->status);
    }
    const size_t head = strlen("{\n  "); // of the report's own object, whose members go into this one
    json.text.failed |= session->report.text.failed;
    if (session->report.text.size > head) {
        gt_json_raw_members(&json, session->report.text.bytes + head);
    }
    gt_json_key(&json, "warnings");
    session_report_remarks(&json, session->remarks, GT_SEVERITY_WARNING);
    gt_json_key(&json, "notes");
    session_report_remarks(&json, session->remarks, GT_SEVERITY_NOTE);
    gt_json_end_object(&json);
    gt_text_adds(&json.text, "\n");
    bool is_whole = !json.text.failed;
    session_print(session, &json.text);
    gt_json_destroy(&json);
    if (!is_whole) {
        print_short_report(session);
    }
}

int session_end(Session* session)
{
    erase_progress(session);
    if (session->json) {
        print_report(session);
    } else if (session->said_count > MOST_SAID) {
        fprintf(stderr, "warning: %d more warnings; --json lists all\n", session->said_count - MOST_SAID);
    }
    if (session->print_errno == EPIPE) { // the reader that went away knows
        session->status = STATUS_FAILED;
    } else if (session->print_errno) {
        GtError error;
        fail(&error, GT_ERROR_IO, "standard output", "%s", strerror(session->print_errno));
        session_fail(session, &error);
    }
    gt_json_destroy(&session->report);
    gt_arena_destroy(&session->arena);
    gt_thread_pool_destroy(session->pool);
    if (session->status != STATUS_DONE && interrupt_signal()) {
        interrupt_die();
    }
    return session->status;
}
