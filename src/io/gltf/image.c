// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Images that lie in files of their own. Reading only looks whether they are there: a missing picture is no reason to
// refuse a character. Writing takes them into the file, unless it is a .gltf in the folder where they already lie;
// TGA and BMP, which glTF does not know, become PNG.

#include "io/image.h"
#include "base/fail.h"
#include "data/files.h"
#include "io/gltf/hooks.h"
#include "io/gltf/reader.h"
#include "io/gltf/writer.h"
#include "io/uri.h"
#include "scene/storage.h"

#include <stdio.h>
#include <string.h>

GtResult gti_gltf_image_read(GtiGltfReader* reader, const GtiJson* json, void* object)
{
    (void)json;
    const GtImage* image = object;
    const char* directory = reader->scene->source.directory;
    if (!image->uri || gti_uri_kind(image->uri, strlen(image->uri)) == GTI_URI_DATA) {
        return GT_OK;
    }
    GtArenaMark mark = gt_arena_mark(reader->scratch);
    bool failed = false;
    bool found = gti_image_file(reader->scratch, directory, image->uri, &failed) != NULL;
    gt_arena_reset(reader->scratch, mark);
    if (failed) {
        return gti_out_of_memory(reader->error);
    }
    if (!found) {
        char where[32];
        snprintf(where, sizeof where, "images[%d]", (int)(image - reader->scene->images));
        gti_warn(reader->context, reader->input->path, where, "the image file '%.200s' does not exist", image->uri);
    }
    return GT_OK;
}

static GtResult embed(GtiGltfWriter* writer, GtImage* image, const char* path)
{
    GtAllocator allocator = writer->context->allocator;
    uint8_t* bytes = NULL;
    size_t size = 0;
    GtResult result = gti_file_read(writer->context, path, &bytes, &size, writer->error);
    if (result != GT_OK) {
        return result;
    }
    GtBuffer buffer = { 0 };
    const char* mime_type = gti_image_mime_type(bytes, size);
    if (mime_type) {
        buffer.blob = gti_blob_adopt(allocator, bytes, 0, size);
        bytes = buffer.blob ? NULL : bytes;
        result = buffer.blob ? GT_OK : gti_out_of_memory(writer->error);
    } else if (gti_image_is_bitmap(path)) {
        result = gti_image_to_png(writer->context, bytes, size, &buffer.blob, writer->error);
        mime_type = "image/png";
    }
    allocator.release(allocator.user, bytes);
    if (result == GT_ERROR_OUT_OF_MEMORY) {
        return result;
    }
    if (!buffer.blob) { // whatever it is called: a document from elsewhere may name any file
        gti_warn(writer->context, path, NULL, "is not an image of a kind that glTF knows: it stays a separate file");
        return GT_OK;
    }
    GtBufferView view = { .size = gt_blob_size(buffer.blob) };
    result = gt_scene_add_buffer(writer->scene, &buffer, &view.buffer, writer->error);
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(writer->scene, &view, &image->view, writer->error);
    }
    if (result == GT_OK) {
        image->uri = NULL;
        image->mime_type = mime_type;
    }
    return result;
}

GtResult gti_gltf_embed_images(GtiGltfWriter* writer, const char* directory)
{
    GtScene* scene = writer->scene;
    const char* source = scene->source.directory;
    bool lie_there = directory && source && gti_same_folder(directory, source);
    for (int32_t i = 0; i < scene->image_count; ++i) {
        GtImage* image = &scene->images[i];
        if (!image->uri || image->view != GT_NONE || gti_uri_kind(image->uri, strlen(image->uri)) == GTI_URI_DATA) {
            continue;
        }
        if (lie_there && !gti_image_is_bitmap(image->uri)) {
            continue;
        }
        bool failed = false;
        const char* path = gti_image_file(writer->scratch, source, image->uri, &failed);
        if (failed) {
            return gti_out_of_memory(writer->error);
        }
        if (!path) {
            char where[32];
            snprintf(where, sizeof where, "images[%d]", (int)i);
            gti_warn(writer->context, NULL, where, "the image file '%.200s' does not exist; its name is kept",
                     image->uri);
            continue;
        }
        GtResult result = embed(writer, image, path);
        if (result != GT_OK) {
            return result;
        }
    }
    return GT_OK;
}
