// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Clips of FBX files against closed forms of the motion: a rotation at constant speed, a jump, what stays at rest, the
// range of a stack, and memory that runs out.

#include "gertie/accessor.h"
#include "gertie/file.h"
#include "gertie/scene.h"
#include "support/test.h"

#include <stdio.h>

#define SECOND "46186158000"

// The stack plays from second 1 to second 2: the arm rotates from 0 to 180 degrees about Y, the hand jumps 50 cm up in
// the middle, the head has keys at its rest pose.
static const char file[] = //
    "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\n"
    "Objects: {\n"
    " Model: 10, \"Model::Arm\", \"LimbNode\" {\n }\n"
    " Model: 11, \"Model::Hand\", \"LimbNode\" {\n Properties70: {\n"
    "  P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",10,0,0\n }\n }\n"
    " Model: 12, \"Model::Head\", \"LimbNode\" {\n }\n"
    " AnimationStack: 20, \"AnimStack::Wave\", \"\" {\n Properties70: {\n"
    "  P: \"LocalStart\", \"KTime\", \"Time\", \"\"," SECOND "\n"
    "  P: \"LocalStop\", \"KTime\", \"Time\", \"\",92372316000\n }\n }\n"
    " AnimationLayer: 21, \"AnimLayer::Base\", \"\" {\n }\n"
    " AnimationCurveNode: 30, \"AnimCurveNode::R\", \"\" {\n }\n"
    " AnimationCurveNode: 31, \"AnimCurveNode::T\", \"\" {\n Properties70: {\n"
    "  P: \"d|X\", \"Number\", \"\", \"A\",10\n }\n }\n"
    " AnimationCurveNode: 32, \"AnimCurveNode::T\", \"\" {\n }\n"
    " AnimationCurve: 40, \"AnimCurve::\", \"\" {\n"
    "  KeyTime: *2 { a: " SECOND ",92372316000\n }\n  KeyValueFloat: *2 { a: 0,180\n }\n"
    "  KeyAttrFlags: *1 { a: 4\n }\n  KeyAttrDataFloat: *4 { a: 0,0,0,0\n }\n  KeyAttrRefCount: *1 { a: 2\n }\n }\n"
    " AnimationCurve: 41, \"AnimCurve::\", \"\" {\n"
    "  KeyTime: *3 { a: 0,69279237000,138558474000\n }\n  KeyValueFloat: *3 { a: 0,50,70\n }\n"
    "  KeyAttrFlags: *1 { a: 2\n }\n  KeyAttrDataFloat: *4 { a: 0,0,0,0\n }\n  KeyAttrRefCount: *1 { a: 3\n }\n }\n"
    " AnimationCurve: 42, \"AnimCurve::\", \"\" {\n"
    "  KeyTime: *3 { a: 0," SECOND ",92372316000\n }\n  KeyValueFloat: *3 { a: 0,0,0\n }\n"
    "  KeyAttrFlags: *1 { a: 264\n }\n  KeyAttrDataFloat: *4 { a: 0,0,0,0\n }\n  KeyAttrRefCount: *1 { a: 3\n }\n }\n"
    "}\n"
    "Connections: {\n"
    " C: \"OO\",10,0\n C: \"OO\",11,10\n C: \"OO\",12,0\n C: \"OO\",21,20\n"
    " C: \"OO\",30,21\n C: \"OO\",31,21\n C: \"OO\",32,21\n"
    " C: \"OP\",30,10, \"Lcl Rotation\"\n C: \"OP\",31,11, \"Lcl Translation\"\n C: \"OP\",32,12, \"Lcl Translation\"\n"
    " C: \"OP\",40,30, \"d|Y\"\n C: \"OP\",41,31, \"d|Y\"\n C: \"OP\",42,32, \"d|X\"\n"
    "}\n";

typedef struct ClipKeys {
    const float* times;
    const float* values;
    size_t count;
} ClipKeys;

static ClipKeys keys_of(const GtScene* scene, const char* node, GtAnimationPath path)
{
    const GtAnimation* clip = &scene->animations[0];
    for (int32_t i = 0; i < clip->channel_count; ++i) {
        const GtAnimationSampler* sampler = &clip->samplers[clip->channels[i].sampler];
        if (clip->channels[i].path == path && strcmp(scene->nodes[clip->channels[i].node].name, node) == 0) {
            assert_int_equal(sampler->interpolation, GT_INTERPOLATION_LINEAR);
            return (ClipKeys){ gt_accessor_floats_in_place(scene, sampler->input),
                               gt_accessor_floats_in_place(scene, sampler->output),
                               scene->accessors[sampler->input].count };
        }
    }
    return (ClipKeys){ 0 };
}

