// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Overlays by what they mean: colours against the numbers they stand for, lights, trails and axes against where the
// runtime puts the joints. Where no driver can draw, everything here is skipped.

#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/person.h"
#include "gertie/picture.h"
#include "gertie/render.h"

#include "render/walker.h"
#include "support/test.h"

enum {
    WIDTH = 320,
    HEIGHT = 240
};

static GtActorDef walking(const Fixture* f)
{
    GtActorDef def = gt_default_actor_def();
    def.scene = f->walker;
    def.animation = 0;
    return def;
}

// A renderer with one actor before nothing at all.
static GtRenderer* open_stage(Fixture* f, const GtActorDef* actor)
{
    GtError error = { 0 };
    GtRenderer* renderer = NULL;
    GtRendererDef def = gt_default_renderer_def();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.background = (GtBackground){ .ground = false };
    GT_EXPECT_OK(gt_renderer_create(&f->context, &def, &renderer, &error));
    GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, actor, NULL, &error));
    return renderer;
}

static GtCameraView side_camera(GtRenderer* renderer)
{
    return gt_camera_frame(gt_renderer_bounds(renderer, 0.0, 1.0, 5), GT_CAMERA_SIDE, (float)WIDTH / HEIGHT, 0.0f);
}

static void draw(GtRenderer* renderer, const GtCameraView* camera, double time_s, uint8_t* rgba)
{
    GtError error = { 0 };
    GT_EXPECT_OK(gt_renderer_draw(renderer, camera, time_s, &error));
    GT_EXPECT_OK(gt_renderer_read(renderer, rgba, &error));
}

// Where the runtime has a joint at a time.
static GtMat34 joint_at(Fixture* f, GtHumanoidJoint joint, double time_s)
{
    GtError error = { 0 };
    GtCharacter* character = NULL;
    GtInstance* instance = NULL;
    GtClip* clip = NULL;
    GtBuildDef def = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(&f->context, f->walker, &def, &character, NULL, &error));
    GT_EXPECT_OK(gt_clip_build(&f->context, f->walker, 0, character, &clip, &error));
    GT_EXPECT_OK(gt_instance_create(f->context.allocator, character, &instance, &error));
    gt_clip_sample(clip, time_s, instance->pose, instance->weights);
    gt_instance_update(instance);
    int32_t node = gt_character_node_from_source(character, f->walker->humanoid->nodes[joint]);
    GtMat34 model_from_joint = instance->model_from_node[node];
    gt_instance_destroy(instance);
    gt_clip_destroy(clip);
    gt_character_destroy(character);
    return model_from_joint;
}

static const uint8_t* pixel_at(const uint8_t* rgba, const GtCameraView* camera, GtVec3 world)
{
    float x, y, depth;
    assert_true(gt_camera_project(camera, WIDTH, HEIGHT, world, &x, &y, &depth));
    assert_true(x >= 0.0f && y >= 0.0f && x < WIDTH && y < HEIGHT);
    return rgba + 4 * ((int)y * WIDTH + (int)x);
}

// A copy of the walker whose every root is moved.
static GtScene* shifted_copy(Fixture* f, GtVec3 shift)
{
    GtError error = { 0 };
    GtScene* copy = NULL;
    GT_EXPECT_OK(gt_scene_copy(&f->context, f->walker, &copy, &error));
    GtNode parent = gt_default_node();
    int32_t index;
    GtStage* stage = &copy->stages[copy->default_stage == GT_NONE ? 0 : copy->default_stage];
    parent.local.translation = shift;
    parent.children = stage->nodes;
    parent.child_count = stage->node_count;
    GT_EXPECT_OK(gt_scene_add_node(copy, &parent, &index, &error));
    for (int32_t i = 0; i < stage->node_count; ++i) {
        copy->nodes[stage->nodes[i]].parent = index;
    }
    int32_t* roots = gt_scene_push(copy, 1, sizeof *roots);
    assert_non_null(roots);
    roots[0] = index;
    stage->nodes = roots;
    stage->node_count = 1;
    return copy;
}

// The heat map of a shifted copy has one colour, that of the shift.
static void shifted_copy_is_uniform(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtScene* copy = shifted_copy(f, gt_vec3(0.0f, 0.024f, 0.007f)); // 25 mm
    GtActorDef def = walking(f);
    def.paint = GT_PAINT_DISTANCE;
    def.reference = copy;
    def.reference_animation = 0;
    GtRenderer* renderer = open_stage(f, &def);
    GtCameraView camera = side_camera(renderer);
    gt_renderer_set_paint_range(renderer, 0.0f, 0.1f);
    for (int k = 0; k < 3; ++k) {
        double time_s = 0.31 * k;
        GtPaintValues values = gt_renderer_paint_values(renderer, 0, time_s);
        GT_EXPECT_NEAR(values.low, 0.025, 1e-5);
        GT_EXPECT_NEAR(values.high, 0.025, 1e-5);
        GT_EXPECT_NEAR(values.root_mean_square, 0.025, 1e-5);
        draw(renderer, &camera, time_s, rgba);
        GtColor wanted = gt_color_map(0.25f);
        int seen = 0, brightest = 0;
        for (int i = 0; i < WIDTH * HEIGHT; ++i) {
            const uint8_t* p = rgba + 4 * i;
            if (p[3] == 255) { // shading makes it darker, and changes no hue
                float shade = (float)p[2] / wanted.b;
                GT_EXPECT_NEAR(p[0], wanted.r * shade, 3);
                GT_EXPECT_NEAR(p[1], wanted.g * shade, 3);
                brightest = p[2] > brightest ? p[2] : brightest;
                ++seen;
            }
        }
        assert_true(seen > 1000);
        GT_EXPECT_NEAR(brightest, wanted.b, 2);
    }
    gt_renderer_destroy(renderer);
    gt_scene_destroy(copy);
}

