// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Sampled curves against closed forms: joints that swing and turn by sines.

#include "render/motion.h"

#include "gertie/motions.h"
#include "gertie/plot.h"

#include <float.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const double frequency_hz = 1.5;
static const double swing_m = 0.4;
static const double swing_rad = 1.1;

enum {
    KEYS = 601,
    RATE = 120
};

// Node 0 "root" is turned by 90 degrees about Z and raised by 1 m; under it "foot" swings along its own X, which is the
// model's Y, and "knee" turns about Z, away from a rest rotation that is no identity.
typedef struct Swing {
    GtContext context;
    TestLog log;
    GtScene* scene;
    float times_s[KEYS];
} Swing;

static double phase(double time_s)
{
    return 2.0 * pi * frequency_hz * time_s;
}

static GtQuat knee_rest(void)
{
    return gt_quat_from_axis_angle(gt_vec3(0.6f, 0.8f, 0.0f), 0.7f);
}

static void make_swing(Swing* s)
{
    static float along[KEYS][3];
    static float turns[KEYS][4];
    s->context = test_context(&s->log);
    s->scene = make_scene(&s->context);
    make_node(s->scene, "root", GT_NONE, gt_vec3(0, 1, 0));
    make_node(s->scene, "foot", 0, gt_vec3(0, 0, 0.25f));
    make_node(s->scene, "knee", 1, gt_vec3(0, 0, 0));
    link_children(s->scene);
    s->scene->nodes[0].local.rotation = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (float)(0.5 * pi));
    s->scene->nodes[2].local.rotation = knee_rest();
    for (int i = 0; i < KEYS; ++i) {
        s->times_s[i] = (float)i / RATE;
        double angle = swing_rad * sin(phase((double)s->times_s[i]));
        GtQuat q = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (float)angle), knee_rest());
        float sign = i % 3 == 1 ? -1.0f : 1.0f; // exporters write either
        memcpy(along[i], (float[]){ (float)(swing_m * sin(phase((double)s->times_s[i]))), 0, 0.25f }, sizeof along[i]);
        memcpy(turns[i], (float[]){ sign * q.x, sign * q.y, sign * q.z, sign * q.w }, sizeof turns[i]);
    }
    const MotionCurve curves[] = {
        { 1, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, KEYS, s->times_s, along[0], 0 },
        { 2, GT_PATH_ROTATION, GT_INTERPOLATION_LINEAR, KEYS, s->times_s, turns[0], 0 },
    };
    make_clip(s->scene, curves, 2);
}

static GtPlotSeriesSet* sample(const GtContext* context, const GtScene* scene, const GtPlotSeriesDef* def,
                               int32_t count, const char* const* addresses)
{
    GtError error = { 0 };
    GtPlotSeriesSet* curves = NULL;
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    GT_EXPECT_OK(gt_plot_series_sample(context, scene, addresses, count, def, &curves, &error));
    return curves;
}

// What holds for every curve.
static void check_curve(const GtPlotSeries* curve)
{
    assert_true(curve->sample_count > 0);
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int32_t i = 0; i < curve->sample_count; ++i) {
        assert_true(isfinite(curve->values[i]));
        assert_true(i == 0 || curve->times_s[i] > curve->times_s[i - 1]);
        low = fmin(low, (double)curve->values[i]);
        high = fmax(high, (double)curve->values[i]);
    }
    GT_EXPECT_NEAR(curve->min, low, 0);
    GT_EXPECT_NEAR(curve->max, high, 0);
    assert_true(curve->mean >= low && curve->mean <= high);
    for (int32_t i = 0; i < curve->key_count; ++i) {
        assert_true(curve->key_times_s[i] >= curve->times_s[0]);
        assert_true(curve->key_times_s[i] <= curve->times_s[curve->sample_count - 1]);
    }
}

