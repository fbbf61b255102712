// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// SmartBody's .sk and .skm: joints are where the definition of the format puts them, by matrices of this test's own;
// times and tags survive a GLB; faults are repaired or refused with their line; the skeleton is found beside its
// motion; memory may run out anywhere.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "io/smartbody/smartbody.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdlib.h>

// 170 units tall: centimetres.
#define SKELETON                                                                                                       \
    "# SK\nset_name man\nskeleton\nroot hips\n{ offset 0 90 0 # where it stands\n  channel XPos 0 free\n"              \
    "  channel YPos 2 lim -10 10\n  channel ZPos 0 free\n  channel Quat\n"                                             \
    "  joint spine { offset 1 50 -2 prerot axis 0 0 2 ang 90 channel Quat\n"                                           \
    "    joint head {offset 28 0 0 postrot axis 1 0 0 ang 30 channel Quat axis 0 1 0 ang 5\n"                          \
    "      joint top { offset 0 3 0 visgeo \"hat.srm\" }}}\n"                                                          \
    "  joint left leg { offset 10 -5 0 channel Quat frozen joint foot { offset 0 -85 0 } }\n}\nend\n"
#define CHANNELS "SkMotion\nname \"wave\"\nchannels 5\nhips ZPos\nhips XPos\nhips Quat\nspine Quat\nhead Quat\n"
#define FRAMES                                                                                                         \
    "frames 2\nkt 0.25 fr 3 1 0 0.5 0 0.1 0.2 0.3 0 0 -1\n"                                                            \
    "kt 0.75 fr\n -6 4 0.7 -0.5 0.2 1.1 -0.2 0.3 0.4 0.5 0.6\n"
#define TAGS                                                                                                           \
    "ready time: 0.3\nstrokeStart time: 0.4\nemphasis time: 0.5\nstroke time: 0.6\nrelax time: -1\n"                   \
    "noise_joints: \"l_arm r_arm\"\nheelStrike : 0.7\n"
#define MOTION CHANNELS FRAMES TAGS

static GtResult read_texts(const GtContext* context, const char* sk, const char* skm, GtScene** scene, GtError* error)
{
    GtLoadDef def = gt_default_load_def();
    GtiInput skeleton = { .bytes = (const uint8_t*)sk, .size = strlen(sk), .path = "man.sk" };
    if (!skm) {
        return gti_sk_read(context, &skeleton, &def, scene, error);
    }
    GtiInput motion = { .bytes = (const uint8_t*)skm, .size = strlen(skm), .path = "man@wave.skm" };
    return gti_skm_read_on(context, &skeleton, &motion, &def, scene, error);
}

typedef struct Frame3 {
    double r[3][3];
    double t[3];
} Frame3;

// By Rodrigues' formula; `v` is axis times angle.
static Frame3 placed(double x, double y, double z, const double v[3])
{
    double angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double a[3] = { 0, 0, 0 };
    for (int i = 0; i < 3 && angle > 0.0; ++i) {
        a[i] = v[i] / angle;
    }
    double c = cos(angle);
    double s = sin(angle);
    double d = 1.0 - c;
    return (Frame3){ { { c + d * a[0] * a[0], d * a[0] * a[1] - s * a[2], d * a[0] * a[2] + s * a[1] },
                       { d * a[0] * a[1] + s * a[2], c + d * a[1] * a[1], d * a[1] * a[2] - s * a[0] },
                       { d * a[0] * a[2] - s * a[1], d * a[1] * a[2] + s * a[0], c + d * a[2] * a[2] } },
                     { x, y, z } };
}

static Frame3 times(Frame3 a, Frame3 b)
{
    Frame3 out = { .t = { a.t[0], a.t[1], a.t[2] } };
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            out.t[i] += a.r[i][k] * b.t[k];
            for (int j = 0; j < 3; ++j) {
                out.r[i][j] += a.r[i][k] * b.r[k][j];
            }
        }
    }
    return out;
}

