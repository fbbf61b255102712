// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Blend spaces: places are the weighted sums of their points, triangulations fill what they should with empty
// circumspheres, and what is degenerate is joined all the same.

#include "support/test.h"

#include "gertie/blend_space.h"

#include "runtime/blend/delaunay.h"

#include <stdlib.h>

static uint32_t seed = 1;

static float chance(void) // 0 to 1
{
    seed = seed * 1664525u + 1013904223u;
    return (float)(seed >> 8) / 16777216.0f;
}

static GtBlendSpace* make(int32_t dimension, int32_t count, const float* points)
{
    GtError error;
    GtBlendSpace* space = NULL;
    GtBlendSpaceDef def = gt_default_blend_space_def();
    def.dimension = dimension;
    def.point_count = count;
    def.points = points;
    GT_EXPECT_OK(gt_blend_space_create(gt_default_allocator(), &def, &space, &error));
    return space;
}

// Weights are above 0 and sum to 1; `sum` receives the place they give.
static void eval(const GtBlendSpace* space, int32_t dimension, const float* points, const float* at, double sum[3])
{
    GtBlendWeights w;
    gt_blend_space_eval(space, at, &w);
    double total = 0;
    sum[0] = sum[1] = sum[2] = 0;
    assert_true(w.count >= 1 && w.count <= dimension + 1);
    for (int32_t i = 0; i < w.count; ++i) {
        assert_true(w.weights[i] > 0);
        total += (double)w.weights[i];
        for (int32_t k = 0; k < dimension; ++k) {
            sum[k] += (double)w.weights[i] * (double)points[w.points[i] * dimension + k];
        }
    }
    GT_EXPECT_NEAR(total, 1, 1e-6);
}

static double volume(const float* points, int32_t dimension, const int32_t c[4])
{
    double m[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int32_t i = 0; i < dimension; ++i) {
        for (int32_t k = 0; k < dimension; ++k) {
            m[i][k] = (double)points[c[i + 1] * dimension + k] - (double)points[c[0] * dimension + k];
        }
    }
    double det = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                 m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    return fabs(det) / (dimension == 3 ? 6 : dimension);
}

// Grids are nothing but ties: all corners of a cell lie on one circle. Simplices must fill the box once.
static void test_grids(void** state)
{
    (void)state;
    for (int32_t dimension = 1; dimension <= 3; ++dimension) {
        float points[125 * 3];
        int32_t side = dimension == 3 ? 4 : 7;
        int32_t count = 1;
        for (int32_t k = 0; k < dimension; ++k) {
            count *= side;
        }
        for (int32_t i = 0; i < count; ++i) {
            int32_t rest = i;
            for (int32_t k = 0; k < dimension; ++k) {
                points[i * dimension + k] = (float)(rest % side) * (k ? 0.25f : 3.0f) - 1.0f; // units differ by axis
                rest /= side;
            }
        }
        GtBlendSpace* space = make(dimension, count, points);
        double sum = 0, box = 1;
        for (int32_t k = 0; k < dimension; ++k) {
            box *= (double)((float)(side - 1) * (k ? 0.25f : 3.0f));
        }
        for (int32_t i = 0; i < gt_blend_space_simplex_count(space); ++i) {
            int32_t corners[4];
            assert_int_equal(gt_blend_space_simplex(space, i, corners), dimension + 1);
            sum += volume(points, dimension, corners);
        }
        GT_EXPECT_NEAR(sum / box, 1, 1e-6);
        for (int32_t i = 0; i < count; ++i) { // at a point, that point alone
            GtBlendWeights w;
            gt_blend_space_eval(space, &points[i * dimension], &w);
            assert_int_equal(w.count, 1);
            assert_int_equal(w.points[0], i);
            GT_EXPECT_NEAR(w.weights[0], 1, 0);
        }
        for (int round = 0; round < 2000; ++round) {
            float at[3];
            double got[3];
            for (int32_t k = 0; k < dimension; ++k) {
                at[k] = chance() * (float)(side - 1) * (k ? 0.25f : 3.0f) - 1.0f;
            }
            eval(space, dimension, points, at, got);
            for (int32_t k = 0; k < dimension; ++k) {
                GT_EXPECT_NEAR(got[k], at[k], 1e-4);
            }
        }
        gt_blend_space_destroy(space);
    }
}

