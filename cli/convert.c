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
    if (values[CONVERT_FPS].given && strcmp(output->format, "bvh") != 0) {
        session_warn(session, output->path, "%s files keep the times of all keys: --fps is not used", output->format);
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
    int32_t written = is_motion && scene->animation_count ? 1 : scene->animation_count;
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
    if (!output_write(session, output, scene, &def)) {
        return false;
    }
    Loss losses[LOSS_COUNT];
    loss_count(scene, output, losses);
    loss_warn(session, output, losses);
    say_result(session, line, scene, output);
    report_losses(&session->report, losses);
    return true;
}

static bool convert_run(Session* session, const CommandLine* line)
{
    Output output;
    if (!output_prepare(session, line->arguments[1], &line->values[CONVERT_FORMAT], &output)) {
        return false;
    }
    GtLoadDef def =
        scene_load_def(&line->values[CONVERT_UNITS], &line->values[CONVERT_UP], &line->values[CONVERT_GROUP]);
    GtScene* scene = NULL;
    if (!scene_read(session, line->arguments[0], &def, &scene)) {
        return false;
    }
    bool ok = convert_scene(session, line, scene, &output);
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
        "from, else in metres and Y up; --to-units chooses other units.",
    .arguments = { { .name = "IN", .help = "the file to read, or - for standard input" },
                   { .name = "OUT", .help = "the file to write, or - for standard output" } },
    .options = { [CONVERT_CLIP] = { .name = "clip",
                                    .kind = OPTION_TEXT,
                                    .value = "CLIP",
                                    .help = "keep this clip only, by name or by number counted from 0" },
                 [CONVERT_FPS] = { .name = "fps",
                                   .kind = OPTION_NUMBER,
                                   .value = "HZ",
                                   .help = "frames a second of a BVH; without it, the clip's own",
                                   .min = 0.01,
                                   .max = 10000 },
                 [CONVERT_UNITS] = { .name = "units",
                                     .kind = OPTION_UNIT,
                                     .value = "UNIT",
                                     .help = "units of IN, where its format does not say",
                                     .min = 1e-6,
                                     .max = 1e6,
                                     .choices = unit_names },
                 [CONVERT_UP] = { .name = "up",
                                  .kind = OPTION_CHOICE,
                                  .value = "AXIS",
                                  .help = "axis that points up in IN, where its format does not say",
                                  .choices = up_names },
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
                 [CONVERT_FORMAT] = { .name = "format",
                                      .kind = OPTION_CHOICE,
                                      .value = "NAME",
                                      .help = "format on standard output; glb without it",
                                      .choices = stream_formats } },
    .examples = (const Example[]){ { "gertie convert walk.bvh walk.glb", "a motion for any glTF viewer" },
                                   { "gertie convert walk.bvh walk.glb --units in --up z",
                                     "the same, told that the file is in inches and Z up" },
                                   { "gertie convert dancer.glb dance.bvh --clip Dance --fps 30 --to-units cm",
                                     "one clip of a character as a BVH in centimetres" },
                                   { "gertie convert hero.gltf hero.glb", "a glTF and its outside files in one file" },
                                   { NULL, NULL } },
    .run = convert_run,
};
