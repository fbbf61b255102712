// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `clip`: cut, join, loop, resample, fill, filter and plant motions. Steps always come in the same order,
// whatever the order of the options: each file is cut, then all are joined, and what follows is done to the whole.

#include "fail.h"
#include "loss.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include "gertie/plant.h"

#include <math.h>
#include <stdio.h>

enum {
    CLIP_OUTPUT,
    CLIP_CLIP,
    CLIP_FROM,
    CLIP_TO,
    CLIP_FADE,
    CLIP_IN_PLACE,
    CLIP_FILL,
    CLIP_CUTOFF,
    CLIP_LOOP,
    CLIP_LOOP_WHOLE,
    CLIP_PLANT,
    CLIP_FLOOR,
    CLIP_CONTACTS,
    CLIP_MAP,
    CLIP_SPEED,
    CLIP_REVERSE,
    CLIP_FPS,
    CLIP_NAME,
    CLIP_KEEP_CLIPS,
    CLIP_KEEP_TPOSE,
    CLIP_UNITS,
    CLIP_UP,
    CLIP_FORMAT
};

typedef struct Editing {
    Session* session;
    const CommandLine* line;
    GtScene* scene; // of the first file
    GtTake* take;   // so far, or NULL
    Output output;
} Editing;

static void clip_defaults(OptionValue* values)
{
    values[CLIP_FADE].has_default = true;
    values[CLIP_FADE].number = gt_default_join_def().fade_s;
}

static double fade_s(const Editing* e)
{
    return e->line->values[CLIP_FADE].given ? e->line->values[CLIP_FADE].number : gt_default_join_def().fade_s;
}

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
    const OptionValue* values = e->line->values;
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtTakeDef def = gt_default_take_def();
    GtTake* whole = NULL;
    def.keep_tpose = values[CLIP_KEEP_TPOSE].given;
    if (!clip_find(e->session, scene, path, &values[CLIP_CLIP], &def.animation)) {
        return false;
    }
    GtResult result = gt_take_create(context, scene, &def, &whole, &error);
    *out = whole;
    if (result == GT_OK && (values[CLIP_FROM].given || values[CLIP_TO].given)) {
        double from_s = values[CLIP_FROM].given ? values[CLIP_FROM].number : 0.0;
        double to_s = values[CLIP_TO].given ? values[CLIP_TO].number : INFINITY;
        result = gt_take_cut(context, whole, from_s, to_s, out, &error);
        gt_take_destroy(whole);
    }
    if (result != GT_OK) {
        error_set_file(&error, path);
        return session_fail(e->session, &error);
    }
    return true;
}