// Where hips, spine, head, top, left leg and foot are, in centimetres, straight from the definition.
static void place_by_definition(int frame, double out[6][3])
{
    static const double none[3] = { 0, 0, 0 };
    static const double moves[2][2] = { { 3, 1 }, { -6, 4 } }; // Z, X
    static const double turns[2][3][3] = { { { 0, 0.5, 0 }, { 0.1, 0.2, 0.3 }, { 0, 0, -1 } },
                                           { { 0.7, -0.5, 0.2 }, { 1.1, -0.2, 0.3 }, { 0.4, 0.5, 0.6 } } };
    static const double pre[3] = { 0, 0, M_PI / 2 };
    static const double post[3] = { M_PI / 6, 0, 0 };
    Frame3 all[6];
    all[0] = placed(moves[frame][1], 92, moves[frame][0], turns[frame][0]);
    all[1] = times(all[0], times(placed(1, 50, -2, pre), placed(0, 0, 0, turns[frame][1])));
    all[2] = times(all[1], times(placed(28, 0, 0, turns[frame][2]), placed(0, 0, 0, post)));
    all[3] = times(all[2], placed(0, 3, 0, none));
    all[4] = times(all[0], placed(10, -5, 0, none));
    all[5] = times(all[4], placed(0, -85, 0, none));
    for (int i = 0; i < 6; ++i) {
        memcpy(out[i], all[i].t, sizeof all[i].t);
    }
}

// Where a node is in a frame.
static GtVec3 place_of(const GtScene* scene, int32_t node, int frame)
{
    GtVec3 position = gt_vec3(0.0f, 0.0f, 0.0f);
    for (; node != GT_NONE; node = scene->nodes[node].parent) {
        GtTransform local = scene->nodes[node].local;
        for (int32_t i = 0; i < scene->animations[0].channel_count; ++i) {
            const GtAnimationChannel* channel = &scene->animations[0].channels[i];
            if (channel->node == node) {
                gt_accessor_read_floats(scene, scene->animations[0].samplers[channel->sampler].output, (uint64_t)frame,
                                        1,
                                        channel->path == GT_PATH_ROTATION ? &local.rotation.x : &local.translation.x);
            }
        }
        position = gt_vec3_add(gt_quat_rotate(local.rotation, position), local.translation);
    }
    return position;
}

static void test_joints_are_where_the_definition_puts_them(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, SKELETON, MOTION, &scene, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    assert_int_equal(log.warning_count, 0);
    assert_non_null(strstr(log.text, "units: centimetres"));
    assert_int_equal(scene->node_count, 6);
    assert_string_equal(scene->nodes[4].name, "left leg");
    for (int frame = 0; frame < 2; ++frame) {
        double wanted[6][3];
        place_by_definition(frame, wanted);
        for (int i = 0; i < 6; ++i) {
            GtVec3 position = place_of(scene, i, frame);
            GT_EXPECT_NEAR(position.x, wanted[i][0] * 0.01, 1e-6);
            GT_EXPECT_NEAR(position.y, wanted[i][1] * 0.01, 1e-6);
            GT_EXPECT_NEAR(position.z, wanted[i][2] * 0.01, 1e-6);
        }
    }
    const GtAccessor* input = &scene->accessors[scene->animations[0].samplers[0].input];
    GT_EXPECT_NEAR(input->min[0], 0.25, 0.0);
    GT_EXPECT_NEAR(input->max[0], 0.75, 0.0);
    assert_string_equal(scene->animations[0].name, "wave");
    gt_scene_destroy(scene);
}

static void test_times_and_tags_survive_a_glb(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtScene* again = NULL;
    GtBlob* blob = NULL;
    GT_EXPECT_OK(read_texts(&context, SKELETON, MOTION, &scene, &error));
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", NULL, &blob, &error));
    GT_EXPECT_OK(gt_scene_load_memory(&context, gt_blob_bytes(blob), gt_blob_size(blob), NULL, NULL, &again, &error));
    assert_string_equal(again->animations[0].extra.extras,
                        "{\"syncs\":{\"ready\":0.3,\"strokeStart\":0.4,\"stroke\":0.5,\"strokeEnd\":0.6},"
                        "\"tags\":{\"noise_joints\":\"l_arm r_arm\",\"heelStrike\":\"0.7\"}}");
    gt_blob_release(blob);
    gt_scene_destroy(scene);
    gt_scene_destroy(again);
}

