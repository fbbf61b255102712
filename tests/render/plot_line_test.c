// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Simplified lines against every point they were made from, measured here by brute force.

#include "support/random.h"
#include "support/test.h"

#include "render/plot/line.h"

#include <stdlib.h>

enum {
    MOST_POINTS = 60000
};

static const double width = 900.0;
static const double height = 300.0;
static const double allowed = 0.45;

static double distance_to_segment(GtiPoint p, GtiPoint a, GtiPoint b)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = dx * dx + dy * dy;
    double t = length > 0.0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / length : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

// The greatest distance of any of `points` from `line`; both run from left to right.
static double worst_distance(const GtiPoint* points, int32_t count, const GtiPoint* line, int32_t line_count)
{
    double worst = 0.0;
    int32_t from = 0;
    for (int32_t i = 0; i < count; ++i) {
        while (from + 1 < line_count && line[from + 1].x < points[i].x - 1.0) {
            ++from;
        }
        double nearest = HUGE_VAL;
        for (int32_t s = from; s < line_count && line[s].x <= points[i].x + 1.0; ++s) {
            GtiPoint next = line[s + 1 < line_count ? s + 1 : s];
            nearest = fmin(nearest, distance_to_segment(points[i], line[s], next));
        }
        worst = fmax(worst, nearest);
    }
    return worst;
}

static double value_of(int kind, double x, TestRandom* random, double* walk)
{
    switch (kind) {
    case 0:
        return sin(x * 0.05);
    case 1:
        return sin(x * x * 0.01); // ever faster
    case 2:
        return (double)test_random_float(random, -1.0f, 1.0f);
    case 3:
        *walk += (double)test_random_float(random, -0.02f, 0.02f);
        return *walk;
    case 4:
        return fmod(floor(x / 40.0), 2.0); // steps
    default:
        return 0.25;
    }
}

static void test_no_point_is_left_behind(void** state)
{
    (void)state;
    static const int32_t counts[] = { 1, 2, 3, 4, 50, 5000, MOST_POINTS };
    GtArena scratch = gt_arena_create(gt_default_allocator());
    GtiPoint* points = malloc(2 * MOST_POINTS * sizeof *points);
    GtiPoint* line = points + MOST_POINTS;
    TestRandom random = { 3 };
    for (int kind = 0; kind < 6; ++kind) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
            int32_t count = counts[c];
            double walk = 0.0;
            for (int32_t i = 0; i < count; ++i) {
                double x = count > 1 ? width * i / (count - 1) : 0.0;
                points[i] = (GtiPoint){ x, 0.5 * height * (1.0 + value_of(kind, x, &random, &walk)) };
                line[i] = points[i];
            }
            int32_t kept = gti_line_simplify(&scratch, line, count);
            assert_true(kept >= (count < 2 ? count : 2) && kept <= count);
            assert_memory_equal(&line[0], &points[0], sizeof *points);
            assert_memory_equal(&line[kept - 1], &points[count - 1], sizeof *points);
            for (int32_t i = 1; i < kept; ++i) {
                assert_true(line[i].x > line[i - 1].x);
            }
            double worst = worst_distance(points, count, line, kept);
            if (!(worst <= allowed)) {
                fail_msg("kind %d, %d points: %g pixels", kind, (int)count, worst);
            }
            assert_true((kind > 0 && kind < 4) || kept < 400); // what is smooth gets short
            assert_true(kept <= 32 * (int32_t)width);
        }
    }
    free(points);
    gt_arena_destroy(&scratch);
}

static void test_what_is_straight_needs_two_points(void** state)
{
    (void)state;
    GtArena scratch = gt_arena_create(gt_default_allocator());
    GtiPoint line[1000];
    for (int i = 0; i < 1000; ++i) {
        line[i] = (GtiPoint){ 0.9 * i, 10.0 + 0.1 * i };
    }
    assert_int_equal(gti_line_simplify(&scratch, line, 1000), 2);
    gt_arena_destroy(&scratch);
}

static void test_memory_may_run_out(void** state)
{
    (void)state;
    TestAllocator allocator = { .remaining = 0 };
    GtArena scratch = gt_arena_create(test_allocator(&allocator));
    GtiPoint line[] = { { 0, 0 }, { 1, 5 }, { 2, 0 }, { 3, 5 } };
    assert_int_equal(gti_line_simplify(&scratch, line, 4), -1);
    gt_arena_destroy(&scratch);
    assert_int_equal(allocator.alive, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_point_is_left_behind),
        cmocka_unit_test(test_what_is_straight_needs_two_points),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
