// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OBJ to a scene, in five steps: pieces of text become numbers, on all threads; elements are put one after the other;
// faces are sorted into parts; their corners are joined into vertices; vertices and triangles are laid out as glTF has
// them, in the order in which the file lists positions.

#include "io/obj/obj.h"

#include "base/fail.h"
#include "base/memory.h"
#include "io/mesh/part.h"
#include "io/mesh/plain_mesh.h"
#include "io/mesh/units.h"
#include "io/name.h"
#include "io/obj/join.h"
#include "io/obj/mtl.h"
#include "io/obj/parts.h"
#include "io/srgb.h"
#include "io/text/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Reader {
    const GtContext* context;
    GtAllocator allocator;
    const char* path;
    const GtLoadDef* def;
    GtError* error;
    GtArena arena;
    GtiTextPieces texts;
    GtiObjPiece* pieces;
    int32_t piece_count;
    GtiObjWorker* workers;
    int32_t worker_count;
    double origin[3];
    GtiObjBase* bases; // [piece_count]
    int64_t* lines;    // [piece_count] lines before a piece
    float* elements;   // block of positions, texcoords, normals, colors
    GtiObjElements all;
    float* colors; // [3 * position_count] as written, or NULL
    float color_scale;
    GtiObjParts parts;
    GtiObjJoin join;
    GtiMeshParts out;
} Reader;

bool gti_obj_sniff(const uint8_t* bytes, size_t size)
{
    static const char* const words[] = { "v", "vt", "vn", "vp", "f", "g", "o", "s", "usemtl", "mtllib" };
    const char* p = (const char*)bytes;
    const char* end = p + size;
    if (size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        p += 3;
    }
    while (p < end && (gti_is_blank(*p) || *p == '\n' || *p == '\r' || *p == '#')) {
        if (*p == '#') {
            p = gti_find_line_end(p, end);
        } else {
            ++p;
        }
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        size_t length = strlen(words[i]);
        if ((size_t)(end - p) > length && strncmp(p, words[i], length) == 0 && gti_is_blank(p[length])) {
            return true;
        }
    }
    return false;
}

static bool parse_piece(void* user, const GtiPiece* text)
{
    Reader* reader = user;
    GtiObjPiece* piece = &reader->pieces[text->index];
    GtiPiece own = *text;
    bool starts = text->index == 0 && text->end - text->text >= 3;
    own.text += starts && memcmp(text->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    gti_obj_parse(reader->allocator, &own, reader->origin, &reader->workers[text->slot], piece);
    return !piece->out_of_memory;
}

// A scan in coordinates of a country is far from 0.
static bool find_origin(void* user, const GtiPiece* text)
{
    Reader* reader = user;
    double first[3];
    if (gti_obj_first_vertex(text->text, text->end, first)) {
        gti_choose_origin(first, reader->origin);
    }
    return true;
}

static GtResult parse(Reader* reader)
{
    reader->piece_count = gti_piece_count(&reader->texts);
    reader->worker_count = gti_piece_slot_count(&reader->texts);
    size_t piece_count = (size_t)reader->piece_count;
    reader->pieces = gt_arena_push_array(&reader->arena, piece_count, sizeof *reader->pieces);
    reader->workers = gt_arena_push_array(&reader->arena, (size_t)reader->worker_count, sizeof *reader->workers);
    reader->bases = gt_arena_push_array(&reader->arena, piece_count + 1, sizeof *reader->bases);
    reader->lines = gt_arena_push_array(&reader->arena, piece_count + 1, sizeof *reader->lines);
    if (!reader->pieces || !reader->workers || !reader->bases || !reader->lines) {
        reader->piece_count = reader->pieces ? reader->piece_count : 0;
        reader->worker_count = reader->workers ? reader->worker_count : 0;
        return gti_out_of_memory(reader->error);
    }
    GtResult result = gti_parse_piece(&reader->texts, 0, find_origin, reader, reader->error);
    if (result == GT_OK) {
        result = gti_parse_pieces(&reader->texts, parse_piece, reader, reader->error);
    }
    for (int32_t i = 0; i < reader->worker_count; ++i) {
        reader->allocator.release(reader->allocator.user, reader->workers[i].block);
        reader->workers[i] = (GtiObjWorker){ 0 };
    }
    for (int32_t i = 0; i < reader->piece_count && result == GT_OK; ++i) {
        result = reader->pieces[i].out_of_memory ? gti_out_of_memory(reader->error) : GT_OK;
    }
    return result;
}

// Count what comes before each piece; the first error of the text is the file's.
static GtResult count_elements(Reader* reader)
{
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        const GtiObjPiece* piece = &reader->pieces[i];
        const GtiObjBase* base = &reader->bases[i];
        if (piece->error[0]) {
            char where[32];
            snprintf(where, sizeof where, "line %lld", (long long)(reader->lines[i] + piece->error_line + 1));
            return gti_fail_at(reader->error, GT_ERROR_BAD_FILE, where, "%s", piece->error);
        }
        reader->lines[i + 1] = reader->lines[i] + piece->line_count;
        reader->bases[i + 1] =
            (GtiObjBase){ base->position + piece->position_count, base->texcoord + piece->texcoord_count,
                          base->normal + piece->normal_count };
    }
    const GtiObjBase* total = &reader->bases[reader->piece_count];
    if (total->position > INT32_MAX / 4 || total->texcoord > INT32_MAX / 4 || total->normal > INT32_MAX / 4) {
        return gti_fail(reader->error, GT_ERROR_LIMIT, "it has more than %d vertices", INT32_MAX / 4);
    }
    reader->all.position_count = (uint32_t)total->position;
    reader->all.texcoord_count = (uint32_t)total->texcoord;
    reader->all.normal_count = (uint32_t)total->normal;
    return GT_OK;
}

