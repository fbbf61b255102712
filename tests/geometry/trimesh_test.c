// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Shapes and cuts of triangles whose answers are known.

#include "geometry/trimesh.h"

#include "support/random.h"
#include "support/test.h"

static void test_shape_of_a_corner_of_a_cube(void** state)
{
    (void)state;
    GtVec3 positions[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    int32_t triangles[][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
    GtiTrimesh mesh = { positions, 4, triangles, 4 };
    GtiTriangleShape shape = gti_trimesh_shape(&mesh);
    GT_EXPECT_NEAR(shape.volume_m3, 1.0 / 6.0, 1e-7);
    GT_EXPECT_NEAR(shape.area_m2, 1.5 + 0.5 * sqrt(3.0), 1e-6);
    GT_EXPECT_NEAR(gt_degrees(shape.min_angle_rad), 45.0, 1e-4);
    GT_EXPECT_NEAR(gt_degrees(shape.mean_min_angle_rad), 0.25 * (3.0 * 45.0 + 60.0), 1e-4);
    GT_EXPECT_NEAR(shape.sliver_share, 0.0, 0.0);
    positions[3] = gt_vec3(0.5f, 0.0f, 0.1f); // (0, 1, 3) has angles of 11 degrees now
    GT_EXPECT_NEAR(gti_trimesh_shape(&mesh).sliver_share, 0.25, 1e-9);
}

static void test_triangles_that_cut_and_that_do_not(void** state)
{
    (void)state;
    GtVec3 positions[] = {
        { 0, 0, 0 },        { 1, 0, 0 },         { 0, 1, 0 },       // in the plane z = 0
        { 0.2f, 0.2f, -1 }, { 0.3f, 0.2f, 1 },   { 0.2f, 0.3f, 1 }, // through it
        { 2, 0, -1 },       { 2, 1, 1 },         { 3, 0, 1 },       // beside it
        { -1, 0.4f, 0.5f }, { -1, 0.4f, -0.5f },                    // with corner 1: through it
        { 0, 0, 1 },                                                // with corners 0 and 1: an edge in common
    };
    int32_t triangles[][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 }, { 1, 9, 10 }, { 0, 1, 11 } };
    GtiTrimesh mesh = { positions, 12, triangles, 5 };
    uint8_t marks[5];
    int64_t found = gti_trimesh_self_intersections(&mesh, gt_default_allocator(), marks);
    assert_true(marks[0] && marks[1] && !marks[2] && marks[3]);
    assert_true(found >= 2);
    mesh.triangle_count = 2;
    assert_int_equal(gti_trimesh_self_intersections(&mesh, gt_default_allocator(), NULL), 1);
    positions[4].z = -0.5f;
    positions[5].z = -0.5f;
    assert_int_equal(gti_trimesh_self_intersections(&mesh, gt_default_allocator(), NULL), 0);
}

static bool passes(const GtVec3 t[3], GtVec3 p, GtVec3 q)
{
    // Where the line meets the plane, in barycentric coordinates, in double precision.
    GtVec3 e1 = gt_vec3_sub(t[1], t[0]);
    GtVec3 e2 = gt_vec3_sub(t[2], t[0]);
    GtVec3 d = gt_vec3_sub(q, p);
    GtVec3 s = gt_vec3_sub(p, t[0]);
    GtVec3 h = gt_vec3_cross(d, e2);
    GtVec3 k = gt_vec3_cross(s, e1);
    double a = (double)gt_vec3_dot(e1, h);
    double u = (double)gt_vec3_dot(s, h) / a;
    double v = (double)gt_vec3_dot(d, k) / a;
    double at = (double)gt_vec3_dot(e2, k) / a;
    return u > 0.0 && v > 0.0 && u + v < 1.0 && at > 0.0 && at < 1.0;
}

// The grid finds every pair that comparing all with all by another method finds.
static void test_a_heap_of_triangles_against_brute_force(void** state)
{
    (void)state;
    enum {
        COUNT = 300
    };
    TestRandom random = { 7 };
    GtVec3 positions[3 * COUNT];
    int32_t triangles[COUNT][3];
    for (int t = 0; t < COUNT; ++t) {
        GtVec3 center = test_random_vec3(&random, -1.0f, 1.0f);
        float size = t % 10 ? 0.15f : 0.8f;
        for (int i = 0; i < 3; ++i) {
            positions[3 * t + i] = gt_vec3_add(center, gt_vec3_scale(test_random_direction(&random), size));
            triangles[t][i] = 3 * t + i;
        }
    }
    int64_t expected = 0;
    for (int a = 0; a < COUNT; ++a) {
        for (int b = a + 1; b < COUNT; ++b) {
            bool cut = false;
            for (int i = 0; i < 3 && !cut; ++i) {
                cut = passes(positions + 3 * a, positions[3 * b + i], positions[3 * b + (i + 1) % 3]) ||
                      passes(positions + 3 * b, positions[3 * a + i], positions[3 * a + (i + 1) % 3]);
            }
            expected += cut;
        }
    }
    GtiTrimesh mesh = { positions, 3 * COUNT, triangles, COUNT };
    assert_true(expected > 50);
    assert_int_equal(gti_trimesh_self_intersections(&mesh, gt_default_allocator(), NULL), expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape_of_a_corner_of_a_cube),
        cmocka_unit_test(test_triangles_that_cut_and_that_do_not),
        cmocka_unit_test(test_a_heap_of_triangles_against_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
