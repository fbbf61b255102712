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

static bool print_subject(Session* session, const InfoSubject* subject, bool is_first)
{
    GtError error = { 0 };
    Text text = { 0 };
    text_adds(&text, is_first ? "" : "\n");
    GtResult result =
        session->json ? info_add_report(&session->report, subject, &error) : info_add_table(&text, subject, &error);
    if (result != GT_OK) {
        error_set_file(&error, subject->path);
    }
    bool ok = result == GT_OK ? session->json || session_print(session, &text) : session_fail(session, &error);
    text_free(&text);
    return ok;
}

static bool show_file(Session* session, const CommandLine* line, int index)
{
    const char* path = line->arguments[index];
    const InfoOptions* options = line->options;
    GtScene* scene = NULL;
    if (!scene_read(session, path, &options->load, &scene)) {
        return false;
    }
    Survey survey;
    bool ok = survey_scene(session, scene, path, &survey);
    if (ok) {
        GtError error = { 0 };
        GtSculpt* sculpt = NULL;
        if (gt_scene_sculpt(&session->context, scene, &sculpt, &error) != GT_OK) {
            session_warn(session, path, "extensions.GERTIE_deform: %s%s%s", error.where, error.where[0] ? ": " : "",
                         error.message);
        }
        InfoSubject subject = { &session->context, path, scene, &survey, sculpt, options->channels };
        ok = print_subject(session, &subject, index == 0);
        gt_sculpt_destroy(sculpt);
    }
    survey_free(&survey);
    gt_scene_destroy(scene);
    return ok;
}

static bool info_run(Session* session, const CommandLine* line)
{
    Json* report = &session->report;
    bool all_ok = true;
    json_key(report, "files");
    json_begin_array(report);
    for (int i = 0; i < line->argument_count && !interrupt_signal() && !session->print_errno; ++i) {
        Remark** first_remark = session->remarks_end;
        json_begin_object(report);
        json_member_string(report, "file", line->arguments[i]);
        bool ok = show_file(session, line, i);
        json_member_bool(report, "ok", ok);
        if (!ok) {
            session_report_error(report, &session->last_error, STATUS_FAILED);
        }
        json_key(report, "warnings");
        session_report_remarks(report, *first_remark, GT_SEVERITY_WARNING);
        json_key(report, "notes");
        session_report_remarks(report, *first_remark, GT_SEVERITY_NOTE);
        json_end_object(report);
        all_ok &= ok;
    }
    json_end_array(report);
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