static void test_units_of_comments_and_scale(void** state)
{
    (void)state;
    static const char metres[] = "# Units: m\nset_scale 0.5\nskeleton root a { offset 0 2 0 channel YPos 0 free\n"
                                 " joint b { offset 0 2 0 } }";
    static const char centimetres[] = "# by hand, Units: cm\nSkMotion channels 1 a YPos start_kt 3 frames 2\n"
                                      "kt 1 fr 50 kt 2 fr 100\n";
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, metres, centimetres, &scene, &error));
    GT_EXPECT_NEAR(place_of(scene, 1, 0).y, 2.5, 1e-6);
    GT_EXPECT_NEAR(place_of(scene, 0, 1).y, 2.0, 1e-6);
    const GtAccessor* input = &scene->accessors[scene->animations[0].samplers[0].input];
    GT_EXPECT_NEAR(input->min[0], 3.0, 0.0);
    assert_string_equal(scene->animations[0].name, "man@wave");
    assert_null(scene->animations[0].extra.extras);
    gt_scene_destroy(scene);
}

static void test_z_up_turns_the_root_alone(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef def = { .metres_per_unit = 0.01, .up_axis = GT_UP_Z };
    GtiInput skeleton = { .bytes = (const uint8_t*)SKELETON, .size = sizeof SKELETON - 1 };
    GtiInput motion = { .bytes = (const uint8_t*)MOTION, .size = sizeof MOTION - 1 };
    GT_EXPECT_OK(gti_skm_read_on(&context, &skeleton, &motion, &def, &scene, &error));
    double wanted[6][3];
    place_by_definition(1, wanted);
    GtVec3 position = place_of(scene, 3, 1);
    GT_EXPECT_NEAR(position.x, wanted[3][0] * 0.01, 1e-6);
    GT_EXPECT_NEAR(position.y, wanted[3][2] * 0.01, 1e-6);
    GT_EXPECT_NEAR(position.z, -wanted[3][1] * 0.01, 1e-6);
    gt_scene_destroy(scene);
}

