// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Every dialect of BVH that is read, each as a small file: what comes out, and whether it is said.

#include "bvh_support.h"

#include <stdlib.h>

static const GtLoadDef metres = { .metres_per_unit = 1.0, .up_axis = GT_UP_Y };

// Two joints and two frames, the same in every dialect below.
static void expect_plain(const GtScene* scene)
{
    assert_int_equal(scene->node_count, 3);
    assert_string_equal(scene->nodes[0].name, "Hips");
    assert_string_equal(scene->nodes[1].name, "Knee");
    assert_string_equal(scene->nodes[2].name, "Knee_end");
    assert_int_equal(scene->nodes[1].parent, 0);
    assert_int_equal(scene->nodes[2].parent, 1);
    assert_true(scene->nodes[2].bvh->end_site);
    GT_EXPECT_NEAR(scene->nodes[0].local.translation.y, 1.5, 0.0);
    GT_EXPECT_NEAR(scene->nodes[1].local.translation.z, -0.25, 0.0);
    GT_EXPECT_NEAR(scene->nodes[2].local.translation.y, 1e-3, 1e-9);
    assert_int_equal(bvh_frame_count(scene), 2);
    float value[4];
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 1, value);
    GT_EXPECT_NEAR(value[0], 1.0, 0.0);
    GT_EXPECT_NEAR(value[1], 2.0, 0.0);
    GT_EXPECT_NEAR(value[2], 3.0, 0.0);
    bvh_value(scene, 1, GT_PATH_ROTATION, 1, value);
    GT_EXPECT_NEAR(value[0], sin(M_PI / 8), 1e-7);
    GT_EXPECT_NEAR(value[3], cos(M_PI / 8), 1e-7);
    float times[2];
    gt_accessor_read_floats(scene, scene->animations[0].samplers[0].input, 0, 2, times);
    GT_EXPECT_NEAR(times[0], 0.0, 0.0);
    GT_EXPECT_NEAR(times[1], 0.5, 0.0);
}

#define PLAIN_JOINTS                                                                                                   \
    "ROOT Hips\n{\nOFFSET 0 1.5 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"           \
    "JOINT Knee\n{\nOFFSET 0 0 -0.25\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1e-3 "           \
    "0\n}\n}\n}\n"
#define PLAIN_FRAMES "0 1.5 0 0 0 0 0 0 0\n1 2 3 0 0 0 0 45 0\n"
#define PLAIN        "HIERARCHY\n" PLAIN_JOINTS "MOTION\nFrames: 2\nFrame Time: 0.5\n" PLAIN_FRAMES

// Replace every `from` in PLAIN.
static char* replaced(const char* from, const char* to)
{
    size_t from_length = strlen(from);
    size_t to_length = strlen(to);
    char* out = malloc(strlen(PLAIN) * (to_length + 1) + 1);
    char* q = out;
    int count = 0;
    for (const char* p = PLAIN; *p;) {
        if (strncmp(p, from, from_length) == 0) {
            memcpy(q, to, to_length);
            q += to_length;
            p += from_length;
            ++count;
        } else {
            *q++ = *p++;
        }
    }
    *q = 0;
    assert_true(count > 0);
    return out;
}

static void expect_dialect(const char* text)
{
    TestLog log;
    GtContext context = test_context(&log);
    context.strict = true; // a dialect, not a fault
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(bvh_read_with(&context, text, &metres, &scene, &error));
    expect_plain(scene);
    assert_int_equal(log.warning_count, 0);
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    gt_scene_destroy(scene);
}

