// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Letters and digits of ASCII, whatever the locale, and texts that end with a zero.

#ifndef GERTIE_BASE_ASCII_H
#define GERTIE_BASE_ASCII_H

#include <stdbool.h>
#include <string.h>

static inline bool gti_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool gti_is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static inline bool gti_is_letter(char c)
{
    return gti_is_upper(c) || (c >= 'a' && c <= 'z');
}

static inline char gti_lower(char c)
{
    return gti_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

// 0 to 15, or -1 where `c` is no hexadecimal digit.
static inline int gti_hex_digit(char c)
{
    char lower = gti_lower(c);
    return gti_is_digit(c) ? c - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

static inline bool gti_starts_with(const char* text, const char* prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Whether two texts are equal, or both NULL.
static inline bool gti_same_text(const char* a, const char* b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

#endif
