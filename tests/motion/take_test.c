// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Takes of motions whose every value is known: what is cut, joined, looped, filtered is compared with formulas.

#include "build/make_scene.h"

#include "gertie/bake.h"
#include "gertie/motions.h"
#include "gertie/take.h"

enum {
    ROOT,
    ARM,
    HAND,
    NODE_COUNT,
    MAX_FRAMES = 1000
};

#define RATE 100.0

// A root that goes along and an arm that turns; 0 to 1 and so on in cycles of a second.
static GtTransform transform_at(int node, double time_s)
{
    GtTransform t = gt_transform_identity();
    if (node == ROOT) {
        t.translation = gt_vec3((float)(0.5 * time_s), (float)(1.0 + 0.05 * sin(2.0 * M_PI * time_s)), 0.0f);
    } else {
        t.translation = gt_vec3(0.0f, 0.4f, 0.0f);
        t.rotation = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), (float)(0.8 * sin(2.0 * M_PI * time_s)));
    }
    return t;
}

static GtScene* make_motion(const GtContext* context, double arm_m, double from_s, int32_t frame_count,
                            GtTransform (*at)(int node, double time_s))
{
    static GtTransform poses[MAX_FRAMES * 2];
    static float times[MAX_FRAMES];
    GtError error;
    GtScene* scene = make_scene(context);
    int32_t root = make_node(scene, "root", GT_NONE, gt_vec3(0, 1, 0));
    int32_t arm = make_node(scene, "arm", root, gt_vec3(0, (float)arm_m, 0));
    make_node(scene, "hand", arm, gt_vec3(0, 0.3f, 0));
    link_children(scene);
    for (int32_t f = 0; f < frame_count; ++f) {
        times[f] = (float)(f / RATE);
        poses[2 * f] = at(ROOT, from_s + f / RATE);
        poses[2 * f + 1] = at(ARM, from_s + f / RATE);
    }
    const int32_t nodes[2] = { root, arm };
    const uint8_t paths[2] = { GT_BAKE_TRANSLATION | GT_BAKE_ROTATION, GT_BAKE_ROTATION };
    GtBakeDef bake = { "swing", frame_count, times, 2, nodes, paths, poses };
    GT_EXPECT_OK(gt_scene_bake(context, scene, &bake, NULL, &error));
    return scene;
}

static GtTake* take_of(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtTake* take = NULL;
    GtTakeDef def = gt_default_take_def();
    GT_EXPECT_OK(gt_take_create(context, scene, &def, &take, &error));
    return take;
}

static const GtTransform* node_at(const GtTake* take, int32_t frame, int node)
{
    return &take->poses[(size_t)frame * (size_t)take->node_count + (size_t)node];
}

static void expect_frame(const GtTake* take, int32_t frame, double time_s, double tolerance)
{
    GtTransform root = transform_at(ROOT, time_s);
    GtTransform arm = transform_at(ARM, time_s);
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(node_at(take, frame, ROOT)->translation, root.translation)), 0.0,
                   tolerance);
    GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(take, frame, ARM)->rotation, arm.rotation), 0.0, tolerance);
}

