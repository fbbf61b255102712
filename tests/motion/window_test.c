// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// A long motion is carried over in windows. Cut into many short ones, motions come out as they do in one piece: joints
// where they are, feet that stand where they stand, and with the same report.

#include "motion/puppets.h"

#include "gertie/measure.h"
#include "gertie/person.h"

#include "motion/retarget/transfer.h"

#include <math.h>
#include <stdlib.h>

static const GtiWindowSizes one_piece = { .most_whole = 1 << 20, .core = 256, .margin = 192, .overlap = 48 };
static const GtiWindowSizes short_ones = { .most_whole = 512, .core = 256, .margin = 192, .overlap = 48 };
static const GtiWindowSizes long_ones = { .most_whole = 512, .core = 700, .margin = 300, .overlap = 32 };

typedef struct Way {
    const char* name;
    GtMotionKind kind;
    int32_t repeat_count;
    GtFeet feet;
    GtRootMotion root_motion;
    bool mirror, loop;
    double most_m; // that a joint may be elsewhere
    GtCollide collide;
} Way;

static GtScene* person;

static int make_body(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtPersonDef def = gt_default_person_def();
    def.triangle_count = 4000;
    if (gt_sample_person(&context, &def, &person, NULL, &error) != GT_OK) {
        return -1;
    }
    static const GtHumanoidJoint longer[] = { GT_HUMANOID_LEFT_LOWER_LEG, GT_HUMANOID_RIGHT_LOWER_LEG };
    for (int i = 0; i < 2; ++i) { // legs that the motions are not made for
        GtVec3* bone = &person->nodes[person->humanoid->nodes[longer[i]]].local.translation;
        *bone = gt_vec3_scale(*bone, 1.2f);
    }
    return 0;
}

static int drop_body(void** state)
{
    (void)state;
    gt_scene_destroy(person);
    return 0;
}

static GtScene* carry_in(const GtContext* context, const GtScene* motion, const Way* way, const GtiWindowSizes* sizes,
                         GtRetargetReport* report)
{
    GtError error;
    GtScene* out = NULL;
    Transfer transfer = { 0 };
    GtRetargetDef def = gt_default_retarget_def();
    def.feet = way->feet;
    def.collide = way->collide;
    def.root_motion = way->root_motion;
    def.mirror = way->mirror;
    def.loop = way->loop;
    GT_EXPECT_OK(gt_scene_copy(context, person, &out, &error));
    GT_EXPECT_OK(open_mapped(context, motion, 0, NULL, &transfer.source, &error));
    GT_EXPECT_OK(open_mapped(context, person, GT_NONE, person->humanoid, &transfer.target, &error));
    GT_EXPECT_OK(gt_retarget_create(context, &transfer.source, &transfer.target, &def, &transfer.retarget, &error));
    GT_EXPECT_OK(gti_retarget_clip(context, transfer.retarget, sizes, out, NULL, report, &error));
    transfer_close(&transfer);
    return out;
}

static GtScene* make_long_motion(const GtContext* context, GtMotionKind kind, int32_t repeat_count)
{
    GtError error;
    GtScene* motion = NULL;
    GtMotionDef def = gt_default_motion_def(kind);
    def.repeat_count = repeat_count;
    GT_EXPECT_OK(gt_sample_motion(context, &def, &motion, NULL, &error));
    return motion;
}

// Farthest that a joint of one clip is from where it is in another, and most that this changes in a frame.
typedef struct Apart {
    double most_m, step_m;
} Apart;

