// SPDX-FileCopyrightText: The Gertie authors
// SPDX-License-Identifier: Apache-2.0

// Curves of rotations: about one axis they are curves of angles; elsewhere symmetry, smoothness and differences tell.

#include "runtime/curves.h"

enum {
    KEYS = 6
};

static const float times[KEYS] = { -1, 0, 0.5f, 2, 2.25f, 4 };
static const float directions[KEYS * 3] = { 0.3f, -0.2f, 0.1f, 0.5f,  0, -0.4f, 0, 0.7f, 0.2f,
                                            0.1f, 0.1f,  0.9f, -0.3f, 0, 0,     1, 0.2f, -0.5f };
static const GtKeyShape shapes[KEYS] = { { 0.2f, 0, 0 },    { 0.5f, 0.1f, 0 },      { 0, -0.7f, 0 },
                                         { 0, 0.3f, 0.9f }, { -0.3f, 0.4f, -0.6f }, { 0, 0.5f, 0.5f } };

static GtQuat about(float x, float y, float z, float angle)
{
    return gt_quat_from_axis_angle(gt_vec3_normalize_or(gt_vec3(x, y, z), gt_vec3(1, 0, 0)), angle);
}

// Rotations less than half a turn apart, about axes that have nothing in common.
static void wild_keys(GtQuat keys[KEYS])
{
    keys[0] = about(1, 0, 0, 0.3f);
    keys[1] = about(0, 1, 0.5f, 1.4f);
    keys[2] = about(-1, 1, 2, 0.9f);
    keys[3] = about(0, -0.2f, 1, -1.0f);
    keys[4] = about(0.3f, 0.3f, 1, -1.6f);
    keys[5] = about(1, 1, 1, 0.4f);
}

static GtCurveDef rotations_def(GtCurveLaw law, const GtQuat* keys)
{
    GtCurveDef def = numbers_def(law, KEYS, times, &keys->x);
    def.kind = GT_CURVE_ROTATION;
    def.component_count = 4;
    def.shapes = shapes;
    def.tension = 0.25f;
    def.in = def.out = directions;
    return def;
}

static GtQuat at(const GtCurve* curve, double time_s)
{
    GtQuat q;
    gt_curve_eval(curve, time_s, &q.x);
    return q;
}

static GtVec3 velocity(const GtCurve* curve, double time_s)
{
    GtVec3 v;
    gt_curve_derivative(curve, time_s, &v.x);
    return v;
}

// About one axis the angle follows the same law as a number: every law but squad, closed, eased and extrapolated too.
static void test_one_axis(void** state)
{
    (void)state;
    static const float angles[KEYS] = { 0.5f, -0.7f, 0.9f, 1.2f, -0.4f, 2.0f };
    static const float slopes[KEYS] = { 1, -1, 0.5f, 0, 2, 1 };
    static const GtEase eases[KEYS - 1] = { { 0.5f, 0.5f }, { 0.2f, 0 }, { 0, 0.3f }, { 0, 0 }, { 0.1f, 0.6f } };
    GtVec3 axis = gt_vec3_normalize_or(gt_vec3(1, -2, 0.5f), gt_vec3(1, 0, 0));
    GtQuat keys[KEYS];
    float turns[KEYS * 3];
    for (int i = 0; i < KEYS; ++i) {
        float sign = i % 2 ? -3.0f : 0.5f; // neither sign nor length counts
        GtQuat q = gt_quat_from_axis_angle(axis, angles[i]);
        keys[i] = gt_quat(sign * q.x, sign * q.y, sign * q.z, sign * q.w);
        turns[3 * i] = slopes[i] * axis.x;
        turns[3 * i + 1] = slopes[i] * axis.y;
        turns[3 * i + 2] = slopes[i] * axis.z;
    }
    for (int i = 0; i < GT_LAW_SQUAD * 2 * GT_EXTRAPOLATE_COUNT; ++i) {
        GtCurveDef def = rotations_def((GtCurveLaw)(i % GT_LAW_SQUAD), keys);
        def.closed = i / GT_LAW_SQUAD % 2;
        def.eases = i / GT_LAW_SQUAD % 2 ? eases : NULL;
        def.before = def.after = (GtExtrapolation)(i / GT_LAW_SQUAD / 2);
        def.in = def.out = turns;
        GtCurve* rotation = make_curve(&def);
        def.kind = GT_CURVE_NUMBERS;
        def.component_count = 1;
        def.values = angles;
        def.in = def.out = slopes;
        GtCurve* angle = make_curve(&def);
        for (double t = -8.47; t < 11; t += 0.143) {
            GtQuat want = gt_quat_from_axis_angle(axis, gt_curve_number(angle, t));
            GT_EXPECT_NEAR(gt_quat_angle_rad(at(rotation, t), want), 0, 4e-6);
            GtVec3 v = velocity(rotation, t);
            GT_EXPECT_NEAR(gt_vec3_dot(v, axis), slope_of(angle, t), 2e-5);
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_cross(v, axis)), 0, 2e-5);
        }
        gt_curve_destroy(rotation);
        gt_curve_destroy(angle);
    }
}

