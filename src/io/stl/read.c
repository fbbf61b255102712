// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// STL (3D Systems 1988), binary and text. Equal corners are joined as they come, so that no more than the result is in
// memory. Many binary files begin with "solid" as text does: one is binary when its size is what its count of triangles
// asks for, or when no "facet" follows.

#include "io/stl/stl.h"

#include "base/fail.h"
#include "geometry/welder.h"
#include "io/bytes.h"
#include "io/mesh/plain_mesh.h"
#include "io/mesh/units.h"
#include "io/text/scan.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

enum {
    BINARY_HEAD = 84,
    ROW = 50,
    ROWS_AT_ONCE = 16384
};

// Corners that a piece of text names.
typedef struct Piece {
    float* corners;
    size_t count;
    int64_t line_count;
    int64_t error_line; // -1 for none
    bool out_of_memory;
} Piece;

typedef struct Reader {
    const GtContext* context;
    GtAllocator allocator;
    const GtiByteSource* source;
    const char* path;
    GtError* error;
    GtiWelder welder;
    GtiFaces faces;
    Piece* pieces;
    float triangle[9]; // of corners that wait for others
    int waiting;
    int64_t not_finite_count;
    int64_t line; // of text, so far
    GtResult text_result;
} Reader;

static bool holds(const char* text, size_t size, const char* word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(text + i, word, length) == 0) {
            return true;
        }
    }
    return false;
}

// Whether text follows "solid".
static bool is_text(const char* text, size_t size)
{
    size_t start = 0;
    while (start < size && (unsigned char)text[start] <= ' ' && text[start]) {
        ++start;
    }
    size_t searched = size < 2048 ? size : 2048;
    return size - start >= 5 && strncmp(text + start, "solid", 5) == 0 &&
           (holds(text, searched, "facet") || holds(text, searched, "endsolid")) && !memchr(text, 0, searched);
}

bool gti_stl_sniff(const uint8_t* bytes, size_t size)
{
    return is_text((const char*)bytes, size);
}

bool gti_stl_is_binary(const uint8_t* bytes, size_t size, uint64_t total)
{
    return size >= BINARY_HEAD && total == BINARY_HEAD + (uint64_t)gti_load_u32(bytes + 80) * ROW;
}

static bool add_triangle(Reader* reader, const float corners[9])
{
    bool finite = true;
    for (int i = 0; i < 9; ++i) {
        finite &= isfinite(corners[i]) != 0;
    }
    if (!finite) {
        ++reader->not_finite_count;
        return true;
    }
    uint32_t* out = gti_faces_add(reader->allocator, &reader->faces, 3, NULL);
    for (int i = 0; i < 3 && out; ++i) {
        int32_t point =
            gti_welder_add(&reader->welder, gt_vec3(corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]));
        if (point == GT_NONE) {
            return false;
        }
        out[i] = (uint32_t)point;
    }
    return out != NULL;
}

static GtResult read_rows(Reader* reader, const uint8_t* rows, size_t count)
{
    for (size_t i = 0; i < count; ++i, rows += ROW) {
        float corners[9];
        for (int k = 0; k < 9; ++k) {
            uint32_t bits = gti_load_u32(rows + 12 + 4 * k);
            memcpy(&corners[k], &bits, sizeof bits);
        }
        if (!add_triangle(reader, corners)) {
            return gti_out_of_memory(reader->error);
        }
    }
    return GT_OK;
}

static GtResult read_binary(Reader* reader, uint64_t promised)
{
    uint64_t there = (reader->source->size - BINARY_HEAD) / ROW;
    uint64_t count = promised < there ? promised : there;
    GtResult result = GT_OK;
    if (there < promised) {
        result = gti_repair(reader->context, reader->error, reader->path, NULL,
                            "the file is truncated: only %llu of %llu triangles are there", (unsigned long long)there,
                            (unsigned long long)promised);
    }
    uint8_t* rows = reader->allocator.allocate(reader->allocator.user, (size_t)ROWS_AT_ONCE * ROW);
    if (!rows) {
        return gti_out_of_memory(reader->error);
    }
    for (uint64_t first = 0; first < count && result == GT_OK; first += ROWS_AT_ONCE) {
        size_t some = count - first < ROWS_AT_ONCE ? (size_t)(count - first) : ROWS_AT_ONCE;
        size_t size = gti_byte_source_read(reader->source, BINARY_HEAD + first * ROW, rows, some * ROW);
        if (size < some * ROW) {
            result = gti_fail(reader->error, GT_ERROR_IO, "the file became shorter while it was read; try again");
        } else {
            result = read_rows(reader, rows, some);
        }
        if (result == GT_OK) {
            result = gti_progress(reader->context, reader->error, "reading", (double)first / (double)count);
        }
    }
    reader->allocator.release(reader->allocator.user, rows);
    return result;
}

