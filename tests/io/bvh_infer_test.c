// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Units, up axis and T-pose, inferred from skeletons that are known: one person in every unit and every axis, with and
// without names, with rest poses that show nothing.

#include "bvh_support.h"

#include <stdlib.h>

// A joint of the person: offsets in metres, Y up, facing +Z.
typedef struct Bone {
    const char* name;
    const char* plain; // a name that tells nothing
    int parent;
    double offset[3];
} Bone;

static const Bone person[] = {
    { "Hips", "a", -1, { 0, 0.95, 0 } },           { "Spine", "b", 0, { 0, 0.2, 0 } },
    { "Head", "c", 1, { 0, 0.35, 0.02 } },         { "LeftArm", "d", 1, { 0.18, 0.25, 0 } },
    { "LeftHand", "e", 3, { 0.52, 0, 0 } },        { "RightArm", "f", 1, { -0.18, 0.25, 0 } },
    { "RightHand", "g", 5, { -0.52, 0, 0 } },      { "LeftUpLeg", "h", 0, { 0.09, -0.05, 0 } },
    { "LeftFoot", "i", 7, { 0, -0.82, -0.01 } },   { "LeftToe", "j", 8, { 0, -0.05, 0.15 } },
    { "RightUpLeg", "k", 0, { -0.09, -0.05, 0 } }, { "RightFoot", "l", 10, { 0, -0.82, -0.01 } },
    { "RightToe", "m", 11, { 0, -0.05, 0.15 } },
};

enum {
    BONES = sizeof person / sizeof *person,
    LEFT_ARM = 3,
    RIGHT_ARM = 5
};

typedef struct Text {
    char* bytes;
    int length;
} Text;

// From metres and Y up to a file's units and axes.
static void to_file(const double v[3], double unit, GtUpAxis up, double out[3])
{
    static const int from[3][3] = { [GT_UP_Y] = { 0, 1, 2 }, [GT_UP_Z] = { 0, 2, 1 }, [GT_UP_X] = { 1, 0, 2 } };
    static const double sign[3][3] = { [GT_UP_Y] = { 1, 1, 1 }, [GT_UP_Z] = { 1, -1, 1 }, [GT_UP_X] = { 1, -1, 1 } };
    for (int k = 0; k < 3; ++k) {
        out[k] = sign[up][k] * v[from[up][k]] / unit;
    }
}

static void open_bones(Text* text, int parent, bool names, double unit, GtUpAxis up)
{
    for (int i = 0; i < BONES; ++i) {
        if (person[i].parent != parent) {
            continue;
        }
        double offset[3];
        to_file(person[i].offset, unit, up, offset);
        text->length += sprintf(text->bytes + text->length, "%s %s\n{\nOFFSET %.6f %.6f %.6f\nCHANNELS %s\n",
                                parent < 0 ? "ROOT" : "JOINT", names ? person[i].name : person[i].plain, offset[0],
                                offset[1], offset[2],
                                parent < 0 ? "6 Xposition Yposition Zposition Xrotation Yrotation Zrotation"
                                           : "3 Xrotation Yrotation Zrotation");
        open_bones(text, i, names, unit, up);
        text->length += sprintf(text->bytes + text->length, "}\n");
    }
}

// The axis of a file that a joint turns about to lower its arms: forward, which is +Z in the scene.
static int forward_axis(GtUpAxis up)
{
    return up == GT_UP_Z ? 1 : 2;
}

// Frames with the arms lowered by `degrees`, swinging a little; the first one a T-pose where wanted.
static void add_frames(Text* text, int frames, bool tpose, double degrees, double unit, GtUpAxis up)
{
    text->length += sprintf(text->bytes + text->length, "MOTION\nFrames: %d\nFrame Time: 0.0333333\n", frames);
    for (int frame = 0; frame < frames; ++frame) {
        double root[3] = { 0.0, 0.95, 0.02 * frame };
        double moved[3];
        to_file(root, unit, up, moved);
        text->length += sprintf(text->bytes + text->length, "%.6f %.6f %.6f", moved[0], moved[1], moved[2]);
        for (int i = 0; i < BONES; ++i) {
            double angles[3] = { 0.0, 0.0, 0.0 };
            double swing = tpose && frame == 0 ? 0.0 : degrees + frame;
            double side = i == LEFT_ARM ? -1.0 : i == RIGHT_ARM ? 1.0 : 0.0;
            angles[forward_axis(up)] = (up == GT_UP_Z ? -side : side) * swing;
            text->length += sprintf(text->bytes + text->length, " %.4f %.4f %.4f", angles[0], angles[1], angles[2]);
        }
        text->length += sprintf(text->bytes + text->length, "\n");
    }
}

