// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The body of a binary PLY, read from start to end through a window: faces are lists, and only the one before tells
// where the next begins.

#include "io/ply/body.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    WINDOW_SIZE = 1 << 20
};

static uint32_t corner_of(double value)
{
    return value >= 0.0 && value < 4294967295.0 ? (uint32_t)value : UINT32_MAX;
}

// A part of a file that moves on.
typedef struct Window {
    const GtiByteSource* source;
    GtAllocator allocator;
    uint8_t* bytes;
    size_t capacity;
    size_t at, size;
    uint64_t next; // offset of what follows the window
} Window;

// Make `needed` bytes from `at` on be there; how the file may fail to have them: GT_ERROR_BAD_FILE.
static GtResult window_need(Window* window, uint64_t needed)
{
    if (window->size - window->at >= needed) {
        return GT_OK;
    }
    uint64_t left = window->source->size - window->next;
    if (needed > left + (window->size - window->at)) {
        return GT_ERROR_BAD_FILE;
    }
    size_t kept = window->size - window->at;
    if (needed > window->capacity) {
        uint8_t* larger = window->allocator.allocate(window->allocator.user, (size_t)needed);
        if (!larger) {
            return GT_ERROR_OUT_OF_MEMORY;
        }
        memcpy(larger, window->bytes + window->at, kept);
        window->allocator.release(window->allocator.user, window->bytes);
        window->bytes = larger;
        window->capacity = (size_t)needed;
    } else if (kept) {
        memmove(window->bytes, window->bytes + window->at, kept);
    }
    size_t wanted = window->capacity - kept;
    size_t got = gti_byte_source_read(window->source, window->next, window->bytes + kept, wanted);
    window->next += got;
    window->at = 0;
    window->size = kept + got;
    return window->size >= needed ? GT_OK : GT_ERROR_IO;
}

// A face while its row is read.
typedef struct Face {
    bool with_texcoords;
    float* texcoords; // [room], or NULL
    uint64_t room;
} Face;

// Take a list of `count` numbers at `p`.
static GtResult take_list(GtiPlyReader* reader, const GtiPlyElement* element, const GtiPlyProperty* property,
                          const uint8_t* p, uint64_t count, Face* face)
{
    bool swap = reader->head.encoding == GTI_PLY_BIG;
    uint32_t size = gti_ply_type_size(property->type);
    GtiFaces* faces = reader->mesh.faces;
    if (property->role == GTI_PLY_CORNER_TEXCOORDS) {
        for (uint64_t k = 0; k < count && k < face->room; ++k) {
            float value = (float)gti_ply_load(p + k * size, property->type, swap);
            value = isfinite(value) ? value : 0.0f;
            face->texcoords[k] = k % 2 ? 1.0f - value : value;
        }
        return GT_OK;
    }
    if (property->role != GTI_PLY_CORNERS) {
        return GT_OK;
    }
    if (count < 3 && !(element->strips && count)) { // strips are cut when all is read
        ++faces->short_count;
        return GT_OK;
    }
    uint32_t* out =
        gti_faces_add(reader->allocator, faces, (uint32_t)count, face->with_texcoords ? &face->texcoords : NULL);
    if (!out) {
        return GT_ERROR_OUT_OF_MEMORY;
    }
    for (uint64_t k = 0; k < count; ++k) {
        out[k] = corner_of(gti_ply_load(p + k * size, property->type, swap));
    }
    if (face->with_texcoords) {
        face->room = 2 * count;
        memset(face->texcoords, 0, face->room * sizeof *face->texcoords);
    }
    return GT_OK;
}

// One row of an element with lists.
static GtResult read_list_row(GtiPlyReader* reader, Window* window, const GtiPlyElement* element, int64_t row)
{
    bool swap = reader->head.encoding == GTI_PLY_BIG;
    Face face = { .with_texcoords = !element->strips && gti_ply_has(element, GTI_PLY_CORNER_TEXCOORDS) };
    for (int32_t i = 0; i < element->property_count; ++i) {
        const GtiPlyProperty* property = &element->properties[i];
        uint32_t size = gti_ply_type_size(property->type);
        bool list = property->count_type != GTI_PLY_NO_TYPE;
        uint32_t count_size = list ? gti_ply_type_size(property->count_type) : 0;
        GtResult result = window_need(window, list ? count_size : size);
        if (result != GT_OK) {
            return result;
        }
        double counted = list ? gti_ply_load(window->bytes + window->at, property->count_type, swap) : 1.0;
        window->at += count_size;
        if (counted < 0.0) {
            return GT_ERROR_BAD_VALUE;
        }
        uint64_t count = (uint64_t)counted;
        result = window_need(window, count * size);
        const uint8_t* p = window->bytes + window->at;
        if (result == GT_OK && list) {
            result = take_list(reader, element, property, p, count, &face);
        } else if (result == GT_OK && element->kind == GTI_PLY_VERTICES) {
            gti_ply_put(&reader->mesh, (size_t)row, property, gti_ply_load(p, property->type, swap));
        }
        if (result != GT_OK) {
            return result;
        }
        window->at += (size_t)(count * size);
    }
    return GT_OK;
}

