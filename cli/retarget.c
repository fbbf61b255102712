// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `retarget`: many motions onto one character, as clips of one file or, by a batch, as one file each.

#include "fail.h"
#include "rigging.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include "gertie/batch.h"
#include "gertie/measure_report.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct RetargetOptions {
    TransferOptions transfer;
    bool resume;
    bool no_report;
} RetargetOptions;

static void set_defaults(void* options)
{
    RetargetOptions* retarget = options;
    transfer_set_defaults(&retarget->transfer);
}

// What all motions share; nothing of it changes while they are worked on.
typedef struct Run {
    Session* session;
    const CommandLine* line;
    const RetargetOptions* options;
    const GtScene* character;
    KnownFigure known_character;
    GtRigReport rig; // of a character that was bare
    bool was_bare;
    GtContacts* contacts; // of the only motion, or NULL
    GtGround* ground;     // or NULL
    bool measures;        // every clip, against its motion
} Run;

// One file in the making.
typedef struct Work {
    Session* session;
    const Run* run;
    const char* output;
    KnownFigure known_motion; // of the motion at hand
    GtScene* result;          // the character with the clips so far, or NULL
    int32_t clip_count;
    GtBatchClips* clips; // of a batch, or NULL: they are reported at once
} Work;

static bool name_is_taken(const GtScene* scene, const char* name)
{
    for (int32_t i = 0; scene && i < scene->animation_count; ++i) {
        if (scene->animations[i].name && !strcmp(scene->animations[i].name, name)) {
            return true;
        }
    }
    return false;
}

