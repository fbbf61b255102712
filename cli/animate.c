// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `animate`: options for gt_animate(), and what is said of what it did.

#include "fail.h"
#include "rigging.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include <string.h>

enum {
    ANIMATE_OUTPUT,
    ANIMATE_CLIP,
    ANIMATE_FPS,
    ANIMATE_SPEED,
    ANIMATE_ROOT,
    ANIMATE_FEET,
    ANIMATE_CONTACTS,
    ANIMATE_GROUND,
    ANIMATE_KEEP_CONTACTS,
    ANIMATE_MIRROR,
    ANIMATE_LOOP,
    ANIMATE_NAME,
    ANIMATE_KEEP_CLIPS,
    ANIMATE_KEEP_TPOSE,
    ANIMATE_MAP,
    ANIMATE_MOTION_MAP,
    ANIMATE_UNITS,
    ANIMATE_UP,
    ANIMATE_GROUP,
    ANIMATE_METHOD,
    ANIMATE_MARKERS,
    ANIMATE_SAVE_MARKERS,
    ANIMATE_SOFTNESS,
    ANIMATE_VOLUME,
    ANIMATE_BAKE,
    ANIMATE_SHAPES,
    ANIMATE_PAIRS,
    ANIMATE_KEYS,
    ANIMATE_WITH,
    ANIMATE_FORMAT
};

// Choices of --bake.
static const char* const bake_names[] = { "shapes", "skin", "frames", NULL };

enum {
    BAKE_SHAPES,
    BAKE_SKIN,
    BAKE_FRAMES
};

#define OPTION_MARKERS                                                                                                 \
    {                                                                                                                  \
        .name = "markers", .kind = OPTION_FILE, .value = "FILE",                                                       \
        .help = "markers for --method harmonic, as --save-markers writes them; joints that have none are completed",   \
        .endings = "json"                                                                                              \
    }
#define OPTION_SAVE_MARKERS                                                                                            \
    {                                                                                                                  \
        .name = "save-markers", .kind = OPTION_FILE, .value = "FILE", .help = "write the markers that were used",      \
        .endings = "json"                                                                                              \
    }
#define OPTION_PAIRS                                                                                                   \
    {                                                                                                                  \
        .name = "pairs", .kind = OPTION_FILE, .value = "FILE",                                                         \
        .help = "take MOTION's animated mesh, not its joints, as the template of a bare CHARACTER: pairs of their "    \
                "triangles, which are completed",                                                                      \
        .endings = "json"                                                                                              \
    }
#define OPTION_SOFTNESS                                                                                                \
    {                                                                                                                  \
        .name = "softness", .kind = OPTION_NUMBER, .value = "RADII",                                                   \
        .help = "how far from a joint the markers keep, in radii of the limb: less bends sharper", .min = 0.05,        \
        .max = 10                                                                                                      \
    }
#define OPTION_VOLUME                                                                                                  \
    {                                                                                                                  \
        .name = "volume", .kind = OPTION_NUMBER, .value = "SHARE",                                                     \
        .help = "how far bends keep their volume, at the price of creases inside: 0 not at all, 1 nearly all",         \
        .min = 0, .max = 10                                                                                            \
    }
#define OPTION_BAKE                                                                                                    \
    {                                                                                                                  \
        .name = "bake", .kind = OPTION_CHOICE, .value = "WHAT",                                                        \
        .help = "how the result of --method harmonic is written: shapes is a skin and a few morph shapes, fitted; "    \
                "skin is without the shapes; frames is a morph shape for each frame, exact and large",                 \
        .choices = bake_names                                                                                          \
    }
#define OPTION_SHAPES                                                                                                  \
    {                                                                                                                  \
        .name = "shapes", .kind = OPTION_INTEGER, .value = "N",                                                        \
        .help = "how many morph shapes --bake shapes makes; without it, as many as a quarter of a millimetre takes",   \
        .min = 0, .max = 64                                                                                            \
    }

#define OPTION_KEYS                                                                                                    \
    {                                                                                                                  \
        .name = "keys", .kind = OPTION_FILE, .value = "FILE",                                                          \
        .help = "turns of joints or markers, keyed by hand, that are added to the motion", .endings = "json"           \
    }
