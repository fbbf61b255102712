// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `animate`: options for gt_animate(), and what is said of what it did.

#include "fail.h"
#include "rigging.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>

typedef struct AnimateOptions {
    TransferOptions transfer;
    const char* with; // a path, or NULL
} AnimateOptions;

static void set_defaults(void* options)
{
    AnimateOptions* animate = options;
    transfer_set_defaults(&animate->transfer);
}

// What is read before the work starts.
typedef struct AnimateInput {
    GtScene* character;
    GtScene* motion;
    GtScene* second; // or NULL
    KnownFigure known[2];
    GtContacts* contacts; // or NULL
    GtGround* ground;     // or NULL
} AnimateInput;

// The first option that is given and means harmonic deformation.
static const char* harmonic_option(const CommandLine* line)
{
    static const char* const own[] = { "markers", "save-markers", "softness", "volume", "bake", "shapes" };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
        if (option_given(line, own[i])) {
            return own[i];
        }
    }
    return NULL;
}

static bool check_options(Session* session, const CommandLine* line)
{
    const AnimateOptions* options = line->options;
    const GtAnimateDef* def = &options->transfer.animate;
    const char* own = harmonic_option(line);
    if (own && def->method == GT_ANIMATE_SKIN) {
        return session_misuse(session, "--%s is for --method harmonic", own);
    }
    if (option_given(line, "shapes") && def->bake.bake != GT_HARMONIC_BAKE_SHAPES) {
        return session_misuse(session, "--shapes is for --bake shapes");
    }
    if (def->pairs_path && def->keys_path) {
        return session_misuse(session,
                              "--keys rotates joints, and a body that follows another mesh by --pairs has none");
    }
    if (options->with && !def->keys_path) {
        return session_misuse(session, "--with needs --keys, whose blend says when it is seen");
    }
    return true;
}

static GtAnimateDef animate_def(const CommandLine* line, const AnimateInput* in, const Output* output)
{
    const AnimateOptions* options = line->options;
    GtAnimateDef def = options->transfer.animate;
    def.retarget.contacts = in->contacts;
    def.retarget.ground = in->ground;
    transfer_use_maps(&def, &in->known[0], &in->known[1]);
    if (harmonic_option(line) && !option_given(line, "method")) {
        def.method = GT_ANIMATE_HARMONIC;
    }
    def.joints_only = output->kind == GT_EXPORT_SCENE &&
                      (options->transfer.save.animation_only || !gt_format_holds(output->format, GT_HOLDS_MORPHS));
    def.harmonic.rate_hz = def.retarget.frame_rate_hz;
    if (option_given(line, "shapes")) { // that many, whatever the error and the size
        def.bake.tolerance_m = 0.0;
        def.bake.max_growth = 0.0;
    }
    def.second = in->second;
    return def;
}

static const char* print_length(double length_m, char out[24])
{
    bool is_small = length_m < 1.0;
    snprintf(out, 24, is_small ? "%.1f mm" : "%.3g m", is_small ? 1e3 * length_m : length_m);
    return out;
}

static void report_harmonic(Session* session, const GtAnimateReport* did)
{
    char texts[2][24];
    GtJsonWriter* json = &session->report;
    const GtHarmonicClipReport* clip = &did->harmonic;
    gt_json_key(json, "harmonic");
    gt_json_begin_object(json);
    gt_json_members(json, gt_harmonic_clip_report_fields(), clip);
    gt_json_member_integer(json, "known_markers", did->markers.known_count);
    gt_json_member_integer(json, "rings", did->markers.ring_count);
    gt_json_member_integer(json, "bare_joints", did->markers.bare_count);
    gt_json_member_number(json, "rate_hz", did->rate_hz);
    gt_json_member_string(json, "residual_joint", did->residual_joint);
    gt_json_end_object(json);
    session_say(
        session,
        "%d markers, %d frames; stretch %.2f to %.2f; middles of standing feet at most %s off the skin's, of hands %s",
        (int)clip->marker_count, (int)clip->frame_count, clip->stretch_min, clip->stretch_max,
        print_length(clip->foot_error_max_m, texts[0]), print_length(clip->hand_error_max_m, texts[1]));
}

