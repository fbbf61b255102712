// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures of the built-in person, against products of the scene's own transforms and against the runtime. What is
// opened in one step or in several must be the same to the bit.

#include "harmonic/people.h"

#include "support/figure.h"

#include "gertie/bake.h"
#include "gertie/sculpt.h"

#include "figure/figure.h"
#include "figure/shell.h"

#include <stdlib.h>

enum {
    RAISE, // of the left arm, while the person walks on
    NOD,   // of the head, with fewer keys
    CLIP_COUNT,
    KEY_COUNT = 11
};

static const float key_step_s = 0.125f;
static const float start_key_s = 0.5f;
static const float walk_mps = 2.0f;

static float angle_of_key(int key)
{
    return 1.2f - 0.2f * (float)key;
}

// Add a clip whose first key is at `start_key_s`: a joint rotates about z, and the hips go ahead.
static void add_clip(const GtContext* context, GtScene* scene, GtHumanoidJoint joint, int32_t key_count)
{
    GtError error;
    const int32_t nodes[2] = { node_of(scene, GT_HUMANOID_HIPS), node_of(scene, joint) };
    const uint8_t paths[2] = { GT_BAKE_TRANSLATION, GT_BAKE_ROTATION };
    float times_s[KEY_COUNT];
    GtTransform poses[2 * KEY_COUNT];
    for (int32_t k = 0; k < key_count; ++k) {
        GtTransform* hips = &poses[2 * k];
        GtTransform* other = &poses[2 * k + 1];
        times_s[k] = start_key_s + key_step_s * (float)k;
        *hips = scene->nodes[nodes[0]].local;
        hips->translation.z += walk_mps * key_step_s * (float)k;
        *other = scene->nodes[nodes[1]].local;
        other->rotation =
            gt_quat_mul(other->rotation, gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), angle_of_key(k)));
    }
    GtBakeDef def = { .name = gt_humanoid_name(joint),
                      .frame_count = key_count,
                      .times_s = times_s,
                      .node_count = 2,
                      .nodes = nodes,
                      .paths = paths,
                      .poses = poses };
    GT_EXPECT_OK(gt_scene_bake(context, scene, &def, NULL, &error));
}

static GtScene* make_moving(const GtContext* context)
{
    GtScene* scene = make_person(context, 2000);
    scene->animation_count = 0;
    add_clip(context, scene, GT_HUMANOID_LEFT_UPPER_ARM, KEY_COUNT);
    add_clip(context, scene, GT_HUMANOID_HEAD, KEY_COUNT / 2);
    return scene;
}

static GtFigureDef playing(int32_t animation)
{
    GtFigureDef def = gt_default_figure_def();
    def.animation = animation;
    return def;
}

// model_from_node by the scene's own tree, where one node has another transform than at rest.
static GtMat34 model_from(const GtScene* scene, int32_t node, int32_t posed_node, GtTransform posed)
{
    GtMat34 model = gt_mat34_from_transform(node == posed_node ? posed : scene->nodes[node].local);
    for (int32_t n = scene->nodes[node].parent; n != GT_NONE; n = scene->nodes[n].parent) {
        model = gt_mat34_mul(gt_mat34_from_transform(n == posed_node ? posed : scene->nodes[n].local), model);
    }
    return model;
}

// The reference pose is the rest pose, but for one node; the height is between the lowest joint and the highest.
static void expect_reference(const GtFigure* figure, int32_t posed_node, GtTransform posed)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = node_of(figure->scene, (GtHumanoidJoint)j);
        GtMat34 wanted = model_from(figure->scene, node, posed_node, posed);
        const GtMat34* seen = &figure->reference[figure->joints[j]];
        for (int i = 0; i < 12; ++i) {
            GT_EXPECT_NEAR(seen->m[i / 4][i % 4], wanted.m[i / 4][i % 4], 2e-6);
        }
        GtVec3 place = gti_figure_reference(figure, (GtHumanoidJoint)j);
        GT_EXPECT_NEAR(place.y, wanted.m[1][3], 2e-6);
        low = fmin(low, (double)wanted.m[1][3]);
        high = fmax(high, (double)wanted.m[1][3]);
    }
    GT_EXPECT_NEAR(figure->height_m, high - low, 4e-6);
    assert_memory_equal(figure->reference, figure->instance->model_from_node,
                        (size_t)figure->def->node_count * sizeof *figure->reference); // it stands in it
}

