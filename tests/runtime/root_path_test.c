// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Root motion of somebody who walks a quarter of a circle in two seconds, below a root with axes and a scale of its
// own.

#include "support/test.h"

#include "gertie/root_path.h"

enum {
    ROOT,
    HIPS,
    NODES,
    KEYS = 81
};

static const double QUARTER = 1.57079632679489661923;

typedef struct Walk {
    GtCharacter* character;
    GtClip* clip;
    GtTransform rest[NODES];
} Walk;

// Radius 3 m about (3, 0): it begins at the origin, facing +Z, and turns left, towards +X; hips rise and sway.
static Walk make_walk(void)
{
    static const int32_t parents[NODES] = { GT_NONE, ROOT };
    Walk walk = { .character = NULL };
    walk.rest[ROOT] =
        gt_transform(gt_vec3(0, 0.5f, 0), gt_quat_from_axis_angle(gt_vec3(1, 0, 0), -1.2f), gt_vec3(0.5f, 0.5f, 0.5f));
    GtMat34 above = gt_mat34_from_transform(walk.rest[ROOT]);
    GtMat34 below = gt_mat34_inverse(&above, NULL);
    GtQuat down = gt_quat_conjugate(walk.rest[ROOT].rotation);
    GtQuat own = gt_quat_from_axis_angle(gt_vec3(0, 0, 1), 0.7f); // the hips' axes, in model space
    walk.rest[HIPS] = gt_transform(gt_mat34_point(&below, gt_vec3(0, 1, 0)), gt_quat_mul(down, own), gt_vec3(1, 1, 1));
    float times_s[KEYS], moves[KEYS * 3], turns[KEYS * 4];
    for (int i = 0; i < KEYS; ++i) {
        double share = (double)i / (KEYS - 1), angle = QUARTER * share;
        GtVec3 at = gt_vec3((float)(3 - 3 * cos(angle)), (float)(1 + 0.1 * sin(9 * angle)), (float)(3 * sin(angle)));
        GtQuat sway = gt_quat_from_axis_angle(gt_vec3(1, 0, 0), 0.2f * (float)sin(7 * angle));
        GtQuat heading = gt_quat_from_axis_angle(gt_vec3(0, 1, 0), (float)angle);
        GtQuat q = gt_quat_mul(down, gt_quat_mul(gt_quat_mul(heading, sway), own));
        GtVec3 t = gt_mat34_point(&below, at);
        times_s[i] = 1.0f + 2.0f * (float)share;
        memcpy(&moves[3 * i], &t, sizeof t);
        memcpy(&turns[4 * i], &q, sizeof q);
    }
    GtCharacterDef def = gt_default_character_def();
    def.node_count = NODES;
    def.parents = parents;
    def.rest = walk.rest;
    GtTrackDef tracks[2] = { { GT_TRACK_TRANSLATION, HIPS, 3, GT_INTERPOLATION_LINEAR, KEYS, times_s, moves },
                             { GT_TRACK_ROTATION, HIPS, 4, GT_INTERPOLATION_LINEAR, KEYS, times_s, turns } };
    GtClipDef clip = gt_default_clip_def();
    clip.tracks = tracks;
    clip.track_count = 2;
    clip.node_count = NODES;
    GtError error;
    GT_EXPECT_OK(gt_character_create(gt_default_allocator(), &def, &walk.character, &error));
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &clip, &walk.clip, &error));
    return walk;
}

static GtRootPath* make_motion(const Walk* walk, bool turn, bool height)
{
    GtError error;
    GtRootPath* motion = NULL;
    GtRootPathDef def = gt_default_root_path_def();
    def.node = HIPS;
    def.turn = turn;
    def.height = height;
    GT_EXPECT_OK(gt_root_path_create(gt_default_allocator(), walk->character, walk->clip, &def, &motion, &error));
    return motion;
}

static void destroy(Walk* walk)
{
    gt_clip_destroy(walk->clip);
    gt_character_destroy(walk->character);
}

static void test_path(void** state)
{
    (void)state;
    Walk walk = make_walk();
    GtRootPath* motion = make_motion(&walk, true, false);
    for (double t = 0; t <= 2; t += 0.05) {
        GtGroundMotion m = gt_root_path_at(motion, 1 + t);
        double angle = QUARTER * t / 2;
        GT_EXPECT_NEAR(m.position.x, 3 - 3 * cos(angle), 1e-3);
        GT_EXPECT_NEAR(m.position.y, 0, 0);
        GT_EXPECT_NEAR(m.position.z, 3 * sin(angle), 1e-3);
        GT_EXPECT_NEAR(m.heading_rad, angle, 1e-3);
    }
    GT_EXPECT_NEAR(gt_root_path_at(motion, 99).heading_rad, QUARTER, 1e-4);
    GT_EXPECT_NEAR(gt_root_path_at(motion, NAN).heading_rad, 0, 1e-4);
    gt_root_path_destroy(motion);
    destroy(&walk);
}