static void report_template(Session* session, const GtAnimateReport* report)
{
    GtJsonWriter* json = &session->report;
    const GtMeshTemplateReport* did = &report->template_report;
    gt_json_member_string(json, "method", "template");
    gt_json_key(json, "template");
    gt_json_begin_object(json);
    gt_json_members(json, gt_mesh_template_report_fields(), did);
    gt_json_member_number(json, "rate_hz", report->rate_hz);
    gt_json_end_object(json);
    session_say(session, "template: %d markers, %d of them given, %d frames; %.3g times its size",
                (int)did->marker_count, (int)did->known_count, (int)did->frame_count, did->scale);
}

static void report_bake(Session* session, const GtHarmonicBakeDef* def, const GtHarmonicBakeReport* did)
{
    GtJsonWriter* json = &session->report;
    char room[32];
    bool is_skin = def->bake == GT_HARMONIC_BAKE_SHAPES && def->max_shapes == 0;
    GtHarmonicBake as = is_skin ? GT_HARMONIC_BAKE_SKIN : def->bake;
    gt_json_key(json, "bake");
    gt_json_begin_object(json);
    gt_json_member_string(json, "as", choice_name(gt_harmonic_bake_def_fields(), "bake", &as, room));
    gt_json_members(json, gt_harmonic_bake_report_fields(), did);
    gt_json_end_object(json);
    if (as != GT_HARMONIC_BAKE_FRAMES) {
        session_say(
            session,
            "baked as a skin and %d shape%s: in its frames %.2f mm off on average (RMS), %.1f mm at most, at %.2f s",
            (int)did->shape_count, did->shape_count == 1 ? "" : "s", 1e3 * did->error_rms_m, 1e3 * did->error_max_m,
            did->error_time_s);
    }
}

// What was done to the surface.
static void report_surface(Session* session, const CommandLine* line, const GtAnimateDef* def,
                           const GtAnimateReport* did, bool is_baked)
{
    if (did->was_bare) {
        rig_report_bare(session, line->arguments[0], &did->rig);
    }
    if (did->method == GT_ANIMATE_TEMPLATE) {
        report_template(session, did);
    } else {
        char room[32];
        const char* name = choice_name(gt_animate_def_fields(), "method", &did->method, room);
        if (did->why[0] && (did->was_bare || did->method != GT_ANIMATE_SKIN || option_given(line, "method"))) {
            session_say(session, "method: %s, as %s", name, did->why);
        }
        gt_json_member_string(&session->report, "method", name);
    }
    if (did->method == GT_ANIMATE_HARMONIC) {
        report_harmonic(session, did);
    }
    if (did->method != GT_ANIMATE_SKIN && is_baked) {
        report_bake(session, &def->bake, &did->bake);
    }
}

static bool write_scene(Session* session, GtSaveDef save, const GtScene* animated, const Output* output)
{
    save.animation = animated->animation_count - 1;
    save.source_units = true;
    return output_write(session, output, animated, &save);
}

static void say_result(Session* session, const GtScene* animated, const Output* output, const GtAnimateReport* did)
{
    char room[32];
    GtText summary = { 0 };
    GtJsonWriter* report = &session->report;
    const char* name = clip_name(animated, animated->animation_count - 1, room);
    gt_json_member_string(report, "output", output->path);
    gt_json_member_string(report, "output_format", output->format);
    gt_json_member_string(report, "clip", name);
    if (did->method != GT_ANIMATE_TEMPLATE) {
        transfer_report(report, &did->retarget);
        transfer_add_summary(&summary, &did->retarget);
    }
    bool is_said = output->kind != GT_EXPORT_SCENE; // what was written; this is what it shows
    session_say(session, "%s%s%sclip '%s'%s%s", is_said ? "" : "wrote ", is_said ? "" : output->path,
                is_said ? "" : ": ", name, summary.bytes ? ", " : "",
                summary.bytes && !summary.failed ? summary.bytes : "");
    gt_text_destroy(&summary);
}

