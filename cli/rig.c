// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `rig`: a bare mesh becomes a character.

#include "fail.h"
#include "loss.h"
#include "rigging.h"
#include "verbs.h"

#include <stdio.h>

enum {
    RIG_OUTPUT,
    RIG_UP,
    RIG_FRONT,
    RIG_WEIGHTS,
    RIG_INFLUENCES,
    RIG_SKELETON,
    RIG_JOINTS,
    RIG_SAVE_JOINTS,
    RIG_PREVIEW,
    RIG_CONFIDENCE,
    RIG_ANEW,
    RIG_UNITS,
    RIG_GROUP,
    RIG_FORMAT
};

static const double LEAST_TO_SAY_M = 0.005;

static void rig_defaults(OptionValue* values)
{
    GtRigDef def = gt_default_rig_def();
    values[RIG_INFLUENCES] = (OptionValue){ .has_default = true, .number = def.influences };
    values[RIG_CONFIDENCE] = (OptionValue){ .has_default = true, .number = def.min_confidence };
}

// A scene without its old rig, in the pose it rests in.
static bool take_rig_away(Session* session, GtScene** scene)
{
    GtError error = { 0 };
    GtScene* bare = NULL;
    bool ok = gt_scene_freeze_rest(&session->context, *scene, &bare, &error) == GT_OK || session_fail(session, &error);
    if (ok) {
        gt_scene_destroy(*scene);
        *scene = bare;
    }
    return ok;
}

static bool make_bare(Session* session, const char* file, bool anew, GtScene** scene)
{
    if ((*scene)->skin_count == 0) {
        return true;
    }
    if (!anew) {
        GtError error;
        fail(&error, GT_ERROR_UNSUPPORTED, file, "it is rigged already, with %d joints; --anew takes that rig away",
             (int)(*scene)->skins[0].joint_count);
        return session_fail(session, &error);
    }
    return take_rig_away(session, scene);
}

static void say_result(Session* session, const Output* output, const GtRigReport* report, int32_t influences)
{
    char fingers[32] = "";
    if (report->finger_count > 0) {
        snprintf(fingers, sizeof fingers, ", %d fingers", (int)report->finger_count);
    }
    session_say(session, "wrote %s: %d joints%s, %lld triangles, %.2f m tall, confidence %.2f", output->path,
                (int)report->joint_count, fingers, (long long)report->triangle_count, report->height_m,
                (double)report->confidence);
    if (report->pruned_m >= LEAST_TO_SAY_M) {
        session_say(session, "%d influences a vertex cost up to %.0f mm where joints bend; --influences takes more",
                    (int)influences, 1000.0 * report->pruned_m);
    }
}

static bool write_results(Session* session, const CommandLine* line, const Output* output, const GtScene* rigged,
                          const GtRigReport* report)
{
    const OptionValue* values = line->values;
    GtError error = { 0 };
    GtSaveDef save = gt_default_save_def();
    if (!output_write(session, output, rigged, &save)) {
        return false;
    }
    Loss losses[LOSS_COUNT];
    loss_count(rigged, output, losses);
    loss_warn(session, output, losses);
    json_member_string(&session->report, "output", output->path);
    json_member_string(&session->report, "output_format", output->format);
    rig_report(&session->report, report);
    say_result(session, output, report, (int32_t)values[RIG_INFLUENCES].number);
    if (values[RIG_SAVE_JOINTS].given) {
        const char* path = values[RIG_SAVE_JOINTS].text;
        if (gt_rig_joints_save(&session->context, rigged, path, &error) != GT_OK) {
            return session_fail(session, &error);
        }
        session_say(session, "wrote %s", path);
    }
    return !values[RIG_PREVIEW].given || rig_preview(session, rigged, values[RIG_PREVIEW].text);
}

static bool read_knowledge(Session* session, const OptionValue* values, GtArena* arena, GtScene** skeleton,
                           GtRigDef* def)
{
    GtError error = { 0 };
    GtLoadDef load = gt_default_load_def();
    if (values[RIG_SKELETON].given && !scene_read(session, values[RIG_SKELETON].text, &load, skeleton)) {
        return false;
    }
    def->skeleton = *skeleton;
    if (values[RIG_JOINTS].given) {
        GtRigJoint* joints = NULL;
        if (gt_rig_joints_load(&session->context, values[RIG_JOINTS].text, arena, &joints, &def->joint_count, &error) !=
            GT_OK) {
            return session_fail(session, &error);
        }
        def->joints = joints;
    }
    return true;
}

static GtRigDef rig_def(const OptionValue* values)
{
    GtRigDef def = gt_default_rig_def();
    def.up = values[RIG_UP].given ? (GtRigAxis)(values[RIG_UP].choice + 1) : GT_RIG_AXIS_AUTO;
    def.front = values[RIG_FRONT].given ? (GtRigAxis)(values[RIG_FRONT].choice + 1) : GT_RIG_AXIS_AUTO;
    def.weights = values[RIG_WEIGHTS].given ? (GtRigWeights)values[RIG_WEIGHTS].choice : GT_RIG_WEIGHTS_AUTO;
    def.influences = (int32_t)values[RIG_INFLUENCES].number;
    def.min_confidence = values[RIG_CONFIDENCE].number;
    return def;
}

static bool places_ok(Session* session, const OptionValue* values)
{
    return (!values[RIG_SAVE_JOINTS].given || output_place_check(session, values[RIG_SAVE_JOINTS].text)) &&
           (!values[RIG_PREVIEW].given || output_place_check(session, values[RIG_PREVIEW].text));
}