static void test_clip_of_a_stack(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, file, sizeof file - 1, "wave.fbx", NULL, &scene, &error));
    assert_int_equal(scene->animation_count, 1);
    assert_string_equal(scene->animations[0].name, "Wave");
    assert_int_equal(scene->animations[0].channel_count, 2); // the head stays where it rests
    ClipKeys arm = keys_of(scene, "Arm", GT_PATH_ROTATION);
    assert_true(arm.count >= 2);
    GT_EXPECT_NEAR(arm.times[0], 0.0, 0.0);
    GT_EXPECT_NEAR(arm.times[arm.count - 1], 1.0, 1e-6);
    for (size_t i = 0; i < arm.count; ++i) {
        double half_angle = 0.5 * 3.14159265358979 * (double)arm.times[i];
        GT_EXPECT_NEAR(
            fabs((double)arm.values[4 * i + 1] * sin(half_angle) + (double)arm.values[4 * i + 3] * cos(half_angle)),
            1.0, 1e-6);
    }
    ClipKeys hand = keys_of(scene, "Hand", GT_PATH_TRANSLATION);
    assert_int_equal(hand.count, 4); // both ends and both sides of the jump
    for (size_t i = 0; i < hand.count; ++i) {
        GT_EXPECT_NEAR(hand.values[3 * i], 0.1, 1e-6);
        GT_EXPECT_NEAR(hand.values[3 * i + 1], i < 2 ? 0.0 : 0.5, 1e-6);
    }
    assert_true(hand.times[1] < hand.times[2]);
    GT_EXPECT_NEAR(hand.times[1], 0.5, 1e-6);
    GT_EXPECT_NEAR(hand.times[2], 0.5, 1e-6);
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    gt_scene_destroy(scene);
}

// The angle of an ease from 0 to 90 degrees and back, a second each: 3 u^2 - 2 u^3.
static double ease_rad(double time)
{
    double u = fmod(time, 2.0);
    u = u > 1.0 ? 2.0 - u : u;
    return 0.5 * 3.14159265358979 * (3.0 * u * u - 2.0 * u * u * u);
}

// Keys are within 3e-4 rad of the ease and where it bends: an integral of the root of its second derivative says that
// no fewer than 41.8 pieces of a second do, and even ones would have to be 62.7.
static void expect_even_errors(ClipKeys arm, size_t seconds)
{
    assert_true(arm.count < 50 * seconds);
    for (size_t i = 1; arm.times[i] < 8.0f; ++i) { // where floats tell times from each other
        if (arm.times[i - 1] < 1.0f) {
            continue; // the tangent of the first key is another
        }
        double middle = 0.5 * ((double)arm.times[i] + (double)arm.times[i - 1]);
        double line = 0.5 * (ease_rad((double)arm.times[i]) + ease_rad((double)arm.times[i - 1]));
        GT_EXPECT_NEAR(line, ease_rad(middle), 3.3e-4);
    }
}

// Poses that are far apart in time, as in a file of hand shapes: each of the long intervals needs several keys, so that
// a clip has many times the keys of its file, and still none is left out.
static void test_sparse_keys_are_followed(void** state)
{
    (void)state;
    enum {
        KEYS = 3000,
        SIZE = 65536 + KEYS * 24
    };
    static char text[SIZE];
    int n = snprintf(
        text, SIZE,
        "; FBX 7.5.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7500\n}\nObjects: {\n"
        " Model: 10, \"Model::Arm\", \"LimbNode\" {\n }\n AnimationLayer: 21, \"AnimLayer::Base\", \"\" {\n }\n"
        " AnimationCurveNode: 30, \"AnimCurveNode::R\", \"\" {\n }\n"
        " AnimationCurve: 40, \"AnimCurve::\", \"\" {\n  KeyTime: *%d { a: ",
        KEYS);
    for (int i = 0; i < KEYS; ++i) {
        n += snprintf(text + n, (size_t)(SIZE - n), "%s%lld", i ? "," : "", 46186158000LL * i);
    }
    n += snprintf(text + n, (size_t)(SIZE - n), "\n }\n  KeyValueFloat: *%d { a: ", KEYS);
    for (int i = 0; i < KEYS; ++i) {
        n += snprintf(text + n, (size_t)(SIZE - n), "%s%d", i ? "," : "", i % 2 ? 90 : 0);
    }
    n += snprintf(text + n, (size_t)(SIZE - n),
                  "\n }\n  KeyAttrFlags: *1 { a: 264\n }\n  KeyAttrDataFloat: *4 { a: 0,0,0,0\n }\n"
                  "  KeyAttrRefCount: *1 { a: %d\n }\n }\n}\n"
                  "Connections: {\n C: \"OO\",10,0\n C: \"OO\",30,21\n C: \"OP\",30,10, \"Lcl Rotation\"\n"
                  " C: \"OP\",40,30, \"d|Y\"\n}\n",
                  KEYS);
    assert_true(n < SIZE);
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_load_memory(&context, text, (size_t)n, "shapes.fbx", NULL, &scene, &error));
    ClipKeys arm = keys_of(scene, "Arm", GT_PATH_ROTATION);
    assert_true(arm.count > 40 * KEYS);
    size_t last = arm.count - 1;
    for (size_t i = 97; i + 97 < arm.count; i += 97) {
        double half_angle = 0.5 * ease_rad((double)arm.times[i]);
        GT_EXPECT_NEAR(fabs((double)arm.values[4 * i + 1]), fabs(sin(half_angle)), 2e-3);
        assert_true(arm.times[i] - arm.times[i - 1] < 0.2f);
    }
    assert_true(arm.times[last] - arm.times[last - 1] < 0.2f);
    expect_even_errors(arm, KEYS);
    gt_scene_destroy(scene);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtScene* scene = NULL;
        GtResult result = gt_scene_load_memory(&context, file, sizeof file - 1, "wave.fbx", NULL, &scene, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(scene);
        assert_int_equal(limited.alive, 0);
        done = result == GT_OK;
        assert_true(!done || allowed >= 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clip_of_a_stack),
        cmocka_unit_test(test_sparse_keys_are_followed),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