static void test_faults_are_errors_with_a_line(void** state)
{
    (void)state;
    static const struct {
        const char* sk;
        const char* skm;
        const char* message;
    } cases[] = {
        { "", NULL, "man.sk: line 1: there are no joints" },
        { "skeleton\nroot\n{ }", NULL, "line 3: a joint needs a name and '{'" },
        { "skeleton\nroot a }", NULL, "line 2: a joint needs a name and '{', got '}'" },
        { "skeleton root a {\noffset 1 x", NULL, "line 2: 'offset' needs 3 numbers, got 'x'" },
        { "skeleton root a {\nprerot 1 0 0", NULL, "line 2: 'prerot' needs 'axis' here, got '1'" },
        { "skeleton root a {\njoint a { } }", NULL, "line 2: a second joint has the name 'a'" },
        { SKELETON, "", "man@wave.skm: line 1: there are no frames" },
        { SKELETON, CHANNELS, "there are no frames" },
        { SKELETON, "SkMotion\nkt 0 fr 1", "line 2: 'channels' must come before the frames" },
        { SKELETON, "SkMotion channels 4000000000", "'4000000000' is no number of channels" },
        { SKELETON, "channels 1 hips Quat\nchannels 1 hips Quat\nkt 0 fr 1 2 3", "line 2: 'channels' appears twice" },
        { SKELETON, "channels 1 hips Quat\nkt x", "line 2: 'kt' needs a time, got 'x'" },
        { SKELETON, "channels 1 hips Quat\nkt 1 2", "line 2: a frame needs 'fr' after its time, got '2'" },
        { SKELETON, "channels 1 foot Quat\nkt 1 fr 1 2 3", "no joint of the skeleton moves" },
        { SKELETON, "channels 1 hips XPos start_kt 1e8\nkt 1 fr 1\nkt 2 fr 1", "leaves no difference between times" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        GtContext context = gt_default_context();
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_ERROR(read_texts(&context, cases[i].sk, cases[i].skm, &scene, &error), GT_ERROR_BAD_FILE,
                        cases[i].message);
        assert_null(scene);
    }
}

static void test_repairs_are_warnings_and_refused_when_strict(void** state)
{
    (void)state;
#define ONE "SkMotion channels 1 hips Quat frames 1 "
    static const struct {
        const char* sk;
        const char* skm;
        const char* message;
    } cases[] = {
        { "skeleton root a { offset nan 0 0 }", NULL, "a number of 'offset' is not finite: 0 is used" },
        { "set_scale 0 skeleton root a { }", NULL, "this scale is not possible: 1 is used" },
        { "skeleton root a { colour }", NULL, "'colour' is not known and is skipped" },
        { "skeleton root a { channel Swing lim 1 2 }", NULL, "a channel 'Swing' is not read" },
        { "skeleton root a { joint b {", NULL, "the text ends inside joint 'b'" },
        { "skeleton root \xE9 { }", NULL, "was not valid UTF-8" },
        { SKELETON, "channels 2 hips Quat frames 1 kt 0 fr 1 2 3", "there are 1 of 2 channels" },
        { SKELETON, "channels 2 hips Quat hips XRot frames 1 kt 0 fr 1 2 3 4", "channels 'XRot' are not read" },
        { SKELETON, "channels 2 hips Quat hand Quat frames 1 kt 0 fr 1 2 3 4 5 6", "has no joint 'hand'" },
        { SKELETON, "channels 2 hips Quat foot XPos frames 1 kt 0 fr 1 2 3 4", "'foot' has no channel 'XPos'" },
        { SKELETON, ONE "kt 0 fr 1 2 3 kt 1 fr 1 2 3", "not what 'frames' says: 2 are read" },
        { SKELETON, ONE "kt 0 fr 1 2 3 kt 1 fr 1 2", "a frame has 2 of 3 values and is left out" },
        { SKELETON, ONE "kt 1 fr 1 2 3 kt 1 fr 1 2 3", "a frame at 1 s is not after the one before" },
        { SKELETON, ONE "kt 1 fr 1 2 inf", "'inf' is not finite: the frame before is held" },
        { SKELETON, ONE "kt 1 fr 1 2 3 4", "'4' belongs to nothing" },
        { SKELETON, ONE "kt 1 fr 1 2 3 a: 1 a: 2", "'a' appears twice: the first counts" },
        { SKELETON, ONE "kt 1 fr 1 2 3 ready time: soon", "the time of 'ready' is 'soon'" },
        { SKELETON, ONE "kt 1 fr 1 2 3 ready time:", "'ready' has no value" },
        { SKELETON, "name \"\xE9\" " ONE "kt 1 fr 1 2 3", "was not valid UTF-8" },
    };
#undef ONE
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        TestLog log;
        GtContext context = test_context(&log);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GT_EXPECT_OK(read_texts(&context, cases[i].sk, cases[i].skm, &scene, &error));
        GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
        if (!strstr(log.text, cases[i].message)) {
            fail_msg("wanted '%s', got '%s'", cases[i].message, log.text);
        }
        gt_scene_destroy(scene);
        context.strict = true;
        assert_int_not_equal(read_texts(&context, cases[i].sk, cases[i].skm, &scene, &error), GT_OK);
        assert_null(scene);
    }
}

static GtResult load_in(const TestFolder* folder, const char* name, GtScene** scene, GtError* error)
{
    GtContext context = gt_default_context();
    return gt_scene_load(&context, test_folder_path(folder, name), NULL, scene, error);
}

