// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Bad and hostile BVH: one clear error with its line, no matter where a file is cut; sizes that are large but work;
// memory that runs out anywhere.

#include "bvh_support.h"

#include <stdlib.h>
#include <time.h>

#define JOINTS                                                                                                         \
    "HIERARCHY\nROOT Hips\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nJOINT Knee\n{\nOFFSET 0 1 0\n"   \
    "CHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n"
#define FRAMES "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4 5 6\n1 2 3 4 5 6\n"

static void test_errors_name_the_line_and_the_joint(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        GtResult code;
        const char* message;
    } cases[] = {
        { "", GT_ERROR_BAD_FILE, "walk.bvh: line 1: this is not a BVH file: HIERARCHY is missing" },
        { "\x7F"
          "ELF\x02\x01\x01",
          GT_ERROR_BAD_FILE, "HIERARCHY is missing" },
        { "\xFF\xFEH", GT_ERROR_UNSUPPORTED, "line 1: UTF-16 text: save it as UTF-8" },
        { "HIERARCHY\n", GT_ERROR_BAD_FILE, "line 2: ROOT is missing" },
        { "HIERARCHY\nMOTION\n", GT_ERROR_BAD_FILE, "line 2: ROOT is missing" },
        { "HIERARCHY\nROOT a\n", GT_ERROR_BAD_FILE, "line 3: joint 'a' is not followed by '{': the file ends here" },
        { "HIERARCHY\nROOT a\nOFFSET 0 0 0\n", GT_ERROR_BAD_FILE, "line 3: joint 'a' is not followed by '{'" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0\n}\n", GT_ERROR_BAD_FILE,
          "line 5: joint 'a': OFFSET needs three numbers, got '}'" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0,5 0 0\n}\n", GT_ERROR_BAD_FILE,
          "line 4: joint 'a': OFFSET needs three numbers, got '0,5'" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS x\n}\n", GT_ERROR_BAD_FILE,
          "line 5: joint 'a': CHANNELS needs a count, got 'x'" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS -1\n}\n", GT_ERROR_BAD_FILE, "CHANNELS needs a count" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n}\n", GT_ERROR_BAD_FILE,
          "line 5: joint 'a': 'Wrotation' is not the name of a channel" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1000000 Xrotation\n}\n", GT_ERROR_LIMIT,
          "line 5: joint 'a' has 1000000 channels" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 99999999999999999999 Xrotation\n}\n", GT_ERROR_BAD_FILE,
          "needs a count" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nCHANNELS 0\n}\n", GT_ERROR_BAD_FILE,
          "line 6: joint 'a': CHANNELS appears twice" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\n}\n", GT_ERROR_BAD_FILE, "line 6: there is one '}' too many" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nROOT b\n{\n", GT_ERROR_BAD_FILE, "line 5: a ROOT inside joint 'a'" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nTWIST\n}\n", GT_ERROR_BAD_FILE,
          "line 5: joint 'a': 'TWIST' stands where a keyword" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n}\nTWIST\n", GT_ERROR_BAD_FILE,
          "line 6: 'TWIST' stands where a keyword such as MOTION" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 0 0\nJOINT b\n{\n", GT_ERROR_BAD_FILE,
          "line 8: a joint inside an End Site" },
        { "HIERARCHY\nEnd Site\n{\n", GT_ERROR_BAD_FILE, "line 2: an End Site outside" },
        { "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nJOINT knee\n{\n", GT_ERROR_BAD_FILE,
          "line 7: the file ends inside joint 'knee': it is truncated" },
        { JOINTS "MOTION\nFrames: many\n", GT_ERROR_BAD_FILE, "line 17: 'Frames:' needs a count" },
        { JOINTS "MOTION\nFrames: -3\n", GT_ERROR_BAD_FILE, "line 17: 'Frames:' needs a count" },
        { JOINTS "MOTION\nFrames: 1\nFrame Time: soon\n", GT_ERROR_BAD_FILE, "line 18: 'Frame Time:' needs seconds" },
        { JOINTS "MOTION\nFrames: 1\nTempo: 3\n", GT_ERROR_BAD_FILE, "line 18: 'Tempo:' stands where 'Frames:'" },
        { JOINTS "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 x 5 6\n", GT_ERROR_BAD_FILE,
          "line 19: frame 0: 'x' is not a number" },
        { JOINTS "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 4,5 5 6\n", GT_ERROR_BAD_FILE,
          "line 19: frame 0: '4,5' is not a number" },
        { JOINTS "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4 5 6\n1 2\n1 2 3 4 5 6\n", GT_ERROR_BAD_FILE,
          "line 20: frame 1 has 2 values, but the joints have 6 channels" },
        { JOINTS "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4 5 6 7\n1 2 3 4 5 6 7\n", GT_ERROR_BAD_FILE,
          "line 19: the 6 values of a frame end in the middle of a line" },
        { JOINTS "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 4 5\n1 2 3 4 5\n", GT_ERROR_BAD_FILE,
          "does not match the channels" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_ERROR(bvh_read_with(&context, cases[i].text, NULL, &scene, &error), cases[i].code, cases[i].message);
        assert_null(scene);
        assert_int_equal(log.warning_count, 0);
    }
}

