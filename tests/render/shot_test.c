// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0
//
// Shots against what the floor below draws with a camera placed by hand, against each other from other angles, and
// against the motion's own times. Where no driver can draw, everything here is skipped.

#include "gertie/shot.h"

#include "render/walker.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIZE = 96
};

static GtShotDef shot_of(const GtShotFigure* figures, int32_t count)
{
    GtShotDef def = gt_default_shot_def();
    def.figures = figures;
    def.figure_count = count;
    def.width = def.height = SIZE;
    def.quality = GT_RENDER_DRAFT;
    return def;
}

static GtPicture draw(Fixture* f, const GtShotDef* def, double time_s, double turn_rad)
{
    GtError error = { 0 };
    GtShot* shot = NULL;
    GtPicture picture;
    GT_EXPECT_OK(gt_shot_create(&f->context, def, &shot, &error));
    GT_EXPECT_OK(gt_shot_draw(shot, &f->context, time_s, turn_rad, &picture, &error));
    gt_shot_destroy(shot);
    assert_true(picture.width == SIZE && picture.height == SIZE);
    return picture;
}

// How many pixels of two pictures differ clearly; both are freed.
static int difference(GtPicture a, GtPicture b)
{
    int count = 0;
    for (int i = 0; i < SIZE * SIZE; ++i) {
        count += abs(a.rgba[4 * i] - b.rgba[4 * i]) > 16 || abs(a.rgba[4 * i + 3] - b.rgba[4 * i + 3]) > 16;
    }
    gt_picture_destroy(&a);
    gt_picture_destroy(&b);
    return count;
}

// One figure at one moment: the renderer draws the same with the camera that just sees it.
static void one_moment_is_what_the_renderer_draws(void** state)
{
    Fixture* f = need_driver(state);
    GtShotFigure figure = gt_default_shot_figure(f->walker);
    GtShotDef def = shot_of(&figure, 1);
    def.time_s = 0.5;
    GtPicture seen = draw(f, &def, 0.5, 0.0);
    GtError error = { 0 };
    GtRenderer* renderer = NULL;
    GtRendererDef renderer_def = gt_default_renderer_def();
    renderer_def.width = renderer_def.height = SIZE;
    renderer_def.quality = GT_RENDER_DRAFT;
    GtActorDef actor = gt_default_actor_def();
    actor.scene = f->walker;
    actor.animation = 0;
    GT_EXPECT_OK(gt_renderer_create(&f->context, &renderer_def, &renderer, &error));
    GT_EXPECT_OK(gt_renderer_add(renderer, &f->context, &actor, NULL, &error));
    GtLens lens = gt_camera_lens(GT_CAMERA_THREE_QUARTER, 1.0f, 0.0f);
    GtReach reach = gt_renderer_actor_reach(renderer, 0, 0.5, &lens);
    GtCameraView camera = gt_camera_fit(&lens, &reach);
    GtPicture wanted;
    GT_EXPECT_OK(gt_picture_create(f->context.allocator, SIZE, SIZE, &wanted, &error));
    GT_EXPECT_OK(gt_renderer_draw(renderer, &camera, 0.5, &error));
    GT_EXPECT_OK(gt_renderer_read(renderer, wanted.rgba, &error));
    assert_memory_equal(seen.rgba, wanted.rgba, 4 * SIZE * SIZE);
    gt_renderer_destroy(renderer);
    gt_picture_destroy(&wanted);
    gt_picture_destroy(&seen);
}

