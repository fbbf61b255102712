// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// PLY to a scene: the head says what there is, which is checked against the file's size before any memory is asked for;
// then the body is read, and strips are cut.

#include "io/ply/ply.h"

#include "base/fail.h"
#include "io/mesh/units.h"
#include "io/ply/body.h"
#include "io/text/rows.h"
#include "io/text/scan.h"

#include <string.h>

bool gti_ply_sniff(const uint8_t* bytes, size_t size)
{
    return size >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r' || bytes[3] == ' ');
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

static GtResult check_counts(GtiPlyReader* reader)
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
                            "the header declares %lld vertices, more than fit in %llu bytes: the file is truncated",
                            (long long)element->count, (unsigned long long)left);
        }
    }
    return reader->vertices ? GT_OK : gti_fail(reader->error, GT_ERROR_BAD_FILE, "it has no element 'vertex'");
}

static void* allocate(GtiPlyReader* reader, size_t width, size_t size)
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
    GtiPlyReader* reader = user;
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
static GtResult find_origin(GtiPlyReader* reader)
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
                gti_ply_load(row + property->offset, property->type, reader->head.encoding == GTI_PLY_BIG);
        }
    }
    gti_choose_origin(first, reader->mesh.origin);
    return GT_OK;
}

static GtResult prepare(GtiPlyReader* reader, GtArena* arena)
{
    const GtiPlyElement* vertices = reader->vertices;
    size_t piece_count = reader->head.encoding == GTI_PLY_ASCII ? (size_t)gti_piece_count(&reader->texts) : 1;
    reader->mesh.faces = gt_arena_push_array(arena, piece_count + 1, sizeof *reader->mesh.faces);
    if (!gti_row_marks_make(&reader->texts, arena, &reader->marks) || !reader->mesh.faces) {
        return gti_out_of_memory(reader->error);
    }
    reader->mesh.face_list_count = (int32_t)piece_count;
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
static GtResult make_strips(GtiPlyReader* reader)
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

static GtResult read(GtiPlyReader* reader, GtArena* arena, const GtLoadDef* def, GtScene** out)
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
        result = reader->head.encoding == GTI_PLY_ASCII ? gti_ply_read_text(reader) : gti_ply_read_binary(reader);
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
    GtiPlyReader* reader = gt_arena_push_array(&arena, 1, sizeof *reader);
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
