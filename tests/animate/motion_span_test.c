// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What captures and exporters put before and after a motion is found and left out, and nothing else is. Built-in
// motions get such frames at their ends; what is carried over is what is carried over without them.

#include "motion/puppets.h"

#include "gertie/bake.h"
#include "gertie/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float RATE_HZ = 30.0f;

// Frames of all joints of a built-in motion, with room at both ends.
enum {
    MOST_FRAMES = 600,
    MOST_NODES = 80
};

typedef struct Reel {
    GtScene* body;      // the skeleton, without a clip
    GtTransform* poses; // [MOST_FRAMES * node_count]
    int32_t node_count, count;
    float rate_hz;
} Reel;

static GtTransform* frame_of(const Reel* reel, int32_t frame)
{
    return reel->poses + (size_t)frame * (size_t)reel->node_count;
}

static Reel make_reel(const GtContext* context, GtMotionKind kind)
{
    GtError error;
    GtMotionDef def = gt_default_motion_def(kind);
    Reel reel = { .rate_hz = RATE_HZ };
    GT_EXPECT_OK(gt_sample_motion(context, &def, &reel.body, NULL, &error));
    reel.node_count = reel.body->node_count;
    assert_in_range(reel.node_count, 1, MOST_NODES);
    reel.poses = malloc(sizeof *reel.poses * MOST_FRAMES * (size_t)reel.node_count);
    assert_non_null(reel.poses);
    Player player = open_player(context, reel.body, 0);
    double end_s = gt_clip_end_s(player.clip);
    reel.count = (int32_t)(end_s * (double)RATE_HZ) + 1;
    assert_in_range(reel.count, 20, MOST_FRAMES / 2);
    for (int32_t f = 0; f < reel.count; ++f) {
        play_at(&player, (double)f / (double)RATE_HZ);
        for (int32_t n = 0; n < reel.node_count; ++n) {
            frame_of(&reel, f)[n] = player.instance->pose[gt_character_node_from_source(player.character, n)];
        }
    }
    close_player(&player);
    reel.body->animation_count = 0;
    return reel;
}

static void free_reel(Reel* reel)
{
    free(reel->poses);
    gt_scene_destroy(reel->body);
}

// Room for frames before the first or behind the last one, filled with copies of the rest pose.
static void splice_rest(Reel* reel, int32_t count, bool at_end)
{
    if (!at_end) {
        memmove(frame_of(reel, count), reel->poses, sizeof *reel->poses * (size_t)(reel->count * reel->node_count));
    }
    for (int32_t f = 0; f < count; ++f) {
        for (int32_t n = 0; n < reel->node_count; ++n) {
            frame_of(reel, at_end ? reel->count + f : f)[n] = reel->body->nodes[n].local;
        }
    }
    reel->count += count;
}

// The hips of some frames, turned about the vertical and moved.
static void move_frames(Reel* reel, int32_t first, int32_t count, float yaw_rad, GtVec3 way)
{
    GtTransform turn = gt_transform_identity();
    turn.rotation = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), yaw_rad);
    for (int32_t f = first; f < first + count; ++f) {
        GtTransform* hips = &frame_of(reel, f)[reel->body->humanoid->nodes[GT_HUMANOID_HIPS]];
        hips->rotation = gt_quat_mul(turn.rotation, hips->rotation);
        hips->translation = gt_vec3_add(gt_quat_rotate(turn.rotation, hips->translation), way);
    }
}

// A scene that plays the reel.
static GtScene* develop(const GtContext* context, const Reel* reel)
{
    GtError error;
    GtScene* scene = NULL;
    int32_t nodes[MOST_NODES];
    uint8_t paths[MOST_NODES];
    float times_s[MOST_FRAMES];
    for (int32_t n = 0; n < reel->node_count; ++n) {
        nodes[n] = n;
        paths[n] = GT_BAKE_TRANSLATION | GT_BAKE_ROTATION;
    }
    for (int32_t f = 0; f < reel->count; ++f) {
        times_s[f] = (float)f / reel->rate_hz;
    }
    GtBakeDef bake = { "reel", reel->count, times_s, reel->node_count, nodes, paths, reel->poses };
    GT_EXPECT_OK(gt_scene_copy(context, reel->body, &scene, &error));
    GT_EXPECT_OK(gt_scene_bake(context, scene, &bake, NULL, &error));
    return scene;
}

