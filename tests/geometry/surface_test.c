// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Welding and surveying, against surfaces whose answers are known: cubes, strips, a Moebius band, fans that touch.

#include "gertie/surface.h"
#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>

static const GtVec3 cube_points[8] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 },
                                       { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 } };
static const uint32_t cube[36] = { 0, 3, 2, 0, 2, 1, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                   2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 3, 0, 4, 3, 4, 7 };

static GtSurfaceReport survey(const GtVec3* points, int32_t point_count, const uint32_t* indices, int64_t count)
{
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtSurface surface = { points, point_count, indices, count };
    GtSurfaceReport report;
    GT_EXPECT_OK(gt_surface_survey(&context, &surface, &report, &error));
    return report;
}

static void test_a_cube_is_closed(void** state)
{
    (void)state;
    GtSurfaceReport r = survey(cube_points, 8, cube, 12);
    assert_true(r.is_closed && r.is_manifold && r.is_oriented);
    assert_int_equal(r.component_count, 1);
    assert_int_equal(r.edge_count, 18);
    assert_int_equal(r.hole_count, 0);
    GT_EXPECT_NEAR(r.volume, 1.0, 1e-12);
    GT_EXPECT_NEAR(r.area, 6.0, 1e-12);
    assert_true(r.min.x == 0 && r.max.z == 1);
}

static void test_without_two_sides_it_has_two_holes(void** state)
{
    (void)state;
    GtSurfaceReport r = survey(cube_points, 8, cube + 12, 8); // bottom and top are gone
    assert_false(r.is_closed);
    assert_true(r.is_manifold);
    assert_int_equal(r.boundary_edge_count, 8);
    assert_int_equal(r.hole_count, 2);
    assert_int_equal(r.component_count, 1);
}

static void test_flipped_crowded_pinched_degenerate_unused(void** state)
{
    (void)state;
    uint32_t flipped[36];
    memcpy(flipped, cube, sizeof cube);
    flipped[0] = cube[1];
    flipped[1] = cube[0];
    GtSurfaceReport r = survey(cube_points, 8, flipped, 12);
    assert_true(r.is_closed && r.is_manifold && !r.is_oriented);
    assert_int_equal(r.flipped_edge_count, 3);
    static const uint32_t book[9] = { 0, 1, 2, 1, 0, 3, 0, 1, 4 };
    r = survey(cube_points, 8, book, 3);
    assert_int_equal(r.crowded_edge_count, 1);
    assert_false(r.is_manifold);
    assert_int_equal(r.component_count, 1);
    assert_int_equal(r.unused_vertex_count, 3);
    static const uint32_t bow[6] = { 0, 1, 2, 0, 3, 4 };
    r = survey(cube_points, 8, bow, 2);
    assert_int_equal(r.pinched_vertex_count, 1);
    assert_int_equal(r.component_count, 2); // touching in a point is not hanging together
    static const uint32_t degenerate[6] = { 0, 1, 2, 2, 2, 1 };
    r = survey(cube_points, 8, degenerate, 2);
    assert_int_equal(r.degenerate_count, 1);
    assert_int_equal(r.edge_count, 3);
    r = survey(cube_points, 8, NULL, 0);
    assert_false(r.is_closed);
    assert_int_equal(r.component_count, 0);
}

static void test_a_moebius_band_cannot_be_oriented(void** state)
{
    (void)state;
    enum {
        COUNT = 20
    };
    GtVec3 points[2 * COUNT];
    uint32_t band[6 * COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        float angle = (float)(2.0 * M_PI * i / COUNT);
        GtVec3 out = gt_vec3(cosf(angle), sinf(angle), 0);
        GtVec3 side = gt_vec3_add(gt_vec3_scale(out, 0.3f * cosf(angle / 2)), gt_vec3(0, 0, 0.3f * sinf(angle / 2)));
        points[2 * i] = gt_vec3_add(out, side);
        points[2 * i + 1] = gt_vec3_sub(out, side);
        bool last = i + 1 == COUNT;
        uint32_t a = 2 * i, b = 2 * i + 1, c = last ? 1 : 2 * i + 2, d = last ? 0 : 2 * i + 3;
        const uint32_t quad[6] = { a, b, c, c, b, d };
        memcpy(band + 6 * i, quad, sizeof quad);
    }
    GtSurfaceReport r = survey(points, 2 * COUNT, band, 2 * COUNT);
    assert_true(r.is_manifold && !r.is_closed);
    assert_true(r.flipped_edge_count > 0);
    assert_int_equal(r.hole_count, 1); // its one side has one edge
}

