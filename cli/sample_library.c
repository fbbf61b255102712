// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The library of motions: shown as a table, and written as one file each. A GLB keeps the licence with the clip.

#include "sample.h"

#include "gertie/motion_library.h"

#include <stdio.h>
#include <string.h>

static const char default_folder[] = "library";

// The library has motions as they are: options that would change them, or where they go, are refused.
static bool takes_options(Session* session, const CommandLine* line, const char* only)
{
    for (const Option* option = line->verb->options; option->name; ++option) {
        if (strcmp(option->name, only) != 0 && option_given(line, option->name)) {
            return session_misuse(session, "--%s does not apply to 'library' with --%s", option->name, only);
        }
    }
    return true;
}

static void add_members(GtJsonWriter* json, const GtLibraryMotion* motion)
{
    gt_json_member_string(json, "name", motion->name);
    gt_json_member_string(json, "category", motion->category);
    gt_json_member_string(json, "description", motion->description);
    gt_json_member_bool(json, "loops", motion->loops);
    gt_json_member_number(json, "duration_s", motion->duration_s);
    gt_json_member_number(json, "speed_mps", motion->speed_mps);
    gt_json_member_string(json, "source", motion->source);
    gt_json_member_string(json, "licence", motion->licence);
}

static void add_row(GtText* table, const GtLibraryMotion* motion)
{
    char speed[16] = "";
    if (motion->speed_mps > 0.0) {
        snprintf(speed, sizeof speed, "%.1f m/s", motion->speed_mps);
    }
    gt_text_addf(table, "  %-16s %-8s %5.2f s %-5s %-8s %-40s %s\n", motion->name, motion->category, motion->duration_s,
                 motion->loops ? "loop" : "", speed, motion->description, motion->source);
}

// Each licence once, with the names of what it is for left to the column of sources.
static void add_licences(GtText* table)
{
    const GtLibraryMotion* motion;
    const GtLibraryMotion* other;
    for (int32_t i = 0; (motion = gt_motion_library_at(i)); ++i) {
        bool is_new = true;
        for (int32_t k = 0; is_new && k < i; ++k) {
            other = gt_motion_library_at(k);
            is_new = strcmp(other->licence, motion->licence) != 0;
        }
        if (is_new) {
            gt_text_addf(table, "%.*s: %s\n", (int)strcspn(motion->source, " "), motion->source, motion->licence);
        }
    }
}

bool sample_library_list(Session* session, const CommandLine* line)
{
    const GtLibraryMotion* motion;
    if (!takes_options(session, line, "list")) {
        return false;
    }
    if (session->json) {
        gt_json_member_array(&session->report, "motions");
        for (int32_t i = 0; (motion = gt_motion_library_at(i)); ++i) {
            gt_json_begin_object(&session->report);
            add_members(&session->report, motion);
            gt_json_end_object(&session->report);
        }
        gt_json_end_array(&session->report);
        return true;
    }
    GtText table = { 0 };
    for (int32_t i = 0; (motion = gt_motion_library_at(i)); ++i) {
        add_row(&table, motion);
    }
    add_licences(&table);
    bool ok = session_print(session, &table);
    gt_text_destroy(&table);
    return ok;
}

static void add_name(int index, GtText* name)
{
    gt_text_addf(name, "%s.glb", gt_motion_library_at(index)->name);
}

static bool write_motion(Session* session, int index, const CommandLine* line, const Output* output)
{
    (void)line;
    GtError error = { 0 };
    GtScene* scene = NULL;
    const GtLibraryMotion* motion = gt_motion_library_at(index);
    GtContext quiet = session->context; // the licence is in the file
    quiet.diagnose = NULL;
    if (gt_motion_library_load(&quiet, motion->name, &scene, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    GtSaveDef save = gt_default_save_def();
    bool ok = output_write(session, output, scene, &save);
    gt_scene_destroy(scene);
    if (ok) {
        gt_json_begin_object(&session->report);
        gt_json_member_string(&session->report, "file", output->path);
        add_members(&session->report, motion);
        gt_json_end_object(&session->report);
        session_say(session, "wrote %s: %.2f s", output->path, motion->duration_s);
    }
    return ok;
}

bool sample_library_write(Session* session, const CommandLine* line)
{
    const SampleOptions* options = line->options;
    FolderContent content = { 0, add_name, write_motion };
    if (options->output && (gt_format_of_path(options->output) || !strcmp(options->output, "-"))) {
        return session_misuse(session,
                              "the library needs a folder, not %s; 'gertie retarget CHARACTER walk run -o OUT' puts "
                              "motions of it into one file",
                              options->output);
    }
    while (gt_motion_library_at(content.count)) {
        ++content.count;
    }
    return takes_options(session, line, "output") &&
           sample_fill_folder(session, options->output ? options->output : default_folder, &content, line);
}
