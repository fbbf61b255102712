// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/performer.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

static GtResult open_vertices(GtArena* arena, GtiPerformer* p, GtError* error)
{
    const GtCharacterDef* def = p->figure.def;
    size_t count = (size_t)def->mesh_count;
    p->positions = gt_arena_push_array(arena, count, sizeof *p->positions);
    p->normals = gt_arena_push_array(arena, count, sizeof *p->normals);
    bool ok = p->positions && p->normals;
    for (int32_t i = 0; ok && i < def->mesh_count; ++i) {
        size_t vertices = (size_t)def->meshes[i].vertex_count;
        p->positions[i] = gt_arena_push_array(arena, vertices, sizeof(GtVec3));
        p->normals[i] = gt_arena_push_array(arena, vertices, sizeof(GtVec3));
        ok = p->positions[i] && p->normals[i];
    }
    return ok ? GT_OK : gti_out_of_memory(error);
}

static GtResult open_materials(const GtContext* context, GtArena* arena, GtiPerformer* p, GtError* error)
{
    p->materials = gt_arena_push_array(arena, (size_t)p->figure.scene->material_count, sizeof *p->materials);
    for (int32_t i = 0; p->materials && i < p->figure.scene->material_count; ++i) {
        p->materials[i] = gt_material_look(context, p->figure.scene, i);
    }
    return p->materials ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_performer_create(const GtContext* context, GtArena* arena, const GtActorDef* def, GtiPerformer* out,
                              GtError* error)
{
    memset(out, 0, sizeof *out);
    out->mirrored = def->mirrored;
    GtFigureDef figure = gt_default_figure_def();
    figure.animation = def->animation;
    figure.without_map = !def->scene->deform;
    figure.keep_tpose = def->keep_tpose;
    figure.build.stage = def->scene->default_stage;
    figure.build.force_skin_method = def->force_skin_method;
    figure.build.skin_method = def->skin_method;
    GtResult result = gt_sculpt_figure_open(context, def->scene, &figure, &out->figure, error);
    if (result == GT_OK) {
        result = open_materials(context, arena, out, error);
    }
    return result == GT_OK ? open_vertices(arena, out, error) : result;
}

void gti_performer_destroy(GtiPerformer* performer)
{
    gt_figure_close(&performer->figure);
    memset(performer, 0, sizeof *performer);
}

void gti_performer_pose_joints(GtiPerformer* p, double time_s)
{
    p->is_posed = false;
    double at_s = p->figure.clip ? fmax(time_s, p->figure.start_s) : time_s;
    const GtSculptPlayer* player = gt_sculpt_figure_player(&p->figure);
    if (player) {
        gt_sculpt_play_looks(player, at_s, p->figure.instance, p->materials);
    } else {
        gt_figure_pose(&p->figure, at_s, p->figure.instance);
    }
}

static void mirror(GtVec3* vectors, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        vectors[i].x = -vectors[i].x;
    }
}

bool gti_performer_pose(GtiPerformer* p, double time_s)
{
    if (p->is_posed && p->posed_s == time_s) {
        return false;
    }
    gti_performer_pose_joints(p, time_s);
    const GtCharacterDef* def = p->figure.def;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gt_instance_deform(p->figure.instance, i, p->positions[i], def->meshes[i].normals ? p->normals[i] : NULL, NULL);
        if (p->mirrored) {
            mirror(p->positions[i], def->meshes[i].vertex_count);
            mirror(p->normals[i], def->meshes[i].vertex_count);
        }
    }
    p->posed_s = time_s;
    p->is_posed = true;
    return true;
}

bool gti_performer_plays(const GtiPerformer* p, double time_s)
{
    const GtFigure* f = &p->figure;
    return !f->clip || (time_s >= f->start_s - 1e-9 && time_s <= f->end_s + 1e-9);
}
