// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The FBX SDK embeds a picture once, although several Video objects name it, so pictures are told apart by their file
// names. A picture that is not embedded is looked for as io/picture_folders.h says.

#include "io/fbx/picture.h"

#include "base/fail.h"
#include "data/bitmap.h"
#include "data/files.h"
#include "io/image.h"
#include "io/name.h"
#include "io/uri.h"

#include <string.h>

enum {
    MAX_CHILDREN = 32 // that are looked through for the one that counts, so that the work stays in proportion
};

// The text of a child node of an object; false where it is not there or empty.
static bool child_text(const GtiFbxReader* reader, int32_t object, const char* child, GtiSlice* out)
{
    const GtiFbxNode* node = gti_fbx_find(reader->graph.objects[object].node, child);
    return node && gti_fbx_string(gti_fbx_value(&reader->tree, node, 0), out) && out->length > 0;
}

static bool file_name(const GtiFbxReader* reader, int32_t object, GtiSlice* out)
{
    return object != GT_NONE &&
           (child_text(reader, object, "FileName", out) || child_text(reader, object, "Filename", out) ||
            child_text(reader, object, "RelativeFilename", out));
}

static const GtiFbxNode* content_of(const GtiFbxReader* reader, int32_t video)
{
    const GtiFbxNode* node = gti_fbx_find(reader->graph.objects[video].node, "Content");
    for (int32_t i = 0; node && i < node->value_count; ++i) {
        const GtiFbxValue* value = gti_fbx_value(&reader->tree, node, i);
        if ((value->type == 'R' || value->type == 'S') && value->count > 0) {
            return node;
        }
    }
    return NULL;
}

// The number of a picture, by the file name of the object or else by its id.
static int32_t number_of(GtiFbxPictures* pictures, int32_t object, bool named, GtiSlice name)
{
    int32_t known = pictures->names.count;
    int64_t id = pictures->reader->graph.objects[object].id;
    int32_t number =
        named ? gti_intern(&pictures->names, name.text, name.length) : gti_intern(&pictures->names, &id, sizeof id);
    if (number == known) {
        pictures->images[number] = GTI_FBX_PICTURE_UNSEEN;
        pictures->contents[number] = GT_NONE;
    }
    return number;
}

GtResult gti_fbx_pictures_start(GtiFbxReader* reader, GtiFbxPictures* pictures)
{
    size_t count = (size_t)reader->graph.object_count;
    *pictures = (GtiFbxPictures){
        .reader = reader,
        .names.arena = &reader->arena,
        .folders = { .arena = &reader->arena,
                     .directory = reader->scene->source.directory,
                     .files.arena = &reader->arena },
        .found.arena = &reader->arena,
    };
    pictures->images = gt_arena_push_array(&reader->arena, count, sizeof *pictures->images);
    pictures->contents = gt_arena_push_array(&reader->arena, count, sizeof *pictures->contents);
    pictures->found_images = gt_arena_push_array(&reader->arena, count, sizeof *pictures->found_images);
    if (!pictures->images || !pictures->contents || !pictures->found_images) {
        return gti_out_of_memory(reader->error);
    }
    for (int32_t i = 1; i < reader->graph.object_count; ++i) {
        GtiSlice name = { 0 };
        if (!gti_slice_is(reader->graph.objects[i].type, "Video") || !content_of(reader, i)) {
            continue;
        }
        int32_t number = number_of(pictures, i, file_name(reader, i, &name), name);
        if (number == GT_NONE) {
            return gti_out_of_memory(reader->error);
        }
        if (pictures->contents[number] == GT_NONE) {
            pictures->contents[number] = i;
        }
    }
    return GT_OK;
}

// False when memory ran out.
static bool count_flaw(GtiFbxPictures* pictures, GtiFbxPictureFlaw* flaw, GtiSlice name)
{
    if (flaw->count++ == 0) {
        flaw->first = gt_arena_push_text(&pictures->reader->arena, name.text, name.length);
    }
    return flaw->first != NULL;
}

static GtiSlice base_name(GtiSlice path)
{
    for (size_t i = path.length; i-- > 0;) {
        if (path.text[i] == '/' || path.text[i] == '\\') {
            return (GtiSlice){ path.text + i + 1, path.length - i - 1 };
        }
    }
    return path;
}

