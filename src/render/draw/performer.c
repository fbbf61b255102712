// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/performer.h"

#include "gertie/accessor.h"
#include "gertie/build.h"

#include "base/fail.h"

#include <math.h>
#include <string.h>

const GtCharacterDef* gti_performer_def(const GtiPerformer* performer)
{
    return gt_character_def(performer->character);
}

// When the motion begins: at the second key where the first is a T-pose.
static double find_start(const GtScene* scene, int32_t animation, bool keep_tpose, const GtClip* clip)
{
    const GtAnimation* a = &scene->animations[animation];
    for (int32_t i = 0; a->tpose_first && !keep_tpose && i < a->sampler_count; ++i) {
        if (scene->accessors[a->samplers[i].input].count > 1) {
            float second_s = 0.0f;
            gt_accessor_read_floats(scene, a->samplers[i].input, 1, 1, &second_s);
            return (double)second_s;
        }
    }
    return gt_clip_start_s(clip);
}

static GtResult open_vertices(GtArena* arena, GtiPerformer* p, GtError* error)
{
    const GtCharacterDef* def = gti_performer_def(p);
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
    p->materials = gt_arena_push_array(arena, (size_t)p->scene->material_count, sizeof *p->materials);
    for (int32_t i = 0; p->materials && i < p->scene->material_count; ++i) {
        p->materials[i] = gt_material_look(context, p->scene, i);
    }
    return p->materials ? GT_OK : gti_out_of_memory(error);
}

GtResult gti_performer_create(const GtContext* context, GtArena* arena, const GtActorDef* def, GtiPerformer* out,
                              GtError* error)
{
    memset(out, 0, sizeof *out);
    const GtScene* scene = def->scene;
    out->scene = scene;
    out->mirrored = def->mirrored;
    GtBuildDef build = gt_default_build_def();
    build.stage = scene->default_stage;
    build.force_skin_method = def->force_skin_method;
    build.skin_method = def->skin_method;
    GtResult result = gt_sculpt_actor_build(context, scene, &build, &out->sculpt, &out->character, error);
    if (result == GT_OK && def->animation != GT_NONE) {
        result = gt_clip_build(context, scene, def->animation, out->character, &out->clip, error);
    }
    if (result == GT_OK && out->clip) {
        out->start_s = find_start(scene, def->animation, def->keep_tpose, out->clip);
    }
    if (result == GT_OK) {
        result = gt_sculpt_actor_play(context, scene, out->character, out->clip, def->animation, out->start_s,
                                      &out->sculpt, error);
    }
    if (result == GT_OK) {
        result = gt_instance_create(context->allocator, out->character, &out->instance, error);
    }
    if (result == GT_OK) {
        result = open_materials(context, arena, out, error);
    }
    return result == GT_OK ? open_vertices(arena, out, error) : result;
}

void gti_performer_destroy(GtAllocator allocator, GtiPerformer* performer)
{
    gt_instance_destroy(allocator, performer->instance);
    gt_sculpt_actor_close(&performer->sculpt);
    gt_clip_destroy(performer->clip);
    gt_character_destroy(performer->character);
    memset(performer, 0, sizeof *performer);
}

void gti_performer_pose_joints(GtiPerformer* p, double time_s)
{
    p->is_posed = false;
    if (p->sculpt.player) {
        gt_sculpt_play_looks(p->sculpt.player, p->clip ? fmax(time_s, p->start_s) : time_s, p->instance, p->materials);
        return;
    }
    gt_instance_reset(p->instance);
    if (p->clip) {
        gt_clip_sample(p->clip, fmax(time_s, p->start_s), p->instance->pose, p->instance->weights);
    }
    gt_instance_update(p->instance);
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
    const GtCharacterDef* def = gti_performer_def(p);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gt_instance_deform(p->instance, i, p->positions[i], def->meshes[i].normals ? p->normals[i] : NULL, NULL);
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
    return !p->clip || (time_s >= p->start_s - 1e-9 && time_s <= gt_clip_end_s(p->clip) + 1e-9);
}
