// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `sample`: the built-in figure and its walk, as files to try everything on.

#include "fail.h"
#include "loss.h"
#include "scenes.h"
#include "verbs.h"

#include "gertie/sample.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SAMPLE_OUTPUT,
    SAMPLE_HEIGHT,
    SAMPLE_SEGMENTS,
    SAMPLE_CYCLE,
    SAMPLE_CYCLES,
    SAMPLE_FPS,
    SAMPLE_FORMAT
};

enum {
    FIGURE,
    WALK
};

static const char* const sample_names[] = { "figure", "walk", NULL };
static const char* const sample_files[] = { "figure.glb", "walk.bvh" };
static const char default_folder[] = "sample";

static void set_default(OptionValue* value, double number)
{
    *value = (OptionValue){ .has_default = true, .number = number };
}

static void sample_defaults(OptionValue* values)
{
    GtSampleFigureDef figure = gt_default_sample_figure_def();
    GtSampleWalkDef walk = gt_default_sample_walk_def();
    set_default(&values[SAMPLE_HEIGHT], figure.height_m);
    set_default(&values[SAMPLE_SEGMENTS], figure.segments);
    set_default(&values[SAMPLE_CYCLE], walk.cycle_s);
    set_default(&values[SAMPLE_CYCLES], walk.cycle_count);
    set_default(&values[SAMPLE_FPS], walk.frame_rate_hz);
}

static GtResult make(const GtContext* context, int what, const OptionValue* values, GtScene** out, GtError* error)
{
    if (what == FIGURE) {
        GtSampleFigureDef def = gt_default_sample_figure_def();
        def.height_m = values[SAMPLE_HEIGHT].number;
        def.segments = (int32_t)values[SAMPLE_SEGMENTS].number;
        return gt_sample_figure(context, &def, out, error);
    }
    GtSampleWalkDef def = gt_default_sample_walk_def();
    def.height_m = values[SAMPLE_HEIGHT].number;
    def.cycle_s = values[SAMPLE_CYCLE].number;
    def.cycle_count = (int32_t)values[SAMPLE_CYCLES].number;
    def.frame_rate_hz = values[SAMPLE_FPS].number;
    return gt_sample_walk(context, &def, out, error);
}

static bool write_sample(Session* session, int what, const OptionValue* values, const Output* output)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    if (make(&session->context, what, values, &scene, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    GtSaveDef def = gt_default_save_def();
    def.frame_rate_hz = what == WALK ? values[SAMPLE_FPS].number : def.frame_rate_hz;
    bool ok = output_write(session, output, scene, &def);
    Loss losses[LOSS_COUNT];
    loss_count(scene, output, losses);
    gt_scene_destroy(scene);
    if (ok) {
        loss_warn(session, output, losses);
        json_string(&session->report, output->path);
        session_say(session, "wrote %s", output->path);
    }
    return ok;
}

// Both samples into a folder, which is made where it is missing.
static bool write_folder(Session* session, const char* folder, const OptionValue* values)
{
    GtError error;
    struct stat status;
    bool made = mkdir(folder, 0777) == 0;
    if (!made && errno != EEXIST) {
        fail(&error, GT_ERROR_IO, folder, "the folder cannot be made: %s", strerror(errno));
        return session_fail(session, &error);
    }
    if (stat(folder, &status) == 0 && !S_ISDIR(status.st_mode)) {
        fail(&error, GT_ERROR_IO, folder,
             "it is a file, and both samples need a folder; name one of them ('gertie sample figure -o FILE')");
        return session_fail(session, &error);
    }
    bool ok = true;
    for (int what = 0; ok && sample_names[what]; ++what) {
        Text path = { 0 };
        bool slash = folder[strlen(folder) - 1] == '/';
        text_addf(&path, "%s%s%s", folder, slash ? "" : "/", sample_files[what]);
        if (path.failed) {
            fail(&error, GT_ERROR_OUT_OF_MEMORY, folder, "out of memory");
            ok = session_fail(session, &error);
        } else {
            const char* format = strrchr(sample_files[what], '.') + 1;
            ok = write_sample(session, what, values, &(Output){ path.bytes, format, false });
        }
        text_free(&path);
    }
    if (!ok && made) {
        rmdir(folder); // only where it is empty
    }
    return ok;
}

static bool sample_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    const char* path = values[SAMPLE_OUTPUT].text;
    json_key(&session->report, "files");
    json_begin_array(&session->report);
    bool ok = false;
    if (line->argument_count == 0) {
        if (values[SAMPLE_FORMAT].given || (path && !strcmp(path, "-"))) {
            ok = session_misuse(session, "standard output takes one sample: 'gertie sample figure -o -'");
        } else {
            ok = write_folder(session, path ? path : default_folder, values);
        }
    } else {
        int what = !strcmp(line->arguments[0], sample_names[WALK]) ? WALK : FIGURE;
        Output output;
        ok = output_prepare(session, path ? path : sample_files[what], &values[SAMPLE_FORMAT], &output) &&
             write_sample(session, what, values, &output);
    }
    json_end_array(&session->report);
    return ok;
}