static void other_vertices_are_refused(void** state)
{
    Fixture* f = need_driver(state);
    GtError error = { 0 };
    GtScene* other = NULL;
    GtPersonDef person = gt_default_person_def();
    person.triangle_count = 3000;
    GT_EXPECT_OK(gt_sample_person(&f->context, &person, &other, NULL, &error));
    GtActorDef def = walking(f);
    GtRenderer* renderer = open_stage(f, &def);
    def.paint = GT_PAINT_DISTANCE;
    def.reference = other;
    assert_int_equal(gt_renderer_add(renderer, &f->context, &def, NULL, &error), GT_ERROR_BAD_VALUE);
    assert_non_null(strstr(error.message, "only the same vertices can be compared"));
    gt_renderer_destroy(renderer);
    gt_scene_destroy(other);
}

// Weights of all joints add up to 1.
static void weights_add_up(void** state)
{
    Fixture* f = need_driver(state);
    double sum = 0.0;
    for (int32_t j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        GtActorDef def = walking(f);
        def.paint = GT_PAINT_WEIGHT;
        def.paint_joint = f->walker->humanoid->nodes[j];
        if (def.paint_joint != GT_NONE) {
            GtRenderer* renderer = open_stage(f, &def);
            GtPaintValues values = gt_renderer_paint_values(renderer, 0, 0.0);
            assert_true(values.low >= 0.0f && values.high <= 1.0f + 1e-6f);
            sum += values.mean;
            gt_renderer_destroy(renderer);
        }
    }
    GT_EXPECT_NEAR(sum, 1.0, 1e-5);
}

// The shin is yellow where it alone moves the skin, and the head violet.
static void weights_are_where_the_joint_is(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtActorDef def = walking(f);
    def.paint = GT_PAINT_WEIGHT;
    def.paint_joint = f->walker->humanoid->nodes[GT_HUMANOID_LEFT_LOWER_LEG];
    GtRenderer* renderer = open_stage(f, &def);
    GtCameraView camera = side_camera(renderer);
    draw(renderer, &camera, 0.0, rgba);
    GtMat34 knee = joint_at(f, GT_HUMANOID_LEFT_LOWER_LEG, 0.0);
    GtMat34 ankle = joint_at(f, GT_HUMANOID_LEFT_FOOT, 0.0);
    GtMat34 head = joint_at(f, GT_HUMANOID_HEAD, 0.0);
    GtVec3 shin = gt_vec3_lerp(gt_mat34_translation(&knee), gt_mat34_translation(&ankle), 0.5f);
    const uint8_t* yellow = pixel_at(rgba, &camera, shin);
    const uint8_t* violet =
        pixel_at(rgba, &camera, gt_vec3_add(gt_mat34_translation(&head), gt_vec3(0.0f, 0.05f, 0.0f)));
    assert_true(yellow[0] > 140 && yellow[1] > 120 && yellow[2] < 90);
    assert_true(violet[0] < 90 && violet[1] < 30 && violet[2] < 110 && violet[2] > 40);
    gt_renderer_destroy(renderer);
}

static void influences_are_counted(void** state)
{
    Fixture* f = need_driver(state);
    GtActorDef def = walking(f);
    def.paint = GT_PAINT_INFLUENCES;
    GtRenderer* renderer = open_stage(f, &def);
    GtPaintValues values = gt_renderer_paint_values(renderer, 0, 0.0);
    GT_EXPECT_NEAR(values.low, 1.0, 0.0);
    assert_true(values.high >= 2.0f && values.high <= 4.0f);
    gt_renderer_destroy(renderer);
}