static bool read_input(Session* session, const CommandLine* line, AnimateInput* in)
{
    const AnimateOptions* options = line->options;
    const TransferOptions* transfer = &options->transfer;
    GtLoadDef character_def = gt_default_load_def();
    GtLoadDef motion_def = transfer->load;
    character_def.group = transfer->load.group; // the only one of these options that is about the character
    motion_def.group = NULL;
    return scene_read(session, line->arguments[0], &character_def, &in->character) &&
           scene_read(session, line->arguments[1], &motion_def, &in->motion) &&
           (!options->with || scene_read(session, options->with, &motion_def, &in->second)) &&
           transfer_read_map(session, in->character, transfer->map, &in->known[0]) &&
           transfer_read_map(session, in->motion, transfer->motion_map, &in->known[1]) &&
           transfer_read_contacts(session, transfer->contacts, transfer->animate.retarget.feet, &in->contacts) &&
           transfer_read_ground(session, transfer->ground, &in->ground);
}

static void free_input(AnimateInput* in)
{
    gt_contacts_destroy(in->contacts);
    gt_ground_destroy(in->ground);
    gt_scene_destroy(in->character);
    gt_scene_destroy(in->motion);
    gt_scene_destroy(in->second);
}

static bool animate(Session* session, const CommandLine* line, const AnimateInput* in, const Output* output)
{
    const AnimateOptions* options = line->options;
    GtAnimateDef def = animate_def(line, in, output);
    if (!clip_find(session, in->motion, line->arguments[1], options->transfer.clip, &def.animation)) {
        return false;
    }
    bool is_exact = output->kind == GT_EXPORT_MESH || output->kind == GT_EXPORT_FRAMES;
    GtError error = { 0 };
    GtAnimateReport did;
    GtScene* animated = NULL;
    GtHarmonicClip* clip = NULL;
    session->subject = line->arguments[0];
    GtResult result =
        is_exact ? gt_animate_frames(&session->context, in->character, in->motion, &def, &animated, &clip, &did, &error)
                 : gt_animate(&session->context, in->character, in->motion, &def, &animated, &did, &error);
    session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, line->arguments[1]);
        return session_fail(session, &error);
    }
    report_surface(session, line, &def, &did, !is_exact);
    GtExportReport wrote;
    GtExportDef export = gt_default_export_def();
    export.animation = animated->animation_count - 1;
    export.rate_hz = def.retarget.frame_rate_hz;
    export.harmonic = clip;
    bool ok = output->kind == GT_EXPORT_SCENE ? write_scene(session, options->transfer.save, animated, output)
                                              : output_export(session, output, animated, &export, &wrote);
    if (ok) {
        say_result(session, animated, output, &did);
    }
    gt_harmonic_clip_destroy(clip);
    gt_scene_destroy(animated);
    return ok;
}

static bool animate_run(Session* session, const CommandLine* line)
{
    const AnimateOptions* options = line->options;
    Output output;
    AnimateInput in = { 0 };
    bool ok = check_options(session, line) &&
              output_prepare_export(session, options->transfer.output, options->transfer.format, &output) &&
              output_check_animation_only(session, &output, &options->transfer.save) &&
              read_input(session, line, &in) && animate(session, line, &in, &output);
    free_input(&in);
    return ok;
}

