// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// What tests that draw share: the sample, walking, and a way out where no driver can draw.

#ifndef GERTIE_TESTS_RENDER_WALKER_H
#define GERTIE_TESTS_RENDER_WALKER_H

#include "gertie/animate.h"
#include "gertie/motions.h"
#include "gertie/person.h"
#include "gertie/render.h"

#include "support/test.h"

// The sample person, walking.
static GtScene* make_walker(const GtContext* context)
{
    GtError error = { 0 };
    GtScene* person = NULL;
    GtScene* walk = NULL;
    GtScene* walker = NULL;
    GtPersonDef person_def = gt_default_person_def();
    GtMotionDef walk_def = gt_default_motion_def(GT_MOTION_WALK);
    GtAnimateDef animate_def = gt_default_animate_def();
    GT_EXPECT_OK(gt_sample_person(context, &person_def, &person, NULL, &error));
    GT_EXPECT_OK(gt_sample_motion(context, &walk_def, &walk, NULL, &error));
    GT_EXPECT_OK(gt_animate(context, person, walk, &animate_def, &walker, NULL, &error));
    gt_scene_destroy(person);
    gt_scene_destroy(walk);
    return walker;
}

typedef struct Fixture {
    GtContext context;
    GtScene* walker;
} Fixture;

static int enter(void** state)
{
    static Fixture f;
    GtError error = { 0 };
    f.context = gt_default_context();
    GtRenderer* renderer = NULL;
    GtRendererDef def = gt_default_renderer_def();
    def.width = def.height = 16;
    if (gt_renderer_create(&f.context, &def, &renderer, &error) == GT_ERROR_UNSUPPORTED) {
        print_message("skipped: %s\n", error.message);
        *state = NULL;
        return 0;
    }
    gt_renderer_destroy(renderer);
    f.walker = make_walker(&f.context);
    *state = &f;
    return 0;
}

static int leave(void** state)
{
    Fixture* f = *state;
    if (f) {
        gt_scene_destroy(f->walker);
    }
    return 0;
}

static Fixture* need_driver(void** state)
{
    if (!*state) {
        skip();
    }
    return *state;
}

#endif