static void test_slerp(void** state)
{
    (void)state;
    GtQuat keys[KEYS];
    wild_keys(keys);
    GtCurveDef def = rotations_def(GT_LAW_LINEAR, keys);
    GtCurve* curve = make_curve(&def);
    for (int i = 0; i + 1 < KEYS; ++i) {
        for (double u = 0; u <= 1; u += 0.125) {
            double t = times[i] + u * (times[i + 1] - times[i]);
            GtQuat want = gt_quat_slerp(keys[i], keys[i + 1], (float)u);
            GT_EXPECT_NEAR(gt_quat_angle_rad(at(curve, t), want), 0, 1e-6);
        }
    }
    gt_curve_destroy(curve);
}

// Shoemake's nested slerps, for even keys as he has them.
static void test_squad(void** state)
{
    (void)state;
    static const float even[KEYS] = { 0, 1, 2, 3, 4, 5 };
    GtQuat keys[KEYS], corners[KEYS];
    wild_keys(keys);
    GtCurveDef def = rotations_def(GT_LAW_SQUAD, keys);
    def.times_s = even;
    GtCurve* curve = make_curve(&def);
    for (int i = 1; i + 1 < KEYS; ++i) { // q exp(-(log(q^-1 next) + log(q^-1 last)) / 4)
        GtVec3 sum = gt_vec3(0, 0, 0);
        for (int k = -1; k <= 1; k += 2) {
            GtQuat d = gt_quat_mul(gt_quat_conjugate(keys[i]), keys[i + k]);
            float sign = d.w < 0 ? -1.0f : 1.0f;
            float length = gt_vec3_length(gt_vec3(d.x, d.y, d.z));
            float angle = 2.0f * atan2f(length, sign * d.w);
            sum = gt_vec3_add(sum, gt_vec3_scale(gt_vec3(d.x, d.y, d.z), sign * angle / length));
        }
        float angle = gt_vec3_length(sum);
        corners[i] = gt_quat_mul(keys[i], gt_quat_from_axis_angle(gt_vec3_scale(sum, 1.0f / angle), -0.25f * angle));
    }
    for (int i = 1; i + 2 < KEYS; ++i) {
        for (float u = 0; u < 1; u += 0.0625f) {
            GtQuat want = gt_quat_slerp(gt_quat_slerp(keys[i], keys[i + 1], u),
                                        gt_quat_slerp(corners[i], corners[i + 1], u), 2 * u * (1 - u));
            GT_EXPECT_NEAR(gt_quat_angle_rad(at(curve, (double)i + (double)u), want), 0, 2e-6);
        }
    }
    gt_curve_destroy(curve);
}

static void test_keys_and_velocities(void** state)
{
    (void)state;
    GtQuat keys[KEYS];
    wild_keys(keys);
    for (int law = 0; law < GT_LAW_COUNT; ++law) {
        GtCurveDef def = rotations_def((GtCurveLaw)law, keys);
        GtCurve* curve = make_curve(&def);
        for (int i = 0; i < KEYS; ++i) {
            if (law != GT_LAW_B_SPLINE || i == 0 || i == KEYS - 1) {
                GT_EXPECT_NEAR(gt_quat_angle_rad(at(curve, times[i]), keys[i]), 0, 1e-6);
            }
        }
        for (double t = -0.99; t < 4; t += 0.09) { // differences: q(t + h) q(t - h)^-1 turns by 2 h velocity
            double h = 1.0 / 512;
            GtQuat d = gt_quat_mul(at(curve, t + h), gt_quat_conjugate(at(curve, t - h)));
            float scale = (d.w < 0 ? -1.0f : 1.0f) / (float)h;
            GtVec3 v = velocity(curve, t);
            bool near_key = false;
            for (int i = 0; i < KEYS; ++i) {
                near_key = near_key || fabs(t - times[i]) < 2 * h;
            }
            if (!near_key) {
                double allowed = 2e-3 + 2e-3 * gt_vec3_length(v);
                GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(v, gt_vec3_scale(gt_vec3(d.x, d.y, d.z), scale))), 0,
                               allowed);
            }
        }
        gt_curve_destroy(curve);
    }
}

// No jumps of velocity at uneven keys, of B-splines none of acceleration.
static void test_smooth(void** state)
{
    (void)state;
    static const GtCurveLaw laws[] = { GT_LAW_CATMULL_ROM, GT_LAW_CARDINAL, GT_LAW_SQUAD, GT_LAW_B_SPLINE };
    GtQuat keys[KEYS];
    wild_keys(keys);
    for (size_t law = 0; law < sizeof laws / sizeof laws[0]; ++law) {
        for (int closed = 0; closed < 2; ++closed) {
            GtCurveDef def = rotations_def(laws[law], keys);
            def.closed = closed;
            def.before = def.after = GT_EXTRAPOLATE_CYCLE_OFFSET;
            GtCurve* curve = make_curve(&def);
            for (int i = closed ? 0 : 1; i < (closed ? KEYS : KEYS - 1); ++i) {
                double t = times[i], h = 1e-3;
                GtVec3 left = velocity(curve, t - 1e-9), right = velocity(curve, t + 1e-9);
                GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(left, right)), 0, 1e-5);
                GT_EXPECT_NEAR(gt_quat_angle_rad(at(curve, t - 1e-9), at(curve, t + 1e-9)), 0, 1e-6);
                if (laws[law] == GT_LAW_B_SPLINE) {
                    GtVec3 a = gt_vec3_scale(gt_vec3_sub(left, velocity(curve, t - h)), (float)(1 / h));
                    GtVec3 b = gt_vec3_scale(gt_vec3_sub(velocity(curve, t + h), right), (float)(1 / h));
                    GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(a, b)), 0, 0.05);
                }
            }
            gt_curve_destroy(curve);
        }
    }
}