static void copy_floats(float* to, const float* from, size_t count)
{
    if (count) {
        memcpy(to, from, count * sizeof *to);
    }
}

static void gather_colors(Reader* reader)
{
    size_t painted = 0;
    float largest = 0.0f;
    size_t count = 3 * (size_t)reader->all.position_count;
    for (size_t i = 0; i < count; ++i) {
        reader->colors[i] = -1.0f;
    }
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        const GtiObjPiece* piece = &reader->pieces[i];
        size_t fits = 3 * (size_t)piece->painted_count;
        fits = fits < count - painted ? fits : count - painted;
        copy_floats(reader->colors + painted, piece->painted, fits);
        painted += fits;
    }
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        const GtiObjPiece* piece = &reader->pieces[i];
        if (piece->colors) {
            copy_floats(reader->colors + 3 * reader->bases[i].position, piece->colors,
                        3 * (size_t)piece->position_count);
            largest = fmaxf(largest, piece->largest_color);
        }
    }
    reader->color_scale = largest > 1.0f ? 1.0f / 255.0f : 1.0f;
}

// Put elements of all pieces one after the other, and free the pieces' own.
static GtResult gather_elements(Reader* reader)
{
    size_t positions = 3 * (size_t)reader->all.position_count;
    size_t texcoords = 2 * (size_t)reader->all.texcoord_count;
    size_t normals = 3 * (size_t)reader->all.normal_count;
    bool colored = false;
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        colored |= reader->pieces[i].colors || reader->pieces[i].painted_count;
        reader->all.has_holes |= reader->pieces[i].fault_counts[GTI_OBJ_NOT_FINITE] > 0;
    }
    size_t total = positions + texcoords + normals + (colored ? positions : 0);
    float* to = reader->allocator.allocate(reader->allocator.user, (total + 1) * sizeof *to);
    if (!to) {
        return gti_out_of_memory(reader->error);
    }
    reader->elements = to;
    reader->all.positions = to;
    reader->all.texcoords = to + positions;
    reader->all.normals = to + positions + texcoords;
    if (colored && positions) {
        reader->colors = to + positions + texcoords + normals;
        gather_colors(reader);
    }
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        GtiObjPiece* piece = &reader->pieces[i];
        const GtiObjBase* base = &reader->bases[i];
        copy_floats(to + 3 * base->position, piece->positions, 3 * (size_t)piece->position_count);
        copy_floats(to + positions + 2 * base->texcoord, piece->texcoords, 2 * (size_t)piece->texcoord_count);
        copy_floats(to + positions + texcoords + 3 * base->normal, piece->normals, 3 * (size_t)piece->normal_count);
        reader->allocator.release(reader->allocator.user, piece->elements);
        piece->elements = NULL;
    }
    return GT_OK;
}