// Squared distance from the circumcentre of a simplex, as a share of its squared radius; by Gauss, in doubles.
static double circle_share(const double (*p)[3], int32_t dimension, const int32_t c[4], int32_t point)
{
    double m[3][4] = { { 0 } };
    for (int32_t i = 0; i < dimension; ++i) {
        for (int32_t k = 0; k < dimension; ++k) {
            m[i][k] = 2 * (p[c[i + 1]][k] - p[c[0]][k]);
            m[i][3] += p[c[i + 1]][k] * p[c[i + 1]][k] - p[c[0]][k] * p[c[0]][k];
        }
    }
    for (int32_t i = 0; i < dimension; ++i) {
        int32_t pivot = i;
        for (int32_t r = i; r < dimension; ++r) {
            pivot = fabs(m[r][i]) > fabs(m[pivot][i]) ? r : pivot;
        }
        for (int32_t k = 0; k < 4; ++k) {
            double swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int32_t r = 0; r < dimension; ++r) {
            double factor = r != i ? m[r][i] / m[i][i] : 0;
            for (int32_t k = 0; k < 4; ++k) {
                m[r][k] -= factor * m[i][k];
            }
        }
    }
    double radius = 0, distance = 0;
    for (int32_t k = 0; k < dimension; ++k) {
        double centre = m[k][3] / m[k][k];
        radius += (centre - p[c[0]][k]) * (centre - p[c[0]][k]);
        distance += (centre - p[point][k]) * (centre - p[point][k]);
    }
    return distance / radius;
}

static void test_empty_circles(void** state)
{
    (void)state;
    for (int32_t dimension = 2; dimension <= 3; ++dimension) {
        for (int round = 0; round < 8; ++round) {
            enum {
                COUNT = 30
            };
            float points[COUNT * 3];
            double spanned[COUNT][3];
            for (int32_t i = 0; i < COUNT * dimension; ++i) {
                points[i] = chance();
            }
            for (int32_t k = 0; k < dimension; ++k) { // the box is spanned, so that points stay what they are
                points[k] = 0;
                points[dimension + k] = 1;
            }
            for (int32_t i = 0; i < COUNT; ++i) {
                for (int32_t k = 0; k < dimension; ++k) {
                    spanned[i][k] = (double)points[i * dimension + k];
                }
            }
            GtBlendSpace* space = make(dimension, COUNT, points);
            assert_true(gt_blend_space_simplex_count(space) > COUNT / 2);
            for (int32_t i = 0; i < gt_blend_space_simplex_count(space); ++i) {
                int32_t corners[4];
                gt_blend_space_simplex(space, i, corners);
                for (int32_t p = 0; p < COUNT; ++p) {
                    bool corner = false;
                    for (int32_t k = 0; k <= dimension; ++k) {
                        corner = corner || corners[k] == p;
                    }
                    assert_true(corner || circle_share(spanned, dimension, corners, p) > 1 - 1e-3);
                }
            }
            gt_blend_space_destroy(space);
        }
    }
}

// Outside, no place of the space is nearer than the one that is taken; and weights never jump.
static void test_outside_and_continuous(void** state)
{
    (void)state;
    for (int32_t dimension = 1; dimension <= 3; ++dimension) {
        enum {
            COUNT = 12
        };
        float points[COUNT * 3];
        for (int32_t i = 0; i < COUNT * dimension; ++i) {
            points[i] = chance();
        }
        for (int32_t k = 0; k < dimension; ++k) {
            points[k] = 0;
            points[dimension + k] = 1;
        }
        GtBlendSpace* space = make(dimension, COUNT, points);
        for (int round = 0; round < 300; ++round) {
            float at[3];
            double got[3], off = 0;
            for (int32_t k = 0; k < dimension; ++k) {
                at[k] = 3 * chance() - 1;
            }
            eval(space, dimension, points, at, got);
            for (int32_t k = 0; k < dimension; ++k) {
                off += (got[k] - (double)at[k]) * (got[k] - (double)at[k]);
            }
            for (int32_t i = 0; i < COUNT; ++i) { // towards no point is there a way that leads nearer
                double towards = 0;
                for (int32_t k = 0; k < dimension; ++k) {
                    towards += ((double)at[k] - got[k]) * ((double)points[i * dimension + k] - got[k]);
                }
                assert_true(off < 1e-9 || towards < 1e-5);
            }
        }
        float last[COUNT] = { 0 };
        for (int step = 0; step <= 40000; ++step) {
            float t = (float)step / 40000;
            float at[3] = { 1.5f * t - 0.2f, 1.1f - t, 0.3f + 0.5f * t };
            float now[COUNT] = { 0 };
            GtBlendWeights w;
            gt_blend_space_eval(space, at, &w);
            for (int32_t i = 0; i < w.count; ++i) {
                now[w.points[i]] = w.weights[i];
            }
            for (int32_t i = 0; i < COUNT && step; ++i) {
                GT_EXPECT_NEAR(now[i], last[i], 0.03);
            }
            memcpy(last, now, sizeof last);
        }
        gt_blend_space_destroy(space);
    }
}

