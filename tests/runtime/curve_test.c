// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Curves of numbers against closed forms, de Boor's recursion, and their own differences.

#include "runtime/curves.h"
#include "support/random.h"

#include <float.h>

enum {
    KEYS = 6
};

static const float even[KEYS] = { 0, 1, 2, 3, 4, 5 };
static const float uneven[KEYS] = { -1, 0, 0.5f, 2, 2.25f, 4 };
static const float heights[KEYS] = { 1, -2, 3, 3, 0, 5 };

static void test_steps_and_lines(void** state)
{
    (void)state;
    GtCurve* step = make_numbers(GT_LAW_STEP, KEYS, uneven, heights);
    GtCurve* line = make_numbers(GT_LAW_LINEAR, KEYS, uneven, heights);
    GT_EXPECT_NEAR(gt_curve_start_s(step), -1, 0);
    GT_EXPECT_NEAR(gt_curve_end_s(step), 4, 0);
    const struct {
        double time_s, step, line;
    } cases[] = {
        { -9, 1, 1 },      { -1, 1, 1 },          { -0.5, 1, -0.5 },   { -1e-9, 1, -2 },   { 0, -2, -2 },
        { 0.25, -2, 0.5 }, { 1.25, 3, 3 },        { 2, 3, 3 },         { 3.125, 0, 2.5 },  { 4, 5, 5 },
        { 99, 5, 5 },      { (double)NAN, 1, 1 }, { -INFINITY, 1, 1 }, { INFINITY, 5, 5 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GT_EXPECT_NEAR(gt_curve_number(step, cases[i].time_s), cases[i].step, 0);
        GT_EXPECT_NEAR(gt_curve_number(line, cases[i].time_s), cases[i].line, 1e-6);
    }
    GT_EXPECT_NEAR(slope_of(step, 0.25), 0, 0);
    GT_EXPECT_NEAR(slope_of(line, 0), 10, 1e-5); // of the segment after the key
    GT_EXPECT_NEAR(slope_of(line, 9), 0, 0);
    gt_curve_destroy(step);
    gt_curve_destroy(line);
}

// The matrix of E. Catmull and R. Rom, for even keys.
static double catmull_rom(const double p[4], double u)
{
    double a = -p[0] + 3 * p[1] - 3 * p[2] + p[3];
    double b = 2 * p[0] - 5 * p[1] + 4 * p[2] - p[3];
    return 0.5 * (((a * u + b) * u + p[2] - p[0]) * u + 2 * p[1]);
}

static void test_catmull_rom(void** state)
{
    (void)state;
    static const GtKeyShape zero[KEYS] = { { 0, 0, 0 } };
    GtCurve* curve = make_numbers(GT_LAW_CATMULL_ROM, KEYS, even, heights);
    GtCurveDef def = numbers_def(GT_LAW_KOCHANEK_BARTELS, KEYS, even, heights);
    def.shapes = zero;
    GtCurve* same = make_curve(&def);
    for (int i = 0; i <= 500; ++i) {
        double t = i / 100.0;
        int key = i == 500 ? 4 : i / 100;
        double p[4];
        for (int k = 0; k < 4; ++k) {
            int at = key - 1 + k; // beyond the ends the outermost chord goes on
            p[k] = at < 0 ? 2.0 * heights[0] - heights[1] : at > 5 ? 2.0 * heights[5] - heights[4] : heights[at];
        }
        GT_EXPECT_NEAR(gt_curve_number(curve, t), catmull_rom(p, t - key), 2e-6);
        GT_EXPECT_NEAR(gt_curve_number(curve, t), gt_curve_number(same, t), 0);
    }
    gt_curve_destroy(curve);
    gt_curve_destroy(same);
}

// Any law of Catmull-Rom's family gives a straight line for keys on one, with uneven keys too.
static void test_lines_stay_lines(void** state)
{
    (void)state;
    float line[KEYS];
    for (int i = 0; i < KEYS; ++i) {
        line[i] = 3.0f * uneven[i] - 1.0f;
    }
    for (int law = GT_LAW_LINEAR; law <= GT_LAW_KOCHANEK_BARTELS; ++law) {
        GtCurve* curve = make_numbers((GtCurveLaw)law, KEYS, uneven, line);
        for (double t = -1; t <= 4; t += 0.0625) {
            GT_EXPECT_NEAR(gt_curve_number(curve, t), 3 * t - 1, 2e-6);
            GT_EXPECT_NEAR(slope_of(curve, t), 3, 1e-5);
        }
        gt_curve_destroy(curve);
    }
}

// Source and destination derivatives at every inner key, written out again from the paper and the header.
static void test_kochanek_bartels_derivatives(void** state)
{
    (void)state;
    static const GtKeyShape shapes[KEYS] = { { 0, 0, 0 },    { 0.5f, 0, 0 },         { 0, -0.7f, 0 },
                                             { 0, 0, 0.9f }, { -0.3f, 0.4f, -0.6f }, { 0, 0, 0 } };
    GtCurveDef def = numbers_def(GT_LAW_KOCHANEK_BARTELS, KEYS, uneven, heights);
    def.shapes = shapes;
    GtCurve* curve = make_curve(&def);
    for (int i = 1; i < KEYS - 1; ++i) {
        double t = shapes[i].tension, c = shapes[i].continuity, b = shapes[i].bias;
        double before = (double)heights[i] - heights[i - 1], after = (double)heights[i + 1] - heights[i];
        double d0 = (double)uneven[i] - uneven[i - 1], d1 = (double)uneven[i + 1] - uneven[i];
        double ds = 0.5 * ((1 - t) * (1 + c) * (1 - b) * after + (1 - t) * (1 - c) * (1 + b) * before);
        double dd = 0.5 * ((1 - t) * (1 - c) * (1 - b) * after + (1 - t) * (1 + c) * (1 + b) * before);
        ds *= 2 * d0 / (d0 + d1);
        dd *= 2 * d1 / (d0 + d1);
        GT_EXPECT_NEAR(gt_curve_number(curve, uneven[i]), heights[i], 0);
        GT_EXPECT_NEAR(slope_of(curve, uneven[i]), dd / d1, 1e-5);
        GT_EXPECT_NEAR(slope_of(curve, (double)uneven[i] - 1e-9), ds / d0, 1e-5);
        if (shapes[i].continuity == 0.0f) { // the factors are there to make the speed go on
            GT_EXPECT_NEAR(ds / d0, dd / d1, 1e-12);
        }
    }
    gt_curve_destroy(curve);
}

static void test_extreme_shapes(void** state)
{
    (void)state;
    GtKeyShape shapes[KEYS];
    for (int i = 0; i < KEYS; ++i) {
        shapes[i] = (GtKeyShape){ 0.0f, -1.0f, 0.0f };
    }
    GtCurveDef def = numbers_def(GT_LAW_KOCHANEK_BARTELS, KEYS, even, heights);
    def.shapes = shapes;
    GtCurve* corners = make_curve(&def);
    GtCurve* lines = make_numbers(GT_LAW_LINEAR, KEYS, even, heights);
    for (double t = 1; t <= 4; t += 0.03125) { // its ends have no neighbours to make corners with
        GT_EXPECT_NEAR(gt_curve_number(corners, t), gt_curve_number(lines, t), 1e-6);
    }
    def = numbers_def(GT_LAW_CARDINAL, KEYS, uneven, heights);
    def.tension = 1.0f;
    GtCurve* tight = make_curve(&def);
    for (int i = 0; i < KEYS; ++i) {
        GT_EXPECT_NEAR(slope_of(tight, uneven[i]), 0, 0);
        if (i) { // from a stop to a stop: smoothstep
            double middle = 0.25 * uneven[i] + 0.75 * uneven[i - 1];
            double share = 0.25 * 0.25 * (3 - 0.5);
            GT_EXPECT_NEAR(gt_curve_number(tight, middle), heights[i - 1] + share * (heights[i] - heights[i - 1]),
                           1e-6);
        }
    }
    gt_curve_destroy(corners);
    gt_curve_destroy(lines);
    gt_curve_destroy(tight);
}

static double cubic(double t)
{
    return 0.5 * t * t * t - t * t + 2 * t - 3;
}

static double cubic_slope(double t)
{
    return 1.5 * t * t - 2 * t + 2;
}

// Hermite and Bezier give back any cubic, and its derivative.
static void test_cubics_are_kept(void** state)
{
    (void)state;
    float values[KEYS], slopes[KEYS], before[KEYS], after[KEYS];
    for (int i = 0; i < KEYS; ++i) {
        double d0 = i ? (double)uneven[i] - uneven[i - 1] : 1;
        double d1 = i + 1 < KEYS ? (double)uneven[i + 1] - uneven[i] : 1;
        values[i] = (float)cubic(uneven[i]);
        slopes[i] = (float)cubic_slope(uneven[i]);
        before[i] = (float)(-cubic_slope(uneven[i]) * d0 / 3);
        after[i] = (float)(cubic_slope(uneven[i]) * d1 / 3);
    }
    GtCurveDef def = numbers_def(GT_LAW_HERMITE, KEYS, uneven, values);
    def.in = def.out = slopes;
    GtCurve* hermite = make_curve(&def);
    def.law = GT_LAW_BEZIER;
    def.in = before;
    def.out = after;
    GtCurve* bezier = make_curve(&def);
    for (double t = -1; t <= 4; t += 0.01) {
        GT_EXPECT_NEAR(gt_curve_number(hermite, t), cubic(t), 4e-6);
        GT_EXPECT_NEAR(gt_curve_number(bezier, t), cubic(t), 4e-6);
        GT_EXPECT_NEAR(slope_of(hermite, t), cubic_slope(t), 2e-5);
        GT_EXPECT_NEAR(slope_of(bezier, t), cubic_slope(t), 2e-5);
    }
    gt_curve_destroy(hermite);
    gt_curve_destroy(bezier);
}

// Handles with times of their own: points of the plane curve lie on the curve over time.
static void test_handles(void** state)
{
    (void)state;
    static const float times[3] = { 0, 2, 3 };
    static const float values[3] = { 0, 4, 1 };
    static const float in_times[3] = { 0, 1.5f, 9 };
    static const float out_times[3] = { 0.25f, 0, 0 };
    static const float in[3] = { 0, -1, -9 };
    static const float out[3] = { 3, 2, 0 };
    GtCurveDef def = numbers_def(GT_LAW_BEZIER, 3, times, values);
    def.in_times_s = in_times;
    def.out_times_s = out_times;
    def.in = in;
    def.out = out;
    GtCurve* curve = make_curve(&def);
    const double x[2][4] = { { 0, 0.25, 0.5, 2 }, { 2, 2, 2, 3 } }; // the last handle is shortened from 9 s to 1
    const double y[2][4] = { { 0, 3, 3, 4 }, { 4, 6, 0, 1 } };
    for (int s = 0; s < 2; ++s) {
        for (int i = 0; i <= 64; ++i) {
            double u = i / 64.0, v = 1 - u;
            double b[4] = { v * v * v, 3 * u * v * v, 3 * u * u * v, u * u * u };
            double t = b[0] * x[s][0] + b[1] * x[s][1] + b[2] * x[s][2] + b[3] * x[s][3];
            double want = b[0] * y[s][0] + b[1] * y[s][1] + b[2] * y[s][2] + b[3] * y[s][3];
            GT_EXPECT_NEAR(gt_curve_number(curve, t), want, 2e-5); // the second starts straight up
        }
    }
    assert_true(isfinite(slope_of(curve, 2)) && slope_of(curve, 2) > 1e3);
    gt_curve_destroy(curve);
    // No handles at all: time and value go alike, a straight line, at its ends too.
    static const float none[3] = { 0, 0, 0 };
    def.in_times_s = def.out_times_s = def.in = def.out = none;
    curve = make_curve(&def);
    for (double t = 0; t < 2; t += 0.125) {
        GT_EXPECT_NEAR(gt_curve_number(curve, t), 2 * t, 1e-6);
        GT_EXPECT_NEAR(slope_of(curve, t), 2, 1e-3);
    }
    gt_curve_destroy(curve);
}

// How far the cubic from 0 over a and b to 1 is at u, and where it is x, by halving alone.
static long double cubic_from(long double a, long double b, long double u)
{
    long double v = 1 - u;
    return 3 * u * v * (v * a + u * b) + u * u * u;
}

static long double find_share(long double a, long double b, long double x)
{
    long double low = 0, high = 1;
    for (int i = 0; i < 80; ++i) {
        long double middle = (low + high) / 2;
        *(cubic_from(a, b, middle) < x ? &low : &high) = middle;
    }
    return high;
}

// Handles of any length, those beyond their segment shortened as Blender does: the value is one that the plane curve
// has within 4e-15 of the segment's time, however steep it is there, and 1e-6 of rounding.
static void test_random_handles(void** state)
{
    (void)state;
    TestRandom random = { 47 };
    for (int i = 0; i < 400; ++i) {
        static const float edges[] = { 0, 0, 1, 1, 5 }; // most of them where time stands still
        float times[2] = { test_random_float(&random, -2, 2), 0 };
        times[1] = times[0] + test_random_float(&random, 0.01f, 3);
        double d = (double)times[1] - (double)times[0];
        float values[2] = { test_random_float(&random, -1, 1), test_random_float(&random, -1, 1) };
        float in_times[2] = { 0 }, out_times[2] = { 0 }, in[2] = { 0 }, out[2] = { 0 };
        bool on_edge = i % 2;
        out_times[0] = (float)d * (on_edge ? edges[i / 2 % 5] : test_random_float(&random, 0, 2));
        in_times[1] = (float)d * (on_edge ? edges[i / 10 % 5] : test_random_float(&random, 0, 2));
        out[0] = test_random_float(&random, -2, 2);
        in[1] = test_random_float(&random, -2, 2);
        GtCurveDef def = numbers_def(GT_LAW_BEZIER, 2, times, values);
        def.in_times_s = in_times, def.out_times_s = out_times, def.in = in, def.out = out;
        GtCurve* curve = make_curve(&def);
        double keep_out = fmin(1, d / (double)out_times[0]), keep_in = fmin(1, d / (double)in_times[1]);
        double a = fmin(1, (double)(float)(keep_out * (double)out_times[0]) / d);
        double b = fmax(0, 1 - (double)(float)(keep_in * (double)in_times[1]) / d);
        for (int k = 0; k <= 40; ++k) {
            double t = times[0] + d * (k < 20 ? pow(0.5, k + 1) : 0.05 * (k - 20));
            long double x = ((long double)t - (long double)times[0]) / (long double)d, y[2];
            for (int side = 0; side < 2; ++side) {
                long double u = find_share(a, b, x + (side ? 4e-15L : -4e-15L)), v = 1 - u;
                y[side] = v * v * (v * values[0] + 3 * u * (values[0] + keep_out * out[0])) +
                          u * u * (u * values[1] + 3 * v * (values[1] + keep_in * in[1]));
            }
            double got = gt_curve_number(curve, t);
            assert_true(got >= (double)fminl(y[0], y[1]) - 1e-6 && got <= (double)fmaxl(y[0], y[1]) + 1e-6);
        }
        gt_curve_destroy(curve);
    }
}

// The recursion of de Boor and Cox: basis function i of some degree over the knots u.
static double basis(const double* u, int i, int degree, double t)
{
    if (degree == 0) {
        return t >= u[i] && t < u[i + 1];
    }
    return (t - u[i]) / (u[i + degree] - u[i]) * basis(u, i, degree - 1, t) +
           (u[i + degree + 1] - t) / (u[i + degree + 1] - u[i + 1]) * basis(u, i + 1, degree - 1, t);
}

static void test_b_spline(void** state)
{
    (void)state;
    enum {
        EXTRA = 3
    };
    for (int pass = 0; pass < 2; ++pass) {
        const float* times = pass ? uneven : even;
        double knots[KEYS + 2 * EXTRA], points[KEYS + 2];
        for (int i = 0; i < KEYS + 2 * EXTRA; ++i) { // mirrored at the ends
            int k = i - EXTRA;
            knots[i] = k < 0 ? 2.0 * times[0] - times[-k] : k >= KEYS ? 2.0 * times[5] - times[10 - k] : times[k];
        }
        for (int i = 0; i < KEYS + 2; ++i) {
            points[i] = i < 1      ? 2.0 * heights[0] - heights[1]
                        : i > KEYS ? 2.0 * heights[5] - heights[4]
                                   : heights[i - 1];
        }
        GtCurve* curve = make_numbers(GT_LAW_B_SPLINE, KEYS, times, heights);
        for (double t = times[0]; t < times[KEYS - 1]; t += 0.01) {
            double want = 0;
            for (int i = 0; i < KEYS + 2; ++i) { // centred on knot i + EXTRA - 1, two knots to each side
                want += points[i] * basis(knots, i, 3, t);
            }
            GT_EXPECT_NEAR(gt_curve_number(curve, t), want, 2e-6);
        }
        GT_EXPECT_NEAR(gt_curve_number(curve, times[0]), heights[0], 1e-6);
        GT_EXPECT_NEAR(gt_curve_number(curve, times[KEYS - 1]), heights[KEYS - 1], 1e-6);
        for (int i = 1; i < KEYS - 1; ++i) { // the acceleration has no jump
            double h = 1e-3;
            double left = (slope_of(curve, times[i] - 1e-9) - slope_of(curve, times[i] - h)) / h;
            double right = (slope_of(curve, times[i] + h) - slope_of(curve, times[i])) / h;
            GT_EXPECT_NEAR(left, right, 0.15); // third derivatives of up to 60 a step of 1e-3 to each side
        }
        gt_curve_destroy(curve);
    }
}

// Every law, eased or not, closed or not: the derivative is the limit of differences, inside and outside.
static void test_derivatives(void** state)
{
    (void)state;
    static const float in[KEYS] = { 1, -2, 0, 3, 1, 1 };
    static const float times[KEYS] = { 0.1f, 0.2f, 0.3f, 0.1f, 0.1f, 0.5f };
    static const GtEase eases[KEYS - 1] = { { 0.5f, 0.5f }, { 0.2f, 0 }, { 0, 0.3f }, { 0, 0 }, { 0.1f, 0.6f } };
    for (int i = 0; i < GT_LAW_SQUAD * 2 * 2 * GT_EXTRAPOLATE_COUNT; ++i) {
        GtCurveDef def = numbers_def((GtCurveLaw)(i % GT_LAW_SQUAD), KEYS, uneven, heights);
        def.eases = i / GT_LAW_SQUAD % 2 ? eases : NULL;
        def.closed = i / GT_LAW_SQUAD / 2 % 2;
        def.before = def.after = (GtExtrapolation)(i / GT_LAW_SQUAD / 4);
        def.in = def.out = in;
        def.in_times_s = def.out_times_s = times;
        GtCurve* curve = make_curve(&def);
        for (double t = -11.93; t < 15; t += 0.11) {
            double h = 1.0 / 1024;
            double difference = ((double)gt_curve_number(curve, t + h) - gt_curve_number(curve, t - h)) / (2 * h);
            bool smooth = true; // away from keys, folds of ping-pongs and eases, where the slope may jump
            for (int k = -3; k <= 3; ++k) {
                for (int key = 0; key < KEYS; ++key) {
                    double at =
                        (def.before == GT_EXTRAPOLATE_PING_PONG && k % 2 ? 3 - (double)uneven[key] : uneven[key]);
                    smooth = smooth && fabs(t - at - 5 * k) > 0.02;
                }
            }
            if (smooth && def.law != GT_LAW_STEP) {
                GT_EXPECT_NEAR(slope_of(curve, t), difference, 0.02 + 0.02 * fabs(difference));
            }
        }
        gt_curve_destroy(curve);
    }
}

static void test_extrapolation(void** state)
{
    (void)state;
    static const float times[3] = { 1, 2, 4 };
    static const float values[3] = { 0, 3, 1 };
    const struct {
        GtExtrapolation how;
        double time_s, value;
    } cases[] = {
        { GT_EXTRAPOLATE_HOLD, -7, 0 },
        { GT_EXTRAPOLATE_HOLD, 7, 1 },
        { GT_EXTRAPOLATE_LINEAR, 0, -3 },
        { GT_EXTRAPOLATE_LINEAR, 6, -1 },
        { GT_EXTRAPOLATE_CYCLE, 4.5, 1.5 },
        { GT_EXTRAPOLATE_CYCLE, -1.5, 1.5 },
        { GT_EXTRAPOLATE_CYCLE, 7, 0 },
        { GT_EXTRAPOLATE_CYCLE, 31.5, 1.5 },
        { GT_EXTRAPOLATE_CYCLE_OFFSET, 4.5, 2.5 },
        { GT_EXTRAPOLATE_CYCLE_OFFSET, -1.5, 0.5 },
        { GT_EXTRAPOLATE_CYCLE_OFFSET, 31.5, 11.5 },
        { GT_EXTRAPOLATE_CYCLE_OFFSET, 7, 2 },
        { GT_EXTRAPOLATE_PING_PONG, 5, 2 },
        { GT_EXTRAPOLATE_PING_PONG, 7, 0 },
        { GT_EXTRAPOLATE_PING_PONG, 7.5, 1.5 },
        { GT_EXTRAPOLATE_PING_PONG, 0.5, 1.5 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        GtCurveDef def = numbers_def(GT_LAW_LINEAR, 3, times, values);
        def.before = def.after = cases[i].how;
        GtCurve* curve = make_curve(&def);
        float whole;
        gt_curve_eval(curve, cases[i].time_s, &whole);
        GT_EXPECT_NEAR(whole, cases[i].value, 1e-6);
        GT_EXPECT_NEAR(gt_curve_number(curve, cases[i].time_s), cases[i].value, 1e-6);
        const double far[] = { 1e300, -1e300, INFINITY, -INFINITY, NAN };
        for (size_t k = 0; k < sizeof far / sizeof far[0]; ++k) {
            float slope;
            gt_curve_derivative(curve, far[k], &slope);
            assert_true(isfinite(gt_curve_number(curve, far[k])) && isfinite(slope));
        }
        gt_curve_destroy(curve);
    }
}

// Closed curves: no jump of velocity, of B-splines none of acceleration, where one cycle ends and the next begins.
static void test_seams(void** state)
{
    (void)state;
    static const float offset[KEYS] = { 0, 1, 0, 2, 5, 4 };
    for (int law = GT_LAW_CATMULL_ROM; law <= GT_LAW_B_SPLINE; ++law) {
        if (law == GT_LAW_HERMITE || law == GT_LAW_BEZIER) {
            continue;
        }
        GtCurveDef def = numbers_def((GtCurveLaw)law, KEYS, uneven, offset);
        def.closed = true;
        def.before = def.after = GT_EXTRAPOLATE_CYCLE_OFFSET;
        GtCurve* curve = make_curve(&def);
        for (int seam = -2; seam <= 2; ++seam) {
            double t = 4 + 5 * seam, h = 1e-4;
            GT_EXPECT_NEAR(gt_curve_number(curve, t - 1e-9), gt_curve_number(curve, t + 1e-9), 1e-6);
            GT_EXPECT_NEAR(slope_of(curve, t - 1e-9), slope_of(curve, t + 1e-9), 1e-5);
            if (law == GT_LAW_B_SPLINE) {
                double left = (slope_of(curve, t - 1e-9) - slope_of(curve, t - h)) / h;
                double right = (slope_of(curve, t + h) - slope_of(curve, t + 1e-9)) / h;
                GT_EXPECT_NEAR(left, right, 0.05);
            }
        }
        gt_curve_destroy(curve);
    }
}

static void test_ease(void** state)
{
    (void)state;
    GT_EXPECT_NEAR(gt_ease((GtEase){ 0, 0 }, 0.3f), 0.3, 1e-7);
    GT_EXPECT_NEAR(gt_ease((GtEase){ 0.5f, 0.5f }, 0.25f), 0.125, 1e-7); // half of a t^2 / 2 with a = 4
    GT_EXPECT_NEAR(gt_ease((GtEase){ 1, 0 }, 0.5f), 0.25, 1e-7);
    GT_EXPECT_NEAR(gt_ease((GtEase){ 0, 1 }, 0.5f), 0.75, 1e-7);
    GT_EXPECT_NEAR(gt_ease((GtEase){ 0.25f, 0.25f }, 0.5f), 0.5, 1e-7);
    GT_EXPECT_NEAR(gt_ease((GtEase){ 0.25f, 0.25f }, NAN), 0, 0);
    GT_EXPECT_NEAR(gt_ease((GtEase){ 0.25f, 0.25f }, 3), 1, 0);
    // Constant acceleration, then none, then constant again: second differences take three values.
    GtEase ease = { 0.2f, 0.4f };
    double cruise = 2 / (2 - 0.6), h = 1.0 / 64;
    for (int i = 1; i < 64; ++i) {
        double t = i * h;
        double second = ((double)gt_ease(ease, (float)(t + h)) - 2.0 * gt_ease(ease, (float)t) +
                         (double)gt_ease(ease, (float)(t - h))) /
                        (h * h);
        if (fabs(t - 0.2) > h && fabs(t - 0.6) > h) {
            GT_EXPECT_NEAR(second, t < 0.2 ? cruise / 0.2 : t < 0.6 ? 0.0 : -cruise / 0.4, 2e-3);
        }
    }
    // On a curve: stops at the keys, and the value is that of the eased share.
    static const GtEase eases[2] = { { 0.5f, 0.5f }, { 0, 0 } };
    GtCurveDef def = numbers_def(GT_LAW_LINEAR, 3, uneven, heights);
    def.eases = eases;
    GtCurve* curve = make_curve(&def);
    GT_EXPECT_NEAR(gt_curve_number(curve, -0.75), 1 - 3 * 0.125, 1e-6);
    GT_EXPECT_NEAR(slope_of(curve, -1), 0, 1e-6);
    GT_EXPECT_NEAR(slope_of(curve, -1e-7), 0, 1e-5);
    gt_curve_destroy(curve);
}

static void test_vectors_and_one_key(void** state)
{
    (void)state;
    float vectors[KEYS * 3];
    for (int i = 0; i < KEYS; ++i) {
        vectors[3 * i] = heights[i];
        vectors[3 * i + 1] = 2.0f * heights[i];
        vectors[3 * i + 2] = 7.0f;
    }
    GtCurveDef def = numbers_def(GT_LAW_KOCHANEK_BARTELS, KEYS, uneven, vectors);
    def.component_count = 3;
    GtCurve* curve = make_curve(&def);
    GtCurve* number = make_numbers(GT_LAW_CATMULL_ROM, KEYS, uneven, heights);
    for (double t = -2; t < 5; t += 0.1) {
        float v[3];
        gt_curve_eval(curve, t, v);
        GT_EXPECT_NEAR(v[0], gt_curve_number(number, t), 0);
        GT_EXPECT_NEAR(v[1], 2.0f * gt_curve_number(number, t), 2e-6);
        GT_EXPECT_NEAR(v[2], 7, 1e-6);
    }
    assert_int_equal(gt_curve_component_count(curve), 3);
    gt_curve_destroy(curve);
    gt_curve_destroy(number);
    for (int law = 0; law < GT_LAW_SQUAD; ++law) {
        static const GtEase ease = { 0.1f, 0.1f };
        def = numbers_def((GtCurveLaw)law, 1, even, heights);
        def.in = def.out = heights;
        def.eases = &ease;
        def.closed = true;
        def.before = GT_EXTRAPOLATE_LINEAR;
        def.after = GT_EXTRAPOLATE_CYCLE_OFFSET;
        curve = make_curve(&def);
        for (double t = -2; t < 3; t += 0.5) {
            GT_EXPECT_NEAR(gt_curve_number(curve, t), 1, 0);
            GT_EXPECT_NEAR(slope_of(curve, t), 0, 0);
        }
        gt_curve_destroy(curve);
    }
}

static void expect_refused(const GtCurveDef* def, const char* text)
{
    GtError error;
    GtCurve* curve = NULL;
    GT_EXPECT_ERROR(gt_curve_create(gt_default_allocator(), def, &curve, &error), GT_ERROR_BAD_VALUE, text);
    assert_null(curve);
}

static void test_refused(void** state)
{
    (void)state;
    static const float backwards[3] = { 0, 2, 1 };
    static const float twice[3] = { 0, 1, 1 };
    static const float nan_time[3] = { 0, NAN, 1 };
    static const float nan_value[3] = { 0, 1, NAN };
    static const float steep[3] = { -FLT_MAX, FLT_MAX, -FLT_MAX };
    static const GtEase eases[2] = { { 0.5f, 0.6f }, { 0, 0 } };
    static const GtKeyShape shapes[3] = { { 0, 0, 0 }, { 0, NAN, 0 }, { 0, 0, 0 } };
    GtError error;
    GtCurve* curve = NULL;
    GtCurveDef good = numbers_def(GT_LAW_CATMULL_ROM, 3, even, heights);
    GtCurveDef def = good;
    def.times_s = backwards, expect_refused(&def, "time of key 2, 1 s, is not after");
    def.times_s = twice, expect_refused(&def, "time of key 2, 1 s, is not after");
    def.times_s = nan_time, expect_refused(&def, "time of key 1 is not a finite number");
    def = good, def.values = nan_value, expect_refused(&def, "value of key 2");
    def.values = steep, expect_refused(&def, "beyond what a float holds");
    def = good, def.key_count = 0, expect_refused(&def, "at least one key");
    def = good, def.times_s = NULL, expect_refused(&def, "at least one key");
    def = good, def.component_count = 0, expect_refused(&def, "0 components");
    def = good, def.law = GT_LAW_SQUAD, expect_refused(&def, "squad is for rotations");
    def = good, def.law = GT_LAW_COUNT, expect_refused(&def, "does not exist");
    def = good, def.before = (GtExtrapolation)77, expect_refused(&def, "does not exist");
    def = good, def.eases = eases, expect_refused(&def, "ease after key 0");
    def = good, def.shapes = shapes, expect_refused(&def, "of key 1 is not finite");
    def = good, def.tension = INFINITY, expect_refused(&def, "tension is not");
    def = good, def.law = GT_LAW_HERMITE, expect_refused(&def, "both before and after");
    def.in = nan_value, def.out = heights, expect_refused(&def, "direction before of key 2");
    def.law = GT_LAW_BEZIER;
    def.in = def.in_times_s = def.out_times_s = heights, expect_refused(&def, "handles of key 1");
    def.out_times_s = NULL, expect_refused(&def, "both before and after");
    // Nothing leaks, whichever allocation fails.
    for (int64_t n = 0; n < 16; ++n) {
        TestAllocator counted = { .remaining = n };
        GtResult result = gt_curve_create(test_allocator(&counted), &good, &curve, &error);
        assert_int_equal(result, counted.remaining < 0 || result == GT_OK ? GT_OK : GT_ERROR_OUT_OF_MEMORY);
        assert_true((result == GT_OK) == (curve != NULL));
        gt_curve_destroy(curve);
        assert_int_equal(counted.alive, 0);
        if (result == GT_OK) {
            assert_true(n > 0);
            return;
        }
    }
    fail_msg("the curve was never made");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_and_lines),
        cmocka_unit_test(test_catmull_rom),
        cmocka_unit_test(test_lines_stay_lines),
        cmocka_unit_test(test_kochanek_bartels_derivatives),
        cmocka_unit_test(test_extreme_shapes),
        cmocka_unit_test(test_cubics_are_kept),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_random_handles),
        cmocka_unit_test(test_b_spline),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_extrapolation),
        cmocka_unit_test(test_seams),
        cmocka_unit_test(test_ease),
        cmocka_unit_test(test_vectors_and_one_key),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