static void test_writings_of_the_same_file(void** state)
{
    (void)state;
    static const char* const swaps[][2] = {
        { "HIERARCHY", "HIERARCHY" },
        { "\n", "\r\n" },
        { "\n", "\r" },
        { " ", "\t" },
        { " ", "  \t " },
        { "\n", " \n" },
        { "\n", "\n\n" },
        { "HIERARCHY", "\xEF\xBB\xBFHIERARCHY" },
        { "HIERARCHY", "# made by hand\nHIERARCHY" },
        { "HIERARCHY", "\xEF\xBB\xBF// made by hand\n\n; twice\nHIERARCHY" },
        { "MOTION", "# here it moves\nMOTION" },
        { "1 2 3", "# a frame\n1 2 3" },
        { "HIERARCHY", "hierarchy" },
        { "ROOT", "root" },
        { "JOINT", "Joint" },
        { "OFFSET", "offset" },
        { "CHANNELS", "channels" },
        { "MOTION", "motion" },
        { "Frames", "FRAMES" },
        { "Frame Time", "frame time" },
        { "rotation", "ROTATION" },
        { "Xposition", "xposition" },
        { "End Site", "end site" },
        { "End Site", "End" },
        { "End Site", "EndSite" },
        { "\n{", " {" },
        { "\n{", "{" },
        { "\n{\n", " { " },
        { "\n}\n", " }\n" },
        { "\n}\n}\n}\n", "}}}" },
        { "Frames: 2", "Frames:2" },
        { "Frames: 2", "Frames : 2" },
        { "Frames: 2", "Frames:\t2" },
        { "Frames: 2", "Frames 2" },
        { "Frames: 2", "Frames: 2.0" },
        { "Frame Time: 0.5", "Frame Time:.5" },
        { "Frame Time: 0.5", "Frame Time: 5E-1" },
        { "Frame Time: 0.5", "FrameTime: +0.50" },
        { "Frames: 2\nFrame Time: 0.5", "Frame Time: 0.5\nFrames: 2" },
        { "1 2 3", "1e0 20E-1 +3.000" },
        { "1 2 3", "1.00000000000000000000000 2.0000000 3." },
        { "0 0 0 0 45 0\n", "0 0 0 0 45 0" },
        { "0 0 0 0 45 0\n", "0 0 0 0 45 0 \t" },
        { "0 0 0 0 45 0\n", "0 0 0 0 45 0\n\n\n\x1A" },
        { "0 1.5 0 0 0 0", "0 1.5 0\n0 0 0" }, // one frame on two lines...
        { "Zrotation Xrotation Yrotation\nEnd", "\nZrotation\nXrotation\nYrotation\nEnd" },
    };
    for (size_t i = 0; i < sizeof swaps / sizeof *swaps; ++i) {
        char* text = replaced(swaps[i][0], swaps[i][1]);
        if (strstr(text, "1.5 0\n0")) { // ...so the other has to be, too
            free(text);
            text = replaced(" 0 0 0\n", "\n0 0 0\n");
            char* more = strstr(text, "1 2 3 0 0 0");
            more[5] = '\n';
        }
        expect_dialect(text);
        free(text);
    }
}

static void test_names(void** state)
{
    (void)state;
    static const char* const names[] = { "Bip01 L Thigh", "mixamorig:Hips", "\xE5\xB7\xA6\xE8\xB6\xB3",
                                         "a.b-c_d#1",     "OFFSET",         "x}y" };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char* text = replaced("Knee", names[i]);
        char end_name[64];
        snprintf(end_name, sizeof end_name, "%s_end", names[i]);
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(bvh_read_with(&context, text, &metres, &scene, &error));
        assert_string_equal(scene->nodes[1].name, names[i]);
        assert_string_equal(scene->nodes[2].name, end_name);
        assert_string_equal(scene->animations[0].name, "walk");
        assert_int_equal(log.warning_count, 0);
        gt_scene_destroy(scene);
        free(text);
    }
}

