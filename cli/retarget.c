// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `retarget`: many motions onto one character, as clips of one file or as one file each.

#include "fail.h"
#include "loss.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    RETARGET_OUTPUT,
    RETARGET_CLIP,
    RETARGET_FPS,
    RETARGET_SPEED,
    RETARGET_ROOT,
    RETARGET_FEET,
    RETARGET_MIRROR,
    RETARGET_LOOP,
    RETARGET_KEEP_CLIPS,
    RETARGET_KEEP_TPOSE,
    RETARGET_MAP,
    RETARGET_MOTION_MAP,
    RETARGET_UNITS,
    RETARGET_UP,
    RETARGET_FORMAT
};

// A run over all motions.
typedef struct Batch {
    Session* session;
    const CommandLine* line;
    const GtScene* character;
    KnownFigure known_character;
    KnownFigure known_motion; // of the motion at hand
    GtScene* result;          // the character with the clips so far, or NULL
    Output output;
    bool is_folder;
    int32_t clip_count;
} Batch;

static GtRetargetDef retarget_def(const OptionValue* values)
{
    return transfer_def(&(TransferOptions){ .fps = &values[RETARGET_FPS],
                                            .speed = &values[RETARGET_SPEED],
                                            .root = &values[RETARGET_ROOT],
                                            .feet = &values[RETARGET_FEET],
                                            .mirror = &values[RETARGET_MIRROR],
                                            .loop = &values[RETARGET_LOOP],
                                            .keep_tpose = &values[RETARGET_KEEP_TPOSE] });
}

