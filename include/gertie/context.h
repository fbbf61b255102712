// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: what authoring calls work with.
///
/// What authoring calls work with: memory, threads, a place for warnings, progress and cancelling, a seed.
/// Frame calls take no context and allocate nothing.
///
/// **Threads.** A context may be shared by calls that run at once, if its functions may be called from several threads
/// at once.

#ifndef GERTIE_CONTEXT_H
#define GERTIE_CONTEXT_H

#include "gertie/error.h"
#include "gertie/executor.h"
#include "gertie/memory.h"

GT_EXTERN_C_BEGIN

/// How much a diagnostic matters.
typedef enum GtSeverity {
    GT_SEVERITY_NOTE,    ///< a decision the user may want to know: units inferred, a T-pose found
    GT_SEVERITY_WARNING, ///< something was wrong in the data and has been repaired or left out
} GtSeverity;

/// One sentence about the data. The texts live only as long as the call that reports them.
typedef struct GtDiagnostic {
    GtSeverity severity;
    const char* file;    ///< file at issue, or ""
    const char* where;   ///< place in it, or ""
    const char* message; ///< one sentence, no full stop, no newline
} GtDiagnostic;

/// Everything an authoring call needs from its caller. Plain data: start from gt_default_context() and change fields.
/// A call keeps nothing of it, except that what it creates is freed with the same allocator.
typedef struct GtContext {
    GtAllocator allocator;
    GtExecutor executor;

    /// Receives notes and warnings, on the thread that made the call; may be NULL.
    void (*diagnose)(void* user, const GtDiagnostic* diagnostic);
    void* diagnose_user;

    /// Called now and then with what is being done and how much of it, 0 to 1; returning false cancels the call with
    /// GT_ERROR_CANCELLED. May be NULL.
    bool (*progress)(void* user, const char* task, double fraction);
    void* progress_user;

    uint64_t seed; ///< of every random choice; same seed, same result
    bool strict;   ///< refuse what would be repaired with a warning
} GtContext;

/// C library memory, one thread, warnings dropped, no progress, seed 1, not strict.
GT_API GtContext gt_default_context(void);

GT_EXTERN_C_END

#endif