static GtResult sort_faces(Reader* reader)
{
    const char* group = reader->def->group;
    unsigned present = gti_obj_present(&reader->all);
    if (!gti_obj_find_parts(reader->pieces, reader->piece_count, group, present, &reader->arena, &reader->parts)) {
        return gti_out_of_memory(reader->error);
    }
    if (!reader->parts.group_found) {
        return gti_fail(reader->error, GT_ERROR_NOT_FOUND, "there is no group or object '%.100s'", group);
    }
    if (reader->parts.triangle_count > INT32_MAX) {
        return gti_fail(reader->error, GT_ERROR_LIMIT, "it has more than %d triangles", INT32_MAX);
    }
    return GT_OK;
}

static unsigned part_has(const Reader* reader, uint32_t layout)
{
    return (layout & GTI_OBJ_NORMAL ? GTI_PART_NORMALS : 0u) | (layout & GTI_OBJ_TEXCOORD ? GTI_PART_TEXCOORDS : 0u) |
           (reader->colors ? GTI_PART_COLORS : 0u);
}

static GtResult join_part(Reader* reader, int32_t index)
{
    const GtiObjPart* part = &reader->parts.parts[index];
    GtiMeshPart* made = &reader->out.parts[index];
    uint64_t first_index = reader->join.index_count;
    gti_obj_join_begin(&reader->join);
    for (uint64_t r = 0; r < part->run_count; ++r) {
        const GtiObjRunPlace* place = &reader->parts.runs[part->first_run + r];
        const GtiObjPiece* piece = &reader->pieces[place->piece];
        GtiObjFaces faces = { .run = &piece->runs[place->run],
                              .corners = piece->corners + place->corner,
                              .base = reader->bases[place->piece],
                              .piece = place->piece,
                              .first_face = place->first_face };
        if (!gti_obj_join_run(&reader->join, &faces)) {
            return gti_out_of_memory(reader->error);
        }
    }
    *made = (GtiMeshPart){
        .has = part_has(reader, part->layout),
        .vertex_count = (uint32_t)(reader->join.vertex_count - reader->join.part_first),
        .index_count = reader->join.index_count - first_index,
        .mesh = part->mesh,
        .material = part->material,
    };
    return GT_OK;
}

static GtResult join(Reader* reader)
{
    GtResult result = GT_OK;
    reader->out.part_count = reader->parts.part_count;
    reader->out.parts =
        gt_arena_push_array(&reader->arena, (size_t)reader->parts.part_count + 1, sizeof *reader->out.parts);
    if (!reader->out.parts ||
        !gti_obj_join_create(reader->allocator, &reader->all, reader->parts.triangle_count, &reader->join)) {
        return gti_out_of_memory(reader->error);
    }
    for (int32_t p = 0; p < reader->parts.part_count && result == GT_OK; ++p) {
        if (p % 64 == 0) {
            result = gti_progress(reader->context, reader->error, "joining", (double)p / reader->parts.part_count);
        }
        if (result == GT_OK) {
            result = join_part(reader, p);
        }
    }
    return result;
}

static void release_faces(Reader* reader)
{
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        reader->allocator.release(reader->allocator.user, reader->pieces[i].faces);
        reader->pieces[i].faces = NULL;
    }
}

// Vertices without faces: a cloud of points.
static GtResult make_points(Reader* reader)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < reader->all.position_count; ++i) {
        count += !isnan(reader->all.positions[3 * (size_t)i]);
    }
    reader->out.parts[0] =
        (GtiMeshPart){ .has = reader->colors ? GTI_PART_COLORS : 0u, .vertex_count = count, .material = GT_NONE };
    reader->out.part_count = count > 0;
    reader->out.mesh_count = count > 0;
    return GT_OK;
}

static void put_color(const Reader* reader, uint32_t position, uint16_t out[4])
{
    const float* color = reader->colors + 3 * (size_t)position;
    for (int k = 0; k < 3; ++k) {
        out[k] = color[k] < 0.0f ? 65535 : gti_linear16_from_srgb((double)(color[k] * reader->color_scale));
    }
    out[3] = 65535;
}

