// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writes binary FBX files of any version 7 for tests: fbx_open() begins a node, its values follow, then nested nodes,
// then fbx_close().

#ifndef GERTIE_TESTS_IO_FBX_SUPPORT_H
#define GERTIE_TESTS_IO_FBX_SUPPORT_H

#include "io/fbx/tree.h"
#include "support/test.h"

typedef struct FbxWriter {
    uint8_t bytes[1 << 16];
    size_t size;
    uint32_t version;
    bool big_endian;
    struct {
        size_t start;
        size_t values; // place of the first value
        uint64_t value_count;
        bool has_children;
    } open[GTI_FBX_MAX_DEPTH + 2];
    int depth;
} FbxWriter;

static inline void fbx_bytes(FbxWriter* w, const void* bytes, size_t size)
{
    assert_true(w->size + size <= sizeof w->bytes);
    memcpy(w->bytes + w->size, bytes, size);
    w->size += size;
}

static inline void fbx_patch(FbxWriter* w, size_t place, uint64_t value, int width)
{
    for (int i = 0; i < width; ++i) {
        w->bytes[place + (size_t)(w->big_endian ? width - 1 - i : i)] = (uint8_t)(value >> 8 * i);
    }
}

static inline void fbx_unsigned(FbxWriter* w, uint64_t value, int width)
{
    static const uint8_t zeros[8] = { 0 };
    fbx_bytes(w, zeros, (size_t)width);
    fbx_patch(w, w->size - (size_t)width, value, width);
}

static inline int fbx_width(const FbxWriter* w)
{
    return w->version >= 7500 ? 8 : 4;
}

static inline void fbx_begin(FbxWriter* w, uint32_t version, bool big_endian)
{
    memset(w, 0, sizeof *w);
    w->version = version;
    w->big_endian = big_endian;
    fbx_bytes(w, "Kaydara FBX Binary  \0\x1A", 22);
    fbx_unsigned(w, big_endian, 1);
    fbx_unsigned(w, version, 4);
}

static inline void fbx_end_values(FbxWriter* w)
{
    if (w->depth > 0 && !w->open[w->depth - 1].has_children) {
        size_t start = w->open[w->depth - 1].start;
        fbx_patch(w, start + (size_t)fbx_width(w), w->open[w->depth - 1].value_count, fbx_width(w));
        fbx_patch(w, start + 2 * (size_t)fbx_width(w), w->size - w->open[w->depth - 1].values, fbx_width(w));
    }
}

static inline void fbx_open(FbxWriter* w, const char* name)
{
    fbx_end_values(w);
    if (w->depth > 0) {
        w->open[w->depth - 1].has_children = true;
    }
    w->open[w->depth].start = w->size;
    w->open[w->depth].value_count = 0;
    w->open[w->depth].has_children = false;
    fbx_unsigned(w, 0, fbx_width(w));
    fbx_unsigned(w, 0, fbx_width(w));
    fbx_unsigned(w, 0, fbx_width(w));
    fbx_unsigned(w, strlen(name), 1);
    fbx_bytes(w, name, strlen(name));
    w->open[w->depth++].values = w->size;
}

static inline void fbx_zeros(FbxWriter* w)
{
    for (int i = 0; i < 3 * fbx_width(w) + 1; ++i) {
        fbx_unsigned(w, 0, 1);
    }
}

static inline void fbx_close(FbxWriter* w)
{
    fbx_end_values(w);
    if (w->open[--w->depth].has_children) {
        fbx_zeros(w);
    }
    fbx_patch(w, w->open[w->depth].start, w->size, fbx_width(w));
}

static inline void fbx_type(FbxWriter* w, char type)
{
    fbx_bytes(w, &type, 1);
    ++w->open[w->depth - 1].value_count;
}

// Types C, Y, I and L.
static inline void fbx_integer(FbxWriter* w, char type, int64_t value)
{
    fbx_type(w, type);
    fbx_unsigned(w, (uint64_t)value, type == 'C' ? 1 : type == 'Y' ? 2 : type == 'I' ? 4 : 8);
}

static inline void fbx_double(FbxWriter* w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    fbx_type(w, 'D');
    fbx_unsigned(w, bits, 8);
}

static inline void fbx_float(FbxWriter* w, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fbx_type(w, 'F');
    fbx_unsigned(w, bits, 4);
}

// May hold zeros.
static inline void fbx_text(FbxWriter* w, const char* text, size_t length)
{
    fbx_type(w, 'S');
    fbx_unsigned(w, length, 4);
    fbx_bytes(w, text, length);
}

static inline void fbx_array(FbxWriter* w, char type, uint32_t count, uint32_t encoding, const void* bytes, size_t size)
{
    fbx_type(w, type);
    fbx_unsigned(w, count, 4);
    fbx_unsigned(w, encoding, 4);
    fbx_unsigned(w, size, 4);
    fbx_bytes(w, bytes, size);
}

#endif
