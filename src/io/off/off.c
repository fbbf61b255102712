// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OFF as Geomview's manual has it: [ST][C][N][4][n]OFF, counts of vertices, faces and edges, a line a vertex and a line
// a face. A vertex is x y z, then a normal (N), a colour (C) and a texture coordinate (ST) as the first word says; many
// programs write colours without saying so. Binary and four-dimensional ones are refused.

#include "io/off/off.h"

#include "base/fail.h"
#include "io/mesh/plain_mesh.h"
#include "io/mesh/units.h"
#include "io/srgb.h"
#include "io/text/rows.h"
#include "io/text/scan.h"

#include <math.h>
#include <stdatomic.h>

enum {
    HEAD_SIZE = 1 << 16, // bytes in which the counts must be
    MOST_VALUES = 16     // a vertex: 3 + 3 + 4 + 2 and some to spare
};

typedef struct Head {
    bool normals, colors, texcoords;
    int64_t vertex_count, face_count;
    uint64_t size; // bytes up to the first row
    int64_t lines; // in them
} Head;

typedef struct Reader {
    const GtContext* context;
    GtAllocator allocator;
    const char* path;
    GtError* error;
    Head head;
    GtiTextPieces texts;
    GtiRowMarks marks;
    GtiPlainMesh mesh;
    bool color_bytes; // colours are 0 to 255
    atomic_bool out_of_memory;
} Reader;

// The words before OFF, or NULL where the text is none.
static const char* match_head(const char* p, const char* end, Head* head, const char** refused)
{
    if (end - p >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    }
    int64_t line = 0;
    p = gti_next_row(p, end, &line);
    if (!p) {
        return NULL;
    }
    if (end - p > 2 && p[0] == 'S' && p[1] == 'T') {
        head->texcoords = true;
        p += 2;
    }
    for (; p < end && strchr("CN4n", *p) && *p; ++p) {
        head->colors |= *p == 'C';
        head->normals |= *p == 'N';
        *refused = *p == '4' || *p == 'n' ? "has points of four or more dimensions" : *refused;
    }
    if (end - p < 3 || strncmp(p, "OFF", 3) != 0) {
        return NULL;
    }
    p += 3;
    while (gti_is_blank(*p)) {
        ++p;
    }
    *refused = end - p >= 6 && strncmp(p, "BINARY", 6) == 0 ? "is binary" : *refused;
    return p;
}

bool gti_off_sniff(const uint8_t* bytes, size_t size)
{
    Head head = { 0 };
    const char* refused = NULL;
    const char* p = (const char*)bytes;
    return match_head(p, p + size, &head, &refused) != NULL;
}

static GtResult read_head(Reader* reader, const GtiByteSource* source)
{
    Head* head = &reader->head;
    const char* refused = NULL;
    char* text = reader->allocator.allocate(reader->allocator.user, HEAD_SIZE + GTI_PIECE_ROOM);
    if (!text) {
        return gti_out_of_memory(reader->error);
    }
    size_t size = gti_byte_source_read(source, 0, text, HEAD_SIZE);
    memset(text + size, 0, GTI_PIECE_ROOM);
    const char* end = text + size;
    const char* p = match_head(text, end, head, &refused);
    GtResult result = GT_OK;
    int64_t line = 0;
    int64_t counts[2] = { -1, -1 };
    if (!p) {
        p = text; // the first word may be left out
    }
    if (refused) {
        result =
            gti_fail(reader->error, GT_ERROR_UNSUPPORTED, "this OFF %s; convert it with Geomview or MeshLab", refused);
    }
    for (int i = 0; i < 2 && p && result == GT_OK; ++i) {
        p = gti_next_row(p, end, &line);
        if (!p || !gti_scan_integer(&p, &counts[i])) {
            p = NULL;
        }
    }
    if (result == GT_OK && (!p || counts[0] < 0 || counts[1] < 0)) {
        result = gti_fail(reader->error, GT_ERROR_BAD_FILE, "the counts of vertices and faces are missing after OFF");
    }
    if (result == GT_OK) {
        p = gti_skip_line_end(gti_find_line_end(p, end), end, &line);
        head->vertex_count = counts[0];
        head->face_count = counts[1];
        head->size = (uint64_t)(p - text);
        for (const char* c = text; c < p; ++c) {
            head->lines += *c == '\n' || (*c == '\r' && c[1] != '\n');
        }
    }
    reader->allocator.release(reader->allocator.user, text);
    return result;
}

