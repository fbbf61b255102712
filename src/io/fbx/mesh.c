// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Geometries to meshes: polygons are cut into triangles, a primitive for each material. Corners of one control point
// that agree in all their values share a vertex.

#include "base/fail.h"
#include "base/hash.h"
#include "base/memory.h"
#include "geometry/triangulate.h"
#include "gertie/accessor.h"
#include "io/fbx/layer.h"
#include "io/fbx/vertex.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_PAIRS = 1 << 16, // of a material and a blend shape of a mesh, each of which takes memory: in any file
    BYTES_A_PAIR = 32,    // or as many as so many bytes of the file
    MAX_LOOKS = 64        // for a corner like this one; a point with more kinds of corners has some vertices twice
};

// A mesh in the making.
typedef struct MeshBuilder {
    GtiFbxReader* reader;
    const GtiFbxGeometry* geometry;
    GtiFbxPolygons polygons;
    uint32_t* order;       // [polygon_count] polygons by slots
    uint32_t* slot_starts; // [slot_count + 1] into order
    int32_t slot_count;    // the model's materials, and the last for polygons without
    int32_t* slots;        // [slot_count] of each primitive
    GtiFbxVertices vertices;
    GtiFbxCorner* corners;    // [vertices.count] the corner that each was made of
    uint32_t vertex_capacity; // of this and vertices.points and .before, which are blocks of the allocator
    uint32_t* triangles;      // [triangle_count * 3]
    uint32_t triangle_count;
    uint32_t left_out; // polygons
} MeshBuilder;

static bool same(const GtiFbxLayer* layer, GtiFbxCorner a, GtiFbxCorner b)
{
    const float* x = layer->values ? gti_fbx_layer_at(layer, a) : NULL;
    const float* y = layer->values ? gti_fbx_layer_at(layer, b) : NULL;
    return x == y || (x && y && memcmp(x, y, layer->width * sizeof *x) == 0);
}

// Polygon normals stand in for corners without one, so that those of different polygons differ.
static bool is_same_vertex(const GtiFbxPolygons* polygons, GtiFbxCorner a, GtiFbxCorner b)
{
    bool is_same = same(&polygons->normals, a, b) && same(&polygons->tangents, a, b) &&
                   same(&polygons->binormals, a, b) && same(&polygons->colors, a, b);
    for (int32_t i = 0; i < polygons->uv_count && is_same; ++i) {
        is_same = same(&polygons->uvs[i], a, b);
    }
    return is_same;
}

static uint32_t find_vertex(MeshBuilder* builder, GtiFbxCorner at)
{
    GtiFbxVertices* vertices = &builder->vertices;
    uint32_t vertex = vertices->last[at.point];
    for (int looks = 0; vertex != UINT32_MAX && looks < MAX_LOOKS; ++looks, vertex = vertices->before[vertex]) {
        if (is_same_vertex(&builder->polygons, builder->corners[vertex], at)) {
            return vertex;
        }
    }
    vertex = vertices->count++;
    builder->corners[vertex] = at;
    vertices->points[vertex] = at.point;
    vertices->before[vertex] = vertices->last[at.point];
    vertices->last[at.point] = vertex;
    return vertex;
}

static bool has_points(const GtiFbxPolygons* polygons, uint32_t polygon)
{
    for (uint32_t i = polygons->starts[polygon]; i < polygons->starts[polygon + 1]; ++i) {
        if (polygons->corners[i] >= polygons->point_count) {
            return false;
        }
    }
    return polygons->starts[polygon + 1] - polygons->starts[polygon] >= 3;
}

static void add_triangle(MeshBuilder* builder, uint32_t polygon, const uint32_t corners[3])
{
    const GtiFbxPolygons* polygons = &builder->polygons;
    for (int k = 0; k < 3; ++k) {
        uint32_t corner = polygons->starts[polygon] + corners[k];
        GtiFbxCorner at = { corner, polygon, polygons->corners[corner] };
        builder->triangles[(size_t)builder->triangle_count * 3 + (size_t)k] = find_vertex(builder, at);
    }
    ++builder->triangle_count;
}

