// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Materials for other programs: Phong's words with the same look, and Pr and Pm of the PBR extension for those who know
// them. Pictures that lie in the scene, or in another folder, are put beside the file.

#include "io/obj/mtl.h"

#include "base/fail.h"
#include "data/files.h"
#include "gertie/image.h"
#include "io/bytes.h"
#include "io/image.h"
#include "io/obj/obj.h"
#include "io/uri.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Writer {
    GtiFileSet* files; // of the OBJ
    const GtScene* scene;
    GtiBytes bytes;
    const char** pictures; // [image_count] names of those beside the file, or NULL
    GtError* error;
} Writer;

// Make a picture lie beside the file, and remember its name.
static GtResult put_image(Writer* writer, int32_t index)
{
    const GtImage* image = &writer->scene->images[index];
    const char* source = writer->scene->source.directory;
    GtArena* arena = &writer->files->arena;
    if (image->uri && gti_uri_kind(image->uri, strlen(image->uri)) == GTI_URI_FILE &&
        (!source || gti_same_folder(source, writer->files->folder))) {
        writer->pictures[index] = gti_uri_decode(arena, image->uri, strlen(image->uri));
        return writer->pictures[index] ? GT_OK : gti_out_of_memory(writer->error);
    }
    GtBlob* blob = NULL;
    GtError reason = { 0 };
    GtResult result = gt_image_read(writer->files->context, writer->scene, index, &blob, &reason);
    const char* ending = result == GT_OK ? gti_image_ending(gt_blob_bytes(blob), gt_blob_size(blob)) : NULL;
    if (result == GT_ERROR_OUT_OF_MEMORY || !ending) {
        gt_blob_release(blob);
        if (result == GT_ERROR_OUT_OF_MEMORY) {
            return gti_out_of_memory(writer->error);
        }
        gti_warn(writer->files->context, writer->files->path, NULL,
                 "image %d does not exist, or is of an unknown kind: it is left out", (int)index);
        return GT_OK;
    }
    char suffix[32];
    snprintf(suffix, sizeof suffix, "_%d.%s", (int)index, ending);
    const GtiSpan span = { gt_blob_bytes(blob), gt_blob_size(blob) };
    result = gti_file_set_add(writer->files, suffix, &span, 1, &writer->pictures[index], writer->error);
    gt_blob_release(blob);
    return result;
}

static GtResult add_map(Writer* writer, const char* keyword, const GtTextureRef* ref)
{
    const GtScene* scene = writer->scene;
    int32_t image = ref->texture == GT_NONE ? GT_NONE : scene->textures[ref->texture].image;
    if (image == GT_NONE) {
        return GT_OK;
    }
    GtResult result = writer->pictures[image] ? GT_OK : put_image(writer, image);
    if (result == GT_OK && writer->pictures[image]) {
        gti_bytes_adds(&writer->bytes, keyword);
        gti_bytes_adds(&writer->bytes, " ");
        gti_bytes_adds(&writer->bytes, writer->pictures[image]);
        gti_bytes_adds(&writer->bytes, "\n");
    }
    return result;
}

static void add_numbers(Writer* writer, const char* keyword, const float* values, int count)
{
    gti_bytes_adds(&writer->bytes, keyword);
    gti_bytes_add_floats(&writer->bytes, values, count);
    gti_bytes_adds(&writer->bytes, "\n");
}

static GtResult add_material(Writer* writer, int32_t index)
{
    const GtMaterial* m = &writer->scene->materials[index];
    float r2 = fmaxf(m->roughness * m->roughness, 0.03f);
    float shine = roundf(fminf(2.0f / (r2 * r2) - 2.0f, 1000.0f));
    gti_obj_add_name(&writer->bytes, "newmtl", m->name, "material", index);
    add_numbers(writer, "Kd", m->base_color, 3);
    add_numbers(writer, "d", &m->base_color[3], 1);
    add_numbers(writer, "Ns", &shine, 1);
    add_numbers(writer, "Ke", m->emissive, 3);
    add_numbers(writer, "Pr", &m->roughness, 1);
    add_numbers(writer, "Pm", &m->metallic, 1);
    GtResult result = add_map(writer, "map_Kd", &m->base_color_texture);
    if (result == GT_OK) {
        result = add_map(writer, "map_Ke", &m->emissive_texture);
    }
    return result == GT_OK ? add_map(writer, "norm", &m->normal_texture) : result;
}

GtResult gti_mtl_save(GtiFileSet* files, const GtScene* scene, const char** library, GtError* error)
{
    Writer writer = {
        .files = files, .scene = scene, .bytes = { .allocator = files->context->allocator }, .error = error
    };
    writer.pictures = gt_arena_push_array(&files->arena, (size_t)scene->image_count + 1, sizeof *writer.pictures);
    if (!writer.pictures) {
        return gti_out_of_memory(error);
    }
    gti_bytes_adds(&writer.bytes, "# written by Gertie\n");
    GtResult result = GT_OK;
    for (int32_t i = 0; i < scene->material_count && result == GT_OK; ++i) {
        result = add_material(&writer, i);
    }
    if (result == GT_OK && writer.bytes.failed) {
        result = gti_out_of_memory(error);
    }
    if (result == GT_OK) {
        const GtiSpan span = { writer.bytes.data, writer.bytes.size };
        result = gti_file_set_add(files, ".mtl", &span, 1, library, error);
    }
    gti_bytes_release(&writer.bytes);
    return result;
}
