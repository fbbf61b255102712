// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/actor.h"

#include "base/bounds.h"
#include "base/fail.h"
#include "render/draw/repeats.h"
#include "render/draw/texture.h"

#include <math.h>
#include <string.h>

// Neutral clay, for meshes without a material.
static const float clay[4] = { 0.46f, 0.43f, 0.40f, 1.0f };

// Edges drawn over the skin.
static const float ink[4] = { 0.03f, 0.05f, 0.09f, 0.55f };

// How much of the skin is left where bones are to be seen through it.
static const float skin_over_bones = 0.35f;

static uint8_t* read_colors(GtiActor* a, const GtMeshDef* mesh)
{
    uint8_t* bytes = mesh->colors ? gt_arena_push(&a->arena, (size_t)mesh->vertex_count * 4) : NULL;
    if (bytes) {
        gti_looks_bytes(mesh->colors, mesh->vertex_count, bytes);
    }
    return bytes;
}

// The colour of a material in the pose.
static void choose_color(const GtiActor* a, const float color[4], GtiSurface* surface)
{
    float opacity = a->def.opacity * (a->def.bones ? skin_over_bones : 1.0f);
    memcpy(surface->base_color, color, 3 * sizeof *color);
    surface->base_color[3] = (surface->blend ? color[3] : 1.0f) * opacity;
}

static void choose_look(const GtiActor* a, const GtMeshDef* mesh, bool has_colors, GtiSurface* surface)
{
    const GtActorDef* def = &a->def;
    const float* color = clay;
    const GtMaterial none = gt_default_material();
    surface->offset = def->offset;
    float opacity = def->opacity * (def->bones ? skin_over_bones : 1.0f);
    surface->look = opacity < 1.0f ? GTI_LOOK_GLASS : def->paint != GT_PAINT_NONE ? GTI_LOOK_PAINT : GTI_LOOK_LIT;
    if (has_colors || mesh->material != GT_NONE) {
        const GtMaterial* material = mesh->material == GT_NONE ? &none : &def->scene->materials[mesh->material];
        color = material->base_color;
        surface->alpha_cutoff = material->alpha_mode == GT_ALPHA_MASK ? material->alpha_cutoff : 0.0f;
        surface->blend = material->alpha_mode == GT_ALPHA_BLEND && def->paint == GT_PAINT_NONE;
        surface->double_sided = material->double_sided;
    }
    if (mesh->material != GT_NONE && !def->has_tint && def->paint == GT_PAINT_NONE) {
        surface->color = a->performer.materials[mesh->material].color;
    }
    surface->mirrored = def->mirrored;
    choose_color(a, color, surface);
    if (def->has_tint) {
        memcpy(surface->base_color, def->tint, 3 * sizeof(float));
    }
}

// The base-colour texture of a surface's material; each is opened once. Clay where it cannot be shown.
static GtResult open_texture(const GtContext* context, GtiActor* a, GtiGl* gl, int32_t material, GtiSurface* surface,
                             GtError* error)
{
    const GtScene* scene = a->def.scene;
    int32_t texture = material == GT_NONE ? GT_NONE : scene->materials[material].base_color_texture.texture;
    if (texture == GT_NONE || a->def.has_tint) {
        return GT_OK;
    }
    GtResult result = GT_OK;
    if (!a->textures[texture]) {
        result = gti_texture_create(context, gl, scene, texture, &a->textures[texture], error);
    }
    surface->texture = a->textures[texture];
    if (!surface->texture && !surface->mesh->has_colors) {
        memcpy(surface->base_color, clay, 3 * sizeof(float));
        surface->color = NULL;
    }
    return result;
}

static GtResult open_surfaces(const GtContext* context, GtiActor* a, GtiGl* gl, const GtMeshDef* mesh,
                              const GtiMesh* drawn, GtError* error)
{
    GtiSurface* surface = &a->surfaces[a->surface_count++];
    *surface = (GtiSurface){ .mesh = drawn };
    choose_look(a, mesh, drawn->has_colors, surface);
    if (a->def.wire) {
        GtiSurface* edges = &a->surfaces[a->surface_count++];
        *edges = (GtiSurface){ .mesh = drawn, .look = GTI_LOOK_WIRE, .offset = a->def.offset };
        memcpy(edges->base_color, ink, sizeof ink);
        edges->double_sided = surface->double_sided;
        edges->mirrored = surface->mirrored;
    }
    if (a->def.paint != GT_PAINT_NONE) {
        surface->texture = a->paint.map;
        surface->alpha_cutoff = 0.0f;
        return GT_OK;
    }
    return open_texture(context, a, gl, mesh->material, surface, error);
}