// The bytes of a Content: as they are, or base64 in pieces that are each padded. *out is NULL where they are damaged.
static GtResult decode_content(const GtiFbxReader* reader, const GtiFbxNode* content, GtBlob** out)
{
    const GtiFbxTree* tree = &reader->tree;
    size_t size = 0;
    *out = NULL;
    for (int32_t i = 0; i < content->value_count; ++i) {
        const GtiFbxValue* value = gti_fbx_value(tree, content, i);
        size_t piece = value->type == 'R' ? value->count : 0;
        if (value->type == 'S' && value->count > 0 &&
            !gti_base64_size((const char*)value->bytes, value->count, &piece)) {
            return GT_OK;
        }
        size += piece; // no overflow: the pieces lie in the file, one after the other
    }
    uint8_t* bytes = NULL;
    GtBlob* blob = gt_blob_create(reader->context->allocator, size, &bytes);
    if (!blob) {
        return gti_out_of_memory(reader->error);
    }
    for (int32_t i = 0; i < content->value_count; ++i) {
        const GtiFbxValue* value = gti_fbx_value(tree, content, i);
        size_t piece = 0;
        if (value->type == 'R' && value->count > 0) {
            piece = value->count;
            memcpy(bytes, value->bytes, piece);
        } else if (value->type == 'S' && value->count > 0) {
            gti_base64_size((const char*)value->bytes, value->count, &piece);
            if (!gti_base64_decode((const char*)value->bytes, value->count, bytes)) {
                gt_blob_release(blob);
                return GT_OK;
            }
        }
        bytes += piece;
    }
    *out = blob;
    return GT_OK;
}

static bool is_usable_type(const char* mime_type)
{
    return mime_type && (strcmp(mime_type, "image/png") == 0 || strcmp(mime_type, "image/jpeg") == 0);
}

// Put a PNG in the place of a TGA or BMP; one that is damaged stays as it is.
static GtResult make_png(const GtiFbxReader* reader, GtBlob** blob)
{
    GtBlob* png = NULL;
    GtError ignored;
    GtResult result = gti_image_to_png(reader->context, gt_blob_bytes(*blob), gt_blob_size(*blob), &png, &ignored);
    if (png) {
        gt_blob_release(*blob);
        *blob = png;
    }
    if (result == GT_ERROR_OUT_OF_MEMORY) {
        gt_blob_release(*blob);
        return gti_out_of_memory(reader->error);
    }
    return GT_OK;
}

// An embedded picture; *out stays GT_NONE where it cannot be used.
static GtResult add_content(GtiFbxPictures* pictures, int32_t video, GtiSlice name, int32_t* out)
{
    GtiFbxReader* reader = pictures->reader;
    GtScene* scene = reader->scene;
    GtBuffer buffer = { 0 };
    bool repaired = false;
    GtResult result = decode_content(reader, content_of(reader, video), &buffer.blob);
    if (result != GT_OK) {
        return result;
    }
    if (buffer.blob && gti_bitmap_ending(gt_blob_bytes(buffer.blob), gt_blob_size(buffer.blob))) {
        result = make_png(reader, &buffer.blob);
        if (result != GT_OK) {
            return result;
        }
    }
    const char* mime_type =
        buffer.blob ? gti_image_mime_type(gt_blob_bytes(buffer.blob), gt_blob_size(buffer.blob)) : NULL;
    if (!is_usable_type(mime_type)) {
        bool told = count_flaw(pictures, buffer.blob ? &pictures->foreign : &pictures->damaged, name);
        gt_blob_release(buffer.blob);
        return told ? GT_OK : gti_out_of_memory(reader->error);
    }
    GtImage image = { .mime_type = mime_type };
    GtBufferView view = { .size = gt_blob_size(buffer.blob) };
    result = gt_scene_add_buffer(scene, &buffer, &view.buffer, reader->error);
    if (result == GT_OK) {
        result = gt_scene_add_buffer_view(scene, &view, &image.view, reader->error);
    }
    if (result != GT_OK) {
        return result;
    }
    image.name = gti_push_name(scene, name.text, name.length, "", &repaired);
    return image.name ? gt_scene_add_image(scene, &image, out, reader->error) : gti_out_of_memory(reader->error);
}

