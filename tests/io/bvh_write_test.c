// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Writing BVH: what is read back is what was written, from BVH, from BVH through GLB, and from scenes made by hand.

#include "bvh_support.h"

#include "io/bvh/euler.h"

#include <stdlib.h>

// With the axes that joints have, unless `def` says otherwise; bvh_rest_test.c has other poses without rotations.
static GtBlob* write_with(const GtContext* context, const GtScene* scene, const GtSaveDef* def)
{
    GtError error = { 0 };
    GtBlob* blob = NULL;
    GtSaveDef standard = gt_default_save_def();
    standard.rest = GT_BVH_REST_AXES;
    GT_EXPECT_OK(gti_bvh_write(context, scene, def ? def : &standard, &blob, &error));
    return blob;
}

static GtScene* read_blob(const GtContext* context, const GtBlob* blob, const GtLoadDef* def)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtLoadDef infer = gt_default_load_def();
    GT_EXPECT_OK(gti_bvh_read(context, (const char*)gt_blob_bytes(blob), gt_blob_size(blob), "back.bvh",
                              def ? def : &infer, &scene, &error));
    return scene;
}

static void expect_text(const GtBlob* blob, const char* text, bool there)
{
    char* copy = strndup((const char*)gt_blob_bytes(blob), gt_blob_size(blob));
    if ((strstr(copy, text) != NULL) != there) {
        fail_msg("'%s' is %s:\n%.3000s", text, there ? "missing" : "there", copy);
    }
    free(copy);
}

// Every curve and every rest transform of `a` is in `b`: within 1e-3 degrees and 1e-5 m.
static void expect_same_motion(const GtScene* a, const GtScene* b)
{
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(bvh_frame_count(a), bvh_frame_count(b));
    for (int32_t i = 0; i < a->node_count; ++i) {
        assert_string_equal(a->nodes[i].name, b->nodes[i].name);
        assert_int_equal(a->nodes[i].parent, b->nodes[i].parent);
        assert_memory_equal(a->nodes[i].bvh, b->nodes[i].bvh, sizeof *a->nodes[i].bvh);
        GtVec3 moved = gt_vec3_sub(a->nodes[i].local.translation, b->nodes[i].local.translation);
        GT_EXPECT_NEAR(gt_vec3_length(moved), 0.0, 1e-5);
        GT_EXPECT_NEAR(gt_quat_angle_rad(a->nodes[i].local.rotation, b->nodes[i].local.rotation), 0.0, 1e-5);
        for (int path = GT_PATH_TRANSLATION; path <= GT_PATH_SCALE; ++path) {
            assert_int_equal(bvh_has_curve(a, i, path), bvh_has_curve(b, i, path));
            for (uint64_t frame = 0; bvh_has_curve(a, i, path) && frame < bvh_frame_count(a); ++frame) {
                float x[4] = { 0 };
                float y[4] = { 0 };
                bvh_value(a, i, path, frame, x);
                bvh_value(b, i, path, frame, y);
                if (path == GT_PATH_ROTATION) {
                    float rad = gt_quat_angle_rad(gt_quat(x[0], x[1], x[2], x[3]), gt_quat(y[0], y[1], y[2], y[3]));
                    GT_EXPECT_NEAR(rad, 0.0, 1e-3 * M_PI / 180.0);
                } else {
                    GT_EXPECT_NEAR(x[0], y[0], 1e-5);
                    GT_EXPECT_NEAR(x[1], y[1], 1e-5);
                    GT_EXPECT_NEAR(x[2], y[2], 1e-5);
                }
            }
        }
    }
    for (uint64_t frame = 0; frame < bvh_frame_count(a); ++frame) {
        float x = 0.0f;
        float y = 1.0f;
        gt_accessor_read_floats(a, a->animations[0].samplers[0].input, frame, 1, &x);
        gt_accessor_read_floats(b, b->animations[0].samplers[0].input, frame, 1, &y);
        assert_true(x == y);
    }
}

