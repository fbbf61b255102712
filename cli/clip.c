// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `clip`: cut, join, loop, resample, fill, filter and plant motions. Steps always come in the same order,
// whatever the order of the options: each file is cut, then all are joined, and what follows is done to the whole.

#include "fail.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include "gertie/plant.h"

#include <math.h>
#include <stdio.h>

typedef struct ClipOptions {
    GtTakeDef take;
    GtJoinDef join;
    GtPlantDef plant;
    GtLoadDef load;
    GtSaveDef save;
    const char* output;
    const char* format;
    const char* clip; // names and paths, or NULL
    const char* name;
    const char* contacts;
    const char* map;
    double from_s, to_s;
    double max_gap_s; // below 0 to leave gaps
    double cutoff_hz; // 0 for no filter
    double speed;
    double rate_hz; // 0 for that of the first file
    bool loop, loop_whole, plants, reverse, keep_clips;
} ClipOptions;

static void set_defaults(void* options)
{
    *(ClipOptions*)options = (ClipOptions){
        .take = gt_default_take_def(),
        .join = gt_default_join_def(),
        .plant = gt_default_plant_def(),
        .load = gt_default_load_def(),
        .save = gt_default_save_def(),
        .to_s = INFINITY,
        .max_gap_s = -1.0,
        .speed = 1.0,
    };
}

typedef struct Editing {
    Session* session;
    const ClipOptions* options;
    GtScene* scene; // of the first file
    GtTake* take;   // so far, or NULL
    Output output;
} Editing;

// Put the result of an operator in the place of the take; or say what went wrong.
static bool replace_take(Editing* e, GtResult result, GtTake* next, GtError* error, const char* file)
{
    if (result != GT_OK) {
        error_set_file(error, file);
        return session_fail(e->session, error);
    }
    gt_take_destroy(e->take);
    e->take = next;
    return true;
}

// One file: its clip, cut.
static bool read_take(Editing* e, const GtScene* scene, const char* path, GtTake** out)
{
    const ClipOptions* options = e->options;
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtTakeDef def = options->take;
    GtTake* whole = NULL;
    if (!clip_find(e->session, scene, path, options->clip, &def.animation)) {
        return false;
    }
    GtResult result = gt_take_create(context, scene, &def, &whole, &error);
    *out = whole;
    if (result == GT_OK && (options->from_s > 0.0 || options->to_s < INFINITY)) {
        result = gt_take_cut(context, whole, options->from_s, options->to_s, out, &error);
        gt_take_destroy(whole);
    }
    if (result != GT_OK) {
        error_set_file(&error, path);
        return session_fail(e->session, &error);
    }
    return true;
}

static bool join_file(Editing* e, const char* path)
{
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtTake* read = NULL;
    GtTake* fitting = NULL;
    GtTake* joined = NULL;
    bool ok = scene_read(e->session, path, &e->options->load, &scene) && read_take(e, scene, path, &read);
    if (ok) {
        e->session->subject = path;
        GtResult result = gt_take_adapt(context, read, scene, e->scene, &fitting, &error);
        result = result == GT_OK ? gt_take_join(context, e->take, fitting, &e->options->join, &joined, &error) : result;
        e->session->subject = "";
        ok = replace_take(e, result, joined, &error, path);
    }
    gt_take_destroy(fitting);
    gt_take_destroy(read);
    gt_scene_destroy(scene);
    return ok;
}

static bool repair(Editing* e, const char* path)
{
    const ClipOptions* options = e->options;
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtTake* next = NULL;
    if (options->max_gap_s >= 0.0) {
        int32_t filled = 0;
        GtResult result = gt_take_fill(context, e->take, options->max_gap_s, &next, &filled, &error);
        if (!replace_take(e, result, next, &error, path)) {
            return false;
        }
        gt_json_member_integer(&e->session->report, "filled_gaps", filled);
        session_say(e->session, "closed %d gap%s", (int)filled, filled == 1 ? "" : "s");
    }
    if (options->cutoff_hz > 0.0) {
        GtResult result = gt_take_filter(context, e->take, options->cutoff_hz, &next, &error);
        return replace_take(e, result, next, &error, path);
    }
    return true;
}

static bool loop(Editing* e, const char* path)
{
    const ClipOptions* options = e->options;
    if (!options->loop && !options->loop_whole) {
        return true;
    }
    GtError error = { 0 };
    GtTake* next = NULL;
    GtLoopReport did;
    GtLoopDef def = gt_default_loop_def();
    def.whole = options->loop_whole;
    def.fade_s = options->join.fade_s;
    GtResult result = gt_take_loop(&e->session->context, e->take, e->scene, &def, &next, &did, &error);
    if (!replace_take(e, result, next, &error, path)) {
        return false;
    }
    GtJsonWriter* report = &e->session->report;
    gt_json_member_object(report, "cycle");
    gt_json_members(report, gt_loop_report_fields(), &did);
    gt_json_end_object(report);
    session_say(e->session, "cycle from %.2f s to %.2f s, a gap of %.0f mm blended, %.2f m over the ground",
                did.start_s, did.end_s, 1000.0 * did.gap_m, did.way_m);
    return true;
}