static Text make_text(bool names, double unit, GtUpAxis up, int frames, bool tpose, double degrees)
{
    Text text = { malloc(1 << 16), 0 };
    text.length = sprintf(text.bytes, "HIERARCHY\n");
    open_bones(&text, -1, names, unit, up);
    add_frames(&text, frames, tpose, degrees, unit, up);
    return text;
}

static GtScene* read_text(const char* text, TestLog* log)
{
    GtContext context = test_context(log);
    context.strict = true;
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(bvh_read_with(&context, text, NULL, &scene, &error));
    return scene;
}

static void test_every_unit_and_axis(void** state)
{
    (void)state;
    static const double units[] = { 1.0, 0.3048, 0.1, 0.0254 / 0.45, 0.0254, 0.01, 0.001 };
    for (size_t u = 0; u < sizeof units / sizeof *units; ++u) {
        for (int up = GT_UP_Y; up <= GT_UP_X; ++up) {
            for (int names = 0; names < 2; ++names) {
                Text text = make_text(names, units[u], (GtUpAxis)up, 12, false, 70.0);
                TestLog log;
                GtScene* scene = read_text(text.bytes, &log);
                GT_EXPECT_NEAR(scene->source.metres_per_unit, units[u], 1e-12);
                assert_int_equal(scene->source.up_axis, up);
                assert_false(scene->animations[0].tpose_first);
                assert_non_null(strstr(log.text, "note: the file states no units"));
                assert_non_null(strstr(log.text, "note: the file states no up axis"));
                // whatever the file's axes: the scene is metres, Y up, facing +Z
                float value[4];
                bvh_value(scene, 0, GT_PATH_TRANSLATION, 11, value);
                GT_EXPECT_NEAR(value[0], 0.0, 1e-5);
                GT_EXPECT_NEAR(value[1], 0.95, 1e-5);
                GT_EXPECT_NEAR(value[2], 0.22, 1e-5);
                GtVec3 head = gt_quat_rotate(scene->nodes[0].local.rotation, scene->nodes[2].local.translation);
                GT_EXPECT_NEAR(head.y, 0.35, 1e-5);
                GT_EXPECT_NEAR(head.z, 0.02, 1e-5);
                gt_scene_destroy(scene);
                free(text.bytes);
            }
        }
    }
}

static void test_what_is_told_is_not_inferred(void** state)
{
    (void)state;
    Text text = make_text(true, 0.01, GT_UP_Z, 3, false, 70.0);
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef def = { .metres_per_unit = 0.5, .up_axis = GT_UP_Y };
    GT_EXPECT_OK(bvh_read_with(&context, text.bytes, &def, &scene, &error));
    assert_int_equal(log.note_count, 0);
    GT_EXPECT_NEAR(scene->source.metres_per_unit, 0.5, 0.0);
    GT_EXPECT_NEAR(scene->nodes[0].local.translation.z, 47.5, 1e-5);
    GT_EXPECT_NEAR(scene->nodes[0].local.rotation.w, 1.0, 0.0);
    gt_scene_destroy(scene);
    def.metres_per_unit = -1.0;
    GT_EXPECT_ERROR(bvh_read_with(&context, text.bytes, &def, &scene, &error), GT_ERROR_BAD_VALUE, "metres per unit");
    def = (GtLoadDef){ .up_axis = 3 };
    GT_EXPECT_ERROR(bvh_read_with(&context, text.bytes, &def, &scene, &error), GT_ERROR_BAD_VALUE, "up axis");
    free(text.bytes);
}

static void test_joint_axes_are_those_of_the_file(void** state)
{
    (void)state;
    Text text = make_text(true, 0.01, GT_UP_Z, 3, false, 70.0);
    TestLog log;
    GtScene* scene = read_text(text.bytes, &log);
    for (int32_t i = 1; i < scene->node_count; ++i) {
        GtQuat identity = gt_quat_identity();
        assert_memory_equal(&scene->nodes[i].local.rotation, &identity, sizeof identity);
        GT_EXPECT_NEAR(scene->nodes[i].local.translation.x, person[i].offset[0], 1e-6);
        GT_EXPECT_NEAR(scene->nodes[i].local.translation.y, -person[i].offset[2], 1e-6);
        GT_EXPECT_NEAR(scene->nodes[i].local.translation.z, person[i].offset[1], 1e-6);
    }
    gt_scene_destroy(scene);
    free(text.bytes);
}

