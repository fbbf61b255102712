// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void error_set_file(GtError* error, const char* file)
{
    if (!error->file[0]) {
        size_t length = strlen(file);
        size_t room = sizeof error->file - 1;
        snprintf(error->file, sizeof error->file, "%s", length > room ? file + (length - room) : file);
    }
}

GtResult fail(GtError* error, GtResult code, const char* file, const char* format, ...)
{
    *error = (GtError){ .code = code };
    if (file) {
        error_set_file(error, file);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}
