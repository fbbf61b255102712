// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A piece of somebody's text, which need not end with a zero.

#ifndef GERTIE_BASE_SLICE_H
#define GERTIE_BASE_SLICE_H

#include <stdbool.h>
#include <string.h>

typedef struct GtiSlice {
    const char* text;
    size_t length;
} GtiSlice;

static inline bool gti_slice_is(GtiSlice a, const char* text)
{
    return text && strlen(text) == a.length && memcmp(a.text, text, a.length) == 0;
}

static inline GtiSlice gti_slice(const char* text)
{
    return (GtiSlice){ text, strlen(text) };
}

static inline bool gti_slice_equal(GtiSlice a, GtiSlice b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// Cut "a.b" at its last dot: `rest` keeps "a", the result is "b"; an empty slice when there is no dot.
static inline GtiSlice gti_slice_cut_last(GtiSlice* rest)
{
    for (size_t i = rest->length; i-- > 0;) {
        if (rest->text[i] == '.') {
            GtiSlice tail = { rest->text + i + 1, rest->length - i - 1 };
            rest->length = i;
            return tail;
        }
    }
    return (GtiSlice){ rest->text + rest->length, 0 };
}

#endif