// Read `text`, expecting `warning` (or NULL for none); with a warning, strict reading must refuse the file.
static GtScene* read_repaired(const char* text, const char* warning)
{
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(bvh_read_with(&context, text, &metres, &scene, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    if (warning ? !strstr(log.text, warning) || log.warning_count != 1 : log.warning_count) {
        fail_msg("wanted the one warning '%s', got:\n%s", warning ? warning : "(none)", log.text);
    }
    context.strict = true;
    GtScene* refused = NULL;
    if (warning) {
        GT_EXPECT_ERROR(bvh_read_with(&context, text, &metres, &refused, &error), GT_ERROR_STRICT, "walk.bvh: ");
        assert_null(refused);
    } else {
        GT_EXPECT_OK(bvh_read_with(&context, text, &metres, &refused, &error));
        gt_scene_destroy(refused);
    }
    return scene;
}

static GtScene* read_swapped(const char* from, const char* to, const char* warning)
{
    char* text = replaced(from, to);
    GtScene* scene = read_repaired(text, warning);
    free(text);
    return scene;
}

static void test_end_site_with_a_name(void** state)
{
    (void)state;
    GtScene* scene = read_swapped("End Site", "End Site Knee Tip", NULL);
    assert_string_equal(scene->nodes[2].name, "Knee Tip");
    assert_true(scene->nodes[2].bvh->end_site);
    gt_scene_destroy(scene);
}

static void test_leaf_without_end_site(void** state)
{
    (void)state;
    GtScene* scene = read_swapped("End Site\n{\nOFFSET 0 1e-3 0\n}\n", "", NULL);
    assert_int_equal(scene->node_count, 2);
    assert_int_equal(scene->nodes[1].child_count, 0);
    gt_scene_destroy(scene);
}

static void test_channel_counts(void** state)
{
    (void)state;
    static const char text[] =
        "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 0\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n"
        "JOINT c\n{\nOFFSET 0 1 0\nCHANNELS 9 Xscale Yscale Zscale Xrotation Yrotation Zrotation Xposition Yposition "
        "Zposition\nJOINT d\n{\nOFFSET 4 5 6\nCHANNELS 1 Yposition\nJOINT e\n{\nOFFSET 0 0 0\nCHANNELS 6 Yrotation "
        "Xrotation Zrotation Xposition Yposition Zposition\nJOINT f\n{\nOFFSET 0 0 1\n}\n}\n}\n}\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 0.1\n30 2 3 4 10 20 30 7 8 9 5.5 90 0 0 1 1 1\n";
    GtScene* scene = read_repaired(text, NULL);
    float value[4];
    assert_int_equal(scene->node_count, 6);
    assert_false(bvh_has_curve(scene, 0, GT_PATH_ROTATION));
    assert_false(bvh_has_curve(scene, 0, GT_PATH_TRANSLATION));
    bvh_value(scene, 1, GT_PATH_ROTATION, 0, value);
    GT_EXPECT_NEAR(value[0], sin(M_PI / 12), 1e-7);
    assert_false(bvh_has_curve(scene, 1, GT_PATH_TRANSLATION));
    bvh_value(scene, 2, GT_PATH_SCALE, 0, value);
    GT_EXPECT_NEAR(value[2], 4.0, 0.0);
    bvh_value(scene, 2, GT_PATH_TRANSLATION, 0, value);
    GT_EXPECT_NEAR(value[0], 7.0, 0.0);
    bvh_value(scene, 3, GT_PATH_TRANSLATION, 0, value); // what has no channel stays at the OFFSET
    GT_EXPECT_NEAR(value[0], 4.0, 0.0);
    GT_EXPECT_NEAR(value[1], 5.5, 0.0);
    GT_EXPECT_NEAR(value[2], 6.0, 0.0);
    bvh_value(scene, 4, GT_PATH_ROTATION, 0, value);
    GT_EXPECT_NEAR(value[1], M_SQRT1_2, 1e-7);
    assert_int_equal(scene->nodes[4].bvh->channels[0], GT_BVH_Y_ROTATION);
    assert_int_equal(scene->nodes[4].bvh->channels[5], GT_BVH_Z_POSITION);
    assert_false(bvh_has_curve(scene, 5, GT_PATH_ROTATION));
    gt_scene_destroy(scene);
}

// Every order of up to four axes, the same one twice among them: intrinsic, the first channel outermost.
static void test_angles_are_intrinsic_in_channel_order(void** state)
{
    (void)state;
    static const double degrees[] = { 30.0, -75.0, 130.0, 400.0 };
    for (int order = 0; order < 81 * 4; ++order) {
        int axes[] = { order % 3, order / 3 % 3, order / 9 % 3, order / 27 % 3 };
        int count = order / 81 + 1;
        char text[512];
        int length = snprintf(text, sizeof text, "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS %d", count);
        GtQuat expected = gt_quat_identity();
        for (int i = 0; i < count; ++i) {
            length += snprintf(text + length, sizeof text - (size_t)length, " %crotation", "XYZ"[axes[i]]);
            GtVec3 axis = gt_vec3(axes[i] == 0, axes[i] == 1, axes[i] == 2);
            expected = gt_quat_mul(expected, gt_quat_from_axis_angle(axis, (float)(degrees[i] * M_PI / 180.0)));
        }
        length += snprintf(text + length, sizeof text - (size_t)length, "\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n");
        for (int i = 0; i < count; ++i) {
            length += snprintf(text + length, sizeof text - (size_t)length, "%g ", degrees[i]);
        }
        GtScene* scene = read_repaired(text, NULL);
        float value[4];
        bvh_value(scene, 0, GT_PATH_ROTATION, 0, value);
        GT_EXPECT_NEAR(gt_quat_angle_rad(gt_quat(value[0], value[1], value[2], value[3]), expected), 0.0, 2e-6);
        gt_scene_destroy(scene);
    }
}

static void test_two_roots(void** state)
{
    (void)state;
    static const char text[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd "
                               "Site\n{\nOFFSET 0 1 0\n}\n}\n"
                               "ROOT b\n{\nOFFSET 2 0 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
                               "MOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0 90\n";
    GtScene* scene = read_repaired(text, NULL);
    assert_int_equal(scene->nodes[2].parent, GT_NONE);
    assert_int_equal(scene->stages[scene->default_stage].node_count, 2);
    float value[4];
    bvh_value(scene, 2, GT_PATH_ROTATION, 0, value);
    GT_EXPECT_NEAR(value[2], M_SQRT1_2, 1e-7);
    gt_scene_destroy(scene);
}

static void expect_rest_clip(GtScene* scene)
{
    float value[4];
    assert_int_equal(bvh_frame_count(scene), 1);
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 0, value);
    GT_EXPECT_NEAR(value[1], 1.5, 0.0);
    bvh_value(scene, 1, GT_PATH_ROTATION, 0, value);
    GT_EXPECT_NEAR(value[3], 1.0, 0.0);
    gt_scene_destroy(scene);
}

static void test_no_frames_are_a_rest_pose(void** state)
{
    (void)state;
    expect_rest_clip(read_repaired("HIERARCHY\n" PLAIN_JOINTS, "MOTION is missing"));
    expect_rest_clip(
        read_repaired("HIERARCHY\n" PLAIN_JOINTS "MOTION\nFrames: 0\nFrame Time: 0.1\n", "there are no frames"));
}

static void expect_frames_and_free(GtScene* scene, uint64_t frames)
{
    assert_int_equal(bvh_frame_count(scene), frames);
    assert_int_equal(gt_blob_size(scene->buffers[0].blob), frames * (1 + 3 + 4 + 4) * sizeof(float));
    gt_scene_destroy(scene);
}

static void test_frames_promised_and_kept(void** state)
{
    (void)state;
    expect_frames_and_free(read_swapped("Frames: 2", "Frames: 7", "line 21: only 2 of 7 declared frames are there"), 2);
    expect_frames_and_free(read_swapped("Frames: 2", "Frames: 999999999999", "declared frames are there"), 2);
    expect_frames_and_free(read_swapped("Frames: 2", "Frames: 1", "line 20: more data follows the 1 declared"), 1);
    expect_frames_and_free(read_swapped("Frames: 2\n", "", "'Frames:' is missing"), 2);
    expect_frames_and_free(read_swapped("45 0\n", "4", "the last is incomplete"), 1);
    expect_frames_and_free(read_swapped("45 0\n", "45 0\nand so on", "line 21: more data follows"), 2);
}

static void test_values_that_are_no_numbers_hold_the_last(void** state)
{
    (void)state;
    static const char* const words[] = { "nan",        "NaN",           "-nan(ind)",    "inf",  "-Infinity",
                                         "1.#QNAN",    "-1.#IND",       "1.#INF00",     "1e10", "-1e300",
                                         "1000000001", "-099999999999", "99999999999.5" };
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        char frame[64];
        snprintf(frame, sizeof frame, "1 %s 3", words[i]);
        GtScene* scene = read_swapped("1 2 3", frame, "line 20: frame 1 has the value");
        float value[4];
        bvh_value(scene, 0, GT_PATH_TRANSLATION, 1, value);
        GT_EXPECT_NEAR(value[0], 1.0, 0.0);
        GT_EXPECT_NEAR(value[1], 1.5, 0.0);
        GT_EXPECT_NEAR(value[2], 3.0, 0.0);
        gt_scene_destroy(scene);
    }
    GtScene* scene = read_swapped("0 1.5 0 0 0", "nan nan nan nan nan", "(and 4 more)");
    float value[4];
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 0, value);
    GT_EXPECT_NEAR(value[1], 1.5, 0.0); // before the first frame is the rest pose
    gt_scene_destroy(scene);
}

