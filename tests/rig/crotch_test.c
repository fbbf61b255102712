// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Legs of boxes part where the trunk begins, whatever their length; sizes here are in heights of the figure.

#include "gertie/accessor.h"

#include "rig/body/body.h"
#include "rig/body/crotch.h"

#include "rig/boxes.h"

static bool find_crotch(const Box* boxes, int count, GtRigAxis up, GtiCrotch* out)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtRigDef def = gt_default_rig_def();
    def.up = up;
    GtArena arena = gt_arena_create(context.allocator);
    GtScene* scene = boxes_scene(boxes, count);
    GtiRigBody body;
    GtiSolid solid;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    GtiTrimesh skin = gti_body_skin(&body);
    GT_EXPECT_OK(gti_solid_make(&context, &skin, 1.0f / 160.0f, 4000000, &arena, &solid, &error));
    bool found = gti_body_find_crotch(&solid, NULL, out);

    // In another space it is the same.
    GtiCrotch moved;
    GtMat34 twice = gt_mat34_from_transform(
        gt_transform(gt_vec3(3.0f, -2.0f, 1.0f), gt_quat(0.0f, 0.6f, 0.0f, 0.8f), gt_vec3(2.0f, 2.0f, 2.0f)));
    GtVec3* points = gt_arena_push(&arena, (size_t)body.point_count * sizeof *points);
    for (int32_t p = 0; p < body.point_count; ++p) {
        points[p] = gt_mat34_point(&twice, body.points[p]);
    }
    skin.positions = points;
    GT_EXPECT_OK(gti_solid_make(&context, &skin, 1.0f / 80.0f, 4000000, &arena, &solid, &error));
    assert_int_equal(gti_body_find_crotch(&solid, &twice, &moved), found);
    GT_EXPECT_NEAR(moved.height, out->height, 0.011);
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
    return found;
}

static void test_legs_of_any_length(void** state)
{
    (void)state;
    for (int i = 1; i <= 5; ++i) {
        float h = 0.1f * (float)i;
        const Box boxes[] = {
            { { 0.03f, 0.0f, -0.06f }, { 0.14f, h + 0.04f, 0.06f } },
            { { -0.14f, 0.0f, -0.06f }, { -0.03f, h + 0.04f, 0.06f } },
            { { -0.15f, h, -0.07f }, { 0.15f, 0.8f, 0.07f } },
            { { -0.4f, 0.7f, -0.04f }, { 0.4f, 0.77f, 0.04f } },
            { { -0.08f, 0.78f, -0.08f }, { 0.08f, 1.0f, 0.08f } },
        };
        GtiCrotch crotch;
        assert_true(find_crotch(boxes, 5, GT_RIG_AXIS_Y, &crotch));
        GT_EXPECT_NEAR(crotch.height, h, 0.015);
        GT_EXPECT_NEAR(crotch.ankle, 0.0, 0.015);
        GT_EXPECT_NEAR(crotch.share, 1.0, 0.0);
    }
}

static void test_knees_that_touch(void** state)
{
    (void)state;
    const Box boxes[] = {
        { { 0.03f, 0.0f, -0.06f }, { 0.14f, 0.5f, 0.06f } },   { { -0.14f, 0.0f, -0.06f }, { -0.03f, 0.5f, 0.06f } },
        { { -0.14f, 0.2f, -0.06f }, { 0.14f, 0.3f, 0.06f } }, // knees
        { { -0.15f, 0.45f, -0.07f }, { 0.15f, 0.8f, 0.07f } }, { { -0.08f, 0.78f, -0.08f }, { 0.08f, 1.0f, 0.08f } },
    };
    GtiCrotch crotch;
    assert_true(find_crotch(boxes, 5, GT_RIG_AXIS_Y, &crotch));
    GT_EXPECT_NEAR(crotch.height, 0.45, 0.015);
    assert_true(crotch.share > 0.78f && crotch.share < 0.96f);
}

static void test_a_robe_has_none(void** state)
{
    (void)state;
    const Box boxes[] = {
        { { -0.2f, 0.0f, -0.15f }, { 0.2f, 0.8f, 0.15f } },
        { { -0.4f, 0.7f, -0.04f }, { 0.4f, 0.77f, 0.04f } },
        { { -0.08f, 0.78f, -0.08f }, { 0.08f, 1.0f, 0.08f } },
    };
    GtiCrotch crotch;
    assert_false(find_crotch(boxes, 3, GT_RIG_AXIS_Y, &crotch));
    GT_EXPECT_NEAR(crotch.height, 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_legs_of_any_length),
        cmocka_unit_test(test_knees_that_touch),
        cmocka_unit_test(test_a_robe_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
