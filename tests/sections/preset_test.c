// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Presets on the built-in person: joints that keep their volume, a body at rest that stays as it is, names that are
// none, every allocation failing in turn.

#include "harmonic/people.h"
#include "support/test.h"

#include "gertie/accessor.h"
#include "gertie/sculpt.h"

#include "sections/preset/hinge.h"

#include <math.h>

static const float degree = 0.0174532925f;

// A person with presets, and a body to measure.
typedef struct Fixture {
    TestLog log;
    GtContext context;
    GtScene* scene;
    GtSculpt* sculpt;
    GtCharacter* character;
    GtInstance* instance;
    GtArena arena;
    GtiSculptBody body;
    GtVec3* vertices; // [vertex_count]
    GtVec3* points;   // [point_count]
} Fixture;

static void open_person(Fixture* f, int32_t triangle_count, const char* presets)
{
    GtError error;
    GtBuildDef build = gt_default_build_def();
    f->context = test_context(&f->log);
    f->scene = make_person(&f->context, triangle_count);
    f->arena = gt_arena_create(gt_default_allocator());
    GT_EXPECT_OK(gt_sculpt_preset(&f->context, f->scene, presets, &f->sculpt, &error));
    GT_EXPECT_OK(gt_sculpt_character(&f->context, f->scene, f->sculpt, &build, &f->character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(gt_default_allocator(), f->character, &f->instance, &error));
    GT_EXPECT_OK(gti_sculpt_body_open(&f->context, &f->arena, f->scene, &f->body, &error));
    f->vertices = gt_arena_push_array(&f->arena, (size_t)f->body.shell->vertex_count, sizeof *f->vertices);
    f->points = gt_arena_push_array(&f->arena, (size_t)f->body.shell->point_count, sizeof *f->points);
    assert_true(f->vertices && f->points);
}

static void close_person(Fixture* f)
{
    gti_sculpt_body_close(&f->body);
    gt_arena_destroy(&f->arena);
    gt_instance_destroy(f->instance);
    gt_character_destroy(f->character);
    gt_sculpt_destroy(f->sculpt);
    gt_scene_destroy(f->scene);
}

// Where the points of the shell are now.
static void deform(Fixture* f)
{
    gt_instance_update(f->instance);
    for (int32_t m = 0; m < gt_character_def(f->character)->mesh_count; ++m) {
        gt_instance_deform(f->instance, m, f->vertices + f->body.shell->first_vertex[m], NULL, NULL);
    }
    for (int32_t v = 0; v < f->body.shell->vertex_count; ++v) {
        f->points[f->body.shell->points[v]] = f->vertices[v];
    }
}

static GtSculptPlayer* make_player(const Fixture* f, const GtClip* clip)
{
    GtError error;
    GtSculptPlayer* player = NULL;
    GtSculptPlayerDef def = gt_default_sculpt_player_def();
    def.scene = f->scene;
    def.sculpt = f->sculpt;
    def.character = f->character;
    def.clip = clip;
    GT_EXPECT_OK(gt_sculpt_player_create(&f->context, &def, &player, &error));
    return player;
}

// A joint that bends from rest by one degree a second.
static GtClip* make_clip(const Fixture* f, const GtiHinge* hinge, int32_t node)
{
    enum {
        KEYS = 6
    };
    GtError error;
    GtClip* clip = NULL;
    float times[KEYS];
    float turns[KEYS * 4];
    GtMat34 node_from_model = gt_mat34_inverse(&f->body.shell->bind[node], NULL);
    GtVec3 axis = gt_vec3_normalize_or(gt_mat34_vector(&node_from_model, hinge->axis), gt_vec3(1.0f, 0.0f, 0.0f));
    for (int i = 0; i < KEYS; ++i) {
        times[i] = 30.0f * (float)i;
        GtQuat turn = gt_quat_mul(gt_character_def(f->character)->rest[node].rotation,
                                  gt_quat_from_axis_angle(axis, times[i] * degree));
        memcpy(turns + 4 * (size_t)i, &turn, sizeof turn);
    }
    GtTrackDef track = { .target = node,
                         .kind = GT_TRACK_ROTATION,
                         .key_count = KEYS,
                         .times_s = times,
                         .values = turns,
                         .component_count = 4,
                         .interpolation = GT_INTERPOLATION_LINEAR };
    GtClipDef def = gt_default_clip_def();
    def.tracks = &track;
    def.track_count = 1;
    def.node_count = gt_character_def(f->character)->node_count;
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &clip, &error));
    return clip;
}