static bool put_vertex(Reader* reader, int64_t row, const float* values, int count)
{
    GtiPlainMesh* mesh = &reader->mesh;
    const Head* head = &reader->head;
    int at = 3;
    if (count < 3) {
        return false;
    }
    memcpy(mesh->positions + 3 * row, values, 3 * sizeof *values);
    if (head->normals) {
        bool there = count >= at + 3;
        for (int k = 0; k < 3; ++k) {
            mesh->normals[3 * row + k] = there && isfinite(values[at + k]) ? values[at + k] : 0.0f;
        }
        at += 3;
    }
    int texcoords = head->texcoords ? 2 : 0;
    if (mesh->colors) {
        int there = count - at - texcoords >= 3;
        float scale = reader->color_bytes ? 1.0f / 255.0f : 1.0f;
        bool alpha = count - at - texcoords >= 4;
        for (int k = 0; k < 4; ++k) {
            float value = there && (k < 3 || alpha) ? values[at + k] * scale : 1.0f;
            mesh->colors[4 * row + k] = k < 3 ? gti_linear16_from_srgb((double)value)
                                              : (uint16_t)lroundf(fminf(fmaxf(value, 0.0f), 1.0f) * 65535.0f);
        }
    }
    if (texcoords) {
        float u = count >= 2 ? values[count - 2] : 0.0f;
        float v = count >= 2 ? values[count - 1] : 0.0f;
        mesh->texcoords[2 * row] = isfinite(u) ? u : 0.0f;
        mesh->texcoords[2 * row + 1] = isfinite(v) ? 1.0f - v : 0.0f;
    }
    return true;
}

static int read_values(const char** text, const char* end, float* values)
{
    const char* p = *text;
    int count = 0;
    while (count < MOST_VALUES) {
        while (gti_is_blank(*p)) {
            ++p;
        }
        if (p >= end || gti_is_line_end(*p) || *p == '#') {
            break;
        }
        if (!gti_scan_float(&p, end, &values[count])) {
            return -1;
        }
        ++count;
    }
    *text = p;
    return count;
}

static bool put_face(Reader* reader, GtiFaces* faces, const char** text, const char* end)
{
    int64_t count = 0;
    const char* p = *text;
    if (!gti_scan_integer(&p, &count) || count < 0 || count > end - p) {
        return false;
    }
    if (count < 3) {
        ++faces->short_count;
        *text = p;
        return true;
    }
    uint32_t* corners = gti_faces_add(reader->allocator, faces, (uint32_t)count, NULL);
    if (!corners) {
        reader->out_of_memory = true;
        return false;
    }
    for (int64_t i = 0; i < count; ++i) {
        int64_t index = 0;
        while (gti_is_blank(*p)) {
            ++p;
        }
        if (p >= end || !gti_scan_integer(&p, &index)) {
            return false;
        }
        corners[i] = index >= 0 && index < UINT32_MAX ? (uint32_t)index : UINT32_MAX;
    }
    *text = p;
    return true;
}

static bool parse_rows(void* user, const GtiTextRows* rows)
{
    Reader* reader = user;
    const Head* head = &reader->head;
    int64_t row = rows->first;
    int64_t line = 0;
    const char* p = rows->text;
    float values[MOST_VALUES];
    for (; row < head->vertex_count + head->face_count && (p = gti_next_row(p, rows->end, &line)) != NULL; ++row) {
        bool ok = true;
        if (row < head->vertex_count) {
            ok = put_vertex(reader, row, values, read_values(&p, rows->end, values));
        } else {
            ok = put_face(reader, &reader->mesh.faces[rows->piece], &p, rows->end);
        }
        if (!ok) {
            reader->marks.error_row[rows->slot] = row;
            return false;
        }
        p = gti_skip_line_end(gti_find_line_end(p, rows->end), rows->end, &line);
    }
    return true;
}

// Look at the first vertex: colours that nobody announced, and where it is.
static bool look_at_first(void* user, const GtiPiece* piece)
{
    Reader* reader = user;
    float values[MOST_VALUES];
    int64_t line = 0;
    const char* p = gti_next_row(piece->text, piece->end, &line);
    const char* start = p;
    int count = p ? read_values(&p, piece->end, values) : 0;
    int plain = 3 + (reader->head.normals ? 3 : 0) + (reader->head.texcoords ? 2 : 0);
    reader->head.colors |= count >= plain + 3;
    int at = 3 + (reader->head.normals ? 3 : 0);
    for (int k = 0; k < 3 && reader->head.colors && count >= at + 3; ++k) {
        reader->color_bytes |= values[at + k] > 1.0f;
    }
    // Whole numbers without a point are bytes, even where all are 0 or 1.
    if (start && reader->head.colors && count >= at + 3) {
        const char* word = start;
        for (int i = 0; i < at; ++i) {
            while (!gti_ends_word(*word)) {
                ++word;
            }
            while (gti_is_blank(*word)) {
                ++word;
            }
        }
        bool point = false;
        for (; word < p; ++word) {
            point |= *word == '.';
        }
        reader->color_bytes |= !point;
    }
    return true;
}