#define OPTION_WITH                                                                                                    \
    {                                                                                                                  \
        .name = "with", .kind = OPTION_FILE, .value = "MOTION",                                                        \
        .help = "a second motion, its first clip, that the blend of --keys fades in and out"                           \
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

static void animate_defaults(OptionValue* values)
{
    transfer_speed_default(&values[ANIMATE_SPEED]);
    values[ANIMATE_SOFTNESS] =
        (OptionValue){ .has_default = true, .number = (double)gt_default_markers_def().softness };
    values[ANIMATE_VOLUME] =
        (OptionValue){ .has_default = true, .number = (double)gt_default_harmonic_clip_def().squeeze };
}

// The first option that is given and means harmonic deformation.
static const char* harmonic_option(const OptionValue* values)
{
    static const int own[] = { ANIMATE_MARKERS, ANIMATE_SAVE_MARKERS, ANIMATE_SOFTNESS,
                               ANIMATE_VOLUME,  ANIMATE_BAKE,         ANIMATE_SHAPES };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
        if (values[own[i]].given) {
            return verb_animate.options[own[i]].name;
        }
    }
    return NULL;
}

static bool check_options(Session* session, const OptionValue* values)
{
    const char* own = harmonic_option(values);
    if (own && values[ANIMATE_METHOD].given && values[ANIMATE_METHOD].choice == GT_ANIMATE_SKIN) {
        return session_misuse(session, "--%s is for --method harmonic", own);
    }
    if (values[ANIMATE_SHAPES].given && values[ANIMATE_BAKE].given && values[ANIMATE_BAKE].choice != BAKE_SHAPES) {
        return session_misuse(session, "--shapes is for --bake shapes");
    }
    if (values[ANIMATE_PAIRS].given && values[ANIMATE_KEYS].given) {
        return session_misuse(session,
                              "--keys rotates joints, and a body that follows another mesh by --pairs has none");
    }
    if (values[ANIMATE_WITH].given && !values[ANIMATE_KEYS].given) {
        return session_misuse(session, "--with needs --keys, whose blend says when it is seen");
    }
    return true;
}

static const char* text_of(const OptionValue* value)
{
    return value->given ? value->text : NULL;
}

static GtHarmonicBakeDef bake_def(const OptionValue* values)
{
    GtHarmonicBakeDef def = gt_default_harmonic_bake_def();
    int bake = values[ANIMATE_BAKE].given ? values[ANIMATE_BAKE].choice : BAKE_SHAPES;
    def.bake = bake == BAKE_FRAMES ? GT_HARMONIC_BAKE_FRAMES : GT_HARMONIC_BAKE_SHAPES;
    def.max_shapes = bake == BAKE_SKIN ? 0 : def.max_shapes;
    if (values[ANIMATE_SHAPES].given) {
        def.max_shapes = (int32_t)values[ANIMATE_SHAPES].number;
        def.tolerance_m = 0.0;
    }
    return def;
}

static GtAnimateDef animate_def(const OptionValue* values, const AnimateInput* in, const Output* output)
{
    GtAnimateDef def = gt_default_animate_def();
    def.retarget = transfer_def(&(TransferOptions){ .fps = &values[ANIMATE_FPS],
                                                    .speed = &values[ANIMATE_SPEED],
                                                    .root = &values[ANIMATE_ROOT],
                                                    .feet = &values[ANIMATE_FEET],
                                                    .keep_contacts = &values[ANIMATE_KEEP_CONTACTS],
                                                    .mirror = &values[ANIMATE_MIRROR],
                                                    .loop = &values[ANIMATE_LOOP],
                                                    .keep_tpose = &values[ANIMATE_KEEP_TPOSE] });
    def.retarget.contacts = in->contacts;
    def.retarget.ground = in->ground;
    def.retarget.name = text_of(&values[ANIMATE_NAME]);
    transfer_use_maps(&def, &in->known[0], &in->known[1]);
    def.keep_animations = values[ANIMATE_KEEP_CLIPS].given;
    def.method = values[ANIMATE_METHOD].given ? (GtAnimateMethod)values[ANIMATE_METHOD].choice
                 : harmonic_option(values)    ? GT_ANIMATE_HARMONIC
                                              : GT_ANIMATE_AUTO;
    def.joints_only = output->kind == GT_EXPORT_SCENE && !gt_format_holds(output->format, GT_HOLDS_MORPHS);
    def.markers.softness = (float)values[ANIMATE_SOFTNESS].number;
    def.markers_path = text_of(&values[ANIMATE_MARKERS]);
    def.save_markers = text_of(&values[ANIMATE_SAVE_MARKERS]);
    def.harmonic.squeeze = (float)values[ANIMATE_VOLUME].number;
    def.harmonic.rate_hz = values[ANIMATE_FPS].given ? values[ANIMATE_FPS].number : 0.0;
    def.bake = bake_def(values);
    def.pairs_path = text_of(&values[ANIMATE_PAIRS]);
    def.keys_path = text_of(&values[ANIMATE_KEYS]);
    def.second = in->second;
    return def;
}