static void test_positions_and_speeds_follow_a_sine(void** state)
{
    (void)state;
    static const char* const addresses[] = { "foot.translation.x", "foot.position", "foot.velocity", "foot.speed" };
    Swing s;
    make_swing(&s);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* curves = sample(&s.context, s.scene, &def, 4, addresses);
    static const char* const names[] = { "foot.translation.x", "foot.position.x", "foot.position.y", "foot.position.z",
                                         "foot.velocity.x",    "foot.velocity.y", "foot.velocity.z", "foot.speed" };
    assert_int_equal(curves->count, 8);
    for (int i = 0; i < 8; ++i) {
        const GtPlotSeries* curve = &curves->series[i];
        assert_string_equal(curve->address, names[i]);
        assert_int_equal(curve->quantity, i == 0  ? GT_QUANTITY_TRANSLATION
                                          : i < 4 ? GT_QUANTITY_POSITION
                                                  : GT_QUANTITY_SPEED);
        assert_int_equal(curve->sample_count, KEYS); // frame by frame, nothing between
        assert_int_equal(curve->key_count, i == 0 ? KEYS : 0);
        check_curve(curve);
    }
    double h = 1.0 / RATE;
    for (int32_t i = 0; i < KEYS; ++i) {
        double t = (double)s.times_s[i];
        double along = swing_m * sin(phase(t));
        double slope = swing_m * cos(phase(t)) * sin(phase(h)) / h; // what a central difference makes of a sine
        if (i == 0 || i == KEYS - 1) {
            double other = t + (i == 0 ? h : -h);
            slope = (swing_m * sin(phase(other)) - along) / (other - t);
        }
        const double expected[] = { along, 0, 1 + along, 0.25, 0, slope, 0, fabs(slope) };
        for (int c = 0; c < 8; ++c) {
            GT_EXPECT_NEAR(curves->series[c].times_s[i], t, 0);
            GT_EXPECT_NEAR(curves->series[c].values[i], expected[c], c < 4 ? 3e-7 : 1e-4);
        }
    }
    GT_EXPECT_NEAR(curves->series[7].max, swing_m * 2.0 * pi * frequency_hz, 0.005);
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(s.scene);
}

static void test_speed_does_not_depend_on_the_rate(void** state)
{
    (void)state;
    static const char* const addresses[] = { "foot.speed" };
    Swing s;
    make_swing(&s);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* keys = sample(&s.context, s.scene, &def, 1, addresses);
    def.frame_rate_hz = 10.0;
    GtPlotSeriesSet* even = sample(&s.context, s.scene, &def, 1, addresses);
    assert_int_equal(even->series[0].sample_count, 51);
    for (int32_t i = 0; i < 51; ++i) {
        GT_EXPECT_NEAR(even->series[0].times_s[i], i / 10.0, 1e-12);
        GT_EXPECT_NEAR(even->series[0].values[i], keys->series[0].values[12 * i], 1e-4);
    }
    gt_plot_series_set_destroy(even);
    gt_plot_series_set_destroy(keys);
    gt_scene_destroy(s.scene);
}

static void test_angles_are_from_rest_and_rotations_do_not_flip(void** state)
{
    (void)state;
    static const char* const addresses[] = { "knee.angle", "knee.rotation" };
    Swing s;
    make_swing(&s);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* curves = sample(&s.context, s.scene, &def, 2, addresses);
    assert_int_equal(curves->count, 5);
    assert_int_equal(curves->series[0].quantity, GT_QUANTITY_ANGLE);
    assert_int_equal(curves->series[4].quantity, GT_QUANTITY_ROTATION);
    assert_string_equal(curves->series[4].address, "knee.rotation.w");
    for (int32_t i = 0; i < KEYS; ++i) {
        double angle = swing_rad * sin(phase((double)s.times_s[i]));
        GtQuat q = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (float)angle), knee_rest());
        const float expected[] = { q.x, q.y, q.z, q.w };
        GT_EXPECT_NEAR(curves->series[0].values[i], fabs(angle) * 180.0 / pi, 1e-4);
        for (int k = 0; k < 4; ++k) {
            GT_EXPECT_NEAR(curves->series[1 + k].values[i], expected[k], 1e-6);
        }
    }
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(s.scene);
}

