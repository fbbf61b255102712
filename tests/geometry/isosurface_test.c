// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Surfaces of known area, volume and genus from their fields, on uneven grids.

#include "geometry/shapes.h"

static GtiTrimesh polygonise(const GtiField* field, float low_x, GtVec3 seed, GtArena* arena)
{
    float x[SHAPE_LINES];
    float yz[SHAPE_LINES];
    shape_lines(low_x, x);
    shape_lines(-1.0f, yz);
    GtiGrid grid = { { x, yz, yz }, { SHAPE_LINES, SHAPE_LINES, SHAPE_LINES } };
    GtiTrimesh mesh;
    assert_true(gti_isosurface(field, &grid, seed, arena, &mesh));
    return mesh;
}

static void test_a_ball_has_its_area_and_volume(void** state)
{
    (void)state;
    float radius = 0.7f;
    GtiField field = { sphere_value, sphere_slope, &radius };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh = polygonise(&field, -1.0f, gt_vec3(0.0f, 0.0f, 0.0f), &arena);
    GtSurfaceReport report = survey(&mesh);
    assert_true(report.is_closed && report.is_manifold && report.is_oriented);
    assert_int_equal(report.component_count, 1);
    assert_int_equal(mesh.vertex_count - report.edge_count + mesh.triangle_count, 2);
    GT_EXPECT_NEAR(report.volume / (4.0 / 3.0 * TEST_PI * 0.343), 1.0, 0.01);
    GT_EXPECT_NEAR(report.area / (4.0 * TEST_PI * 0.49), 1.0, 0.01);
    gt_arena_destroy(&arena);
}

static void test_a_ring_has_a_hole(void** state)
{
    (void)state;
    float radii[2] = { 0.6f, 0.2f };
    GtiField field = { torus_value, NULL, radii };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh = polygonise(&field, -1.0f, gt_vec3(0.6f, 0.0f, 0.0f), &arena);
    GtSurfaceReport report = survey(&mesh);
    assert_true(report.is_closed && report.is_manifold && report.is_oriented);
    assert_int_equal(mesh.vertex_count - report.edge_count + mesh.triangle_count, 0);
    GT_EXPECT_NEAR(report.volume / (2.0 * TEST_PI * TEST_PI * 0.6 * 0.04), 1.0, 0.04);
    gt_arena_destroy(&arena);
}

// Where the box cuts the surface there is one rim, in the plane of the cut.
static void test_the_box_cuts_a_rim(void** state)
{
    (void)state;
    float radius = 0.7f;
    GtiField field = { sphere_value, sphere_slope, &radius };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh = polygonise(&field, 0.0f, gt_vec3(0.0f, 0.0f, 0.0f), &arena);
    GtSurfaceReport report = survey(&mesh);
    assert_true(!report.is_closed && report.is_manifold && report.is_oriented);
    assert_int_equal(report.hole_count, 1);
    GT_EXPECT_NEAR(report.area / (2.0 * TEST_PI * 0.49), 1.0, 0.01);
    assert_true(report.min.x == 0.0f);
    gt_arena_destroy(&arena);
}

static void test_nothing_is_found_where_there_is_nothing(void** state)
{
    (void)state;
    float radius = 0.7f;
    GtiField field = { sphere_value, sphere_slope, &radius };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiTrimesh mesh = polygonise(&field, -1.0f, gt_vec3(0.95f, 0.0f, 0.0f), &arena);
    assert_int_equal(mesh.triangle_count, 0);
    gt_arena_destroy(&arena);
}

// A sign of its own for every point of the grid: every way in which a cell can be cut, next to every other.
static float noise_value(const void* user, GtVec3 p)
{
    uint32_t bits[3];
    memcpy(bits, &p, sizeof bits);
    uint64_t hash =
        (uint64_t)(bits[0] * 73856093u ^ bits[1] * 19349663u ^ bits[2] * 83492791u ^ *(const uint32_t*)user);
    hash *= 0x9E3779B97F4A7C15;
    bool rim = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fabsf(p.z)) > 0.93f;
    return rim || hash >> 60 < 8 ? 1.0f : -0.5f;
}

static void test_noise_makes_a_manifold(void** state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 8; ++seed) {
        GtiField field = { noise_value, NULL, &seed };
        GtArena arena = gt_arena_create(gt_default_allocator());
        GtiTrimesh mesh = polygonise(&field, -1.0f, gt_vec3(0.0f, -0.9f, 0.0f), &arena);
        GtSurfaceReport report = survey(&mesh);
        assert_true(mesh.triangle_count > 10000);
        assert_true(report.is_closed && report.is_manifold && report.is_oriented);
        assert_int_equal(report.component_count, 1);
        gt_arena_destroy(&arena);
    }
}

static void test_every_allocation_may_fail(void** state)
{
    (void)state;
    float radius = 0.7f;
    float lines[SHAPE_LINES];
    shape_lines(-1.0f, lines);
    GtiField field = { sphere_value, sphere_slope, &radius };
    GtiGrid grid = { { lines, lines, lines }, { SHAPE_LINES, SHAPE_LINES, SHAPE_LINES } };
    bool ok = false;
    for (int64_t allowed = 0; !ok; ++allowed) {
        TestAllocator limited = { .remaining = allowed };
        GtArena arena = gt_arena_create(test_allocator(&limited));
        GtiTrimesh mesh;
        ok = gti_isosurface(&field, &grid, gt_vec3(0.0f, 0.0f, 0.0f), &arena, &mesh);
        assert_true(ok || mesh.triangle_count == 0);
        gt_arena_destroy(&arena);
        assert_int_equal(limited.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_ball_has_its_area_and_volume),
        cmocka_unit_test(test_a_ring_has_a_hole),
        cmocka_unit_test(test_the_box_cuts_a_rim),
        cmocka_unit_test(test_nothing_is_found_where_there_is_nothing),
        cmocka_unit_test(test_noise_makes_a_manifold),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
