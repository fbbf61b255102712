// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `measure`: how good an animation is, as a table, as JSON, and as a page with plots and pictures.

#include "measure.h"

#include "fail.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    MEASURE_SOURCE,
    MEASURE_OUTPUT,
    MEASURE_CLIP,
    MEASURE_SOURCE_CLIP,
    MEASURE_FLOOR,
    MEASURE_GROUND,
    MEASURE_MESH_FRAMES,
    MEASURE_UNITS,
    MEASURE_UP
};

static void measure_defaults(OptionValue* values)
{
    GtMeasureDef def = gt_default_measure_def();
    values[MEASURE_MESH_FRAMES].has_default = true;
    values[MEASURE_MESH_FRAMES].number = def.mesh_frame_count;
}

static bool check_output(Session* session, const OptionValue* output)
{
    if (!output->given) {
        return true;
    }
    const char* ending = strrchr(output->text, '.');
    if (!ending || (strcasecmp(ending, ".html") != 0 && strcasecmp(ending, ".htm") != 0)) {
        return session_misuse(session, "%s: the page is written as .html", output->text);
    }
    return output_place_check(session, output->text);
}

static bool write_page(Session* session, const Measured* m, const char* path)
{
    GtError error = { 0 };
    Text page = { 0 };
    bool ok = measure_add_page(session, &page, m);
    if (ok && page.failed) {
        fail(&error, GT_ERROR_OUT_OF_MEMORY, path, "out of memory");
        ok = session_fail(session, &error);
    }
    if (ok && gt_file_write(&session->context, path, page.bytes, page.size, &error) != GT_OK) {
        ok = session_fail(session, &error);
    }
    text_free(&page);
    if (ok) {
        json_member_string(&session->report, "output", path);
        session_say(session, "wrote %s", path);
    }
    return ok;
}

static bool show(Session* session, const CommandLine* line, const Measured* m)
{
    bool ok = true;
    if (session->json) {
        measure_report(&session->report, m);
    } else {
        Text table = { 0 };
        measure_add_table(&table, m);
        ok = session_print(session, &table);
        text_free(&table);
    }
    const OptionValue* output = &line->values[MEASURE_OUTPUT];
    return ok && (!output->given || write_page(session, m, output->text));
}

static bool measure_scenes(Session* session, const CommandLine* line, const GtScene* scene, int32_t clip,
                           const GtScene* source)
{
    const OptionValue* values = line->values;
    char room[32];
    char source_room[32];
    GtError error = { 0 };
    GtMeasureDef def = gt_default_measure_def();
    Measured m = { .file = line->arguments[0], .scene = scene, .clip = clip };
    m.clip_name = scene->animation_count ? clip_name(scene, m.clip, room) : "";
    def.animation = m.clip;
    if (source) {
        m.source_file = values[MEASURE_SOURCE].text;
        if (!clip_find(session, source, m.source_file, &values[MEASURE_SOURCE_CLIP], &def.source_animation)) {
            return false;
        }
        def.source = source;
        m.source_clip_name = source->animation_count ? clip_name(source, def.source_animation, source_room) : "";
    }
    def.floor_m = values[MEASURE_FLOOR].given ? values[MEASURE_FLOOR].number : def.floor_m;
    def.mesh_frame_count =
        values[MEASURE_MESH_FRAMES].given ? (int32_t)values[MEASURE_MESH_FRAMES].number : def.mesh_frame_count;
    GtMeasure* measure = NULL;
    session->subject = m.file;
    GtGround* ground = NULL;
    if (!transfer_read_ground(session, &values[MEASURE_GROUND], &ground)) {
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
    bool ok = show(session, line, &m);
    gt_measure_destroy(measure);
    return ok;
}

static bool measure_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    if (!check_output(session, &values[MEASURE_OUTPUT])) {
        return false;
    }
    if (values[MEASURE_SOURCE_CLIP].given && !values[MEASURE_SOURCE].given) {
        return session_misuse(session, "--source-clip is a clip of --source, which is not given");
    }
    GtLoadDef load = scene_load_def(&values[MEASURE_UNITS], &values[MEASURE_UP], NULL);
    GtScene* scene = NULL;
    GtScene* source = NULL;
    int32_t clip = GT_NONE;
    const char* file = line->arguments[0];
    bool ok = scene_read(session, file, &load, &scene) &&
              (!values[MEASURE_SOURCE].given || scene_read(session, values[MEASURE_SOURCE].text, &load, &source)) &&
              clip_find(session, scene, file, &values[MEASURE_CLIP], &clip) && scene_unbake(session, clip, &scene) &&
              measure_scenes(session, line, scene, clip, source);
    gt_scene_destroy(source);
    gt_scene_destroy(scene);
    return ok;
}

