// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/actor.h"

#include "gertie/accessor.h"
#include "gertie/build.h"

#include "base/fail.h"
#include "render/bones.h"
#include "render/texture.h"

#include <math.h>
#include <string.h>

// Neutral clay, for meshes without a material.
static const float clay[4] = { 0.46f, 0.43f, 0.40f, 1.0f };

// Edges drawn over the skin.
static const float ink[4] = { 0.03f, 0.05f, 0.09f, 0.55f };

// How much of the skin is left where bones are to be seen through it.
static const float skin_over_bones = 0.35f;

// When the motion begins: at the second key where the first is a T-pose.
static double find_start(const GtActorDef* def, const GtClip* clip)
{
    const GtScene* scene = def->scene;
    const GtAnimation* a = &scene->animations[def->animation];
    for (int32_t i = 0; a->tpose_first && !def->keep_tpose && i < a->sampler_count; ++i) {
        if (scene->accessors[a->samplers[i].input].count > 1) {
            float second_s = 0.0f;
            gt_accessor_read_floats(scene, a->samplers[i].input, 1, 1, &second_s);
            return (double)second_s;
        }
    }
    return gt_clip_start_s(clip);
}

static GtResult open_character(const GtContext* context, GtiActor* a, GtError* error)
{
    GtBuildDef build = gt_default_build_def();
    const GtScene* scene = a->def.scene;
    build.stage = scene->default_stage;
    GtResult result = gt_character_build(context, scene, &build, &a->character, NULL, error);
    if (result == GT_OK && a->def.animation != GT_NONE) {
        result = gt_clip_build(context, scene, a->def.animation, a->character, &a->clip, error);
    }
    if (a->clip) {
        a->start_s = find_start(&a->def, a->clip);
    }
    return result == GT_OK ? gt_instance_create(context->allocator, a->character, &a->instance, error) : result;
}

// A vertex attribute of a primitive in the shape the graphics card gets, or NULL.
static void* read_attribute(GtiActor* a, const GtMeshDef* mesh, const char* name, int32_t components)
{
    const GtScene* scene = a->def.scene;
    const GtPrimitive* primitive = &scene->meshes[mesh->source_mesh].primitives[mesh->source_primitive];
    int32_t accessor = gt_primitive_find(primitive, name);
    if (accessor == GT_NONE || scene->accessors[accessor].count != (uint64_t)mesh->vertex_count) {
        return NULL;
    }
    int32_t given = gt_element_components(scene->accessors[accessor].element_type);
    size_t count = (size_t)mesh->vertex_count;
    float* raw = gt_arena_push_array(&a->arena, count * (size_t)given, sizeof *raw);
    float* out = gt_arena_push_array(&a->arena, count * (size_t)components, sizeof *out);
    if (!raw || !out) {
        return NULL;
    }
    gt_accessor_read_floats(scene, accessor, 0, (uint64_t)mesh->vertex_count, raw);
    for (size_t i = 0; i < count; ++i) {
        for (int32_t k = 0; k < components; ++k) {
            out[i * (size_t)components + (size_t)k] = k < given ? raw[i * (size_t)given + (size_t)k] : 1.0f;
        }
    }
    return out;
}

static uint8_t* read_colors(GtiActor* a, const GtMeshDef* mesh)
{
    const float* colors = read_attribute(a, mesh, "COLOR_0", 4);
    uint8_t* bytes = colors ? gt_arena_push(&a->arena, (size_t)mesh->vertex_count * 4) : NULL;
    for (size_t i = 0; bytes && i < (size_t)mesh->vertex_count * 4; ++i) {
        bytes[i] = (uint8_t)(fminf(fmaxf(colors[i], 0.0f), 1.0f) * 255.0f + 0.5f);
    }
    return bytes;
}