// A node whose keys are few: linear, step or cubic between 0, 1 and 2 s.
static GtScene* make_sparse(const GtContext* context, GtInterpolation interpolation)
{
    static const float times_s[] = { 0, 1, 2 };
    static const float linear[] = { 0, 0, 0, 1, 0, 0, 0, 0, 0 };
    static const float cubic[] = { 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
    GtScene* scene = make_scene(context);
    make_node(scene, "box", GT_NONE, gt_vec3(0, 0, 0));
    make_node(scene, "still", GT_NONE, gt_vec3(0, 0.5f, 0));
    const MotionCurve curve = { 0,
                                GT_PATH_TRANSLATION,
                                interpolation,
                                3,
                                times_s,
                                interpolation == GT_INTERPOLATION_CUBICSPLINE ? cubic : linear,
                                0 };
    make_clip(scene, &curve, 1);
    return scene;
}

static double linear_at(double t)
{
    return t < 1.0 ? t : 2.0 - t;
}

static double step_at(double t)
{
    return t >= 1.0 && t < 2.0 ? 1.0 : 0.0;
}

static double cubic_at(double t)
{
    if (t >= 1.0) {
        t -= 1.0;
        return 2 * t * t * t - 3 * t * t + 1;
    }
    return 3 * (t * t * t - 2 * t * t + t) + (-2 * t * t * t + 3 * t * t);
}

static void test_what_lies_between_keys_is_sampled(void** state)
{
    (void)state;
    static const char* const addresses[] = { "box.translation.x" };
    double (*const closed_forms[])(double) = { linear_at, step_at, cubic_at };
    GtContext context = gt_default_context();
    GtPlotSeriesDef def = gt_default_plot_series_def();
    for (int kind = 0; kind < 3; ++kind) {
        GtScene* scene = make_sparse(&context, (GtInterpolation)kind);
        GtPlotSeriesSet* curves = sample(&context, scene, &def, 1, addresses);
        const GtPlotSeries* curve = &curves->series[0];
        check_curve(curve);
        assert_int_equal(curve->key_count, 3);
        int near_keys = 0;
        for (int32_t i = 0; i < curve->sample_count; ++i) {
            double t = curve->times_s[i];
            GT_EXPECT_NEAR(curve->values[i], closed_forms[kind](t), 1e-6);
            assert_true(i == 0 || t - curve->times_s[i - 1] < 1.0 / 59.0);
            near_keys += fabs(t - 1.0) < 1e-9;
        }
        assert_int_equal(near_keys, kind == GT_INTERPOLATION_STEP ? 2 : 1); // a step has two sides
        double area = kind == 0 ? 0.5 : kind == 1 ? 0.5 : 0.5 * (0.75 + 0.5);
        GT_EXPECT_NEAR(curve->mean, area, 2e-4);
        gt_plot_series_set_destroy(curves);
        gt_scene_destroy(scene);
    }
}

static void test_ranges_and_rates(void** state)
{
    (void)state;
    static const char* const addresses[] = { "box.translation.x", "still.position.y" };
    GtContext context = gt_default_context();
    GtScene* scene = make_sparse(&context, GT_INTERPOLATION_LINEAR);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    def.from_s = 0.5;
    def.to_s = 3.0; // past the end, where the last value holds
    def.frame_rate_hz = 4.0;
    GtPlotSeriesSet* curves = sample(&context, scene, &def, 2, addresses);
    assert_int_equal(curves->series[0].sample_count, 11);
    GT_EXPECT_NEAR(curves->start_s, 0.5, 0);
    GT_EXPECT_NEAR(curves->end_s, 3.0, 0);
    GT_EXPECT_NEAR(curves->series[0].values[0], 0.5, 1e-6);
    GT_EXPECT_NEAR(curves->series[0].values[10], 0.0, 1e-6);
    assert_int_equal(curves->series[0].key_count, 2); // at 1 and 2 s
    GT_EXPECT_NEAR(curves->series[1].mean, 0.5, 0);
    gt_plot_series_set_destroy(curves);
    def.to_s = 0.5; // a moment
    def.frame_rate_hz = 0.0;
    curves = sample(&context, scene, &def, 2, addresses);
    assert_int_equal(curves->series[0].sample_count, 1);
    GT_EXPECT_NEAR(curves->series[0].mean, 0.5, 1e-6);
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(scene);
}

static void test_a_leading_tpose_is_left_out(void** state)
{
    (void)state;
    static const float times_s[] = { 0, 0.05f, 0.1f, 0.15f };
    static const float values[] = { 100, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0 };
    static const char* const addresses[] = { "box.position.x", "box.speed" };
    GtContext context = gt_default_context();
    GtScene* scene = make_scene(&context);
    make_node(scene, "box", GT_NONE, gt_vec3(0, 0, 0));
    const MotionCurve curve = { 0, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, 4, times_s, values, 0 };
    make_clip(scene, &curve, 1);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    scene->animations[0].tpose_first = true;
    GtPlotSeriesSet* curves = sample(&context, scene, &def, 2, addresses);
    assert_int_equal(curves->series[0].sample_count, 3);
    GT_EXPECT_NEAR(curves->series[0].max, 3.0, 1e-6);
    GT_EXPECT_NEAR(curves->series[1].min, 20.0, 1e-3); // not a trace of the jump
    GT_EXPECT_NEAR(curves->series[1].max, 20.0, 1e-3);
    gt_plot_series_set_destroy(curves);
    def.from_s = 0.0; // unless it is asked for
    curves = sample(&context, scene, &def, 2, addresses);
    GT_EXPECT_NEAR(curves->series[0].max, 100.0, 1e-6);
    assert_true(curves->series[1].max > 500.0);
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(scene);
}

static void test_morphs_and_cameras(void** state)
{
    (void)state;
    static const float corners[] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const float times_s[] = { 0, 0.05f, 0.1f };
    static const float weights[] = { 0, 1, 0.5f, 0.5f, 1, 0 };
    static const char* const names[] = { "jawOpen", "smile" };
    static const char* const addresses[] = { "morph:smile", "morph:jawOpen", "camera.fov" };
    GtContext context = gt_default_context();
    GtScene* scene = make_scene(&context);
    GtAttribute position = { "POSITION", make_vec3(scene, corners, 3) };
    GtPrimitive primitive = make_primitive(scene, GT_MODE_TRIANGLES, &position, 1);
    GtMorphTarget targets[2] = { { primitive.attributes, 1 }, { primitive.attributes, 1 } };
    primitive.targets = make_array(scene, targets, 2, sizeof *targets);
    int32_t mesh = make_mesh(scene, &primitive, 1);
    scene->meshes[mesh].target_count = 2;
    scene->meshes[mesh].target_names = names;
    int32_t node = make_mesh_node(scene, mesh);
    GtError error;
    GtCamera camera = { .aspect_ratio = 1.0f, .fov_y_rad = (float)(pi / 3.0), .z_near = 0.1f };
    GT_EXPECT_OK(gt_scene_add_camera(scene, &camera, NULL, &error));
    const MotionCurve curve = { node, GT_PATH_WEIGHTS, GT_INTERPOLATION_LINEAR, 3, times_s, weights, 2 };
    make_clip(scene, &curve, 1);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* curves = sample(&context, scene, &def, 3, addresses);
    assert_int_equal(curves->count, 3);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(curves->series[i].sample_count, 3);
        GT_EXPECT_NEAR(curves->series[0].values[i], 1.0 - 0.5 * i, 1e-6);
        GT_EXPECT_NEAR(curves->series[1].values[i], 0.5 * i, 1e-6);
        GT_EXPECT_NEAR(curves->series[2].values[i], 60.0, 1e-5);
    }
    assert_int_equal(curves->series[0].quantity, GT_QUANTITY_WEIGHT);
    assert_int_equal(curves->series[2].quantity, GT_QUANTITY_ANGLE);
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(scene);
}