static void fill_points(Reader* reader, GtiMeshPart* part)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < reader->all.position_count; ++i) {
        const float* p = reader->all.positions + 3 * (size_t)i;
        if (isnan(p[0])) {
            continue;
        }
        memcpy(part->positions + 3 * (size_t)at, p, 3 * sizeof *p);
        if (reader->colors) {
            put_color(reader, i, part->colors + 4 * (size_t)at);
        }
        ++at;
    }
}

// OBJ has the origin of texture coordinates below, glTF above.
static void fill_vertices(const Reader* reader, const GtiObjVertex* vertices, GtiMeshPart* part)
{
    for (uint32_t i = 0; i < part->vertex_count; ++i) {
        const GtiObjVertex* v = &vertices[i];
        size_t at = (size_t)v->next;
        memcpy(part->positions + 3 * at, reader->all.positions + 3 * (size_t)v->position, 3 * sizeof(float));
        if (part->has & GTI_PART_TEXCOORDS) {
            const float* uv = reader->all.texcoords + 2 * (size_t)v->texcoord;
            part->texcoords[2 * at] = uv[0];
            part->texcoords[2 * at + 1] = 1.0f - uv[1];
        }
        if (part->has & GTI_PART_NORMALS) {
            memcpy(part->normals + 3 * at, reader->all.normals + 3 * (size_t)v->normal, 3 * sizeof(float));
        }
        if (part->has & GTI_PART_COLORS) {
            put_color(reader, (uint32_t)v->position, part->colors + 4 * at);
        }
    }
}

static GtResult lay_out(Reader* reader)
{
    GtResult result = GT_OK;
    uint64_t vertex = 0;
    uint64_t index = 0;
    for (int32_t p = 0; p < reader->out.part_count && reader->join.vertex_count; ++p) {
        const GtiMeshPart* part = &reader->out.parts[p];
        if (!gti_obj_join_order(&reader->join, vertex, part->vertex_count, reader->join.indices + index,
                                part->index_count)) {
            return gti_out_of_memory(reader->error);
        }
        vertex += part->vertex_count;
        index += part->index_count;
    }
    result = gti_lay_out_parts(reader->context, &reader->out, reader->error);
    if (result != GT_OK) {
        return result;
    }
    const GtiObjVertex* vertices = reader->join.vertices;
    const uint32_t* indices = reader->join.indices;
    for (int32_t p = 0; p < reader->out.part_count; ++p) {
        GtiMeshPart* part = &reader->out.parts[p];
        if (!part->index_count) {
            fill_points(reader, part);
            continue;
        }
        fill_vertices(reader, vertices, part);
        memcpy(part->indices, indices, (size_t)part->index_count * sizeof *indices);
        vertices += part->vertex_count;
        indices += part->index_count;
    }
    return GT_OK;
}

// Parts of which no face was left, and then meshes of which no part was, are left out.
static void drop_empty_parts(Reader* reader)
{
    GtiMeshParts* out = &reader->out;
    int32_t part_count = 0;
    int32_t mesh_count = 0;
    int32_t last_mesh = GT_NONE;
    for (int32_t p = 0; p < out->part_count; ++p) {
        GtiMeshPart part = out->parts[p];
        if (!part.index_count) {
            continue;
        }
        if (part.mesh != last_mesh) {
            last_mesh = part.mesh;
            reader->parts.meshes[mesh_count++] = reader->parts.meshes[part.mesh];
        }
        part.mesh = mesh_count - 1;
        out->parts[part_count++] = part;
    }
    out->part_count = part_count;
    out->mesh_count = mesh_count;
}

static GtResult name_meshes(Reader* reader, GtScene* scene)
{
    reader->out.names =
        gt_arena_push_array(&reader->arena, (size_t)reader->out.mesh_count + 1, sizeof *reader->out.names);
    for (int32_t m = 0; m < reader->out.mesh_count && reader->out.names; ++m) {
        const GtiInterned* items = reader->parts.names.items;
        const GtiObjMesh* mesh = &reader->parts.meshes[m];
        const GtiInterned* name = !reader->parts.mesh_count  ? NULL
                                  : items[mesh->group].size  ? &items[mesh->group]
                                  : items[mesh->object].size ? &items[mesh->object]
                                                             : NULL;
        bool repaired = false;
        reader->out.names[m] = name ? gti_push_name(scene, name->bytes, name->size, "", &repaired)
                                    : gti_push_stem(scene, reader->path, "mesh");
        if (!reader->out.names[m]) {
            return gti_out_of_memory(reader->error);
        }
    }
    return reader->out.names ? GT_OK : gti_out_of_memory(reader->error);
}

