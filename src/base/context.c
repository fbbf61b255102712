// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a context is told: notes, warnings, repairs and progress.

#include "gertie/context.h"

#include "base/fail.h"

const char* gt_version(void)
{
    return GT_VERSION_STRING;
}

GtContext gt_default_context(void)
{
    return (GtContext){
        .allocator = gt_default_allocator(),
        .executor = gt_serial_executor(),
        .seed = 1,
    };
}

static void diagnose(const GtContext* context, GtSeverity severity, const char* file, const char* where,
                     const char* format, va_list arguments) GT_PRINTF(5, 0);

static void diagnose(const GtContext* context, GtSeverity severity, const char* file, const char* where,
                     const char* format, va_list arguments)
{
    if (!context->diagnose) {
        return;
    }
    GtError text; // the same sizes and the same cleaning as errors have
    gti_fail_v(&text, GT_OK, where, format, arguments);
    gti_error_set_file(&text, file);
    GtDiagnostic diagnostic = { severity, text.file, text.where, text.message };
    context->diagnose(context->diagnose_user, &diagnostic);
}

void gti_note(const GtContext* context, const char* file, const char* where, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnose(context, GT_SEVERITY_NOTE, file, where, format, arguments);
    va_end(arguments);
}

void gti_warn(const GtContext* context, const char* file, const char* where, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    diagnose(context, GT_SEVERITY_WARNING, file, where, format, arguments);
    va_end(arguments);
}

GtResult gti_repair(const GtContext* context, GtError* error, const char* file, const char* where, const char* format,
                    ...)
{
    va_list arguments;
    va_start(arguments, format);
    GtResult result = GT_OK;
    if (context->strict) {
        result = gti_fail_v(error, GT_ERROR_STRICT, where, format, arguments);
        gti_error_set_file(error, file);
    } else {
        diagnose(context, GT_SEVERITY_WARNING, file, where, format, arguments);
    }
    va_end(arguments);
    return result;
}

GtResult gti_progress(const GtContext* context, GtError* error, const char* task, double fraction)
{
    if (context->progress && !context->progress(context->progress_user, task, fraction)) {
        return gti_fail(error, GT_ERROR_CANCELLED, "cancelled while %s", task);
    }
    return GT_OK;
}
