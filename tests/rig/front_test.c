// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Figures of boxes that show their front by one sign only, turned every way.

#include "gertie/accessor.h"
#include "gertie/file.h"

#include "rig/body/body.h"
#include "rig/orient/front.h"

#include "rig/boxes.h"

// Legs of any length, a belly that bulges above them, a head, arms; then what tells the front.
enum {
    FIGURE_COUNT = 7
};

static void make_figure(float legs, float belly_front, Box out[FIGURE_COUNT])
{
    const Box boxes[FIGURE_COUNT] = {
        { { 0.04f, 0.0f, -0.06f }, { 0.16f, legs + 0.04f, 0.06f } },
        { { -0.16f, 0.0f, -0.06f }, { -0.04f, legs + 0.04f, 0.06f } },
        { { -0.18f, legs, belly_front - 0.2f }, { 0.18f, legs + 0.2f, belly_front } },
        { { -0.16f, legs, -0.08f }, { 0.16f, 0.36f + legs, 0.08f } },
        { { -0.5f, 0.26f + legs, -0.04f }, { 0.5f, 0.34f + legs, 0.04f } },
        { { -0.15f, 0.35f + legs, -0.13f }, { 0.15f, 1.0f, 0.13f } },
        { { -0.06f, 0.32f + legs, -0.06f }, { 0.06f, 0.38f + legs, 0.06f } },
    };
    memcpy(out, boxes, sizeof boxes);
}

// The front that is found where the figure stands as it is made, or is turned by a half.
static float find_front(const Box* boxes, int count, bool turned, float* confidence)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtRigDef def = gt_default_rig_def();
    def.up = GT_RIG_AXIS_Y;
    GtArena arena = gt_arena_create(context.allocator);
    Box placed[BOX_MOST];
    for (int i = 0; i < count; ++i) {
        placed[i] = boxes[i];
        if (turned) {
            placed[i].low = gt_vec3(-boxes[i].high.x, boxes[i].low.y, -boxes[i].high.z);
            placed[i].high = gt_vec3(-boxes[i].low.x, boxes[i].high.y, -boxes[i].low.z);
        }
    }
    GtScene* scene = boxes_scene(placed, count);
    GtiRigBody body;
    GT_EXPECT_OK(gti_body_gather(&context, scene, &def, &arena, &body, &error));
    assert_true(body.front == GT_RIG_AXIS_Z || body.front == GT_RIG_AXIS_MINUS_Z);
    *confidence = body.front_confidence;
    gt_arena_destroy(&arena);
    gt_scene_destroy(scene);
    return body.front == GT_RIG_AXIS_Z ? 1.0f : -1.0f;
}

static void expect_front(const Box* boxes, int count, float least_confidence)
{
    for (int turned = 0; turned < 2; ++turned) {
        float confidence;
        GT_EXPECT_NEAR(find_front(boxes, count, turned, &confidence), turned ? -1.0 : 1.0, 0.0);
        if (!(confidence >= least_confidence)) {
            fail_msg("confidence %g, at least %g is wanted", (double)confidence, (double)least_confidence);
        }
    }
}

// A belly that bulges out, at the height of an adult's shanks, hides no toes.
static void test_toes_of_legs_of_any_length(void** state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        float legs = 0.2f + 0.13f * (float)i;
        Box boxes[FIGURE_COUNT + 2];
        make_figure(legs, 0.2f, boxes);
        boxes[FIGURE_COUNT] = (Box){ { 0.04f, 0.0f, -0.06f }, { 0.16f, 0.12f * legs, 0.06f + 0.4f * legs } };
        boxes[FIGURE_COUNT + 1] = (Box){ { -0.16f, 0.0f, -0.06f }, { -0.04f, 0.12f * legs, 0.06f + 0.4f * legs } };
        expect_front(boxes, FIGURE_COUNT + 2, i == 0 ? 0.75f : 0.9f);
    }
}

static void test_eyes(void** state)
{
    (void)state;
    Box boxes[FIGURE_COUNT + 2];
    make_figure(0.2f, 0.1f, boxes);
    boxes[FIGURE_COUNT] = (Box){ { 0.03f, 0.75f, 0.1f }, { 0.09f, 0.81f, 0.14f } };
    boxes[FIGURE_COUNT + 1] = (Box){ { -0.09f, 0.75f, 0.1f }, { -0.03f, 0.81f, 0.14f } };
    expect_front(boxes, FIGURE_COUNT + 2, 0.9f);
}

// What looks the same from both sides is told by what is usual, and not for sure.
static void test_no_sign(void** state)
{
    (void)state;
    Box boxes[FIGURE_COUNT];
    float confidence;
    make_figure(0.3f, 0.1f, boxes);
    GT_EXPECT_NEAR(find_front(boxes, FIGURE_COUNT, false, &confidence), 1.0, 0.0);
    assert_true(confidence < 0.8f);
}

static void test_odds_grow_with_signs(void** state)
{
    (void)state;
    GtiFrontSigns adult = { .leg = 1.0f, .toes = 0.035f };
    GtiFrontSigns child = { .leg = 0.3f, .toes = 0.035f };
    GtiFrontSigns behind = { .leg = 1.0f, .toes = -0.035f, .face = -0.1f, .eyes = -1.0f };
    GtiFrontSigns none = { .leg = 1.0f };
    assert_true(gti_front_log_odds(&adult) > 3.0f);
    assert_true(gti_front_log_odds(&child) < 0.5f * gti_front_log_odds(&adult)); // short legs say less
    assert_true(gti_front_log_odds(&behind) < -6.0f);
    GT_EXPECT_NEAR(gti_front_log_odds(&none), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_toes_of_legs_of_any_length),
        cmocka_unit_test(test_eyes),
        cmocka_unit_test(test_no_sign),
        cmocka_unit_test(test_odds_grow_with_signs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
