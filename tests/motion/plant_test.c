// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Feet that stay planted, by what gt_measure() says, which knows nothing of planting: on legs of other lengths, in
// every way that a motion can be carried over, as a clean-up of takes with faults of known size, and where there is
// nothing to do.

#include "motion/puppets.h"

#include "gertie/measure.h"
#include "gertie/person.h"
#include "gertie/plant.h"

#include <stdlib.h>

static const GtMotionKind motions[] = { GT_MOTION_WALK,   GT_MOTION_RUN,  GT_MOTION_JUMP,
                                        GT_MOTION_BOXING, GT_MOTION_KICK, GT_MOTION_TURN };

enum {
    MOTION_COUNT = sizeof motions / sizeof motions[0]
};

// Made once; the tests get copies.
static GtScene* person;

static int make_bodies(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 6000;
    return gt_sample_person(&context, &def, &person, NULL, &error) == GT_OK ? 0 : -1;
}

static int drop_bodies(void** state)
{
    (void)state;
    gt_scene_destroy(person);
    return 0;
}

// The person with a skin, on thighs and shanks of other lengths. The skin follows, the feet stay as long as they are.
static GtScene* make_body(const GtContext* context, float legs)
{
    static const GtHumanoidJoint scaled[] = { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT,
                                              GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT };
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_copy(context, person, &scene, &error));
    float longer = 0.0f;
    for (int i = 0; i < 4; ++i) {
        GtVec3* bone = &scene->nodes[scene->humanoid->nodes[scaled[i]]].local.translation;
        longer += 0.5f * (legs - 1.0f) * gt_vec3_length(*bone);
        *bone = gt_vec3_scale(*bone, legs);
    }
    scene->nodes[scene->humanoid->nodes[GT_HUMANOID_HIPS]].local.translation.y += longer;
    return scene;
}

// At the rate that it is made for.
static GtScene* make_whole_motion(const GtContext* context, GtMotionKind kind)
{
    GtError error;
    GtScene* scene = NULL;
    GtMotionDef def = gt_default_motion_def(kind);
    GT_EXPECT_OK(gt_sample_motion(context, &def, &scene, NULL, &error));
    return scene;
}

static GtMeasure* measure(const GtContext* context, const GtScene* scene, const GtScene* source)
{
    GtError error;
    GtMeasure* out = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.source = source;
    def.mesh_frame_count = 0;
    GT_EXPECT_OK(gt_measure(context, scene, &def, &out, &error));
    return out;
}

static void expect_planted(const GtMeasure* m, const char* what)
{
    for (int side = 0; side < 2; ++side) {
        const GtFootMeasure* foot = &m->feet[side];
        if (!(foot->skate_m < 0.005 && foot->float_m < 0.005 && foot->penetration_m < 0.005)) {
            fail_msg("%s, %s foot: skate %.1f mm, float %.1f mm, penetration %.1f mm", what, side ? "right" : "left",
                     1e3 * foot->skate_m, 1e3 * foot->float_m, 1e3 * foot->penetration_m);
        }
    }
}

// Knees of a turn hardly bend: the little that planting adds is a good part of their jerk.
static void expect_calm_knees(const GtMeasure* m, GtMotionKind kind, const char* what)
{
    double most_jerk = kind == GT_MOTION_TURN ? 1.35 : 1.2;
    for (int side = 0; side < 2; ++side) {
        const GtKneeMeasure* knee = &m->knees[side];
        if (!(knee->acceleration_ratio <= 2.0 && knee->jerk_ratio <= most_jerk)) {
            fail_msg("%s, %s knee: acceleration %.2f times the source's, jerk %.2f", what, side ? "right" : "left",
                     knee->acceleration_ratio, knee->jerk_ratio);
        }
    }
}

