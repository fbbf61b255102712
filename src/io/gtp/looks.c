// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Materials of a pack. Each use of a picture becomes a texture of its own; a picture that was not there when the pack
// was made is left out.

#include "base/fail.h"
#include "io/gtp/reader.h"

#include <string.h>

static GtResult read_image(GtiGtpReading* r, const GtPackImage* source, int32_t* index)
{
    GtImage image = { 0 };
    if (source->size == 0) {
        return GT_OK;
    }
    GtResult result = gti_gtp_view(r, source->bytes, (uint64_t)source->size, &image.view);
    if (result == GT_OK &&
        !(gti_gtp_text(r, source->name, &image.name) && gti_gtp_text(r, source->mime_type, &image.mime_type))) {
        result = gti_out_of_memory(r->error);
    }
    return result == GT_OK ? gt_scene_add_image(r->scene, &image, index, r->error) : result;
}

static GtResult read_texture(GtiGtpReading* r, const int32_t* images, const GtPackTexture* source, GtTextureRef* out)
{
    GtSampler sampler = { .wrap_s = source->wrap_s, .wrap_t = source->wrap_t };
    GtTexture texture = { .image = source->image == GT_NONE ? GT_NONE : images[source->image] };
    *out = (GtTextureRef){ .texture = GT_NONE, .texcoord = source->texcoord, .scale = source->scale };
    if (texture.image == GT_NONE) {
        return GT_OK;
    }
    GtResult result = gt_scene_add_sampler(r->scene, &sampler, &texture.sampler, r->error);
    return result == GT_OK ? gt_scene_add_texture(r->scene, &texture, &out->texture, r->error) : result;
}

static GtResult read_material(GtiGtpReading* r, const int32_t* images, const GtPackMaterial* source)
{
    static const GtAlphaMode modes[GT_PACK_ALPHA_COUNT] = { [GT_PACK_ALPHA_OPAQUE] = GT_ALPHA_OPAQUE,
                                                            [GT_PACK_ALPHA_MASK] = GT_ALPHA_MASK,
                                                            [GT_PACK_ALPHA_BLEND] = GT_ALPHA_BLEND };
    GtMaterial m = gt_default_material();
    if (!gti_gtp_text(r, source->name, &m.name)) {
        return gti_out_of_memory(r->error);
    }
    m.has_pbr = true;
    memcpy(m.base_color, source->base_color, sizeof m.base_color);
    memcpy(m.emissive, source->emissive, sizeof m.emissive);
    m.metallic = source->metallic;
    m.roughness = source->roughness;
    m.alpha_mode = modes[source->alpha];
    m.alpha_cutoff = source->alpha_cutoff;
    m.double_sided = source->double_sided;
    GtTextureRef* const refs[] = { &m.base_color_texture, &m.metallic_roughness_texture, &m.normal_texture,
                                   &m.occlusion_texture, &m.emissive_texture };
    const GtPackTexture* const uses[] = { &source->base_color_texture, &source->metallic_roughness_texture,
                                          &source->normal_texture, &source->occlusion_texture,
                                          &source->emissive_texture };
    GtResult result = GT_OK;
    for (size_t i = 0; i < sizeof refs / sizeof *refs && result == GT_OK; ++i) {
        result = read_texture(r, images, uses[i], refs[i]);
    }
    return result == GT_OK ? gt_scene_add_material(r->scene, &m, NULL, r->error) : result;
}

GtResult gti_gtp_read_looks(GtiGtpReading* r)
{
    int32_t image_count = gt_pack_image_count(r->pack);
    int32_t* images = gt_arena_push_array(&r->arena, (size_t)image_count, sizeof *images);
    GtResult result = images ? GT_OK : gti_out_of_memory(r->error);
    for (int32_t i = 0; i < image_count && result == GT_OK; ++i) {
        images[i] = GT_NONE;
        result = read_image(r, gt_pack_image(r->pack, i), &images[i]);
    }
    for (int32_t i = 0; i < gt_pack_material_count(r->pack) && result == GT_OK; ++i) {
        result = read_material(r, images, gt_pack_material(r->pack, i));
    }
    return result;
}
