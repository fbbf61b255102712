// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Triangulation against what must hold of any: areas add up, nothing is turned over, nothing sticks out, every corner
// is used. The polygon's own area by the shoelace formula is the oracle.

#include "geometry/triangulate.h"
#include "support/random.h"
#include "support/test.h"

#include <stdlib.h>
#include <time.h>

static double area_of(const GtVec3* p, uint32_t count)
{
    double area = 0.0;
    for (uint32_t i = 0, j = count - 1; i < count; j = i++) {
        area += (double)p[j].x * (double)p[i].y - (double)p[i].x * (double)p[j].y;
    }
    return 0.5 * area;
}

static double triangle_area(const GtVec3* p, const uint32_t* t)
{
    const GtVec3 corners[3] = { p[t[0]], p[t[1]], p[t[2]] };
    return area_of(corners, 3);
}

// Flat polygons in the plane z = 0, counterclockwise.
static void expect_covers(const GtVec3* points, uint32_t count, const uint32_t* triangles)
{
    double whole = area_of(points, count);
    double sum = 0.0;
    uint8_t used[4096] = { 0 };
    for (uint32_t t = 0; t + 2 < count; ++t) {
        double area = triangle_area(points, triangles + (size_t)t * 3);
        assert_true(area >= -1e-9 * whole); // with the same sum, none that sticks out can be made up for
        sum += area;
        for (int i = 0; i < 3; ++i) {
            assert_true(triangles[3 * t + (uint32_t)i] < count);
            used[triangles[3 * t + (uint32_t)i]] = 1;
        }
    }
    GT_EXPECT_NEAR(sum, whole, 1e-6 * whole);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(used[i]);
    }
}

static void triangulate(const GtVec3* points, uint32_t count, uint32_t* out)
{
    void* scratch = malloc(gti_triangulate_scratch_size(count));
    memset(out, 0xCD, 3 * ((size_t)count - 2) * sizeof *out);
    gti_triangulate(points, count, scratch, out);
    free(scratch);
}

static void test_concave_quads_are_cut_inside(void** state)
{
    (void)state;
    const GtVec3 dart[4] = { { 0, 0, 0 }, { 4, -2, 0 }, { 1, 0, 0 }, { 4, 2, 0 } }; // reflex at 2
    for (int turn = 0; turn < 4; ++turn) {
        GtVec3 points[4];
        uint32_t cut[6];
        for (int i = 0; i < 4; ++i) {
            points[i] = dart[(i + turn) & 3];
        }
        gti_triangulate_quad(points, cut);
        expect_covers(points, 4, cut);
        triangulate(points, 4, cut);
        expect_covers(points, 4, cut);
    }
}

static void test_quads_take_the_shorter_diagonal_and_grids_the_first(void** state)
{
    (void)state;
    const GtVec3 kite[4] = { { 0, 0, 0 }, { 1, -0.2f, 0 }, { 2, 0, 0 }, { 1, 0.2f, 0 } };
    const GtVec3 square[4] = { { 0.1f, 0.1f, 3 }, { 0.4f, 0.1f, 3 }, { 0.4f, 0.4f, 3 }, { 0.1f, 0.4f, 3 } };
    static const uint32_t across[6] = { 0, 1, 3, 1, 2, 3 };
    static const uint32_t first[6] = { 0, 1, 2, 0, 2, 3 };
    uint32_t cut[6];
    gti_triangulate_quad(kite, cut);
    assert_memory_equal(cut, across, sizeof cut);
    gti_triangulate_quad(square, cut);
    assert_memory_equal(cut, first, sizeof cut);
}

static void test_random_stars_are_covered(void** state)
{
    (void)state;
    TestRandom random = { 7 };
    for (int round = 0; round < 400; ++round) {
        GtVec3 points[200];
        uint32_t triangles[600];
        uint32_t count = 3 + (uint32_t)(test_random_bits(&random) % 190);
        for (uint32_t i = 0; i < count; ++i) { // seen from the middle, each corner lies behind the one before
            double angle = 2.0 * M_PI * ((double)i + 0.8 * (double)test_random_float(&random, 0.0f, 1.0f)) / count;
            double radius = 0.1 + (double)test_random_float(&random, 0.0f, 1.0f);
            points[i] = gt_vec3((float)(radius * cos(angle)), (float)(radius * sin(angle)), 0.0f);
        }
        triangulate(points, count, triangles);
        expect_covers(points, count, triangles);
    }
}