static GtResult open_mesh(const GtContext* context, GtiActor* a, GtiGl* gl, int32_t index, GtError* error)
{
    const GtMeshDef* mesh = &a->performer.figure.def->meshes[index];
    a->light[index] = gt_arena_push_array(&a->arena, (size_t)mesh->vertex_count, 2 * sizeof(uint8_t));
    if (!a->light[index]) {
        return gti_out_of_memory(error);
    }
    GtArenaMark mark = gt_arena_mark(&a->arena);
    GtiMeshData data = {
        .vertex_count = mesh->vertex_count,
        .index_count = mesh->index_count,
        .positions = mesh->positions,
        .normals = mesh->normals,
        .colors = a->def.has_tint ? NULL : read_colors(a, mesh),
        .texcoords = gti_looks_texcoords(&a->looks, index),
        .indices = mesh->indices,
    };
    bool lacks_colors = mesh->colors && !a->def.has_tint && !data.colors;
    if (lacks_colors || !gti_drop_repeats(&a->arena, data.vertex_count, &data.indices, &data.index_count)) {
        return gti_out_of_memory(error);
    }
    a->meshes[index] = gti_mesh_create(gl);
    gti_mesh_upload(gl, &a->meshes[index], &data);
    gt_arena_reset(&a->arena, mark);
    bool is_dark = a->def.light_count > 0;
    return is_dark ? GT_OK : open_surfaces(context, a, gl, mesh, &a->meshes[index], error);
}

static GtResult open_actor(const GtContext* context, GtiGl* gl, GtiActor* a, GtError* error)
{
    const GtActorDef* d = &a->def;
    GtResult result = gti_performer_create(context, &a->arena, d, &a->performer, error);
    if (result == GT_OK && d->paint != GT_PAINT_NONE) {
        result = gti_paint_create(context, &a->arena, gl, d, &a->performer, &a->paint, error);
    }
    if (result == GT_OK && d->focus_count > 0) {
        result = gti_focus_create(&a->arena, d, &a->performer, &a->focus, error);
    }
    if (result == GT_OK) {
        result = gti_looks_create(&a->arena, d, &a->performer, &a->looks, error);
    }
    if (result != GT_OK) {
        return result;
    }
    const GtCharacterDef* def = a->performer.figure.def;
    size_t count = (size_t)def->mesh_count;
    size_t surfaces = 2 * count + (size_t)gti_overlay_surfaces(d);
    a->light = gt_arena_push_array(&a->arena, count, sizeof *a->light);
    a->ambient_meshes = gt_arena_push_array(&a->arena, count, sizeof *a->ambient_meshes);
    a->surfaces = gt_arena_push_array(&a->arena, surfaces, sizeof *a->surfaces);
    a->textures = gt_arena_push_array(&a->arena, (size_t)d->scene->texture_count, sizeof *a->textures);
    a->meshes = gt_arena_push_array(&a->arena, count, sizeof *a->meshes);
    if (!a->light || !a->ambient_meshes || !a->surfaces || !a->textures || !a->meshes) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->mesh_count && result == GT_OK; ++i) {
        result = open_mesh(context, a, gl, i, error);
    }
    return result == GT_OK ? gti_overlay_create(context, &a->arena, gl, d, &a->performer, &a->overlay, a->surfaces,
                                                &a->surface_count, error)
                           : result;
}

GtActorDef gt_default_actor_def(void)
{
    return (GtActorDef){
        .animation = GT_NONE,
        .opacity = 1.0f,
        .paint_joint = GT_NONE,
        .reference_animation = GT_NONE,
        .trail_from_s = (double)NAN,
        .trail_to_s = (double)NAN,
    };
}