static void expect_cuts(const Reel* reel, GtMotionCut lead, GtMotionCut tail)
{
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = develop(&context, reel);
    for (int keeps = 0; keeps < 2; ++keeps) {
        GtFigure figure;
        GtFigureDef def = gt_default_figure_def();
        def.animation = 0;
        def.keep_tpose = keeps;
        GT_EXPECT_OK(gt_figure_open(&context, scene, &def, &figure, &error));
        assert_int_equal(figure.lead.frame_count, lead.frame_count);
        assert_int_equal(figure.lead.reason, lead.reason);
        assert_int_equal(figure.tail.frame_count, tail.frame_count);
        assert_int_equal(figure.tail.reason, tail.reason);
        assert_int_equal(figure.starts_in_tpose, lead.reason == GT_CUT_TPOSE);
        int32_t first = keeps ? 0 : lead.frame_count;
        int32_t last = reel->count - 1 - (keeps ? 0 : tail.frame_count);
        GT_EXPECT_NEAR(figure.start_s, (float)first / reel->rate_hz, 1e-6);
        GT_EXPECT_NEAR(figure.end_s, (float)last / reel->rate_hz, 1e-6);
        gt_figure_close(&figure);
    }
    gt_scene_destroy(scene);
}

static const GtMotionCut nothing = { GT_CUT_NONE, 0 };
static const GtMotionKind kinds[] = { GT_MOTION_WALK, GT_MOTION_RUN, GT_MOTION_KICK, GT_MOTION_BOXING, GT_MOTION_JUMP };

#define FOR_EACH_KIND(reel)                                                                                            \
    for (size_t kind_ = 0; kind_ < sizeof kinds / sizeof *kinds; ++kind_)                                              \
        for (Reel reel = make_reel(&context, kinds[kind_]); (reel).poses; free_reel(&(reel)), (reel).poses = NULL)

static void test_motions_are_left_whole(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    FOR_EACH_KIND(reel)
    {
        expect_cuts(&reel, nothing, nothing);
        move_frames(&reel, 0, 3, 0.0f, gt_vec3(0.3f, 0.0f, 0.0f)); // which is a slip, but might be a leap
        expect_cuts(&reel, nothing, nothing);
    }
}

static void test_tposes(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    static const int32_t counts[] = { 1, 2, 12, 75 };
    for (int k = 0; k < 4; ++k) {
        FOR_EACH_KIND(reel)
        {
            splice_rest(&reel, counts[k], false);
            expect_cuts(&reel, (GtMotionCut){ GT_CUT_TPOSE, counts[k] }, nothing);
            move_frames(&reel, 0, counts[k], 1.9f, gt_vec3(2.0f, 0.0f, -1.0f)); // faces elsewhere, is elsewhere
            expect_cuts(&reel, (GtMotionCut){ GT_CUT_TPOSE, counts[k] }, nothing);
            splice_rest(&reel, counts[k], true);
            expect_cuts(&reel, (GtMotionCut){ GT_CUT_TPOSE, counts[k] }, (GtMotionCut){ GT_CUT_TPOSE, counts[k] });
        }
    }
}

// An actor who begins in a T-pose leaves it by and by; keys that are far apart are an animator's.
static void test_tposes_of_the_motion_stay(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    FOR_EACH_KIND(reel)
    {
        splice_rest(&reel, 30, false);
        for (int32_t f = 10; f < 30; ++f) {
            float share = 0.5f - 0.5f * cosf(3.14159265f * (float)(f - 10) / 20.0f);
            for (int32_t n = 0; n < reel.node_count; ++n) {
                GtTransform* pose = &frame_of(&reel, f)[n];
                *pose = gt_transform_lerp(*pose, frame_of(&reel, 30)[n], share);
            }
        }
        expect_cuts(&reel, nothing, nothing);
    }
    FOR_EACH_KIND(reel)
    {
        splice_rest(&reel, 1, false);
        reel.rate_hz = 4.0f;
        expect_cuts(&reel, nothing, nothing);
    }
}

// The rest pose of a figure that rests with its arms down is no T-pose.
static void test_rest_poses(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    FOR_EACH_KIND(reel)
    {
        for (int side = 0; side < 2; ++side) {
            GtHumanoidJoint arm = side ? GT_HUMANOID_RIGHT_UPPER_ARM : GT_HUMANOID_LEFT_UPPER_ARM;
            GtQuat* rest = &reel.body->nodes[reel.body->humanoid->nodes[arm]].local.rotation;
            GtVec3 axis = gt_vec3(0.0f, 0.0f, side ? 1.0f : -1.0f);
            *rest = gt_quat_mul(gt_quat_from_axis_angle(axis, 0.8f), *rest);
        }
        splice_rest(&reel, 7, false);
        GtTransform* hips = &frame_of(&reel, 0)[reel.body->humanoid->nodes[GT_HUMANOID_HIPS]];
        hips->rotation = gt_quat_mul(gt_quat_from_axis_angle(gt_vec3(0, 1, 0), 0.01f), hips->rotation);
        move_frames(&reel, 0, 7, 0.0f, gt_vec3(0.0f, 0.0f, -3.0f));
        expect_cuts(&reel, (GtMotionCut){ GT_CUT_REST_POSE, 7 }, nothing);
    }
}