static void a_take_is_the_clip_and_goes_back(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 251, transform_at);
    GtTake* take = take_of(&context, scene);
    assert_int_equal(take->frame_count, 251);
    GT_EXPECT_NEAR(take->rate_hz, RATE, 1e-3);
    assert_int_equal(take->root, ROOT);
    assert_string_equal(take->name, "swing");
    expect_frame(take, 137, 1.37, 1e-5);
    int32_t animation = GT_NONE;
    GT_EXPECT_OK(gt_take_bake(&context, scene, take, "again", &animation, &error));
    assert_int_equal(animation, 1);
    GT_EXPECT_OK(gt_scene_validate(&context, scene, &error));
    assert_string_equal(scene->animations[1].name, "again");
    GtTakeDef def = gt_default_take_def();
    def.animation = 1;
    GtTake* again = NULL;
    GT_EXPECT_OK(gt_take_create(&context, scene, &def, &again, &error));
    assert_int_equal(again->frame_count, 251);
    for (int32_t f = 0; f < 251; ++f) {
        expect_frame(again, f, f / RATE, 1e-5);
    }
    gt_take_destroy(again);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void cuts_hold_what_they_name(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 251, transform_at);
    GtTake* take = take_of(&context, scene);
    GtTake* part = NULL;
    GT_EXPECT_OK(gt_take_cut(&context, take, 0.5, 1.25, &part, &error));
    assert_int_equal(part->frame_count, 76);
    expect_frame(part, 0, 0.5, 1e-5);
    expect_frame(part, 75, 1.25, 1e-5);
    gt_take_destroy(part);
    GT_EXPECT_OK(gt_take_cut(&context, take, 1.0, 1.0, &part, &error));
    assert_int_equal(part->frame_count, 1);
    gt_take_destroy(part);
    GT_EXPECT_ERROR(gt_take_cut(&context, take, 9.0, INFINITY, &part, &error), GT_ERROR_BAD_VALUE, "lasts 2.5 s");
    GT_EXPECT_ERROR(gt_take_cut(&context, take, 1.0, 0.5, &part, &error), GT_ERROR_BAD_VALUE, "no frame");
    GT_EXPECT_ERROR(gt_take_cut(&context, take, NAN, 0.5, &part, &error), GT_ERROR_BAD_VALUE, "");
    assert_null(part);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void other_clocks_show_the_same_motion(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 251, transform_at);
    GtTake* take = take_of(&context, scene);
    GtTake* other = NULL;
    GT_EXPECT_OK(gt_take_resample(&context, take, 30.0, &other, &error));
    assert_int_equal(other->frame_count, 76);
    GT_EXPECT_NEAR(other->rate_hz, 30.0, 0.0);
    expect_frame(other, 50, 50.0 / 30.0, 1e-3); // between frames, straight lines stand for the sine
    gt_take_destroy(other);
    GT_EXPECT_OK(gt_take_speed(&context, take, 2.0, &other, &error));
    assert_int_equal(other->frame_count, 126);
    expect_frame(other, 60, 1.2, 1e-5);
    gt_take_destroy(other);
    GT_EXPECT_OK(gt_take_speed(&context, take, -0.5, &other, &error));
    assert_int_equal(other->frame_count, 501);
    expect_frame(other, 100, 2.5 - 0.5, 1e-5);
    gt_take_destroy(other);
    GT_EXPECT_ERROR(gt_take_speed(&context, take, 0.0, &other, &error), GT_ERROR_BAD_VALUE, "speed of 0");
    GT_EXPECT_ERROR(gt_take_resample(&context, take, NAN, &other, &error), GT_ERROR_BAD_VALUE, "rate");
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void joined_clips_go_on_where_the_first_is(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 201, transform_at);
    GtScene* later = make_motion(&context, 0.4, 1.8, 121, transform_at); // overlaps the last 0.2 s, cycle for cycle
    GtTake* first = take_of(&context, scene);
    GtTake* read = take_of(&context, later);
    for (int32_t f = 0; f < read->frame_count; ++f) { // recorded elsewhere, turned by a quarter
        GtTransform* root = &read->poses[(size_t)f * NODE_COUNT];
        GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), (float)(0.5 * M_PI));
        root->translation = gt_vec3_add(gt_quat_rotate(turn, root->translation), gt_vec3(7.0f, 0.0f, -3.0f));
        root->rotation = gt_quat_mul(turn, root->rotation);
    }
    GtTake* second = NULL;
    GtTake* joined = NULL;
    GT_EXPECT_OK(gt_take_adapt(&context, read, later, scene, &second, &error));
    GtJoinDef def = gt_default_join_def();
    def.fade_s = 0.2;
    GT_EXPECT_OK(gt_take_join(&context, first, second, &def, &joined, &error));
    assert_int_equal(joined->frame_count, 301);
    for (int32_t f = 0; f < joined->frame_count; f += 7) {
        expect_frame(joined, f, f / RATE, 1e-4); // one even motion
    }
    gt_take_destroy(joined);
    def.in_place = true;
    def.fade_s = 0.0;
    GT_EXPECT_OK(gt_take_join(&context, first, second, &def, &joined, &error));
    assert_int_equal(joined->frame_count, 321);
    GtVec3 there = node_at(second, 5, ROOT)->translation;
    GtVec3 here = node_at(joined, 205, ROOT)->translation;
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(there, here)), 0.0, 0.0);
    gt_take_destroy(joined);
    gt_take_destroy(second);
    gt_take_destroy(read);
    gt_take_destroy(first);
    gt_scene_destroy(later);
    gt_scene_destroy(scene);
}

