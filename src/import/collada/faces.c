// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Faces become triangles. A hole is joined to its polygon by a bridge between their nearest corners, there and back, so
// that one ring is left for the triangulation. Indices that name nothing are found here: a face without a position is
// left out, other attributes take their first element.

#include "base/fail.h"
#include "base/memory.h"
#include "geometry/triangulate.h"
#include "import/collada/geometry.h"

#include <string.h>

enum {
    MAX_BRIDGE_PAIRS = 1 << 20 // of corners that are compared for one hole; beyond, the first corners are joined
};

// Faces in the making.
typedef struct DaeFaceBuild {
    GtiDae* d;
    GtiDaeFaces* faces;
    uint32_t* ring; // corners of a polygon
    size_t ring_capacity;
    GtVec3* points; // of the ring
    uint32_t* cut;  // [3 * ring_capacity]
    void* scratch;
} DaeFaceBuild;

static GtVec3 point_of(const GtiDaeFaces* f, uint32_t corner)
{
    const float* p = gti_dae_value_at(f, &f->position, corner);
    return gt_vec3(p[0], p[1], p[2]);
}

static bool is_inside(const GtiDaeFaces* f, const GtiDaeInput* input, size_t corner)
{
    int32_t index = f->indices[corner * f->stride + input->offset];
    return index >= 0 && (size_t)index < input->source.count;
}

// Whether all corners have a position.
static GtResult check_corners(DaeFaceBuild* b, const uint32_t* corners, size_t count, bool* usable)
{
    GtiDaeFaces* f = b->faces;
    *usable = true;
    for (size_t i = 0; i < count; ++i) {
        *usable = *usable && is_inside(f, &f->position, corners[i]);
    }
    return *usable ? GT_OK
                   : gti_dae_repair(b->d, GTI_DAE_BAD_INDEX, f->element,
                                    "faces of <%.16s> name vertices that are not there: they are left out",
                                    b->d->xml.nodes[f->element].name);
}

static void put_triangle(GtiDaeFaces* f, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t* out = f->triangles + f->index_count;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    f->index_count += 3;
}

static bool make_ring_room(DaeFaceBuild* b, size_t count)
{
    if (count <= b->ring_capacity) {
        return true;
    }
    size_t capacity = count < 64 ? 64 : 2 * count;
    uint32_t* ring = gt_arena_push_array(b->d->arena, capacity, sizeof *ring);
    if (ring && b->ring) {
        memcpy(ring, b->ring, b->ring_capacity * sizeof *ring);
    }
    b->ring = ring;
    b->points = gt_arena_push_array(b->d->arena, capacity, sizeof *b->points);
    b->cut = gt_arena_push_array(b->d->arena, capacity, 3 * sizeof *b->cut);
    b->scratch = gt_arena_push(b->d->arena, gti_triangulate_scratch_size((uint32_t)capacity));
    b->ring_capacity = capacity;
    return b->ring && b->points && b->cut && b->scratch;
}

// Cut the ring of `count` corners.
static GtResult put_polygon(DaeFaceBuild* b, size_t count)
{
    GtiDaeFaces* f = b->faces;
    bool usable = false;
    if (count < 3) {
        return gti_dae_repair(b->d, GTI_DAE_BAD_FACE, f->element, "faces of fewer than three corners are left out");
    }
    GtResult result = check_corners(b, b->ring, count, &usable);
    if (result != GT_OK || !usable) {
        return result;
    }
    if (count == 3) {
        put_triangle(f, b->ring[0], b->ring[1], b->ring[2]);
        return GT_OK;
    }
    for (size_t i = 0; i < count; ++i) {
        b->points[i] = point_of(f, b->ring[i]);
    }
    if (count == 4) {
        gti_triangulate_quad(b->points, b->cut);
    } else {
        gti_triangulate(b->points, (uint32_t)count, b->scratch, b->cut);
    }
    for (size_t i = 0; i + 2 < count; ++i) {
        put_triangle(f, b->ring[b->cut[3 * i]], b->ring[b->cut[3 * i + 1]], b->ring[b->cut[3 * i + 2]]);
    }
    return GT_OK;
}