static Apart compare(const GtContext* context, const GtScene* a, const GtScene* b, int32_t frame_count)
{
    Player x = open_player(context, a, a->animation_count - 1);
    Player y = open_player(context, b, b->animation_count - 1);
    double end_s = gt_clip_end_s(x.clip);
    int32_t node_count = gt_character_def(x.character)->node_count;
    GtVec3* before = calloc((size_t)node_count, sizeof *before);
    assert_non_null(before);
    Apart apart = { 0.0, 0.0 };
    for (int32_t f = 0; f < frame_count; ++f) {
        double time_s = end_s * f / (frame_count - 1);
        play_at(&x, time_s);
        play_at(&y, time_s);
        for (int32_t n = 0; n < node_count; ++n) {
            GtVec3 off = gt_vec3_sub(gt_mat34_translation(&x.instance->model_from_node[n]),
                                     gt_mat34_translation(&y.instance->model_from_node[n]));
            apart.most_m = fmax(apart.most_m, (double)gt_vec3_length(off));
            apart.step_m = f ? fmax(apart.step_m, (double)gt_vec3_length(gt_vec3_sub(off, before[n]))) : 0.0;
            before[n] = off;
        }
    }
    free(before);
    close_player(&x);
    close_player(&y);
    return apart;
}

// How far results may be apart: of windows that are cut elsewhere, where no foot stands longer than a window sees, and
// where one does; and of one piece, in which feet are not always settled twice.
static const double CUT_M = 5e-5, LONG_STAND_M = 6e-3, ONE_PIECE_M = 6e-3;
static const double STEP_M = 2e-4; // from a frame to the next

static void test_windows_show_no_seams(void** state)
{
    (void)state;
    static const Way ways[] = {
        { "walk", GT_MOTION_WALK, 40, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, false, CUT_M, GT_COLLIDE_OFF },
        { "run, mirrored", GT_MOTION_RUN, 60, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, true, false, CUT_M, GT_COLLIDE_OFF },
        { "walk on the spot", GT_MOTION_WALK, 40, GT_FEET_PLANT, GT_ROOT_MOTION_NONE, false, false, CUT_M,
          GT_COLLIDE_OFF },
        { "walk, closed", GT_MOTION_WALK, 40, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, true, CUT_M, GT_COLLIDE_OFF },
        { "walk, limbs out", GT_MOTION_WALK, 40, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, false, CUT_M,
          GT_COLLIDE_ON },
        { "turn", GT_MOTION_TURN, 20, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, false, CUT_M, GT_COLLIDE_OFF },
        { "walk, feet off", GT_MOTION_WALK, 40, GT_FEET_OFF, GT_ROOT_MOTION_HIPS, false, false, CUT_M, GT_COLLIDE_OFF },
        { "boxing", GT_MOTION_BOXING, 12, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, false, LONG_STAND_M,
          GT_COLLIDE_OFF },
        { "idle", GT_MOTION_IDLE, 8, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, false, LONG_STAND_M, GT_COLLIDE_OFF },
        { "jump", GT_MOTION_JUMP, 20, GT_FEET_PLANT, GT_ROOT_MOTION_HIPS, false, false, LONG_STAND_M, GT_COLLIDE_OFF },
        { "kick, warped", GT_MOTION_KICK, 20, GT_FEET_WARP, GT_ROOT_MOTION_HIPS, false, false, LONG_STAND_M,
          GT_COLLIDE_OFF },
    };
    GtContext context = gt_default_context();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        const Way* way = &ways[i];
        GtScene* motion = make_long_motion(&context, way->kind, way->repeat_count);
        GtRetargetReport reports[3];
        GtScene* whole = carry_in(&context, motion, way, &one_piece, &reports[0]);
        GtScene* cut = carry_in(&context, motion, way, &short_ones, &reports[1]);
        GtScene* other = carry_in(&context, motion, way, &long_ones, &reports[2]);
        Apart cuts = compare(&context, cut, other, reports[0].frame_count);
        Apart pieces = compare(&context, cut, whole, reports[0].frame_count);
        print_message("%-16s %d frames: %.4f mm and %.4f mm a frame; one piece %.3f mm\n", way->name,
                      (int)reports[0].frame_count, 1e3 * cuts.most_m, 1e3 * cuts.step_m, 1e3 * pieces.most_m);
        assert_true(cuts.most_m < way->most_m);
        assert_true(cuts.step_m < STEP_M);
        assert_true(way->collide || pieces.most_m < ONE_PIECE_M); // which frames are looked at differs in cycles
        for (int k = 1; k < 3; ++k) {
            assert_int_equal(reports[k].frame_count, reports[0].frame_count);
            assert_int_equal(reports[k].plant.contact_count, reports[0].plant.contact_count);
            assert_int_equal(reports[k].plant.short_frames, reports[0].plant.short_frames);
            assert_true(fabs(reports[k].mean_direction_error_rad - reports[0].mean_direction_error_rad) < 1e-9);
            assert_true(fabs(reports[k].max_extra_turn_rad - reports[0].max_extra_turn_rad) < 1e-9);
        }
        gt_scene_destroy(whole);
        gt_scene_destroy(cut);
        gt_scene_destroy(other);
        gt_scene_destroy(motion);
    }
}

