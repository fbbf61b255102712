// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The front of the file formats: which one a file is in, and the way every file takes: read, parse, validate; or
// validate, write. What is in a file is told by its bytes first, because names lie; by its ending when the bytes do not
// tell.

#include "gertie/file.h"

#include "base/fail.h"
#include "data/files.h"
#include "io/asf/asf.h"
#include "io/bvh/bvh.h"
#include "io/fbx/fbx.h"
#include "io/fbx/write.h"
#include "io/format.h"
#include "io/gltf/gltf.h"
#include "io/gtp/gtp.h"
#include "io/imports.h"
#include "io/obj/obj.h"
#include "io/off/off.h"
#include "io/ply/ply.h"
#include "io/smartbody/smartbody.h"
#include "io/stl/stl.h"
#include "io/weights.h"
#include "scene/validate.h"

#include <stdio.h>
#include <string.h>

enum {
    HEAD_SIZE = 4096, // bytes by which a format that is read in pieces is told
    HEAD_ROOM = 32    // zeros after them, for scanners that look ahead
};

static GtResult read_bvh(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    return gti_bvh_read(context, (const char*)input->bytes, input->size, input->path, def, out, error);
}

// In the order of GTI_IO_FORMATS.
static const GtiFormat io_functions[] = {
    { .sniff = gti_glb_sniff, .read = gti_gltf_read, .write = gti_glb_write, .save = gti_glb_save },
    { .sniff = gti_gltf_sniff, .read = gti_gltf_read, .save = gti_gltf_save },
    { .read = gti_gltf_read, .write = gti_vrm_write, .save = gti_vrm_save },
    { .sniff = gti_fbx_sniff, .read = gti_fbx_read, .write = gti_fbx_write },
    { .read = gti_gltf_read, .write = gti_vrma_write, .save = gti_vrma_save },
    { .sniff = gti_bvh_sniff, .read = read_bvh, .write = gti_bvh_write },
    { .sniff = gti_asf_sniff, .read = gti_asf_read },
    { .sniff = gti_amc_sniff, .read = gti_amc_read },
    { .sniff = gti_sk_sniff, .read = gti_sk_read },
    { .sniff = gti_skm_sniff, .read = gti_skm_read },
    { .sniff = gti_obj_sniff, .read_pieces = gti_obj_read, .write = gti_obj_write, .save = gti_obj_save },
    { .sniff = gti_ply_sniff, .read_pieces = gti_ply_read, .write = gti_ply_write },
    { .sniff = gti_stl_sniff, .read_pieces = gti_stl_read, .write = gti_stl_write },
    { .sniff = gti_off_sniff, .read_pieces = gti_off_read },
    { .sniff = gti_gtp_sniff, .read = gti_gtp_read },
};

enum {
    IO_FORMAT_COUNT = sizeof io_functions / sizeof *io_functions
};

static const GtiFormat* functions_of(int32_t format)
{
    return format < IO_FORMAT_COUNT ? &io_functions[format] : &gti_imports.functions[format - IO_FORMAT_COUNT];
}

// libgertie takes COLLADA before this is said.
#define GTI_XML_STRANGER                                                                                               \
    "this is XML, of which only COLLADA is read, and by libgertie alone; 'gertie convert' makes glTF of it"

// Files that people bring, that are something else.
typedef struct Stranger {
    const char* start;
    size_t size;
    const char* message;
} Stranger;

static const Stranger strangers[] = {
    { "\x89PNG", 4, "this is a PNG picture" },
    { "\xFF\xD8\xFF", 3, "this is a JPEG picture" },
    { "PK\x03\x04", 4, "this is a ZIP archive; unpack it first" },
    { "\x1F\x8B", 2, "this is gzip-compressed; unpack it first" },
    { "BLENDER", 7, "this is a Blender file; export it from Blender as glTF" },
    { "version https://git-lfs", 23, "this is a Git LFS pointer, not the file itself; run 'git lfs pull'" },
    { "PXR-USDC", 8, "USD is not read; export it as glTF" },
    { "#usda", 5, "USD is not read; export it as glTF" },
    { "<!DOCTYPE", 9, "this is a web page, not a model; download the file itself" },
    { "<html", 5, "this is a web page, not a model; download the file itself" },
    { "<?xml", 5, GTI_XML_STRANGER },
    { "<COLLADA", 8, GTI_XML_STRANGER },
};

