// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Materials as Phong, which every reader knows: base colour as diffuse, roughness as shininess, metal as reflection,
// alpha as transparency. Pictures are embedded, one Video for each image and one Texture for each use of it.

#include "io/fbx/write.h"

#include "base/fail.h"
#include "gertie/image.h"
#include "io/image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Names of a picture's file: its own, else of its image, with the ending that its bytes ask for.
static const char* push_file_name(GtiFbxWriter* writer, int32_t image, const GtBlob* blob)
{
    const GtImage* source = &writer->scene->images[image];
    bool is_file = source->uri && strncmp(source->uri, "data:", 5) != 0;
    const char* slash = is_file ? strrchr(source->uri, '/') : NULL;
    const char* name = is_file ? (slash ? slash + 1 : source->uri) : source->name;
    char otherwise[32], ending[16];
    snprintf(otherwise, sizeof otherwise, "image_%d", (int)image);
    const char* known = gti_image_ending(gt_blob_bytes(blob), gt_blob_size(blob));
    snprintf(ending, sizeof ending, ".%s", known ? known : "png");
    bool has_ending =
        name && strlen(name) > strlen(ending) && strcmp(name + strlen(name) - strlen(ending), ending) == 0;
    char* text = gti_fbx_out_name(writer, name, has_ending ? "" : ending, otherwise);
    for (char* p = text; p && *p; ++p) {
        *p = strchr("/\\:*?\"<>|", *p) ? '_' : *p;
    }
    return text;
}

static GtResult write_video(GtiFbxWriter* writer, int32_t image, int64_t* id, const char** file)
{
    GtBlob* blob = NULL;
    GtError reason = { 0 };
    GtResult result = gt_image_read(writer->context, writer->scene, image, &blob, &reason);
    if (result == GT_ERROR_OUT_OF_MEMORY) {
        return gti_out_of_memory(writer->error);
    }
    if (result != GT_OK) {
        return gti_repair(writer->context, writer->error, NULL, NULL, "image %d is left out: %s", (int)image,
                          reason.message);
    }
    *file = push_file_name(writer, image, blob);
    if (!*file) {
        gt_blob_release(blob);
        return gti_out_of_memory(writer->error);
    }
    GtiFbxOut* out = &writer->out;
    *id = gti_fbx_new_id(writer);
    gti_fbx_begin_object(writer, GTI_FBX_VIDEO, *id, *file, "Clip");
    gti_fbx_text_node(out, "Type", "Clip");
    gti_fbx_begin(out, "Properties70");
    gti_fbx_begin_property(out, "Path", "KString", "XRefUrl", "");
    gti_fbx_put_text(out, *file);
    gti_fbx_end(out);
    gti_fbx_begin_property(out, "RelPath", "KString", "XRefUrl", "");
    gti_fbx_put_text(out, *file);
    gti_fbx_end(out);
    gti_fbx_end(out);
    gti_fbx_int_node(out, "UseMipMap", 0);
    gti_fbx_text_node(out, "Filename", *file);
    gti_fbx_text_node(out, "RelativeFilename", *file);
    gti_fbx_begin(out, "Content");
    gti_fbx_put_bytes(out, gt_blob_bytes(blob), gt_blob_size(blob));
    gti_fbx_end(out);
    gti_fbx_end(out);
    gt_blob_release(blob);
    return GT_OK;
}

// Videos of images, written when they are first used.
typedef struct GtiFbxVideo {
    int64_t id; // 0 where it could not be read
    const char* file;
    bool is_tried;
} GtiFbxVideo;

static void put_pair(GtiFbxOut* out, const char* name, double value)
{
    gti_fbx_begin(out, name);
    gti_fbx_put_double(out, value);
    gti_fbx_put_double(out, value);
    gti_fbx_end(out);
}

static void write_texture(GtiFbxWriter* writer, const GtTextureRef* ref, const GtiFbxVideo* video, int64_t id)
{
    const GtTexture* texture = &writer->scene->textures[ref->texture];
    const GtSampler* sampler = texture->sampler == GT_NONE ? NULL : &writer->scene->samplers[texture->sampler];
    GtiFbxOut* out = &writer->out;
    gti_fbx_begin_object(writer, GTI_FBX_TEXTURE, id, video->file, "");
    gti_fbx_text_node(out, "Type", "TextureVideoClip");
    gti_fbx_int_node(out, "Version", 202);
    gti_fbx_begin(out, "TextureName");
    gti_fbx_put_name(out, video->file, "Texture");
    gti_fbx_end(out);
    gti_fbx_begin(out, "Properties70");
    gti_fbx_enum_property(out, "CurrentTextureBlendMode", 0);
    gti_fbx_enum_property(out, "WrapModeU", sampler && sampler->wrap_s == 33071); // clamp to edge
    gti_fbx_enum_property(out, "WrapModeV", sampler && sampler->wrap_t == 33071);
    gti_fbx_text_property(out, "UVSet", ref->texcoord == 1 ? "UVMap1" : "UVMap");
    gti_fbx_bool_property(out, "UseMaterial", true);
    gti_fbx_end(out);
    gti_fbx_begin(out, "Media");
    gti_fbx_put_name(out, video->file, "Video");
    gti_fbx_end(out);
    gti_fbx_text_node(out, "FileName", video->file);
    gti_fbx_text_node(out, "RelativeFilename", video->file);
    put_pair(out, "ModelUVTranslation", 0.0);
    put_pair(out, "ModelUVScaling", 1.0);
    gti_fbx_text_node(out, "Texture_Alpha_Source", "None");
    gti_fbx_begin(out, "Cropping");
    for (int i = 0; i < 4; ++i) {
        gti_fbx_put_int(out, 0);
    }
    gti_fbx_end(out);
    gti_fbx_end(out);
    gti_fbx_link(writer, video->id, id, NULL);
}

