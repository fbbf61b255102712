// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The colour map is a texture: its first row has the colours of gt_color_map(), its second the grey of no number. So
// numbers, not colours, are mixed between vertices, and every colour that is seen is one of the legend's.

#include "render/picture/paint.h"

#include "gertie/picture.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

enum {
    MAP_SIZE = 256
};

static GLuint make_map(GtiGl* gl)
{
    uint8_t pixels[2 * MAP_SIZE][4];
    for (int i = 0; i < 2 * MAP_SIZE; ++i) {
        GtColor color = gt_color_map(i < MAP_SIZE ? (float)i / (MAP_SIZE - 1) : NAN);
        const uint8_t bytes[4] = { color.r, color.g, color.b, 255 };
        memcpy(pixels[i], bytes, sizeof bytes);
    }
    GLuint map = 0;
    gl->GenTextures(1, &map);
    gl->BindTexture(GL_TEXTURE_2D, map);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, MAP_SIZE, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return map;
}

static void weigh(const GtCharacterDef* def, const GtMeshDef* mesh, int32_t node, float* values)
{
    int32_t influences = mesh->skin == GT_NONE ? 0 : mesh->influence_count;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        values[i] = influences > 0 ? 0.0f : NAN;
        for (int32_t k = 0; k < influences; ++k) {
            size_t at = (size_t)i * (size_t)influences + (size_t)k;
            values[i] += def->skins[mesh->skin].joints[mesh->joints[at]] == node ? mesh->weights[at] : 0.0f;
        }
    }
}

static void count_influences(const GtMeshDef* mesh, float* values)
{
    int32_t influences = mesh->skin == GT_NONE ? 0 : mesh->influence_count;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        values[i] = influences > 0 ? 0.0f : NAN;
        for (int32_t k = 0; k < influences; ++k) {
            values[i] += mesh->weights[(size_t)i * (size_t)influences + (size_t)k] > 0.0f ? 1.0f : 0.0f;
        }
    }
}

static GtResult check_reference(const GtCharacterDef* def, const GtCharacterDef* reference, GtError* error)
{
    if (def->mesh_count != reference->mesh_count) {
        return gti_fail(error, GT_ERROR_BAD_VALUE,
                        "the reference has %d meshes and this has %d; only the same vertices can be compared",
                        (int)reference->mesh_count, (int)def->mesh_count);
    }
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        if (def->meshes[i].vertex_count != reference->meshes[i].vertex_count) {
            return gti_fail(error, GT_ERROR_BAD_VALUE,
                            "mesh %d has %d vertices in the reference and %d here; only the same vertices can be "
                            "compared",
                            (int)i, (int)reference->meshes[i].vertex_count, (int)def->meshes[i].vertex_count);
        }
    }
    return GT_OK;
}

static GtResult open_values(GtArena* arena, const GtCharacterDef* def, GtiPaint* p, GtError* error)
{
    p->values = gt_arena_push_array(arena, (size_t)def->mesh_count, sizeof *p->values);
    p->texcoords = gt_arena_push_array(arena, (size_t)def->mesh_count, sizeof *p->texcoords);
    bool ok = p->values && p->texcoords;
    for (int32_t i = 0; ok && i < def->mesh_count; ++i) {
        size_t count = (size_t)def->meshes[i].vertex_count;
        p->values[i] = gt_arena_push_array(arena, count, sizeof(float));
        p->texcoords[i] = gt_arena_push_array(arena, count, 2 * sizeof(float));
        ok = p->values[i] && p->texcoords[i];
    }
    return ok ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_paint_create(const GtContext* context, GtArena* arena, GtiGl* gl, const GtActorDef* def,
                          const GtiPerformer* performer, GtiPaint* out, GtError* error)
{
    const GtCharacterDef* character = performer->figure.def;
    memset(out, 0, sizeof *out);
    out->kind = def->paint;
    GtResult result = open_values(arena, character, out, error);
    if (result == GT_OK && def->paint == GT_PAINT_DISTANCE) {
        GtActorDef reference = gt_default_actor_def();
        reference.scene = def->reference;
        reference.animation = def->reference_animation;
        reference.keep_tpose = def->keep_tpose;
        result = gti_performer_create(context, arena, &reference, &out->reference, error);
        if (result == GT_OK) {
            result = check_reference(character, out->reference.figure.def, error);
        }
    }
    if (result != GT_OK) {
        return result;
    }
    out->map = make_map(gl);
    int32_t joint = gt_character_node_from_source(performer->figure.character, def->paint_joint);
    for (int32_t i = 0; i < character->mesh_count; ++i) {
        if (def->paint == GT_PAINT_WEIGHT) {
            weigh(character, &character->meshes[i], joint, out->values[i]);
        } else if (def->paint == GT_PAINT_INFLUENCES) {
            count_influences(&character->meshes[i], out->values[i]);
        }
    }
    return GT_OK;
}

void gti_paint_destroy(GtiGl* gl, GtiPaint* paint)
{
    gl->DeleteTextures(1, &paint->map);
    gti_performer_destroy(&paint->reference);
}

void gti_paint_pose(GtiPaint* p, const GtiPerformer* performer, double time_s)
{
    if (p->kind != GT_PAINT_DISTANCE) {
        return;
    }
    const GtCharacterDef* def = performer->figure.def;
    gti_performer_pose(&p->reference, time_s);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const GtVec3* here = performer->positions[i];
        const GtVec3* there = p->reference.positions[i];
        for (int32_t k = 0; k < def->meshes[i].vertex_count; ++k) {
            p->values[i][k] = gt_vec3_length(gt_vec3_sub(here[k], there[k]));
        }
    }
}

void gti_paint_place(GtiPaint* p, const GtCharacterDef* def, float low, float high)
{
    const float texel = 1.0f / MAP_SIZE;
    float scale = high > low ? 1.0f / (high - low) : 0.0f;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        for (int32_t k = 0; k < def->meshes[i].vertex_count; ++k) {
            float at = fminf(fmaxf((p->values[i][k] - low) * scale, 0.0f), 1.0f);
            bool is_number = !isnan(p->values[i][k]);
            p->texcoords[i][2 * k] = is_number ? 0.5f * texel + at * (1.0f - texel) : 0.5f;
            p->texcoords[i][2 * k + 1] = is_number ? 0.25f : 0.75f;
        }
    }
}

GtPaintValues gti_paint_values(const GtiPaint* p, const GtCharacterDef* def)
{
    GtPaintValues v = { .low = INFINITY, .high = -INFINITY };
    double sum = 0.0;
    double squares = 0.0;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        for (int32_t k = 0; k < def->meshes[i].vertex_count; ++k) {
            float value = p->values[i][k];
            if (!isnan(value)) {
                v.low = fminf(v.low, value);
                v.high = fmaxf(v.high, value);
                sum += (double)value;
                squares += (double)value * (double)value;
                ++v.count;
            }
        }
    }
    v.mean = v.count > 0 ? sum / (double)v.count : 0.0;
    v.root_mean_square = v.count > 0 ? sqrt(squares / (double)v.count) : 0.0;
    return v;
}