static void test_feet_are_planted_on_other_legs(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    const float legs[] = { 0.85f, 1.0f, 1.5f };
    for (size_t l = 0; l < sizeof legs / sizeof legs[0]; ++l) {
        GtScene* body = make_body(&context, legs[l]);
        for (int k = 0; k < MOTION_COUNT; ++k) {
            GtError error;
            char what[64];
            GtAnimateDef def = gt_default_animate_def();
            GtScene* motion = make_whole_motion(&context, motions[k]);
            GtScene* out = NULL;
            GtAnimateReport report;
            snprintf(what, sizeof what, "%s on legs of %.2f", gt_motion_name(motions[k]), (double)legs[l]);
            GT_EXPECT_OK(gt_animate(&context, body, motion, &def, &out, &report, &error));
            GtMeasure* m = measure(&context, out, motion);
            expect_planted(m, what);
            expect_calm_knees(m, motions[k], what);
            assert_int_equal(report.retarget.plant.short_frames, 0);
            assert_true(report.retarget.plant.contact_count >= 2);
            gt_measure_destroy(m);
            gt_scene_destroy(out);
            gt_scene_destroy(motion);
        }
        gt_scene_destroy(body);
    }
}

// What is left out is worse, so that the test above is about something.
static void test_feet_slide_when_they_are_not_planted(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* body = make_body(&context, 1.5f);
    GtScene* motion = make_whole_motion(&context, GT_MOTION_BOXING);
    GtAnimateDef def = bare_animate_def();
    GtScene* out = NULL;
    GT_EXPECT_OK(gt_animate(&context, body, motion, &def, &out, NULL, &error));
    GtMeasure* m = measure(&context, out, motion);
    assert_true(m->feet[0].skate_m > 0.02 || m->feet[1].skate_m > 0.02);
    gt_measure_destroy(m);
    gt_scene_destroy(out);
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
}

// A joint on the ground, that the hips hang from.
static void add_root(const GtContext* context, GtScene* scene)
{
    GtError error;
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    int32_t count = scene->stages[0].node_count;
    int32_t* children = gt_scene_push(scene, 1, sizeof *children);
    int32_t* tops = gt_scene_push(scene, (size_t)count, sizeof *tops);
    GtNode root = gt_default_node();
    int32_t index = GT_NONE;
    children[0] = hips;
    root.name = "root";
    root.children = children;
    root.child_count = 1;
    GT_EXPECT_OK(gt_scene_add_node(scene, &root, &index, &error));
    scene->nodes[hips].parent = index;
    for (int32_t i = 0; i < count; ++i) {
        tops[i] = scene->stages[0].nodes[i] == hips ? index : scene->stages[0].nodes[i];
    }
    scene->stages[0].nodes = tops;
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
}

static void expect_root_under_hips(const GtContext* context, const GtScene* scene)
{
    Player p = open_player(context, scene, 0);
    for (int k = 0; k <= 10; ++k) {
        double time_s = gt_clip_end_s(p.clip) * k / 10.0;
        GtVec3 root = joint_at(&p, "root", time_s);
        GtVec3 hips = joint_at(&p, "hips", time_s);
        GT_EXPECT_NEAR(root.y, 0.0, 1e-5);
        GT_EXPECT_NEAR(hypotf(root.x - hips.x, root.z - hips.z), 0.0, 0.02); // planting shifts the hips alone
    }
    close_player(&p);
}