// Materials by the numbers of their names become those of the scene.
static GtResult add_materials(Reader* reader, GtScene* scene)
{
    const GtiIntern* names = &reader->parts.names;
    GtiMtl mtl = { .context = reader->context,
                   .path = reader->path,
                   .scene = scene,
                   .arena = &reader->arena,
                   .names = names,
                   .error = reader->error };
    mtl.materials = gt_arena_push(&reader->arena, ((size_t)names->count + 1) * sizeof *mtl.materials);
    if (!mtl.materials) {
        return gti_out_of_memory(reader->error);
    }
    memset(mtl.materials, 0xFF, ((size_t)names->count + 1) * sizeof *mtl.materials); // GT_NONE
    GtResult result = GT_OK;
    for (int32_t i = 0; i < reader->piece_count && result == GT_OK; ++i) {
        const GtiObjPiece* piece = &reader->pieces[i];
        for (uint32_t l = 0; l < piece->library_count && result == GT_OK; ++l) {
            result = gti_mtl_read(&mtl, piece->names + piece->libraries[l].offset, piece->libraries[l].length);
        }
    }
    for (int32_t p = 0; p < reader->out.part_count && result == GT_OK; ++p) {
        GtiMeshPart* part = &reader->out.parts[p];
        bool named = part->material != GT_NONE && names->items[part->material].size;
        if (named && mtl.materials[part->material] == GT_NONE) {
            result = gti_mtl_add_plain(&mtl, part->material);
        }
        part->material = named ? mtl.materials[part->material] : GT_NONE;
    }
    return result;
}

static bool find_line(void* user, const GtiPiece* text)
{
    Reader* reader = user;
    const GtiObjBadFaces* bad = &reader->join.bad;
    reader->lines[bad->piece] += gti_obj_line_of_face(reader->allocator, text, bad->face);
    return true;
}

static GtResult repair_bad_faces(Reader* reader)
{
    const GtiObjBadFaces* bad = &reader->join.bad;
    char where[32];
    char more[48] = "";
    if (!bad->count) {
        return GT_OK;
    }
    gti_parse_piece(&reader->texts, bad->piece, find_line, reader, NULL);
    snprintf(where, sizeof where, "line %lld", (long long)(reader->lines[bad->piece] + 1));
    if (bad->count > 1) {
        snprintf(more, sizeof more, " (and %lld more)", (long long)(bad->count - 1));
    }
    return gti_repair(reader->context, reader->error, reader->path, where,
                      "a face refers to %s %lld, but there are only %u: it is left out%s", bad->kind,
                      (long long)bad->index, bad->limit, more);
}

static GtResult repair_missing(Reader* reader)
{
    static const char* const names[] = { [GTI_OBJ_TEXCOORD] = "texture coordinates",
                                         [GTI_OBJ_NORMAL] = "normals",
                                         [GTI_OBJ_TEXCOORD | GTI_OBJ_NORMAL] = "texture coordinates and normals" };
    unsigned missing = reader->parts.missing;
    return missing ? gti_repair(reader->context, reader->error, reader->path, NULL,
                                "faces refer to %s, but the file has none: they are read without", names[missing])
                   : GT_OK;
}

static GtResult repair_faults(Reader* reader)
{
    static const char* const messages[GTI_OBJ_FAULT_COUNT] = {
        "a vertex is not finite: faces that use it are left out", "a face has fewer than three corners: it is left out",
        "a line does not begin with a keyword of OBJ: it is ignored"
    };
    for (int kind = 0; kind < GTI_OBJ_FAULT_COUNT; ++kind) {
        int64_t count = 0;
        int64_t line = 0;
        for (int32_t i = 0; i < reader->piece_count; ++i) {
            const GtiObjPiece* piece = &reader->pieces[i];
            if (piece->fault_counts[kind] && !count) {
                line = reader->lines[i] + piece->fault_lines[kind] + 1;
            }
            count += piece->fault_counts[kind];
        }
        if (count) {
            char where[32];
            char more[48] = "";
            snprintf(where, sizeof where, "line %lld", (long long)line);
            if (count > 1) {
                snprintf(more, sizeof more, " (and %lld more)", (long long)(count - 1));
            }
            GtResult result =
                gti_repair(reader->context, reader->error, reader->path, where, "%s%s", messages[kind], more);
            if (result != GT_OK) {
                return result;
            }
        }
    }
    GtResult result = repair_missing(reader);
    return result == GT_OK ? repair_bad_faces(reader) : result;
}