static void other_skeletons_are_refused(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 20, transform_at);
    GtScene* longer = make_motion(&context, 0.45, 0.0, 20, transform_at);
    GtScene* named = make_motion(&context, 0.4, 0.0, 20, transform_at);
    named->nodes[ARM].name = "tail";
    GtTake* take = take_of(&context, scene);
    GtTake* out = NULL;
    GT_EXPECT_ERROR(gt_take_adapt(&context, take, scene, longer, &out, &error), GT_ERROR_BAD_VALUE, "bone to 'arm'");
    GT_EXPECT_ERROR(gt_take_adapt(&context, take, scene, named, &out, &error), GT_ERROR_BAD_VALUE, "no joint 'arm'");
    assert_null(out);
    gt_take_destroy(take);
    gt_scene_destroy(named);
    gt_scene_destroy(longer);
    gt_scene_destroy(scene);
}

static void the_cycle_of_a_walk_is_found(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = NULL;
    GtMotionReport walk;
    GtMotionDef def = gt_default_motion_def(GT_MOTION_WALK);
    GT_EXPECT_OK(gt_sample_motion(&context, &def, &scene, &walk, &error));
    GtTake* take = take_of(&context, scene);
    GtTake* cycle = NULL;
    GtLoopReport report;
    GtLoopDef loop = gt_default_loop_def();
    GT_EXPECT_OK(gt_take_loop(&context, take, scene, &loop, &cycle, &report, &error));
    GT_EXPECT_NEAR(report.end_s - report.start_s, walk.cycle_s, 1.5 / take->rate_hz);
    GT_EXPECT_NEAR(report.way_m, 2.0 * walk.step_m, 0.05 * walk.step_m);
    int32_t last = cycle->frame_count - 1;
    for (int32_t i = 0; i < cycle->node_count; ++i) {
        GtVec3 gap = gt_vec3_sub(node_at(cycle, last, i)->translation, node_at(cycle, 0, i)->translation);
        GT_EXPECT_NEAR(gap.y, 0.0, 1e-6);
        GT_EXPECT_NEAR(hypot((double)gap.x, (double)gap.z), i == cycle->root ? report.way_m : 0.0, 1e-5);
        GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(cycle, last, i)->rotation, node_at(cycle, 0, i)->rotation), 0.0, 1e-3);
    }
    gt_take_destroy(cycle);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void what_is_a_cycle_already_is_taken_whole(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.1, 101, transform_at); // one second, one swing
    GtTake* take = take_of(&context, scene);
    GtTake* cycle = NULL;
    GtLoopReport report;
    GtLoopDef loop = gt_default_loop_def();
    GT_EXPECT_OK(gt_take_loop(&context, take, scene, &loop, &cycle, &report, &error));
    assert_int_equal(cycle->frame_count, 101);
    GT_EXPECT_NEAR(report.gap_m, 0.0, 1e-5);
    GT_EXPECT_NEAR(report.way_m, 0.5, 1e-5);
    gt_take_destroy(cycle);
    loop.max_s = 0.4; // of which nothing comes back
    GT_EXPECT_ERROR(gt_take_loop(&context, take, scene, &loop, &cycle, NULL, &error), GT_ERROR_NOT_FOUND, "no cycle");
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static GtTransform drifting(int node, double time_s)
{
    GtTransform t = transform_at(node, time_s);
    if (node == ARM) {
        t.rotation = gt_quat_mul(t.rotation, gt_quat_from_axis_angle(gt_vec3(1, 0, 0), (float)(0.1 * time_s)));
    }
    return t;
}