// How much farther from the bent bones the outside of a joint is than it was, at most.
static double find_bulge(const Fixture* f, const GtiHinge* hinge, float angle_rad, const GtVec3* points)
{
    GtVec3 inner = gt_vec3_cross(hinge->axis, hinge->along);
    const GtVec3 bones[2] = { gt_vec3_scale(hinge->along, -1.0f),
                              gt_quat_rotate(gti_hinge_turn(hinge, angle_rad), hinge->along) };
    double most = 0.0;
    for (int32_t t = 0; t < hinge->triangle_count; ++t) {
        int32_t i = (int32_t)f->body.shell->corners[3 * (size_t)hinge->triangles[t]];
        GtVec3 from = gt_vec3_sub(f->body.shell->positions[i], hinge->origin);
        GtVec3 off = gt_vec3_sub(from, gt_vec3_scale(hinge->along, gt_vec3_dot(from, hinge->along)));
        GtVec3 to = gt_vec3_sub(points[i], hinge->origin);
        float far_m = INFINITY;
        for (int b = 0; b < 2; ++b) {
            GtVec3 on_bone = gt_vec3_scale(bones[b], fmaxf(gt_vec3_dot(bones[b], to), 0.0f));
            far_m = fminf(far_m, gt_vec3_length(gt_vec3_sub(to, on_bone)));
        }
        bool is_outside = gt_vec3_dot(off, inner) < -0.8f * gt_vec3_length(off);
        most = is_outside ? fmax(most, (double)(far_m / gt_vec3_length(off))) : most;
    }
    return most;
}

// Bent by 120 degrees, elbows lose more than 15 % of their volume by linear skin; with muscles, at any angle, at
// most 5.
static void check_hinge(Fixture* f, GtHumanoidJoint upper, GtHumanoidJoint lower, GtHumanoidJoint end, float towards)
{
    GtError error;
    GtiHinge hinge;
    GtiSculptLimb limbs[2];
    assert_true(gti_sculpt_limb(&f->body, upper, lower, &limbs[0]) && gti_sculpt_limb(&f->body, lower, end, &limbs[1]));
    GT_EXPECT_OK(gti_hinge_make(&f->context, &f->arena, &f->body, &limbs[0], &limbs[1], gt_vec3(0.0f, 0.0f, towards),
                                &hinge, &error));
    GtClip* clip = make_clip(f, &hinge, limbs[1].node);
    GtSculptPlayer* player = make_player(f, clip);
    for (int angle = 0; angle <= 150; angle += 30) {
        gt_sculpt_play(player, angle, f->instance);
        deform(f);
        GT_EXPECT_NEAR(gti_hinge_volume(&hinge, f->points), 1.0, angle <= 120 ? 0.05 : 0.1);
        for (int32_t s = 0; s < f->sculpt->section_count; ++s) {
            f->instance->section_values[gt_section_first_value(f->character, s)] = 0.0f;
        }
        deform(f);
        assert_true(angle != 120 || gti_hinge_volume(&hinge, f->points) < 0.85);
        gti_hinge_bend_full(&hinge, (float)angle * degree, f->points);
        double bulge = find_bulge(f, &hinge, (float)angle * degree, f->points);
        assert_true(angle > 120 || bulge <= 1.0 + 1e-3 * angle); // no ball
    }
    gt_sculpt_player_destroy(player);
    gt_clip_destroy(clip);
}