static bool finds_tpose(bool names, GtUpAxis up, int frames, bool tpose, double degrees)
{
    Text text = make_text(names, 0.01, up, frames, tpose, degrees);
    TestLog log;
    GtScene* scene = read_text(text.bytes, &log);
    bool found = scene->animations[0].tpose_first;
    assert_int_equal(strstr(log.text, "T-pose") != NULL, found);
    gt_scene_destroy(scene);
    free(text.bytes);
    return found;
}

static void test_tpose_first(void** state)
{
    (void)state;
    for (int up = GT_UP_Y; up <= GT_UP_Z; ++up) {
        assert_true(finds_tpose(true, (GtUpAxis)up, 30, true, 70.0));
        assert_true(finds_tpose(false, (GtUpAxis)up, 30, true, 70.0));
        assert_true(finds_tpose(true, (GtUpAxis)up, 3, true, 70.0));
        assert_false(finds_tpose(true, (GtUpAxis)up, 30, false, 70.0));
        assert_false(finds_tpose(false, (GtUpAxis)up, 30, false, 70.0));
        assert_false(finds_tpose(true, (GtUpAxis)up, 30, true, 0.0)); // out of the T-pose it moves on: it is motion
        assert_false(finds_tpose(true, (GtUpAxis)up, 30, false, 0.0));
        assert_false(finds_tpose(true, (GtUpAxis)up, 2, true, 70.0)); // no third frame to tell a leap by
        assert_false(finds_tpose(true, (GtUpAxis)up, 1, true, 70.0));
    }
}

// Rest poses that show nothing: all bones on one line, so that only the motion says where up is.
static void test_bones_on_one_line(void** state)
{
    (void)state;
    static const char text[] =
        "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation "
        "Zrotation\n"
        "JOINT Head\n{\nOFFSET 70 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"
        "JOINT LeftUpLeg\n{\nOFFSET 5 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nJOINT LeftFoot\n{\nOFFSET 90 0 0\n"
        "CHANNELS 3 Xrotation Yrotation Zrotation\n}\n}\n"
        "JOINT RightUpLeg\n{\nOFFSET 5 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nJOINT RightFoot\n{\nOFFSET 90 0 "
        "0\n"
        "CHANNELS 3 Xrotation Yrotation Zrotation\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n";
    char whole[2048];
    TestLog log;
    // The root turns x to z (about y by -90 degrees); the legs turn back (by 180).
    snprintf(whole, sizeof whole,
             "%s0 0 90 0 -90 0 0 0 0 0 180 0 0 0 0 0 175 0 0 0 0\n0 0 90 0 -90 0 0 0 0 0 185 0 0 0 0 0 180 0 0 0 0\n",
             text);
    GtScene* scene = read_text(whole, &log);
    assert_int_equal(scene->source.up_axis, GT_UP_Z);
    GT_EXPECT_NEAR(scene->source.metres_per_unit, 0.01, 0.0);
    gt_scene_destroy(scene);
    // And to y (about z by 90).
    snprintf(whole, sizeof whole,
             "%s0 90 0 0 0 90 0 0 0 0 0 180 0 0 0 0 0 175 0 0 0\n0 90 0 0 0 90 0 0 0 0 0 185 0 0 0 0 0 180 0 0 0\n",
             text);
    scene = read_text(whole, &log);
    assert_int_equal(scene->source.up_axis, GT_UP_Y);
    gt_scene_destroy(scene);
}