// Cut anywhere but after the last number: an error, or a warning; never a crash.
static void test_cut_anywhere(void** state)
{
    (void)state;
    static const char text[] = JOINTS FRAMES;
    size_t frames = (size_t)(strstr(text, "MOTION") - text);
    for (size_t size = 0; size < sizeof text - 2; ++size) {
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        char* copy = malloc(size + 1); // so that reading past the end is seen
        memcpy(copy, text, size);
        GtLoadDef def = gt_default_load_def();
        GtResult result = gti_bvh_read(&context, copy, size, NULL, &def, &scene, &error);
        if (size + 2 < frames) {
            assert_int_not_equal(result, GT_OK);
            assert_true(error.where[0]);
        } else if (result == GT_OK) {
            assert_true(log.warning_count > 0);
        }
        gt_scene_destroy(scene);
        free(copy);
    }
}

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static GtScene* read_long(const char* text, size_t size, TestLog* log)
{
    GtContext context = test_context(log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    GT_EXPECT_OK(gti_bvh_read(&context, text, size, "long.bvh", &def, &scene, &error));
    return scene;
}

static void expect_written_back(const GtScene* scene)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtScene* back = NULL;
    GtSaveDef save_def = gt_default_save_def();
    GtLoadDef load_def = gt_default_load_def();
    GT_EXPECT_OK(gti_bvh_write(&context, scene, &save_def, &blob, &error));
    GT_EXPECT_OK(
        gti_bvh_read(&context, (const char*)gt_blob_bytes(blob), gt_blob_size(blob), NULL, &load_def, &back, &error));
    assert_int_equal(back->node_count, scene->node_count);
    gt_scene_destroy(back);
    gt_blob_release(blob);
}

static void test_a_chain_of_100000_joints(void** state)
{
    (void)state;
    enum {
        DEPTH = 100000
    };
    char* text = malloc((size_t)DEPTH * 64);
    char* p = text + sprintf(text, "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    for (int i = 1; i < DEPTH; ++i) {
        p += sprintf(p, "JOINT j%d\n{\nOFFSET 0 0.001 0\nCHANNELS 0\n", i);
    }
    memset(p, '}', DEPTH);
    p += DEPTH;
    p += sprintf(p, "\nMOTION\nFrames: 1\nFrame Time: 0.1\n5\n");
    clock_t start = clock();
    TestLog log;
    GtScene* scene = read_long(text, (size_t)(p - text), &log);
    assert_int_equal(scene->node_count, DEPTH);
    assert_int_equal(scene->nodes[DEPTH - 1].parent, DEPTH - 2);
    expect_written_back(scene);
    assert_true(seconds_since(start) < 20.0); // a second or two; quadratic would be an hour
    gt_scene_destroy(scene);
    free(text);
}

static void test_a_million_channels_with_a_million_faults(void** state)
{
    (void)state;
    enum {
        JOINT_COUNT = 333334
    };
    char* text = malloc((size_t)JOINT_COUNT * 80);
    char* p = text + sprintf(text, "HIERARCHY\n");
    for (int i = 0; i < JOINT_COUNT; ++i) {
        p += sprintf(p, "ROOT\n{\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"); // no name, no OFFSET
    }
    p += sprintf(p, "MOTION\nFrames: 999999999999\nFrame Time: 0.1\n");
    for (int i = 0; i < JOINT_COUNT; ++i) {
        p += sprintf(p, "nan 2 3 ");
    }
    clock_t start = clock();
    TestLog log;
    GtScene* scene = read_long(text, (size_t)(p - text), &log);
    assert_int_equal(scene->node_count, JOINT_COUNT);
    assert_int_equal(bvh_frame_count(scene), 1);
    assert_int_equal(log.warning_count, 4); // one of each kind: names, offsets, frames, values
    assert_non_null(strstr(log.text, "(and 333333 more)"));
    assert_true(seconds_since(start) < 20.0);
    gt_scene_destroy(scene);
    free(text);
}

