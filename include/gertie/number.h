// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

/// @file
/// libgertie-runtime: numbers to text and back.
///
/// Numbers to text and back, whatever the locale. Parsing rounds correctly; printing gives the shortest text that
/// parses back to the same number.
///
/// **Threads.** Nothing here keeps anything between calls: any thread may call it at any time.

#ifndef GERTIE_NUMBER_H
#define GERTIE_NUMBER_H

#include "gertie/api.h"

GT_EXTERN_C_BEGIN

/// Room for any number printed here, with its terminator.
#define GT_NUMBER_SIZE 32

/// Parse a decimal number at the start of [text, end): sign, digits, '.', digits, exponent; also "nan" and "inf" in any
/// case. Leading white space is not skipped.
/// @param out  receives the number; untouched when there is none
/// @return first byte after the number, or NULL when none starts here
GT_API const char* gt_parse_double(const char* text, const char* end, double* out);

/// As gt_parse_double(), rounded once to float.
GT_API const char* gt_parse_float(const char* text, const char* end, float* out);

/// Parse an optionally signed decimal integer; NULL when there is none or it does not fit.
GT_API const char* gt_parse_int64(const char* text, const char* end, int64_t* out);

/// Shortest text that parses back to `value`: "0.1", "1e+20", "-0", "nan", "inf".
/// @param out  [GT_NUMBER_SIZE], terminated
/// @return length of the text
GT_API int gt_print_float(float value, char* out);

/// As gt_print_float(), for doubles.
GT_API int gt_print_double(double value, char* out);

GT_EXTERN_C_END

#endif