static void test_the_skeleton_is_found_beside_the_motion(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    GtError error = { 0 };
    GtScene* scene = NULL;
    static const char other[] = "skeleton root hips { channel Quat }";
    test_folder_put(&folder, "man@wave.skm", MOTION, sizeof MOTION - 1);
    GT_EXPECT_ERROR(load_in(&folder, "man@wave.skm", &scene, &error), GT_ERROR_BAD_FILE, "put its .sk file into");
    test_folder_put(&folder, "other.sk", other, sizeof other - 1);
    GT_EXPECT_OK(load_in(&folder, "man@wave.skm", &scene, &error)); // the only one
    assert_int_equal(scene->node_count, 1);
    assert_string_equal(scene->source.file_format, "skm");
    gt_scene_destroy(scene);
    test_folder_put(&folder, "man.sk", SKELETON, sizeof SKELETON - 1);
    GT_EXPECT_OK(load_in(&folder, "man@wave.skm", &scene, &error));
    assert_int_equal(scene->node_count, 6);
    gt_scene_destroy(scene);
    GT_EXPECT_OK(load_in(&folder, "man.sk", &scene, &error));
    assert_int_equal(scene->animation_count, 0);
    assert_string_equal(scene->source.file_format, "sk");
    gt_scene_destroy(scene);
    test_folder_remove(&folder);
}

static void test_deep_hierarchies_are_read(void** state)
{
    (void)state;
    enum {
        COUNT = 100000
    };
    char* text = malloc((size_t)COUNT * 64);
    char* p = text + sprintf(text, "skeleton root b {");
    for (int i = 0; i < COUNT; ++i) {
        p += sprintf(p, "joint b%d{offset 0 1e-5 0\n", i);
    }
    for (int i = 0; i <= COUNT; ++i) {
        *p++ = '}';
    }
    *p = '\0';
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(read_texts(&context, text, NULL, &scene, &error));
    assert_int_equal(scene->node_count, COUNT + 1);
    gt_scene_destroy(scene);
    free(text);
}

static void test_any_cut_ends_well(void** state)
{
    (void)state;
    static const char sk[] = SKELETON;
    static const char skm[] = MOTION;
    for (size_t cut = 0; cut < sizeof sk + sizeof skm; ++cut) {
        bool in_motion = cut >= sizeof sk;
        size_t sk_size = in_motion ? sizeof sk - 1 : cut;
        size_t skm_size = in_motion ? cut - sizeof sk : sizeof skm - 1;
        uint8_t* sk_cut = malloc(sk_size + !sk_size); // blocks of their own, so that reading past them is found
        uint8_t* skm_cut = malloc(skm_size + !skm_size);
        memcpy(sk_cut, sk, sk_size);
        memcpy(skm_cut, skm, skm_size);
        GtContext context = gt_default_context();
        GtLoadDef def = gt_default_load_def();
        GtError error = { 0 };
        GtScene* scene = NULL;
        GtiInput skeleton = { .bytes = sk_cut, .size = sk_size };
        GtiInput motion = { .bytes = skm_cut, .size = skm_size };
        GtResult result = gti_skm_read_on(&context, &skeleton, &motion, &def, &scene, &error);
        assert_true((result == GT_OK) == (scene != NULL) && (result == GT_OK || error.message[0]));
        gt_scene_destroy(scene);
        free(sk_cut);
        free(skm_cut);
    }
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    TestFolder folder;
    test_folder_create(&folder);
    test_folder_put(&folder, "man.sk", SKELETON, sizeof SKELETON - 1);
    test_folder_put(&folder, "man@wave.skm", MOTION, sizeof MOTION - 1);
    int64_t needed = 0;
    for (GtResult result = GT_ERROR_OUT_OF_MEMORY; result != GT_OK; ++needed) {
        TestAllocator limited = { .remaining = needed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        result = gt_scene_load(&context, test_folder_path(&folder, "man@wave.skm"), NULL, &scene, &error);
        assert_true(result == GT_OK || (result == GT_ERROR_OUT_OF_MEMORY && !scene));
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
    }
    assert_true(needed > 10);
    test_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joints_are_where_the_definition_puts_them),
        cmocka_unit_test(test_times_and_tags_survive_a_glb),
        cmocka_unit_test(test_units_of_comments_and_scale),
        cmocka_unit_test(test_z_up_turns_the_root_alone),
        cmocka_unit_test(test_faults_are_errors_with_a_line),
        cmocka_unit_test(test_repairs_are_warnings_and_refused_when_strict),
        cmocka_unit_test(test_the_skeleton_is_found_beside_the_motion),
        cmocka_unit_test(test_deep_hierarchies_are_read),
        cmocka_unit_test(test_any_cut_ends_well),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