// Triangles with one byte of count and 32-bit corners, as nearly all files have them.
static int64_t read_triangles(GtiPlyReader* reader, Window* window, int64_t row, int64_t count)
{
    enum {
        ROW = 13
    };
    GtiFaces* faces = reader->mesh.faces;
    while (row < count && window->size - window->at >= ROW && window->bytes[window->at] == 3) {
        uint32_t* out = gti_faces_add(reader->allocator, faces, 3, NULL);
        if (!out) {
            break;
        }
        memcpy(out, window->bytes + window->at + 1, 3 * sizeof *out);
        window->at += ROW;
        ++row;
    }
    return row;
}

static bool is_plain_faces(const GtiPlyReader* reader, const GtiPlyElement* element)
{
    const GtiPlyProperty* list = element->properties;
    return reader->head.encoding == GTI_PLY_LITTLE && element->kind == GTI_PLY_FACES && !element->strips &&
           element->property_count == 1 && list->role == GTI_PLY_CORNERS && list->count_type == GTI_PLY_UINT8 &&
           (list->type == GTI_PLY_INT32 || list->type == GTI_PLY_UINT32);
}

// Rows of one size: vertices, or what is passed over.
static GtResult read_fixed_rows(GtiPlyReader* reader, Window* window, const GtiPlyElement* element, int64_t first,
                                int64_t* after)
{
    bool swap = reader->head.encoding == GTI_PLY_BIG;
    GtResult result = window_need(window, element->row_size);
    if (result != GT_OK) {
        return result;
    }
    int64_t there = (int64_t)((window->size - window->at) / element->row_size);
    int64_t end = element->count - first < there ? element->count : first + there;
    for (int64_t row = first; row < end; ++row, window->at += element->row_size) {
        const uint8_t* p = window->bytes + window->at;
        for (int32_t i = 0; i < element->property_count && element->kind == GTI_PLY_VERTICES; ++i) {
            const GtiPlyProperty* property = &element->properties[i];
            if (property->role != GTI_PLY_NO_ROLE) {
                gti_ply_put(&reader->mesh, (size_t)row, property,
                            gti_ply_load(p + property->offset, property->type, swap));
            }
        }
    }
    *after = end;
    return GT_OK;
}

static GtResult read_binary_element(GtiPlyReader* reader, Window* window, const GtiPlyElement* element, int64_t* read)
{
    bool plain = is_plain_faces(reader, element);
    int64_t shown = -1;
    for (int64_t row = 0; row < element->count; *read = row) {
        GtResult result = GT_OK;
        if (element->row_size) {
            result = read_fixed_rows(reader, window, element, row, &row);
        } else if (element->property_count == 0) {
            row = element->count;
        } else {
            result = read_list_row(reader, window, element, row);
            row += result == GT_OK;
            if (result == GT_OK && plain) {
                row = read_triangles(reader, window, row, element->count);
            }
        }
        if (result == GT_OK && row >> 16 != shown) {
            shown = row >> 16;
            double fraction = (double)window->next / (double)reader->source->size;
            result = gti_progress(reader->context, reader->error, "reading", fraction);
        }
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}

GtResult gti_ply_read_binary(GtiPlyReader* reader)
{
    Window window = {
        .source = reader->source, .allocator = reader->allocator, .capacity = WINDOW_SIZE, .next = reader->head.size
    };
    window.bytes = reader->allocator.allocate(reader->allocator.user, WINDOW_SIZE);
    GtResult result = window.bytes ? GT_OK : GT_ERROR_OUT_OF_MEMORY;
    for (int32_t e = 0; e < reader->head.element_count && result == GT_OK; ++e) {
        const GtiPlyElement* element = &reader->head.elements[e];
        int64_t read = 0;
        result = read_binary_element(reader, &window, element, &read);
        bool cut = result == GT_ERROR_BAD_FILE && element->kind == GTI_PLY_FACES;
        if (cut) {
            result = gti_repair(reader->context, reader->error, reader->path, NULL,
                                "the file is truncated: only %lld of %lld faces are there", (long long)read,
                                (long long)element->count);
            break;
        }
        if (result == GT_ERROR_BAD_FILE) {
            result =
                gti_fail(reader->error, result, "the file is truncated: only %lld of %lld rows of element %d are there",
                         (long long)read, (long long)element->count, (int)e);
        } else if (result == GT_ERROR_BAD_VALUE) {
            result = gti_fail(reader->error, GT_ERROR_BAD_FILE, "row %lld of element %d: a list has a negative length",
                              (long long)read, (int)e);
        } else if (result == GT_ERROR_IO) {
            result = gti_fail(reader->error, result, "the file became shorter while it was read; try again");
        } else if (result == GT_ERROR_OUT_OF_MEMORY) {
            result = gti_out_of_memory(reader->error);
        }
    }
    if (!window.bytes) {
        gti_out_of_memory(reader->error);
    }
    reader->allocator.release(reader->allocator.user, window.bytes);
    return result;
}