static void report_planting(Editing* e, const GtPlantReport* did)
{
    GtJsonWriter* report = &e->session->report;
    gt_json_member_object(report, "planting");
    gt_json_members(report, gt_plant_report_fields(), did);
    gt_json_end_object(report);
    if (did->contact_count == 0) {
        session_say(e->session, "planted no foot: none stands");
        return;
    }
    session_say(e->session, "planted %d contact%s: feet moved by up to %.0f mm, hips by %.0f mm",
                (int)did->contact_count, did->contact_count == 1 ? "" : "s", 1000.0 * did->foot_shift_m,
                1000.0 * did->hips_shift_m);
    if (did->short_frames > 0) {
        session_say(e->session, "in %d frame%s a leg is too short: a foot stays up to %.0f mm from where it should be",
                    (int)did->short_frames, did->short_frames == 1 ? "" : "s", 1000.0 * did->miss_m);
    }
}

static bool check_planting(Session* session, const CommandLine* line)
{
    static const char* const needs_plant[] = { "floor", "contacts", "map" };
    for (size_t i = 0; i < sizeof needs_plant / sizeof needs_plant[0]; ++i) {
        if (option_given(line, needs_plant[i]) && !option_given(line, "plant")) {
            return session_misuse(session, "--%s is of use with --plant only", needs_plant[i]);
        }
    }
    if (option_given(line, "contacts") && line->argument_count != 1) {
        return session_misuse(session, "--contacts says when the feet of one clip stand, and there are %d to join",
                              line->argument_count);
    }
    return true;
}

static bool plant(Editing* e, const char* path)
{
    const ClipOptions* options = e->options;
    GtError error = { 0 };
    GtTake* next = NULL;
    GtContacts* contacts = NULL;
    GtPlantReport did;
    GtPlantDef def = options->plant;
    KnownFigure known;
    if (!options->plants) {
        return true;
    }
    if (!transfer_read_map(e->session, e->scene, options->map, &known) ||
        !transfer_read_contacts(e->session, options->contacts, GT_FEET_PLANT, &contacts)) {
        return false;
    }
    if (contacts && contacts->touch_count > 0) {
        session_warn(e->session, options->contacts, "its touches of hands are left out: only feet are planted");
    }
    def.contacts = contacts;
    def.map = known.given ? &known.map : NULL;
    e->session->subject = path;
    GtResult result = gt_take_plant(&e->session->context, e->take, e->scene, &def, &next, &did, &error);
    e->session->subject = "";
    gt_contacts_destroy(contacts);
    if (!replace_take(e, result, next, &error, path)) {
        return false;
    }
    report_planting(e, &did);
    return true;
}

static bool retime(Editing* e, const char* path)
{
    const ClipOptions* options = e->options;
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtTake* next = NULL;
    double speed = options->reverse ? -options->speed : options->speed;
    if (speed != 1.0) {
        GtResult result = gt_take_speed(context, e->take, speed, &next, &error);
        if (!replace_take(e, result, next, &error, path)) {
            return false;
        }
    }
    if (options->rate_hz > 0.0) {
        GtResult result = gt_take_resample(context, e->take, options->rate_hz, &next, &error);
        return replace_take(e, result, next, &error, path);
    }
    return true;
}

static bool write_take(Editing* e)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    int32_t animation = 0;
    char room[32];
    GtResult result = gt_scene_copy(&e->session->context, e->scene, &scene, &error);
    if (result == GT_OK) {
        scene->animation_count = e->options->keep_clips ? scene->animation_count : 0;
        result = gt_take_bake(&e->session->context, scene, e->take, e->options->name, &animation, &error);
    }
    if (result != GT_OK) {
        gt_scene_destroy(scene);
        return session_fail(e->session, &error);
    }
    GtSaveDef save = e->options->save;
    save.animation = animation;
    save.source_units = true;
    bool ok = output_write(e->session, &e->output, scene, &save);
    if (ok) {
        GtJsonWriter* report = &e->session->report;
        const char* name = clip_name(scene, animation, room);
        gt_json_member_string(report, "output", e->output.path);
        gt_json_member_string(report, "output_format", e->output.format);
        gt_json_member_string(report, "clip", name);
        gt_json_member_integer(report, "frames", e->take->frame_count);
        gt_json_member_float(report, "rate_hz", (float)e->take->rate_hz);
        gt_json_member_float(report, "duration_s", (float)gt_take_duration_s(e->take));
        session_say(e->session, "wrote %s: clip '%s', %d frame%s, %.2f s", e->output.path, name,
                    (int)e->take->frame_count, e->take->frame_count == 1 ? "" : "s", gt_take_duration_s(e->take));
    }
    gt_scene_destroy(scene);
    return ok;
}