static void test_frame_times(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double seconds;
        const char* warning;
    } cases[] = {
        { "Frame Time: 30", 1.0 / 30.0, "frames per second" },
        { "Frame Time: 120.0", 1.0 / 120.0, "frames per second" },
        { "Frame Time: 1", 1.0, NULL },
        { "Frame Time: 0.008333", 0.008333, NULL },
        { "Frame Time: 0", 1.0 / 30.0, "1/30 s is used" },
        { "Frame Time: -0.01", 1.0 / 30.0, "1/30 s is used" },
        { "Frame Time: nan", 1.0 / 30.0, "1/30 s is used" },
        { "", 1.0 / 30.0, "'Frame Time:' is missing" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtScene* scene = read_swapped("Frame Time: 0.5", cases[i].text, cases[i].warning);
        float times[2];
        gt_accessor_read_floats(scene, scene->animations[0].samplers[0].input, 0, 2, times);
        GT_EXPECT_NEAR(times[1], cases[i].seconds, 1e-8);
        gt_scene_destroy(scene);
    }
}

static void test_lines_that_do_not_fit_their_frames(void** state)
{
    (void)state;
#define THREE_FRAMES "HIERARCHY\n" PLAIN_JOINTS "MOTION\nFrames: 3\nFrame Time: 0.5\n0 1.5 0 0 0 0 0 0 0\n"
    GtScene* scene =
        read_repaired(THREE_FRAMES "1 2 3 0 0 0\n4 5 6 0 0 0 0 0 0\n", "line 20: frame 1 has only 6 of 9 values");
    float value[4];
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 2, value);
    GT_EXPECT_NEAR(value[0], 4.0, 0.0); // the frame after it is whole
    gt_scene_destroy(scene);
    scene = read_repaired(THREE_FRAMES "1 2 3 0 0 0 0 0 0 8 9\n4 5 6 0 0 0 0 0 0\n",
                          "line 20: frame 1 has more values than the 9 channels");
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 2, value);
    GT_EXPECT_NEAR(value[0], 4.0, 0.0);
    gt_scene_destroy(scene);
    scene = read_swapped("0 0 0\n1 2 3 0", "0 0 0 1 2 3 0", "values are read one after the other");
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 1, value);
    GT_EXPECT_NEAR(value[2], 3.0, 0.0);
    gt_scene_destroy(scene);
}

