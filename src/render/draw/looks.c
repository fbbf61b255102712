// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/looks.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static bool is_textured(const GtActorDef* actor, const GtMeshDef* mesh)
{
    bool is_plain = actor->has_tint || actor->paint != GT_PAINT_NONE || mesh->material == GT_NONE;
    return !is_plain && actor->scene->materials[mesh->material].base_color_texture.texture != GT_NONE;
}

// Whether a material's texture is not where coordinates say, or may not be in another pose.
static bool is_placed(const GtiPerformer* performer, int32_t material)
{
    const GtMaterialLook* look = &performer->materials[material];
    bool is_plain = look->offset[0] == 0.0f && look->offset[1] == 0.0f && look->scale[0] == 1.0f &&
                    look->scale[1] == 1.0f && look->rotation_rad == 0.0f;
    const GtSculptPlayer* player = gt_sculpt_figure_player(&performer->figure);
    return !is_plain || (player && gt_sculpt_changes_material(player, material));
}

static GtResult open_mesh(GtArena* arena, const GtActorDef* actor, const GtiPerformer* performer, int32_t index,
                          GtiLooks* out, GtError* error)
{
    const GtMeshDef* mesh = &out->def->meshes[index];
    size_t count = (size_t)mesh->vertex_count;
    unsigned changed = gt_morph_looks(performer->figure.character, index);
    const GtTextureRef* ref =
        mesh->material == GT_NONE ? NULL : &actor->scene->materials[mesh->material].base_color_texture;
    out->second[index] = ref && ref->texcoord == 1;
    bool has_texture = is_textured(actor, mesh) && gti_looks_texcoords(out, index);
    out->slides[index] =
        has_texture && changed & (unsigned)(out->second[index] ? GT_LOOKS_TEXCOORDS1 : GT_LOOKS_TEXCOORDS);
    bool moves = has_texture && (out->slides[index] || is_placed(performer, mesh->material));
    bool blushes = !actor->has_tint && changed & GT_LOOKS_COLORS;
    if (moves) {
        out->texcoords[index] = gt_arena_push_array(arena, count, 2 * sizeof(float));
    }
    if (blushes) {
        out->colors[index] = gt_arena_push_array(arena, count, 4 * sizeof(uint8_t));
    }
    bool ok = (out->texcoords[index] || !moves) && (out->colors[index] || !blushes);
    return ok ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_looks_create(GtArena* arena, const GtActorDef* actor, const GtiPerformer* performer, GtiLooks* out,
                          GtError* error)
{
    const GtCharacterDef* def = performer->figure.def;
    size_t mesh_count = (size_t)def->mesh_count;
    *out = (GtiLooks){
        .def = def,
        .materials = performer->materials,
        .slides = gt_arena_push_array(arena, mesh_count, sizeof *out->slides),
        .second = gt_arena_push_array(arena, mesh_count, sizeof *out->second),
        .texcoords = gt_arena_push_array(arena, mesh_count, sizeof *out->texcoords),
        .colors = gt_arena_push_array(arena, mesh_count, sizeof *out->colors),
    };
    GtResult result = out->second && out->slides && out->texcoords && out->colors ? GT_OK : gti_out_of_memory(error);
    size_t most = 0;
    for (int32_t i = 0; i < def->mesh_count && result == GT_OK; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        result = open_mesh(arena, actor, performer, i, out, error);
        most = out->colors[i] && count > most ? count : most;
    }
    if (result == GT_OK) {
        out->pose_colors = gt_arena_push_array(arena, most, 4 * sizeof(float));
        result = out->pose_colors ? GT_OK : gti_out_of_memory(error);
    }
    return result;
}

const float* gti_looks_texcoords(const GtiLooks* looks, int32_t mesh)
{
    const GtMeshDef* def = &looks->def->meshes[mesh];
    return looks->second[mesh] ? def->texcoords1 : def->texcoords;
}

void gti_looks_bytes(const float* colors, int32_t count, uint8_t* out)
{
    for (size_t i = 0; i < (size_t)count * 4; ++i) {
        out[i] = (uint8_t)(fminf(fmaxf(colors[i], 0.0f), 1.0f) * 255.0f + 0.5f);
    }
}

// Scaled, turned, then moved.
static void place_texcoords(const GtMaterialLook* look, float* texcoords, int32_t count)
{
    float c = cosf(look->rotation_rad);
    float s = sinf(look->rotation_rad);
    for (int32_t i = 0; i < count; ++i) {
        float* uv = &texcoords[2 * (size_t)i];
        float x = look->scale[0] * uv[0];
        float y = look->scale[1] * uv[1];
        uv[0] = look->offset[0] + c * x + s * y;
        uv[1] = look->offset[1] - s * x + c * y;
    }
}

void gti_looks_pose(GtiLooks* looks, const GtInstance* instance)
{
    for (int32_t i = 0; i < looks->def->mesh_count; ++i) {
        float* texcoords = looks->texcoords[i];
        float* colors = looks->colors[i] ? looks->pose_colors : NULL;
        const GtMeshDef* mesh = &looks->def->meshes[i];
        float* moved = looks->slides[i] ? texcoords : NULL;
        if (moved || colors) {
            gt_instance_deform_looks(instance, i, looks->second[i] ? NULL : moved, looks->second[i] ? moved : NULL,
                                     colors);
        }
        if (texcoords && !moved) {
            memcpy(texcoords, gti_looks_texcoords(looks, i), (size_t)mesh->vertex_count * 2 * sizeof *texcoords);
        }
        if (texcoords) {
            place_texcoords(&looks->materials[mesh->material], texcoords, mesh->vertex_count);
        }
        if (colors) {
            gti_looks_bytes(colors, mesh->vertex_count, looks->colors[i]);
        }
    }
}

void gti_looks_upload(const GtiLooks* looks, GtiGl* gl, GtiMesh* meshes)
{
    for (int32_t i = 0; i < looks->def->mesh_count; ++i) {
        if (looks->texcoords[i]) {
            gti_mesh_paint(gl, &meshes[i], looks->texcoords[i]);
        }
        if (looks->colors[i]) {
            gti_mesh_tint(gl, &meshes[i], looks->colors[i]);
        }
    }
}