static void expect_round_trip(const char* text)
{
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(bvh_read_with(&context, text, NULL, &scene, &error));
    GtBlob* blob = write_with(&context, scene, NULL);
    GtBlob* again = write_with(&context, scene, NULL);
    assert_int_equal(gt_blob_size(blob), gt_blob_size(again));
    assert_memory_equal(gt_blob_bytes(blob), gt_blob_bytes(again), gt_blob_size(blob));
    GtLoadDef same = { .metres_per_unit = scene->source.metres_per_unit, .up_axis = (int32_t)scene->source.up_axis };
    GtScene* back = read_blob(&context, blob, &same);
    expect_same_motion(scene, back);
    GtBlob* glb = NULL;
    GtScene* through = NULL;
    GT_EXPECT_OK(gt_scene_save_memory(&context, scene, "glb", NULL, &glb, &error));
    GtLoadDef load_def = gt_default_load_def();
    GT_EXPECT_OK(
        gt_scene_load_memory(&context, gt_blob_bytes(glb), gt_blob_size(glb), NULL, &load_def, &through, &error));
    GtBlob* from_glb = write_with(&context, through, NULL);
    assert_int_equal(gt_blob_size(from_glb), gt_blob_size(blob));
    assert_memory_equal(gt_blob_bytes(from_glb), gt_blob_bytes(blob), gt_blob_size(blob));
    gt_blob_release(from_glb);
    gt_blob_release(glb);
    gt_blob_release(blob);
    gt_blob_release(again);
    gt_scene_destroy(through);
    gt_scene_destroy(back);
    gt_scene_destroy(scene);
}

// BVH_PERSON with frames of all kinds of angles, gimbal lock and several turns among them.
static char* moving_person(int frames)
{
    char* text = malloc(sizeof BVH_PERSON + 64 + (size_t)frames * BVH_PERSON_CHANNELS * 12);
    int length = sprintf(text, "%sMOTION\nFrames: %d\nFrame Time: 0.0083333\n", BVH_PERSON, frames);
    uint64_t seed = 7;
    for (int frame = 0; frame < frames; ++frame) {
        for (int c = 0; c < BVH_PERSON_CHANNELS; ++c) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            double random = (double)(seed >> 40) / (1 << 24);
            double angle = frame % 5 == 0 ? 90.0 * floor(random * 8.0 - 4.0) : random * 2000.0 - 1000.0;
            length += sprintf(text + length, "%.4f ", c < 3 ? 100.0 * random : angle);
        }
        text[length++] = '\n';
    }
    text[length] = 0;
    return text;
}

static void test_round_trip(void** state)
{
    (void)state;
    char* text = moving_person(100);
    expect_round_trip(text);
    free(text);
}

static void test_round_trip_of_dialects(void** state)
{
    (void)state;
    expect_round_trip(
        "HIERARCHY\nROOT Bip01 Pelvis\n{\nOFFSET 0 0 0\nCHANNELS 6 Yrotation Xrotation Zrotation Yposition Zposition "
        "Xposition\nJOINT a:b\n{\nOFFSET 0 0 1\nCHANNELS 9 Xposition Yposition Zposition Zrotation Yrotation "
        "Zrotation Zscale Yscale Xscale\nEnd Site tip\n{\nOFFSET 0 0 0.5\n}\n}\nJOINT hinge\n{\nOFFSET 0.1 0 0\n"
        "CHANNELS 1 Yrotation\nJOINT pin\n{\nOFFSET 0 0 1\nCHANNELS 2 Zrotation Xrotation\nEnd Site\n{\nOFFSET 0 0 "
        "0.1\n}\n}\n}\nJOINT fixed\n{\nOFFSET 0 0 -1\nCHANNELS 0\n}\n}\nROOT prop\n{\nOFFSET 1 0 0\nCHANNELS 1 "
        "Zposition\n}\nMOTION\nFrames: 3\nFrame Time: 0.04\n"
        "10 20 30 1 2 3 0.1 0.2 1 10 20 30 1 1 1 40 50 60 1\n"
        "95 90 -30 1 2 3 0.1 0.2 1 10 0 30 1 2 1 -140 250 60 2\n"
        "10 -90 30 1 2 3 0.1 0.2 1 10 180 30 3 1 1 40 50 -160 3\n");
}

static void test_source_units_and_axes(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    char* text = moving_person(3);
    for (int32_t up = GT_UP_Y; up <= GT_UP_X; ++up) {
        GtLoadDef def = { .metres_per_unit = 0.0254, .up_axis = up };
        GT_EXPECT_OK(bvh_read_with(&context, text, &def, &scene, &error));
        GtBlob* blob = write_with(&context, scene, NULL);
        expect_text(blob, "OFFSET 18 30 0\n", true);
        expect_text(blob, "OFFSET 0 90 0\n", true);
        GtSaveDef metres = gt_default_save_def();
        metres.source_units = false;
        GtBlob* in_metres = write_with(&context, scene, &metres);
        expect_text(in_metres, "OFFSET 0.4572 0.762 0\n", true);
        static const char* const roots[] = { "ROOT Hips\n{\n\tOFFSET 0 2.286 0\n",
                                             "ROOT Hips\n{\n\tOFFSET 0 0 -2.286\n",
                                             "ROOT Hips\n{\n\tOFFSET -2.286 0 0\n" };
        expect_text(in_metres, roots[up], true);
        gt_blob_release(in_metres);
        gt_blob_release(blob);
        gt_scene_destroy(scene);
    }
    free(text);
}

