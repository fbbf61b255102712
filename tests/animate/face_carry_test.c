// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a motion does with a face goes along: expressions of a VRM animation become the morph weights that the VRM file
// of the character says, at the motion's keys; shapes go to shapes of the same meaning; the gaze turns the eyes by the
// ranges of the file.

#include "motion/puppets.h"

#include "gertie/accessor.h"
#include "gertie/animate.h"

#include <math.h>

enum {
    KEY_COUNT = 3,
    TARGET_COUNT = 3
};

static const float key_times_s[KEY_COUNT] = { 0.0f, 0.25f, 0.5f };
static const float yaws_deg[KEY_COUNT] = { 0.0f, 30.0f, -120.0f }; // to the left, and further to the right than eyes go
static const float pitch_deg = 20.0f;                              // downwards

static GtScene* sample(const GtContext* context, bool moves)
{
    GtError error;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(moves ? GT_MOTION_WALK : GT_MOTION_IDLE);
    GT_EXPECT_OK(gt_sample_motion(context, &def, &scene, NULL, &error));
    scene->animation_count = moves ? scene->animation_count : 0;
    return scene;
}

static int32_t add_node(GtScene* scene, const char* name, int32_t mesh)
{
    GtError error;
    int32_t index = GT_NONE;
    GtNode node = gt_default_node();
    node.name = name;
    node.mesh = mesh;
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, &index, &error));
    return index;
}

static void add_channel(GtScene* scene, int32_t node, GtAnimationPath path, GtElementType type, const float* values,
                        uint64_t count)
{
    GtError error;
    GtAnimation* clip = &scene->animations[0];
    GtAnimationSampler* samplers = gt_scene_push(scene, (size_t)clip->sampler_count + 1, sizeof *samplers);
    GtAnimationChannel* channels = gt_scene_push(scene, (size_t)clip->channel_count + 1, sizeof *channels);
    memcpy(samplers, clip->samplers, (size_t)clip->sampler_count * sizeof *samplers);
    memcpy(channels, clip->channels, (size_t)clip->channel_count * sizeof *channels);
    GtAnimationSampler* sampler = &samplers[clip->sampler_count];
    *sampler = (GtAnimationSampler){ .interpolation = GT_INTERPOLATION_LINEAR };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, key_times_s, KEY_COUNT,
                                   &sampler->input, &error));
    GT_EXPECT_OK(
        gt_scene_add_data(scene, GT_USE_DATA, type, GT_COMPONENT_FLOAT, values, count, &sampler->output, &error));
    channels[clip->channel_count] = (GtAnimationChannel){ .sampler = clip->sampler_count, .node = node, .path = path };
    clip->samplers = samplers;
    clip->channels = channels;
    ++clip->sampler_count;
    ++clip->channel_count;
}

static void add_mesh(GtScene* scene, const char* const* names, int32_t* node)
{
    static const float corners[9] = { 0.0f, 0.0f, 0.0f, 0.1f, 0.0f, 0.0f, 0.0f, 0.1f, 0.0f };
    GtError error;
    GtAttribute* attribute = gt_scene_push(scene, 1, sizeof *attribute);
    GtMorphTarget* targets = gt_scene_push(scene, TARGET_COUNT, sizeof *targets);
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    *attribute = (GtAttribute){ .name = "POSITION" };
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC3, GT_COMPONENT_FLOAT, corners, 3,
                                   &attribute->accessor, &error));
    for (int t = 0; t < TARGET_COUNT; ++t) {
        targets[t] = (GtMorphTarget){ .attributes = attribute, .attribute_count = 1 };
    }
    *primitive = (GtPrimitive){ .indices = GT_NONE, .material = GT_NONE, .mode = GT_MODE_TRIANGLES };
    primitive->attributes = attribute;
    primitive->attribute_count = 1;
    primitive->targets = targets;
    GtMesh mesh = { .primitives = primitive, .primitive_count = 1, .target_count = TARGET_COUNT };
    mesh.target_names = names;
    int32_t index = GT_NONE;
    GT_EXPECT_OK(gt_scene_add_mesh(scene, &mesh, &index, &error));
    *node = add_node(scene, "Face", index);
}

static void say(GtScene* scene, const char* format, int a, int b, int c)
{
    char text[1024];
    snprintf(text, sizeof text, format, a, b, c);
    for (char* p = text; *p; ++p) {
        *p = *p == '\'' ? '"' : *p;
    }
    scene->extra.extensions = gt_scene_push_text(scene, text, strlen(text));
}

