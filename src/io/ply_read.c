// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The elements of a PLY. Binary ones are read from start to end through a window, because faces are lists and only the
// one before tells where the next begins; text is parsed by rows on all threads.

#include "io/ply.h"

#include "base/fail.h"
#include "io/mesh_units.h"
#include "io/plain_mesh.h"
#include "io/ply_head.h"
#include "io/srgb.h"
#include "io/text_rows.h"
#include "io/text_scan.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

enum {
    WINDOW_SIZE = 1 << 20
};

typedef struct Reader {
    const GtContext* context;
    GtAllocator allocator;
    const GtiByteSource* source;
    const char* path;
    GtError* error;
    GtiPlyHead head;
    const GtiPlyElement* vertices; // or NULL
    GtiTextPieces texts;
    int64_t* counts;
    int64_t starts[GTI_PLY_MOST_ELEMENTS + 1]; // rows of text before each element
    int64_t* error_row;                        // [slot_count] first row of a slot with an error, or -1
    int32_t slot_count;
    bool far;
    GtiPlainMesh mesh;
    atomic_bool out_of_memory;
} Reader;

bool gti_ply_sniff(const uint8_t* bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r' || bytes[3] == ' ');
}

static uint16_t share_of_65535(double value)
{
    return (uint16_t)((value >= 0.0 ? value < 1.0 ? value : 1.0 : 0.0) * 65535.0 + 0.5);
}

static double color_share(double value, GtiPlyType type)
{
    return type == GTI_PLY_UINT8    ? value / 255.0
           : type == GTI_PLY_UINT16 ? value / 65535.0
           : type >= GTI_PLY_FLOAT  ? value
                                    : value / 255.0;
}

static inline void put(GtiPlainMesh* mesh, size_t row, const GtiPlyProperty* property, double value)
{
    switch (property->role) {
    case GTI_PLY_X:
    case GTI_PLY_Y:
    case GTI_PLY_Z: {
        int k = (int)property->role - GTI_PLY_X;
        mesh->positions[3 * row + (size_t)k] = (float)(value - mesh->origin[k]);
        break;
    }
    case GTI_PLY_NX:
    case GTI_PLY_NY:
    case GTI_PLY_NZ:
        mesh->normals[3 * row + (size_t)(property->role - GTI_PLY_NX)] = isfinite(value) ? (float)value : 0.0f;
        break;
    case GTI_PLY_RED:
    case GTI_PLY_GREEN:
    case GTI_PLY_BLUE: {
        size_t at = 4 * row + (size_t)(property->role - GTI_PLY_RED);
        bool byte = property->type == GTI_PLY_UINT8 && value >= 0.0 && value <= 255.0;
        mesh->colors[at] =
            byte ? gti_linear_from_srgb8((uint8_t)value) : gti_linear_from_srgb(color_share(value, property->type));
        break;
    }
    case GTI_PLY_ALPHA:
        mesh->colors[4 * row + 3] = share_of_65535(color_share(value, property->type));
        break;
    case GTI_PLY_U:
        mesh->texcoords[2 * row] = isfinite(value) ? (float)value : 0.0f;
        break;
    case GTI_PLY_V:
        mesh->texcoords[2 * row + 1] = isfinite(value) ? (float)(1.0 - value) : 0.0f;
        break;
    default:
        break;
    }
}

// Numbers as they lie in a binary file.
static inline double load(const uint8_t* p, GtiPlyType type, bool swap)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    switch (type) {
    case GTI_PLY_INT8:
        return (double)(int8_t)*p;
    case GTI_PLY_UINT8:
        return (double)*p;
    case GTI_PLY_INT16:
    case GTI_PLY_UINT16:
        memcpy(&u16, p, sizeof u16);
        u16 = swap ? __builtin_bswap16(u16) : u16;
        return type == GTI_PLY_INT16 ? (double)(int16_t)u16 : (double)u16;
    case GTI_PLY_INT32:
    case GTI_PLY_UINT32:
        memcpy(&u32, p, sizeof u32);
        u32 = swap ? __builtin_bswap32(u32) : u32;
        return type == GTI_PLY_INT32 ? (double)(int32_t)u32 : (double)u32;
    case GTI_PLY_FLOAT:
        memcpy(&u32, p, sizeof u32);
        u32 = swap ? __builtin_bswap32(u32) : u32;
        memcpy(&f32, &u32, sizeof f32);
        return (double)f32;
    case GTI_PLY_DOUBLE:
        memcpy(&u64, p, sizeof u64);
        u64 = swap ? __builtin_bswap64(u64) : u64;
        memcpy(&f64, &u64, sizeof f64);
        return f64;
    default:
        return 0.0;
    }
}

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