// A camera a quarter around a figure sees what one in front sees of the figure turned the other way.
static void an_angle_turns_the_camera(void** state)
{
    Fixture* f = need_driver(state);
    GtError error = { 0 };
    GtScene* turned = NULL;
    const float angle_rad = 1.1f;
    GtQuat turn = gt_quat_from_axis_angle(gt_vec3(0.0f, 1.0f, 0.0f), -angle_rad);
    GT_EXPECT_OK(gt_scene_copy(&f->context, f->walker, &turned, &error));
    for (int32_t n = 0; n < turned->node_count; ++n) {
        GtTransform* local = &turned->nodes[n].local;
        if (turned->nodes[n].parent == GT_NONE) {
            local->rotation = gt_quat_mul(turn, local->rotation);
            local->translation = gt_quat_rotate(turn, local->translation);
        }
    }
    GtShotFigure figures[2] = { gt_default_shot_figure(f->walker), gt_default_shot_figure(turned) };
    figures[0].animation = figures[1].animation = GT_NONE;
    const GtBackground clear = { .ground = false };
    GtShotDef from_there = shot_of(&figures[0], 1);
    from_there.background = &clear;
    from_there.view.angle_rad = angle_rad;
    from_there.view.elevation_rad = 0.4f;
    GtShotDef from_front = shot_of(&figures[1], 1);
    from_front.background = &clear;
    from_front.view.angle_rad = 0.0f;
    from_front.view.elevation_rad = 0.4f;
    assert_in_range(difference(draw(f, &from_there, 0.0, 0.0), draw(f, &from_front, 0.0, 0.0)), 0, 12);
    from_front.figures = &figures[0]; // which is another side of it
    assert_true(difference(draw(f, &from_there, 0.0, 0.0), draw(f, &from_front, 0.0, 0.0)) > 200);
    gt_scene_destroy(turned);
}

typedef struct Heard {
    int notes, warnings;
} Heard;

static void hear(void* user, const GtDiagnostic* diagnostic)
{
    Heard* heard = user;
    heard->notes += diagnostic->severity == GT_SEVERITY_NOTE;
    heard->warnings += diagnostic->severity == GT_SEVERITY_WARNING;
}