static void test_every_way_to_carry_a_walk_over(void** state)
{
    (void)state;
    enum {
        MIRRORED,
        LOOPED,
        ON_THE_SPOT,
        ON_A_ROOT,
        FAST,
        WAY_COUNT
    };
    static const char* const names[WAY_COUNT] = { "mirrored", "looped", "on the spot", "on a root", "fast" };
    GtContext context = gt_default_context();
    GtScene* body = make_body(&context, 1.2f);
    add_root(&context, body);
    GtScene* walk = make_whole_motion(&context, GT_MOTION_WALK);
    for (int way = 0; way < WAY_COUNT; ++way) {
        GtError error;
        GtAnimateDef def = gt_default_animate_def();
        def.retarget.mirror = way == MIRRORED;
        def.retarget.loop = way == LOOPED;
        def.retarget.root_motion = way == ON_THE_SPOT ? GT_ROOT_MOTION_NONE
                                   : way == ON_A_ROOT ? GT_ROOT_MOTION_JOINT
                                                      : GT_ROOT_MOTION_HIPS;
        def.retarget.speed = way == FAST ? 1.5 : 1.0;
        GtScene* out = NULL;
        GtAnimateReport report;
        GT_EXPECT_OK(gt_animate(&context, body, walk, &def, &out, &report, &error));
        GtMeasure* m = measure(&context, out, way == LOOPED ? walk : NULL);
        assert_true(report.retarget.plant.contact_count >= 8);
        assert_true(m->seam.gap_m < 0.0005);
        if (way == ON_THE_SPOT) {
            Player p = open_player(&context, out, 0);
            GtVec3 here = joint_at(&p, "hips", 0.0);
            GtVec3 there = joint_at(&p, "hips", 1.3);
            GT_EXPECT_NEAR(hypotf(here.x - there.x, here.z - there.z), 0.0, 1e-5);
            close_player(&p);
        } else {
            expect_planted(m, names[way]);
        }
        if (way == ON_A_ROOT) {
            expect_root_under_hips(&context, out);
        }
        gt_measure_destroy(m);
        gt_scene_destroy(out);
    }
    gt_scene_destroy(walk);
    gt_scene_destroy(body);
}

// The person at ease or in motion, as a take.
static GtTake* make_take(const GtContext* context, GtScene** scene, GtMotionKind kind)
{
    GtError error;
    GtScene* body = make_body(context, 1.0f);
    GtScene* motion = make_whole_motion(context, kind);
    GtAnimateDef def = bare_animate_def();
    GtTakeDef take_def = gt_default_take_def();
    GtTake* take = NULL;
    GT_EXPECT_OK(gt_animate(context, body, motion, &def, scene, NULL, &error));
    GT_EXPECT_OK(gt_take_create(context, *scene, &take_def, &take, &error));
    gt_scene_destroy(motion);
    gt_scene_destroy(body);
    return take;
}

static GtMeasure* measure_take(const GtContext* context, const GtScene* scene, const GtTake* take)
{
    GtError error;
    GtScene* copy = NULL;
    GT_EXPECT_OK(gt_scene_copy(context, scene, &copy, &error));
    copy->animation_count = 0;
    GT_EXPECT_OK(gt_take_bake(context, copy, take, "take", NULL, &error));
    GT_EXPECT_OK(gt_scene_validate(context, copy, &error));
    GtMeasure* m = measure(context, copy, NULL);
    gt_scene_destroy(copy);
    return m;
}

static GtTransform* pose_of(const GtTake* take, int32_t frame)
{
    return take->poses + (size_t)frame * (size_t)take->node_count;
}

// The whole body slides aside by 60 mm, within a second in which both feet stand.
static void test_a_slide_is_taken_out(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    for (int32_t f = 0; f < take->frame_count; ++f) {
        double share = fmin(fmax((double)f / take->rate_hz - 2.0, 0.0), 1.0);
        pose_of(take, f)[hips].translation.x += (float)(0.06 * share * share * (3.0 - 2.0 * share));
    }
    GtMeasure* before = measure_take(&context, scene, take);
    assert_true(before->feet[0].skate_m > 0.059 && before->feet[1].skate_m > 0.059);
    GtPlantDef def = gt_default_plant_def();
    GtPlantReport report;
    GtTake* planted = NULL;
    GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &planted, &report, &error));
    GtMeasure* after = measure_take(&context, scene, planted);
    expect_planted(after, "a slide");
    assert_int_equal(report.contact_count, 2);
    GT_EXPECT_NEAR(report.foot_shift_m, 0.03, 0.01); // half of it either way
    gt_measure_destroy(before);
    gt_measure_destroy(after);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// The whole figure is 40 mm too low or too high; the ground is said to be at 0.