// Every corner of a cube as a vertex of its own: welding gives the eight points back, in order of appearance.
static void test_welding_a_soup(void** state)
{
    (void)state;
    GtContext context = gt_default_context();
    GtError error = { 0 };
    GtVec3 soup[36];
    int32_t points[36];
    int32_t vertices[36];
    int32_t count = 0;
    for (int i = 0; i < 36; ++i) {
        soup[i] = cube_points[cube[i]];
        soup[i].x = soup[i].x == 0 && i % 2 ? -0.0f : soup[i].x;
    }
    GT_EXPECT_OK(gt_weld_vertices(&context, soup, 36, 0.0f, points, vertices, &count, &error));
    assert_int_equal(count, 8);
    int32_t next = 0;
    for (int i = 0; i < 36; ++i) {
        assert_true(points[i] <= next);
        if (points[i] == next) {
            assert_int_equal(vertices[next], i);
            ++next;
        }
        assert_true(memcmp(&cube_points[cube[i]], &cube_points[cube[vertices[points[i]]]], sizeof(GtVec3)) == 0);
    }
    GT_EXPECT_ERROR(gt_weld_vertices(&context, soup, 36, NAN, points, NULL, &count, &error), GT_ERROR_BAD_VALUE,
                    "tolerance");
}

// Against the definition, pair by pair.
static void test_welding_with_a_tolerance(void** state)
{
    (void)state;
    enum {
        COUNT = 3000
    };
    static GtVec3 cloud[COUNT];
    static int32_t points[COUNT];
    static int32_t expected[COUNT];
    int32_t first[COUNT];
    TestRandom random = { 5 };
    for (int i = 0; i < COUNT; ++i) {
        cloud[i] = test_random_vec3(&random, -1.0f, 1.0f);
    }
    static const float tolerances[] = { 0.0f, 0.05f, 0.3f, 10.0f };
    for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; ++t) {
        double tolerance = (double)tolerances[t];
        int32_t expected_count = 0;
        for (int i = 0; i < COUNT; ++i) {
            double least = tolerance * tolerance;
            expected[i] = GT_NONE;
            for (int32_t p = 0; p < expected_count; ++p) {
                GtVec3 q = cloud[first[p]];
                double x = (double)q.x - (double)cloud[i].x;
                double y = (double)q.y - (double)cloud[i].y;
                double z = (double)q.z - (double)cloud[i].z;
                double d = x * x + y * y + z * z;
                if (d < least || (d == least && expected[i] == GT_NONE)) {
                    least = d;
                    expected[i] = p;
                }
            }
            if (expected[i] == GT_NONE) {
                first[expected_count] = i;
                expected[i] = expected_count++;
            }
        }
        GtContext context = gt_default_context();
        GtError error = { 0 };
        int32_t count = 0;
        GT_EXPECT_OK(gt_weld_vertices(&context, cloud, COUNT, tolerances[t], points, NULL, &count, &error));
        assert_int_equal(count, expected_count);
        assert_memory_equal(points, expected, sizeof points);
    }
}

static bool stop(void* user, const char* task, double fraction)
{
    (void)user;
    (void)task;
    return fraction > 0.5;
}

static void test_failures_and_cancelling(void** state)
{
    (void)state;
    GtVec3 soup[36];
    int32_t points[36];
    int32_t count = 0;
    for (int i = 0; i < 36; ++i) {
        soup[i] = cube_points[cube[i]];
    }
    for (int64_t allowed = 0; allowed < 12; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtContext context = gt_default_context();
        context.allocator = test_allocator(&limited);
        GtError error = { 0 };
        GtSurface surface = { cube_points, 8, cube, 12 };
        GtSurfaceReport report;
        GtResult results[3] = { gt_weld_vertices(&context, soup, 36, 0.0f, points, NULL, &count, &error),
                                gt_weld_vertices(&context, soup, 36, 0.1f, points, NULL, &count, &error),
                                gt_surface_survey(&context, &surface, &report, &error) };
        for (int i = 0; i < 3; ++i) {
            assert_true(results[i] == GT_OK || results[i] == GT_ERROR_OUT_OF_MEMORY);
        }
        assert_true(allowed > 0 || results[0] == GT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(limited.alive, 0);
    }
    GtContext context = gt_default_context();
    context.progress = stop;
    GtError error = { 0 };
    GT_EXPECT_ERROR(gt_weld_vertices(&context, soup, 36, 0.0f, points, NULL, &count, &error), GT_ERROR_CANCELLED, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube_is_closed),
        cmocka_unit_test(test_without_two_sides_it_has_two_holes),
        cmocka_unit_test(test_flipped_crowded_pinched_degenerate_unused),
        cmocka_unit_test(test_a_moebius_band_cannot_be_oriented),
        cmocka_unit_test(test_welding_a_soup),
        cmocka_unit_test(test_welding_with_a_tolerance),
        cmocka_unit_test(test_failures_and_cancelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
