// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Masks, differences and mirror images, the last against matrices in model space.

#include "support/test.h"

#include "gertie/blend.h"
#include "gertie/pose.h"

enum {
    HIPS,
    LEFT_LEG,
    RIGHT_LEG,
    LEFT_FOOT,
    RIGHT_FOOT,
    TOE_L,
    TOE_R,
    NODES
};

static const int32_t parents[NODES] = { GT_NONE, HIPS, HIPS, LEFT_LEG, RIGHT_LEG, LEFT_FOOT, RIGHT_FOOT };

static GtQuat about(float x, float y, float z, float angle)
{
    return gt_quat_from_axis_angle(gt_vec3_normalize_or(gt_vec3(x, y, z), gt_vec3(1, 0, 0)), angle);
}

// Symmetric in model space, with axes that have nothing to do with it.
static GtCharacter* make_character(void)
{
    static const char* const names[NODES] = {
        "hips", "LeftLeg", "RightLeg", "foot_left", "foot_right", "toe.L", "toe.R"
    };
    static const GtVec3 places[NODES] = { { 0, 1, 0 },        { 0.1f, 0.9f, 0 },   { -0.1f, 0.9f, 0 },
                                          { 0.12f, 0.1f, 0 }, { -0.12f, 0.1f, 0 }, { 0.13f, 0, 0.1f },
                                          { -0.13f, 0, 0.1f } };
    GtQuat turns[NODES];
    GtTransform rest[NODES];
    for (int i = 0; i < NODES; ++i) {
        int p = parents[i];
        turns[i] = about((float)i, 1, (float)(i * i % 5), 0.4f * (float)i);
        GtQuat above = p == GT_NONE ? gt_quat_identity() : turns[p];
        GtVec3 from = p == GT_NONE ? gt_vec3(0, 0, 0) : places[p];
        rest[i] = gt_transform(gt_quat_rotate(gt_quat_conjugate(above), gt_vec3_sub(places[i], from)),
                               gt_quat_mul(gt_quat_conjugate(above), turns[i]), gt_vec3(1, 1, 1));
    }
    GtCharacterDef def = gt_default_character_def();
    def.node_count = NODES;
    def.names = names;
    def.parents = parents;
    def.rest = rest;
    GtCharacter* character = NULL;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    return character;
}

static void any_pose(const GtCharacter* character, GtTransform pose[NODES])
{
    for (int i = 0; i < NODES; ++i) {
        GtTransform rest = gt_character_def(character)->rest[i];
        pose[i] = rest;
        pose[i].rotation = gt_quat_mul(rest.rotation, about(1, (float)i, -1, 0.3f + 0.1f * (float)i));
    }
    pose[HIPS].translation = gt_vec3(0.3f, 1.1f, -2);
    pose[LEFT_LEG].translation.x += 0.02f;
}