// Turning all keys turns the curve, from outside and inside: no axis is special.
static void test_turned(void** state)
{
    (void)state;
    GtQuat keys[KEYS], turned[KEYS];
    GtQuat outside = about(1, 2, -1, 2.2f), inside = about(0, 1, 0.3f, -0.8f);
    float turned_directions[KEYS * 3];
    wild_keys(keys);
    for (int i = 0; i < KEYS; ++i) {
        turned[i] = gt_quat_mul(outside, gt_quat_mul(keys[i], inside));
        const float* d = &directions[3 * i];
        GtVec3 v = gt_quat_rotate(gt_quat_conjugate(inside), gt_vec3(d[0], d[1], d[2]));
        memcpy(&turned_directions[3 * i], &v, sizeof v);
    }
    for (int law = 0; law < GT_LAW_COUNT; ++law) {
        GtCurveDef def = rotations_def((GtCurveLaw)law, keys);
        GtCurve* curve = make_curve(&def);
        def.values = &turned->x;
        def.in = def.out = turned_directions;
        GtCurve* other = make_curve(&def);
        for (double t = -2; t < 5; t += 0.13) {
            GtQuat want = gt_quat_mul(outside, gt_quat_mul(at(curve, t), inside));
            GT_EXPECT_NEAR(gt_quat_angle_rad(at(other, t), want), 0, 4e-6);
            GtVec3 v = gt_quat_rotate(outside, velocity(curve, t));
            GT_EXPECT_NEAR(gt_vec3_length(gt_vec3_sub(velocity(other, t), v)), 0, 4e-5);
        }
        gt_curve_destroy(curve);
        gt_curve_destroy(other);
    }
}

static void test_hostile(void** state)
{
    (void)state;
    GtError error;
    GtCurve* curve = NULL;
    GtQuat keys[KEYS];
    wild_keys(keys);
    GtCurveDef def = rotations_def(GT_LAW_SQUAD, keys);
    keys[3] = gt_quat(0, 0, 0, 0);
    GT_EXPECT_ERROR(gt_curve_create(gt_default_allocator(), &def, &curve, &error), GT_ERROR_BAD_VALUE,
                    "rotation of key 3 has length 0");
    keys[3] = gt_quat(0, NAN, 0, 1);
    GT_EXPECT_ERROR(gt_curve_create(gt_default_allocator(), &def, &curve, &error), GT_ERROR_BAD_VALUE, "key 3");
    def.component_count = 3;
    GT_EXPECT_ERROR(gt_curve_create(gt_default_allocator(), &def, &curve, &error), GT_ERROR_BAD_VALUE, "3 components");
    // Half a turn apart, twice the same, wild speeds: unit length all the same.
    GtQuat half[KEYS] = { { 0, 0, 0, 1 }, { 1, 0, 0, 0 },  { 1, 0, 0, 0 },
                          { 0, 1, 0, 0 }, { 0, 0, -1, 0 }, { 0, 0, 0, -1 } };
    float fast[KEYS * 3];
    for (int i = 0; i < KEYS * 3; ++i) {
        fast[i] = i % 2 ? 1e6f : -1e5f;
    }
    for (int law = 0; law < GT_LAW_COUNT; ++law) {
        def = rotations_def((GtCurveLaw)law, half);
        def.in = def.out = fast;
        def.before = GT_EXTRAPOLATE_LINEAR;
        def.after = GT_EXTRAPOLATE_CYCLE_OFFSET;
        curve = make_curve(&def);
        for (double t = -1e9; t < 1e9; t += 9.87e7) {
            GtVec3 v = velocity(curve, t);
            GT_EXPECT_NEAR(gt_quat_length(at(curve, t)), 1, 1e-6);
            assert_true(isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
        }
        GT_EXPECT_NEAR(gt_quat_length(at(curve, INFINITY)), 1, 1e-6);
        GT_EXPECT_NEAR(gt_quat_length(at(curve, NAN)), 1, 1e-6);
        gt_curve_destroy(curve);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_axis), cmocka_unit_test(test_slerp),
        cmocka_unit_test(test_squad),    cmocka_unit_test(test_keys_and_velocities),
        cmocka_unit_test(test_smooth),   cmocka_unit_test(test_turned),
        cmocka_unit_test(test_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
