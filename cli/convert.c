// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `convert`: one file into another format, saying what the other format cannot hold.

#include "loss.h"
#include "scenes.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

enum {
    CONVERT_CLIP,
    CONVERT_FPS,
    CONVERT_UNITS,
    CONVERT_UP,
    CONVERT_TO_UNITS,
    CONVERT_GROUP,
    CONVERT_TEXT,
    CONVERT_FORMAT
};

static void report_losses(Json* report, const Loss losses[LOSS_COUNT])
{
    json_key(report, "lost");
    json_begin_array(report);
    for (int i = 0; i < LOSS_COUNT; ++i) {
        if (losses[i].count > 0) {
            json_next_is_row(report);
            json_begin_object(report);
            json_member_string(report, "what", losses[i].many);
            json_member_integer(report, "count", losses[i].count);
            json_end_object(report);
        }
    }
    json_end_array(report);
}

static void warn_of_useless_options(Session* session, const CommandLine* line, const GtScene* scene,
                                    const Output* output)
{
    const OptionValue* values = line->values;
    if ((values[CONVERT_UNITS].given || values[CONVERT_UP].given) &&
        !format_leaves_units_open(scene->source.file_format)) {
        session_warn(session, line->arguments[0],
                     "%s files are always in metres and Y up: --units and --up are not used",
                     scene->source.file_format);
    }
    if (values[CONVERT_TO_UNITS].given && !format_leaves_units_open(output->format)) {
        session_warn(session, output->path, "%s files are always in metres: --to-units is not used", output->format);
    }
    if (values[CONVERT_FPS].given && holds_meshes_only(output->format)) {
        session_warn(session, output->path,
                     "%s files hold no motion: --fps is not used; put # into the name for a file "
                     "a frame",
                     output->format);
    } else if (values[CONVERT_FPS].given && strcmp(output->format, "bvh") != 0) {
        session_warn(session, output->path, "%s files keep the times of all keys: --fps is not used", output->format);
    }
    if (values[CONVERT_TEXT].given && strcmp(output->format, "ply") != 0 && strcmp(output->format, "stl") != 0) {
        session_warn(session, output->path, "%s files are not both text and binary: --text is not used",
                     output->format);
    }
}

static void add_count(Text* list, int32_t count, const char* one, const char* many)
{
    if (count > 0) {
        text_addf(list, "%s%d %s", list->size ? ", " : ": ", (int)count, count == 1 ? one : many);
    }
}

static void say_result(Session* session, const CommandLine* line, const GtScene* scene, const Output* output)
{
    Json* report = &session->report;
    bool is_motion = !strcmp(output->format, "bvh");
    int32_t written = holds_meshes_only(output->format)     ? 0
                      : is_motion && scene->animation_count ? 1
                                                            : scene->animation_count;
    json_member_string(report, "input", line->arguments[0]);
    json_member_string(report, "input_format", scene->source.file_format);
    json_member_string(report, "output", output->path);
    json_member_string(report, "output_format", output->format);
    json_member_integer(report, "clips_written", written);
    Text list = { 0 };
    add_count(&list, is_motion ? 0 : scene->node_count, "node", "nodes");
    add_count(&list, is_motion ? 0 : scene->mesh_count, "mesh", "meshes");
    add_count(&list, written, "clip", "clips");
    session_say(session, "wrote %s%s", output->path, list.failed || !list.bytes ? "" : list.bytes);
    text_free(&list);
}

static bool moves(const GtScene* scene)
{
    bool any = scene->skin_count > 0;
    for (int32_t i = 0; i < scene->mesh_count; ++i) {
        any |= scene->meshes[i].target_count > 0;
    }
    return any;
}

// Formats without skins and morphs get their meshes as the runtime shows them at rest.
static bool write_scene(Session* session, const Output* output, const GtScene* scene, const GtSaveDef* def)
{
    if (!holds_meshes_only(output->format) || !moves(scene)) {
        return output_write(session, output, scene, def);
    }
    GtError error = { 0 };
    GtScene* frozen = NULL;
    bool ok =
        (gt_scene_freeze_rest(&session->context, scene, &frozen, &error) == GT_OK || session_fail(session, &error)) &&
        output_write(session, output, frozen, def);
    gt_scene_destroy(frozen);
    return ok;
}

static bool convert_scene(Session* session, const CommandLine* line, GtScene* scene, const Output* output)
{
    const OptionValue* values = line->values;
    warn_of_useless_options(session, line, scene, output);
    int32_t clip = GT_NONE;
    if (!clip_find(session, scene, line->arguments[0], &values[CONVERT_CLIP], &clip)) {
        return false;
    }
    if (values[CONVERT_CLIP].given) {
        scene->animations[0] = scene->animations[clip];
        scene->animation_count = 1;
    }
    if (values[CONVERT_TO_UNITS].given) {
        scene->source.metres_per_unit = values[CONVERT_TO_UNITS].number;
    }
    GtSaveDef def = gt_default_save_def();
    def.source_units = true;
    def.frame_rate_hz = values[CONVERT_FPS].number;
    def.text = values[CONVERT_TEXT].given;
    if (!write_scene(session, output, scene, &def)) {
        return false;
    }
    Loss losses[LOSS_COUNT];
    loss_count(scene, output, losses);
    loss_warn(session, output, losses);
    say_result(session, line, scene, output);
    report_losses(&session->report, losses);
    return true;
}

