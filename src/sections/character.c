// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A character is built as ever, and made once more with sections.

#include "gertie/map.h"

#include "base/fail.h"
#include "sections/section_bind.h"

#include <string.h>

typedef struct Maker {
    const GtContext* context;
    const GtScene* scene;
    const GtSculpt* sculpt;
    GtCharacter* plain;
    GtArena arena;
    GtCharacterDef def;
    bool* is_bound;         // [section_count]
    GtHumanoidMap humanoid; // of the character's nodes
    GtSculptReport report;
    GtError* error;
} Maker;

static GtResult add_sections(Maker* k)
{
    size_t count = (size_t)k->sculpt->section_count;
    GtSectionDef* sections = gt_arena_push_array(&k->arena, count, sizeof *sections);
    k->is_bound = gt_arena_push_array(&k->arena, count, sizeof *k->is_bound);
    if (!sections || !k->is_bound) {
        return gti_out_of_memory(k->error);
    }
    for (size_t i = 0; i < count; ++i) {
        sections[i] = k->sculpt->sections[i].def;
        if (sections[i].node != GT_NONE) {
            sections[i].node = gt_character_node_from_source(k->plain, sections[i].node);
            if (sections[i].node == GT_NONE) {
                return gti_fail(k->error, GT_ERROR_NOT_FOUND,
                                "section '%.80s': its joint '%.80s' is not part of the scene that is shown",
                                sections[i].name, k->sculpt->sections[i].joint);
            }
        }
    }
    k->def.sections = sections;
    k->def.section_count = (int32_t)count;
    return GT_OK;
}

static GtResult count_bound(Maker* k, const GtMeshDef* mesh)
{
    GtArenaMark mark = gt_arena_mark(&k->arena);
    bool* seen = gt_arena_push_array(&k->arena, (size_t)mesh->vertex_count, sizeof *seen);
    if (!seen) {
        return gti_out_of_memory(k->error);
    }
    for (int32_t i = 0; i < mesh->section_bind_count; ++i) {
        const GtSectionBindDef* bind = &mesh->section_binds[i];
        k->is_bound[bind->section] = true;
        for (int32_t e = 0; e < bind->entry_count; ++e) {
            k->report.bound_vertices += !seen[bind->vertices[e]];
            seen[bind->vertices[e]] = true;
        }
    }
    gt_arena_reset(&k->arena, mark);
    return GT_OK;
}

static GtResult add_binds(Maker* k)
{
    GtHumanoidMap map;
    GtMapDef map_def = gt_default_map_def();
    size_t count = (size_t)k->def.mesh_count;
    GtMeshDef* meshes = gt_arena_push_array(&k->arena, count, sizeof *meshes);
    bool* ends = gt_arena_push_array(&k->arena, (size_t)k->def.node_count, sizeof *ends);
    GtiSectionBinds* binds = gt_arena_push_array(&k->arena, count, sizeof *binds);
    GtResult result = meshes && ends && binds ? GT_OK : gti_out_of_memory(k->error);
    if (result == GT_OK) {
        result = gt_map_humanoid(k->context, k->scene, &map_def, &map, NULL, k->error);
    }
    if (result != GT_OK) {
        return result;
    }
    gti_limb_ends(k->plain, &map, k->sculpt, ends);
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = map.nodes[j];
        k->humanoid.nodes[j] = node != GT_NONE ? gt_character_node_from_source(k->plain, node) : GT_NONE;
    }
    k->def.humanoid = &k->humanoid; // for tracks, which name joints by the vocabulary
    if (count > 0) {
        memcpy(meshes, k->def.meshes, count * sizeof *meshes);
    }
    result = gti_section_bind(&k->arena, k->plain, ends, k->sculpt, binds, k->error);
    for (int32_t m = 0; m < k->def.mesh_count && result == GT_OK; ++m) {
        meshes[m].section_binds = binds[m].binds;
        meshes[m].section_bind_count = binds[m].count;
        result = count_bound(k, &meshes[m]);
    }
    k->def.meshes = meshes;
    return result;
}

static void warn_of_idle(Maker* k)
{
    for (int32_t i = 0; i < k->sculpt->section_count; ++i) {
        const GtSculptSection* section = &k->sculpt->sections[i];
        if (section->def.node != GT_NONE && !k->is_bound[i] && k->def.mesh_count > 0) {
            ++k->report.idle_sections;
            gti_warn(k->context, k->sculpt->file, NULL,
                     "section '%.80s' has no effect: the skin of '%.80s' is outside its box, or sections before it "
                     "have claimed all of it",
                     section->def.name, section->joint);
        }
    }
}

GtResult gt_sculpt_character(const GtContext* context, const GtScene* scene, const GtSculpt* sculpt,
                             const GtBuildDef* def, GtCharacter** out, GtSculptReport* report, GtError* error)
{
    Maker k = { .context = context,
                .scene = scene,
                .sculpt = sculpt,
                .arena = gt_arena_create(context->allocator),
                .error = error };
    *out = NULL;
    GtResult result = gt_character_build(context, scene, def, &k.plain, NULL, error);
    if (result == GT_OK) {
        k.def = *gt_character_def(k.plain);
        result = add_sections(&k);
    }
    if (result == GT_OK) {
        result = add_binds(&k);
    }
    if (result == GT_OK) {
        warn_of_idle(&k);
        result = gt_character_create(context->allocator, &k.def, out, error);
    }
    gt_character_destroy(k.plain);
    gt_arena_destroy(&k.arena);
    if (result == GT_OK && report) {
        *report = k.report;
    }
    return result;
}
