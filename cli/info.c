// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `info`: what is inside files. A file that cannot be read does not keep the others from being shown.

#include "info.h"

#include "fail.h"
#include "interrupt.h"
#include "scenes.h"
#include "verbs.h"

enum {
    INFO_CHANNELS,
    INFO_UNITS,
    INFO_UP,
    INFO_GROUP
};

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
    GtLoadDef def = scene_load_def(&line->values[INFO_UNITS], &line->values[INFO_UP], &line->values[INFO_GROUP]);
    GtScene* scene = NULL;
    if (!scene_read(session, path, &def, &scene)) {
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
        InfoSubject subject = { &session->context, path, scene, &survey, sculpt, line->values[INFO_CHANNELS].given };
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
    .summary = "show what is inside files",
    .description =
        "Shows format, units, size, joints, meshes, skins, clips, materials and the rest of each FILE, and warns of "
        "what is wrong in it. Lengths are in metres with Y up, whatever the file has. --json has the same without "
        "anything shortened.",
    .arguments = { { .name = "FILE", .help = "a file to look into, or - for standard input", .repeats = true } },
    .options = { [INFO_CHANNELS] = { .name = "channels",
                                     .help = "list the address of everything that can be animated" },
                 [INFO_UNITS] = OPTION_UNITS("units of a file whose format does not say"),
                 [INFO_UP] = OPTION_UP("axis that points up in a file whose format does not say"),
                 [INFO_GROUP] = { .name = "group",
                                  .kind = OPTION_TEXT,
                                  .value = "NAME",
                                  .help = "read this group or object of an OBJ only" } },
    .examples = (const Example[]){ { "gertie info hero.glb walk.bvh", "what is in these two files" },
                                   { "gertie info hero.glb --channels", "and what can be animated in it" },
                                   { "gertie info --json *.bvh | jq '.files[].clips[0].duration_s'",
                                     "how long the motions of a folder are" },
                                   { "gertie info --strict -q *.glb", "check files: nothing damaged passes" },
                                   { NULL, NULL } },
    .run = info_run,
};