// Cut a polygon with more than three corners.
static GtResult cut_polygon(MeshBuilder* builder, uint32_t polygon)
{
    const GtiFbxPolygons* polygons = &builder->polygons;
    GtArena* arena = &builder->reader->arena;
    GtArenaMark mark = gt_arena_mark(arena);
    uint32_t first = polygons->starts[polygon];
    uint32_t count = polygons->starts[polygon + 1] - first;
    uint32_t few[6];
    GtVec3 quad[4];
    GtVec3* positions = count == 4 ? quad : gt_arena_push(arena, (size_t)count * sizeof *positions);
    uint32_t* cut = count == 4 ? few : gt_arena_push(arena, (size_t)(count - 2) * 3 * sizeof *cut);
    void* scratch = count == 4 ? few : gt_arena_push(arena, gti_triangulate_scratch_size(count));
    if (!positions || !cut || !scratch) {
        return gti_out_of_memory(builder->reader->error);
    }
    for (uint32_t i = 0; i < count; ++i) {
        memcpy(&positions[i], polygons->positions + (size_t)polygons->corners[first + i] * 3, sizeof *positions);
    }
    if (count == 4) {
        gti_triangulate_quad(quad, few);
    } else {
        gti_triangulate(positions, count, scratch, cut);
    }
    for (uint32_t i = 0; i < count - 2; ++i) {
        add_triangle(builder, polygon, cut + (size_t)i * 3);
    }
    gt_arena_reset(arena, mark);
    return GT_OK;
}

static bool grow(GtAllocator allocator, void** array, size_t used, size_t capacity, size_t size)
{
    void* larger = gti_reallocate(allocator, *array, used * size, capacity * size);
    *array = larger ? larger : *array;
    return larger;
}

// Make room for as many vertices more. There are at least as many as points as a rule, and half as many more at seams.
static GtResult reserve_vertices(MeshBuilder* builder, uint32_t more)
{
    GtiFbxVertices* vertices = &builder->vertices;
    GtAllocator allocator = builder->reader->context->allocator;
    size_t used = vertices->count;
    if (builder->vertex_capacity - used >= more) {
        return GT_OK;
    }
    size_t capacity = used + used / 2 + more;
    capacity = used || capacity > builder->polygons.point_count ? capacity : builder->polygons.point_count;
    capacity = capacity < builder->polygons.corner_count ? capacity : builder->polygons.corner_count;
    void* points = vertices->points;
    void* before = vertices->before;
    void* corners = builder->corners;
    bool ok = grow(allocator, &points, used, capacity, sizeof *vertices->points) &&
              grow(allocator, &before, used, capacity, sizeof *vertices->before) &&
              grow(allocator, &corners, used, capacity, sizeof *builder->corners);
    vertices->points = points;
    vertices->before = before;
    builder->corners = corners;
    builder->vertex_capacity = ok ? (uint32_t)capacity : builder->vertex_capacity;
    return ok ? GT_OK : gti_out_of_memory(builder->reader->error);
}

static void release_vertices(MeshBuilder* builder)
{
    GtAllocator allocator = builder->reader->context->allocator;
    allocator.release(allocator.user, builder->vertices.points);
    allocator.release(allocator.user, builder->vertices.before);
    allocator.release(allocator.user, builder->corners);
}

// The vertices and triangles of one slot's polygons.
static GtResult collect_slot(MeshBuilder* builder, int32_t slot)
{
    const GtiFbxPolygons* polygons = &builder->polygons;
    static const uint32_t whole[3] = { 0, 1, 2 };
    GtResult result = GT_OK;
    for (uint32_t i = 0; i < builder->vertices.count; ++i) {
        builder->vertices.last[builder->vertices.points[i]] = UINT32_MAX;
    }
    builder->vertices.count = 0;
    builder->triangle_count = 0;
    for (uint32_t i = builder->slot_starts[slot]; i < builder->slot_starts[slot + 1] && result == GT_OK; ++i) {
        uint32_t polygon = builder->order[i];
        uint32_t corner_count = polygons->starts[polygon + 1] - polygons->starts[polygon];
        if (!has_points(polygons, polygon)) {
            ++builder->left_out;
            continue;
        }
        result = reserve_vertices(builder, corner_count);
        if (result == GT_OK && corner_count == 3) {
            add_triangle(builder, polygon, whole);
        } else if (result == GT_OK) {
            result = cut_polygon(builder, polygon);
        }
    }
    return result;
}

