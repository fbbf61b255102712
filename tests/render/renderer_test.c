// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a renderer is by default, and again once it was cleared.

#include "render/walker.h"

#include <stdlib.h>

// NULL is the default renderer, whose pictures have the size that gt_default_renderer_def() says; an actor without a
// scene is refused.
static void test_defs_may_be_null(void** state)
{
    Fixture* f = need_driver(state);
    GtError error;
    GtRenderer* renderer = NULL;
    GtRendererDef usual = gt_default_renderer_def();
    size_t size = (size_t)usual.width * (size_t)usual.height * 4;
    uint8_t* pictures[2] = { malloc(size), malloc(size) };
    for (int i = 0; i < 2; ++i) {
        GtActorDef actor = gt_default_actor_def();
        actor.scene = f->walker;
        GT_EXPECT_OK(gt_renderer_create(&f->context, i ? &usual : NULL, &renderer, &error));
        GT_EXPECT_ERROR(gt_renderer_add(renderer, &f->context, NULL, NULL, &error), GT_ERROR_BAD_VALUE,
                        "needs a scene");
        GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
        GtCameraView camera = gt_camera_frame(gt_renderer_bounds(renderer, 0.0, 0.0, 1), GT_CAMERA_FRONT, 1.0f, 0.0f);
        GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.0, &error));
        GT_EXPECT_OK(gt_renderer_read(renderer, pictures[i], &error));
        gt_renderer_destroy(renderer);
    }
    assert_memory_equal(pictures[0], pictures[1], size);
    free(pictures[0]);
    free(pictures[1]);
}

enum {
    SIZE = 64
};

static void draw_walker(Fixture* f, GtRenderer* renderer, GtVec3 offset, uint8_t* rgba)
{
    GtError error;
    GtActorDef actor = gt_default_actor_def();
    actor.scene = f->walker;
    actor.animation = 0;
    actor.offset = offset;
    GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
    GtCameraView camera = gt_camera_frame(gt_renderer_bounds(renderer, 0.5, 0.5, 1), GT_CAMERA_FRONT, 1.0f, 0.0f);
    GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.5, &error));
    GT_EXPECT_OK(gt_renderer_read(renderer, rgba, &error));
}

// A stage that was cleared is as good as new: nothing of what was there is seen, nor does it say where the floor is.
static void test_clearing_leaves_nothing(void** state)
{
    Fixture* f = need_driver(state);
    static uint8_t alone[SIZE * SIZE * 4], other[sizeof alone], after[sizeof alone];
    GtError error;
    GtRenderer* renderer = NULL;
    GtRendererDef def = gt_default_renderer_def();
    def.width = def.height = SIZE;
    GT_EXPECT_OK(gt_renderer_create(&f->context, &def, &renderer, &error));
    draw_walker(f, renderer, gt_vec3(0.0f, 0.0f, 0.0f), alone);
    gt_renderer_set_stage(renderer, (GtBounds){ { -9.0f, -9.0f, -9.0f }, { 9.0f, 9.0f, 9.0f } });
    draw_walker(f, renderer, gt_vec3(1.0f, 0.5f, 0.0f), other);
    assert_memory_not_equal(other, alone, sizeof alone);
    gt_renderer_clear(renderer);
    draw_walker(f, renderer, gt_vec3(0.0f, 0.0f, 0.0f), after);
    assert_memory_equal(after, alone, sizeof alone);
    gt_renderer_destroy(renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defs_may_be_null),
        cmocka_unit_test(test_clearing_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