static void test_a_wrong_height_is_put_right(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    const float heights_m[] = { -0.04f, 0.04f };
    for (int i = 0; i < 2; ++i) {
        GtError error;
        GtScene* scene = NULL;
        GtTake* take = make_take(&context, &scene, GT_MOTION_TURN);
        int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
        for (int32_t f = 0; f < take->frame_count; ++f) {
            pose_of(take, f)[hips].translation.y += heights_m[i];
        }
        GtPlantDef def = gt_default_plant_def();
        def.floor_m = 0.0;
        GtTake* planted = NULL;
        GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &planted, NULL, &error));
        GtMeasure* m = measure_take(&context, scene, planted);
        expect_planted(m, i ? "too high" : "too low");
        gt_measure_destroy(m);
        gt_take_destroy(planted);
        gt_take_destroy(take);
        gt_scene_destroy(scene);
    }
}

// In the first frames nothing was seen: the figure stands as it does, but its hips are at the height of the ground.
static void test_sunken_frames_are_raised_whole(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    int32_t thigh = scene->humanoid->nodes[GT_HUMANOID_LEFT_UPPER_LEG];
    for (int32_t f = 0; f < 20; ++f) {
        pose_of(take, f)[hips].translation.y -= 0.9f;
    }
    GtPlantDef def = gt_default_plant_def();
    GtTake* planted = NULL;
    def.floor_m = 0.0;
    GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &planted, NULL, &error));
    GtMeasure* m = measure_take(&context, scene, planted);
    expect_planted(m, "frames in the ground");
    for (int32_t f = 0; f < 20; ++f) {
        assert_true(gt_quat_angle_rad(pose_of(planted, f)[thigh].rotation, pose_of(take, f)[thigh].rotation) < 0.01f);
    }
    gt_measure_destroy(m);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void test_what_is_right_stays(void** state)
{
    (void)state;
    const GtMotionKind kinds[] = { GT_MOTION_IDLE, GT_MOTION_SQUAT, GT_MOTION_SIT,  GT_MOTION_WAVE,   GT_MOTION_TURN,
                                   GT_MOTION_WALK, GT_MOTION_RUN,   GT_MOTION_JUMP, GT_MOTION_BOXING, GT_MOTION_KICK };
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        GtError error;
        GtScene* scene = NULL;
        GtTake* take = make_take(&context, &scene, kinds[i]);
        GtPlantDef def = gt_default_plant_def();
        GtPlantReport report;
        GtTake* planted = NULL;
        GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &planted, &report, &error));
        assert_true(report.foot_shift_m < 0.003 && report.hips_shift_m < 0.003);
        gt_take_destroy(planted);
        gt_take_destroy(take);
        gt_scene_destroy(scene);
    }
}

// How fast a node turns at most beyond what it does in another take, against its parent, in radians a second.
static double most_extra_turn(const GtTake* take, const GtTake* than, int32_t node)
{
    double most = 0.0;
    for (int32_t f = 1; f < take->frame_count; ++f) {
        double turns[2];
        for (int k = 0; k < 2; ++k) {
            const GtTake* one = k ? than : take;
            turns[k] = (double)gt_quat_angle_rad(pose_of(one, f - 1)[node].rotation, pose_of(one, f)[node].rotation);
        }
        most = fmax(most, (turns[0] - turns[1]) * take->rate_hz);
    }
    return most;
}

static GtTake* plant_by(const GtContext* context, const GtScene* scene, const GtTake* take, const GtContact* spans,
                        int32_t count)
{
    GtError error;
    GtContact copy[8];
    memcpy(copy, spans, (size_t)count * sizeof *spans);
    GtContacts contacts = { .spans = copy, .count = count };
    GtPlantDef def = gt_default_plant_def();
    GtTake* planted = NULL;
    def.contacts = &contacts;
    def.floor_m = 0.0;
    GT_EXPECT_OK(gt_take_plant(context, take, scene, &def, &planted, NULL, &error));
    return planted;
}

