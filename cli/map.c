// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// The verb `map`: which joints of a skeleton are a humanoid's.

#include "fail.h"
#include "scenes.h"
#include "transfer.h"
#include "verbs.h"

#include "gertie/map.h"

#include <stdio.h>
#include <string.h>

typedef struct MapOptions {
    GtMapDef map;
    GtLoadDef load;
    const char* output; // paths, or NULL
    const char* known;
} MapOptions;

static void set_defaults(void* options)
{
    *(MapOptions*)options = (MapOptions){ .map = gt_default_map_def(), .load = gt_default_load_def() };
}

// A file and what is found in it.
typedef struct Mapping {
    const char* file;
    GtScene* scene;
    KnownFigure known;
    GtHumanoidMap map;
    GtMapReport report;
    GtRetargetPose pose;
    GtRetargetPoseReport pose_report;
    bool has_pose;
} Mapping;

static const char* const verdicts[] = { "humanoid", "ambiguous", "incomplete", "not a humanoid" };

static const char* node_name(const GtScene* scene, int32_t node, char room[32])
{
    const char* name = scene->nodes[node].name;
    if (name && name[0]) {
        return name;
    }
    snprintf(room, 32, "node %d", (int)node);
    return room;
}

static bool is_mapped(const GtMapReport* report, int32_t node)
{
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (report->joints[j].node == node) {
            return true;
        }
    }
    return false;
}

// Joints of the skin, or all nodes without a mesh, that are in the map by no name.
static bool is_ignored(const GtScene* scene, const GtMapReport* report, int32_t node)
{
    bool is_joint = scene->skin_count == 0 && scene->nodes[node].mesh == GT_NONE &&
                    !(scene->nodes[node].bvh && scene->nodes[node].bvh->end_site);
    for (int32_t s = 0; s < scene->skin_count; ++s) {
        for (int32_t j = 0; j < scene->skins[s].joint_count; ++j) {
            is_joint = is_joint || scene->skins[s].joints[j] == node;
        }
    }
    return is_joint && !is_mapped(report, node);
}

static void add_joints(GtJsonWriter* json, const GtScene* scene, const GtMapReport* report)
{
    char room[32];
    gt_json_member_object(json, "joints");
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        const GtMapJoint* joint = &report->joints[j];
        if (joint->node != GT_NONE) {
            gt_json_key(json, gt_humanoid_name((GtHumanoidJoint)j));
            gt_json_next_is_row(json);
            gt_json_begin_object(json);
            gt_json_member_string(json, "joint", node_name(scene, joint->node, room));
            gt_json_member_integer(json, "node", joint->node);
            gt_json_member_number(json, "confidence", (int)(100.0f * joint->confidence + 0.5f) / 100.0);
            gt_json_member_string(json, "why", joint->why);
            gt_json_end_object(json);
        }
    }
    gt_json_end_object(json);
}

static void add_report(GtJsonWriter* json, const Mapping* m)
{
    const GtScene* scene = m->scene;
    const GtMapReport* report = &m->report;
    char room[32];
    gt_json_member_string(json, "file", m->file);
    gt_json_member_bool(json, "humanoid", report->verdict != GT_MAP_NOT_HUMANOID);
    gt_json_member_string(json, "verdict", verdicts[report->verdict]);
    gt_json_member_number(json, "confidence", (int)(100.0f * report->confidence + 0.5f) / 100.0);
    gt_json_member_string(json, "summary", report->summary);
    gt_json_member_string(json, "rest_pose",
                          choice_name(gt_retarget_report_fields(), "character_rest_pose", &report->rest_pose, room));
    if (m->has_pose) {
        gt_json_member_object(json, "rest_angles");
        gt_json_members(json, gt_rest_angles_fields(), &m->pose_report.angles);
        gt_json_end_object(json);
    }
    gt_json_member_float(json, "height_m", report->height_m);
    add_joints(json, scene, report);
    gt_json_next_is_row(json);
    gt_json_member_array(json, "missing");
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        if (report->joints[j].node == GT_NONE) {
            gt_json_string(json, gt_humanoid_name((GtHumanoidJoint)j));
        }
    }
    gt_json_end_array(json);
    gt_json_next_is_row(json);
    gt_json_member_array(json, "ignored");
    for (int32_t i = 0; i < scene->node_count; ++i) {
        if (is_ignored(scene, report, i)) {
            gt_json_string(json, node_name(scene, i, room));
        }
    }
    gt_json_end_array(json);
}

static void add_table(GtText* text, const Mapping* m)
{
    const GtScene* scene = m->scene;
    const GtMapReport* report = &m->report;
    char room[32];
    char stand[GT_REST_ANGLES_TEXT_SIZE];
    gt_text_addf(text, "%s: %s", m->file, report->summary);
    if (report->verdict != GT_MAP_NOT_HUMANOID) {
        gt_text_addf(text, " (confidence %.2f)", (double)report->confidence);
    }
    gt_text_adds(text, "\n");
    if (m->has_pose && gt_rest_angles_describe(&m->pose_report.angles, stand)[0]) {
        gt_text_addf(text, "  in its rest pose, %s\n", stand);
    }
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        const GtMapJoint* joint = &report->joints[j];
        if (joint->node != GT_NONE && report->verdict != GT_MAP_NOT_HUMANOID) {
            gt_text_addf(text, "  %-24s %-28s %.2f  %s\n", gt_humanoid_name((GtHumanoidJoint)j),
                         node_name(scene, joint->node, room), (double)joint->confidence, joint->why);
        }
    }
    int32_t ignored = 0;
    for (int32_t i = 0; report->verdict != GT_MAP_NOT_HUMANOID && i < scene->node_count; ++i) {
        if (is_ignored(scene, report, i)) {
            gt_text_addf(text, "%s%s", ignored++ ? ", " : "  passed over: ", node_name(scene, i, room));
        }
    }
    gt_text_adds(text, ignored ? "\n" : "");
}

