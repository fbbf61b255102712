// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Fewer points under the feet that tell the same: of the vertices that can touch the ground, one of each that lie and
// move together, and those that one joint moves as plain points of that joint.

#include "motion/contact/tread.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

// A vertex by everything that decides where it goes.
typedef struct Twin {
    uint64_t hash;
    int32_t vertex;
} Twin;

static uint64_t hash_vertex(const GtMeshDef* mesh, int32_t vertex)
{
    size_t influences = (size_t)mesh->influence_count;
    size_t at = (size_t)vertex * influences;
    uint64_t hash = gti_hash(0, &mesh->positions[vertex], sizeof *mesh->positions);
    hash = gti_hash(hash, mesh->joints + at, influences * sizeof *mesh->joints);
    return gti_hash(hash, mesh->weights + at, influences * sizeof *mesh->weights);
}

static bool is_twin(const GtMeshDef* mesh, int32_t a, int32_t b)
{
    size_t influences = (size_t)mesh->influence_count;
    size_t at_a = (size_t)a * influences;
    size_t at_b = (size_t)b * influences;
    return !memcmp(&mesh->positions[a], &mesh->positions[b], sizeof *mesh->positions) &&
           !memcmp(mesh->joints + at_a, mesh->joints + at_b, influences * sizeof *mesh->joints) &&
           !memcmp(mesh->weights + at_a, mesh->weights + at_b, influences * sizeof *mesh->weights);
}

static int compare_twins(const void* left, const void* right)
{
    const Twin* a = left;
    const Twin* b = right;
    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash) : a->vertex - b->vertex;
}

// Of vertices that go everywhere together, as those along the seams of a texture do, choose the first alone.
static void choose_singles(const GtMeshDef* mesh, Twin* twins, bool* chosen)
{
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        twins[v] = (Twin){ hash_vertex(mesh, v), v };
    }
    qsort(twins, (size_t)mesh->vertex_count, sizeof *twins, compare_twins);
    for (int32_t i = 1; i < mesh->vertex_count; ++i) {
        if (twins[i].hash == twins[i - 1].hash && is_twin(mesh, twins[i].vertex, twins[i - 1].vertex)) {
            chosen[twins[i].vertex] = false;
        }
    }
}

// Points that go with a node each.
typedef struct Riders {
    int32_t count;
    int32_t* sources; // [count] points that they were
    int32_t* nodes;
    GtVec3* offsets;
} Riders;

// The node that alone moves a vertex, and where in its space it is; GT_NONE where there are several, or where more than
// a skin moves it.
static int32_t find_carrier(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex, GtVec3* offset)
{
    *offset = mesh->positions[vertex];
    if (mesh->morph_count || mesh->deformers) {
        return GT_NONE;
    }
    if (mesh->skin == GT_NONE) {
        return mesh->node;
    }
    const GtSkinDef* skin = &def->skins[mesh->skin];
    for (int32_t k = 0; k < mesh->influence_count; ++k) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)k;
        if (mesh->weights[at] == 1.0f) {
            *offset = gt_mat34_point(&skin->joint_from_mesh[mesh->joints[at]], *offset);
            return skin->joints[mesh->joints[at]];
        }
    }
    return GT_NONE;
}

// Take the chosen points that have a carrier out of the choice, those of a foot together.
static bool find_riders(const GtiTread* sole, GtArena* arena, bool* chosen, Riders* out)
{
    const GtCharacterDef* def = gt_character_def(sole->character);
    size_t most = (size_t)sole->point_count;
    *out = (Riders){ .sources = gt_arena_push_array(arena, most, sizeof *out->sources),
                     .nodes = gt_arena_push_array(arena, most, sizeof *out->nodes),
                     .offsets = gt_arena_push_array(arena, most, sizeof *out->offsets) };
    if (!out->sources || !out->nodes || !out->offsets) {
        return false;
    }
    for (int side = 0; side < GTI_SIDE_COUNT; ++side) {
        int32_t point = 0;
        for (int32_t m = 0; m < def->mesh_count; ++m) {
            for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v, ++point) {
                if (!chosen[point] || sole->parts[point] / 2 != side) {
                    continue;
                }
                out->nodes[out->count] = find_carrier(def, &def->meshes[m], v, &out->offsets[out->count]);
                if (out->nodes[out->count] != GT_NONE) {
                    out->sources[out->count++] = point;
                    chosen[point] = false;
                }
            }
        }
    }
    return true;
}