static void test_more_frames_than_float_times_can_tell(void** state)
{
    (void)state;
    enum {
        FRAME_COUNT = (1 << 23) + 1
    };
    static const char head[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 8388609\n"
                               "Frame Time: 0.1\n";
    size_t size = sizeof head - 1 + (size_t)FRAME_COUNT * 2;
    char* text = malloc(size);
    memcpy(text, head, sizeof head - 1);
    for (size_t i = sizeof head - 1; i < size; i += 2) {
        text[i] = '0';
        text[i + 1] = '\n';
    }
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef def = gt_default_load_def();
    GT_EXPECT_ERROR(gti_bvh_read(&context, text, size, NULL, &def, &scene, &error), GT_ERROR_LIMIT,
                    "more than 8388608 frames");
    free(text);
}

// A long name that is printed in an error, or an error in a long line, must not overflow anything.
static void test_long_words(void** state)
{
    (void)state;
    char* text = malloc(1 << 21);
    int length = sprintf(text, "HIERARCHY\nROOT ");
    memset(text + length, 'n', 1 << 20);
    length += 1 << 20;
    length += sprintf(text + length, "\n{\nOFFSET ");
    memset(text + length, '9', 1 << 19);
    length += 1 << 19;
    text[length] = 0;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_ERROR(bvh_read_with(&context, text, NULL, &scene, &error), GT_ERROR_BAD_FILE, "joint 'nnnn");
    free(text);
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    // Names beyond Latin-1's ASCII, more frames promised than there are, and scale, so that all ways are gone.
    static const char text[] =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 9 Xposition Yposition Zposition Xrotation Yrotation Zrotation "
        "Xscale "
        "Yscale Zscale\nJOINT \xE9\n{\nOFFSET 0 0 1\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 0 "
        "1\n}\n}\n}\n"
        "MOTION\nFrames: 9\nFrame Time: 0.1\n1 2 3 4 5 6 7 8 9 10 11 12\n1 2 3 4 5 6 7 8 9 10 11 12\n";
    int64_t needed = 0;
    for (int64_t allowed = 0;; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GtBlob* blob = NULL;
        GtSaveDef def = gt_default_save_def();
        GtResult result = bvh_read_with(&context, text, NULL, &scene, &error);
        if (result == GT_OK) {
            scene->nodes[1].local.scale = gt_vec3(2, 2, 2);
            result = gti_bvh_write(&context, scene, &def, &blob, &error);
        }
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !blob));
        gt_blob_release(blob);
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
        if (result == GT_OK) {
            needed = allowed;
            break;
        }
    }
    assert_true(needed > 10);
}

static bool stop_at_half(void* user, const char* task, double fraction)
{
    (void)task;
    *(double*)user = fraction;
    return fraction < 0.5;
}

static void test_cancelling(void** state)
{
    (void)state;
    enum {
        FRAME_COUNT = 400000
    };
    char* text = malloc(sizeof JOINTS + 64 + (size_t)FRAME_COUNT * 12);
    char* p = text + sprintf(text, JOINTS "MOTION\nFrames: %d\nFrame Time: 0.1\n", FRAME_COUNT);
    for (int i = 0; i < FRAME_COUNT; ++i) {
        memcpy(p, "1 2 3 4 5 6\n", 12);
        p += 12;
    }
    double fraction = 0.0;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtBlob* blob = NULL;
    GtLoadDef def = gt_default_load_def();
    GtSaveDef save_def = gt_default_save_def();
    GT_EXPECT_OK(gti_bvh_read(&context, text, (size_t)(p - text), NULL, &def, &scene, &error));
    context.progress = stop_at_half;
    context.progress_user = &fraction;
    GT_EXPECT_ERROR(gti_bvh_write(&context, scene, &save_def, &blob, &error), GT_ERROR_CANCELLED, "writing frames");
    assert_null(blob);
    GT_EXPECT_NEAR(fraction, 0.6, 0.1);
    gt_scene_destroy(scene);
    GT_EXPECT_ERROR(gti_bvh_read(&context, text, (size_t)(p - text), NULL, &def, &scene, &error), GT_ERROR_CANCELLED,
                    "reading frames");
    assert_null(scene);
    GT_EXPECT_NEAR(fraction, 0.6, 0.1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_name_the_line_and_the_joint),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_a_chain_of_100000_joints),
        cmocka_unit_test(test_a_million_channels_with_a_million_faults),
        cmocka_unit_test(test_more_frames_than_float_times_can_tell),
        cmocka_unit_test(test_long_words),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