const Verb verb_animate = {
    .name = "animate",
    .summary = "make a character move like a motion",
    .description =
        "Puts a clip of MOTION on CHARACTER and writes the result. The joints of both humanoids are recognised, "
        "whatever "
        "they are called; rest poses, joint axes and proportions may differ. The path is scaled by the length of the "
        "legs. Figures that are not humanoid must share joint names. Rest pose, mesh and materials of the character "
        "stay as they are. A bare mesh is rigged first, as by 'gertie rig'.\n\n"
        "A T-pose that a capture begins with is left out, unless --keep-tpose asks for it.\n\n"
        "The ending of OUT says what is written: a scene (.glb, .gltf, .vrm), the motion alone (.bvh), the mesh in the "
        "pose at the middle of the motion (.obj, .ply, .stl), every frame of the mesh (.pc2, or # in the name for one "
        "file per frame), a picture (.png) or a film (.mp4, .webm, .gif). 'gertie render' has cameras, sizes and more "
        "for pictures and films.",
    .arguments = { { .name = "CHARACTER", .help = "a character to move, or a bare mesh" },
                   { .name = "MOTION",
                     .help = "a file with a motion, a character that has one, or a name from the library ('gertie "
                             "sample library --list')" } },
    .options = { OPTION_OUTPUT_OF(TransferOptions), OPTION_CLIP_OF(TransferOptions, "MOTION"), TRANSFER_OPTIONS,
                 FIELD_OPTION("name", TransferOptions, animate, retarget.name), TRANSFER_MORE_OPTIONS,
                 FIELD_OPTION("group", TransferOptions, load, group,
                              .help = "the only group or object of CHARACTER to read, where it is an OBJ file"),
                 FIELD_OPTION("markers", TransferOptions, animate, markers_path, .is_file = true,
                              .value = "MARKERS.json", .endings = "json"),
                 FIELD_OPTION("save-markers", TransferOptions, animate, save_markers, .is_file = true,
                              .value = "MARKERS.json", .endings = "json"),
                 FIELD_OPTION("softness", TransferOptions, animate, markers.softness),
                 FIELD_OPTION("volume", TransferOptions, animate, harmonic.squeeze),
                 FIELD_OPTION("bake", TransferOptions, animate, bake.bake),
                 FIELD_OPTION("shapes", TransferOptions, animate, bake.max_shapes,
                              .help = "number of morph shapes of --bake shapes",
                              .default_text =
                                  "as few as bring the RMS error below a quarter of a millimetre, in a file "
                                  "at most twice as large as with the skin alone"),
                 FIELD_OPTION("pairs", TransferOptions, animate, pairs_path, .is_file = true, .value = "PAIRS.json",
                              .endings = "json"),
                 FIELD_OPTION("keys", TransferOptions, animate, keys_path, .is_file = true, .value = "KEYS.json",
                              .endings = "json"),
                 PATH_OPTION("with", AnimateOptions, with, "MOTION",
                             "a second motion, its first clip, that the blend of --keys fades in and out") },
    .examples =
        (const Example[]){
            { "gertie animate hero.glb walk.bvh -o walking.glb", "the hero walks" },
            { "gertie animate hero.glb walk_relaxed -o stroll.glb", "a motion of the library, by its name" },
            { "gertie animate scan.obj walk.bvh -o walk.mp4", "see a scan walk: a film, in one command" },
            { "gertie animate hero.glb dance.bvh -o hero.glb --keep-clips --fps 30",
              "give the hero one more clip, 30 keys a second" },
            { "gertie animate hero.glb dancer.glb --clip Samba -o samba.glb", "take a clip from another character" },
            { "gertie animate hero.glb walk.bvh -o step.glb --root none --loop", "a walk on the spot that repeats" },
            { "gertie animate scan.glb kick.bvh -o kick.glb --method harmonic --fps 30",
              "bend the surface without weights" },
            { "gertie animate hero.glb walk.bvh -o look.glb --keys look.json", "turn the head by hand as he walks" },
            { NULL, NULL } },
    .more_from = "contacts",
    .options_size = sizeof(AnimateOptions),
    .set_defaults = set_defaults,
    .run = animate_run,
};