static bool rig_run(Session* session, const CommandLine* line)
{
    const OptionValue* values = line->values;
    const char* file = line->arguments[0];
    Output output;
    if (!output_prepare(session, values[RIG_OUTPUT].text, &values[RIG_FORMAT], &output) ||
        !places_ok(session, values)) {
        return false;
    }
    GtRigDef def = rig_def(values);
    GtLoadDef load = scene_load_def(&values[RIG_UNITS], NULL, &values[RIG_GROUP]);
    GtArena arena = gt_arena_create(session->context.allocator);
    GtScene* mesh = NULL;
    GtScene* skeleton = NULL;
    GtScene* rigged = NULL;
    GtRigReport report;
    bool ok = scene_read(session, file, &load, &mesh) && make_bare(session, file, values[RIG_ANEW].given, &mesh) &&
              read_knowledge(session, values, &arena, &skeleton, &def) &&
              rig_scene(session, file, mesh, &def, &rigged, &report) &&
              write_results(session, line, &output, rigged, &report);
    gt_scene_destroy(rigged);
    gt_scene_destroy(skeleton);
    gt_scene_destroy(mesh);
    gt_arena_destroy(&arena);
    return ok;
}

const Verb verb_rig = {
    .name = "rig",
    .summary = "give a bare mesh a skeleton and weights",
    .description =
        "Makes a character of a mesh that has no joints: a scan, a sculpture, the output of a modeller. What is up and "
        "what is in front is found, a skeleton of the VRM 1.0 humanoid is put inside, with fingers where the mesh has "
        "them, and every vertex is told which joints it follows. Holes, loose pieces, helper geometry, any units and "
        "any axes are no obstacle; textures and colours are kept.\n\n"
        "How sure the result is is said as a confidence. A mesh that is no figure is refused, with what speaks against "
        "it, rather than rigged wrongly. Where a joint is off, write the joints with --save-joints, correct it and "
        "give the file back with --joints.",
    .arguments = { { .name = "MESH", .help = "a mesh without a rig" } },
    .options = { [RIG_OUTPUT] = OPTION_SCENE_OUTPUT,
                 [RIG_UP] = { .name = "up",
                              .kind = OPTION_CHOICE,
                              .value = "AXIS",
                              .help = "axis of MESH that points up; found without it",
                              .choices = rig_axis_names },
                 [RIG_FRONT] = { .name = "front",
                                 .kind = OPTION_CHOICE,
                                 .value = "AXIS",
                                 .help = "axis of MESH that the figure faces; found without it",
                                 .choices = rig_axis_names },
                 [RIG_WEIGHTS] = { .name = "weights",
                                   .kind = OPTION_CHOICE,
                                   .value = "HOW",
                                   .help = "how vertices get their weights: heat on the surface, distances through "
                                           "the inside (voxel), one joint each (rigid), or auto, as without it, heat "
                                           "where the surface allows it",
                                   .choices = rig_weight_names },
                 [RIG_INFLUENCES] = { .name = "influences",
                                      .kind = OPTION_INTEGER,
                                      .value = "N",
                                      .help = "joints that a vertex follows at most",
                                      .min = 1,
                                      .max = 16 },
                 [RIG_SKELETON] = { .name = "skeleton",
                                    .kind = OPTION_FILE,
                                    .value = "FILE",
                                    .help = "put these joints inside, of a character or a BVH, rather than VRM's" },
                 [RIG_JOINTS] = { .name = "joints",
                                  .kind = OPTION_FILE,
                                  .value = "FILE",
                                  .help = "where some joints are, as --save-joints writes it; the others are found",
                                  .endings = "json" },
                 [RIG_SAVE_JOINTS] = { .name = "save-joints",
                                       .kind = OPTION_FILE,
                                       .value = "FILE",
                                       .help = "write where the joints are, to edit and give back",
                                       .endings = "json" },
                 [RIG_PREVIEW] = { .name = "preview",
                                   .kind = OPTION_FILE,
                                   .value = "FILE.png",
                                   .help = "draw the skeleton in the body, from the front and from the side",
                                   .endings = "png" },
                 [RIG_CONFIDENCE] = { .name = "min-confidence",
                                      .kind = OPTION_NUMBER,
                                      .value = "C",
                                      .help = "refuse a mesh whose skeleton is less sure than this; 0 rigs anything",
                                      .min = 0,
                                      .max = 1 },
                 [RIG_ANEW] = { .name = "anew", .help = "take the rig that MESH has away, and make a new one" },
                 [RIG_UNITS] = OPTION_UNITS("units of MESH, where its format does not say"),
                 [RIG_GROUP] = { .name = "group",
                                 .kind = OPTION_TEXT,
                                 .value = "NAME",
                                 .help = "read this group or object only, where MESH is an OBJ" },
                 [RIG_FORMAT] = OPTION_STREAM_FORMAT },
    .examples =
        (const Example[]){
            { "gertie rig scan.obj -o rigged.glb", "a character, ready for every other verb" },
            { "gertie rig scan.ply -o rigged.glb --preview skeleton.png", "and a picture to see whether it is right" },
            { "gertie rig scan.obj -o rigged.glb --skeleton mocap.bvh", "with the joints of a motion" },
            { "gertie rig scan.obj -o rigged.glb --joints elbow.json", "put the elbow where the file says" },
            { NULL, NULL } },
    .defaults = rig_defaults,
    .run = rig_run,
};