// The tip of a foot that is 60 mm in the ground goes down, past the vertical and back.
static void test_a_foot_that_goes_upright_does_not_leap(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    int32_t foot = scene->humanoid->nodes[GT_HUMANOID_LEFT_FOOT];
    const GtContact none = { 0 };
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtTransform* pose = pose_of(take, f);
        double turn = 2.0 * sin(3.14159265358979 * (double)f / (double)(take->frame_count - 1));
        pose[hips].translation.y -= 0.06f;
        pose[foot].rotation =
            gt_quat_mul(pose[foot].rotation, gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), (float)turn));
    }
    GtTake* planted = plant_by(&context, scene, take, &none, 0);
    assert_true(most_extra_turn(planted, take, foot) < 5.0);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// Toes that stick up by 50 degrees are said to stand, again and again for a moment.
static void test_toes_are_laid_down_in_time(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    int32_t toes = scene->humanoid->nodes[GT_HUMANOID_LEFT_TOES];
    const GtContact spans[] = { { 1, 1.0, 1.1, 0.0f }, { 1, 1.2, 1.3, 0.0f }, { 1, 2.0, 3.0, 0.0f } };
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtTransform* pose = pose_of(take, f);
        pose[toes].rotation =
            gt_quat_mul(pose[toes].rotation, gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), -0.87f));
    }
    GtTake* planted = plant_by(&context, scene, take, spans, 3);
    int32_t standing = (int32_t)lround(2.5 * take->rate_hz);
    assert_true(gt_quat_angle_rad(pose_of(planted, standing)[toes].rotation, pose_of(take, standing)[toes].rotation) >
                0.6f);
    assert_true(most_extra_turn(planted, take, toes) < 10.0);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// Toes that the capture throws up and down from frame to frame stand as still as the foot, and shake no knee.
static void test_toes_that_tremble_are_calm_where_they_stand(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    int32_t toes = scene->humanoid->nodes[GT_HUMANOID_LEFT_TOES];
    int32_t knee = scene->humanoid->nodes[GT_HUMANOID_LEFT_LOWER_LEG];
    const GtContact spans[] = { { 0, 0.0, 9.0, 0.0f }, { 1, 0.0, 9.0, 0.0f } };
    GtTake* calm = plant_by(&context, scene, take, spans, 2);
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtTransform* pose = pose_of(take, f);
        pose[toes].rotation =
            gt_quat_mul(pose[toes].rotation, gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), f % 2 ? 0.3f : -0.3f));
    }
    GtTake* planted = plant_by(&context, scene, take, spans, 2);
    for (int32_t f = 0; f < take->frame_count; ++f) {
        assert_true(gt_quat_angle_rad(pose_of(planted, f)[toes].rotation, pose_of(calm, f)[toes].rotation) < 0.02f);
        assert_true(gt_quat_angle_rad(pose_of(planted, f)[knee].rotation, pose_of(calm, f)[knee].rotation) < 0.02f);
    }
    gt_take_destroy(calm);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// A foot that the capture throws to and fro by 29 degrees, until it lands, does so much less by then.