static void expect_rest(const GtFigure* figure)
{
    expect_reference(figure, GT_NONE, gt_transform_identity());
}

// All of a pose: nodes, weights, values of sections and every vertex.
static void expect_same_instance(GtInstance* a, GtInstance* b)
{
    const GtCharacterDef* def = gt_character_def(a->character);
    assert_memory_equal(a->model_from_node, b->model_from_node, (size_t)def->node_count * sizeof(GtMat34));
    if (def->weight_count > 0) {
        assert_memory_equal(a->weights, b->weights, (size_t)def->weight_count * sizeof *a->weights);
    }
    for (int32_t m = 0; m < def->mesh_count; ++m) {
        size_t count = (size_t)def->meshes[m].vertex_count;
        GtVec3* vertices = calloc(2 * count, sizeof *vertices);
        assert_non_null(vertices);
        gt_instance_deform(a, m, vertices, NULL, NULL);
        gt_instance_deform(b, m, vertices + count, NULL, NULL);
        assert_memory_equal(vertices, vertices + count, count * sizeof *vertices);
        free(vertices);
    }
}

static void expect_same_pose(const GtFigure* a, const GtFigure* b, double time_s)
{
    gt_figure_pose(a, time_s, a->instance);
    gt_figure_pose(b, time_s, b->instance);
    expect_same_instance(a->instance, b->instance);
}

static void an_opened_figure_stands_at_rest(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtFigure figure;
    GT_EXPECT_OK(gt_figure_open(&context, scene, NULL, &figure, &error));
    assert_ptr_equal(figure.scene, scene);
    assert_int_equal(figure.animation, GT_NONE);
    assert_null(figure.clip);
    assert_null(figure.player.pose);
    assert_true(figure.is_humanoid);
    assert_non_null(figure.map_report);
    assert_int_equal(figure.map_report->verdict, GT_MAP_HUMANOID);
    assert_ptr_equal(figure.def, gt_character_def(figure.character));
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = node_of(scene, (GtHumanoidJoint)j);
        assert_int_equal(figure.map.nodes[j], node);
        assert_int_equal(figure.def->source_nodes[figure.joints[j]], node);
    }
    expect_rest(&figure);
    GtVec3 forward = gti_figure_forward(&figure);
    GT_EXPECT_NEAR(forward.z, 1.0, 1e-6); // the convention of the whole library
    GT_EXPECT_NEAR(gti_figure_size(&figure), 1.0, 0.0);
    GtVec3 point = gt_vec3(0.3f, 1.4f, -0.2f);
    int32_t hand = figure.joints[GT_HUMANOID_LEFT_HAND];
    GtVec3 there = gt_mat34_point(&figure.reference[hand], gti_figure_attach(&figure, hand, point));
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(there, point)), 0.0, 1e-6);
    gt_figure_close(&figure);
    gt_figure_close(&figure); // holds nothing any more
    gt_scene_destroy(scene);
}

// By its legs: one and a half times as long as a person's, in nodes that are scaled.
static void giants_are_larger_than_a_person(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_person(&context, 2000);
    GtFigure person = test_figure(&context, scene, GT_NONE);
    double leg_m = (double)gt_vec3_length(gt_vec3_sub(gti_figure_reference(&person, GT_HUMANOID_LEFT_UPPER_LEG),
                                                      gti_figure_reference(&person, GT_HUMANOID_LEFT_FOOT)));
    gt_figure_close(&person);
    GtTransform* hips = &scene->nodes[node_of(scene, GT_HUMANOID_HIPS)].local;
    hips->scale = gt_vec3_scale(hips->scale, (float)(1.5 * 0.9 / leg_m));
    GtFigure giant = test_figure(&context, scene, GT_NONE);
    GT_EXPECT_NEAR(gti_figure_size(&giant), 1.5, 1e-5);
    gt_figure_close(&giant);
    gt_scene_destroy(scene);
}