static GtResult put_run(DaeFaceBuild* b, size_t first, size_t count)
{
    if (!make_ring_room(b, count)) {
        return gti_out_of_memory(b->d->error);
    }
    for (size_t i = 0; i < count; ++i) {
        b->ring[i] = (uint32_t)(first + i);
    }
    return put_polygon(b, count);
}

static GtVec3 ring_normal(const GtiDaeFaces* f, const uint32_t* ring, size_t count)
{
    GtVec3 sum = gt_vec3(0.0f, 0.0f, 0.0f);
    GtVec3 origin = point_of(f, ring[0]);
    for (size_t i = 1; i + 1 < count; ++i) {
        GtVec3 a = gt_vec3_sub(point_of(f, ring[i]), origin);
        GtVec3 c = gt_vec3_sub(point_of(f, ring[i + 1]), origin);
        sum = gt_vec3_add(sum, gt_vec3_cross(a, c));
    }
    return sum;
}

// Join a hole of corners [first, first + count) to the ring; returns the ring's new count, 0 when memory ran out.
static size_t join_hole(DaeFaceBuild* b, size_t ring_count, uint32_t first, size_t count)
{
    const GtiDaeFaces* f = b->faces;
    size_t total = ring_count + count + 2;
    if (!make_ring_room(b, total)) {
        return 0;
    }
    size_t best_ring = 0;
    size_t best_hole = 0;
    float least = INFINITY;
    for (size_t i = 0; i < ring_count && ring_count * count <= MAX_BRIDGE_PAIRS; ++i) {
        GtVec3 p = point_of(f, b->ring[i]);
        for (size_t k = 0; k < count; ++k) {
            GtVec3 between = gt_vec3_sub(point_of(f, first + (uint32_t)k), p);
            float distance = gt_vec3_dot(between, between);
            if (distance < least) {
                least = distance;
                best_ring = i;
                best_hole = k;
            }
        }
    }
    for (size_t k = 0; k < count; ++k) { // the hole in file order behind the ring, as scratch
        b->cut[k] = first + (uint32_t)k;
    }
    bool same_side = gt_vec3_dot(ring_normal(f, b->ring, ring_count), ring_normal(f, b->cut, count)) > 0.0f;
    memmove(b->ring + best_ring + count + 2, b->ring + best_ring, (ring_count - best_ring) * sizeof *b->ring);
    for (size_t k = 0; k <= count; ++k) {
        size_t step = same_side ? (best_hole + count - k % count) % count : (best_hole + k) % count;
        b->ring[best_ring + 1 + k] = first + (uint32_t)step;
    }
    return total;
}

// <polygons>: a <p> a face, or a <ph> of one <p> and an <h> for every hole.
static GtResult put_ph(DaeFaceBuild* b, const size_t* sizes, int32_t size_count, size_t first)
{
    bool usable = true;
    GtResult result = GT_OK;
    size_t ring_count = sizes[0];
    if (!make_ring_room(b, ring_count)) {
        return gti_out_of_memory(b->d->error);
    }
    for (size_t i = 0; i < ring_count; ++i) {
        b->ring[i] = (uint32_t)(first + i);
    }
    result = check_corners(b, b->ring, ring_count, &usable);
    size_t at = first + ring_count;
    for (int32_t h = 1; h < size_count && result == GT_OK && usable && ring_count >= 3; at += sizes[h++]) {
        for (size_t k = 0; k < sizes[h] && usable; ++k) {
            result = check_corners(b, (uint32_t[]){ (uint32_t)(at + k) }, 1, &usable);
        }
        if (sizes[h] >= 3 && usable && result == GT_OK) {
            ring_count = join_hole(b, ring_count, (uint32_t)at, sizes[h]);
            result = ring_count ? GT_OK : gti_out_of_memory(b->d->error);
        }
    }
    return result == GT_OK && usable ? put_polygon(b, ring_count) : result;
}