// Put the riders behind the points that are kept of `whole`, as it was.
static bool add_riders(const GtiTread* whole, GtArena* arena, const Riders* riders, GtiTread* sole)
{
    GtiTread both = *sole;
    both.point_count = sole->deformed_count + riders->count;
    if (!gti_tread_push(arena, &both)) {
        return false;
    }
    for (int32_t i = 0; i < both.point_count; ++i) {
        int32_t rider = i - sole->deformed_count;
        const GtiTread* from = rider < 0 ? sole : whole;
        int32_t source = rider < 0 ? i : riders->sources[rider];
        both.parts[i] = from->parts[source];
        both.toe_shares[i] = from->toe_shares[source];
        both.points[i] = from->points[source];
        both.nodes[i] = rider < 0 ? GT_NONE : riders->nodes[rider];
        both.offsets[i] = rider < 0 ? gt_vec3(0.0f, 0.0f, 0.0f) : riders->offsets[rider];
        for (int p = 0; rider >= 0 && p < GTI_SOLE_PART_COUNT; ++p) {
            both.marks[p] = whole->marks[p] == source ? i : both.marks[p];
        }
    }
    *sole = both;
    gti_tread_bound(sole);
    return true;
}

// Choose the points that touch the ground, one of each that lie and move together, and the marks.
static bool choose_touching(const GtiTread* sole, GtArena* arena, bool* chosen)
{
    const GtCharacterDef* def = gt_character_def(sole->character);
    Twin* twins = gt_arena_push_array(arena, (size_t)sole->point_count, sizeof *twins);
    if (!twins) {
        return false;
    }
    for (int32_t i = 0; i < sole->point_count; ++i) {
        chosen[i] = sole->parts[i] != GT_NONE;
    }
    bool* chosen_of_mesh = chosen;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        if (def->meshes[m].morph_count == 0) { // those may part them
            choose_singles(&def->meshes[m], twins, chosen_of_mesh);
        }
        chosen_of_mesh += def->meshes[m].vertex_count;
    }
    for (int p = 0; p < GTI_SOLE_PART_COUNT; ++p) {
        chosen[sole->marks[p]] = true;
    }
    return true;
}

GtResult gti_tread_reduce(const GtContext* context, GtArena* arena, GtiTread* sole, bool* chosen, GtError* error)
{
    GtiTread whole = *sole;
    Riders riders;
    if (!find_riders(sole, arena, chosen, &riders) || !gti_tread_push(arena, sole)) {
        return gti_out_of_memory(error);
    }
    memcpy(sole->parts, whole.parts, (size_t)whole.point_count * sizeof *whole.parts);
    memcpy(sole->toe_shares, whole.toe_shares, (size_t)whole.point_count * sizeof *whole.toe_shares);
    memcpy(sole->points, whole.points, (size_t)whole.point_count * sizeof *whole.points);
    GtResult result = gti_tread_keep(context, arena, sole, chosen, error);
    if (result == GT_OK && !add_riders(&whole, arena, &riders, sole)) {
        result = gti_out_of_memory(error);
    }
    return result;
}

GtResult gti_tread_trim(const GtContext* context, GtArena* arena, GtiTread* sole, GtError* error)
{
    if (!sole->character) {
        return GT_OK;
    }
    bool* chosen = gt_arena_push_array(arena, (size_t)sole->point_count, sizeof *chosen);
    if (!chosen || !choose_touching(sole, arena, chosen)) {
        return gti_out_of_memory(error);
    }
    return gti_tread_reduce(context, arena, sole, chosen, error);
}