static const char* format_of_content(const uint8_t* bytes, size_t size, int32_t* format)
{
    uint8_t head[HEAD_SIZE + HEAD_ROOM] = { 0 };
    size_t head_size = size < HEAD_SIZE ? size : HEAD_SIZE;
    memcpy(head, bytes, head_size);
    for (*format = 0; gti_imports.formats[*format].name; ++*format) {
        const GtiFormat* f = functions_of(*format);
        if (f->sniff && (f->read_pieces ? f->sniff(head, head_size) : f->sniff(bytes, size))) {
            return NULL;
        }
    }
    *format = GT_NONE;
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; ++i) {
        if (size >= strangers[i].size && memcmp(bytes, strangers[i].start, strangers[i].size) == 0) {
            return strangers[i].message;
        }
    }
    return NULL;
}

static int32_t format_of_name(const char* path)
{
    for (int32_t i = 0; path && gti_imports.formats[i].name; ++i) {
        if (gti_path_has_extension(path, gti_imports.formats[i].name)) {
            return i;
        }
    }
    return GT_NONE;
}

// "glb, gltf, vrm, bvh": those that are read, or written.
static void list_formats(bool to_write, char* out, size_t size)
{
    out[0] = 0;
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        size_t used = strlen(out);
        if (to_write ? format->writes : format->reads) {
            snprintf(out + used, size - used, "%s%s", used ? ", " : "", format->name);
        }
    }
}

static GtResult find_format(const GtiInput* input, int32_t* format, GtError* error)
{
    if (input->size == 0) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "the file is empty");
    }
    const char* stranger = format_of_content(input->bytes, input->size, format);
    if (stranger) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "%s", stranger);
    }
    if (*format == GT_NONE) {
        *format = format_of_name(input->path);
    }
    uint64_t total = input->source ? input->source->size : input->size;
    if (*format == GT_NONE && gti_stl_is_binary(input->bytes, input->size, total)) {
        *format = format_of_name("a.stl");
    }
    if (*format == GT_NONE) {
        char list[256];
        list_formats(false, list, sizeof list);
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "the format is not known; Gertie reads %s", list);
    }
    if (functions_of(*format)->read == gti_gltf_read && !gti_glb_sniff(input->bytes, input->size) &&
        !gti_gltf_sniff(input->bytes, input->size)) {
        return gti_fail(error, GT_ERROR_BAD_FILE, "this is not glTF: it begins neither with \"glTF\" nor with '{'");
    }
    return GT_OK;
}

// The format's name; VRM and its animations are told from other GLBs by their ending.
static const char* format_name(const GtiInput* input, int32_t format)
{
    int32_t named = format_of_name(input->path);
    bool same_reader = named != GT_NONE && functions_of(named)->read == functions_of(format)->read;
    return gti_imports.formats[same_reader && !functions_of(named)->sniff ? named : format].name;
}

static GtResult read_format(const GtContext* context, GtiInput* input, const GtiFormat* format, const GtLoadDef* def,
                            GtScene** out, GtError* error)
{
    if (format->read) {
        return format->read(context, input, def, out, error);
    }
    GtiByteSource memory = gti_byte_source_of_memory(input->bytes, input->size);
    return format->read_pieces(context, input->source ? input->source : &memory, input->path, def, out, error);
}

// Whether a scene is whole. What is only warned about has been said when it was read.
static GtResult check(const GtContext* context, const GtScene* scene, GtError* error)
{
    GtContext quiet = *context;
    quiet.diagnose = NULL;
    quiet.strict = false;
    return gt_scene_validate(&quiet, scene, error);
}

static GtResult load(const GtContext* context, GtiInput* input, const GtLoadDef* def, GtScene** out, GtError* error)
{
    def = def ? def : (GtLoadDef[]){ gt_default_load_def() };
    int32_t format = GT_NONE;
    GtResult result = gti_progress(context, error, "reading", 0.0);
    if (result == GT_OK) {
        result = find_format(input, &format, error);
    }
    if (result == GT_OK && def->group && functions_of(format)->read_pieces != gti_obj_read) {
        result = gti_fail(error, GT_ERROR_UNSUPPORTED, "only OBJ files have groups to choose from; this is %s",
                          gti_imports.formats[format].name);
    }
    if (result == GT_OK) {
        result = read_format(context, input, functions_of(format), def, out, error);
    }
    if (result == GT_OK) {
        (*out)->source.file_format = format_name(input, format);
        (*out)->source.file = input->path ? gt_scene_push_text(*out, input->path, strlen(input->path)) : NULL;
        result = input->path && !(*out)->source.file ? gti_out_of_memory(error) : GT_OK;
    }
    bool bad_weights = false;
    if (result == GT_OK) {
        result = gti_scene_validate(context, *out, &bad_weights, error);
    }
    if (result == GT_OK && bad_weights) {
        result = gti_repair_weights(context, *out, error);
        result = result == GT_OK ? check(context, *out, error) : result; // joints may be shared with other skins
    }
    if (result != GT_OK) {
        gt_scene_destroy(*out);
        *out = NULL;
        gti_error_set_file(error, input->path);
    }
    return result;
}

