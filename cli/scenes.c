// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// What verbs that read and write scenes have in common. An output is looked at before the work starts, so that a typing
// mistake costs no waiting; the library looks again when it writes.

#include "scenes.h"

#include "fail.h"

#include "gertie/film.h"
#include "gertie/motion_library.h"
#include "gertie/number.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const GtChoice stream_format_choices[] = { { "glb", 0, NULL }, { "bvh", 0, NULL }, { "obj", 0, NULL },
                                           { "ply", 0, NULL }, { "stl", 0, NULL }, { "fbx", 0, NULL },
                                           { NULL, 0, NULL } };

bool scene_read(Session* session, const char* path, const GtLoadDef* def, GtScene** out)
{
    GtError error = { 0 };
    const char* name = strcmp(path, "-") == 0 ? "/dev/stdin" : path;
    session->subject = name;
    bool ok = gt_motion_load(&session->context, name, def, out, &error) == GT_OK || session_fail(session, &error);
    session->subject = "";
    return ok;
}

GtLoadDef ground_load_def(void)
{
    GtLoadDef load = gt_default_load_def();
    load.metres_per_unit = 1.0;
    load.up_axis = GT_UP_Y;
    return load;
}

static bool unknown_format(Session* session, const char* path, bool exports)
{
    char endings[128] = "";
    size_t used = 0;
    for (const GtFormat* format = gt_formats(); format->name; ++format) {
        if (format->writes && used < sizeof endings) {
            used += (size_t)snprintf(endings + used, sizeof endings - used, "%s.%s", used ? ", " : "", format->name);
        }
    }
    const GtFormat* known = gt_format_of_path(path);
    bool is_shot = gt_export_kind(path) == GT_EXPORT_PICTURE || gt_export_kind(path) == GT_EXPORT_FILM;
    bool is_pack = known && !strcmp(known->name, "gtp");
    return session_misuse(session, "%s: the ending tells no format that can be written; give it one of %s%s", path,
                          endings,
                          is_pack   ? "; 'gertie pack' makes packed characters"
                          : exports ? ", .pc2, .png, .mp4, .webm, .gif"
                          : is_shot ? "; 'gertie render' makes pictures and films"
                                    : "");
}

static bool prepare_stream(Session* session, const char* format, Output* out)
{
    if (session->json) {
        return session_misuse(session, "--json and the result cannot both go to standard output: write to a file");
    }
    *out = (Output){ .path = "standard output",
                     .format = format ? format : stream_format_choices[0].name,
                     .kind = GT_EXPORT_SCENE,
                     .is_stream = true };
    if (isatty(STDOUT_FILENO) && strcmp(out->format, "bvh") != 0) {
        return session_misuse(session,
                              "standard output is a terminal, which %s would confuse: write to a file or a "
                              "pipe",
                              out->format);
    }
    return true;
}

bool output_place_check(Session* session, const char* path)
{
    GtError error;
    struct stat status;
    size_t length = strlen(path);
    bool is_folder = stat(path, &status) == 0 ? S_ISDIR(status.st_mode) : path[length - 1] == '/';
    if (is_folder) {
        fail(&error, GT_ERROR_IO, path, "it is a folder; name a file in it");
        return session_fail(session, &error);
    }
    const char* slash = strrchr(path, '/');
    if (slash && slash != path) {
        GtText folder = { 0 };
        gt_text_add(&folder, path, (size_t)(slash - path));
        bool exists = folder.failed || stat(folder.bytes, &status) == 0;
        gt_text_destroy(&folder);
        if (!exists) {
            fail(&error, GT_ERROR_IO, path, "its folder does not exist; make it first");
            return session_fail(session, &error);
        }
    }
    return true;
}

bool output_prepare(Session* session, const char* path, const char* format, Output* out)
{
    if (!strcmp(path, "-")) {
        return prepare_stream(session, format, out);
    }
    if (format) {
        return session_misuse(session, "--format is for standard output (-): a file's ending tells its format");
    }
    const GtFormat* known = gt_format_of_path(path);
    *out =
        (Output){ .path = path, .format = known && known->writes ? known->name : NULL, .kind = gt_export_kind(path) };
    return output_place_check(session, path) && (out->format || unknown_format(session, path, false));
}

bool output_prepare_export(Session* session, const char* path, const char* format, Output* out)
{
    GtError error = { 0 };
    GtExportKind kind = gt_export_kind(path);
    if (!strcmp(path, "-") || kind == GT_EXPORT_SCENE || kind == GT_EXPORT_MESH) {
        return output_prepare(session, path, format, out);
    }
    if (kind == GT_EXPORT_UNKNOWN) {
        return unknown_format(session, path, true);
    }
    *out = (Output){ .path = path,
                     .kind = kind,
                     .format = kind == GT_EXPORT_FRAMES ? "frames"
                               : kind == GT_EXPORT_FILM ? gt_film_format_find(path)->name
                                                        : "png" };
    if (gt_export_check_path(path, &error) != GT_OK) {
        return session_misuse(session, "%s: %s", path, error.message);
    }
    return output_place_check(session, path);
}

bool output_check_animation_only(Session* session, const Output* output, const GtSaveDef* def)
{
    bool fits = output->kind == GT_EXPORT_SCENE && strcmp(output->format, "vrm") != 0;
    return fits || !def->animation_only ||
           session_misuse(session, "%s: --animation-only writes joints and clips, as .glb, .gltf, .fbx, .vrma or .bvh",
                          output->path);
}