static float* allocate_floats(Reader* reader, size_t width)
{
    size_t count = (size_t)reader->head.vertex_count * width + 1;
    float* floats = reader->allocator.allocate(reader->allocator.user, count * sizeof *floats);
    if (!floats) {
        reader->out_of_memory = true;
    }
    return floats;
}

static GtResult prepare(Reader* reader, GtArena* arena)
{
    const Head* head = &reader->head;
    uint64_t left = reader->texts.end - reader->texts.first;
    if (head->vertex_count > INT32_MAX / 4 || (uint64_t)head->vertex_count * 6 > left + 6 ||
        (uint64_t)head->face_count * 2 > left + 2) {
        return gti_fail(
            reader->error, GT_ERROR_BAD_FILE,
            "the header declares %lld vertices and %lld faces, more than fit in %llu bytes: the file is truncated",
            (long long)head->vertex_count, (long long)head->face_count, (unsigned long long)left);
    }
    size_t piece_count = (size_t)gti_piece_count(&reader->texts);
    reader->mesh.faces = gt_arena_push_array(arena, piece_count + 1, sizeof *reader->mesh.faces);
    if (!gti_row_marks_make(&reader->texts, arena, &reader->marks) || !reader->mesh.faces) {
        return gti_out_of_memory(reader->error);
    }
    reader->mesh.face_list_count = (int32_t)piece_count;
    GtResult result = piece_count ? gti_parse_piece(&reader->texts, 0, look_at_first, reader, reader->error) : GT_OK;
    if (result != GT_OK) {
        return result;
    }
    reader->mesh.vertex_count = (uint32_t)head->vertex_count;
    reader->mesh.positions = allocate_floats(reader, 3);
    reader->mesh.normals = head->normals ? allocate_floats(reader, 3) : NULL;
    reader->mesh.texcoords = head->texcoords ? allocate_floats(reader, 2) : NULL;
    reader->mesh.colors = head->colors ? (uint16_t*)(void*)allocate_floats(reader, 2) : NULL;
    return reader->out_of_memory ? gti_out_of_memory(reader->error) : GT_OK;
}

// Rows that are missing at the end of a file that was cut.
static GtResult check_rows(Reader* reader)
{
    const Head* head = &reader->head;
    char where[32];
    int64_t row = gti_first_bad_row(&reader->texts, &reader->marks, head->lines, where);
    if (row >= 0) {
        return gti_fail_at(reader->error, GT_ERROR_BAD_FILE, where, "%s",
                           row < head->vertex_count ? "a vertex needs three numbers"
                                                    : "a face needs its number of corners and as many vertices");
    }
    int64_t there = reader->marks.counts[reader->mesh.face_list_count];
    if (there < head->vertex_count) {
        return gti_fail(reader->error, GT_ERROR_BAD_FILE, "the file is truncated: only %lld of %lld vertices are there",
                        (long long)there, (long long)head->vertex_count);
    }
    if (there < head->vertex_count + head->face_count) {
        return gti_repair(reader->context, reader->error, reader->path, NULL,
                          "the file is truncated: only %lld of %lld faces are there",
                          (long long)(there - head->vertex_count), (long long)head->face_count);
    }
    return GT_OK;
}

GtResult gti_off_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error)
{
    Reader reader = { .context = context,
                      .allocator = context->allocator,
                      .path = path,
                      .error = error,
                      .texts = { .context = context, .source = source, .end = source->size, .task = "reading" },
                      .mesh = { .format = "off" } };
    GtArena arena = gt_arena_create(context->allocator);
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result == GT_OK) {
        result = read_head(&reader, source);
    }
    if (result == GT_OK) {
        reader.texts.first = reader.head.size;
        result = prepare(&reader, &arena);
    }
    if (result == GT_OK && reader.mesh.face_list_count) {
        result = gti_parse_rows(&reader.texts, &reader.marks, parse_rows, &reader, error);
    }
    if (result == GT_OK) {
        result = reader.out_of_memory ? gti_out_of_memory(error) : check_rows(&reader);
    }
    if (result == GT_OK) {
        result = gti_plain_mesh_finish(context, &reader.mesh, path, def, out, error);
    }
    gti_plain_mesh_release(context->allocator, &reader.mesh);
    gt_arena_destroy(&arena);
    return result;
}