static bool find_map(Session* session, const MapOptions* options, Mapping* m)
{
    GtError error = { 0 };
    GtMapDef def = options->map;
    if (!transfer_read_map(session, m->scene, options->known, &m->known)) {
        return false;
    }
    def.known = m->known.given ? &m->known.map : NULL;
    if (gt_map_humanoid(&session->context, m->scene, &def, &m->map, &m->report, &error) != GT_OK) {
        error_set_file(&error, m->file);
        return session_fail(session, &error);
    }
    return true;
}

// The pose that a transfer would use: what the user says, else the scene, else as it is found.
static bool find_pose(Session* session, const MapOptions* options, Mapping* m)
{
    GtError error = { 0 };
    const GtRetargetPose* own = options->map.ignore_scene_map ? NULL : m->scene->retarget_pose;
    GtFigure figure;
    GtFigureDef def = gt_default_figure_def();
    def.map = &m->map;
    def.map_is_whole = true;
    def.build.joints_only = true;
    def.animation = m->scene->animation_count > 0 && m->scene->mesh_count == 0 ? 0 : GT_NONE;
    GtResult result = gt_figure_open(&session->context, m->scene, &def, &figure, &error);
    if (result == GT_OK) {
        result = gt_retarget_pose_find(&session->context, &figure, &m->pose, &m->pose_report, &error);
    }
    gt_figure_close(&figure);
    if (result != GT_OK && result != GT_ERROR_BAD_VALUE) {
        return session_fail(session, &error);
    }
    m->has_pose = result == GT_OK; // else it lacks arms or legs, which the verdict says
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtQuat* turn = &m->pose.rotations[j];
        *turn = own ? own->rotations[j] : *turn;
        *turn =
            m->known.given && gt_quat_length(m->known.pose.rotations[j]) > 0.5f ? m->known.pose.rotations[j] : *turn;
    }
    return true;
}

static bool write_map(Session* session, const char* path, const Mapping* m)
{
    GtError error = { 0 };
    if (m->report.verdict == GT_MAP_NOT_HUMANOID) {
        fail(&error, GT_ERROR_NOT_FOUND, m->file, "it is no humanoid: %s; no map is written", m->report.summary);
        return session_fail(session, &error);
    }
    const GtRetargetPose* pose = m->has_pose ? &m->pose : NULL;
    if (gt_map_save(&session->context, m->scene, &m->map, pose, &m->report, path, &error) != GT_OK) {
        return session_fail(session, &error);
    }
    gt_json_member_string(&session->report, "output", path);
    session_say(session, "wrote %s", path);
    return true;
}

static bool map_run(Session* session, const CommandLine* line)
{
    const MapOptions* options = line->options;
    const char* path = options->output;
    Mapping m = { .file = line->arguments[0] };
    GtText text = { 0 };
    if (path && !output_place_check(session, path)) {
        return false;
    }
    bool ok = scene_read(session, m.file, &options->load, &m.scene) && find_map(session, options, &m) &&
              (m.report.verdict == GT_MAP_NOT_HUMANOID || find_pose(session, options, &m));
    if (ok && session->json) {
        add_report(&session->report, &m);
    } else if (ok && !path) {
        add_table(&text, &m);
        ok = session_print(session, &text);
    }
    ok = ok && (!path || write_map(session, path, &m));
    gt_text_destroy(&text);
    gt_scene_destroy(m.scene);
    return ok;
}

const Verb verb_map = {
    .name = "map",
    .summary = "find which joints are hips, hands and feet",
    .description =
        "Finds the humanoid in any skeleton and names its joints as VRM 1.0 does: hips, leftUpperArm, "
        "rightIndexDistal. It goes by hierarchy, symmetry, lengths and directions; joint names, of any convention, "
        "are further evidence. Each joint has a confidence and a reason. Twist, IK, prop, hair and helper joints are "
        "skipped.\n\n"
        "With -o the map is written to a file that can be edited and shared, together with the rotations that bring "
        "the figure into a T-pose. --map reads such a file, whole or in part, and finds the rest. Files with a map of "
        "their own, such as VRM, keep it unless --anew is given.",
    .arguments = { { .name = "FILE", .help = "a character or a motion" } },
    .options = { PATH_OPTION("output", MapOptions, output, "MAP.json", "write the map to a file", .letter = 'o',
                             .endings = "json"),
                 PATH_OPTION("map", MapOptions, known, "MAP.json", "known joints; the others are found",
                             .endings = "json"),
                 FIELD_OPTION("anew", MapOptions, map, ignore_scene_map),
                 FIELD_OPTION("no-names", MapOptions, map, ignore_names), OPTION_UNITS_OF(MapOptions),
                 OPTION_UP_OF(MapOptions) },
    .more_from = "anew",
    .examples = (const Example[]){ { "gertie map person.glb", "which joint is which, and why" },
                                   { "gertie map person.glb -o person.map.json", "write the map, to edit or share it" },
                                   { "gertie map walk.bvh --json", "for a program to read" },
                                   { NULL, NULL } },
    .options_size = sizeof(MapOptions),
    .set_defaults = set_defaults,
    .run = map_run,
};