static void choose_look(const GtiActor* a, const GtMeshDef* mesh, bool has_colors, GtiSurface* surface)
{
    const GtScene* scene = a->def.scene;
    memcpy(surface->base_color, clay, sizeof clay);
    surface->offset = a->def.offset;
    float opacity = a->def.opacity * (a->def.bones ? skin_over_bones : 1.0f);
    surface->look = opacity < 1.0f ? GTI_LOOK_GLASS : GTI_LOOK_LIT;
    if (has_colors || mesh->material != GT_NONE) {
        const GtMaterial none = gt_default_material();
        const GtMaterial* material = mesh->material == GT_NONE ? &none : &scene->materials[mesh->material];
        memcpy(surface->base_color, material->base_color, sizeof surface->base_color);
        surface->alpha_cutoff = material->alpha_mode == GT_ALPHA_MASK ? material->alpha_cutoff : 0.0f;
        surface->blend = material->alpha_mode == GT_ALPHA_BLEND;
        surface->double_sided = material->double_sided;
        if (!surface->blend) {
            surface->base_color[3] = 1.0f;
        }
    }
    surface->base_color[3] *= opacity;
}

// The base-colour texture of a surface's material; each is opened once.
static GtResult open_texture(const GtContext* context, GtiActor* a, GtiGl* gl, int32_t material, GtiSurface* surface,
                             GtError* error)
{
    const GtScene* scene = a->def.scene;
    int32_t texture = material == GT_NONE ? GT_NONE : scene->materials[material].base_color_texture.texture;
    if (texture == GT_NONE) {
        return GT_OK;
    }
    GtResult result = GT_OK;
    if (!a->textures[texture]) {
        result = gti_texture_create(context, gl, scene, texture, &a->textures[texture], error);
    }
    surface->texture = a->textures[texture];
    return result;
}

static GtResult open_mesh(const GtContext* context, GtiActor* a, GtiGl* gl, int32_t index, GtError* error)
{
    const GtMeshDef* mesh = &gt_character_def(a->character)->meshes[index];
    size_t count = (size_t)mesh->vertex_count;
    a->positions[index] = gt_arena_push_array(&a->arena, count, sizeof(GtVec3));
    a->normals[index] = gt_arena_push_array(&a->arena, count, sizeof(GtVec3));
    a->light[index] = gt_arena_push_array(&a->arena, count, 2 * sizeof(uint8_t));
    if (!a->positions[index] || !a->normals[index] || !a->light[index]) {
        return gti_out_of_memory(error);
    }
    GtArenaMark mark = gt_arena_mark(&a->arena);
    GtiMeshData data = {
        .vertex_count = mesh->vertex_count,
        .index_count = mesh->index_count,
        .positions = mesh->positions,
        .normals = mesh->normals,
        .colors = read_colors(a, mesh),
        .texcoords = read_attribute(a, mesh, "TEXCOORD_0", 2),
        .indices = mesh->indices,
    };
    a->meshes[index] = gti_mesh_create(gl);
    gti_mesh_upload(gl, &a->meshes[index], &data);
    gt_arena_reset(&a->arena, mark);
    GtiSurface* surface = &a->surfaces[a->surface_count++];
    *surface = (GtiSurface){ .mesh = &a->meshes[index] };
    choose_look(a, mesh, data.colors != NULL, surface);
    if (a->def.wire) {
        GtiSurface* edges = &a->surfaces[a->surface_count++];
        *edges = (GtiSurface){ .mesh = surface->mesh, .look = GTI_LOOK_WIRE, .offset = a->def.offset };
        memcpy(edges->base_color, ink, sizeof ink);
        edges->double_sided = surface->double_sided;
    }
    return open_texture(context, a, gl, mesh->material, surface, error);
}

static GtResult open_bones(GtiActor* a, GtiGl* gl, GtError* error)
{
    a->bones = gti_mesh_create(gl);
    a->figure = gt_arena_push_array(&a->arena, 1, sizeof *a->figure);
    gt_instance_update(a->instance);
    if (!a->figure ||
        !gti_bones_create(&a->arena, gt_character_def(a->character), a->instance->model_from_node, a->figure)) {
        return gti_out_of_memory(error);
    }
    GtiMeshData data = {
        .vertex_count = a->figure->vertex_count,
        .index_count = a->figure->index_count,
        .positions = a->figure->positions,
        .normals = a->figure->normals,
        .colors = a->figure->colors,
        .indices = a->figure->indices,
    };
    gti_mesh_upload(gl, &a->bones, &data);
    GtiSurface* surface = &a->surfaces[a->surface_count++];
    *surface = (GtiSurface){ .mesh = &a->bones, .offset = a->def.offset, .base_color = { 1.0f, 1.0f, 1.0f, 1.0f } };
    return GT_OK;
}

