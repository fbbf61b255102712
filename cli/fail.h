// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Errors of the command itself, in the library's own shape.

#ifndef GERTIE_CLI_FAIL_H
#define GERTIE_CLI_FAIL_H

#include "gertie/error.h"

// Fill `error` and return `code`. `file` may be NULL.
GtResult fail(GtError* error, GtResult code, const char* file, const char* format, ...) GT_PRINTF(4, 5);

// Name the file of an error that has none yet.
void error_set_file(GtError* error, const char* file);

#endif