// A comb has as many reflex corners as a polygon can.
static void test_a_comb(void** state)
{
    (void)state;
    enum {
        TEETH = 500,
        COUNT = 2 * TEETH + 2
    };
    GtVec3 points[COUNT];
    uint32_t triangles[3 * COUNT];
    uint32_t n = 0;
    points[n++] = gt_vec3(0, -1, 0);
    points[n++] = gt_vec3(TEETH, -1, 0);
    for (int i = TEETH; i > 0; --i) {
        points[n++] = gt_vec3((float)i, 10, 0);
        points[n++] = gt_vec3((float)i - 0.5f, 0, 0);
    }
    triangulate(points, n, triangles);
    expect_covers(points, n, triangles);
}

// Turning a polygon in space turns its triangles, and changes nothing else.
static void test_the_plane_does_not_matter(void** state)
{
    (void)state;
    const GtVec3 flat[6] = { { 0, 0, 0 }, { 4, 0, 0 }, { 4, 4, 0 }, { 3, 4, 0 }, { 3, 1, 0 }, { 0, 1, 0 } };
    uint32_t expected[12];
    triangulate(flat, 6, expected);
    expect_covers(flat, 6, expected);
    static const GtQuat turns[] = { { 0.6f, 0, 0, 0.8f }, { 0, 1, 0, 0 }, { 0.5f, 0.5f, 0.5f, 0.5f }, { 1, 0, 0, 0 } };
    for (size_t t = 0; t < sizeof turns / sizeof *turns; ++t) {
        GtVec3 points[6];
        uint32_t triangles[12];
        for (int i = 0; i < 6; ++i) {
            points[i] = gt_vec3_add(gt_quat_rotate(turns[t], flat[i]), gt_vec3(100, -50, 20));
        }
        triangulate(points, 6, triangles);
        assert_memory_equal(triangles, expected, sizeof expected);
    }
}

static void test_diagonals_avoid_slivers(void** state)
{
    (void)state;
    enum {
        COUNT = 32
    };
    GtVec3 points[COUNT];
    uint32_t triangles[3 * COUNT];
    for (int i = 0; i < COUNT; ++i) {
        double angle = 2.0 * M_PI * i / COUNT;
        points[i] = gt_vec3((float)cos(angle), (float)sin(angle), 0);
    }
    triangulate(points, COUNT, triangles);
    expect_covers(points, COUNT, triangles);
    int at_corner[COUNT] = { 0 };
    int most = 0;
    for (int i = 0; i < 3 * (COUNT - 2); ++i) {
        int here = ++at_corner[triangles[i]];
        most = here > most ? here : most;
    }
    assert_true(most <= 8); // a fan has 30
}

static void test_degenerate_polygons_stay_in_range_and_in_time(void** state)
{
    (void)state;
    enum {
        COUNT = 200000
    };
    GtVec3* points = calloc(COUNT, sizeof *points);
    uint32_t* triangles = malloc(3 * COUNT * sizeof *triangles);
    clock_t start = clock();
    for (int kind = 0; kind < 3; ++kind) {
        for (int i = 0; i < COUNT; ++i) { // a point, a line, and a zigzag that crosses itself everywhere
            float x = (float)(i * 7919 % COUNT);
            points[i] = kind == 0 ? gt_vec3(1, 2, 3) : kind == 1 ? gt_vec3(x, x, 0) : gt_vec3(x, (float)(i % 2), 0);
        }
        triangulate(points, COUNT, triangles);
        for (size_t i = 0; i < 3 * ((size_t)COUNT - 2); ++i) {
            assert_true(triangles[i] < COUNT);
        }
    }
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20.0); // all pairs would take minutes
    free(points);
    free(triangles);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_concave_quads_are_cut_inside),
        cmocka_unit_test(test_quads_take_the_shorter_diagonal_and_grids_the_first),
        cmocka_unit_test(test_random_stars_are_covered),
        cmocka_unit_test(test_a_comb),
        cmocka_unit_test(test_the_plane_does_not_matter),
        cmocka_unit_test(test_diagonals_avoid_slivers),
        cmocka_unit_test(test_degenerate_polygons_stay_in_range_and_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