static void test_a_capture_that_fails_next_to_the_ground_is_calmed(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    int32_t foot = scene->humanoid->nodes[GT_HUMANOID_LEFT_FOOT];
    const GtContact spans[] = { { 0, 2.0, 9.0, 0.0f }, { 1, 2.0, 9.0, 0.0f } };
    for (int32_t f = 0; f < take->frame_count; ++f) {
        GtTransform* pose = pose_of(take, f);
        float turn = (double)f / take->rate_hz < 2.0 ? (f % 2 ? 0.5f : 0.0f) : 0.0f;
        pose[foot].rotation =
            gt_quat_mul(pose[foot].rotation, gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), turn));
    }
    GtTake* planted = plant_by(&context, scene, take, spans, 2);
    for (int32_t f = (int32_t)(1.9 * take->rate_hz); f < (int32_t)(1.97 * take->rate_hz); ++f) {
        GtQuat now = pose_of(planted, f)[foot].rotation, before = pose_of(planted, f - 1)[foot].rotation;
        assert_true(gt_quat_angle_rad(pose_of(take, f)[foot].rotation, pose_of(take, f - 1)[foot].rotation) > 0.45f);
        assert_true(gt_quat_angle_rad(now, before) < 0.2f);
    }
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// A knee that is folded by 165 degrees, about an axis that it never bends about else, stays folded as it was.
static void test_a_knee_stays_folded_as_it_was(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_SQUAT);
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    int32_t thigh = scene->humanoid->nodes[GT_HUMANOID_LEFT_UPPER_LEG];
    int32_t shank = scene->humanoid->nodes[GT_HUMANOID_LEFT_LOWER_LEG];
    int32_t from = take->frame_count - 30;
    const GtContact spans[] = { { 0, (double)(from + 5) / take->rate_hz, 99.0, 0.0f } };
    for (int32_t f = from; f < take->frame_count; ++f) {
        GtTransform* pose = pose_of(take, f);
        pose[hips].translation.y = 0.25f;
        pose[thigh].rotation = scene->nodes[thigh].local.rotation;
        pose[shank].rotation = gt_quat_from_axis_angle(gt_vec3(-0.3f, 0.0f, 0.954f), 2.88f);
    }
    GtTake* planted = plant_by(&context, scene, take, spans, 1);
    for (int32_t f = from; f < take->frame_count; ++f) {
        GtQuat was = pose_of(take, f)[shank].rotation, is = pose_of(planted, f)[shank].rotation;
        assert_true(gt_quat_angle_rad(was, is) < 0.3f);
    }
    assert_true(gt_vec3_length(gt_vec3_sub(pose_of(planted, take->frame_count - 1)[hips].translation,
                                           pose_of(take, take->frame_count - 1)[hips].translation)) > 0.01f);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static bool is_finite(const GtTransform* t)
{
    return isfinite(t->translation.x + t->translation.y + t->translation.z) &&
           fabsf(gt_quat_length(t->rotation) - 1.0f) < 1e-3f;
}

// A cycle that goes a twentieth farther than its steps: its feet are planted, and its ends still meet.
static void test_a_cycle_stays_closed(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_WALK);
    int32_t hips = scene->humanoid->nodes[GT_HUMANOID_HIPS];
    for (int32_t f = 0; f < take->frame_count; ++f) {
        pose_of(take, f)[hips].translation.z *= 1.05f;
    }
    GtPlantDef def = gt_default_plant_def();
    GtTake* planted = NULL;
    GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &planted, NULL, &error));
    GtMeasure* m = measure_take(&context, scene, planted);
    expect_planted(m, "a cycle");
    assert_true(m->seam.gap_m < 0.0005);
    for (int32_t i = 0; i < planted->frame_count * planted->node_count; ++i) {
        assert_true(is_finite(&planted->poses[i]));
    }
    gt_measure_destroy(m);
    gt_take_destroy(planted);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void expect_same_poses(const GtTake* a, const GtTake* b)
{
    assert_int_equal(a->frame_count, b->frame_count);
    assert_memory_equal(a->poses, b->poses, (size_t)a->frame_count * (size_t)a->node_count * sizeof *a->poses);
}

static void test_threads_change_nothing(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_RUN);
    GtPlantDef def = gt_default_plant_def();
    GtTake* one = NULL;
    GtTake* four = NULL;
    GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &one, NULL, &error));
    GtThreadPool* pool = NULL;
    GT_EXPECT_OK(gt_thread_pool_create(context.allocator, 3, &pool, &error));
    GtContext threaded = context;
    threaded.executor = gt_thread_pool_executor(pool);
    GT_EXPECT_OK(gt_take_plant(&threaded, take, scene, &def, &four, NULL, &error));
    expect_same_poses(one, four);
    gt_thread_pool_destroy(pool);
    gt_take_destroy(one);
    gt_take_destroy(four);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

