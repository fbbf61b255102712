// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `plot`: curves of one or more files over time. All files are read and all curves looked for before anything
// is sampled, so that a typing mistake costs no waiting.

#include "fail.h"
#include "interrupt.h"
#include "scenes.h"
#include "verbs.h"

#include "gertie/number.h"
#include "gertie/plot.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

typedef struct PlotOptions {
    GtPlotSeriesDef plot_series;
    GtPlotDef plot;
    GtLoadDef load;
    TextList curves;
    const char* output; // or NULL
    const char* format;
    const char* clip;
} PlotOptions;

static void set_defaults(void* options)
{
    *(PlotOptions*)options = (PlotOptions){ .plot_series = gt_default_plot_series_def(),
                                            .plot = gt_default_plot_def(),
                                            .load = gt_default_load_def() };
}

static const GtChoice plot_formats[] = { { "svg", 0, NULL }, { "csv", 0, NULL }, { NULL, 0, NULL } };

// One of the files.
typedef struct Subject {
    const char* path;
    const char* name; // in the legend
    GtScene* scene;
    int32_t clip;
    const char** addresses; // [address_count] of the curves it has
    int32_t address_count;
    GtPlotSeriesSet* curves; // or NULL where it has none
} Subject;

typedef struct Plot {
    Session* session;
    const CommandLine* line;
    const PlotOptions* options;
    GtArena arena;
    Subject* subjects; // [subject_count]
    int32_t subject_count;
    Output output;
    bool has_output; // --json alone only measures
} Plot;

static bool out_of_memory(Session* session)
{
    GtError error;
    fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
    return session_fail(session, &error);
}

static const char* base_name(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static bool prepare_stream(Plot* p, const char* format)
{
    Session* session = p->session;
    p->has_output = p->options->output || !session->json;
    p->output = (Output){ .path = "standard output", .format = format ? format : "svg", .is_stream = true };
    if (p->has_output && session->json) {
        return session_misuse(session, "--json and the result cannot both go to standard output: write to a file");
    }
    if (p->has_output && !strcmp(p->output.format, "svg") && isatty(STDOUT_FILENO)) {
        return session_misuse(session, "standard output is a terminal, which shows no pictures: name a file with -o");
    }
    return true;
}

static bool prepare_output(Plot* p)
{
    const char* path = p->options->output;
    if (!path || !strcmp(path, "-")) {
        return prepare_stream(p, p->options->format);
    }
    if (p->options->format) {
        return session_misuse(p->session, "--format is for standard output (-): a file's ending tells its format");
    }
    const char* ending = strrchr(base_name(path), '.');
    p->has_output = true;
    p->output = (Output){ .path = path };
    for (const GtChoice* format = plot_formats; ending && format->name; ++format) {
        p->output.format = strcasecmp(ending + 1, format->name) ? p->output.format : format->name;
    }
    return output_place_check(p->session, path) &&
           (p->output.format || session_misuse(p->session, "%s: a plot is written as .svg or .csv", path));
}

// Files by the last part of their path, or by all of it where that is not enough to tell them apart.
static void name_subjects(Plot* p)
{
    bool alike = false;
    for (int32_t i = 0; i < p->subject_count; ++i) {
        p->subjects[i].name = base_name(p->subjects[i].path);
        for (int32_t j = 0; j < i; ++j) {
            alike |= !strcmp(p->subjects[i].name, p->subjects[j].name);
        }
    }
    for (int32_t i = 0; alike && i < p->subject_count; ++i) {
        p->subjects[i].name = p->subjects[i].path;
    }
}

static bool read_subjects(Plot* p)
{
    const PlotOptions* options = p->options;
    size_t curve_count = (size_t)options->curves.count;
    p->subjects = gt_arena_push_array(&p->arena, (size_t)p->line->argument_count, sizeof *p->subjects);
    if (!p->subjects) {
        return out_of_memory(p->session);
    }
    for (int i = 0; i < p->line->argument_count && !interrupt_signal(); ++i) {
        Subject* subject = &p->subjects[p->subject_count++];
        subject->path = p->line->arguments[i];
        subject->addresses = gt_arena_push_array(&p->arena, curve_count, sizeof *subject->addresses);
        if (!subject->addresses) {
            return out_of_memory(p->session);
        }
        if (!scene_read(p->session, subject->path, &options->load, &subject->scene) ||
            !clip_find(p->session, subject->scene, subject->path, options->clip, &subject->clip)) {
            return false;
        }
    }
    name_subjects(p);
    return !interrupt_signal();
}

// See which files have which curves. One that no file has is an error; one that only some have is left out of the
// others with a warning, since files that are compared may name their joints differently.
static bool find_curves(Plot* p)
{
    const TextList* curves = &p->options->curves;
    for (int c = 0; c < curves->count; ++c) {
        GtError first_error = { 0 };
        int found_count = 0;
        for (int32_t i = 0; i < p->subject_count; ++i) {
            GtError error = { 0 };
            Subject* subject = &p->subjects[i];
            if (gt_plot_series_check(&p->session->context, subject->scene, curves->texts[c], &error) == GT_OK) {
                subject->addresses[subject->address_count++] = curves->texts[c];
                ++found_count;
            } else if (!first_error.code) {
                first_error = error;
                error_set_file(&first_error, subject->path);
            }
        }
        if (found_count == 0 || (found_count < p->subject_count && p->session->context.strict)) {
            return session_fail(p->session, &first_error);
        }
    }
    for (int32_t i = 0; i < p->subject_count; ++i) {
        const Subject* subject = &p->subjects[i];
        int32_t next = 0;
        for (int c = 0; c < curves->count; ++c) {
            if (next < subject->address_count && subject->addresses[next] == curves->texts[c]) {
                ++next;
            } else {
                session_warn(p->session, subject->path, "it has no %s, which is left out", curves->texts[c]);
            }
        }
    }
    return true;
}

static bool sample_subject(Plot* p, Subject* subject)
{
    GtPlotSeriesDef def = p->options->plot_series;
    def.animation = subject->clip;
    GtError error = { 0 };
    p->session->subject = subject->path;
    GtResult result = gt_plot_series_sample(&p->session->context, subject->scene, subject->addresses,
                                            subject->address_count, &def, &subject->curves, &error);
    p->session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, subject->path);
        return session_fail(p->session, &error);
    }
    return true;
}