static void test_mirror(void** state)
{
    (void)state;
    GtCharacter* character = make_character();
    int32_t partners[NODES];
    assert_int_equal(gt_pose_find_partners(character, partners), 6);
    static const int32_t wanted[NODES] = { HIPS, RIGHT_LEG, LEFT_LEG, RIGHT_FOOT, LEFT_FOOT, TOE_R, TOE_L };
    assert_memory_equal(partners, wanted, sizeof wanted);
    GtError error;
    GtPoseMirror* mirror = NULL;
    GT_EXPECT_OK(gt_pose_mirror_create(gt_default_allocator(), character, NULL, &mirror, &error));
    GtTransform pose[NODES], image[NODES], again[NODES];
    GtMat34 model[NODES], model_image[NODES], model_rest[NODES];
    any_pose(character, pose);
    gt_pose_mirror(mirror, pose, image);
    gt_character_to_model(character, pose, model);
    gt_character_to_model(character, image, model_image);
    gt_character_to_model(character, gt_character_def(character)->rest, model_rest);
    for (int i = 0; i < NODES; ++i) {
        const GtMat34* a = &model_image[i];
        const GtMat34* b = &model[wanted[i]];
        for (int r = 0; r < 3; ++r) { // places: x changes its sign; so do turns from rest, S (B B0^T) S = A A0^T
            float sign = r == 0 ? -1.0f : 1.0f;
            GT_EXPECT_NEAR(a->m[r][3], sign * b->m[r][3], 2e-6);
            for (int c = 0; c < 3; ++c) {
                double turn_a = 0, turn_b = 0;
                for (int k = 0; k < 3; ++k) {
                    turn_a += (double)a->m[r][k] * model_rest[i].m[c][k];
                    turn_b += (double)b->m[r][k] * model_rest[wanted[i]].m[c][k];
                }
                GT_EXPECT_NEAR(turn_a, (double)(sign * (c == 0 ? -1.0f : 1.0f)) * turn_b, 2e-6);
            }
        }
    }
    gt_pose_mirror(mirror, image, again); // twice is nothing
    for (int i = 0; i < NODES; ++i) {
        GT_EXPECT_NEAR(gt_quat_angle_rad(again[i].rotation, pose[i].rotation), 0, 2e-6);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(again[i].translation, pose[i].translation)), 0, 1e-6);
    }
    gt_pose_mirror(mirror, gt_character_def(character)->rest, image); // rest is rest
    for (int i = 0; i < NODES; ++i) {
        GT_EXPECT_NEAR(gt_quat_angle_rad(image[i].rotation, gt_character_def(character)->rest[i].rotation), 0, 2e-6);
    }
    gt_pose_mirror_destroy(mirror);
    static const int32_t astray[NODES] = { HIPS, RIGHT_LEG, LEFT_LEG, LEFT_FOOT, RIGHT_FOOT, TOE_L, TOE_R };
    GT_EXPECT_ERROR(gt_pose_mirror_create(gt_default_allocator(), character, astray, &mirror, &error),
                    GT_ERROR_BAD_VALUE, "nodes 3 and 3 are partners, but their parents are not");
    static const int32_t lost[NODES] = { HIPS, RIGHT_LEG, RIGHT_LEG, 99, 4, 5, 6 };
    GT_EXPECT_ERROR(gt_pose_mirror_create(gt_default_allocator(), character, lost, &mirror, &error), GT_ERROR_BAD_VALUE,
                    "node 1 is mirrored to 2, which is not mirrored back");
    TestAllocator none = { .remaining = 0 };
    GT_EXPECT_ERROR(gt_pose_mirror_create(test_allocator(&none), character, NULL, &mirror, &error),
                    GT_ERROR_OUT_OF_MEMORY, "");
    gt_character_destroy(character);
}

// What a humanoid map says counts before names, here misleading ones; nodes that it does not know go by their order.
static void test_partners_by_map(void** state)
{
    (void)state;
    static const char* const names[NODES] = { "a", "toe.L", "c", "toe.R", "e", "f", NULL };
    const GtTransform rest[NODES] = { gt_transform_identity(), gt_transform_identity(), gt_transform_identity(),
                                      gt_transform_identity(), gt_transform_identity(), gt_transform_identity(),
                                      gt_transform_identity() };
    GtHumanoidMap map = gt_humanoid_map_empty();
    map.nodes[GT_HUMANOID_HIPS] = HIPS;
    map.nodes[GT_HUMANOID_LEFT_UPPER_LEG] = LEFT_LEG;
    map.nodes[GT_HUMANOID_RIGHT_UPPER_LEG] = RIGHT_LEG;
    map.nodes[GT_HUMANOID_LEFT_FOOT] = LEFT_FOOT;
    map.nodes[GT_HUMANOID_RIGHT_FOOT] = RIGHT_FOOT;
    GtCharacterDef def = gt_default_character_def();
    def.node_count = NODES;
    def.names = names;
    def.parents = parents;
    def.rest = rest;
    def.humanoid = &map;
    GtCharacter* character = NULL;
    GtError error;
    int32_t partners[NODES];
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    assert_int_equal(gt_pose_find_partners(character, partners), 6);
    static const int32_t wanted[NODES] = { HIPS, RIGHT_LEG, LEFT_LEG, RIGHT_FOOT, LEFT_FOOT, TOE_R, TOE_L };
    assert_memory_equal(partners, wanted, sizeof wanted);
    gt_character_destroy(character);
    map.nodes[GT_HUMANOID_RIGHT_FOOT] = GT_NONE; // then both feet are those below the legs
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    assert_int_equal(gt_pose_find_partners(character, partners), 6);
    assert_memory_equal(partners, wanted, sizeof wanted);
    gt_character_destroy(character);

    static const int32_t other_parents[NODES] = { GT_NONE, HIPS, HIPS, LEFT_LEG, LEFT_LEG, LEFT_FOOT, LEFT_FOOT };
    map.nodes[GT_HUMANOID_LEFT_FOOT] = GT_NONE; // nothing is below the right leg
    def.parents = other_parents;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &character, &error));
    assert_int_equal(gt_pose_find_partners(character, partners), 2);
    static const int32_t alone[NODES] = { HIPS, RIGHT_LEG, LEFT_LEG, GT_NONE, GT_NONE, GT_NONE, GT_NONE };
    assert_memory_equal(partners, alone, sizeof alone);
    GtPoseMirror* mirror = NULL;
    GtTransform pose[NODES], image[NODES];
    GT_EXPECT_OK(gt_pose_mirror_create(gt_default_allocator(), character, NULL, &mirror, &error));
    for (int i = 0; i < NODES; ++i) {
        pose[i] = rest[i];
        pose[i].rotation = about(1, 0, 0, 0.1f * (float)i);
    }
    gt_pose_mirror(mirror, pose, image);
    GT_EXPECT_NEAR(gt_quat_angle_rad(image[LEFT_LEG].rotation, pose[RIGHT_LEG].rotation), 0, 1e-6); // about x
    for (int i = LEFT_FOOT; i < NODES; ++i) { // what has no partner stays at rest
        assert_memory_equal(&image[i], &rest[i], sizeof image[i]);
    }
    gt_pose_mirror_destroy(mirror);
    gt_character_destroy(character);
}