static void report_harmonic(Session* session, const GtAnimateReport* did)
{
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
    session_say(session,
                "%d markers, %d frames; stretch %.2f to %.2f, standing feet within %.1f mm, hands within %.1f mm",
                (int)clip->marker_count, (int)clip->frame_count, clip->stretch_min, clip->stretch_max,
                1e3 * clip->foot_error_max_m, 1e3 * clip->hand_error_max_m);
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
    bool is_frames = def->bake == GT_HARMONIC_BAKE_FRAMES;
    int as = is_frames ? BAKE_FRAMES : def->max_shapes == 0 ? BAKE_SKIN : BAKE_SHAPES;
    gt_json_key(json, "bake");
    gt_json_begin_object(json);
    gt_json_member_string(json, "as", bake_names[as]);
    gt_json_members(json, gt_harmonic_bake_report_fields(), did);
    gt_json_end_object(json);
    if (!is_frames) {
        session_say(session, "baked as a skin and %d shape%s: %.2f mm off on average (RMS), %.1f mm at most, at %.2f s",
                    (int)did->shape_count, did->shape_count == 1 ? "" : "s", 1e3 * did->error_rms_m,
                    1e3 * did->error_max_m, did->error_time_s);
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
        bool is_news =
            did->why[0] && (did->was_bare || did->method != GT_ANIMATE_SKIN || line->values[ANIMATE_METHOD].given);
        if (is_news) {
            session_say(session, "method: %s, as %s", method_names[did->method], did->why);
        }
        gt_json_member_string(&session->report, "method", method_names[did->method]);
    }
    if (did->method == GT_ANIMATE_HARMONIC) {
        report_harmonic(session, did);
    }
    if (did->method != GT_ANIMATE_SKIN && is_baked) {
        report_bake(session, &def->bake, &did->bake);
    }
}