// How far a pose moves any control point of a section.
static float find_pose(const GtSculpt* sculpt, const char* name, const char* pose)
{
    float most = 0.0f;
    for (int32_t s = 0; s < sculpt->section_count; ++s) {
        const GtSectionDef* section = &sculpt->sections[s].def;
        for (int32_t p = 0; p < section->pose_count && strcmp(section->name, name) == 0; ++p) {
            for (int32_t i = 0; strcmp(section->poses[p].name, pose) == 0 && i < 64; ++i) {
                most = fmaxf(most, gt_vec3_length(section->poses[p].offsets[i]));
            }
        }
    }
    return most;
}

// Thighs that touch: neither region takes what the other should have.
static void check_sides(const GtSculpt* sculpt)
{
    static const char* const poses[] = { "Thigh", "Hamstring" };
    for (int i = 0; i < 2; ++i) {
        float left = find_pose(sculpt, "leftUpperLeg", poses[i]);
        float right = find_pose(sculpt, "rightUpperLeg", poses[i]);
        assert_true(left > 0.0f && fabsf(left - right) < 0.01f * left);
    }
}

static void test_muscles_keep_volume_on_both_sides(void** state)
{
    (void)state;
    Fixture f = { 0 };
    open_person(&f, 12000, "muscles");
    check_hinge(&f, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_LEFT_HAND, 1.0f);
    check_hinge(&f, GT_HUMANOID_RIGHT_UPPER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_RIGHT_FOOT, -1.0f);
    check_sides(f.sculpt);
    assert_int_equal(f.log.warning_count, 0);
    close_person(&f);
}

// Sections of all presets together, with nothing that drives them, are the linear skin, whatever the pose.
static void test_presets_at_rest_leave_the_skin(void** state)
{
    (void)state;
    Fixture f = { 0 };
    open_person(&f, 4000, "muscles,breath,squash,jiggle");
    int32_t count = f.body.shell->point_count;
    GtVec3* skin = gt_arena_push_array(&f.arena, (size_t)count, sizeof *skin);
    assert_non_null(skin);
    for (int32_t n = 0; n < gt_character_def(f.character)->node_count; ++n) { // some pose
        GtVec3 axis =
            gt_vec3_normalize_or(gt_vec3((float)(n % 3) - 1.0f, 0.5f, (float)(n % 2)), gt_vec3(1.0f, 0.0f, 0.0f));
        GtQuat turn = gt_quat_from_axis_angle(axis, 20.0f * degree);
        f.instance->pose[n].rotation = gt_quat_mul(f.instance->pose[n].rotation, turn);
    }
    deform(&f);
    memcpy(skin, f.points, (size_t)count * sizeof *skin);
    for (int32_t s = 0; s < f.sculpt->section_count; ++s) {
        f.instance->section_values[gt_section_first_value(f.character, s)] = 0.0f;
    }
    deform(&f);
    for (int32_t i = 0; i < count; ++i) {
        assert_true(gt_vec3_length(gt_vec3_sub(skin[i], f.points[i])) < 0.004f);
    }
    close_person(&f);
}

// A breath goes in and out; what is not the torso stays.
static void test_breath_moves_the_chest(void** state)
{
    (void)state;
    Fixture f = { 0 };
    open_person(&f, 4000, "breath");
    GtSculptPlayer* player = make_player(&f, NULL);
    float chest_m = 0.0f;
    float hand_m = 0.0f;
    gt_sculpt_play(player, 2.0, f.instance);
    deform(&f);
    for (int32_t i = 0; i < f.body.shell->point_count; ++i) {
        GtVec3 rest = f.body.shell->positions[i];
        float moved = gt_vec3_length(gt_vec3_sub(f.points[i], rest));
        chest_m = fmaxf(chest_m, moved);
        hand_m = fmaxf(hand_m, rest.x > 0.6f ? moved : 0.0f);
    }
    assert_true(chest_m > 0.008f && chest_m < 0.03f);
    assert_true(hand_m < 1e-6f);
    gt_sculpt_player_destroy(player);
    close_person(&f);
}

static void test_names_that_are_none(void** state)
{
    (void)state;
    static const char* const names[] = { "", "muscle", "muscles,", ",breath", "muscles breath" };
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_person(&context, 2000);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        GtError error;
        GtSculpt* sculpt = NULL;
        assert_int_equal(gt_sculpt_preset(&context, scene, names[i], &sculpt, &error), GT_ERROR_NOT_FOUND);
        assert_non_null(strstr(error.message, "there is no preset"));
        assert_null(sculpt);
    }
    gt_scene_destroy(scene);
}

