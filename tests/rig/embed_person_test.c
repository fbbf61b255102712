// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// The fitted person, against bodies whose joints are known: the built-in person in poses that its mesh was not made in,
// as a scan, larger, smaller, mirrored. And against what is no body at all.

#include "rig/embed/embed.h"

#include "gertie/build.h"
#include "gertie/instance.h"
#include "gertie/person.h"

#include "base/fail.h"
#include "support/test.h"

#include <stdlib.h>

static const GtHumanoidJoint main_joints[] = {
    GT_HUMANOID_LEFT_UPPER_ARM, GT_HUMANOID_RIGHT_UPPER_ARM, GT_HUMANOID_LEFT_LOWER_ARM, GT_HUMANOID_RIGHT_LOWER_ARM,
    GT_HUMANOID_LEFT_HAND,      GT_HUMANOID_RIGHT_HAND,      GT_HUMANOID_LEFT_UPPER_LEG, GT_HUMANOID_RIGHT_UPPER_LEG,
    GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG, GT_HUMANOID_LEFT_FOOT,      GT_HUMANOID_RIGHT_FOOT,
};

enum {
    MAIN_JOINTS = sizeof main_joints / sizeof main_joints[0]
};

// A body with what is known of it.
typedef struct Known {
    GtArena arena;
    GtiRigBody body;
    GtiSolid solid;
    GtVec3 joints[GT_HUMANOID_JOINT_COUNT];
} Known;

static void add_normals(Known* k)
{
    GtiRigBody* body = &k->body;
    body->normals = gt_arena_push_array(&k->arena, (size_t)body->point_count, sizeof *body->normals);
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t* c = body->triangles[t];
        GtVec3 normal = gt_vec3_cross(gt_vec3_sub(body->points[c[1]], body->points[c[0]]),
                                      gt_vec3_sub(body->points[c[2]], body->points[c[0]]));
        for (int i = 0; i < 3; ++i) {
            body->normals[c[i]] = gt_vec3_add(body->normals[c[i]], normal);
        }
    }
    for (int32_t i = 0; i < body->point_count; ++i) {
        body->normals[i] = gt_vec3_normalize_or(body->normals[i], gt_vec3(0.0f, 0.0f, 0.0f));
    }
}

// Feet on the ground, height 1, pieces of one kind, solid.
static void finish(Known* k)
{
    GtiRigBody* body = &k->body;
    float low = INFINITY;
    float high = -INFINITY;
    for (int32_t i = 0; i < body->point_count; ++i) {
        low = fminf(low, body->points[i].y);
        high = fmaxf(high, body->points[i].y);
    }
    float scale = high > low ? 1.0f / (high - low) : 1.0f;
    for (int32_t i = 0; i < body->point_count; ++i) {
        body->points[i] = gt_vec3_scale(gt_vec3_sub(body->points[i], gt_vec3(0.0f, low, 0.0f)), scale);
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        k->joints[j] = gt_vec3_scale(gt_vec3_sub(k->joints[j], gt_vec3(0.0f, low, 0.0f)), scale);
    }
    add_normals(k);
    body->pieces = gt_arena_push_array(&k->arena, (size_t)body->point_count, sizeof *body->pieces);
    body->kinds = gt_arena_push_array(&k->arena, 1, sizeof *body->kinds);
    body->kinds[0] = GTI_PIECE_SKIN;
    body->piece_count = 1;
    body->skin_triangle_count = body->triangle_count;
    GtContext context = gt_default_context();
    GtError error;
    GtiTrimesh mesh = { body->points, body->point_count, body->triangles, body->triangle_count };
    GT_EXPECT_OK(gti_solid_make(&context, &mesh, 0.02f, 1000000, &k->arena, &k->solid, &error));
}

// A joint turned from the T-pose.
typedef struct Turn {
    GtHumanoidJoint joint;
    GtVec3 axis;
    float angle_rad;
} Turn;