static void test_degenerate(void** state)
{
    (void)state;
    double got[3];
    // In one line of the plane, given in no order.
    static const float line[10] = { 2, 4, 0, 0, 3, 6, 1, 2, 10, 20 };
    GtBlendSpace* space = make(2, 5, line);
    assert_int_equal(gt_blend_space_simplex_count(space), 4);
    static const float off_line[2] = { 1.5f, 3 };
    eval(space, 2, line, off_line, got);
    GT_EXPECT_NEAR(got[0], 1.5, 1e-4);
    static const float aside[2] = { 11, 18 }; // beyond the end in one axis, before it in the other
    eval(space, 2, line, aside, got);
    GT_EXPECT_NEAR(got[0], 10, 1e-4);
    gt_blend_space_destroy(space);
    // In one plane of space, slanted: x + y + z = 1.
    static const float plane[15] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5f, 0.25f, 0.25f, 0.25f, 0.5f, 0.25f };
    space = make(3, 5, plane);
    int32_t corners[4];
    assert_int_equal(gt_blend_space_simplex(space, 0, corners), 3);
    static const float above[3] = { 0.5f, 0.5f, 0.5f };
    eval(space, 3, plane, above, got);
    for (int k = 0; k < 3; ++k) {
        GT_EXPECT_NEAR(got[k], 1.0 / 3, 1e-4);
    }
    gt_blend_space_destroy(space);
    // An axis that all points share; a line of space; one point, and two.
    static const float flat[8] = { 0, 5, 1, 5, 2, 5, 4, 5 };
    space = make(2, 4, flat);
    static const float between[2] = { 3, 99 };
    eval(space, 2, flat, between, got);
    GT_EXPECT_NEAR(got[0], 3, 1e-4);
    gt_blend_space_destroy(space);
    space = make(3, 1, above);
    eval(space, 3, above, plane, got);
    GT_EXPECT_NEAR(got[0], 0.5, 0);
    assert_int_equal(gt_blend_space_simplex_count(space), 0);
    gt_blend_space_destroy(space);
    space = make(3, 2, plane);
    eval(space, 3, plane, above, got);
    GT_EXPECT_NEAR(got[1], 0.5, 1e-4);
    static const float wild[5][3] = {
        { NAN, NAN, NAN }, { INFINITY, 0, 0 }, { -INFINITY, INFINITY, 0 }, { 3e38f, 3e38f, -3e38f }, { 0, NAN, 1 }
    };
    for (int i = 0; i < 5; ++i) {
        eval(space, 3, plane, wild[i], got);
    }
    gt_blend_space_destroy(space);
}

static void test_refused(void** state)
{
    (void)state;
    GtError error;
    GtBlendSpace* space = NULL;
    static const float twice[6] = { 0, 0, 1, 1, 0, 1e-9f };
    static const float nan[2] = { 0, NAN };
    GtBlendSpaceDef def = { 2, 3, twice };
    GtAllocator allocator = gt_default_allocator();
    GT_EXPECT_ERROR(gt_blend_space_create(allocator, &def, &space, &error), GT_ERROR_BAD_VALUE, "points 0 and 2");
    def = (GtBlendSpaceDef){ 2, 1, nan };
    GT_EXPECT_ERROR(gt_blend_space_create(allocator, &def, &space, &error), GT_ERROR_BAD_VALUE,
                    "point 0 is not finite");
    def = (GtBlendSpaceDef){ 4, 1, nan };
    GT_EXPECT_ERROR(gt_blend_space_create(allocator, &def, &space, &error), GT_ERROR_BAD_VALUE, "1, 2 or 3 dimensions");
    def = (GtBlendSpaceDef){ 2, 0, nan };
    GT_EXPECT_ERROR(gt_blend_space_create(allocator, &def, &space, &error), GT_ERROR_BAD_VALUE, "at least one");
    def = (GtBlendSpaceDef){ 2, 257, nan };
    GT_EXPECT_ERROR(gt_blend_space_create(allocator, &def, &space, &error), GT_ERROR_LIMIT, "at most 256");
    static const float good[10] = { 0, 0, 1, 0, 0, 1, 1, 1, 2, 3 };
    def = (GtBlendSpaceDef){ 2, 5, good };
    for (int64_t n = 0;; ++n) {
        TestAllocator counted = { .remaining = n };
        GtResult result = gt_blend_space_create(test_allocator(&counted), &def, &space, &error);
        gt_blend_space_destroy(space);
        assert_int_equal(counted.alive, 0);
        if (result == GT_OK) {
            assert_true(n > 0);
            break;
        }
        assert_int_equal(result, GT_ERROR_OUT_OF_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids),
        cmocka_unit_test(test_empty_circles),
        cmocka_unit_test(test_outside_and_continuous),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
