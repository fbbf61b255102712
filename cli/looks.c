// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "looks.h"

#include "fail.h"

#include "gertie/image.h"

enum {
    REPEAT = 10497 // OpenGL's code
};

static GtPackTexture take_texture(const GtScene* scene, const GtTextureRef* ref)
{
    const GtTexture* texture = ref->texture == GT_NONE ? NULL : &scene->textures[ref->texture];
    const GtSampler* sampler = texture && texture->sampler != GT_NONE ? &scene->samplers[texture->sampler] : NULL;
    return (GtPackTexture){
        .image = texture ? texture->image : GT_NONE,
        .texcoord = texture ? ref->texcoord : 0,
        .scale = texture ? ref->scale : 1.0f,
        .wrap_s = sampler && sampler->wrap_s ? sampler->wrap_s : REPEAT,
        .wrap_t = sampler && sampler->wrap_t ? sampler->wrap_t : REPEAT,
    };
}

static GtPackMaterial take_material(const GtScene* scene, const GtMaterial* m)
{
    static const GtPackAlpha alphas[] = { [GT_ALPHA_OPAQUE] = GT_PACK_ALPHA_OPAQUE,
                                          [GT_ALPHA_MASK] = GT_PACK_ALPHA_MASK,
                                          [GT_ALPHA_BLEND] = GT_PACK_ALPHA_BLEND };
    return (GtPackMaterial){
        .name = m->name,
        .base_color = { m->base_color[0], m->base_color[1], m->base_color[2], m->base_color[3] },
        .metallic = m->metallic,
        .roughness = m->roughness,
        .emissive = { m->emissive[0], m->emissive[1], m->emissive[2] },
        .alpha_cutoff = m->alpha_cutoff,
        .alpha = alphas[m->alpha_mode],
        .base_color_texture = take_texture(scene, &m->base_color_texture),
        .metallic_roughness_texture = take_texture(scene, &m->metallic_roughness_texture),
        .normal_texture = take_texture(scene, &m->normal_texture),
        .occlusion_texture = take_texture(scene, &m->occlusion_texture),
        .emissive_texture = take_texture(scene, &m->emissive_texture),
        .double_sided = m->double_sided,
    };
}

static void read_image(Session* session, const GtScene* scene, const char* file, int32_t index, Looks* out)
{
    GtError error = { 0 };
    GtPackImage* image = &out->images[index];
    *image = (GtPackImage){ .name = scene->images[index].name, .mime_type = scene->images[index].mime_type };
    if (gt_image_read(&session->context, scene, index, &out->blobs[index], &error) != GT_OK) {
        session_warn(session, file, "picture %d is left out: %s", (int)index, error.message);
        return;
    }
    if (gt_blob_size(out->blobs[index]) > INT32_MAX) {
        session_warn(session, file, "picture %d is left out: it has more than 2 GB", (int)index);
        return;
    }
    image->bytes = gt_blob_bytes(out->blobs[index]);
    image->size = (int32_t)gt_blob_size(out->blobs[index]);
}

bool looks_read(Session* session, const GtScene* scene, const char* file, Looks* out)
{
    GtArena* arena = &session->arena;
    *out = (Looks){
        .materials = gt_arena_push_array(arena, (size_t)scene->material_count, sizeof *out->materials),
        .images = gt_arena_push_array(arena, (size_t)scene->image_count, sizeof *out->images),
        .blobs = gt_arena_push_array(arena, (size_t)scene->image_count, sizeof *out->blobs),
    };
    if (!out->materials || !out->images || !out->blobs) {
        GtError error = { 0 };
        fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
        return session_fail(session, &error);
    }
    for (; out->material_count < scene->material_count; ++out->material_count) {
        out->materials[out->material_count] = take_material(scene, &scene->materials[out->material_count]);
    }
    for (; out->image_count < scene->image_count; ++out->image_count) {
        read_image(session, scene, file, out->image_count, out);
    }
    return true;
}

void looks_release(Looks* looks)
{
    for (int32_t i = 0; i < looks->image_count; ++i) {
        gt_blob_release(looks->blobs[i]);
    }
}