const Verb verb_measure = {
    .name = "measure",
    .summary = "say how good an animation is, in numbers",
    .description =
        "Measures a clip of FILE: how far feet skate, sink in and float; how knees accelerate; how the centre of mass "
        "falls in flights; how the end meets the start; skin that goes into skin; and for the skin around every joint "
        "its volume, cross-sections, distance to the bone, stretch and triangles turned inside out. With --source, the "
        "motion it was made from, also how far joints point away from it.\n\n"
        "Contacts come from a fixed formula, on the source where there is one: a heel or toe slower than 0.15 m/s and "
        "less than 4 cm above the 5th percentile of its height for 80 ms or more. Skate is how far the point of "
        "contact "
        "slides; a heel that rolls does not skate.\n\n"
        "A file that is no humanoid is measured as far as that goes: skin and loop seam.",
    .arguments = { { .name = "FILE", .help = "a file with a clip, or - for standard input" } },
    .options = { [MEASURE_SOURCE] = { .name = "source",
                                      .kind = OPTION_FILE,
                                      .value = "MOTION",
                                      .help = "the motion that FILE was made from" },
                 [MEASURE_OUTPUT] = { .name = "output",
                                      .letter = 'o',
                                      .kind = OPTION_FILE,
                                      .value = "OUT",
                                      .help = "page to write, .html, with plots and pictures of the worst frames",
                                      .endings = "html" },
                 [MEASURE_CLIP] = { .name = "clip",
                                    .kind = OPTION_TEXT,
                                    .value = "CLIP",
                                    .help =
                                        "clip of FILE, by name or by number counted from 0; without it, the first" },
                 [MEASURE_SOURCE_CLIP] = { .name = "source-clip",
                                           .kind = OPTION_TEXT,
                                           .value = "CLIP",
                                           .help = "clip of MOTION, likewise" },
                 [MEASURE_GROUND] = { .name = "ground",
                                      .kind = OPTION_FILE,
                                      .value = "MESH",
                                      .help = "uneven ground under the figure, as it was planted on" },
                 [MEASURE_FLOOR] = { .name = "floor",
                                     .kind = OPTION_NUMBER,
                                     .value = "METRES",
                                     .help = "height of the ground; without it, 0, or where the feet are when that is "
                                             "far off",
                                     .min = -1e6,
                                     .max = 1e6 },
                 [MEASURE_MESH_FRAMES] = { .name = "mesh-frames",
                                           .kind = OPTION_INTEGER,
                                           .value = "N",
                                           .help = "frames, spread evenly, at which the skin is measured",
                                           .min = 0,
                                           .max = 100000 },
                 [MEASURE_UNITS] = OPTION_UNITS("units of a file whose format does not say"),
                 [MEASURE_UP] = OPTION_UP("axis that points up in a file whose format does not say") },
    .examples =
        (const Example[]){ { "gertie measure walking.glb --source walk.bvh", "what the transfer has cost" },
                           { "gertie measure walking.glb --source walk.bvh -o report.html",
                             "likewise, as a page with plots and pictures" },
                           { "gertie measure run.bvh", "how clean a capture is" },
                           { "gertie measure hero.glb --clip Run --json | jq .seam.gap_m", "does the cycle close" },
                           { NULL, NULL } },
    .defaults = measure_defaults,
    .run = measure_run,
};
