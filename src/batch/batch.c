// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The executor hands out jobs in their order. What a job says is kept and passed on whole, in the order of the jobs. A
// job that is done is in its place before the journal says so: a program that is killed in between does it again, to
// the same bytes.

#include "batch/files.h"
#include "batch/journal.h"
#include "batch/report.h"

#include "base/fail.h"
#include "base/format.h"
#include "base/hash.h"
#include "data/files.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char journal_name[] = ".gertie-batch";
static const double job_cost = 256.0 * 1024; // what any job takes, in bytes of a motion that is read
static const double step_s = 0.05;           // at least between calls of the caller's progress function

enum {
    MOST_COMPARED = 200 // remarks of a job that a new one is compared with; a broken file gives thousands
};

// A warning or note that is to be passed on.
typedef struct GtiRemark {
    struct GtiRemark* next;
    GtDiagnostic said; // of texts in the same arena
} GtiRemark;

typedef struct GtiBatchRun {
    GtBatch result;
    const GtContext* context;
    GtBatchDef def;
    GtArena arena;
    GtiBatchOutcome* outcomes; // [count]
    const GtError** errors;    // [count]
    uint64_t* keys;            // [count] or 0 where it cannot be told whether a motion has changed
    GtiJournal journal;
    bool journal_failed;

    pthread_mutex_t lock; // guards what follows, the arena, the outcomes once they are over, and calls of the context
    bool is_cancelled;
    int32_t told_count;     // jobs whose remarks have been passed on
    GtiRemark* told;        // about files that are no job's own, which every job would repeat
    double cost, done_cost; // of what is to be done now
    double started_s, shown_s;
} GtiBatchRun;

static const GtError no_memory = { .code = GT_ERROR_OUT_OF_MEMORY, .message = "out of memory" };

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double cost_of(const GtBatchJob* job)
{
    return job_cost + (double)job->size;
}

// A motion of several files may change without the one that is named doing so.
static uint64_t key_of(const GtBatchDef* def, const GtBatchJob* job)
{
    if (!job->is_file || gti_path_has_extension(job->path, "gltf")) {
        return 0;
    }
    const int32_t number_count = GTI_CLIP_NUMBER_COUNT; // of a line in the journal
    uint64_t key = gti_hash(def->setup, &number_count, sizeof number_count);
    key = gti_hash(key, job->path, strlen(job->path) + 1);
    key = gti_hash(key, job->output, strlen(job->output) + 1);
    key = gti_hash(key, &job->size, sizeof job->size);
    key = gti_hash(key, &job->modified_ns, sizeof job->modified_ns);
    return key ? key : 1;
}

static bool stat_output(const char* path, int64_t* size, int64_t* modified_ns)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    *size = (int64_t)status.st_size;
    *modified_ns = gti_file_modified_ns(&status);
    return true;
}

// "3/10, 1 failed, 2.1/s, 12:05 left", or "3 h 20 min left".
static void print_progress(const GtiBatchRun* b, double now, char* out, size_t size)
{
    const GtBatch* r = &b->result;
    int32_t worked = r->done_count + r->failed_count;
    double seconds = now - b->started_s;
    int used = snprintf(out, size, "%d/%d", (int)(worked + r->kept_count), (int)r->job_count);
    if (r->failed_count) {
        used += snprintf(out + used, size - (size_t)used, ", %d failed", (int)r->failed_count);
    }
    if (worked && seconds > 0.0) {
        double rate = worked / seconds;
        long left = lround(fmin(seconds * (b->cost - b->done_cost) / b->done_cost, 1e9));
        used += gti_format(out + used, size - (size_t)used, rate < 100.0 ? ", %.3g/s, " : ", %.0f/s, ", rate);
        if (left >= 3600) {
            snprintf(out + used, size - (size_t)used, "%ld h %02ld min left", left / 3600, left / 60 % 60);
        } else {
            snprintf(out + used, size - (size_t)used, "%ld:%02ld left", left / 60, left % 60);
        }
    }
}

// Called with the lock held.
static void show_progress(GtiBatchRun* b)
{
    double now = now_s();
    if (b->context->progress && now - b->shown_s >= step_s) {
        char words[128];
        print_progress(b, now, words, sizeof words);
        b->is_cancelled |= !b->context->progress(b->context->progress_user, words, b->done_cost / b->cost);
        b->shown_s = now;
    }
}

static bool on_job_progress(void* user, const char* task, double fraction)
{
    (void)task;
    (void)fraction;
    GtiBatchRun* b = user;
    pthread_mutex_lock(&b->lock);
    show_progress(b);
    bool goes_on = !b->is_cancelled;
    pthread_mutex_unlock(&b->lock);
    return goes_on;
}