static void test_units_of_scaled_parents_are_not_called_metres(void** state)
{
    (void)state;
    static const char* const addresses[] = { "foot.translation.x", "root.translation.x" };
    Swing s;
    make_swing(&s);
    s.scene->nodes[0].local.scale = gt_vec3(0.01f, 0.01f, 0.01f);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* curves = sample(&s.context, s.scene, &def, 2, addresses);
    assert_string_equal(gt_quantity_unit(curves->series[0].quantity), "parent's units");
    assert_string_equal(gt_quantity_unit(curves->series[1].quantity), "m");
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(s.scene);
}

static void test_what_overflows_is_left_out_and_said(void** state)
{
    (void)state;
    static const float times_s[] = { 0, 0.05f, 0.1f };
    static const float huge[] = { 1, 0, 0, 3e38f, 0, 0, 2, 0, 0 };
    static const char* const addresses[] = { "box.position.x" };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_scene(&context);
    make_node(scene, "shelf", GT_NONE, gt_vec3(1e38f, 0, 0));
    make_node(scene, "box", 0, gt_vec3(0, 0, 0));
    link_children(scene);
    const MotionCurve curve = { 1, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, 3, times_s, huge, 0 };
    make_clip(scene, &curve, 1);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* curves = sample(&context, scene, &def, 1, addresses);
    check_curve(&curves->series[0]);
    assert_int_equal(curves->series[0].sample_count, 2);
    assert_int_equal(curves->series[0].dropped_count, 1);
    assert_non_null(strstr(log.text, "box.position.x: 1 of 3 samples are not finite"));
    gt_plot_series_set_destroy(curves);
    GtError error = { 0 };
    context.strict = true;
    GT_EXPECT_ERROR(gt_plot_series_sample(&context, scene, addresses, 1, &def, &curves, &error), GT_ERROR_STRICT,
                    "finite");
    assert_null(curves);
    def.from_s = def.to_s = 0.05;
    GT_EXPECT_ERROR(gt_plot_series_sample(&context, scene, addresses, 1, &def, &curves, &error), GT_ERROR_BAD_VALUE,
                    "box.position.x: no value of this curve");
    gt_scene_destroy(scene);
}