// A texture of a material, which drives one or two of its properties.
static GtResult add_texture(GtiFbxWriter* writer, const GtTextureRef* ref, GtiFbxVideo* videos, int64_t material,
                            const char* property, const char* second)
{
    int32_t image = ref->texture == GT_NONE ? GT_NONE : writer->scene->textures[ref->texture].image;
    if (image == GT_NONE) {
        return GT_OK;
    }
    GtiFbxVideo* video = &videos[image];
    if (!video->is_tried) {
        video->is_tried = true;
        GtResult result = write_video(writer, image, &video->id, &video->file);
        if (result != GT_OK) {
            return result;
        }
    }
    if (video->id) {
        int64_t id = gti_fbx_new_id(writer);
        write_texture(writer, ref, video, id);
        gti_fbx_link(writer, id, material, property);
        if (second) {
            gti_fbx_link(writer, id, material, second);
        }
    }
    return GT_OK;
}

static void write_material(GtiFbxWriter* writer, const GtMaterial* m, int64_t id, const char* name)
{
    static const float black[3] = { 0.0f, 0.0f, 0.0f };
    static const float white[3] = { 1.0f, 1.0f, 1.0f };
    static const float grey[3] = { 0.2f, 0.2f, 0.2f };
    GtiFbxOut* out = &writer->out;
    double opacity = m->alpha_mode == GT_ALPHA_OPAQUE ? 1.0 : (double)m->base_color[3];
    double smoothness = 1.0 - fmin(fmax((double)m->roughness, 0.0), 1.0);
    gti_fbx_begin_object(writer, GTI_FBX_MATERIAL, id, name, "");
    gti_fbx_int_node(out, "Version", 102);
    gti_fbx_text_node(out, "ShadingModel", "phong");
    gti_fbx_int_node(out, "MultiLayer", 0);
    gti_fbx_begin(out, "Properties70");
    gti_fbx_color_property(out, "EmissiveColor", m->emissive);
    gti_fbx_number_property(out, "EmissiveFactor", 1.0);
    gti_fbx_color_property(out, "AmbientColor", black);
    gti_fbx_color_property(out, "DiffuseColor", m->base_color);
    gti_fbx_number_property(out, "DiffuseFactor", 1.0);
    gti_fbx_color_property(out, "TransparentColor", opacity < 1.0 ? white : black);
    gti_fbx_number_property(out, "TransparencyFactor", 1.0 - opacity);
    gti_fbx_number_property(out, "Opacity", opacity);
    gti_fbx_color_property(out, "SpecularColor", grey);
    gti_fbx_number_property(out, "Shininess", 100.0 * smoothness * smoothness);
    gti_fbx_number_property(out, "ShininessExponent", 100.0 * smoothness * smoothness);
    gti_fbx_number_property(out, "ReflectionFactor", (double)m->metallic);
    gti_fbx_end(out);
    gti_fbx_end(out);
}

GtResult gti_fbx_write_materials(GtiFbxWriter* writer)
{
    const GtScene* scene = writer->scene;
    GtiFbxVideo* videos = gt_arena_push_array(&writer->arena, (size_t)scene->image_count + 1, sizeof *videos);
    writer->materials = gt_arena_push_array(&writer->arena, (size_t)scene->material_count + 1, sizeof(int64_t));
    if (!videos || !writer->materials) {
        return gti_out_of_memory(writer->error);
    }
    GtResult result = GT_OK;
    for (int32_t i = 0; i < scene->material_count && result == GT_OK; ++i) {
        const GtMaterial* m = &scene->materials[i];
        char otherwise[32];
        snprintf(otherwise, sizeof otherwise, "material_%d", (int)i);
        const char* name = gti_fbx_out_name(writer, m->name, "", otherwise);
        if (!name) {
            return gti_out_of_memory(writer->error);
        }
        int64_t id = writer->materials[i] = gti_fbx_new_id(writer);
        write_material(writer, m, id, name);
        result = add_texture(writer, &m->base_color_texture, videos, id, "DiffuseColor",
                             m->alpha_mode == GT_ALPHA_OPAQUE ? NULL : "TransparentColor");
        if (result == GT_OK) {
            result = add_texture(writer, &m->emissive_texture, videos, id, "EmissiveColor", NULL);
        }
        if (result == GT_OK) {
            result = add_texture(writer, &m->normal_texture, videos, id, "NormalMap", NULL);
        }
    }
    bool needs_default = false;
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        for (int32_t p = 0; p < scene->meshes[i].primitive_count; ++p) {
            needs_default |= scene->meshes[i].primitives[p].material == GT_NONE;
        }
    }
    if (result == GT_OK && needs_default) {
        GtMaterial plain = gt_default_material();
        writer->materials[scene->material_count] = gti_fbx_new_id(writer);
        write_material(writer, &plain, writer->materials[scene->material_count], "default");
    }
    return result;
}