// "walk.bvh: leftFoot.speed" where there are several files.
static const char* make_label(Plot* p, const Subject* subject, const GtPlotSeries* curve)
{
    if (p->subject_count == 1) {
        return curve->address;
    }
    GtText text = { 0 };
    gt_text_addf(&text, "%s: %s", subject->name, curve->address);
    const char* label = text.failed ? NULL : gt_arena_push_text(&p->arena, text.bytes, text.size);
    gt_text_destroy(&text);
    return label;
}

static bool collect_lines(Plot* p, GtPlotDef* def)
{
    size_t count = 0;
    for (int32_t i = 0; i < p->subject_count; ++i) {
        count += p->subjects[i].curves ? (size_t)p->subjects[i].curves->count : 0;
    }
    GtPlotLine* lines = gt_arena_push_array(&p->arena, count, sizeof *lines);
    if (!lines) {
        return out_of_memory(p->session);
    }
    def->lines = lines;
    for (int32_t i = 0; i < p->subject_count; ++i) {
        const Subject* subject = &p->subjects[i];
        for (int32_t c = 0; subject->curves && c < subject->curves->count; ++c) {
            const GtPlotSeries* curve = &subject->curves->series[c];
            lines[def->line_count] = (GtPlotLine){ curve, make_label(p, subject, curve), i };
            if (!lines[def->line_count++].label) {
                return out_of_memory(p->session);
            }
        }
    }
    return true;
}

