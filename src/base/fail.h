// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Failing, warning and reporting progress in one line each. Shared by every room.

#ifndef GERTIE_BASE_FAIL_H
#define GERTIE_BASE_FAIL_H

#include "gertie/context.h"

#include <assert.h>
#include <stdarg.h>

// A caller's bug, not bad data.
#define GT_ASSERT(condition) assert(condition)

// Fill `error` (which may be NULL) and return `code`, so that a check reads `return gti_fail(error, ...)`.
// File and place are left empty; gti_fail_at() gives a place, gti_error_set_file() the file later.
GtResult gti_fail(GtError* error, GtResult code, const char* format, ...) GT_PRINTF(3, 4);
GtResult gti_fail_at(GtError* error, GtResult code, const char* where, const char* format, ...) GT_PRINTF(4, 5);
GtResult gti_fail_v(GtError* error, GtResult code, const char* where, const char* format, va_list arguments)
    GT_PRINTF(4, 0);
GtResult gti_out_of_memory(GtError* error);

// Name the file of an error that has none yet.
void gti_error_set_file(GtError* error, const char* file);

// Tell the context. `file` and `where` may be NULL.
void gti_note(const GtContext* context, const char* file, const char* where, const char* format, ...) GT_PRINTF(4, 5);
void gti_warn(const GtContext* context, const char* file, const char* where, const char* format, ...) GT_PRINTF(4, 5);

// Something is wrong that the caller is about to repair: a warning and GT_OK, or, when the context is strict, the same
// sentence as an error.
GtResult gti_repair(const GtContext* context, GtError* error, const char* file, const char* where, const char* format,
                    ...) GT_PRINTF(5, 6);

// Report progress; GT_ERROR_CANCELLED when the caller wants to stop.
GtResult gti_progress(const GtContext* context, GtError* error, const char* task, double fraction);

#endif