// Lights are white where the joints are, as many as were asked for, and all else is dark.
static void lights_are_at_the_joints(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    static const GtHumanoidJoint joints[4] = { GT_HUMANOID_HEAD, GT_HUMANOID_HIPS, GT_HUMANOID_LEFT_FOOT,
                                               GT_HUMANOID_RIGHT_FOOT };
    int32_t nodes[4];
    for (int i = 0; i < 4; ++i) {
        nodes[i] = f->walker->humanoid->nodes[joints[i]];
    }
    GtActorDef def = walking(f);
    def.lights = nodes;
    def.light_count = 4;
    GtRenderer* renderer = open_stage(f, &def);
    GtCameraView camera = side_camera(renderer);
    draw(renderer, &camera, 0.3, rgba);
    int seen = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        seen += rgba[4 * i + 3] > 0;
    }
    for (int i = 0; i < 4; ++i) {
        GtMat34 joint = joint_at(f, joints[i], 0.3);
        const uint8_t* p = pixel_at(rgba, &camera, gt_mat34_translation(&joint));
        assert_true(p[0] > 250 && p[1] > 250 && p[2] > 250 && p[3] > 250);
    }
    assert_true(seen > 4 * 9 && seen < 4 * 150);
    gt_renderer_destroy(renderer);
}

// A trail goes through where the joint was and will be, in its own colour.
static void trails_go_through_the_joint(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t with[WIDTH * HEIGHT * 4], without[WIDTH * HEIGHT * 4];
    int32_t nodes[1] = { f->walker->humanoid->nodes[GT_HUMANOID_LEFT_HAND] };
    GtActorDef def = walking(f);
    GtRenderer* renderer = open_stage(f, &def);
    GtCameraView camera = side_camera(renderer);
    draw(renderer, &camera, 0.9, without);
    gt_renderer_destroy(renderer);
    def.trails = nodes;
    def.trail_count = 1;
    renderer = open_stage(f, &def);
    draw(renderer, &camera, 0.9, with);
    gt_renderer_destroy(renderer);
    int checked = 0;
    for (int k = 0; k < 8; ++k) {
        GtMat34 hand = joint_at(f, GT_HUMANOID_LEFT_HAND, 0.1 * k);
        GtVec3 at = gt_mat34_translation(&hand);
        if (pixel_at(without, &camera, at)[3] == 0) { // not before or behind the figure
            const uint8_t* p = pixel_at(with, &camera, at);
            assert_true(p[3] > 60 && p[2] > p[0]); // blue
            ++checked;
        }
    }
    assert_true(checked > 1);
}

// Each axis ends where the runtime's matrix points, in its colour, also inside the body.
static void axes_follow_the_joints(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t rgba[WIDTH * HEIGHT * 4];
    GtActorDef def = walking(f);
    def.axes = true;
    GtRenderer* renderer = open_stage(f, &def);
    GtCameraView camera = side_camera(renderer);
    draw(renderer, &camera, 0.5, rgba);
    GtMat34 knee = joint_at(f, GT_HUMANOID_LEFT_LOWER_LEG, 0.5);
    for (int axis = 1; axis < 3; ++axis) { // x points at the camera
        GtVec3 along = gt_vec3(knee.m[0][axis], knee.m[1][axis], knee.m[2][axis]);
        const uint8_t* p =
            pixel_at(rgba, &camera, gt_vec3_add(gt_mat34_translation(&knee), gt_vec3_scale(along, 0.06f)));
        assert_true(axis == 1 ? p[1] > p[0] + 20 && p[1] > p[2] + 20 : p[2] > p[0] + 20 && p[2] > p[1] + 20);
    }
    gt_renderer_destroy(renderer);
}

// Ghosts are where the figure was, tinted, and gone before the motion begins.
static void ghosts_are_elsewhere_in_time(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t then[WIDTH * HEIGHT * 4], ghost[WIDTH * HEIGHT * 4];
    GtActorDef def = walking(f);
    GtRenderer* renderer = open_stage(f, &def);
    GtCameraView camera = side_camera(renderer);
    draw(renderer, &camera, 0.4, then);
    gt_renderer_destroy(renderer);
    def.has_tint = true;
    def.tint[2] = 0.8f;
    def.opacity = 0.5f;
    def.time_shift_s = -0.3;
    renderer = open_stage(f, &def);
    draw(renderer, &camera, 0.7, ghost);
    int same = 0, all = 0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        bool is_ghost = ghost[4 * i + 3] > 60;
        bool was_there = then[4 * i + 3] > 127;
        all += was_there;
        same += was_there && is_ghost;
        assert_true(!is_ghost || ghost[4 * i + 2] >= ghost[4 * i]);
    }
    assert_true(all > 1000 && same > 0.97 * all);
    draw(renderer, &camera, 0.2, ghost); // 0.1 s before the first key
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        assert_int_equal(ghost[4 * i + 3], 0);
    }
    gt_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shifted_copy_is_uniform),
        cmocka_unit_test(other_vertices_are_refused),
        cmocka_unit_test(weights_add_up),
        cmocka_unit_test(weights_are_where_the_joint_is),
        cmocka_unit_test(influences_are_counted),
        cmocka_unit_test(lights_are_at_the_joints),
        cmocka_unit_test(trails_go_through_the_joint),
        cmocka_unit_test(axes_follow_the_joints),
        cmocka_unit_test(ghosts_are_elsewhere_in_time),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
