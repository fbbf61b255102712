// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The body of a PLY in text: a row a line, parsed on all threads.

#include "io/ply/body.h"

#include "base/fail.h"
#include "io/text/rows.h"
#include "io/text/scan.h"

#include <math.h>

// The number of a word, whatever its type; false where there is none.
static inline bool scan_value(const GtiPlyReader* reader, const char** text, const char* end, double* out)
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

static bool scan_face_list(GtiPlyReader* reader, GtiFaces* faces, const GtiPlyElement* element,
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

static bool scan_row(GtiPlyReader* reader, const GtiPlyElement* element, int64_t row, GtiFaces* faces, const char** p,
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
            gti_ply_put(&reader->mesh, (size_t)row, property, value);
        }
    }
    return true;
}

static bool parse_rows(void* user, const GtiTextRows* rows)
{
    GtiPlyReader* reader = user;
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
            reader->marks.error_row[rows->slot] = row;
            return false;
        }
        p = gti_skip_line_end(gti_find_line_end(p, rows->end), rows->end, &line);
        ++row;
    }
    return true;
}

static GtResult check_rows(GtiPlyReader* reader)
{
    const GtiPlyHead* head = &reader->head;
    char where[32];
    int64_t row = gti_first_bad_row(&reader->texts, &reader->marks, head->lines, where);
    if (row >= 0) {
        return gti_fail_at(reader->error, GT_ERROR_BAD_FILE, where,
                           "the line does not have the numbers that the header declares");
    }
    int64_t there = reader->marks.counts[gti_piece_count(&reader->texts)];
    for (int32_t e = 0; e < head->element_count; ++e) {
        if (there >= reader->starts[e + 1] || head->elements[e].kind == GTI_PLY_OTHER) {
            continue;
        }
        long long found = there > reader->starts[e] ? (long long)(there - reader->starts[e]) : 0;
        if (head->elements[e].kind == GTI_PLY_VERTICES) {
            return gti_fail(reader->error, GT_ERROR_BAD_FILE,
                            "the file is truncated: only %lld of %lld vertices are there", found,
                            (long long)head->elements[e].count);
        }
        return gti_repair(reader->context, reader->error, reader->path, NULL,
                          "the file is truncated: only %lld of %lld faces are there", found,
                          (long long)head->elements[e].count);
    }
    return GT_OK;
}

GtResult gti_ply_read_text(GtiPlyReader* reader)
{
    if (!gti_piece_count(&reader->texts)) {
        return check_rows(reader);
    }
    GtResult result = gti_parse_rows(&reader->texts, &reader->marks, parse_rows, reader, reader->error);
    if (result == GT_OK && reader->out_of_memory) {
        result = gti_out_of_memory(reader->error);
    }
    return result == GT_OK ? check_rows(reader) : result;
}
