// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `rig`: a bare mesh becomes a character.

#include "fail.h"
#include "rigging.h"
#include "scenes.h"
#include "verbs.h"

#include "gertie/preview.h"

#include <stdio.h>

typedef struct RigOptions {
    GtRigDef rig;
    GtLoadDef load;
    const char* output;
    const char* format;
    const char* skeleton; // paths, or NULL
    const char* joints;
    const char* save_joints;
    const char* preview;
    bool anew;
} RigOptions;

static const double LEAST_TO_SAY = 0.003; // of the height, 5 mm of a person

static void set_defaults(void* options)
{
    *(RigOptions*)options = (RigOptions){ .rig = gt_default_rig_def(), .load = gt_default_load_def() };
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
    rig_say_hands(session, report);
    rig_say_stand(session, report);
    if (report->pruned_m >= LEAST_TO_SAY * report->height_m) {
        session_say(
            session,
            "limited to %d influences a vertex, the skin is up to %.1f %% of the height off where all joints bend by "
            "40 degrees; --influences allows more",
            (int)influences, 100.0 * report->pruned_m / report->height_m);
    }
}

static bool write_results(Session* session, const RigOptions* options, const Output* output, const GtScene* rigged,
                          const GtRigReport* report)
{
    GtError error = { 0 };
    GtSaveDef save = gt_default_save_def();
    if (!output_write(session, output, rigged, &save)) {
        return false;
    }
    gt_json_member_string(&session->report, "output", output->path);
    gt_json_member_string(&session->report, "output_format", output->format);
    rig_report(&session->report, report);
    say_result(session, output, report, options->rig.influences);
    if (options->save_joints) {
        if (gt_rig_joints_save(&session->context, rigged, options->save_joints, &error) != GT_OK) {
            return session_fail(session, &error);
        }
        session_say(session, "wrote %s", options->save_joints);
    }
    if (options->preview) {
        if (gt_preview_skeleton(&session->context, rigged, options->preview, &error) != GT_OK) {
            return session_fail(session, &error);
        }
        session_say(session, "wrote %s: the skeleton from the front and from the side", options->preview);
    }
    return true;
}

static bool read_knowledge(Session* session, const RigOptions* options, GtArena* arena, GtScene** skeleton,
                           GtRigDef* def)
{
    GtError error = { 0 };
    GtLoadDef load = gt_default_load_def();
    if (options->skeleton && !scene_read(session, options->skeleton, &load, skeleton)) {
        return false;
    }
    def->skeleton = *skeleton;
    if (options->joints) {
        GtRigJoint* joints = NULL;
        if (gt_rig_joints_load(&session->context, options->joints, arena, &joints, &def->joint_count, &error) !=
            GT_OK) {
            return session_fail(session, &error);
        }
        def->joints = joints;
    }
    return true;
}

static bool places_ok(Session* session, const RigOptions* options)
{
    return (!options->save_joints || output_place_check(session, options->save_joints)) &&
           (!options->preview || output_place_check(session, options->preview));
}

static bool rig_run(Session* session, const CommandLine* line)
{
    const RigOptions* options = line->options;
    const char* file = line->arguments[0];
    Output output;
    if (option_given(line, "body-height") && option_given(line, "units")) {
        return session_misuse(session, "--body-height and --units both say how large MESH is: give one of them");
    }
    if (!output_prepare(session, options->output, options->format, &output) || !places_ok(session, options)) {
        return false;
    }
    GtRigDef def = options->rig;
    GtArena arena = gt_arena_create(session->context.allocator);
    GtScene* mesh = NULL;
    GtScene* skeleton = NULL;
    GtScene* rigged = NULL;
    GtRigReport report;
    bool ok = scene_read(session, file, &options->load, &mesh) && make_bare(session, file, options->anew, &mesh) &&
              read_knowledge(session, options, &arena, &skeleton, &def) &&
              rig_scene(session, file, mesh, &def, &rigged, &report) &&
              write_results(session, options, &output, rigged, &report);
    gt_scene_destroy(rigged);
    gt_scene_destroy(skeleton);
    gt_scene_destroy(mesh);
    gt_arena_destroy(&arena);
    return ok;
}

const Verb verb_rig = {
    .name = "rig",
    .summary = "give a mesh a skeleton and skin weights",
    .description =
        "Makes a character from a mesh without joints: a scan, a sculpture, the output of a modelling program. It "
        "finds which way is up and which way the figure faces, fits a skeleton with the joints of the VRM 1.0 "
        "humanoid, with fingers where the mesh has them, and computes skin weights. Meshes may have holes, loose "
        "pieces and helper geometry, any units and any axes; textures and colours are kept.\n\n"
        "The report has a confidence from 0 to 1. A mesh that is not a figure is refused with the reason, rather than "
        "rigged wrongly. To correct a joint, write all joints with --save-joints, edit the file and pass it back with "
        "--joints.",
    .arguments = { { .name = "MESH", .help = "a mesh without joints" } },
    .options = { OPTION_OUTPUT_OF(RigOptions),
                 PATH_OPTION("preview", RigOptions, preview, "FILE.png",
                             "draw the skeleton in the body, from the front and from the side", .endings = "png"),
                 FIELD_OPTION("weights", RigOptions, rig, weights), FIELD_OPTION("fingers", RigOptions, rig, fingers),
                 FIELD_OPTION("influences", RigOptions, rig, influences),
                 FIELD_OPTION("min-confidence", RigOptions, rig, min_confidence),
                 FIELD_OPTION("body-height", RigOptions, rig, body_height_m),
                 PATH_OPTION("joints", RigOptions, joints, "FILE",
                             "positions of joints, as --save-joints writes them; joints not in the file are found",
                             .endings = "json"),
                 PATH_OPTION("save-joints", RigOptions, save_joints, "FILE",
                             "write the positions of the joints, to edit and pass back", .endings = "json"),
                 PATH_OPTION("skeleton", RigOptions, skeleton, "FILE", "character or BVH whose joints are used",
                             .default_text = "the VRM 1.0 humanoid"),
                 FIELD_OPTION("up", RigOptions, rig, up, .value = "AXIS"),
                 FIELD_OPTION("front", RigOptions, rig, front, .value = "AXIS"),
                 FLAG_OPTION("anew", RigOptions, anew, "remove the rig that MESH has, and make a new one"),
                 OPTION_UNITS_OF(RigOptions), OPTION_GROUP_OF(RigOptions), OPTION_FORMAT_OF(RigOptions) },
    .more_from = "skeleton",
    .examples =
        (const Example[]){
            { "gertie rig scan.obj -o rigged.glb", "make a character of a scan" },
            { "gertie rig scan.obj -o rigged.glb --preview skeleton.png", "and draw the skeleton, to check it" },
            { "gertie rig scan.obj -o rigged.glb --body-height 1.75", "a scan whose units nobody knows" },
            { "gertie rig scan.obj -o rigged.glb --skeleton walk.bvh", "use the joints of a motion" },
            { "gertie rig scan.obj -o rigged.glb --save-joints joints.json", "write the joints, to move the elbow" },
            { "gertie rig scan.obj -o rigged.glb --joints joints.json", "rig again with the joints as edited" },
            { NULL, NULL } },
    .options_size = sizeof(RigOptions),
    .set_defaults = set_defaults,
    .run = rig_run,
};