// Motion and what is left of the pose give the pose again; what is left stays in its place.
static void test_removed(void** state)
{
    (void)state;
    Walk walk = make_walk();
    for (int which = 0; which < 4; ++which) {
        GtRootPath* motion = make_motion(&walk, which & 1, which & 2);
        for (double t = 0.9; t < 3.1; t += 0.07) {
            GtTransform pose[NODES] = { walk.rest[ROOT], walk.rest[HIPS] };
            GtMat34 whole[NODES], left[NODES];
            gt_clip_sample(walk.clip, t, pose, NULL);
            gt_character_to_model(walk.character, pose, whole);
            gt_root_path_remove(motion, t, pose);
            gt_character_to_model(walk.character, pose, left);
            GtGroundMotion m = gt_root_path_at(motion, t);
            GtMat34 g = gt_mat34_from_transform(
                gt_transform(m.position, gt_quat_from_axis_angle(gt_vec3(0, 1, 0), m.heading_rad), gt_vec3(1, 1, 1)));
            GtMat34 again = gt_mat34_mul(g, left[HIPS]);
            for (int r = 0; r < 3; ++r) {
                for (int c = 0; c < 4; ++c) {
                    GT_EXPECT_NEAR(again.m[r][c], whole[HIPS].m[r][c], 1e-5);
                }
            }
            GT_EXPECT_NEAR(left[HIPS].m[0][3], 0, 2e-3);
            GT_EXPECT_NEAR(left[HIPS].m[2][3], 0, 2e-3);
            if (which & 2) {
                GT_EXPECT_NEAR(left[HIPS].m[1][3], 1, 2e-3);
            }
        }
        gt_root_path_destroy(motion);
    }
    destroy(&walk);
}

// Four quarters are a circle; steps of any size add up to the same way.
static void test_loops(void** state)
{
    (void)state;
    Walk walk = make_walk();
    GtRootPath* motion = make_motion(&walk, true, false);
    GtGroundMotion round = gt_root_path_delta(motion, 0, 8, true);
    GT_EXPECT_NEAR(gt_vec3_length(round.position), 0, 1e-4);
    GT_EXPECT_NEAR(round.heading_rad, 4 * QUARTER, 1e-4);
    round = gt_root_path_delta(motion, 0, 4 + 8e6, true); // half a circle, after a million
    GT_EXPECT_NEAR(round.position.x, 6, 0.1);
    GtGroundMotion half = gt_root_path_delta(motion, 0, 4, true);
    GT_EXPECT_NEAR(half.position.x, 6, 1e-3);
    GT_EXPECT_NEAR(half.position.z, 0, 1e-3);
    GtGroundMotion sum = { .heading_rad = 0 };
    double at = 0.3;
    for (int i = 0; i < 50; ++i) {
        double next = at + 0.13 * (i % 5 - 1); // sometimes back, sometimes not at all
        sum = gt_ground_motion_add(sum, gt_root_path_delta(motion, at, next, true));
        at = next;
    }
    GtGroundMotion once = gt_root_path_delta(motion, 0.3, at, true);
    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(sum.position, once.position)), 0, 1e-4);
    GT_EXPECT_NEAR(sum.heading_rad, once.heading_rad, 1e-4);
    GtGroundMotion held = gt_root_path_delta(motion, 1.5, 99, false);
    GT_EXPECT_NEAR(held.heading_rad, QUARTER / 4, 1e-3);
    GtGroundMotion back = gt_root_path_delta(motion, 3, -3, true);
    GT_EXPECT_NEAR(back.heading_rad, -3 * QUARTER, 1e-3);
    assert_true(isfinite(gt_root_path_delta(motion, NAN, INFINITY, true).heading_rad));
    gt_root_path_destroy(motion);
    destroy(&walk);
}

static void test_refused(void** state)
{
    (void)state;
    Walk walk = make_walk();
    GtError error;
    GtRootPath* motion = NULL;
    GtRootPathDef def = gt_default_root_path_def();
    def.node = 2;
    GT_EXPECT_ERROR(gt_root_path_create(gt_default_allocator(), walk.character, walk.clip, &def, &motion, &error),
                    GT_ERROR_BAD_VALUE, "no node 2");
    def.node = 0;
    def.frame_rate_hz = NAN;
    GT_EXPECT_ERROR(gt_root_path_create(gt_default_allocator(), walk.character, walk.clip, &def, &motion, &error),
                    GT_ERROR_BAD_VALUE, "no rate");
    def.frame_rate_hz = 1e9f;
    GT_EXPECT_ERROR(gt_root_path_create(gt_default_allocator(), walk.character, walk.clip, &def, &motion, &error),
                    GT_ERROR_LIMIT, "samples");
    def.frame_rate_hz = 30;
    for (int64_t n = 0; n < 3; ++n) {
        TestAllocator counted = { .remaining = n };
        GtResult result =
            gt_root_path_create(test_allocator(&counted), walk.character, walk.clip, &def, &motion, &error);
        assert_int_equal(result, n < 2 ? GT_ERROR_OUT_OF_MEMORY : GT_OK);
        gt_root_path_destroy(motion);
        assert_int_equal(counted.alive, 0);
    }
    destroy(&walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_path),
        cmocka_unit_test(test_removed),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
