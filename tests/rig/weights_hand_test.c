// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A hand of capsules at the end of a forearm: five fingers that are apart. Linear skin is computed here, in the test.

#include "rig/weighing.h"

#include <stdlib.h>

enum {
    JOINTS = 17, // forearm, hand, then three of each finger, the thumb first
    FIRST_FINGER = 2,
    PARTS = 12
};

#define FINGER_RADIUS 0.0085f

static GtVec3 knuckle(int finger)
{
    return finger == 0 ? gt_vec3(0.34f, 0.5f, 0.055f) : gt_vec3(0.41f, 0.5f, 0.0325f - 0.0215f * (float)(finger - 1));
}

static GtVec3 finger_way(int finger)
{
    return finger == 0 ? gt_vec3(0.7071f, 0.0f, 0.7071f) : gt_vec3(1.0f, 0.0f, 0.0f);
}

static void make_skeleton(GtiRigJoint joints[JOINTS], GtiRigSkeleton* out)
{
    joints[0] = (GtiRigJoint){ .parent = GT_NONE,
                               .humanoid = GT_HUMANOID_LEFT_LOWER_ARM,
                               .position = { 0.05f, 0.5f, 0.0f },
                               .tip = { 0.3f, 0.5f, 0.0f } };
    joints[1] = (GtiRigJoint){ .parent = 0,
                               .humanoid = GT_HUMANOID_LEFT_HAND,
                               .mirror = 1,
                               .position = { 0.3f, 0.5f, 0.0f },
                               .tip = { 0.41f, 0.5f, 0.0f } };
    for (int f = 0; f < 5; ++f) {
        for (int k = 0; k < 3; ++k) {
            int j = FIRST_FINGER + 3 * f + k;
            joints[j] = (GtiRigJoint){
                .parent = k == 0 ? 1 : j - 1,
                .humanoid = GT_HUMANOID_LEFT_THUMB_METACARPAL + 3 * f + k,
                .mirror = j,
                .position = gt_vec3_add(knuckle(f), gt_vec3_scale(finger_way(f), 0.035f * (float)k)),
                .tip = gt_vec3_add(knuckle(f), gt_vec3_scale(finger_way(f), 0.035f * (float)(k + 1))),
            };
        }
    }
    *out = (GtiRigSkeleton){ joints, JOINTS };
}

static Weighing make_hand(void)
{
    Capsule parts[PARTS] = { { { 0.05f, 0.5f, 0.0f }, { 0.3f, 0.5f, 0.0f }, 0.026f } };
    for (int f = 0; f < 5; ++f) {
        GtVec3 end = gt_vec3_add(knuckle(f), gt_vec3_scale(finger_way(f), 0.1f));
        parts[1 + f] = (Capsule){ knuckle(f), end, FINGER_RADIUS };
        GtVec3 start = gt_vec3(0.31f, 0.5f, f == 0 ? 0.02f : 0.6f * knuckle(f).z);
        parts[6 + f] = (Capsule){ start, knuckle(f), f == 0 ? 0.013f : 0.015f };
    }
    parts[11] = (Capsule){ { 0.33f, 0.5f, 0.0f }, { 0.38f, 0.5f, 0.0f }, 0.02f };
    return weighing_start(parts, PARTS, 0.0045f);
}

// Each joint of a range turned about an axis; the others stay.
static void pose(const GtiRigSkeleton* skeleton, int first, int last, GtVec3 axis, float angle_deg, GtMat34* out)
{
    for (int32_t j = 0; j < skeleton->joint_count; ++j) {
        const GtiRigJoint* joint = &skeleton->joints[j];
        float angle = j >= first && j <= last ? angle_deg * 0.01745329f : 0.0f;
        GtTransform turn = gt_transform_identity();
        turn.rotation = gt_quat_from_axis_angle(axis, angle);
        turn.translation = gt_vec3_sub(joint->position, gt_quat_rotate(turn.rotation, joint->position));
        out[j] = gt_mat34_from_transform(turn);
        if (joint->parent != GT_NONE) {
            out[j] = gt_mat34_mul(out[joint->parent], out[j]);
        }
    }
}