// Every vertex hangs on the joint that has most of it, as the parts of a robot do.
static void stiffen(GtScene* scene)
{
    GtError error;
    GtPrimitive* primitive = gt_scene_push(scene, 1, sizeof *primitive);
    GtAttribute* attributes = gt_scene_push(scene, 8, sizeof *attributes);
    assert_true(primitive && attributes);
    *primitive = scene->meshes[0].primitives[0];
    assert_in_range(primitive->attribute_count, 1, 8);
    memcpy(attributes, primitive->attributes, (size_t)primitive->attribute_count * sizeof *attributes);
    for (int32_t i = 0; i < primitive->attribute_count; ++i) {
        if (strcmp(attributes[i].name, "WEIGHTS_0") != 0) {
            continue;
        }
        uint64_t count = scene->accessors[attributes[i].accessor].count;
        float* weights = gt_scene_push(scene, count * 4, sizeof *weights);
        assert_non_null(weights);
        gt_accessor_read_floats(scene, attributes[i].accessor, 0, count, weights);
        for (uint64_t v = 0; v < count; ++v) {
            int most = 0;
            for (int k = 1; k < 4; ++k) {
                most = weights[4 * v + (uint64_t)k] > weights[4 * v + (uint64_t)most] ? k : most;
            }
            for (int k = 0; k < 4; ++k) {
                weights[4 * v + (uint64_t)k] = k == most ? 1.0f : 0.0f;
            }
        }
        GT_EXPECT_OK(gt_scene_add_data(scene, GT_USE_VERTEX, GT_ELEMENT_VEC4, GT_COMPONENT_FLOAT, weights, count,
                                       &attributes[i].accessor, &error));
    }
    primitive->attributes = attributes;
    scene->meshes[0].primitives = primitive;
}

// Highest of the left biceps, and how thick the arm is there.
static float find_biceps(const GtContext* context, double build, float* radius_m)
{
    GtError error;
    GtScene* scene = NULL;
    GtSculpt* sculpt = NULL;
    GtiSculptBody body;
    GtiSculptLimb limb;
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 2500;
    def.build = build;
    GT_EXPECT_OK(gt_sample_person(context, &def, &scene, NULL, &error));
    stiffen(scene); // elbows take the most time
    GT_EXPECT_OK(gt_sculpt_preset(context, scene, "muscles", &sculpt, &error));
    GT_EXPECT_OK(gti_sculpt_body_open(context, &arena, scene, &body, &error));
    assert_true(gti_sculpt_limb(&body, GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, &limb));
    float* shares = gt_arena_push_array(&arena, (size_t)body.shell->point_count, sizeof *shares);
    gti_sculpt_shares(&body, GT_HUMANOID_LEFT_UPPER_ARM, false, shares);
    GtVec3 middle = gt_vec3_lerp(limb.from, limb.to, 0.5f);
    *radius_m = gti_sculpt_girth(&body, shares, middle, limb.along, 0.2f * limb.length_m).mean_m;
    float most = find_pose(sculpt, "leftUpperArm", "Biceps");
    gti_sculpt_body_close(&body);
    gt_arena_destroy(&arena);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
    return most;
}

// A thin arm is mostly bone: its biceps is smaller even beside its radius.
static void test_amounts_know_the_build(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    float radii[2];
    float thin = find_biceps(&context, -1.0, &radii[0]);
    float full = find_biceps(&context, 1.0, &radii[1]);
    assert_true(thin > 0.0f && radii[1] > 1.1f * radii[0]);
    assert_true(full / radii[1] > 1.1f * (thin / radii[0]));
}