// "walk.bvh: Walk" for one file; the legend names several.
static bool choose_title(Plot* p, GtPlotDef* def)
{
    if (def->title) {
        def->title = def->title[0] ? def->title : NULL;
        return true;
    }
    if (p->subject_count > 1) {
        return true;
    }
    char room[32];
    GtText text = { 0 };
    const char* name = p->subjects[0].scene->animations[p->subjects[0].clip].name;
    const char* clip = clip_name(p->subjects[0].scene, p->subjects[0].clip, room);
    size_t stem = strcspn(p->subjects[0].name, ".");
    bool is_stem = name && strlen(name) == stem && !strncmp(name, p->subjects[0].name, stem);
    bool is_told = ((name && name[0]) || p->subjects[0].scene->animation_count > 1) && !is_stem;
    gt_text_addf(&text, "%s%s%s", p->subjects[0].name, is_told ? ": " : "", is_told ? clip : "");
    def->title = text.failed ? NULL : gt_arena_push_text(&p->arena, text.bytes, text.size);
    gt_text_destroy(&text);
    return def->title || out_of_memory(p->session);
}

static bool write_plot(Plot* p, const GtPlotDef* def)
{
    GtError error = { 0 };
    const GtContext* context = &p->session->context;
    if (!p->output.is_stream) {
        return gt_plot_save(context, def, p->output.path, &error) == GT_OK || session_fail(p->session, &error);
    }
    GtBlob* blob = NULL;
    GtResult result = (strcmp(p->output.format, "csv") ? gt_plot_svg : gt_plot_csv)(context, def, &blob, &error);
    if (result != GT_OK) {
        return session_fail(p->session, &error);
    }
    GtText bytes = { .bytes = (char*)gt_blob_bytes(blob), .size = gt_blob_size(blob) };
    bool ok = session_print(p->session, &bytes);
    gt_blob_release(blob);
    return ok;
}

static void report_curve(GtJsonWriter* json, const Subject* subject, const GtPlotSeries* curve)
{
    char room[32];
    gt_json_next_is_row(json);
    gt_json_begin_object(json);
    gt_json_member_string(json, "file", subject->path);
    gt_json_member_string(json, "clip", clip_name(subject->scene, subject->clip, room));
    gt_json_member_string(json, "curve", curve->address);
    gt_json_member_string(json, "quantity", gt_quantity_name(curve->quantity));
    gt_json_member_string(json, "unit", gt_quantity_unit(curve->quantity));
    gt_json_member_number(json, "start_s", curve->times_s[0]);
    gt_json_member_number(json, "end_s", curve->times_s[curve->sample_count - 1]);
    gt_json_member_integer(json, "samples", curve->sample_count);
    gt_json_member_integer(json, "keys", curve->key_count);
    gt_json_member_number(json, "min", curve->min);
    gt_json_member_number(json, "max", curve->max);
    gt_json_member_number(json, "mean", curve->mean);
    gt_json_end_object(json);
}

static void say_result(Plot* p, const GtPlotDef* def)
{
    GtJsonWriter* report = &p->session->report;
    if (p->has_output) {
        gt_json_member_string(report, "output", p->output.path);
        gt_json_member_string(report, "output_format", p->output.format);
        session_say(p->session, "wrote %s: %d curve%s", p->output.path, (int)def->line_count,
                    def->line_count == 1 ? "" : "s");
    }
    gt_json_member_array(report, "curves");
    int32_t index = 0;
    for (int32_t i = 0; i < p->subject_count; ++i) {
        const GtPlotSeriesSet* curves = p->subjects[i].curves;
        for (int32_t c = 0; curves && c < curves->count; ++c, ++index) {
            const GtPlotSeries* curve = &curves->series[c];
            const char* unit = gt_quantity_unit(curve->quantity);
            report_curve(report, &p->subjects[i], curve);
            session_say(p->session, "  %s: %.4g to %.4g%s%s, mean %.4g", def->lines[index].label, curve->min,
                        curve->max, unit[0] ? " " : "", unit, curve->mean);
        }
    }
    gt_json_end_array(report);
}

static bool draw(Plot* p)
{
    GtPlotDef def = p->options->plot;
    if (!collect_lines(p, &def) || !choose_title(p, &def) || (p->has_output && !write_plot(p, &def))) {
        return false;
    }
    say_result(p, &def);
    return true;
}