// One row of lists: their counts, and what the roles ask for.
static GtResult read_list_row(Reader* reader, Window* window, const GtiPlyElement* element, int64_t row)
{
    bool swap = reader->head.encoding == GTI_PLY_BIG;
    GtiFaces* faces = reader->mesh.faces;
    bool with_texcoords = gti_ply_has(element, GTI_PLY_CORNER_TEXCOORDS);
    float* texcoords = NULL;
    uint64_t texcoord_room = 0;
    for (int32_t i = 0; i < element->property_count; ++i) {
        const GtiPlyProperty* property = &element->properties[i];
        uint32_t size = gti_ply_type_size(property->type);
        bool list = property->count_type != GTI_PLY_NO_TYPE;
        uint32_t count_size = list ? gti_ply_type_size(property->count_type) : 0;
        GtResult result = window_need(window, list ? count_size : size);
        if (result != GT_OK) {
            return result;
        }
        double counted = list ? load(window->bytes + window->at, property->count_type, swap) : 1.0;
        window->at += count_size;
        if (counted < 0.0) {
            return GT_ERROR_BAD_VALUE;
        }
        uint64_t count = (uint64_t)counted;
        result = window_need(window, count * size);
        if (result != GT_OK) {
            return result;
        }
        const uint8_t* p = window->bytes + window->at;
        if (!list) {
            if (element->kind == GTI_PLY_VERTICES) {
                put(&reader->mesh, (size_t)row, property, load(p, property->type, swap));
            }
        } else if (property->role == GTI_PLY_CORNERS && element->strips && count) {
            // Strips are cut when all is read; see make_strips().
            uint32_t* out = gti_faces_add(reader->allocator, faces, (uint32_t)count, NULL);
            for (uint64_t k = 0; out && k < count; ++k) {
                out[k] = corner_of(load(p + k * size, property->type, swap));
            }
            if (!out) {
                return GT_ERROR_OUT_OF_MEMORY;
            }
        } else if (property->role == GTI_PLY_CORNERS && count < 3) { // strips of none end here, too
            ++faces->short_count;
        } else if (property->role == GTI_PLY_CORNERS) {
            uint32_t* out =
                gti_faces_add(reader->allocator, faces, (uint32_t)count, with_texcoords ? &texcoords : NULL);
            if (!out) {
                return GT_ERROR_OUT_OF_MEMORY;
            }
            for (uint64_t k = 0; k < count; ++k) {
                out[k] = corner_of(load(p + k * size, property->type, swap));
            }
            texcoord_room = with_texcoords ? 2 * count : 0;
            if (texcoord_room) {
                memset(texcoords, 0, texcoord_room * sizeof *texcoords);
            }
        } else if (property->role == GTI_PLY_CORNER_TEXCOORDS && texcoords) {
            for (uint64_t k = 0; k < count && k < texcoord_room; ++k) {
                float value = (float)load(p + k * size, property->type, swap);
                value = isfinite(value) ? value : 0.0f;
                texcoords[k] = k % 2 ? 1.0f - value : value;
            }
        }
        window->at += (size_t)(count * size);
    }
    return GT_OK;
}

// Triangles with one byte of count and 32-bit corners, as nearly all files have them.
static int64_t read_triangles(Reader* reader, Window* window, int64_t row, int64_t count)
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

static bool is_plain_faces(const Reader* reader, const GtiPlyElement* element)
{
    const GtiPlyProperty* list = element->properties;
    return reader->head.encoding == GTI_PLY_LITTLE && element->kind == GTI_PLY_FACES && !element->strips &&
           element->property_count == 1 && list->role == GTI_PLY_CORNERS && list->count_type == GTI_PLY_UINT8 &&
           (list->type == GTI_PLY_INT32 || list->type == GTI_PLY_UINT32);
}

// Rows of one size: vertices, or what is passed over.
static GtResult read_fixed_rows(Reader* reader, Window* window, const GtiPlyElement* element, int64_t first,
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
                put(&reader->mesh, (size_t)row, property, load(p + property->offset, property->type, swap));
            }
        }
    }
    *after = end;
    return GT_OK;
}