// A file's name without folder and ending.
static void add_stem(GtText* text, const char* path)
{
    const char* base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char* dot = strrchr(base, '.');
    gt_text_add(text, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

// The clip's own name, else that of its file ("mixamo.com" is the name of many), else that with a number.
static bool choose_name(Work* w, const char* own, const char* path, GtText* name)
{
    if (own && own[0] && !name_is_taken(w->result, own)) {
        gt_text_addf(name, "%s", own);
        return !name->failed;
    }
    GtText stem = { 0 };
    add_stem(&stem, path);
    gt_text_addf(name, "%s", text_part(name, &stem));
    for (int number = 2; !name->failed && !stem.failed && name_is_taken(w->result, name->bytes); ++number) {
        gt_text_destroy(name);
        *name = (GtText){ 0 };
        gt_text_addf(name, "%s %d", stem.bytes, number);
    }
    bool ok = !stem.failed && !name->failed;
    gt_text_destroy(&stem);
    return ok;
}

// A clip that has been added, and what it was made from.
typedef struct Added {
    const char* path;
    const GtScene* motion;
    int32_t clip;
    const char* name;
    const GtRetargetReport* did;
} Added;

static void add_members(GtJsonWriter* json, const Work* w, const Added* added)
{
    gt_json_member_string(json, "motion", added->path);
    gt_json_member_string(json, "output", w->output);
    gt_json_member_string(json, "clip", added->name);
    transfer_report(json, added->did);
}

static void report_clip(Work* w, const Added* added)
{
    GtJsonWriter* json = &w->session->report;
    gt_json_begin_object(json);
    add_members(json, w, added);
    gt_json_end_object(json);
    GtText summary = { 0 };
    transfer_add_summary(&summary, added->did);
    session_say(w->session, "%s: clip '%s', %s", w->output, added->name, summary.failed ? "" : summary.bytes);
    gt_text_destroy(&summary);
}

// Measure the last clip of the result. What there is to say of the files has been said when it was made. A mirrored
// clip has nothing to be compared with.
static bool measure_clip(Work* w, const Added* added, GtMeasure** out)
{
    GtContext quiet = w->session->context;
    quiet.diagnose = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.animation = w->result->animation_count - 1;
    def.mesh_frame_count = 0;
    def.source = w->run->options->transfer.animate.retarget.mirror ? NULL : added->motion;
    def.source_animation = added->clip;
    GtError error = { 0 };
    def.ground = w->run->ground;
    if (gt_measure(&quiet, w->result, &def, out, &error) != GT_OK) {
        error_set_file(&error, added->path);
        return session_fail(w->session, &error);
    }
    return true;
}

// Put down a clip of a batch.
static bool list_clip(Work* w, const Added* added)
{
    GtMeasure* measure = NULL;
    if (w->run->measures && !measure_clip(w, added, &measure)) {
        return false;
    }
    GtJsonWriter row = gt_json_create(NULL, 2);
    gt_json_next_is_row(&row);
    gt_json_begin_object(&row);
    add_members(&row, w, added);
    if (measure) {
        char room[32];
        const GtMeasureReport measured = { .file = w->output,
                                           .source_file = measure->has_source ? added->path : NULL,
                                           .scene = w->result,
                                           .animation = w->result->animation_count - 1,
                                           .clip_name = added->name,
                                           .source_clip_name =
                                               measure->has_source ? clip_name(added->motion, added->clip, room) : NULL,
                                           .measure = measure };
        gt_json_key(&row, "measures");
        gt_json_begin_object(&row);
        gt_measure_report_write(&row, &measured);
        gt_json_end_object(&row);
    }
    gt_json_end_object(&row);
    GtError error = { 0 };
    const char* text = gt_text_finish(&row.text);
    GtResult result = text ? gt_batch_add_clip(w->clips, added->name, text, measure, &error)
                           : fail(&error, GT_ERROR_OUT_OF_MEMORY, NULL, "out of memory");
    gt_measure_destroy(measure);
    gt_json_destroy(&row);
    if (result != GT_OK) {
        error_set_file(&error, added->path);
        return session_fail(w->session, &error);
    }
    return true;
}

// One clip of one motion onto what there is so far.
static bool add_clip(Work* w, const char* path, const GtScene* motion, int32_t clip)
{
    GtError error = { 0 };
    GtText name = { 0 };
    if (!choose_name(w, motion->animations[clip].name, path, &name)) {
        gt_text_destroy(&name);
        fail(&error, GT_ERROR_OUT_OF_MEMORY, path, "out of memory");
        return session_fail(w->session, &error);
    }
    const Run* run = w->run;
    GtAnimateDef def = run->options->transfer.animate;
    def.animation = clip;
    def.rigged_by = run->was_bare ? &run->rig : NULL;
    def.retarget.name = name.bytes;
    def.retarget.contacts = run->contacts;
    transfer_use_maps(&def, &run->known_character, &w->known_motion);
    def.retarget.ground = run->ground;
    def.keep_animations = w->result || def.keep_animations;
    GtScene* next = NULL;
    GtAnimateReport did;
    w->session->subject = path;
    GtResult result =
        gt_animate(&w->session->context, w->result ? w->result : run->character, motion, &def, &next, &did, &error);
    w->session->subject = "";
    bool ok = result == GT_OK;
    if (ok) {
        gt_scene_destroy(w->result);
        w->result = next;
        ++w->clip_count;
        const Added added = { path, motion, clip, name.bytes, &did.retarget };
        if (w->clips) {
            ok = list_clip(w, &added);
        } else {
            report_clip(w, &added);
        }
    } else {
        error_set_file(&error, path);
        session_fail(w->session, &error);
    }
    gt_text_destroy(&name);
    return ok;
}

static bool write_result(Work* w, const Output* output)
{
    GtSaveDef save = w->run->options->transfer.save;
    save.animation = w->result->animation_count - 1;
    save.source_units = true;
    return output_write(w->session, output, w->result, &save);
}

static bool add_motion(Work* w, const char* path)
{
    const TransferOptions* options = &w->run->options->transfer;
    GtScene* motion = NULL;
    int32_t only = GT_NONE;
    bool ok = scene_read(w->session, path, &options->load, &motion) &&
              clip_find(w->session, motion, path, options->clip, &only) &&
              transfer_read_map(w->session, motion, options->motion_map, &w->known_motion);
    if (ok && motion->animation_count == 0) {
        GtError error;
        fail(&error, GT_ERROR_NOT_FOUND, path, "the motion has no clip");
        ok = session_fail(w->session, &error);
    }
    if (ok && w->run->contacts && motion->animation_count > 1 && !options->clip) {
        ok = session_misuse(w->session,
                            "%s: --contacts says when the feet of one clip stand, and it has %d; choose "
                            "one with --clip",
                            path, (int)motion->animation_count);
    }
    for (int32_t i = 0; ok && i < motion->animation_count; ++i) {
        if (!options->clip || i == only) {
            ok = add_clip(w, path, motion, i);
        }
    }
    gt_scene_destroy(motion);
    return ok;
}

static GtResult do_job(void* user, const GtContext* context, const GtBatchJob* job, GtBatchClips* clips, GtError* error)
{
    const Run* run = user;
    Session session;
    session_begin_job(&session, run->session, context);
    Work work = { .session = &session, .run = run, .output = job->output, .clips = clips };
    const Output output = { .path = job->output, .format = "glb", .kind = GT_EXPORT_SCENE };
    bool ok = add_motion(&work, job->path) && write_result(&work, &output);
    gt_scene_destroy(work.result);
    *error = session.error;
    session_end_job(&session);
    return ok ? GT_OK : error->code;
}

// Everything but the motion that a result depends on: the version, the character, the options and the files they name.
static bool hash_setup(Session* session, const Run* run, uint64_t* out)
{
    const char version[] = GT_VERSION_STRING;
    const int32_t facts[] = { session->context.strict };
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtSaveDef save = gt_default_save_def();
    uint64_t hash = gt_hash_bytes(0, version, sizeof version);
    hash = gt_hash_bytes(hash, facts, sizeof facts);
    if (gt_scene_save_memory(&session->context, run->character, "glb", &save, &blob, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    hash = gt_hash_bytes(hash, gt_blob_bytes(blob), gt_blob_size(blob));
    gt_blob_release(blob);
    for (const Option* option = run->line->verb->options; option->name; ++option) {
        const char* text = option_text(run->line, option->name);
        if (!text || !strcmp(option->name, "output") || !strcmp(option->name, "resume")) {
            continue;
        }
        hash = gt_hash_bytes(hash, option->name, strlen(option->name) + 1);
        hash = gt_hash_bytes(hash, text, strlen(text) + 1);
        hash = option->is_file ? gt_hash_file(hash, text) : hash;
    }
    *out = hash;
    return true;
}

// A character's own clips are left out of all results; better once than of each.
static void leave_out_clips(Session* session, const Run* run, GtScene* character)
{
    if (!run->options->transfer.animate.keep_animations && character->animation_count) {
        session->context.diagnose(
            session->context.diagnose_user,
            &(GtDiagnostic){ GT_SEVERITY_NOTE, run->line->arguments[0], "", "the character's own clips are left out" });
        character->animation_count = 0;
    }
}

// The closing words: what was done, then what was not and why.
static bool conclude_batch(Session* session, const GtBatchDef* def, const GtBatch* batch, GtResult result)
{
    int32_t left = batch->job_count - batch->done_count - batch->kept_count - batch->failed_count;
    bool has_report = def->report && result == GT_OK;
    gt_batch_write(&session->report, batch);
    if (has_report) {
        static const char* const names[] = { "report.json", "report.html" };
        gt_json_key(&session->report, "reports");
        gt_json_begin_array(&session->report);
        for (int i = 0; i < 2; ++i) {
            GtText path = { 0 };
            gt_text_addf(&path, "%s%s%s", def->folder, def->folder[strlen(def->folder) - 1] == '/' ? "" : "/",
                         names[i]);
            gt_json_string(&session->report, path.failed ? NULL : path.bytes);
            gt_text_destroy(&path);
        }
        gt_json_end_array(&session->report);
    }
    char before[48] = "";
    if (batch->kept_count) {
        snprintf(before, sizeof before, ", %d of them before, the rest", (int)batch->kept_count);
    }
    session_say(session, "%s: %d of %d motion%s done%s in %.3g s%s", def->folder,
                (int)(batch->done_count + batch->kept_count), (int)batch->job_count, plural(batch->job_count), before,
                batch->seconds, has_report ? "; report.html shows how well" : "");
    bool ok = true;
    for (int32_t i = 0; i < batch->job_count; ++i) {
        if (batch->errors[i]) {
            ok = session_fail(session, batch->errors[i]);
        }
    }
    if (result == GT_ERROR_CANCELLED) {
        GtError error;
        fail(&error, GT_ERROR_CANCELLED, def->folder, "stopped with %d motions to do; --resume goes on from here",
             (int)left);
        ok = session_fail(session, &error);
    }
    return ok;
}

static bool write_each(Session* session, Run* run, GtScene* character, const GtBatchList* list, const char* folder)
{
    static const double line_every_s = 30.0;
    leave_out_clips(session, run, character);
    run->measures = !run->options->no_report;
    GtBatchDef def = { .list = list,
                       .character = run->line->arguments[0],
                       .folder = folder,
                       .resume = run->options->resume,
                       .report = run->measures,
                       .run = do_job,
                       .user = run };
    if (!hash_setup(session, run, &def.setup)) {
        return false;
    }
    GtError error = { 0 };
    GtBatch* batch = NULL;
    session_begin_batch(session, line_every_s);
    GtResult result = gt_batch_run(&session->context, &def, &batch, &error);
    session_end_batch(session);
    bool ok = !batch || conclude_batch(session, &def, batch, result);
    if (result != GT_OK && result != GT_ERROR_CANCELLED) {
        ok = session_fail(session, &error);
    }
    gt_batch_destroy(batch);
    return ok;
}

static bool write_one(Session* session, const Run* run, const GtBatchList* list, const Output* output)
{
    Work work = { .session = session, .run = run, .output = output->path };
    bool ok = true;
    gt_json_key(&session->report, "clips");
    gt_json_begin_array(&session->report);
    for (int32_t i = 0; ok && i < list->count; ++i) {
        ok = add_motion(&work, list->jobs[i].path);
    }
    gt_json_end_array(&session->report);
    if (ok && work.clip_count > 1 && !strcmp(output->format, "bvh")) {
        ok = session_misuse(session,
                            "%s: a BVH holds one clip, and there are %d; write a .glb, or name a folder for one "
                            "file each",
                            output->path, (int)work.clip_count);
    }
    ok = ok && write_result(&work, output);
    if (ok) {
        session_say(session, "wrote %s: %d clip%s", output->path, (int)work.clip_count,
                    work.clip_count == 1 ? "" : "s");
    }
    gt_scene_destroy(work.result);
    return ok;
}

// Options that are for one kind of output only.
static bool check_options(Session* session, const RetargetOptions* options, bool is_folder)
{
    if (options->transfer.animate.method == GT_ANIMATE_TEMPLATE) {
        return session_misuse(session, "--method template takes one motion: use 'gertie animate'");
    }
    if (is_folder && options->transfer.format) {
        return session_misuse(session, "--format is for standard output (-): in a folder each motion becomes a .glb");
    }
    if (!is_folder && (options->resume || options->no_report)) {
        return session_misuse(session, "--%s is for a folder of results; end OUT with / to make one",
                              options->resume ? "resume" : "no-report");
    }
    return true;
}

static bool check_contacts(Session* session, const RetargetOptions* options, int motion_count)
{
    return motion_count == 1 || !options->transfer.contacts ||
           session_misuse(session,
                          "--contacts says when the feet of one motion stand, and there are %d; give them one by one",
                          motion_count);
}

static bool list_motions(Session* session, const CommandLine* line, bool is_folder, GtBatchList** out)
{
    const GtBatchListDef def = { .paths = line->arguments + 1,
                                 .path_count = line->argument_count - 1,
                                 .character = line->arguments[0],
                                 .output = ((const RetargetOptions*)line->options)->transfer.output,
                                 .names_outputs = is_folder };
    GtError error = { 0 };
    GtResult result = gt_batch_list_create(&session->context, &def, out, &error);
    return result == GT_OK || (result == GT_ERROR_BAD_VALUE ? session_misuse(session, "%s", error.message)
                                                            : session_fail(session, &error));
}

// A bare character is rigged once for all motions.
static bool rig_if_bare(Session* session, const char* file, const GtRigDef* rig, GtScene** character, Run* run)
{
    GtScene* rigged = NULL;
    run->was_bare = gt_scene_is_bare(&session->context, *character);
    if (!run->was_bare) {
        return true;
    }
    if (!rig_scene(session, file, *character, rig, &rigged, &run->rig)) {
        return false;
    }
    rig_report_bare(session, file, &run->rig);
    gt_scene_destroy(*character);
    *character = rigged;
    return true;
}

static bool retarget_run(Session* session, const CommandLine* line)
{
    const RetargetOptions* options = line->options;
    const TransferOptions* transfer = &options->transfer;
    const char* path = transfer->output;
    struct stat status;
    bool exists = stat(path, &status) == 0;
    bool is_folder = exists ? S_ISDIR(status.st_mode) : path[0] && path[strlen(path) - 1] == '/';
    Output output = { 0 };
    if (!check_options(session, options, is_folder) ||
        (!is_folder && (!output_prepare(session, path, transfer->format, &output) ||
                        !output_check_animation_only(session, &output, &transfer->save)))) {
        return false;
    }
    Run run = { .session = session, .line = line, .options = options };
    GtBatchList* list = NULL;
    GtLoadDef load = gt_default_load_def();
    GtScene* character = NULL;
    bool ok = list_motions(session, line, is_folder, &list) && check_contacts(session, options, list->count) &&
              scene_read(session, line->arguments[0], &load, &character) &&
              rig_if_bare(session, line->arguments[0], &transfer->animate.rig, &character, &run) &&
              transfer_read_map(session, character, transfer->map, &run.known_character) &&
              transfer_read_contacts(session, transfer->contacts, transfer->animate.retarget.feet, &run.contacts) &&
              transfer_read_ground(session, transfer->ground, &run.ground);
    run.character = character;
    if (ok) {
        ok = is_folder ? write_each(session, &run, character, list, path) : write_one(session, &run, list, &output);
    }
    gt_contacts_destroy(run.contacts);
    gt_ground_destroy(run.ground);
    gt_scene_destroy(character);
    gt_batch_list_destroy(list);
    return ok;
}

const Verb verb_retarget = {
    .name = "retarget",
    .summary = "put many motions onto a character",
    .description =
        "Puts every clip of every MOTION on CHARACTER. Where OUT is a folder, or ends with / to become one, each "
        "motion becomes a .glb in it; else all become clips of the one file OUT, named as they are in their files, or "
        "as the files where two would be the same. A MOTION that is a folder stands for all motions in it and below "
        "it, and the folders in it are kept in OUT.\n\n"
        "Into a folder, motions are done side by side on all processors. One that fails does not keep the others; "
        "those are listed at the end. What is done is written down in the folder, so that after a stop of any kind "
        "the same command with --resume goes on, to the same files. At the end report.json and report.html tell how "
        "good every clip is, measured against its motion as 'gertie measure' does, the worst first.\n\n"
        "Joints are recognised, whatever they are called, and rotate in world space as those of the motion do, from a "
        "T-pose that is computed for both figures: arms, legs and fingers from the direction of their bones and the "
        "axes of elbows, knees and palms, feet from their soles. The path over the ground is scaled by the length of "
        "the legs, the height of the hips by that above the soles of the mesh. Spines and necks with unequal numbers "
        "of joints share the bend along their length, and twist is spread over twist joints. The rest pose of the "
        "character stays as it is, to the bit; the joints and the T-pose that were found are kept in OUT.",
    .arguments = { { .name = "CHARACTER", .help = "a character to move, or a bare mesh" },
                   { .name = "MOTION",
                     .help = "files with motions, characters that have some, folders of such, or names from the "
                             "library ('gertie sample library --list')",
                     .repeats = true } },
    .options = { PATH_OPTION("output", TransferOptions, output, "OUT",
                             "file for all clips, a folder for one file each, or - for standard output", .letter = 'o',
                             .required = true),
                 OPTION_ONLY_CLIP_OF(TransferOptions, "take from each MOTION"), TRANSFER_OPTIONS,
                 FLAG_OPTION("resume", RetargetOptions, resume,
                             "keep what an earlier run has done in the folder OUT, where character, motion, options "
                             "and result are the same"),
                 FLAG_OPTION("no-report", RetargetOptions, no_report,
                             "measure nothing, and write no report in the folder OUT"),
                 TRANSFER_MORE_OPTIONS },
    .examples =
        (const Example[]){
            { "gertie retarget hero.glb walk.bvh run.bvh jump.bvh -o hero_moves.glb", "a hero with three clips" },
            { "gertie retarget hero.glb mocap/*.bvh -o clips/", "a file each, in a folder, and a report" },
            { "gertie retarget hero.glb cmu -o clips/ --resume",
              "all motions of a folder, and of those in it; go on where it was stopped" },
            { "gertie retarget hero.glb wave.bvh -o wave.glb --mirror --speed 1.5",
              "wave with the other hand, half as fast again" },
            { "gertie retarget hero.glb walk.bvh -o step.glb --root none --loop",
              "a walk on the spot, with a seam that closes" },
            { NULL, NULL } },
    .more_from = "contacts",
    .options_size = sizeof(RetargetOptions),
    .set_defaults = set_defaults,
    .run = retarget_run,
};