static void a_clip_has_its_times(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    for (int clip = 0; clip < CLIP_COUNT; ++clip) {
        GtFigure figure = test_figure(&context, scene, clip);
        int key_count = clip == RAISE ? KEY_COUNT : KEY_COUNT / 2;
        assert_int_equal(figure.animation, clip);
        GT_EXPECT_NEAR(figure.start_s, start_key_s, 0.0);
        GT_EXPECT_NEAR(figure.end_s, start_key_s + key_step_s * (float)(key_count - 1), 0.0);
        GT_EXPECT_NEAR(figure.key_rate_hz, 1.0f / key_step_s, 1e-9);
        expect_rest(&figure); // whatever the clip does
        gt_figure_close(&figure);
    }
    gt_scene_destroy(scene);
}

// A T-pose that a clip begins with is the reference, and none of the motion unless that is asked for.
static void a_leading_tpose_is_the_reference(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtRetargetPose turned = gt_retarget_pose_identity();
    turned.rotations[GT_HUMANOID_RIGHT_UPPER_ARM] = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), 0.7f);
    int32_t arm = node_of(scene, GT_HUMANOID_LEFT_UPPER_ARM);
    GtTransform raised = scene->nodes[arm].local;
    raised.rotation = gt_quat_mul(raised.rotation, gt_quat_from_axis_angle(gt_vec3(0.0f, 0.0f, 1.0f), angle_of_key(0)));
    scene->animations[RAISE].tpose_first = true;
    scene->retarget_pose = &turned; // which the T-pose takes the place of
    for (int keeps = 0; keeps < 2; ++keeps) {
        GtFigure figure;
        GtFigureDef def = playing(RAISE);
        def.keep_tpose = keeps;
        GT_EXPECT_OK(gt_figure_open(&context, scene, &def, &figure, &error));
        GT_EXPECT_NEAR(figure.start_s, start_key_s + (keeps ? 0.0f : key_step_s), 0.0);
        GT_EXPECT_NEAR(figure.end_s, start_key_s + key_step_s * (KEY_COUNT - 1), 0.0);
        expect_reference(&figure, arm, raised);
        gt_figure_close(&figure);
    }
    scene->retarget_pose = NULL;
    gt_scene_destroy(scene);
}

// Without a T-pose, the scene's retarget pose is the reference: rotations after those at rest.
static void a_retarget_pose_is_the_reference(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtRetargetPose pose = gt_retarget_pose_identity();
    GtQuat by = gt_quat_from_axis_angle(gt_vec3(0.6f, 0.0f, 0.8f), 0.7f);
    pose.rotations[GT_HUMANOID_LEFT_UPPER_ARM] = by;
    scene->retarget_pose = &pose;
    int32_t arm = node_of(scene, GT_HUMANOID_LEFT_UPPER_ARM);
    GtTransform turned = scene->nodes[arm].local;
    turned.rotation = gt_quat_mul(by, turned.rotation);
    for (int clip = GT_NONE; clip < CLIP_COUNT; ++clip) {
        GtFigure figure = test_figure(&context, scene, clip);
        expect_reference(&figure, arm, turned);
        gti_figure_stand(&figure, NULL);
        expect_rest(&figure);
        gti_figure_stand(&figure, &pose);
        expect_reference(&figure, arm, turned);
        gt_figure_close(&figure);
    }
    scene->retarget_pose = NULL;
    gt_scene_destroy(scene);
}

static void maps_are_completed_or_taken_as_they_are(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtFigure figure;
    GtFigureDef def = playing(RAISE);
    GtHumanoidMap swapped = gt_humanoid_map_empty();
    swapped.nodes[GT_HUMANOID_LEFT_EYE] = node_of(scene, GT_HUMANOID_RIGHT_EYE);
    swapped.nodes[GT_HUMANOID_RIGHT_EYE] = node_of(scene, GT_HUMANOID_LEFT_EYE);
    def.map = &swapped;
    GT_EXPECT_OK(gt_figure_open(&context, scene, &def, &figure, &error));
    assert_int_equal(figure.map.nodes[GT_HUMANOID_LEFT_EYE], swapped.nodes[GT_HUMANOID_LEFT_EYE]);
    assert_int_equal(figure.map.nodes[GT_HUMANOID_RIGHT_EYE], swapped.nodes[GT_HUMANOID_RIGHT_EYE]);
    assert_int_equal(figure.map.nodes[GT_HUMANOID_HIPS], node_of(scene, GT_HUMANOID_HIPS));
    assert_true(figure.is_humanoid);
    gt_figure_close(&figure);

    def.map_is_whole = true;
    GT_EXPECT_OK(gt_figure_open(&context, scene, &def, &figure, &error));
    assert_memory_equal(&figure.map, &swapped, sizeof swapped);
    assert_null(figure.map_report);
    assert_false(figure.is_humanoid); // whose hips are not known
    GT_EXPECT_NEAR(figure.height_m, 0.0, 0.0);
    gt_figure_close(&figure);

    GtHumanoidMap none = gt_humanoid_map_empty();
    def = playing(RAISE);
    def.without_map = true;
    GT_EXPECT_OK(gt_figure_open(&context, scene, &def, &figure, &error));
    assert_memory_equal(&figure.map, &none, sizeof none);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        assert_int_equal(figure.joints[j], GT_NONE);
    }
    assert_null(figure.map_report);
    assert_false(figure.is_humanoid);
    GtFigure mapped = test_figure(&context, scene, RAISE);
    expect_same_pose(&figure, &mapped, 1.0);
    assert_memory_equal(figure.reference, mapped.reference, (size_t)figure.def->node_count * sizeof(GtMat34));
    gt_figure_close(&mapped);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

