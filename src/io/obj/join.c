// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Joining needs no hash: vertices with the same position hang in a list from that position, and a list is as long as
// the seams that meet there. Texture coordinates and normals are compared by number first and by value second, because
// many programs write one for every corner. Positions are compared by number alone: two that lie in the same place are
// two, as the file has it.

#include "io/obj/join.h"

#include "base/memory.h"
#include "geometry/triangulate.h"

#include <math.h>
#include <string.h>

enum {
    LONGEST_LIST = 64, // vertices of one position that are compared; a hostile file could make millions
    DIGIT_BITS = 11    // of the sort
};

bool gti_obj_join_create(GtAllocator allocator, const GtiObjElements* elements, uint64_t triangle_count,
                         GtiObjJoin* out)
{
    size_t heads = (size_t)elements->position_count * sizeof(int32_t);
    *out = (GtiObjJoin){ .allocator = allocator, .elements = *elements };
    out->heads = allocator.allocate(allocator.user, heads + elements->position_count + 1);
    out->indices = allocator.allocate(allocator.user, (size_t)triangle_count * 3 * sizeof(uint32_t) + 1);
    if (!out->heads || !out->indices) {
        return false;
    }
    out->used = (uint8_t*)(out->heads + elements->position_count);
    memset(out->heads, 0xFF, heads); // GT_NONE
    memset(out->used, 0, elements->position_count);
    return true;
}

void gti_obj_join_destroy(GtiObjJoin* join)
{
    GtAllocator allocator = join->allocator;
    if (allocator.release) {
        allocator.release(allocator.user, join->heads);
        allocator.release(allocator.user, join->indices);
        allocator.release(allocator.user, join->vertices);
        allocator.release(allocator.user, join->polygon);
    }
    *join = (GtiObjJoin){ 0 };
}

void gti_obj_join_begin(GtiObjJoin* join)
{
    for (uint64_t i = join->part_first; i < join->vertex_count; ++i) {
        join->heads[join->vertices[i].position] = GT_NONE;
    }
    join->part_first = join->vertex_count;
}

static bool reserve_vertices(GtiObjJoin* join, uint64_t more)
{
    uint64_t needed = join->vertex_count + more;
    if (needed <= join->vertex_capacity) {
        return true;
    }
    const GtiObjElements* e = &join->elements;
    uint64_t likely = e->position_count > e->texcoord_count ? e->position_count : e->texcoord_count;
    uint64_t capacity =
        join->vertex_capacity ? join->vertex_capacity + join->vertex_capacity / 2 : likely + likely / 16;
    capacity = capacity > needed ? capacity : needed;
    size_t size = sizeof *join->vertices;
    void* grown =
        gti_reallocate(join->allocator, join->vertices, (size_t)join->vertex_count * size, (size_t)capacity * size);
    if (!grown) {
        return false;
    }
    join->vertices = grown;
    join->vertex_capacity = capacity;
    return true;
}

static bool same_values(const float* values, int32_t a, int32_t b, size_t width)
{
    return a == b || (a >= 0 && b >= 0 &&
                      memcmp(values + (size_t)a * width, values + (size_t)b * width, width * sizeof *values) == 0);
}

// The part's vertex of these elements; there is room for a new one.
static inline uint32_t find_vertex(GtiObjJoin* join, int32_t position, int32_t texcoord, int32_t normal)
{
    int32_t id = join->heads[position];
    for (int steps = 0; id != GT_NONE && steps < LONGEST_LIST; ++steps) {
        const GtiObjVertex* v = &join->vertices[join->part_first + (uint32_t)id];
        if ((v->texcoord == texcoord && v->normal == normal) ||
            (same_values(join->elements.texcoords, v->texcoord, texcoord, 2) &&
             same_values(join->elements.normals, v->normal, normal, 3))) {
            return (uint32_t)id;
        }
        id = v->next;
    }
    id = (int32_t)(join->vertex_count - join->part_first);
    join->vertices[join->vertex_count++] = (GtiObjVertex){ position, texcoord, normal, join->heads[position] };
    join->heads[position] = id;
    join->used[position] = 1;
    return (uint32_t)id;
}