// The slot of a polygon.
static uint32_t slot_of(const MeshBuilder* builder, uint32_t polygon)
{
    const GtiFbxPolygons* polygons = &builder->polygons;
    uint32_t at = polygons->material_count == 1 ? 0 : polygon;
    uint32_t slot = at < polygons->material_count ? (uint32_t)polygons->materials[at] : 0;
    uint32_t last = (uint32_t)builder->slot_count - 1;
    return slot < last ? slot : last;
}

// At most, where all corners have a point.
static size_t count_triangles(const GtiFbxPolygons* polygons)
{
    size_t count = 0;
    for (uint32_t i = 0; i < polygons->polygon_count; ++i) {
        uint32_t corners = polygons->starts[i + 1] - polygons->starts[i];
        count += corners >= 3 ? corners - 2 : 0;
    }
    return count;
}

static GtResult sort_polygons(MeshBuilder* builder)
{
    GtArena* arena = &builder->reader->arena;
    uint32_t count = builder->polygons.polygon_count;
    size_t point_count = builder->polygons.point_count;
    builder->order = gt_arena_push(arena, (size_t)count * sizeof *builder->order);
    builder->slot_starts = gt_arena_push_array(arena, (size_t)builder->slot_count + 2, sizeof(uint32_t));
    builder->triangles = gt_arena_push(arena, count_triangles(&builder->polygons) * 3 * sizeof *builder->triangles);
    builder->vertices.last = gt_arena_push(arena, point_count * sizeof(uint32_t));
    if (!builder->order || !builder->slot_starts || !builder->triangles || !builder->vertices.last) {
        return gti_out_of_memory(builder->reader->error);
    }
    memset(builder->vertices.last, 0xFF, point_count * sizeof(uint32_t));
    uint32_t* ends = builder->slot_starts + 1;
    for (uint32_t i = 0; i < count; ++i) {
        ends[slot_of(builder, i) + 1] += 1;
    }
    for (int32_t s = 0; s < builder->slot_count; ++s) {
        ends[s + 1] += ends[s];
    }
    for (uint32_t i = 0; i < count; ++i) {
        builder->order[ends[slot_of(builder, i)]++] = i;
    }
    builder->slot_starts[0] = 0;
    return GT_OK;
}

// The materials of a model, in the order in which polygons number them.
static GtResult list_materials(GtiFbxReader* reader, const GtiFbxModel* model, int32_t** out, int32_t* count)
{
    const GtiFbxGraph* graph = &reader->graph;
    const GtiFbxObject* owner = &graph->objects[model->object];
    int32_t* materials = gt_arena_push_array(&reader->arena, (size_t)owner->child_count + 1, sizeof *materials);
    *count = 0;
    for (int32_t k = 0; k < owner->child_count && materials; ++k) {
        int32_t object = graph->connections[owner->first_child + k].source;
        if (gti_slice_is(graph->objects[object].type, "Material")) {
            materials[(*count)++] = reader->material_of_object[object];
        }
    }
    *out = materials;
    return materials ? GT_OK : gti_out_of_memory(reader->error);
}

static int32_t count_used_slots(const MeshBuilder* builder, int32_t* last)
{
    int32_t count = 0;
    for (int32_t s = 0; s < builder->slot_count; ++s) {
        if (builder->slot_starts[s] < builder->slot_starts[s + 1]) {
            ++count;
            *last = s;
        }
    }
    return count;
}