static void test_faults_of_the_hierarchy_that_are_repaired(void** state)
{
    (void)state;
    gt_scene_destroy(read_swapped("HIERARCHY", "made by hand\nHIERARCHY", "text before HIERARCHY"));
    gt_scene_destroy(read_swapped("HIERARCHY\n", "", "HIERARCHY is missing before"));
    gt_scene_destroy(read_swapped("ROOT", "JOINT", "line 2: a JOINT outside of any ROOT"));
    gt_scene_destroy(read_swapped("OFFSET 0 0 -0.25\n", "", "line 6: joint 'Knee' has no OFFSET"));
    gt_scene_destroy(read_swapped("OFFSET 0 0 -0.25", "OFFSET 0 nan -0.25", "line 8: joint 'Knee': 'nan' in OFFSET"));
    gt_scene_destroy(read_swapped("OFFSET 0 0 -0.25", "OFFSET 0 1 0\nOFFSET 0 0 -0.25", "the last one is used"));
    gt_scene_destroy(
        read_swapped("CHANNELS 3 Z", "CHANNELS 2 Z", "line 9: joint 'Knee' declares 2 channels, but names 3"));
    gt_scene_destroy(read_swapped("CHANNELS 3 Z", "CHANNELS 4 Z", "declares 4 channels, but names 3"));
    gt_scene_destroy(read_swapped("CHANNELS 6 Xposition Y", "CHANNELS 6 Yposition Y", "has 'Yposition' twice"));
    gt_scene_destroy(read_swapped("}\n}\n}\n", "}\n}\n", "joint 'Hips' is not closed before MOTION"));
    GtScene* scene = read_swapped("JOINT Knee", "JOINT", "line 6: a joint has no name");
    assert_string_equal(scene->nodes[1].name, "joint_1");
    gt_scene_destroy(scene);
    scene = read_swapped("Knee", "Kn\xE9\x01", "was not valid UTF-8");
    assert_string_equal(scene->nodes[1].name, "Kn\xC3\xA9_");
    assert_string_equal(scene->nodes[2].name, "Kn\xC3\xA9__end");
    gt_scene_destroy(scene);
}