// Corners of a piece of text: lines that begin with "vertex", of which the shortest is "vertex 0 0 0".
static bool parse_piece(void* user, const GtiPiece* text)
{
    Reader* reader = user;
    Piece* piece = &reader->pieces[text->index];
    size_t most = (size_t)(text->end - text->text) / 12 + 1;
    piece->error_line = -1;
    piece->corners = reader->allocator.allocate(reader->allocator.user, most * 3 * sizeof *piece->corners);
    if (!piece->corners) {
        piece->out_of_memory = true;
        return true;
    }
    float* out = piece->corners;
    for (const char* p = text->text; p < text->end;) {
        while (gti_is_blank(*p)) {
            ++p;
        }
        if ((*p | 0x20) == 'v' && strncasecmp(p, "vertex", 6) == 0 && gti_is_blank(p[6])) {
            p += 6;
            for (int k = 0; k < 3; ++k) {
                while (gti_is_blank(*p)) {
                    ++p;
                }
                if (gti_is_line_end(*p) || !gti_scan_float(&p, text->end, &out[k])) {
                    piece->error_line = piece->line_count;
                    return true;
                }
            }
            out += 3;
            ++piece->count;
        }
        p = gti_skip_line_end(gti_find_line_end(p, text->end), text->end, &piece->line_count);
    }
    return true;
}

// Join what a wave of pieces found, in order.
static bool take_pieces(void* user, int32_t first, int32_t end)
{
    Reader* reader = user;
    for (int32_t i = first; i < end; ++i) {
        Piece* piece = &reader->pieces[i];
        bool ok = !piece->out_of_memory;
        for (size_t c = 0; c < piece->count && ok; ++c) {
            memcpy(reader->triangle + 3 * reader->waiting, piece->corners + 3 * c, 3 * sizeof(float));
            if (++reader->waiting == 3) {
                reader->waiting = 0;
                ok = add_triangle(reader, reader->triangle);
            }
        }
        reader->allocator.release(reader->allocator.user, piece->corners);
        piece->corners = NULL;
        if (!ok) {
            reader->text_result = gti_out_of_memory(reader->error);
            return false;
        }
        if (piece->error_line >= 0) {
            char where[32];
            snprintf(where, sizeof where, "line %lld", (long long)(reader->line + piece->error_line + 1));
            reader->text_result = gti_fail_at(reader->error, GT_ERROR_BAD_FILE, where, "a vertex needs three numbers");
            return false;
        }
        reader->line += piece->line_count;
    }
    return true;
}

static GtResult read_text(Reader* reader, GtArena* arena)
{
    GtiTextPieces texts = { .context = reader->context,
                            .source = reader->source,
                            .end = reader->source->size,
                            .task = "reading",
                            .wave = take_pieces };
    int32_t count = gti_piece_count(&texts);
    reader->pieces = gt_arena_push_array(arena, (size_t)count, sizeof *reader->pieces);
    if (!reader->pieces) {
        return gti_out_of_memory(reader->error);
    }
    GtResult result = gti_parse_pieces(&texts, parse_piece, reader, reader->error);
    for (int32_t i = 0; i < count; ++i) {
        reader->allocator.release(reader->allocator.user, reader->pieces[i].corners);
    }
    if (result == GT_OK) {
        result = reader->text_result;
    }
    if (result == GT_OK && reader->waiting) {
        result = gti_repair(reader->context, reader->error, reader->path, NULL,
                            "the last triangle has %d of three corners: it is left out", reader->waiting);
    }
    return result;
}

static GtResult read(Reader* reader, GtArena* arena)
{
    char head[4096];
    size_t size = gti_byte_source_read(reader->source, 0, head, sizeof head);
    uint64_t promised = size >= BINARY_HEAD ? gti_load_u32((const uint8_t*)head + 80) : 0;
    bool exact = gti_stl_is_binary((const uint8_t*)head, size, reader->source->size);
    if (!exact && is_text(head, size)) {
        return read_text(reader, arena);
    }
    if (size < BINARY_HEAD) {
        return gti_fail(reader->error, GT_ERROR_BAD_FILE,
                        "this is not an STL file: it has neither \"solid\" with facets nor a header of %d bytes",
                        BINARY_HEAD);
    }
    return read_binary(reader, promised);
}

static GtResult finish(Reader* reader, const GtLoadDef* def, GtScene** out)
{
    GtResult result = GT_OK;
    if (reader->not_finite_count) {
        result = gti_repair(reader->context, reader->error, reader->path, NULL, "%lld triangle%s not finite: left out",
                            (long long)reader->not_finite_count, reader->not_finite_count == 1 ? " is" : "s are");
    }
    if (result != GT_OK) {
        return result;
    }
    GtiPlainMesh mesh = { .format = "stl",
                          .vertex_count = reader->welder.count,
                          .positions = (float*)reader->welder.points,
                          .faces = &reader->faces,
                          .face_list_count = 1 };
    reader->welder.points = NULL; // the mesh frees them
    gti_welder_release(&reader->welder);
    result = gti_plain_mesh_finish(reader->context, &mesh, reader->path, def, out, reader->error);
    gti_plain_mesh_release(reader->allocator, &mesh);
    return result;
}

GtResult gti_stl_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error)
{
    Reader reader = { .context = context,
                      .allocator = context->allocator,
                      .source = source,
                      .path = path,
                      .error = error,
                      .welder = { .allocator = context->allocator } };
    GtArena arena = gt_arena_create(context->allocator);
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result == GT_OK) {
        result = read(&reader, &arena);
    }
    if (result == GT_OK) {
        result = finish(&reader, def, out);
    }
    gti_faces_release(context->allocator, &reader.faces);
    gti_welder_release(&reader.welder);
    gt_arena_destroy(&arena);
    return result;
}