// A stick figure without names and toes, whose left and right cannot be told apart.
static GtScene* make_sideless(const GtContext* context)
{
    static const struct {
        int32_t parent;
        GtVec3 place;
    } joints[] = { { GT_NONE, { 0.0f, 1.0f, 0.0f } }, { 0, { 0.0f, 1.15f, 0.0f } },  { 1, { 0.0f, 1.35f, 0.0f } },
                   { 2, { 0.0f, 1.55f, 0.0f } },      { 3, { 0.0f, 1.65f, 0.0f } },  { 2, { 0.2f, 1.5f, 0.0f } },
                   { 5, { 0.45f, 1.5f, 0.0f } },      { 6, { 0.7f, 1.5f, 0.0f } },   { 2, { -0.2f, 1.5f, 0.0f } },
                   { 8, { -0.45f, 1.5f, 0.0f } },     { 9, { -0.7f, 1.5f, 0.0f } },  { 0, { 0.1f, 0.95f, 0.0f } },
                   { 11, { 0.1f, 0.5f, 0.0f } },      { 12, { 0.1f, 0.06f, 0.0f } }, { 0, { -0.1f, 0.95f, 0.0f } },
                   { 14, { -0.1f, 0.5f, 0.0f } },     { 15, { -0.1f, 0.06f, 0.0f } } };
    GtError error;
    GtScene* scene = NULL;
    GT_EXPECT_OK(gt_scene_create(context, &scene, &error));
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; ++i) {
        GtNode node = gt_default_node();
        bool is_root = joints[i].parent == GT_NONE;
        node.parent = joints[i].parent;
        node.local.translation =
            is_root ? joints[i].place : gt_vec3_sub(joints[i].place, joints[joints[i].parent].place);
        GT_EXPECT_OK(gt_scene_add_node(scene, &node, NULL, &error));
    }
    GT_EXPECT_OK(gt_scene_validate(context, scene, &error));
    return scene;
}

static void doubtful_sides_are_told_once(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_sideless(&context);
    for (int silent = 0; silent < 2; ++silent) {
        GtFigure figure;
        GtFigureDef def = gt_default_figure_def();
        def.silent_map = silent;
        context = test_context(&log);
        GT_EXPECT_OK(gt_figure_open(&context, scene, &def, &figure, &error));
        assert_int_equal(figure.map_report->verdict, GT_MAP_AMBIGUOUS);
        assert_int_equal(log.note_count, silent ? 0 : 1);
        assert_true(silent || strstr(log.text, "left and right cannot be told apart"));
        gt_figure_close(&figure);
    }
    gt_scene_destroy(scene);
}

