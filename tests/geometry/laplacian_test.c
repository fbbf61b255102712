// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Closed forms: right triangles' cotangents, the energy of a linear function, areas that sum to the surface's; and on
// broken triangles the invariants: finite, symmetric, rows of zero sum, no negative energy.

#include "geometry/laplacian.h"

#include "support/random.h"
#include "support/test.h"

#define SLACK 1e-5

static double weight_of(const GtiLaplacian* laplacian, int32_t a, int32_t b)
{
    for (int32_t i = laplacian->starts[a]; i < laplacian->starts[a + 1]; ++i) {
        if (laplacian->neighbours[i] == b) {
            return laplacian->weights[i];
        }
    }
    return NAN;
}

// Sum over edges of weight * (difference of values)^2.
static double energy(const GtiLaplacian* laplacian, const double* values)
{
    double sum = 0.0;
    for (int32_t v = 0; v < laplacian->vertex_count; ++v) {
        for (int32_t i = laplacian->starts[v]; i < laplacian->starts[v + 1]; ++i) {
            double difference = values[v] - values[laplacian->neighbours[i]];
            sum += 0.5 * laplacian->weights[i] * difference * difference;
        }
    }
    return sum;
}

static void expect_sound(const GtiLaplacian* laplacian)
{
    for (int32_t v = 0; v < laplacian->vertex_count; ++v) {
        assert_true(isfinite(laplacian->areas[v]) && laplacian->areas[v] >= 0.0);
        for (int32_t i = laplacian->starts[v]; i < laplacian->starts[v + 1]; ++i) {
            assert_true(isfinite(laplacian->weights[i]));
            assert_int_not_equal(laplacian->neighbours[i], v);
            if (i > laplacian->starts[v]) {
                assert_true(laplacian->neighbours[i - 1] < laplacian->neighbours[i]);
            }
            GT_EXPECT_NEAR(weight_of(laplacian, laplacian->neighbours[i], v), laplacian->weights[i],
                           1e-12 * fabs(laplacian->weights[i]));
        }
    }
}

static void a_square_has_weights_of_right_angles(void** state)
{
    (void)state;
    GtVec3 positions[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 }, { 0, 2, 0 } };
    int32_t triangles[][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
    GtiTrimesh mesh = { positions, 4, triangles, 2 };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiLaplacian laplacian;
    assert_true(gti_laplacian_make(&mesh, SLACK, &arena, &laplacian));
    expect_sound(&laplacian);
    GT_EXPECT_NEAR(weight_of(&laplacian, 0, 1), 0.5, 1e-12);
    GT_EXPECT_NEAR(weight_of(&laplacian, 3, 2), 0.5, 1e-12);
    GT_EXPECT_NEAR(weight_of(&laplacian, 0, 2), 0.0, 1e-12);
    assert_true(isnan(weight_of(&laplacian, 1, 3)));
    for (int v = 0; v < 4; ++v) {
        GT_EXPECT_NEAR(laplacian.areas[v], 1.0, 1e-12);
    }
    gt_arena_destroy(&arena);
}

// The Dirichlet energy of a linear function is its slope squared times the area, on any triangles of a plane.
static void the_energy_of_a_slope_is_exact(void** state)
{
    (void)state;
    enum {
        SIDE = 9,
        COUNT = SIDE * SIDE
    };
    TestRandom random = { 7 };
    GtVec3 positions[COUNT];
    double values[COUNT];
    int32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    int32_t triangle_count = 0;
    for (int32_t i = 0; i < COUNT; ++i) {
        bool border = i % SIDE == 0 || i % SIDE == SIDE - 1 || i / SIDE == 0 || i / SIDE == SIDE - 1;
        float push = border ? 0.0f : 0.2f;
        positions[i] = gt_vec3((float)(i % SIDE) + test_random_float(&random, -push, push), 0.0f,
                               (float)(i / SIDE) + test_random_float(&random, -push, push));
        values[i] = 3.0 * (double)positions[i].x - 4.0 * (double)positions[i].z;
    }
    for (int32_t y = 0; y + 1 < SIDE; ++y) {
        for (int32_t x = 0; x + 1 < SIDE; ++x) {
            int32_t a = y * SIDE + x;
            memcpy(triangles[triangle_count++], ((int32_t[]){ a, a + 1, a + SIDE }), sizeof triangles[0]);
            memcpy(triangles[triangle_count++], ((int32_t[]){ a + 1, a + SIDE + 1, a + SIDE }), sizeof triangles[0]);
        }
    }
    GtiTrimesh mesh = { positions, COUNT, triangles, triangle_count };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiLaplacian laplacian;
    assert_true(gti_laplacian_make(&mesh, SLACK, &arena, &laplacian));
    expect_sound(&laplacian);
    double area = (SIDE - 1) * (SIDE - 1);
    GT_EXPECT_NEAR(energy(&laplacian, values), 25.0 * area, 1e-6 * area);
    double sum = 0.0;
    for (int v = 0; v < COUNT; ++v) {
        sum += laplacian.areas[v];
    }
    GT_EXPECT_NEAR(sum, area, 1e-6 * area);
    gt_arena_destroy(&arena);
}