GtResult gti_actor_create(const GtContext* context, GtiGl* gl, const GtActorDef* def, bool fine, GtiActor* out,
                          GtError* error)
{
    memset(out, 0, sizeof *out);
    out->def = *def;
    out->arena = gt_arena_create(context->allocator);
    GtResult result = open_actor(context, gl, out, error);
    if (result == GT_OK && fine) {
        out->ambient = gti_ambient_create(&out->arena);
        result = out->ambient ? GT_OK : gti_out_of_memory(error);
    }
    if (result != GT_OK) {
        gti_actor_destroy(gl, out);
    }
    return result;
}

void gti_actor_destroy(GtiGl* gl, GtiActor* actor)
{
    for (int32_t i = 0; actor->meshes && i < actor->performer.figure.def->mesh_count; ++i) {
        gti_mesh_destroy(gl, &actor->meshes[i]);
    }
    for (int32_t i = 0; actor->textures && i < actor->def.scene->texture_count; ++i) {
        gl->DeleteTextures(1, &actor->textures[i]);
    }
    gti_overlay_destroy(gl, &actor->overlay);
    gti_paint_destroy(gl, &actor->paint);
    gti_performer_destroy(&actor->performer);
    gt_arena_destroy(&actor->arena);
    memset(actor, 0, sizeof *actor);
}

void gti_actor_pose(GtiActor* a, double time_s)
{
    double own_s = time_s + a->def.time_shift_s;
    a->time_s = time_s;
    a->is_visible = a->def.time_shift_s == 0.0 || gti_performer_plays(&a->performer, own_s);
    if (gti_performer_pose(&a->performer, own_s)) {
        gti_looks_pose(&a->looks, a->performer.figure.instance);
        gti_overlay_pose(&a->overlay, &a->performer);
        if (a->def.paint != GT_PAINT_NONE) {
            gti_paint_pose(&a->paint, &a->performer, own_s);
        }
    }
}

// Points that are no numbers do not count.
static void grow(GtBounds* bounds, const GtVec3* points, int32_t count, GtVec3 offset)
{
    GtBounds own = { gt_vec3_sub(bounds->low, offset), gt_vec3_sub(bounds->high, offset) };
    for (int32_t i = 0; i < count; ++i) {
        gti_bounds_add(&own, points[i]);
    }
    *bounds = (GtBounds){ gt_vec3_add(own.low, offset), gt_vec3_add(own.high, offset) };
}

static void grow_by_meshes(const GtiActor* a, GtVec3 offset, GtBounds* bounds)
{
    const GtCharacterDef* def = a->performer.figure.def;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        grow(bounds, a->performer.positions[i], def->meshes[i].vertex_count, offset);
    }
}

// Bones alone make a figure where there is no mesh; lights are as much of it as is seen.
static const GtiPaintedShape* figure_of(const GtiActor* a)
{
    const GtiPaintedShape* bones = a->overlay.shapes[GTI_OVERLAY_BONES];
    return bones ? bones : a->overlay.shapes[GTI_OVERLAY_LIGHTS];
}

void gti_actor_shade(const GtiActor* a, GtiShadow* shadow)
{
    if (!a->is_visible || a->def.opacity < 1.0f || a->def.light_count > 0) {
        return;
    }
    const GtCharacterDef* def = a->performer.figure.def;
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gti_shadow_add(shadow, a->performer.positions[i], def->meshes[i].indices, def->meshes[i].index_count,
                       a->def.offset);
    }
    const GtiPaintedShape* figure = figure_of(a);
    if (figure && def->mesh_count == 0) {
        gti_shadow_add(shadow, figure->positions, figure->indices, figure->index_count, a->def.offset);
    }
}

void gti_actor_light(GtiActor* a, const GtiShadow* shadow, float floor_y)
{
    const GtCharacterDef* def = a->performer.figure.def;
    if (!a->is_visible || !a->ambient || def->mesh_count == 0 || a->def.light_count > 0) {
        return;
    }
    GtBounds box = gti_bounds_empty();
    grow_by_meshes(a, gt_vec3(0.0f, 0.0f, 0.0f), &box);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const GtMeshDef* mesh = &def->meshes[i];
        a->ambient_meshes[i] = (GtiAmbientMesh){
            .vertex_count = mesh->vertex_count,
            .index_count = mesh->index_count,
            .positions = a->performer.positions[i],
            .normals = mesh->normals ? a->performer.normals[i] : NULL,
            .own_normals = a->performer.normals[i],
            .indices = mesh->indices,
            .open = a->light[i],
        };
    }
    gti_ambient_compute(a->ambient, a->ambient_meshes, def->mesh_count, &box, floor_y - a->def.offset.y);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        for (int32_t k = 0; k < def->meshes[i].vertex_count; ++k) {
            GtVec3 point = gt_vec3_add(a->performer.positions[i][k], a->def.offset);
            float light = gti_shadow_light(shadow, point, a->performer.normals[i][k]);
            a->light[i][2 * k + 1] = (uint8_t)(255.0f * light + 0.5f);
        }
    }
}