// The walk lasts from 0 to 4.4 s; moved by half a second it starts late, as captures do whose first key is at a frame.
static void times_are_kept_inside_the_motion(void** state)
{
    Fixture* f = need_driver(state);
    static const struct {
        double time_s, from_s, to_s;
        double shown_from_s, shown_to_s; // NaN: it is refused
        int notes;
    } cases[] = {
        { 1.0, NAN, NAN, 1.0, 1.0, 0 },   { 4.45, NAN, NAN, 4.4, 4.4, 1 },  { -0.05, NAN, NAN, 0.0, 0.0, 1 },
        { 5.0, NAN, NAN, NAN, NAN, 0 },   { -1.0, NAN, NAN, NAN, NAN, 0 },  { NAN, NAN, NAN, 0.0, 4.4, 0 },
        { NAN, 1.0, 2.0, 1.0, 2.0, 0 },   { NAN, -3.0, 99.0, 0.0, 4.4, 1 }, { NAN, 5.0, 6.0, NAN, NAN, 0 },
        { NAN, -6.0, -5.0, NAN, NAN, 0 }, { NAN, 2.0, 1.0, NAN, NAN, 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtError error = { 0 };
        GtShot* shot = NULL;
        Heard heard = { 0 };
        GtContext context = f->context;
        context.diagnose = hear;
        context.diagnose_user = &heard;
        GtShotFigure figure = gt_default_shot_figure(f->walker);
        GtShotDef def = shot_of(&figure, 1);
        def.time_s = cases[i].time_s;
        def.from_s = cases[i].from_s;
        def.to_s = cases[i].to_s;
        GtResult result = gt_shot_create(&context, &def, &shot, &error);
        assert_int_equal(result, isnan(cases[i].shown_from_s) ? GT_ERROR_BAD_VALUE : GT_OK);
        if (result == GT_OK) {
            GT_EXPECT_NEAR(gt_shot_report(shot)->from_s, cases[i].shown_from_s, 1e-6);
            GT_EXPECT_NEAR(gt_shot_report(shot)->to_s, cases[i].shown_to_s, 1e-6);
        }
        assert_int_equal(heard.notes, cases[i].notes);
        assert_int_equal(heard.warnings, 0);
        gt_shot_destroy(shot);
    }
}

// What a shot of the def is refused for, and what is said of it.
static void expect_refused(Fixture* f, const GtShotDef* def, GtResult wanted, const char* words)
{
    GtError error = { 0 };
    GtShot* shot = NULL;
    GT_EXPECT_ERROR(gt_shot_create(&f->context, def, &shot, &error), wanted, words);
    assert_null(shot);
}

static void what_cannot_be_shown_is_refused(void** state)
{
    Fixture* f = need_driver(state);
    GtShotFigure figures[2] = { gt_default_shot_figure(f->walker), gt_default_shot_figure(f->walker) };
    GtShotDef def = shot_of(figures, 0);
    expect_refused(f, &def, GT_ERROR_BAD_VALUE, "needs a figure");
    def = shot_of(figures, 2);
    def.prop = f->walker;
    expect_refused(f, &def, GT_ERROR_BAD_VALUE, "for one figure; there are 2");
    def = shot_of(figures, 1);
    def.sheet_count = 4;
    def.path = "a.mp4";
    expect_refused(f, &def, GT_ERROR_BAD_VALUE, "a contact sheet is written as .png");
    def = shot_of(figures, 1);
    def.view.focus = "head,tail";
    expect_refused(f, &def, GT_ERROR_NOT_FOUND, "no joint or node 'tail'");
    def = shot_of(figures, 1);
    figures[0].animation = GT_NONE;
    def.path = "a.mp4";
    expect_refused(f, &def, GT_ERROR_NOT_FOUND, "no motion to film");
}

// Two figures stand side by side, and the camera sees both: nothing touches the edge of the picture.
static void figures_stand_side_by_side(void** state)
{
    Fixture* f = need_driver(state);
    const GtBackground clear = { .ground = false };
    GtShotFigure figures[2] = { gt_default_shot_figure(f->walker), gt_default_shot_figure(f->walker) };
    figures[0].name = figures[1].name = "walker";
    GtShotDef def = shot_of(figures, 2);
    def.background = &clear;
    def.view.place = GT_CAMERA_FRONT;
    def.time_s = 0.0;
    GtPicture both = draw(f, &def, 0.0, 0.0);
    int columns = 0;
    int runs = 0;
    bool was_covered = false;
    for (int x = 0; x < SIZE; ++x) {
        bool covered = false;
        for (int y = 0; y < SIZE * 2 / 3; ++y) { // names are below
            covered = covered || both.rgba[4 * (y * SIZE + x) + 3] > 128;
        }
        assert_true(!covered || (x > 0 && x < SIZE - 1));
        runs += covered && !was_covered;
        columns += covered;
        was_covered = covered;
    }
    assert_int_equal(runs, 2);
    assert_true(columns > SIZE / 8);
    gt_picture_destroy(&both);
}

static void every_allocation_may_fail(void** state)
{
    Fixture* f = need_driver(state);
    TestAllocator allocator = { .remaining = -1 };
    GtShotFigure figure = gt_default_shot_figure(f->walker);
    GtShotDef def = shot_of(&figure, 1);
    def.mirror = true;
    def.time_s = 0.5;
    def.overlays.trails = "leftHand";
    def.overlays.paint = GT_PAINT_INFLUENCES;
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result == GT_ERROR_OUT_OF_MEMORY; ++allowed) {
        GtError error = { 0 };
        GtShot* shot = NULL;
        GtPicture picture = { 0 };
        GtContext context = f->context;
        context.allocator = test_allocator(&allocator);
        allocator.remaining = allowed;
        result = gt_shot_create(&context, &def, &shot, &error);
        if (result == GT_OK) {
            result = gt_shot_draw(shot, &context, 0.5, 0.0, &picture, &error);
        }
        allocator.remaining = -1;
        gt_picture_destroy(&picture);
        gt_shot_destroy(shot);
        assert_int_equal(allocator.alive, 0);
    }
    assert_int_equal(result, GT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_moment_is_what_the_renderer_draws),
        cmocka_unit_test(an_angle_turns_the_camera),
        cmocka_unit_test(times_are_kept_inside_the_motion),
        cmocka_unit_test(what_cannot_be_shown_is_refused),
        cmocka_unit_test(figures_stand_side_by_side),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