static void what_is_not_there_is_refused(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtFigure figure;
    GtFigureDef def = playing(CLIP_COUNT);
    scene->source.file = "moving.glb";
    GT_EXPECT_ERROR(gt_figure_open(&context, scene, &def, &figure, &error), GT_ERROR_NOT_FOUND,
                    "moving.glb: there is no clip 2; the file has 2");
    gt_figure_close(&figure);
    def = playing(GT_NONE - 1);
    GT_EXPECT_ERROR(gt_sculpt_figure_open(&context, scene, &def, &figure, &error), GT_ERROR_NOT_FOUND,
                    "moving.glb: there is no clip -2; the file has 2");
    gt_figure_close(&figure);

    GtHumanoidMap map = gt_humanoid_map_empty();
    def = gt_default_figure_def();
    def.map = &map;
    def.map_is_whole = true;
    const int32_t wrong[] = { scene->node_count, -2 };
    for (int i = 0; i < 2; ++i) {
        char said[80];
        map.nodes[GT_HUMANOID_HEAD] = wrong[i];
        snprintf(said, sizeof said, "moving.glb: the map says that head is node %d; there are %d", (int)wrong[i],
                 (int)scene->node_count);
        GT_EXPECT_ERROR(gt_figure_open(&context, scene, &def, &figure, &error), GT_ERROR_BAD_VALUE, said);
        gt_figure_close(&figure);
    }
    scene->animation_count = 0;
    def = playing(0);
    GT_EXPECT_ERROR(gt_figure_open(&context, scene, &def, &figure, &error), GT_ERROR_NOT_FOUND,
                    "moving.glb: it has no clip");
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void posing_is_what_the_runtime_does(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtFigure figure = test_figure(&context, scene, RAISE);
    GtFigure still = test_figure(&context, scene, GT_NONE);
    GtInstance* instance = NULL;
    GT_EXPECT_OK(gt_instance_create(context.allocator, figure.character, &instance, &error));
    for (double time_s = 0.0; time_s < 2.5; time_s += 0.17) { // before, in and after the clip
        gt_instance_reset(instance);
        gt_clip_sample(figure.clip, time_s, instance->pose, instance->weights);
        gt_instance_update(instance);
        gt_figure_pose(&figure, time_s, figure.instance);
        expect_same_instance(figure.instance, instance);
    }
    gt_instance_reset(instance);
    gt_instance_update(instance);
    gt_figure_pose(&still, 1.0, still.instance);
    expect_same_instance(still.instance, instance);
    gt_instance_destroy(instance);
    gt_figure_close(&figure);
    gt_figure_close(&still);
    gt_scene_destroy(scene);
}

static void shared_figures_pose_independently(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtFigure figure = test_figure(&context, scene, RAISE);
    GtFigure alike = test_figure(&context, scene, RAISE);
    GtFigure shared;
    const GtiShell* shell = NULL;
    const GtiShell* shared_shell = NULL;
    GT_EXPECT_OK(gti_figure_shell(&context, &figure, &shell, &error));
    GT_EXPECT_OK(gti_figure_share(&context, &figure, &shared, &error));
    assert_ptr_equal(shared.character, figure.character);
    assert_ptr_equal(shared.clip, figure.clip);
    assert_memory_equal(shared.reference, figure.reference, (size_t)figure.def->node_count * sizeof(GtMat34));
    gt_figure_pose(&figure, 0.6, figure.instance);
    gt_figure_pose(&alike, 0.6, alike.instance);
    gt_figure_pose(&shared, 1.3, shared.instance);
    expect_same_instance(figure.instance, alike.instance); // whatever the other does
    gti_figure_stand(&shared, NULL);
    GtRetargetPose pose = gt_retarget_pose_identity();
    pose.rotations[GT_HUMANOID_LEFT_UPPER_LEG] = gt_quat_from_axis_angle(gt_vec3(1.0f, 0.0f, 0.0f), 1.0f);
    gti_figure_stand(&shared, &pose);
    assert_memory_equal(figure.reference, alike.reference, (size_t)figure.def->node_count * sizeof(GtMat34));
    GtVec3 moved = gt_vec3_sub(gti_figure_reference(&shared, GT_HUMANOID_LEFT_FOOT),
                               gti_figure_reference(&figure, GT_HUMANOID_LEFT_FOOT));
    assert_true(gt_vec3_length(moved) > 0.5f);
    expect_same_pose(&shared, &alike, 0.9);
    GT_EXPECT_OK(gti_figure_shell(&context, &shared, &shared_shell, &error));
    assert_ptr_equal(shared_shell->figure, &shared);
    assert_int_equal(shared_shell->hash, shell->hash);
    gt_figure_close(&shared);
    expect_same_pose(&figure, &alike, 0.9); // its character and clip are still there
    gt_figure_close(&alike);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
}

static void another_clip_is_as_good_as_opened_anew(void** state)
{
    (void)state;
    GtError error;
    GtContext context = gt_default_context();
    GtScene* bare = make_moving(&context);
    GtScene* scene = NULL; // with the clips that the figure was opened without
    GT_EXPECT_OK(gt_scene_copy(&context, bare, &scene, &error));
    scene->animations[NOD].tpose_first = true;
    bare->animation_count = 0;
    GtFigure figure = test_figure(&context, bare, GT_NONE);
    const GtiShell* shell = NULL;
    GT_EXPECT_OK(gti_figure_shell(&context, &figure, &shell, &error));
    static const int32_t order[] = { NOD, RAISE, NOD };
    for (int i = 0; i < 3; ++i) {
        GT_EXPECT_OK(gt_figure_set_clip(&context, &figure, scene, order[i], &error));
        GtFigure anew = test_figure(&context, scene, order[i]);
        assert_ptr_equal(figure.scene, scene);
        assert_int_equal(figure.animation, order[i]);
        GT_EXPECT_NEAR(figure.start_s, anew.start_s, 0.0);
        GT_EXPECT_NEAR(figure.end_s, anew.end_s, 0.0);
        GT_EXPECT_NEAR(figure.key_rate_hz, anew.key_rate_hz, 0.0);
        GT_EXPECT_NEAR(figure.height_m, anew.height_m, 0.0);
        assert_memory_equal(figure.reference, anew.reference, (size_t)figure.def->node_count * sizeof(GtMat34));
        expect_same_instance(figure.instance, anew.instance);
        for (double time_s = 0.4; time_s < 2.0; time_s += 0.3) {
            expect_same_pose(&figure, &anew, time_s);
        }
        gt_figure_close(&anew);
        assert_int_equal(gt_figure_set_clip(&context, &figure, scene, CLIP_COUNT, &error), GT_ERROR_NOT_FOUND);
        assert_int_equal(figure.animation, order[i]); // as it was
    }
    assert_ptr_equal(figure.shell, shell);
    gt_figure_close(&figure);
    gt_scene_destroy(scene);
    gt_scene_destroy(bare);
}

// Opened, shared, given a surface and another clip: what there is no memory for leaves nothing behind, and a figure
// that cannot take another clip goes on with its own.
static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext plenty = gt_default_context();
    GtContext context = plenty;
    context.allocator = test_allocator(&memory);
    GtScene* scene = make_moving(&plenty);
    GtFigure alike = test_figure(&plenty, scene, RAISE);
    GtFigureDef def = playing(RAISE);
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    int failures = 0;
    for (int64_t allowed = 0; result != GT_OK; ++allowed, ++failures) {
        GtFigure figure;
        GtFigure shared = { 0 };
        const GtiShell* shell = NULL;
        memory.remaining = allowed;
        result = gt_figure_open(&context, scene, &def, &figure, &error);
        bool is_open = result == GT_OK;
        if (result == GT_OK) {
            result = gti_figure_share(&context, &figure, &shared, &error);
        }
        if (result == GT_OK) {
            result = gti_figure_shell(&context, &figure, &shell, &error);
            assert_true((shell != NULL) == (result == GT_OK));
        }
        gt_figure_close(&shared);
        if (result == GT_OK) {
            result = gt_figure_set_clip(&context, &figure, scene, NOD, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        if (is_open && result != GT_OK) {
            expect_same_pose(&figure, &alike, 0.8);
        }
        gt_figure_close(&figure);
        assert_int_equal(memory.alive, 0);
    }
    assert_true(failures > 20);
    gt_figure_close(&alike);
    gt_scene_destroy(scene);
}

// How far the lattice goes is how fast the hips are, whom the figure's map finds; half the box is shifted by it.
static const char kept_text[] =
    "{\"gertie_deform\":1,\"sections\":[{\"name\":\"a\",\"joint\":\"head\",\"border\":0,\"points\":[2,2,2],"
    "\"box\":{\"center\":[0,0,0],\"axes\":[[1,0,0],[0,1,0],[0,0,1]]},\"poses\":{"
    "\"p\":{\"0,0,0\":[0.1,0,0],\"0,1,0\":[0.1,0,0],\"0,0,1\":[0.1,0,0],\"0,1,1\":[0.1,0,0]}}}],"
    "\"tracks\":[{\"channel\":\"lattice:a.p\",\"formula\":\"speed:hips\"}]}";

static void what_a_scene_keeps_poses_its_figure(void** state)
{
    (void)state;
    GtError error;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_moving(&context);
    GtFigure plain, kept, shared;
    GtFigureDef def = playing(RAISE);
    GT_EXPECT_OK(gt_sculpt_figure_open(&context, scene, &def, &plain, &error));
    assert_null(gt_sculpt_figure_player(&plain));
    scene->deform = kept_text;
    GT_EXPECT_OK(gt_sculpt_figure_open(&context, scene, &def, &kept, &error));
    const GtSculptPlayer* player = gt_sculpt_figure_player(&kept);
    assert_non_null(player);
    GT_EXPECT_OK(gti_figure_share(&context, &kept, &shared, &error));
    GT_EXPECT_NEAR(kept.start_s, plain.start_s, 0.0);
    assert_memory_equal(kept.reference, plain.reference, (size_t)plain.def->node_count * sizeof(GtMat34));
    GtInstance* played = NULL;
    GT_EXPECT_OK(gt_instance_create(context.allocator, kept.character, &played, &error));
    int32_t count = plain.def->meshes[0].vertex_count;
    GtVec3* vertices = calloc(2 * (size_t)count, sizeof *vertices);
    assert_non_null(vertices);
    for (double time_s = 0.75; time_s < 1.5; time_s += 0.25) {
        gt_sculpt_play(player, time_s, played);
        expect_same_pose(&kept, &shared, time_s);
        expect_same_instance(kept.instance, played);
        GT_EXPECT_NEAR(kept.instance->section_values[gt_section_first_value(kept.character, 0) + 1], walk_mps, 1e-3);
        gt_figure_pose(&plain, time_s, plain.instance);
        assert_memory_equal(kept.instance->model_from_node, plain.instance->model_from_node,
                            (size_t)plain.def->node_count * sizeof(GtMat34));
        gt_instance_deform(kept.instance, 0, vertices, NULL, NULL);
        gt_instance_deform(plain.instance, 0, vertices + count, NULL, NULL);
        float most = 0.0f;
        for (int32_t v = 0; v < count; ++v) {
            most = fmaxf(most, gt_vec3_length(gt_vec3_sub(vertices[v], vertices[count + v])));
        }
        assert_true(most > 0.05f && most < 0.1f * walk_mps); // a head in the middle of the box
    }
    free(vertices);
    gt_instance_destroy(played);
    gt_figure_close(&shared);
    gt_figure_close(&kept);
    gt_figure_close(&plain);
    assert_int_equal(log.warning_count, 0);
    scene->deform = NULL;
    gt_scene_destroy(scene);
}

static void memory_may_run_out_for_what_is_kept(void** state)
{
    (void)state;
    GtError error;
    TestAllocator memory = { .remaining = -1 };
    GtContext context = gt_default_context();
    GtScene* scene = make_moving(&context);
    GtFigureDef def = playing(RAISE);
    context.allocator = test_allocator(&memory);
    scene->deform = kept_text;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        GtFigure figure;
        memory.remaining = allowed;
        result = gt_sculpt_figure_open(&context, scene, &def, &figure, &error);
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        assert_true(result != GT_OK || gt_sculpt_figure_player(&figure));
        gt_figure_close(&figure);
        assert_int_equal(memory.alive, 0);
    }
    memory.remaining = -1;
    GtFigure figure;
    def = playing(CLIP_COUNT); // found out when the sculpt was read already
    GT_EXPECT_ERROR(gt_sculpt_figure_open(&context, scene, &def, &figure, &error), GT_ERROR_NOT_FOUND,
                    "there is no clip 2; the file has 2");
    gt_figure_close(&figure);
    assert_int_equal(memory.alive, 0);
    scene->deform = NULL;
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_opened_figure_stands_at_rest),
        cmocka_unit_test(giants_are_larger_than_a_person),
        cmocka_unit_test(a_clip_has_its_times),
        cmocka_unit_test(a_leading_tpose_is_the_reference),
        cmocka_unit_test(a_retarget_pose_is_the_reference),
        cmocka_unit_test(maps_are_completed_or_taken_as_they_are),
        cmocka_unit_test(doubtful_sides_are_told_once),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(posing_is_what_the_runtime_does),
        cmocka_unit_test(shared_figures_pose_independently),
        cmocka_unit_test(another_clip_is_as_good_as_opened_anew),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(what_a_scene_keeps_poses_its_figure),
        cmocka_unit_test(memory_may_run_out_for_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