void gti_actor_upload(GtiActor* a, GtiGl* gl, float low, float high)
{
    for (int32_t i = 0; i < a->surface_count; ++i) {
        a->surfaces[i].is_hidden = !a->is_visible;
        if (a->surfaces[i].color) {
            choose_color(a, a->surfaces[i].color, &a->surfaces[i]);
        }
    }
    if (!a->is_visible) {
        return;
    }
    const GtCharacterDef* def = a->performer.figure.def;
    if (a->def.paint != GT_PAINT_NONE) {
        gti_paint_place(&a->paint, def, low, high);
    }
    for (int32_t i = 0; i < def->mesh_count && a->def.light_count == 0; ++i) {
        gti_mesh_move(gl, &a->meshes[i], a->performer.positions[i], a->performer.normals[i],
                      a->ambient ? a->light[i] : NULL);
        if (a->def.paint != GT_PAINT_NONE) {
            gti_mesh_paint(gl, &a->meshes[i], a->paint.texcoords[i]);
        }
    }
    if (a->def.light_count == 0) {
        gti_looks_upload(&a->looks, gl, a->meshes);
    }
    gti_overlay_upload(&a->overlay, gl, a->time_s);
}

void gti_actor_bounds(const GtiActor* a, GtBounds* bounds)
{
    if (!a->is_visible) {
        return;
    }
    grow_by_meshes(a, a->def.offset, bounds);
    const GtiPaintedShape* figure = figure_of(a);
    if (figure) {
        grow(bounds, figure->positions, figure->vertex_count, a->def.offset);
    }
}

void gti_actor_extent(const GtiActor* a, const GtCameraView* camera, int32_t width, int32_t height, GtiExtent* extent)
{
    const GtCharacterDef* def = a->performer.figure.def;
    for (int32_t i = 0; a->is_visible && i < def->mesh_count; ++i) {
        gti_extent_grow(extent, camera, width, height, a->performer.positions[i], def->meshes[i].vertex_count,
                        a->def.offset);
    }
    for (int part = 0; a->is_visible && part < GTI_OVERLAY_PART_COUNT; ++part) {
        const GtiPaintedShape* shape = a->overlay.shapes[part];
        if (shape) {
            gti_extent_grow(extent, camera, width, height, shape->positions, shape->vertex_count, a->def.offset);
        }
    }
}

GtReach gti_actor_reach(const GtiActor* a, const GtLens* lens)
{
    const GtCharacterDef* def = a->performer.figure.def;
    GtReach reach = gt_reach_of(lens, NULL, 0);
    if (!a->is_visible) {
        return reach;
    }
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        reach = gt_reach_unite(reach, gt_reach_of(lens, a->performer.positions[i], def->meshes[i].vertex_count));
    }
    const GtiPaintedShape* figure = figure_of(a);
    if (figure) {
        reach = gt_reach_unite(reach, gt_reach_of(lens, figure->positions, figure->vertex_count));
    }
    return gt_reach_move(reach, lens, a->def.offset);
}

GtReach gti_actor_overlay_reach(const GtiActor* a, const GtLens* lens)
{
    GtReach reach = gt_reach_of(lens, NULL, 0);
    for (int part = 0; a->is_visible && part < GTI_OVERLAY_PART_COUNT; ++part) {
        const GtiPaintedShape* shape = a->overlay.shapes[part];
        if (shape) {
            reach = gt_reach_unite(reach, gt_reach_of(lens, shape->positions, shape->vertex_count));
        }
    }
    return gt_reach_move(reach, lens, a->def.offset);
}