// All <p> of a primitive, also those in <ph> with their holes, one after the other.
typedef struct DaeRuns {
    int32_t* indices;
    size_t* sizes; // [run_count] corners
    bool* starts;  // [run_count] whether it begins a face; holes do not
    int32_t run_count;
    size_t corner_count;
} DaeRuns;

static int32_t next_run(const GtiDae* d, int32_t element, int32_t at)
{
    const GtiXmlNode* nodes = d->xml.nodes;
    int32_t next = at == GT_NONE ? gti_dae_next_child(d, element, GT_NONE) : GT_NONE;
    if (at != GT_NONE) {
        next = gti_dae_next_child(d, nodes[at].parent, at);
        if (next == GT_NONE && nodes[at].parent != element) {
            next = gti_dae_next_child(d, element, nodes[at].parent);
        }
    }
    while (next != GT_NONE && !gti_xml_is(&d->xml, next, "p") && !gti_xml_is(&d->xml, next, "h")) {
        int32_t inner = gti_xml_is(&d->xml, next, "ph") ? gti_dae_next_child(d, next, GT_NONE) : GT_NONE;
        if (inner != GT_NONE) {
            next = inner;
            continue;
        }
        int32_t parent = nodes[next].parent;
        next = gti_dae_next_child(d, parent, next);
        if (next == GT_NONE && parent != element) {
            next = gti_dae_next_child(d, element, parent);
        }
    }
    return next;
}

static GtResult read_runs(GtiDae* d, GtiDaeFaces* f, DaeRuns* out)
{
    int32_t count = 0;
    for (int32_t run = next_run(d, f->element, GT_NONE); run != GT_NONE; run = next_run(d, f->element, run)) {
        ++count;
    }
    out->sizes = gt_arena_push_array(d->arena, (size_t)count, sizeof *out->sizes);
    out->starts = gt_arena_push_array(d->arena, (size_t)count, sizeof *out->starts);
    int32_t** pieces = gt_arena_push_array(d->arena, (size_t)count, sizeof *pieces);
    if (!out->sizes || !out->starts || !pieces) {
        return gti_out_of_memory(d->error);
    }
    for (int32_t run = next_run(d, f->element, GT_NONE); run != GT_NONE; run = next_run(d, f->element, run)) {
        size_t numbers;
        GtResult result = gti_dae_indices(d, run, &pieces[out->run_count], &numbers);
        if (result != GT_OK) {
            return result;
        }
        out->starts[out->run_count] = gti_xml_is(&d->xml, run, "p");
        out->sizes[out->run_count++] = numbers / f->stride;
        out->corner_count += numbers / f->stride;
    }
    if (out->corner_count > UINT32_MAX / 4) {
        return gti_dae_fail(d, f->element, GT_ERROR_LIMIT, "this mesh has too many corners");
    }
    if (count == 1) {
        out->indices = pieces[0];
        return GT_OK;
    }
    out->indices = gt_arena_push_array(d->arena, out->corner_count * f->stride, sizeof *out->indices);
    int32_t* to = out->indices;
    for (int32_t i = 0; i < count && to; ++i) {
        memcpy(to, pieces[i], out->sizes[i] * f->stride * sizeof *to);
        to += out->sizes[i] * f->stride;
    }
    return to ? GT_OK : gti_out_of_memory(d->error);
}

// Attributes that a corner names and that are not there take their first element.
static GtResult clamp_attributes(GtiDae* d, GtiDaeFaces* f, int32_t* indices)
{
    GtiDaeInput* inputs[2 + GTI_DAE_MAX_SETS] = { &f->normal, &f->color };
    GtResult result = GT_OK;
    for (int32_t i = 0; i < f->set_count; ++i) {
        inputs[2 + i] = &f->texcoords[i];
    }
    for (int32_t i = 0; i < 2 + f->set_count; ++i) {
        if (!inputs[i]->source.data || inputs[i]->offset == f->position.offset) {
            continue;
        }
        for (size_t c = 0; c < f->corner_count && result == GT_OK; ++c) {
            if (!is_inside(f, inputs[i], c)) {
                indices[c * f->stride + inputs[i]->offset] = 0;
                result = gti_dae_repair(d, GTI_DAE_BAD_INDEX, f->element,
                                        "faces name normals, colours or texture coordinates that are not there: the "
                                        "first is taken");
            }
        }
    }
    return result;
}