static GtResult build_mesh(MeshBuilder* builder, const int32_t* materials, GtMesh* mesh)
{
    GtiFbxReader* reader = builder->reader;
    GtResult result = gti_fbx_read_polygons(reader, builder->geometry->object, &builder->polygons);
    if (result == GT_OK) {
        result = sort_polygons(builder);
    }
    int32_t last_slot = GT_NONE;
    int32_t used = result == GT_OK ? count_used_slots(builder, &last_slot) : 0;
    int64_t pairs = (int64_t)used * builder->geometry->target_count;
    if (result == GT_OK && pairs > MOST_PAIRS && (uint64_t)pairs > reader->tree.size / BYTES_A_PAIR) {
        result = gti_fail(reader->error, GT_ERROR_LIMIT,
                          "the mesh '%s' has %d materials and %d blend shapes: too many for a file of its size",
                          mesh->name, used, builder->geometry->target_count);
    }
    GtPrimitive* primitives = result == GT_OK ? gt_scene_push(reader->scene, (size_t)used, sizeof *primitives) : NULL;
    if (!primitives) {
        return result == GT_OK ? gti_out_of_memory(reader->error) : result;
    }
    mesh->primitives = primitives;
    const GtiFbxShapeData* shapes = NULL;
    if (used > 1 && builder->geometry->target_count > 0) {
        result = gti_fbx_decode_shapes(reader, builder->geometry, &shapes);
    }
    for (int32_t s = 0; s < builder->slot_count && result == GT_OK; ++s) {
        if (builder->slot_starts[s] == builder->slot_starts[s + 1]) {
            continue;
        }
        result = collect_slot(builder, s);
        if (result != GT_OK || builder->triangle_count == 0) {
            continue;
        }
        builder->slots[mesh->primitive_count] = s;
        GtPrimitive* primitive = &primitives[mesh->primitive_count++];
        *primitive = (GtPrimitive){ .mode = GT_MODE_TRIANGLES,
                                    .indices = GT_NONE,
                                    .material = s + 1 < builder->slot_count ? materials[s] : GT_NONE };
        builder->vertices.has_normals = builder->polygons.normals.values;
        GtiFbxPrimitiveData data = { .geometry = builder->geometry,
                                     .polygons = &builder->polygons,
                                     .vertices = &builder->vertices,
                                     .corners = builder->corners,
                                     .triangles = builder->triangles,
                                     .triangle_count = builder->triangle_count,
                                     .is_last = s == last_slot };
        result = gti_fbx_add_vertices(reader, &data, primitive);
        if (result == GT_OK) {
            result = gti_fbx_add_targets(reader, builder->geometry, shapes, &builder->vertices, primitive);
        }
    }
    return result;
}

// Models by what they show: a geometry with certain materials, or with a number of them.
typedef struct MeshTable {
    int32_t* slots; // [1 << bits] model + 1, or 0
    uint32_t bits;
    bool has_number_alone;
} MeshTable;

typedef struct MeshLists {
    int32_t** materials; // [model_count][counts[i]]
    int32_t* counts;     // [model_count]
    int32_t* meshes;     // [model_count] of the scene, or GT_NONE
    int32_t** slots;     // [model_count][primitive_count] which of the materials each primitive has
    MeshTable same;      // models that can show one mesh
    MeshTable alike;     // models whose meshes differ in their materials alone
} MeshLists;

static GtResult make_table(GtiFbxReader* reader, MeshTable* table)
{
    table->bits = 1;
    while (((uint64_t)1 << table->bits) < 2 * (uint64_t)reader->model_count) {
        ++table->bits;
    }
    table->slots = gt_arena_push_array(&reader->arena, (size_t)1 << table->bits, sizeof *table->slots);
    return table->slots ? GT_OK : gti_out_of_memory(reader->error);
}

// An earlier model that shows the same, or GT_NONE; then this one stands for it from now on.
static int32_t find_model(const GtiFbxReader* reader, const MeshLists* lists, const MeshTable* table, int32_t model)
{
    int32_t geometry = reader->models[model].geometry;
    int32_t count = lists->counts[model];
    size_t size = table->has_number_alone ? 0 : (size_t)count * sizeof **lists->materials;
    uint64_t hash = gti_hash_mix(gti_hash_mix(0, (uint64_t)geometry), (uint64_t)count);
    uint32_t mask = (uint32_t)(((uint64_t)1 << table->bits) - 1);
    hash = size ? gti_hash(hash, lists->materials[model], size) : hash;
    for (uint32_t slot = gti_hash_slot(hash, table->bits);; slot = (slot + 1) & mask) {
        int32_t other = table->slots[slot] - 1;
        if (other < 0) {
            table->slots[slot] = model + 1;
            return GT_NONE;
        }
        if (reader->models[other].geometry == geometry && lists->counts[other] == count &&
            (!size || memcmp(lists->materials[other], lists->materials[model], size) == 0)) {
            return other;
        }
    }
}

