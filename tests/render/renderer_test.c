// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What a renderer is by default.

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defs_may_be_null),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