// A picture in a file of its own; *out stays GT_NONE where there is none that can be used.
static GtResult add_file_image(GtiFbxPictures* pictures, GtiSlice path, GtiSlice relative, int32_t* out)
{
    GtiFbxReader* reader = pictures->reader;
    GtScene* scene = reader->scene;
    bool failed = false;
    bool repaired = false;
    GtiSlice name = base_name(path);
    const char* uri = gti_picture_find(&pictures->folders, relative, name, &failed);
    if (failed) {
        return gti_out_of_memory(reader->error);
    }
    if (!uri) {
        bool told = count_flaw(pictures, &pictures->missing, name);
        return told ? GT_OK : gti_out_of_memory(reader->error);
    }
    int32_t known = pictures->found.count;
    int32_t number = gti_intern(&pictures->found, uri, strlen(uri));
    if (number == GT_NONE) {
        return gti_out_of_memory(reader->error);
    }
    if (number < known) {
        *out = pictures->found_images[number];
        return GT_OK;
    }
    GtImage image = { .view = GT_NONE };
    image.name = gti_push_name(scene, name.text, name.length, "", &repaired);
    image.uri = image.name ? gt_scene_push_text(scene, uri, strlen(uri)) : NULL;
    GtResult result =
        image.uri ? gt_scene_add_image(scene, &image, out, reader->error) : gti_out_of_memory(reader->error);
    pictures->found_images[number] = *out;
    return result;
}

GtResult gti_fbx_picture(GtiFbxPictures* pictures, int32_t texture, int32_t* out)
{
    GtiFbxReader* reader = pictures->reader;
    const GtiFbxObject* object = &reader->graph.objects[texture];
    int32_t video = GT_NONE;
    *out = GT_NONE;
    for (int32_t i = 0; i < object->child_count && i < MAX_CHILDREN && video == GT_NONE; ++i) {
        int32_t child = reader->graph.connections[object->first_child + i].source;
        video = gti_slice_is(reader->graph.objects[child].type, "Video") ? child : GT_NONE;
    }
    GtiSlice name = { 0 };
    bool named = file_name(reader, video, &name) || file_name(reader, texture, &name);
    if (!named && (video == GT_NONE || !content_of(reader, video))) {
        return GT_OK; // a texture that a program computes
    }
    int32_t number = number_of(pictures, named ? texture : video, named, name);
    if (number == GT_NONE) {
        return gti_out_of_memory(reader->error);
    }
    if (pictures->images[number] == GTI_FBX_PICTURE_UNSEEN) {
        int32_t content = pictures->contents[number];
        GtiSlice relative = { 0 };
        if (!child_text(reader, texture, "RelativeFilename", &relative) && video != GT_NONE) {
            child_text(reader, video, "RelativeFilename", &relative);
        }
        pictures->images[number] = GT_NONE;
        GtResult result =
            content == GT_NONE
                ? add_file_image(pictures, name, relative, &pictures->images[number])
                : add_content(pictures, content, named ? base_name(name) : reader->graph.objects[content].name,
                              &pictures->images[number]);
        if (result != GT_OK) {
            return result;
        }
    }
    *out = pictures->images[number];
    return GT_OK;
}

static void tell_of(const GtiFbxReader* reader, const GtiFbxPictureFlaw* flaw, const char* what)
{
    if (flaw->count == 1) {
        gti_warn(reader->context, reader->path, NULL, "the texture '%.200s' is left out: %s", flaw->first, what);
    } else if (flaw->count > 1) {
        gti_warn(reader->context, reader->path, NULL, "%d textures, the first of them '%.200s', are left out: %s",
                 flaw->count, flaw->first, what);
    }
}

GtResult gti_fbx_pictures_finish(const GtiFbxPictures* pictures)
{
    const GtiFbxReader* reader = pictures->reader;
    tell_of(reader, &pictures->missing,
            "no PNG, JPEG, TGA or BMP file of that name lies beside the file or in its texture folders");
    tell_of(reader, &pictures->foreign, "the embedded picture is no PNG, JPEG, TGA or BMP");
    if (pictures->damaged.count == 0) {
        return GT_OK;
    }
    return gti_repair(reader->context, reader->error, reader->path, NULL,
                      "the texture '%.200s' is left out: the embedded picture is not base64", pictures->damaged.first);
}