// A walk with expressions and a gaze.
static GtScene* make_acted_motion(const GtContext* context)
{
    static const float happy[3 * KEY_COUNT] = { 0.0f, 9.0f, 9.0f, 1.0f, 9.0f, 9.0f, 0.5f, 9.0f, 9.0f };
    static const float wink[3 * KEY_COUNT] = { 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.25f, 0.0f, 0.0f };
    GtScene* motion = sample(context, true);
    int32_t nodes[4];
    for (int i = 0; i < 4; ++i) {
        nodes[i] = add_node(motion, (const char*[]){ "happy", "wink", "sad", "gaze" }[i], GT_NONE);
    }
    GtQuat gaze[KEY_COUNT];
    for (int k = 0; k < KEY_COUNT; ++k) {
        gaze[k] = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), yaws_deg[k] / 57.29578f),
                              gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), pitch_deg / 57.29578f));
    }
    add_channel(motion, nodes[0], GT_PATH_TRANSLATION, GT_ELEMENT_VEC3, happy, KEY_COUNT);
    add_channel(motion, nodes[1], GT_PATH_TRANSLATION, GT_ELEMENT_VEC3, wink, KEY_COUNT);
    add_channel(motion, nodes[2], GT_PATH_TRANSLATION, GT_ELEMENT_VEC3, happy, KEY_COUNT);
    add_channel(motion, nodes[3], GT_PATH_ROTATION, GT_ELEMENT_VEC4, &gaze[0].x, KEY_COUNT);
    say(motion,
        "{'VRMC_vrm_animation':{'expressions':{'preset':{'happy':{'node':%d},'sad':{'node':7000}},'custom':{'wink':"
        "{'node':%d}}},'lookAt':{'node':%d}}}",
        nodes[0], nodes[1], nodes[3]);
    return motion;
}

static const char* const face_names[TARGET_COUNT] = { "grin", "eyeBlinkLeft", "cheek" };

static GtScene* make_character(const GtContext* context, int32_t* face)
{
    GtScene* character = sample(context, false);
    add_mesh(character, face_names, face);
    say(character,
        "{'VRMC_vrm':{'expressions':{'preset':{'happy':{'morphTargetBinds':[{'node':%d,'index':0,'weight':0.8},{'node':"
        "%d,'index':2,'weight':0.5}]}},'custom':{'wink':{'morphTargetBinds':[{'node':%d,'index':1,'weight':1}]}}},"
        "'lookAt':{'type':'bone','rangeMapHorizontalInner':{'inputMaxValue':60,'outputScale':8},"
        "'rangeMapHorizontalOuter':{'inputMaxValue':90,'outputScale':12},'rangeMapVerticalDown':{'inputMaxValue':40,"
        "'outputScale':10},'rangeMapVerticalUp':{'inputMaxValue':90,'outputScale':10}}}}",
        *face, *face, *face);
    return character;
}

static const GtAnimationChannel* find_channel(const GtAnimation* clip, int32_t node, GtAnimationPath path)
{
    for (int32_t c = 0; c < clip->channel_count; ++c) {
        if (clip->channels[c].node == node && clip->channels[c].path == path) {
            return &clip->channels[c];
        }
    }
    fail_msg("node %d has no such channel", (int)node);
    return NULL;
}

// The key at a time; how many values there are is the caller's to know.
static void key_at(const GtScene* scene, const GtAnimationChannel* channel, float time_s, uint64_t width, float* out)
{
    const GtAnimation* clip = &scene->animations[scene->animation_count - 1];
    const GtAnimationSampler* sampler = &clip->samplers[channel->sampler];
    uint64_t count = scene->accessors[sampler->input].count;
    for (uint64_t i = 0; i < count; ++i) {
        float at_s;
        gt_accessor_read_floats(scene, sampler->input, i, 1, &at_s);
        if (fabsf(at_s - time_s) < 1e-5f) {
            bool is_weights = channel->path == GT_PATH_WEIGHTS;
            gt_accessor_read_floats(scene, sampler->output, is_weights ? i * width : i, is_weights ? width : 1, out);
            return;
        }
    }
    fail_msg("there is no key at %g s", (double)time_s);
}

