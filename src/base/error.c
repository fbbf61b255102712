// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Errors as text. Whatever a file or a file name puts into a message, it stays one line of UTF-8 that cannot command a
// terminal, and what is too long is cut between characters.

#include "gertie/error.h"

#include "base/fail.h"
#include "base/format.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char* name;
    const char* code;
} results[] = {
    [GT_OK] = { "ok", "ok" },
    [GT_ERROR_OUT_OF_MEMORY] = { "out of memory", "out_of_memory" },
    [GT_ERROR_IO] = { "input or output failed", "io" },
    [GT_ERROR_BAD_FILE] = { "bad file", "bad_file" },
    [GT_ERROR_BAD_VALUE] = { "bad value", "bad_value" },
    [GT_ERROR_UNSUPPORTED] = { "unsupported", "unsupported" },
    [GT_ERROR_LIMIT] = { "too large", "limit" },
    [GT_ERROR_NOT_FOUND] = { "not found", "not_found" },
    [GT_ERROR_STRICT] = { "refused because strict", "strict" },
    [GT_ERROR_CANCELLED] = { "cancelled", "cancelled" },
};

const char* gt_result_name(GtResult result)
{
    return (size_t)result < sizeof results / sizeof results[0] ? results[result].name : "unknown";
}

const char* gt_result_code(GtResult result)
{
    return (size_t)result < sizeof results / sizeof results[0] ? results[result].code : "unknown";
}

// Where a cut at the end of [text, end) fell inside a character, drop the start of it.
static void drop_half_character(char* text, char* end)
{
    char* lead = end;
    while (lead > text && end - lead < 3 && ((unsigned char)lead[-1] & 0xC0) == 0x80) {
        --lead;
    }
    if (lead > text && (unsigned char)lead[-1] >= 0xC0 && gti_utf8_length(lead - 1, end) == 0) {
        lead[-1] = 0;
    }
}

int gt_error_format(const GtError* error, char* out, size_t out_size)
{
    int length = snprintf(out, out_size, "%s%s%s%s%s", error->file, error->file[0] ? ": " : "", error->where,
                          error->where[0] ? ": " : "", error->message);
    if (out_size > 0 && length >= (int)out_size) {
        drop_half_character(out, out + out_size - 1);
    }
    return length;
}

static void clean(char* text)
{
    char* end = text + strlen(text);
    while (text < end) {
        size_t length = gti_utf8_shown_length(text, end);
        if (length == 0) {
            *text = '?';
        }
        text += length ? length : 1;
    }
}

// The end of `text`, for it is what tells one path from another.
static void copy_end(char* out, size_t out_size, const char* text)
{
    size_t length = strlen(text);
    size_t skip = length < out_size ? 0 : length - (out_size - 1);
    while (skip > 0 && ((unsigned char)text[skip] & 0xC0) == 0x80) {
        ++skip;
    }
    memmove(out, text + skip, length - skip + 1);
    clean(out);
}

GtResult gti_fail_v(GtError* error, GtResult code, const char* where, const char* format, va_list arguments)
{
    if (error) {
        char message[sizeof error->message]; // the arguments may be this very error's texts
        if (gti_format_v(message, sizeof message, format, arguments) >= (int)sizeof message) {
            drop_half_character(message, message + sizeof message - 1);
        }
        clean(message);
        memcpy(error->message, message, strlen(message) + 1);
        copy_end(error->where, sizeof error->where, where ? where : "");
        error->file[0] = 0;
        error->code = code;
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
        copy_end(error->file, sizeof error->file, file);
    }
}