static void note_bad(GtiObjJoin* join, const GtiObjFaces* faces, uint32_t face, const char* kind, int64_t index,
                     uint32_t limit)
{
    if (join->bad.count++ == 0) {
        join->bad = (GtiObjBadFaces){ 1, faces->piece, faces->first_face + face, index + 1, kind, limit };
    }
}

// Whether all corners of a face exist and are finite; texture coordinates or normals that the file has none of do not
// count; `indices` receives 3 values a corner.
static bool resolve_face(GtiObjJoin* join, const GtiObjFaces* faces, uint32_t face, const int32_t* corners,
                         int32_t (*out)[3])
{
    const GtiObjElements* e = &join->elements;
    unsigned layout = faces->run->layout;
    unsigned used = layout & gti_obj_present(e);
    for (uint32_t i = 0; i < faces->run->corner_count; ++i) {
        int64_t position = gti_obj_resolve(*corners++, faces->base.position);
        int64_t texcoord = layout & GTI_OBJ_TEXCOORD ? gti_obj_resolve(*corners++, faces->base.texcoord) : GT_NONE;
        int64_t normal = layout & GTI_OBJ_NORMAL ? gti_obj_resolve(*corners++, faces->base.normal) : GT_NONE;
        if ((uint64_t)position >= e->position_count) {
            note_bad(join, faces, face, "vertex", position, e->position_count);
            return false;
        }
        if (used & GTI_OBJ_TEXCOORD && (uint64_t)texcoord >= e->texcoord_count) {
            note_bad(join, faces, face, "texture coordinate", texcoord, e->texcoord_count);
            return false;
        }
        if (used & GTI_OBJ_NORMAL && (uint64_t)normal >= e->normal_count) {
            note_bad(join, faces, face, "normal", normal, e->normal_count);
            return false;
        }
        if (e->has_holes && isnan(e->positions[3 * position])) {
            ++join->hole_face_count;
            return false;
        }
        out[i][0] = (int32_t)position;
        out[i][1] = used & GTI_OBJ_TEXCOORD ? (int32_t)texcoord : GT_NONE;
        out[i][2] = used & GTI_OBJ_NORMAL ? (int32_t)normal : GT_NONE;
    }
    return true;
}

static GtVec3 position_at(const GtiObjJoin* join, int32_t position)
{
    const float* p = join->elements.positions + 3 * (size_t)position;
    return gt_vec3(p[0], p[1], p[2]);
}

static void add_triangle(GtiObjJoin* join, const int32_t (*corners)[3])
{
    uint32_t* out = join->indices + join->index_count;
    for (int i = 0; i < 3; ++i) {
        out[i] = find_vertex(join, corners[i][0], corners[i][1], corners[i][2]);
    }
    join->index_count += 3;
}

static void add_quad(GtiObjJoin* join, const int32_t (*corners)[3])
{
    GtVec3 points[4];
    uint32_t ids[4];
    uint32_t cut[6];
    for (int i = 0; i < 4; ++i) {
        points[i] = position_at(join, corners[i][0]);
        ids[i] = find_vertex(join, corners[i][0], corners[i][1], corners[i][2]);
    }
    gti_triangulate_quad(points, cut);
    for (int i = 0; i < 6; ++i) {
        join->indices[join->index_count++] = ids[cut[i]];
    }
}

// What a large face needs: resolved corners, points, vertices, and the scratch of the triangulation.
typedef struct Polygon {
    void* scratch;
    GtVec3* points;
    uint32_t* ids;
    int32_t (*corners)[3];
} Polygon;

static bool prepare_polygon(GtiObjJoin* join, uint32_t count, Polygon* out)
{
    size_t scratch = gti_triangulate_scratch_size(count);
    size_t size = scratch + (size_t)count * (sizeof(GtVec3) + sizeof(uint32_t) + sizeof *out->corners);
    if (!gti_need(join->allocator, &join->polygon, &join->polygon_size, size)) {
        return false;
    }
    out->scratch = join->polygon;
    out->points = (GtVec3*)((char*)join->polygon + scratch);
    out->ids = (uint32_t*)(out->points + count);
    out->corners = (int32_t(*)[3])(out->ids + count);
    return true;
}

