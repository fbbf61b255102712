// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// RFC 3986 (URI), RFC 2397 (data URIs) and RFC 4648 (base64), as far as glTF files use them. Bytes beyond ASCII stand
// in file names as they are: glTF allows IRIs.

#include "io/uri.h"

#include "base/ascii.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const int8_t base64_values[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
}; // one more than the digit's value; 0 for what is none

GtiUriKind gti_uri_kind(const char* uri, size_t length)
{
    if (length >= 5 && strncasecmp(uri, "data:", 5) == 0) {
        return GTI_URI_DATA;
    }
    if (length && (uri[0] == '/' || uri[0] == '\\')) {
        return GTI_URI_OUTSIDE;
    }
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)uri[i];
        if (c == ':') {
            return i ? GTI_URI_OUTSIDE : GTI_URI_FILE;
        }
        if (c > 0x7F || !(isalnum(c) || c == '+' || c == '-' || c == '.')) {
            break;
        }
    }
    return GTI_URI_FILE;
}

const char* gti_uri_base64(const char* uri, size_t length, size_t* base64_length)
{
    const char* comma = memchr(uri, ',', length);
    if (!comma || comma - uri < 7 || strncasecmp(comma - 7, ";base64", 7) != 0) {
        return NULL;
    }
    *base64_length = length - (size_t)(comma + 1 - uri);
    return comma + 1;
}

bool gti_base64_size(const char* text, size_t length, size_t* size)
{
    if (length % 4) {
        return false;
    }
    size_t padding = length == 0 ? 0 : (size_t)(text[length - 1] == '=') + (size_t)(text[length - 2] == '=');
    *size = length / 4 * 3 - padding;
    return true;
}

bool gti_base64_decode(const char* text, size_t length, uint8_t* out)
{
    size_t size = 0;
    if (!gti_base64_size(text, length, &size)) {
        return false;
    }
    size_t at = 0;
    for (size_t i = 0; i < length; i += 4) {
        int digits = length - i == 4 && size % 3 ? (int)(size % 3) + 1 : 4;
        uint32_t bits = 0;
        for (int d = 0; d < digits; ++d) {
            int value = base64_values[(unsigned char)text[i + (size_t)d]];
            if (value == 0) {
                return false;
            }
            bits |= (uint32_t)(value - 1) << (18 - 6 * d);
        }
        for (int d = 0; d + 1 < digits; ++d) {
            out[at++] = (uint8_t)(bits >> (16 - 8 * d));
        }
    }
    return true;
}

char* gti_uri_decode(GtArena* arena, const char* uri, size_t length)
{
    char* name = gt_arena_push(arena, length + 1);
    if (!name) {
        return NULL;
    }
    size_t used = 0;
    for (size_t i = 0; i < length; ++i) {
        if (uri[i] == '%' && length - i > 2 && gti_hex_digit(uri[i + 1]) >= 0 && gti_hex_digit(uri[i + 2]) >= 0) {
            name[used++] = (char)(gti_hex_digit(uri[i + 1]) << 4 | gti_hex_digit(uri[i + 2]));
            i += 2;
        } else {
            name[used++] = uri[i];
        }
    }
    name[used] = 0;
    return name;
}

char* gti_uri_encode(GtArena* arena, const char* name)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t length = strlen(name);
    char* uri = length < SIZE_MAX / 3 ? gt_arena_push(arena, length * 3 + 1) : NULL;
    if (!uri) {
        return NULL;
    }
    size_t used = 0;
    for (size_t i = 0; i < length; ++i) {
        unsigned char c = (unsigned char)name[i];
        bool plain = c > 0x7F || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     strchr("-._~!$&'()*+,;=@/", c);
        if (plain) {
            uri[used++] = (char)c;
        } else {
            uri[used++] = '%';
            uri[used++] = digits[c >> 4];
            uri[used++] = digits[c & 15];
        }
    }
    uri[used] = 0;
    return uri;
}
