// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Targets cut into pieces by regions. A piece is the target's displacements times the region's weights, which sum to 1
// at each vertex; so pieces sum to the target. All attributes are displacements, and cut alike.

#include "gertie/shape_regions.h"

#include "gertie/accessor.h"

#include "base/fail.h"
#include "shapes/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PIECE_NAME_SIZE = 320,
    MOST_ATTRIBUTES = 16,  // of a target; files have a handful
    MOST_PIECES = 1024,    // that are added at a time
    MOST_BYTES = 256 << 20 // likewise
};

// Of the longest way of a target; a piece of less goes to the largest one.
static const float least_piece = 0.01f;

// Displacements of one attribute of a target.
typedef struct Whole {
    const char* name;
    int32_t width;
    float* values; // [vertex_count * width]
} Whole;

typedef struct Wholes {
    Whole items[MOST_ATTRIBUTES];
    int32_t count;
} Wholes;

typedef struct Splitter {
    const GtContext* context;
    GtScene* scene;
    int32_t mesh;
    const GtShapeRegions* regions;
    GtArena scratch;
    GtArenaMark mark; // behind what stays
    GtiShapeMesh surface;
    GtShapeDef* pieces; // [MOST_PIECES]
    int32_t piece_count;
    GtShapesReport* report;
    GtError* error;
} Splitter;

// Which regions a target is cut into, and which of them takes what the others leave; false where it is not cut.
static bool choose_pieces(const Splitter* s, const GtVec3* positions, bool* used, int32_t* largest)
{
    float moves[GT_SHAPE_MAX_REGIONS] = { 0 };
    float longest = 0.0f;
    int32_t count = 0;
    for (int32_t r = 0; r < s->regions->count; ++r) {
        const float* weights = s->regions->weights + (size_t)r * (size_t)s->regions->vertex_count;
        for (int32_t i = 0; i < s->surface.vertex_count; ++i) {
            moves[r] = fmaxf(moves[r], weights[i] * gt_vec3_length(positions[i]));
        }
        longest = fmaxf(longest, moves[r]);
    }
    *largest = 0;
    for (int32_t r = 0; r < s->regions->count; ++r) {
        used[r] = moves[r] > least_piece * longest;
        count += used[r];
        *largest = moves[r] > moves[*largest] ? r : *largest;
    }
    return count > 1;
}

// A piece: its own weights, or for the largest all that the others leave.
static void cut(const Splitter* s, const Whole* whole, const bool* used, int32_t region, int32_t largest, float* out)
{
    size_t vertex_count = (size_t)s->regions->vertex_count;
    size_t width = (size_t)whole->width;
    for (size_t i = 0; i < vertex_count; ++i) {
        float weight = region == largest ? 1.0f : s->regions->weights[(size_t)region * vertex_count + i];
        for (int32_t r = 0; r < s->regions->count && region == largest; ++r) {
            weight -= r != largest && used[r] ? s->regions->weights[(size_t)r * vertex_count + i] : 0.0f;
        }
        for (size_t k = 0; k < width; ++k) {
            out[i * width + k] = whole->values[i * width + k] * fmaxf(weight, 0.0f);
        }
    }
}

// Add the pieces so far: many at a time, as clips that key the mesh's weights are written anew each time.
static GtResult flush(Splitter* s)
{
    GtResult result = s->piece_count > 0
                          ? gt_shapes_add(s->context, s->scene, s->mesh, s->pieces, s->piece_count, s->report, s->error)
                          : GT_OK;
    s->piece_count = 0;
    gt_arena_reset(&s->scratch, s->mark);
    return result;
}

static GtResult add_piece(Splitter* s, const char* name, const Wholes* wholes, const bool* used, int32_t region,
                          int32_t largest)
{
    size_t count = (size_t)s->surface.vertex_count;
    char* own_name = gt_arena_push_array(&s->scratch, PIECE_NAME_SIZE, 1);
    GtShapeAttribute* attributes = gt_arena_push_array(&s->scratch, (size_t)wholes->count, sizeof *attributes);
    if (!own_name || !attributes) {
        return gti_out_of_memory(s->error);
    }
    GtShapeDef def = gt_default_shape_def();
    def.tolerance = 0.0f;
    for (int32_t a = 0; a < wholes->count; ++a) {
        const Whole* whole = &wholes->items[a];
        float* piece = gt_arena_push_array(&s->scratch, count * (size_t)whole->width, sizeof *piece);
        if (!piece) {
            return gti_out_of_memory(s->error);
        }
        cut(s, whole, used, region, largest, piece);
        attributes[def.attribute_count++] = (GtShapeAttribute){ whole->name, whole->width, piece };
    }
    snprintf(own_name, PIECE_NAME_SIZE, "%.256s.%d", name, (int)region + 1);
    def.name = own_name;
    def.attributes = attributes;
    s->pieces[s->piece_count++] = def;
    return GT_OK;
}

