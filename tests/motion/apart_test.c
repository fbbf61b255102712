// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Limbs that go through the body of a character. The skin of the result is the oracle, by its triangles: they know
// nothing of the shapes that limbs are brought out with.

#include "motion/touching.h"

#include "gertie/measure.h"

static double depth_of(const GtContext* context, const GtScene* scene)
{
    GtError error;
    GtMeasure* measure = NULL;
    GtMeasureDef def = gt_default_measure_def();
    def.mesh_frame_count = 19;
    GT_EXPECT_OK(gt_measure(context, scene, &def, &measure, &error));
    double depth = measure->self.clash_m;
    gt_measure_destroy(measure);
    return depth;
}

static GtRetargetDef collide_def(GtCollide collide)
{
    GtRetargetDef def = bare_retarget_def();
    def.collide = collide;
    return def;
}

// Frames in which two results have other keys.
static int frames_that_differ(const GtContext* context, const GtScene* a, const GtScene* b, bool differs[FRAMES])
{
    int count = 0;
    Player one = open_player(context, a, 0), other = open_player(context, b, 0);
    size_t size = (size_t)gt_character_def(one.character)->node_count * sizeof(GtTransform);
    for (int f = 0; f < FRAMES; ++f) {
        play_at(&one, (double)((float)f / RATE_HZ));
        play_at(&other, (double)((float)f / RATE_HZ));
        differs[f] = memcmp(one.instance->pose, other.instance->pose, size) != 0;
        count += differs[f];
    }
    close_player(&one);
    close_player(&other);
    return count;
}

static GtPersonDef heavy_person(void)
{
    GtPersonDef def = gt_default_person_def();
    def.build = 1.2;
    return def;
}

// Hands on the hips of a slimmer person, carried over onto wide ones: through them, and out of them.
typedef struct Hips {
    GtScene *body, *through, *out;
    GtRetargetReport report; // of `out`
} Hips;

static Hips open_hips(const GtContext* context)
{
    GtRetargetDef on = collide_def(GT_COLLIDE_ON), off = collide_def(GT_COLLIDE_OFF);
    GtScene* motion = make_touching(context, HIP);
    Hips hips = { .body = make_body(context, heavy_person(), COARSE) };
    hips.through = carry(context, motion, hips.body, &off, &hips.report);
    assert_int_equal(hips.report.collide.frame_count, 0);
    hips.out = carry(context, motion, hips.body, &on, &hips.report);
    gt_scene_destroy(motion);
    return hips;
}

static void close_hips(const Hips* hips)
{
    gt_scene_destroy(hips->out);
    gt_scene_destroy(hips->through);
    gt_scene_destroy(hips->body);
}

static void hands_come_out_of_wide_hips(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    Hips hips = open_hips(&context);
    GtRetargetReport report = hips.report;
    assert_true(report.collide.frame_count > 0);
    assert_true(report.collide.depth_m > 0.03 && report.collide.left_m < 0.03);
    double before = depth_of(&context, hips.through), after = depth_of(&context, hips.out);
    assert_true(before > 0.03);
    assert_true(after < 0.03);
    bool differs[FRAMES];
    int count = frames_that_differ(&context, hips.through, hips.out, differs);
    assert_true(count > 0 && count <= report.collide.frame_count); // of which some are moved by next to nothing
    assert_true(count < FRAMES);                                   // somewhere on their way the arms are off the body
    close_hips(&hips);
}

// No elbow or wrist gets more than a bounded acceleration on top of what it has.
static void nothing_pops(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    Hips hips = open_hips(&context);
    Player one = open_player(&context, hips.through, 0), other = open_player(&context, hips.out, 0);
    const char* names[4] = { "leftLowerArm", "leftHand", "rightLowerArm", "rightHand" };
    double most = 0.0, farthest = 0.0;
    for (int k = 0; k < 4; ++k) {
        GtVec3 ways[FRAMES];
        for (int f = 0; f < FRAMES; ++f) {
            double time_s = (double)((float)f / RATE_HZ);
            ways[f] = gt_vec3_sub(joint_at(&other, names[k], time_s), joint_at(&one, names[k], time_s));
            farthest = fmax(farthest, (double)gt_vec3_length(ways[f]));
        }
        for (int f = 1; f + 1 < FRAMES; ++f) {
            GtVec3 second = gt_vec3_sub(gt_vec3_add(ways[f - 1], ways[f + 1]), gt_vec3_scale(ways[f], 2.0f));
            most = fmax(most, (double)gt_vec3_length(second) * RATE_HZ * RATE_HZ);
        }
    }
    assert_true(farthest > 0.02);
    assert_true(most < 8.0);
    close_player(&one);
    close_player(&other);
    close_hips(&hips);
}