static void test_positions_of_joints(void** state)
{
    (void)state;
    static const char text[] =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{\nOFFSET 0 2 0\n"
        "CHANNELS 3 Xposition Yposition Zposition\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n";
    char whole[512];
    float value[4];
    snprintf(whole, sizeof whole, "%s0 0 0 0 2.5 0\n0 0 0 1 0 0\n", text); // they take the place of the OFFSET
    GtScene* scene = read_repaired(whole, NULL);
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 0, value);
    GT_EXPECT_NEAR(value[1], 0.0, 0.0);
    bvh_value(scene, 1, GT_PATH_TRANSLATION, 0, value);
    GT_EXPECT_NEAR(value[1], 2.5, 0.0);
    bvh_value(scene, 1, GT_PATH_TRANSLATION, 1, value);
    GT_EXPECT_NEAR(value[1], 0.0, 0.0);
    gt_scene_destroy(scene);
    snprintf(whole, sizeof whole, "%s0 0 0 0 0 0\n0 0 0 1 0 0\n", text); // no skeleton is a point: they are added
    scene = read_repaired(whole, NULL);
    bvh_value(scene, 0, GT_PATH_TRANSLATION, 0, value);
    GT_EXPECT_NEAR(value[1], 0.0, 0.0);
    bvh_value(scene, 1, GT_PATH_TRANSLATION, 1, value);
    GT_EXPECT_NEAR(value[0], 1.0, 0.0);
    GT_EXPECT_NEAR(value[1], 2.0, 0.0);
    gt_scene_destroy(scene);
}

static void test_zero_offsets_take_the_first_frame(void** state)
{
    (void)state;
    static const char text[] =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT b\n{\nOFFSET 0 0 0\n"
        "CHANNELS 3 Xposition Yposition Zposition\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 9 0 0 2.5 0\n0 0 0 1 0 "
        "0\n";
    GtScene* scene = read_repaired(text, NULL);
    GT_EXPECT_NEAR(scene->nodes[0].local.translation.y, 0.0, 0.0);
    GT_EXPECT_NEAR(scene->nodes[1].local.translation.y, 2.5, 0.0);
    gt_scene_destroy(scene);
}

static void test_sniffing(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        bool bvh;
    } cases[] = {
        { "HIERARCHY\n", true },
        { "\xEF\xBB\xBF\r\n  hierarchy", true },
        { "# a\n// b\nHIERARCHY", true },
        { "HIERARCH", false },
        { "", false },
        { "{\"asset\":{}}", false },
        { "glTF", false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        assert_int_equal(gti_bvh_sniff((const uint8_t*)cases[i].text, strlen(cases[i].text)), cases[i].bvh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writings_of_the_same_file),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_end_site_with_a_name),
        cmocka_unit_test(test_leaf_without_end_site),
        cmocka_unit_test(test_channel_counts),
        cmocka_unit_test(test_angles_are_intrinsic_in_channel_order),
        cmocka_unit_test(test_two_roots),
        cmocka_unit_test(test_no_frames_are_a_rest_pose),
        cmocka_unit_test(test_frames_promised_and_kept),
        cmocka_unit_test(test_values_that_are_no_numbers_hold_the_last),
        cmocka_unit_test(test_frame_times),
        cmocka_unit_test(test_lines_that_do_not_fit_their_frames),
        cmocka_unit_test(test_faults_of_the_hierarchy_that_are_repaired),
        cmocka_unit_test(test_positions_of_joints),
        cmocka_unit_test(test_zero_offsets_take_the_first_frame),
        cmocka_unit_test(test_sniffing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