// The largest stretch of an edge.
static float stretch_of(const Weighing* w, const GtiWeights* weights, const GtMat34* from_rest)
{
    GtVec3* posed = calloc((size_t)w->body.point_count, sizeof *posed);
    assert_non_null(posed);
    for (int32_t i = 0; i < w->body.point_count; ++i) {
        for (int32_t k = 0; k < weights->influences; ++k) {
            size_t at = (size_t)i * (size_t)weights->influences + (size_t)k;
            GtVec3 p = gt_mat34_point(&from_rest[weights->joints[at]], w->body.points[i]);
            posed[i] = gt_vec3_add(posed[i], gt_vec3_scale(p, weights->weights[at]));
        }
    }
    float worst = 0.0f;
    for (int32_t t = 0; t < w->body.triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int32_t a = w->body.triangles[t][k];
            int32_t b = w->body.triangles[t][(k + 1) % 3];
            float rest = gt_vec3_length(gt_vec3_sub(w->body.points[a], w->body.points[b]));
            if (rest > 2e-4f) {
                worst = fmaxf(worst, gt_vec3_length(gt_vec3_sub(posed[a], posed[b])) / rest);
            }
        }
    }
    free(posed);
    return worst;
}

static const GtRigWeights methods[] = { GT_RIG_WEIGHTS_AUTO, GT_RIG_WEIGHTS_HEAT, GT_RIG_WEIGHTS_VOXEL };

static void hands_bend_without_tears(void** state)
{
    (void)state;
    Weighing w = make_hand();
    GtiRigJoint joints[JOINTS];
    GtiRigSkeleton skeleton;
    make_skeleton(joints, &skeleton);
    static const struct {
        const char* what;
        int first, last;
        GtVec3 axis;
        float angle_deg;
    } poses[] = {
        { "wrist down", 1, 1, { 0, 0, 1 }, -80.0f },    { "wrist up", 1, 1, { 0, 0, 1 }, 80.0f },
        { "wrist in", 1, 1, { 0, 1, 0 }, -80.0f },      { "wrist out", 1, 1, { 0, 1, 0 }, 80.0f },
        { "wrist twisted", 1, 1, { 1, 0, 0 }, 150.0f }, { "fist", 5, 16, { 0, 0, 1 }, -90.0f },
        { "index curled", 5, 7, { 0, 0, 1 }, -90.0f },
    };
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        GtiWeights weights = weigh(&w, &skeleton, methods[m], 4);
        for (size_t p = 0; p < sizeof poses / sizeof *poses; ++p) {
            GtMat34 from_rest[JOINTS];
            pose(&skeleton, poses[p].first, poses[p].last, poses[p].axis, poses[p].angle_deg, from_rest);
            float worst = stretch_of(&w, &weights, from_rest);
            if (!(worst < 2.5f)) {
                fail_msg("weights %zu: %s stretches an edge to %.2f of its length", m, poses[p].what, (double)worst);
            }
        }
    }
    gt_arena_destroy(&w.arena);
}

static void fingers_follow_no_other_finger(void** state)
{
    (void)state;
    Weighing w = make_hand();
    GtiRigJoint joints[JOINTS];
    GtiRigSkeleton skeleton;
    make_skeleton(joints, &skeleton);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        GtiWeights weights = weigh(&w, &skeleton, methods[m], 4);
        int32_t checked = 0;
        for (int32_t i = 0; i < w.body.point_count; ++i) {
            for (int f = 0; f < 5; ++f) {
                GtVec3 from = gt_vec3_sub(w.body.points[i], knuckle(f));
                float along = gt_vec3_dot(from, finger_way(f));
                float beside = gt_vec3_length(gt_vec3_sub(from, gt_vec3_scale(finger_way(f), along)));
                if (along < 0.05f || beside > 1.1f * FINGER_RADIUS) {
                    continue;
                }
                float own = 0.0f;
                for (int k = 0; k < 3; ++k) {
                    own += weight_of(&weights, i, FIRST_FINGER + 3 * f + k);
                }
                GT_EXPECT_NEAR(own, 1.0, 1e-4);
                ++checked;
            }
        }
        assert_true(checked > 500);
    }
    gt_arena_destroy(&w.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_bend_without_tears),
        cmocka_unit_test(fingers_follow_no_other_finger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
