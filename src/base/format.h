// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// printf() for texts that are read again, or that tests and scripts compare: numbers have a decimal point, whatever
// locale the host program has set.

#ifndef GERTIE_BASE_FORMAT_H
#define GERTIE_BASE_FORMAT_H

#include "gertie/api.h"

#include <stdarg.h>

// As snprintf() and vsnprintf(). Take no memory.
int gti_format(char* out, size_t out_size, const char* format, ...) GT_PRINTF(3, 4);
int gti_format_v(char* out, size_t out_size, const char* format, va_list arguments) GT_PRINTF(3, 0);

#endif
