// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The executor hands out motions in their order. Each has a session of its own, whose words are passed on whole and in
// the order of the motions. A motion that is done is in its place before the journal says so: a program that is killed
// in between does it again, to the same bytes.

#include "batch.h"

#include "fail.h"
#include "interrupt.h"
#include "journal.h"

#include "gertie/file.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

static const char journal_name[] = ".gertie-batch";
static const double line_every_s = 30.0;        // of progress, where there is no terminal
static const double motion_cost = 256.0 * 1024; // what any motion takes, as bytes of one that is read

typedef struct Batch {
    Session* session;
    const BatchDef* def;
    const MotionList* motions;
    Outcome* outcomes;  // [motions->count]
    bool* kept;         // [motions->count] done before
    uint64_t* keys;     // [motions->count] or 0 where it cannot be told whether a motion has changed
    Session** finished; // [motions->count] that have words to pass on
    bool* over;         // [motions->count] done, failed or kept
    Journal journal;
    bool journal_failed;
    GtArena arena;
    const char** said; // [said_count] about the character, which every motion would repeat
    int said_count, said_capacity;

    pthread_mutex_t lock; // guards what follows, `finished`, `over`, `said`, the journal and the session
    int told;             // motions whose words have been passed on
    int done_count, kept_count, failed_count;
    double cost, done_cost; // of what is to be done now
    double started_s, line_s;
} Batch;

static GtError no_memory = { .code = GT_ERROR_OUT_OF_MEMORY, .message = "out of memory" };

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool out_of_memory(Session* session, const char* file)
{
    GtError error;
    fail(&error, GT_ERROR_OUT_OF_MEMORY, file, "out of memory");
    return session_fail(session, &error);
}

static double cost_of(const Motion* motion)
{
    return motion_cost + (double)motion->size;
}

// A motion of several files may change without the one that is named doing so.
static uint64_t key_of(const BatchDef* def, const Motion* motion)
{
    const char* ending = strrchr(motion->path, '.');
    if (!motion->is_file || (ending && !strcasecmp(ending, ".gltf"))) {
        return 0;
    }
    uint64_t key = hash_bytes(def->setup, motion->path, strlen(motion->path) + 1);
    key = hash_bytes(key, motion->output, strlen(motion->output) + 1);
    key = hash_bytes(key, &motion->size, sizeof motion->size);
    key = hash_bytes(key, &motion->modified_ns, sizeof motion->modified_ns);
    return key ? key : 1;
}

static bool stat_output(const char* path, int64_t* size, int64_t* modified_ns)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return false;
    }
    *size = (int64_t)status.st_size;
    *modified_ns = file_modified_ns(&status);
    return true;
}

