// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "render/draw/texture.h"

#include "gertie/image.h"

#include "base/fail.h"
#include "render/picture/decode.h"

#include <stdio.h>

static GLint or_default(int32_t value, GLint standard)
{
    return value ? value : standard;
}

static GLuint upload(GtiGl* gl, const GtScene* scene, const GtTexture* texture, const GtiPixels* pixels)
{
    static const GtSampler standard = { 0 };
    const GtSampler* sampler = texture->sampler == GT_NONE ? &standard : &scene->samplers[texture->sampler];
    GLuint id = 0;
    gl->GenTextures(1, &id);
    gl->BindTexture(GL_TEXTURE_2D, id);
    gl->PixelStorei(GL_UNPACK_ALIGNMENT, 4);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, pixels->width, pixels->height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   pixels->rgba);
    gl->GenerateMipmap(GL_TEXTURE_2D);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, or_default(sampler->min_filter, GL_LINEAR_MIPMAP_LINEAR));
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, or_default(sampler->mag_filter, GL_LINEAR));
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, or_default(sampler->wrap_s, GL_REPEAT));
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, or_default(sampler->wrap_t, GL_REPEAT));
    return id;
}

GtResult gti_texture_create(const GtContext* context, GtiGl* gl, const GtScene* scene, int32_t texture, GLuint* out,
                            GtError* error)
{
    const GtTexture* t = &scene->textures[texture];
    GtAllocator allocator = context->allocator;
    *out = 0;
    if (t->image == GT_NONE) {
        return GT_OK;
    }
    GtError problem;
    GtBlob* blob = NULL;
    GtiPixels pixels = { 0 };
    GtResult result = gt_image_read(context, scene, t->image, &blob, &problem);
    if (result == GT_OK) {
        result = gti_decode_image(allocator, gt_blob_bytes(blob), gt_blob_size(blob), &pixels, &problem);
        gt_blob_release(blob);
    }
    if (result == GT_ERROR_OUT_OF_MEMORY) {
        return gti_out_of_memory(error);
    }
    if (result != GT_OK) {
        char where[32];
        snprintf(where, sizeof where, "images[%d]", (int)t->image);
        gti_warn(context, scene->source.file, where, "%s; its surfaces are drawn without it", problem.message);
        return GT_OK;
    }
    *out = upload(gl, scene, t, &pixels);
    allocator.release(allocator.user, pixels.rgba);
    return GT_OK;
}