static bool is_same_remark(const GtDiagnostic* a, const GtDiagnostic* b)
{
    return a->severity == b->severity && !strcmp(a->file, b->file) && !strcmp(a->where, b->where) &&
           !strcmp(a->message, b->message);
}

// Whether one of the first `most` remarks of a list is the same.
static bool list_has(const GtiRemark* list, int32_t most, const GtDiagnostic* said)
{
    for (int32_t i = 0; list && i < most; ++i, list = list->next) {
        if (is_same_remark(&list->said, said)) {
            return true;
        }
    }
    return false;
}

static GtiRemark* copy_remark(GtArena* arena, const GtDiagnostic* said)
{
    GtiRemark* remark = gt_arena_push_array(arena, 1, sizeof *remark);
    if (remark) {
        remark->said = (GtDiagnostic){ said->severity, gt_arena_push_text(arena, said->file, strlen(said->file)),
                                       gt_arena_push_text(arena, said->where, strlen(said->where)),
                                       gt_arena_push_text(arena, said->message, strlen(said->message)) };
    }
    return remark && remark->said.file && remark->said.where && remark->said.message ? remark : NULL;
}

// What a job says is kept beside its clips. Called on the job's own thread; without memory it is dropped.
static void on_job_diagnostic(void* user, const GtDiagnostic* said)
{
    GtiBatchOutcome* outcome = user;
    if (list_has(outcome->remarks, MOST_COMPARED, said)) {
        return;
    }
    GtiRemark* remark = copy_remark(&outcome->clips.arena, said);
    if (remark) {
        *outcome->remarks_end = remark;
        outcome->remarks_end = &remark->next;
    }
}

// Pass on what all jobs up to the first that is not over have said. Called with the lock held.
static void tell(GtiBatchRun* b)
{
    for (; b->told_count < b->result.job_count && b->outcomes[b->told_count].is_over; ++b->told_count) {
        const GtBatchJob* job = &b->def.list->jobs[b->told_count];
        GtiBatchOutcome* outcome = &b->outcomes[b->told_count];
        for (const GtiRemark* remark = outcome->remarks; remark; remark = remark->next) {
            const GtDiagnostic* said = &remark->said;
            bool is_own = !strcmp(said->file, job->path) || !strcmp(said->file, job->output);
            if (!is_own && list_has(b->told, INT32_MAX, said)) {
                continue;
            }
            GtiRemark* copy = is_own ? NULL : copy_remark(&b->arena, said);
            if (copy) {
                copy->next = b->told;
                b->told = copy;
            }
            if (b->context->diagnose) {
                b->context->diagnose(b->context->diagnose_user, said);
            }
        }
        outcome->remarks = NULL;
    }
}

// Called with the lock held.
static void write_down(GtiBatchRun* b, int32_t i)
{
    GtiJournalEntry entry = { .key = b->keys[i], .clips = b->outcomes[i].clips };
    if (b->journal_failed || !entry.key ||
        !stat_output(b->def.list->jobs[i].output, &entry.output_size, &entry.output_modified_ns)) {
        return;
    }
    if (!gti_journal_add(&b->journal, &entry)) {
        b->journal_failed = true;
        gti_warn(b->context, b->def.folder, NULL,
                 "what is done cannot be written down (%s), so it will be done again when the batch is resumed",
                 strerror(errno));
    }
}

static GtResult call_job(GtiBatchRun* b, int32_t i, GtError* error)
{
    const GtBatchJob* job = &b->def.list->jobs[i];
    GtiBatchOutcome* outcome = &b->outcomes[i];
    GtContext context = *b->context;
    context.diagnose = on_job_diagnostic;
    context.diagnose_user = outcome;
    context.progress = on_job_progress;
    context.progress_user = b;
    if (!gti_folder_make(job->output, true)) {
        gti_fail(error, GT_ERROR_IO, "its folder could not be made: %s", strerror(errno));
        gti_error_set_file(error, job->output);
        return GT_ERROR_IO;
    }
    return b->def.run(b->def.user, &context, job, &outcome->clips, error);
}

static void do_job(GtiBatchRun* b, int32_t i)
{
    GtError error = { 0 };
    GtResult result = call_job(b, i, &error);
    pthread_mutex_lock(&b->lock);
    GtiBatchOutcome* outcome = &b->outcomes[i];
    outcome->is_over = result != GT_ERROR_CANCELLED;
    if (outcome->is_over) {
        b->done_cost += cost_of(&b->def.list->jobs[i]);
    }
    if (result == GT_OK) {
        ++b->result.done_count;
        write_down(b, i);
    } else {
        outcome->clips.first = outcome->clips.last = NULL; // of a job that failed half-way
        outcome->clips.count = 0;
    }
    if (result != GT_OK && outcome->is_over) {
        ++b->result.failed_count;
        GtError* copy = gt_arena_push(&b->arena, sizeof *copy);
        if (copy) {
            *copy = error;
        }
        b->errors[i] = copy ? copy : &no_memory;
    }
    tell(b);
    show_progress(b);
    pthread_mutex_unlock(&b->lock);
}

