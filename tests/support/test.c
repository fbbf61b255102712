// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/test.h"

#include <stdlib.h>

static void log_diagnostic(void* user, const GtDiagnostic* diagnostic)
{
    TestLog* log = user;
    bool warning = diagnostic->severity == GT_SEVERITY_WARNING;
    log->warning_count += warning;
    log->note_count += !warning;
    size_t length = strlen(log->text);
    snprintf(log->text + length, sizeof log->text - length, "%s: %s%s%s\n", warning ? "warning" : "note",
             diagnostic->where, diagnostic->where[0] ? ": " : "", diagnostic->message);
}

GtContext test_context(TestLog* log)
{
    memset(log, 0, sizeof *log);
    GtContext context = gt_default_context();
    context.diagnose = log_diagnostic;
    context.diagnose_user = log;
    return context;
}

static void* limited_allocate(void* user, size_t size)
{
    TestAllocator* state = user;
    if (state->remaining == 0) {
        return NULL;
    }
    if (state->remaining > 0) {
        --state->remaining;
    }
    GtAllocator heap = gt_default_allocator();
    void* block = heap.allocate(heap.user, size);
    state->alive += block != NULL;
    state->made += block != NULL;
    return block;
}

static void limited_release(void* user, void* block)
{
    TestAllocator* state = user;
    state->alive -= block != NULL;
    GtAllocator heap = gt_default_allocator();
    heap.release(heap.user, block);
}

GtAllocator test_allocator(TestAllocator* state)
{
    return (GtAllocator){ limited_allocate, limited_release, state };
}