static const Whole* find_whole(const Wholes* wholes, const char* name)
{
    for (int32_t i = 0; i < wholes->count; ++i) {
        if (strcmp(wholes->items[i].name, name) == 0) {
            return &wholes->items[i];
        }
    }
    return NULL;
}

// Numbers a vertex that a shape of the mesh has for an attribute; 0 where primitives have none, or not the same.
static int32_t find_width(const Splitter* s, const char* name)
{
    int32_t width = 0;
    for (int32_t p = 0; p < s->surface.mesh->primitive_count; ++p) {
        int32_t accessor = gt_primitive_find(&s->surface.mesh->primitives[p], name);
        int32_t own = accessor == GT_NONE ? width : gt_element_components(s->scene->accessors[accessor].element_type);
        if (own > 4 || (width > 0 && own != width)) {
            return 0;
        }
        width = own;
    }
    return strcmp(name, "TANGENT") == 0 && width > 0 ? 3 : width;
}

static GtResult read_wholes(const Splitter* s, int32_t target, GtArena* arena, Wholes* out)
{
    for (int32_t p = 0; p < s->surface.mesh->primitive_count; ++p) {
        const GtMorphTarget* from = &s->surface.mesh->primitives[p].targets[target];
        for (int32_t a = 0; a < from->attribute_count && out->count < MOST_ATTRIBUTES; ++a) {
            const char* name = from->attributes[a].name;
            int32_t width = find_whole(out, name) ? 0 : find_width(s, name);
            size_t size = (size_t)s->surface.vertex_count * (size_t)width;
            float* values = width > 0 ? gt_arena_push_array(arena, size, sizeof *values) : NULL;
            if (width > 0 && !values) {
                return gti_out_of_memory(s->error);
            }
            if (values && gti_shape_read(s->scene, &s->surface, target, name, width, values) == GT_OK) {
                out->items[out->count++] = (Whole){ name, width, values };
            }
        }
    }
    return GT_OK;
}

static GtResult split_target(Splitter* s, int32_t target, const char* name)
{
    bool used[GT_SHAPE_MAX_REGIONS] = { false };
    int32_t largest = 0;
    Wholes wholes = { .count = 0 };
    GtArena arena = gt_arena_create(s->context->allocator);
    GtResult result = read_wholes(s, target, &arena, &wholes);
    const Whole* positions = find_whole(&wholes, "POSITION");
    bool is_cut = result == GT_OK && positions && choose_pieces(s, (const GtVec3*)positions->values, used, &largest);
    for (int32_t r = 0; r < s->regions->count && is_cut && result == GT_OK; ++r) {
        result = used[r] ? add_piece(s, name, &wholes, used, r, largest) : GT_OK;
    }
    gt_arena_destroy(&arena);
    bool full = s->piece_count > MOST_PIECES - GT_SHAPE_MAX_REGIONS || s->scratch.used > MOST_BYTES;
    return result == GT_OK && full ? flush(s) : result;
}

static GtResult open(Splitter* s)
{
    GtResult result = gti_shape_mesh_read(s->context, s->scene, s->mesh, &s->scratch, &s->surface, s->error);
    if (result == GT_OK && s->surface.vertex_count != s->regions->vertex_count) {
        return gti_fail(s->error, GT_ERROR_BAD_VALUE, "the regions are for a mesh of %d vertices, and this one has %d",
                        (int)s->regions->vertex_count, (int)s->surface.vertex_count);
    }
    s->pieces = result == GT_OK ? gt_arena_push_array(&s->scratch, MOST_PIECES, sizeof *s->pieces) : NULL;
    s->mark = gt_arena_mark(&s->scratch);
    return result != GT_OK || s->pieces ? result : gti_out_of_memory(s->error);
}

GtResult gt_shapes_split(const GtContext* context, GtScene* scene, int32_t mesh, const GtShapeRegions* regions,
                         GtShapesReport* report, GtError* error)
{
    Splitter s = { .context = context,
                   .scene = scene,
                   .mesh = mesh,
                   .regions = regions,
                   .scratch = gt_arena_create(context->allocator),
                   .report = report,
                   .error = error };
    GtResult result = open(&s);
    int32_t target_count = result == GT_OK ? scene->meshes[mesh].target_count : 0;
    for (int32_t t = 0; t < target_count && result == GT_OK; ++t) {
        const char* const* names = scene->meshes[mesh].target_names;
        char number[32];
        snprintf(number, sizeof number, "morph %d", (int)t);
        result = split_target(&s, t, names && names[t] ? names[t] : number);
    }
    if (result == GT_OK) {
        result = flush(&s);
    }
    gt_arena_destroy(&s.scratch);
    return result;
}
