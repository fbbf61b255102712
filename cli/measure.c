// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `measure`: how good an animation is, as a table, as JSON, and as a page with plots and pictures.

#include "fail.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include "gertie/measure_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct MeasureOptions {
    GtMeasureDef measure;
    GtLoadDef load;
    const char* source; // paths and names, or NULL
    const char* output;
    const char* clip;
    const char* source_clip;
    const char* ground;
} MeasureOptions;

static void set_defaults(void* options)
{
    *(MeasureOptions*)options = (MeasureOptions){ .measure = gt_default_measure_def(), .load = gt_default_load_def() };
}

static bool check_output(Session* session, const char* path)
{
    if (!path) {
        return true;
    }
    const char* ending = strrchr(path, '.');
    if (!ending || (strcasecmp(ending, ".html") != 0 && strcasecmp(ending, ".htm") != 0)) {
        return session_misuse(session, "%s: the page is written as .html", path);
    }
    return output_place_check(session, path);
}

static bool show(Session* session, const MeasureOptions* options, const GtMeasureReport* report)
{
    bool ok = true;
    if (session->json) {
        gt_measure_report_write(&session->report, report);
    } else {
        GtText table = { 0 };
        gt_measure_table_add(&table, report);
        ok = session_print(session, &table);
        gt_text_destroy(&table);
    }
    if (!ok || !options->output) {
        return ok;
    }
    GtError error = { 0 };
    if (gt_measure_page_write(&session->context, report, options->output, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    gt_json_member_string(&session->report, "output", options->output);
    session_say(session, "wrote %s", options->output);
    return true;
}

static bool measure_scenes(Session* session, const CommandLine* line, const GtScene* scene, int32_t clip,
                           const GtScene* source)
{
    const MeasureOptions* options = line->options;
    char room[32];
    char source_room[32];
    GtError error = { 0 };
    GtMeasureDef def = options->measure;
    GtMeasureReport m = { .file = line->arguments[0], .scene = scene, .animation = clip };
    m.clip_name = scene->animation_count ? clip_name(scene, clip, room) : "";
    def.animation = clip;
    if (source) {
        m.source_file = options->source;
        if (!clip_find(session, source, m.source_file, options->source_clip, &def.source_animation)) {
            return false;
        }
        def.source = source;
        m.source_clip_name = source->animation_count ? clip_name(source, def.source_animation, source_room) : "";
    }
    GtMeasure* measure = NULL;
    session->subject = m.file;
    GtGround* ground = NULL;
    if (!transfer_read_ground(session, options->ground, &ground)) {
        return false;
    }
    def.ground = ground;
    GtResult result = gt_measure(&session->context, scene, &def, &measure, &error);
    gt_ground_destroy(ground);
    session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, m.file);
        return session_fail(session, &error);
    }
    m.measure = measure;
    bool ok = show(session, options, &m);
    gt_measure_destroy(measure);
    return ok;
}

static bool measure_run(Session* session, const CommandLine* line)
{
    const MeasureOptions* options = line->options;
    if (!check_output(session, options->output)) {
        return false;
    }
    if (options->source_clip && !options->source) {
        return session_misuse(session, "--source-clip is a clip of --source, which is not given");
    }
    GtScene* scene = NULL;
    GtScene* source = NULL;
    int32_t clip = GT_NONE;
    const char* file = line->arguments[0];
    bool ok = scene_read(session, file, &options->load, &scene) &&
              (!options->source || scene_read(session, options->source, &options->load, &source)) &&
              clip_find(session, scene, file, options->clip, &clip) && scene_unbake(session, clip, &scene) &&
              measure_scenes(session, line, scene, clip, source);
    gt_scene_destroy(source);
    gt_scene_destroy(scene);
    return ok;
}

const Verb verb_measure = {
    .name = "measure",
    .summary = "measure how good an animation is",
    .description =
        "Measures a clip of FILE: how far feet slide, sink in and float; how knees accelerate; how the centre of mass "
        "falls in flight; how the end of the clip meets its start; skin that penetrates skin; and around every joint "
        "the volume of the skin, its cross-sections, distance to the bone, stretch and inverted triangles. With "
        "--source, also how far joints point away from the motion that FILE was made from.\n\n"
        "Contacts come from a fixed formula, on the source where there is one: a heel or toe slower than 0.15 m/s and "
        "less than 4 cm above the 5th percentile of its height for at least 80 ms. Sliding is measured at the point "
        "of contact, so that a heel that rolls does not slide.\n\n"
        "Of a file without a humanoid, the skin and the loop seam are measured.",
    .arguments = { { .name = "FILE", .help = "a file with a clip, or - for standard input" } },
    .options = { PATH_OPTION("source", MeasureOptions, source, "MOTION", "the motion that FILE was made from"),
                 PATH_OPTION("output", MeasureOptions, output, "OUT.html",
                             "write a page with plots and pictures of the worst frames", .letter = 'o',
                             .endings = "html"),
                 OPTION_CLIP_OF(MeasureOptions, "FILE"),
                 TEXT_OPTION("source-clip", MeasureOptions, source_clip, "CLIP",
                             "clip of MOTION, by name or by number from 0", .default_text = "the first"),
                 FIELD_OPTION("floor", MeasureOptions, measure, floor_m),
                 PATH_OPTION("ground", MeasureOptions, ground, "MESH", "uneven ground that the feet were planted on"),
                 FIELD_OPTION("mesh-frames", MeasureOptions, measure, mesh_frame_count),
                 OPTION_UNITS_OF(MeasureOptions), OPTION_UP_OF(MeasureOptions) },
    .more_from = "clip",
    .examples =
        (const Example[]){ { "gertie measure hero.glb --source walk.bvh", "what the transfer has cost" },
                           { "gertie measure hero.glb --source walk.bvh -o report.html",
                             "the same as a page with plots and pictures" },
                           { "gertie measure run.bvh", "how clean a capture is" },
                           { "gertie measure hero.glb --clip walk --json | jq .seam.gap_m", "whether the clip loops" },
                           { NULL, NULL } },
    .options_size = sizeof(MeasureOptions),
    .set_defaults = set_defaults,
    .run = measure_run,
};