static GtTransform falling(int node, double time_s)
{
    GtTransform t = transform_at(ROOT, 0.0);
    t.translation.y = node == ROOT ? (float)(2.0 - 0.5 * time_s) : 0.4f;
    return t;
}

static void ends_are_blended_with_and_without_what_came_before(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 101, drifting);
    GtTake* take = take_of(&context, scene);
    GtTake* cycle = NULL;
    GtLoopDef def = gt_default_loop_def();
    def.whole = true;
    GT_EXPECT_OK(gt_take_loop(&context, take, scene, &def, &cycle, NULL, &error));
    GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(take, 100, ARM)->rotation, node_at(take, 0, ARM)->rotation), 0.1, 1e-3);
    GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(cycle, 100, ARM)->rotation, node_at(cycle, 0, ARM)->rotation), 0.0, 1e-3);
    for (int32_t f = 0; f < 100; ++f) { // and nothing jumps
        double turn = (double)gt_quat_angle_rad(node_at(cycle, f, ARM)->rotation, node_at(cycle, f + 1, ARM)->rotation);
        assert_true(turn < 0.08);
    }
    GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(cycle, 79, ARM)->rotation, node_at(take, 79, ARM)->rotation), 0.0, 1e-4);
    gt_take_destroy(cycle);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
    scene = make_motion(&context, 0.4, 0.0, 101, falling);
    take = take_of(&context, scene);
    def.whole = false;
    GT_EXPECT_ERROR(gt_take_loop(&context, take, scene, &def, &cycle, NULL, &error), GT_ERROR_NOT_FOUND,
                    "never returns");
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static GtTransform jittering(int node, double time_s)
{
    GtTransform t = transform_at(node, time_s);
    double jitter = 0.02 * sin(2.0 * M_PI * 40.0 * time_s + 0.3);
    t.translation.z += (float)(node == ROOT ? jitter : 0.0);
    t.rotation = gt_quat_mul(t.rotation, gt_quat_from_axis_angle(gt_vec3(1, 0, 0), (float)jitter));
    return t;
}

static GtTransform spinning(int node, double time_s)
{
    GtTransform t = transform_at(node, time_s);
    t.rotation = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), (float)(2.0 * M_PI * time_s));
    t.rotation =
        fmod(time_s, 0.02) < 0.01 ? t.rotation : gt_quat(-t.rotation.x, -t.rotation.y, -t.rotation.z, -t.rotation.w);
    return t;
}

static void jitter_goes_and_motion_stays(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 301, jittering);
    GtTake* take = take_of(&context, scene);
    GtTake* smooth = NULL;
    GT_EXPECT_OK(gt_take_filter(&context, take, 8.0, &smooth, &error));
    for (int32_t f = 30; f < 270; ++f) { // a fourth-order filter leaves 0.2 % of what is 5 times as fast, and no delay
        expect_frame(smooth, f, f / RATE, 4e-3);
        GT_EXPECT_NEAR(node_at(smooth, f, ROOT)->translation.z, 0.0, 1e-3);
    }
    gt_take_destroy(smooth);
    GT_EXPECT_ERROR(gt_take_filter(&context, take, 45.0, &smooth, &error), GT_ERROR_BAD_VALUE, "less than 40");
    GT_EXPECT_ERROR(gt_take_filter(&context, take, NAN, &smooth, &error), GT_ERROR_BAD_VALUE, "cutoff");
    gt_take_destroy(take);
    gt_scene_destroy(scene);

    scene = make_motion(&context, 0.4, 0.0, 301, spinning); // three turns, with signs that change all the time
    take = take_of(&context, scene);
    GT_EXPECT_OK(gt_take_filter(&context, take, 6.0, &smooth, &error));
    for (int32_t f = 0; f < 301; ++f) {
        GtQuat expected = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), (float)(2.0 * M_PI * f / RATE));
        GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(smooth, f, ARM)->rotation, expected), 0.0,
                       f > 20 && f < 280 ? 2e-3 : 0.2);
    }
    gt_take_destroy(smooth);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// Programs write zeros for what they lost; a joint that comes to rest there is not lost.