static void test_wrong_addresses_are_explained(void** state)
{
    (void)state;
    static const char* const cases[][2] = {
        { "fot.speed", "fot.speed: no joint or node 'fot'; did you mean 'foot'?" },
        { "foot.sped", "foot.sped: a joint has no 'sped'; did you mean 'speed'?" },
        { "foot.colour", "it has translation, rotation, scale, position, velocity, speed and angle" },
        { "foot.speed.x", "speed is one number, without components; velocity has x, y and z" },
        { "foot.angle.w", "angle is one number" },
        { "foot.position.w", "position has the components x, y and z" },
        { "foot.position[2].x", "position has the components" },
        { "foot", "foot: channel 'foot' has no property" },
        { "morph:smile", "morph:smile: no morph target 'smile'" },
        { "camera.fov", "no camera" },
        { "lattice:belly.point[1,2,0].z", "this scene has no lattice" },
    };
    Swing s;
    make_swing(&s);
    GtError error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        error = (GtError){ 0 };
        GtResult result = gt_plot_series_check(&s.context, s.scene, cases[i][0], &error);
        assert_true(result == GT_ERROR_NOT_FOUND || result == GT_ERROR_BAD_VALUE);
        GT_EXPECT_ERROR(gt_plot_series_check(&s.context, s.scene, cases[i][0], &error), result, cases[i][1]);
    }
    assert_int_equal(gt_plot_series_check(&s.context, s.scene, "#1.rotation.w", NULL), GT_OK);
    assert_int_equal(gt_plot_series_check(&s.context, s.scene, "nobody.speed", NULL), GT_ERROR_NOT_FOUND);
    gt_scene_destroy(s.scene);
}