// A character whose own motion has its hands in its hips keeps them there.
static void what_the_source_does_with_its_own_skin_is_let_be(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    Hips hips = open_hips(&context);
    GtRetargetDef on = collide_def(GT_COLLIDE_ON);
    GtRetargetReport report;
    GtScene* copy = carry(&context, hips.through, hips.body, &on, &report);
    assert_int_equal(report.collide.frame_count, 0);
    gt_scene_destroy(copy);
    close_hips(&hips);
}

// Elbows may go out; the hands stay on what they touch.
static void touches_are_kept(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* motion = make_touching(&context, CLAP);
    GtScene* body = make_body(&context, heavy_person(), FINE);
    GtRetargetDef def = touch_def();
    def.collide = GT_COLLIDE_ON;
    GtRetargetReport report;
    GtScene* out = carry(&context, motion, body, &def, &report);
    assert_true(report.collide.frame_count > 0);
    assert_int_equal(report.touch.touch_count, 1);
    GT_EXPECT_NEAR(worst_gap(&context, out, CLAP, 'l'), 0.0, 0.005);
    gt_scene_destroy(out);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtContext heap = gt_default_context();
    GtError error;
    GtScene* motion = make_touching(&heap, HIP);
    GtScene* body = make_body(&heap, heavy_person(), COARSE);
    GtRetargetDef def = collide_def(GT_COLLIDE_ON);
    def.frame_rate_hz = 5.0;
    Transfer transfer;
    GT_EXPECT_OK(transfer_open(&heap, motion, 0, motion->humanoid, body, body->humanoid, &def, &transfer, &error));
    GtResult result = GT_ERROR_OUT_OF_MEMORY;
    for (int64_t allowed = 0; result != GT_OK; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = heap;
        context.allocator = test_allocator(&limited);
        GtScene* out = NULL;
        result = gt_scene_copy(&context, body, &out, &error);
        if (result == GT_OK) {
            result = gt_retarget_clip(&context, transfer.retarget, out, NULL, NULL, &error);
        }
        assert_true(result == GT_OK || result == GT_ERROR_OUT_OF_MEMORY);
        gt_scene_destroy(out);
        assert_int_equal(limited.alive, 0);
    }
    transfer_close(&transfer);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

static void nothing_happens_where_nothing_is_wrong(void** state)
{
    (void)state;
    TestLog log;
    GtContext context = test_context(&log);
    GtScene* motion = make_touching(&context, NOTHING);
    GtPersonDef thin = gt_default_person_def();
    thin.build = -1.0;
    GtScene* body = make_body(&context, thin, COARSE);
    GtScene* skeleton = make_person(&context, gt_default_person_def()); // no skin at all
    GtRetargetDef on = collide_def(GT_COLLIDE_ON), off = collide_def(GT_COLLIDE_OFF);
    GtScene* characters[2] = { body, skeleton };
    for (int k = 0; k < 2; ++k) {
        GtRetargetReport report;
        GtScene* a = carry(&context, motion, characters[k], &off, NULL);
        GtScene* b = carry(&context, motion, characters[k], &on, &report);
        bool differs[FRAMES];
        assert_int_equal(report.collide.frame_count, 0);
        assert_int_equal(frames_that_differ(&context, a, b, differs), 0);
        gt_scene_destroy(b);
        gt_scene_destroy(a);
    }
    gt_scene_destroy(skeleton);
    gt_scene_destroy(body);
    gt_scene_destroy(motion);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_come_out_of_wide_hips),
        cmocka_unit_test(nothing_pops),
        cmocka_unit_test(what_the_source_does_with_its_own_skin_is_let_be),
        cmocka_unit_test(touches_are_kept),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(nothing_happens_where_nothing_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
