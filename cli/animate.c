// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `animate`: a character takes a motion.

#include "fail.h"
#include "frames.h"
#include "harmonic.h"
#include "keying.h"
#include "loss.h"
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

static void say_result(Session* session, const GtScene* animated, const Output* output, const GtRetargetReport* did)
{
    char room[32];
    Text summary = { 0 };
    Json* report = &session->report;
    const char* name = clip_name(animated, animated->animation_count - 1, room);
    json_member_string(report, "output", output->path);
    json_member_string(report, "output_format", output->format);
    json_member_string(report, "clip", name);
    transfer_report(report, did);
    transfer_add_summary(&summary, did);
    session_say(session, "wrote %s: clip '%s', %s", output->path, name, summary.failed ? "" : summary.bytes);
    text_free(&summary);
}

static GtRetargetDef animate_def(const OptionValue* values)
{
    return transfer_def(&(TransferOptions){ .fps = &values[ANIMATE_FPS],
                                            .speed = &values[ANIMATE_SPEED],
                                            .root = &values[ANIMATE_ROOT],
                                            .feet = &values[ANIMATE_FEET],
                                            .keep_contacts = &values[ANIMATE_KEEP_CONTACTS],
                                            .mirror = &values[ANIMATE_MIRROR],
                                            .loop = &values[ANIMATE_LOOP],
                                            .keep_tpose = &values[ANIMATE_KEEP_TPOSE] });
}

static void animate_defaults(OptionValue* values)
{
    transfer_speed_default(&values[ANIMATE_SPEED]);
    harmonic_defaults(&values[ANIMATE_SOFTNESS], &values[ANIMATE_VOLUME]);
}

static HarmonicOptions harmonic_options(const OptionValue* values)
{
    return (HarmonicOptions){ .method = &values[ANIMATE_METHOD],
                              .markers = &values[ANIMATE_MARKERS],
                              .save_markers = &values[ANIMATE_SAVE_MARKERS],
                              .softness = &values[ANIMATE_SOFTNESS],
                              .volume = &values[ANIMATE_VOLUME],
                              .fps = &values[ANIMATE_FPS],
                              .bake = &values[ANIMATE_BAKE],
                              .shapes = &values[ANIMATE_SHAPES],
                              .pairs = &values[ANIMATE_PAIRS],
                              .name = &values[ANIMATE_NAME],
                              .is_for_frames = frames_asked(values[ANIMATE_OUTPUT].text) };
}

static KeyingOptions keying_options(const OptionValue* values)
{
    return (KeyingOptions){ .keys = &values[ANIMATE_KEYS],
                            .with = &values[ANIMATE_WITH],
                            .units = &values[ANIMATE_UNITS],
                            .up = &values[ANIMATE_UP] };
}

static const double frames_hz = 30.0; // of a file that holds frames, unless --fps or the method says

// clip: of harmonic deformation, or NULL
static bool write_frames(Session* session, const OptionValue* values, const GtScene* animated,
                         const GtHarmonicClip* clip, const Output* output)
{
    Frames frames;
    double rate_hz = values[ANIMATE_FPS].given ? values[ANIMATE_FPS].number : frames_hz;
    bool ok = (clip ? frames_open_harmonic(session, animated, clip, &frames)
                    : frames_open(session, animated, animated->animation_count - 1, rate_hz, &frames)) &&
              frames_write(session, &frames, output->path);
    frames_close(session, &frames);
    return ok;
}

static bool write_file(Session* session, const OptionValue* values, const GtScene* animated, const GtHarmonicClip* clip,
                       const Output* output)
{
    if (frames_asked(output->path)) {
        return write_frames(session, values, animated, clip, output);
    }
    Loss losses[LOSS_COUNT];
    GtSaveDef save = gt_default_save_def();
    save.animation = animated->animation_count - 1;
    save.source_units = true;
    if (!output_write(session, output, animated, &save)) {
        return false;
    }
    loss_count(animated, output, losses);
    loss_warn(session, output, losses);
    return true;
}

// Write what has been animated, and say so.
static bool write_result(Session* session, const OptionValue* values, const HarmonicSubject* subject,
                         const GtHandKeys* keys, GtScene** animated, const Output* output, const GtRetargetReport* did)
{
    HarmonicOptions options = harmonic_options(values);
    GtHarmonicClip* clip = NULL;
    if (harmonic_asked(session, &options, subject)) {
        if (!harmonic_apply(session, &options, subject->markers, keys, animated, &clip)) {
            return false;
        }
    } else if (keying_turns_markers(keys)) {
        GtError error;
        fail(&error, GT_ERROR_BAD_VALUE, keys->file, "markers are turned, which need --method harmonic");
        return session_fail(session, &error);
    }
    bool ok = write_file(session, values, *animated, clip, output);
    if (ok) {
        say_result(session, *animated, output, did);
    }
    gt_harmonic_clip_destroy(clip);
    return ok;
}