static Known make_turned(const GtPersonDef* def, const Turn* turns, int count)
{
    Known k = { .arena = gt_arena_create(gt_default_allocator()) };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* scene;
    GtCharacter* character;
    GtInstance* instance;
    GT_EXPECT_OK(gt_sample_person(&context, def, &scene, NULL, &error));
    GtBuildDef build = gt_default_build_def();
    GT_EXPECT_OK(gt_character_build(&context, scene, &build, &character, NULL, &error));
    GT_EXPECT_OK(gt_instance_create(context.allocator, character, &instance, &error));
    for (int i = 0; i < count; ++i) {
        int32_t node = gt_character_find_node(character, gt_humanoid_name(turns[i].joint));
        instance->pose[node].rotation = gt_quat_from_axis_angle(turns[i].axis, turns[i].angle_rad);
    }
    gt_instance_update(instance);
    const GtMeshDef* mesh = &gt_character_def(character)->meshes[0];
    k.body.point_count = mesh->vertex_count;
    k.body.triangle_count = mesh->index_count / 3;
    k.body.points = gt_arena_push_array(&k.arena, (size_t)mesh->vertex_count, sizeof *k.body.points);
    k.body.triangles = gt_arena_push_array(&k.arena, (size_t)k.body.triangle_count, sizeof *k.body.triangles);
    GtVec3* normals = gt_arena_push_array(&k.arena, (size_t)mesh->vertex_count, sizeof *normals);
    gt_instance_deform(instance, 0, k.body.points, normals, NULL);
    for (int32_t i = 0; i < mesh->index_count; ++i) {
        k.body.triangles[i / 3][i % 3] = (int32_t)mesh->indices[i];
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        int32_t node = gt_character_find_node(character, gt_humanoid_name((GtHumanoidJoint)j));
        k.joints[j] = gt_mat34_translation(&instance->model_from_node[node]);
    }
    finish(&k);
    gt_instance_destroy(instance);
    gt_character_destroy(character);
    gt_scene_destroy(scene);
    return k;
}

// A person with arms turned down from the T-pose.
static Known make_posed(const GtPersonDef* def, float down_rad)
{
    const Turn turns[] = { { GT_HUMANOID_LEFT_UPPER_ARM, { 0.0f, 0.0f, 1.0f }, -down_rad },
                           { GT_HUMANOID_RIGHT_UPPER_ARM, { 0.0f, 0.0f, 1.0f }, down_rad } };
    return make_turned(def, turns, 2);
}

static GtPersonDef some_person(uint64_t seed)
{
    GtPersonDef def = gt_random_person_def(seed);
    def.triangle_count = 3000;
    return def;
}

static const GtiRigJoint* joint_of(const GtiRigSkeleton* skeleton, GtHumanoidJoint joint)
{
    for (int32_t i = 0; i < skeleton->joint_count; ++i) {
        if (skeleton->joints[i].humanoid == (int32_t)joint) {
            return &skeleton->joints[i];
        }
    }
    return NULL;
}

static GtiRigSkeleton embed(Known* k, float* fit)
{
    GtContext context = gt_default_context();
    GtError error;
    GtiRigSkeleton skeleton;
    GtiPersonGoodness goodness;
    GT_EXPECT_OK(gti_embed_person(&context, &k->body, &k->solid, &k->arena, &skeleton, &goodness, &error));
    assert_true(goodness.least_part >= 0.0f && goodness.least_part <= 1.0f);
    *fit = goodness.fit;
    return skeleton;
}

// Errors of the main joints, heights.
static void expect_joints(Known* k, float least_fit, float mean, float worst)
{
    float fit;
    GtiRigSkeleton skeleton = embed(k, &fit);
    assert_true(fit > least_fit && fit <= 1.0f);
    float sum = 0.0f;
    for (int i = 0; i < MAIN_JOINTS; ++i) {
        const GtiRigJoint* joint = joint_of(&skeleton, main_joints[i]);
        assert_non_null(joint);
        float error = gt_vec3_length(gt_vec3_sub(joint->position, k->joints[main_joints[i]]));
        if (!(error <= worst)) {
            fail_msg("%s is %g heights off", gt_humanoid_name(main_joints[i]), (double)error);
        }
        sum += error;
    }
    if (!(sum / MAIN_JOINTS <= mean)) {
        fail_msg("joints are %g heights off in the mean", (double)sum / MAIN_JOINTS);
    }
}