// A walk whose joints have other names: the vocabulary finds them all the same, and a node's own name comes first.
static void test_joints_are_found_by_the_humanoid_vocabulary(void** state)
{
    (void)state;
    static const char* const addresses[] = { "leftFoot.position", "rightLowerLeg.angle" };
    GtError error = { 0 };
    GtContext context = gt_default_context();
    GtScene* walk = NULL;
    GtScene* renamed = NULL;
    GtMotionDef motion = gt_default_motion_def(GT_MOTION_WALK);
    GT_EXPECT_OK(gt_sample_motion(&context, &motion, &walk, NULL, &error));
    GT_EXPECT_OK(gt_scene_copy(&context, walk, &renamed, &error));
    renamed->humanoid = NULL;
    for (int32_t n = 0; n < renamed->node_count; ++n) {
        char name[64];
        snprintf(name, sizeof name, "actor_%s", walk->nodes[n].name);
        renamed->nodes[n].name = gt_scene_push_text(renamed, name, strlen(name));
    }
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* wanted = sample(&context, walk, &def, 2, addresses);
    GtPlotSeriesSet* found = sample(&context, renamed, &def, 2, addresses);
    assert_int_equal(found->count, 4);
    for (int32_t c = 0; c < found->count; ++c) {
        assert_string_equal(found->series[c].address, wanted->series[c].address);
        assert_int_equal(found->series[c].sample_count, wanted->series[c].sample_count);
        assert_memory_equal(found->series[c].values, wanted->series[c].values,
                            (size_t)found->series[c].sample_count * sizeof(float));
    }
    gt_plot_series_set_destroy(found);
    renamed->nodes[gt_scene_find_node(renamed, "actor_head")].name = "leftFoot"; // whoever names it so means it
    found = sample(&context, renamed, &def, 1, addresses);
    assert_true(found->series[1].min > wanted->series[1].max + 1.0);
    gt_plot_series_set_destroy(found);
    gt_plot_series_set_destroy(wanted);
    GT_EXPECT_ERROR(gt_plot_series_check(&context, renamed, "leftWing.speed", &error), GT_ERROR_NOT_FOUND, "leftWing");
    gt_scene_destroy(renamed);
    gt_scene_destroy(walk);
}

static void test_wrong_requests_are_refused(void** state)
{
    (void)state;
    static const char* const addresses[] = { "foot.speed" };
    Swing s;
    make_swing(&s);
    GtError error = { 0 };
    GtPlotSeriesSet* curves = NULL;
    GtPlotSeriesDef def = gt_default_plot_series_def();
    def.animation = 1;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 1, &def, &curves, &error), GT_ERROR_NOT_FOUND,
                    "there is no clip 1; there are 1");
    def = gt_default_plot_series_def();
    def.from_s = 9.0;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 1, &def, &curves, &error), GT_ERROR_BAD_VALUE,
                    "from 9 s to 5 s there is no time; the clip runs from 0 s to 5 s");
    def.from_s = 0.0;
    def.to_s = HUGE_VAL;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 1, &def, &curves, &error), GT_ERROR_BAD_VALUE,
                    "there is no time");
    def.to_s = 1e5;
    def.frame_rate_hz = 1000.0;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 1, &def, &curves, &error), GT_ERROR_LIMIT,
                    "ask for a lower rate");
    def.frame_rate_hz = -1.0;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 1, &def, &curves, &error), GT_ERROR_BAD_VALUE,
                    "out of range");
    def = gt_default_plot_series_def();
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 0, &def, &curves, &error), GT_ERROR_BAD_VALUE,
                    "no curve");
    s.scene->animation_count = 0;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 1, &def, &curves, &error), GT_ERROR_NOT_FOUND,
                    "there is no clip, so there are no curves over time");
    assert_null(curves);
    gt_scene_destroy(s.scene);
}

// What a curve does not depend on says how long the clip is, and nothing else.
static void test_other_tracks_matter_only_for_the_length(void** state)
{
    (void)state;
    static const float short_s[] = { 0, 1 };
    static const float long_s[] = { -1, 0.25f, 0.5f, 3 };
    static const float values[] = { 0, 0, 0, 1, 0, 0, 5, 5, 5, 6, 6, 6 };
    static const char* const addresses[] = { "a.translation.x" };
    GtContext context = gt_default_context();
    GtScene* scene = make_scene(&context);
    make_node(scene, "a", GT_NONE, gt_vec3(0, 0, 0));
    make_node(scene, "b", GT_NONE, gt_vec3(0, 0, 0));
    const MotionCurve curves[] = {
        { 1, GT_PATH_SCALE, GT_INTERPOLATION_LINEAR, 4, long_s, values, 0 },
        { 0, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, 2, short_s, values, 0 },
    };
    make_clip(scene, curves, 2);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtPlotSeriesSet* sampled = sample(&context, scene, &def, 1, addresses);
    GT_EXPECT_NEAR(sampled->start_s, -1.0, 0);
    GT_EXPECT_NEAR(sampled->end_s, 3.0, 0);
    assert_int_equal(sampled->series[0].key_count, 2);
    for (int32_t i = 0; i < sampled->series[0].sample_count; ++i) {
        double t = sampled->series[0].times_s[i];
        GT_EXPECT_NEAR(sampled->series[0].values[i], t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t, 1e-6);
    }
    gt_plot_series_set_destroy(sampled);
    gt_scene_destroy(scene);
}