static void say_export(Session* session, const char* path, const GtExportReport* did)
{
    switch (did->kind) {
    case GT_EXPORT_UNKNOWN:
    case GT_EXPORT_SCENE:
        break;
    case GT_EXPORT_MESH:
        session_say(session, "wrote %s: %d vertices in the pose at %.2f s", path, (int)did->vertex_count, did->time_s);
        break;
    case GT_EXPORT_FRAMES:
        if (strchr(path, '#')) {
            session_say(session, "wrote %d frame%s at %g Hz as %s", (int)did->frame_count,
                        did->frame_count == 1 ? "" : "s", did->rate_hz, path);
        } else {
            session_say(session, "wrote %s: %d frames of %d vertices at %g Hz, for the mesh %.*s.obj", path,
                        (int)did->frame_count, (int)did->vertex_count, did->rate_hz,
                        (int)(strlen(path) - strlen(".pc2")), path);
        }
        break;
    case GT_EXPORT_PICTURE:
        session_say(session, "wrote %s: %d x %d, at %.2f s", path, (int)did->width, (int)did->height, did->time_s);
        break;
    case GT_EXPORT_FILM:
        session_say(session, "wrote %s: %d x %d, %d pictures, %.2f s", path, (int)did->width, (int)did->height,
                    (int)did->frame_count, did->frame_count / did->rate_hz);
        break;
    }
}

bool output_export(Session* session, const Output* output, const GtScene* scene, const GtExportDef* def,
                   GtExportReport* did)
{
    GtError error = { 0 };
    if (gt_export(&session->context, scene, def, output->path, did, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    say_export(session, output->path, did);
    return true;
}

bool scene_unbake(Session* session, int32_t animation, GtScene** scene)
{
    GtError error = { 0 };
    GtScene* exact = NULL;
    if (gt_harmonic_unbake(&session->context, *scene, animation, &exact, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    if (exact) {
        gt_scene_destroy(*scene);
        *scene = exact;
    }
    return true;
}

bool output_save(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* def)
{
    GtError error = { 0 };
    GtBlob* blob = NULL;
    session->subject = output->path;
    GtResult result = output->is_stream
                          ? gt_scene_save_memory(&session->context, scene, output->format, def, &blob, &error)
                          : gt_scene_save(&session->context, scene, output->path, def, &error);
    session->subject = "";
    if (result != GT_OK) {
        return session_fail(session, &error);
    }
    if (!output->is_stream) {
        return true;
    }
    GtText bytes = { .bytes = (char*)gt_blob_bytes(blob), .size = gt_blob_size(blob) };
    bool ok = session_print(session, &bytes);
    gt_blob_release(blob);
    return ok;
}

int32_t output_losses(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* save,
                      GtSaveLoss* losses)
{
    GtSaveDef def = *save;
    def.alone = output->is_stream;
    session->subject = output->path;
    int32_t count = gt_save_losses(&session->context, scene, output->format, &def, losses);
    session->subject = "";
    return count;
}

bool output_write(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* def)
{
    if (!output_save(session, output, scene, def)) {
        return false;
    }
    output_losses(session, output, scene, def, NULL);
    return true;
}

const char* clip_name(const GtScene* scene, int32_t clip, char room[32])
{
    const char* name = scene->animations[clip].name;
    snprintf(room, 32, "clip %d", (int)clip);
    return name && name[0] ? name : room;
}

static bool unknown_clip(Session* session, const GtScene* scene, const char* file, const char* wanted)
{
    enum {
        MOST_LISTED = 8
    };
    GtError error;
    GtText names = { 0 };
    char room[32];
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        const char* name = clip_name(scene, i, room);
        if (option_nearest(wanted, (const char* const[]){ name, NULL })) {
            fail(&error, GT_ERROR_NOT_FOUND, file, "there is no clip '%s'; did you mean '%.100s'?", wanted, name);
            return session_fail(session, &error);
        }
    }
    for (int32_t i = 0; i < scene->animation_count && i < MOST_LISTED; ++i) {
        gt_text_addf(&names, "%s%d '%s'", i ? ", " : "", (int)i, clip_name(scene, i, room));
    }
    if (scene->animation_count > MOST_LISTED) {
        gt_text_addf(&names, " and %d more", (int)(scene->animation_count - MOST_LISTED));
    }
    fail(&error, GT_ERROR_NOT_FOUND, file, "there is no clip '%s'; there is %s", wanted,
         names.bytes && !names.failed ? names.bytes : "none at all");
    gt_text_destroy(&names);
    return session_fail(session, &error);
}

bool clip_find(Session* session, const GtScene* scene, const char* file, const char* name, int32_t* out)
{
    *out = scene->animation_count > 0 ? 0 : GT_NONE;
    if (!name) {
        return true;
    }
    for (int32_t i = 0; i < scene->animation_count; ++i) {
        if (scene->animations[i].name && !strcmp(scene->animations[i].name, name)) {
            *out = i;
            return true;
        }
    }
    int64_t number = -1;
    const char* end = name + strlen(name);
    if (gt_parse_int64(name, end, &number) != end || number < 0 || number >= scene->animation_count) {
        return unknown_clip(session, scene, file, name);
    }
    *out = (int32_t)number;
    return true;
}