static GtResult put_polylist(DaeFaceBuild* b)
{
    GtiDae* d = b->d;
    int32_t* sizes;
    size_t count;
    size_t at = 0;
    GtResult result = gti_dae_indices(d, gti_xml_child(&d->xml, b->faces->element, "vcount"), &sizes, &count);
    for (size_t i = 0; i < count && result == GT_OK; ++i) {
        if (sizes[i] < 0 || (size_t)sizes[i] > b->faces->corner_count - at) {
            return gti_dae_repair(d, GTI_DAE_BAD_FACE, b->faces->element,
                                  "<polylist> has fewer corners than its <vcount> says: the rest is left out");
        }
        result = put_run(b, at, (size_t)sizes[i]);
        at += (size_t)sizes[i];
    }
    return result;
}

static GtResult put_strip(DaeFaceBuild* b, size_t first, size_t count, bool fan)
{
    GtResult result = GT_OK;
    for (size_t i = 0; i + 2 < count && result == GT_OK; ++i) {
        size_t odd = fan ? 0 : i & 1;
        uint32_t corners[3] = { (uint32_t)(fan ? first : first + i), (uint32_t)(first + i + 1 + odd),
                                (uint32_t)(first + i + 2 - odd) };
        bool usable = false;
        result = check_corners(b, corners, 3, &usable);
        if (usable) {
            put_triangle(b->faces, corners[0], corners[1], corners[2]);
        }
    }
    return result;
}

static GtResult put_runs(DaeFaceBuild* b, const DaeRuns* runs, const char* kind)
{
    bool strips = !strcmp(kind, "tristrips");
    bool fans = !strcmp(kind, "trifans");
    bool polygons = !strcmp(kind, "polygons");
    GtResult result = GT_OK;
    size_t at = 0;
    for (int32_t i = 0; i < runs->run_count && result == GT_OK;) {
        int32_t count = 1;
        size_t corners = runs->sizes[i];
        while (polygons && i + count < runs->run_count && !runs->starts[i + count]) {
            corners += runs->sizes[i + count++];
        }
        if (polygons) {
            result = put_ph(b, runs->sizes + i, count, at);
        } else if (strips || fans) {
            result = put_strip(b, at, corners, fans);
        }
        for (size_t c = 0; c + 3 <= corners && !polygons && !strips && !fans && result == GT_OK; c += 3) {
            result = put_run(b, at + c, 3);
        }
        at += corners;
        i += count;
    }
    return result;
}

GtResult gti_dae_read_faces(GtiDae* d, GtiDaeFaces* f)
{
    DaeRuns runs = { 0 };
    const char* kind = d->xml.nodes[f->element].name;
    GtResult result = read_runs(d, f, &runs);
    if (result != GT_OK || !runs.corner_count) {
        return result;
    }
    f->indices = runs.indices;
    f->corner_count = runs.corner_count;
    // A polygon of n corners gives n - 2 triangles, and each hole adds two corners: 3 a corner is always enough.
    f->triangles = gt_arena_push_array(d->arena, 3 * (f->corner_count + 2 * (size_t)runs.run_count), sizeof(uint32_t));
    if (!f->triangles) {
        return gti_out_of_memory(d->error);
    }
    DaeFaceBuild b = { .d = d, .faces = f };
    result = clamp_attributes(d, f, runs.indices);
    if (result == GT_OK) {
        result = !strcmp(kind, "polylist") ? put_polylist(&b) : put_runs(&b, &runs, kind);
    }
    return result;
}