static void test_too_much_work_is_refused(void** state)
{
    (void)state;
    enum {
        DEEP = 4000,
        MANY = 100000
    };
    static float times_s[MANY];
    static float values[MANY][3];
    static const char* const addresses[] = { "#3999.speed", "#0.speed" };
    GtContext context = gt_default_context();
    GtScene* scene = make_scene(&context);
    for (int i = 0; i < DEEP; ++i) {
        make_node(scene, NULL, i - 1, gt_vec3(0, 0, 0));
    }
    link_children(scene);
    for (int i = 0; i < MANY; ++i) {
        times_s[i] = (float)i * 0.01f;
    }
    const MotionCurve curve = { 0, GT_PATH_TRANSLATION, GT_INTERPOLATION_LINEAR, MANY, times_s, values[0], 0 };
    make_clip(scene, &curve, 1);
    GtError error = { 0 };
    GtPlotSeriesSet* curves = NULL;
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GT_EXPECT_ERROR(gt_plot_series_sample(&context, scene, addresses, 1, &def, &curves, &error), GT_ERROR_LIMIT,
                    "100000 samples of 4000 joints in a row and 1 tracks are too much");
    GT_EXPECT_OK(
        gt_plot_series_sample(&context, scene, addresses + 1, 1, &def, &curves, &error)); // the root alone is fine
    gt_plot_series_set_destroy(curves);
    gt_scene_destroy(scene);
}

static bool cancel(void* user, const char* task, double fraction)
{
    (void)user;
    (void)task;
    (void)fraction;
    return false;
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    static const char* const addresses[] = { "foot.position", "foot.speed", "knee.rotation" };
    Swing s;
    make_swing(&s);
    TestAllocator allocator = { .remaining = -1 };
    s.context.allocator = test_allocator(&allocator);
    GtPlotSeriesDef def = gt_default_plot_series_def();
    GtError error;
    int64_t failures = 0;
    for (;; ++failures) {
        GtPlotSeriesSet* curves = NULL;
        allocator = (TestAllocator){ .remaining = failures };
        GtResult result = gt_plot_series_sample(&s.context, s.scene, addresses, 3, &def, &curves, &error);
        if (result == GT_OK) {
            gt_plot_series_set_destroy(curves);
            assert_int_equal(allocator.alive, 0);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(allocator.alive, 0);
        assert_null(curves);
    }
    assert_true(failures >= 5);
    GtPlotSeriesSet* curves = NULL;
    allocator = (TestAllocator){ .remaining = -1 };
    s.context.progress = cancel;
    GT_EXPECT_ERROR(gt_plot_series_sample(&s.context, s.scene, addresses, 3, &def, &curves, &error), GT_ERROR_CANCELLED,
                    "");
    assert_int_equal(allocator.alive, 0);
    gt_scene_destroy(s.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_and_speeds_follow_a_sine),
        cmocka_unit_test(test_speed_does_not_depend_on_the_rate),
        cmocka_unit_test(test_angles_are_from_rest_and_rotations_do_not_flip),
        cmocka_unit_test(test_what_lies_between_keys_is_sampled),
        cmocka_unit_test(test_ranges_and_rates),
        cmocka_unit_test(test_a_leading_tpose_is_left_out),
        cmocka_unit_test(test_morphs_and_cameras),
        cmocka_unit_test(test_units_of_scaled_parents_are_not_called_metres),
        cmocka_unit_test(test_what_overflows_is_left_out_and_said),
        cmocka_unit_test(test_wrong_addresses_are_explained),
        cmocka_unit_test(test_joints_are_found_by_the_humanoid_vocabulary),
        cmocka_unit_test(test_wrong_requests_are_refused),
        cmocka_unit_test(test_other_tracks_matter_only_for_the_length),
        cmocka_unit_test(test_too_much_work_is_refused),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
