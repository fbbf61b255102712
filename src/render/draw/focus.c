// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of a character stand before those below them, so one pass hands the mark of a joint down.

#include "render/draw/focus.h"

#include "base/fail.h"

static bool mark_nodes(GtArena* arena, const GtActorDef* def, const GtiPerformer* p, GtiFocus* f)
{
    const GtCharacterDef* character = p->figure.def;
    f->nodes = gt_arena_push_array(arena, (size_t)character->node_count, sizeof *f->nodes);
    if (!f->nodes) {
        return false;
    }
    for (int32_t i = 0; i < def->focus_count; ++i) {
        int32_t node = gt_character_node_from_source(p->figure.character, def->focus[i]);
        if (node != GT_NONE) {
            f->nodes[node] = true;
        }
    }
    for (int32_t i = 0; i < character->node_count; ++i) {
        int32_t parent = character->parents[i];
        f->nodes[i] = f->nodes[i] || (parent != GT_NONE && f->nodes[parent]);
    }
    return true;
}

static bool is_seen(const GtiFocus* f, const GtCharacterDef* def, const GtMeshDef* mesh, int32_t vertex)
{
    if (mesh->skin == GT_NONE) {
        return f->nodes[mesh->node];
    }
    float share = 0.0f;
    for (int32_t k = 0; k < mesh->influence_count; ++k) {
        size_t at = (size_t)vertex * (size_t)mesh->influence_count + (size_t)k;
        share += f->nodes[def->skins[mesh->skin].joints[mesh->joints[at]]] ? mesh->weights[at] : 0.0f;
    }
    return share >= 0.5f;
}

static void add_point(GtiFocus* f, bool write, int32_t mesh, int32_t vertex)
{
    if (write) {
        f->meshes[f->point_count] = mesh;
        f->vertices[f->point_count] = vertex;
    }
    ++f->point_count;
}

// Counts first, and writes where there are arrays.
static void add_points(GtiFocus* f, const GtCharacterDef* def, bool write)
{
    f->point_count = 0;
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        for (int32_t v = 0; v < def->meshes[m].vertex_count; ++v) {
            if (is_seen(f, def, &def->meshes[m], v)) {
                add_point(f, write, m, v);
            }
        }
    }
    bool has_vertices = f->point_count > 0;
    for (int32_t i = 0; !has_vertices && i < def->node_count; ++i) {
        if (f->nodes[i]) {
            add_point(f, write, GT_NONE, i);
        }
    }
}

GtResult gti_focus_create(GtArena* arena, const GtActorDef* def, const GtiPerformer* performer, GtiFocus* out,
                          GtError* error)
{
    const GtCharacterDef* character = performer->figure.def;
    *out = (GtiFocus){ 0 };
    if (!mark_nodes(arena, def, performer, out)) {
        return gti_out_of_memory(error);
    }
    add_points(out, character, false);
    size_t count = (size_t)out->point_count;
    out->meshes = gt_arena_push_array(arena, count, sizeof *out->meshes);
    out->vertices = gt_arena_push_array(arena, count, sizeof *out->vertices);
    out->points = gt_arena_push_array(arena, count, sizeof *out->points);
    if (!out->meshes || !out->vertices || !out->points) {
        return gti_out_of_memory(error);
    }
    add_points(out, character, true);
    return GT_OK;
}

void gti_focus_pose(GtiFocus* focus, const GtiPerformer* performer)
{
    for (int32_t i = 0; i < focus->point_count; ++i) {
        int32_t mesh = focus->meshes[i];
        focus->points[i] = mesh == GT_NONE
                               ? gt_mat34_translation(&performer->figure.instance->model_from_node[focus->vertices[i]])
                               : performer->positions[mesh][focus->vertices[i]];
    }
}