static GtTransform resting_at_zero(int32_t node, double time_s)
{
    GtTransform t = transform_at(node, time_s);
    float angle = (float)fmax(0.0, 0.4 * cos(2.0 * time_s));
    t.rotation = node == ARM ? gt_quat_from_axis_angle(gt_vec3(0, 0, 1), angle) : t.rotation;
    return t;
}

static void zeros_are_gaps_where_they_jump(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 201, transform_at);
    GtTake* take = take_of(&context, scene);
    static const int32_t lengths[] = { 8, 1, 2 };
    for (int g = 0; g < 3; ++g) {
        int32_t first = (int32_t)(RATE * (0.25 + 0.5 * g)); // where it swings farthest
        for (int32_t f = first; f < first + lengths[g]; ++f) {
            take->poses[f * NODE_COUNT + ARM].rotation = gt_quat_identity();
        }
    }
    GtTake* filled = NULL;
    int32_t count = 0;
    GT_EXPECT_OK(gt_take_fill(&context, take, 0.5, &filled, &count, &error));
    for (int32_t f = 0; f < 201; ++f) {
        expect_frame(filled, f, f / RATE, 5e-3);
    }
    assert_int_equal(count, 3);
    gt_take_destroy(filled);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
    scene = make_motion(&context, 0.4, 0.0, 301, resting_at_zero);
    take = take_of(&context, scene);
    GT_EXPECT_OK(gt_take_fill(&context, take, 5.0, &filled, &count, &error));
    assert_int_equal(count, 0);
    gt_take_destroy(filled);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void gaps_are_bridged(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 201, transform_at);
    GtTake* take = take_of(&context, scene);
    for (int32_t f = 40; f < 50; ++f) { // lost
        take->poses[f * NODE_COUNT + ARM].rotation.y = NAN;
    }
    for (int32_t f = 121; f < 130; ++f) { // held
        take->poses[f * NODE_COUNT + ROOT].translation = take->poses[120 * NODE_COUNT + ROOT].translation;
    }
    for (int32_t f = 195; f < 201; ++f) { // lost until the end
        take->poses[f * NODE_COUNT + ARM].rotation.w = NAN;
    }
    GtTake* filled = NULL;
    int32_t count = 0;
    GT_EXPECT_OK(gt_take_fill(&context, take, 0.5, &filled, &count, &error));
    assert_int_equal(count, 3);
    for (int32_t f = 0; f < 195; ++f) {
        expect_frame(filled, f, f / RATE, 5e-3);
    }
    GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(filled, 200, ARM)->rotation, node_at(take, 194, ARM)->rotation), 0.0, 0.0);
    gt_take_destroy(filled);
    GT_EXPECT_OK(gt_take_fill(&context, take, 0.05, &filled, &count, &error)); // shorter than these gaps: they hold
    GT_EXPECT_NEAR(gt_quat_angle_rad(node_at(filled, 45, ARM)->rotation, node_at(take, 39, ARM)->rotation), 0.0, 0.0);
    GT_EXPECT_NEAR(node_at(filled, 125, ROOT)->translation.x, node_at(take, 120, ROOT)->translation.x, 0.0);
    gt_take_destroy(filled);
    GT_EXPECT_ERROR(gt_take_fill(&context, take, NAN, &filled, &count, &error), GT_ERROR_BAD_VALUE, "a largest gap");
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void one_frame_is_enough_for_everything(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = make_motion(&context, 0.4, 0.0, 1, transform_at);
    GtTake* take = take_of(&context, scene);
    GtTake* out = NULL;
    GtJoinDef join = gt_default_join_def();
    GtLoopDef loop = gt_default_loop_def();
    assert_int_equal(take->frame_count, 1);
    GT_EXPECT_OK(gt_take_filter(&context, take, 8.0, &out, &error));
    gt_take_destroy(out);
    GT_EXPECT_OK(gt_take_resample(&context, take, 30.0, &out, &error));
    assert_int_equal(out->frame_count, 1);
    gt_take_destroy(out);
    GT_EXPECT_OK(gt_take_speed(&context, take, -2.0, &out, &error));
    gt_take_destroy(out);
    GT_EXPECT_OK(gt_take_fill(&context, take, 1.0, &out, NULL, &error));
    gt_take_destroy(out);
    GT_EXPECT_OK(gt_take_join(&context, take, take, &join, &out, &error));
    assert_int_equal(out->frame_count, 1);
    gt_take_destroy(out);
    GT_EXPECT_ERROR(gt_take_loop(&context, take, scene, &loop, &out, NULL, &error), GT_ERROR_NOT_FOUND, "no cycle");
    GtTakeDef def = gt_default_take_def();
    def.animation = 1;
    GT_EXPECT_ERROR(gt_take_create(&context, scene, &def, &out, &error), GT_ERROR_NOT_FOUND, "no clip 1");
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// Everything after the other; what memory does not suffice for is given back.
static GtResult run_all(const GtContext* context, const GtScene* scene, GtScene* target, GtError* error)
{
    GtTake* takes[7] = { NULL };
    GtTakeDef def = gt_default_take_def();
    GtJoinDef join = gt_default_join_def();
    GtLoopDef loop = gt_default_loop_def();
    GtResult result = gt_take_create(context, scene, &def, &takes[0], error);
    result = result == GT_OK ? gt_take_adapt(context, takes[0], scene, scene, &takes[1], error) : result;
    result = result == GT_OK ? gt_take_join(context, takes[0], takes[1], &join, &takes[2], error) : result;
    result = result == GT_OK ? gt_take_filter(context, takes[2], 10.0, &takes[3], error) : result;
    result = result == GT_OK ? gt_take_fill(context, takes[3], 0.1, &takes[4], NULL, error) : result;
    result = result == GT_OK ? gt_take_loop(context, takes[4], scene, &loop, &takes[5], NULL, error) : result;
    result = result == GT_OK ? gt_take_speed(context, takes[5], 1.5, &takes[6], error) : result;
    result = result == GT_OK ? gt_take_bake(context, target, takes[6], NULL, NULL, error) : result;
    for (int i = 0; i < 7; ++i) {
        gt_take_destroy(takes[i]);
    }
    return result;
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_motion(&context, 0.4, 0.0, 151, transform_at);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t allowed = 0;
    for (; result != GT_OK; ++allowed) {
        TestAllocator memory = { .remaining = -1 };
        GtContext poor = context;
        poor.allocator = test_allocator(&memory);
        GtError error;
        GtScene* target = NULL;
        GT_EXPECT_OK(gt_scene_copy(&poor, scene, &target, &error));
        memory.remaining = allowed;
        result = run_all(&poor, scene, target, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        memory.remaining = -1;
        gt_scene_destroy(target);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(allowed > 20);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_take_is_the_clip_and_goes_back),
        cmocka_unit_test(cuts_hold_what_they_name),
        cmocka_unit_test(other_clocks_show_the_same_motion),
        cmocka_unit_test(joined_clips_go_on_where_the_first_is),
        cmocka_unit_test(other_skeletons_are_refused),
        cmocka_unit_test(the_cycle_of_a_walk_is_found),
        cmocka_unit_test(what_is_a_cycle_already_is_taken_whole),
        cmocka_unit_test(ends_are_blended_with_and_without_what_came_before),
        cmocka_unit_test(jitter_goes_and_motion_stays),
        cmocka_unit_test(gaps_are_bridged),
        cmocka_unit_test(zeros_are_gaps_where_they_jump),
        cmocka_unit_test(one_frame_is_enough_for_everything),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
