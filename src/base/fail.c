// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "base/fail.h"

#include <stdio.h>
#include <string.h>

const char* gt_version(void)
{
    return GT_VERSION_STRING;
}

const char* gt_result_name(GtResult result)
{
    switch (result) {
    case GT_OK:
        return "ok";
    case GT_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case GT_ERROR_IO:
        return "input or output failed";
    case GT_ERROR_BAD_FILE:
        return "bad file";
    case GT_ERROR_BAD_VALUE:
        return "bad value";
    case GT_ERROR_UNSUPPORTED:
        return "unsupported";
    case GT_ERROR_LIMIT:
        return "too large";
    case GT_ERROR_NOT_FOUND:
        return "not found";
    case GT_ERROR_STRICT:
        return "refused because strict";
    case GT_ERROR_CANCELLED:
        return "cancelled";
    }
    return "unknown";
}

int gt_error_format(const GtError* error, char* out, size_t out_size)
{
    return snprintf(out, out_size, "%s%s%s%s%s", error->file, error->file[0] ? ": " : "", error->where,
                    error->where[0] ? ": " : "", error->message);
}

// One line, whatever was put in: bytes that would break a line or a terminal become '?'.
static void keep_one_line(char* text)
{
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F) {
            *text = '?';
        }
    }
}

static void copy_tail(char* out, size_t out_size, const char* text)
{
    size_t length = strlen(text);
    size_t skip = length < out_size ? 0 : length - (out_size - 1);
    memcpy(out, text + skip, length - skip + 1);
    keep_one_line(out);
}

GtResult gti_fail_v(GtError* error, GtResult code, const char* where, const char* format, va_list arguments)
{
    if (error) {
        error->code = code;
        error->file[0] = 0;
        copy_tail(error->where, sizeof error->where, where ? where : "");
        vsnprintf(error->message, sizeof error->message, format, arguments);
        keep_one_line(error->message);
    }
    return code;
}

GtResult gti_fail(GtError* error, GtResult code, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(error, code, NULL, format, arguments);
    va_end(arguments);
    return code;
}

GtResult gti_fail_at(GtError* error, GtResult code, const char* where, const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gti_fail_v(error, code, where, format, arguments);
    va_end(arguments);
    return code;
}

GtResult gti_out_of_memory(GtError* error)
{
    return gti_fail(error, GT_ERROR_OUT_OF_MEMORY, "out of memory");
}

void gti_error_set_file(GtError* error, const char* file)
{
    if (error && file && !error->file[0]) {
        copy_tail(error->file, sizeof error->file, file);
    }
}

static void diagnose(const GtContext* context, GtSeverity severity, const char* file, const char* where,
                     const char* format, va_list arguments) GT_PRINTF(5, 0);

static void diagnose(const GtContext* context, GtSeverity severity, const char* file, const char* where,
                     const char* format, va_list arguments)
{
    if (!context->diagnose) {
        return;
    }
    char message[512];
    vsnprintf(message, sizeof message, format, arguments);
    keep_one_line(message);
    GtDiagnostic diagnostic = { severity, file ? file : "", where ? where : "", message };
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

GtContext gt_default_context(void)
{
    return (GtContext){
        .allocator = gt_default_allocator(),
        .executor = gt_serial_executor(),
        .seed = 1,
    };
}