// Where nothing bends there is no elbow to be kept in shape; muscles, which the angle drives, stay.
static void test_machines_have_no_elbows(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_person(&context, 2500);
    GtError error;
    GtSculpt* sculpt = NULL;
    stiffen(scene);
    GT_EXPECT_OK(gt_sculpt_preset(&context, scene, "muscles", &sculpt, &error));
    int biceps = 0;
    for (int32_t s = 0; s < sculpt->section_count; ++s) {
        assert_null(strstr(sculpt->sections[s].def.name, "Elbow"));
        assert_null(strstr(sculpt->sections[s].def.name, "Knee"));
        biceps += strcmp(sculpt->sections[s].def.name, "leftUpperArm") == 0 && sculpt->sections[s].def.pose_count > 0;
    }
    assert_int_equal(biceps, 1);
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

static void cut_below(GtScene* scene, const char* name)
{
    GtNode* node = &scene->nodes[gt_scene_find_node(scene, name)];
    scene->nodes[node->children[0]].parent = GT_NONE;
    node->child_count = 0;
    scene->humanoid = NULL;
}

// A body without a hand has presets all the same, and is told; one without a foot has none, and is told why.
static void test_missing_joints_are_named(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_person(&context, 2000);
    GtError error;
    GtSculpt* sculpt = NULL;
    cut_below(scene, "leftLowerArm");
    GT_EXPECT_OK(gt_sculpt_preset(&context, scene, "squash", &sculpt, &error));
    assert_non_null(strstr(log.text, "presets leave out what leftHand would drive: it was not found"));
    gt_sculpt_destroy(sculpt);
    cut_below(scene, "rightLowerLeg");
    GT_EXPECT_ERROR(gt_sculpt_preset(&context, scene, "squash", &sculpt, &error), GT_ERROR_NOT_FOUND,
                    "both legs: this is a humanoid without rightFoot, leftHand");
    gt_scene_destroy(scene);
}

static bool is_of_skull(const GtSculptSection* section)
{
    return strcmp(section->joint, "head") == 0 || strcmp(section->joint, "jaw") == 0;
}

// The chin of a heavy one is in the box of his torso, and does not swing with it.
static void test_chins_do_not_jiggle(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtError error;
    GtScene* scene = NULL;
    GtSculpt* sculpt = NULL;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 4000;
    def.build = 2.0;
    GT_EXPECT_OK(gt_sample_person(&context, &def, &scene, NULL, &error));
    GT_EXPECT_OK(gt_sculpt_preset(&context, scene, "jiggle", &sculpt, &error));
    int skull_count = 0;
    for (int32_t i = 0; i < sculpt->section_count; ++i) {
        skull_count += is_of_skull(&sculpt->sections[i]);
    }
    assert_int_equal(skull_count, 2);
    assert_int_equal(sculpt->jiggle_count, sculpt->section_count - 2);
    for (int32_t i = 0; i < sculpt->jiggle_count; ++i) {
        assert_false(is_of_skull(&sculpt->sections[sculpt->jiggles[i].section]));
    }
    gt_sculpt_destroy(sculpt);
    gt_scene_destroy(scene);
}

static void test_allocations_fail_in_turn(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* scene = make_person(&context, 2000);
    TestAllocator counting = { .remaining = -1 };
    context.allocator = test_allocator(&counting);
    GtError error;
    GtSculpt* sculpt = NULL;
    GT_EXPECT_OK(gt_sculpt_preset(&context, scene, "breath,jiggle", &sculpt, &error));
    gt_sculpt_destroy(sculpt);
    int64_t made = counting.made;
    for (int64_t i = 0; i < made; i += 1 + made / 60) {
        TestAllocator failing = { .remaining = i };
        context.allocator = test_allocator(&failing);
        assert_int_equal(gt_sculpt_preset(&context, scene, "breath,jiggle", &sculpt, &error), GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(failing.alive, 0);
    }
    gt_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_muscles_keep_volume_on_both_sides),
        cmocka_unit_test(test_presets_at_rest_leave_the_skin),
        cmocka_unit_test(test_breath_moves_the_chest),
        cmocka_unit_test(test_names_that_are_none),
        cmocka_unit_test(test_amounts_know_the_build),
        cmocka_unit_test(test_machines_have_no_elbows),
        cmocka_unit_test(test_missing_joints_are_named),
        cmocka_unit_test(test_chins_do_not_jiggle),
        cmocka_unit_test(test_allocations_fail_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
