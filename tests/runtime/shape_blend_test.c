// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "support/random.h"
#include "support/test.h"

#include "gertie/shape_blend.h"

enum {
    POINTS = 1777, // of 3 numbers: more than two blocks, and a part of one
    SHAPES = 4
};

static float base[POINTS * 3];
static float shapes[SHAPES][POINTS * 3];
static float out[POINTS * 3];
static const float* const all_shapes[SHAPES] = { shapes[0], shapes[1], shapes[2], shapes[3] };

static void fill(void)
{
    TestRandom random = { 5 };
    for (int i = 0; i < POINTS * 3; ++i) {
        base[i] = test_random_float(&random, -1.0f, 1.0f);
        for (int s = 0; s < SHAPES; ++s) {
            shapes[s][i] = test_random_float(&random, -1.0f, 1.0f);
        }
    }
}

static GtShapesBlend make_blend(GtShapeKind kind, const float* weights)
{
    fill();
    memset(out, 0xCD, sizeof out);
    return (GtShapesBlend){ kind, POINTS, 3, base, SHAPES, all_shapes, weights, out };
}

static void deltas_are_summed(void** state)
{
    (void)state;
    const float weights[SHAPES] = { 0.5f, -1.25f, NAN, 3.0f };
    GtShapesBlend blend = make_blend(GT_SHAPE_DELTA, weights);
    gt_shapes_blend(&blend);
    for (int i = 0; i < POINTS * 3; ++i) {
        double expected =
            (double)base[i] + 0.5 * (double)shapes[0][i] - 1.25 * (double)shapes[1][i] + 3.0 * (double)shapes[3][i];
        GT_EXPECT_NEAR(out[i], expected, 1e-6);
    }
    float kept[POINTS * 3];
    memcpy(kept, out, sizeof kept);
    blend.out = base;
    gt_shapes_blend(&blend);
    assert_memory_equal(base, kept, sizeof kept);
}

static void absolute_shapes_stay_in_their_hull(void** state)
{
    (void)state;
    const float inside[SHAPES] = { 0.25f, 0.0f, 0.5f, -2.0f };
    const float outside[SHAPES] = { 1.0f, 2.0f, -1.0f, 1.0f };
    GtShapesBlend blend = make_blend(GT_SHAPE_ABSOLUTE, inside);
    gt_shapes_blend(&blend);
    for (int i = 0; i < POINTS * 3; ++i) {
        double expected = 0.25 * (double)base[i] + 0.25 * (double)shapes[0][i] + 0.5 * (double)shapes[2][i];
        GT_EXPECT_NEAR(out[i], expected, 1e-6);
    }
    blend.weights = outside;
    blend.component_count = 1; // the numbers are the same, whatever they belong to
    blend.point_count = POINTS * 3;
    blend.out = base;
    gt_shapes_blend(&blend);
    for (int i = 0; i < POINTS * 3; ++i) {
        double expected = 0.25 * (double)shapes[0][i] + 0.5 * (double)shapes[1][i] + 0.25 * (double)shapes[3][i];
        GT_EXPECT_NEAR(base[i], expected, 1e-6);
    }
}

static void nothing_is_read_that_has_no_weight(void** state)
{
    (void)state;
    const float weights[SHAPES] = { 0.0f };
    static const float* const none[SHAPES] = { NULL };
    GtShapesBlend blend = make_blend(GT_SHAPE_ABSOLUTE, weights);
    blend.shapes = none;
    gt_shapes_blend(&blend);
    assert_memory_equal(out, base, sizeof out);
    blend.point_count = 0;
    blend.base = NULL;
    gt_shapes_blend(&blend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deltas_are_summed),
        cmocka_unit_test(absolute_shapes_stay_in_their_hull),
        cmocka_unit_test(nothing_is_read_that_has_no_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