// An edge with three triangles, a sliver, triangles that are a line or a point, a vertex of none.
static void broken_triangles_keep_positive_energy(void** state)
{
    (void)state;
    GtVec3 positions[] = {
        { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 },       { 0, 0, 1 },
        { 3, 0, 0 }, { 0, 0, 0 }, { 9, 9, 9 }, { 0.5f, 1e-7f, 0 }, { 3, 0, 0 },
    };
    int32_t triangles[][3] = {
        { 0, 1, 2 }, { 1, 0, 3 }, { 0, 1, 4 }, { 0, 1, 5 }, { 0, 6, 1 }, { 0, 1, 8 }, { 5, 9, 5 }
    };
    enum {
        POINTS = sizeof positions / sizeof *positions
    };
    GtiTrimesh mesh = { positions, POINTS, triangles, sizeof triangles / sizeof *triangles };
    GtArena arena = gt_arena_create(gt_default_allocator());
    GtiLaplacian laplacian;
    assert_true(gti_laplacian_make(&mesh, SLACK, &arena, &laplacian));
    expect_sound(&laplacian);
    assert_int_equal(laplacian.starts[7], laplacian.starts[8]);
    GT_EXPECT_NEAR(laplacian.areas[7], 0.0, 0.0);
    TestRandom random = { 3 };
    for (int round = 0; round < 1000; ++round) {
        double values[POINTS];
        for (int v = 0; v < POINTS; ++v) {
            values[v] = (double)test_random_float(&random, -1.0f, 1.0f);
        }
        assert_true(energy(&laplacian, values) > 0.0);
    }
    gt_arena_destroy(&arena);
}

static void one_point_many_times_is_finite(void** state)
{
    (void)state;
    GtVec3 positions[3] = { { 5, 5, 5 }, { 5, 5, 5 }, { 5, 5, 5 } };
    int32_t triangles[][3] = { { 0, 1, 2 } };
    GtiTrimesh mesh = { positions, 3, triangles, 1 };
    double cotangents[1][3];
    double areas[3];
    gti_laplacian_corners(&mesh, SLACK, cotangents, areas);
    for (int k = 0; k < 3; ++k) {
        GT_EXPECT_NEAR(cotangents[0][k], 1.0 / sqrt(3.0), 1e-12); // of even sides
        assert_true(areas[k] > 0.0);
    }
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    GtVec3 positions[] = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 2, 0 } };
    int32_t triangles[][3] = { { 0, 1, 2 } };
    GtiTrimesh mesh = { positions, 3, triangles, 1 };
    bool made = false;
    for (int64_t allowed = 0; !made; ++allowed) {
        assert_true(allowed < 100);
        TestAllocator allocator = { .remaining = allowed };
        GtArena arena = gt_arena_create(test_allocator(&allocator));
        GtiLaplacian laplacian;
        made = gti_laplacian_make(&mesh, SLACK, &arena, &laplacian);
        gt_arena_destroy(&arena);
        assert_int_equal(allocator.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_square_has_weights_of_right_angles),
        cmocka_unit_test(the_energy_of_a_slope_is_exact),
        cmocka_unit_test(broken_triangles_keep_positive_energy),
        cmocka_unit_test(one_point_many_times_is_finite),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
