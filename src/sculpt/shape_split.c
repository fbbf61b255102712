// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Targets cut into pieces by regions. A piece is the target's displacements times the region's weights, which sum to 1
// at each vertex; so pieces sum to the target. Normals and tangents, which are displacements too, are cut alike.

#include "gertie/shape_regions.h"

#include "base/fail.h"
#include "sculpt/shape_mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PIECE_NAME_SIZE = 320
};

// Of the longest way of a target; a piece of less goes to the largest one.
static const float least_piece = 0.01f;

static const char* const attribute_names[] = { "POSITION", "NORMAL", "TANGENT" };

typedef struct Splitter {
    const GtContext* context;
    GtScene* scene;
    int32_t mesh;
    const GtShapeRegions* regions;
    GtArena scratch;
    GtiShapeMesh surface;
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
static void cut(const Splitter* s, const GtVec3* whole, const bool* used, int32_t region, int32_t largest, GtVec3* out)
{
    size_t vertex_count = (size_t)s->regions->vertex_count;
    for (size_t i = 0; i < vertex_count; ++i) {
        float weight = region == largest ? 1.0f : s->regions->weights[(size_t)region * vertex_count + i];
        for (int32_t r = 0; r < s->regions->count && region == largest; ++r) {
            weight -= r != largest && used[r] ? s->regions->weights[(size_t)r * vertex_count + i] : 0.0f;
        }
        out[i] = gt_vec3_scale(whole[i], fmaxf(weight, 0.0f));
    }
}

static GtResult split_target(Splitter* s, int32_t target, const char* name)
{
    size_t count = (size_t)s->surface.vertex_count;
    bool used[GT_SHAPE_MAX_REGIONS] = { false };
    int32_t largest = 0;
    GtVec3* wholes[3] = { NULL, NULL, NULL };
    for (int a = 0; a < 3; ++a) {
        GtVec3* whole = gt_arena_push_array(&s->scratch, count, sizeof *whole);
        if (!whole) {
            return gti_out_of_memory(s->error);
        }
        wholes[a] = gti_shape_read(s->scene, &s->surface, target, attribute_names[a], whole) == GT_OK ? whole : NULL;
    }
    if (!wholes[0] || !choose_pieces(s, wholes[0], used, &largest)) {
        return GT_OK;
    }
    GtShapeDef defs[GT_SHAPE_MAX_REGIONS];
    GtShapeAttribute attributes[GT_SHAPE_MAX_REGIONS][3];
    int32_t piece_count = 0;
    for (int32_t r = 0; r < s->regions->count; ++r) {
        if (!used[r]) {
            continue;
        }
        char* own_name = gt_arena_push_array(&s->scratch, PIECE_NAME_SIZE, 1);
        GtShapeDef* def = &defs[piece_count];
        *def = gt_default_shape_def();
        def->tolerance = 0.0f;
        for (int a = 0; a < 3 && own_name; ++a) {
            GtVec3* piece = wholes[a] ? gt_arena_push_array(&s->scratch, count, sizeof *piece) : NULL;
            if (wholes[a] && !piece) {
                return gti_out_of_memory(s->error);
            }
            if (piece) {
                cut(s, wholes[a], used, r, largest, piece);
                attributes[piece_count][def->attribute_count++] =
                    (GtShapeAttribute){ attribute_names[a], 3, (const float*)piece };
            }
        }
        if (!own_name) {
            return gti_out_of_memory(s->error);
        }
        snprintf(own_name, PIECE_NAME_SIZE, "%.256s.%d", name, (int)r + 1);
        def->name = own_name;
        def->attributes = attributes[piece_count++];
    }
    return gt_shapes_add(s->context, s->scene, s->mesh, defs, piece_count, s->report, s->error);
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
    GtResult result = gti_shape_mesh_read(context, scene, mesh, &s.scratch, &s.surface, error);
    if (result == GT_OK && s.surface.vertex_count != regions->vertex_count) {
        result = gti_fail(error, GT_ERROR_BAD_VALUE, "the regions are of a mesh of %d vertices, this one has %d",
                          (int)regions->vertex_count, (int)s.surface.vertex_count);
    }
    int32_t target_count = result == GT_OK ? scene->meshes[mesh].target_count : 0;
    for (int32_t t = 0; t < target_count && result == GT_OK; ++t) {
        const char* const* names = scene->meshes[mesh].target_names;
        char number[32];
        snprintf(number, sizeof number, "morph %d", (int)t);
        GtArenaMark mark = gt_arena_mark(&s.scratch);
        result = split_target(&s, t, names && names[t] ? names[t] : number);
        gt_arena_reset(&s.scratch, mark);
    }
    gt_arena_destroy(&s.scratch);
    return result;
}