// "12:05", "3 h 20 min".
static void add_time(Text* text, double seconds)
{
    long whole = lround(fmin(seconds, 1e9));
    if (whole >= 3600) {
        text_addf(text, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
    } else {
        text_addf(text, "%ld:%02ld", whole / 60, whole % 60);
    }
}

static void add_progress(Text* text, const Batch* b, double now)
{
    int worked = b->done_count + b->failed_count;
    double seconds = now - b->started_s;
    text_addf(text, "%d/%d", worked + b->kept_count, b->motions->count);
    if (b->failed_count) {
        text_addf(text, ", %d failed", b->failed_count);
    }
    if (worked && seconds > 0.0) {
        double rate = worked / seconds;
        text_addf(text, rate < 100.0 ? ", %.3g/s, " : ", %.0f/s, ", rate);
        add_time(text, seconds * (b->cost - b->done_cost) / b->done_cost);
        text_adds(text, " left");
    }
}

// Called with the lock held.
static void show_progress(Batch* b)
{
    double now = now_s();
    Session* session = b->session;
    bool line_due = !session->draws && now - b->line_s > line_every_s;
    if (!session->draws && !line_due) {
        return;
    }
    Text words = { 0 };
    add_progress(&words, b, now);
    if (!words.failed && line_due) {
        session_say(session, "%s", words.bytes);
        b->line_s = now;
    } else if (!words.failed) {
        session_show_progress(session, b->done_cost / b->cost, words.bytes);
    }
    text_free(&words);
}

static void on_step(void* user)
{
    Batch* b = user;
    if (pthread_mutex_trylock(&b->lock) == 0) { // another thread shows it otherwise
        show_progress(b);
        pthread_mutex_unlock(&b->lock);
    }
}

// What is said of the character is the same for every motion, or nearly so.
static bool is_said(void* user, const Remark* remark)
{
    Batch* b = user;
    if (strcmp(remark->file, b->def->character) != 0) {
        return false;
    }
    for (int i = 0; i < b->said_count; ++i) {
        if (!strcmp(b->said[i], remark->message)) {
            return true;
        }
    }
    if (b->said_count < b->said_capacity) {
        const char* copy = gt_arena_push_text(&b->arena, remark->message, strlen(remark->message));
        if (copy) {
            b->said[b->said_count++] = copy;
        }
    }
    return false;
}

// Pass on the words of all motions up to the first that is not over. Called with the lock held.
static void tell(Batch* b)
{
    GtAllocator allocator = gt_default_allocator();
    for (; b->told < b->motions->count && b->over[b->told]; ++b->told) {
        Session* job = b->finished[b->told];
        if (job) {
            session_tell_job(b->session, job, is_said, b);
            session_end_job(job);
            allocator.release(allocator.user, job);
            b->finished[b->told] = NULL;
        }
    }
}

// Called with the lock held.
static void write_down(Batch* b, int i)
{
    JournalEntry entry = { .key = b->keys[i], .clips = b->outcomes[i].clips };
    if (b->journal_failed || !entry.key ||
        !stat_output(b->motions->items[i].output, &entry.output_size, &entry.output_modified_ns)) {
        return;
    }
    if (!journal_add(&b->journal, &entry)) {
        b->journal_failed = true;
        session_warn(b->session, b->def->folder,
                     "what is done cannot be written down (%s), so --resume will do it again", strerror(errno));
    }
}

static void keep_error(Outcome* outcome, const GtError* error)
{
    GtAllocator allocator = gt_default_allocator();
    outcome->error = allocator.allocate(allocator.user, sizeof *error);
    if (outcome->error) {
        *outcome->error = *error;
    } else {
        outcome->error = &no_memory;
    }
}

static void do_motion(Batch* b, int i)
{
    GtAllocator allocator = gt_default_allocator();
    const Motion* motion = &b->motions->items[i];
    Outcome* outcome = &b->outcomes[i];
    Session* job = allocator.allocate(allocator.user, sizeof *job);
    GtError error;
    bool ok = false;
    if (!job) {
        fail(&error, GT_ERROR_OUT_OF_MEMORY, motion->path, "out of memory");
    } else {
        session_begin_job(job, b->session, on_step, b);
        ok = folder_make(motion->output, true);
        if (!ok) {
            fail(&error, GT_ERROR_IO, motion->output, "its folder could not be made: %s", strerror(errno));
        } else {
            ok = b->def->work(job, b->def->user, motion, &outcome->clips);
            error = job->error;
        }
    }
    pthread_mutex_lock(&b->lock);
    b->finished[i] = job;
    b->over[i] = ok || error.code != GT_ERROR_CANCELLED;
    b->done_cost += b->over[i] ? cost_of(motion) : 0.0;
    if (ok) {
        ++b->done_count;
        write_down(b, i);
    } else {
        clips_free(&outcome->clips);
        if (b->over[i]) {
            ++b->failed_count;
            keep_error(outcome, &error);
        }
    }
    tell(b);
    show_progress(b);
    pthread_mutex_unlock(&b->lock);
}

static void do_range(void* data, int32_t first, int32_t end)
{
    Batch* b = data;
    for (int32_t i = first; i < end; ++i) {
        if (!b->kept[i] && !interrupt_signal()) {
            do_motion(b, i);
        }
    }
}

typedef struct KeyedMotion {
    uint64_t key;
    int motion;
} KeyedMotion;

static int compare_keys(const void* left, const void* right)
{
    const KeyedMotion* a = left;
    const KeyedMotion* b = right;
    return (a->key > b->key) - (a->key < b->key);
}

// Take over what the journal has of motions, options and outputs as they are now.
static bool keep_done(Batch* b)
{
    int count = b->motions->count;
    KeyedMotion* sorted = gt_arena_push_array(&b->arena, (size_t)count, sizeof *sorted);
    if (!sorted) {
        return out_of_memory(b->session, b->def->folder);
    }
    for (int i = 0; i < count; ++i) {
        sorted[i] = (KeyedMotion){ b->keys[i], i };
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_keys);
    JournalEntry entry;
    for (size_t at = 0; journal_next(&b->journal, &at, &entry);) {
        const KeyedMotion* found =
            entry.key ? bsearch(&(KeyedMotion){ entry.key, 0 }, sorted, (size_t)count, sizeof *sorted, compare_keys)
                      : NULL;
        int64_t size = 0;
        int64_t modified_ns = 0;
        if (!found || !stat_output(b->motions->items[found->motion].output, &size, &modified_ns) ||
            size != entry.output_size || modified_ns != entry.output_modified_ns) {
            clips_free(&entry.clips);
            continue;
        }
        clips_free(&b->outcomes[found->motion].clips);
        b->outcomes[found->motion].clips = entry.clips;
        b->kept_count += !b->kept[found->motion];
        b->kept[found->motion] = true;
        b->over[found->motion] = true;
    }
    return true;
}

// Whether a name is that of a file in the making: "walk.glb.unfinished-4711-0".
static bool is_draft(const char* name)
{
    const char* mark = strstr(name, ".unfinished-");
    return mark && strspn(mark + 12, "0123456789-") == strlen(mark + 12);
}

static void remove_drafts(const char* folder)
{
    DIR* directory = opendir(folder);
    for (struct dirent* entry; directory && (entry = readdir(directory));) {
        if (is_draft(entry->d_name)) {
            unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    if (directory) {
        closedir(directory);
    }
}

// Remove what a killed run has left half-written. The journal is locked, so no other run is at it.
static bool clean_folders(const Batch* b)
{
    Text last = { 0 };
    text_adds(&last, "");
    remove_drafts(b->def->folder);
    for (int i = 0; i < b->motions->count && !last.failed; ++i) {
        const char* output = b->motions->items[i].output;
        size_t length = (size_t)(strrchr(output, '/') - output);
        if (length != last.size || strncmp(output, last.bytes, length) != 0) {
            text_free(&last);
            text_add(&last, output, length);
            if (!last.failed) {
                remove_drafts(last.bytes);
            }
        }
    }
    bool ok = !last.failed || out_of_memory(b->session, b->def->folder);
    text_free(&last);
    return ok;
}

static bool open_batch(Batch* b)
{
    const BatchDef* def = b->def;
    size_t count = (size_t)b->motions->count;
    b->outcomes = gt_arena_push_array(&b->arena, count, sizeof *b->outcomes);
    b->kept = gt_arena_push_array(&b->arena, count, sizeof *b->kept);
    b->over = gt_arena_push_array(&b->arena, count, sizeof *b->over);
    b->keys = gt_arena_push_array(&b->arena, count, sizeof *b->keys);
    b->finished = gt_arena_push_array(&b->arena, count, sizeof *b->finished);
    b->said_capacity = 64;
    b->said = gt_arena_push_array(&b->arena, (size_t)b->said_capacity, sizeof *b->said);
    Text path = { 0 };
    text_addf(&path, "%s/%s", def->folder, journal_name);
    if (!b->outcomes || !b->kept || !b->over || !b->keys || !b->finished || !b->said || path.failed) {
        text_free(&path);
        return out_of_memory(b->session, def->folder);
    }
    for (size_t i = 0; i < count; ++i) {
        b->outcomes[i].clips.arena = gt_arena_create(gt_default_allocator());
        b->keys[i] = key_of(def, &b->motions->items[i]);
    }
    bool ok = journal_open(&b->journal, path.bytes, def->resume);
    if (!ok) {
        GtError error;
        fail(&error, GT_ERROR_IO, path.bytes, "%s",
             errno == EWOULDBLOCK ? "another run writes to this folder; wait for it, or choose another folder"
                                  : strerror(errno));
        session_fail(b->session, &error);
    }
    text_free(&path);
    return ok && clean_folders(b) && (!def->resume || keep_done(b));
}

static void close_batch(Batch* b)
{
    GtAllocator allocator = gt_default_allocator();
    for (int i = 0; b->outcomes && i < b->motions->count; ++i) {
        clips_free(&b->outcomes[i].clips);
        if (b->outcomes[i].error != &no_memory) {
            allocator.release(allocator.user, b->outcomes[i].error);
        }
        if (b->finished && b->finished[i]) { // it was interrupted
            session_end_job(b->finished[i]);
            allocator.release(allocator.user, b->finished[i]);
        }
    }
    journal_close(&b->journal);
    gt_arena_destroy(&b->arena);
}

static bool write_report(Batch* b, const char* name, void (*add)(Text* text, const BatchReport* report))
{
    const BatchReport report = { b->def->character, b->def->folder, b->motions, b->outcomes };
    GtError error = { 0 };
    Text path = { 0 };
    Text text = { 0 };
    text_addf(&path, "%s%s%s", b->def->folder, b->def->folder[strlen(b->def->folder) - 1] == '/' ? "" : "/", name);
    add(&text, &report);
    bool ok = (!path.failed && !text.failed) || out_of_memory(b->session, b->def->folder);
    if (ok && gt_file_write(&b->session->context, path.bytes, text.bytes, text.size, &error) != GT_OK) {
        error_set_file(&error, path.bytes);
        ok = session_fail(b->session, &error);
    }
    if (ok) {
        json_string(&b->session->report, path.bytes);
    }
    text_free(&path);
    text_free(&text);
    return ok;
}

static void report_clips(const Batch* b)
{
    Json* json = &b->session->report;
    json_key(json, "clips");
    json_begin_array(json);
    for (int i = 0; i < b->motions->count; ++i) {
        const ClipList* clips = &b->outcomes[i].clips;
        for (int k = 0; k < clips->count; ++k) {
            json_raw(json, clips->items[k].row);
        }
    }
    json_end_array(json);
    json_member_integer(json, "motions", b->motions->count);
    json_member_integer(json, "done", b->done_count);
    json_member_integer(json, "kept", b->kept_count);
    json_key(json, "failures");
    json_begin_array(json);
    for (int i = 0; i < b->motions->count; ++i) {
        if (b->outcomes[i].error) {
            json_next_is_row(json);
            json_begin_object(json);
            json_member_string(json, "motion", b->motions->items[i].path);
            session_report_error(json, b->outcomes[i].error, STATUS_FAILED);
            json_end_object(json);
        }
    }
    json_end_array(json);
}

// The closing words: what was done, then what was not and why.
static bool conclude(Batch* b)
{
    bool stopped = b->done_count + b->kept_count + b->failed_count < b->motions->count;
    Session* session = b->session;
    report_clips(b);
    bool ok = true;
    if (b->def->report && !stopped) {
        json_key(&session->report, "reports");
        json_begin_array(&session->report);
        ok = write_report(b, "report.json", batch_add_json) && write_report(b, "report.html", batch_add_page);
        json_end_array(&session->report);
    }
    char before[48] = "";
    if (b->kept_count) {
        snprintf(before, sizeof before, ", %d done before", b->kept_count);
    }
    session_say(session, "%s: %d of %d motion%s done%s%s", b->def->folder, b->done_count + b->kept_count,
                b->motions->count, b->motions->count == 1 ? "" : "s", before,
                b->def->report && !stopped && ok ? "; report.html shows how well" : "");
    for (int i = 0; i < b->motions->count; ++i) {
        if (b->outcomes[i].error) {
            ok = session_fail(session, b->outcomes[i].error);
        }
    }
    if (stopped) {
        GtError error;
        fail(&error, GT_ERROR_CANCELLED, b->def->folder, "stopped with %d motions to do; --resume goes on from here",
             b->motions->count - b->done_count - b->kept_count - b->failed_count);
        ok = session_fail(session, &error);
    }
    return ok;
}

bool batch_run(Session* session, const BatchDef* def)
{
    Batch batch = { .session = session,
                    .def = def,
                    .motions = def->motions,
                    .journal = { .file = -1 },
                    .arena = gt_arena_create(gt_default_allocator()) };
    pthread_mutex_init(&batch.lock, NULL);
    bool ok = open_batch(&batch);
    if (ok) {
        for (int i = 0; i < def->motions->count; ++i) {
            batch.cost += batch.kept[i] ? 0.0 : cost_of(&def->motions->items[i]);
        }
        batch.started_s = batch.line_s = now_s();
        gt_executor_run(&session->context.executor, def->motions->count, 1, do_range, &batch);
        tell(&batch);
        ok = conclude(&batch);
    }
    close_batch(&batch);
    pthread_mutex_destroy(&batch.lock);
    return ok;
}