// A scene by hand: a root, an arm and a leaf, with rest rotations, and a mesh and a camera beside them.
static GtScene* make_scene(const GtContext* context, GtVec3 root_scale, bool with_mesh_nodes)
{
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    GtNode node = gt_default_node();
    node.name = "root";
    node.local = gt_transform(gt_vec3(0, 1, 0), gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 0.5f), root_scale);
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    node.name = "arm";
    node.parent = 0;
    node.local = gt_transform(gt_vec3(0.5f, 0, 0), gt_quat_from_axis_angle(gt_vec3(0, 0, 1), -0.25f), gt_vec3(1, 1, 1));
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    node.name = " odd{\n} ";
    node.parent = 1;
    node.local = gt_transform_identity();
    node.local.translation = gt_vec3(0.25f, 0, 0);
    GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    if (with_mesh_nodes) {
        GtCamera camera = { .fov_y_rad = 1.0f, .z_near = 0.1f };
        GT_EXPECT_OK(gt_scene_add_camera(scene, &camera, NULL, &error));
        node = gt_default_node();
        node.camera = 0;
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    return scene;
}

// Add a clip with one curve.
static void add_clip(GtScene* scene, int32_t node, GtAnimationPath path, GtInterpolation interpolation,
                     const float* times, uint64_t key_count, const float* values, uint64_t value_count)
{
    GtError error = { 0 };
    GtAnimationSampler* sampler = gt_scene_push(scene, 1, sizeof *sampler);
    GtAnimationChannel* channel = gt_scene_push(scene, 1, sizeof *channel);
    GtElementType type = path == GT_PATH_ROTATION ? GT_ELEMENT_VEC4 : GT_ELEMENT_VEC3;
    sampler->interpolation = interpolation;
    GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_TIMES, GT_ELEMENT_SCALAR, GT_COMPONENT_FLOAT, times, key_count,
                                   &sampler->input, &error));
    GT_EXPECT_OK(
        gt_scene_add_data(scene, GT_USE_DATA, type, GT_COMPONENT_FLOAT, values, value_count, &sampler->output, &error));
    *channel = (GtAnimationChannel){ .node = node, .path = path };
    GtAnimation animation = { .samplers = sampler, .sampler_count = 1, .channels = channel, .channel_count = 1 };
    GT_EXPECT_OK(gt_scene_add_animation(scene, &animation, NULL, &error));
}