// A file a frame, or a cache of all.
static bool convert_frames(Session* session, const CommandLine* line, GtScene** scene)
{
    const OptionValue* values = line->values;
    const char* path = line->arguments[1];
    GtError error = { 0 };
    GtFramesReport did;
    GtFramesDef def = gt_default_frames_def();
    def.rate_hz = values[CONVERT_FPS].given ? values[CONVERT_FPS].number : def.rate_hz;
    if (!clip_find(session, *scene, line->arguments[0], &values[CONVERT_CLIP], &def.animation) ||
        !scene_unbake(session, def.animation, scene)) {
        return false;
    }
    if (gt_frames_save(&session->context, *scene, &def, path, &did, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    frames_say(session, path, &did);
    Json* report = &session->report;
    json_member_string(report, "input", line->arguments[0]);
    json_member_string(report, "input_format", (*scene)->source.file_format);
    json_member_string(report, "output", path);
    json_member_integer(report, "frames_written", did.frame_count);
    json_member_integer(report, "vertices", did.vertex_count);
    json_member_number(report, "rate_hz", did.rate_hz);
    return true;
}

static bool convert_run(Session* session, const CommandLine* line)
{
    Output output = { 0 };
    bool in_frames = gt_path_holds_frames(line->arguments[1]);
    if (!output_prepare_any(session, line->arguments[1], &line->values[CONVERT_FORMAT], &output)) {
        return false;
    }
    GtLoadDef def =
        scene_load_def(&line->values[CONVERT_UNITS], &line->values[CONVERT_UP], &line->values[CONVERT_GROUP]);
    GtScene* scene = NULL;
    if (!scene_read(session, line->arguments[0], &def, &scene)) {
        return false;
    }
    bool ok = in_frames ? convert_frames(session, line, &scene) : convert_scene(session, line, scene, &output);
    gt_scene_destroy(scene);
    return ok;
}

const Verb verb_convert = {
    .name = "convert",
    .summary = "turn a file into another format",
    .description =
        "Reads IN and writes OUT in the format that OUT's ending tells. What a format holds beyond what Gertie "
        "understands survives where both formats are glTF. What OUT has no room for is left out with a warning.\n\n"
        "BVH says neither its units nor which way is up. Both are inferred from the skeleton, and said; --units and "
        "--up decide where that is wrong. A BVH is written in the units and with the up axis of the file it came "
        "from, else in metres and Y up; --to-units chooses other units. The same holds for OBJ, PLY, STL and OFF, of "
        "which the units are guessed where the shape is a person's.\n\n"
        "OBJ, PLY and STL hold meshes without motion: skins and morphs are written as they are at rest. To take a "
        "motion along, end OUT in .pc2, which writes a point cache and the OBJ that it moves, or put # into its name, "
        "which writes a file a frame.",
    .arguments = { { .name = "IN", .help = "the file to read, or - for standard input" },
                   { .name = "OUT", .help = "the file to write, or - for standard output" } },
    .options = { [CONVERT_CLIP] = { .name = "clip",
                                    .kind = OPTION_TEXT,
                                    .value = "CLIP",
                                    .help = "keep this clip only, by name or by number counted from 0" },
                 [CONVERT_FPS] = { .name = "fps",
                                   .kind = OPTION_NUMBER,
                                   .value = "HZ",
                                   .help = "frames a second of a BVH, without it the clip's own; of a .pc2 and of "
                                           "files in a row, without it 30",
                                   .min = 0.01,
                                   .max = 10000 },
                 [CONVERT_UNITS] = OPTION_UNITS("units of IN, where its format does not say"),
                 [CONVERT_UP] = OPTION_UP("axis that points up in IN, where its format does not say"),
                 [CONVERT_TO_UNITS] = { .name = "to-units",
                                        .kind = OPTION_UNIT,
                                        .value = "UNIT",
                                        .help = "units of OUT, where its format does not say",
                                        .min = 1e-6,
                                        .max = 1e6,
                                        .choices = unit_names },
                 [CONVERT_GROUP] = { .name = "group",
                                     .kind = OPTION_TEXT,
                                     .value = "NAME",
                                     .help = "read this group or object of an OBJ only" },
                 [CONVERT_TEXT] = { .name = "text", .help = "write PLY or STL as text instead of binary" },
                 [CONVERT_FORMAT] = OPTION_STREAM_FORMAT },
    .examples = (const Example[]){ { "gertie convert walk.bvh walk.glb", "a motion for any glTF viewer" },
                                   { "gertie convert walk.bvh walk.glb --units in --up z",
                                     "the same, told that the file is in inches and Z up" },
                                   { "gertie convert dancer.glb dance.bvh --clip Dance --fps 30 --to-units cm",
                                     "one clip of a character as a BVH in centimetres" },
                                   { "gertie convert hero.gltf hero.glb", "a glTF and its outside files in one file" },
                                   { "gertie convert scan.obj body.glb --group body", "one group of a scan" },
                                   { "gertie convert dancer.glb dance.pc2 --fps 24",
                                     "a point cache for Blender, and dance.obj to put it on" },
                                   { "gertie convert dancer.glb dance_####.obj", "an OBJ a frame" },
                                   { NULL, NULL } },
    .run = convert_run,
};