static bool plot_run(Session* session, const CommandLine* line)
{
    Plot p = {
        .session = session, .line = line, .options = line->options, .arena = gt_arena_create(session->context.allocator)
    };
    bool ok = prepare_output(&p) && read_subjects(&p) && find_curves(&p);
    for (int32_t i = 0; ok && i < p.subject_count; ++i) {
        ok = p.subjects[i].address_count == 0 || sample_subject(&p, &p.subjects[i]);
    }
    ok = ok && draw(&p);
    for (int32_t i = 0; i < p.subject_count; ++i) {
        gt_plot_series_set_destroy(p.subjects[i].curves);
        gt_scene_destroy(p.subjects[i].scene);
    }
    gt_arena_destroy(&p.arena);
    return ok;
}

const Verb verb_plot = {
    .name = "plot",
    .summary = "plot curves of a motion over time",
    .description =
        "Plots channels of each FILE's clip as SVG, one panel per unit. Channels are named as 'gertie info "
        "--channels' lists them: leftFoot.translation.y, hips.rotation, morph:jawOpen. Four more are computed from "
        "the whole pose: position (in model space, metres), velocity and speed (metres per second) and angle (degrees "
        "from the rest pose), as in leftFoot.position.y, rightHand.speed or leftLowerLeg.angle. Without a component "
        "(.x, .y, .z, .w), all components are plotted. Joints may be named by the humanoid vocabulary, whatever a file "
        "calls them; a node of that name comes first.\n\n"
        "Several files are plotted over each other, with the file's name in the legend. The minimum, maximum and mean "
        "of every curve are printed; --json without -o only measures.\n\n"
        "A T-pose at the start of a capture is left out, unless --from includes its time.",
    .arguments = { { .name = "FILE", .help = "a file with a motion, or - for standard input", .repeats = true } },
    .options = { LIST_OPTION("curve", PlotOptions, curves, "CHANNEL", "channel to plot", .letter = 'c',
                             .required = true),
                 PATH_OPTION("output", PlotOptions, output, "OUT", "file to write, .svg or .csv", .letter = 'o',
                             .default_text = "standard output", .endings = "svg csv"),
                 OPTION_CLIP_OF(PlotOptions, "every FILE"), FIELD_OPTION("from", PlotOptions, plot_series, from_s),
                 FIELD_OPTION("to", PlotOptions, plot_series, to_s),
                 FIELD_OPTION("fps", PlotOptions, plot_series, frame_rate_hz),
                 NUMBER_OPTION("size", PlotOptions, plot.width, GT_UNIT_PIXELS, 100, GT_PLOT_MAX_SIZE, "size in pixels",
                               .is_size = true, .default_text = "960 wide, and as high as the panels need"),
                 FIELD_OPTION("title", PlotOptions, plot, title, .value = "TEXT",
                              .default_text = "the file and its clip"),
                 OPTION_UNITS_OF(PlotOptions), OPTION_UP_OF(PlotOptions),
                 CHOICE_OPTION("format", PlotOptions, format, plot_formats, "format on standard output",
                               .default_text = "svg") },
    .more_from = "size",
    .examples =
        (const Example[]){
            { "gertie plot walk.bvh -c leftFoot.position.y -c leftFoot.speed -o foot.svg",
              "height and speed of a foot, one above the other" },
            { "gertie plot face.glb -c morph:jawOpen -c morph:eyeBlinkLeft -o face.svg", "how a face moves" },
            { "gertie plot walk.bvh run.bvh -c hips.position -o compare.svg", "two files, curve over curve" },
            { "gertie plot walk.bvh -c rightHand.position -o hand.csv --fps 30", "numbers for a spreadsheet" },
            { "gertie plot *.bvh -c leftFoot.speed --json | jq '.curves[] | {file, max}'",
              "the fastest step of every motion in a folder" },
            { NULL, NULL } },
    .options_size = sizeof(PlotOptions),
    .set_defaults = set_defaults,
    .run = plot_run,
};
