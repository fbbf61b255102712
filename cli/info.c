// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `info`: what is inside files. A file that cannot be read does not keep the others from being shown.

#include "info.h"

#include "fail.h"
#include "interrupt.h"
#include "scenes.h"
#include "verbs.h"

typedef struct InfoOptions {
    GtLoadDef load;
    bool channels;
} InfoOptions;

static void set_defaults(void* options)
{
    *(InfoOptions*)options = (InfoOptions){ .load = gt_default_load_def() };
}

static void add_channel_row(void* user, const char* address, int32_t clip_count)
{
    GtText* text = user;
    gt_text_adds(text, "      ");
    gt_text_add_printable(text, address);
    if (clip_count) {
        text_add_spaces(text, 44 - text_columns(address));
        gt_text_addf(text, "  %d clip%s", (int)clip_count, plural(clip_count));
    }
    gt_text_adds(text, "\n");
}

static void report_channel(void* user, const char* address, int32_t clip_count)
{
    GtJsonWriter* json = user;
    gt_json_next_is_row(json);
    gt_json_begin_object(json);
    gt_json_member_string(json, "address", address);
    gt_json_member_integer(json, "clips", clip_count);
    gt_json_end_object(json);
}

static GtResult report_survey(Session* session, const GtSurvey* survey, bool with_channels, GtError* error)
{
    GtJsonWriter* json = &session->report;
    GtResult result = GT_OK;
    gt_survey_write(json, survey);
    if (with_channels) {
        gt_json_member_array(json, "channels");
        result = gt_survey_channels(&session->context, survey->scene, report_channel, json, error);
        gt_json_end_array(json);
    }
    return result;
}

static GtResult add_tables(Session* session, const char* path, const GtSurvey* survey, bool with_channels, GtText* text,
                           GtError* error)
{
    info_add_table(text, path, survey);
    if (!with_channels) {
        return GT_OK;
    }
    gt_text_adds(text, "  channels      everything that can be animated, and how many clips do\n");
    return gt_survey_channels(&session->context, survey->scene, add_channel_row, text, error);
}

static bool show_file(Session* session, const CommandLine* line, int index)
{
    const char* path = line->arguments[index];
    const InfoOptions* options = line->options;
    GtScene* scene = NULL;
    if (!scene_read(session, path, &options->load, &scene)) {
        return false;
    }
    GtError error = { 0 };
    GtSurvey* survey = NULL;
    GtText text = { 0 };
    gt_text_adds(&text, index == 0 ? "" : "\n");
    session->subject = path;
    GtResult result = gt_scene_survey(&session->context, scene, &survey, &error);
    session->subject = "";
    if (result == GT_OK) {
        result = session->json ? report_survey(session, survey, options->channels, &error)
                               : add_tables(session, path, survey, options->channels, &text, &error);
    }
    if (result != GT_OK) {
        error_set_file(&error, path);
    }
    bool ok = result == GT_OK ? session->json || session_print(session, &text) : session_fail(session, &error);
    gt_text_destroy(&text);
    gt_survey_destroy(survey);
    gt_scene_destroy(scene);
    return ok;
}

static bool info_run(Session* session, const CommandLine* line)
{
    GtJsonWriter* report = &session->report;
    bool all_ok = true;
    gt_json_member_array(report, "files");
    for (int i = 0; i < line->argument_count && !interrupt_signal() && !session->print_errno; ++i) {
        Remark** first_remark = session->remarks_end;
        gt_json_begin_object(report);
        gt_json_member_string(report, "file", line->arguments[i]);
        bool ok = show_file(session, line, i);
        gt_json_member_bool(report, "ok", ok);
        if (!ok) {
            session_report_error(report, &session->last_error, STATUS_FAILED);
        }
        gt_json_key(report, "warnings");
        session_report_remarks(report, *first_remark, GT_SEVERITY_WARNING);
        gt_json_key(report, "notes");
        session_report_remarks(report, *first_remark, GT_SEVERITY_NOTE);
        gt_json_end_object(report);
        all_ok &= ok;
    }
    gt_json_end_array(report);
    return all_ok;
}

const Verb verb_info = {
    .name = "info",
    .summary = "show what is in a file",
    .description =
        "Shows the format, units, size, joints, meshes, skins, clips, materials and more of each FILE, and warns of "
        "what is wrong with it. Lengths are in metres with Y up, whatever the file uses. --json prints the same in "
        "full.",
    .arguments = { { .name = "FILE", .help = "a file to look into, or - for standard input", .repeats = true } },
    .options = { FLAG_OPTION("channels", InfoOptions, channels,
                             "list the addresses of everything that can be animated"),
                 OPTION_UNITS_OF(InfoOptions), OPTION_UP_OF(InfoOptions), OPTION_GROUP_OF(InfoOptions) },
    .more_from = "units",
    .examples = (const Example[]){ { "gertie info person.glb walk.bvh", "what is in these two files" },
                                   { "gertie info person.glb --channels", "and what can be animated in one" },
                                   { "gertie info --json *.bvh | jq '.files[].clips[0].duration_s'",
                                     "the length of every motion in a folder" },
                                   { "gertie info --strict -q *.glb", "check files: damaged ones fail" },
                                   { NULL, NULL } },
    .options_size = sizeof(InfoOptions),
    .set_defaults = set_defaults,
    .run = info_run,
};