static bool join_file(Editing* e, const char* path, const GtLoadDef* load)
{
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtTake* read = NULL;
    GtTake* fitting = NULL;
    GtTake* joined = NULL;
    GtJoinDef def = gt_default_join_def();
    def.fade_s = fade_s(e);
    def.in_place = e->line->values[CLIP_IN_PLACE].given;
    bool ok = scene_read(e->session, path, load, &scene) && read_take(e, scene, path, &read);
    if (ok) {
        e->session->subject = path;
        GtResult result = gt_take_adapt(context, read, scene, e->scene, &fitting, &error);
        result = result == GT_OK ? gt_take_join(context, e->take, fitting, &def, &joined, &error) : result;
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
    const OptionValue* values = e->line->values;
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtTake* next = NULL;
    if (values[CLIP_FILL].given) {
        int32_t filled = 0;
        GtResult result = gt_take_fill(context, e->take, values[CLIP_FILL].number, &next, &filled, &error);
        if (!replace_take(e, result, next, &error, path)) {
            return false;
        }
        json_member_integer(&e->session->report, "filled_gaps", filled);
        session_say(e->session, "closed %d gap%s", (int)filled, filled == 1 ? "" : "s");
    }
    if (values[CLIP_CUTOFF].given) {
        GtResult result = gt_take_filter(context, e->take, values[CLIP_CUTOFF].number, &next, &error);
        return replace_take(e, result, next, &error, path);
    }
    return true;
}

static bool loop(Editing* e, const char* path)
{
    const OptionValue* values = e->line->values;
    if (!values[CLIP_LOOP].given && !values[CLIP_LOOP_WHOLE].given) {
        return true;
    }
    GtError error = { 0 };
    GtTake* next = NULL;
    GtLoopReport did;
    GtLoopDef def = gt_default_loop_def();
    def.whole = values[CLIP_LOOP_WHOLE].given;
    def.fade_s = fade_s(e);
    GtResult result = gt_take_loop(&e->session->context, e->take, e->scene, &def, &next, &did, &error);
    if (!replace_take(e, result, next, &error, path)) {
        return false;
    }
    Json* report = &e->session->report;
    json_key(report, "cycle");
    json_begin_object(report);
    json_member_float(report, "start_s", (float)did.start_s);
    json_member_float(report, "end_s", (float)did.end_s);
    json_member_float(report, "gap_m", (float)did.gap_m);
    json_member_float(report, "way_m", (float)did.way_m);
    json_end_object(report);
    session_say(e->session, "cycle from %.2f s to %.2f s, a gap of %.0f mm blended, %.2f m over the ground",
                did.start_s, did.end_s, 1000.0 * did.gap_m, did.way_m);
    return true;
}

static void report_planting(Editing* e, const GtPlantReport* did)
{
    Json* report = &e->session->report;
    json_key(report, "planting");
    json_begin_object(report);
    json_member_integer(report, "contacts", did->contact_count);
    json_member_float(report, "foot_shift_m", (float)did->foot_shift_m);
    json_member_float(report, "hips_shift_m", (float)did->hips_shift_m);
    json_member_float(report, "foot_miss_m", (float)did->miss_m);
    json_member_integer(report, "short_frames", did->short_frames);
    json_end_object(report);
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
    static const int needs_plant[] = { CLIP_FLOOR, CLIP_CONTACTS, CLIP_MAP };
    for (size_t i = 0; i < sizeof needs_plant / sizeof needs_plant[0]; ++i) {
        if (line->values[needs_plant[i]].given && !line->values[CLIP_PLANT].given) {
            return session_misuse(session, "--%s is of use with --plant only",
                                  line->verb->options[needs_plant[i]].name);
        }
    }
    if (line->values[CLIP_CONTACTS].given && line->argument_count != 1) {
        return session_misuse(session, "--contacts says when the feet of one clip stand, and there are %d to join",
                              line->argument_count);
    }
    return true;
}

static bool plant(Editing* e, const char* path)
{
    const OptionValue* values = e->line->values;
    GtError error = { 0 };
    GtTake* next = NULL;
    GtContacts* contacts = NULL;
    GtPlantReport did;
    GtPlantDef def = gt_default_plant_def();
    KnownFigure known;
    if (!values[CLIP_PLANT].given) {
        return true;
    }
    if (!transfer_read_map(e->session, e->scene, &values[CLIP_MAP], &known) ||
        !transfer_read_contacts(e->session, &values[CLIP_CONTACTS], GT_FEET_PLANT, &contacts)) {
        return false;
    }
    if (contacts && contacts->touch_count > 0) {
        session_warn(e->session, values[CLIP_CONTACTS].text,
                     "its touches of hands are left out: only feet are planted");
    }
    def.contacts = contacts;
    def.map = known.given ? &known.map : NULL;
    def.floor_m = values[CLIP_FLOOR].given ? values[CLIP_FLOOR].number : def.floor_m;
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
    const OptionValue* values = e->line->values;
    const GtContext* context = &e->session->context;
    GtError error = { 0 };
    GtTake* next = NULL;
    double speed = (values[CLIP_SPEED].given ? values[CLIP_SPEED].number : 1.0) * (values[CLIP_REVERSE].given ? -1 : 1);
    if (speed != 1.0) {
        GtResult result = gt_take_speed(context, e->take, speed, &next, &error);
        if (!replace_take(e, result, next, &error, path)) {
            return false;
        }
    }
    if (values[CLIP_FPS].given) {
        GtResult result = gt_take_resample(context, e->take, values[CLIP_FPS].number, &next, &error);
        return replace_take(e, result, next, &error, path);
    }
    return true;
}

static bool write_take(Editing* e)
{
    const OptionValue* values = e->line->values;
    GtError error = { 0 };
    GtScene* scene = NULL;
    int32_t animation = 0;
    char room[32];
    GtResult result = gt_scene_copy(&e->session->context, e->scene, &scene, &error);
    if (result == GT_OK) {
        scene->animation_count = values[CLIP_KEEP_CLIPS].given ? scene->animation_count : 0;
        result = gt_take_bake(&e->session->context, scene, e->take,
                              values[CLIP_NAME].given ? values[CLIP_NAME].text : NULL, &animation, &error);
    }
    if (result != GT_OK) {
        gt_scene_destroy(scene);
        return session_fail(e->session, &error);
    }
    GtSaveDef save = gt_default_save_def();
    save.animation = animation;
    save.source_units = true;
    bool ok = output_write(e->session, &e->output, scene, &save);
    if (ok) {
        Json* report = &e->session->report;
        const char* name = clip_name(scene, animation, room);
        Loss losses[LOSS_COUNT];
        loss_count(scene, &e->output, losses);
        loss_warn(e->session, &e->output, losses);
        json_member_string(report, "output", e->output.path);
        json_member_string(report, "output_format", e->output.format);
        json_member_string(report, "clip", name);
        json_member_integer(report, "frames", e->take->frame_count);
        json_member_float(report, "rate_hz", (float)e->take->rate_hz);
        json_member_float(report, "duration_s", (float)gt_take_duration_s(e->take));
        session_say(e->session, "wrote %s: clip '%s', %d frame%s, %.2f s", e->output.path, name,
                    (int)e->take->frame_count, e->take->frame_count == 1 ? "" : "s", gt_take_duration_s(e->take));
    }
    gt_scene_destroy(scene);
    return ok;
}

static bool clip_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    Editing e = { .session = session, .line = line };
    if (!check_planting(session, line) ||
        !output_prepare(session, values[CLIP_OUTPUT].text, &values[CLIP_FORMAT], &e.output)) {
        return false;
    }
    GtLoadDef load = scene_load_def(&values[CLIP_UNITS], &values[CLIP_UP], NULL);
    const char* first = line->arguments[0];
    bool ok = scene_read(session, first, &load, &e.scene) && read_take(&e, e.scene, first, &e.take);
    for (int i = 1; i < line->argument_count && ok; ++i) {
        ok = join_file(&e, line->arguments[i], &load);
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
        "Makes one clip of the clips of every FILE and writes the first file with it. Each file's clip is cut (--from, "
        "--to); several are joined, each going on where the one before is, over the ground and in heading, with a "
        "cross-fade. Then, always in this order: gaps are closed (--fill), jitter is filtered (--cutoff), the best "
        "cycle "
        "is found and closed (--loop), feet that slide, float or sink where they stand are planted (--plant), and the "
        "clock is changed (--speed, --reverse, --fps).\n\n"
        "Files that are joined must have the same joints; 'gertie retarget' puts motions on one skeleton.",
    .arguments = { { .name = "FILE",
                     .help = "files with motions, in the order in which they follow",
                     .repeats = true } },
    .options = { [CLIP_OUTPUT] = OPTION_SCENE_OUTPUT,
                 [CLIP_CLIP] = { .name = "clip",
                                 .kind = OPTION_TEXT,
                                 .value = "CLIP",
                                 .help =
                                     "clip of every FILE, by name or by number counted from 0; without it, the first" },
                 [CLIP_FROM] = { .name = "from",
                                 .kind = OPTION_NUMBER,
                                 .value = "SECONDS",
                                 .help = "where to begin in each clip, counted from its first frame",
                                 .min = 0,
                                 .max = 1e6 },
                 [CLIP_TO] = { .name = "to",
                               .kind = OPTION_NUMBER,
                               .value = "SECONDS",
                               .help = "where to end, likewise",
                               .min = 0,
                               .max = 1e6 },
                 [CLIP_FADE] = { .name = "fade",
                                 .kind = OPTION_NUMBER,
                                 .value = "SECONDS",
                                 .help = "length of cross-fades, where clips are joined and where a cycle is closed",
                                 .min = 0,
                                 .max = 1e4 },
                 [CLIP_IN_PLACE] = { .name = "in-place",
                                     .help = "join clips where they are, without moving one to where the other ends" },
                 [CLIP_FILL] = { .name = "fill",
                                 .kind = OPTION_NUMBER,
                                 .value = "SECONDS",
                                 .help = "bridge gaps up to this long, in which a joint stands still to the bit "
                                         "between frames that move, or jumps to zeros and back",
                                 .min = 0,
                                 .max = 1e4 },
                 [CLIP_CUTOFF] = { .name = "cutoff",
                                   .kind = OPTION_NUMBER,
                                   .value = "HZ",
                                   .help = "take away jitter faster than this, without delay; 6 to 12 for captures of "
                                           "people",
                                   .min = 1e-3,
                                   .max = 1e4 },
                 [CLIP_LOOP] = { .name = "loop",
                                 .help = "keep the best cycle only, closed; the way over the ground is kept" },
                 [CLIP_LOOP_WHOLE] = { .name = "loop-whole", .help = "close all of it as one cycle" },
                 [CLIP_PLANT] = { .name = "plant",
                                  .help =
                                      "keep feet of a humanoid in their place, and on the ground, while they stand" },
                 [CLIP_FLOOR] = { .name = "floor",
                                  .kind = OPTION_NUMBER,
                                  .value = "METRES",
                                  .help = "height of the ground for --plant; without it 0, or where the feet are when "
                                          "that is far off",
                                  .min = -1e6,
                                  .max = 1e6 },
                 [CLIP_CONTACTS] = OPTION_CONTACTS,
                 [CLIP_MAP] = { .name = "map",
                                .kind = OPTION_FILE,
                                .value = "FILE",
                                .help = "joints that are known, as 'gertie map' writes them, for --plant; the rest is "
                                        "found",
                                .endings = "json" },
                 [CLIP_SPEED] = { .name = "speed",
                                  .kind = OPTION_NUMBER,
                                  .value = "FACTOR",
                                  .help = "times as fast, at the same frames a second",
                                  .min = 1e-3,
                                  .max = 1e3 },
                 [CLIP_REVERSE] = { .name = "reverse", .help = "from the end to the start" },
                 [CLIP_FPS] = { .name = "fps",
                                .kind = OPTION_NUMBER,
                                .value = "HZ",
                                .help = "frames a second; without it, those of the first file",
                                .min = 0.01,
                                .max = 10000 },
                 [CLIP_NAME] = { .name = "name",
                                 .kind = OPTION_TEXT,
                                 .value = "NAME",
                                 .help = "name of the new clip; without it, that of the first" },
                 [CLIP_KEEP_CLIPS] = { .name = "keep-clips", .help = "keep the clips that the first file has already" },
                 [CLIP_KEEP_TPOSE] = { .name = "keep-tpose", .help = "keep the T-pose that a capture begins with" },
                 [CLIP_UNITS] = OPTION_UNITS("units of a file whose format does not say"),
                 [CLIP_UP] = OPTION_UP("axis that points up in a file whose format does not say"),
                 [CLIP_FORMAT] = OPTION_STREAM_FORMAT },
    .examples =
        (const Example[]){ { "gertie clip take.bvh --from 2 --to 6.5 -o part.bvh", "cut a part out" },
                           { "gertie clip walk.bvh run.bvh jump.bvh --fade 0.3 -o all.bvh", "one after the other" },
                           { "gertie clip walk.bvh --loop -o cycle.bvh", "one cycle that closes" },
                           { "gertie clip raw.bvh --fill 0.5 --cutoff 8 --fps 30 -o clean.bvh", "clean a capture" },
                           { "gertie clip skating.glb --plant -o planted.glb", "feet that stay where they stand" },
                           { NULL, NULL } },
    .defaults = clip_defaults,
    .run = clip_run,
};
