// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// UTF-8 as Unicode 15, table 3-7 has it: no overlong forms, no surrogates, nothing above U+10FFFF.

#ifndef GERTIE_BASE_UTF8_H
#define GERTIE_BASE_UTF8_H

#include "gertie/api.h"

// Bytes of the character that starts at `text` < `end`, 1 to 4, or 0 when the bytes there are none.
static inline size_t gti_utf8_length(const char* text, const char* end)
{
    const unsigned char* p = (const unsigned char*)text;
    size_t left = (size_t)(end - text);
    if (p[0] < 0x80) {
        return 1;
    }
    size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || left < length) {
        return 0;
    }
    unsigned char low = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
    unsigned char high = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; ++i) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

// The same, but 0 also for control characters, which could drive a terminal; some obey those of C1, too.
static inline size_t gti_utf8_shown_length(const char* text, const char* end)
{
    unsigned char c = (unsigned char)*text;
    size_t length = gti_utf8_length(text, end);
    bool is_control = c < 0x20 || c == 0x7F || (length == 2 && c == 0xC2 && (unsigned char)text[1] < 0xA0);
    return is_control ? 0 : length;
}

// Write U+`code` into out[4]; how many bytes it took.
static inline size_t gti_utf8_encode(uint32_t code, char* out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xE0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3F));
        out[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3F));
    out[2] = (char)(0x80 | (code >> 6 & 0x3F));
    out[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

#endif