static GtResult open_actor(const GtContext* context, GtiGl* gl, GtiActor* a, GtError* error)
{
    GtResult result = open_character(context, a, error);
    if (result != GT_OK) {
        return result;
    }
    const GtCharacterDef* def = gt_character_def(a->character);
    size_t count = (size_t)def->mesh_count;
    a->meshes = gt_arena_push_array(&a->arena, count, sizeof *a->meshes);
    a->positions = gt_arena_push_array(&a->arena, count, sizeof *a->positions);
    a->normals = gt_arena_push_array(&a->arena, count, sizeof *a->normals);
    a->light = gt_arena_push_array(&a->arena, count, sizeof *a->light);
    a->ambient_meshes = gt_arena_push_array(&a->arena, count, sizeof *a->ambient_meshes);
    a->surfaces = gt_arena_push_array(&a->arena, 2 * count + 1, sizeof *a->surfaces);
    a->textures = gt_arena_push_array(&a->arena, (size_t)a->def.scene->texture_count, sizeof *a->textures);
    if (!a->meshes || !a->positions || !a->normals || !a->light || !a->ambient_meshes || !a->surfaces || !a->textures) {
        return gti_out_of_memory(error);
    }
    for (int32_t i = 0; i < def->mesh_count && result == GT_OK; ++i) {
        result = open_mesh(context, a, gl, i, error);
    }
    if (result == GT_OK && (def->mesh_count == 0 || a->def.bones)) {
        result = open_bones(a, gl, error);
    }
    return result;
}

GtActorDef gt_default_actor_def(void)
{
    return (GtActorDef){ .animation = GT_NONE, .opacity = 1.0f };
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
        gti_actor_destroy(context->allocator, gl, out);
    }
    return result;
}

void gti_actor_destroy(GtAllocator allocator, GtiGl* gl, GtiActor* actor)
{
    for (int32_t i = 0; actor->meshes && i < gt_character_def(actor->character)->mesh_count; ++i) {
        gti_mesh_destroy(gl, &actor->meshes[i]);
    }
    for (int32_t i = 0; actor->textures && i < actor->def.scene->texture_count; ++i) {
        gl->DeleteTextures(1, &actor->textures[i]);
    }
    gti_mesh_destroy(gl, &actor->bones);
    gt_instance_destroy(allocator, actor->instance);
    gt_clip_destroy(actor->clip);
    gt_character_destroy(actor->character);
    gt_arena_destroy(&actor->arena);
    memset(actor, 0, sizeof *actor);
}

void gti_actor_pose(GtiActor* actor, double time_s)
{
    GtInstance* instance = actor->instance;
    if (actor->is_posed && actor->posed_s == time_s) {
        return;
    }
    actor->posed_s = time_s;
    actor->is_posed = true;
    gt_instance_reset(instance);
    if (actor->clip) {
        gt_clip_sample(actor->clip, fmax(time_s, actor->start_s), instance->pose, instance->weights);
    }
    gt_instance_update(instance);
    const GtCharacterDef* def = gt_character_def(actor->character);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gt_instance_deform(instance, i, actor->positions[i], def->meshes[i].normals ? actor->normals[i] : NULL, NULL);
    }
    if (actor->figure) {
        gti_bones_pose(actor->figure, def, instance->model_from_node);
    }
}