static void do_range(void* data, int32_t first, int32_t end)
{
    GtiBatchRun* b = data;
    for (int32_t i = first; i < end; ++i) {
        if (!b->outcomes[i].is_kept && on_job_progress(b, NULL, 0.0)) {
            do_job(b, i);
        }
    }
}

typedef struct KeyedJob {
    uint64_t key;
    int32_t job;
} KeyedJob;

static int compare_keys(const void* left, const void* right)
{
    const KeyedJob* a = left;
    const KeyedJob* b = right;
    return (a->key > b->key) - (a->key < b->key);
}

// Take over what the journal has of motions, setup and outputs as they are now.
static GtResult keep_done(GtiBatchRun* b, GtError* error)
{
    size_t count = (size_t)b->result.job_count;
    KeyedJob* sorted = gt_arena_push_array(&b->arena, count, sizeof *sorted);
    if (!sorted) {
        return gti_out_of_memory(error);
    }
    for (size_t i = 0; i < count; ++i) {
        sorted[i] = (KeyedJob){ b->keys[i], (int32_t)i };
    }
    qsort(sorted, count, sizeof *sorted, compare_keys);
    GtiJournalEntry entry;
    for (size_t at = 0; gti_journal_next(&b->journal, b->context->allocator, &at, &entry);) {
        const KeyedJob* found =
            entry.key ? bsearch(&(KeyedJob){ entry.key, 0 }, sorted, count, sizeof *sorted, compare_keys) : NULL;
        int64_t size = 0;
        int64_t modified_ns = 0;
        if (!found || !stat_output(b->def.list->jobs[found->job].output, &size, &modified_ns) ||
            size != entry.output_size || modified_ns != entry.output_modified_ns) {
            gti_clips_destroy(&entry.clips);
            continue;
        }
        GtiBatchOutcome* outcome = &b->outcomes[found->job];
        gti_clips_destroy(&outcome->clips);
        outcome->clips = entry.clips;
        b->result.kept_count += !outcome->is_kept;
        outcome->is_kept = outcome->is_over = true;
    }
    return GT_OK;
}

// Remove what a killed run has left half-written. The journal is locked, so no other run is at it.
static GtResult remove_drafts(const GtiBatchRun* b, GtError* error)
{
    GtText folder = { 0 };
    gti_drafts_sweep(b->def.folder, NULL);
    for (int32_t i = 0; i < b->result.job_count && !folder.failed; ++i) {
        const char* output = b->def.list->jobs[i].output;
        size_t length = gti_path_directory_length(output);
        if (length != folder.size || strncmp(output, folder.bytes, length) != 0) {
            gt_text_destroy(&folder);
            gt_text_add(&folder, output, length);
            if (!folder.failed) {
                gti_drafts_sweep(folder.bytes, NULL);
            }
        }
    }
    GtResult result = folder.failed ? gti_out_of_memory(error) : GT_OK;
    gt_text_destroy(&folder);
    return result;
}

// The path of a file in the folder of the results, or NULL when memory ran out.
static const char* path_in_folder(GtiBatchRun* b, const char* name)
{
    GtText path = { .arena = &b->arena };
    size_t length = strlen(b->def.folder);
    gt_text_addf(&path, "%s%s%s", b->def.folder, length && b->def.folder[length - 1] == '/' ? "" : "/", name);
    return gt_text_finish(&path);
}

static GtResult open_journal(GtiBatchRun* b, GtError* error)
{
    const char* path = path_in_folder(b, journal_name);
    if (!path) {
        return gti_out_of_memory(error);
    }
    if (gti_journal_open(&b->journal, path, b->def.resume)) {
        return GT_OK;
    }
    gti_fail(error, GT_ERROR_IO, "%s",
             errno == EWOULDBLOCK ? "another run writes to this folder; wait for it, or choose another folder"
                                  : strerror(errno));
    gti_error_set_file(error, path);
    return GT_ERROR_IO;
}