static bool animate_scenes(Session* session, const CommandLine* line, const GtScene* character, const GtScene* motion,
                           const HarmonicSubject* subject, const Output* output)
{
    const OptionValue* values = line->values;
    GtAnimateDef def = gt_default_animate_def();
    def.retarget = animate_def(values);
    if (!clip_find(session, motion, line->arguments[1], &values[ANIMATE_CLIP], &def.retarget.animation)) {
        return false;
    }
    if (motion->animation_count == 0) {
        GtError none;
        fail(&none, GT_ERROR_NOT_FOUND, line->arguments[1], "the motion holds no animation");
        return session_fail(session, &none);
    }
    KnownFigure known[2];
    GtContacts* contacts = NULL;
    GtGround* ground = NULL;
    if (!transfer_read_map(session, character, &values[ANIMATE_MAP], &known[0]) ||
        !transfer_read_map(session, motion, &values[ANIMATE_MOTION_MAP], &known[1]) ||
        !transfer_read_contacts(session, &values[ANIMATE_CONTACTS], def.retarget.feet, &contacts) ||
        !transfer_read_ground(session, &values[ANIMATE_GROUND], &ground)) {
        gt_contacts_destroy(contacts);
        return false;
    }
    def.retarget.contacts = contacts;
    def.retarget.ground = ground;
    transfer_use_maps(&def, &known[0], &known[1]);
    def.retarget.name = values[ANIMATE_NAME].given ? values[ANIMATE_NAME].text : NULL;
    def.keep_animations = values[ANIMATE_KEEP_CLIPS].given;

    GtError error = { 0 };
    GtRetargetReport did;
    GtScene* animated = NULL;
    session->subject = output->path;
    GtResult result = gt_animate(&session->context, character, motion, &def, &animated, &did, &error);
    session->subject = "";
    if (result != GT_OK) {
        error_set_file(&error, line->arguments[1]);
    }
    GtHandKeys* keys = NULL;
    KeyingOptions keying = keying_options(values);
    bool ok = result == GT_OK ? keying_apply(session, &keying, &def, &animated, &keys) : session_fail(session, &error);
    gt_contacts_destroy(contacts);
    gt_ground_destroy(ground);
    ok = ok && write_result(session, values, subject, keys, &animated, output, &did);
    gt_hand_keys_destroy(keys);
    gt_scene_destroy(animated);
    return ok;
}

// A bare mesh is rigged first.
static bool rig_if_bare(Session* session, const char* file, GtScene** character, GtRigReport* rig, bool* was_bare)
{
    *was_bare = is_bare(session, *character);
    if (!*was_bare) {
        return true;
    }
    GtScene* rigged = NULL;
    if (!rig_scene(session, file, *character, NULL, &rigged, rig)) {
        return false;
    }
    json_key(&session->report, "rig");
    json_begin_object(&session->report);
    rig_report(&session->report, rig);
    json_end_object(&session->report);
    session_say(session, "rigged %s: %d joints, confidence %.2f", file, (int)rig->joint_count, (double)rig->confidence);
    gt_scene_destroy(*character);
    *character = rigged;
    return true;
}

static bool prepare_output(Session* session, const OptionValue* values, Output* out)
{
    const char* path = values[ANIMATE_OUTPUT].text;
    if (!frames_asked(path)) {
        return output_prepare(session, path, &values[ANIMATE_FORMAT], out);
    }
    *out = (Output){ .path = path, .format = "frames" };
    return frames_prepare(session, path);
}

// A mesh drives a mesh.
static bool follow_template(Session* session, const CommandLine* line, const GtScene* motion, GtScene** character,
                            const Output* output)
{
    int32_t animation = GT_NONE;
    GtHarmonicClip* clip = NULL;
    HarmonicOptions options = harmonic_options(line->values);
    char room[32];
    bool ok = clip_find(session, motion, line->arguments[1], &line->values[ANIMATE_CLIP], &animation) &&
              harmonic_follow(session, &options, motion, animation, character, &clip) &&
              write_file(session, line->values, *character, clip, output);
    gt_harmonic_clip_destroy(clip);
    if (!ok) {
        return false;
    }
    json_member_string(&session->report, "output", output->path);
    json_member_string(&session->report, "output_format", output->format);
    json_member_string(&session->report, "clip", clip_name(*character, 0, room));
    session_say(session, "wrote %s: clip '%s'", output->path, clip_name(*character, 0, room));
    return true;
}

static bool holds_morphs(const Output* output)
{
    return !strcmp(output->format, "glb") || !strcmp(output->format, "gltf") || !strcmp(output->format, "vrm") ||
           !strcmp(output->format, "frames");
}

static bool animate_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    Output output;
    HarmonicOptions harmonic = harmonic_options(values);
    KeyingOptions keying = keying_options(values);
    if (!harmonic_check(session, &harmonic) || !keying_check(session, &keying) ||
        !prepare_output(session, values, &output)) {
        return false;
    }
    GtLoadDef character_def = gt_default_load_def();
    character_def.group = values[ANIMATE_GROUP].given ? values[ANIMATE_GROUP].text : NULL;
    GtLoadDef motion_def = scene_load_def(&values[ANIMATE_UNITS], &values[ANIMATE_UP], NULL);
    GtScene* character = NULL;
    GtScene* motion = NULL;
    GtMarkers* markers = NULL;
    GtRigReport rig;
    bool was_bare = false;
    bool ok = scene_read(session, line->arguments[0], &character_def, &character) &&
              scene_read(session, line->arguments[1], &motion_def, &motion);
    if (ok && harmonic_has_template(&harmonic, character, motion)) {
        ok = (!values[ANIMATE_KEYS].given ||
              session_misuse(session, "--keys turns joints, and a mesh that drives a mesh has none")) &&
             follow_template(session, line, motion, &character, &output);
    } else if (ok) {
        ok = harmonic_restore(session, line->arguments[0], values[ANIMATE_KEEP_CLIPS].given, &character, &markers) &&
             rig_if_bare(session, line->arguments[0], &character, &rig, &was_bare);
        HarmonicSubject subject = { .rig = was_bare ? &rig : NULL,
                                    .markers = markers,
                                    .has_morphs = holds_morphs(&output) };
        ok = ok && animate_scenes(session, line, character, motion, &subject, &output);
    }
    gt_markers_destroy(markers);
    gt_scene_destroy(character);
    gt_scene_destroy(motion);
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
        "A T-pose that a capture begins with is left out, unless --keep-tpose asks for it.",
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
