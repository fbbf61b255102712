// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// OBJ: an object for every node that shows something, parts by their materials. Vertices of an object that lie in the
// same place and differ only in texture coordinates, normals or colours were one before a format without seams split
// them, and are written as one position; two that are equal in all are two.

#include "io/obj/obj.h"

#include "base/fail.h"
#include "data/files.h"
#include "geometry/welder.h"
#include "gertie/accessor.h"
#include "io/bytes.h"
#include "io/mesh/walk.h"
#include "io/obj/mtl.h"

#include <string.h>

// A vertex as written, for comparing.
typedef struct Look {
    GtVec3 normal;
    float texcoord[2];
    uint8_t color[4];
} Look;

// Vertices of the parts of one node.
typedef struct Object {
    GtVec3* positions;
    Look* looks;
    uint32_t* numbers; // of positions, from 0 on
    uint32_t vertex_count;
    uint32_t position_count;
} Object;

typedef struct Writer {
    const GtContext* context;
    const GtScene* scene;
    GtiMeshWalk walk;
    GtiBytes bytes;
    GtError* error;
    uint64_t positions, texcoords, normals; // written so far
    int32_t material;                       // that holds
    bool split;                             // every vertex is a position
} Writer;

void gti_obj_add_name(GtiBytes* bytes, const char* keyword, const char* name, const char* fallback, int32_t number)
{
    gti_bytes_adds(bytes, keyword);
    gti_bytes_adds(bytes, " ");
    if (!name || !name[0] || name[0] == ' ') {
        gti_bytes_addf(bytes, "%s_%d", fallback, (int)number);
        name = "";
    }
    for (; *name; ++name) {
        char c = (unsigned char)*name < ' ' || *name == 0x7F ? '_' : *name;
        gti_bytes_add(bytes, &c, 1);
    }
    gti_bytes_adds(bytes, "\n");
}

static bool create_object(Writer* writer, int32_t first, int32_t end, Object* out)
{
    GtAllocator allocator = writer->context->allocator;
    *out = (Object){ 0 };
    for (int32_t i = first; i < end; ++i) {
        out->vertex_count += writer->walk.shown[i].vertex_count;
    }
    size_t count = (size_t)out->vertex_count + 1;
    out->positions = allocator.allocate(allocator.user, count * sizeof *out->positions);
    out->looks = allocator.allocate(allocator.user, count * sizeof *out->looks);
    out->numbers = allocator.allocate(allocator.user, count * sizeof *out->numbers);
    return out->positions && out->looks && out->numbers;
}

static void destroy_object(GtAllocator allocator, Object* object)
{
    allocator.release(allocator.user, object->positions);
    allocator.release(allocator.user, object->looks);
    allocator.release(allocator.user, object->numbers);
}

static void read_part(const GtiMeshWalk* walk, const GtiShown* shown, GtVec3* positions, Look* looks)
{
    gti_shown_positions(walk, shown, 0, shown->vertex_count, positions);
    for (uint32_t i = 0; i < shown->vertex_count; ++i) {
        looks[i] = (Look){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f }, { 0, 0, 0, 0 } };
        gti_shown_normals(walk, shown, i, 1, &looks[i].normal);
        gti_shown_texcoords(walk, shown, i, 1, looks[i].texcoord);
        gti_shown_colors(walk, shown, i, 1, looks[i].color);
    }
}

// Number the positions: a vertex takes that of the one before it in the same place, unless it looks the same.
static bool number_positions(GtAllocator allocator, bool split, Object* object)
{
    for (uint32_t i = 0; i < object->vertex_count && split; ++i) {
        object->numbers[i] = object->position_count++;
    }
    if (split) {
        return true;
    }
    GtiWelder welder = { .allocator = allocator };
    uint32_t* newest = allocator.allocate(allocator.user, ((size_t)object->vertex_count + 1) * sizeof *newest);
    bool ok = newest != NULL;
    for (uint32_t i = 0; i < object->vertex_count && ok; ++i) {
        uint32_t known = welder.count;
        int32_t point = gti_welder_add(&welder, object->positions[i]);
        ok = point != GT_NONE;
        if (!ok) {
            break;
        }
        bool fresh = (uint32_t)point == known;
        const Look* other = fresh ? NULL : &object->looks[newest[point]];
        if (fresh || memcmp(other, &object->looks[i], sizeof *other) == 0) {
            object->positions[object->position_count] = object->positions[i];
            object->numbers[i] = object->position_count++;
        } else {
            object->numbers[i] = object->numbers[newest[point]];
        }
        newest[point] = i;
    }
    allocator.release(allocator.user, newest);
    gti_welder_release(&welder);
    return ok;
}

static void add_positions(Writer* writer, const Object* object)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < object->vertex_count; ++i) {
        if (object->numbers[i] != next) {
            continue;
        }
        gti_bytes_adds(&writer->bytes, "v");
        gti_bytes_add_floats(&writer->bytes, &object->positions[next].x, 3);
        if (writer->walk.has_colors) {
            const uint8_t* c = object->looks[i].color;
            const float color[3] = { (float)c[0] / 255.0f, (float)c[1] / 255.0f, (float)c[2] / 255.0f };
            gti_bytes_add_floats(&writer->bytes, color, 3);
        }
        gti_bytes_adds(&writer->bytes, "\n");
        ++next;
    }
}

static bool has(const GtiShown* shown, const char* attribute)
{
    return gt_primitive_find(shown->primitive, attribute) != GT_NONE;
}

// Numbers of what a part's vertices start with, from 1 on; 0 where it has none.
typedef struct Starts {
    uint64_t texcoord, normal;
    uint32_t vertex; // in the object
} Starts;