static GtResult open_batch(GtiBatchRun* b, GtError* error)
{
    size_t count = (size_t)b->result.job_count;
    b->outcomes = gt_arena_push_array(&b->arena, count, sizeof *b->outcomes);
    b->errors = gt_arena_push_array(&b->arena, count, sizeof *b->errors);
    b->keys = gt_arena_push_array(&b->arena, count, sizeof *b->keys);
    if (!b->outcomes || !b->errors || !b->keys) {
        b->outcomes = NULL;
        return gti_out_of_memory(error);
    }
    for (size_t i = 0; i < count; ++i) {
        GT_ASSERT(b->def.list->jobs[i].output);
        b->outcomes[i].clips.arena = gt_arena_create(b->context->allocator);
        b->outcomes[i].remarks_end = &b->outcomes[i].remarks;
        b->keys[i] = key_of(&b->def, &b->def.list->jobs[i]);
    }
    if (!gti_folder_make(b->def.folder, false)) {
        return gti_fail(error, GT_ERROR_IO, "the folder could not be made: %s", strerror(errno));
    }
    GtResult result = open_journal(b, error);
    result = result == GT_OK ? remove_drafts(b, error) : result;
    return result == GT_OK && b->def.resume ? keep_done(b, error) : result;
}

static GtResult write_text(GtiBatchRun* b, GtText text, const char* name, GtError* error)
{
    const char* path = path_in_folder(b, name);
    GtResult result = path && !text.failed
                          ? gti_file_write(b->context, path, &(GtiSpan){ text.bytes, text.size }, 1, error)
                          : gti_out_of_memory(error);
    gt_text_destroy(&text);
    return result;
}

static GtiBatchReport report_of(const GtiBatchRun* b, GtArena* scratch)
{
    return (GtiBatchReport){ b->def.character, b->def.list, b->outcomes, b->errors, scratch };
}

static GtResult write_reports(GtiBatchRun* b, GtError* error)
{
    GtArena scratch = gt_arena_create(b->context->allocator);
    const GtiBatchReport report = report_of(b, &scratch);
    GtResult result = write_text(b, gti_batch_json(&report), "report.json", error);
    result = result == GT_OK ? write_text(b, gti_batch_page(&report), "report.html", error) : result;
    gt_arena_destroy(&scratch);
    return result;
}

static GtResult run_jobs(GtiBatchRun* b, GtError* error)
{
    GtBatch* r = &b->result;
    for (int32_t i = 0; i < r->job_count; ++i) {
        b->cost += b->outcomes[i].is_kept ? 0.0 : cost_of(&b->def.list->jobs[i]);
    }
    b->started_s = now_s();
    gt_executor_run(&b->context->executor, r->job_count, 1, do_range, b);
    tell(b);
    r->seconds = now_s() - b->started_s;
    int32_t left = r->job_count - r->done_count - r->kept_count - r->failed_count;
    if (left > 0) {
        return gti_fail(error, GT_ERROR_CANCELLED, "cancelled with %d motions to do; the batch can be resumed",
                        (int)left);
    }
    return b->def.report ? write_reports(b, error) : GT_OK;
}

GtBatchDef gt_default_batch_def(void)
{
    return (GtBatchDef){ 0 };
}

GtResult gt_batch_run(const GtContext* context, const GtBatchDef* def, GtBatch** out, GtError* error)
{
    *out = NULL;
    if (!def || !def->list || !def->folder || !def->run) {
        return gti_fail(error, GT_ERROR_BAD_VALUE, "a batch needs a list, a folder and a function");
    }
    GtArena arena = gt_arena_create(context->allocator);
    GtiBatchRun* b = gt_arena_push_array(&arena, 1, sizeof *b);
    if (!b) {
        return gti_out_of_memory(error);
    }
    *b = (GtiBatchRun){ .context = context, .def = *def, .journal = { .file = -1 }, .arena = arena };
    b->result = (GtBatch){ .job_count = def->list->count, .run = b };
    pthread_mutex_init(&b->lock, NULL);
    GtResult result = open_batch(b, error);
    if (result == GT_OK) {
        b->result.errors = b->errors;
        *out = &b->result;
        result = run_jobs(b, error);
    }
    gti_journal_close(&b->journal);
    if (!*out) {
        gt_batch_destroy(&b->result);
    }
    if (result != GT_OK) {
        gti_error_set_file(error, def->folder);
    }
    return result;
}

void gt_batch_write(GtJsonWriter* json, const GtBatch* batch)
{
    const GtiBatchReport report = report_of(batch->run, NULL);
    gti_batch_write_clips(json, &report);
    gt_json_member_integer(json, "motions", batch->job_count);
    gt_json_member_integer(json, "done", batch->done_count);
    gt_json_member_integer(json, "kept", batch->kept_count);
    gti_batch_write_failures(json, &report);
}

void gt_batch_destroy(GtBatch* batch)
{
    if (!batch) {
        return;
    }
    GtiBatchRun* b = batch->run;
    for (int32_t i = 0; b->outcomes && i < batch->job_count; ++i) {
        gti_clips_destroy(&b->outcomes[i].clips);
    }
    pthread_mutex_destroy(&b->lock);
    gt_arena_destroy(&b->arena);
}