// A root on the ground above the hips, as game exporters write it, and a rest pose that lies: the motion says where up
// is.
static void test_a_root_on_the_ground(void** state)
{
    (void)state;
    static const char text[] =
        "HIERARCHY\nROOT Root\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\n"
        "JOINT Hips\n{\nOFFSET 1 94 -450\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "JOINT Head\n{\nOFFSET 0 0 70\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n"
        "JOINT LeftUpLeg\n{\nOFFSET 9 0 -5\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT LeftFoot\n{\nOFFSET 0 0 "
        "-88\n"
        "CHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n"
        "JOINT RightUpLeg\n{\nOFFSET -9 0 -5\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT RightFoot\n{\nOFFSET 0 "
        "0 -88\n"
        "CHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
        // The hips turn z to y (about x by -90 degrees).
        "0 0 0 0 0 0 1 94 -450 0 -90 0 0 0 0 0 5 0 0 0 0 0 -5 0 0 0 0\n"
        "0 0 0 0 0 0 1 94 -440 0 -90 0 0 0 0 0 -5 0 0 0 0 0 5 0 0 0 0\n";
    TestLog log;
    GtScene* scene = read_text(text, &log);
    assert_int_equal(scene->source.up_axis, GT_UP_Y);
    GT_EXPECT_NEAR(scene->source.metres_per_unit, 0.01, 0.0);
    gt_scene_destroy(scene);
}

// Someone who lies on the floor all the time, in a file whose rest pose stands: the rest pose is right.
static void test_lying_down_is_not_up(void** state)
{
    (void)state;
    Text text = make_text(true, 0.01, GT_UP_Y, 1, false, 0.0);
    char* frames = strstr(text.bytes, "MOTION");
    text.length = (int)(frames - text.bytes);
    text.length += sprintf(frames, "MOTION\nFrames: 5\nFrame Time: 0.1\n");
    for (int frame = 0; frame < 5; ++frame) {
        text.length += sprintf(text.bytes + text.length, "0 12 %d 90 0 0", 300 + 40 * frame);
        for (int i = 1; i < BONES; ++i) {
            text.length += sprintf(text.bytes + text.length, " 0 0 %d", frame);
        }
        text.length += sprintf(text.bytes + text.length, "\n");
    }
    TestLog log;
    GtScene* scene = read_text(text.bytes, &log);
    assert_int_equal(scene->source.up_axis, GT_UP_Y);
    gt_scene_destroy(scene);
    free(text.bytes);
}

static void test_a_point_has_no_units(void** state)
{
    (void)state;
    TestLog log;
    GtScene* scene = read_text("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"
                               "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n",
                               &log);
    GT_EXPECT_NEAR(scene->source.metres_per_unit, 1.0, 0.0);
    assert_int_equal(scene->source.up_axis, GT_UP_Y);
    assert_non_null(strstr(log.text, "no bone has a length; metres are assumed"));
    gt_scene_destroy(scene);
}

// Real files, where they are at hand.
static void test_real_files(void** state)
{
    (void)state;
    static const struct {
        const char* file;
        uint64_t frames;
        int32_t joints;
        double unit;
        GtUpAxis up;
        bool tpose;
    } files[] = {
        { "cmu_02_01", 344, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "cmu_05_02", 1124, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "cmu_09_01", 149, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "cmu_10_01", 802, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "cmu_13_17", 4841, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "cmu_13_39", 352, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "cmu_14_06", 5358, 31, 0.0254 / 0.45, GT_UP_Y, true },
        { "makehuman_walk1", 14, 75, 0.1, GT_UP_Z, false },
        { "makehuman_zombie", 31, 75, 0.1, GT_UP_Z, false },
        { "smartbody_catch_center", 109, 52, 0.01, GT_UP_Y, false },
    };
    const char* data = getenv("GERTIE_DATA");
    if (!data) {
        print_message("GERTIE_DATA is not set: no real files to read\n");
        skip();
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/mocap/%s.bvh", data, files[i].file);
        TestLog log;
        GtContext context = test_context(&log);
        context.strict = true;
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(gt_scene_load(&context, path, NULL, &scene, &error));
        int32_t joints = 0;
        for (int32_t n = 0; n < scene->node_count; ++n) {
            joints += !scene->nodes[n].bvh->end_site;
        }
        assert_int_equal(joints, files[i].joints);
        assert_int_equal(bvh_frame_count(scene), files[i].frames);
        GT_EXPECT_NEAR(scene->source.metres_per_unit, files[i].unit, 1e-12);
        assert_int_equal(scene->source.up_axis, files[i].up);
        assert_int_equal(scene->animations[0].tpose_first, files[i].tpose);
        assert_string_equal(scene->animations[0].name, files[i].file);
        gt_scene_destroy(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_unit_and_axis),
        cmocka_unit_test(test_what_is_told_is_not_inferred),
        cmocka_unit_test(test_joint_axes_are_those_of_the_file),
        cmocka_unit_test(test_tpose_first),
        cmocka_unit_test(test_bones_on_one_line),
        cmocka_unit_test(test_a_root_on_the_ground),
        cmocka_unit_test(test_lying_down_is_not_up),
        cmocka_unit_test(test_a_point_has_no_units),
        cmocka_unit_test(test_real_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