static Starts add_looks(Writer* writer, const GtiShown* shown, const Object* object, uint32_t vertex)
{
    Starts starts = { .vertex = vertex };
    const Look* looks = object->looks + vertex;
    if (has(shown, "TEXCOORD_0")) {
        starts.texcoord = writer->texcoords + 1;
        for (uint32_t i = 0; i < shown->vertex_count; ++i) {
            gti_bytes_adds(&writer->bytes, "vt");
            gti_bytes_add_floats(&writer->bytes, looks[i].texcoord, 2);
            gti_bytes_adds(&writer->bytes, "\n");
        }
        writer->texcoords += shown->vertex_count;
    }
    if (has(shown, "NORMAL")) {
        starts.normal = writer->normals + 1;
        for (uint32_t i = 0; i < shown->vertex_count; ++i) {
            gti_bytes_adds(&writer->bytes, "vn");
            gti_bytes_add_floats(&writer->bytes, &looks[i].normal.x, 3);
            gti_bytes_adds(&writer->bytes, "\n");
        }
        writer->normals += shown->vertex_count;
    }
    return starts;
}

static void add_faces(Writer* writer, const GtiShown* shown, const Object* object, const Starts* starts)
{
    GtiBytes* bytes = &writer->bytes;
    int32_t material = shown->primitive->material;
    if (material != writer->material && material != GT_NONE) {
        gti_obj_add_name(bytes, "usemtl", writer->scene->materials[material].name, "material", material);
        writer->material = material;
    }
    for (uint64_t t = 0; t < shown->triangle_count && !bytes->failed; ++t) {
        uint32_t corners[3];
        gti_shown_triangle(&writer->walk, shown, t, corners);
        gti_bytes_adds(bytes, "f");
        for (int i = 0; i < 3; ++i) {
            gti_bytes_add_integer(bytes, ' ', writer->positions + object->numbers[starts->vertex + corners[i]] + 1);
            if (starts->texcoord) {
                gti_bytes_add_integer(bytes, '/', starts->texcoord + corners[i]);
            }
            if (starts->normal) {
                gti_bytes_adds(bytes, starts->texcoord ? "" : "/");
                gti_bytes_add_integer(bytes, '/', starts->normal + corners[i]);
            }
        }
        gti_bytes_adds(bytes, "\n");
    }
}

static GtResult write_object(Writer* writer, int32_t first, int32_t end)
{
    const GtiMeshWalk* walk = &writer->walk;
    int32_t node = walk->shown[first].node;
    Object object;
    bool ok = create_object(writer, first, end, &object);
    uint32_t vertex = 0;
    for (int32_t i = first; i < end && ok; ++i) {
        read_part(walk, &walk->shown[i], object.positions + vertex, object.looks + vertex);
        vertex += walk->shown[i].vertex_count;
    }
    ok = ok && number_positions(writer->context->allocator, writer->split, &object);
    if (ok) {
        gti_obj_add_name(&writer->bytes, "o", writer->scene->nodes[node].name, "node", node);
        add_positions(writer, &object);
        vertex = 0;
        for (int32_t i = first; i < end; ++i) {
            Starts starts = add_looks(writer, &walk->shown[i], &object, vertex);
            add_faces(writer, &walk->shown[i], &object, &starts);
            vertex += walk->shown[i].vertex_count;
        }
        writer->positions += object.position_count;
    }
    destroy_object(writer->context->allocator, &object);
    return ok ? GT_OK : gti_out_of_memory(writer->error);
}

// `library` is the name of the MTL beside it, or NULL.
static GtResult write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, const char* library,
                      GtBlob** out, GtError* error)
{
    Writer writer = { .context = context,
                      .scene = scene,
                      .bytes = { .allocator = context->allocator },
                      .error = error,
                      .material = GT_NONE,
                      .split = def->split_vertices };
    GtResult result = gti_mesh_walk_create(context, scene, def, &writer.walk, error);
    gti_bytes_adds(&writer.bytes, "# written by Gertie\n");
    if (library) {
        gti_bytes_adds(&writer.bytes, "mtllib ");
        gti_bytes_adds(&writer.bytes, library);
        gti_bytes_adds(&writer.bytes, "\n");
    }
    const GtiMeshWalk* walk = &writer.walk;
    for (int32_t first = 0, end = 0; first < walk->shown_count && result == GT_OK; first = end) {
        for (end = first; end < walk->shown_count && walk->shown[end].node == walk->shown[first].node;) {
            ++end;
        }
        result = gti_progress(context, error, "writing", (double)first / (double)walk->shown_count);
        if (result == GT_OK) {
            result = write_object(&writer, first, end);
        }
    }
    gti_mesh_walk_destroy(&writer.walk);
    if (result == GT_OK) {
        return gti_bytes_finish(&writer.bytes, out, error);
    }
    gti_bytes_release(&writer.bytes);
    return result;
}

GtResult gti_obj_write(const GtContext* context, const GtScene* scene, const GtSaveDef* def, GtBlob** out,
                       GtError* error)
{
    return write(context, scene, def, NULL, out, error);
}

GtResult gti_obj_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                      GtError* error)
{
    GtiFileSet files;
    const char* library = NULL;
    GtBlob* blob = NULL;
    GtResult result = gti_file_set_open(context, path, &files, error);
    if (result != GT_OK) {
        return result;
    }
    if (scene->material_count && !def->alone) {
        result = gti_mtl_save(&files, scene, &library, error);
    }
    if (result == GT_OK) {
        result = write(context, scene, def, library, &blob, error);
    }
    if (result == GT_OK) {
        const GtiSpan span = { gt_blob_bytes(blob), gt_blob_size(blob) };
        result = gti_file_set_finish(&files, &span, 1, error);
    } else {
        gti_file_set_discard(&files);
    }
    gt_blob_release(blob);
    return result;
}