const Verb verb_sample = {
    .name = "sample",
    .summary = "write the built-in figure and walk",
    .description =
        "Writes a jointed figure of capsules with a smooth skin (figure.glb) and a walk in place that loops "
        "(walk.bvh), made by formulas, so that everything can be tried with nothing else at hand. Without WHAT, both "
        "go into a folder, which is made where it is missing; with WHAT, that one goes into a file of any format that "
        "can be written.",
    .arguments = { { .name = "WHAT",
                     .help = "figure or walk; both where it is not given",
                     .optional = true,
                     .choices = sample_names } },
    .options = { [SAMPLE_OUTPUT] = { .name = "output",
                                     .letter = 'o',
                                     .kind = OPTION_FILE,
                                     .value = "OUT",
                                     .help = "folder for both (default sample), file for one (default figure.glb or "
                                             "walk.bvh), - for standard output" },
                 [SAMPLE_HEIGHT] = { .name = "height",
                                     .kind = OPTION_NUMBER,
                                     .value = "METRES",
                                     .help = "height of the figure and the walker",
                                     .min = 0.2,
                                     .max = 10 },
                 [SAMPLE_SEGMENTS] = { .name = "segments",
                                       .kind = OPTION_INTEGER,
                                       .value = "N",
                                       .help = "vertices around a limb of the figure",
                                       .min = 4,
                                       .max = 256 },
                 [SAMPLE_CYCLE] = { .name = "cycle",
                                    .kind = OPTION_NUMBER,
                                    .value = "SECONDS",
                                    .help = "time of two steps of the walk",
                                    .min = 0.2,
                                    .max = 20 },
                 [SAMPLE_CYCLES] = { .name = "cycles",
                                     .kind = OPTION_INTEGER,
                                     .value = "N",
                                     .help = "how often the walk repeats",
                                     .min = 1,
                                     .max = 1000 },
                 [SAMPLE_FPS] = { .name = "fps",
                                  .kind = OPTION_NUMBER,
                                  .value = "HZ",
                                  .help = "frames a second of the walk",
                                  .min = 1,
                                  .max = 1000 },
                 [SAMPLE_FORMAT] = { .name = "format",
                                     .kind = OPTION_CHOICE,
                                     .value = "NAME",
                                     .help = "format on standard output",
                                     .choices = stream_formats } },
    .examples =
        (const Example[]){
            { "gertie sample -o demo", "write demo/figure.glb and demo/walk.bvh" },
            { "gertie sample figure -o small.glb --height 1.2 --segments 32", "a smaller, smoother figure" },
            { "gertie sample walk -o - --format bvh --cycle 0.8 | less", "a faster walk, to read" },
            { NULL, NULL } },
    .defaults = sample_defaults,
    .run = sample_run,
};
