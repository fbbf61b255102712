// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

#include "runtime/reference.h"

#include "gertie/clip.h"

#include <stdlib.h>

enum {
    NODES = 2,
    WEIGHTS = 5
};

static GtClip* make_clip(const GtTrackDef* tracks, int32_t count)
{
    GtError error;
    GtClip* clip = NULL;
    GtClipDef def = gt_default_clip_def();
    def.name = "motion";
    def.tracks = tracks;
    def.track_count = count;
    def.node_count = NODES;
    def.weight_count = WEIGHTS;
    GT_EXPECT_OK(gt_clip_create(gt_default_allocator(), &def, &clip, &error));
    return clip;
}

// What a clip writes, over a poisoned pose.
typedef struct Sampled {
    GtTransform pose[NODES];
    float weights[WEIGHTS];
} Sampled;

static Sampled sample(const GtClip* clip, double time_s)
{
    Sampled s;
    memset(&s, 0xCD, sizeof s);
    gt_clip_sample(clip, time_s, s.pose, s.weights);
    return s;
}

static void test_linear_and_step(void** state)
{
    (void)state;
    static const float times[3] = { 1, 2, 4 };
    static const float moves[9] = { 0, 0, 0, 10, -20, 30, 20, 0, 0 };
    static const float scales[9] = { 1, 1, 1, 2, 2, 2, 3, 3, 3 };
    const GtTrackDef tracks[2] = {
        { GT_TRACK_TRANSLATION, 1, 3, GT_INTERPOLATION_LINEAR, 3, times, moves },
        { GT_TRACK_SCALE, 1, 3, GT_INTERPOLATION_STEP, 3, times, scales },
    };
    GtClip* clip = make_clip(tracks, 2);
    assert_string_equal(gt_clip_name(clip), "motion");
    GT_EXPECT_NEAR(gt_clip_start_s(clip), 1, 0);
    GT_EXPECT_NEAR(gt_clip_end_s(clip), 4, 0);
    const struct {
        double time_s, x, y, z, scale;
    } cases[] = {
        { -5, 0, 0, 0, 1 },        { 1, 0, 0, 0, 1 },         { 1.25, 2.5, -5, 7.5, 1 },   { 2, 10, -20, 30, 2 },
        { 3, 15, -10, 15, 2 },     { 3.999999, 20, 0, 0, 2 }, { 4, 20, 0, 0, 3 },          { 9, 20, 0, 0, 3 },
        { INFINITY, 20, 0, 0, 3 }, { -INFINITY, 0, 0, 0, 1 }, { (double)NAN, 0, 0, 0, 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Sampled s = sample(clip, cases[i].time_s);
        GT_EXPECT_NEAR(s.pose[1].translation.x, cases[i].x, 2e-5);
        GT_EXPECT_NEAR(s.pose[1].translation.y, cases[i].y, 2e-5);
        GT_EXPECT_NEAR(s.pose[1].translation.z, cases[i].z, 2e-5);
        GT_EXPECT_NEAR(s.pose[1].scale.y, cases[i].scale, 0);
        uint8_t untouched[sizeof(GtTransform)];
        memset(untouched, 0xCD, sizeof untouched);
        assert_memory_equal(&s.pose[0], untouched, sizeof untouched);
        assert_memory_equal(&s.pose[1].rotation, untouched, sizeof(GtQuat));
        assert_memory_equal(s.weights, untouched, sizeof s.weights);
    }
    gt_clip_destroy(clip);
}

static void test_rotations_turn_evenly_the_shorter_way(void** state)
{
    (void)state;
    GtVec3 axis = gt_vec3(0.6f, 0, 0.8f);
    GtQuat start = gt_quat_from_axis_angle(axis, 0.2f);
    GtQuat end = gt_quat_from_axis_angle(axis, 2.2f);
    static const float times[3] = { 0, 1, 2 };
    const float values[12] = {
        start.x,     start.y,     start.z,     start.w,     //
        -end.x,      -end.y,      -end.z,      -end.w,      // the same rotation, the longer way if taken by its sign
        2 * start.x, 2 * start.y, 2 * start.z, 2 * start.w, // not of unit length
    };
    const GtTrackDef track = { GT_TRACK_ROTATION, 0, 4, GT_INTERPOLATION_LINEAR, 3, times, values };
    GtClip* clip = make_clip(&track, 1);
    for (int i = 0; i <= 40; ++i) {
        double time_s = i / 20.0;
        float angle = 0.2f + 2.0f * (float)(time_s < 1.0 ? time_s : 2.0 - time_s);
        GtQuat got = sample(clip, time_s).pose[0].rotation;
        GT_EXPECT_NEAR(gt_quat_angle_rad(got, gt_quat_from_axis_angle(axis, angle)), 0, 1e-6);
        GT_EXPECT_NEAR(gt_quat_length(got), 1, 1e-6);
    }
    gt_clip_destroy(clip);
}

// A cubic with its own derivatives as tangents is what the spline must give back, on intervals of any length.
static double cubic(int component, double t)
{
    return (component + 1) + 2.0 * t - (1.5 + component) * t * t + 0.25 * (component - 2) * t * t * t;
}

static double cubic_slope(int component, double t)
{
    return 2.0 - 2.0 * (1.5 + component) * t + 0.75 * (component - 2) * t * t;
}

static void test_cubic_splines_give_cubics_back(void** state)
{
    (void)state;
    static const float times[4] = { 0, 0.5f, 0.75f, 2.75f };
    float values[4 * 3 * WEIGHTS];
    float moves[4 * 9];
    for (int k = 0; k < 4; ++k) {
        for (int c = 0; c < WEIGHTS; ++c) {
            values[(k * 3 + 0) * WEIGHTS + c] = (float)cubic_slope(c, (double)times[k]);
            values[(k * 3 + 1) * WEIGHTS + c] = (float)cubic(c, (double)times[k]);
            values[(k * 3 + 2) * WEIGHTS + c] = (float)cubic_slope(c, (double)times[k]);
        }
        for (int c = 0; c < 3; ++c) {
            memcpy(&moves[k * 9 + c * 3], &values[(k * 3 + c) * WEIGHTS], 3 * sizeof(float));
        }
    }
    const GtTrackDef tracks[2] = {
        { GT_TRACK_WEIGHTS, 0, WEIGHTS, GT_INTERPOLATION_CUBICSPLINE, 4, times, values },
        { GT_TRACK_TRANSLATION, 0, 3, GT_INTERPOLATION_CUBICSPLINE, 4, times, moves },
    };
    GtClip* clip = make_clip(tracks, 2);
    for (int i = -10; i <= 300; ++i) {
        double time_s = i / 100.0;
        double held = time_s < 0.0 ? 0.0 : time_s > 2.75 ? 2.75 : time_s;
        Sampled s = sample(clip, time_s);
        for (int c = 0; c < WEIGHTS; ++c) {
            GT_EXPECT_NEAR(s.weights[c], cubic(c, held), 1e-5);
        }
        GT_EXPECT_NEAR(s.pose[0].translation.z, cubic(2, held), 1e-5);
    }
    Sampled kept = sample(clip, 0.0);
    gt_clip_sample(clip, 1.0, kept.pose, NULL); // morphs may be left alone
    GT_EXPECT_NEAR(kept.weights[0], cubic(0, 0.0), 0);
    gt_clip_destroy(clip);
}

static void test_cubic_rotations_are_normalised(void** state)
{
    (void)state;
    static const float times[2] = { 1, 3 };
    static const float values[24] = {
        0, 0, 0,  0, 0, 0, 0, 1, 0, 0, 0.5f, 0, // in, identity, out
        0, 0, -1, 0, 0, 0, 1, 0, 0, 0, 0,    0, // half a turn about z
    };
    const GtTrackDef track = { GT_TRACK_ROTATION, 0, 4, GT_INTERPOLATION_CUBICSPLINE, 2, times, values };
    GtClip* clip = make_clip(&track, 1);
    for (int i = 0; i <= 20; ++i) {
        double t = i / 20.0;
        double z = 2 * (t * t * t - 2 * t * t + t) * 0.5 + (3 * t * t - 2 * t * t * t) - 2 * (t * t * t - t * t);
        double w = 2 * t * t * t - 3 * t * t + 1;
        GtQuat got = sample(clip, 1 + 2 * t).pose[0].rotation;
        GT_EXPECT_NEAR(got.z, z / sqrt(z * z + w * w), 1e-6);
        GT_EXPECT_NEAR(got.w, w / sqrt(z * z + w * w), 1e-6);
    }
    gt_clip_destroy(clip);
}

static void test_vanishing_rotations_are_the_identity(void** state)
{
    (void)state;
    static const float times[2] = { 0, 1 };
    static const float values[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    const GtTrackDef track = { GT_TRACK_ROTATION, 0, 4, GT_INTERPOLATION_LINEAR, 2, times, values };
    GtClip* clip = make_clip(&track, 1);
    GT_EXPECT_NEAR(sample(clip, 0.5).pose[0].rotation.w, 1, 0);
    gt_clip_destroy(clip);
}

// Keys found one by one, as the specification says it: the last key that is not later.
static float find_slowly(const float* times, const float* values, int count, double time_s)
{
    int key = 0;
    for (int i = 0; i < count; ++i) {
        key = (double)times[i] <= time_s ? i : key;
    }
    if (time_s < (double)times[0] || key + 1 == count) {
        return values[key];
    }
    double t = (time_s - (double)times[key]) / ((double)times[key + 1] - (double)times[key]);
    return (float)((double)values[key] * (1.0 - t) + (double)values[key + 1] * t);
}

static void test_keys_are_found_among_many_also_at_equal_times(void** state)
{
    (void)state;
    enum {
        MAX = 40
    };
    uint64_t random = 17;
    for (int round = 0; round < 200; ++round) {
        int count = 1 + round % MAX;
        float times[MAX];
        float values[MAX];
        float time = (float)ref_random(&random);
        for (int i = 0; i < count; ++i) {
            times[i] = time;
            values[i] = (float)ref_random(&random);
            time += ref_random(&random) < 0.0 ? 0.0f : 0.125f * (float)(1.0 + ref_random(&random)); // half stand still
        }
        const GtTrackDef track = { GT_TRACK_WEIGHTS, 2, 1, GT_INTERPOLATION_LINEAR, count, times, values };
        GtClip* clip = make_clip(&track, 1);
        for (int i = 0; i < 3 * count; ++i) {
            double time_s = i < count ? (double)times[i] : -1.5 + 5.0 * fabs(ref_random(&random));
            GT_EXPECT_NEAR(sample(clip, time_s).weights[2], find_slowly(times, values, count, time_s), 1e-6);
        }
        gt_clip_destroy(clip);
    }
}

static void test_extreme_values_never_become_nan(void** state)
{
    (void)state;
    static const float times[2] = { 0, 3e38f };
    static const float values[2] = { 3e38f, -3e38f };
    static const float tangents[6] = { 3e38f, 3e38f, -3e38f, 3e38f, -3e38f, 3e38f };
    const GtTrackDef tracks[2] = {
        { GT_TRACK_WEIGHTS, 0, 1, GT_INTERPOLATION_LINEAR, 2, times, values },
        { GT_TRACK_WEIGHTS, 1, 1, GT_INTERPOLATION_CUBICSPLINE, 2, times, tangents },
    };
    GtClip* clip = make_clip(tracks, 2);
    for (int i = 0; i <= 10; ++i) {
        Sampled s = sample(clip, 3e37 * i);
        assert_false(isnan(s.weights[0]));
        assert_false(isnan(s.weights[1]));
    }
    gt_clip_destroy(clip);
}

static void* measure_allocate(void* user, size_t size)
{
    *(size_t*)user = size;
    return gt_default_allocator().allocate(NULL, size);
}

static void test_times_that_tracks_share_are_kept_once(void** state)
{
    (void)state;
    enum {
        KEYS = 10000,
        TRACKS = 50
    };
    float* times = calloc(KEYS, sizeof *times);
    float* values = calloc(KEYS, 3 * sizeof *values);
    GtTrackDef tracks[TRACKS];
    for (int i = 0; i < TRACKS; ++i) {
        tracks[i] = (GtTrackDef){ GT_TRACK_TRANSLATION, 0, 3, GT_INTERPOLATION_LINEAR, KEYS, times, values };
    }
    size_t size = 0;
    GtAllocator measuring = gt_default_allocator();
    measuring.allocate = measure_allocate;
    measuring.user = &size;
    GtError error;
    GtClip* clip = NULL;
    GtClipDef def = { .tracks = tracks, .track_count = TRACKS, .node_count = 1 };
    GT_EXPECT_OK(gt_clip_create(measuring, &def, &clip, &error));
    assert_true(size < KEYS * 4 * sizeof(float) + 16384); // the block comes last
    gt_clip_destroy(clip);
    free(times);
    free(values);
}

static void test_tracks_may_share_the_start_of_their_times(void** state)
{
    (void)state;
    static const float times[3] = { 0, 1, 2 };
    static const float values[3] = { 0, 1, 5 };
    const GtTrackDef tracks[3] = {
        { GT_TRACK_WEIGHTS, 0, 1, GT_INTERPOLATION_LINEAR, 3, times, values },
        { GT_TRACK_WEIGHTS, 1, 1, GT_INTERPOLATION_LINEAR, 2, times, values },
        { GT_TRACK_WEIGHTS, 2, 1, GT_INTERPOLATION_LINEAR, 1, times, values },
    };
    GtClip* clip = make_clip(tracks, 3);
    Sampled s = sample(clip, 1.5);
    GT_EXPECT_NEAR(s.weights[0], 3, 1e-6);
    GT_EXPECT_NEAR(s.weights[1], 1, 0);
    GT_EXPECT_NEAR(s.weights[2], 0, 0);
    gt_clip_destroy(clip);
}

static void test_an_empty_clip_does_nothing(void** state)
{
    (void)state;
    GtClip* clip = make_clip(NULL, 0);
    GT_EXPECT_NEAR(gt_clip_start_s(clip), 0, 0);
    GT_EXPECT_NEAR(gt_clip_end_s(clip), 0, 0);
    Sampled s = sample(clip, 1.0);
    uint8_t untouched[sizeof s];
    memset(untouched, 0xCD, sizeof untouched);
    assert_memory_equal(&s, untouched, sizeof s);
    gt_clip_destroy(clip);
    gt_clip_destroy(NULL);
}

static void test_bad_tracks_are_refused_by_name(void** state)
{
    (void)state;
    static const float times[3] = { 0, 1, 2 };
    static const float back[3] = { 0, 2, 1 };
    const float endless[3] = { 0, 1, INFINITY };
    const float nothing[9] = { 0, 0, 0, 0, NAN, 0, 0, 0, 0 };
    static const float values[9] = { 0 };
    const struct {
        GtTrackDef track;
        const char* complaint;
    } cases[] = {
        { { GT_TRACK_TRANSLATION, 2, 3, GT_INTERPOLATION_LINEAR, 3, times, values }, "node 2" },
        { { GT_TRACK_TRANSLATION, -1, 3, GT_INTERPOLATION_LINEAR, 3, times, values }, "node -1" },
        { { GT_TRACK_WEIGHTS, 4, 2, GT_INTERPOLATION_LINEAR, 3, times, values }, "weight 5" },
        { { GT_TRACK_WEIGHTS, INT32_MAX, INT32_MAX, GT_INTERPOLATION_LINEAR, 3, times, values }, "weight" },
        { { GT_TRACK_WEIGHTS, 0, 0, GT_INTERPOLATION_LINEAR, 3, times, values }, "0 components" },
        { { GT_TRACK_ROTATION, 0, 3, GT_INTERPOLATION_LINEAR, 3, times, values }, "3 components" },
        { { GT_TRACK_SCALE, 0, 4, GT_INTERPOLATION_LINEAR, 3, times, values }, "4 components" },
        { { (GtTrackKind)9, 0, 3, GT_INTERPOLATION_LINEAR, 3, times, values }, "kind 9" },
        { { GT_TRACK_SCALE, 0, 3, (GtInterpolation)-1, 3, times, values }, "interpolation -1" },
        { { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 0, times, values }, "no keys" },
        { { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, -3, times, values }, "no keys" },
        { { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 3, NULL, values }, "no keys" },
        { { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 3, back, values }, "key 2, 1 s, is before" },
        { { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 3, endless, values }, "time of key 2" },
        { { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 3, times, nothing }, "value 4" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const GtTrackDef tracks[2] = {
            { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 3, times, values },
            cases[i].track,
        };
        TestAllocator counting = { .remaining = -1 };
        GtError error;
        GtClip* clip = NULL;
        GtClipDef def = { .tracks = tracks, .track_count = 2, .node_count = NODES, .weight_count = WEIGHTS };
        GT_EXPECT_ERROR(gt_clip_create(test_allocator(&counting), &def, &clip, &error), GT_ERROR_BAD_VALUE,
                        cases[i].complaint);
        assert_string_equal(error.where, "track 1");
        assert_null(clip);
        assert_int_equal(counting.alive, 0);
    }
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    static const float times[3] = { 0, 1, 2 };
    static const float values[9] = { 0 };
    const GtTrackDef track = { GT_TRACK_SCALE, 0, 3, GT_INTERPOLATION_LINEAR, 3, times, values };
    GtClipDef def = { .name = "motion", .tracks = &track, .track_count = 1, .node_count = NODES };
    for (int64_t limit = 0;; ++limit) {
        TestAllocator failing = { .remaining = limit };
        GtClip* clip = NULL;
        GtResult result = gt_clip_create(test_allocator(&failing), &def, &clip, NULL);
        gt_clip_destroy(clip);
        assert_int_equal(failing.alive, 0);
        if (result == GT_OK) {
            assert_true(limit >= 2);
            return;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_and_step),
        cmocka_unit_test(test_rotations_turn_evenly_the_shorter_way),
        cmocka_unit_test(test_cubic_splines_give_cubics_back),
        cmocka_unit_test(test_cubic_rotations_are_normalised),
        cmocka_unit_test(test_vanishing_rotations_are_the_identity),
        cmocka_unit_test(test_keys_are_found_among_many_also_at_equal_times),
        cmocka_unit_test(test_extreme_values_never_become_nan),
        cmocka_unit_test(test_times_that_tracks_share_are_kept_once),
        cmocka_unit_test(test_tracks_may_share_the_start_of_their_times),
        cmocka_unit_test(test_an_empty_clip_does_nothing),
        cmocka_unit_test(test_bad_tracks_are_refused_by_name),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