// Times of contacts are those of the clip, also of a take that begins later.
static void test_contacts_are_in_the_time_of_the_clip(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_IDLE);
    GtTake* late = NULL;
    GT_EXPECT_OK(gt_take_cut(&context, take, 2.0, 5.0, &late, &error));
    GT_EXPECT_NEAR(late->start_s, 2.0, 1e-6);
    const double starts_s[] = { 0.5, 3.0 }; // before the take, and in it
    for (int i = 0; i < 2; ++i) {
        GtContact span = { 0, starts_s[i], starts_s[i] + 1.0, 0.0f };
        GtContacts contacts = { .spans = &span, .count = 1 };
        GtPlantDef def = gt_default_plant_def();
        GtPlantReport report;
        GtTake* planted = NULL;
        def.contacts = &contacts;
        GT_EXPECT_OK(gt_take_plant(&context, late, scene, &def, &planted, &report, &error));
        assert_int_equal(report.contact_count, i);
        gt_take_destroy(planted);
    }
    gt_take_destroy(late);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void test_nothing_to_do(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = NULL;
    GtTake* take = make_take(&context, &scene, GT_MOTION_TURN);
    GtContacts none = { 0 };
    GtPlantDef def = gt_default_plant_def();
    GtPlantReport report;
    GtTake* planted = NULL;
    def.contacts = &none;
    GT_EXPECT_OK(gt_take_plant(&context, take, scene, &def, &planted, &report, &error));
    assert_int_equal(report.contact_count, 0);
    GT_EXPECT_NEAR(report.foot_shift_m, 0.0, 1e-3); // soles that were in the ground
    gt_take_destroy(planted);

    GtTake* still = NULL; // one frame, which stands
    GT_EXPECT_OK(gt_take_cut(&context, take, 0.0, 0.0, &still, &error));
    assert_int_equal(still->frame_count, 1);
    def.contacts = NULL;
    GT_EXPECT_OK(gt_take_plant(&context, still, scene, &def, &planted, &report, &error));
    for (int32_t i = 0; i < planted->node_count; ++i) {
        assert_true(is_finite(&planted->poses[i]));
    }
    gt_take_destroy(planted);
    gt_take_destroy(still);

    scene->node_count -= 1;
    GT_EXPECT_ERROR(gt_take_plant(&context, take, scene, &def, &planted, NULL, &error), GT_ERROR_BAD_VALUE,
                    "they do not belong together");
    assert_null(planted);
    scene->node_count += 1;
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

static void test_memory_that_runs_out_is_said(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene = make_motion(&context, GT_MOTION_TURN, gt_default_person_def());
    GtTakeDef take_def = gt_default_take_def();
    GtTake* take = NULL;
    GT_EXPECT_OK(gt_take_create(&context, scene, &take_def, &take, &error));
    TestAllocator allocator = { .remaining = -1 };
    context.allocator = test_allocator(&allocator);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int64_t failures = 0;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtPlantDef def = gt_default_plant_def();
        GtTake* planted = NULL;
        allocator.remaining = allowed;
        result = gt_take_plant(&context, take, scene, &def, &planted, NULL, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_true((planted != NULL) == (result == GT_OK));
        failures += result != GT_OK;
        gt_take_destroy(planted);
        assert_int_equal(allocator.alive, 0);
    }
    assert_true(failures > 20);
    gt_take_destroy(take);
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feet_are_planted_on_other_legs),
        cmocka_unit_test(test_feet_slide_when_they_are_not_planted),
        cmocka_unit_test(test_every_way_to_carry_a_walk_over),
        cmocka_unit_test(test_a_slide_is_taken_out),
        cmocka_unit_test(test_a_wrong_height_is_put_right),
        cmocka_unit_test(test_sunken_frames_are_raised_whole),
        cmocka_unit_test(test_what_is_right_stays),
        cmocka_unit_test(test_a_foot_that_goes_upright_does_not_leap),
        cmocka_unit_test(test_toes_are_laid_down_in_time),
        cmocka_unit_test(test_toes_that_tremble_are_calm_where_they_stand),
        cmocka_unit_test(test_a_capture_that_fails_next_to_the_ground_is_calmed),
        cmocka_unit_test(test_a_knee_stays_folded_as_it_was),
        cmocka_unit_test(test_a_cycle_stays_closed),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_contacts_are_in_the_time_of_the_clip),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_memory_that_runs_out_is_said),
    };
    return cmocka_run_group_tests(tests, make_bodies, drop_bodies);
}