const GtFormat* gt_formats(void)
{
    return gti_imports.formats;
}

bool gt_format_holds(const char* name, uint32_t contents)
{
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        if (name && !strcmp(format->name, name)) {
            return (format->holds & contents) == contents;
        }
    }
    return false;
}

const GtFormat* gt_format_of_path(const char* path)
{
    int32_t format = format_of_name(path);
    return format == GT_NONE ? NULL : &gti_imports.formats[format];
}

GtLoadDef gt_default_load_def(void)
{
    return (GtLoadDef){ .up_axis = GT_NONE };
}

// A format that is read in pieces is told by the file's first bytes; false where the file must be read whole.
static bool load_in_pieces(const GtContext* context, const char* path, const GtLoadDef* def, GtScene** out,
                           GtResult* result, GtError* error)
{
    uint8_t head[HEAD_SIZE];
    GtiByteSource source;
    int32_t format = GT_NONE;
    if (!gti_byte_source_open(path, &source)) {
        return false;
    }
    GtiInput input = { .bytes = head, .path = path, .source = &source };
    input.size = gti_byte_source_read(&source, 0, head, HEAD_SIZE);
    bool in_pieces = find_format(&input, &format, NULL) == GT_OK && functions_of(format)->read_pieces;
    if (in_pieces) {
        *result = load(context, &input, def, out, error);
    }
    gti_byte_source_close(&source);
    return in_pieces;
}

GtResult gt_scene_load(const GtContext* context, const char* path, const GtLoadDef* def, GtScene** out, GtError* error)
{
    *out = NULL;
    GtResult result = GT_OK;
    if (load_in_pieces(context, path, def, out, &result, error)) {
        return result;
    }
    uint8_t* bytes = NULL;
    size_t size = 0;
    result = gti_file_read(context, path, &bytes, &size, error);
    if (result != GT_OK) {
        return result;
    }
    GtiInput input = { .bytes = bytes, .size = size, .block = bytes, .path = path };
    result = load(context, &input, def, out, error);
    context->allocator.release(context->allocator.user, input.block);
    return result;
}

GtResult gt_scene_load_memory(const GtContext* context, const void* bytes, size_t size, const char* path,
                              const GtLoadDef* def, GtScene** out, GtError* error)
{
    *out = NULL;
    GtiInput input = { .bytes = bytes, .size = size, .path = path };
    return load(context, &input, def, out, error);
}

GtSaveDef gt_default_save_def(void)
{
    return (GtSaveDef){ .animation = GT_NONE, .source_units = true };
}

// What a def asks for of a scene: *kept receives the clips alone, or NULL where the scene is written as it is, as it is
// to formats that hold nothing but motion.
static GtResult keep_wanted(const GtContext* context, const GtScene* scene, int32_t format, const GtSaveDef* def,
                            GtScene** kept, GtError* error)
{
    const GtFormat* wanted = &gti_imports.formats[format];
    *kept = NULL;
    GtResult result = check(context, scene, error);
    if (result != GT_OK || !def->animation_only) {
        return result;
    }
    if (!(wanted->holds & GT_HOLDS_MOTION) || !strcmp(wanted->name, "vrm")) {
        return gti_fail(error, GT_ERROR_UNSUPPORTED, "a .%s is not for clips alone; write .glb, .gltf, .fbx or .vrma",
                        wanted->name);
    }
    return wanted->holds & GT_HOLDS_MESHES ? gt_scene_keep_animation_only(context, scene, kept, error) : GT_OK;
}

GtResult gt_scene_save(const GtContext* context, const GtScene* scene, const char* path, const GtSaveDef* def,
                       GtError* error)
{
    def = def ? def : (GtSaveDef[]){ gt_default_save_def() };
    int32_t format = format_of_name(path);
    GtBlob* blob = NULL;
    GtScene* kept = NULL;
    GtResult result = GT_OK;
    if (format == GT_NONE || !gti_imports.formats[format].writes) {
        char list[256];
        list_formats(true, list, sizeof list);
        result =
            gti_fail(error, GT_ERROR_UNSUPPORTED, "the file name must end in one of %s, which tells the format", list);
    }
    if (result == GT_OK) {
        result = keep_wanted(context, scene, format, def, &kept, error);
        scene = kept ? kept : scene;
    }
    if (result == GT_OK && functions_of(format)->save) {
        result = functions_of(format)->save(context, scene, path, def, error);
    } else if (result == GT_OK) {
        result = functions_of(format)->write(context, scene, def, &blob, error);
        if (result == GT_OK) {
            const GtiSpan span = { gt_blob_bytes(blob), gt_blob_size(blob) };
            result = gti_file_write(context, path, &span, 1, error);
        }
        gt_blob_release(blob);
    }
    gt_scene_destroy(kept);
    if (result != GT_OK) {
        gti_error_set_file(error, path);
    }
    return result;
}