static bool clip_run(Session* session, const CommandLine* line)
{
    const ClipOptions* options = line->options;
    Editing e = { .session = session, .options = options };
    if (!check_planting(session, line) || !output_prepare(session, options->output, options->format, &e.output) ||
        !output_check_animation_only(session, &e.output, &options->save)) {
        return false;
    }
    const char* first = line->arguments[0];
    bool ok = scene_read(session, first, &options->load, &e.scene) && read_take(&e, e.scene, first, &e.take);
    for (int i = 1; i < line->argument_count && ok; ++i) {
        ok = join_file(&e, line->arguments[i]);
    }
    ok = ok && repair(&e, first) && loop(&e, first) && plant(&e, first) && retime(&e, first) && write_take(&e);
    gt_take_destroy(e.take);
    gt_scene_destroy(e.scene);
    return ok;
}

const Verb verb_clip = {
    .name = "clip",
    .summary = "cut, join, loop, clean and plant motions",
    .description =
        "Makes one clip of a clip of every FILE and writes the first file with it. Each clip is cut (--from, --to), "
        "then all are joined with a cross-fade, each starting where the one before ends. The result is then edited, "
        "always in this order: gaps are closed (--fill), jitter is filtered (--cutoff), the best cycle is found and "
        "closed (--loop), feet that slide, float or sink in are planted (--plant), and the time is changed (--speed, "
        "--reverse, --fps).\n\n"
        "Files that are joined must have the same joints; 'gertie retarget' puts motions on one skeleton.",
    .arguments = { { .name = "FILE",
                     .help = "files with motions, in the order in which they follow",
                     .repeats = true } },
    .options = { OPTION_OUTPUT_OF(ClipOptions),
                 NUMBER_OPTION("from", ClipOptions, from_s, GT_UNIT_SECONDS, 0, 1e6,
                               "start of the part to keep, counted from the first frame of each clip"),
                 NUMBER_OPTION("to", ClipOptions, to_s, GT_UNIT_SECONDS, 0, 1e6, "end of the part to keep",
                               .default_text = "the end of the clip"),
                 FIELD_OPTION("fade", ClipOptions, join, fade_s,
                              .help = "length of cross-fades, where clips are joined and where a cycle is closed"),
                 FLAG_OPTION("loop", ClipOptions, loop,
                             "keep only the best cycle and close it; the path over the ground stays"),
                 FLAG_OPTION("plant", ClipOptions, plants,
                             "keep the feet of a humanoid in place and on the ground while they stand"),
                 NUMBER_OPTION("cutoff", ClipOptions, cutoff_hz, GT_UNIT_HERTZ, 0.001, 1e4,
                               "remove jitter above this frequency, without delay; 6 to 12 suits captures of people",
                               .default_text = "no filter"),
                 NUMBER_OPTION("fps", ClipOptions, rate_hz, GT_UNIT_HERTZ, 0.01, 1e4, "frame rate",
                               .default_text = "that of the first file"),
                 OPTION_CLIP_OF(ClipOptions, "every FILE"),
                 FIELD_OPTION("in-place", ClipOptions, join, in_place),
                 NUMBER_OPTION("fill", ClipOptions, max_gap_s, GT_UNIT_SECONDS, 0, 1e4,
                               "close gaps up to this long, in which a joint freezes or jumps to zero and back",
                               .default_text = "none"),
                 FLAG_OPTION("loop-whole", ClipOptions, loop_whole, "close the whole clip as one cycle"),
                 FIELD_OPTION("floor", ClipOptions, plant, floor_m, .help = "height of the ground for --plant"),
                 PATH_OPTION("contacts", ClipOptions, contacts, "FILE",
                             "when feet stand, for --plant, as 'gertie contacts' writes it",
                             .default_text = "found in the motion", .endings = "json"),
                 OPTION_MAP_OF(ClipOptions),
                 NUMBER_OPTION("speed", ClipOptions, speed, GT_UNIT_NONE, 1e-3, 1e3,
                               "playback speed, at the same frame rate"),
                 FLAG_OPTION("reverse", ClipOptions, reverse, "play from the end to the start"),
                 TEXT_OPTION("name", ClipOptions, name, "NAME", "name of the new clip",
                             .default_text = "that of the first"),
                 FLAG_OPTION("keep-clips", ClipOptions, keep_clips, "keep the clips that the first file has already"),
                 OPTION_ANIMATION_ONLY_OF(ClipOptions),
                 FIELD_OPTION("keep-tpose", ClipOptions, take, keep_tpose),
                 OPTION_UNITS_OF(ClipOptions),
                 OPTION_UP_OF(ClipOptions),
                 OPTION_FORMAT_OF(ClipOptions) },
    .more_from = "clip",
    .examples =
        (const Example[]){ { "gertie clip walk.bvh --from 1 --to 2.5 -o part.bvh", "cut a part out" },
                           { "gertie clip walk.bvh kick.bvh jump.bvh --fade 0.3 -o all.bvh", "join three motions" },
                           { "gertie clip walk.bvh --loop -o cycle.bvh", "one cycle that repeats" },
                           { "gertie clip raw.bvh --fill 0.5 --cutoff 8 --fps 30 -o clean.bvh", "clean a capture" },
                           { "gertie clip hero.glb --plant -o planted.glb", "feet that stay where they stand" },
                           { NULL, NULL } },
    .options_size = sizeof(ClipOptions),
    .set_defaults = set_defaults,
    .run = clip_run,
};