static void test_rest_rotations_go_into_the_channels(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context, gt_vec3(1, 1, 1), true);
    GtBlob* blob = write_with(&context, scene, NULL);
    expect_text(blob, "JOINT odd(_}\n", true);
    expect_text(blob, "Frames: 1\n", true);
    assert_non_null(strstr(log.text, "warning: 1 joints had names"));
    assert_non_null(strstr(log.text, "note: BVH holds joints only: 1 other node is left out"));
    GtLoadDef metres = { .metres_per_unit = 1.0, .up_axis = GT_UP_Y };
    GtScene* back = read_blob(&context, blob, &metres);
    assert_int_equal(back->node_count, 4); // and the End Site of the leaf
    float value[4];
    bvh_value(back, 0, GT_PATH_ROTATION, 0, value);
    GT_EXPECT_NEAR(value[0], sin(0.25), 1e-7);
    bvh_value(back, 1, GT_PATH_ROTATION, 0, value);
    GT_EXPECT_NEAR(value[2], sin(-0.125), 1e-7);
    GT_EXPECT_NEAR(back->nodes[1].local.translation.x, 0.5, 1e-7);
    gt_scene_destroy(back);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_even_scale_goes_into_the_bones(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context, gt_vec3(2, 2, 2), false);
    GtBlob* blob = write_with(&context, scene, NULL);
    expect_text(blob, "OFFSET 0 1 0\n", true);
    expect_text(blob, "OFFSET 1 0 0\n", true);
    expect_text(blob, "OFFSET 0.5 0 0\n", true);
    assert_non_null(strstr(log.text, "note: BVH cannot hold scales"));
    gt_blob_release(blob);
    gt_scene_destroy(scene);
    scene = make_scene(&context, gt_vec3(2, 1, 1), false);
    blob = write_with(&context, scene, NULL);
    assert_non_null(strstr(log.text, "warning: BVH cannot hold scales"));
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_curves_become_frames(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtLoadDef metres = { .metres_per_unit = 1.0, .up_axis = GT_UP_Y };
    static const float times[] = { 0.0f, 0.5f, 2.0f };
    static const float steps[] = { 0.5f, 0, 0, 1, 0, 0, 2, 4, 0 };
    float value[4];
    static const GtInterpolation kinds[] = { GT_INTERPOLATION_LINEAR, GT_INTERPOLATION_STEP };
    static const double at_one[] = { 1.0 + 1.0 / 3.0, 1.0 }; // at 1 s, a third of the way from the second key
    for (int kind = 0; kind < 2; ++kind) {
        GtScene* scene = make_scene(&context, gt_vec3(1, 1, 1), false);
        add_clip(scene, 1, GT_PATH_TRANSLATION, kinds[kind], times, 3, steps, 3);
        GtBlob* blob = write_with(&context, scene, NULL);
        expect_text(blob, "JOINT arm\n\t{\n\t\tOFFSET 0.5 0 0\n\t\tCHANNELS 6 X", true); // it moves: it needs positions
        GtScene* back = read_blob(&context, blob, &metres);
        assert_int_equal(bvh_frame_count(back), 49); // no even keys: 24 a second, on which all lie
        bvh_value(back, 1, GT_PATH_TRANSLATION, 24, value);
        GT_EXPECT_NEAR(value[0], at_one[kind], 1e-6);
        bvh_value(back, 1, GT_PATH_TRANSLATION, 48, value);
        GT_EXPECT_NEAR(value[1], 4.0, 1e-6);
        gt_scene_destroy(back);
        gt_blob_release(blob);
        GtSaveDef slow = gt_default_save_def();
        slow.frame_rate_hz = 2.0;
        blob = write_with(&context, scene, &slow);
        expect_text(blob, "Frames: 5\nFrame Time: 0.5\n", true);
        gt_blob_release(blob);
        gt_scene_destroy(scene);
    }
}

static void test_rotations_are_played(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    static const float times[] = { 0.0f, 1.0f };
    static const float linear[] = { 0, 0, 0, 1, 0, 0, -1, 0 };         // half a turn about -z...
    static const float cubic[] = { 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, // ...and with flat tangents
                                   0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0 };
    GtScene* scene = make_scene(&context, gt_vec3(1, 1, 1), false);
    add_clip(scene, 1, GT_PATH_ROTATION, GT_INTERPOLATION_LINEAR, times, 2, linear, 2);
    GtSaveDef def = gt_default_save_def();
    def.rest = GT_BVH_REST_AXES;
    def.frame_rate_hz = 4.0;
    GtBlob* blob = write_with(&context, scene, &def);
    expect_text(blob, " -45 0 0 0 0 0\n", true); // zrotation of the arm, then the leaf
    expect_text(blob, " -90 0 0 0 0 0\n", true);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
    scene = make_scene(&context, gt_vec3(1, 1, 1), false);
    add_clip(scene, 1, GT_PATH_ROTATION, GT_INTERPOLATION_CUBICSPLINE, times, 2, cubic, 6);
    blob = write_with(&context, scene, &def);
    // a quarter of the way the spline weighs 0.84375 and 0.15625: 2 atan(0.15625 / 0.84375)
    expect_text(blob, " 20.98295 0 0 0 0 0\n", true);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_clips_are_chosen(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    static const float times[] = { 0.0f, 0.1f, 0.2f };
    static const float still[] = { 0.5f, 0, 0, 0.5f, 0, 0, 0.5f, 0, 0 };
    static const float moved[] = { 7, 0, 0, 8, 0, 0, 9, 0, 0 };
    GtScene* scene = make_scene(&context, gt_vec3(1, 1, 1), false);
    add_clip(scene, 1, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, times, 3, still, 3);
    add_clip(scene, 1, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, times, 3, moved, 3);
    GtBlob* blob = write_with(&context, scene, NULL);
    expect_text(blob, "Frames: 3\nFrame Time: 0.1\n", true);
    expect_text(blob, "JOINT arm\n\t{\n\t\tOFFSET 0.5 0 0\n\t\tCHANNELS 3", true); // it stays: it needs no positions
    assert_non_null(strstr(log.text, "note: BVH holds one clip"));
    gt_blob_release(blob);
    GtSaveDef def = gt_default_save_def();
    def.rest = GT_BVH_REST_AXES;
    def.animation = 1;
    blob = write_with(&context, scene, &def);
    expect_text(blob, " 9 0 0 -14", true);
    gt_blob_release(blob);
    def.animation = 2;
    GT_EXPECT_ERROR(gti_bvh_write(&context, scene, &def, &blob, &error), GT_ERROR_NOT_FOUND, "no clip 2");
    assert_null(blob);
    gt_scene_destroy(scene);
}

static void test_channels_that_do_not_suffice_are_widened(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error = { 0 };
    GtScene* scene = NULL;
    GT_EXPECT_OK(
        bvh_read_with(&context,
                      "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
                      "MOTION\nFrames: 2\nFrame Time: 0.1\n10\n20\n",
                      NULL, &scene, &error));
    GtBlob* blob = write_with(&context, scene, NULL);
    expect_text(blob, "CHANNELS 1 Xrotation\n", true);
    gt_blob_release(blob);
    scene->nodes[0].local.rotation = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), 1.0f);
    scene->animation_count = 0;
    blob = write_with(&context, scene, NULL);
    expect_text(blob, "CHANNELS 3 Zrotation Xrotation Yrotation\n", true);
    expect_text(blob, "Frames: 1\nFrame Time: 0.033333333\n0 0 57.29578", true);
    gt_blob_release(blob);
    gt_scene_destroy(scene);
}