static GtResult read_binary_element(Reader* reader, Window* window, const GtiPlyElement* element, int64_t* read)
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

static GtResult read_binary(Reader* reader)
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
            result =
                gti_repair(reader->context, reader->error, reader->path, NULL,
                           "it has been cut: %lld of %lld faces are there", (long long)read, (long long)element->count);
            break;
        }
        if (result == GT_ERROR_BAD_FILE) {
            result = gti_fail(reader->error, result, "it has been cut: %lld of %lld rows of element %d are there",
                              (long long)read, (long long)element->count, (int)e);
        } else if (result == GT_ERROR_BAD_VALUE) {
            result = gti_fail(reader->error, GT_ERROR_BAD_FILE, "row %lld of element %d: a list has a negative length",
                              (long long)read, (int)e);
        } else if (result == GT_ERROR_IO) {
            result = gti_fail(reader->error, result, "it shrank while it was read; try again");
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

// The number of a word, whatever its type; false where there is none.
static inline bool scan_value(const Reader* reader, const char** text, const char* end, double* out)
{
    const char* p = *text;
    while (gti_is_blank(*p)) {
        ++p;
    }
    if (p >= end || gti_is_line_end(*p)) {
        return false;
    }
    float value = 0.0f;
    bool ok = reader->far ? gti_scan_double(&p, end, out) : gti_scan_float(&p, end, &value);
    *out = reader->far ? *out : (double)value;
    *text = p;
    return ok;
}

static inline bool scan_index(const char** text, const char* end, int64_t* out)
{
    const char* p = *text;
    while (gti_is_blank(*p)) {
        ++p;
    }
    bool ok = p < end && gti_scan_integer(&p, out) && (gti_ends_word(*p) || *p == '.');
    while (ok && !gti_ends_word(*p)) { // "3.0"
        ++p;
    }
    *text = p;
    return ok;
}

static bool scan_face_list(Reader* reader, GtiFaces* faces, const GtiPlyElement* element,
                           const GtiPlyProperty* property, const char** p, const char* end, float** texcoords,
                           int64_t* corner_count)
{
    int64_t count = 0;
    if (!scan_index(p, end, &count) || count < 0 || count > end - *p) {
        return false;
    }
    uint32_t* corners = NULL;
    if (property->role == GTI_PLY_CORNERS) {
        bool with_texcoords = gti_ply_has(element, GTI_PLY_CORNER_TEXCOORDS);
        *corner_count = count;
        if (count >= 3 || (element->strips && count)) {
            corners = gti_faces_add(reader->allocator, faces, (uint32_t)count, with_texcoords ? texcoords : NULL);
            if (!corners) {
                reader->out_of_memory = true;
                return false;
            }
            if (with_texcoords) {
                memset(*texcoords, 0, 2 * (size_t)count * sizeof **texcoords);
            }
        } else {
            ++faces->short_count;
        }
    }
    for (int64_t i = 0; i < count; ++i) {
        int64_t index = 0;
        double value = 0.0;
        if (corners) {
            if (!scan_index(p, end, &index)) {
                return false;
            }
            corners[i] = index >= 0 && index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
        } else if (!scan_value(reader, p, end, &value)) {
            return false;
        } else if (property->role == GTI_PLY_CORNER_TEXCOORDS && *texcoords && i < 2 * *corner_count) {
            float u = isfinite(value) ? (float)value : 0.0f;
            (*texcoords)[i] = i % 2 ? 1.0f - u : u;
        }
    }
    return true;
}

static bool scan_row(Reader* reader, const GtiPlyElement* element, int64_t row, GtiFaces* faces, const char** p,
                     const char* end)
{
    float* texcoords = NULL;
    int64_t corner_count = 0;
    for (int32_t i = 0; i < element->property_count; ++i) {
        const GtiPlyProperty* property = &element->properties[i];
        double value = 0.0;
        if (property->count_type != GTI_PLY_NO_TYPE) {
            if (!scan_face_list(reader, faces, element, property, p, end, &texcoords, &corner_count)) {
                return false;
            }
        } else if (!scan_value(reader, p, end, &value)) {
            return false;
        } else if (element->kind == GTI_PLY_VERTICES) {
            put(&reader->mesh, (size_t)row, property, value);
        }
    }
    return true;
}

static bool parse_rows(void* user, const GtiRows* rows)
{
    Reader* reader = user;
    const GtiPlyHead* head = &reader->head;
    int32_t e = 0;
    int64_t row = rows->first;
    int64_t line = 0;
    const char* p = rows->text;
    while ((p = gti_next_row(p, rows->end, &line)) != NULL) {
        while (e < head->element_count && row >= reader->starts[e + 1]) {
            ++e;
        }
        if (e == head->element_count) {
            return true;
        }
        const GtiPlyElement* element = &head->elements[e];
        bool skipped = element->kind == GTI_PLY_OTHER;
        if (!skipped &&
            !scan_row(reader, element, row - reader->starts[e], &reader->mesh.faces[rows->piece], &p, rows->end)) {
            reader->error_row[rows->slot] = row;
            return false;
        }
        p = gti_skip_line_end(gti_find_line_end(p, rows->end), rows->end, &line);
        ++row;
    }
    return true;
}

static GtResult check_rows(Reader* reader)
{
    const GtiPlyHead* head = &reader->head;
    int64_t row = -1;
    for (int32_t i = 0; i < reader->slot_count; ++i) {
        int64_t here = reader->error_row[i];
        row = here >= 0 && (row < 0 || here < row) ? here : row;
    }
    if (row >= 0) {
        char where[32];
        int64_t line = gti_line_of_row(&reader->texts, reader->counts, row);
        snprintf(where, sizeof where, "line %lld", (long long)(line + head->lines));
        return gti_fail_at(reader->error, GT_ERROR_BAD_FILE, where,
                           "the line does not hold the numbers that the head announces");
    }
    int64_t there = reader->counts[gti_piece_count(&reader->texts)];
    for (int32_t e = 0; e < head->element_count; ++e) {
        if (there >= reader->starts[e + 1] || head->elements[e].kind == GTI_PLY_OTHER) {
            continue;
        }
        long long found = there > reader->starts[e] ? (long long)(there - reader->starts[e]) : 0;
        if (head->elements[e].kind == GTI_PLY_VERTICES) {
            return gti_fail(reader->error, GT_ERROR_BAD_FILE, "it has been cut: %lld of %lld vertices are there", found,
                            (long long)head->elements[e].count);
        }
        return gti_repair(reader->context, reader->error, reader->path, NULL,
                          "it has been cut: %lld of %lld faces are there", found, (long long)head->elements[e].count);
    }
    return GT_OK;
}

static GtResult read_text(Reader* reader)
{
    if (!gti_piece_count(&reader->texts)) {
        return check_rows(reader);
    }
    GtResult result = gti_parse_rows(&reader->texts, reader->counts, parse_rows, reader, reader->error);
    if (result == GT_OK && reader->out_of_memory) {
        result = gti_out_of_memory(reader->error);
    }
    return result == GT_OK ? check_rows(reader) : result;
}

// The fewest bytes that a row can have.
static uint64_t least_row_size(const GtiPlyHead* head, const GtiPlyElement* element)
{
    uint64_t size = 0;
    for (int32_t i = 0; i < element->property_count; ++i) {
        const GtiPlyProperty* property = &element->properties[i];
        bool list = property->count_type != GTI_PLY_NO_TYPE;
        size += head->encoding == GTI_PLY_ASCII ? 2 : gti_ply_type_size(list ? property->count_type : property->type);
    }
    return size;
}

static GtResult check_counts(Reader* reader)
{
    const GtiPlyHead* head = &reader->head;
    uint64_t left = reader->source->size - head->size;
    for (int32_t e = 0; e < head->element_count; ++e) {
        const GtiPlyElement* element = &head->elements[e];
        reader->starts[e + 1] = reader->starts[e];
        if (element->property_count) {
            reader->starts[e + 1] += element->count < INT64_MAX / 64 ? element->count : INT64_MAX / 64;
        }
        if (element->kind != GTI_PLY_VERTICES) {
            continue;
        }
        reader->vertices = element;
        if (!gti_ply_has(element, GTI_PLY_X) || !gti_ply_has(element, GTI_PLY_Y) || !gti_ply_has(element, GTI_PLY_Z)) {
            return gti_fail(reader->error, GT_ERROR_BAD_FILE, "its vertices have no properties x, y and z");
        }
        uint64_t least = least_row_size(head, element);
        if (element->count > INT32_MAX / 4 || (uint64_t)element->count > (left + 1) / least) {
            return gti_fail(reader->error, GT_ERROR_BAD_FILE,
                            "it promises %lld vertices, more than fit in its %llu bytes; it has been cut",
                            (long long)element->count, (unsigned long long)left);
        }
    }
    return reader->vertices ? GT_OK : gti_fail(reader->error, GT_ERROR_BAD_FILE, "it has no element 'vertex'");
}

static void* allocate(Reader* reader, size_t width, size_t size)
{
    void* block =
        reader->allocator.allocate(reader->allocator.user, ((size_t)reader->vertices->count * width + 1) * size);
    if (!block) {
        reader->out_of_memory = true;
    }
    return block;
}

static bool look_at_first(void* user, const GtiPiece* piece)
{
    Reader* reader = user;
    int64_t line = 0;
    double first[3] = { 0.0, 0.0, 0.0 };
    const char* p = gti_next_row(piece->text, piece->end, &line);
    for (int32_t i = 0; p && i < reader->vertices->property_count; ++i) {
        GtiPlyRole role = reader->vertices->properties[i].role;
        double value = 0.0;
        while (gti_is_blank(*p)) {
            ++p;
        }
        if (gti_is_line_end(*p) || !gti_scan_double(&p, piece->end, &value)) {
            break;
        }
        if (role <= GTI_PLY_Z) {
            first[role - GTI_PLY_X] = value;
        }
    }
    gti_choose_origin(first, reader->mesh.origin);
    return true;
}

// Text, and doubles, may lie far from 0 and still be exact.
static GtResult find_origin(Reader* reader)
{
    const GtiPlyElement* vertices = reader->vertices;
    if (vertices != reader->head.elements || !vertices->count) {
        return GT_OK;
    }
    if (reader->head.encoding == GTI_PLY_ASCII) {
        GtResult result = gti_parse_piece(&reader->texts, 0, look_at_first, reader, reader->error);
        const double* origin = reader->mesh.origin;
        reader->far = origin[0] != 0.0 || origin[1] != 0.0 || origin[2] != 0.0;
        return result;
    }
    uint8_t row[1024];
    double first[3] = { 0.0, 0.0, 0.0 };
    if (vertices->row_size == 0 || vertices->row_size > sizeof row ||
        gti_byte_source_read(reader->source, reader->head.size, row, vertices->row_size) < vertices->row_size) {
        return GT_OK;
    }
    for (int32_t i = 0; i < vertices->property_count; ++i) {
        const GtiPlyProperty* property = &vertices->properties[i];
        if (property->role <= GTI_PLY_Z && property->type == GTI_PLY_DOUBLE) {
            first[property->role - GTI_PLY_X] =
                load(row + property->offset, property->type, reader->head.encoding == GTI_PLY_BIG);
        }
    }
    gti_choose_origin(first, reader->mesh.origin);
    return GT_OK;
}

static GtResult prepare(Reader* reader, GtArena* arena)
{
    const GtiPlyElement* vertices = reader->vertices;
    size_t piece_count = reader->head.encoding == GTI_PLY_ASCII ? (size_t)gti_piece_count(&reader->texts) : 1;
    reader->slot_count = gti_piece_slot_count(&reader->texts);
    reader->counts = gt_arena_push_array(arena, piece_count + 1, sizeof *reader->counts);
    reader->mesh.faces = gt_arena_push_array(arena, piece_count + 1, sizeof *reader->mesh.faces);
    reader->error_row = gt_arena_push_array(arena, (size_t)reader->slot_count, sizeof *reader->error_row);
    if (!reader->counts || !reader->mesh.faces || !reader->error_row) {
        return gti_out_of_memory(reader->error);
    }
    reader->mesh.face_list_count = (int32_t)piece_count;
    for (int32_t i = 0; i < reader->slot_count; ++i) {
        reader->error_row[i] = -1;
    }
    bool normals =
        gti_ply_has(vertices, GTI_PLY_NX) && gti_ply_has(vertices, GTI_PLY_NY) && gti_ply_has(vertices, GTI_PLY_NZ);
    bool colors = gti_ply_has(vertices, GTI_PLY_RED) && gti_ply_has(vertices, GTI_PLY_GREEN) &&
                  gti_ply_has(vertices, GTI_PLY_BLUE);
    bool texcoords = gti_ply_has(vertices, GTI_PLY_U) && gti_ply_has(vertices, GTI_PLY_V);
    for (int32_t i = 0; i < vertices->property_count; ++i) {
        GtiPlyProperty* property = &vertices->properties[i];
        bool used = property->role <= GTI_PLY_Z       ? true
                    : property->role <= GTI_PLY_NZ    ? normals
                    : property->role <= GTI_PLY_ALPHA ? colors
                                                      : texcoords;
        property->role = used ? property->role : GTI_PLY_NO_ROLE;
    }
    GtResult result = find_origin(reader);
    reader->mesh.vertex_count = (uint32_t)vertices->count;
    reader->mesh.positions = allocate(reader, 3, sizeof(float));
    reader->mesh.normals = normals ? allocate(reader, 3, sizeof(float)) : NULL;
    reader->mesh.texcoords = texcoords ? allocate(reader, 2, sizeof(float)) : NULL;
    reader->mesh.colors = colors ? allocate(reader, 4, sizeof(uint16_t)) : NULL;
    if (reader->mesh.colors) {
        memset(reader->mesh.colors, 0xFF, (size_t)vertices->count * 4 * sizeof(uint16_t));
    }
    return result == GT_OK && reader->out_of_memory ? gti_out_of_memory(reader->error) : result;
}

// Strips of triangles with -1 between them become triangles.
static GtResult make_strips(Reader* reader)
{
    bool strips = false;
    for (int32_t e = 0; e < reader->head.element_count; ++e) {
        strips |= reader->head.elements[e].kind == GTI_PLY_FACES && reader->head.elements[e].strips;
    }
    for (int32_t i = 0; strips && i < reader->mesh.face_list_count; ++i) {
        GtiFaces in = reader->mesh.faces[i];
        GtiFaces out = { 0 };
        uint64_t first = 0; // corner of the strip
        bool ok = true;
        for (uint64_t c = 0; c < in.corner_count && ok; ++c) {
            if (in.corners[c] == UINT32_MAX) {
                first = c + 1;
            } else if (c >= first + 2) {
                bool odd = (c - first) % 2;
                uint32_t* corners = gti_faces_add(reader->allocator, &out, 3, NULL);
                ok = corners != NULL;
                if (ok) {
                    corners[0] = in.corners[odd ? c - 1 : c - 2];
                    corners[1] = in.corners[odd ? c - 2 : c - 1];
                    corners[2] = in.corners[c];
                }
            }
        }
        gti_faces_release(reader->allocator, &reader->mesh.faces[i]);
        reader->mesh.faces[i] = out;
        if (!ok) {
            return gti_out_of_memory(reader->error);
        }
    }
    return GT_OK;
}

static GtResult read(Reader* reader, GtArena* arena, const GtLoadDef* def, GtScene** out)
{
    GtResult result = gti_ply_read_head(reader->context, reader->source, &reader->head, reader->error);
    reader->texts.first = reader->head.size;
    if (result == GT_OK) {
        result = check_counts(reader);
    }
    if (result == GT_OK) {
        result = prepare(reader, arena);
    }
    if (result == GT_OK) {
        result = reader->head.encoding == GTI_PLY_ASCII ? read_text(reader) : read_binary(reader);
    }
    if (result == GT_OK) {
        result = make_strips(reader);
    }
    if (result == GT_OK) {
        reader->mesh.texture = reader->head.texture;
        result = gti_plain_mesh_finish(reader->context, &reader->mesh, reader->path, def, out, reader->error);
    }
    return result;
}

GtResult gti_ply_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    GtArena arena = gt_arena_create(context->allocator);
    Reader* reader = gt_arena_push_array(&arena, 1, sizeof *reader);
    if (!reader) {
        return gti_out_of_memory(error);
    }
    reader->context = context;
    reader->allocator = context->allocator;
    reader->source = source;
    reader->path = path;
    reader->error = error;
    reader->texts = (GtiTextPieces){ .context = context, .source = source, .end = source->size, .task = "reading" };
    reader->mesh.format = "ply";
    result = read(reader, &arena, def, out);
    gti_plain_mesh_release(context->allocator, &reader->mesh);
    gt_arena_destroy(&arena);
    return result;
}