static void add_polygon(GtiObjJoin* join, uint32_t count, const Polygon* polygon)
{
    for (uint32_t i = 0; i < count; ++i) {
        const int32_t* corner = polygon->corners[i];
        polygon->points[i] = position_at(join, corner[0]);
        polygon->ids[i] = find_vertex(join, corner[0], corner[1], corner[2]);
    }
    uint32_t* out = join->indices + join->index_count;
    gti_triangulate(polygon->points, count, polygon->scratch, out);
    size_t index_count = 3 * ((size_t)count - 2);
    for (size_t i = 0; i < index_count; ++i) {
        out[i] = polygon->ids[out[i]];
    }
    join->index_count += index_count;
}

bool gti_obj_join_run(GtiObjJoin* join, const GtiObjFaces* faces)
{
    const GtiObjRun* run = faces->run;
    const int32_t* corners = faces->corners;
    size_t stride = (size_t)run->corner_count * (1 + (run->layout & 1) + (run->layout >> 1 & 1));
    int32_t small[4][3];
    Polygon polygon = { .corners = small };
    if (run->corner_count > 4 && !prepare_polygon(join, run->corner_count, &polygon)) {
        return false;
    }
    for (uint32_t f = 0; f < run->face_count; ++f, corners += stride) {
        if (!resolve_face(join, faces, f, corners, polygon.corners)) {
            continue;
        }
        if (!reserve_vertices(join, run->corner_count)) {
            return false;
        }
        if (run->corner_count == 3) {
            add_triangle(join, small);
        } else if (run->corner_count == 4) {
            add_quad(join, small);
        } else {
            add_polygon(join, run->corner_count, &polygon);
        }
    }
    return true;
}

// A vertex under its key, to be sorted.
typedef struct Keyed {
    uint32_t key;
    uint32_t vertex;
} Keyed;

static void sort_digit(const Keyed* in, Keyed* out, uint32_t count, int shift)
{
    uint32_t starts[1 << DIGIT_BITS] = { 0 };
    const uint32_t mask = (1u << DIGIT_BITS) - 1;
    for (uint32_t i = 0; i < count; ++i) {
        ++starts[in[i].key >> shift & mask];
    }
    for (uint32_t d = 0, sum = 0; d <= mask; ++d) {
        uint32_t here = starts[d];
        starts[d] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; ++i) {
        out[starts[in[i].key >> shift & mask]++] = in[i];
    }
}

bool gti_obj_join_order(GtiObjJoin* join, uint64_t first, uint32_t count, uint32_t* indices, uint64_t index_count)
{
    if (count == 0) {
        return true;
    }
    GtiObjVertex* vertices = join->vertices + first;
    int32_t low = INT32_MAX;
    int32_t high = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < count; ++i) {
        sorted &= vertices[i].position >= high;
        low = vertices[i].position < low ? vertices[i].position : low;
        high = vertices[i].position > high ? vertices[i].position : high;
        vertices[i].next = (int32_t)i;
    }
    if (sorted) {
        return true;
    }
    Keyed* pairs = join->allocator.allocate(join->allocator.user, 2 * (size_t)count * sizeof *pairs);
    if (!pairs) {
        return false;
    }
    Keyed* from = pairs;
    Keyed* to = pairs + count;
    for (uint32_t i = 0; i < count; ++i) {
        from[i] = (Keyed){ (uint32_t)(vertices[i].position - low), i };
    }
    for (int shift = 0; shift < 32 && (uint32_t)(high - low) >> shift; shift += DIGIT_BITS) {
        sort_digit(from, to, count, shift);
        Keyed* swap = from;
        from = to;
        to = swap;
    }
    for (uint32_t i = 0; i < count; ++i) {
        vertices[from[i].vertex].next = (int32_t)i;
    }
    for (uint64_t i = 0; i < index_count; ++i) {
        indices[i] = (uint32_t)vertices[indices[i]].next;
    }
    join->allocator.release(join->allocator.user, pairs);
    return true;
}