static bool write_scene(Session* session, const GtScene* animated, const Output* output)
{
    GtSaveDef save = gt_default_save_def();
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
    const OptionValue* values = line->values;
    GtLoadDef character_def = gt_default_load_def();
    character_def.group = text_of(&values[ANIMATE_GROUP]);
    GtLoadDef motion_def = scene_load_def(&values[ANIMATE_UNITS], &values[ANIMATE_UP], NULL);
    GtFeet feet = values[ANIMATE_FEET].given ? (GtFeet)values[ANIMATE_FEET].choice : gt_default_retarget_def().feet;
    return scene_read(session, line->arguments[0], &character_def, &in->character) &&
           scene_read(session, line->arguments[1], &motion_def, &in->motion) &&
           (!values[ANIMATE_WITH].given || scene_read(session, values[ANIMATE_WITH].text, &motion_def, &in->second)) &&
           transfer_read_map(session, in->character, values[ANIMATE_MAP].text, &in->known[0]) &&
           transfer_read_map(session, in->motion, values[ANIMATE_MOTION_MAP].text, &in->known[1]) &&
           transfer_read_contacts(session, values[ANIMATE_CONTACTS].text, feet, &in->contacts) &&
           transfer_read_ground(session, values[ANIMATE_GROUND].text, &in->ground);
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
    const OptionValue* values = line->values;
    GtAnimateDef def = animate_def(values, in, output);
    if (!clip_find(session, in->motion, line->arguments[1], values[ANIMATE_CLIP].text, &def.animation)) {
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
    export.rate_hz = values[ANIMATE_FPS].given ? values[ANIMATE_FPS].number : export.rate_hz;
    export.harmonic = clip;
    bool ok = output->kind == GT_EXPORT_SCENE ? write_scene(session, animated, output)
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
    Output output;
    AnimateInput in = { 0 };
    bool ok =
        check_options(session, line->values) &&
        output_prepare_export(session, line->values[ANIMATE_OUTPUT].text, line->values[ANIMATE_FORMAT].text, &output) &&
        read_input(session, line, &in) && animate(session, line, &in, &output);
    free_input(&in);
    return ok;
}

const Verb verb_animate = {
    .name = "animate",
    .summary = "make a character move like a motion",
    .description =
        "Puts a clip of MOTION on CHARACTER and writes the result. The humanoid in either is found, whatever its "
        "joints are called, and both are brought into a T-pose in thought, so that rest poses and joint axes may "
        "differ. The path is scaled by the length of the legs. Two figures that are no humanoids must share joint "
        "names. Rest pose, mesh and materials of the character stay as they are. A bare mesh is rigged first, as by "
        "'gertie rig'.\n\n"
        "A T-pose that a capture begins with is left out, unless --keep-tpose asks for it.\n\n"
        "The ending of OUT says what is written: a scene (.glb, .gltf, .vrm), the motion alone (.bvh), the mesh in the "
        "pose at the middle of the motion (.obj, .ply, .stl), every frame of the mesh (.pc2, or # in the name for one "
        "file per frame), a picture (.png) or a film (.mp4, .webm, .gif). 'gertie render' has cameras, sizes and more "
        "for pictures and films.",
    .arguments = { { .name = "CHARACTER", .help = "a character to move, or a bare mesh" },
                   { .name = "MOTION", .help = "a file with a motion, or a character that has one" } },
    .options = { [ANIMATE_OUTPUT] = OPTION_SCENE_OUTPUT,
                 [ANIMATE_CLIP] = { .name = "clip",
                                    .kind = OPTION_TEXT,
                                    .value = "CLIP",
                                    .help = "clip of MOTION, by name or by number counted from 0; without it, the "
                                            "first" },
                 [ANIMATE_FPS] = OPTION_FPS,
                 [ANIMATE_SPEED] = OPTION_SPEED,
                 [ANIMATE_ROOT] = OPTION_ROOT,
                 [ANIMATE_FEET] = OPTION_FEET,
                 [ANIMATE_CONTACTS] = OPTION_CONTACTS,
                 [ANIMATE_GROUND] = OPTION_GROUND,
                 [ANIMATE_KEEP_CONTACTS] = OPTION_KEEP_CONTACTS,
                 [ANIMATE_MIRROR] = OPTION_MIRROR,
                 [ANIMATE_LOOP] = { .name = "loop", .help = "make the last pose the first, so that the clip repeats" },
                 [ANIMATE_NAME] = { .name = "name",
                                    .kind = OPTION_TEXT,
                                    .value = "NAME",
                                    .help = "name of the new clip; without it, the motion's own" },
                 [ANIMATE_KEEP_CLIPS] = OPTION_KEEP_CLIPS,
                 [ANIMATE_KEEP_TPOSE] = { .name = "keep-tpose", .help = "keep the T-pose that the motion begins with" },
                 [ANIMATE_MAP] = OPTION_CHARACTER_MAP,
                 [ANIMATE_MOTION_MAP] = OPTION_MOTION_MAP,
                 [ANIMATE_UNITS] = OPTION_UNITS("units of MOTION, where its format does not say"),
                 [ANIMATE_UP] = OPTION_UP("axis that points up in MOTION, where its format does not say"),
                 [ANIMATE_GROUP] = { .name = "group",
                                     .kind = OPTION_TEXT,
                                     .value = "NAME",
                                     .help = "read this group or object of CHARACTER only, where it is an OBJ" },
                 [ANIMATE_METHOD] = OPTION_METHOD,
                 [ANIMATE_MARKERS] = OPTION_MARKERS,
                 [ANIMATE_SAVE_MARKERS] = OPTION_SAVE_MARKERS,
                 [ANIMATE_SOFTNESS] = OPTION_SOFTNESS,
                 [ANIMATE_VOLUME] = OPTION_VOLUME,
                 [ANIMATE_BAKE] = OPTION_BAKE,
                 [ANIMATE_SHAPES] = OPTION_SHAPES,
                 [ANIMATE_PAIRS] = OPTION_PAIRS,
                 [ANIMATE_KEYS] = OPTION_KEYS,
                 [ANIMATE_WITH] = OPTION_WITH,
                 [ANIMATE_FORMAT] = OPTION_STREAM_FORMAT },
    .examples =
        (const Example[]){
            { "gertie animate hero.glb walk.bvh -o walking.glb", "the hero walks" },
            { "gertie animate scan.obj walk.bvh -o walk.mp4", "see a scan walk: a film, in one command" },
            { "gertie animate hero.glb dance.bvh -o hero.glb --keep-clips --fps 30",
              "give the hero one more clip, 30 keys a second" },
            { "gertie animate hero.glb dancer.glb --clip Samba -o samba.glb", "take a clip from another character" },
            { "gertie animate hero.glb walk.bvh -o step.glb --root none --loop", "a walk on the spot that repeats" },
            { "gertie animate scan.glb kick.bvh -o kick.glb --method harmonic --fps 30",
              "bend the surface without weights" },
            { "gertie animate hero.glb walk.bvh -o look.glb --keys look.json", "turn the head by hand as he walks" },
            { NULL, NULL } },
    .defaults = animate_defaults,
    .run = animate_run,
};