// Arms from level to hanging, on people of all kinds: thin with long legs, a child with a large head and short ones, a
// heavy man with a belly.
static void test_poses_and_builds(void** state)
{
    (void)state;
    GtPersonDef thin = some_person(7);
    thin.build = -1.0;
    thin.leg_length = 1.1;
    GtPersonDef child = some_person(5);
    child.height_m = 1.1;
    child.head_size = 1.4;
    child.leg_length = 0.85;
    GtPersonDef heavy = some_person(6);
    heavy.build = 1.0;
    heavy.sex = 1.0;
    const struct {
        GtPersonDef def;
        float down_rad, mean, worst;
    } cases[] = {
        { thin, 0.0f, 0.012f, 0.03f },
        { child, 0.6f, 0.015f, 0.04f },
        { heavy, 1.2f, 0.015f, 0.04f },
        { some_person(23), 1.4f, 0.015f, 0.04f },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Known k = make_posed(&cases[i].def, cases[i].down_rad);
        expect_joints(&k, 0.9f, cases[i].mean, cases[i].worst);
        gt_arena_destroy(&k.arena);
    }
}

// Legs, trunk, arms and head of a T-pose, each by a factor of its own; a head grows to all sides.
typedef struct Style {
    float legs, trunk, arms, head;
} Style;

static GtVec3 stylised(const Style* style, GtVec3 p)
{
    const float crotch = 0.46f;
    const float neck = 0.86f;
    const float trunk = 0.15f; // half its width
    GtVec3 out = p;
    out.y = style->legs * fminf(p.y, crotch) + style->trunk * fminf(fmaxf(p.y - crotch, 0.0f), neck - crotch) +
            style->head * fmaxf(p.y - neck, 0.0f);
    float wide = 1.0f + (style->head - 1.0f) * fminf(fmaxf(p.y - neck, 0.0f) / 0.03f, 1.0f);
    float beyond = fmaxf(fabsf(p.x) - trunk, 0.0f) * (1.0f - style->arms);
    out.x = wide * (p.x - copysignf(beyond, p.x));
    out.z = wide * p.z;
    return out;
}

static void restyle(Known* k, const Style* style)
{
    for (int32_t i = 0; i < k->body.point_count; ++i) {
        k->body.points[i] = stylised(style, k->body.points[i]);
    }
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        k->joints[j] = stylised(style, k->joints[j]);
    }
    finish(k);
}

// Figures as games and cartoons have them: legs of a sixth of the height, heads of a third.
static void test_other_proportions(void** state)
{
    (void)state;
    static const Style styles[] = { { 0.3f, 0.7f, 0.55f, 3.0f },
                                    { 0.3f, 0.8f, 0.6f, 2.4f },
                                    { 0.25f, 0.7f, 0.6f, 2.2f } };
    for (size_t i = 0; i < sizeof styles / sizeof *styles; ++i) {
        GtPersonDef def = some_person(11 + i);
        Known k = make_posed(&def, 0.0f);
        restyle(&k, &styles[i]);
        expect_joints(&k, 0.7f, 0.02f, 0.04f);
        gt_arena_destroy(&k.arena);
    }
}

// A runner: one knee raised, the other leg folded behind, elbows bent; and somebody who kneels on one knee.
static void test_folded_limbs(void** state)
{
    (void)state;
    const GtVec3 x = { 1.0f, 0.0f, 0.0f };
    const GtVec3 y = { 0.0f, 1.0f, 0.0f };
    const GtVec3 z = { 0.0f, 0.0f, 1.0f };
    const Turn runner[] = {
        { GT_HUMANOID_LEFT_UPPER_LEG, x, -1.0f }, { GT_HUMANOID_LEFT_LOWER_LEG, x, 1.1f },
        { GT_HUMANOID_RIGHT_UPPER_LEG, x, 0.3f }, { GT_HUMANOID_RIGHT_LOWER_LEG, x, 1.6f },
        { GT_HUMANOID_LEFT_UPPER_ARM, z, -1.2f }, { GT_HUMANOID_LEFT_LOWER_ARM, y, -1.4f },
        { GT_HUMANOID_RIGHT_UPPER_ARM, z, 1.2f }, { GT_HUMANOID_RIGHT_LOWER_ARM, y, 1.4f },
    };
    const Turn kneeling[] = {
        { GT_HUMANOID_LEFT_UPPER_LEG, x, -1.5f }, { GT_HUMANOID_LEFT_LOWER_LEG, x, 1.5f },
        { GT_HUMANOID_RIGHT_UPPER_LEG, x, 0.1f }, { GT_HUMANOID_RIGHT_LOWER_LEG, x, 1.7f },
        { GT_HUMANOID_LEFT_UPPER_ARM, z, -0.7f }, { GT_HUMANOID_RIGHT_UPPER_ARM, z, 0.7f },
    };
    GtPersonDef def = some_person(3);
    Known k = make_turned(&def, runner, 8);
    expect_joints(&k, 0.8f, 0.03f, 0.06f);
    gt_arena_destroy(&k.arena);
    k = make_turned(&def, kneeling, 6);
    expect_joints(&k, 0.8f, 0.03f, 0.06f);
    gt_arena_destroy(&k.arena);
}