static void test_masks(void** state)
{
    (void)state;
    GtCharacter* character = make_character();
    float mask[NODES] = { 0 };
    gt_pose_mask_branch(character, LEFT_LEG, 1, 0, mask);
    static const float hard[NODES] = { 0, 1, 0, 1, 0, 1, 0 };
    assert_memory_equal(mask, hard, sizeof hard);
    float soft[NODES] = { 0, 0, 0.5f, 0, 0.5f, 0, 0.5f };
    gt_pose_mask_branch(character, RIGHT_LEG, 1, 1, soft);
    GT_EXPECT_NEAR(soft[RIGHT_LEG], 0.75, 1e-6);
    GT_EXPECT_NEAR(soft[RIGHT_FOOT], 1, 1e-6);
    GT_EXPECT_NEAR(soft[TOE_R], 1, 1e-6);
    GT_EXPECT_NEAR(soft[LEFT_FOOT], 0, 0);
    GT_EXPECT_NEAR(soft[HIPS], 0, 0);
    gt_character_destroy(character);
}

// What is added to the base with weight 1 gives the pose.
static void test_difference(void** state)
{
    (void)state;
    GtCharacter* character = make_character();
    const GtTransform* base = gt_character_def(character)->rest;
    GtTransform pose[NODES], difference[NODES], out[NODES];
    any_pose(character, pose);
    pose[TOE_L].scale = gt_vec3(2, 3, 0.5f);
    gt_pose_difference(NODES, pose, base, difference);
    GtBlendLayer layer = { base, 1, NULL };
    GtBlendLayer additive = { difference, 1, NULL };
    GtBlendJob job = gt_default_blend_job();
    job.node_count = NODES;
    job.rest = base;
    job.layers = &layer;
    job.layer_count = 1;
    job.additive = &additive;
    job.additive_count = 1;
    job.out = out;
    gt_blend(&job);
    for (int i = 0; i < NODES; ++i) {
        GT_EXPECT_NEAR(gt_quat_angle_rad(out[i].rotation, pose[i].rotation), 0, 2e-6);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[i].translation, pose[i].translation)), 0, 1e-6);
        GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(out[i].scale, pose[i].scale)), 0, 1e-6);
    }
    GtTransform flat = gt_transform_identity();
    flat.scale = gt_vec3(0, 0, 0);
    gt_pose_difference(1, pose, &flat, out);
    GT_EXPECT_NEAR(out[0].scale.x, 1, 0);
    gt_character_destroy(character);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mirror),
        cmocka_unit_test(test_partners_by_map),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
