// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `convert`: one file into another format, saying what the other format cannot hold.

#include "scenes.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct ConvertOptions {
    GtLoadDef load;
    GtSaveDef save;
    const char* clip; // or NULL
    const char* format;
    double to_units; // metres; 0 for those of the source
} ConvertOptions;

static void set_defaults(void* options)
{
    *(ConvertOptions*)options = (ConvertOptions){ .load = gt_default_load_def(), .save = gt_default_save_def() };
}

static void report_losses(GtJsonWriter* report, const GtSaveLoss* losses, int32_t count)
{
    gt_json_member_array(report, "lost");
    for (int32_t i = 0; i < count; ++i) {
        gt_json_next_is_row(report);
        gt_json_begin_object(report);
        gt_json_member_string(report, "what", losses[i].many);
        gt_json_member_integer(report, "count", losses[i].count);
        gt_json_end_object(report);
    }
    gt_json_end_array(report);
}

static void warn_of_useless_options(Session* session, const CommandLine* line, const GtScene* scene,
                                    const Output* output)
{
    const ConvertOptions* options = line->options;
    if ((option_given(line, "units") || option_given(line, "up")) &&
        gt_format_holds(scene->source.file_format, GT_HOLDS_UNITS)) {
        session_warn(session, line->arguments[0],
                     "%s files are always in metres and Y up: --units and --up are not used",
                     scene->source.file_format);
    }
    if (options->to_units > 0.0 && gt_format_holds(output->format, GT_HOLDS_UNITS)) {
        session_warn(session, output->path, "%s files are always in %s: --to-units is not used", output->format,
                     strcmp(output->format, "fbx") == 0 ? "centimetres" : "metres");
    }
    if (options->save.frame_rate_hz > 0.0 && !gt_format_holds(output->format, GT_HOLDS_MOTION)) {
        session_warn(session, output->path,
                     "%s files hold no motion: --fps is not used; put # into the name for a file "
                     "a frame",
                     output->format);
    } else if (options->save.frame_rate_hz > 0.0 && strcmp(output->format, "bvh") != 0 &&
               strcmp(output->format, "fbx") != 0) {
        session_warn(session, output->path, "%s files keep the times of all keys: --fps is not used", output->format);
    }
    if (options->save.text && strcmp(output->format, "ply") != 0 && strcmp(output->format, "stl") != 0) {
        session_warn(session, output->path, "%s files are not both text and binary: --text is not used",
                     output->format);
    }
}

static void add_count(GtText* list, int32_t count, const char* one, const char* many)
{
    if (count > 0) {
        gt_text_addf(list, "%s%d %s", list->size ? ", " : ": ", (int)count, count == 1 ? one : many);
    }
}

static void say_result(Session* session, const CommandLine* line, const GtScene* scene, const Output* output)
{
    GtJsonWriter* report = &session->report;
    bool is_motion = !strcmp(output->format, "bvh");
    int32_t written = !gt_format_holds(output->format, GT_HOLDS_MOTION) ? 0
                      : is_motion && scene->animation_count             ? 1
                                                                        : scene->animation_count;
    gt_json_member_string(report, "input", line->arguments[0]);
    gt_json_member_string(report, "input_format", scene->source.file_format);
    gt_json_member_string(report, "output", output->path);
    gt_json_member_string(report, "output_format", output->format);
    gt_json_member_integer(report, "clips_written", written);
    GtText list = { 0 };
    bool is_all = !is_motion && !((const ConvertOptions*)line->options)->save.animation_only;
    add_count(&list, is_all ? scene->node_count : 0, "node", "nodes");
    add_count(&list, is_all ? scene->mesh_count : 0, "mesh", "meshes");
    add_count(&list, written, "clip", "clips");
    session_say(session, "wrote %s%s", output->path, list.failed || !list.bytes ? "" : list.bytes);
    gt_text_destroy(&list);
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
    if (gt_format_holds(output->format, GT_HOLDS_MOTION) || !moves(scene)) {
        return output_save(session, output, scene, def);
    }
    GtError error = { 0 };
    GtScene* frozen = NULL;
    bool ok =
        (gt_scene_freeze_rest(&session->context, scene, &frozen, &error) == GT_OK || session_fail(session, &error)) &&
        output_save(session, output, frozen, def);
    gt_scene_destroy(frozen);
    return ok;
}

static bool convert_scene(Session* session, const CommandLine* line, GtScene* scene, const Output* output)
{
    const ConvertOptions* options = line->options;
    warn_of_useless_options(session, line, scene, output);
    int32_t clip = GT_NONE;
    if (!clip_find(session, scene, line->arguments[0], options->clip, &clip)) {
        return false;
    }
    if (options->clip) {
        scene->animations[0] = scene->animations[clip];
        scene->animation_count = 1;
    }
    if (options->to_units > 0.0) {
        scene->source.metres_per_unit = options->to_units;
    }
    if (!write_scene(session, output, scene, &options->save)) {
        return false;
    }
    GtSaveLoss losses[GT_SAVE_LOSS_COUNT];
    int32_t loss_count = output_losses(session, output, scene, &options->save, losses);
    say_result(session, line, scene, output);
    report_losses(&session->report, losses, loss_count);
    return true;
}