static void say_what_is_left_out(Reader* reader)
{
    static const char* const names[GTI_OBJ_LEFT_OUT_COUNT] = { "point", "line", "free-form" };
    for (int kind = 0; kind < GTI_OBJ_LEFT_OUT_COUNT; ++kind) {
        int64_t count = 0;
        for (int32_t i = 0; i < reader->piece_count; ++i) {
            count += reader->pieces[i].left_out[kind];
        }
        if (count) {
            gti_note(reader->context, reader->path, NULL, "%lld %s element%s left out: only faces are read",
                     (long long)count, names[kind], count == 1 ? " is" : "s are");
        }
    }
    int64_t unused = 0;
    for (uint32_t i = 0; i < reader->all.position_count && reader->join.used; ++i) {
        unused += !reader->join.used[i];
    }
    if (unused && reader->join.index_count && !reader->def->group) {
        gti_note(reader->context, reader->path, NULL, "%lld vert%s that no face uses %s left out", (long long)unused,
                 unused == 1 ? "ex" : "ices", unused == 1 ? "is" : "are");
    }
    gti_say_origin(reader->context, reader->path, reader->origin);
}

static GtResult make_scene(Reader* reader, GtScene** out)
{
    GtResult result = gt_scene_create(reader->context, out, reader->error);
    if (result != GT_OK) {
        return result;
    }
    GtScene* scene = *out;
    scene->source = (GtSource){ .format = "obj", .metres_per_unit = 1.0 };
    if (!gti_push_directory(scene, reader->path)) {
        return gti_out_of_memory(reader->error);
    }
    for (int k = 0; k < 3; ++k) {
        reader->out.origin[k] = reader->origin[k];
    }
    result = name_meshes(reader, scene);
    if (result == GT_OK) {
        result = add_materials(reader, scene);
    }
    release_faces(reader);
    if (result == GT_OK) {
        result = lay_out(reader);
    }
    if (result == GT_OK) {
        result = gti_add_parts(reader->context, scene, &reader->out, reader->def, reader->path, reader->error);
    }
    return result;
}

static GtResult read(Reader* reader, GtScene** out)
{
    GtResult result = parse(reader);
    if (result == GT_OK) {
        result = count_elements(reader);
    }
    if (result == GT_OK) {
        result = gather_elements(reader);
    }
    if (result == GT_OK) {
        result = sort_faces(reader);
    }
    if (result == GT_OK) {
        result = join(reader);
    }
    if (result == GT_OK) {
        result = repair_faults(reader);
    }
    if (result != GT_OK) {
        return result;
    }
    say_what_is_left_out(reader);
    drop_empty_parts(reader);
    if (!reader->parts.run_count && !reader->def->group) {
        result = make_points(reader);
    }
    if (result == GT_OK && !reader->out.part_count) {
        result = gti_repair(reader->context, reader->error, reader->path, NULL, "it has no faces: the scene is empty");
    }
    return result == GT_OK ? make_scene(reader, out) : result;
}

static void destroy(Reader* reader)
{
    for (int32_t i = 0; i < reader->piece_count; ++i) {
        reader->allocator.release(reader->allocator.user, reader->pieces[i].elements);
    }
    release_faces(reader);
    gti_obj_join_destroy(&reader->join);
    reader->allocator.release(reader->allocator.user, reader->elements);
    gt_blob_release(reader->out.blob);
    gt_arena_destroy(&reader->arena);
}

GtResult gti_obj_read(const GtContext* context, const GtiByteSource* source, const char* path, const GtLoadDef* def,
                      GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = gti_check_load_def(def, error);
    if (result != GT_OK) {
        return result;
    }
    Reader reader = {
        .context = context,
        .allocator = context->allocator,
        .path = path,
        .def = def,
        .error = error,
        .arena = gt_arena_create(context->allocator),
        .texts = { .context = context, .source = source, .end = source->size, .task = "reading" },
    };
    result = read(&reader, out);
    destroy(&reader);
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
    }
    return result;
}
