// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "io/bytes.h"

#include "base/fail.h"
#include "base/format.h"
#include "base/memory.h"
#include "gertie/number.h"
#include "scene/storage.h"

#include <stdarg.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 1 << 16
};

static bool reserve(GtiBytes* bytes, size_t more)
{
    if (bytes->failed || bytes->capacity - bytes->size >= more) {
        return !bytes->failed;
    }
    size_t capacity = bytes->capacity ? bytes->capacity + bytes->capacity / 2 : FIRST_CAPACITY;
    capacity = capacity - bytes->size >= more ? capacity : bytes->size + more;
    uint8_t* data = gti_reallocate(bytes->allocator, bytes->data, bytes->size, capacity);
    if (!data) {
        bytes->failed = true;
        return false;
    }
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void* gti_bytes_push(GtiBytes* bytes, size_t size)
{
    if (!reserve(bytes, size)) {
        return NULL;
    }
    void* at = bytes->data + bytes->size;
    bytes->size += size;
    return at;
}

void gti_bytes_add(GtiBytes* bytes, const void* data, size_t size)
{
    void* at = size ? gti_bytes_push(bytes, size) : NULL;
    if (at) {
        memcpy(at, data, size);
    }
}

void gti_bytes_adds(GtiBytes* bytes, const char* terminated)
{
    gti_bytes_add(bytes, terminated, strlen(terminated));
}

void gti_bytes_addf(GtiBytes* bytes, const char* format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = gti_format_v(text, sizeof text, format, arguments);
    va_end(arguments);
    gti_bytes_add(bytes, text, length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void gti_bytes_add_floats(GtiBytes* bytes, const float* values, int count)
{
    for (int i = 0; i < count; ++i) {
        char text[GT_NUMBER_SIZE + 1] = " ";
        int length = gt_print_float(values[i], text + 1);
        gti_bytes_add(bytes, text, (size_t)length + 1);
    }
}

void gti_bytes_add_integer(GtiBytes* bytes, char before, uint64_t value)
{
    char text[24];
    char* p = text + sizeof text;
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    if (before) {
        *--p = before;
    }
    gti_bytes_add(bytes, p, (size_t)(text + sizeof text - p));
}

void gti_bytes_release(GtiBytes* bytes)
{
    bytes->allocator.release(bytes->allocator.user, bytes->data);
    bytes->data = NULL;
    bytes->size = bytes->capacity = 0;
}

GtResult gti_bytes_finish(GtiBytes* bytes, GtBlob** out, GtError* error)
{
    *out = bytes->failed ? NULL : gti_blob_adopt(bytes->allocator, bytes->data, 0, bytes->size);
    if (!*out) {
        gti_bytes_release(bytes);
        return gti_out_of_memory(error);
    }
    bytes->data = NULL;
    return GT_OK;
}