// A file a frame, or a cache of all.
static bool convert_frames(Session* session, const CommandLine* line, GtScene** scene, const Output* output)
{
    const ConvertOptions* options = line->options;
    GtExportReport did;
    GtExportDef def = gt_default_export_def();
    def.rate_hz = options->save.frame_rate_hz;
    if (!clip_find(session, *scene, line->arguments[0], options->clip, &def.animation) ||
        !scene_unbake(session, def.animation, scene) || !output_export(session, output, *scene, &def, &did)) {
        return false;
    }
    GtJsonWriter* report = &session->report;
    gt_json_member_string(report, "input", line->arguments[0]);
    gt_json_member_string(report, "input_format", (*scene)->source.file_format);
    gt_json_member_string(report, "output", output->path);
    gt_json_member_integer(report, "frames_written", did.frame_count);
    gt_json_member_integer(report, "vertices", did.vertex_count);
    gt_json_member_number(report, "rate_hz", did.rate_hz);
    return true;
}

static bool convert_run(Session* session, const CommandLine* line)
{
    const ConvertOptions* options = line->options;
    Output output = { 0 };
    bool in_frames = gt_export_kind(line->arguments[1]) == GT_EXPORT_FRAMES;
    if (!(in_frames ? output_prepare_export : output_prepare)(session, line->arguments[1], options->format, &output) ||
        !output_check_animation_only(session, &output, &options->save)) {
        return false;
    }
    GtScene* scene = NULL;
    if (!scene_read(session, line->arguments[0], &options->load, &scene)) {
        return false;
    }
    bool ok = in_frames ? convert_frames(session, line, &scene, &output) : convert_scene(session, line, scene, &output);
    gt_scene_destroy(scene);
    return ok;
}

const Verb verb_convert = {
    .name = "convert",
    .summary = "convert a file to another format",
    .description =
        "Reads IN and writes OUT in the format of OUT's ending. Between glTF files, data that Gertie does not "
        "understand is kept. What the format of OUT cannot hold is left out with a warning.\n\n"
        "BVH, OBJ, PLY, STL and OFF state neither their units nor which axis points up. Both are inferred and "
        "printed; --units and --up override them. Such a file is written in the units and with the up axis of its "
        "source, else in metres and Y up; --to-units chooses other units.\n\n"
        "OBJ, PLY and STL hold meshes without motion: skins and morphs are written in their rest pose. To write a "
        "motion, end OUT in .pc2 for a point cache and the OBJ that it moves, or put # into its name for one file per "
        "frame.",
    .arguments = { { .name = "IN", .help = "the file to read, or - for standard input" },
                   { .name = "OUT", .help = "the file to write, or - for standard output" } },
    .options = { OPTION_ONLY_CLIP_OF(ConvertOptions, "keep"),
                 FIELD_OPTION("fps", ConvertOptions, save, frame_rate_hz,
                              .help = "frame rate of a BVH or FBX, or of a motion written frame by frame",
                              .default_text = "the clip's own; 30 frame by frame"),
                 OPTION_UNITS_OF(ConvertOptions),
                 OPTION_UP_OF(ConvertOptions),
                 { "to-units", .table = gt_load_def_fields, .field = "metres_per_unit",
                   .offset = offsetof(ConvertOptions, to_units), .value = "UNIT",
                   .help = "unit of length or metres per unit of OUT, where its format does not say",
                   .default_text = "that of IN, else m" },
                 OPTION_GROUP_OF(ConvertOptions),
                 FIELD_OPTION("text", ConvertOptions, save, text),
                 FIELD_OPTION("end-joints", ConvertOptions, save, end_joints),
                 FIELD_OPTION("root-joint", ConvertOptions, save, root_joint),
                 FIELD_OPTION("rest", ConvertOptions, save, rest, .value = "POSE"),
                 OPTION_ANIMATION_ONLY_OF(ConvertOptions),
                 OPTION_FORMAT_OF(ConvertOptions) },
    .more_from = "to-units",
    .examples =
        (const Example[]){
            { "gertie convert walk.bvh walk.glb", "a motion for any glTF viewer" },
            { "gertie convert walk.bvh walk.glb --units in --up z", "the same for a file in inches with Z up" },
            { "gertie convert hero.glb walk.bvh --clip walk --fps 30 --to-units cm",
              "one clip of a character as a BVH in centimetres" },
            { "gertie convert hero.gltf hero.glb", "a glTF and its outside files in one file" },
            { "gertie convert scan.obj body.glb --group Scan", "one object of a scan" },
            { "gertie convert hero.glb hero.pc2 --fps 24", "a point cache for Blender, and hero.obj to put it on" },
            { "gertie convert hero.glb hero_####.obj", "one OBJ per frame" },
            { NULL, NULL } },
    .options_size = sizeof(ConvertOptions),
    .set_defaults = set_defaults,
    .run = convert_run,
};