static void test_jumps_at_the_ends(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    FOR_EACH_KIND(reel)
    {
        move_frames(&reel, 0, 4, 0.0f, gt_vec3(0.0f, 0.0f, 2.5f));
        expect_cuts(&reel, (GtMotionCut){ GT_CUT_JUMP, 4 }, nothing);
        move_frames(&reel, reel.count - 3, 3, 0.0f, gt_vec3(-1.5f, 0.4f, 0.0f));
        expect_cuts(&reel, (GtMotionCut){ GT_CUT_JUMP, 4 }, (GtMotionCut){ GT_CUT_JUMP, 3 });
        splice_rest(&reel, 12, false); // before what was broken already
        expect_cuts(&reel, (GtMotionCut){ GT_CUT_TPOSE, 16 }, (GtMotionCut){ GT_CUT_JUMP, 3 });
    }
}

// What is before a motion changes nothing in what it becomes.
static void test_what_is_carried_over(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    TestLog log;
    GtScene* person = NULL;
    GT_EXPECT_OK(gt_sample_person(&context, NULL, &person, NULL, &error));
    Reel reel = make_reel(&context, GT_MOTION_KICK);
    GtScene *moved[3], *plain = develop(&context, &reel);
    splice_rest(&reel, 12, false);
    move_frames(&reel, 0, 12, -2.0f, gt_vec3(3.0f, 0.2f, 0.0f));
    GtScene* spliced = develop(&context, &reel);
    GtAnimateDef def = gt_default_animate_def();
    def.retarget.collide = GT_COLLIDE_OFF; // the nearest way out of a body may change with little
    GT_EXPECT_OK(gt_animate(&context, person, plain, &def, &moved[0], NULL, &error));
    context = test_context(&log);
    GT_EXPECT_OK(gt_animate(&context, person, spliced, &def, &moved[1], NULL, &error));
    assert_non_null(strstr(log.text, "the first 12 frames are a T-pose that is not part of the motion"));
    def.retarget.keep_tpose = true;
    GT_EXPECT_OK(gt_animate(&context, person, spliced, &def, &moved[2], NULL, &error));
    Player players[3];
    for (int i = 0; i < 3; ++i) {
        players[i] = open_player(&context, moved[i], 0);
    }
    double end_s = gt_clip_end_s(players[0].clip);
    GT_EXPECT_NEAR(gt_clip_end_s(players[1].clip), end_s, 1e-4);
    GT_EXPECT_NEAR(gt_clip_end_s(players[2].clip), end_s + 12.0 / (double)RATE_HZ, 1e-4);
    for (int f = 0; f <= 10; ++f) {
        play_at(&players[0], end_s * f / 10.0);
        play_at(&players[1], end_s * f / 10.0);
        for (int32_t n = 0; n < gt_character_def(players[0].character)->node_count; ++n) {
            GtVec3 here = gt_mat34_translation(&players[0].instance->model_from_node[n]);
            GtVec3 there = gt_mat34_translation(&players[1].instance->model_from_node[n]);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(here, there)), 0.0, 1e-3);
        }
    }
    for (int i = 0; i < 3; ++i) {
        close_player(&players[i]);
        gt_scene_destroy(moved[i]);
    }
    gt_scene_destroy(spliced);
    gt_scene_destroy(plain);
    gt_scene_destroy(person);
    free_reel(&reel);
}

// A jump in the middle stays, and is what there is to see first.
static void test_jumps_in_the_middle_are_measured(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    Reel reel = make_reel(&context, GT_MOTION_BOXING);
    int32_t from = reel.count / 2;
    GtMeasureDef def = gt_default_measure_def();
    for (int jumps = 0; jumps < 2; ++jumps) {
        GtMeasure* measure = NULL;
        if (jumps) {
            move_frames(&reel, from, reel.count - from, 0.0f, gt_vec3(0.0f, 0.0f, 0.8f));
            expect_cuts(&reel, nothing, nothing);
        }
        GtScene* scene = develop(&context, &reel);
        GT_EXPECT_OK(gt_measure(&context, scene, &def, &measure, &error));
        bool is_listed = measure->worst_count && strstr(measure->worst[0].what, "the hips jump 0.8");
        assert_int_equal(is_listed, jumps);
        GT_EXPECT_NEAR(measure->jump.way_m, jumps ? 0.8 : 0.0, 0.05);
        if (jumps) {
            GT_EXPECT_NEAR(measure->jump.time_s, (float)from / RATE_HZ, 0.5f / RATE_HZ);
        }
        gt_measure_destroy(measure);
        gt_scene_destroy(scene);
    }
    free_reel(&reel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motions_are_left_whole),
        cmocka_unit_test(test_tposes),
        cmocka_unit_test(test_tposes_of_the_motion_stay),
        cmocka_unit_test(test_rest_poses),
        cmocka_unit_test(test_jumps_at_the_ends),
        cmocka_unit_test(test_what_is_carried_over),
        cmocka_unit_test(test_jumps_in_the_middle_are_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
