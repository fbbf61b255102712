// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Validation of materials, textures, images and cameras: references only, since nothing is computed from the rest here.

#include "scene/validate.h"

#include "base/fail.h"

#include <math.h>

static GtResult check_texture_ref(const GtiValidation* v, const GtTextureRef* ref, int32_t material, const char* name)
{
    return gti_check_index(v, ref->texture, v->scene->texture_count, true, "textures",
                           gti_place("materials[#].@", material, 0, 0, name));
}

static GtResult check_material(const GtiValidation* v, int32_t i)
{
    const GtMaterial* material = &v->scene->materials[i];
    const struct {
        const GtTextureRef* ref;
        const char* name;
    } refs[] = {
        { &material->base_color_texture, "pbrMetallicRoughness.baseColorTexture" },
        { &material->metallic_roughness_texture, "pbrMetallicRoughness.metallicRoughnessTexture" },
        { &material->normal_texture, "normalTexture" },
        { &material->occlusion_texture, "occlusionTexture" },
        { &material->emissive_texture, "emissiveTexture" },
    };
    GtResult result = GT_OK;
    for (size_t r = 0; r < sizeof refs / sizeof refs[0] && result == GT_OK; ++r) {
        result = check_texture_ref(v, refs[r].ref, i, refs[r].name);
    }
    for (int c = 0; c < 4 && result == GT_OK; ++c) {
        if (!isfinite(material->base_color[c])) {
            result = gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("materials[#]", i, 0, 0, NULL),
                                 "has a base colour that is not finite");
        }
    }
    return result;
}

static GtResult check_camera(const GtiValidation* v, int32_t i)
{
    const GtCamera* camera = &v->scene->cameras[i];
    const float values[] = { camera->aspect_ratio, camera->fov_y_rad, camera->mag_x,
                             camera->mag_y,        camera->z_near,    camera->z_far };
    for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
        if (!isfinite(values[k])) {
            return gti_invalid(v, GT_ERROR_BAD_VALUE, gti_place("cameras[#]", i, 0, 0, NULL),
                               "has a value that is not finite");
        }
    }
    return GT_OK;
}

GtResult gti_validate_materials(const GtiValidation* v)
{
    const GtScene* scene = v->scene;
    GtResult result = GT_OK;
    for (int32_t i = 0; i < scene->image_count && result == GT_OK; ++i) {
        result = gti_check_index(v, scene->images[i].view, scene->buffer_view_count, true, "buffer views",
                                 gti_place("images[#].bufferView", i, 0, 0, NULL));
    }
    for (int32_t i = 0; i < scene->texture_count && result == GT_OK; ++i) {
        result = gti_check_index(v, scene->textures[i].sampler, scene->sampler_count, true, "samplers",
                                 gti_place("textures[#].sampler", i, 0, 0, NULL));
        if (result == GT_OK) {
            result = gti_check_index(v, scene->textures[i].image, scene->image_count, true, "images",
                                     gti_place("textures[#].source", i, 0, 0, NULL));
        }
    }
    for (int32_t i = 0; i < scene->material_count && result == GT_OK; ++i) {
        result = check_material(v, i);
    }
    for (int32_t i = 0; i < scene->camera_count && result == GT_OK; ++i) {
        result = check_camera(v, i);
    }
    return result;
}