static void test_a_scene_without_joints_is_refused(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtScene* scene = NULL;
    GtBlob* blob = NULL;
    GtSaveDef def = gt_default_save_def();
    GT_EXPECT_OK(gt_scene_create(&context, &scene, &error));
    GT_EXPECT_ERROR(gti_bvh_write(&context, scene, &def, &blob, &error), GT_ERROR_UNSUPPORTED, "no joints");
    gt_scene_destroy(scene);
}

// Any quaternion, any order: the angles make it again.
static void test_angles_of_any_rotation(void** state)
{
    (void)state;
    uint64_t seed = 3;
    for (int round = 0; round < 20000; ++round) {
        double q[4];
        double size = 0.0;
        GtiBvhAxes axes = { .count = 3 };
        for (int i = 0; i < 4; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            q[i] = round % 3 ? (double)(seed >> 40) / (1 << 23) - 1.0 : floor((double)(seed >> 40) / (1 << 22)) - 1.5;
            size += q[i] * q[i];
            axes.axes[i] = (uint8_t)((seed >> 20) % 3);
        }
        for (int i = 0; i < 4; ++i) {
            q[i] /= sqrt(size);
        }
        axes.axes[1] = axes.axes[1] == axes.axes[0] ? (uint8_t)((axes.axes[0] + 1) % 3) : axes.axes[1];
        axes.axes[2] = axes.axes[2] == axes.axes[1] ? (uint8_t)((axes.axes[1] + 2) % 3) : axes.axes[2];
        double degrees[16] = { 500.0, -200.0, 1000.0 };
        gti_bvh_angles_from_quat(&axes, q, degrees);
        GT_EXPECT_NEAR(gti_bvh_missed_angle(&axes, q, degrees), 0.0, 1e-9);
        GT_EXPECT_NEAR(degrees[0], 500.0, 180.001);
        GT_EXPECT_NEAR(degrees[1], -200.0, 180.001);
        GT_EXPECT_NEAR(degrees[2], 1000.0, 180.001);
    }
}

static void test_sines_and_cosines(void** state)
{
    (void)state;
    for (int i = -4000; i <= 4000; ++i) {
        double degrees = i % 7 ? i * 0.73 : i * 90.0;
        degrees = i % 11 ? degrees : degrees * 1e4;
        double sine;
        double cosine;
        gti_bvh_half_sincos(&degrees, 1, &sine, &cosine);
        double rad = fmod(degrees, 720.0) * M_PI / 360.0;
        GT_EXPECT_NEAR(sine, sin(rad), 2e-11);
        GT_EXPECT_NEAR(cosine, cos(rad), 2e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_round_trip_of_dialects),
        cmocka_unit_test(test_source_units_and_axes),
        cmocka_unit_test(test_rest_rotations_go_into_the_channels),
        cmocka_unit_test(test_even_scale_goes_into_the_bones),
        cmocka_unit_test(test_curves_become_frames),
        cmocka_unit_test(test_rotations_are_played),
        cmocka_unit_test(test_clips_are_chosen),
        cmocka_unit_test(test_channels_that_do_not_suffice_are_widened),
        cmocka_unit_test(test_a_scene_without_joints_is_refused),
        cmocka_unit_test(test_angles_of_any_rotation),
        cmocka_unit_test(test_sines_and_cosines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
