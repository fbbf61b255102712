// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

GtResult fail(GtError* error, GtResult code, const char* file, const char* format, ...)
{
    *error = (GtError){ .code = code };
    if (file) {
        size_t length = strlen(file);
        size_t room = sizeof error->file - 1;
        snprintf(error->file, sizeof error->file, "%s", length > room ? file + (length - room) : file);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return code;
}