// Points that are no numbers do not count.
static void grow(GtBounds* bounds, const GtVec3* points, int32_t count, GtVec3 offset)
{
    GtVec3 low = gt_vec3_sub(bounds->low, offset);
    GtVec3 high = gt_vec3_sub(bounds->high, offset);
    for (int32_t i = 0; i < count; ++i) {
        GtVec3 p = points[i];
        low = gt_vec3(p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y, p.z < low.z ? p.z : low.z);
        high = gt_vec3(p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y, p.z > high.z ? p.z : high.z);
    }
    bounds->low = gt_vec3_add(low, offset);
    bounds->high = gt_vec3_add(high, offset);
}

static GtBounds mesh_bounds(const GtiActor* actor)
{
    const GtCharacterDef* def = gt_character_def(actor->character);
    GtBounds bounds = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        grow(&bounds, actor->positions[i], def->meshes[i].vertex_count, gt_vec3(0.0f, 0.0f, 0.0f));
    }
    return bounds;
}

void gti_actor_shade(const GtiActor* actor, GtiShadow* shadow)
{
    const GtCharacterDef* def = gt_character_def(actor->character);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        gti_shadow_add(shadow, actor->positions[i], def->meshes[i].indices, def->meshes[i].index_count,
                       actor->def.offset);
    }
    if (actor->figure && def->mesh_count == 0) {
        gti_shadow_add(shadow, actor->figure->positions, actor->figure->indices, actor->figure->index_count,
                       actor->def.offset);
    }
}

void gti_actor_light(GtiActor* actor, const GtiShadow* shadow, float floor_y)
{
    const GtCharacterDef* def = gt_character_def(actor->character);
    if (!actor->ambient || def->mesh_count == 0) {
        return;
    }
    GtBounds box = mesh_bounds(actor);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        const GtMeshDef* mesh = &def->meshes[i];
        actor->ambient_meshes[i] = (GtiAmbientMesh){
            .vertex_count = mesh->vertex_count,
            .index_count = mesh->index_count,
            .positions = actor->positions[i],
            .normals = mesh->normals ? actor->normals[i] : NULL,
            .own_normals = actor->normals[i],
            .indices = mesh->indices,
            .open = actor->light[i],
        };
    }
    gti_ambient_compute(actor->ambient, actor->ambient_meshes, def->mesh_count, &box, floor_y - actor->def.offset.y);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        for (int32_t k = 0; k < def->meshes[i].vertex_count; ++k) {
            GtVec3 point = gt_vec3_add(actor->positions[i][k], actor->def.offset);
            float light = gti_shadow_light(shadow, point, actor->normals[i][k]);
            actor->light[i][2 * k + 1] = (uint8_t)(255.0f * light + 0.5f);
        }
    }
}

void gti_actor_upload(GtiActor* actor, GtiGl* gl)
{
    for (int32_t i = 0; i < gt_character_def(actor->character)->mesh_count; ++i) {
        gti_mesh_move(gl, &actor->meshes[i], actor->positions[i], actor->normals[i],
                      actor->ambient ? actor->light[i] : NULL);
    }
    if (actor->figure) {
        gti_mesh_move(gl, &actor->bones, actor->figure->positions, actor->figure->normals, NULL);
    }
}

void gti_actor_bounds(const GtiActor* actor, GtBounds* bounds)
{
    const GtCharacterDef* def = gt_character_def(actor->character);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        grow(bounds, actor->positions[i], def->meshes[i].vertex_count, actor->def.offset);
    }
    if (actor->figure) {
        grow(bounds, actor->figure->positions, actor->figure->vertex_count, actor->def.offset);
    }
}

GtReach gti_actor_reach(const GtiActor* actor, const GtLens* lens)
{
    const GtCharacterDef* def = gt_character_def(actor->character);
    GtReach reach = gt_reach_of(lens, NULL, 0);
    for (int32_t i = 0; i < def->mesh_count; ++i) {
        reach = gt_reach_unite(reach, gt_reach_of(lens, actor->positions[i], def->meshes[i].vertex_count));
    }
    if (actor->figure) {
        reach = gt_reach_unite(reach, gt_reach_of(lens, actor->figure->positions, actor->figure->vertex_count));
    }
    return gt_reach_move(reach, lens, actor->def.offset);
}