static void expressions_and_gaze_go_along(void** state)
{
    (void)state;
    static const float expected[KEY_COUNT][TARGET_COUNT] = { { 0.0f, 1.0f, 0.0f },
                                                             { 0.8f, 0.0f, 0.5f },
                                                             { 0.4f, 0.25f, 0.25f } };
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = bare_animate_def();
    int32_t face = GT_NONE;
    GtScene* motion = make_acted_motion(&context);
    GtScene* character = make_character(&context, &face);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, character, motion, &def, &out, &report, &error));
    GT_EXPECT_OK(gt_scene_validate(&context, out, &error));
    assert_int_equal(report.face_signal_count, 2);
    assert_int_equal(report.face_carried_count, 2);
    assert_int_equal(report.retarget.unmatched_joint_count, 0);
    const GtAnimation* clip = &out->animations[out->animation_count - 1];
    const GtAnimationChannel* weights = find_channel(clip, face, GT_PATH_WEIGHTS);
    for (int k = 0; k < KEY_COUNT; ++k) {
        float key[TARGET_COUNT];
        key_at(out, weights, key_times_s[k], TARGET_COUNT, key);
        for (int t = 0; t < TARGET_COUNT; ++t) {
            GT_EXPECT_NEAR(key[t], expected[k][t], 1e-6);
        }
        // Eyes: the outer one of 30 degrees to the left is the left one; 120 degrees are as far as 60 and 90.
        static const float eye_yaws_deg[2][KEY_COUNT] = { { 0.0f, 4.0f, -8.0f }, { 0.0f, 4.0f, -12.0f } };
        for (int e = 0; e < 2; ++e) {
            int32_t eye = out->humanoid->nodes[e ? GT_HUMANOID_RIGHT_EYE : GT_HUMANOID_LEFT_EYE];
            GtQuat turn;
            key_at(out, find_channel(clip, eye, GT_PATH_ROTATION), key_times_s[k], 4, &turn.x);
            GtVec3 ray = gt_quat_rotate(gt_quat_mul(turn, gt_quat_conjugate(out->nodes[eye].local.rotation)),
                                        gt_vec3(0.0f, 0.0f, 1.0f)); // the person's joints have the model's axes
            GT_EXPECT_NEAR(atan2f(ray.x, ray.z) * 57.29578f, eye_yaws_deg[e][k], 1e-3);
            GT_EXPECT_NEAR(asinf(-ray.y) * 57.29578f, 5.0, 1e-3);
        }
    }
    gt_scene_destroy(out);
    gt_scene_destroy(character);
    gt_scene_destroy(motion);
}

static void shapes_go_to_shapes_of_the_same_meaning(void** state)
{
    (void)state;
    static const char* const motion_names[TARGET_COUNT] = { "cheek", "EyeBlink_L", "jawOpen" };
    static const float keys[KEY_COUNT * TARGET_COUNT] = { 0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f, 0.7f, 0.8f, 0.9f };
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtAnimateReport report;
    GtAnimateDef def = bare_animate_def();
    def.retarget.speed = 2.0;
    int32_t face = GT_NONE;
    int32_t source_face = GT_NONE;
    GtScene* motion = sample(&context, true);
    add_mesh(motion, motion_names, &source_face);
    add_channel(motion, source_face, GT_PATH_WEIGHTS, GT_ELEMENT_SCALAR, keys, KEY_COUNT * TARGET_COUNT);
    GtScene* character = sample(&context, false);
    add_mesh(character, face_names, &face);
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, character, motion, &def, &out, &report, &error));
    assert_int_equal(report.face_signal_count, 3);
    assert_int_equal(report.face_carried_count, 2);
    assert_non_null(strstr(log.text, "the character has none for jawOpen"));
    const GtAnimationChannel* weights = find_channel(&out->animations[0], face, GT_PATH_WEIGHTS);
    for (int k = 0; k < KEY_COUNT; ++k) {
        float key[TARGET_COUNT];
        key_at(out, weights, key_times_s[k] / 2.0f, TARGET_COUNT, key);
        GT_EXPECT_NEAR(key[0], 0.0, 0.0);
        GT_EXPECT_NEAR(key[1], keys[k * TARGET_COUNT + 1], 1e-6);
        GT_EXPECT_NEAR(key[2], keys[k * TARGET_COUNT], 1e-6);
    }
    gt_scene_destroy(out);
    // A character without a face is told of once, and moves all the same.
    GtScene* faceless = sample(&context, false);
    GT_EXPECT_OK(gt_animate(&context, faceless, motion, &def, &out, &report, &error));
    assert_int_equal(report.face_carried_count, 0);
    assert_non_null(strstr(log.text, "moves a face by 3 expressions, for which the character has none"));
    gt_scene_destroy(out);
    gt_scene_destroy(faceless);
    gt_scene_destroy(character);
    gt_scene_destroy(motion);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    int32_t face = GT_NONE;
    GtScene* motion = make_acted_motion(&context);
    GtScene* character = make_character(&context, &face);
    bool done = false;
    for (int64_t allowed = 0; !done; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtAnimateDef def = bare_animate_def();
        GtContext poor = context;
        GtError error;
        GtScene* out = NULL;
        poor.allocator = test_allocator(&limited);
        GtResult result = gt_animate(&poor, character, motion, &def, &out, NULL, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(out);
        assert_int_equal(limited.alive, 0);
        done = result == GT_OK;
    }
    gt_scene_destroy(character);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_and_gaze_go_along),
        cmocka_unit_test(shapes_go_to_shapes_of_the_same_meaning),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