static bool is_finite(GtVec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// Where a body is between front and back does not matter.
static void expect_same_elsewhere(Known* k, const GtiRigSkeleton* here)
{
    for (int32_t i = 0; i < k->body.point_count; ++i) {
        k->body.points[i].z += 3.0f;
    }
    k->solid.origin.z += 3.0f;
    float fit;
    GtiRigSkeleton there = embed(k, &fit);
    assert_int_equal(here->joint_count, there.joint_count);
    for (int32_t i = 0; i < here->joint_count; ++i) {
        GT_EXPECT_NEAR(here->joints[i].position.z + 3.0f, there.joints[i].position.z, 2e-3);
        GT_EXPECT_NEAR(here->joints[i].position.y, there.joints[i].position.y, 2e-3);
    }
}

static void test_skeleton_is_whole(void** state)
{
    (void)state;
    GtPersonDef def = some_person(9);
    def.triangle_count = 12000; // enough for fingers
    Known k = make_posed(&def, 0.0f);
    float fit;
    GtiRigSkeleton skeleton = embed(&k, &fit);
    for (int j = 0; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool wanted = j != GT_HUMANOID_LEFT_EYE && j != GT_HUMANOID_RIGHT_EYE && j != GT_HUMANOID_JAW;
        assert_true((joint_of(&skeleton, (GtHumanoidJoint)j) != NULL) == wanted);
    }
    for (int32_t i = 0; i < skeleton.joint_count; ++i) {
        const GtiRigJoint* joint = &skeleton.joints[i];
        assert_true(joint->parent < i);
        assert_true(is_finite(joint->position) && is_finite(joint->tip));
        assert_int_equal(skeleton.joints[joint->mirror].humanoid, gt_humanoid_mirror((GtHumanoidJoint)joint->humanoid));
        assert_true(gt_vec3_length(gt_vec3_sub(joint->tip, joint->position)) > 0.005f);
        if (joint->humanoid >= GT_HUMANOID_LEFT_THUMB_METACARPAL) { // fingers, within a fingertip's breadth
            GtVec3 d = gt_vec3_sub(joint->position, k.joints[joint->humanoid]);
            assert_true(gt_vec3_length(d) < 0.01f);
        }
    }
    expect_same_elsewhere(&k, &skeleton);
    gt_arena_destroy(&k.arena);
}

static float distance_to(GtVec3 p, GtVec3 a, GtVec3 b)
{
    GtVec3 way = gt_vec3_sub(b, a);
    float part = gt_vec3_dot(gt_vec3_sub(p, a), way) / gt_vec3_dot(way, way);
    return gt_vec3_length(gt_vec3_sub(p, gt_vec3_lerp(a, b, fminf(fmaxf(part, 0.0f), 2.0f))));
}

// Take the triangles beyond the second joint of a finger of the right hand away.
static void cut_off(Known* k, GtHumanoidJoint first)
{
    int32_t kept = 0;
    for (int32_t t = 0; t < k->body.triangle_count; ++t) {
        GtVec3 p = k->body.points[k->body.triangles[t][0]];
        float own = distance_to(p, k->joints[first + 1], k->joints[first + 2]);
        float before = distance_to(p, k->joints[first - 2], k->joints[first - 1]);
        float after = distance_to(p, k->joints[first + 4], k->joints[first + 5]);
        if (own > 0.02f || own > fminf(before, after)) {
            memcpy(k->body.triangles[kept++], k->body.triangles[t], sizeof *k->body.triangles);
        }
    }
    assert_true(kept < k->body.triangle_count);
    k->body.triangle_count = k->body.skin_triangle_count = kept;
}

// A hand that lacks a finger might as well be one whose fingers were not all seen: it gets none, and says so.
static void test_doubtful_hands_have_no_fingers(void** state)
{
    (void)state;
    GtPersonDef def = some_person(9);
    def.triangle_count = 12000;
    Known k = make_posed(&def, 0.0f);
    cut_off(&k, GT_HUMANOID_RIGHT_RING_PROXIMAL);
    float fit;
    GtiRigSkeleton skeleton = embed(&k, &fit);
    for (int j = GT_HUMANOID_LEFT_THUMB_METACARPAL; j < GT_HUMANOID_JOINT_COUNT; ++j) {
        bool left = j < GT_HUMANOID_RIGHT_THUMB_METACARPAL;
        assert_true((joint_of(&skeleton, (GtHumanoidJoint)j) != NULL) == left);
    }
    assert_null(joint_of(&skeleton, GT_HUMANOID_LEFT_HAND)->no_fingers);
    assert_non_null(joint_of(&skeleton, GT_HUMANOID_RIGHT_HAND)->no_fingers);
    gt_arena_destroy(&k.arena);
}

// A box of the height of a person.
static Known make_box(float width, float depth)
{
    static const int32_t faces[12][3] = {
        { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
        { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 }
    };
    Known k = { .arena = gt_arena_create(gt_default_allocator()) };
    k.body.point_count = 8;
    k.body.triangle_count = 12;
    k.body.points = gt_arena_push_array(&k.arena, 8, sizeof *k.body.points);
    k.body.triangles = gt_arena_push_array(&k.arena, 12, sizeof *k.body.triangles);
    memcpy(k.body.triangles, faces, sizeof faces);
    for (int i = 0; i < 8; ++i) {
        k.body.points[i] = gt_vec3(i & 1 ? width : -width, i & 2 ? 1.0f : 0.0f, i & 4 ? depth : -depth);
    }
    finish(&k);
    return k;
}

static void test_what_is_no_body_fits_badly(void** state)
{
    (void)state;
    const float sizes[][2] = { { 0.5f, 0.5f }, { 0.8f, 0.002f } };
    for (int i = 0; i < 2; ++i) {
        Known k = make_box(sizes[i][0], sizes[i][1]);
        float fit;
        GtiRigSkeleton skeleton = embed(&k, &fit);
        if (!(fit >= 0.0f && fit < 0.4f)) {
            fail_msg("a box of %g by %g fits by %g", (double)sizes[i][0], (double)sizes[i][1], (double)fit);
        }
        for (int32_t j = 0; j < skeleton.joint_count; ++j) {
            assert_true(is_finite(skeleton.joints[j].position) && is_finite(skeleton.joints[j].tip));
        }
        gt_arena_destroy(&k.arena);
    }
}

static void test_nothing_to_fit_to(void** state)
{
    (void)state;
    Known k = make_box(0.1f, 0.1f);
    k.body.triangle_count = k.body.skin_triangle_count = 0;
    float fit;
    GtiRigSkeleton skeleton = embed(&k, &fit);
    assert_true(fit < 0.1f);
    assert_true(is_finite(skeleton.joints[0].position));
    k.body.triangle_count = 12; // islands alone
    k.body.kinds[0] = GTI_PIECE_ISLAND;
    skeleton = embed(&k, &fit);
    assert_true(fit < 0.1f);
    gt_arena_destroy(&k.arena);
}

static void test_out_of_memory(void** state)
{
    (void)state;
    Known k = make_box(0.2f, 0.1f);
    TestAllocator counter = { .remaining = -1 };
    GtContext context = gt_default_context();
    context.allocator = test_allocator(&counter);
    GtError error;
    int64_t needed = 1;
    for (int64_t allowed = 0; allowed < needed; ++allowed) {
        counter = (TestAllocator){ .remaining = allowed };
        GtArena arena = gt_arena_create(context.allocator);
        GtiRigSkeleton skeleton;
        GtiPersonGoodness goodness;
        GtResult result = gti_embed_person(&context, &k.body, &k.solid, &arena, &skeleton, &goodness, &error);
        needed = result == GT_OK ? allowed : allowed + 2;
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_arena_destroy(&arena);
        assert_int_equal(counter.alive, 0);
    }
    assert_true(needed > 3);
    gt_arena_destroy(&k.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poses_and_builds),
        cmocka_unit_test(test_other_proportions),
        cmocka_unit_test(test_folded_limbs),
        cmocka_unit_test(test_skeleton_is_whole),
        cmocka_unit_test(test_doubtful_hands_have_no_fingers),
        cmocka_unit_test(test_what_is_no_body_fits_badly),
        cmocka_unit_test(test_nothing_to_fit_to),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