// As gt_measure() sees it, which knows nothing of windows.
static void test_feet_stay_where_they_stand(void** state)
{
    (void)state;
    static const Way way = { "walk", GT_MOTION_WALK, 40,  GT_FEET_PLANT, GT_ROOT_MOTION_HIPS,
                             false,  false,          0.0, GT_COLLIDE_OFF };
    GtContext context = gt_default_context();
    GtError error;
    GtScene* motion = make_long_motion(&context, way.kind, way.repeat_count);
    const GtiWindowSizes* sizes[2] = { &one_piece, &short_ones };
    double slides_m[2] = { 0.0, 0.0 };
    for (int k = 0; k < 2; ++k) {
        GtRetargetReport report;
        GtMeasure* measure = NULL;
        GtMeasureDef def = gt_default_measure_def();
        def.source = motion;
        def.mesh_frame_count = 0;
        GtScene* out = carry_in(&context, motion, &way, sizes[k], &report);
        GT_EXPECT_OK(gt_measure(&context, out, &def, &measure, &error));
        slides_m[k] = fmax(measure->feet[0].skate_m, measure->feet[1].skate_m);
        gt_measure_destroy(measure);
        gt_scene_destroy(out);
    }
    print_message("feet slide by %.3f mm in windows, %.3f mm in one piece\n", 1e3 * slides_m[1], 1e3 * slides_m[0]);
    assert_true(slides_m[1] < slides_m[0] + 0.001);
    gt_scene_destroy(motion);
}

static void test_any_allocation_may_fail(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error;
    GtRetargetDef def = gt_default_retarget_def();
    GtScene* motion = make_long_motion(&context, GT_MOTION_WALK, 12);
    Transfer transfer = { 0 };
    GT_EXPECT_OK(open_mapped(&context, motion, 0, NULL, &transfer.source, &error));
    GT_EXPECT_OK(open_mapped(&context, person, GT_NONE, person->humanoid, &transfer.target, &error));
    GT_EXPECT_OK(gt_retarget_create(&context, &transfer.source, &transfer.target, &def, &transfer.retarget, &error));
    bool done = false;
    int64_t limit = 0;
    for (; !done; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtContext failing_context = context;
        failing_context.allocator = test_allocator(&failing);
        GtScene* out = NULL;
        GtResult result = gt_scene_copy(&failing_context, person, &out, &error);
        if (result == GT_OK) {
            result = gti_retarget_clip(&failing_context, transfer.retarget, &short_ones, out, NULL, NULL, &error);
        }
        done = result == GT_OK;
        assert_true(done || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(out);
        assert_int_equal(failing.alive, 0);
    }
    print_message("%d allocations\n", (int)limit - 1);
    assert_true(limit > 100);
    transfer_close(&transfer);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows_show_no_seams),
        cmocka_unit_test(test_feet_stay_where_they_stand),
        cmocka_unit_test(test_any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, make_body, drop_body);
}