static void retarget_defaults(OptionValue* values)
{
    transfer_speed_default(&values[RETARGET_SPEED]);
}

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
static void add_stem(Text* text, const char* path)
{
    const char* base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const char* dot = strrchr(base, '.');
    text_add(text, base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

// The clip's own name, else that of its file ("mixamo.com" is the name of many), else that with a number.
static bool choose_name(Batch* b, const char* own, const char* path, Text* name)
{
    if (own && own[0] && !name_is_taken(b->result, own)) {
        text_addf(name, "%s", own);
        return !name->failed;
    }
    Text stem = { 0 };
    add_stem(&stem, path);
    text_addf(name, "%s", stem.failed ? "" : stem.bytes);
    for (int number = 2; !name->failed && !stem.failed && name_is_taken(b->result, name->bytes); ++number) {
        text_free(name);
        *name = (Text){ 0 };
        text_addf(name, "%s %d", stem.bytes, number);
    }
    bool ok = !stem.failed && !name->failed;
    text_free(&stem);
    return ok;
}

static void report_clip(Batch* b, const char* path, const char* output, const char* clip, const GtRetargetReport* did)
{
    Json* json = &b->session->report;
    json_begin_object(json);
    json_member_string(json, "motion", path);
    json_member_string(json, "output", output);
    json_member_string(json, "clip", clip);
    transfer_report(json, did);
    json_end_object(json);
    Text summary = { 0 };
    transfer_add_summary(&summary, did);
    session_say(b->session, "%s: clip '%s', %s", output, clip, summary.failed ? "" : summary.bytes);
    text_free(&summary);
}

// One clip of one motion onto what there is so far.
static bool add_clip(Batch* b, const char* path, const GtScene* motion, int32_t clip, const char* output)
{
    GtError error = { 0 };
    Text name = { 0 };
    if (!choose_name(b, motion->animations[clip].name, path, &name)) {
        text_free(&name);
        fail(&error, GT_ERROR_OUT_OF_MEMORY, path, "out of memory");
        return session_fail(b->session, &error);
    }
    GtAnimateDef def = gt_default_animate_def();
    def.retarget = retarget_def(b->line->values);
    def.retarget.animation = clip;
    def.retarget.name = name.bytes;
    transfer_use_maps(&def, &b->known_character, &b->known_motion);
    def.keep_animations = b->result || b->line->values[RETARGET_KEEP_CLIPS].given;
    GtScene* next = NULL;
    GtRetargetReport did;
    b->session->subject = path;
    GtResult result =
        gt_animate(&b->session->context, b->result ? b->result : b->character, motion, &def, &next, &did, &error);
    b->session->subject = "";
    if (result == GT_OK) {
        gt_scene_destroy(b->result);
        b->result = next;
        ++b->clip_count;
        report_clip(b, path, output, name.bytes, &did);
    }
    text_free(&name);
    if (result != GT_OK) {
        error_set_file(&error, path);
        return session_fail(b->session, &error);
    }
    return true;
}

static bool write_result(Batch* b, const Output* output)
{
    GtSaveDef save = gt_default_save_def();
    save.animation = b->result->animation_count - 1;
    save.source_units = true;
    if (!output_write(b->session, output, b->result, &save)) {
        return false;
    }
    Loss losses[LOSS_COUNT];
    loss_count(b->result, output, losses);
    loss_warn(b->session, output, losses);
    return true;
}

static bool add_motion(Batch* b, const char* path, const char* output)
{
    const OptionValue* values = b->line->values;
    GtLoadDef load = scene_load_def(&values[RETARGET_UNITS], &values[RETARGET_UP], NULL);
    GtScene* motion = NULL;
    int32_t only = GT_NONE;
    bool ok = scene_read(b->session, path, &load, &motion) &&
              clip_find(b->session, motion, path, &values[RETARGET_CLIP], &only) &&
              transfer_read_map(b->session, motion, &values[RETARGET_MOTION_MAP], &b->known_motion);
    if (ok && motion->animation_count == 0) {
        GtError error;
        fail(&error, GT_ERROR_NOT_FOUND, path, "the motion holds no animation");
        ok = session_fail(b->session, &error);
    }
    for (int32_t i = 0; ok && i < motion->animation_count; ++i) {
        if (!values[RETARGET_CLIP].given || i == only) {
            ok = add_clip(b, path, motion, i, output);
        }
    }
    gt_scene_destroy(motion);
    return ok;
}

// A motion that fails is said to, and does not keep the others.
static bool write_each(Batch* b, const char* folder)
{
    bool ok = true;
    for (int i = 1; b->session->last_error.code != GT_ERROR_CANCELLED && i < b->line->argument_count; ++i) {
        Text path = { 0 };
        text_addf(&path, "%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/");
        add_stem(&path, b->line->arguments[i]);
        text_addf(&path, ".glb");
        if (path.failed) {
            GtError error;
            fail(&error, GT_ERROR_OUT_OF_MEMORY, folder, "out of memory");
            ok = session_fail(b->session, &error);
        } else {
            Output output = { path.bytes, "glb", false };
            ok = add_motion(b, b->line->arguments[i], path.bytes) && write_result(b, &output) && ok;
        }
        gt_scene_destroy(b->result);
        b->result = NULL;
        text_free(&path);
    }
    return ok;
}

static bool write_one(Batch* b)
{
    bool ok = true;
    for (int i = 1; ok && i < b->line->argument_count; ++i) {
        ok = add_motion(b, b->line->arguments[i], b->output.path);
    }
    if (ok && b->clip_count > 1 && !strcmp(b->output.format, "bvh")) {
        return session_misuse(b->session,
                              "%s: a BVH holds one clip, and there are %d; write a .glb, or name a folder for one "
                              "file each",
                              b->output.path, (int)b->clip_count);
    }
    ok = ok && write_result(b, &b->output);
    if (ok) {
        session_say(b->session, "wrote %s: %d clip%s", b->output.path, (int)b->clip_count,
                    b->clip_count == 1 ? "" : "s");
    }
    return ok;
}

static bool retarget_run(Session* session, const CommandLine* line)
{
    const char* path = line->values[RETARGET_OUTPUT].text;
    struct stat status;
    Batch batch = { .session = session, .line = line };
    batch.is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (!batch.is_folder && !output_prepare(session, path, &line->values[RETARGET_FORMAT], &batch.output)) {
        return false;
    }
    GtLoadDef load = gt_default_load_def();
    GtScene* character = NULL;
    json_key(&session->report, "clips");
    json_begin_array(&session->report);
    bool ok = scene_read(session, line->arguments[0], &load, &character) &&
              transfer_read_map(session, character, &line->values[RETARGET_MAP], &batch.known_character);
    batch.character = character;
    if (ok) {
        ok = batch.is_folder ? write_each(&batch, path) : write_one(&batch);
    }
    json_end_array(&session->report);
    gt_scene_destroy(batch.result);
    gt_scene_destroy(character);
    return ok;
}

const Verb verb_retarget = {
    .name = "retarget",
    .summary = "put many motions onto a character",
    .description =
        "Puts every clip of every MOTION on CHARACTER. Where OUT is a folder that exists, each motion becomes a .glb "
        "in "
        "it, and one that fails does not keep the others; else all become clips of the one file OUT, named as they are "
        "in their files, or as the files where two "
        "would be the same.\n\n"
        "The humanoid in each is found, whatever its joints are called, and brought into a T-pose in thought: arms, "
        "legs and fingers by the direction of their bones with the roll that elbows, knees and palms show, feet by "
        "their soles. From there every joint turns in the world as its partner does. The path over the ground is "
        "scaled by the length of the legs, the height of the hips by that over the soles of the mesh. Spines and necks "
        "with unequal joints share the bend along their length, and twist is spread over twist joints. The rest pose "
        "of the character stays as it is, to the bit; the joints and the pose that were found are kept in OUT.",
    .arguments = { { .name = "CHARACTER", .help = "a rigged character to move" },
                   { .name = "MOTION", .help = "files with motions, or characters that have some", .repeats = true } },
    .options = { [RETARGET_OUTPUT] = { .name = "output",
                                       .letter = 'o',
                                       .kind = OPTION_FILE,
                                       .required = true,
                                       .value = "OUT",
                                       .help = "file for all clips, a folder for one file each, or - for standard "
                                               "output" },
                 [RETARGET_CLIP] = { .name = "clip",
                                     .kind = OPTION_TEXT,
                                     .value = "CLIP",
                                     .help = "this clip of each MOTION only, by name or by number counted from 0" },
                 [RETARGET_FPS] = OPTION_FPS,
                 [RETARGET_SPEED] = OPTION_SPEED,
                 [RETARGET_ROOT] = OPTION_ROOT,
                 [RETARGET_FEET] = OPTION_FEET,
                 [RETARGET_MIRROR] = OPTION_MIRROR,
                 [RETARGET_LOOP] = { .name = "loop", .help = "make the last pose the first, so that clips repeat" },
                 [RETARGET_KEEP_CLIPS] = OPTION_KEEP_CLIPS,
                 [RETARGET_KEEP_TPOSE] = { .name = "keep-tpose", .help = "keep the T-pose that a motion begins with" },
                 [RETARGET_MAP] = OPTION_CHARACTER_MAP,
                 [RETARGET_MOTION_MAP] = OPTION_MOTION_MAP,
                 [RETARGET_UNITS] = OPTION_UNITS("units of MOTION, where its format does not say"),
                 [RETARGET_UP] = OPTION_UP("axis that points up in MOTION, where its format does not say"),
                 [RETARGET_FORMAT] = { .name = "format",
                                       .kind = OPTION_CHOICE,
                                       .value = "NAME",
                                       .help = "format on standard output; glb without it",
                                       .choices = stream_formats } },
    .examples = (const Example[]){ { "gertie retarget hero.glb walk.bvh run.bvh jump.bvh -o hero_moves.glb",
                                     "a hero with three clips" },
                                   { "gertie retarget hero.glb mocap/*.bvh -o clips", "a file each, in a folder" },
                                   { "gertie retarget hero.glb wave.bvh -o wave.glb --mirror --speed 1.5",
                                     "wave with the other hand, half as fast again" },
                                   { "gertie retarget hero.glb walk.bvh -o walk.glb --root joint --loop",
                                     "a walk for a game: the path on the root joint, and a seam that closes" },
                                   { NULL, NULL } },
    .defaults = retarget_defaults,
    .run = retarget_run,
};