GtResult gt_scene_save_memory(const GtContext* context, const GtScene* scene, const char* format, const GtSaveDef* def,
                              GtBlob** out, GtError* error)
{
    def = def ? def : (GtSaveDef[]){ gt_default_save_def() };
    *out = NULL;
    for (int32_t i = 0; gti_imports.formats[i].name; ++i) {
        if (strcmp(gti_imports.formats[i].name, format) == 0 && functions_of(i)->write) {
            GtScene* kept = NULL;
            GtResult result = keep_wanted(context, scene, i, def, &kept, error);
            if (result == GT_OK) {
                result = functions_of(i)->write(context, kept ? kept : scene, def, out, error);
            }
            gt_scene_destroy(kept);
            return result;
        }
    }
    return gti_fail(error, GT_ERROR_UNSUPPORTED, "'%s' is not a format that can be written into memory", format);
}

// "2 meshes, 1 clip": those that there are, which are copied to `out` where it is not NULL; returns how many.
static int32_t list_losses(const GtSaveLoss* losses, size_t loss_count, char* list, size_t size, GtSaveLoss* out)
{
    int32_t count = 0;
    list[0] = 0;
    for (size_t i = 0; i < loss_count; ++i) {
        const GtSaveLoss* loss = &losses[i];
        if (loss->count > 0) {
            size_t used = strlen(list);
            snprintf(list + used, size - used, "%s%d %s", used ? ", " : "", (int)loss->count,
                     loss->count == 1 ? loss->one : loss->many);
            if (out) {
                out[count] = *loss;
            }
            ++count;
        }
    }
    return count;
}

int32_t gt_save_losses(const GtContext* context, const GtScene* scene, const char* format, const GtSaveDef* def,
                       GtSaveLoss out[GT_SAVE_LOSS_COUNT])
{
    bool holds_meshes = gt_format_holds(format, GT_HOLDS_MESHES);
    bool holds_motion = gt_format_holds(format, GT_HOLDS_MOTION);
    GT_ASSERT(holds_meshes || holds_motion);
    if (def && def->animation_only && holds_motion) {
        return 0; // what is left out was asked for
    }
    int32_t target_count = 0;
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        target_count += scene->meshes[i].target_count;
    }
    bool keeps_all = holds_meshes && holds_motion;
    bool keeps_materials = strcmp(format, "obj") == 0 && !(def && def->alone);
    const GtSaveLoss losses[] = {
        { "mesh", "meshes", holds_meshes ? 0 : scene->mesh_count },
        { "morph target", "morph targets", keeps_all ? 0 : target_count },
        { "skin", "skins", keeps_all ? 0 : scene->skin_count },
        { "material", "materials", keeps_all || keeps_materials ? 0 : scene->material_count },
        { "camera", "cameras", keeps_all && strcmp(format, "fbx") != 0 ? 0 : scene->camera_count },
        { "clip", "clips", holds_motion ? 0 : scene->animation_count },
    };
    char list[256];
    int32_t count = list_losses(losses, sizeof losses / sizeof *losses, list, sizeof list, out);
    if (count > 0) {
        gti_warn(context, NULL, NULL, "%s holds %s only: %s left out", format,
                 keeps_all      ? "characters and their motion"
                 : holds_meshes ? "meshes"
                                : "joints and their motion",
                 list);
    }
    GtSaveLoss played[GTI_GTP_LOSS_COUNT];
    gti_gtp_losses(context, scene, played);
    int32_t played_count = list_losses(played, GTI_GTP_LOSS_COUNT, list, sizeof list, out ? out + count : NULL);
    if (played_count > 0) {
        gti_warn(context, NULL, NULL, "%s has no place for what only the runtime plays: %s left out", format, list);
    }
    return count + played_count;
}

GtResult gt_file_write(const GtContext* context, const char* path, const void* bytes, size_t size, GtError* error)
{
    return gti_file_write(context, path, &(GtiSpan){ bytes, size }, 1, error);
}