// A mesh that differs from an earlier one in its materials: it shares all else, so that many models of one geometry
// take no more memory than the file.
static GtResult copy_mesh(GtiFbxReader* reader, const MeshLists* lists, int32_t model, int32_t other, int32_t* index)
{
    if (lists->meshes[other] == GT_NONE) {
        return GT_OK;
    }
    GtMesh mesh = reader->scene->meshes[lists->meshes[other]];
    size_t count = (size_t)mesh.primitive_count;
    GtPrimitive* primitives = gt_scene_push(reader->scene, count, sizeof *primitives);
    mesh.name = gti_fbx_push_name(reader, reader->models[model].object, "");
    if (!primitives || !mesh.name) {
        return gti_out_of_memory(reader->error);
    }
    memcpy(primitives, mesh.primitives, count * sizeof *primitives);
    mesh.primitives = primitives;
    for (size_t i = 0; i < count; ++i) {
        int32_t slot = lists->slots[other][i];
        primitives[i].material = slot < lists->counts[model] ? lists->materials[model][slot] : GT_NONE;
    }
    return gt_scene_add_mesh(reader->scene, &mesh, index, reader->error);
}

static GtResult make_mesh(GtiFbxReader* reader, const GtiFbxModel* model, const int32_t* materials, int32_t count,
                          int32_t** slots, int32_t* index)
{
    *slots = gt_arena_push_array(&reader->arena, (size_t)count + 1, sizeof **slots);
    if (!*slots) {
        return gti_out_of_memory(reader->error);
    }
    GtArenaMark mark = gt_arena_mark(&reader->arena);
    const GtiFbxGeometry* geometry = &reader->geometries[model->geometry];
    MeshBuilder builder = { .reader = reader, .geometry = geometry, .slot_count = count + 1, .slots = *slots };
    GtMesh mesh = { .name = gti_fbx_push_name(reader, model->object, "") };
    GtResult result = mesh.name ? build_mesh(&builder, materials, &mesh) : gti_out_of_memory(reader->error);
    if (result == GT_OK && builder.left_out > 0) {
        result = gti_repair(reader->context, reader->error, reader->path, mesh.name,
                            "%u polygons have fewer than three corners or corners without a vertex; they are left out",
                            builder.left_out);
    }
    if (result == GT_OK && mesh.primitive_count > 0) {
        result = gti_fbx_name_targets(reader, geometry, &mesh);
        if (result == GT_OK) {
            result = gt_scene_add_mesh(reader->scene, &mesh, index, reader->error);
        }
    }
    release_vertices(&builder);
    gti_fbx_layers_release(&builder.polygons);
    gt_arena_reset(&reader->arena, mark);
    return result;
}

GtResult gti_fbx_add_meshes(GtiFbxReader* reader)
{
    size_t count = (size_t)reader->model_count;
    MeshLists lists = { .materials = gt_arena_push_array(&reader->arena, count, sizeof *lists.materials),
                        .counts = gt_arena_push_array(&reader->arena, count, sizeof *lists.counts),
                        .meshes = gt_arena_push_array(&reader->arena, count, sizeof *lists.meshes),
                        .slots = gt_arena_push_array(&reader->arena, count, sizeof *lists.slots),
                        .alike = { .has_number_alone = true } };
    if (!lists.materials || !lists.counts || !lists.meshes || !lists.slots) {
        return gti_out_of_memory(reader->error);
    }
    GtResult result = make_table(reader, &lists.same);
    if (result == GT_OK) {
        result = make_table(reader, &lists.alike);
    }
    for (int32_t i = 0; i < reader->model_count && result == GT_OK; ++i) {
        GtiFbxModel* model = &reader->models[i];
        lists.meshes[i] = GT_NONE;
        if (model->geometry == GT_NONE) {
            continue;
        }
        result = list_materials(reader, model, &lists.materials[i], &lists.counts[i]);
        if (result != GT_OK) {
            break;
        }
        int32_t twin = find_model(reader, &lists, &lists.same, i);
        int32_t alike = twin == GT_NONE ? find_model(reader, &lists, &lists.alike, i) : GT_NONE;
        if (twin != GT_NONE) {
            lists.meshes[i] = lists.meshes[twin];
        } else if (alike != GT_NONE) {
            result = copy_mesh(reader, &lists, i, alike, &lists.meshes[i]);
        } else {
            result = make_mesh(reader, model, lists.materials[i], lists.counts[i], &lists.slots[i], &lists.meshes[i]);
        }
        if (result == GT_OK && lists.meshes[i] != GT_NONE) {
            result = gti_fbx_show_mesh(reader, model, lists.meshes[i]);
        }
    }
    return result;
}
