// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie: the same work on many files.
///
/// A batch: the same work on many motions, each into a file of its own, on all threads. A motion is one thread's, so as
/// many are in memory as there are threads. Results do not depend on the number of threads, on what else is in the
/// batch, or on how often it was stopped: it goes on where it was, after a crash, too.
///
/// What is done to a motion is the caller's function; gt_batch_run() has it called, keeps a journal of what is done in
/// the folder of the results, and writes one report of all clips, report.json and report.html, worst first.
///
/// **Threads.** A batch runs its motions on the threads of the context's executor. Two batches may run at once, into
/// folders that differ.

#ifndef GERTIE_BATCH_H
#define GERTIE_BATCH_H

#include "gertie/json_write.h"
#include "gertie/measure.h"

GT_EXTERN_C_BEGIN

/// One motion to be worked on.
typedef struct GtBatchJob {
    const char* path;    ///< of the file that is read
    const char* name;    ///< the end of `path` that its result is named for: below a folder that was given, or its base
    const char* output;  ///< path of the result, or NULL where no results are named
    bool is_file;        ///< a plain file that is there, of which what follows is known
    int64_t size;        ///< bytes
    int64_t modified_ns; ///< since 1970
} GtBatchJob;

/// Motions of a batch; free with gt_batch_list_destroy().
typedef struct GtBatchList {
    GtBatchJob* jobs; ///< [count]
    int32_t count;
    int32_t capacity; ///< private
    GtArena arena;    ///< private
} GtBatchList;

/// Which motions a batch has.
typedef struct GtBatchListDef {
    const char* const* paths; ///< [path_count] files; a folder stands for every motion in it and below it, by name
    int32_t path_count;
    const char* character; ///< a file that every job reads, or NULL: left out of folders, and never replaced
    const char* output;    ///< where results go, or NULL; it need not be there, and is left out of folders
    bool names_outputs;    ///< `output` is a folder, in which each motion has a .glb named for it
} GtBatchListDef;

GT_API GtBatchListDef gt_default_batch_list_def(void); ///< no motions; results without names

/// List the motions of a batch. Of a folder, files that are no motions which Gertie reads are left out, and a warning
/// says which.
/// @param out  receives the list, or NULL on failure; free with gt_batch_list_destroy()
/// @return GT_ERROR_BAD_VALUE where two results would be one file, or one would replace what it is made from
GT_API GtResult gt_batch_list_create(const GtContext* context, const GtBatchListDef* def, GtBatchList** out,
                                     GtError* error);

/// Free a list; `list` may be NULL.
GT_API void gt_batch_list_destroy(GtBatchList* list);

/// Clips that a job has made.
typedef struct GtBatchClips GtBatchClips;

/// List a clip that a job has made. Everything is copied.
/// @param row      a JSON object on one line with everything about the clip, for report.json
/// @param measure  how good it is, or NULL
GT_API GtResult gt_batch_add_clip(GtBatchClips* clips, const char* name, const char* row, const GtMeasure* measure,
                                  GtError* error);

/// How a batch runs.
typedef struct GtBatchDef {
    const GtBatchList* list; ///< with results named
    const char* character;   ///< file that every job reads, for the report
    const char* folder;      ///< of the results; made where it is not there
    uint64_t setup;          ///< gt_hash_bytes() of everything but the motion that a result depends on
    bool resume;             ///< leave what is done, where motion, setup and result are as they were
    bool report;             ///< write report.json and report.html; the clips have measures
    /// Do one motion: write its output, and list its clips. On failure no output is left. Called from several threads
    /// at once. Its context passes warnings on in the order of the jobs; those about files that are not the job's own
    /// once only.
    GtResult (*run)(void* user, const GtContext* context, const GtBatchJob* job, GtBatchClips* clips, GtError* error);
    void* user;
} GtBatchDef;

GT_API GtBatchDef gt_default_batch_def(void); ///< all motions anew, without a report

/// What became of a batch; free with gt_batch_destroy().
typedef struct GtBatch {
    int32_t job_count;
    int32_t done_count;           ///< now
    int32_t kept_count;           ///< before, and left as they were
    int32_t failed_count;         ///< the rest was not begun or not finished when the batch was cancelled
    double seconds;               ///< that it took
    const GtError* const* errors; ///< [job_count] why each failed, or NULL
    struct GtiBatchRun* run;      ///< private
} GtBatch;

/// Run a batch. Motions that fail do not keep the others. The context's functions are called from any thread, one at a
/// time; its progress function gets how many are done, how fast, and the time that is left.
/// @param out  receives what became of it, also where it was cancelled or its report could not be written; NULL where
///             it could not begin
GT_API GtResult gt_batch_run(const GtContext* context, const GtBatchDef* def, GtBatch** out, GtError* error);

/// Write its clips, counts and failures as members of the object that is open in `json`.
GT_API void gt_batch_write(GtJsonWriter* json, const GtBatch* batch);

/// Free what gt_batch_run() gave; `batch` may be NULL.
GT_API void gt_batch_destroy(GtBatch* batch);

/// @name Telling whether something has changed
/// FNV-1a, going on from the hash of what came before; start from 0.
/// @{
GT_API uint64_t gt_hash_bytes(uint64_t hash, const void* bytes, size_t size);
GT_API uint64_t gt_hash_file(uint64_t hash, const char* path); ///< of its bytes; `hash` where it cannot be read
/// @}

GT_EXTERN_C_END

#endif
