// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Pruning to a number of influences: what is kept sums to 1, and nothing jumps where joints change their order.

#include "rig/weigh/prune.h"

#include "support/test.h"

enum {
    WIDTH = 6,
    KEPT = 4,
    POINT_COUNT = 101
};

// Along a line of points the fifth weight grows beyond the fourth.
static void nothing_jumps_where_joints_change_places(void** state)
{
    (void)state;
    static uint16_t joints[POINT_COUNT * WIDTH];
    static float weights[POINT_COUNT * WIDTH];
    static uint16_t kept_joints[POINT_COUNT * KEPT];
    static float kept[POINT_COUNT * KEPT];
    static GtVec3 points[POINT_COUNT];
    for (int i = 0; i < POINT_COUNT; ++i) {
        float t = (float)i / (POINT_COUNT - 1);
        float fourth = 0.16f - 0.06f * t;
        float fifth = 0.10f + 0.06f * t;
        bool swapped = fifth > fourth;
        const uint16_t order[WIDTH] = { 0, 1, 2, swapped ? 4 : 3, swapped ? 3 : 4, 5 };
        const float row[WIDTH] = { 0.3f, 0.22f, 0.2f, fmaxf(fourth, fifth), fminf(fourth, fifth), 0.02f };
        memcpy(&joints[i * WIDTH], order, sizeof order);
        memcpy(&weights[i * WIDTH], row, sizeof row);
    }
    GtiRigJoint bones[WIDTH] = { { .parent = GT_NONE } };
    GtiRigSkeleton skeleton = { bones, WIDTH };
    GtiProxyRows rows = { .joints = joints, .weights = weights, .width = WIDTH };
    GtiWeights out = { .influences = KEPT, .joints = kept_joints, .weights = kept };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GT_EXPECT_OK(gti_weights_prune(&context, points, POINT_COUNT, &rows, &skeleton, &out, &error));
    float before[WIDTH] = { 0 };
    for (int i = 0; i < POINT_COUNT; ++i) {
        float all[WIDTH] = { 0 };
        float sum = 0.0f;
        for (int k = 0; k < KEPT; ++k) {
            all[kept_joints[i * KEPT + k]] += kept[i * KEPT + k];
            sum += kept[i * KEPT + k];
        }
        GT_EXPECT_NEAR(sum, 1.0, 1e-6);
        for (int k = 0; k < WIDTH && i > 0; ++k) {
            GT_EXPECT_NEAR(all[k], before[k], 0.01);
        }
        memcpy(before, all, sizeof before);
    }
    assert_true(out.pruned_weight > 0.1f);
}

// Where there is room for all, and where all are alike.
static void the_ends_of_the_range(void** state)
{
    (void)state;
    const uint16_t joints[2 * WIDTH] = { 0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5 };
    const float weights[2 * WIDTH] = { 0.7f, 0.3f, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1 };
    uint16_t kept_joints[2 * KEPT];
    float kept[2 * KEPT];
    const GtVec3 points[2] = { { 0.0f, 0.0f, 0.0f } };
    GtiRigJoint bones[WIDTH] = { { .parent = GT_NONE } };
    GtiRigSkeleton skeleton = { bones, WIDTH };
    GtiProxyRows rows = { .joints = (uint16_t*)joints, .weights = (float*)weights, .width = WIDTH };
    GtiWeights out = { .influences = KEPT, .joints = kept_joints, .weights = kept };
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GT_EXPECT_OK(gti_weights_prune(&context, points, 2, &rows, &skeleton, &out, &error));
    GT_EXPECT_NEAR(kept[0], 0.7, 1e-6);
    GT_EXPECT_NEAR(kept[1], 0.3, 1e-6);
    GT_EXPECT_NEAR(kept[4] + kept[5] + kept[6] + kept[7], 1.0, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(nothing_jumps_where_joints_change_places),
                                        cmocka_unit_test(the_ends_of_the_range) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
